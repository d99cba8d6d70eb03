"""The standings of a division: lines in the order of places, and results of each pair."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from games.contests.models import Appearance, Entrant, Match, MatchState, Pool
from games.contests.pairing import crosstable
from games.contests.pairing.crosstable import CrossTable, Line, Result
from games.contests.pools import terms_of


class Cell(NamedTuple):
    """Points of one entrant against another, in halves, the possible points, and the matches of the two."""

    points: int
    possible: int
    matches: tuple[Match, ...]


class Table(NamedTuple):
    """The standings. `lines` refer to entrants by their index in `entrants`; `cells` are by pairs of indexes."""

    lines: list[Line]
    entrants: dict[int, Entrant]
    matches: list[Match]
    cells: dict[tuple[int, int], Cell]


def table(pool: Pool) -> Table:
    """Return the standings of a pool, live or final. Takes three queries besides the pool's season."""
    entrants = {one.pk: one for one in Entrant.objects.filter(pool=pool).select_related("user").order_by("seed", "pk")}
    matches = list(Match.objects.filter(pool=pool).select_related("game").order_by("round", "number"))
    seats = Appearance.objects.filter(match__pool=pool).order_by("seat")
    at_table: dict[int, list[Appearance]] = {match.pk: [] for match in matches}
    for appearance in seats:
        at_table[appearance.match_id].append(appearance)
    for match in matches:
        match._prefetched_objects_cache = {"appearances": at_table[match.pk]}  # type: ignore[attr-defined]
    results = [result(at_table[one.pk]) for one in matches if one.state == MatchState.ENDED]
    lines = rank(list(entrants.values()), results, terms_of(pool).tie_breaks)
    return Table(lines, entrants, matches, _cells(matches, at_table, CrossTable(list(entrants), results)))


def rank(entrants: Sequence[Entrant], results: Iterable[Result], tie_breaks: Sequence[str]) -> list[Line]:
    """Rank by share of points and the declared tie-breaks. Entrants who dropped out come last (L12)."""
    gone = {one.pk for one in entrants if one.left_at is not None}
    lines = crosstable.rank([one.pk for one in entrants], results, tie_breaks)
    stayed, out = ([line for line in lines if (line.entrant in gone) == is_out] for is_out in (False, True))
    return [*_placed(stayed, 0), *_placed(out, len(stayed))]


def _placed(lines: Sequence[Line], before: int) -> list[Line]:
    """Return the lines with places counted among these alone. Ties remain ties."""
    places = [line.place for line in lines]
    return [msgspec.structs.replace(line, place=before + 1 + places.index(line.place)) for line in lines]


def result(appearances: Sequence[Appearance]) -> Result:
    return Result(
        tuple(one.entrant_id for one in appearances),
        tuple(one.place or 0 for one in appearances),
        tuple(one.score or 0 for one in appearances),
    )


def _cells(
    matches: Sequence[Match], at_table: Mapping[int, Sequence[Appearance]], crossed: CrossTable
) -> dict[tuple[int, int], Cell]:
    of_two: dict[tuple[int, int], list[Match]] = {}
    for match in matches:
        seated = [one.entrant_id for one in at_table[match.pk]]
        for one in seated:
            for other in seated:
                if one != other:
                    of_two.setdefault((one, other), []).append(match)
    return {pair: Cell(*crossed.against[pair[0]].get(pair[1], (0, 0)), tuple(found)) for pair, found in of_two.items()}
