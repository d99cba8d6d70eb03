"""Second factors (app codes and recovery codes), and the list of sessions."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from time_machine import travel

from accounts import bots
from accounts.models import BotAccount, User
from accounts.proof import calendar_url
from games.notices.models import Device, Hook
from tests.accounts.conftest import PASSWORD
from tests.notices.push_service import Browser
from tests.walk.world import KEY
from tests.web.reading import text

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
FIREFOX = "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0"


def sign_in(user: User, client: Client | None = None, **headers: str) -> Client:
    client = client or Client(headers=headers)
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/desk/").status_code == 200


def code(secret: str) -> str:
    """Return the code that an app shows now."""
    counter = next(iter(totp.yield_hotp_counters_from_time()))
    return totp.format_hotp_value(totp.hotp_value(secret, counter))


@pytest.fixture
def secret(alice: User) -> str:
    """The secret of Alice's authenticator app."""
    at_home = sign_in(alice)
    at_home.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert "data:image/svg" in at_home.get("/accounts/2fa/totp/activate/").content.decode()
    secret = at_home.session["mfa.totp.secret"]
    at_home.post("/accounts/2fa/totp/activate/", {"code": code(secret)})
    assert Authenticator.objects.filter(user=alice, type=Authenticator.Type.TOTP).exists()
    return secret


@pytest.fixture(autouse=True)
def clock():
    """A frozen clock: each app code works once, so tests move the clock to get the next one."""
    with travel(NOON, tick=False) as clock:
        yield clock


def test_signing_in_with_an_app_requires_its_code(alice, secret, clock):
    clock.shift(60)
    client = sign_in(alice)
    assert not is_signed_in(client)
    client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert not is_signed_in(client)
    client.post("/accounts/2fa/authenticate/", {"code": code(secret)})
    assert is_signed_in(client)


def test_the_page_of_the_second_factor_names_those_that_the_person_has(alice, bob, secret, clock):
    Authenticator.objects.create(user=bob, type=Authenticator.Type.WEBAUTHN, data=KEY)
    clock.shift(60)
    app, key = (sign_in(user).get("/accounts/2fa/authenticate/").content.decode() for user in (alice, bob))
    assert "code from your authenticator app" in app and "security key" not in app and "allauth.webauthn" not in app
    assert "Use your passkey or security key, or enter one of your recovery codes." in key
    assert "authenticator app" not in key and "Use a security key instead" in key and "allauth.webauthn" in key


def test_wrong_codes_are_limited(alice, secret, clock):
    clock.shift(60)
    client = sign_in(alice)
    answers = [client.post("/accounts/2fa/authenticate/", {"code": f"{n:06}"}) for n in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    client.post("/accounts/2fa/authenticate/", {"code": code(secret)})
    assert not is_signed_in(client)


def test_a_recovery_code_works_once(alice, secret):
    at_home = Client()
    at_home.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    codes = Authenticator.objects.get(user=alice, type=Authenticator.Type.RECOVERY_CODES).wrap().get_unused_codes()
    assert len(codes) == 10
    first = sign_in(alice)
    first.post("/accounts/2fa/authenticate/", {"code": codes[0]})
    second = sign_in(alice)
    second.post("/accounts/2fa/authenticate/", {"code": codes[0]})
    assert (is_signed_in(first), is_signed_in(second)) == (True, False)


def test_the_account_page_links_all_security_pages(alice, secret, clock):
    clock.shift(60)
    client = sign_in(alice)
    client.post("/accounts/2fa/authenticate/", {"code": code(secret)})
    page = client.get("/accounts/preferences/").content.decode()
    for path in ("/accounts/2fa/", "/accounts/sessions/", "/accounts/email/", "/accounts/password/change/"):
        assert f'href="{path}"' in page
    page = client.get("/accounts/2fa/").content.decode()
    assert "You have 10 codes left" in page and "Turn off authenticator app" in page
    clock.shift(60)
    client.post("/accounts/2fa/reauthenticate/", {"code": code(secret)})
    for path in re.findall(r'href="(/accounts/2fa/[^"]+)"', page):
        assert client.get(path).status_code == 200


def test_an_open_session_alone_cannot_change_second_factors(alice):
    client = Client()
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    for path in ("totp/activate/", "webauthn/add/", "recovery-codes/generate/"):
        answer = client.post(f"/accounts/2fa/{path}", {})
        assert answer.status_code == 302 and "/accounts/reauthenticate/" in answer["Location"]
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Use your password"),
        ("de", "Passwort verwenden"),
        ("fr", "Utiliser votre mot de passe"),
        ("es", "Usar tu contraseña"),
    ],
)
def test_the_ways_to_confirm_who_you_are_are_in_our_words(alice, secret, clock, language, words):
    clock.shift(60)
    client = sign_in(alice)
    client.post("/accounts/2fa/authenticate/", {"code": code(secret)})
    User.objects.filter(pk=alice.pk).update(language=language)
    clock.shift(timedelta(hours=1))
    assert words in text(client.get("/accounts/2fa/reauthenticate/"))


