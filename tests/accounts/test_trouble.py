"""What is known about mails to an address, whatever order it is heard in."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.trouble import Trouble, Why, arrived, bounced, kept, mended, stopped

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
NONE = Trouble("bob@example.org")


def held_up(*mails: str) -> Trouble:
    known = NONE
    for mail in mails:
        known = bounced(known, mail, f"{mail} is full", NOON)
    return known


def test_the_third_mail_in_a_row_that_does_not_arrive_stops_them():
    assert held_up("a", "b").stopped_at is None
    assert (held_up("a", "b", "c").why, held_up("a", "b", "c").said) == (Why.OFTEN, "c is full")


def test_the_same_mail_counts_once_and_one_that_arrives_begins_the_row_anew():
    assert held_up("a", "a", "a", "b", "a").stopped_at is None
    assert bounced(arrived(held_up("a", "b")), "c", "", NOON).stopped_at is None


def test_what_was_heard_first_stands():
    known = stopped(NONE, Why.BOUNCED, "no such user", NOON)
    for again in (stopped(known, Why.COMPLAINED, "", LATER), stopped(known, Why.BOUNCED, "x", LATER), arrived(known)):
        assert again == known


def test_what_happened_before_it_was_mended_is_over_and_what_happens_later_counts():
    known = mended(stopped(NONE, Why.BOUNCED, "", NOON), LATER)
    assert stopped(known, Why.BOUNCED, "", NOON) == bounced(known, "a", "", NOON) == known
    assert stopped(known, Why.BOUNCED, "", LATER + timedelta(seconds=1)).stopped_at


@pytest.mark.parametrize("known", [NONE, held_up("a", "b"), mended(held_up("a", "b", "c"), LATER)])
def test_it_is_kept_and_read_again_but_never_about_another_address(known):
    assert Trouble.of(kept(known), "Bob@example.org") == known
    assert Trouble.of(kept(known), "carol@example.org") == Trouble("carol@example.org")
    assert Trouble.of({}, "") == Trouble("")
