"""The realm: every kingdom with its Castle, Towers and banner, and ribbons from each ruler to their sub-kingdoms.

Rows for narrow pages, a tree for wide ones; lengths are pixels on a page of that width. The picture loads nothing; its
attributes have the light theme's colors, and the page's CSS overrides them for the dark theme.
"""

import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from typing import NamedTuple

from games.boards.kingdoms.changes import NOTHING, Changes, kingdom_changes
from games.boards.kingdoms.describe import broken, called, fitted, kingdom_words, rank_of, realm_words, width_of
from games.boards.kingdoms.faces import PEN, moved, sheet, strokes
from games.boards.sprites import COARSE, Part
from games.boards.targets import SPARK, Target, leads
from games.boards.themes import BANNER_SHAPES, Colour, banners, shade_of
from games.rules.kingdoms.deck import RANK_NAMES
from games.rules.kingdoms.view import PlayerView, View
from games.rules.words import SEPARATOR, Translate, gettext_noop, untranslated

NARROW = 360  # width of the picture with rows
INDENT = 30  # indentation of a row per ruler above
BESIDE = 48  # from the middle of a Castle in a row to its name
ROW = 16  # minimum room between rows
LEAF = 132  # width of a kingdom in a tree
FOOT = 50  # room under a Castle in a tree, for the name and badges
GAP = 34  # between a ruler's words and the banners below, in a tree
MINIATURE = 84  # width of a kingdom in a miniature
LONGEST = 14  # maximum letters of a name in a line of a tree; longer ones have two lines
LINE = 17  # height of the second line
POLE = 32  # height of a banner over its Castle
FLAG = "M1-30H31L26-20.500L31-11H1Z"
LABEL = "M4-15.5H34Q38-15.5 38-11.5V-2Q38 2 34 2H4Q0 2 0-2V-11.5Q0-15.5 4-15.5Z"
BADGES = {100: ("#8a5a10", "#f6dc8c"), 200: ("#8f2a13", "#f7c9a8")}
GLOW = 'fill="#ffe9a0" fill-opacity=".55" stroke="#b1371b" stroke-width="2.4" stroke-dasharray="5 4"'
USED = re.compile(r'href="#(k[wn])-([\w-]+)"')
INKS = {"light": "#2a2318", "dark": "#ece3cf"}

Rulers = Sequence[int | None]
Box = tuple[float, float, float, float]  # left, top, right, bottom


class Spot(NamedTuple):
    """A kingdom's position: the middle of its Castle's foot, and its depth in the forest."""

    seat: int
    x: float
    y: float
    depth: int


class Forest(NamedTuple):
    """All spots, rulers before their sub-kingdoms, the size of the picture, and in a tree the room under a Castle."""

    spots: tuple[Spot, ...]
    width: float
    height: float
    foot: float = FOOT


def realm(
    view: View,
    names: Sequence[str] = (),
    *,
    wide: bool = False,
    translate: Translate = untranslated,
    theme: str = "light",
    targets: Mapping[int, Target] = {},
    changes: Changes = NOTHING,
) -> str:
    """Draw who rules whom. `names` are the players' names by seat; `theme` matters only without the page's CSS.

    `targets` are the kingdoms that can be clicked, `changes` what is marked as new.
    """
    forest = forest_of(view, names, wide, translate)
    drawings = pieces(view, forest, names, wide=wide, translate=translate, theme=theme, changes=changes)
    for spot in forest.spots:
        if target := targets.get(spot.seat):
            high = drawn_high(view.players[spot.seat]) - 26
            outline = f"M{spot.x - 42:g} {spot.y + 4:g}v{-high:g}q42-36 84 0v{high:g}q-42 10-84 0Z"
            glow = f'<path class="k-glow" d="{outline}" {GLOW}/>'
            link = f'<a {leads(target)} aria-label="{escape(target.label)}">'
            drawings[str(spot.seat)] = f"{link}{glow}{drawings[str(spot.seat)]}</a>"
    drawn = "".join(f'<g data-of="{key}">{drawing}</g>' for key, drawing in drawings.items())
    defs = parts_defs(_wanted(view), wide)
    title, words = escape(translate(gettext_noop("Who rules whom"))), realm_words(view, names, translate)
    size = f'viewBox="0 0 {forest.width:g} {forest.height:g}" width="{forest.width:g}" height="{forest.height:g}"'
    role = f'role="group" aria-label="{title}"' if targets else 'role="img"'
    # Screen readers read the links to kingdoms, so that the words of the whole would be said twice
    described = "" if targets else f"<desc>{escape(words)}</desc>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="k-realm {"k-wide" if wide else "k-narrow"}" {size} {role}'
        f' font-family="Alegreya" font-weight="700" font-size="13" fill="{INKS[shade_of(theme)]}">'
        f'<title>{title}</title>{described}<defs>{defs}</defs><g class="tokens">{drawn}</g></svg>'
    )


