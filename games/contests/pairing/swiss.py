"""Swiss rounds: neighbors in the standings meet, without rematches as far as possible. PURE.

Tables are filled from the top with the next entrant who was not met yet. At a dead end, the search backtracks within a
budget. Remaining rematches are reduced by exchanges.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import combinations, permutations, product
from typing import NamedTuple

import msgspec

from games.contests.pairing.round_robin import Round, Table
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

BUDGET = 20_000  # partial rounds that a search examines
NEAREST = 12  # entrants tried for a seat


class Standing(msgspec.Struct, frozen=True):
    """An entrant before a round: opponents with repetition, number of byes, and how often they had each seat."""

    entrant: int
    met: tuple[int, ...] = ()
    byes: int = 0
    seats: tuple[int, ...] = ()


class Pairing(msgspec.Struct, frozen=True):
    """The tables of a round, leaders first, each in seat order, and the entrants with a bye."""

    tables: Round
    byes: tuple[int, ...]


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
    tables = _tables(_dealt(playing, players) if number == 1 else playing, players)
    places = {one.entrant: place for place, one in enumerate(playing)}
    in_order = sorted((sorted(table, key=places.__getitem__) for table in tables), key=lambda table: places[table[0]])
    had = {one.entrant: one.seats for one in playing}
    return Pairing(tuple(seated(table, had) for table in in_order), tuple(one.entrant for one in byes))


def seated(table: Sequence[int], had: Mapping[int, Sequence[int]]) -> Table:
    """Return the table in seat order, such that entrants have the seats they had least. `had`: how often, by seat."""

    def again(order: Table) -> int:
        return sum(had[one][seat] for seat, one in enumerate(order) if seat < len(had[one]))

    return min(permutations(table), key=again)


def _dealt(field: Sequence[Standing], players: int) -> list[Standing]:
    """Return the field such that neighbors are far apart: one from each of `players` parts."""
    tables = len(field) // players
    return [field[part * tables + table] for table in range(tables) for part in range(players)]


Met = Mapping[int, Counter[int]]  # how often each pair has met


def _tables(field: Sequence[Standing], players: int) -> list[Table]:
    met = {one.entrant: Counter(one.met) for one in field}
    return _exchanged(_search(tuple(met), players, met), met)


def _worth(met: Met, one: int, other: int) -> int:
    """Return the cost of a rematch of two entrants. A third match costs more than two second ones."""
    return met[one][other] ** 2


def _cost(met: Met, table: Table) -> int:
    return sum(_worth(met, one, other) for one, other in combinations(table, 2))


class _Partly(NamedTuple):
    """Full tables, one being filled, and the remaining entrants, of whom those from `after` on are candidates."""

    cost: int
    tables: tuple[Table, ...]
    table: Table
    left: Table
    after: int = 0


def _search(field: Table, players: int, met: Met) -> Round:
    """Return the tables with the fewest rematches found by depth-first search."""
    best: _Partly | None = None
    stack, looked = [_Partly(0, (), field[:1], field[1:])], 0
    while stack and (best is None or (best.cost and looked < BUDGET)):
        partly, looked = stack.pop(), looked + 1
        if best is None or partly.cost < best.cost:
            if len(partly.tables) * players == len(field):
                best = partly
            stack += reversed(list(_further(partly, players, met)))
    assert best is not None
    return best.tables


def _further(partly: _Partly, players: int, met: Met) -> Iterator[_Partly]:
    """Yield the states with one more entrant: those with the fewest rematches at the table, then by standings."""
    cost, tables, table, left, after = partly
    if not left:
        return
    places = range(after, len(left) - (players - len(table) - 1))
    costs = ((sum(_worth(met, one, left[place]) for one in table), place) for place in places)
    for more, place in nsmallest(NEAREST, costs):
        longer, others = (*table, left[place]), left[:place] + left[place + 1 :]
        if len(longer) < players:
            yield _Partly(cost + more, tables, longer, others, place)
        else:
            yield _Partly(cost + more, (*tables, longer), others[:1], others[1:])


def _exchanged(tables: Round, met: Met) -> list[Table]:
    """Return the tables with fewer rematches, exchanging two entrants at a time as long as it helps."""
    made = list(tables)
    while better := min(_exchanges(made, met), default=None):
        _gain, _distance, one, other, made[one], made[other] = better
    return made


def _exchanges(tables: Sequence[Table], met: Met) -> Iterator[tuple[int, int, int, int, Table, Table]]:
    """Yield improving exchanges: the gain (negative), the distance of the tables, and the two changed tables."""
    costs = [_cost(met, table) for table in tables]
    for one, other in permutations(range(len(tables)), 2):
        if costs[one]:
            for mine, yours in product(tables[one], tables[other]):
                made = _with(tables[one], mine, yours), _with(tables[other], yours, mine)
                gain = sum(_cost(met, table) for table in made) - costs[one] - costs[other]
                if gain < 0:
                    yield gain, abs(one - other), one, other, *made


def _with(table: Table, out: int, into: int) -> Table:
    return tuple(into if one == out else one for one in table)
