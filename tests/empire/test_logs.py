"""Keys are masked in all logs, including the web server's log of requested URLs."""

import io
import logging
import time
from urllib.parse import quote

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.core import signing
from django.core.cache import cache
from django.urls import reverse

from accounts import bots
from accounts.proof import calendar_url
from empire.observability.logs import EmailToAdmins, WithoutKeys, without_keys
from empire.observability.sentry import scrubbed
from games.tables.models.game import new_token
from tests.running import free_port


@pytest.mark.parametrize("written", [str, quote], ids=["plain", "as uvicorn writes it"])
def test_a_signed_link_is_masked_anywhere_in_a_line(written):
    key = signing.dumps([1, 2, "0123456789abcdef", 44], salt="x")
    words = (
        '%s - "%s %s HTTP/%s" %d',
        ("127.0.0.1:4", "GET", written(f"/games/abcdefgh/turn/{key}/lake/"), "1.1", 200),
    )
    record = logging.LogRecord("uvicorn.access", logging.INFO, "", 1, *words, None)
    assert WithoutKeys().filter(record)
    assert record.getMessage() == '127.0.0.1:4 - "GET /games/abcdefgh/turn/***/lake/ HTTP/1.1" 200'


@pytest.mark.parametrize("written", [str, quote], ids=["plain", "as uvicorn writes it"])
def test_calendar_urls_are_masked(db, alice, written):
    path = written(calendar_url(alice).removeprefix("http://testserver"))
    record = logging.LogRecord("uvicorn.access", logging.INFO, "", 1, f"GET {path} HTTP/1.1", None, None)
    WithoutKeys().filter(record)
    assert record.getMessage() == "GET /calendar/***.ics HTTP/1.1"


@pytest.mark.parametrize("letters", ["a", "a-", "a:", "a%3A", "a.", "%2F", "ebot_", "join/", "a@", "1-abcdef-"])
@pytest.mark.parametrize("clean", [without_keys, scrubbed])
def test_a_very_long_address_takes_no_longer_than_its_letters(letters, clean):
    """The web server logs each address that anyone requests, before it accepts the next request."""
    line = f"GET /{letters * (1_000_000 // len(letters))} HTTP/1.1"
    began = time.process_time()
    clean(line)
    assert time.process_time() - began < 2


def masked(line: str) -> str:
    record = logging.LogRecord("uvicorn.access", logging.INFO, "", 1, "%s", (line,), None)
    WithoutKeys().filter(record)
    return record.getMessage()


@pytest.mark.parametrize("written", [str, quote], ids=["plain", "as uvicorn writes it"])
def test_links_that_set_a_new_password_are_masked(db, alice, written):
    key = default_token_generator.make_token(alice)
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(alice), "key": key})
    assert masked(f"GET {written(path)} HTTP/1.1") == "GET /accounts/password/reset/key/***/ HTTP/1.1"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/join/{}/", "/join/***/"),
        ("/leagues/winter/invited/{}/", "/leagues/winter/invited/***/"),
        ("/tournaments/abcdefgh/teams/3/join/{}/", "/tournaments/abcdefgh/teams/3/join/***/"),
        ("/accounts/login/?next=%2Fjoin%2F{}%2F", "/accounts/login/?next=%2Fjoin%2F***%2F"),
        ("/tournaments/abcdefgh/teams/create/?invite={}", "/tournaments/abcdefgh/teams/create/?invite=***"),
        (
            "/accounts/login/?next=%2Fteams%2Fcreate%2F%3Finvite%3D{}",
            "/accounts/login/?next=%2Fteams%2Fcreate%2F%3Finvite%3D***",
        ),
    ],
)
def test_invitations_are_masked(path, shown):
    for _attempt in range(200):
        assert masked(path.format(new_token())) == shown


def test_tokens_of_bots_are_masked(db, alice):
    _bot, token = bots.create_bot(owner=alice, name="Steel")
    assert masked(f"GET /api/bot/games/?token={token} HTTP/1.1") == "GET /api/bot/games/?token=*** HTTP/1.1"


@pytest.mark.parametrize(
    "line",
    [
        "Notice 5 at 2026-11-21T08:05:00 was sent", "GET /games/abcdefgh/join HTTP/1.1",
        "GET /static/css/site.0123456789abcdef0123456789abcdef.css", "GET /players/Al-icecap-123/",
        "/ladder/classic/join/", "empire-2026-11-21-080500.zip",
    ],
)  # fmt: skip
def test_other_lines_are_unchanged(line):
    assert masked(line) == line


def test_client_errors_are_logged_without_a_traceback(client, monkeypatch):
    out = io.StringIO()
    (console,) = [handler for handler in logging.getLogger().handlers if type(handler) is logging.StreamHandler]
    monkeypatch.setattr(console, "stream", out)
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400
    assert "elsewhere.example" in out.getvalue()
    assert "Traceback" not in out.getvalue()


@pytest.fixture
def admins(settings):
    """The handler that emails errors to the admins, on a logger and on those below it."""
    settings.ADMINS = [("", "jane@example.org")]
    cache.delete("errors.emailed")
    handler, logger = EmailToAdmins(), logging.getLogger("django")
    handler.addFilter(WithoutKeys())
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)


def test_of_many_errors_one_is_emailed_to_the_admins(admins, mailoutbox):
    logger = logging.getLogger("django.request")
    key = signing.dumps([1, 2, "0123456789abcdef", 44], salt="x")
    logger.warning("Not Found: %s", "/nowhere")
    for number in range(3):
        logger.error("Internal Server Error: %s\r\n%d", f"/games/abcdefgh/turn/{key}/", number)
        admins.flush()
    (email,) = mailoutbox
    assert email.to == ["jane@example.org"]
    assert email.subject == "Eight Minutes: Internal Server Error: /games/abcdefgh/turn/***/ 0"
    assert key not in email.body and "you get no email about others" in email.body


def test_admins_get_no_email_about_requests_for_unknown_hosts(admins, mailoutbox):
    logging.getLogger("django.security.DisallowedHost").error("Invalid HTTP_HOST header: %s", "nowhere.example")
    admins.flush()
    assert not mailoutbox


def test_an_email_server_that_is_down_does_not_stop_what_logs_an_error(admins, settings, mailoutbox, caplog):
    settings.EMAIL_BACKEND, settings.EMAIL_PORT = "django.core.mail.backends.smtp.EmailBackend", free_port()
    logging.getLogger("django.request").error("Internal Server Error: /")
    admins.flush()
    assert not mailoutbox and "An email about an error was not sent: " in caplog.text
