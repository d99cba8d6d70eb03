"""Pictures for the rules of Kingdoms: hands, a purchase, battles, and conquests.

The rules code computes the captions' numbers, so that the page cannot disagree with the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.boards.kingdoms.battle import battle_scene
from games.boards.kingdoms.realm import miniature, realm
from games.help.kingdoms.cards import power_card, ranks
from games.help.ruling import read
from games.help.term import CardHelp, with_ids
from games.rules.fairness import Quick
from games.rules.kingdoms import market
from games.rules.kingdoms.options import Options
from games.rules.kingdoms.realm import Rulers, after_castle, after_tower
from games.rules.kingdoms.troops import COMMAND, EPIC21, ORDINARY, classify
from games.rules.kingdoms.values import value
from games.rules.kingdoms.view import BattleView, LaidView, View, WaveView
from games.rules.play import begin
from games.rules.protocol import IllegalAction, SeatInfo
from games.rules.registry import get
from games.tables.pages.kingdoms.pictures import picture, sprite_url

Cards = Sequence[str]
Laid = dict[str, Any]  # how many cards, and which of them are face up
Steps = Sequence[tuple[str, int, int]]

NAMES = ("Ada", "Ben", "Cleo", "Dan")
KINDS = {
    ORDINARY: gettext_lazy("An ordinary hand"),
    EPIC21: gettext_lazy("An Epic 21 with a Support Hero"),
    COMMAND: gettext_lazy("A command"),
}


@dataclass(frozen=True)
class CardRow:
    """Cards in a row, with their total and a caption."""

    cards: tuple[SafeString, ...]
    words: str
    total: int
    is_legal: bool = True


@dataclass(frozen=True)
class Trade:
    """A purchase: the cards given and the cards taken."""

    give: CardRow
    take: CardRow


@dataclass(frozen=True)
class Figure:
    """A drawing with a caption."""

    drawing: SafeString
    caption: str


@dataclass(frozen=True)
class Pictures:
    """All pictures in the rules of Kingdoms."""

    hands: tuple[CardRow, ...]
    no_hands: tuple[CardRow, ...]
    trades: tuple[Trade, ...]
    secrets: tuple[CardRow, ...]
    battles: tuple[Figure, ...]
    ruled: Figure
    realms: tuple[Figure, ...]
    revolts: tuple[Figure, ...]
    towers: tuple[CardHelp, ...]
    epics: tuple[CardHelp, ...]
    bosses: tuple[CardHelp, ...]


DATA = read(Path(__file__).parent, "pictures")
WALL = Options().wall


def pictures(slug: str) -> Pictures:
    """Return the pictures of the rules page, drawn from the examples in pictures.toml."""
    realms, revolts = DATA["realms"], DATA["revolts"]
    return Pictures(
        hands=tuple(map(_hand, DATA["hands"])),
        no_hands=tuple(map(_hand, DATA["no_hands"])),
        trades=tuple(Trade(_price(trade["give"]), _price(trade["take"])) for trade in DATA["trades"]),
        secrets=tuple(_row(cards, _("One suit, exactly {total}")) for cards in DATA["secrets"]),
        battles=tuple(_battle(**battle) for battle in DATA["battles"]),
        ruled=_realm(len(realms) + len(revolts), **realms[0]),
        realms=tuple(_realm(n, **realm) for n, realm in enumerate(realms)),
        revolts=tuple(_realm(n, **revolt) for n, revolt in enumerate(revolts, len(realms))),
        towers=tuple(ranks("kingdoms")),
        epics=tuple(power_card("kingdoms", power) for power in ("storm", "vision", "tribute", "market")),
        bosses=tuple(power_card("kingdoms", power) for power in ("strike", "infiltrate", "walls", "truce")),
    )


# Rows of cards


def _row(cards: Cards, words: str, is_legal: bool = True) -> CardRow:
    total = value(cards)
    return CardRow(tuple(map(picture, cards)), words.format(total=total), total, is_legal)


def _hand(cards: Cards) -> CardRow:
    try:
        return _row(cards, str(KINDS[classify(cards).kind]))
    except IllegalAction as refusal:
        return _row(cards, refusal.say(_), is_legal=False)


def _price(cards: Cards) -> CardRow:
    price = market.dots(cards)
    return _row(cards, ngettext("{n} dot", "{n} dots", price).format(n=price))


# Battles and realms


def _battle(text: str, towers: Cards, attack: Laid, defense: Laid | None = None) -> Figure:
    """Draw a battle in which Ada attacks Ben."""
    hands = []
    for seat, laid in enumerate((attack, defense)):
        if laid is not None:
            cards = tuple(laid["cards"])
            hands.append(LaidView(seat, laid["count"], cards, value(cards) if cards else None, bool(cards)))
    wave = WaveView(tuple(hands))
    if defense is not None:
        wave = WaveView(tuple(hands), value(attack["cards"]), value(defense["cards"]) + (0 if towers else WALL))
    drawn = battle_scene(
        BattleView(0, 1, None, None, (wave,)),
        towers=towers, wall=WALL, names=NAMES, sprite=sprite_url(), translate=_,
    )  # fmt: skip
    return Figure(mark_safe(drawn), _(text))


def _realm(number: int, text: str, steps: Steps) -> Figure:
    """Draw the realm in the turn of the player who made the last conquest, with ids that are unique on the page."""
    rules, chance, seats = get("kingdoms"), Quick(1), [SeatInfo()] * len(NAMES)
    state, _events = begin(rules, rules.options({}, len(NAMES)), seats, chance)
    state.rulers, state.active = rulers_after(steps), steps[-1][1]
    view: View = rules.view(state, None)
    drawn = realm(view, NAMES, wide=True, translate=_)
    return Figure(with_ids(drawn, f"realm{number}"), _(text))


def rulers_after(steps: Steps) -> Rulers:
    """Return who rules whom after these Towers and Castles have been beaten, starting with four free players."""
    rulers: Rulers = (None,) * len(NAMES)
    for beaten, attacker, target in steps:
        rulers = (after_tower if beaten == "tower" else after_castle)(rulers, attacker, target)
    return rulers


def emblem(slug: str) -> SafeString:
    """Draw four kingdoms in miniature, of which one has two Towers and rules another."""
    rules, chance, seats = get(slug), Quick(1), [SeatInfo()] * len(NAMES)
    state, _events = begin(rules, rules.options({}, len(NAMES)), seats, chance)
    state.towers = [("sun-kingdom-emperor-1", "sun-kingdom-queen-1"), (), ("wave-kingdom-emperor-1",), ()]
    state.rulers = rulers_after((("castle", 0, 1),))
    return mark_safe(miniature(rules.view(state, None)))
