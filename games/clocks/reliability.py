"""A player's reliability: the share of turns taken on time, of the last hundred."""

from collections.abc import Sequence

import msgspec

LAST = 100  # turns


class Reliability(msgspec.Struct, frozen=True):
    """How many of the last `turns` were taken `in_time`. There is at least one turn."""

    in_time: int
    turns: int

    @property
    def percent(self) -> int:
        """The percentage, rounded down: 100 means every turn."""
        return 100 * self.in_time // self.turns


def reliability(turns: Sequence[bool]) -> Reliability | None:
    """Return the reliability from turns, oldest first, true if taken on time. None if there are none."""
    last = turns[-LAST:]
    return Reliability(sum(last), len(last)) if last else None
