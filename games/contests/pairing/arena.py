"""Arena seasons: play as many matches as you like for some days, and the best ones count. PURE: numbers in, tables out.

There are no rounds. Entrants who ask for a match wait until enough others do. The one who has waited longest is seated
first, with those they have met least. Before a second match against the same player, one of the two must have waited
for a day, before a third one for two days, so that two people cannot feed each other points.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import combinations

import msgspec

from games.contests.pairing.protocol import Format, Pairing, Progress
from games.rules.words import gettext_noop


class Waiting(msgspec.Struct, frozen=True):
    """A waiting entrant: for how many hours, their rating, and how often they had each seat."""

    entrant: int
    hours: float
    rating: int = 0
    seats: tuple[int, ...] = ()


def next_table(
    queue: Sequence[Waiting], players: int, met: Callable[[int, int], int], forbidden: Collection[frozenset[int]] = (),
    busy: Collection[frozenset[int]] = (),
) -> list[Waiting]:  # fmt: skip
    """Return the entrants of the next match; empty if nobody can play. `queue`: longest waiting first.

    `met` returns how often two have met. Two who play each other right now (`busy`) or must not meet (`forbidden`) are
    never seated together.
    """

    def may_meet(first: Waiting, second: Waiting) -> bool:
        pair = frozenset((first.entrant, second.entrant))
        times = met(first.entrant, second.entrant)
        return pair not in forbidden and pair not in busy and max(first.hours, second.hours) >= 24 * times

    for n, first in enumerate(queue):
        table = [first]
        others = sorted(
            queue[n + 1 :],
            key=lambda candidate: (
                met(first.entrant, candidate.entrant),
                -candidate.hours // 24,
                abs(candidate.rating - first.rating),
            ),
        )
        for candidate in others:
            if len(table) < players and all(may_meet(candidate, other) for other in table):
                table.append(candidate)
        if len(table) == players:
            return table
    return []


def next_look(queue: Sequence[Waiting], met: Callable[[int, int], int]) -> float | None:
    """Return after how many hours two waiting entrants may meet again; None if time changes nothing."""
    hours_left = [
        24 * met(first.entrant, second.entrant) - max(first.hours, second.hours)
        for first, second in combinations(queue, 2)
    ]
    return min((hours for hours in hours_left if hours > 0), default=None)


# The format. `tournaments/arenas.py` creates the matches, because entrants ask for them.


def rounds(entrants: int, players: int) -> int:
    return 1


def matches(entrants: int, players: int, rounds: int) -> tuple[int, int]:
    return 0, 0


def pair(pool: Progress) -> Pairing:
    return Pairing()


FORMAT = Format(
    slug="arena", word=gettext_noop("arena"),
    sentence=gettext_noop("Arena: play as many matches as you like over several days, and your best ones count"),
    rounds=rounds, matches=matches, pair=pair, is_arena=True,
)  # fmt: skip
