"""Proof of email addresses: an account belongs to the person who reads its email, not to a thief who entered it."""

import re
from copy import deepcopy
from datetime import UTC, datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from django.utils import timezone
from time_machine import travel

from accounts import tasks
from accounts.models import AddressChange, User
from accounts.proof import calendar_url
from games.notices.models import Device, Hook
from games.tables.services import lobby
from tests.accounts.conftest import PASSWORD
from tests.web.reading import text

pytestmark = pytest.mark.django_db
VICTIM = "victim@example.org"
NEW = "another harbour, louder"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/preferences/").status_code == 200


def sign_in(user: User, password: str = PASSWORD) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": user.email, "password": password})
    return client


def as_guest_with_an_address(client: Client, address: str) -> None:
    """Become a guest who has mistyped their address, and correct it."""
    client.post("/accounts/guest/")
    EmailAddress.objects.create(user_id=client.session["_auth_user_id"], email=f"typo.{address}", primary=True)
    client.post("/accounts/email/", {"email": address, "action_add": ""})


def last_link(path: str) -> str:
    """Return the path of the link in the last email that starts with `path`."""
    return re.search(rf"http://testserver({path}\S+)", mail.outbox[-1].body)[1]


def ask_for_code(client: Client, email: str) -> str:
    client.post("/accounts/login/code/", {"email": email})
    match = re.search(r"^([A-Z0-9]{3,}-?[A-Z0-9]*)$", mail.outbox[-1].body, re.MULTILINE)
    return match[1] if match else ""


def sign_in_by_code(email: str) -> Client:
    client = Client()
    client.post("/accounts/login/code/confirm/", {"code": ask_for_code(client, email)})
    return client


def reauthenticate(client: Client) -> None:
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})


@pytest.fixture
def thief(db) -> Client:
    """The browser of a person who signed up with someone else's address."""
    client = Client()
    client.post("/accounts/signup/", {"username": "Mallory", "email": VICTIM, "password1": PASSWORD, "accepts": "1"})
    return client


@pytest.fixture
def account(thief: Client) -> User:
    """The thief's account, with everything that could let the thief in later or send them information."""
    user = User.objects.get(email=VICTIM)
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    now = timezone.now()
    Device.objects.create(
        user=user, endpoint="https://push.example.org/1", p256dh="a", auth="b", name="x", added_at=now
    )
    Hook.objects.create(user=user, url="https://hooks.example.org/1", format="json")
    return user


def holds_nothing_of_the_thief(user: User, calendar: str) -> bool:
    user = User.objects.get(pk=user.pk)
    kept = [model.objects.filter(user=user).exists() for model in (Authenticator, Device, Hook)]
    return not any(kept) and not user.check_password(PASSWORD) and calendar_url(user) != calendar


def test_a_sign_in_code_to_an_unproven_address_removes_everything_its_first_user_set_up(thief, account):
    calendar = calendar_url(account)
    owner = sign_in_by_code(VICTIM)
    assert "removed the password" in owner.get("/accounts/preferences/").content.decode()
    assert not is_signed_in(thief) and not is_signed_in(sign_in(account))
    assert holds_nothing_of_the_thief(account, calendar)


def test_a_sign_in_code_to_a_proven_address_keeps_password_and_sessions(alice):
    at_home = sign_in(alice)
    assert is_signed_in(sign_in_by_code(alice.email)) and is_signed_in(at_home)
    assert User.objects.get(pk=alice.pk).check_password(PASSWORD)


def test_an_address_stays_proven_while_it_waits_for_another_confirmation(alice):
    sign_in_by_code(alice.email)
    EmailAddress.objects.create(user=alice, email="x@example.org")
    EmailAddress.objects.filter(user=alice, email=alice.email).delete()
    User.objects.filter(pk=alice.pk).update(has_proven=True)
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True)
    sign_in_by_code(alice.email)
    assert User.objects.get(pk=alice.pk).check_password(PASSWORD)


def test_a_guests_proven_address_proves_nothing_about_another_one_used_to_sign_up(client):
    as_guest_with_an_address(client, "mallory@example.org")
    client.post(last_link("/accounts/confirm-email/"))
    client.post("/accounts/signup/", {"username": "Mallory", "email": VICTIM, "password1": PASSWORD, "accepts": "1"})
    sign_in_by_code(VICTIM)
    assert not is_signed_in(client)
    assert not User.objects.get(email=VICTIM).check_password(PASSWORD)


