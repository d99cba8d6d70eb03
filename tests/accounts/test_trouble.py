"""The record of delivery problems with an address, with events in any order."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.trouble import StopReason, Trouble, arrived, bounced, kept, mended, stopped

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
NONE = Trouble("bob@example.org")


def held_up(*emails: str) -> Trouble:
    known = NONE
    for email in emails:
        known = bounced(known, email, f"{email} is full", NOON)
    return known


def test_three_undelivered_emails_in_a_row_stop_email():
    assert held_up("a", "b").stopped_at is None
    assert (held_up("a", "b", "c").why, held_up("a", "b", "c").said) == (StopReason.OFTEN, "c is full")


def test_each_email_counts_once_and_a_delivered_one_resets_the_count():
    assert held_up("a", "a", "a", "b", "a").stopped_at is None
    assert bounced(arrived(held_up("a", "b")), "c", "", NOON).stopped_at is None


def test_the_first_reason_is_kept():
    known = stopped(NONE, StopReason.BOUNCED, "no such user", NOON)
    for again in (
        stopped(known, StopReason.COMPLAINED, "", LATER),
        stopped(known, StopReason.BOUNCED, "x", LATER),
        arrived(known),
    ):
        assert again == known


def test_only_events_after_a_restart_count():
    known = mended(stopped(NONE, StopReason.BOUNCED, "", NOON), LATER)
    assert stopped(known, StopReason.BOUNCED, "", NOON) == bounced(known, "a", "", NOON) == known
    assert stopped(known, StopReason.BOUNCED, "", LATER + timedelta(seconds=1)).stopped_at


@pytest.mark.parametrize("known", [NONE, held_up("a", "b"), mended(held_up("a", "b", "c"), LATER)])
def test_the_record_is_stored_for_one_address_only(known):
    assert Trouble.of(kept(known), "Bob@example.org") == known
    assert Trouble.of(kept(known), "carol@example.org") == Trouble("carol@example.org")
    assert Trouble.of({}, "") == Trouble("")