def forest_of(view: View, names: Sequence[str], wide: bool, translate: Translate) -> Forest:
    """Return the places of the kingdoms, with room for the names."""
    lines = max(len(broken(called(seat, names, translate), LONGEST)) for seat in range(len(view.players)))
    return laid_out(view, wide, FOOT + LINE * (lines - 1))


def pieces(
    view: View,
    forest: Forest,
    names: Sequence[str],
    *,
    wide: bool,
    translate: Translate,
    theme: str = "light",
    changes: Changes = NOTHING,
) -> dict[str, str]:
    """Draw the ribbons and each kingdom at its place in the forest, which may be that of another position."""
    paints = banners(theme)
    ribbons = "".join(_ribbon(view, forest, spot, paints, wide, spot.seat in changes.ruled) for spot in forest.spots)
    drawings = {"ribbons": ribbons}
    for spot in forest.spots:
        drawings[str(spot.seat)] = _kingdom(view, spot, names, paints[spot.seat], wide, translate, changes)
    return drawings


def parts(
    view: View, forest: Forest, names: Sequence[str], *, wide: bool, translate: Translate, theme: str = "light",
    language: str = "en",
) -> Iterator[Part]:  # fmt: skip
    """Draw the same as `pieces`, without words and changes, in parts from the lowest to the topmost."""
    paints = banners(theme)
    for spot in forest.spots:
        if ribbon := _ribbon(view, forest, spot, paints, wide, is_new=False):
            yield Part((0, 0), ribbon, _ribbon_box(view, forest, spot), is_common=False)
    letters = _letters(theme, language)
    for spot in forest.spots:
        player = view.players[spot.seat]
        for up, drawing, box in _storeys(player, paints[spot.seat], _prefix(wide), translate):
            yield _storey_part((spot.x, spot.y - up), drawing, box, paints[spot.seat], letters)
        *shown, signs = _words(view, spot, names, wide, translate, 0)
        for across, down, drawing, box in (*shown, signs):
            is_common = drawing is signs[2]  # names of players are not
            yield Part((spot.x + across, spot.y + down), f"<g {letters}>{drawing}</g>", box, COARSE, is_common)


def common_parts(at: tuple[float, float], theme: str, translate: Translate, language: str) -> Iterator[Part]:
    """Draw all that kingdoms in rows are built of, around a point."""
    prefix, letters = _prefix(wide=False), _letters(theme, language)
    for paint in banners(theme):
        drawn = [_banner(paint), _castle(prefix), *(_storey(rank, prefix, translate) for rank in RANK_NAMES)]
        yield from (_storey_part(at, drawing, box, paint, letters) for drawing, box in drawn)


def _storey_part(at: tuple[float, float], drawing: str, box: Box, paint: Colour, letters: str) -> Part:
    return Part(at, f'<g color="{paint.fill}" {letters}>{drawing}</g>', box, COARSE)


def _letters(theme: str, language: str) -> str:
    """Return the attributes of letters. The language tells resvg which forms of letters to use."""
    ink = INKS[shade_of(theme)]
    return f'xml:lang="{language}" font-family="Alegreya" font-weight="700" font-size="13" fill="{ink}"'