def test_a_password_reset_at_an_unproven_address_removes_everything_its_first_user_set_up(thief, account):
    calendar, owner = calendar_url(account), Client()
    owner.post("/accounts/password/reset/", {"email": VICTIM})
    form = owner.get(last_link("/accounts/password/reset/key/"), follow=True)
    owner.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
    assert not is_signed_in(thief) and holds_nothing_of_the_thief(account, calendar)
    assert is_signed_in(sign_in(account, NEW))
    sign_in_by_code(VICTIM)
    assert User.objects.get(pk=account.pk).check_password(NEW)


def test_a_password_reset_confirms_the_address_that_replaced_a_mistyped_one(client):
    sign_up = {"username": "Carol", "email": "typo@example.org", "password1": PASSWORD, "accepts": "1"}
    client.post("/accounts/signup/", sign_up)
    reauthenticate(client)
    client.post("/accounts/email/", {"email": "carol@example.org", "action_add": ""})
    elsewhere = Client()
    elsewhere.post("/accounts/password/reset/", {"email": "carol@example.org"})
    form = elsewhere.get(last_link("/accounts/password/reset/key/"), follow=True)
    elsewhere.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
    carol = User.objects.get(username="Carol")
    assert (carol.email, carol.has_confirmed_address, carol.has_proven) == ("carol@example.org", True, True)
    assert is_signed_in(sign_in(carol, NEW)) and not is_signed_in(client)


def test_a_password_reset_by_a_guest_confirms_the_address_that_the_guest_gave(client):
    as_guest_with_an_address(client, "gil@example.org")
    client.post("/accounts/password/reset/", {"email": "gil@example.org"})
    form = client.get(last_link("/accounts/password/reset/key/"), follow=True)
    client.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
    guest = User.objects.get()
    assert (guest.email, guest.has_confirmed_address, guest.is_guest) == ("gil@example.org", True, True)


def test_an_address_that_replaced_a_mistyped_one_still_has_to_be_confirmed(client):
    sign_up = {"username": "Carol", "email": "typo@example.org", "password1": PASSWORD, "accepts": "1"}
    client.post("/accounts/signup/", sign_up)
    reauthenticate(client)
    client.post("/accounts/email/", {"email": "carol@example.org", "action_add": ""})
    client.get("/accounts/email/")  # shows the message about the email
    assert "until you confirm <strong>carol@example.org</strong>" in text(client.get("/desk/"))
    settings = text(client.get("/accounts/notices/"))
    assert "You haven’t confirmed your email address yet." in settings and "We can’t reach you" not in settings
    assert "You haven’t given us an email address." not in text(client.get("/notices/"))
    client.post(last_link("/accounts/confirm-email/"))
    assert "We won’t email you" not in text(client.get("/desk/"))


# The confirmation link


def test_the_link_confirms_the_address_in_the_browser_that_signed_up(thief):
    thief.post(last_link("/accounts/confirm-email/"))
    user = User.objects.get(email=VICTIM)
    assert user.has_confirmed_address and user.check_password(PASSWORD) and is_signed_in(thief)


def test_the_link_says_that_it_has_confirmed_the_address_to_its_owner_alone(thief, client, bob):
    link = last_link("/accounts/confirm-email/")
    first = thief.post(link)
    for look in (thief.post, thief.get):
        second = look(link)
        assert (second.status_code, second.url) == (302, first.url)
        assert f"You have confirmed {VICTIM}." in thief.get(second.url).content.decode()
    assert client.get(link).status_code == client.post(link).status_code == 410
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(link).status_code == client.post(link).status_code == 410


def test_a_click_in_another_browser_does_not_confirm_the_address(thief, client):
    link = last_link("/accounts/confirm-email/")
    page = client.get(link).content.decode()
    assert 'name="password"' in page and 'name="password1"' in page
    assert client.post(link).status_code == 422
    assert not User.objects.get(email=VICTIM).has_confirmed_address


