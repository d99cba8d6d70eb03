"""Notices about finished full games, which replace the notice about their last game."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.notices.kinds import Kind
from games.notices.models import Notice
from games.notices.outbox import outbox
from games.notices.outbox.words import enumerated
from games.tables.models import GAMES, FullGame, Game, Seat
from games.tables.selectors.options import short_name


def is_last(game: Game) -> bool:
    """Return whether this is the last game of a full game."""
    return game.full_game_id is not None and game.number == GAMES


def tell_finished(full: FullGame, last: Game) -> None:
    """Notify the owners. Players who want no notices of full games may get the one about the last game."""
    seats = list(Seat.objects.filter(game=last).select_related("user", "owner").order_by("number"))
    for seat in seats:
        told = _tell_owner(full, seat, seats)
        if seat.has_person:
            heard = {notice.channel for notice in told if seat.user_id == seat.owner_id}
            outbox.tell(kind=Kind.ENDED, seat=seat, seq=last.seq, besides=heard)


def _tell_owner(full: FullGame, seat: Seat, seats: Sequence[Seat]) -> list[Notice]:
    if seat.owner is None:
        return []
    return outbox.tell_user(
        kind=Kind.FULL, user=seat.owner, about=f"game.{full.pk}", title=_title(full, seat, seats),
        lead=_lead(full, seats), url=reverse("full_game", args=[full.pk]),
    )  # fmt: skip


def _title(full: FullGame, seat: Seat, seats: Sequence[Seat]) -> str:
    others = enumerated([one.name for one in seats if one.number != seat.number])
    return _("Full game finished: {game} with {names}").format(game=short_name(full.ruleset), names=others)


def _lead(full: FullGame, seats: Sequence[Seat]) -> str:
    lines = sorted(full.standing or (), key=lambda line: line["place"])
    names = {seat.number: seat.name for seat in seats}
    winners = [names[line["seat"]] for line in lines if line["place"] == 1]
    points = [_("{name} {points}").format(name=names[line["seat"]], points=line["points"]) for line in lines]
    won = ngettext("{names} won.", "{names} share the win.", len(winners)).format(names=enumerated(winners))
    return f"{won} {', '.join(points)}."
