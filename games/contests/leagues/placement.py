"""Placement of players in tiers and divisions of a season, and promotion and relegation at its end. PURE.

Tier 1 has one division. Each lower tier has `spread` times as many as the tier above, until no players are left.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from math import ceil, inf
from statistics import fmean

import msgspec

from games.contests.pairing.groups import snake
from games.contests.pairing.round_robin import sizes
from games.contests.terms.declaration import LeagueTerms

DAY = 24 * 60  # minutes


class SignUp(msgspec.Struct, frozen=True):
    """A player who is signed up.

    `tier` and `place` are from the last season they played, 0 for newcomers. `is_back`: they sat out since. `waking`:
    the minute of the UTC day that is the middle of their waking day.
    """

    rating: int
    tier: int = 0
    place: int = 0
    is_promoted: bool = False
    is_relegated: bool = False
    is_back: bool = False
    waking: int | None = None

    @property
    def due(self) -> int:
        """Return the tier the player is entitled to; for returning players, the tier below their last one."""
        return max(1, self.tier - self.is_promoted + self.is_relegated + self.is_back)

    @property
    def stays(self) -> bool:
        return self.due == self.tier


class Moves(msgspec.Struct, frozen=True):
    """The promoted and relegated players of a tier."""

    up: tuple[int, ...] = ()
    down: tuple[int, ...] = ()


def divisions(players: Sequence[SignUp], terms: LeagueTerms) -> list[list[list[int]]]:
    """Return tiers of divisions of players, by their index in `players`, best rated first within a division.

    Players in no division have to wait, because their number does not divide evenly. The divisions of a tier are of
    equal strength, or from tier `hours_from` down, of players awake at the same hours.
    """
    shape = _shape(len(players), terms)
    tiers = _tiers(players, [sum(of_tier) for of_tier in shape])
    all_divisions: list[list[list[int]]] = []
    for tier, (placed, of_tier) in enumerate(zip(tiers, shape, strict=True), start=1):
        by_rating = sorted(placed, key=lambda n: -players[n].rating)
        if terms.hours_from and tier >= terms.hours_from:
            by_hours = iter(_round_the_clock(players, by_rating))
            divided = [[next(by_hours) for _seat in range(size)] for size in of_tier]
        else:
            divided = snake(by_rating, len(of_tier))
        all_divisions.append([sorted(division, key=lambda n: -players[n].rating) for division in divided])
    return all_divisions


def _shape(count: int, terms: LeagueTerms) -> list[list[int]]:
    """Return the sizes of the divisions of each tier: as close to the declared size as possible, closest at the top."""
    least, most = min(sizes(terms.players)), max(sizes(terms.players))
    seated, numbers = count, range(ceil(count / most), count // least + 1)
    while seated and not numbers:  # so many players do not divide evenly: try with one less
        seated -= 1
        numbers = range(ceil(seated / most), seated // least + 1)
    number = min(numbers, key=lambda number: abs(seated / number - terms.division)) if seated else 0
    smaller, larger_ones = divmod(seated, max(number, 1))
    all_sizes = [smaller] * (number - larger_ones) + [smaller + 1] * larger_ones
    remaining, shape = deque(sorted(all_sizes, key=lambda size: abs(size - terms.division))), list[list[int]]()
    while remaining:
        shape.append([remaining.popleft() for _division in range(min(terms.spread ** len(shape), len(remaining)))])
    return shape


def _tiers(players: Sequence[SignUp], seats: Sequence[int]) -> list[list[int]]:
    """Fill tiers with these numbers of seats from the top: first with the players entitled to them, then with others.

    Of the vacancies, the first goes to the best player of the tier below, the second to the best newcomer who is as
    strong as the tier (never the first), and so on in turn. Returning players have priority over both.
    """
    due = [min(player.due, len(seats)) for player in players]
    veterans = deque(
        sorted((n for n, player in enumerate(players) if player.tier), key=lambda n: (due[n], *_rise(players[n])))
    )
    newcomers = deque(
        sorted((n for n, player in enumerate(players) if not player.tier), key=lambda n: -players[n].rating)
    )
    ratings = defaultdict(list)  # of the players entitled to each tier
    for n in veterans:
        ratings[due[n]].append(players[n].rating)

    filled: list[list[int]] = []
    enough = inf  # the rating with which newcomers are as strong as the tier: the lowest mean from tier 2 to this one
    for tier, size in enumerate(seats, start=1):
        if tier > 1 and tier in ratings:
            enough = min(enough, fmean(ratings[tier]))

        # The entitled: first those who move here, then those who stay. If there are too many, the last go first below
        placed = []
        while veterans and due[veterans[0]] <= tier:
            placed.append(veterans.popleft())
        placed.sort(key=lambda n: (players[n].stays and due[n] == tier, players[n].place))
        veterans.extendleft(reversed(placed[size:]))
        placed = placed[:size]

        for vacancy in range(size - len(placed)):
            is_returning = bool(veterans) and players[veterans[0]].is_back and players[veterans[0]].tier <= tier
            may_enter = bool(newcomers) and players[newcomers[0]].rating >= enough
            if not veterans or (vacancy % 2 == 1 and may_enter and not is_returning):
                placed.append(newcomers.popleft())
            else:
                placed.append(veterans.popleft())
        filled.append(placed)
    return filled


def _rise(player: SignUp) -> tuple[int, int, int]:
    """Return a sort key for the order in which players of a tier fill vacancies of the tier above."""
    kind = 0 if player.is_back else 2 if player.is_relegated else 3 if player.is_promoted else 1
    return kind, player.place, -player.rating


def _round_the_clock(players: Sequence[SignUp], placed: Sequence[int]) -> list[int]:
    """Return the players by the middle of their waking day, starting after the longest gap.

    Players whose waking day is unknown come last.
    """
    timed = [(waking, n) for n in placed if (waking := players[n].waking) is not None]
    timed.sort(key=lambda pair: pair[0])
    gaps = [(later - earlier) % DAY for (earlier, _), (later, _) in zip([*timed[-1:], *timed], timed, strict=False)]
    first = max(range(len(timed)), key=gaps.__getitem__, default=0)
    return [n for _waking, n in timed[first:] + timed[:first]] + [n for n in placed if players[n].waking is None]


# Moves by the organizer


def moved(
    tiers: Sequence[Sequence[Sequence[int]]], wishes: Mapping[int, tuple[int, int]], players: Sequence[SignUp],
    sizes: Collection[int],
) -> list[list[list[int]]]:  # fmt: skip
    """Return the divisions after the organizer's wishes, in order: a tier and a number, from 1, by player.

    If a division would get an impossible size, the player changes places with the one there whose rating is closest and
    who was not moved there. A wish that names no division, or leaves nobody to change places with, has no effect.
    """
    moved_tiers = [[list(division) for division in tier] for tier in tiers]
    for player, (tier, number) in wishes.items():
        if not (1 <= tier <= len(moved_tiers) and 1 <= number <= len(moved_tiers[tier - 1])):
            continue
        source = next(division for of_tier in moved_tiers for division in of_tier if player in division)
        target = moved_tiers[tier - 1][number - 1]
        if source is target:
            continue
        if len(source) - 1 not in sizes or len(target) + 1 not in sizes:
            free = [other for other in target if wishes.get(other) != (tier, number)]
            if not free:
                continue
            other = min(free, key=lambda n: (abs(players[n].rating - players[player].rating), n))
            target.remove(other)
            source.append(other)
        source.remove(player)
        target.append(player)
    return [[sorted(division, key=lambda n: -players[n].rating) for division in tier] for tier in moved_tiers]


# The end of a season


def who_moves(ranked: Sequence[Sequence[int]], terms: LeagueTerms, *, tier: int, below: int) -> Moves:
    """Return the promoted and relegated players of a tier, given its divisions in the order of places.

    `below`: the number of divisions in the tier below, 0 if there is none. If that tier is incomplete, fewer are
    relegated.
    """
    rising = terms.promoted if tier > 1 else 0
    falling = ceil(terms.promoted * below / len(ranked))
    return Moves(
        up=tuple(player for order in ranked for player in order[:rising]),
        down=tuple(player for order in ranked for player in order[max(rising, len(order) - falling) :]),
    )
