"""Signing in by password or by an emailed code, and the limits on attempts."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core import mail
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.tables.services import lobby
from tests.accounts.conftest import PASSWORD
from tests.cast import again, in_turns, some_turn
from tests.web.reading import text

pytestmark = pytest.mark.django_db


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_signing_in_by_address_and_password(stranger, alice):
    stranger.post("/accounts/login/", {"login": "Alice@example.org", "password": PASSWORD})
    assert is_signed_in(stranger)


def test_a_wrong_password_does_not_reveal_whether_the_account_exists(stranger, alice):
    forms = [
        stranger.post("/accounts/login/", {"login": address, "password": "wrong"}).context["form"]
        for address in ("alice@example.org", "nobody@example.org")
    ]
    assert "password is wrong" in str(forms[0].non_field_errors())
    assert str(forms[0].non_field_errors()) == str(forms[1].non_field_errors())
    assert not is_signed_in(stranger)


def test_after_five_wrong_passwords_the_right_one_is_limited_too(stranger, alice):
    for _try in range(5):
        stranger.post("/accounts/login/", {"login": alice.email, "password": "wrong"})
    answer = stranger.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    assert "Too many" in str(answer.context["form"].errors)
    assert not is_signed_in(stranger)


def test_signing_in_by_an_emailed_code(stranger, alice):
    answer = stranger.post("/accounts/login/code/", {"email": alice.email}, follow=True)
    assert answer.status_code == 200
    (letter,) = mail.outbox
    assert letter.to == ["alice@example.org"]
    code = re.search(r"^([A-Z0-9]{3,}-?[A-Z0-9]*)$", letter.body, re.MULTILINE)[1]
    stranger.post("/accounts/login/code/confirm/", {"code": code})
    assert is_signed_in(stranger)


def test_a_wrong_code_is_refused(stranger, alice):
    stranger.post("/accounts/login/code/", {"email": alice.email})
    stranger.post("/accounts/login/code/confirm/", {"code": "wrong1"})
    assert not is_signed_in(stranger)


def test_a_guest_can_ask_for_a_code_too(stranger, alice):
    stranger.post("/accounts/guest/")
    stranger.post("/accounts/login/code/", {"email": alice.email})
    code = re.search(r"^([A-Z0-9]{3,}-?[A-Z0-9]*)$", mail.outbox[0].body, re.MULTILINE)[1]
    stranger.post("/accounts/login/code/confirm/", {"code": code})
    assert stranger.session["_auth_user_id"] == str(alice.pk)


def test_signing_up_works_before_the_address_is_confirmed(stranger):
    stranger.post(
        "/accounts/signup/", {"username": "Carol", "email": "carol@example.org", "password1": PASSWORD, "accepts": "1"}
    )
    assert is_signed_in(stranger)
    assert not EmailAddress.objects.get(email="carol@example.org").verified
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+)", mail.outbox[0].body)[1]
    stranger.post(link)
    assert EmailAddress.objects.get(email="carol@example.org").verified


def test_the_refusal_of_a_checkbox_is_below_its_label(stranger):
    page = stranger.post("/accounts/signup/", {"username": "Carol", "email": "carol@example.org"}).content.decode()
    assert '<div class="errors" id="id_accepts_error">' in page  # `.field.check` of base.css puts it there


def test_account_emails_are_marked_as_automatic(stranger, alice):
    stranger.post("/accounts/password/reset/", {"email": alice.email})
    assert mail.outbox[0].extra_headers["Auto-Submitted"] == "auto-generated"


def test_a_forgotten_password_is_reset_by_an_emailed_link(stranger, alice):
    stranger.post("/accounts/password/reset/", {"email": alice.email})
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", mail.outbox[0].body)[1]
    assert "Your player name is Alice." in mail.outbox[0].body
    form = stranger.get(link, follow=True)
    new = "another harbour, louder"
    stranger.post(form.request["PATH_INFO"], {"password1": new, "password2": new})
    assert User.objects.get(pk=alice.pk).check_password(new)


def test_links_of_emails_about_an_account_open_in_its_language(stranger, alice):
    """They are followed by people who are not signed in, perhaps in another person’s browser."""
    User.objects.filter(pk=alice.pk).update(language="de")
    stranger.post("/accounts/password/reset/", {"email": alice.email})
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", mail.outbox[0].body)[1]
    assert 'lang="de"' in text(stranger.get(link, follow=True, headers={"Accept-Language": "fr"}))
    # Only the site's languages, and only pages of accounts
    other = Client(headers={"Accept-Language": "fr"})
    for path in ("/accounts/login/?language=xx", "/lobby/?language=de"):
        assert 'lang="fr"' in text(other.get(path, follow=True))


def test_messages_after_signing_in_are_in_the_language_of_the_account(alice):
    User.objects.filter(pk=alice.pk).update(language="de")
    elsewhere = Client(headers={"Accept-Language": "fr"})
    elsewhere.post("/accounts/guest/")
    lobby.open_table(user=User.objects.get(is_guest=True))
    page = text(elsewhere.post("/accounts/login/", {"login": alice.email, "password": PASSWORD}, follow=True))
    assert "gehören jetzt zu deinem Konto." in page
    # An address that a code confirms for the first time
    EmailAddress.objects.all().delete()
    User.objects.filter(pk=alice.pk).update(has_proven=False)
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True)
    by_code = Client(headers={"Accept-Language": "fr"})
    by_code.post("/accounts/login/code/", {"email": alice.email})
    code = re.search(r"^([A-Z0-9]{3,}-?[A-Z0-9]*)$", mail.outbox[-1].body, re.MULTILINE)[1]
    page = text(by_code.post("/accounts/login/code/confirm/", {"code": code}, follow=True))
    assert "Diese Adresse hatte bisher niemand bestätigt." in page and f"Du hast {alice.email} bestätigt." in page


def test_passwords_are_hashed_with_argon2():
    from empire import settings

    assert settings.PASSWORD_HASHERS[0].endswith("Argon2PasswordHasher")


CONFIRMING = "/accounts/reauthenticate/?next=/accounts/delete/"


@pytest.mark.parametrize(
    ("came_from", "back"),
    [
        ("http://testserver/desk/?all=1", "/desk/?all=1"),
        ("http://testserver/accounts/delete/", "/accounts/preferences/"),  # it would only ask again
        ("http://testserver/accounts/reauthenticate/", "/accounts/preferences/"),
        ("https://evil.example/desk/", "/accounts/preferences/"),
        ("http://testserver//evil.example/", "/accounts/preferences/"),
        ("http://testserver/\\evil.example/", "/accounts/preferences/"),
        ("javascript:alert(1)", "/accounts/preferences/"),
        ("", "/accounts/preferences/"),
    ],
)
def test_people_who_have_to_confirm_who_they_are_can_go_back_to_where_they_came_from(stranger, alice, came_from, back):
    stranger.force_login(alice)
    page = text(stranger.get("/accounts/delete/", follow=True, headers={"Referer": came_from}))
    assert "Confirm it’s you" in page and f'href="{back}">Cancel</a>' in page
    assert f'href="{back}">Cancel</a>' in text(stranger.get(f"{CONFIRMING}&{urlencode({'back': came_from})}"))
    # Also after a wrong password
    field = unescape(re.search(r'name="back" value="([^"]*)"', page)[1])
    again = {"password": "wrong", "next": "/accounts/delete/", "back": field}
    page = text(stranger.post("/accounts/reauthenticate/", again, headers={"Referer": CONFIRMING}))
    assert "Confirm it’s you" in page and f'href="{back}">Cancel</a>' in page


@pytest.mark.parametrize(
    "path", [f"/accounts/{page}/" for page in ("2fa", "2fa/totp/activate", "2fa/webauthn/add", "sessions")]
)
def test_pages_of_second_factors_and_sessions_open(stranger, alice, path):
    stranger.force_login(alice)
    stranger.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert stranger.get(path).status_code == 200


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("login/", "Stay signed in"),
        ("login/code/", "Sign in with a code"),
        ("password/reset/", "Send link"),
        ("password/reset/done/", "Check your inbox"),
        ("password/reset/key/1-nonsense/", "This link no longer works"),
        ("confirm-email/nonsense/", "This link no longer works"),
    ],
)
def test_each_sign_in_page_explains_itself_and_links_onward(client, path, words):
    page = client.get(f"/accounts/{path}").content.decode()
    assert words in page and page.count("<h1") == 1
    assert re.search(r"<main.*?(<a |<button).*?</main>", page, re.DOTALL)


# Ways to and from the page


def test_a_form_that_needed_a_sign_in_leads_back_to_its_page(stranger, alice):
    """Its own address takes POST requests only."""
    page = "/leagues/summer/?tier=2"
    redirect = stranger.post("/leagues/summer/pace", headers={"Referer": f"http://testserver{page}"})
    assert redirect.url == "/accounts/login/?next=/leagues/summer/%3Ftier%3D2"
    answer = stranger.post(redirect.url, {"login": alice.email, "password": PASSWORD, "next": page})
    assert is_signed_in(stranger) and answer.url == page


@pytest.mark.parametrize(
    "referer", ["https://elsewhere.example/trap/", "//elsewhere.example/", "", "nonsense", "http://["]
)
def test_a_form_of_another_site_leads_to_its_own_address(stranger, referer):
    redirect = stranger.post("/leagues/summer/pace", headers={"Referer": referer} if referer else {})
    assert redirect.url == "/accounts/login/?next=/leagues/summer/pace"


# Ways to lose a session. Nothing is cached, so each of them holds from the next request on, in every process.


def suspended(user: User, session: str) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def signed_out_everywhere(user: User, session: str) -> None:
    User.objects.filter(pk=user.pk).update(sign_outs=F("sign_outs") + 1)


def with_a_new_password(user: User, session: str) -> None:
    user.set_password("another long one")
    user.save()


def signed_out_elsewhere(user: User, session: str) -> None:
    Session.objects.filter(pk=session).delete()


def after_its_time(user: User, session: str) -> None:
    Session.objects.filter(pk=session).update(expire_date=timezone.now())


@pytest.mark.parametrize(
    "lose", [suspended, signed_out_everywhere, with_a_new_password, signed_out_elsewhere, after_its_time]
)
def test_a_lost_session_ends_at_once_for_pages_and_turns(alice, bob, lose):
    game, browser = in_turns(alice, bob), Client()
    browser.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    _seat, actions = some_turn(game)
    path, turn = game.get_absolute_url(), {"seq": game.seq, "action": ";".join(actions), "sure": "1"}
    for _visit in range(2):
        assert browser.get("/desk/").status_code == 200
    lose(alice, browser.cookies["sessionid"].value)
    assert browser.get("/desk/").status_code == 302
    assert browser.post(f"{path}submit", turn, headers={"HX-Request": "true"}).status_code == 200
    assert again(game).seq == game.seq, "the answer is a refusal"


def test_a_session_with_an_impossible_key_is_nobody(alice):
    browser = Client()
    for key in ("x" * 500, "' OR 1=1 --", "%s", ""):
        browser.cookies["sessionid"] = key
        assert browser.get("/desk/").status_code == 302


def test_signing_in_and_up_by_the_header_of_a_table_leads_back_to_it(stranger, alice, bob):
    table = in_turns(alice, bob, listed=True).get_absolute_url()
    stranger.post("/accounts/guest/")
    back = f"/?next={table.replace('/', '%2F')}"
    assert text(stranger.get(f"{table}?since=1")).count(f'href="/accounts/signup{back}"') == 2
    sign_up = {"username": "Carol", "email": "carol@example.org", "password1": PASSWORD, "accepts": "1", "next": table}
    assert stranger.post(f"/accounts/signup{back}", sign_up).url == table
    visitor = Client()
    assert f'href="/accounts/login{back}"' in text(visitor.get(table))
    assert 'href="/accounts/login/"' in text(visitor.get("/lobby/?key=a-secret"))
