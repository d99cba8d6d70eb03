"""Pictures for the rules of Kingdoms: hands, a purchase, battles, and conquests.

The rules code computes the captions' numbers, so that the page cannot disagree with the game.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.boards.kingdoms.battle import battle_scene
from games.boards.kingdoms.realm import realm
from games.help.kingdoms.cards import power_card, ranks
from games.help.term import CardHelp
from games.rules.fairness import Quick
from games.rules.kingdoms import market
from games.rules.kingdoms.options import Options
from games.rules.kingdoms.realm import Rulers, after_castle, after_tower
from games.rules.kingdoms.troops import COMMAND, EPIC21, ORDINARY, classify
from games.rules.kingdoms.view import BattleView, LaidView, View, WaveView
from games.rules.kingdoms.worth import value
from games.rules.play import begin
from games.rules.protocol import IllegalAction, SeatInfo
from games.rules.registry import get
from games.tables.pages.kingdoms.pictures import picture, sprite_url

Lazy = str | Promise
Cards = tuple[str, ...]

NAMES = ("Ada", "Ben", "Cleo", "Dan")
OWN_NAMES = re.compile(r'(id="|href="#|url\(#)')  # where a drawing defines or uses an id
KINDS = {
    ORDINARY: gettext_lazy("An ordinary hand"),
    EPIC21: gettext_lazy("An Epic 21 with a Support Hero"),
    COMMAND: gettext_lazy("A command"),
}


@dataclass(frozen=True)
class Row:
    """Cards in a row, with their total and a caption."""

    cards: tuple[SafeString, ...]
    words: str
    total: int
    is_legal: bool = True


@dataclass(frozen=True)
class Trade:
    """A purchase: the cards given and the cards taken."""

    give: Row
    take: Row


@dataclass(frozen=True)
class Figure:
    """A drawing with a caption."""

    drawing: SafeString
    caption: str


@dataclass(frozen=True)
class Pictures:
    """All pictures in the rules of Kingdoms."""

    hands: tuple[Row, ...]
    no_hands: tuple[Row, ...]
    trades: tuple[Trade, ...]
    secrets: tuple[Row, ...]
    battles: tuple[Figure, ...]
    ruled: Figure
    realms: tuple[Figure, ...]
    revolts: tuple[Figure, ...]
    towers: tuple[CardHelp, ...]
    epics: tuple[CardHelp, ...]
    bosses: tuple[CardHelp, ...]


HANDS: tuple[Cards, ...] = (
    ("sun-attack-7-1", "pine-attack-7-1", "plum-attack-7-1"),
    ("wave-champion-12-1", "pine-attack-4-1", "sun-support-3-1"),
    ("wave-attack-5-1", "sun-attack-8-1", "plum-attack-8-1", "pine-support-3-1"),
    ("pine-champion-10-1", "sun-champion-11-1", "wave-support-1-1"),
    ("plum-kingdom-queen-1", "plum-support-2-1"),
    ("epic-fox",),
    ("boss-warmaster", "sun-champion-12-1"),
)
NO_HANDS: tuple[Cards, ...] = (
    ("sun-champion-12-1", "wave-attack-8-1", "pine-support-3-1"),
    ("plum-kingdom-emperor-1", "sun-support-1-1", "wave-support-2-1"),
    ("epic-carp", "pine-attack-8-1", "sun-support-1-1"),
)
TRADES: tuple[tuple[Cards, Cards], ...] = (
    (("sun-attack-4-1", "wave-champion-9-1"), ("plum-kingdom-emperor-1",)),
    (("pine-attack-8-1", "sun-kingdom-queen-1"), ("wave-champion-11-1", "plum-champion-12-1")),
)
SECRETS: tuple[Cards, ...] = (
    ("plum-attack-5-1", "plum-attack-8-1", "plum-attack-8-2"),
    ("sun-champion-9-1", "sun-champion-12-1"),
)

# Each picture of a battle: caption, the defender's Towers, and both hands as far as they are face up.
Laid = tuple[Cards, int]
BATTLES: tuple[tuple[Lazy, Cards, Laid, Laid | None], ...] = (
    (
        gettext_lazy("Ada has played three cards. Ben knows only how many there are."),
        ("sun-kingdom-emperor-1",),
        ((), 3),
        None,
    ),
    (
        gettext_lazy(
            "Revealed: the Epic 21 has a Support Hero and beats a plain 21. Ben’s Tower falls, and Ada takes the Flop."
        ),
        ("sun-kingdom-emperor-1",),
        (("pine-champion-10-1", "sun-champion-11-1", "wave-support-1-1"), 3),
        (("sun-attack-7-1", "pine-attack-7-1", "plum-attack-7-1"), 3),
    ),
    (
        gettext_lazy(
            "Without Towers, the wall counts: 21 plus 3 equals 24, a tie. Ada stops or plays a new hand."
        ),
        (),
        (("wave-attack-5-1", "sun-attack-8-1", "plum-attack-8-1", "pine-support-3-1"), 4),
        (("sun-attack-6-1", "wave-attack-7-1", "plum-attack-8-2"), 3),
    ),
)  # fmt: skip
WALL = Options().wall

# The conquests that lead to each picture: what was beaten, by whom, and whose it was.
Steps = tuple[tuple[str, int, int], ...]
FIRST: Steps = (("castle", 0, 1),)
REALMS: tuple[tuple[Lazy, Steps], ...] = (
    (gettext_lazy("Ada has taken Ben’s Castle and rules him."), FIRST),
    (
        gettext_lazy("Ben takes Cleo’s Castle. He rules her and takes cards from her; both belong to Ada’s kingdom."),
        (*FIRST, ("castle", 1, 2)),
    ),
    (
        gettext_lazy("Dan takes Ada’s Castle. He replaces her as Ben’s ruler, so everyone is below him, and he wins."),
        (*FIRST, ("castle", 1, 2), ("castle", 3, 0)),
    ),
)
TWO: Steps = (*FIRST, ("castle", 0, 2))
REVOLTS: tuple[tuple[Lazy, Steps], ...] = (
    (gettext_lazy("Ada rules Ben and Cleo."), TWO),
    (gettext_lazy("Dan beats one of Ben’s Towers and steals him: Dan now rules Ben."), (*TWO, ("tower", 3, 1))),
    (gettext_lazy("Or Ben beats one of Ada’s Towers: he revolts and is free."), (*TWO, ("tower", 1, 0))),
    (
        gettext_lazy("Or Ben takes Ada’s Castle: he rules her, and replaces her as Cleo’s ruler."),
        (*TWO, ("castle", 1, 0)),
    ),
)


def pictures(slug: str) -> Pictures:
    return Pictures(
        hands=tuple(map(_hand, HANDS)),
        no_hands=tuple(map(_hand, NO_HANDS)),
        trades=tuple(Trade(_price(give), _price(take)) for give, take in TRADES),
        secrets=tuple(_row(cards, _("One suit, exactly {total}")) for cards in SECRETS),
        battles=tuple(_battle(*shown) for shown in BATTLES),
        ruled=_realm(len(REALMS) + len(REVOLTS), str(REALMS[0][0]), FIRST),
        realms=tuple(_realm(n, str(words), steps) for n, (words, steps) in enumerate(REALMS)),
        revolts=tuple(_realm(n, str(words), steps) for n, (words, steps) in enumerate(REVOLTS, len(REALMS))),
        towers=tuple(ranks("kingdoms")),
        epics=tuple(power_card("kingdoms", power) for power in ("storm", "vision", "tribute", "market")),
        bosses=tuple(power_card("kingdoms", power) for power in ("strike", "infiltrate", "walls", "truce")),
    )


# Rows of cards


def _row(cards: Cards, words: str, is_legal: bool = True) -> Row:
    total = value(cards)
    return Row(tuple(map(picture, cards)), words.format(total=total), total, is_legal)


def _hand(cards: Cards) -> Row:
    try:
        return _row(cards, str(KINDS[classify(cards).kind]))
    except IllegalAction as refusal:
        return _row(cards, refusal.say(_), is_legal=False)


def _price(cards: Cards) -> Row:
    price = market.dots(cards)
    return _row(cards, ngettext("{n} dot", "{n} dots", price).format(n=price))


# Battles and realms


def _battle(caption: Lazy, towers: Cards, attack: Laid, defence: Laid | None) -> Figure:
    """Draw a battle in which Ada attacks Ben."""
    hands = []
    for seat, laid in enumerate((attack, defence)):
        if laid is not None:
            cards, count = laid
            hands.append(LaidView(seat, count, cards, value(cards) if cards else None, bool(cards)))
    wave = WaveView(tuple(hands))
    if defence is not None:
        wave = WaveView(tuple(hands), value(attack[0]), value(defence[0]) + (0 if towers else WALL))
    drawn = battle_scene(
        BattleView(0, 1, None, None, (wave,)),
        towers=towers, wall=WALL, names=NAMES, sprite=sprite_url(), translate=_,
    )  # fmt: skip
    return Figure(mark_safe(drawn), str(caption))


def _realm(number: int, caption: str, steps: Steps) -> Figure:
    """Draw the realm in the turn of the player who made the last conquest, with ids that are unique on the page."""
    rules, chance, seats = get("kingdoms"), Quick(1), [SeatInfo()] * len(NAMES)
    state, _events = begin(rules, rules.options({}, len(NAMES)), seats, chance)
    state.rulers, state.active = rulers_after(steps), steps[-1][1]
    view: View = rules.view(state, None)
    drawn = realm(view, NAMES, wide=True, translate=_)
    return Figure(mark_safe(OWN_NAMES.sub(rf"\g<1>realm{number}-", drawn)), caption)


def rulers_after(steps: Sequence[tuple[str, int, int]]) -> Rulers:
    """Return who rules whom after these Towers and Castles have been beaten, starting with four free players."""
    rulers: Rulers = (None,) * len(NAMES)
    for what, attacker, target in steps:
        rulers = (after_tower if what == "tower" else after_castle)(rulers, attacker, target)
    return rulers