# Sessions


@pytest.mark.parametrize(
    "credential",
    ["{", "", "[]", "9" * 5_000, "[" * 20_000],
    ids=["no JSON", "nothing", "a list", "a long number", "deeply nested"],
)
@pytest.mark.parametrize("where", ["login", "reauthenticate", "add"])
def test_a_malformed_passkey_is_refused_with_a_sentence(alice, where, credential):
    client = Client() if where == "login" else sign_in(alice)
    if where == "add":
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    else:
        Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data={})
    answer = client.post(f"/accounts/2fa/webauthn/{where}/", {"credential": credential}, follow=True)
    assert "We couldn’t read what your key sent. Try again." in answer.content.decode()


def test_sessions_are_listed_by_device_and_can_be_ended(alice):
    there, here = sign_in(alice, **{"User-Agent": FIREFOX}), sign_in(alice)
    page = here.get("/accounts/sessions/").content.decode()
    assert "Firefox on Windows" in page and page.count("this device") == 1
    (action,) = re.findall(r'action="(/accounts/sessions/\d+/end)"', page)
    assert here.get(action).status_code == 405
    here.post(action)
    assert (is_signed_in(there), is_signed_in(here)) == (False, True)
    here.post(action)  # again, from an old page
    assert is_signed_in(here)


def test_all_other_sessions_can_be_ended(alice):
    there, elsewhere, here = (sign_in(alice) for _device in range(3))
    here.post("/accounts/sessions/")
    assert [is_signed_in(client) for client in (there, elsewhere, here)] == [False, False, True]


def test_users_cannot_end_the_sessions_of_others(alice, bob):
    alices_browser, bobs_browser = sign_in(alice), sign_in(bob)
    pk = UserSession.objects.get(user=alice).pk
    bobs_browser.post(f"/accounts/sessions/{pk}/end")
    assert is_signed_in(alices_browser)


def test_changing_the_password_ends_all_other_sessions(alice):
    there, here = sign_in(alice), sign_in(alice)
    new = "another harbour, louder"
    here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert (is_signed_in(there), is_signed_in(here)) == (False, True)


# What works without signing in

OUTLIVING = [
    ("get", "/accounts/notices/webhooks/add", {}),
    ("get", "/accounts/notices/calendar/", {}),
    ("post", "/accounts/notices/devices/add", {}),
    ("post", "/accounts/bots/", {"name": "Marvin"}),
    ("post", "/accounts/bots/Robin Bot/", {"do": "token", "sure": "1"}),
    ("post", "/accounts/bots/Robin Bot/", {"do": "hook", "url": "https://example.org/"}),
]


@pytest.mark.parametrize(("method", "address", "data"), OUTLIVING)
def test_an_old_session_alone_cannot_add_what_outlives_it(alice, clock, method, address, data):
    bot, token = bots.create_bot(owner=alice, name="Robin")
    here = sign_in(alice)
    ask = getattr(here, method)
    clock.shift(timedelta(minutes=10))
    assert ask(address, data)["Location"].startswith("/accounts/reauthenticate/")
    assert BotAccount.objects.count() == 1 and bots.by_token(token) == bot
    assert not Hook.objects.exists() and not Device.objects.exists()
    here.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert "reauthenticate" not in ask(address, data).get("Location", "")


