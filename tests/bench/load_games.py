"""Games for the load, played by the rules alone up to the middle, with their following turns known.

A copy of such a game has the same seed, so the same turns are legal there and reveal the same cards.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec

from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.rules.log import GENESIS, Entry, fold, link
from games.rules.protocol import Ruleset, Scoresheet, SeatInfo, State
from games.rules.registry import get
from games.tables.selectors.position import stamp
from tests.bench.rules import everything

SERIES = "load"
BETWEEN = timedelta(hours=3)  # from one entry to the next
# The mix of twenty games: ruleset, players, whether with every variant
MIX = (
    [("legends", 2, False)] * 9 + [("legends", 3, False)] * 3 + [("legends", 4, False)] * 3 + [("legends", 2, True)] * 2
    + [("classic", 3, False)] * 2 + [("prototype", 3, False)]
)  # fmt: skip


class Turn(NamedTuple):
    """A seat's turn, and the seats that must act after it: none at the end of the game."""

    seat: int
    actions: tuple[str, ...]
    then: tuple[int, ...]


class Played(NamedTuple):
    """A game played up to the middle: its log, the position after it, and the turns that follow."""

    ruleset: Ruleset
    options: dict[str, Any]
    seats: tuple[SeatInfo, ...]
    seed: bytes
    entries: tuple[Entry, ...]
    state: State
    turns: tuple[Turn, ...]
    result: Scoresheet

    @property
    def players(self) -> int:
        return len(self.seats)


def played(number: int, upto: datetime) -> Played:
    """Return game number 0, 1, 2 … of a fixed series. Its last entry so far was made at `upto`."""
    slug, players, is_full = MIX[number % len(MIX)]
    ruleset, seed = get(slug), seed_of(SERIES, number)
    seats = tuple(SeatInfo(joined=seat) for seat in range(players))
    table = Table(ruleset, everything(slug) if is_full else {}, [BOTS["random"]] * players, seed, seats)
    record = table.play().record
    entries = record.entries[: middle(len(record.entries), players, number)]
    state = fold(ruleset, ruleset.initial(table.options, seats), entries)
    turns = tuple(following(ruleset, state, record.entries[len(entries) :]))
    assert record.scoresheet is not None
    options = dict(record.options) if is_full else {}
    return Played(ruleset, options, seats, seed, dated(entries, upto, seed), state, turns, record.scoresheet)


def middle(length: int, players: int, number: int) -> int:
    """Return the number of entries made: a third to two thirds of the game, and at least all before the first turn."""
    third = length // 3
    return max(players + 2, third + number * 7 % third)


def following(ruleset: Ruleset, state: State, entries: Sequence[Entry]) -> Iterator[Turn]:
    """Yield the turns of these entries after a position, which is not modified."""
    position = state.copy()
    for entry in entries:
        assert entry.seat is not None
        fold(ruleset, position, [entry])
        yield Turn(entry.seat, entry.actions, ruleset.to_act(position))


def dated(entries: Sequence[Entry], upto: datetime, seed: bytes) -> tuple[Entry, ...]:
    """Return the same log with other times and recomputed digests."""
    head, chained = GENESIS, []
    for entry in entries:
        at = stamp(upto - BETWEEN * (len(entries) - 1 - entry.seq))
        moved = msgspec.structs.replace(entry, at=at)
        head = link(head, moved, seed)
        chained.append(msgspec.structs.replace(moved, digest=head))
    return tuple(chained)
