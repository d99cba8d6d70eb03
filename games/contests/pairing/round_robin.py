"""Round robins, in which all entrants meet equally often. PURE: two numbers in, rounds of tables out.

Two players per match use the circle method. Larger tables are block designs: sets of `players` in which each pair of
entrants occurs equally often (Colbourn and Dinitz, Handbook of Combinatorial Designs, chapter II.1).
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations
from math import comb

from games.contests.pairing.protocol import Format, Pairing, Progress, Round, Table
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

DIVISIONS = range(4, 9)  # possible sizes of a division
MOST = 10  # maximum matches per entrant
LARGEST = 40  # maximum entrants with two players per match

Blocks = tuple[Table, ...]

# By entrants and players: a modulus and base blocks. The other blocks result from repeatedly adding 1 to all numbers,
# modulo the modulus within each full range of that many numbers; numbers after the last full range stay the same.
DESIGNS: dict[tuple[int, int], tuple[int, Blocks]] = {
    (6, 3): (5, ((0, 1, 5), (0, 1, 3))),
    (7, 3): (7, ((0, 1, 3),)),  # the Fano plane
    (9, 3): (8, ((0, 4, 8), (0, 1, 3))),  # the affine plane of order 3
    (13, 3): (13, ((0, 1, 4), (0, 2, 7))),
    (15, 3): (15, ((0, 1, 12), (0, 2, 9), (0, 5, 10))),  # Kirkman's schoolgirls
    (7, 4): (7, ((2, 4, 5, 6),)),  # what is left of the Fano plane
    (8, 4): (7, ((0, 1, 3, 7), (2, 4, 5, 6))),
    (9, 4): (8, ((0, 1, 2, 5), (0, 1, 3, 8), (0, 2, 4, 6))),
    (10, 4): (5, ((0, 1, 2, 5), (0, 2, 7, 8), (0, 6, 7, 9))),
    (13, 4): (13, ((0, 1, 3, 9),)),  # the projective plane of order 3
    (16, 4): (15, ((0, 5, 10, 15), (0, 1, 3, 7))),  # the affine plane of order 4
    (9, 5): (9, ((3, 5, 6, 7, 8), (1, 2, 5, 6, 8))),
    (10, 5): (9, ((0, 1, 2, 3, 5), (0, 1, 4, 6, 9))),
    (11, 5): (11, ((1, 3, 4, 5, 9),)),  # the squares modulo 11
    (21, 5): (21, ((3, 6, 7, 12, 14),)),  # the projective plane of order 4
    (25, 5): (24, ((0, 6, 12, 18, 24), (0, 1, 4, 9, 11))),  # the affine plane of order 5
}


def plan(entrants: int, players: int) -> list[Round]:
    """Return the rounds in which all entrants meet equally often, with `players` per match.

    All entrants have each seat equally often, give or take one. Raises `IllegalAction` if there is no such plan.
    """
    if not has_plan(entrants, players):
        sentence = gettext_noop(
            "With {players} players per game, {entrants} players can’t all meet equally often. {fields} players can."
        )
        raise IllegalAction(sentence, players=players, entrants=entrants, fields=listed(fields(players)))
    return list(_planned(entrants, players))


@cache
def sizes(players: int) -> tuple[int, ...]:
    """Return the possible sizes of a division with `players` per match."""
    return tuple(entrants for entrants in DIVISIONS if has_plan(entrants, players))


@cache
def fields(players: int) -> tuple[int, ...]:
    """Return all numbers of entrants that can meet equally often with `players` per match."""
    return tuple(entrants for entrants in range(players, LARGEST + 1) if has_plan(entrants, players))


def matches_each(entrants: int, players: int) -> int:
    """Return how many matches each entrant has in the plan. Raises `IllegalAction` as `plan` does."""
    return sum(len(tables) for tables in plan(entrants, players)) * players // entrants


def has_plan(entrants: int, players: int) -> bool:
    if players == 2:
        return 2 <= entrants <= LARGEST
    if (entrants, players) in DESIGNS:
        return True
    return 2 < players <= entrants and comb(entrants - 1, players - 1) <= MOST  # all sets of `players`


def listed(numbers: Sequence[int]) -> str:
    """Format numbers with ranges, as in `4–7, 9, 13`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


@cache
def _planned(entrants: int, players: int) -> tuple[Round, ...]:
    return _circle(entrants) if players == 2 else _designed(entrants, players)