def test_the_link_confirms_the_address_in_another_browser_after_signing_in(thief, client):
    link = last_link("/accounts/confirm-email/")
    answer = client.post("/accounts/login/", {"login": VICTIM, "password": PASSWORD, "next": link})
    assert answer.url == link
    client.post(link)
    user = User.objects.get(email=VICTIM)
    assert user.has_confirmed_address and user.check_password(PASSWORD) and is_signed_in(thief)


def test_a_new_password_on_the_confirmation_page_removes_everything_the_first_user_set_up(thief, account, client):
    calendar = calendar_url(account)
    client.post(last_link("/accounts/confirm-email/"), {"password1": NEW, "password2": NEW})
    assert is_signed_in(client) and not is_signed_in(thief)
    assert User.objects.get(pk=account.pk).has_confirmed_address
    assert holds_nothing_of_the_thief(account, calendar) and is_signed_in(sign_in(account, NEW))


def test_an_address_that_an_unproven_account_uses_too_is_not_called_confirmed(alice):
    as_alice = sign_in(alice)
    reauthenticate(as_alice)
    as_alice.post("/accounts/email/", {"email": "shared@example.org", "action_add": ""})
    link = last_link("/accounts/confirm-email/")
    Client().post(
        "/accounts/signup/",
        {"username": "Squatter", "email": "shared@example.org", "password1": PASSWORD, "accepts": "1"},
    )
    page = text(as_alice.get(link))
    assert "Another account uses shared@example.org. If it is yours, sign in there, or reset its password." in page


def test_a_guest_who_opens_the_link_in_another_browser_reads_of_no_old_password(client):
    as_guest_with_an_address(client, "gil@example.org")
    link, elsewhere = last_link("/accounts/confirm-email/"), Client()
    page = text(elsewhere.get(link))
    assert "You gave this address as a guest in another browser. Open the link there to confirm it." in page
    assert "The old one stops working" not in page
    assert elsewhere.post(link, {"password1": NEW, "password2": NEW}).status_code == 302
    guest = User.objects.get()
    assert guest.has_confirmed_address and is_signed_in(elsewhere) and not is_signed_in(client)
    assert is_signed_in(sign_in(guest, NEW))


def test_another_signed_in_user_is_asked_to_sign_out_first(thief, alice):
    here = sign_in(alice)
    link = last_link("/accounts/confirm-email/")
    assert "signed in as Alice" in here.get(link).content.decode()
    here.post(link, {"password1": NEW, "password2": NEW})
    assert User.objects.get(email=VICTIM).check_password(PASSWORD) and is_signed_in(here)


# Changing the address


def change_address(client: Client, new: str = "new@example.org") -> None:
    reauthenticate(client)
    client.post("/accounts/email/", {"email": new, "action_add": ""})


def test_a_session_alone_cannot_change_the_address(alice):
    here = sign_in(alice)
    answer = here.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})
    assert answer.url.startswith("/accounts/reauthenticate/")
    assert not EmailAddress.objects.filter(email="new@example.org").exists() and not mail.outbox
    change_address(here)
    here.session.flush()
    bare = Client()
    bare.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    bare.post("/accounts/email/", {"email": "new@example.org", "action_remove": ""})
    assert EmailAddress.objects.filter(email="new@example.org").exists()


PROTECTED = ["password/set/", "2fa/totp/activate/", "2fa/webauthn/add/", "2fa/recovery-codes/generate/", "delete/"]


@pytest.mark.parametrize("page", ["email/", *PROTECTED])
def test_an_account_without_a_password_needs_a_recent_code(alice, page):
    alice.set_unusable_password()
    alice.save()
    with travel(NOON, tick=False) as clock:
        here = sign_in_by_code(alice.email)
        assert here.post(f"/accounts/{page}", {"email": "x@example.org", "action_add": ""}).status_code != 403
        EmailAddress.objects.filter(email="x@example.org").delete()
        clock.shift(timedelta(minutes=10))
        answer = here.post(f"/accounts/{page}", {"email": "x@example.org", "action_add": ""})
    assert answer.status_code == 403 and "sign in with a new code" in answer.content.decode()
    assert not EmailAddress.objects.filter(email="x@example.org").exists()


