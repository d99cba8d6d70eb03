"""Swiss rounds: the parts of a score group meet, without rematches as far as possible, in balanced seats. PURE.

A score group is a run of entrants with the same score, filled up to whole tables from the next one. With `k` players
per table it is split into `k` parts, best first, and each table gets one entrant of each part: with two per table, the
top half meets the bottom half.

Tables are filled from the top with the entrant who fits best of those who were not met yet and leave everyone a seat
that they had least. At a dead end, the search backtracks within a budget. Remaining conflicts are reduced by exchanges.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from heapq import nsmallest
from itertools import combinations, permutations, product
from typing import NamedTuple

import msgspec

from games.contests.pairing.crosstable import CrossTable
from games.contests.pairing.protocol import Format, Pairing, Progress, Round, Table
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

BUDGET = 100_000  # entrants that a search tries at seats
FORBIDDEN = 100  # a forbidden pairing weighs as much as this many rematches
NEAREST = 12  # entrants tried for a seat
REMATCH = 1000  # how much worse a rematch is than a seat that an entrant had once too often


class SwissEntrant(msgspec.Struct, frozen=True):
    """An entrant before a round: opponents with repetition, number of byes, and how often they had each seat.

    Neighbors in the field with the same `score` are a score group.
    """

    entrant: int
    met: tuple[int, ...] = ()
    byes: int = 0
    seats: tuple[int, ...] = ()
    score: Fraction | int = 0


def rounds_for(entrants: int, players: int) -> int:
    """Return the default number of rounds: until one winner is left, and one more with more than two per match.

    It is limited to what is possible without rematches, but at least one.
    """
    number, winners_of = (0, 1) if players == 2 else (1, 1)
    while winners_of < entrants:
        number, winners_of = number + 1, winners_of * players
    return max(1, min(number, (entrants - 1) // (players - 1)))


def pair(field: Sequence[SwissEntrant], players: int, number: int) -> Pairing:
    """Pair a round, numbered from 1. The field is in the order of scores, best first, then of seeds.

    In round 1, all are one score group. The last of those with the fewest byes has a bye. Raises `IllegalAction` if
    the field does not fill a table.
    """
    if len(field) < players:
        sentence = gettext_noop("A round with {players} players per game needs at least {players} players.")
        raise IllegalAction(sentence, players=players)
    byes = nsmallest(len(field) % players, reversed(field), key=lambda row: row.byes)
    playing = [row for row in field if row not in byes]
    places = _places([0 if number == 1 else row.score for row in playing], players)
    search = _Search(
        players,
        met={row.entrant: Counter(row.met) for row in playing},
        surpluses={row.entrant: _surplus(row.seats, players) for row in playing},
        places=dict(zip((row.entrant for row in playing), places, strict=True)),
    )
    tables = search.exchanged(search.best(tuple(row.entrant for row in playing)))
    order = {row.entrant: place for place, row in enumerate(playing)}
    in_order = sorted((sorted(table, key=order.__getitem__) for table in tables), key=lambda table: order[table[0]])
    seats_had = {row.entrant: row.seats for row in playing}
    return Pairing(tuple(seated(table, seats_had) for table in in_order), tuple(row.entrant for row in byes))


def seated(table: Sequence[int], seats_had: Mapping[int, Sequence[int]]) -> Table:
    """Return the table in seat order. Entrants get the seats they had least; `seats_had` is how often, by seat."""
    _cost, seats = _seating(tuple(_surplus(seats_had[entrant], len(table)) for entrant in table), len(table))
    return tuple(entrant for _seat, entrant in sorted(zip(seats, table, strict=True)))


# Seats. Someone who always gets a seat they had least has each seat equally often, give or take one.

Surplus = tuple[int, ...]  # by seat, how much more often an entrant had it than the one they had least


def _surplus(seats: Sequence[int], players: int) -> Surplus:
    counts = [*seats, *[0] * (players - len(seats))][:players]
    return tuple(count - min(counts) for count in counts)


@lru_cache(1 << 14)
def _seating(surpluses: tuple[Surplus, ...], players: int) -> tuple[int, tuple[int, ...]]:
    """Return the cost of the best seats for entrants of a table, which may not be full yet, and these seats."""
    best: tuple[int, tuple[int, ...]] | None = None
    for seats in permutations(range(players), len(surpluses)):
        cost = sum(surplus[seat] ** 2 for surplus, seat in zip(surpluses, seats, strict=True))
        if best is None or cost < best[0]:
            best = cost, seats
        if not cost:
            break
    assert best is not None
    return best


# Score groups


class _Place(NamedTuple):
    """The place of an entrant in a score group: its number, the part of it, and the rank in that part, from 0."""

    group: int
    part: int
    rank: int


def _places(scores: Sequence[Fraction | int], players: int) -> list[_Place]:
    """Return the place of each entrant. Score groups have whole tables; entrants left over move down to the next."""
    groups: list[int] = []  # sizes
    size = 0
    for n, score in enumerate(scores):
        if size >= players and score != scores[n - 1]:
            groups.append(size - size % players)
            size %= players
        size += 1
    return [
        _Place(number, *divmod(n, size // players)) for number, size in enumerate([*groups, size]) for n in range(size)
    ]


# The search

Met = Mapping[int, Counter[int]]  # how often each pair has met


class _Partial(NamedTuple):
    """Full tables, one being filled, and the remaining entrants. Those from `first_candidate` on are tried next."""

    cost: int
    tables: Round
    table: Table
    remaining: Table
    first_candidate: int = 0


class _Search(NamedTuple):
    """What the search for a round knows about the entrants."""

    players: int
    met: Met
    surpluses: Mapping[int, Surplus]
    places: Mapping[int, _Place]

    def cost(self, table: Table) -> int:
        """Return the cost of rematches and seats. A third match costs more than two second ones."""
        rematches = sum(self.met[entrant][other] ** 2 for entrant, other in combinations(table, 2))
        return REMATCH * rematches + _seating(tuple(self.surpluses[entrant] for entrant in table), self.players)[0]

    def distance(self, table: Table, entrant: int) -> tuple[int, int, int]:
        """Return how far the entrant is from the place that fits the next seat of the table.

        Of another group, the highest entrants fit best.
        """
        first, place = self.places[table[0]], self.places[entrant]
        if place.group != first.group:
            return abs(place.group - first.group), place.part, place.rank
        part = min(first.part + len(table), self.players - 1)
        return 0, abs(place.part - part), abs(place.rank - first.rank)

    def best(self, field: Table) -> Round:
        """Return the tables with the lowest cost found by depth-first search.

        The next entrants to try at a table are those who cost least there, then those who fit best.
        """
        best: _Partial | None = None
        stack, tried = [_Partial(0, (), field[:1], field[1:])], 0
        while stack and (best is None or (best.cost and tried < BUDGET)):
            partial = stack.pop()
            cost, tables, table, remaining, first_candidate = partial
            if best is not None and cost >= best.cost:
                continue
            if len(tables) * self.players == len(field):
                best = partial
            places = range(first_candidate, len(remaining) - (self.players - len(table) - 1))
            tried += len(places)
            surpluses = tuple(self.surpluses[entrant] for entrant in table)
            cost_so_far = _seating(surpluses, self.players)[0]
            costs = []
            for place in places:
                entrant = remaining[place]
                rematches = sum(self.met[other][entrant] ** 2 for other in table)
                seats = _seating((*surpluses, self.surpluses[entrant]), self.players)[0] - cost_so_far
                costs.append((REMATCH * rematches + seats, self.distance(table, entrant), place))
            for extra_cost, _distance, place in reversed(nsmallest(NEAREST, costs)):
                filled, others = (*table, remaining[place]), remaining[:place] + remaining[place + 1 :]
                if len(filled) < self.players:
                    stack.append(_Partial(cost + extra_cost, tables, filled, others, place))
                else:
                    stack.append(_Partial(cost + extra_cost, (*tables, filled), others[:1], others[1:]))
        assert best is not None
        return best.tables

    def exchanged(self, tables: Round) -> list[Table]:
        """Return the tables with a lower cost, exchanging two entrants at a time as long as it helps.

        The best exchange is always made first, among equals the one between the nearest tables.
        """
        exchanged = list(tables)
        while True:
            costs = [self.cost(table) for table in exchanged]
            # With the gain, which is negative, and the distance between the tables
            improvements: list[tuple[int, int, int, int, Table, Table]] = []
            for a, b in permutations(range(len(exchanged)), 2):
                if not costs[a]:
                    continue
                for entrant_a, entrant_b in product(exchanged[a], exchanged[b]):
                    new_a = _with(exchanged[a], entrant_a, entrant_b)
                    new_b = _with(exchanged[b], entrant_b, entrant_a)
                    gain = self.cost(new_a) + self.cost(new_b) - costs[a] - costs[b]
                    if gain < 0:
                        improvements.append((gain, abs(a - b), a, b, new_a, new_b))
            if not improvements:
                return exchanged
            _gain, _distance, a, b, exchanged[a], exchanged[b] = min(improvements)


def _with(table: Table, out: int, into: int) -> Table:
    return tuple(into if entrant == out else entrant for entrant in table)


# The format


def matches(entrants: int, players: int, rounds: int) -> tuple[int, int]:
    """Return the matches of an entrant: one less for those with a bye, if the field does not fill all tables."""
    return rounds - (entrants % players > 0), rounds


def pair_pool(pool: Progress) -> Pairing:
    """Pair the entrants who have not dropped out, by share of points, then by seed; none if too few for a table."""
    if len(pool.playing) < pool.players:
        return Pairing()
    met: dict[int, list[int]] = {entrant: [] for entrant in pool.entrants}
    seats = {entrant: [0] * pool.players for entrant in pool.entrants}
    for match in pool.matches:
        for seat, entrant in enumerate(match.result.entrants):
            met[entrant] += [other for other in match.result.entrants if other != entrant]
            seats[entrant][seat] += 1
    for entrant, other in map(tuple, pool.forbidden):  # as if they had met in every round, so that others come first
        met[entrant] += [other] * FORBIDDEN
        met[other] += [entrant] * FORBIDDEN
    counted = [match.result for match in pool.matches if match.counts]
    shares = CrossTable(pool.entrants, counted).shares
    order = sorted(
        (entrant for entrant in pool.entrants if entrant in pool.playing), key=shares.__getitem__, reverse=True
    )
    field = [
        SwissEntrant(entrant, tuple(met[entrant]), pool.byes[entrant], tuple(seats[entrant]), shares[entrant])
        for entrant in order
    ]
    return pair(field, pool.players, pool.round)


FORMAT = Format(
    slug="swiss", word=gettext_noop("Swiss"),
    sentence=gettext_noop("Swiss: everyone plays every round, against players with similar results"),
    rounds=rounds_for, matches=matches, pair=pair_pool,
)  # fmt: skip
