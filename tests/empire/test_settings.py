"""Settings from the environment; a bad one prevents the start with a sentence."""

import errno
import os
import re
import resource
import runpy
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.conf import settings as site
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.db import OperationalError

from empire import environment
from empire.apps import settings_are_spelled_right
from empire.environment import is_push_key, new_push_key, new_signing_key
from empire.management import unusable_database
from tests.running import free_port

ROOT = Path(__file__).resolve().parents[2]
SERVER = {
    "SECRET_KEY": "a long random text that nobody knows, of many different characters 0123456789",
    "ALLOWED_HOSTS": "play.example.org,www.example.org",
    "DATABASE_URL": "postgres://empire:secret@db.example.org:5433/empire",
    "REDIS_URL": "redis://cache.example.org/1",
}
DESCRIBED = re.compile(r"^\| `([A-Z_]+)` \|", re.MULTILINE)
KNOBS = set(DESCRIBED.findall((ROOT / "docs/operations.md").read_text()))


@pytest.fixture
def start(monkeypatch, tmp_path):
    def start(**environment):
        for name in KNOBS:
            monkeypatch.delenv(name, raising=False)
            monkeypatch.delenv(f"{name}_FILE", raising=False)
        for name, value in {"VAR_DIR": str(tmp_path), **environment}.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "empire" / "settings.py"))

    return start