def test_a_stranger_who_got_the_link_by_mistake_can_neither_confirm_nor_set_a_password(alice, client):
    change_address(sign_in(alice))
    link = last_link("/accounts/confirm-email/")
    page = client.get(link).content.decode()
    assert 'name="password"' in page and 'name="password1"' not in page
    client.post(link, {"password1": NEW, "password2": NEW})
    alice.refresh_from_db()
    assert alice.email == "alice@example.org" and alice.check_password(PASSWORD)


@pytest.mark.parametrize("way", ["login/code/", "password/reset/"])
def test_an_unconfirmed_new_address_gives_no_access_to_the_account(alice, client, way):
    change_address(sign_in(alice))
    client.post(f"/accounts/{way}", {"email": "new@example.org"})
    assert "there is no such account" in mail.outbox[-1].body


@pytest.fixture
def changed(alice: User) -> Client:
    """The browser of a thief who knew the password and changed the address. The last email went to the old address."""
    thief = sign_in(alice)
    change_address(thief)
    thief.post(last_link("/accounts/confirm-email/"))
    alice.refresh_from_db()
    return thief


def undo(client: Client) -> None:
    """Follow the link in the last email, and set a new password."""
    answer = client.post(last_link("/accounts/undo-address/"), follow=True)
    client.post(answer.request["PATH_INFO"], {"password1": NEW, "password2": NEW})


def test_the_old_address_gets_a_link_that_undoes_the_change(changed, alice, client):
    assert alice.email == "new@example.org"
    assert mail.outbox[-1].to == ["alice@example.org"] and "new@example.org" in mail.outbox[-1].body
    assert client.get(last_link("/accounts/undo-address/")).status_code == 200
    assert is_signed_in(changed)
    undo(client)
    alice.refresh_from_db()
    assert alice.email == "alice@example.org" and alice.has_confirmed_address
    assert not EmailAddress.objects.filter(email="new@example.org").exists()
    assert not is_signed_in(changed) and not is_signed_in(sign_in(alice)) and is_signed_in(sign_in(alice, NEW))


def test_undoing_removes_the_thiefs_second_factor_and_keeps_the_owners(changed, alice, client):
    old = Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data={})
    Authenticator.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=30))
    Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": "x"})
    undo(client)
    assert list(Authenticator.objects.filter(user=alice)) == [old]


def test_a_second_change_of_address_gives_the_thief_no_advantage(changed, alice, client):
    owners = last_link("/accounts/undo-address/")
    change_address(changed, "third@example.org")
    changed.post(last_link("/accounts/confirm-email/"))
    assert mail.outbox[-1].to == ["new@example.org"]
    thiefs = last_link("/accounts/undo-address/")
    thiefs_browser = Client()
    assert thiefs_browser.post(thiefs).status_code == 302  # undoing first does not help the thief either
    assert client.post(owners).status_code == 302
    for used in (thiefs, owners):
        assert Client().post(used).status_code == 410
    assert "This link no longer works" in text(thiefs_browser.post(thiefs, follow=True))
    assert "third@example.org" not in text(Client().get(thiefs))
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"


def test_the_second_of_two_taps_on_undo_leads_to_the_new_password_too(changed, alice, client):
    link = last_link("/accounts/undo-address/")
    client.get(link)
    before = deepcopy(client.cookies)
    pages = [client.post(link, follow=True).request["PATH_INFO"]]
    client.cookies = before  # the second tap is sent without the cookies of the first answer
    pages.append(client.post(link, follow=True).request["PATH_INFO"])
    assert pages[0] == pages[1] and pages[0].endswith("set-password/")
    assert "This change was undone" in text(Client().post(link))
    form = {"password1": NEW, "password2": NEW}
    for _tap in range(2):
        assert "Password changed" in text(client.post(pages[0], form, follow=True))
    assert "Password changed" in text(client.get(link, follow=True))
    alice.refresh_from_db()
    assert alice.email == "alice@example.org" and is_signed_in(sign_in(alice, NEW))


