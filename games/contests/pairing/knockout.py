"""Single elimination with two or more players per match. PURE: numbers in, a bracket out.

`goes_on(players)` entrants of each table advance, until the last table. The best seeds have byes, so that all tables
are full from the second round on. If that does not work out evenly, a few tables of the first round are one player
short.
"""

from collections.abc import Collection, Sequence
from itertools import combinations, zip_longest
from math import ceil

import msgspec

from games.contests.pairing.groups import snake
from games.contests.pairing.protocol import Format, Pairing, Progress, Round
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


class Bracket(msgspec.Struct, frozen=True):
    """Rounds of tables of slots. Tables with at most `goes_on` slots are byes and not played.

    Tables are in drawing order: those that lead to the same table are neighbors.
    """

    goes_on: int
    rounds: tuple[Slots, ...]

    def tables(self, number: int, went_on: Sequence[Sequence[int]] = ()) -> Round:
        """Return the entrants at each table of a round, from 0.

        `went_on`: by table of the previous round, in the order of places.
        """
        return tuple(
            tuple(slot.number if isinstance(slot, Seed) else went_on[slot.table][slot.place - 1] for slot in table)
            for table in self.rounds[number]
        )


def goes_on(players: int) -> int:
    """Return how many entrants of a table advance: two of four, else one."""
    return 2 if players == 4 else 1


def ways_on(players: int, *, is_last: bool) -> int:
    """Return how many entrants of a table advance from a round; from the last one, the winner."""
    return 1 if is_last else goes_on(players)


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

    # The best have byes in the first round, such that `through` entrants fill the next one. The others are dealt to
    # tables: first those expected to advance, then the last seeds and the empty seats, the latter with the best.
    through, fill = tables * on, players - on
    playing = ceil((entrants - through) / fill)
    byes = [[seed] for seed in range(through - playing * on)]
    favored = snake(range(len(byes), through), playing)
    filling = snake(range(through, through + playing * fill)[::-1], playing)
    dealt = byes + [sorted(own + others) for own, others in zip(favored, filling, strict=True)]
    rounds: list[Slots] = [tuple(tuple(Seed(seed) for seed in table if seed < entrants) for table in dealt)]

    # Later rounds are laid out as if the better seed always advanced: `expected` are those seeds, by table in order of
    # place.
    expected = byes + favored
    while tables > 1:
        tables //= players // on
        came = {
            seed: Placed(table, place)
            for table, order in enumerate(expected)
            for place, seed in enumerate(order, start=1)
        }
        expected = snake(range(tables * on), tables)
        rounds.append(tuple(tuple(came[seed] for seed in group) for group in snake(range(len(came)), tables)))
    return Bracket(on, in_drawing_order(rounds))


def in_drawing_order(rounds: Sequence[Slots]) -> tuple[Slots, ...]:
    """Return the rounds with their tables in the order in which the tables of the next round name them."""
    drawn = [rounds[-1]]
    for tables in reversed(rounds[:-1]):
        order = list(dict.fromkeys(slot.table for table in drawn[0] for slot in table if isinstance(slot, Placed)))
        drawn[0] = tuple(
            tuple(Placed(order.index(slot.table), slot.place) for slot in table if isinstance(slot, Placed))
            for table in drawn[0]
        )
        drawn.insert(0, tuple(tables[one] for one in order))
    return tuple(drawn)


def meetings(found: Bracket) -> dict[frozenset[int], int]:
    """Return the first round, from 0, in which two seeds can meet, for all pairs."""
    first: dict[frozenset[int], int] = {}
    came: list[set[int]] = []  # by table, the seeds that can get there
    for number, tables in enumerate(found.rounds):
        came = [
            set().union(*({slot.number} if isinstance(slot, Seed) else came[slot.table] for slot in table))
            for table in tables
        ]
        for seeds in came:
            for pair in combinations(seeds, 2):
                first.setdefault(frozenset(pair), number)
    return first


def spread(entrants: Sequence[int], players: int, forbidden: Collection[frozenset[int]]) -> list[int]:
    """Return the entrants by seed, with as few exchanges that those who must not meet can meet late at the earliest.

    The lower of the two changes places with the nearest seed that helps most (C16).
    """
    made = list(entrants)
    pairs = [pair for pair in forbidden if pair <= set(made)]
    if not pairs:
        return made
    found = bracket(len(made), players)
    first, last = meetings(found), len(found.rounds)

    def cost(order: Sequence[int]) -> int:
        seed = {entrant: n for n, entrant in enumerate(order)}
        return sum(len(made) ** (last - first[frozenset(seed[entrant] for entrant in pair)]) for pair in pairs)

    for pair in sorted(pairs, key=lambda pair: sorted(map(made.index, pair))):
        here = max(map(made.index, pair))
        options = []
        for there in range(len(made)):
            order = list(made)
            order[here], order[there] = order[there], order[here]
            options.append((cost(order), abs(here - there), there, order))
        made = min(options)[-1]
    return made


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


# Rounds


def rounds(entrants: int, players: int) -> int:
    return len(bracket(entrants, players).rounds)


def matches(entrants: int, players: int, rounds: int) -> tuple[int, int]:
    return 1, rounds


def pair(pool: Progress) -> Pairing:
    """Pair the entrants whom the bracket sends to a table. Those whose opponents all dropped out have a bye."""
    found = bracket(len(pool.entrants), pool.players)
    seated = [[pool.entrants[seed] for seed in table] for table in found.tables(pool.round - 1, pool.went_on)]
    left = [pool.left_at(table) for table in seated]
    ways = ways_on(pool.players, is_last=pool.round == len(found.rounds))
    tables = [table if len(table) > ways else () for table in left]
    return pool.paired(tables, [entrant for table in seated for entrant in table])


def orders(pool: Progress) -> list[list[int]]:
    """Return the seeds at each table of this round, including byes, in the order that decides who advances.

    Entrants who dropped out come last. The others are ordered by place, then points in the games, then seed. So if a
    match was annulled, the better seed advances (C7, C8).
    """
    results = [match.result for match in pool.matches if match.round == pool.round]
    came = {
        entrant: (place, -score)
        for result in results
        for entrant, place, score in zip(result.entrants, result.places, result.scores, strict=True)
    }

    def rank(seed: int) -> tuple[bool, tuple[int, int], int]:
        entrant = pool.entrants[seed]
        return entrant not in pool.playing, came.get(entrant, (0, 0)), seed

    tables = bracket(len(pool.entrants), pool.players).tables(pool.round - 1, pool.went_on)
    return [sorted(table, key=rank) for table in tables]


FORMAT = Format(
    slug="knockout", word=gettext_noop("knockout"),
    sentence=gettext_noop("Knockout: the best of each match advance, until the final"),
    rounds=rounds, matches=matches, pair=pair, has_bracket=True,
)  # fmt: skip
