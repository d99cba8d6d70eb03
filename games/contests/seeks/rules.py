"""The rules of searches: which of them lead to a table, because their players suit each other. PURE.

The search that has waited longest goes first and takes the others that have waited longest, provided that everyone
suits everyone.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

# Limits on comparing a search with others, so that many searches that suit nobody can't slow the site down
MOST_OTHERS = 40
STEPS = 60


class GameKind(NamedTuple):
    """What is played: ruleset, number of players and clock."""

    ruleset: str
    players: int
    clock: str


class Wish(NamedTuple):
    """A waiting search. `ratings` are those of the person by ruleset, `on_time` their percentage of turns on time.

    `on_time` is None with few turns. `rated` and `unrated` say which games the person takes.
    """

    id: int
    user: int
    since: datetime
    kinds: Sequence[GameKind]
    ratings: Mapping[str, int]
    distance: int = 0
    reliability: int = 0
    on_time: int | None = None
    rated: bool = True
    unrated: bool = False
    bots_at: datetime | None = None


class Group(NamedTuple):
    """The searches that become one table, and how many bots fill it."""

    kind: GameKind
    wishes: tuple[Wish, ...]
    is_rated: bool
    bots: int = 0


class Apart(NamedTuple):
    """Pairs of people who must not meet: `blocked` ones never, those who just `met` in no rated game."""

    blocked: Collection[frozenset[int]] = frozenset()
    met: Collection[frozenset[int]] = frozenset()


NOBODY = Apart()


def suit(wish: Wish, other: Wish, ruleset: str, apart: Apart, *, rated: bool) -> bool:
    """Return whether two people may sit at one table."""
    if wish.user == other.user:
        return False
    if wish.on_time is not None and wish.on_time < other.reliability:
        return False
    if other.on_time is not None and other.on_time < wish.reliability:
        return False
    difference = abs(wish.ratings[ruleset] - other.ratings[ruleset])
    if (wish.distance and difference > wish.distance) or (other.distance and difference > other.distance):
        return False
    pair = frozenset((wish.user, other.user))
    return pair not in apart.blocked and not (rated and pair in apart.met)


class Suited:
    """Find the searches that suit each other, once for each game, because its size and clock make no difference."""

    def __init__(self, wishes: Sequence[Wish], apart: Apart) -> None:
        self.apart = apart
        self.wishes: dict[tuple[str, bool], list[Wish]] = defaultdict(list)  # by ruleset, and whether it is rated
        self.cache: dict[tuple[int, str, bool], frozenset[int]] = {}
        for wish in wishes:
            for ruleset in {kind.ruleset for kind in wish.kinds}:
                for rated in (True, False):
                    if _takes(wish, rated):
                        self.wishes[ruleset, rated].append(wish)

    def to(self, wish: Wish, ruleset: str, *, rated: bool) -> frozenset[int]:
        """Return the ids of the searches that suit this one."""
        key = wish.id, ruleset, rated
        if key not in self.cache:
            others = self.wishes[ruleset, rated]
            self.cache[key] = frozenset(
                [other.id for other in others if suit(wish, other, ruleset, self.apart, rated=rated)]
            )
        return self.cache[key]


def groups(wishes: Sequence[Wish], apart: Apart, now: datetime) -> Iterator[Group]:
    """Yield the tables that can begin: with people alone first, then those whose time to wait for people is over.

    Each search is in at most one of them.
    """
    waiting = sorted(wishes, key=lambda wish: (wish.since, wish.id))
    by_kind: dict[GameKind, list[Wish]] = defaultdict(list)
    for wish in waiting:
        for kind in wish.kinds:
            by_kind[kind].append(wish)
    taken, suited = set[int](), Suited(waiting, apart)
    for wish in waiting:
        if wish.id not in taken and (group := _with_people(wish, by_kind, taken, suited)):
            taken.update(member.id for member in group.wishes)
            yield group
    for wish in waiting:
        if wish.id not in taken and is_due(wish, now):
            group = _with_bots(wish, by_kind, taken, apart, now)
            taken.update(member.id for member in group.wishes)
            yield group


def is_due(wish: Wish, now: datetime) -> bool:
    """Return whether bots may fill the table of this search."""
    return wish.bots_at is not None and wish.bots_at <= now


def _with_people(first: Wish, by_kind: Mapping[GameKind, list[Wish]], taken: set[int], suited: Suited) -> Group | None:
    for is_rated in (True, False):
        for kind in first.kinds if _takes(first, is_rated) else ():
            free = suited.to(first, kind.ruleset, rated=is_rated) - taken
            if len(free) + 1 < kind.players:
                continue
            others = list(islice((other for other in by_kind[kind] if other.id in free), MOST_OTHERS))
            if members := _clique((first,), others, kind, suited, is_rated, [STEPS]):
                return Group(kind, members, is_rated)
    return None


def _takes(wish: Wish, is_rated: bool) -> bool:
    return wish.rated if is_rated else wish.unrated


def _clique(
    chosen: tuple[Wish, ...], others: Sequence[Wish], kind: GameKind, suited: Suited, is_rated: bool, steps: list[int]
) -> tuple[Wish, ...]:
    """Return a full table of these and some of the others, who all suit those chosen; empty if there is none."""
    if len(chosen) == kind.players:
        return chosen
    for n, candidate in enumerate(others):
        steps[0] -= 1
        if steps[0] < 0 or len(chosen) + len(others) - n < kind.players:
            break
        near = suited.to(candidate, kind.ruleset, rated=is_rated)
        rest = [other for other in others[n + 1 :] if other.id in near]
        if members := _clique((*chosen, candidate), rest, kind, suited, is_rated, steps):
            return members
    return ()


def _with_bots(
    first: Wish, by_kind: Mapping[GameKind, list[Wish]], taken: Collection[int], apart: Apart, now: datetime
) -> Group:
    """Return a table with bots, and with the others whose time is over too. It is not rated."""
    best: tuple[GameKind, tuple[Wish, ...]] = (first.kinds[0], (first,))
    for kind in first.kinds:
        together: tuple[Wish, ...] = (first,)
        for candidate in by_kind[kind]:
            is_free = candidate.id not in taken and is_due(candidate, now) and len(together) < kind.players - 1
            if is_free and all(suit(candidate, other, kind.ruleset, apart, rated=False) for other in together):
                together = (*together, candidate)
        if len(together) > len(best[1]):
            best = kind, together
    kind, together = best
    return Group(kind, together, False, kind.players - len(together))
