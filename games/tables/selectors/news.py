"""The latest event of several games, one sentence each, with one query."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import F
from django.utils.translation import gettext

from games.tables.models import Entry
from games.tables.selectors.lines import sentences
from games.tables.selectors.listed import DeskGame


class News(NamedTuple):
    at: datetime
    sentence: str


def latest(games: Iterable[DeskGame]) -> dict[int, News]:
    """Return the latest news by game id: the first sentence of the last entry, as the desk's owner may know it."""
    desk = {one.game.pk: one for one in games}
    rows = Entry.objects.filter(game__in=desk, seq=F("game__seq"))
    return {row.game_id: News(row.at, next(iter(_said(desk[row.game_id], row)), "")) for row in rows}


def _said(one: DeskGame, row: Entry) -> tuple[str, ...]:
    if row.seq == 0:
        return (gettext("The game has started."),)
    return sentences(game=one.game, seats=one.seats, seat=one.seat if one.plays else None, row=row)
