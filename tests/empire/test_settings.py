"""Settings come from the environment; a bad one stops the start with a sentence."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from empire.environment import is_push_key, new_push_key

ROOT = Path(__file__).resolve().parents[2]
SERVER = {
    "SECRET_KEY": "a long random text that nobody knows, of many different characters 0123456789",
    "ALLOWED_HOSTS": "play.example.org,www.example.org",
    "DATABASE_URL": "postgres://empire:secret@db.example.org:5433/empire",
    "REDIS_URL": "redis://cache.example.org/1",
}
KNOBS = {
    *SERVER,
    "DEBUG",
    "VAPID_PRIVATE_KEY",
    "VAPID_CONTACT",
    "OUTGOING_HOSTS",
    "OUTGOING_CA",
    "EMAIL_URL",
    "ANYMAIL_WEBHOOK_SECRET",
    "ANYMAIL_KEYS",
    "LOG_LEVEL",
    "LIVE_STREAMS",
    "SITE_URL",
    "HTTPS",
    "BEHIND_PROXY",
}


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


def test_with_nothing_set_it_is_one_persons_machine(start, tmp_path):
    settings = start()
    assert settings["DEBUG"]
    assert settings["DATABASES"]["default"]["NAME"] == str(tmp_path / "db.sqlite3")
    assert settings["DATABASES"]["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert settings["CELERY_BROKER_TRANSPORT_OPTIONS"]["polling_interval"] == 0.05
    assert settings["EMAIL_BACKEND"] == "empire.mail.FolderBackend"
    assert not settings["SESSION_COOKIE_SECURE"]


def test_the_secret_key_of_a_machine_is_made_once_and_kept_to_its_owner(start, tmp_path):
    assert start()["SECRET_KEY"] == start()["SECRET_KEY"]
    assert len(start()["SECRET_KEY"]) > 50
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_the_key_for_pushes_is_made_once_on_a_machine_of_ones_own_and_a_server_pushes_only_with_one(start):
    assert is_push_key(start()["VAPID_PRIVATE_KEY"])
    assert start()["VAPID_PRIVATE_KEY"] == start()["VAPID_PRIVATE_KEY"]
    assert start(**SERVER)["VAPID_PRIVATE_KEY"] == ""
    made = new_push_key()
    settings = start(**SERVER, VAPID_PRIVATE_KEY=made)
    assert (settings["VAPID_PRIVATE_KEY"], settings["VAPID_CONTACT"]) == (made, "mailto:games@play.example.org")


def test_two_variables_turn_it_to_the_servers(start):
    settings = start(**SERVER)
    assert not settings["DEBUG"]
    assert settings["DATABASES"]["default"]["ENGINE"] == "django.db.backends.postgresql"
    assert settings["DATABASES"]["default"]["HOST"] == "db.example.org"
    assert settings["CELERY_BROKER_URL"] == SERVER["REDIS_URL"]
    assert settings["CELERY_BROKER_TRANSPORT_OPTIONS"]["max_retries"] == 0
    assert settings["SITE_URL"] == "https://play.example.org"
    assert settings["SECURE_SSL_REDIRECT"] and settings["SESSION_COOKIE_SECURE"] and settings["SECURE_HSTS_SECONDS"]


@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS"])
def test_a_server_does_not_start_without_its_secret_or_its_names(start, name):
    with pytest.raises(ImproperlyConfigured, match=f"{name} is missing"):
        start(**{key: value for key, value in SERVER.items() if key != name})


def test_a_server_with_only_a_database_set_is_not_a_machine_of_ones_own(start):
    with pytest.raises(ImproperlyConfigured, match="is missing"):
        start(DATABASE_URL=SERVER["DATABASE_URL"])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "perhaps"),
        ("DATABASE_URL", "mysql://somewhere/else"),
        ("DATABASE_URL", "empire.db"),
        ("REDIS_URL", "localhost:6379"),
        ("EMAIL_URL", "mail.example.org"),
        ("LOG_LEVEL", "LOUD"),
        ("LIVE_STREAMS", "many"),
        ("LIVE_STREAMS", "0"),
        ("SITE_URL", "play.example.org"),
        ("HTTPS", "2"),
        ("VAPID_PRIVATE_KEY", "secret"),
        ("VAPID_PRIVATE_KEY", "A" * 43),
        ("VAPID_CONTACT", "me@example.org"),
        ("OUTGOING_CA", "/nowhere/ca.pem"),
    ],
)
def test_a_bad_value_stops_the_start_with_a_sentence_that_names_it(start, name, value):
    with pytest.raises(ImproperlyConfigured, match=rf"^The setting {name} is .*\.$"):
        start(**{**SERVER, name: value})


def test_the_sentence_about_a_bad_address_does_not_tell_its_password(start):
    with pytest.raises(ImproperlyConfigured) as refusal:
        start(**{**SERVER, "DATABASE_URL": "oracle://empire:hunter2@db/empire"})
    assert "hunter2" not in str(refusal.value)


def test_a_secret_may_be_in_a_file(start, tmp_path):
    file = tmp_path / "database"
    file.write_text(SERVER["DATABASE_URL"])
    settings = start(**{**SERVER, "DATABASE_URL": "", "DATABASE_URL_FILE": str(file)})
    assert settings["DATABASES"]["default"]["PASSWORD"] == "secret"


def test_mails_go_by_smtp_when_told_so(start):
    settings = start(EMAIL_URL="smtp+tls://games:secret@mail.example.org:587")
    assert settings["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    assert (settings["EMAIL_HOST"], settings["EMAIL_PORT"], settings["EMAIL_USE_TLS"]) == (
        "mail.example.org",
        587,
        True,
    )


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in KNOBS | {"DJANGO_ALLOW_ASYNC_UNSAFE"}}
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    return subprocess.run(command, env=clean | environment, capture_output=True, text=True, timeout=120, check=False)


def test_the_check_for_deployment_is_clean_for_a_server(tmp_path):
    done = manage("check", "--deploy", "--fail-level", "INFO", VAR_DIR=str(tmp_path), **SERVER)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_mails_without_word_of_bounces_are_mentioned_by_the_check_for_deployment(tmp_path):
    by_smtp = {**SERVER, "VAR_DIR": str(tmp_path), "EMAIL_URL": "smtp://mail.example.org:25"}
    assert "mails to dead addresses go on" in manage("check", "--deploy", **by_smtp).stderr
    told = manage("check", "--deploy", "--fail-level", "INFO", **by_smtp, ANYMAIL_WEBHOOK_SECRET="post:a long secret")
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize(("name", "value"), [("ANYMAIL_WEBHOOK_SECRET", "hunter2"), ("ANYMAIL_KEYS", "MAILGUN")])
def test_a_secret_of_mail_providers_that_is_no_pair_is_refused_without_being_told(start, name, value):
    with pytest.raises(ImproperlyConfigured, match=f"The setting {name}") as refusal:
        start(**{name: value})
    assert "hunter2" not in str(refusal.value)


def test_the_command_line_says_the_sentence_and_nothing_else(tmp_path):
    done = manage("migrate", VAR_DIR=str(tmp_path), **{**SERVER, "LOG_LEVEL": "LOUD"})
    assert done.returncode == 1
    assert done.stderr.startswith("The setting LOG_LEVEL is 'LOUD'")
    assert "Traceback" not in done.stderr
