"""Clocks with banks and increments, clocks of replies, and time off of the players."""

from datetime import date, timedelta

import pytest
import time_machine
from django.utils import timezone

from games.errors import Illegal, TableError
from games.notices.models import Notice
from games.tables.models import Seat
from games.tables.selectors.table import table
from games.tables.services import deadlines as timing
from games.tables.services import play, time_off, timeouts
from games.tables.services.lobby import open_table
from tests.cast import again, in_turns, seats_of, some_turn, submit, table_of
from tests.rules.kingdoms.positions import position
from tests.tables.kingdoms import ASK, do, kingdoms, put

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def monday():
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as traveller:
        yield traveller


def left(game, seat: int) -> timedelta | None:
    deadline = seats_of(game)[seat].deadline
    return deadline and deadline - timezone.now()


def take(game) -> None:
    seat, actions = some_turn(game)
    submit(game, seat, *actions)


def test_a_turn_uses_the_bank_and_earns_the_increment_up_to_the_cap(alice, bob, monday):
    game = in_turns(alice, bob, clock="bank 2d +12h cap 3d")
    assert left(game, 0) == 60 * HOUR, "an immediate bid earns an increment"
    monday.shift(50 * HOUR)
    take(game)
    assert left(game, 1) == 72 * HOUR, "two immediate decisions earn no more than the cap"
    assert seats_of(game)[0].bank == 22 * HOUR
    take(game)
    assert left(game, 0) == 22 * HOUR


def test_the_bank_has_an_increment_after_a_time_out(alice, bob, monday):
    game = in_turns(alice, bob, clock="bank 2d +3h cap 2d")
    monday.shift(49 * HOUR)
    assert timeouts.sweep_overdue(timezone.now()) == 1
    assert seats_of(game)[0].bank == 3 * HOUR


def test_replies_do_not_use_the_bank(alice, bob, carol, monday):
    game = kingdoms(alice, bob, carol, orders=ASK, clock="bank 10h +1h cap 10h", reply_hours=48)
    put(game, position(hands={0: "A8 C9 A4", 1: "A7 A4", 2: "A5"}, rulers="- 2 -", towers={1: "E"}))
    do(game, 0, "attack 1 with A8")
    assert left(game, 2) == 10 * HOUR, "a reply never has more time than a turn has at the start"
    monday.shift(5 * HOUR)
    do(game, 2, "protect leave")
    assert seats_of(game)[2].bank == 10 * HOUR


def test_the_clock_of_a_bidder_stops_at_their_first_bid(alice, bob, monday):
    game = table_of(alice, bob, clock="bank 1d +1h cap 2d")
    monday.shift(2 * HOUR)
    submit(game, 0, "bid 1")
    monday.shift(9 * HOUR)
    submit(game, 0, "bid 2")
    submit(game, 1, "bid 0")
    assert [seat.bank for seat in seats_of(game)] == [23 * HOUR, 14 * HOUR]


def test_the_deadline_shown_to_others_does_not_reveal_who_has_bid(alice, bob, monday):
    time_off.set_night(user=bob, zone="UTC", window="22:00-06:00")
    game = table_of(alice, bob, clock="move 24h")
    before = [table(public_id=game.public_id, user=None).deadline, table(public_id=game.public_id, user=alice).deadline]
    assert before == [timezone.now() + 32 * HOUR, timezone.now() + 24 * HOUR]
    submit(game, 1, "bid 0")
    after = [table(public_id=game.public_id, user=None).deadline, table(public_id=game.public_id, user=alice).deadline]
    assert after == before and table(public_id=game.public_id, user=bob).deadline == before[0]


def test_a_clock_stops_only_during_the_night_of_its_own_player(alice, bob, monday):
    time_off.set_night(user=alice, zone="Europe/Berlin", window="22:00-06:00")
    game = in_turns(alice, bob, clock="move 24h")
    assert left(game, 0) == 32 * HOUR
    take(game)
    assert left(game, 1) == 24 * HOUR


def test_weekends_do_not_count_at_a_table_with_weekends_off(alice, bob, monday):
    game = in_turns(alice, bob, clock="move 5d weekends-off")
    assert left(game, 0) == 7 * 24 * HOUR


def test_the_reminder_counts_only_time_outside_the_night(alice, bob, monday):
    time_off.set_night(user=alice, zone="UTC", window="10:00-20:00")
    in_turns(alice, bob, clock="move 10h")
    assert Notice.objects.filter(kind="time").latest("pk").due_at == timezone.now() + 18 * HOUR


def test_a_night_set_while_a_clock_runs_counts_from_then_on(alice, bob, monday):
    game = in_turns(alice, bob, clock="move 10h")
    monday.shift(4 * HOUR)
    time_off.set_night(user=alice, zone="UTC", window="12:30-20:30")
    assert left(game, 0) == 14 * HOUR
    reminder = Notice.objects.filter(kind="time", user=alice, seq=again(game).seq).get()
    assert reminder.due_at == timezone.now() + timedelta(hours=8 + 4.8)
    monday.shift(10 * HOUR)
    time_off.set_night(user=alice, zone="UTC", window="")
    assert left(game, 0) == 4 * HOUR, "past hours of the night stay free"


def test_changing_the_night_every_hour_gives_no_second_night(alice, bob, monday):
    game = in_turns(alice, bob, clock="move 24h")
    for hour in range(9, 33):
        at = f"{hour % 24:02}:00-{(hour + 10) % 24:02}:00"
        time_off.set_night(user=alice, zone="UTC", window=at)
        monday.shift(HOUR)
    seat = Seat.objects.select_related("user").get(game=game, number=0)
    assert timing.left(seat, game.parsed_clock, timezone.now()) <= 10 * HOUR, "at least 14 of 24 hours have counted"


