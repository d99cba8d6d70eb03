"""Addresses of accounts that were suspended or closed when their owners deleted them."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone
from time_machine import travel

from accounts import barred, deletions, tasks
from accounts.models import AddressChange, BarredAddress, User
from accounts.moderation import roles, services
from accounts.services import bring_games, delete_account, make_guest
from tests.accounts.conftest import PASSWORD, member

pytestmark = pytest.mark.django_db
LINK = r"/accounts/confirm-email/\S+"


@pytest.fixture
def senior(bob) -> User:
    roles.appoint(bob, roles.SENIOR)
    return User.objects.get(pk=bob.pk)


@pytest.fixture(autouse=True)
def the_list(settings, tmp_path):
    settings.DELETIONS_LIST = tmp_path / "deletions.txt"


def leave(user: User, by: User, kind: str = "close", days: int | None = None) -> None:
    """Take the step about a player, who then deletes the account."""
    services.take(by=by, user=user, kind=kind, days=days, reason="Insults.", expected=0)
    delete_account(User.objects.get(pk=user.pk))


def sign_up(email: str, name: str = "Newcomer") -> tuple[Client, str]:
    """Sign up, and return the browser and the page that follows without what differs by name or address."""
    browser = Client()
    form = {"username": name, "email": email, "password1": PASSWORD, "accepts": "1"}
    page = browser.post("/accounts/signup/", form, follow=True).content.decode()
    return browser, re.sub(rf"{name}|{re.escape(email)}|\w{{60,}}", "", page)


def test_an_address_of_a_closed_account_that_was_deleted_can_not_be_confirmed_for_another(alice, senior):
    leave(alice, senior)
    sign_up("ALICE@example.org")
    (letter,) = mail.outbox
    assert letter.to == ["alice@example.org"]
    assert "Moderators suspended or closed an account" in letter.body and not re.search(LINK, letter.body)
    assert re.search(r"write to \S+@\S+\.", letter.body)
    for page in ("/accounts/login/code/", "/accounts/password/reset/"):  # ways to prove an address besides the link
        Client().post(page, {"email": "alice@example.org"})
    assert len(mail.outbox) == 3 and len({email.body for email in mail.outbox}) == 1


def test_sign_up_tells_nobody_whether_an_address_is_barred(alice, senior):
    leave(alice, senior)
    (_one, of_barred), (_other, of_any) = sign_up("alice@example.org", "Carol"), sign_up("dan@example.org", "Clara")
    assert of_barred == of_any
    for page in ("/accounts/login/code/", "/accounts/password/reset/"):
        answers = [Client().post(page, {"email": email}) for email in ("alice@example.org", "dan@example.org")]
        assert answers[0].status_code == answers[1].status_code == 302 and answers[0].url == answers[1].url


def test_a_link_sent_before_confirms_no_barred_address_and_its_reader_is_told_why(alice, bob, senior):
    leave(alice, senior)
    BarredAddress.objects.all().delete()
    browser, _page = sign_up("alice@example.org")
    link = re.search(LINK, mail.outbox[-1].body)[0]
    barred.save({barred.digest("alice@example.org"): timezone.now() + timedelta(days=1)})
    assert "Moderators suspended or closed" in browser.get(link).content.decode()
    assert "Moderators suspended or closed" in browser.post(link).content.decode()
    assert "Moderators suspended or closed" in Client().post(link, {"password1": PASSWORD}).content.decode()
    assert not EmailAddress.objects.get(email="alice@example.org").verified


@pytest.mark.parametrize(
    ("email", "same"),
    [
        ("Alice+games@example.org", True),
        ('"alice"@example.org', True),
        (r'"a\lice+x"@example.org', True),
        ("alice@ｅxample.org", True),
        ("alice@exam\u00adple.org", True),
        ("a.lice@example.org", False),
        ("alice@example.com", False),
    ],
)
def test_spellings_of_one_mailbox_are_one_address(alice, senior, email, same):
    leave(alice, senior)
    assert (barred.until(email) is not None) == same
    assert barred.digest("Jo.hn+x@gmail.com") == barred.digest("john@googlemail.com")
    assert barred.digest("john@bücher.example") == barred.digest("john@XN--bcher-kva.example")
    assert barred.digest(f"john@{'ü' * 80}.example") != barred.digest("john@example.org")


def test_only_proven_addresses_of_suspended_accounts_are_barred(alice, senior):
    delete_account(alice)
    carol = User.objects.create_user("Carol", "someone.else@example.org", PASSWORD)  # never confirmed
    EmailAddress.objects.create(user=carol, email=carol.email, primary=True, verified=False)
    leave(carol, senior)
    dan = member("Dan")
    services.take(by=senior, user=dan, kind="mute", days=3, reason="Insults.", expected=0)
    delete_account(User.objects.get(pk=dan.pk))
    assert not BarredAddress.objects.exists()


def test_a_suspended_guest_who_signs_in_to_an_account_frees_no_address(alice, senior):
    guest = make_guest()
    EmailAddress.objects.create(user=guest, email="gil@example.org", verified=True, primary=True)
    User.objects.filter(pk=guest.pk).update(email="gil@example.org", has_proven=True)
    services.take(by=senior, user=guest, kind="suspend", days=7, reason="x", expected=0)
    bring_games(guest=User.objects.get(pk=guest.pk), user=alice)
    assert User.objects.get(pk=alice.pk).is_suspended and barred.until("gil@example.org")


def test_changing_the_address_or_stopping_email_first_does_not_help(alice, senior):
    services.take(by=senior, user=alice, kind="suspend", days=30, reason="Insults.", expected=0)
    AddressChange.objects.create(user=alice, old="alice.before@example.org", at=timezone.now())
    User.objects.filter(pk=alice.pk).update(has_proven=True)
    EmailAddress.objects.filter(user=alice).update(verified=False)  # as after email_again
    with travel(timezone.now() + timedelta(days=20)):
        tasks.sweep_personal_data()
        delete_account(User.objects.get(pk=alice.pk))
        assert barred.until("alice@example.org") and barred.until("alice.before@example.org")


def test_it_ends_with_the_suspension_or_after_the_time_of_the_setting_and_is_then_gone(alice, senior, settings):
    settings.KEEP_CLOSED_ADDRESSES = 50
    carol = member("Carol")
    leave(alice, senior, "suspend", 30)
    leave(carol, senior)
    listed = settings.DELETIONS_LIST
    deletions.write()
    assert len(barred.read([listed])) == 2 and "example" not in listed.read_text()
    for days, left in ((29, 2), (31, 1), (51, 0)):
        with travel(timezone.now() + timedelta(days=days)):
            assert bool(barred.until("alice@example.org")) == (days < 30)
            before = deletions.read([listed])[0]
            tasks.sweep_personal_data()
            assert BarredAddress.objects.count() == len(barred.read([listed])) == left
            assert deletions.read([listed])[0] == before and len(before) == 2


def test_a_lost_database_keeps_them_barred(alice, senior, settings):
    leave(alice, senior, "suspend", 30)
    deletions.write()
    BarredAddress.objects.all().delete()
    barred.save(barred.read([settings.DELETIONS_LIST]))
    assert barred.until("alice@example.org")
    with travel(timezone.now() + timedelta(days=31)):
        BarredAddress.objects.all().delete()
        barred.save(barred.read([settings.DELETIONS_LIST]))
        assert not BarredAddress.objects.exists()


def test_the_operator_can_let_an_address_be_used_again(alice, senior):
    leave(alice, senior)
    call_command("barred", "alice@example.org", stdout=(out := StringIO()))
    assert "alice@example.org is barred until" in out.getvalue()
    call_command("barred", "Alice@example.org", "--lift", stdout=StringIO())
    browser, _page = sign_up("alice@example.org")
    browser.post(re.search(LINK, mail.outbox[-1].body)[0])
    assert EmailAddress.objects.get(email="alice@example.org").verified
    with pytest.raises(CommandError, match="is not barred"):
        call_command("barred", "alice@example.org")
