"""What a league or a tournament declares of itself. PURE: numbers and texts, see `check` for what must hold."""

from typing import Any

import msgspec


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """Of a league. Times are in weeks; `starts` is the day of the first season."""

    name: str
    ruleset: str = "legends"
    options: dict[str, Any] = {}
    players: int = 2
    full: bool = True
    clock: str = "bank 3d +8h cap 5d"
    time_out: str = "seat"
    rated: bool = True
    bots: bool = False
    division: int = 6
    spread: int = 1
    promoted: int = 1
    hours_from: int = 3
    weeks: int = 12
    pause: int = 1
    late: int = 3
    at_once: int = 2
    tie_breaks: tuple[str, ...] = ("met", "score", "wins")
    drop_outs: str = "bot"
    starts: str = ""


class TournamentTerms(msgspec.Struct, frozen=True, kw_only=True):
    """Of a tournament. `rounds` is 0 for as many as usual; `starts` is empty where it starts when it is full."""

    name: str
    ruleset: str = "legends"
    options: dict[str, Any] = {}
    players: int = 2
    full: bool = False
    clock: str = "bank 3d +8h cap 5d"
    time_out: str = "seat"
    rated: bool = True
    bots: bool = False
    format: str = "swiss"
    rounds: int = 0
    seats: int = 16
    fewest: int = 4
    starts: str = ""
    days_a_round: int = 14
    tie_breaks: tuple[str, ...] = ("strength", "score", "wins")
