"""The rules of ladders: which challenges are allowed, and how rungs change. PURE. Rungs count from 1, the top.

A ladder is a list of players. A player who beats someone above takes that rung; everyone in between moves down one.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

import msgspec

from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop


class LadderTerms(msgspec.Struct, frozen=True):
    """The numbers of a ladder. Times are in days. From rung `top` up, players reach less far.

    `given`: open challenges to others at a time; `taken`: challenges to answer at a time. `idle`: days without a match
    after which a player drops `fall` rungs; after twice as many, they leave the ladder.
    """

    reach: int = 10
    top: int = 10
    top_reach: int = 5
    given: int = 2
    taken: int = 1
    answer: int = 4
    again: int = 14
    idle: int = 60
    fall: int = 10

    def reach_from(self, rung: int) -> range:
        """Return the rungs that can be challenged from this one."""
        return range(max(1, rung - (self.top_reach if rung <= self.top else self.reach)), rung)


class LadderPlayer(msgspec.Struct, frozen=True):
    """A player on the ladder: open challenges given, challenges to answer, and whether they are away.

    `repeated`: how many of the challenges to answer are from players who had challenged them before in the last `idle`
    days.
    """

    rung: int
    given: int = 0
    taken: int = 0
    repeated: int = 0
    is_away: bool = False


def check(
    terms: LadderTerms,
    me: LadderPlayer,
    other: LadderPlayer,
    *,
    are_playing: bool,
    is_repeated: bool,
    last_lost: datetime | None,
    now: datetime,
) -> None:
    """Raise `IllegalAction` with the first reason why `me` cannot challenge `other`.

    `are_playing`: there is an open challenge between the two. `is_repeated`: the challenger has challenged the other
    in the last `idle` days. If not, repeated challenges of others do not keep them out (A14). `last_lost`: when the
    challenger last lost to the other or withdrew a challenge.
    """
    if me.rung == other.rung:
        raise IllegalAction(gettext_noop("You can’t challenge yourself."))
    if other.rung not in terms.reach_from(me.rung):
        if other.rung > me.rung:
            raise IllegalAction(gettext_noop("You can only challenge players above you."))
        sentence = gettext_noop(
            "This player is too far above you. You can challenge players up to {reach} rungs above you."
        )
        raise IllegalAction(sentence, reach=len(terms.reach_from(me.rung)))
    if are_playing:
        raise IllegalAction(gettext_noop("There is already a challenge between the two of you."))
    if other.is_away:
        raise IllegalAction(gettext_noop("This player is away. You can challenge them when they are back."))
    if me.given >= terms.given:
        raise IllegalAction(
            gettext_noop("You can only have {count} open challenges at a time. Wait for an answer, or withdraw one."),
            count=terms.given,
        )
    if other.taken - (0 if is_repeated else other.repeated) >= terms.taken:
        raise IllegalAction(gettext_noop("Someone else has already challenged this player. Wait for their answer."))
    if last_lost and now < last_lost + timedelta(days=terms.again):
        sentence = gettext_noop(
            "You lost to this player or withdrew a challenge less than {days} days ago. Challenge someone else for now."
        )
        raise IllegalAction(sentence, days=terms.again)


def climb(winner: int, loser: int) -> dict[int, int]:
    """Return the new rung for each rung that changes: a player who beats someone above takes their rung."""
    if winner < loser:
        return {}
    return {winner: loser} | {rung: rung + 1 for rung in range(loser, winner)}


def drop(rung: int, by: int, length: int) -> dict[int, int]:
    """Return the new rung for each rung that changes when a player drops `by` rungs, at most to the bottom."""
    target = min(rung + by, length)
    return ({rung: target} | {below: below - 1 for below in range(rung + 1, target + 1)}) if target > rung else {}


def sink(empty: Collection[int], last: int) -> dict[int, int]:
    """Return the new rung for each rung up to `last` that changes when the empty ones move below the others."""
    first = min(empty)
    order = [*(rung for rung in range(first, last + 1) if rung not in empty), *sorted(empty)]
    return {old: new for new, old in enumerate(order, start=first) if old != new}


def runs(moves: dict[int, int]) -> list[tuple[int, int, int]]:
    """Group moves of neighbors that go together: the first rung, the last one, and by how many they go down."""
    stretches: list[tuple[int, int, int]] = []
    for old, new in sorted(moves.items()):
        if stretches and stretches[-1][1] == old - 1 and stretches[-1][2] == new - old:
            stretches[-1] = (stretches[-1][0], old, new - old)
        else:
            stretches.append((old, old, new - old))
    return stretches