def _circle(entrants: int) -> tuple[Round, ...]:
    """Return rounds of two by the circle method: one entrant stays, the others rotate.

    With an odd number, one has a bye. Each has the first seat in half of their matches, as in Berger's tables.
    """
    turning = entrants - 1 + entrants % 2
    rounds = []
    for first in range(turning):
        pairs = [((first + step) % turning, (first - step) % turning) for step in range(1, turning // 2 + 1)]
        if turning < entrants:
            pairs.append((first, turning))
        rounds.append(tuple((min(pair), max(pair)) if sum(pair) % 2 else (max(pair), min(pair)) for pair in pairs))
    return tuple(rounds)


def _designed(entrants: int, players: int) -> tuple[Round, ...]:
    """Return rounds of larger tables: the blocks of a design, or all sets of `players`, in seat order."""
    if (entrants, players) in DESIGNS:
        modulus, bases = DESIGNS[entrants, players]
        whole = entrants - entrants % modulus
        moved = [
            [entrant - entrant % modulus + (entrant + by) % modulus if entrant < whole else entrant for entrant in base]
            for base in bases
            for by in range(modulus)
        ]
        blocks = tuple(dict.fromkeys(tuple(sorted(block)) for block in moved))
    else:
        blocks = tuple(combinations(range(entrants), players))

    # Use as few rounds as the blocks fit in
    number = sum(0 in block for block in blocks)
    while not (remaining := _placed(blocks, number)):
        number += 1

    # So that nobody waits for long, the next round is always the one whose entrants have played least
    in_seat_order, times_seated = dict(zip(blocks, _seated(blocks), strict=True)), Counter[int]()
    rounds: list[Round] = []
    while remaining:
        tables = min(
            remaining, key=lambda blocks: sum(times_seated[entrant] for entrant in chain.from_iterable(blocks))
        )
        remaining.remove(tables)
        times_seated.update(chain.from_iterable(tables))
        rounds.append(tuple(in_seat_order[block] for block in tables))
    return tuple(rounds)


def _placed(blocks: Blocks, number: int) -> list[Round]:
    """Return the blocks in this many rounds; empty if they do not fit.

    The block with the fewest rounds in which none of its entrants plays yet is always placed first.
    """
    rounds: list[Round] = [()] * number
    remaining = list(blocks)
    while remaining:
        chances = {
            block: [n for n, tables in enumerate(rounds) if not set(block) & set(chain.from_iterable(tables))]
            for block in remaining
        }
        block = min(remaining, key=lambda block: len(chances[block]))
        if not chances[block]:
            return []
        rounds[chances[block][0]] += (block,)
        remaining.remove(block)
    return rounds


# Seats, by coloring the edges of a bipartite graph: tables on one side, on the other entrants, split into parts with as
# many tables as a table has seats. So the seats can be assigned such that no part has one twice (Kőnig 1916).

Node = tuple[str, int, int]
Neighbors = dict[Node, dict[int, Node]]  # by seat


def _seated(blocks: Blocks) -> Blocks:
    """Return each block in an order in which all entrants have each seat equally often, give or take one."""
    players, matches_so_far, graph = len(blocks[0]), Counter[int](), Neighbors()
    for number, block in enumerate(blocks):
        for entrant in block:
            part, table = ("entrant", entrant, matches_so_far[entrant] // players), ("table", number, 0)
            at_part, at_table = graph.setdefault(part, {}), graph.setdefault(table, {})
            seat = next(seat for seat in range(players) if seat not in at_part)
            spare = next(seat for seat in range(players) if seat not in at_table)
            _free(graph, table, seat, spare)
            at_part[seat], at_table[seat] = table, part
            matches_so_far[entrant] += 1
    return tuple(tuple(graph["table", number, 0][seat][1] for seat in range(players)) for number in range(len(blocks)))


def _free(graph: Neighbors, node: Node, seat: int, spare: int) -> None:
    """Swap `seat` and `spare` along the path from the node that alternates between the two."""
    neighbor = graph[node].pop(seat, None)
    if neighbor is not None:
        del graph[neighbor][seat]
        _free(graph, neighbor, spare, seat)
        graph[node][spare], graph[neighbor][spare] = neighbor, node


# The format


def rounds(entrants: int, players: int) -> int:
    return len(plan(entrants, players))


def matches(entrants: int, players: int, rounds: int) -> tuple[int, int]:
    number = matches_each(entrants, players)
    return number, number


def pair(pool: Progress) -> Pairing:
    """Pair the round as planned. A group that is smaller than others has no tables in the last rounds."""
    planned = plan(len(pool.entrants), pool.players)[pool.round - 1 : pool.round]
    tables = [pool.remaining_at(pool.entrants[seed] for seed in table) for tables in planned for table in tables]
    return pool.paired(tables, pool.entrants)


FORMAT = Format(
    slug="round-robin", word=gettext_noop("round robin"),
    sentence=gettext_noop("Round robin: everyone meets everyone else equally often"),
    fields=fields, rounds=rounds, matches=matches, pair=pair,
)  # fmt: skip