def parts_defs(wanted: Collection[str], wide: bool) -> str:
    """Draw the parts that the kingdoms of a picture use."""
    prefix = _prefix(wide)
    return "".join(f'<g id="{prefix}-{key}" {PEN}>{part}</g>' for key, part in _parts().items() if key in wanted)


def all_defs(drawing: str) -> str:
    """Return the definitions of the parts that a drawing uses, if it is shown alone."""
    used = {(prefix, key) for prefix, key in USED.findall(drawing)}
    parts = (f'<g id="{prefix}-{key}" {PEN}>{_parts()[key]}</g>' for prefix, key in sorted(used))
    return f"<defs>{''.join(parts)}</defs>"


def _wanted(view: View) -> set[str]:
    """Return the parts that the kingdoms of this position use."""
    wanted = {"castle", "hand"}
    for player in view.players:
        wanted.update(map(rank_of, player.towers), _signs(player))
    return wanted


def _prefix(wide: bool) -> str:
    """Return the beginning of ids: both pictures are on the same page."""
    return "kw" if wide else "kn"


def moving(
    views: Sequence[View], names: Sequence[str], wide: bool, translate: Translate
) -> tuple[str, list[dict[str, str]], float]:
    """Draw positions one after the other for a film, all at the places of the last one.

    Return the parts that the picture of the last one lacks; for each position what differs from the one before, and for
    the first one what ever changes; and how far a kingdom that has lost Towers rises above the picture.
    """
    last = views[-1]
    forest = forest_of(last, names, wide, translate)
    drawn = [pieces(view, forest, names, wide=wide, translate=translate) for view in views]
    lacking = set().union(*map(_wanted, views)) - _wanted(last)
    changed = [
        {key: drawing for key, drawing in there.items() if drawing != here[key]}
        for here, there in itertools.pairwise(drawn)
    ]
    keys = {key for keys_of_player in changed for key in keys_of_player}
    above = max(drawn_high(view.players[spot.seat]) - spot.y for view in views for spot in forest.spots)
    opening = {key: drawing for key, drawing in drawn[0].items() if key in keys}
    return parts_defs(lacking, wide), [opening, *changed], max(0, above)


