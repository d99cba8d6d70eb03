"""The pages, emails and messages of allauth: all of their texts are ours."""

import re
from pathlib import Path

import allauth
import pytest
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import translation

from accounts import forms
from accounts.adapter import CHANGES, Adapter, SecondFactorAdapter
from tests.accounts.conftest import PASSWORD
from tests.web.reading import text

THEIRS, OURS = Path(allauth.__file__).parent / "templates", Path(settings.BASE_DIR) / "templates"
APPS = ("account", "allauth", "mfa", "usersessions")
# Templates of allauth with texts that nobody can see, and the name of the URL that would show them, if it is a page
OF_URLS = {
    "account/confirm_email_verification_code.html": "account_email_verification_code",
    "account/confirm_password_reset_code.html": "account_confirm_password_reset_code",
    "account/confirm_phone_verification_code.html": "account_verify_phone",
    "account/messages/phone_verification_sent.txt": "account_change_phone",
    "account/messages/phone_verified.txt": "account_verify_phone",
    "account/phone_change.html": "account_change_phone",
    "account/signup_by_passkey.html": "account_signup_by_passkey",
    "mfa/trust.html": "mfa_trust",
    "mfa/webauthn/signup_form.html": "mfa_signup_webauthn",
}
OF_ALLAUTHS_PAGES = {  # those that we have written extend or include other templates
    "account/base_confirm_code.html", "account/snippets/already_logged_in.html", "account/snippets/warn_no_email.html",
    "mfa/recovery_codes/base.html", "mfa/totp/base.html", "mfa/webauthn/base.html",
}  # fmt: skip
OF_SETTINGS = {
    "account/email.html",  # for people with several addresses (ACCOUNT_CHANGE_EMAIL)
    "account/signup_closed.html",  # the adapter keeps it open
    "account/verified_email_required.html",  # for a decorator that we don't use
}
OF_EMAILS = re.compile(  # the adapter sends one email about all changes, and codes only for signing in
    r"(account|mfa)/email/(base_notification|email_(changed|confirm|deleted)_|password_(changed|reset|set)_|"
    r"password_reset_code_|(recovery_codes|totp|webauthn)_)"
)
MARKUP = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|<script.*?</script>|<[^>]*>", re.S)


def has_text(template: Path) -> bool:
    source = template.read_text()
    return "trans" in source or re.search(r"\w", MARKUP.sub("", source)) is not None


def test_every_text_of_allauth_is_replaced_by_ours_or_cannot_be_reached():
    files = [path for app in APPS for path in (THEIRS / app).rglob("*.*")]
    unreplaced = {str(path.relative_to(THEIRS)) for path in files if has_text(path)}
    unreplaced = {name for name in unreplaced if not (OURS / name).exists() and not OF_EMAILS.match(name)}
    assert unreplaced == {*OF_URLS, *OF_ALLAUTHS_PAGES, *OF_SETTINGS}
    for name in OF_URLS.values():
        with pytest.raises(NoReverseMatch):
            reverse(name)
    extended = "".join(path.read_text() for app in APPS for path in (OURS / app).rglob("*.html"))
    assert not [name for name in OF_ALLAUTHS_PAGES if f'"{name}"' in extended]
    assert settings.ACCOUNT_CHANGE_EMAIL and all(name.split("/")[1] == "email" for name in CHANGES)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("url", "heading", "link"),
    [
        ("/accounts/inactive/", "This account is turned off", "/about/#contact"),
        ("/accounts/confirm-email/", "Check your inbox", "/accounts/email/"),
    ],
)
def test_pages_that_only_a_redirect_shows_say_what_to_do_next(client, url, heading, link):
    page = client.get(url).content.decode()
    assert f"<h1>{heading}</h1>" in page and f'href="{link}"' in page
    german = client.get(url, headers={"Accept-Language": "de"}).content.decode()
    assert heading not in german


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_refusals_that_people_read_say_what_to_do_next_in_our_words(language):
    with translation.override(language):
        for adapter, theirs, names in (
            (Adapter, DefaultAccountAdapter, ["duplicate_email", "email_taken", "email_password_mismatch"]),
            (SecondFactorAdapter, DefaultMFAAdapter, ["add_email_blocked", "unverified_email"]),
        ):
            for name in names:
                assert str(adapter.error_messages[name]) != str(theirs.error_messages[name])


@pytest.mark.django_db
def test_refusals_of_addresses_and_second_factors_say_what_to_do_next(alice):
    taken = {"username": "Carol", "email": alice.email, "password1": PASSWORD, "accepts": "1"}
    newcomer, here = Client(), Client()
    assert "Sign in to it, or use a different address." in text(newcomer.post("/accounts/signup/", taken))
    newcomer.post("/accounts/signup/", taken | {"email": "carol@example.org"})
    newcomer.post("/accounts/reauthenticate/", {"password": PASSWORD})
    for page in ("totp/activate/", "webauthn/add/"):
        assert "First confirm your email address" in text(newcomer.get(f"/accounts/2fa/{page}", follow=True))
    here.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    Authenticator.objects.create(user=alice, type="totp", data={"secret": ""})
    refused = here.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})
    assert "First remove your keys and your authenticator app" in text(refused)
    assert 'value="new@example.org"' in refused.content.decode()


def test_changes_of_the_account_are_confirmed_in_our_words(client, alice):
    for action in ("action_remove", "action_primary"):
        client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
        redirect = client.post("/accounts/email/", {"email": alice.email, action: ""})
        client.post(redirect.url, {"password": PASSWORD})
    page = text(client.get("/accounts/email/"))
    assert f"We send your email to {alice.email}, so you can’t remove it. Change the address instead." in page
    assert "Your email address is changed." in page


@pytest.mark.parametrize("name", ["SignUpForm", "ChangedPasswordForm", "FirstPasswordForm", "NewPasswordForm"])
def test_what_a_new_password_needs_is_said_in_our_words(alice, name):
    """Django says it in a bulleted list, whose lines all start with “Your password”."""
    form = getattr(forms, name)(**({} if name == "SignUpForm" else {"user": alice}))
    hint = "Use at least 8 characters. Don’t use a common password, your name or your email address."
    assert form.fields["password1"].help_text == hint
