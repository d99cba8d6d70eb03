"""The pure rules of searches: searches in, tables of people who suit each other out.

The search that has waited longest goes first and takes the others that have waited longest, provided that everyone
suits everyone.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

# Limits of looking for the others of one search, so that many that suit nobody cannot stop the site
MOST_OTHERS = 40
STEPS = 60


class Kind(NamedTuple):
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
    kinds: Sequence[Kind]
    ratings: Mapping[str, int]
    distance: int = 0
    reliability: int = 0
    on_time: int | None = None
    rated: bool = True
    unrated: bool = False
    bots_at: datetime | None = None


class Group(NamedTuple):
    """The searches that become one table, and how many bots fill it."""

    kind: Kind
    wishes: tuple[Wish, ...]
    is_rated: bool
    bots: int = 0


class Apart(NamedTuple):
    """Pairs of people who do not meet: those with a block between them never, those who just met in no rated game."""

    blocked: Collection[frozenset[int]] = frozenset()
    met: Collection[frozenset[int]] = frozenset()


NOBODY = Apart()


def suit(one: Wish, other: Wish, ruleset: str, apart: Apart, *, rated: bool) -> bool:
    """Return whether two people may sit at one table."""
    pair = frozenset((one.user, other.user))
    if one.user == other.user or pair in apart.blocked or (rated and pair in apart.met):
        return False
    between = abs(one.ratings[ruleset] - other.ratings[ruleset])
    if any(wish.distance and between > wish.distance for wish in (one, other)):
        return False
    return all(
        wish.on_time is None or wish.on_time >= asked.reliability for wish, asked in ((one, other), (other, one))
    )


def groups(wishes: Sequence[Wish], apart: Apart, now: datetime) -> Iterator[Group]:
    """Yield the tables that can begin: with people alone first, then those whose time to wait for people is over.

    Each search is in at most one of them.
    """
    waiting = sorted(wishes, key=lambda wish: (wish.since, wish.id))
    by_kind: dict[Kind, list[Wish]] = defaultdict(list)
    for wish in waiting:
        for kind in wish.kinds:
            by_kind[kind].append(wish)
    taken: set[int] = set()
    for wish in waiting:
        if wish.id not in taken and (found := _with_people(wish, by_kind, taken, apart)):
            taken.update(one.id for one in found.wishes)
            yield found
    for wish in waiting:
        if wish.id not in taken and is_due(wish, now):
            found = _with_bots(wish, by_kind, taken, apart, now)
            taken.update(one.id for one in found.wishes)
            yield found


def is_due(wish: Wish, now: datetime) -> bool:
    """Return whether bots may fill the table of this search."""
    return wish.bots_at is not None and wish.bots_at <= now


def _with_people(first: Wish, by_kind: Mapping[Kind, list[Wish]], taken: Collection[int], apart: Apart) -> Group | None:
    for is_rated in (True, False):
        for kind in first.kinds if _takes(first, is_rated) else ():
            suitable = (
                one for one in by_kind[kind]
                if one.id not in taken and _takes(one, is_rated)
                and suit(first, one, kind.ruleset, apart, rated=is_rated)
            )  # fmt: skip
            others = list(islice(suitable, MOST_OTHERS))
            if found := _clique((first,), others, kind, apart, is_rated, [STEPS]):
                return Group(kind, found, is_rated)
    return None


def _takes(wish: Wish, is_rated: bool) -> bool:
    return wish.rated if is_rated else wish.unrated


def _clique(
    chosen: tuple[Wish, ...], others: Sequence[Wish], kind: Kind, apart: Apart, is_rated: bool, steps: list[int]
) -> tuple[Wish, ...]:
    """Return a full table of these and some of the others, who all suit those chosen; empty if there is none."""
    if len(chosen) == kind.players:
        return chosen
    for n, one in enumerate(others):
        steps[0] -= 1
        if steps[0] < 0 or len(chosen) + len(others) - n < kind.players:
            break
        rest = [other for other in others[n + 1 :] if suit(one, other, kind.ruleset, apart, rated=is_rated)]
        if found := _clique((*chosen, one), rest, kind, apart, is_rated, steps):
            return found
    return ()


def _with_bots(
    first: Wish, by_kind: Mapping[Kind, list[Wish]], taken: Collection[int], apart: Apart, now: datetime
) -> Group:
    """Return a table with bots, and with the others whose time is over too. It is not rated."""
    best: tuple[Kind, tuple[Wish, ...]] = (first.kinds[0], (first,))
    for kind in first.kinds:
        together: tuple[Wish, ...] = (first,)
        for one in by_kind[kind]:
            is_free = one.id not in taken and is_due(one, now) and len(together) < kind.players - 1
            if is_free and all(suit(one, other, kind.ruleset, apart, rated=False) for other in together):
                together = (*together, one)
        if len(together) > len(best[1]):
            best = kind, together
    kind, together = best
    return Group(kind, together, False, kind.players - len(together))