def miniature(view: View) -> str:
    """Draw every kingdom for lists, without names and cards: its roofs in its own color, under its ruler's banner."""
    across = len(view.players) if len(view.players) < 4 else (len(view.players) + 1) // 2
    paints, prefix, high = banners(), "km", max(map(drawn_high, view.players)) + 4
    wanted = {"castle"}.union(*(map(rank_of, player.towers) for player in view.players))
    defs = "".join(f'<g id="{prefix}-{key}" {PEN}>{part}</g>' for key, part in _parts().items() if key in wanted)
    drawn = ""
    for seat, player in enumerate(view.players):
        flag = paints[seat if player.ruler is None else player.ruler]
        stronghold = _stronghold(player, paints[seat], prefix, untranslated, (), flag)
        drawn += moved(stronghold, MINIATURE * (seat % across + 0.5), high * (seat // across + 1) - 6)
    width, height = MINIATURE * across, high * -(-len(view.players) // across)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" width="{width}" height="{height:g}"'
        f' font-family="sans-serif" font-weight="700" font-size="13"><defs>{defs}</defs>{drawn}</svg>'
    )


@cache
def _parts() -> dict[str, str]:
    """Return the parts that kingdoms share: the Castle, the storeys by rank, and signs."""
    shown = sheet("realm")
    storeys = {rank: storey["drawing"] for rank, storey in shown["storeys"].items()}
    drawn = {"castle": shown["castle"]["drawing"], **storeys, **shown["signs"]}
    return {key: strokes(drawing) for key, drawing in drawn.items()}


# Positions


def laid_out(view: View, wide: bool, foot: float = FOOT) -> Forest:
    """Return the position of every kingdom. In a tree each has `foot` for what is under the Castle."""
    rulers = [player.ruler for player in view.players]
    heights = [drawn_high(player) + (0 if wide else ROW) for player in view.players]
    return _tree(rulers, heights, foot) if wide else _rows(rulers, heights)


def in_order(rulers: Rulers) -> list[tuple[int, int]]:
    """Return every seat and its depth, each ruler directly before its sub-kingdoms."""
    order: list[tuple[int, int]] = []
    waiting = [(seat, 0) for seat, ruler in reversed(list(enumerate(rulers))) if ruler is None]
    while waiting:
        seat, depth = waiting.pop()
        order.append((seat, depth))
        waiting += [(each, depth + 1) for each, ruler in reversed(list(enumerate(rulers))) if ruler == seat]
    return order


def _rows(rulers: Rulers, heights: Sequence[float]) -> Forest:
    """Return one row for each kingdom, indented under its ruler."""
    spots, y = [], 4.0
    order = in_order(rulers)
    step = min(INDENT, 120 / max(1, *(depth for _, depth in order)))
    for seat, depth in order:
        y += heights[seat]
        spots.append(Spot(seat, 44 + step * depth, y - 10, depth))
    return Forest(tuple(spots), NARROW, y + 4)


def _tree(rulers: Rulers, heights: Sequence[float], foot: float) -> Forest:
    """Return a forest with the rulers on top, each centered over their sub-kingdoms."""
    order = in_order(rulers)
    spans: dict[int, tuple[float, float]] = {}  # of each kingdom, counted in leaves
    leaves = 0
    for seat, _ in order:
        if seat not in rulers:
            spans[seat] = (leaves, leaves + 1)
            leaves += 1
    for seat, _ in reversed(order):
        if seat in rulers:
            ruled = [spans[each] for each, ruler in enumerate(rulers) if ruler == seat]
            spans[seat] = (min(span[0] for span in ruled), max(span[1] for span in ruled))
    floors: list[float] = []
    for level in range(1 + max(depth for _, depth in order)):
        tallest = max(heights[seat] for seat, depth in order if depth == level)
        floors.append((floors[-1] + foot + GAP if floors else 4) + tallest)
    spots = tuple(Spot(seat, LEAF * (sum(spans[seat]) / 2), floors[depth], depth) for seat, depth in order)
    return Forest(spots, LEAF * leaves, floors[-1] + foot, foot)


def drawn_high(player: PlayerView) -> float:
    """Return the height of a kingdom's drawing over its foot, including the banner."""
    return _top(player) + POLE


def _top(player: PlayerView) -> float:
    """Return the height of the banner's foot: on the last Tower, or on the Castle's keep."""
    storeys = sheet("realm")["storeys"]
    towers = sum(storeys[rank_of(tower)]["high"] for tower in player.towers)
    return float(sheet("realm")["castle"]["keep"] + max(10, towers))


# One kingdom


def _kingdom(
    view: View,
    spot: Spot,
    names: Sequence[str],
    paint: Colour,
    wide: bool,
    translate: Translate,
    changes: Changes,
) -> str:
    """Draw a kingdom, its name and badges: under the Castle in a tree, next to it in a row."""
    player, prefix = view.players[spot.seat], _prefix(wide)
    words = kingdom_words(view, spot.seat, names, translate)
    if said := kingdom_changes(changes, view, spot.seat, names, translate):
        words += translate(gettext_noop(" What changed: {changes}.")).format(changes=translate(SEPARATOR).join(said))
    gained = changes.cards.get(spot.seat, 0)
    known = "".join(moved(drawing, x, y) for x, y, drawing, _ in _words(view, spot, names, wide, translate, gained))
    active, mine = " active" if spot.seat == view.active else "", " mine" if spot.seat == view.seat else ""
    return (
        f'<g class="kingdom {paint.key}{active}{mine}" transform="translate({spot.x:g} {spot.y:g})">'
        f"<title>{escape(words)}</title>{_stronghold(player, paint, prefix, translate, changes.built)}{known}</g>"
    )


def _words(
    view: View, spot: Spot, names: Sequence[str], wide: bool, translate: Translate, change: int
) -> list[tuple[float, float, str, Box]]:
    """Draw a kingdom's name and badges, each with its place and the box around it."""
    name, is_active = called(spot.seat, names, translate), spot.seat == view.active and not view.over
    signs, width = _badges(view.players[spot.seat], view.options.quick, _prefix(wide), change)
    around = (-4, -24, width + 12, 12)
    if not wide:
        size = fitted(name, 19, NARROW - spot.x - BESIDE - 12)
        shown, room = _name(name, size, is_active, "start"), (-8, -size - 4, NARROW - spot.x - BESIDE, size)
        return [(BESIDE, -26, shown, room), (BESIDE, 0, signs, around)]
    lines = broken(name, LONGEST)
    size, half = min(fitted(line, 16, LEAF - 8) for line in lines), LEAF / 2 + 12
    shown_lines = [
        (0, 20 + LINE * number, _name(line, size, is_active, "middle"), (-half, -size - 4, half, size))
        for number, line in enumerate(lines)
    ]
    return [*shown_lines, (-width / 2, 43 + LINE * (len(lines) - 1), signs, around)]


def _stronghold(
    player: PlayerView, paint: Colour, prefix: str, translate: Translate, new: Collection[str],
    banner_of: Colour | None = None,
) -> str:  # fmt: skip
    """Draw Castle, Towers and banner, by default its own, with a spark next to each `new` Tower."""
    drawn = _storeys(player, banner_of or paint, prefix, translate, new)
    storeys = "".join(moved(drawing, 0, -up) for up, drawing, _ in drawn)
    return f'<g class="stronghold" color="{paint.fill}">{storeys}</g>'


def _storeys(
    player: PlayerView, flag: Colour, prefix: str, translate: Translate, new: Collection[str] = ()
) -> list[tuple[float, str, Box]]:
    """Draw the banner, the Towers from the lowest up and the Castle, each with its height and the box around it."""
    drawn: list[tuple[float, str, Box]] = [(_top(player), *_banner(flag))]
    y = float(sheet("realm")["castle"]["keep"])
    for tower in player.towers:
        storey, box = _storey(rank_of(tower), prefix, translate)
        drawn.append((y, storey + (_spark(27, 8) if tower in new else ""), box))
        y += sheet("realm")["storeys"][rank_of(tower)]["high"]
    return [*drawn, (0, *_castle(prefix))]


def _banner(flag: Colour) -> tuple[str, Box]:
    drawing = (
        '<g stroke-linejoin="round"><path d="M0 6V-31" stroke="#8a6a44"'
        f' stroke-width="2.6" stroke-linecap="round"/><path d="{FLAG}" fill="{flag.fill}" stroke="#8a6a44"'
        f' stroke-width="1.4"/><path transform="translate(13 -20.5) scale(.62)" fill="{flag.ink}"'
        f' d="{BANNER_SHAPES[flag.shape]}"/></g>'
    )
    return drawing, (-4, -36, 36, 12)


def _storey(rank: str, prefix: str, translate: Translate) -> tuple[str, Box]:
    """Draw a Tower with the crown of its rank and the rank's first letter."""
    letter, crown = escape(translate(RANK_NAMES[rank])[:1]), sheet("realm")["marks"][rank]
    drawing = (
        f'<use href="#{prefix}-{rank}"/><g fill="#241a10">'
        f'<path transform="translate(-5.5 -4.4) scale(.9)" d="{crown}"/>'
        f'<text x="2" y="-4">{letter}</text></g>'
    )
    return drawing, (-44, -sheet("realm")["storeys"][rank]["high"] - 24, 44, 12)


def _castle(prefix: str) -> tuple[str, Box]:
    return f'<use href="#{prefix}-castle"/>', (-48, -sheet("realm")["castle"]["keep"] - 32, 48, 14)


def _spark(x: float, y: float) -> str:
    return (
        f'<path class="spark" d="{SPARK}" transform="translate({x:g} {y:g}) scale(1.7)" fill="#ffe27a"'
        ' stroke="#5a3a00" stroke-width="1"/>'
    )


def _name(shown: str, size: float, is_active: bool, anchor: str) -> str:
    """Draw a name at 0 0, on a golden label if it is that player's turn."""
    if not is_active:
        return f'<text font-size="{size:g}" text-anchor="{anchor}">{escape(shown)}</text>'
    wide = round(width_of(shown) * size + 14)
    left = -wide / 2 if anchor == "middle" else -5
    label = f"M{left:g}-{size - 1:g}h{wide:g}l-5 {size / 2 + 2:g} 5 {size / 2 + 2:g}h{-wide:g}Z"
    return (
        f'<path class="k-turn" d="{label}" fill="#f6d568" stroke="#7a5510" stroke-width="1.3"/>'
        f'<text font-size="{size:g}" text-anchor="{anchor}" fill="#2a2318">{escape(shown)}</text>'
    )


def _badges(player: PlayerView, fought: bool, prefix: str, change: int) -> tuple[str, float]:
    """Draw the badges of a hand in a line, and return them with their width. `change` is the change in cards."""
    cards = str(player.cards)
    drawn, x = [f'<use href="#{prefix}-hand" x="9"/><text x="19" font-size="19">{cards}</text>'], 26 + 9.5 * len(cards)
    if change:  # a golden pill
        words = f"{change:+d}".replace("-", "−")
        wide = 12 + 8 * len(words)
        drawn.append(
            f'<g class="count" transform="translate({x:g} 0)" fill="#33200a"><rect y="-16" width="{wide}" height="19"'
            ' rx="9.5" fill="#ffd24a" stroke="#33200a" stroke-width="1.4"/>'
            f'<text x="{wide / 2:g}" y="-1.4" font-size="15.5" text-anchor="middle">{words}</text></g>'
        )
        x += 6 + wide
    if player.band:
        ink, wash = BADGES[player.band]
        drawn.append(
            f'<g transform="translate({x:g} 0)" fill="{ink}"><path d="{LABEL}" fill="{wash}" stroke="{ink}"'
            ' stroke-width="1.4"/><text x="19" y="-1.8" font-size="15.5"'
            f' text-anchor="middle">{player.band}+</text></g>'
        )
        x += 45
    for sign in _signs(player, fought):
        drawn.append(f'<use href="#{prefix}-{sign}" x="{x + 11:g}"/>')
        x += 30
    return "".join(drawn), x - 7


def _signs(player: PlayerView, fought: bool = True) -> list[str]:
    """Return the signs: a dove under a Truce, swords for players who have attacked, if that matters (K92)."""
    return [sign for sign, holds in (("truce", player.truce), ("fought", fought and player.attacked)) if holds]


def _ribbon_box(view: View, forest: Forest, spot: Spot) -> Box:
    """Return the box around the ribbon that leads to a kingdom."""
    origin = next(each for each in forest.spots if each.seat == view.players[spot.seat].ruler)
    left, right = sorted((origin.x, spot.x))
    return left - 40, origin.y - 8, right + 8, spot.y + 8


def _ribbon(view: View, forest: Forest, spot: Spot, paints: Sequence[Colour], wide: bool, is_new: bool) -> str:
    """Draw the ribbon of a ruler's color that leads to a kingdom, unless it is free, and a spark if that is new."""
    ruler = view.players[spot.seat].ruler
    top = spot.y - drawn_high(view.players[spot.seat])
    news = _spark(*((spot.x - 15, top + 12) if wide else (spot.x - 45, spot.y - 12))) if is_new else ""
    if ruler is None:
        return news
    origin = next(each for each in forest.spots if each.seat == ruler)
    if wide:  # from under the ruler's words to the top of the banner's pole
        y, middle = origin.y + forest.foot, (origin.y + forest.foot + top) / 2
        path = f"M{origin.x:g} {y:g}C{origin.x:g} {middle + 8:g} {spot.x:g} {middle - 8:g} {spot.x:g} {top:g}"
    else:  # down next to the rows, then to the Castle's gate
        x, y = origin.x - 34, spot.y - 12
        path = f"M{x:g} {origin.y + 2:g}V{y - 10:g}Q{x:g} {y:g} {x + 10:g} {y:g}H{spot.x - 30:g}"
    paint = paints[ruler]
    return (
        f'<g class="ribbon {paint.key}" fill="none" stroke-linecap="round"><path d="{path}" stroke="#3a2a1f"'
        f' stroke-width="7"/><path class="k-line" d="{path}" stroke="{paint.line}" stroke-width="4"/></g>{news}'
    )
