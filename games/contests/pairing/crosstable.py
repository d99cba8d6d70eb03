"""The standings of a pool. PURE: results in, lines with places out.

Points are counted in halves: two for each player of a match that one finishes ahead of, one for each player in the same
place. Entrants are ranked by their share of the possible points, so that annulled matches hurt nobody.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from games.rules.words import gettext_noop

SHARE = "share"  # the criterion before all tie-breaks
NOTHING, HALF = Fraction(0), Fraction(1, 2)


class Result(msgspec.Struct, frozen=True):
    """The result of a match that counts: entrants, places (1, 1, 3) and points in its games."""

    entrants: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]


class TieBreak(msgspec.Struct, frozen=True):
    """A tie-break, described for people. Both texts are to be translated."""

    label: str
    sentence: str


class Line(msgspec.Struct, frozen=True):
    """An entrant's line. `score` is the sum of points in games, `of` that of all players in the same matches.

    Places run 1, 1, 3. `tie_break` names the tie-break that put it below the line above with the same share.
    """

    entrant: int
    points: int
    possible: int
    played: int
    wins: int
    score: int
    of: int
    place: int
    tie_break: str | None = None

    @property
    def share(self) -> Fraction:
        """Return the share of the possible points; 0 if nothing was played."""
        return _share(self.points, self.possible)


TIE_BREAKS = {
    "met": TieBreak(
        gettext_noop("Head-to-head"),
        gettext_noop("Among tied players, who finished ahead of the others more often."),
    ),
    "wins": TieBreak(gettext_noop("Wins"), gettext_noop("Who won more matches. A shared first place counts as a win.")),
    "score": TieBreak(
        gettext_noop("Game points"), gettext_noop("Who scored the larger share of all points in their games.")
    ),
    "strength": TieBreak(
        gettext_noop("Buchholz"),
        gettext_noop("Whose opponents did better: they scored a larger share of their possible points."),
    ),
    "beaten": TieBreak(
        gettext_noop("Sonneborn-Berger"),
        gettext_noop("Who scored against stronger opponents: those with a larger share of their possible points."),
    ),
}


def rank(entrants: Sequence[int], results: Iterable[Result], tie_breaks: Sequence[str]) -> list[Line]:
    """Return the lines of all entrants, best first. The place is shared if all tie-breaks are equal too.

    Entrants who share a place are in the order of `entrants`.
    """
    table = CrossTable(entrants, results)
    lines: list[Line] = []
    for decided, tied in _groups(table, entrants, (SHARE, *tie_breaks)):
        place = len(lines) + 1
        lines += [table.line(entrant, place, decided) for entrant in tied]
    return lines


def _won(place: int, other: int) -> int:
    """Return points in halves for two places, as `pools.points` does for a whole match."""
    return 2 * (place < other) + (place == other)


class CrossTable:
    """The points and possible points of each entrant, in total and `against` each opponent."""

    def __init__(self, entrants: Sequence[int], results: Iterable[Result]) -> None:
        self.against: dict[int, dict[int, tuple[int, int]]] = {entrant: {} for entrant in entrants}
        self.played, self.wins = dict.fromkeys(entrants, 0), dict.fromkeys(entrants, 0)
        self.scores = dict.fromkeys(entrants, (0, 0))
        for result in results:
            self._add(result)
        self.shares = {entrant: _share(*self.sums(entrant, met)) for entrant, met in self.against.items()}

    def sums(self, entrant: int, others: Iterable[int]) -> tuple[int, int]:
        """Return points and possible points against the others."""
        met = [self.against[entrant].get(other, (0, 0)) for other in others]
        return sum(got for got, _possible in met), sum(possible for _got, possible in met)

    def line(self, entrant: int, place: int, decided: str) -> Line:
        got, possible = self.sums(entrant, self.against[entrant])
        score, of = self.scores[entrant]
        wins, tie_break = self.wins[entrant], None if decided == SHARE else decided
        return Line(entrant, got, possible, self.played[entrant], wins, score, of, place, tie_break)

    def _add(self, result: Result) -> None:
        seats = list(zip(result.entrants, result.places, result.scores, strict=True))
        for entrant, place, score in seats:
            had, of = self.scores[entrant]
            self.scores[entrant] = had + score, of + sum(result.scores)
            self.played[entrant] += 1
            self.wins[entrant] += place == 1
            for other, others_place, _score in seats:
                if other != entrant:
                    got, possible = self.against[entrant].get(other, (0, 0))
                    self.against[entrant][other] = got + _won(place, others_place), possible + 2


def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else NOTHING


def _groups(
    table: CrossTable, tied: Sequence[int], breaks: Sequence[str], decided: str = SHARE
) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield the groups of entrants who share a place, best first, with the tie-break that put each below the last."""
    if len(tied) == 1 or not breaks:
        yield decided, tied
        return
    first, *others = breaks
    measured = MEASURES[first](table, tied)
    for value in sorted(set(measured.values()), reverse=True):
        yield from _groups(table, [one for one in tied if measured[one] == value], others, decided)
        decided = first


Measured = Mapping[int, Fraction]


def _by_share(table: CrossTable, tied: Sequence[int]) -> Measured:
    return {one: table.shares[one] for one in tied}


def _by_met(table: CrossTable, tied: Sequence[int]) -> Measured:
    """Measure entrants by their results against the tied others; those who met none of them are in the middle."""
    sums = {one: table.sums(one, tied) for one in tied}
    return {one: Fraction(got, possible) if possible else HALF for one, (got, possible) in sums.items()}


def _by_wins(table: CrossTable, tied: Sequence[int]) -> Measured:
    return {one: _share(table.wins[one], table.played[one]) for one in tied}


def _by_score(table: CrossTable, tied: Sequence[int]) -> Measured:
    return {one: _share(*table.scores[one]) for one in tied}


def _by_strength(table: CrossTable, tied: Sequence[int]) -> Measured:
    return {one: _weighed(table, one, lambda _got, possible: possible) for one in tied}


def _by_beaten(table: CrossTable, tied: Sequence[int]) -> Measured:
    return {one: _weighed(table, one, lambda got, _possible: got) for one in tied}


def _weighed(table: CrossTable, entrant: int, weight: Callable[[int, int], int]) -> Fraction:
    """Return the mean share of the opponents, each weighted by `weight` of the points against them."""
    met = table.against[entrant]
    worth = sum((weight(*sums) * table.shares[other] for other, sums in met.items()), NOTHING)
    return worth / table.sums(entrant, met)[1] if met else NOTHING


MEASURES: dict[str, Callable[[CrossTable, Sequence[int]], Measured]] = {
    SHARE: _by_share,
    "met": _by_met,
    "wins": _by_wins,
    "score": _by_score,
    "strength": _by_strength,
    "beaten": _by_beaten,
}
