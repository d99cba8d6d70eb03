"""A player's panel: what they have left, won, captured and collected."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.eight_minute.faces import Face, leader_face
from games.boards.themes import colours
from games.rules.eight_minute.edition import Edition, edition
from games.rules.eight_minute.state import BID
from games.rules.eight_minute.tokens import gifts
from games.rules.eight_minute.view import PlayerView, View
from games.tables.pages.eight_minute.gifts import Trophy, trophy
from games.tables.pages.eight_minute.goods import Good, goods, idle_wilds
from games.tables.pages.eight_minute.offers import card_face


@dataclass(frozen=True)
class Stock:
    """A count of something that a player has; `more` completes the words for screen readers."""

    icon: str
    words: str
    more: str
    n: int


@dataclass(frozen=True)
class Captives:
    """Captured armies of a colour; `mark` is the seat, or `third`."""

    mark: str
    words: str
    n: int


@dataclass(frozen=True)
class PlayerPanel:
    """A player's panel. `change` is the effect of the draft on the points."""

    seat: int
    name: str
    colour: str
    is_me: bool
    is_acting: bool
    total: int
    change: int
    stock: tuple[Stock, ...]
    cards: tuple[Face, ...]
    cards_owned: int
    bonuses: tuple[str, ...]
    leader: Face | None
    tokens: tuple[Trophy, ...]
    captives: tuple[Captives, ...]
    goods: tuple[Good, ...]
    idle_wilds: int


def player_panels(view: View, before: View, names: Sequence[str], me: int | None) -> list[PlayerPanel]:
    """Return the players, the reader first, then in turn order."""
    first = me or 0
    order = [*range(first, len(view.players)), *range(first)]
    return [_panel(view, before, names, seat, me) for seat in order]


def _panel(view: View, before: View, names: Sequence[str], seat: int, me: int | None) -> PlayerPanel:
    play, total, rules = view.players[seat], view.scoresheet.seats[seat].total, edition(view.edition)
    return PlayerPanel(
        seat=seat,
        name=names[seat],
        colour=_(colours(len(view.players))[seat].name),
        is_me=seat == me,
        is_acting=before.phase != BID and seat in before.to_act,
        total=total,
        change=total - before.scoresheet.seats[seat].total,
        stock=tuple(_stock(rules, play)),
        cards=tuple(card_face(view, card) for card in play.cards),
        cards_owned=max(view.cards_owned, len(play.cards)),
        bonuses=tuple(_bonuses(rules, play)),
        leader=leader_face(gifts()[play.leader], _) if play.leader else None,
        tokens=tuple(trophy(token) for token in play.tokens),
        captives=_captives(view, play, names),
        goods=goods(view, seat),
        idle_wilds=idle_wilds(view, seat),
    )


def _stock(rules: Edition, play: PlayerView) -> list[Stock]:
    found = [
        Stock("coin", _("Coins"), "", play.coins),
        Stock("army", _("Armies"), _("left to place"), play.supply),
        Stock("city", _("Cities"), _("left to place"), play.city_supply),
    ]
    return [*found, Stock("flask", _("Elixirs"), "", play.elixirs)] if "elixirs" in rules.scored else found


def _bonuses(rules: Edition, play: PlayerView) -> list[str]:
    said = []
    if play.more_armies:
        said.append(_("+{n} when placing armies").format(n=play.more_armies))
    if play.more_movement:
        said.append(_("+{n} when moving").format(n=play.more_movement))
    if play.crossing < rules.crossing:
        said.append(_("sea moves cost {n}").format(n=play.crossing))
    if play.immune:
        said.append(_("immune to attack"))
    return said


def _captives(view: View, play: PlayerView, names: Sequence[str]) -> tuple[Captives, ...]:
    return tuple(
        Captives(str(colour), _captured(n).format(n=n, player=names[colour]), n)
        if colour < len(names)
        else Captives("third", _captured_third(n).format(n=n), n)
        for colour, n in enumerate(play.captives)
        if n
    )


def _captured(n: int) -> str:
    return ngettext("{n} of {player}’s armies", "{n} of {player}’s armies", n)


def _captured_third(n: int) -> str:
    return ngettext("{n} third-color army", "{n} third-color armies", n)
