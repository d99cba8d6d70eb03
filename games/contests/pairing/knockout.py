"""Single elimination with two or more players per match. PURE: numbers in, a bracket out.

`advancing(players)` entrants of each table advance, until the last table. The best seeds have byes, so that all tables
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
    """Rounds of tables of slots. Tables with at most `advancing` slots are byes and not played.

    Tables are in drawing order: those that lead to the same table are neighbors.
    """

    advancing: int
    rounds: tuple[Slots, ...]

    def tables(self, number: int, previous_orders: Sequence[Sequence[int]] = ()) -> Round:
        """Return the entrants at each table of a round, from 0.

        `previous_orders`: the entrants by table of the previous round, in the order of places.
        """
        return tuple(
            tuple(
                slot.number if isinstance(slot, Seed) else previous_orders[slot.table][slot.place - 1] for slot in table
            )
            for table in self.rounds[number]
        )


def advancing(players: int) -> int:
    """Return how many entrants of a table advance: two of four, else one."""
    return 2 if players == 4 else 1


def advancing_from_round(players: int, *, is_last: bool) -> int:
    """Return how many entrants of a table advance from a round; in the last one, only the winner."""
    return 1 if is_last else advancing(players)


def bracket(entrants: int, players: int) -> Bracket:
    """Return the bracket of this many seeds. Raises `IllegalAction` if they do not fill a table."""
    if entrants < players:
        raise IllegalAction(
            gettext_noop("A knockout with {players} players per game needs at least {players} players."),
            players=players,
        )
    per_table, tables = advancing(players), 1
    while tables * players < entrants:
        tables *= players // per_table

    # The best have byes in the first round, so that the others leave `second_round` entrants for the next one. The
    # others are dealt to tables: first those expected to advance, then the last seeds and the empty seats, so that the
    # best play at the tables with empty seats.
    second_round, eliminated = tables * per_table, players - per_table
    tables_played = ceil((entrants - second_round) / eliminated)
    byes = [[seed] for seed in range(second_round - tables_played * per_table)]
    favorites = snake(range(len(byes), second_round), tables_played)
    underdogs = snake(range(second_round, second_round + tables_played * eliminated)[::-1], tables_played)
    dealt = byes + [sorted(best + others) for best, others in zip(favorites, underdogs, strict=True)]
    rounds: list[Slots] = [tuple(tuple(Seed(seed) for seed in table if seed < entrants) for table in dealt)]

    # Later rounds are laid out as if the better seeds always advanced: `expected` are these seeds, by table in order of
    # place.
    expected = byes + favorites
    while tables > 1:
        tables //= players // per_table
        sources = {
            seed: Placed(table, place)
            for table, order in enumerate(expected)
            for place, seed in enumerate(order, start=1)
        }
        expected = snake(range(tables * per_table), tables)
        rounds.append(tuple(tuple(sources[seed] for seed in group) for group in snake(range(len(sources)), tables)))
    return Bracket(per_table, in_drawing_order(rounds))


def in_drawing_order(rounds: Sequence[Slots]) -> tuple[Slots, ...]:
    """Return the rounds with their tables in the order in which the tables of the next round refer to them."""
    drawn = [rounds[-1]]
    for tables in reversed(rounds[:-1]):
        order = list(dict.fromkeys(slot.table for table in drawn[0] for slot in table if isinstance(slot, Placed)))
        drawn[0] = tuple(
            tuple(Placed(order.index(slot.table), slot.place) for slot in table if isinstance(slot, Placed))
            for table in drawn[0]
        )
        drawn.insert(0, tuple(tables[table] for table in order))
    return tuple(drawn)


def first_meetings(drawn: Bracket) -> dict[frozenset[int], int]:
    """Return the first round, from 0, in which two seeds can meet, for all pairs."""
    first: dict[frozenset[int], int] = {}
    reachable: list[set[int]] = []  # by table, the seeds that can get there
    for number, tables in enumerate(drawn.rounds):
        reachable = [
            set().union(*({slot.number} if isinstance(slot, Seed) else reachable[slot.table] for slot in table))
            for table in tables
        ]
        for seeds in reachable:
            for pair in combinations(seeds, 2):
                first.setdefault(frozenset(pair), number)
    return first


def spread(entrants: Sequence[int], players: int, forbidden: Collection[frozenset[int]]) -> list[int]:
    """Return the entrants by seed after a few exchanges, so that those who must not meet can only meet in late rounds.

    The lower seed of each pair changes places with the nearest seed that helps most (C16).
    """
    by_seed = list(entrants)
    pairs = [pair for pair in forbidden if pair <= set(by_seed)]
    if not pairs:
        return by_seed
    drawn = bracket(len(by_seed), players)
    first, last = first_meetings(drawn), len(drawn.rounds)

    def cost(order: Sequence[int]) -> int:
        seed = {entrant: n for n, entrant in enumerate(order)}
        return sum(len(order) ** (last - first[frozenset(seed[entrant] for entrant in pair)]) for pair in pairs)

    for pair in sorted(pairs, key=lambda pair: sorted(map(by_seed.index, pair))):
        lower = max(map(by_seed.index, pair))
        options = []
        for other in range(len(by_seed)):
            order = list(by_seed)
            order[lower], order[other] = order[other], order[lower]
            options.append((cost(order), abs(lower - other), other, order))
        by_seed = min(options)[-1]
    return by_seed


def final_places(entrants: int, rounds: Sequence[Sequence[Sequence[int]]], advancing: int) -> list[int]:
    """Return the place of each seed in the tournament. `rounds`: by round and table, the seeds in order of place.

    Entrants eliminated in the same round are tied if they had the same place at their tables.
    """
    places, ahead = [0] * entrants, 0
    for later, tables in enumerate(reversed(rounds)):
        for row in zip_longest(*(order[advancing if later else 0 :] for order in tables)):
            eliminated = [seed for seed in row if seed is not None]
            for seed in eliminated:
                places[seed] = ahead + 1
            ahead += len(eliminated)
    return places


# Rounds


def rounds(entrants: int, players: int) -> int:
    return len(bracket(entrants, players).rounds)


def matches(entrants: int, players: int, rounds: int) -> tuple[int, int]:
    return 1, rounds


def pair(pool: Progress) -> Pairing:
    """Pair the entrants as the bracket says. Those whose opponents have all dropped out have a bye."""
    drawn = bracket(len(pool.entrants), pool.players)
    seated = [[pool.entrants[seed] for seed in table] for table in drawn.tables(pool.round - 1, pool.previous_orders)]
    remaining = [pool.remaining_at(table) for table in seated]
    number = advancing_from_round(pool.players, is_last=pool.round == len(drawn.rounds))
    tables = [table if len(table) > number else () for table in remaining]
    return pool.paired(tables, [entrant for table in seated for entrant in table])


def orders(pool: Progress) -> list[list[int]]:
    """Return the seeds at each table of this round, including byes, in the order in which they advance.

    Entrants who dropped out come last. The others are ordered by place, then points in the games, then seed, so that
    the better seed advances if a match was annulled (C7, C8).
    """
    results = [match.result for match in pool.matches if match.round == pool.round]
    outcomes = {
        entrant: (place, -score)
        for result in results
        for entrant, place, score in zip(result.entrants, result.places, result.scores, strict=True)
    }

    def rank(seed: int) -> tuple[bool, tuple[int, int], int]:
        entrant = pool.entrants[seed]
        return entrant not in pool.playing, outcomes.get(entrant, (0, 0)), seed

    tables = bracket(len(pool.entrants), pool.players).tables(pool.round - 1, pool.previous_orders)
    return [sorted(table, key=rank) for table in tables]


FORMAT = Format(
    slug="knockout", word=gettext_noop("knockout"),
    sentence=gettext_noop("Knockout: the best of each match advance, until the final"),
    rounds=rounds, matches=matches, pair=pair, has_bracket=True,
)  # fmt: skip