def test_an_interrupted_request_continues_after_the_password(alice, clock, web_server):
    here = sign_in(alice)
    clock.shift(timedelta(minutes=10))
    add = "/accounts/notices/devices/add"
    there = here.post(add, Browser().subscription(web_server.url("/0")))["Location"]
    page = here.post(there, {"password": PASSWORD, "next": add}, follow=True).content.decode()
    assert "Send a test to make sure it works." in page and Device.objects.get().user == alice
    clock.shift(timedelta(minutes=10))
    there = here.post("/accounts/bots/", {"name": "Marvin"})["Location"]
    page = here.post(there, {"password": PASSWORD, "next": "/accounts/bots/"}).content.decode()
    assert "New token" in page and BotAccount.objects.get().owner == alice


def test_people_without_a_password_confirm_with_their_passkey_or_a_code_and_guests_with_nothing(alice, clock, client):
    here = sign_in(alice)
    alice.set_unusable_password()
    alice.save()
    here.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    assert here.get("/accounts/notices/calendar/").status_code == 200
    clock.shift(timedelta(minutes=10))
    assert "sign in with a new code" in here.get("/accounts/notices/calendar/").content.decode()
    page = here.post("/accounts/notices/devices/add").content.decode()
    assert "sign in with a new code" in page and "next=/accounts/notices/" in page and "devices/add" not in page
    Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data={})
    assert here.get("/accounts/notices/calendar/")["Location"].startswith("/accounts/2fa/")
    client.post("/accounts/guest/")
    clock.shift(timedelta(minutes=10))
    assert client.get("/accounts/notices/calendar/").status_code == 200


def test_what_works_without_signing_in_is_listed_with_the_devices_and_can_be_turned_off(alice, bob):
    bot, token = bots.create_bot(owner=alice, name="Robin")
    for owner in (alice, bot.user, bob):
        Hook.objects.create(user=owner, url=f"https://example.org/{owner.pk}", format="json")
        Device.objects.create(user=owner, endpoint=f"https://example.org/{owner.pk}", name="Firefox on Android")
    calendar, here = calendar_url(alice), sign_in(alice)
    page = here.get("/accounts/sessions/").content.decode()
    keys = re.findall(r'name="key" value="([^"]+)"', page)
    assert [key.partition(".")[0] for key in keys] == ["calendar", "token", "device", "hook", "hook"]
    assert "Webhook of Robin Bot to example.org" in page and "Push notifications to Firefox on Android" in page
    assert "Choose what to turn off." in here.post("/accounts/sessions/access/end", follow=True).content.decode()
    assert bots.by_token(token) == bot
    strange = [f"hook.{Hook.objects.get(user=bob).pk}", f"device.{Device.objects.get(user=bob).pk}"]
    here.post("/accounts/sessions/access/end", {"key": [*keys, *strange]})
    assert bots.by_token(token) is None and calendar_url(User.objects.get(pk=alice.pk)) != calendar
    assert [hook.user for hook in Hook.objects.all()] == [bob]
    assert bob in [device.user for device in Device.objects.all()]


@pytest.mark.parametrize("way", ["out", "that one", "everywhere else"])
def test_a_browser_that_is_signed_out_gets_no_more_push_notifications(alice, web_server, way):
    there, here, address = sign_in(alice), sign_in(alice), "/accounts/notices/devices/add"
    for number, browser in enumerate((here, there)):
        browser.post(address, Browser().subscription(web_server.url(f"/{number}")))
    assert Device.objects.count() == 2
    if way == "out":
        there.post("/accounts/logout/")
    elif way == "that one":
        session = UserSession.objects.get(session_key=there.session.session_key)
        here.post(f"/accounts/sessions/{session.pk}/end")
    else:
        here.post("/accounts/sessions/")
    assert [device.endpoint for device in Device.objects.all()] == [web_server.url("/0")]
    assert (is_signed_in(here), is_signed_in(there)) == (True, False)