def test_the_night_moves_with_the_time_zone(alice, bob, monday):
    time_off.set_night(user=alice, zone="UTC", window="22:00-06:00")
    game = in_turns(alice, bob, clock="move 24h")
    assert left(game, 0) == 32 * HOUR
    time_off.move(user=alice, zone="Asia/Tokyo")
    alice.refresh_from_db()
    assert alice.time_zone == "Asia/Tokyo"
    assert left(game, 0) == 25 * HOUR, "not at 13:00, when night falls in Tokyo, but 14 hours after the last night"


def test_a_vacation_stops_the_clock_until_it_is_over_or_canceled(alice, bob, monday):
    game = in_turns(alice, bob, clock="move 24h")
    vacation = time_off.announce(user=alice, first=date(2027, 3, 2), last=date(2027, 3, 4))
    assert left(game, 0) == 4 * 24 * HOUR
    monday.shift(36 * HOUR)
    time_off.cancel(user=alice, vacation=vacation.pk)
    assert left(game, 0) == 8 * HOUR
    assert time_off.cancel(user=alice, vacation=vacation.pk).cancelled == timezone.now()
    take(game)
    take(game)
    assert left(game, 0) == 24 * HOUR


def test_a_vacation_does_not_save_a_clock_that_has_run_out(alice, bob, monday):
    game = in_turns(alice, bob, clock="move 1h")
    monday.shift(2 * HOUR)
    time_off.announce(user=alice, first=date(2027, 3, 1), last=date(2027, 3, 9))
    assert timeouts.sweep_overdue(timezone.now()) == 1
    assert again(game).seq == game.seq + 1


def test_a_vacation_updates_the_pages_of_a_players_tables(alice, bob, monday):
    game = in_turns(bob, alice)
    time_off.announce(user=alice, first=date(2027, 3, 2), last=date(2027, 3, 4))
    assert again(game).version == game.version + 1


def test_a_new_night_does_not_reveal_who_owes_a_bid(alice, bob, monday):
    game = table_of(alice, bob)
    time_off.set_night(user=alice, zone="UTC", window="22:00-06:00")
    assert again(game).version == game.version


@pytest.mark.parametrize(
    ("zone", "window", "sentence"),
    [
        ("Mars/Olympus", "22:00-06:00", "There is no time zone “Mars/Olympus”."),
        ("../../etc/passwd", "", "There is no time zone “../../etc/passwd”."),
        ("UTC", "22:00-10:00", "A night can last at most 10 hours."),
        ("UTC", "22:00-22:00", "A night can’t begin and end at the same time."),
        ("UTC", "25:00-06:00", "“25:00-06:00” isn’t a valid night. Write, for example, “23:00-07:00”."),
        ("UTC", "always", "“always” isn’t a valid night. Write, for example, “23:00-07:00”."),
    ],
)
def test_an_invalid_night_is_refused_with_a_sentence(alice, zone, window, sentence):
    with pytest.raises(Illegal) as refusal:
        time_off.set_night(user=alice, zone=zone, window=window)
    alice.refresh_from_db()
    assert (str(refusal.value), alice.night, alice.time_zone) == (sentence, {}, "UTC")


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        (date(2027, 2, 28), date(2027, 3, 2), "A vacation can’t begin in the past. Choose today or a later day."),
        (date(2027, 3, 5), date(2027, 3, 4), "This vacation ends before it begins. Check the dates."),
        (date(2027, 3, 5), date(2027, 4, 4), "Not enough vacation days in 2027: this takes 31, and you have 28 left."),
        (date(2029, 3, 5), date(2029, 3, 6), "A vacation can’t go past the end of 2028. Choose an earlier last day."),
    ],
)
def test_an_invalid_vacation_is_refused_with_a_sentence(alice, monday, first, last, sentence):
    with pytest.raises(Illegal) as refusal:
        time_off.announce(user=alice, first=first, last=last)
    assert str(refusal.value) == sentence and not alice.vacations.exists()


def test_nobody_can_cancel_the_vacation_of_another_player(alice, bob, monday):
    vacation = time_off.announce(user=alice, first=date(2027, 3, 2), last=date(2027, 3, 4))
    with pytest.raises(play.GameError, match="This vacation no longer exists"):
        time_off.cancel(user=bob, vacation=vacation.pk)


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({"clock": "soon"}, "“soon” isn’t a valid clock. Write, for example, “move 2d” or “bank 5d +12h cap 7d”."),
        ({"clock": "move 31d"}, "Each time limit of a clock must be at least 1 hour and at most 30 days."),
        ({"clock": "bank 5d +1h cap 4d"}, "The cap can’t be lower than the time each player starts with."),
        (
            {"clock": "move 2d\n"},
            "“move 2d\n” isn’t a valid clock. Write, for example, “move 2d” or “bank 5d +12h cap 7d”.",
        ),
        ({"time_out": "never"}, "Choose what happens when a player runs out of time."),
        ({"reliability": 101}, "Enter a percentage of turns on time between 0 and 100."),
        ({"reliability": -1}, "Enter a percentage of turns on time between 0 and 100."),
    ],
)
def test_an_invalid_table_is_refused_with_a_sentence(alice, wish, sentence):
    with pytest.raises((Illegal, TableError)) as refusal:
        open_table(user=alice, **wish)
    assert str(refusal.value) == sentence
