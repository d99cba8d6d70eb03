"""Arranged games: the site seats the players and starts the game right away."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from accounts.models import User
from games.rules.registry import get
from games.tables.models import FullGame, FullStatus, Game, Seat, TimeOut
from games.tables.services import start
from games.tables.services.ids import new_game


class Participant(NamedTuple):
    """A participant to be seated: a person, or a bot with a name."""

    user: User | None
    bot: str = ""
    name: str = ""


def seat_together(
    *, players: Sequence[User], ruleset: str, clock: str, full: bool, now: datetime, starter: User | None = None
) -> Game:
    """Start a rated game or full game between people; return its first game. `starter` is on the site now."""
    return begin_contest(
        participants=[Participant(user) for user in players],
        ruleset=ruleset,
        clock=clock,
        full=full,
        now=now,
        starter=starter,
    )


def begin_contest(
    *, participants: Sequence[Participant], ruleset: str, clock: str, full: bool, now: datetime, rated: bool = True,
    time_out: str = TimeOut.TURN, options: Mapping[str, Any] | None = None, starter: User | None = None,
) -> Game:  # fmt: skip
    """Start a listed game or full game with these participants in seat order; return its first game.

    Call it in a transaction. Raises `GameError` if the rules refuse such a table.
    """
    common: dict[str, Any] = {
        "ruleset": ruleset, "options": start.options_of_new(get(ruleset), options), "players": len(participants),
        "clock": clock, "time_out": time_out, "listed": True, "rated": rated, "opened_at": now,
    }  # fmt: skip
    contest = FullGame.objects.create(**common, status=FullStatus.RUNNING) if full else None
    game = new_game(**common, rules_version=get(ruleset).version, full_game=contest)
    seats = Seat.objects.bulk_create(
        Seat(
            game=game, number=number, user=one.user, owner=one.user, bot=one.bot,
            name=one.user.username if one.user else one.name,
        )
        for number, one in enumerate(participants)
    )  # fmt: skip
    start.begin(game=game, now=now, starter=next((seat for seat in seats if starter and seat.user == starter), None))
    return game
