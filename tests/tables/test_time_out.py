"""Time outs: what the table does, and the reliability of players who were late."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from games.errors import TableError
from games.notices.models import Notice
from games.tables.models import Entry, Handover, Seat
from games.tables.services import bots, handover, lobby, time_off, timeouts
from tests.cast import again, in_turns, person, play_turns, seats_of, some_turn, state_of, submit, table_of
from tests.tables.kingdoms import kingdoms

pytestmark = pytest.mark.django_db


@pytest.fixture
def morning():
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as traveller:
        yield traveller


def pass_time(morning, hours: float = 24) -> int:
    """Let time pass, time out the late seats and let bots play. Return the number of time outs."""
    morning.shift(timedelta(hours=hours))
    late = timeouts.sweep_overdue(timezone.now())
    bots.sweep_bots()
    return late


def turns(user: User) -> str:
    return User.objects.get(pk=user.pk).punctuality


def by(game, seat: int) -> list[str]:
    return list(Entry.objects.filter(game=game, seat=seat, seq__gt=3).order_by("seq").values_list("by", flat=True))


def test_s7_a_bot_plays_one_late_turn_and_takes_the_seat_after_a_second_in_a_row(alice, bob, morning):
    game = in_turns(alice, bob, clock="move 1d")
    pass_time(morning)
    assert seats_of(game)[0].user == alice
    play_turns(game, 1)
    pass_time(morning)
    seat = seats_of(game)[0]
    assert (seat.user, seat.owner, seat.bot, seat.name) == (None, alice, "medium", "Alice")
    assert list(Handover.objects.values_list("seat", "why", "bot")) == [(seat.pk, "time", "medium")]
    play_turns(game, 1)
    bots.sweep_bots()
    assert by(game, 0) == ["clock", "clock", "stand-in"]
    assert Notice.objects.filter(kind="away", user=alice).count() == 1


def test_a_late_turn_counts_if_it_is_quicker_than_the_site(alice, bob, morning):
    game = in_turns(alice, bob, clock="move 1d")
    morning.shift(timedelta(hours=24, seconds=10))
    play_turns(game, 1)
    assert timeouts.sweep_overdue(timezone.now()) == 0
    assert by(game, 0) == ["seat"] and "0" not in turns(alice)


def test_a_player_who_is_on_time_between_two_time_outs_keeps_the_seat(alice, bob, morning):
    game = in_turns(alice, bob, clock="move 1d")
    for _round in range(2):
        pass_time(morning)
        play_turns(game, 3)
        assert state_of(game).turn == 0
    assert (seats_of(game)[0].user, seats_of(game)[0].time_outs) == (alice, 0)


def test_a_bot_takes_the_seat_after_one_time_out_if_the_table_says_so(alice, bob, morning):
    game = in_turns(alice, bob, clock="move 1d", time_out="seat")
    pass_time(morning)
    seat = seats_of(game)[0]
    assert (seat.user, seat.bot) == (None, "medium")
    handover.come_back(seat=seat, user=alice)
    seat = seats_of(game)[0]
    assert (seat.user, seat.bot, seat.time_outs) == (alice, "", 1)


def test_a_bot_finishes_for_a_player_who_resigned_by_a_time_out(alice, bob, morning):
    game = in_turns(alice, bob, clock="move 1d", time_out="out")
    pass_time(morning)
    with pytest.raises(handover.GameError, match="You have resigned"):
        handover.come_back(seat=seats_of(game)[0], user=alice)
    notice = Notice.objects.get(kind="away")
    assert notice.title == "You ran out of time" and "you resign" in notice.lead
    while not again(game).is_finished:
        seat, actions = some_turn(game)
        submit(game, seat, *actions) if seat else bots.sweep_bots()
    assert seats_of(game)[0].owner == alice and seats_of(game)[0].place


def test_a_late_bidder_loses_the_seat_only_when_the_bids_are_revealed(alice, bob, carol, morning):
    game = table_of(alice, bob, carol, clock="move 1d", time_out="seat")
    time_off.set_night(user=bob, zone="UTC", window="22:00-06:00")
    before = again(game).version
    pass_time(morning)
    assert [seat.user for seat in seats_of(game)] == [alice, bob, carol] and turns(alice) == ""
    assert again(game).version == before
    pass_time(morning)
    assert [seat.user for seat in seats_of(game)] == [None, None, None]
    assert [turns(user) for user in (alice, bob, carol)] == ["0"] * 3


def test_s7_a_late_turn_of_kingdoms_with_many_steps_is_one_time_out(alice, bob, morning):
    game = kingdoms(alice, bob, clock="move 1d")
    late = next(seat for seat in seats_of(game) if seat.owes)
    pass_time(morning)
    assert Entry.objects.filter(game=game, by="late").count() > 1
    assert Seat.objects.get(pk=late.pk).time_outs == 1 and turns(late.owner) == "0"


def test_a_clock_does_not_run_out_during_a_night_that_was_just_set(alice, bob, morning):
    """This happens if the night is stored while a turn is submitted that has read the old one."""
    game = in_turns(alice, bob, clock="move 1d")
    User.objects.filter(pk=alice.pk).update(night={"window": {"begins": "10:00:00", "ends": "18:00:00"}})
    assert pass_time(morning) == 0
    assert seats_of(game)[0].deadline == timezone.now() + timedelta(hours=16)
    assert pass_time(morning, 16) == 1


def test_one_sweep_times_out_any_number_of_seats(alice, bob, morning, monkeypatch):
    monkeypatch.setattr(timeouts, "BATCH", 2)
    games = [in_turns(alice, bob, clock="move 1d") for _n in range(5)]
    assert pass_time(morning) == 5
    assert all(again(game).seq == game.seq + 1 for game in games)


# Reliability


def test_s8_turns_in_time_and_time_outs_count_but_turns_of_bots_do_not(alice, bob, morning):
    game = in_turns(alice, bob, clock="move 1d", time_out="seat")
    assert (turns(alice), turns(bob)) == ("1", "11")
    pass_time(morning)
    assert turns(alice) == "10"
    play_turns(game, 1)
    bots.sweep_bots()
    assert turns(alice) == "10"
    assert str(User.objects.get(pk=alice.pk).reliability.percent) == "50"


def test_the_last_100_turns_count(alice, bob):
    User.objects.filter(pk=alice.pk).update(punctuality="0" + "1" * 99)
    in_turns(alice, bob)
    assert turns(alice) == "1" * 100


def test_a_table_can_require_reliable_players(alice, bob, carol):
    game = lobby.open_table(user=alice, players=3, listed=True, reliability=90)
    bob.punctuality = "0" * 2 + "1" * 8
    with pytest.raises(TableError) as refusal:
        lobby.join_table(game=game, user=bob)
    assert str(refusal.value) == "This table requires 90% of turns on time. Bob has 80%."
    carol.punctuality = "0" * 9
    lobby.join_table(game=game, user=carol)
    reliable = person("Dora")
    reliable.punctuality = "0" + "1" * 9
    assert lobby.join_table(game=game, user=reliable).is_running
