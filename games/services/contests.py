"""Contests between people who need not find each other: the house seats them, and the game begins at once."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from accounts.models import User
from games.leagues.models import FullGame, FullStatus
from games.models import Game, Seat
from games.rules.registry import get
from games.services import start
from games.services.ids import new_game


def seat_together(
    *, players: Sequence[User], ruleset: str, clock: str, full: bool, now: datetime, starter: User | None = None
) -> Game:
    """The first game of a rated contest that everybody may watch, or the only one. `starter` has just been here.

    To be called in a transaction.
    """
    common: dict[str, Any] = {
        "ruleset": ruleset, "players": len(players), "clock": clock, "listed": True, "rated": True, "opened_at": now,
    }  # fmt: skip
    contest = FullGame.objects.create(**common, status=FullStatus.RUNNING) if full else None
    game = new_game(**common, rules_version=get(ruleset).version, full_game=contest)
    seats = Seat.objects.bulk_create(
        Seat(game=game, number=number, user=user, owner=user, name=user.username) for number, user in enumerate(players)
    )
    start.begin(game=game, now=now, starter=next((seat for seat in seats if seat.user == starter), None))
    return game
