"""Who meets whom so that everybody meets everybody equally often. PURE: two numbers in, rounds of tables out.

Tables of two go by the circle method. Larger ones are block designs: sets of `players` in which each pair of entrants
lies equally often (Colbourn and Dinitz, Handbook of Combinatorial Designs, chapter II.1).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations, count
from math import comb

from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

Table = tuple[int, ...]  # entrants, counted from 0, in the order of their seats
Round = tuple[Table, ...]  # nobody sits at two of its tables

DIVISIONS = range(4, 9)  # how many a division may have
MOST = 10  # matches that each entrant has
LARGEST = 40  # entrants, at tables of two

Blocks = tuple[Table, ...]

# By entrants and players: a modulus and base blocks. The other blocks come of adding 1 to all numbers again and again,
# in each stretch of so many numbers by itself; a number behind the last whole stretch stays.
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
    """The rounds in which so many entrants meet at tables of `players`, all equally often.

    Everybody has each seat as often as any other, give or take one. Raises `IllegalAction` where there is no such plan.
    """
    if not has_plan(entrants, players):
        sentence = gettext_noop(
            "With {players} players per game, {entrants} players can’t all meet equally often. {fields} players can."
        )
        raise IllegalAction(sentence, players=players, entrants=entrants, fields=listed(fields(players)))
    return list(_planned(entrants, players))


@cache
def sizes(players: int) -> tuple[int, ...]:
    """How many entrants a division may have at tables of `players`."""
    return tuple(entrants for entrants in DIVISIONS if has_plan(entrants, players))


@cache
def fields(players: int) -> tuple[int, ...]:
    """All numbers of entrants that can meet equally often at tables of `players`."""
    return tuple(entrants for entrants in range(players, LARGEST + 1) if has_plan(entrants, players))


def matches_each(entrants: int, players: int) -> int:
    """How many matches each entrant has in the plan. Raises `IllegalAction` as `plan` does."""
    return sum(len(tables) for tables in plan(entrants, players)) * players // entrants


def has_plan(entrants: int, players: int) -> bool:
    if players == 2:
        return 2 <= entrants <= LARGEST
    return (entrants, players) in DESIGNS or (2 < players <= entrants and _in_all_sets(entrants, players) <= MOST)


def listed(numbers: Sequence[int]) -> str:
    """`4–7, 9, 13`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _in_all_sets(entrants: int, players: int) -> int:
    """In how many of all sets of `players` each entrant is."""
    return comb(entrants - 1, players - 1)


@cache
def _planned(entrants: int, players: int) -> tuple[Round, ...]:
    if players == 2:
        return tuple(_circle(entrants))
    blocks = _blocks(entrants, players)
    seated = dict(zip(blocks, _seated(blocks), strict=True))
    return tuple(tuple(seated[block] for block in tables) for tables in _spread(_rounds(blocks)))


# Tables of two


def _circle(entrants: int) -> Iterator[Round]:
    """One entrant stays, the others go round; with an odd number, whoever would meet the one who stays sits out."""
    turning = entrants - 1 + entrants % 2
    for first in range(turning):
        pairs = [((first + step) % turning, (first - step) % turning) for step in range(1, turning // 2 + 1)]
        if turning < entrants:
            pairs.append((first, turning))
        yield tuple(_by_parity(*pair) for pair in pairs)


def _by_parity(one: int, other: int) -> Table:
    """Who is numbered lower sits first against half of the others, those of another parity (as in Berger's tables)."""
    low, high = sorted((one, other))
    return (low, high) if (low + high) % 2 else (high, low)


# Larger tables


def _blocks(entrants: int, players: int) -> Blocks:
    if (entrants, players) not in DESIGNS:
        return tuple(combinations(range(entrants), players))
    modulus, bases = DESIGNS[entrants, players]
    moved = (_moved(base, by, modulus, entrants) for base in bases for by in range(modulus))
    return tuple(dict.fromkeys(moved))


def _moved(base: Table, by: int, modulus: int, entrants: int) -> Table:
    whole = entrants - entrants % modulus
    return tuple(
        sorted(number - number % modulus + (number + by) % modulus if number < whole else number for number in base)
    )


def _rounds(blocks: Blocks) -> list[Round]:
    """The blocks in as few rounds as come out when the one with the fewest rounds open to it always goes first."""
    each = Counter(chain.from_iterable(blocks))[0]
    return next(rounds for number in count(each) if (rounds := _filled(blocks, number)))


def _filled(blocks: Blocks, number: int) -> list[Round]:
    """The blocks in so many rounds; empty where they do not come in."""
    rounds: list[Round] = [()] * number
    left = list(blocks)
    while left:
        chances = {block: _open(rounds, block) for block in left}
        block = min(left, key=lambda one: len(chances[one]))
        if not chances[block]:
            return []
        rounds[chances[block][0]] += (block,)
        left.remove(block)
    return rounds


def _open(rounds: Sequence[Round], block: Table) -> list[int]:
    """The rounds in which nobody of the block sits yet."""
    return [number for number, tables in enumerate(rounds) if not set(block) & set(chain.from_iterable(tables))]


def _spread(rounds: Sequence[Round]) -> Iterator[Round]:
    """The rounds in an order in which nobody has long to wait: next come those who have sat the least."""
    left, sat = list(rounds), Counter[int]()
    while left:
        tables = min(left, key=lambda one: sum(sat[entrant] for entrant in chain.from_iterable(one)))
        left.remove(tables)
        sat.update(chain.from_iterable(tables))
        yield tables


# Seats: an edge colouring. Tables, and entrants cut into parts that sit at as many tables as a table has seats, are the
# two sides of a graph, so that seats can be given such that no part has one twice (Kőnig 1916).

Node = tuple[str, int, int]
Neighbours = dict[Node, dict[int, Node]]  # by seat


def _seated(blocks: Blocks) -> Blocks:
    """Each block in an order in which everybody has each seat as often as any other, give or take one."""
    players, met, graph = len(blocks[0]), Counter[int](), Neighbours()
    for number, block in enumerate(blocks):
        for entrant in block:
            part, table = ("entrant", entrant, met[entrant] // players), ("table", number, 0)
            _join(graph, part, table, players)
            met[entrant] += 1
    return tuple(tuple(graph["table", number, 0][seat][1] for seat in range(players)) for number in range(len(blocks)))


def _join(graph: Neighbours, part: Node, table: Node, players: int) -> None:
    at_part, at_table = graph.setdefault(part, {}), graph.setdefault(table, {})
    seat = next(seat for seat in range(players) if seat not in at_part)
    spare = next(seat for seat in range(players) if seat not in at_table)
    _free(graph, table, seat, spare)
    at_part[seat], at_table[seat] = table, part


def _free(graph: Neighbours, node: Node, seat: int, spare: int) -> None:
    """Whoever has `seat` at the node takes the spare one, and so on along the path of the two."""
    neighbour = graph[node].pop(seat, None)
    if neighbour is not None:
        del graph[neighbour][seat]
        _free(graph, neighbour, spare, seat)
        graph[node][spare], graph[neighbour][spare] = neighbour, node
