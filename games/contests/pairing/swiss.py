"""Swiss rounds: neighbours in the standing meet, and nobody meets again while that can be avoided. PURE.

Tables are filled from the top with whoever stands next and was not met yet. Where that leads into a dead end, the
search goes back, for as long as the budget lasts; what is then left of second matches is mended by exchanges.
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

BUDGET = 20_000  # partly filled rounds that a search looks at
NEAREST = 12  # entrants who are tried for a seat


class Standing(msgspec.Struct, frozen=True):
    """An entrant before a round: whom they met, as often as they did, how many byes they had, how often each seat."""

    entrant: int
    met: tuple[int, ...] = ()
    byes: int = 0
    seats: tuple[int, ...] = ()


class Pairing(msgspec.Struct, frozen=True):
    """The tables of a round, the leaders' first and each in the order of its seats, and who sits out."""

    tables: Round
    byes: tuple[int, ...]


def rounds_for(entrants: int, players: int) -> int:
    """How many rounds are usual: until one is left who won everywhere, and one more at tables of more than two.

    There are no more than can be without match again, though at least one.
    """
    usual, reached = (0, 1) if players == 2 else (1, 1)
    while reached < entrants:
        usual, reached = usual + 1, reached * players
    return max(1, min(usual, (entrants - 1) // (players - 1)))


def pair(field: Sequence[Standing], players: int, number: int) -> Pairing:
    """Pair the round of that number, from 1, of the field in the order of its standing, the best first.

    In round 1 the standing is that of the seeds, and each table has one from each part of the field. Who sits out is
    the last of those who did so least. Raises `IllegalAction` where the field does not fill a table.
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
    """The table in the order of seats in which they sit where they sat least; `had`: how often each had each seat."""

    def again(order: Table) -> int:
        return sum(had[one][seat] for seat, one in enumerate(order) if seat < len(had[one]))

    return min(permutations(table), key=again)


def _dealt(field: Sequence[Standing], players: int) -> list[Standing]:
    """The field such that neighbours are as far apart as can be: one from each of `players` parts."""
    tables = len(field) // players
    return [field[part * tables + table] for table in range(tables) for part in range(players)]


Met = Mapping[int, Counter[int]]  # how often each met each other


def _tables(field: Sequence[Standing], players: int) -> list[Table]:
    met = {one.entrant: Counter(one.met) for one in field}
    return _exchanged(_search(tuple(met), players, met), met)


def _worth(met: Met, one: int, other: int) -> int:
    """How bad it would be that these two met again; a third match is worse than two second ones."""
    return met[one][other] ** 2


def _cost(met: Met, table: Table) -> int:
    return sum(_worth(met, one, other) for one, other in combinations(table, 2))


class _Partly(NamedTuple):
    """Full tables, one that is being filled, and who is left, of whom those from `after` on come into question."""

    cost: int
    tables: tuple[Table, ...]
    table: Table
    left: Table
    after: int = 0


def _search(field: Table, players: int, met: Met) -> Round:
    """The tables with the fewest second matches that are found in depth first search."""
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
    """With one entrant more: of those who met the fewest at the table the next in the standing first."""
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
    """The tables with fewer second matches, where an exchange of two entrants is enough for that."""
    made = list(tables)
    while better := min(_exchanges(made, met), default=None):
        _gain, _distance, one, other, made[one], made[other] = better
    return made


def _exchanges(tables: Sequence[Table], met: Met) -> Iterator[tuple[int, int, int, int, Table, Table]]:
    """What makes it better: by how much (less than 0), over how many tables, and which two tables become what."""
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