def test_the_second_of_two_taps_on_a_reset_link_leads_on_in_a_browser_that_is_signed_in(alice, client):
    elsewhere = Client()
    for browser in (elsewhere, client):
        browser.force_login(alice)
    client.post("/accounts/password/reset/", {"email": alice.email})
    link = last_link("/accounts/password/reset/key/")
    form_page = client.get(link, follow=True).request["PATH_INFO"]
    before = deepcopy(client.cookies)
    for _tap in range(2):
        client.cookies = deepcopy(before)  # the second tap is sent without the cookies of the first answer
        assert "Password changed" in text(client.post(form_page, {"password1": NEW, "password2": NEW}, follow=True))
    assert "Password changed" in text(client.get(link, follow=True))
    assert is_signed_in(client) and not is_signed_in(elsewhere)


def test_a_reset_link_that_was_used_says_so_in_its_browser_only(alice, bob, client):
    client.post("/accounts/password/reset/", {"email": alice.email})
    link = last_link("/accounts/password/reset/key/")
    form_page = client.get(link, follow=True).request["PATH_INFO"]
    assert client.get(link, follow=True).request["PATH_INFO"] == form_page, "the link can be opened again before"
    form = {"password1": NEW, "password2": NEW}
    for _tap in range(2):
        assert "Password changed" in text(client.post(form_page, form, follow=True))
    assert "Password changed" in text(client.get(link, follow=True))
    elsewhere = text(Client().get(link, follow=True))
    assert "This link no longer works" in elsewhere and "sign in with it." in elsewhere
    of_bob = form_page.replace(user_pk_to_url_str(alice), user_pk_to_url_str(bob))
    assert "Password changed" not in text(client.post(of_bob, form, follow=True))
    client.post("/accounts/password/reset/", {"email": alice.email})
    another = client.get(last_link("/accounts/password/reset/key/"), follow=True)
    assert "Set password" in text(another), "a new link works in the same browser"


def test_undoing_takes_the_old_address_back_from_an_unconfirmed_account(changed, alice, client):
    link = last_link("/accounts/undo-address/")
    Client().post(
        "/accounts/signup/",
        {"username": "Mallory", "email": "alice@example.org", "password1": PASSWORD, "accepts": "1"},
    )
    assert client.post(link).status_code == 302
    assert User.objects.get(username="Mallory").email == ""
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"


def test_undoing_fails_if_another_account_has_confirmed_the_old_address(changed, alice, client):
    link = last_link("/accounts/undo-address/")
    bob = User.objects.create_user("Bob", "alice@example.org", PASSWORD)
    EmailAddress.objects.create(user=bob, email="alice@example.org", primary=True, verified=True)
    assert client.post(link).status_code == 409
    alice.refresh_from_db()
    assert alice.email == "new@example.org"


def test_the_undo_link_works_for_a_week_and_then_the_old_address_is_deleted(alice, client):
    with travel(NOON, tick=False) as clock:
        thief = sign_in(alice)
        change_address(thief)
        thief.post(last_link("/accounts/confirm-email/"))
        link = last_link("/accounts/undo-address/")
        clock.shift(timedelta(days=7, seconds=2))
        assert client.post(link).status_code == 410
        tasks.sweep_personal_data()
    assert not AddressChange.objects.exists()


def test_the_undo_link_of_an_account_that_is_gone_does_not_work(changed, alice, client):
    """A closed account does not take its old address back. Otherwise no other account could use it."""
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert client.post(last_link("/accounts/undo-address/")).status_code == 410
    assert not EmailAddress.objects.filter(email="alice@example.org").exists()


def test_a_forged_link_gets_an_explanation(client, db):
    answer = client.get("/accounts/undo-address/nonsense/")
    assert answer.status_code == 410 and "no longer works" in answer.content.decode()


# Signing out everywhere


def test_signing_out_everywhere_ends_unlisted_sessions_too(alice):
    unlisted, here = sign_in(alice), sign_in(alice)
    alice.usersession_set.exclude(session_key=here.session.session_key).delete()
    here.post("/accounts/sessions/")
    assert (is_signed_in(unlisted), is_signed_in(here)) == (False, True)


def test_signing_out_everywhere_needs_a_form(alice):
    there, here = sign_in(alice), sign_in(alice)
    assert here.put("/accounts/sessions/").status_code == 405
    assert is_signed_in(there)


# Emails to unconfirmed addresses


