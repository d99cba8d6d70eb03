"""Full games: each game starts automatically after the one before, and the total after the third decides."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.urls import reverse

from empire.web.languages import display_name
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import Words, enumerated, joined, later
from games.notices.outbox.words import gettext_later as _
from games.notices.outbox.words import ngettext_later as ngettext
from games.rules.full_game import ranked, seat_total
from games.tables import hooks
from games.tables.models import GAMES, FullGame, FullStatus, Game, Seat, Snapshot, Status
from games.tables.models.game import new_game
from games.tables.selectors import position
from games.tables.selectors.options import short_name
from games.tables.services import start

KEPT = (
    "number", "user_id", "owner_id", "first_owner_id", "bot_owner_id", "who", "bot", "name", "orders", "back_at",
    "has_given_up", "asked_id", "asked_until", "asks", "mute", "muted_by_id",
)  # fmt: skip


def is_last(game: Game) -> bool:
    return game.full_game_id is not None and game.number == GAMES


@transaction.atomic
def after_game(*, game: Game, now: datetime, ends_contest: bool = False) -> Game | None:
    """Continue after a finished game: return a full game's next one, or book the scores. Safe to repeat."""
    # 1. A single game is complete
    if game.full_game_id is None:
        for hook in hooks.after_contest:
            hook([game], None, now)
        return None
    # 2. Lock the full game. Nothing is left to do if it has ended, or if the next game has started.
    full = FullGame.objects.select_for_update().filter(pk=game.full_game_id, status=FullStatus.RUNNING).first()
    if full is None or Game.objects.filter(full_game=full, number__gt=game.number).exists():
        return None
    # 3. Rank the seats by the games finished so far
    ended = Seat.objects.filter(game__full_game=full, game__status=Status.FINISHED).order_by("number", "game__number")
    results = [(seat.number, (seat.total or 0, seat.place or 0, seat.left or 0)) for seat in ended]
    totals = [
        seat_total(seat, [result for number, result in results if number == seat]) for seat in range(full.players)
    ]
    full.ranking = [total._asdict() for total in ranked(totals)]
    # 4. Start the next game, or finish with this ranking
    if game.number < GAMES and not ends_contest:
        full.save(update_fields=["ranking"])
        return open_next(full, game, now)
    full.status, full.ended_at = FullStatus.FINISHED, now
    full.save(update_fields=["status", "ended_at", "ranking"])
    tell_finished(full, game)
    for hook in hooks.after_contest:
        hook(list(full.games.order_by("number")), full, now)
    return None


def open_next(full: FullGame, last: Game, now: datetime) -> Game:
    """Start the next game with the same people, orders, stand-ins and muted notices in the same seats."""
    seats = list(Seat.objects.filter(game=last).order_by("number"))
    state = position.current(last, seats, Snapshot.objects.filter(game=last).first())
    options = last.rules.next_options(full.options, state)  # the set-up seat moves on (R5)
    following = new_game(
        **full.terms | {"options": options}, rules_version=last.rules.version, counts=last.counts,
        duplicate=last.duplicate, is_withheld=last.is_withheld, is_left_to_bots=last.is_left_to_bots,
        opener=last.opener, full_game=full, number=last.number + 1, opened_at=now,
    )  # fmt: skip
    Seat.objects.bulk_create(Seat(game=following, **{name: getattr(seat, name) for name in KEPT}) for seat in seats)
    start.begin(game=following, now=now)
    return following


def tell_finished(full: FullGame, last: Game) -> None:
    """Notify the owners of the result, in place of the notice about the last game.

    Players who want no notices of full games may get the one about the last game.
    """
    seats = list(Seat.objects.filter(game=last).select_related("user", "owner").order_by("number"))
    lines = sorted(full.ranking or (), key=lambda line: line["place"])
    names = {seat.number: seat.name for seat in seats}
    winners = [names[line["seat"]] for line in lines if line["place"] == 1]
    in_words = {number: later(display_name, name) for number, name in names.items()}
    points = [_("{name} {points}").format(name=in_words[line["seat"]], points=line["points"]) for line in lines]
    listed = Words(lambda: f"{', '.join(map(str, points))}.")
    won = ngettext("{names} won.", "{names} share the win.", len(winners)).format(names=later(enumerated, winners))
    for seat in seats:
        used_channels: set[str] = set()
        if seat.owner:
            others = later(enumerated, [other.name for other in seats if other.number != seat.number])
            game = later(short_name, full.ruleset)
            title = _("Full game finished: {game} with {names}").format(game=game, names=others)
            notices = outbox.tell_user(
                kind=Kind.FULL, user=seat.owner, about=f"game.{full.pk}", title=title,
                lead=joined(won, listed), url=reverse("full_game", args=[full.pk]),
            )  # fmt: skip
            if seat.user_id == seat.owner_id:
                used_channels = {notice.channel for notice in notices}
        if seat.has_person:
            outbox.tell(kind=Kind.ENDED, seat=seat, seq=last.seq, exclude=used_channels)


def sweep_full_games(now: datetime) -> int:
    """Continue full games whose next game did not start. Return how many."""
    later = Game.objects.filter(full_game=OuterRef("full_game"), number__gt=OuterRef("number"))
    ended = Game.objects.filter(full_game__status=FullStatus.RUNNING, status=Status.FINISHED)
    stuck = list(ended.filter(~Exists(later)).order_by(F("ended_at"))[:100])
    for game in stuck:
        after_game(game=game, now=now)
    return len(stuck)
