"""The machine's clock is set back because it was wrong: the log and the clocks of players still work."""

from datetime import timedelta

import pytest
from django.utils import timezone
from time_machine import travel

from games.tables.models import Entry
from games.tables.services import deadlines as timing
from games.tables.services import records, timeouts
from tests.cast import again, in_turns, play_turns, seats_of

pytestmark = pytest.mark.django_db
A_DAY = timedelta(days=1)


@pytest.fixture
def now():
    with travel(timezone.now(), tick=False) as now:
        yield now


@pytest.mark.parametrize("pace", ["move 1h", "bank 1d +1h cap 2d"])
def test_times_in_the_log_never_run_backwards(alice, bob, now, pace):
    game = in_turns(alice, bob, clock=pace)
    now.shift(A_DAY)
    play_turns(game, 2)
    for step in (-A_DAY, timedelta(minutes=-5), A_DAY):
        now.shift(step)
        play_turns(game, 2)
    moments = list(Entry.objects.filter(game=game).order_by("seq").values_list("at", flat=True))
    assert moments == sorted(moments)
    assert records.verify(game=again(game)) == []


def test_a_wrong_clock_of_the_machine_times_nobody_out_after_it_is_corrected(alice, bob, now):
    game = in_turns(alice, bob, clock="move 1h")
    now.shift(A_DAY)
    assert timeouts.sweep_overdue(timezone.now()) == 1
    now.shift(-A_DAY)
    assert timeouts.sweep_overdue(timezone.now()) == 0
    play_turns(game, 1)
    (due,) = [seat for seat in seats_of(game) if seat.owes]
    assert due.deadline - timezone.now() == timedelta(hours=1) == timing.left(due, game.parsed_clock, timezone.now())
    now.shift(timedelta(hours=1))
    assert (timeouts.sweep_overdue(timezone.now()), timeouts.sweep_overdue(timezone.now())) == (1, 0)
