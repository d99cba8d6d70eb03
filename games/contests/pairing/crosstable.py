"""The standings of a pool. PURE: results in, lines with places out.

Points are counted in halves: two for each player of a match who finishes in a lower place, one for each player in the
same place. Entrants are ranked by their share of the possible points, so that annulled matches hurt nobody.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction

import msgspec

from games.rules.words import gettext_noop

SHARE = "share"  # the criterion before all tie-breaks


class Result(msgspec.Struct, frozen=True):
    """The result of a match that counts: entrants, places (1, 1, 3) and points in its games."""

    entrants: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]


class TieBreak(msgspec.Struct, frozen=True):
    """A tie-break, described for people. Both texts are to be translated."""

    label: str
    sentence: str


class StandingsLine(msgspec.Struct, frozen=True):
    """An entrant's line. `score` is the sum of points in games, `total_score` that of all players in the same matches.

    Places run 1, 1, 3. `tie_break` names the tie-break that put it below the line above with the same share.
    """

    entrant: int
    points: int
    possible: int
    played: int
    wins: int
    score: int
    total_score: int
    place: int
    tie_break: str | None = None

    @property
    def share(self) -> Fraction:
        """Return the share of the possible points; 0 if nothing was played."""
        return share(self.points, self.possible)


TIE_BREAKS = {
    "met": TieBreak(
        gettext_noop("Head-to-head"),
        gettext_noop("Results among the tied players: how often each finished ahead of the others."),
    ),
    "wins": TieBreak(
        gettext_noop("Wins"), gettext_noop("The number of matches won. A shared first place counts as a win.")
    ),
    "score": TieBreak(
        gettext_noop("Game points"), gettext_noop("The player’s share of all points scored in their games.")
    ),
    "strength": TieBreak(
        gettext_noop("Buchholz"),
        gettext_noop("How well the player’s opponents did: the share of possible points that they scored."),
    ),
    "beaten": TieBreak(
        gettext_noop("Sonneborn-Berger"),
        gettext_noop("Points count more if they were scored against opponents who did well."),
    ),
}


def rank(
    entrants: Sequence[int], results: Iterable[Result], tie_breaks: Sequence[str], best: int = 0
) -> list[StandingsLine]:
    """Return the lines of all entrants, best first. The place is shared if all tie-breaks are equal too.

    Entrants who share a place are in the order of `entrants`. If `best` is not 0, only so many of their matches with
    the most points count for an entrant, and those they have not played count as lost.
    """
    table = CrossTable(entrants, results, best)
    lines: list[StandingsLine] = []
    for decided, tied in table.groups(entrants, (SHARE, *tie_breaks)):
        place, tie_break = len(lines) + 1, None if decided == SHARE else decided
        for entrant in tied:
            points, possible = table.totals[entrant]
            score, total_score = table.scores[entrant]
            lines.append(
                StandingsLine(
                    entrant, points, possible, table.played[entrant], table.wins[entrant], score, total_score, place,
                    tie_break,
                )
            )  # fmt: skip
    return lines


def put_last(lines: Sequence[StandingsLine], dropped_out: Collection[int]) -> list[StandingsLine]:
    """Return the lines with those of `dropped_out` after all others. Places shared within both parts stay shared."""
    ranked: list[StandingsLine] = []
    for is_out in (False, True):
        group = [line for line in lines if (line.entrant in dropped_out) == is_out]
        places, first = [line.place for line in group], len(ranked) + 1
        ranked += [msgspec.structs.replace(line, place=first + places.index(line.place)) for line in group]
    return ranked


def halves(points: int) -> str:
    """Format points in halves: 3 is `1½`, 1 is `½`."""
    whole, half = divmod(points, 2)
    return f"{whole or ''}½" if half else str(whole)


def share(part: int, whole: int, of_nothing: Fraction = Fraction(0)) -> Fraction:
    """Return the fraction, or `of_nothing` if the whole is 0."""
    return Fraction(part, whole) if whole else of_nothing


class CrossTable:
    """The points and possible points of each entrant, in total and `against` each opponent.

    `scores` are the game points of each entrant, and of all players in the same matches.
    """

    def __init__(self, entrants: Sequence[int], results: Iterable[Result], best: int = 0) -> None:
        self.against: dict[int, dict[int, tuple[int, int]]] = {entrant: {} for entrant in entrants}
        self.played, self.wins = dict.fromkeys(entrants, 0), dict.fromkeys(entrants, 0)
        self.scores = dict.fromkeys(entrants, (0, 0))
        points_by_match: dict[int, list[int]] = {entrant: [] for entrant in entrants}
        most = 0  # possible points in a match
        for result in results:
            most = max(most, 2 * (len(result.entrants) - 1))
            for entrant in result.entrants:
                points_by_match[entrant].append(0)
            seats = list(zip(result.entrants, result.places, result.scores, strict=True))
            for entrant, place, score in seats:
                score_so_far, total_score = self.scores[entrant]
                self.scores[entrant] = score_so_far + score, total_score + sum(result.scores)
                self.played[entrant] += 1
                self.wins[entrant] += place == 1
                for other, others_place, _score in seats:
                    if other != entrant:
                        points_so_far, possible = self.against[entrant].get(other, (0, 0))
                        earned = 2 * (place < others_place) + (place == others_place)  # as in `pools.points`
                        self.against[entrant][other] = points_so_far + earned, possible + 2
                        points_by_match[entrant][-1] += earned
        self.totals = {entrant: self.sums(entrant, opponents) for entrant, opponents in self.against.items()}
        if best:
            self.totals = {
                entrant: (sum(sorted(points, reverse=True)[:best]), best * most)
                for entrant, points in points_by_match.items()
            }
        self.shares = {entrant: share(*total) for entrant, total in self.totals.items()}

    def sums(self, entrant: int, others: Iterable[int]) -> tuple[int, int]:
        """Return points and possible points against the others."""
        against = [self.against[entrant].get(other, (0, 0)) for other in others]
        return sum(points for points, _possible in against), sum(possible for _points, possible in against)

    def measure(self, criterion: str, tied: Sequence[int]) -> dict[int, Fraction]:
        """Return the value of each of the tied entrants by `SHARE` or one of the `TIE_BREAKS`; more is better."""
        match criterion:
            case "share":
                return {entrant: self.shares[entrant] for entrant in tied}
            case "met":  # those who met none of the others are in the middle
                return {entrant: share(*self.sums(entrant, tied), of_nothing=Fraction(1, 2)) for entrant in tied}
            case "wins":
                return {entrant: share(self.wins[entrant], self.played[entrant]) for entrant in tied}
            case "score":
                return {entrant: share(*self.scores[entrant]) for entrant in tied}
        # Buchholz and Sonneborn-Berger: the mean share of the opponents, each weighted by the points that were possible
        # against them, or by those that the entrant scored.
        values: dict[int, Fraction] = {}
        for entrant in tied:
            opponents, value = self.against[entrant], Fraction(0)
            for other, (points, possible) in opponents.items():
                value += (possible if criterion == "strength" else points) * self.shares[other]
            values[entrant] = value / self.sums(entrant, opponents)[1] if opponents else value
        return values

    def groups(
        self, tied: Sequence[int], criteria: Sequence[str], decided: str = SHARE
    ) -> Iterator[tuple[str, Sequence[int]]]:
        """Yield the entrants who share a place, best first, with the criterion that put them below the last ones."""
        if len(tied) == 1 or not criteria:
            yield decided, tied
            return
        first, *others = criteria
        measured = self.measure(first, tied)
        for value in sorted(set(measured.values()), reverse=True):
            yield from self.groups([entrant for entrant in tied if measured[entrant] == value], others, decided)
            decided = first
