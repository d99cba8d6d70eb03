"""Unsubscribe links in emails: they turn off one kind of notice without signing in."""

import pytest
from django.core import signing
from django.test import Client

from accounts.models import User
from games.notices.delivery.preferences import UNSUBSCRIBE, unsubscribe_url
from games.notices.kinds import Channel, How, Kind

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(alice) -> str:
    return unsubscribe_url(alice, [Kind.TURN], Channel.EMAIL)


def wanted(user: User) -> list[str]:
    user.refresh_from_db()
    return [kind for kind in Kind if user.how(kind, Channel.EMAIL) != How.OFF]


def test_opening_the_page_changes_nothing(stranger, link, alice):
    assert "Do you want to turn these notifications off?" in stranger.get(link).content.decode()
    assert "turn" in wanted(alice)


def test_the_button_turns_off_that_kind_only(stranger, link, alice):
    assert "no longer notify" in stranger.post(link).content.decode()
    assert wanted(alice) == [kind for kind in Kind if kind != Kind.TURN]


def test_one_click_unsubscribe_needs_no_csrf_token(link, alice):
    answer = Client(enforce_csrf_checks=True).post(link, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert "turn" not in wanted(alice)


def test_unsubscribing_can_be_repeated_and_undone(stranger, link, alice):
    stranger.post(link)
    stranger.post(link)
    assert "turn" not in wanted(alice)
    stranger.post(link, {"again": "1"})
    assert "turn" in wanted(alice)


@pytest.mark.parametrize("spoilt", ["", "x", "WzEsMiwiYSJd:1aaaaa:bbbbbbbb"])
def test_forged_and_outdated_links_get_an_explanation_and_change_nothing(spoilt, stranger, alice):
    old = signing.dumps([alice.pk, "turn"], salt=UNSUBSCRIBE)
    for answer in (stranger.get, stranger.post):
        page = answer(f"/accounts/unsubscribe/{spoilt or old}/")
        assert (page.status_code, "This link no longer works" in page.content.decode()) == (410, True)
    assert User.objects.get(pk=alice.pk).notice_settings == {}


def test_a_link_that_was_tampered_with_is_refused(stranger, link, bob):
    assert stranger.post(link[:-3] + "xy/").status_code == 410
    assert "turn" in wanted(bob)


def test_a_link_of_a_deleted_account_is_refused(stranger, link, alice):
    alice.delete()
    assert stranger.get(link).status_code == 410


def test_a_link_to_an_earlier_address_of_the_account_is_refused(stranger, link, alice):
    address = alice.email
    User.objects.filter(pk=alice.pk).update(email="alice@elsewhere.example")
    for answer in (stranger.get, stranger.post):
        assert answer(link).status_code == 410
    assert "turn" in wanted(alice)
    User.objects.filter(pk=alice.pk).update(email=address.upper())
    assert stranger.get(link).status_code == 200


def test_a_link_affects_its_channel_only(stranger, link, alice):
    stranger.post(link)
    alice.refresh_from_db()
    assert alice.how(Kind.TURN, Channel.PUSH) == How.NOW


def test_undoing_restores_the_digest(stranger, alice):
    link = unsubscribe_url(alice, [Kind.ENDED, Kind.CLOSED], Channel.EMAIL, How.DIGEST)
    stranger.post(link)
    assert not {Kind.ENDED, Kind.CLOSED} & set(wanted(alice))
    stranger.post(link, {"again": "1"})
    alice.refresh_from_db()
    assert {alice.how(kind, Channel.EMAIL) for kind in (Kind.ENDED, Kind.CLOSED)} == {How.DIGEST}
