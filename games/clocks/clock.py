"""The clock of a game: the bank of time each seat starts with, what a turn adds, and the cap.

A fixed time per turn is a bank that every turn refills: all three times are the same. So there is only one kind of
clock. Its text is one line: `move 2d`, `bank 5d +12h cap 7d`, `move 2d weekends-off`.
"""

import re
from collections.abc import Sequence
from datetime import timedelta

import msgspec

from games.clocks.spans import NOTHING
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

HOURS_A_DAY = 24
LONGEST = 30 * HOURS_A_DAY  # hours
TIME = r"(?=[0-9])(?:([0-9]{1,4})d)?(?:([0-9]{1,5})h)?"
MOVE = re.compile(f"move {TIME}")
BANK = re.compile(rf"bank {TIME} \+{TIME} cap {TIME}")
WEEKENDS = " weekends-off"


class IllegalClock(IllegalAction):
    """An invalid clock, night or vacation, with a sentence for the player."""


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A clock, in hours: each seat starts with `start`, a turn adds `increment`, and the bank never exceeds `cap`.

    With `weekends_off`, it stops on Saturdays and Sundays. Raises `IllegalClock` for invalid times.
    """

    start: int
    increment: int
    cap: int
    weekends_off: bool = False

    def __post_init__(self) -> None:
        if not all(1 <= hours <= LONGEST for hours in (self.start, self.increment, self.cap)):
            sentence = gettext_noop("Each time limit of a clock must be at least 1 hour and at most {days} days.")
            raise IllegalClock(sentence, days=LONGEST // HOURS_A_DAY)
        if self.cap < self.start:
            raise IllegalClock(gettext_noop("The cap can’t be lower than the time each player starts with."))
        if self.cap < self.increment:
            raise IllegalClock(gettext_noop("The increment can’t be higher than the cap."))

    @property
    def is_for_each_move(self) -> bool:
        """Whether every turn has the same time, however long the last one took."""
        return self.start == self.increment == self.cap

    @property
    def at_start(self) -> timedelta:
        """What a seat has before its first turn."""
        return timedelta(hours=self.start)


def each_move(hours: int, *, weekends_off: bool = False) -> Clock:
    """Return a clock with the same time for each turn, in hours."""
    return Clock(hours, hours, hours, weekends_off)


def after_move(clock: Clock, bank: timedelta, spent: timedelta) -> timedelta:
    """Return the bank for the next turn. The increment is added even after a time-out: nobody starts without time."""
    left = max(bank - spent, NOTHING)
    return min(left + timedelta(hours=clock.increment), timedelta(hours=clock.cap))


def text(clock: Clock) -> str:
    """Return the clock's text; the inverse of `parse`. 60 hours are “2d12h”."""
    times = []
    for hours in (clock.start, clock.increment, clock.cap):
        days, rest = divmod(hours, HOURS_A_DAY)
        times.append((f"{days}d" if days else "") + (f"{rest}h" if rest else ""))
    line = f"move {times[0]}" if clock.is_for_each_move else "bank {} +{} cap {}".format(*times)
    return line + WEEKENDS * clock.weekends_off


def parse(line: str) -> Clock:
    """Return the clock of a text; `48h` equals `2d`. Raises `IllegalClock`."""
    times = line.removesuffix(WEEKENDS)
    match = MOVE.fullmatch(times) or BANK.fullmatch(times)
    if match is None:
        sentence = gettext_noop("“{line}” isn’t a valid clock. Write, for example, “move 2d” or “bank 5d +12h cap 7d”.")
        raise IllegalClock(sentence, line=line)
    numbers = [int(number or 0) for number in match.groups()]
    hours = [HOURS_A_DAY * days + hours for days, hours in zip(numbers[::2], numbers[1::2], strict=True)]
    start, increment, cap = hours if len(hours) > 1 else hours * 3
    return Clock(start, increment, cap, line.endswith(WEEKENDS))


# A player's reliability: the share of turns taken on time, of the last hundred

LAST_TURNS = 100


class Reliability(msgspec.Struct, frozen=True):
    """How many of the last `turns` were taken `in_time`. There is at least one turn."""

    in_time: int
    turns: int

    @property
    def percent(self) -> int:
        """The percentage, rounded down: 100 means every turn."""
        return 100 * self.in_time // self.turns


def reliability(turns: Sequence[bool]) -> Reliability | None:
    """Return the reliability from turns, oldest first, true if taken on time. None if there are none."""
    last = turns[-LAST_TURNS:]
    return Reliability(sum(last), len(last)) if last else None
