"""One kingdom as a drawing: its Castle, its Towers as storeys on top, its banner, and badges for its hand."""

from collections.abc import Collection, Sequence
from functools import cache
from html import escape

from games.boards.eight_minute.pieces import SPARK
from games.boards.kingdoms.describe import rank_of
from games.boards.kingdoms.drawings import PEN, sheet, strokes
from games.boards.kingdoms.seats import BANNER_SHAPES
from games.boards.themes import Colour
from games.rules.kingdoms.deck import RANK_NAMES
from games.rules.kingdoms.view import PlayerView
from games.rules.words import Translate, untranslated

POLE = 32  # height of a banner over its Castle
FLAG = "M1-30H31L26-20.500L31-11H1Z"
LABEL = "M4-15.5H34Q38-15.5 38-11.5V-2Q38 2 34 2H4Q0 2 0-2V-11.5Q0-15.5 4-15.5Z"
BADGES = {100: ("#8a5a10", "#f6dc8c"), 200: ("#8f2a13", "#f7c9a8")}


def drawn_high(player: PlayerView) -> float:
    """Return the height of a kingdom's drawing over its foot, including the banner."""
    return _top(player) + POLE


def _top(player: PlayerView) -> float:
    """Return the height of the banner's foot: on the last Tower, or on the Castle's keep."""
    storeys = sheet("realm")["storeys"]
    towers = sum(storeys[rank_of(tower)]["high"] for tower in player.towers)
    return float(sheet("realm")["castle"]["keep"] + max(10, towers))


def defs(players: Sequence[PlayerView], prefix: str) -> str:
    """Return the parts that these kingdoms share, with ids beginning with the prefix."""
    wanted = {"castle", "hand", *(rank_of(tower) for player in players for tower in player.towers)}
    wanted |= {sign for player in players for sign in _signs(player)}
    return "".join(f'<g id="{prefix}-{key}" {PEN}>{drawing}</g>' for key, drawing in _parts().items() if key in wanted)


@cache
def _parts() -> dict[str, str]:
    realm = sheet("realm")
    drawn = {
        "castle": realm["castle"]["drawing"],
        **{rank: storey["drawing"] for rank, storey in realm["storeys"].items()},
    }
    return {key: strokes(drawing) for key, drawing in (drawn | realm["signs"]).items()}


def stronghold(
    player: PlayerView,
    paint: Colour,
    prefix: str,
    translate: Translate = untranslated,
    new: Collection[str] = (),
) -> str:
    """Draw Castle, Towers and banner over the middle of the Castle's foot, with a spark next to each `new` Tower."""
    y, storeys = float(sheet("realm")["castle"]["keep"]), []
    for tower in player.towers:
        storeys.append(_storey(rank_of(tower), y, prefix, translate) + (spark(27, 8 - y) if tower in new else ""))
        y += sheet("realm")["storeys"][rank_of(tower)]["high"]
    drawn = f'{_banner(paint, _top(player))}{"".join(storeys)}<use href="#{prefix}-castle"/>'
    return f'<g class="stronghold" color="{paint.fill}">{drawn}</g>'


def _storey(rank: str, y: float, prefix: str, translate: Translate) -> str:
    """Draw a Tower: the crown of its rank, and the rank's first letter."""
    letter = escape(translate(RANK_NAMES[rank])[:1])
    mark = sheet("realm")["marks"][rank]
    return (
        f'<g transform="translate(0 {-y:g})"><use href="#{prefix}-{rank}"/><g fill="#241a10">'
        f'<path transform="translate(-5.5 -4.4) scale(.9)" d="{mark}"/><text x="2" y="-4">{letter}</text></g></g>'
    )


def spark(x: float, y: float) -> str:
    """Draw the sign for something new."""
    return (
        f'<path class="spark" d="{SPARK}" transform="translate({x:g} {y:g}) scale(1.7)" fill="#ffe27a"'
        ' stroke="#5a3a00" stroke-width="1"/>'
    )


def _banner(paint: Colour, top: float) -> str:
    return (
        f'<g transform="translate(0 {-top:g})" stroke-linejoin="round"><path d="M0 6V-31" stroke="#8a6a44"'
        f' stroke-width="2.6" stroke-linecap="round"/><path d="{FLAG}" fill="{paint.fill}" stroke="#8a6a44"'
        f' stroke-width="1.4"/><path transform="translate(13 -20.5) scale(.62)" fill="{paint.ink}"'
        f' d="{BANNER_SHAPES[paint.shape]}"/></g>'
    )


def badges(player: PlayerView, fought: bool, prefix: str, change: int = 0) -> tuple[str, float]:
    """Draw the badges of a hand in a line, and return them with their width. `change` is the change in cards."""
    cards = str(player.cards)
    drawn, x = [f'<use href="#{prefix}-hand" x="9"/><text x="19" font-size="19">{cards}</text>'], 26 + 9.5 * len(cards)
    if change:
        words = f"{change:+d}".replace("-", "−")
        drawn.append(_change(words, x))
        x += 18 + 8 * len(words)
    if player.band:
        drawn.append(_badge(player.band, x))
        x += 45
    for sign in _signs(player, fought):
        drawn.append(f'<use href="#{prefix}-{sign}" x="{x + 11:g}"/>')
        x += 30
    return "".join(drawn), x - 7


def _signs(player: PlayerView, fought: bool = True) -> list[str]:
    """Return the signs: a dove under a Truce, swords for players who have attacked, if that matters (K92)."""
    return [sign for sign, holds in (("truce", player.truce), ("fought", fought and player.attacked)) if holds]


def _change(words: str, x: float) -> str:
    """Draw the change in a hand's number of cards: a golden pill."""
    wide = 12 + 8 * len(words)
    return (
        f'<g class="count" transform="translate({x:g} 0)" fill="#33200a"><rect y="-16" width="{wide}" height="19"'
        ' rx="9.5" fill="#ffd24a" stroke="#33200a" stroke-width="1.4"/>'
        f'<text x="{wide / 2:g}" y="-1.4" font-size="15.5" text-anchor="middle">{words}</text></g>'
    )


def _badge(band: int, x: float) -> str:
    ink, wash = BADGES[band]
    return (
        f'<g transform="translate({x:g} 0)" fill="{ink}"><path d="{LABEL}" fill="{wash}" stroke="{ink}"'
        ' stroke-width="1.4"/><text x="19" y="-1.8" font-size="15.5"'
        f' text-anchor="middle">{band}+</text></g>'
    )
