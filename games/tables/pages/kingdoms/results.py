"""The result of a game: kingdoms by place, with all their cards."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.boards.themes import mark
from games.rules.kingdoms.view import View
from games.tables.pages.kingdoms.cards import cards_count
from games.tables.pages.kingdoms.headline import WON_BY
from games.tables.pages.kingdoms.pictures import picture
from games.tables.pages.kingdoms.players import standing

TIE_BREAKS: dict[str, str] = {}  # reasons for places are shown with each kingdom


@dataclass(frozen=True)
class Kingdom:
    """A kingdom at the end; `words` explain its place."""

    place: int
    seat: int
    name: str
    words: tuple[str, ...]
    worth: str
    hand: tuple[str, ...]

    @property
    def mark(self) -> SafeString:
        return mark_safe(mark(self.seat))

    @property
    def pictures(self) -> list[SafeString]:
        return [picture(one) for one in self.hand]


@dataclass(frozen=True)
class Ending:
    """How the game was won, and all kingdoms in order of place."""

    how: str
    kingdoms: tuple[Kingdom, ...]


def ending(view: View, names: Sequence[str]) -> Ending:
    ranked = sorted(view.scoresheet.seats, key=lambda score: score.place)
    return Ending(
        _(WON_BY[view.won_by or ""]), tuple(_kingdom(view, score.seat, score.place, names) for score in ranked)
    )


def _kingdom(view: View, seat: int, place: int, names: Sequence[str]) -> Kingdom:
    player = view.players[seat]
    worth = _("{cards}, worth {value}").format(cards=cards_count(player.cards), value=player.value)
    return Kingdom(place, seat, names[seat], tuple(standing(view, player, names)), worth, player.hand)
