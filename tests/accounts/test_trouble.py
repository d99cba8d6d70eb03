"""The record of delivery problems with an address, with events in any order."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.trouble import StopReason, Trouble, arrived, bounced, kept, mended, stopped

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
NONE = Trouble("bob@example.org")


def held_up(*emails: str) -> Trouble:
    """Return the record of an address after these emails could not be delivered."""
    trouble = NONE
    for email in emails:
        trouble = bounced(trouble, email, f"{email} is full", NOON)
    return trouble


def test_three_undelivered_emails_in_a_row_stop_email():
    assert held_up("a", "b").stopped_at is None
    assert (held_up("a", "b", "c").why, held_up("a", "b", "c").said) == (StopReason.OFTEN, "c is full")


def test_each_email_counts_once_and_a_delivered_one_resets_the_count():
    assert held_up("a", "a", "a", "b", "a").stopped_at is None
    assert bounced(arrived(held_up("a", "b")), "c", "", NOON).stopped_at is None


def test_the_first_reason_is_kept():
    trouble = stopped(NONE, StopReason.BOUNCED, "no such user", NOON)
    for again in (
        stopped(trouble, StopReason.COMPLAINED, "", LATER),
        stopped(trouble, StopReason.BOUNCED, "x", LATER),
        arrived(trouble),
    ):
        assert again == trouble


def test_only_events_after_a_restart_count():
    trouble = mended(stopped(NONE, StopReason.BOUNCED, "", NOON), LATER)
    assert stopped(trouble, StopReason.BOUNCED, "", NOON) == bounced(trouble, "a", "", NOON) == trouble
    assert stopped(trouble, StopReason.BOUNCED, "", LATER + timedelta(seconds=1)).stopped_at


@pytest.mark.parametrize("trouble", [NONE, held_up("a", "b"), mended(held_up("a", "b", "c"), LATER)])
def test_the_record_is_stored_for_one_address_only(trouble):
    assert Trouble.of(kept(trouble), "Bob@example.org") == trouble
    assert Trouble.of(kept(trouble), "carol@example.org") == Trouble("carol@example.org")
    assert Trouble.of({}, "") == Trouble("")
