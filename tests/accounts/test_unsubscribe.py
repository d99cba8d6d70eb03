"""A link in a mail switches that kind of mail off, without signing in."""

import pytest
from django.test import Client

from accounts.models import NoticeKind, User
from accounts.services import unsubscribe_url

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(alice) -> str:
    return unsubscribe_url(alice, "turn")


def wanted(user: User) -> list[str]:
    user.refresh_from_db()
    return [kind for kind in NoticeKind.values if user.wants_mail(kind)]


def test_looking_at_the_page_changes_nothing(stranger, link, alice):
    assert "Shall we stop?" in stranger.get(link).content.decode()
    assert "turn" in wanted(alice)


def test_a_press_of_the_button_switches_that_kind_off_and_no_other(stranger, link, alice):
    assert "no longer write" in stranger.post(link).content.decode()
    assert wanted(alice) == ["time", "started", "ended", "closed"]


def test_a_mail_programs_one_click_needs_no_page_of_ours(link, alice):
    answer = Client(enforce_csrf_checks=True).post(link, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert "turn" not in wanted(alice)


def test_it_can_be_done_twice_and_taken_back(stranger, link, alice):
    stranger.post(link)
    stranger.post(link)
    assert "turn" not in wanted(alice)
    stranger.post(link, {"again": "1"})
    assert "turn" in wanted(alice)


def test_a_link_that_was_tampered_with_is_not_found(stranger, link, bob):
    assert stranger.post(link[:-3] + "xy/").status_code == 404
    assert "turn" in wanted(bob)


def test_a_link_of_somebody_who_left_is_not_found(stranger, link, alice):
    alice.delete()
    assert stranger.get(link).status_code == 404


def test_there_is_no_link_for_a_kind_that_there_is_not(alice):
    with pytest.raises(ValueError, match="weather"):
        unsubscribe_url(alice, "weather")


def test_every_kind_of_mail_has_its_choice():
    for kind in NoticeKind.values:
        User._meta.get_field(f"mail_{kind}")


def test_who_has_no_address_wants_no_mail(alice):
    alice.email = ""
    assert not alice.wants_mail("turn")
