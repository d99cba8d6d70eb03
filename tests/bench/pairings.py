"""How well Swiss tournaments order their entrants: the parts of a score group meet, or neighbors in the standings.

Strengths and the luck of each game are normally distributed with a deviation of 1. The rating by which entrants are
seeded is their strength with an error of the same size. A result is the order of strength plus luck at a table.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from statistics import mean, stdev

from games.contests.pairing.swiss import SwissEntrant, pair
from tests.bench import Row

SIZES = ((16, 2, 4), (18, 3, 4), (16, 4, 3))  # entrants, players per table, rounds
TOURNAMENTS = 4000
VARIANTS = (
    ("parts", True, True), ("neighbors", False, True),
    ("parts, any seats", True, False), ("neighbors, any seats", False, False),
)  # fmt: skip


def rows() -> Iterator[Row]:
    for entrants, players, rounds in SIZES:
        for name, by_parts, by_seats in VARIANTS:
            results = [played(entrants, players, rounds, luck, by_parts, by_seats) for luck in range(TOURNAMENTS)]
            best, order = mean(place for place, _order in results), mean(order for _place, order in results)
            error = stdev(place for place, _order in results) / TOURNAMENTS**0.5
            label = f"{entrants} entrants, {players} per table, {rounds} rounds, {name}"
            yield Row(label, f"the best ends at place {best:.2f} ± {error:.2f}; Spearman {order:.3f}")


def played(entrants: int, players: int, rounds: int, luck: int, by_parts: bool, by_seats: bool) -> tuple[int, float]:
    """Play a tournament. Return the place of the strongest entrant, and the correlation of places and strength."""
    dice, everyone = Random(luck), range(entrants)
    strength = sorted((dice.gauss(0, 1) for _one in everyone), reverse=True)  # entrant 0 is the strongest
    rating = [true_strength + dice.gauss(0, 1) for true_strength in strength]
    points, met = Counter(dict.fromkeys(everyone, 0)), {entrant: Counter[int]() for entrant in everyone}
    seats = {entrant: [0] * players for entrant in everyone}

    def buchholz(entrant: int) -> int:
        return sum(points[other] for other in met[entrant].elements())

    for number in range(1, rounds + 1):
        second = {entrant: 0 if by_parts else -buchholz(entrant) for entrant in everyone}
        order = sorted(everyone, key=lambda entrant: (-points[entrant], second[entrant], -rating[entrant]))
        field = [
            SwissEntrant(
                entrant,
                tuple(met[entrant].elements()),
                0,
                tuple(seats[entrant]) if by_seats else (),
                points[entrant] if by_parts else -(n // players),
            )
            for n, entrant in enumerate(order)
        ]
        for table in pair(field, players, number).tables:
            came = sorted(table, key=lambda entrant: strength[entrant] + dice.gauss(0, 1))
            for place, entrant in enumerate(came):
                points[entrant] += place
                seats[entrant][table.index(entrant)] += 1
                met[entrant].update(other for other in table if other != entrant)
    final = sorted(everyone, key=lambda entrant: (-points[entrant], -buchholz(entrant), dice.random()))
    apart = sum((place - entrant) ** 2 for place, entrant in enumerate(final))
    return final.index(0) + 1, 1 - 6 * apart / (entrants * (entrants**2 - 1))
