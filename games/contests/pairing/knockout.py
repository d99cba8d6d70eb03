"""Single elimination for tables of two and more. PURE: numbers in, a bracket out.

Of a table `goes_on(players)` go on, until the last table. The best seeds have byes, so that from the second round on
all tables are full; where that does not come out even, a few tables of the first round are short of a player.
"""

from collections.abc import Sequence
from itertools import zip_longest
from math import ceil

import msgspec

from games.contests.pairing.groups import snake
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop


class Seed(msgspec.Struct, frozen=True, tag=True):
    """A seat of the first round: the entrant with this number, the best is 0."""

    number: int


class Placed(msgspec.Struct, frozen=True, tag=True):
    """A seat of a later round: who came in `place`, from 1, at a table, from 0, of the round before."""

    table: int
    place: int


Slot = Seed | Placed
Slots = tuple[tuple[Slot, ...], ...]  # of a round, by table
Tables = tuple[tuple[int, ...], ...]


class Bracket(msgspec.Struct, frozen=True):
    """Rounds of tables of slots. At a table of no more than `goes_on` slots nobody plays: those are byes.

    Tables stand in the order in which they are drawn: those that lead to the same one are neighbours.
    """

    goes_on: int
    rounds: tuple[Slots, ...]

    def tables(self, number: int, went_on: Sequence[Sequence[int]] = ()) -> Tables:
        """Who sits where in round `number`, from 0. `went_on`: by table of the round before, in order of place."""
        return tuple(tuple(_taken(slot, went_on) for slot in table) for table in self.rounds[number])


def goes_on(players: int) -> int:
    """How many of a table of `players` go on: two of four, else one."""
    return 2 if players == 4 else 1


def bracket(entrants: int, players: int) -> Bracket:
    """The bracket of so many seeds. Raises `IllegalAction` where they do not fill a table."""
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
    """The place of each seed in the tournament. `rounds`: by round and table, the seeds in order of place.

    Those who were out in the same round share a place if they came in the same place at their tables.
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


# Rounds are laid out as if the better seed always went on: `expected` are those who do, by table in order of place.

Expected = Sequence[Sequence[int]]


def _first_round(entrants: int, players: int, through: int) -> tuple[Slots, Expected]:
    """The best have byes, so many that as many are `through` to the next round as it has seats. The others are dealt to
    tables: those who are expected to go on, and who fills up, the last seeds, and the empty seats, with the best.
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
    """The rounds with their tables in the order in which the tables of the next round name them."""
    drawn = [rounds[-1]]
    for tables in reversed(rounds[:-1]):
        named = [slot.table for table in drawn[0] for slot in table if isinstance(slot, Placed)]
        order = list(dict.fromkeys(named))
        drawn[0] = tuple(tuple(_moved(slot, order) for slot in table) for table in drawn[0])
        drawn.insert(0, tuple(tables[one] for one in order))
    return tuple(drawn)


def _moved(slot: Slot, order: Sequence[int]) -> Slot:
    return Placed(order.index(slot.table), slot.place) if isinstance(slot, Placed) else slot
