"""The clock of the machine is set back, as when it had been wrong: no notice waits for the day that was no day."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.notices.delivery import deliver
from games.notices.delivery.preferences import set_how
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Fate, Notice
from tests.notices.letters import notice, received, take

pytestmark = pytest.mark.django_db
A_DAY = timedelta(days=1)


@pytest.fixture
def told(game, clock) -> Notice:
    """Bob is to be told that it is his turn, by a clock that is a day ahead."""
    clock.shift(A_DAY)
    take(game, 0)
    return notice(Kind.TURN, "Bob", game)


def sent() -> int:
    deliver.correct_times(timezone.now())
    return deliver.sweep()


def test_what_a_worker_died_with_is_sent_once_when_a_lease_from_then_on_is_over(told, clock):
    assert deliver.claim(told.pk)
    clock.shift(-A_DAY)
    assert (deliver.sweep(), sent()) == (0, 0)
    clock.shift(deliver.LEASE)
    assert (sent(), sent()) == (1, 0)
    assert len(received("Bob")) == 1


def test_what_nobody_had_taken_up_is_sent_once(told, clock):
    clock.shift(-A_DAY)
    assert (deliver.sweep(), sent(), sent()) == (0, 1, 0)
    assert len(received("Bob")) == 1


def test_what_somebody_is_at_by_a_clock_that_goes_a_little_before_ours_stays_theirs(told, clock):
    parcel = deliver.claim(told.pk)
    clock.shift(timedelta(minutes=-4))
    assert sent() == 0
    assert deliver.hand_over(deliver.prepare([parcel])) and len(received("Bob")) == 1


def test_a_worker_that_was_at_it_when_the_clock_was_set_back_writes_down_that_it_was_sent(told, clock):
    parcel = deliver.claim(told.pk)
    clock.shift(-A_DAY)
    assert sent() == 0
    assert deliver.hand_over(deliver.prepare([parcel]))
    assert Notice.objects.get(pk=told.pk).state == Fate.SENT and sent() == 0


def test_what_is_due_later_stays_so(game, bob, clock):
    set_how(user=bob, kinds=[Kind.TURN], channel=Channel.MAIL, how=How.LATER)
    clock.shift(A_DAY)
    take(game, 0)
    reminders = Notice.objects.filter(state=Fate.QUEUED)
    due = list(reminders.values_list("due_at"))
    clock.shift(-A_DAY)
    assert (sent(), list(reminders.values_list("due_at"))) == (0, due)
