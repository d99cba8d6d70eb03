"""Public facts about each kingdom in words, next to the picture."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.boards.kingdoms.changes import Changes, kingdom_changes
from games.boards.kingdoms.describe import rank_of
from games.boards.kingdoms.seats import mark
from games.notices.outbox.words import enumerated as listed
from games.rules.kingdoms.deck import RANK_NAMES
from games.rules.kingdoms.view import PlayerView, View
from games.tables.pages.kingdoms.cards import cards_count
from games.tables.pages.kingdoms.pictures import picture

BANDS = {100: gettext_noop("worth 100 or more"), 200: gettext_noop("worth 200 or more")}


@dataclass(frozen=True)
class PlayerPanel:
    """A kingdom. `standing` describes it in short, `news` tells what changed.

    `shown` are the face-up cards, all cards once the game is over.
    """

    seat: int
    name: str
    is_me: bool
    is_acting: bool
    cards: str
    standing: tuple[str, ...]
    badges: tuple[str, ...]
    news: tuple[str, ...]
    shown: tuple[str, ...]

    @property
    def mark(self) -> SafeString:
        return mark_safe(mark(self.seat))

    @property
    def pictures(self) -> list[SafeString]:
        return [picture(one) for one in self.shown]


def player_panels(
    view: View, before: View, names: Sequence[str], me: int | None, changes: Changes
) -> list[PlayerPanel]:
    """Return the players, the reader first, then in turn order."""
    first = me or 0
    order = [*range(first, len(view.players)), *range(first)]
    return [_panel(view, before, names, seat, me, changes) for seat in order]


def _panel(view: View, before: View, names: Sequence[str], seat: int, me: int | None, changes: Changes) -> PlayerPanel:
    player = view.players[seat]
    return PlayerPanel(
        seat=seat,
        name=names[seat],
        is_me=seat == me,
        is_acting=seat in before.to_act,
        cards=cards_count(player.cards),
        standing=tuple(standing(view, player, names)),
        badges=tuple(_badges(view, player)),
        news=tuple(kingdom_changes(changes, view, seat, names, _)),
        shown=player.shown,
    )


def standing(view: View, player: PlayerView, names: Sequence[str]) -> Iterator[str]:
    """Yield who rules the kingdom, whom it rules, and its Towers."""
    if player.ruler is not None:
        yield _("ruled by {player}").format(player=names[player.ruler])
    else:
        yield _("free")
    if ruled := [names[other.seat] for other in view.players if other.ruler == player.seat]:
        yield _("rules {players}").format(players=listed(ruled))
    if player.towers:
        yield _("Towers: {towers}").format(towers=listed([_(RANK_NAMES[rank_of(tower)]) for tower in player.towers]))
    else:
        yield _("no Towers")


def _badges(view: View, player: PlayerView) -> Iterator[str]:
    if player.band:
        yield _(BANDS[player.band])
    if player.truce:
        yield _("under a Truce")
    if view.options.quick and not view.over:
        yield _("has attacked") if player.attacked else _("must still attack")
