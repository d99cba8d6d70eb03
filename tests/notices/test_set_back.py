"""A machine clock that is set back after running ahead: no notice waits for the wrong time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.notices.delivery import deliver
from games.notices.delivery.preferences import set_how
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Notice, NoticeState
from tests.notices.emails import notice, received, send_due, take

pytestmark = pytest.mark.django_db
A_DAY = timedelta(days=1)


@pytest.fixture
def turn_notice(game, clock) -> Notice:
    """The notice that it is Bob's turn, written while the clock is a day ahead."""
    clock.shift(A_DAY)
    take(game, 0)
    return notice(Kind.TURN, "Bob", game)


def sent() -> int:
    deliver.correct_times(timezone.now())
    return send_due()


def test_the_notice_of_a_killed_worker_is_sent_once_one_lease_after_the_change(turn_notice, clock):
    assert deliver.claim(turn_notice.pk)
    clock.shift(-A_DAY)
    assert (send_due(), sent()) == (0, 0)
    clock.shift(deliver.LEASE)
    assert (sent(), sent()) == (1, 0)
    assert len(received("Bob")) == 1


def test_an_unclaimed_notice_is_sent_once(turn_notice, clock):
    clock.shift(-A_DAY)
    assert (send_due(), sent(), sent()) == (0, 1, 0)
    assert len(received("Bob")) == 1


def test_a_worker_whose_clock_is_slightly_ahead_keeps_its_claim(turn_notice, clock):
    parcel = deliver.claim(turn_notice.pk)
    clock.shift(timedelta(minutes=-4))
    assert sent() == 0
    assert deliver.hand_over(deliver.prepare([parcel])) and len(received("Bob")) == 1


def test_a_worker_that_holds_a_claim_during_the_change_still_records_the_sending(turn_notice, clock):
    parcel = deliver.claim(turn_notice.pk)
    clock.shift(-A_DAY)
    assert sent() == 0
    assert deliver.hand_over(deliver.prepare([parcel]))
    assert Notice.objects.get(pk=turn_notice.pk).state == NoticeState.SENT and sent() == 0


def test_delayed_notices_keep_their_time(game, bob, clock):
    set_how(user=bob, kinds=[Kind.TURN], channel=Channel.EMAIL, how=How.LATER)
    clock.shift(A_DAY)
    take(game, 0)
    reminders = Notice.objects.filter(state=NoticeState.QUEUED)
    due = list(reminders.values_list("due_at"))
    clock.shift(-A_DAY)
    assert (sent(), list(reminders.values_list("due_at"))) == (0, due)
