"""Single elimination with two or more players per match. PURE: numbers in, a bracket out.

`goes_on(players)` entrants of each table advance, until the last table. The best seeds have byes, so that all tables
are full from the second round on. If that does not work out evenly, a few tables of the first round are one player
short.
"""

from collections.abc import Sequence
from itertools import zip_longest
from math import ceil

import msgspec

from games.contests.pairing.groups import snake
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop


class Seed(msgspec.Struct, frozen=True, tag=True):
    """A seat of the first round: the entrant with this seed, 0 the best."""

    number: int


class Placed(msgspec.Struct, frozen=True, tag=True):
    """A seat of a later round: the entrant in `place`, from 1, of a table of the previous round, from 0."""

    table: int
    place: int


Slot = Seed | Placed
Slots = tuple[tuple[Slot, ...], ...]  # of a round, by table
Tables = tuple[tuple[int, ...], ...]


class Bracket(msgspec.Struct, frozen=True):
    """Rounds of tables of slots. Tables with at most `goes_on` slots are byes and not played.

    Tables are in drawing order: those that lead to the same table are neighbors.
    """

    goes_on: int
    rounds: tuple[Slots, ...]

    def tables(self, number: int, went_on: Sequence[Sequence[int]] = ()) -> Tables:
        """Return the entrants at each table of a round, from 0.

        `went_on`: by table of the previous round, in the order of places.
        """
        return tuple(tuple(_taken(slot, went_on) for slot in table) for table in self.rounds[number])


def goes_on(players: int) -> int:
    """Return how many entrants of a table advance: two of four, else one."""
    return 2 if players == 4 else 1


def bracket(entrants: int, players: int) -> Bracket:
    """Return the bracket of this many seeds. Raises `IllegalAction` if they do not fill a table."""
    if entrants < players:
        raise IllegalAction(
            gettext_noop("A knockout with {players} players per game needs at least {players} players."),
            players=players,
        )
    on, tables = goes_on(players), 1
    while tables * players < entrants:
        tables *= players // on
    seats, expected = _first_round(entrants, players, tables * on)
    rounds = [seats]
    while tables > 1:
        tables //= players // on
        rounds.append(_later_round(expected, tables))
        expected = snake(range(tables * on), tables)
    return Bracket(on, _drawn(rounds))


def final_places(entrants: int, rounds: Sequence[Sequence[Sequence[int]]], goes_on: int) -> list[int]:
    """Return the place of each seed in the tournament. `rounds`: by round and table, the seeds in order of place.

    Entrants eliminated in the same round are tied if they had the same place at their tables.
    """
    places, ahead = [0] * entrants, 0
    for later, tables in enumerate(reversed(rounds)):
        for row in zip_longest(*(order[goes_on if later else 0 :] for order in tables)):
            out = [seed for seed in row if seed is not None]
            for seed in out:
                places[seed] = ahead + 1
            ahead += len(out)
    return places


def _taken(slot: Slot, went_on: Sequence[Sequence[int]]) -> int:
    return slot.number if isinstance(slot, Seed) else went_on[slot.table][slot.place - 1]


# Rounds are laid out as if the better seed always advanced: `expected` are those seeds, by table in order of place.

Expected = Sequence[Sequence[int]]


def _first_round(entrants: int, players: int, through: int) -> tuple[Slots, Expected]:
    """Return the first round. The best have byes, such that `through` entrants fill the next round.

    The others are dealt to tables: first those expected to advance, then the last seeds and the empty seats, the latter
    with the best.
    """
    on, fill = goes_on(players), players - goes_on(players)
    playing = ceil((entrants - through) / fill)
    byes = [[seed] for seed in range(through - playing * on)]
    favoured = snake(range(len(byes), through), playing)
    filling = snake(range(through, through + playing * fill)[::-1], playing)
    tables = byes + [sorted(own + others) for own, others in zip(favoured, filling, strict=True)]
    return tuple(tuple(Seed(seed) for seed in table if seed < entrants) for table in tables), byes + favoured


def _later_round(expected: Expected, tables: int) -> Slots:
    ways = {
        one: Placed(table, place)
        for table, favoured in enumerate(expected)
        for place, one in enumerate(favoured, start=1)
    }
    return tuple(tuple(ways[one] for one in group) for group in snake(range(len(ways)), tables))


def _drawn(rounds: Sequence[Slots]) -> tuple[Slots, ...]:
    """Return the rounds with their tables in the order in which the tables of the next round name them."""
    drawn = [rounds[-1]]
    for tables in reversed(rounds[:-1]):
        named = [slot.table for table in drawn[0] for slot in table if isinstance(slot, Placed)]
        order = list(dict.fromkeys(named))
        drawn[0] = tuple(tuple(_moved(slot, order) for slot in table) for table in drawn[0])
        drawn.insert(0, tuple(tables[one] for one in order))
    return tuple(drawn)


def _moved(slot: Slot, order: Sequence[int]) -> Slot:
    return Placed(order.index(slot.table), slot.place) if isinstance(slot, Placed) else slot
