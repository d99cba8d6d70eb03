"""docker-compose.yml, Dockerfile and Caddyfile: valid, secure, and consistent with the settings."""

import json
import re
import shlex
import shutil
import sys
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from jsonschema import Draft7Validator

from tests.empire.test_settings import KNOBS
from tests.running import ROOT

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"].startswith("empire:")}
DOCKERFILE = (ROOT / "Dockerfile").read_text()
PINNED = re.compile(r"[a-z]+:\d+\.\d+(\.\d+)?-[a-z-]+")

each_service = pytest.mark.parametrize("name", SERVICES)
each_of_ours = pytest.mark.parametrize("name", OURS)


def test_the_compose_file_matches_its_schema():
    schema = json.loads((files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json").read_text())
    assert [error.message for error in Draft7Validator(schema).iter_errors(COMPOSE)] == []


def test_all_services_are_there():
    kinds = sorted(re.sub(r"\d+$", "", name.partition("-")[0]) for name in SERVICES)
    assert kinds == ["beat", "caddy", "migrate", "postgres", "redis", "web", "web", *["worker"] * 5]


@each_service
def test_each_service_is_pinned_restarts_and_has_a_health_check(name):
    service = SERVICES[name]
    assert name in OURS or PINNED.fullmatch(service["image"])
    if name == "migrate":
        assert service["restart"] == "no" and service["healthcheck"] == {"disable": True}
    else:
        assert service["restart"] == "unless-stopped" and service["healthcheck"]["test"]
    assert service["logging"]["options"]["max-size"]


@each_service
def test_each_service_stores_data_in_volumes_and_accesses_nothing_else_on_the_host(name):
    for volume in SERVICES[name].get("volumes", []):
        assert volume.partition(":")[0] in COMPOSE["volumes"]
    assert not {"privileged", "network_mode", "pid", "devices"} & set(SERVICES[name])
    assert not {secret for secret in SERVICES[name].get("secrets", []) if secret not in COMPOSE["secrets"]}


def test_host_files_are_next_to_the_compose_file_and_secrets_are_in_neither_git_nor_image():
    read = [entry["file"] for part in ("configs", "secrets") for entry in COMPOSE[part].values()]
    assert all(path.startswith("./") and ".." not in path for path in read)
    assert {"/secrets/", ".env"} <= set((ROOT / ".gitignore").read_text().split())
    assert (ROOT / ".dockerignore").read_text().startswith("*\n")
    assert "secret" not in (ROOT / ".dockerignore").read_text()


def test_nothing_starts_before_the_database_is_migrated_and_the_gate_has_passed():
    shell, _option, line = SERVICES["migrate"]["command"]
    assert shell == "sh"
    assert line.split(" && ")[:2] == ["python manage.py migrate --no-input", "python manage.py replay --running"]


def test_one_service_builds_the_image_for_all_of_ours():
    assert [name for name, service in SERVICES.items() if "build" in service] == ["migrate"]
    assert {(service["image"], service["pull_policy"]) for service in OURS.values()} == {
        (SERVICES["migrate"]["image"], "never")
    }


@each_of_ours
def test_our_services_run_with_minimal_privileges(name):
    service = OURS[name]
    assert service["read_only"] and service["cap_drop"] == ["ALL"] and "privileged" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    (user,) = re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)
    assert int(user) > 0 and "user" not in service


@each_of_ours
def test_our_services_cannot_take_all_memory(name):
    service = OURS[name]
    assert all("size=" in folder for folder in service["tmpfs"])
    assert service["oom_score_adj"] > 0
    assert service["mem_limit"] == ("1g" if name != "migrate" else 0)


def test_only_the_web_processes_are_reachable_from_the_proxy():
    assert SERVICES["caddy"]["networks"] == ["proxy"]
    assert {name for name, service in SERVICES.items() if "proxy" in service["networks"]} == {"caddy", "web1", "web2"}
    assert {name for name, service in SERVICES.items() if "inside" not in service["networks"]} == {"caddy"}


def test_redis_never_drops_tasks():
    command = SERVICES["redis"]["command"]
    assert command[command.index("--maxmemory-policy") + 1].startswith("volatile-")


@each_of_ours
def test_our_services_get_only_existing_settings_and_secrets_as_files(name):
    assert OURS[name]["env_file"] == ".env"
    for variable, value in OURS[name]["environment"].items():
        assert variable.removesuffix("_FILE") in KNOBS
        if variable.endswith("_FILE"):
            assert value.removeprefix("/run/secrets/") in OURS[name]["secrets"]
    secret = {"SECRET_KEY", "DATABASE_PASSWORD", "EMAIL_URL", "METRICS_TOKEN", "RECORD_KEY", "VAPID_PRIVATE_KEY"}
    secret.add("SENTRY_DSN")
    assert not secret & set(OURS[name]["environment"])


@each_of_ours
def test_our_services_start_after_the_migration_with_an_existing_command(name):
    command, *words = OURS[name]["command"]
    if command == "sh":
        command, *words = re.findall(r"[\w./-]+", words[-1])
    assert shutil.which(command, path=Path(sys.executable).parent)
    assert not [word for word in words if word.endswith(".py") and not (ROOT / word).exists()]
    waits = OURS[name]["depends_on"]
    assert waits["postgres"]["condition"] == "service_healthy"
    if name != "migrate":
        assert waits["migrate"]["condition"] == "service_completed_successfully"
        assert waits["redis"]["condition"] == "service_healthy"


def test_each_queue_has_a_worker_and_bots_and_notices_have_their_own():
    queues = [worker["command"][worker["command"].index("-Q") + 1].split(",") for worker in workers().values()]
    assert sorted(queue for several in queues for queue in several) == sorted(settings.QUEUES)
    assert ["bots"] in queues and ["notices"] in queues and ["thinking"] in queues


@pytest.mark.parametrize("name", [name for name in SERVICES if name.startswith("worker")])
def test_health_checks_ask_each_worker_by_its_own_name(name):
    command = SERVICES[name]["command"]
    node = command[command.index("-n") + 1].replace("%h", "$$HOSTNAME")
    words = shlex.split(SERVICES[name]["healthcheck"]["test"][1])
    assert words[words.index("--destination") + 1] == node


def workers() -> dict[str, dict]:
    return {name: service for name, service in SERVICES.items() if name.startswith("worker")}


def test_the_proxy_knows_all_web_processes_does_not_buffer_streams_and_hides_metrics():
    caddy = (ROOT / "Caddyfile").read_text()
    webs = [name for name in SERVICES if name.startswith("web")]
    ports = {name: SERVICES[name]["command"][SERVICES[name]["command"].index("--port") + 1] for name in webs}
    (behind,) = re.findall(r"reverse_proxy (.*) \{", caddy)
    assert behind.split() == [f"{name}:{port}" for name, port in ports.items()]
    assert set(SERVICES["caddy"]["depends_on"]) == set(webs)
    assert "flush_interval -1" in caddy and "health_uri /livez" in caddy and "respond /metrics 404" in caddy
    assert [port.partition(":")[0] for port in SERVICES["caddy"]["ports"]] == ["80", "443", "443"]
    assert not [name for name, service in SERVICES.items() if "ports" in service and name != "caddy"]


def test_the_image_is_built_from_pinned_bases_and_existing_files():
    bases = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert bases and all(PINNED.fullmatch(base) for base in bases)
    shown = {line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().split() if line.startswith("!")}
    copied = {
        path for line in re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE, re.MULTILINE) for path in line.split()
    }
    assert copied == shown and all((ROOT / path).exists() for path in copied)


def test_backup_programs_have_the_version_of_the_database_server():
    server = SERVICES["postgres"]["image"]
    assert f"FROM {server} AS postgresql" in DOCKERFILE
    (major,) = re.findall(r"postgres:(\d+)", server)
    assert DOCKERFILE.count(f"/usr/lib/postgresql/{major}/bin/pg_") == len(("pg_dump", "pg_restore"))


def test_the_documented_systemd_units_start_what_compose_starts():
    page = (ROOT / "docs/operations.md").read_text()
    units = [set(shlex.split(line)) for line in re.findall(r"ExecStart=\S+/bin/((?:uvicorn|celery) .*)", page)]
    compose = [set(SERVICES[name]["command"]) for name in ("web1", "worker-notices", "beat")]
    own = {"%i", "%i@%%h", "127.0.0.1", "0.0.0.0", "8000", "notices", "notices@%h", "-c", "8"}
    assert [unit - own for unit in units] == [command - own for command in compose]
