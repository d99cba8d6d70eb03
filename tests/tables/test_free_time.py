"""No action gives a player free time to think: each trick that once worked, and random sequences of actions."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from accounts.models import User
from games.clocks import vacations
from games.clocks.nights import nights_after, weekends_after
from games.clocks.zones import zone
from games.errors import GameError
from games.tables.models import Game, Handover, Seat, Vacation
from games.tables.models.absence import HandoverReason
from games.tables.services import (
    bots,
    handover,
    people,
    time_off,
    timeouts,
    undo_requests,
)
from games.tables.services import (
    deadlines as timing,
)
from games.tables.services import (
    interventions as intervene,
)
from tests.cast import again, bid, in_turns, person, play_turns, seats_of, submit, table_of

pytestmark = pytest.mark.django_db
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def first(game: Game) -> Seat:
    return seats_of(game)[0]


def away_and_back(game: Game, owner: User) -> None:
    handover.hand_to_bot(seat=first(game), user=owner)
    handover.come_back(seat=first(game), user=owner)


def turns(user: User) -> str:
    return User.objects.get(pk=user.pk).punctuality


# The tricks


def test_a_canceled_vacation_moves_no_deadline_even_after_a_hand_over(alice, bob, monday):
    game = in_turns(alice, bob, clock="move 1d")
    for _turn in range(3):
        due, today = first(game).deadline, timezone.now().date()
        announced = time_off.announce(user=alice, first=today + DAY, last=today + 28 * DAY)
        away_and_back(game, alice)
        assert first(game).deadline > due + 27 * DAY, "the vacation counts until it is canceled"
        time_off.cancel(user=alice, vacation=announced.pk)
        assert first(game).deadline == due
        monday.shift(HOUR)
        play_turns(game, 2)
    assert vacations.days_left([row.plain for row in Vacation.objects.all()], 2027) == vacations.DAYS_A_YEAR


def test_a_bank_drains_while_the_clock_runs_even_after_a_hand_over_before_a_night(alice, bob, monday):
    time_off.set_night(user=alice, zone="UTC", window="20:00-06:00")
    game = in_turns(alice, bob, clock="bank 4d +1h cap 5d")
    bank = first(game).bank
    away_and_back(game, alice)
    monday.shift(2 * DAY)
    assert timing.left(first(game), game.parsed_clock, timezone.now()) == bank - 28 * HOUR
    play_turns(game, 1)
    assert first(game).bank == bank - 27 * HOUR


def test_a_hand_over_does_not_reset_the_count_of_late_turns(alice, bob, monday):
    game = in_turns(alice, bob, clock="move 1d")
    for _late in range(2):
        assert first(game).user == alice
        monday.shift(DAY)
        timeouts.sweep_overdue(timezone.now())
        if first(game).user:
            away_and_back(game, alice)
        play_turns(game, 1)
    assert (first(game).user, first(game).bot) == (None, "medium")
    assert Handover.objects.latest("pk").why == HandoverReason.TIME


def test_a_turn_left_to_a_bot_while_the_clock_runs_counts_as_late_once(alice, bob, monday):
    game = in_turns(alice, bob, clock="move 1d")
    before = turns(alice)
    monday.shift(23 * HOUR)
    away_and_back(game, alice)
    handover.hand_to_bot(seat=first(game), user=alice)
    bots.sweep_bots()
    assert (turns(alice), first(game).time_outs) == (before + "0", 1)
    play_turns(game, 1)
    bots.sweep_bots()
    assert turns(alice) == before + "0", "the bot's next turn was never due for Alice"


def test_an_owner_who_comes_back_and_plays_in_time_is_on_time(alice, bob, monday):
    game = in_turns(alice, bob, clock="move 1d")
    before = turns(alice)
    away_and_back(game, alice)
    play_turns(game, 1)
    assert (turns(alice), first(game).time_outs) == (before + "1", 0)


@pytest.mark.parametrize("comes_back", [True, False])
def test_a_time_out_after_a_last_minute_hand_over_counts_for_the_owner(alice, bob, carol, monday, comes_back):
    game = in_turns(alice, bob, clock="move 1d")
    before = turns(alice)
    monday.shift(23 * HOUR)
    handover.ask(seat=first(game), user=alice, name="Carol")
    handover.accept(seat=first(game), user=carol)
    if comes_back:
        handover.come_back(seat=first(game), user=alice)
    monday.shift(HOUR)
    assert timeouts.sweep_overdue(timezone.now()) == 1
    assert (turns(alice), turns(carol)) == (before + "0", "" if comes_back else "0")
    assert first(game).time_outs == 1


def test_a_turn_of_a_substitute_in_time_counts_for_the_substitute_alone(alice, bob, carol, monday):
    game = in_turns(alice, bob, clock="move 1d")
    before = turns(alice)
    handover.ask(seat=first(game), user=alice, name="Carol")
    handover.accept(seat=first(game), user=carol)
    play_turns(game, 1)
    assert (turns(alice), turns(carol)) == (before, "1")


def test_two_people_with_different_nights_cannot_stop_a_clock_all_day(alice, bob, carol, monday):
    time_off.set_night(user=alice, zone="UTC", window="20:00-06:00")
    time_off.set_night(user=carol, zone="UTC", window="08:00-18:00")
    game = in_turns(alice, bob, clock="move 2d")
    due = first(game).deadline
    handover.ask(seat=first(game), user=alice, name="Carol")
    handover.accept(seat=first(game), user=carol)
    monday.shift(10 * HOUR)
    time_off.announce(user=carol, first=date(2027, 3, 1), last=date(2027, 3, 9))
    handover.come_back(seat=first(game), user=alice)
    assert first(game).deadline == due


def test_a_vacation_stops_no_clock_while_someone_else_plays(alice, bob, monday):
    game = in_turns(alice, bob, clock="move 2d")
    due = first(game).deadline
    handover.hand_to_bot(seat=first(game), user=alice)
    time_off.announce(user=alice, first=date(2027, 3, 1), last=date(2027, 3, 3))
    assert first(game).deadline == due
    monday.shift(6 * HOUR)
    handover.come_back(seat=first(game), user=alice)
    assert first(game).deadline == datetime(2027, 3, 4, tzinfo=UTC) + 42 * HOUR, "it does once Alice is back"


def test_undo_gives_no_time_and_is_impossible_after_time_is_up(alice, bob, monday):
    game = bid(table_of(alice, bob, clock="move 1d"), 1, 0)
    monday.shift(2 * HOUR)
    submit(game, 0, "first 1")
    monday.shift(6 * HOUR)
    time_off.set_night(user=alice, zone="UTC", window="08:00-16:00")
    monday.shift(2 * HOUR)
    with transaction.atomic():
        undo_requests.ask(game=game, seat=0, expected_seq=again(game).seq)
        assert timing.left(first(game), game.parsed_clock, timezone.now()) == 14 * HOUR
        transaction.set_rollback(True)
    monday.shift(22 * HOUR)
    with pytest.raises(GameError, match="You can’t undo this turn, because its time has since run out"):
        undo_requests.ask(game=game, seat=0, expected_seq=again(game).seq)


def test_a_guest_who_signs_in_gets_no_time_back_for_nights_of_the_account(alice, bob, monday):
    time_off.set_night(user=alice, zone="UTC", window="08:00-16:00")
    guest = person("Guest", is_guest=True)
    game = in_turns(guest, bob, clock="move 1d")
    monday.shift(8 * HOUR)
    assert people.move_seats(giver=guest, taker=alice).seats == 1
    assert (first(game).owner, first(game).user, first(game).name) == (alice, alice, "Alice")
    assert timing.left(first(game), game.parsed_clock, timezone.now()) == 16 * HOUR
    assert first(game).deadline == timezone.now() + 16 * HOUR


# Limits


def test_s11_hand_overs_of_a_seat_are_limited_but_a_substitute_may_always_stop(alice, bob, carol, monday):
    game = in_turns(alice, bob)
    for _time in range(handover.MOST_A_GAME - 1):
        away_and_back(game, alice)
    handover.ask(seat=first(game), user=alice, name="Carol")
    handover.accept(seat=first(game), user=carol)
    handover.hand_to_bot(seat=first(game), user=carol)
    handover.come_back(seat=first(game), user=alice)
    sentence = "This seat has been handed over 20 times in this game, which is the limit."
    with pytest.raises(GameError, match=sentence):
        handover.hand_to_bot(seat=first(game), user=alice)
    with pytest.raises(GameError, match=sentence):
        handover.ask(seat=first(game), user=alice, name="Carol")


def test_s11_hand_overs_of_a_person_are_limited_for_each_day(alice, bob, carol, monday, monkeypatch):
    monkeypatch.setattr(handover, "MOST_A_DAY", 3)
    games = [in_turns(alice, bob) for _game in range(2)]
    handover.ask(seat=first(games[1]), user=alice, name="Carol")
    for _time in range(3):
        away_and_back(games[0], alice)
    sentence = "Alice has handed over seats 3 times in one day. Try again tomorrow."
    with pytest.raises(GameError, match=sentence):
        handover.hand_to_bot(seat=first(games[1]), user=alice)
    with pytest.raises(GameError, match=sentence):
        handover.accept(seat=first(games[1]), user=carol)
    monday.shift(DAY)
    handover.hand_to_bot(seat=first(games[1]), user=alice)


# Random sequences of actions

SLOT = timedelta(minutes=30)
START = datetime(2027, 3, 1, 8, tzinfo=UTC)
ZONES = ["UTC", "Asia/Tokyo", "Asia/Kolkata", "America/Bogota", "Pacific/Kiritimati"]  # without daylight saving
CLOCKS = ["move 1d", "move 3d weekends-off", "bank 2d +12h cap 4d"]
actions = st.lists(
    st.tuples(
        st.sampled_from([
            "night", "night of Carol", "announce", "announce", "announce of Carol", "cancel", "to bot", "to bot",
            "to Carol", "back", "back", "move", "undo", "give", "replace",
        ]),
        st.sampled_from([0, 1, 5, 20, 47]),
        st.integers(0, 99),
    ),
    min_size=5, max_size=16,
)  # fmt: skip


class Player:
    """Alice, who must choose the first player, with actions that might bend her clock.

    `ran` is the time that her clock should have counted, `given` what it began with and what staff added.
    """

    def __init__(self, game: Game, travel: time_machine.Traveller) -> None:
        self.game, self.travel = game, travel
        self.has_moved = False
        self.given, self.ran = self.seat.time_left, timedelta()
        self.slept: list[bool] = []
        self.days_off: set[tuple[str, date]] = set()

    @property
    def seat(self) -> Seat:
        return Seat.objects.select_related("user", "owner", "game").get(game=self.game, number=0)

    @property
    def left(self) -> timedelta:
        """The time that the site says is left for the decision, or would be left after an undo."""
        return self.left_of(self.seat)

    def left_of(self, seat: Seat) -> timedelta:
        read = timing.still_kept if self.has_moved else timing.left
        return read(seat, self.game.parsed_clock, timezone.now())

    def wait(self, slots: int) -> None:
        """Let time pass. Count the slots in which the clock must run, until time is up."""
        seat = self.seat
        rows = list(Vacation.objects.filter(user=seat.owner)) if seat.user_id == seat.owner_id else []
        for _slot in range(slots):
            now = timezone.now()
            sleeps = next(nights_after(seat.owner.nights, now), None)
            off = self.game.parsed_clock.weekends_off and next(weekends_after(seat.owner.nights, now)).begins <= now
            away = {(row.zone, self.day(row, now)) for row in rows if self.is_away(row, now)}
            is_night = sleeps is not None and sleeps.begins <= now
            self.slept.append(is_night and self.ran < self.given)
            if self.ran < self.given:
                self.days_off |= away if not (is_night or off) else set()
                self.ran += SLOT * (not (is_night or off or away))
            self.travel.shift(SLOT)

    def day(self, row: Vacation, now: datetime) -> date:
        return timezone.localtime(now, zone(row.zone)).date()

    def is_away(self, row: Vacation, now: datetime) -> bool:
        is_on = row.announced <= now and (row.cancelled is None or now < row.cancelled)
        return is_on and row.first <= self.day(row, now) <= row.last

    def do(self, action: str, n: int, carol: User, dan: User) -> None:
        """Do the action if it is allowed. A refused action changes nothing."""
        seat, seq = self.seat, again(self.game).seq
        owner = carol if action.endswith("of Carol") else seat.owner
        begins = timezone.localdate(timezone.now(), owner.zone) + n // 2 % 2 * DAY
        done: dict[str, Callable[[], object]] = {
            "night": lambda: time_off.set_night(user=owner, zone=ZONES[n % 5], window=window(n)),
            "announce": lambda: time_off.announce(user=owner, first=begins, last=begins + n % 7 * DAY),
            "cancel": lambda: time_off.cancel(user=owner, vacation=key_of_one(Vacation.objects.filter(user=owner), n)),
            "to bot": lambda: handover.hand_to_bot(seat=seat, user=seat.user or carol),
            "to Carol": lambda: self.to(carol),
            "back": lambda: handover.come_back(seat=seat, user=owner),
            "move": self.move,
            "undo": lambda: self.undo(seq),
            "give": lambda: self.give(n % 9 + 1, seq),
            "replace": lambda: self.replace(dan),
        }
        try:
            with transaction.atomic():
                done[action.removesuffix(" of Carol")]()
        except GameError:
            pass

    def to(self, substitute: User) -> None:
        handover.ask(seat=self.seat, user=self.seat.owner, name=substitute.username)
        handover.accept(seat=self.seat, user=substitute)

    def move(self) -> None:
        """Decide. This loses what is left of the time that staff added."""
        if self.ran < self.given and not self.has_moved:
            self.given = self.ran + min(self.left, self.seat.bank)
            submit(self.game, 0, "first 1")
            self.has_moved = True

    def undo(self, seq: int) -> None:
        undo_requests.ask(game=self.game, seat=0, expected_seq=seq)
        self.has_moved = False

    def give(self, hours: int, seq: int) -> None:
        intervene.give_time(game=self.game, seat=0, hours=hours, reason="The mail was down.", expected_seq=seq, by=None)
        self.given += hours * HOUR

    def replace(self, newcomer: User) -> None:
        """Give the seat to someone else, who gets the time that was left or a full turn."""
        before, full = self.left, max(self.seat.bank, self.game.parsed_clock.at_start)
        handover.transfer(seat=self.seat, to=newcomer)
        assert self.left <= max(before, full)
        self.given = self.ran + self.left

    def check(self) -> None:
        seat = self.seat
        assert self.left_of(seat) == max(self.given - self.ran, timedelta())
        assert seat.deadline is None or seat.deadline == timing.runs_out_at(seat, self.game.parsed_clock)

    def check_rest(self) -> None:
        """Check that nights take at most ten of any 24 hours, and that each day off used a day of vacation."""
        assert all(sum(self.slept[at : at + 48]) <= 20 for at in range(len(self.slept)))
        rows = Vacation.objects.all()
        assert self.days_off <= {(row.zone, day) for row in rows for day, _span in vacations.pauses_by_day(row.plain)}


def window(n: int) -> str:
    """Return a night of up to ten hours, or sometimes none."""
    begins = n % 24
    return f"{begins:02}:00-{(begins + n % 10 + 1) % 24:02}:30" if n % 11 < 10 and n % 10 < 9 else ""


def key_of_one(rows: object, n: int) -> int:
    """Return the primary key of one of the rows, chosen by `n`, or 0 if there are none."""
    keys = list(rows.order_by("pk").values_list("pk", flat=True))  # type: ignore[attr-defined]
    return keys[n % len(keys)] if keys else 0


def no_sequence_gives_time(examples: int, alice: User, bob: User, carol: User, dan: User) -> None:
    @settings(max_examples=examples, phases=[Phase.generate])
    @given(st.sampled_from(range(len(CLOCKS))), actions)
    def play(which: int, chosen: list[tuple[str, int, int]]) -> None:
        with time_machine.travel(START, tick=False) as travel, transaction.atomic():
            player = Player(games[which], travel)
            for action, slots, n in chosen:
                player.wait(slots)
                player.check()
                player.do(action, n, carol, dan)
                player.check()
            player.wait(3 * 48)
            player.check()
            player.check_rest()
            transaction.set_rollback(True)

    with time_machine.travel(START, tick=False):
        games = [bid(table_of(alice, bob, clock=text), 1, 0) for text in CLOCKS]
    play()


@pytest.mark.long
def test_no_sequence_of_actions_gives_time_to_think(alice, bob, carol, dan):
    no_sequence_gives_time(10, alice, bob, carol, dan)


@pytest.mark.long
def test_no_sequence_of_actions_gives_time_to_think_at_length(alice, bob, carol, dan):
    no_sequence_gives_time(1500, alice, bob, carol, dan)
