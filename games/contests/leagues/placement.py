"""Placement of players in tiers and divisions of a season, and promotion and relegation at its end. PURE.

Tier 1 has one division. Each lower tier has `spread` times as many as the tier above, as far as the players suffice.
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from math import ceil, inf
from statistics import fmean

import msgspec

from games.contests.pairing.groups import snake
from games.contests.pairing.round_robin import sizes
from games.contests.terms.declaration import Terms

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
        """Return the tier the player is entitled to: for a returning player, theirs may be taken, but not the next."""
        return max(1, self.tier - self.is_promoted + self.is_relegated + self.is_back)

    @property
    def stays(self) -> bool:
        return self.due == self.tier


class Moves(msgspec.Struct, frozen=True):
    """The promoted and relegated players of a tier."""

    up: tuple[int, ...] = ()
    down: tuple[int, ...] = ()


def divisions(players: Sequence[SignUp], terms: Terms) -> list[list[list[int]]]:
    """Return tiers of divisions of players, by their index in `players`, best rated first within a division.

    Players in no division have to wait, because their number does not divide evenly.
    """
    shape = _shape(len(players), terms)
    tiers = _Placing(players, [sum(of_tier) for of_tier in shape]).tiers()
    return [
        [sorted(one, key=lambda n: -players[n].rating) for one in _divided(players, placed, of_tier, terms, number)]
        for number, (placed, of_tier) in enumerate(zip(tiers, shape, strict=True), start=1)
    ]


def outcome(ranked: Sequence[Sequence[int]], terms: Terms, *, tier: int, below: int) -> Moves:
    """Return the promoted and relegated players of a tier, given its divisions in the order of places.

    `below`: the number of divisions in the tier below, 0 if there is none. If that tier is incomplete, fewer are
    relegated.
    """
    rising = terms.promoted if tier > 1 else 0
    falling = ceil(terms.promoted * below / len(ranked))
    return Moves(
        up=tuple(one for order in ranked for one in order[:rising]),
        down=tuple(one for order in ranked for one in order[max(rising, len(order) - falling) :]),
    )


# Numbers of divisions and players


def _shape(count: int, terms: Terms) -> list[list[int]]:
    """Return the sizes of the divisions of each tier: as close to the declared size as possible, closest at the top."""
    number, seated = _number(count, terms)
    each, more = divmod(seated, max(number, 1))
    of_all = [each] * (number - more) + [each + 1] * more
    left, shape = deque(sorted(of_all, key=lambda size: abs(size - terms.division))), list[list[int]]()
    while left:
        shape.append([left.popleft() for _division in range(min(terms.spread ** len(shape), len(left)))])
    return shape


def _number(count: int, terms: Terms) -> tuple[int, int]:
    """Return the number of divisions, and the number of players in them."""
    least, most = min(sizes(terms.players)), max(sizes(terms.players))
    for seated in range(count, least - 1, -1):
        if numbers := range(ceil(seated / most), seated // least + 1):
            return min(numbers, key=lambda number: abs(seated / number - terms.division)), seated
    return 0, 0


# Placement in tiers


class _Placing:
    """A placement that fills tiers from the top: first with the players entitled to them, then with others.

    Of the vacancies, the first goes to the best player of the tier below, the second to the best newcomer who is as
    strong as the tier (never the first), and so on in turn. Returning players have priority over both.
    """

    def __init__(self, players: Sequence[SignUp], seats: Sequence[int]) -> None:
        self.players, self.seats = players, seats
        known = [n for n, player in enumerate(players) if player.tier]
        self.known = deque(sorted(known, key=self._rise))
        newcomers = [n for n, player in enumerate(players) if not player.tier]
        self.newcomers = deque(sorted(newcomers, key=lambda n: -players[n].rating))
        self.strengths = self._strengths(known)

    def tiers(self) -> list[list[int]]:
        filled: list[list[int]] = []
        enough = inf
        for tier, seats in enumerate(self.seats, start=1):
            enough = min(enough, self.strengths.get(tier, inf)) if tier > 1 else inf
            placed = self._with_a_right(tier, seats)
            turns = range(seats - len(placed))
            filled.append(placed + [self._next(tier, enough, is_for_newcomers=turn % 2 == 1) for turn in turns])
        return filled

    def _due(self, n: int) -> int:
        return min(self.players[n].due, len(self.seats))

    def _rise(self, n: int) -> tuple[int, int, int, int]:
        """Return a sort key for the order in which players fill vacancies of the tier above theirs."""
        player = self.players[n]
        kind = 0 if player.is_back else 2 if player.is_relegated else 3 if player.is_promoted else 1
        return self._due(n), kind, player.place, -player.rating

    def _with_a_right(self, tier: int, seats: int) -> list[int]:
        """Return who stays in the tier. If it has become too small, the last of them go first in the tier below."""
        due = []
        while self.known and self._due(self.known[0]) <= tier:
            due.append(self.known.popleft())
        due.sort(key=lambda n: (self.players[n].stays and self._due(n) == tier, self.players[n].place))
        self.known.extendleft(reversed(due[seats:]))
        return due[:seats]

    def _strengths(self, known: Sequence[int]) -> dict[int, float]:
        """Return the mean rating of the players entitled to each tier."""
        ratings = defaultdict(list)
        for n in known:
            ratings[self._due(n)].append(self.players[n].rating)
        return {tier: fmean(of_tier) for tier, of_tier in ratings.items()}

    def _next(self, tier: int, enough: float, *, is_for_newcomers: bool) -> int:
        """Return who fills a vacancy. Newcomers may if it is their turn and they are rated at least `enough`."""
        if not self.known or (is_for_newcomers and self._may_enter(enough) and not self._comes_back(tier)):
            return self.newcomers.popleft()
        return self.known.popleft()

    def _may_enter(self, enough: float) -> bool:
        return bool(self.newcomers) and self.players[self.newcomers[0]].rating >= enough

    def _comes_back(self, tier: int) -> bool:
        first = self.players[self.known[0]]
        return first.is_back and first.tier <= tier


# Placement in divisions


def _divided(
    players: Sequence[SignUp], placed: Sequence[int], of_tier: Sequence[int], terms: Terms, tier: int
) -> list[list[int]]:
    """Return divisions of equal strength, or from tier `hours_from` down, of players awake at the same hours."""
    by_rating = sorted(placed, key=lambda n: -players[n].rating)
    if not terms.hours_from or tier < terms.hours_from:
        return snake(by_rating, len(of_tier))
    row = iter(_round_the_clock(players, by_rating))
    return [[next(row) for _seat in range(size)] for size in of_tier]


def _round_the_clock(players: Sequence[SignUp], placed: Sequence[int]) -> list[int]:
    """Return the players by the middle of their day, starting after the longest gap; those without one come last."""
    known = [(waking, n) for n in placed if (waking := players[n].waking) is not None]
    known.sort(key=lambda one: one[0])
    gaps = [(later - earlier) % DAY for (earlier, _), (later, _) in zip([*known[-1:], *known], known, strict=False)]
    first = max(range(len(known)), key=gaps.__getitem__, default=0)
    return [n for _waking, n in known[first:] + known[:first]] + [n for n in placed if players[n].waking is None]
