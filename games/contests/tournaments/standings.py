"""The standings of a tournament's pool, computed from its appearances. Pages read a stored copy."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from games.contests.models import Appearance, Entrant, MatchState, Pool
from games.contests.pairing.crosstable import MEASURES, CrossTable, Line, Result, rank
from games.contests.terms.declaration import TournamentTerms

RELATIVE = ("met",)  # tie-breaks among tied entrants only, which have no figure


class Row(msgspec.Struct, frozen=True):
    """A line of the standings as pages show it. `points` and `possible` are in halves.

    `tie_break` names the tie-break that put it below the line above with the same share. `figures` has the values of
    the declared tie-breaks in thousandths, for those that have one.
    """

    entrant: int
    place: int
    points: int
    possible: int
    played: int
    tie_break: str | None = None
    figures: dict[str, int] = {}


class Table(msgspec.Struct, frozen=True):
    """The standings of a pool, best first. `number` is the pool's; `stage` 2 is the final after groups."""

    stage: int
    number: int
    rows: tuple[Row, ...]


def lines_of(terms: TournamentTerms, pool: Pool) -> list[Line]:
    """Return the lines, best first. Entrants who dropped out come last, whatever they had scored."""
    return _ranked(_members(pool), results_of(pool), terms.tie_breaks)


def table_of(terms: TournamentTerms, pool: Pool) -> Table:
    entrants, results = _members(pool), results_of(pool)
    numbers = [one.pk for one in entrants]
    cross = CrossTable(numbers, results)
    shown = [name for name in terms.tie_breaks if name not in RELATIVE]
    figures = {name: MEASURES[name](cross, numbers) for name in shown}
    rows = [
        Row(
            line.entrant, line.place, line.points, line.possible, line.played, line.tie_break,
            {name: _thousandths(of[line.entrant]) for name, of in figures.items()},
        )
        for line in _ranked(entrants, results, terms.tie_breaks)
    ]  # fmt: skip
    return Table(pool.stage, pool.number, tuple(rows))


def results_of(pool: Pool) -> list[Result]:
    """Return the results of the matches that count."""
    tables: dict[int, list[Appearance]] = defaultdict(list)
    for one in Appearance.objects.filter(match__pool=pool, match__state=MatchState.ENDED).order_by("match", "seat"):
        tables[one.match_id].append(one)
    return [
        Result(
            tuple(one.entrant_id for one in table),
            tuple(one.place or 0 for one in table),
            tuple(one.score or 0 for one in table),
        )
        for table in tables.values()
    ]


def _members(pool: Pool) -> list[Entrant]:
    """Return the entrants who are in the pool, or were when a group ended, by seed."""
    here = Entrant.objects.filter(pool=pool) | Entrant.objects.filter(appearances__match__pool=pool)
    return list(here.distinct().order_by("seed"))


def _ranked(entrants: Sequence[Entrant], results: Sequence[Result], tie_breaks: Sequence[str]) -> list[Line]:
    gone = {one.pk for one in entrants if not one.is_playing}
    lines = rank([one.pk for one in entrants], results, tie_breaks)
    stayed, left = ([line for line in lines if (line.entrant in gone) == is_gone] for is_gone in (False, True))
    return [*_placed(stayed, 0), *_placed(left, len(stayed))]


def _placed(lines: Sequence[Line], ahead: int) -> Iterable[Line]:
    """Yield the lines with places that start after `ahead` others."""
    places = [line.place for line in lines]
    return [
        msgspec.structs.replace(line, place=ahead + 1 + sum(place < line.place for place in places)) for line in lines
    ]


def _thousandths(value: Fraction) -> int:
    return round(value * 1000)
