"""The standing in a tournament's pool, worked out from its appearances; pages read what was kept of it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from games.contests.models import Appearance, Entrant, MatchState, Pool
from games.contests.pairing.crosstable import MEASURES, CrossTable, Line, Result, rank
from games.contests.terms.declaration import TournamentTerms

RELATIVE = ("met",)  # tie-breaks that are about those who are equal, so that there is no figure for one


class Row(msgspec.Struct, frozen=True):
    """A line of the standing as pages show it. `points` and `possible` are in halves.

    `tie_break` names what put it behind the line above with the same share; `figures` has the declared tie-breaks in
    thousandths, as far as there are figures.
    """

    entrant: int
    place: int
    points: int
    possible: int
    played: int
    tie_break: str | None = None
    figures: dict[str, int] = {}


class Table(msgspec.Struct, frozen=True):
    """The standing of a pool, the best first; `number` is the pool's, `stage` 2 the final behind groups."""

    stage: int
    number: int
    rows: tuple[Row, ...]


def lines_of(terms: TournamentTerms, pool: Pool) -> list[Line]:
    """The best first; those who dropped out behind all others, whatever they had won."""
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
    """The matches that count."""
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
    """Those who are, or for a group that has ended were, in the pool, by seed."""
    here = Entrant.objects.filter(pool=pool) | Entrant.objects.filter(appearances__match__pool=pool)
    return list(here.distinct().order_by("seed"))


def _ranked(entrants: Sequence[Entrant], results: Sequence[Result], tie_breaks: Sequence[str]) -> list[Line]:
    gone = {one.pk for one in entrants if not one.is_playing}
    lines = rank([one.pk for one in entrants], results, tie_breaks)
    stayed, left = ([line for line in lines if (line.entrant in gone) == is_gone] for is_gone in (False, True))
    return [*_placed(stayed, 0), *_placed(left, len(stayed))]


def _placed(lines: Sequence[Line], ahead: int) -> Iterable[Line]:
    """The lines with their places among themselves, behind so many others."""
    places = [line.place for line in lines]
    return [
        msgspec.structs.replace(line, place=ahead + 1 + sum(place < line.place for place in places)) for line in lines
    ]


def _thousandths(value: Fraction) -> int:
    return round(value * 1000)