@pytest.mark.parametrize("way", ["a guest signs up", "a session ends", "someone else signs in"])
def test_push_notifications_stop_with_the_session_that_follows_the_one_that_added_them(alice, bob, web_server, way):
    browser = Client() if way == "a guest signs up" else sign_in(alice)
    if way == "a guest signs up":
        browser.post("/accounts/guest/")
    browser.post("/accounts/notices/devices/add", Browser().subscription(web_server.url("/here")))
    other = Device.objects.create(user=alice, endpoint="https://example.org/there", name="Firefox on Android")
    assert Device.objects.exclude(pk=other.pk).count() == 1
    if way == "a guest signs up":
        sent = {"username": "Carol", "email": "carol@example.org", "password1": PASSWORD, "accepts": "1"}
        browser.post("/accounts/signup/", {**sent, "endpoint": web_server.url("/here")})
    else:
        Session.objects.all().delete()  # as after half a year, or when the password is changed elsewhere
        who = alice if way == "a session ends" else bob
        browser.post("/accounts/login/", {"login": who.email, "password": PASSWORD})
    assert is_signed_in(browser)
    assert Device.objects.exclude(pk=other.pk).exists() == (way != "someone else signs in")
    browser.post("/accounts/logout/")
    assert [device.endpoint for device in Device.objects.all()] == [other.endpoint]


def test_nobody_takes_a_device_from_others_by_its_id(alice, bob):
    device = Device.objects.create(user=alice, endpoint="https://example.org/1", name="Firefox on Android")
    browser = Client()
    for forged in (f"{device.pk}", f"{device.pk}:1abcde:{'x' * 43}", ""):
        browser.cookies["push_device"] = forged
        browser.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
        assert is_signed_in(browser)
        browser.post("/accounts/logout/")
    assert Device.objects.get() == device


def subjects_to(name: str) -> list[str]:
    return [email.body.split("\n")[0] for email in mail.outbox if email.to == [f"{name}@example.org"]]


def test_changes_of_how_people_sign_in_are_told_by_email(alice):
    here, new = sign_in(alice), "another harbour, louder"
    Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": "x"})
    here.post("/accounts/reauthenticate/", {"password": PASSWORD})
    here.post("/accounts/2fa/totp/deactivate/")
    here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert subjects_to("alice") == [
        "The authenticator app was removed from your account. Your player name is Alice.",
        "Your password was changed. Your player name is Alice.",
    ]
    assert "http://testserver/accounts/password/reset/" in mail.outbox[-1].body


def test_the_second_of_two_taps_shows_that_a_second_factor_is_on_or_off(alice, bob, secret, clock):
    here = sign_in(alice)
    clock.shift(timedelta(minutes=1))
    here.post("/accounts/2fa/authenticate/", {"code": code(secret)})
    clock.shift(timedelta(minutes=1))
    here.post("/accounts/2fa/reauthenticate/", {"code": code(secret)})
    again = here.post("/accounts/2fa/totp/activate/", {"code": code(secret)}, follow=True)
    assert "Authenticator app turned on." in text(again) and "Recovery codes" in text(again)
    assert here.get("/accounts/2fa/totp/activate/")["Location"] == "/accounts/2fa/"
    key = Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data={"name": "Phone"})
    others = Authenticator.objects.create(user=bob, type=Authenticator.Type.WEBAUTHN, data={"name": "Bob’s"})
    for pk in (key.pk, key.pk, others.pk):  # someone else's key looks like one that was removed
        assert "Key removed." in text(here.post(f"/accounts/2fa/webauthn/keys/{pk}/remove/", follow=True))
    assert Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).get() == others
    for _tap in range(2):
        assert "Authenticator app turned off." in text(here.post("/accounts/2fa/totp/deactivate/", follow=True))
    assert here.get("/accounts/2fa/totp/deactivate/")["Location"] == "/accounts/2fa/"
    assert not Authenticator.objects.filter(user=alice).exists()
    assert Client().post("/accounts/2fa/totp/deactivate/")["Location"].startswith("/accounts/login/")


def test_an_unconfirmed_address_and_a_mail_server_that_is_away_hold_up_no_change(alice, settings):
    here, new = sign_in(alice), "another harbour, louder"
    settings.EMAIL_BACKEND, settings.EMAIL_PORT = "django.core.mail.backends.smtp.EmailBackend", 1
    here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert User.objects.get(pk=alice.pk).check_password(new) and is_signed_in(here)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    alice.emailaddress_set.update(verified=False)
    here.post("/accounts/password/change/", {"oldpassword": new, "password1": PASSWORD, "password2": PASSWORD})
    assert User.objects.get(pk=alice.pk).check_password(PASSWORD) and subjects_to("alice") == []
