"""How reliable a player is: the share of turns in time, of the last hundred."""

from collections.abc import Sequence

import msgspec

LAST = 100  # turns


class Reliability(msgspec.Struct, frozen=True):
    """So many of the last `turns` were `in_time`; at least one turn was."""

    in_time: int
    turns: int

    @property
    def percent(self) -> int:
        """Rounded down: 100 means every turn."""
        return 100 * self.in_time // self.turns


def reliability(turns: Sequence[bool]) -> Reliability | None:
    """What the turns say, oldest first, each true if it was taken in time. None for a player who has had no turn."""
    last = turns[-LAST:]
    return Reliability(sum(last), len(last)) if last else None