def test_without_settings_the_site_is_a_personal_machine(start, tmp_path):
    settings = start()
    assert settings["DEBUG"]
    assert settings["DATABASES"]["default"]["NAME"] == str(tmp_path / "db.sqlite3")
    assert settings["DATABASES"]["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert settings["CELERY_BROKER_TRANSPORT_OPTIONS"]["polling_interval"] == 0.05
    assert settings["EMAIL_BACKEND"] == "empire.emails.FolderBackend"
    assert not settings["SESSION_COOKIE_SECURE"]


def test_a_personal_machine_creates_its_secret_key_once_readable_only_by_its_owner(start, tmp_path):
    assert start()["SECRET_KEY"] == start()["SECRET_KEY"]
    assert len(start()["SECRET_KEY"]) > 50
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


@pytest.fixture
def full_disk():
    """A function after which no file can be written until the test ends."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def full_disk():
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))

    yield full_disk
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_existing_keys_are_used_when_the_disk_is_full(start, full_disk):
    before = start()
    full_disk()
    assert [start()[name] for name in ("SECRET_KEY", "VAPID_PRIVATE_KEY")] == [
        before[name] for name in ("SECRET_KEY", "VAPID_PRIVATE_KEY")
    ]


def test_a_full_disk_without_keys_prevents_the_start_and_leaves_no_files(start, full_disk, tmp_path):
    full_disk()
    with pytest.raises(ImproperlyConfigured, match=r"^The setting VAR_DIR is [^\n]+: the folder is not writable"):
        start()
    assert list(tmp_path.iterdir()) == []


def test_the_state_folder_of_a_personal_machine_is_closed_to_other_accounts(start, tmp_path):
    outside = tmp_path / "outside"
    outside.touch(0o644)
    folder = tmp_path / "var"
    (folder / "emails").mkdir(mode=0o755, parents=True)
    (folder / "link").symlink_to(outside)
    for name in ("db.sqlite3", "db.sqlite3-wal", "db.sqlite3-shm", "emails/old.eml", "beat.db"):
        (folder / name).touch(0o644)
    start(VAR_DIR=str(folder))
    paths = [folder, *folder.rglob("*")]
    assert {path.stat().st_mode & 0o777 for path in paths if path.is_dir()} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in paths if path.is_file() and not path.is_symlink()} == {0o600}
    assert outside.stat().st_mode & 0o777 == 0o644


def test_an_sqlite_file_elsewhere_is_restricted_and_its_folder_is_unchanged(start, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    start(VAR_DIR=str(tmp_path / "var"), DEBUG="1", DATABASE_URL=f"sqlite:///{elsewhere / 'new.sqlite3'}")
    assert (elsewhere / "new.sqlite3").stat().st_mode & 0o777 == 0o600
    assert elsewhere.stat().st_mode & 0o777 == 0o755


def test_a_personal_machine_creates_a_push_key_and_a_server_needs_one_to_push(start):
    assert is_push_key(start()["VAPID_PRIVATE_KEY"])
    assert start()["VAPID_PRIVATE_KEY"] == start()["VAPID_PRIVATE_KEY"]
    assert start(**SERVER)["VAPID_PRIVATE_KEY"] == ""
    key = new_push_key()
    settings = start(**SERVER, VAPID_PRIVATE_KEY=key)
    assert (settings["VAPID_PRIVATE_KEY"], settings["VAPID_CONTACT"]) == (key, "mailto:games@play.example.org")


def test_the_server_settings_select_postgresql_redis_and_https(start):
    settings = start(**SERVER)
    assert not settings["DEBUG"]
    assert settings["DATABASES"]["default"]["ENGINE"] == "django.db.backends.postgresql"
    assert settings["DATABASES"]["default"]["HOST"] == "db.example.org"
    assert settings["CELERY_BROKER_URL"] == SERVER["REDIS_URL"]
    assert settings["CELERY_BROKER_TRANSPORT_OPTIONS"]["max_retries"] == 0
    assert settings["SITE_URL"] == "https://play.example.org"
    assert settings["SECURE_SSL_REDIRECT"] and settings["SESSION_COOKIE_SECURE"] and settings["SECURE_HSTS_SECONDS"]


@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS"])
def test_a_server_does_not_start_without_secret_key_or_host_names(start, name):
    with pytest.raises(ImproperlyConfigured, match=f"{name} is missing"):
        start(**{key: value for key, value in SERVER.items() if key != name})


def test_the_key_that_signs_records_is_created_once_on_servers_too(start, tmp_path):
    key = start(**SERVER)["RECORD_KEY"]
    assert key == start()["RECORD_KEY"] == (tmp_path / "record_key").read_text()
    assert (tmp_path / "record_key").stat().st_mode & 0o077 == 0
    other = new_signing_key()
    assert start(RECORD_KEY=other)["RECORD_KEY"] == other != key
    (tmp_path / "record_key").write_text("damaged")
    with pytest.raises(ImproperlyConfigured, match=r"^The setting RECORD_KEY is .*record_key\.$"):
        start()


def test_a_site_with_a_database_server_is_not_a_personal_machine(start):
    with pytest.raises(ImproperlyConfigured, match="is missing"):
        start(DATABASE_URL=SERVER["DATABASE_URL"])


BAD = {
    "ADMINS": ["me", "me@example.org you@example.org"],
    "ALLOWED_HOSTS": ["https://play.example.org", "play.example.org:8000", "play example.org", "-"],
    "ANYMAIL_KEYS": ["MAILGUN", "=key"],
    "ANYMAIL_WEBHOOK_SECRET": ["hunter2", ":hunter2"],
    "BEHIND_PROXY": ["2", "nginx"],
    "DATABASE_PASSWORD": ["one\ntwo"],
    "DATABASE_POOL": ["1", "1.5", "many", "1001"],
    "DATABASE_URL": [
        "mysql://db/empire", "empire.db", "postgres://db.example.org", "postgres://db:port/empire", "postgres://db:0/e",
        "postgres://me:a#b@db/empire", "postgres://me:a/b@db/empire", "sqlite://", "sqlite://:memory:",
        "sqlite:////nowhere/db", "sqlite://db",
    ],
    "DEBUG": ["perhaps", "2"],
    "DELETIONS_LIST": ["/nowhere/deletions.txt", "/tmp"],
    "EMAIL_TIMEOUT": ["0", "61", "soon"],
    "EMAIL_URL": ["mail.example.org", "pop3://mail.example.org", "smtp://", "smtp://mail.example.org:smtp",
                  "smtps://mail.example.org"],
    "HSTS_SECONDS": ["a year", "-1"],
    "HTTPS": ["2", "always"],
    "KEEP_CLOSED_ADDRESSES": ["0", "for good"],
    "KEEP_DRAFTS": ["0", "long"],
    "KEEP_EXPORTS": ["0", "91"],
    "KEEP_GUESTS": ["0", "a month"],
    "KEEP_GUESTS_WHO_PLAYED": ["29", "-1"],
    "KEEP_NOTICES": ["29", "3651"],
    "KEEP_REPORTS": ["29", "a year"],
    "KEEP_SIGN_INS": ["0", "half a year"],
    "LIVE_STREAMS": ["many", "0", "1000000"],
    "LIVE_STREAMS_PER_CLIENT": ["many", "0", "1000000"],
    "LOG_FORMAT": ["xml", "JSON"],
    "LOG_LEVEL": ["LOUD", "info"],
    "EMAIL_FROM": ["games", "Games <games>", "Games games@example.org"],
    "METRICS_PORT": ["65536", "http", "9100"],
    "METRICS_TOKEN": ["short", "sixteen or more, but with blanks"],
    "NEW_ACCOUNT_DAYS": ["366", "-1"],
    "NEW_ACCOUNT_INVITATIONS": ["0", "many"],
    "NEW_ACCOUNT_MESSAGES": ["0", "10001"],
    "NEW_ACCOUNT_TABLES": ["0", "x"],
    "NEW_TERMS_DAYS": ["0", "a month"],
    "OPERATOR": ["Jane Doe\n1 High Street"],
    "OPERATOR_CONTACT": ["me@example.org", "javascript:alert(1)"],
    "OUTGOING_CA": ["/nowhere/ca.pem", __file__, "/"],
    "OUTGOING_HOSTS": ["hooks.example.org", "https://hooks.example.org:443", "hooks.example.org:0", ":443"],
    "PREPARED_STATEMENTS": ["2", "sometimes"],
    "TRANSACTION_POOLING": ["2", "sometimes"],
    "DRAIN_SECONDS": ["61", "-1", "some"],
    "PROXY_COUNT": ["0", "none", "11"],
    "RECORD_KEY": ["secret", "A" * 42, "A" * 42 + "+"],
    "RECORD_KEYS_RETIRED": ["secret", "A" * 43 + ",B"],
    "REDIS_URL": ["localhost:6379", "redis://", "redis://host:port/0", "redis://host/first", "http://host/0"],
    "SECRET_KEY": ["changeme", "line one of a key\nand another line of the same key"],
    "SENTRY_DSN": ["sentry.example.org", "https://sentry.example.org/1", "https://key@sentry.example.org/"],
    "SERVER_EMAIL": ["root", "@example.org"],
    "SITE_NAME": ["Eight\nMinutes"],
    "SITE_URL": ["play.example.org", "https://play.example.org/games", "https://", "https://me:pw@example.org", "ftp://e"],
    "STATIC_ROOT": [__file__],
    "SECURITY_CONTACT": ["me@example.org", "http://example.org"],
    "VAPID_CONTACT": ["me@example.org", "http://example.org"],
    "VAPID_PRIVATE_KEY": ["secret", "A" * 43],
    "VAR_DIR": [__file__, "/proc/nowhere", "/tmp"],
}  # fmt: skip


def test_every_setting_has_a_bad_value_to_test():
    assert set(BAD) == KNOBS


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_a_bad_value_prevents_the_start_with_a_sentence_that_names_it(start, name, value):
    with pytest.raises(ImproperlyConfigured, match=rf"^The setting {name} is [^\n]+\.$"):
        start(**{**SERVER, name: value})


def test_translations_that_cannot_be_compiled_prevent_the_start_with_the_command_that_does_it(start, monkeypatch):
    is_there = Path.exists
    monkeypatch.setattr(Path, "exists", lambda path: path.suffix != ".mo" and is_there(path))

    def refuse(**options: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    with pytest.raises(ImproperlyConfigured, match=r"\(Permission denied\)\. Run manage\.py collectstatic first"):
        start(**SERVER)


@pytest.mark.parametrize("exists", [True, False])
def test_a_list_of_deleted_accounts_that_cannot_be_written_prevents_the_start(start, tmp_path, monkeypatch, exists):
    path = tmp_path / "deletions.txt"
    if exists:
        path.touch()
    is_writable = os.access  # root may write anywhere, so the system's answer is another one here
    read_only = path if exists else tmp_path
    monkeypatch.setattr(os, "access", lambda file, mode: file != read_only and is_writable(file, mode))
    with pytest.raises(ImproperlyConfigured, match=r"The setting DELETIONS_LIST is .+: this account cannot write"):
        start(**SERVER, VAR_DIR=str(tmp_path / "var"), DELETIONS_LIST=str(path))


@pytest.mark.parametrize("name", sorted(KNOBS))
def test_a_missing_secret_file_prevents_the_start_with_a_sentence_that_names_it(start, name):
    with pytest.raises(ImproperlyConfigured, match=rf"^The setting {name}_FILE is '/nowhere': cannot read the file"):
        start(**{**SERVER, f"{name}_FILE": "/nowhere"})


@pytest.mark.parametrize("name", sorted(KNOBS - {"SECRET_KEY", "ALLOWED_HOSTS", "VAR_DIR"}))
def test_an_empty_setting_counts_as_unset(start, name):
    others = {other: value for other, value in SERVER.items() if other != name}
    unset, empty = start(**others), start(**others, **{name: ""})
    assert [empty[key] for key in unset if key.isupper()] == [unset[key] for key in unset if key.isupper()]


def test_a_sentry_dsn_without_the_package_prevents_the_start(start, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match=r"^The setting SENTRY_DSN is .*: sentry-sdk is not installed"):
        start(**SERVER, SENTRY_DSN="https://key@sentry.example.org/1")


def test_workers_of_a_server_serve_metrics_only_with_a_token(start):
    settings = start(**SERVER, METRICS_PORT="9100", METRICS_TOKEN="sixteen-or-more-letters")
    assert settings["METRICS_PORT"] == 9100
    assert start(METRICS_PORT="9100")["METRICS_PORT"] == 9100


SECRETS = {
    "DATABASE_POOL": ["1", "1.5", "many", "1001"],
    "DATABASE_URL": [
        "oracle://empire:hunter2@db/empire",
        "postgres://empire:hunter2@db:x/empire",
        "postgres://a:hunter2@b",
    ],
    "REDIS_URL": ["redis://:hunter2@host/first", "redis://:hunter2@host:x/0"],
    "EMAIL_URL": ["pop://me:hunter2@host", "smtp://me:hunter2@host:x"],
    "SECRET_KEY": ["hunter2"],
    "METRICS_TOKEN": ["hunter2"],
    "SENTRY_DSN": ["https://hunter2@host"],
    "RECORD_KEY": ["hunter2"],
    "VAPID_PRIVATE_KEY": ["hunter2"],
    "ANYMAIL_WEBHOOK_SECRET": ["hunter2"],
    "ANYMAIL_KEYS": ["hunter2"],
    "DATABASE_PASSWORD": ["hunter2\nhunter2"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in SECRETS.items() for value in values])
def test_the_sentence_about_a_bad_secret_does_not_reveal_it(start, name, value):
    with pytest.raises(ImproperlyConfigured, match=rf"^The setting {name} is ") as refusal:
        start(**{**SERVER, name: value})
    assert "hunter2" not in str(refusal.value)


def test_a_secret_may_be_in_a_file(start, tmp_path):
    file = tmp_path / "database"
    file.write_text(SERVER["DATABASE_URL"])
    settings = start(**{**SERVER, "DATABASE_URL": "", "DATABASE_URL_FILE": str(file)})
    assert settings["DATABASES"]["default"]["PASSWORD"] == "secret"


def test_the_database_password_may_be_a_separate_setting(start, tmp_path):
    file = tmp_path / "password"
    file.write_text("of-the-database\n")
    address = "postgres://empire@db.example.org/empire"
    settings = start(**{**SERVER, "DATABASE_URL": address, "DATABASE_PASSWORD_FILE": str(file)})
    assert settings["DATABASES"]["default"]["PASSWORD"] == "of-the-database"


@pytest.mark.parametrize(
    ("address", "port", "tls", "ssl"),
    [("smtp://a", 25, False, False), ("smtp+tls://a", 587, True, False), ("smtp+ssl://a", 465, False, True)],
)
def test_each_way_to_send_email_has_its_usual_port(start, address, port, tls, ssl):
    settings = start(EMAIL_URL=address)
    assert (settings["EMAIL_PORT"], settings["EMAIL_USE_TLS"], settings["EMAIL_USE_SSL"]) == (port, tls, ssl)


def test_errors_are_emailed_if_there_are_admins(start):
    with_admins, without = start(**SERVER, ADMINS="jane@example.org")["LOGGING"], start(**SERVER)["LOGGING"]
    assert with_admins["root"]["handlers"] == with_admins["loggers"]["uvicorn"]["handlers"] == ["console", "admins"]
    assert without["root"]["handlers"] == without["loggers"]["uvicorn"]["handlers"] == ["console"]


def test_email_is_sent_by_smtp_if_configured(start):
    settings = start(EMAIL_URL="smtp+tls://games:secret@mail.example.org:587")
    assert settings["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    assert (settings["EMAIL_HOST"], settings["EMAIL_PORT"], settings["EMAIL_USE_TLS"]) == (
        "mail.example.org",
        587,
        True,
    )


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(["manage.py", *arguments], environment)


def run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in KNOBS | {"DJANGO_ALLOW_ASYNC_UNSAFE"}}
    whole = [sys.executable, *command]
    return subprocess.run(
        whole, cwd=ROOT, env=clean | environment, capture_output=True, text=True, timeout=120, check=False
    )


BY_SMTP = {"EMAIL_URL": "smtp://mail.example.org:25"}


@pytest.mark.long
@pytest.mark.parametrize(
    "more",
    [pytest.param({}, marks=pytest.mark.long), BY_SMTP | {"ANYMAIL_WEBHOOK_SECRET": "post:a long secret"}],
    ids=["without email", "with email and reports of bounces"],
)
def test_the_deployment_check_finds_no_problem_on_a_server(tmp_path, more):
    (tmp_path / "staticfiles.json").write_text(
        '{"version": "1.1", "hash": "", "paths": {"img/icon.svg": "img/icon.1.svg"}}'
    )
    whole = {"OPERATOR": "Jane Doe", "ADMINS": "jane@example.org", "VAPID_PRIVATE_KEY": new_push_key()}
    paths = {"VAR_DIR": str(tmp_path), "STATIC_ROOT": str(tmp_path)}
    done = manage("check", "--deploy", "--fail-level", "INFO", **paths, **SERVER, **whole, **more)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@pytest.mark.long
def test_the_deployment_check_names_what_a_server_lacks(tmp_path):
    folders = {"VAR_DIR": str(tmp_path), "STATIC_ROOT": str(tmp_path)}
    done = manage("check", "--deploy", **SERVER | BY_SMTP | folders | {"ALLOWED_HOSTS": "*"})
    for sentence in (
        f"There are no style sheets and scripts in {tmp_path}, so every page answers 500.",
        "VAPID_PRIVATE_KEY (there is no web push), OPERATOR (the About page does not say who runs the site), ADMINS",
        "Email providers cannot report bounces and complaints, so emails to dead addresses continue.",
        "empire.W002",
        "List the host names of this site in ALLOWED_HOSTS.",
    ):
        assert sentence in done.stderr


@pytest.mark.parametrize(
    ("name", "similar"),
    [
        ("ALOWED_HOSTS", "ALLOWED_HOSTS"), ("EMAIL_FORM", "EMAIL_FROM"), ("secret_key", "SECRET_KEY"),
        ("SECRETKEY_FILE", "SECRET_KEY_FILE"), ("KEEP_SIGNINS", "KEEP_SIGN_INS"), ("ADMIN", "ADMINS"),
    ],
)  # fmt: skip
def test_the_check_warns_of_a_variable_that_is_probably_a_misspelled_setting(monkeypatch, name, similar):
    before = settings_are_spelled_right()
    monkeypatch.setenv(name, "x")
    [warning] = [warning for warning in settings_are_spelled_right() if warning not in before]
    assert warning.msg == f"An environment variable is ignored: no setting is named {name}."
    assert warning.hint == f"Did you mean {similar}?"


def test_the_check_does_not_warn_of_variables_of_other_programs():
    of_others = (
        "HTTP_PROXY HTTPS_PROXY https_proxy HOSTNAME EMAIL LOGNAME HOST TZ DEBIAN_FRONTEND REDIS_PORT POSTGRES_PASSWORD"
        " PGPASSWORD DJANGO_SETTINGS_MODULE STATE_DIRECTORY LOG_DIR STATIC_URL SECRET_KEY_BASE SITE_ID METRICS_HOST"
    )
    assert list(environment.unread([*of_others.split(), *KNOBS, *environment.OF_COMPOSE])) == []


def test_the_check_names_each_line_of_a_settings_file_that_no_setting_reads(tmp_path, capsys):
    lines = [
        "# SMTP_URL=in a comment", "SITE_HOST=play.example.org", "COMPOSE_FILE=docker-compose.yml", "",
        "export OPERATR='Jane Doe'", "ADMINS=jane@example.org", "MAILSERVER=smtp.example.org", "  EMAIL_URL_FILE=/x",
    ]  # fmt: skip
    file = tmp_path / "empire.env"
    file.write_text("\n".join(lines))
    call_command("check", "--env-file", str(file))
    said = capsys.readouterr().err
    assert "Line 5 of the file is ignored: no setting is named OPERATR." in said and "Did you mean OPERATOR?" in said
    assert "Line 7 of the file is ignored: no setting is named MAILSERVER." in said
    assert said.count("is ignored") == 2 and "Jane" not in said
    call_command("check")
    assert "Line" not in capsys.readouterr().err, "the next check is without the file"


def test_the_check_names_a_misspelled_setting_once_and_reads_standard_input(monkeypatch, capsys):
    monkeypatch.setenv("ALOWED_HOSTS", "play.example.org")
    monkeypatch.setattr("sys.stdin", StringIO("ALOWED_HOSTS=play.example.org\n"))
    call_command("check", "--env-file", "-")
    said = capsys.readouterr().err
    assert said.count("ALOWED_HOSTS") == 1 and "Line 1" in said


def test_a_settings_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"^Cannot read .*missing\.env: No such file"):
        call_command("check", "--env-file", str(tmp_path / "missing.env"))


def test_names_that_the_compose_file_reads_itself_are_known():
    text = (ROOT / "docker-compose.yml").read_text()
    assert set(re.findall(r"\$\{([A-Z_]+)", text)) == environment.OF_COMPOSE


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [
        ["manage.py", "migrate"],
        ["-m", "uvicorn", "empire.asgi:application"],
        ["-m", "celery", "-A", "empire", "worker"],
        ["-m", "celery", "-A", "empire", "beat"],
    ],
    ids=" ".join,
)
def test_every_command_prints_only_the_sentence_about_a_bad_setting(tmp_path, command):
    environment = {"VAR_DIR": str(tmp_path), **SERVER, "LOG_LEVEL": "LOUD"}
    done = run(command, environment)
    assert done.returncode == 1
    assert done.stderr == "The setting LOG_LEVEL is 'LOUD': it must be one of DEBUG, INFO, WARNING, ERROR.\n"


def test_a_worker_of_an_unknown_queue_does_not_start_and_says_which_there_are(tmp_path):
    done = run(["-m", "celery", "-A", "empire", "worker", "-Q", "clocks,bot"], {"VAR_DIR": str(tmp_path)})
    assert done.returncode == 1
    assert done.stderr.endswith(f"There is no queue bot. -Q takes {', '.join(site.QUEUES)}.\n")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["moderators", "ratings", "replay"])
def test_commands_say_that_a_database_waits_for_migrations(tmp_path, command):
    done = manage(command, VAR_DIR=str(tmp_path))
    assert done.returncode == 1
    assert "run migrate first." in done.stderr and "Traceback" not in done.stderr


def test_commands_say_that_no_database_answers(tmp_path):
    away = {"VAR_DIR": str(tmp_path), **SERVER, "DATABASE_URL": f"postgres://empire@localhost:{free_port()}/empire"}
    done = manage("moderators", **away)
    assert done.returncode == 1
    assert "Check DATABASE_URL, and whether the database is running." in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("cause", "is_away"), [(psycopg.errors.DiskFull(), True), (psycopg.errors.DeadlockDetected(), False)]
)
def test_a_conflict_of_transactions_is_not_taken_for_a_database_that_is_away(db, cause, is_away):
    error = OperationalError("could not extend file: No space left on device")
    error.__cause__ = cause
    assert bool(unusable_database(error, ["manage.py", "ratings"])) == is_away


@pytest.mark.parametrize("name", ["migrate", "replay", "backup", "restore"])
def test_commands_that_change_their_session_refuse_a_pooler(settings, name):
    settings.TRANSACTION_POOLING = True
    with pytest.raises(SystemExit, match=f"{name} needs a session of its own"):
        load_command_class(get_commands()[name], name).run_from_argv(["manage.py", name])


def test_behind_a_pooler_there_are_no_server_side_cursors(start):
    assert start(**SERVER, TRANSACTION_POOLING="1")["DATABASES"]["default"]["DISABLE_SERVER_SIDE_CURSORS"]
    assert not start(**SERVER)["DATABASES"]["default"]["DISABLE_SERVER_SIDE_CURSORS"]
