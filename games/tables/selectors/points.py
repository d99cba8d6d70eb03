"""How the points of a finished game were won: what each entry changed, and the turn that decided it. It is cached."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import msgspec
from django.core.cache import caches

from games.rules import log, staff
from games.rules.protocol import Points, Ruleset, State
from games.tables.models import Game, Seat
from games.tables.selectors import position

KEPT = 24 * 3600  # seconds
LEAD, SWING, GOAL = "lead", "swing", "goal"


class Gain(msgspec.Struct, frozen=True):
    """Points that a seat won, or lost, from a source."""

    seat: int
    source: str
    points: int


class CourseStep(msgspec.Struct, frozen=True):
    """An entry by `mover`, None for the site, with what it changed and the totals after it, by seat."""

    seq: int
    mover: int | None
    gains: tuple[Gain, ...]
    totals: tuple[int, ...]


class Decisive(msgspec.Struct, frozen=True):
    """The decisive turn. `why` is `LEAD` or `SWING`, and `points` the lead after it or how much it swung; or `GOAL`."""

    seq: int
    why: str
    points: int


class Milestone(msgspec.Struct, frozen=True):
    """An event that a scoresheet tells about a seat, as stored in the log."""

    seq: int
    seat: int
    event: dict[str, Any]


class Course(msgspec.Struct, frozen=True, dict=True):
    """What players count in the course of a finished game: the entries that changed it, the first and the last one."""

    steps: tuple[CourseStep, ...]
    milestones: tuple[Milestone, ...]
    decisive: Decisive | None

    @property
    def last(self) -> int:
        return self.steps[-1].seq

    @cached_property
    def by_source(self) -> list[list[Counter[str]]]:
        """What each seat had from each source, by step and seat."""
        now = [Counter[str]() for _seat in self.steps[0].totals]
        sums = []
        for step in self.steps:
            for gain in step.gains:
                now[gain.seat][gain.source] += gain.points
            sums.append([Counter({source: n for source, n in points.items() if n}) for points in now])
        return sums


def course(game: Game, seats: Sequence[Seat], winners: Sequence[int]) -> Course | None:
    """Return the course of a game won by these seats; None before the end and while something about it is hidden."""
    if not (game.is_finished and game.is_open_book):
        return None
    # The head is part of the key, because after a restore another game may have the same id and version.
    key = f"course.{game.pk}.{game.version}.{game.rules.version}.{game.head}"
    cache = caches["results"]
    if stored := cache.get(key):
        try:
            return msgspec.json.decode(stored, type=Course)
        except msgspec.ValidationError:
            pass  # written by another version of the site
    entries, state = position.entries(game), position.empty(game, seats)
    steps = tuple(steps_of(game.rules, state, entries))
    if not steps:
        return None
    decided = won_without_points(game.rules, state, entries) or decisive(steps, winners)
    new = Course(steps, tuple(milestones(game.rules, entries)), decided)
    cache.set(key, msgspec.json.encode(new), KEPT)
    return new


def milestones(rules: Ruleset, entries: Sequence[log.Entry]) -> Iterator[Milestone]:
    """Yield the events that the ruleset tells in a scoresheet, once for each seat that they concern."""
    for entry in log.turns_that_count(entries):
        for event, stored in zip(log.facts(rules, entry), entry.events, strict=True):
            yield from (Milestone(entry.seq, seat, dict(stored)) for seat in rules.milestone_of(event))


def steps_of(rules: Ruleset, state: State, entries: Sequence[log.Entry]) -> Iterator[CourseStep]:
    """Yield what each entry changed. Applies the entries to `state`."""
    before: list[dict[str, int]] = []
    counting = log.turns_that_count(entries)
    for entry in counting:
        for event in log.facts(rules, entry):
            rules.evolve(state, event)
        is_last = entry is counting[-1]
        if is_last and staff.stops(log.intervention(entries[-1])):
            rules.stop(state)
        if is_last or not rules.is_unsettled(state):
            now = [by_source(lines) for lines in rules.counted(state)]
            gains = tuple(_gains(before, now))
            if gains or is_last or not before:
                yield CourseStep(entry.seq, entry.seat, gains, tuple(sum(points.values()) for points in now))
            before = now


def by_source(lines: Sequence[Points]) -> dict[str, int]:
    """Add up the lines of a seat, without sources that gave nothing."""
    sums = Counter[str]()
    for line in lines:
        sums[line.source] += line.points
    return {source: points for source, points in sums.items() if points}


def _gains(before: Sequence[dict[str, int]], now: Sequence[dict[str, int]]) -> Iterator[Gain]:
    for seat, sources in enumerate(now):
        was = before[seat] if before else {}
        for source in dict.fromkeys((*sources, *was)):
            if points := sources.get(source, 0) - was.get(source, 0):
                yield Gain(seat, source, points)


def won_without_points(rules: Ruleset, state: State, entries: Sequence[log.Entry]) -> Decisive | None:
    """Return the turn that won a finished game without points, as docs/rulings.md defines it; None if points won it."""
    for entry in reversed(log.turns_that_count(entries)):
        if any(rules.decides(state, event) for event in log.facts(rules, entry)):
            return Decisive(entry.seq, GOAL, 0)
    return None


def decisive(steps: Sequence[CourseStep], winners: Sequence[int]) -> Decisive | None:
    """Return the turn that decided the points, as docs/rulings.md defines it; None if several players share the win."""
    if len(winners) != 1:
        return None
    (winner,) = winners
    leads = [
        step.totals[winner] - max(total for seat, total in enumerate(step.totals) if seat != winner) for step in steps
    ]
    # 1. The turn that put the winner ahead for good
    behind = [number for number, lead in enumerate(leads) if lead <= 0]
    number = behind[-1] + 1 if behind else 0
    if 0 < number < len(steps):
        return Decisive(steps[number].seq, LEAD, leads[number])
    # 2. The largest swing to the winner, the latest of several
    swings = [(after - before, number) for number, (before, after) in enumerate(pairwise(leads), start=1)]
    swing, number = max(swings, default=(0, 0))
    return Decisive(steps[number].seq, SWING, swing) if swing > 0 else None
