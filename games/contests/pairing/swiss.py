"""Swiss rounds: neighbors in the standings meet, without rematches as far as possible. PURE.

Tables are filled from the top with the next entrant who was not met yet. At a dead end, the search backtracks within a
budget. Remaining rematches are reduced by exchanges.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import nsmallest
from itertools import combinations, permutations, product
from typing import NamedTuple

import msgspec

from games.contests.pairing.crosstable import rank
from games.contests.pairing.protocol import Format, Pairing, Progress, Round, Table
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

BUDGET = 20_000  # partial rounds that a search examines
FORBIDDEN = 100  # rematches that a forbidden pairing weighs as much as
NEAREST = 12  # entrants tried for a seat


class Standing(msgspec.Struct, frozen=True):
    """An entrant before a round: opponents with repetition, number of byes, and how often they had each seat."""

    entrant: int
    met: tuple[int, ...] = ()
    byes: int = 0
    seats: tuple[int, ...] = ()


def rounds_for(entrants: int, players: int) -> int:
    """Return the default number of rounds: until one winner is left, and one more with more than two per match.

    It is limited to what is possible without rematches, but at least one.
    """
    usual, reached = (0, 1) if players == 2 else (1, 1)
    while reached < entrants:
        usual, reached = usual + 1, reached * players
    return max(1, min(usual, (entrants - 1) // (players - 1)))


def pair(field: Sequence[Standing], players: int, number: int) -> Pairing:
    """Pair a round, numbered from 1. The field is in the order of the standings, best first.

    In round 1 the standings are the seeds, and each table has one entrant of each part of the field. The last of those
    with the fewest byes has a bye. Raises `IllegalAction` if the field does not fill a table.
    """
    if len(field) < players:
        sentence = gettext_noop("A round with {players} players per game needs at least {players} players.")
        raise IllegalAction(sentence, players=players)
    byes = nsmallest(len(field) % players, reversed(field), key=lambda one: one.byes)
    playing = [one for one in field if one not in byes]
    order = playing
    if number == 1:  # neighbors are far apart: one from each of `players` parts
        number_of_tables = len(playing) // players
        order = [playing[part * number_of_tables + n] for n in range(number_of_tables) for part in range(players)]
    met = {one.entrant: Counter(one.met) for one in order}
    tables = _exchanged(_search(tuple(met), players, met), met)

    places = {one.entrant: place for place, one in enumerate(playing)}
    in_order = sorted((sorted(table, key=places.__getitem__) for table in tables), key=lambda table: places[table[0]])
    had = {one.entrant: one.seats for one in playing}
    return Pairing(tuple(seated(table, had) for table in in_order), tuple(one.entrant for one in byes))


def seated(table: Sequence[int], had: Mapping[int, Sequence[int]]) -> Table:
    """Return the table in seat order, such that entrants have the seats they had least. `had`: how often, by seat."""

    def again(order: Table) -> int:
        return sum(had[one][seat] for seat, one in enumerate(order) if seat < len(had[one]))

    return min(permutations(table), key=again)


Met = Mapping[int, Counter[int]]  # how often each pair has met


def _worth(met: Met, one: int, other: int) -> int:
    """Return the cost of a rematch of two entrants. A third match costs more than two second ones."""
    return met[one][other] ** 2


class _Partly(NamedTuple):
    """Full tables, one being filled, and the remaining entrants, of whom those from `after` on are candidates."""

    cost: int
    tables: Round
    table: Table
    left: Table
    after: int = 0


def _search(field: Table, players: int, met: Met) -> Round:
    """Return the tables with the fewest rematches found by depth-first search.

    The next entrants to try at a table are those with the fewest rematches there, then by standings.
    """
    best: _Partly | None = None
    stack, looked = [_Partly(0, (), field[:1], field[1:])], 0
    while stack and (best is None or (best.cost and looked < BUDGET)):
        partly, looked = stack.pop(), looked + 1
        cost, tables, table, left, after = partly
        if best is not None and cost >= best.cost:
            continue
        if len(tables) * players == len(field):
            best = partly
        places = range(after, len(left) - (players - len(table) - 1))
        costs = ((sum(_worth(met, one, left[place]) for one in table), place) for place in places)
        for more, place in reversed(nsmallest(NEAREST, costs)):
            longer, others = (*table, left[place]), left[:place] + left[place + 1 :]
            if len(longer) < players:
                stack.append(_Partly(cost + more, tables, longer, others, place))
            else:
                stack.append(_Partly(cost + more, (*tables, longer), others[:1], others[1:]))
    assert best is not None
    return best.tables


def _exchanged(tables: Round, met: Met) -> list[Table]:
    """Return the tables with fewer rematches, exchanging two entrants at a time as long as it helps.

    The best exchange is always made first, among equals the one between the nearest tables.
    """

    def cost(table: Table) -> int:
        return sum(_worth(met, one, other) for one, other in combinations(table, 2))

    made = list(tables)
    while True:
        costs = [cost(table) for table in made]
        better: list[tuple[int, int, int, int, Table, Table]] = []  # with the gain (negative) and the distance first
        for one, other in permutations(range(len(made)), 2):
            if not costs[one]:
                continue
            for mine, yours in product(made[one], made[other]):
                with_yours, with_mine = _with(made[one], mine, yours), _with(made[other], yours, mine)
                gain = cost(with_yours) + cost(with_mine) - costs[one] - costs[other]
                if gain < 0:
                    better.append((gain, abs(one - other), one, other, with_yours, with_mine))
        if not better:
            return made
        _gain, _distance, one, other, made[one], made[other] = min(better)


def _with(table: Table, out: int, into: int) -> Table:
    return tuple(into if one == out else one for one in table)


# The format


def matches(entrants: int, players: int, rounds: int) -> tuple[int, int]:
    """Return the matches of an entrant: one less for those with a bye, if the field does not fill all tables."""
    return rounds - (entrants % players > 0), rounds


def pair_pool(pool: Progress) -> Pairing:
    """Pair those who have not dropped out, in the order of the standings. Too few for a table are not paired."""
    if len(pool.playing) < pool.players:
        return Pairing()
    met: dict[int, list[int]] = {one: [] for one in pool.entrants}
    seats = {one: [0] * pool.players for one in pool.entrants}
    for match in pool.matches:
        for seat, one in enumerate(match.result.entrants):
            met[one] += [other for other in match.result.entrants if other != one]
            seats[one][seat] += 1
    for one, other in map(tuple, pool.forbidden):  # as if they had met in every round, so that others come first
        met[one] += [other] * FORBIDDEN
        met[other] += [one] * FORBIDDEN
    counted = [match.result for match in pool.matches if match.counts]
    order = [line.entrant for line in rank(pool.entrants, counted, pool.tie_breaks) if line.entrant in pool.playing]
    field = [Standing(one, tuple(met[one]), pool.byes[one], tuple(seats[one])) for one in order]
    return pair(field, pool.players, pool.round)


FORMAT = Format(
    slug="swiss", word=gettext_noop("Swiss"),
    sentence=gettext_noop("Swiss: everyone plays every round, against players with similar results"),
    rounds=rounds_for, matches=matches, pair=pair_pool,
)  # fmt: skip
