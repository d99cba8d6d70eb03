"""Full games: each game starts automatically after the one before, and the total after the third decides."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from games.rules.full_game import Standing, ranked, standing
from games.tables import hooks
from games.tables.models import GAMES, FullGame, FullStatus, Game, Seat, Snapshot, Status
from games.tables.selectors import position
from games.tables.services import full_game_news as full_news
from games.tables.services import start
from games.tables.services.ids import new_game

KEPT = (
    "number", "user_id", "owner_id", "first_owner_id", "who", "bot", "name", "orders", "back_at", "has_given_up",
    "asked_id", "asked_until",
)  # fmt: skip


@transaction.atomic
def go_on(*, game: Game, now: datetime, ends_contest: bool = False) -> Game | None:
    """Continue after a finished game: start and return the next game of a full game, or book the scores.

    With `ends_contest` no further game follows. Safe to repeat.
    """
    if game.full_game_id is None:
        _tell_contests([game], None, now)
        return None
    full = FullGame.objects.select_for_update().filter(pk=game.full_game_id, status=FullStatus.RUNNING).first()
    if full is None or Game.objects.filter(full_game=full, number__gt=game.number).exists():
        return None
    full.standing = [line._asdict() for line in standings(full)]
    if game.number < GAMES and not ends_contest:
        full.save(update_fields=["standing"])
        return open_next(full, game, now)
    finish(full, now)
    full_news.tell_finished(full, game)
    _tell_contests(list(full.games.order_by("number")), full, now)
    return None


def _tell_contests(games: Sequence[Game], full: FullGame | None, now: datetime) -> None:
    for hook in hooks.after_contest:
        hook(games, full, now)


def open_next(full: FullGame, last: Game, now: datetime) -> Game:
    """Start the next game with the same people, orders and stand-ins in the same seats."""
    following = new_game(
        ruleset=full.ruleset, rules_version=last.rules.version, players=full.players, clock=full.clock,
        reply_hours=full.reply_hours, time_out=full.time_out, reliability=full.reliability, listed=full.listed,
        rated=full.rated, counts=last.counts, duplicate=last.duplicate, is_withheld=last.is_withheld,
        options=next_options(full, last), is_left_to_bots=last.is_left_to_bots, opener=last.opener, full_game=full,
        number=last.number + 1, opened_at=now,
    )  # fmt: skip
    Seat.objects.bulk_create(
        Seat(game=following, **{name: getattr(seat, name) for name in KEPT}) for seat in Seat.objects.filter(game=last)
    )
    start.begin(game=following, now=now)
    return following


def next_options(full: FullGame, last: Game) -> dict[str, Any]:
    """Return the options for the next game, as the rules adapt them: the set-up seat moves on (R5)."""
    seats = list(Seat.objects.filter(game=last).order_by("number"))
    state = position.current(last, seats, Snapshot.objects.filter(game=last).first())
    return last.rules.next_options(full.options, state)


def finish(full: FullGame, now: datetime) -> None:
    """Finish the full game with its current standings."""
    full.status, full.ended_at = FullStatus.FINISHED, now
    full.save(update_fields=["status", "ended_at", "standing"])


def standings(full: FullGame) -> list[Standing]:
    """Return the ranking after the games finished so far."""
    ended = Seat.objects.filter(game__full_game=full, game__status=Status.FINISHED).order_by("number", "game__number")
    results = [(seat.number, (seat.total or 0, seat.place or 0, seat.left or 0)) for seat in ended]
    return ranked(
        [standing(seat, [result for number, result in results if number == seat]) for seat in range(full.players)]
    )


def sweep_full_games(now: datetime) -> int:
    """Continue full games whose next game did not start. Return how many."""
    later = Game.objects.filter(full_game=OuterRef("full_game"), number__gt=OuterRef("number"))
    ended = Game.objects.filter(full_game__status=FullStatus.RUNNING, status=Status.FINISHED)
    still = list(ended.filter(~Exists(later)).order_by(F("ended_at"))[:100])
    for game in still:
        go_on(game=game, now=now)
    return len(still)
