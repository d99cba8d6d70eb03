"""Clocks: when a player runs out of time, a bot plays that turn and the log says so."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.notices.models import Notice
from games.tables.models import Entry, Game, Seat
from games.tables.selectors.table import table
from games.tables.services import timeouts
from tests.cast import again, in_turns, play_out, seats_of, some_turn, state_of, submit, table_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def start():
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as traveller:
        yield traveller


def test_a_seat_that_must_act_has_the_time_of_the_table(alice, bob, start):
    game = in_turns(alice, bob, clock="move 24h")
    assert [seat.deadline for seat in seats_of(game)] == [timezone.now() + timedelta(hours=24), None]


def test_the_clock_starts_again_with_each_turn(alice, bob, start):
    game = in_turns(alice, bob, clock="move 24h")
    start.shift(timedelta(hours=20))
    seat, actions = some_turn(game)
    submit(game, seat, *actions)
    assert [seat.deadline for seat in seats_of(game)] == [None, timezone.now() + timedelta(hours=24)]


def test_a_bot_plays_the_turn_after_a_time_out_and_the_log_says_so(alice, bob, start):
    game = in_turns(alice, bob, clock="move 24h")
    start.shift(timedelta(hours=24))
    assert timeouts.sweep_overdue(timezone.now()) == 1
    last = Entry.objects.filter(game=game).last()
    assert (last.seat, last.by) == (0, "clock")
    assert table(public_id=game.public_id, user=bob).log[-1].by == "clock"
    assert state_of(game).turn == 1


def test_nothing_happens_before_the_deadline(alice, bob, start):
    in_turns(alice, bob, clock="move 24h")
    start.shift(timedelta(hours=23, minutes=59))
    assert timeouts.sweep_overdue(timezone.now()) == 0


def test_a_second_sweep_does_nothing(alice, bob, start):
    game = in_turns(alice, bob, clock="move 24h")
    start.shift(timedelta(hours=24))
    now = timezone.now()
    assert [timeouts.sweep_overdue(now), timeouts.sweep_overdue(now)] == [1, 0]
    assert again(game).seq == game.seq + 1


def test_a_turn_submitted_just_before_the_time_out_counts(alice, bob, start):
    game = in_turns(alice, bob, clock="move 24h")
    late = seats_of(game)[0]
    start.shift(timedelta(hours=25))
    seat, actions = some_turn(game)
    submit(game, seat, *actions)
    assert not timeouts.time_out(seat=late, now=timezone.now())
    assert again(game).seq == game.seq + 1


def test_a_submitted_bid_counts_when_the_clock_bids_for_the_others(alice, bob, start):
    game = table_of(alice, bob, clock="move 24h")
    submit(game, 0, "bid 7")
    start.shift(timedelta(hours=24))
    assert timeouts.sweep_overdue(timezone.now()) == 1
    assert state_of(game).bids[0] == 7
    assert list(Entry.objects.filter(game=game, seq__gt=0).values_list("seat", "by")) == [(0, "seat"), (1, "clock")]


def test_the_log_tells_a_player_that_a_bot_played_their_turn(alice, bob, start):
    game = in_turns(alice, bob, clock="move 24h")
    start.shift(timedelta(hours=24))
    Notice.objects.all().delete()
    timeouts.sweep_overdue(timezone.now())
    assert list(Notice.objects.filter(kind="turn").values_list("seat__user", flat=True)) == [bob.pk]
    news = [line for line in table(public_id=game.public_id, user=alice).log if line.new]
    assert news[-1].by == "clock"


def test_the_reminder_is_due_after_four_fifths_of_the_time(alice, bob, start):
    in_turns(alice, bob, clock="move 10h")
    reminder = Notice.objects.filter(kind="time").latest("pk")
    assert reminder.due_at == timezone.now() + timedelta(hours=8)


@pytest.mark.long
def test_absent_players_never_stop_a_game(alice, bob, start):
    game = table_of(alice, bob, clock="move 1h")
    for _hour in range(40):
        start.shift(timedelta(hours=1))
        timeouts.sweep_overdue(timezone.now())
    assert again(game).is_finished


def test_the_clocks_of_finished_games_do_not_run(alice, bob, start):
    game = play_out(in_turns(alice, bob))
    start.shift(timedelta(days=99))
    assert timeouts.sweep_overdue(timezone.now()) == 0
    assert not Seat.objects.filter(game=game, owes=True).exists()


def test_one_broken_table_does_not_stop_the_clocks_of_others(alice, bob, start, caplog):
    broken = in_turns(alice, bob, clock="move 24h")
    Game.objects.filter(pk=broken.pk).update(ruleset="lost")
    game = in_turns(alice, bob, clock="move 24h")
    start.shift(timedelta(hours=24))
    assert timeouts.sweep_overdue(timezone.now()) == 1
    assert again(game).seq == game.seq + 1
    assert "Cannot time out seat" in caplog.text