def test_an_unproven_address_gets_at_most_five_emails_an_hour(settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "request_login_code": "", "reset_password": ""}
    for n in range(4):
        Client().post("/accounts/login/code/", {"email": VICTIM})
        Client().post("/accounts/password/reset/", {"email": f"victim+{n}@example.org"})
    for n in range(4):
        as_guest_with_an_address(Client(), f"victim+{n}@example.org")
    assert len(mail.outbox) == 5


def test_spellings_of_an_address_share_its_limit(settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "request_login_code": "", "reset_password": ""}
    for address in ("v.ictim@gmail.com", "vi.ctim@gmail.com", "victim@googlemail.com", '"v.i.ctim"@gmail.com',
                    r'"vi\ctim"@gmail.com', r'"vic\tim"@gmail.com', "victim@ｇmail.com"):  # fmt: skip
        assert Client().post("/accounts/password/reset/", {"email": address}).status_code == 302
    assert len(mail.outbox) == 5


def test_the_answer_is_the_same_whether_an_email_was_sent_or_limited(settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "unproven_address": "1/h/key"}
    pages = []
    for _ask in range(2):
        page = Client().post("/accounts/password/reset/", {"email": VICTIM}, follow=True)
        pages.append((page.status_code, re.sub(r"\w{64}", "", page.content.decode())))
    assert pages[0] == pages[1] and len(mail.outbox) == 1


def test_requests_by_strangers_do_not_limit_a_proven_address(alice, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "unproven_address": "1/h/key"}
    for _ask in range(3):
        Client().post("/accounts/password/reset/", {"email": alice.email})
    assert len(mail.outbox) == 3


def test_a_proven_address_that_others_enter_as_theirs_gets_at_most_five_emails_an_hour(alice, bob):
    # One client can be many guests
    with travel(timezone.now(), tick=False) as clock:
        for _guest in range(7):
            game = lobby.open_table(user=bob, players=4)
            assert Client().post(f"/join/{game.invite_token}/", {"email": alice.email}).status_code == 302
            clock.shift(timedelta(minutes=4))
    assert [email.to for email in mail.outbox] == [[alice.email]] * 5


def test_one_account_has_emails_sent_to_few_addresses_of_strangers(thief):
    reauthenticate(thief)
    mail.outbox.clear()
    with travel(timezone.now(), tick=False) as clock:
        for minute in range(3):
            for n in range(10):
                thief.post("/accounts/email/", {"email": f"stranger{minute}{n}@example.org", "action_add": ""})
            clock.shift(timedelta(seconds=61))
    assert len(mail.outbox) == 20


def test_one_client_has_emails_sent_to_few_addresses_by_being_many_guests(bob):
    for n in range(7):
        game, guest = lobby.open_table(user=bob, players=4), Client()
        for k in range(10):
            guest.post(f"/join/{game.invite_token}/", {"email": f"stranger{n}{k}@example.org"})
    assert len(mail.outbox) == 60


# Links, limits and pages


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("password/reset/", {"email": "alice@example.org"}),
        ("password/reset/", {"email": "nobody@example.org"}),
        ("login/code/", {"email": "nobody@example.org"}),
        ("signup/", {"username": "Carol", "email": "carol@example.org", "password1": PASSWORD, "accepts": "1"}),
    ],
)
def test_links_in_emails_ignore_the_host_header(alice, client, settings, path, data):
    settings.ALLOWED_HOSTS, settings.SITE_URL = ["*"], "https://games.example.org"
    client.post(f"/accounts/{path}", data, headers={"host": "evil.example.net"})
    assert "https://games.example.org/accounts/" in mail.outbox[-1].body
    assert "evil" not in mail.outbox[-1].body


def test_limits_on_wrong_passwords_ignore_the_host_header(alice, client):
    for port in range(5):
        host = {"host": f"testserver:{8000 + port}"}
        client.post("/accounts/login/", {"login": alice.email, "password": "wrong"}, headers=host)
    client.post("/accounts/login/", {"login": alice.email, "password": PASSWORD}, headers={"host": "testserver:9000"})
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    "page",
    ["preferences/", "email/", "sessions/", "2fa/", "password/change/", "notices/", "time-off/", "login/", "none/"],
)
def test_browsers_do_not_store_account_pages(as_alice, page):
    assert "no-store" in as_alice.get(f"/accounts/{page}")["Cache-Control"]
