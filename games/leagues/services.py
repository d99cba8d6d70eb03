"""Full games: behind each game the next one begins by itself, and behind the third the sum decides."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from games.leagues.models import GAMES, FullGame, FullStatus
from games.leagues.standings import Standing, ranked, standing
from games.models import Entry, Game, Seat, Status
from games.services import start


@transaction.atomic
def go_on(*, game: Game, now: datetime) -> Game | None:
    """What follows an ended game of a full game: the next one, which is returned, or the standing. Safe to repeat."""
    if game.full_game_id is None:
        return None
    full = FullGame.objects.select_for_update().filter(pk=game.full_game_id, status=FullStatus.RUNNING).first()
    if full is None or Game.objects.filter(full_game=full, number__gt=game.number).exists():
        return None
    if game.number < GAMES:
        return open_next(full, game, now)
    finish(full, now)
    return None


def open_next(full: FullGame, last: Game, now: datetime) -> Game:
    """The next game: the same people in the same seats, the set-up seat moved on (R5)."""
    following = Game.objects.create(
        ruleset=full.ruleset, rules_version=last.rules.version, players=full.players, clock_hours=full.clock_hours,
        options={**full.options, "setter": (set_up_seat(last) + 1) % full.players}, listed=full.listed,
        public_id=start.free_public_id(), opener=last.opener, full_game=full, number=last.number + 1, opened_at=now,
    )  # fmt: skip
    Seat.objects.bulk_create(
        Seat(game=following, number=seat.number, user_id=seat.user_id, bot=seat.bot, name=seat.name)
        for seat in Seat.objects.filter(game=last)
    )
    start.begin(game=following, now=now)
    return following


def set_up_seat(game: Game) -> int:
    """The seat that set a game up, as the first entry of its log says."""
    events = Entry.objects.get(game=game, seq=0).events
    return int(next(event["setter"] for event in events if "setter" in event))


def finish(full: FullGame, now: datetime) -> None:
    """Write the standing down."""
    full.status, full.ended_at = FullStatus.FINISHED, now
    full.standing = [line._asdict() for line in standings(full)]
    full.save(update_fields=["status", "ended_at", "standing"])


def standings(full: FullGame) -> list[Standing]:
    """The ranking after the games that have ended so far."""
    ended = Seat.objects.filter(game__full_game=full, game__status=Status.FINISHED).order_by("number", "game__number")
    results = [(seat.number, (seat.total or 0, seat.place or 0, seat.coins or 0)) for seat in ended]
    return ranked(
        [standing(seat, [result for number, result in results if number == seat]) for seat in range(full.players)]
    )


def sweep_full_games(now: datetime) -> int:
    """Go on with full games that stand still behind an ended game. Returns how many."""
    later = Game.objects.filter(full_game=OuterRef("full_game"), number__gt=OuterRef("number"))
    ended = Game.objects.filter(full_game__status=FullStatus.RUNNING, status=Status.FINISHED)
    still = list(ended.filter(~Exists(later)).order_by(F("ended_at"))[:100])
    for game in still:
        go_on(game=game, now=now)
    return len(still)
