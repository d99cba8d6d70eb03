"""The realm: every kingdom with its Castle, Towers and banner, and ribbons from each ruler to their sub-kingdoms.

Rows for narrow pages, a tree for wide ones. The picture loads nothing; its attributes have the light theme's colours,
and the page's CSS overrides them for the dark theme.
"""

from collections.abc import Mapping, Sequence
from html import escape

from games.boards.eight_minute.pieces import Target
from games.boards.kingdoms.castles import badges, defs, drawn_high, spark, stronghold
from games.boards.kingdoms.changes import NOTHING, Changes, kingdom_changes
from games.boards.kingdoms.describe import called, kingdom_words, realm_words, shortened
from games.boards.kingdoms.drawings import moved
from games.boards.kingdoms.seats import banners
from games.boards.kingdoms.tree import NARROW, Forest, Spot, rows, tree
from games.boards.themes import Colour
from games.rules.kingdoms.view import PlayerView, View
from games.rules.words import Translate, gettext_noop, untranslated

FOOT = 50  # room under a Castle in a tree, for the name and badges
BESIDE = 48  # from the middle of a Castle in a row to its name
ROW = 16  # minimum room between rows
LONGEST = 14  # maximum letters of a name in a tree
GLOW = 'fill="#ffe9a0" fill-opacity=".55" stroke="#b1371b" stroke-width="2.4" stroke-dasharray="5 4"'
INKS = {"light": "#2a2318", "dark": "#ece3cf"}


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
    forest = laid_out(view, wide)
    paints = banners(theme)
    size = f'viewBox="0 0 {forest.width:g} {forest.height:g}" width="{forest.width:g}" height="{forest.height:g}"'
    title, words = translate(gettext_noop("Who rules whom")), realm_words(view, names, translate)
    ribbons = "".join(_ribbon(view, forest, spot, paints, wide, spot.seat in changes.ruled) for spot in forest.spots)
    kingdoms = "".join(
        _linked(
            _kingdom(view, spot, names, paints[spot.seat], wide, translate, changes),
            view.players[spot.seat],
            spot,
            targets.get(spot.seat),
        )
        for spot in forest.spots
    )
    role = f'role="group" aria-label="{escape(title)}"' if targets else 'role="img"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="k-realm {"k-wide" if wide else "k-narrow"}" {size} {role}'
        f' font-family="Alegreya" font-weight="700" font-size="13" fill="{INKS[theme]}"><title>{escape(title)}</title>'
        f"<desc>{escape(words)}</desc><defs>{defs(view.players, _prefix(wide))}</defs>{ribbons}{kingdoms}</svg>"
    )


def laid_out(view: View, wide: bool) -> Forest:
    """Return the position of every kingdom."""
    rulers = [player.ruler for player in view.players]
    heights = [drawn_high(player) + (0 if wide else ROW) for player in view.players]
    return tree(rulers, heights, FOOT) if wide else rows(rulers, heights)


def _kingdom(
    view: View,
    spot: Spot,
    names: Sequence[str],
    paint: Colour,
    wide: bool,
    translate: Translate,
    changes: Changes,
) -> str:
    player, prefix = view.players[spot.seat], _prefix(wide)
    news = kingdom_changes(changes, view, spot.seat, names, translate)
    words = escape(kingdom_words(view, spot.seat, names, translate) + _news(news, translate))
    known = _known(view, spot, called(spot.seat, names, translate), wide, changes.cards.get(spot.seat, 0))
    classes = " ".join(("kingdom", paint.key, *_states(view, spot.seat)))
    return (
        f'<g class="{classes}" transform="translate({spot.x:g} {spot.y:g})"><title>{words}</title>'
        f"{stronghold(player, paint, prefix, translate, changes.built)}{known}</g>"
    )


def _news(said: Sequence[str], translate: Translate) -> str:
    """Describe what changed in a kingdom, to follow its description."""
    return translate(gettext_noop(" What changed: {changes}.")).format(changes="; ".join(said)) if said else ""


def _states(view: View, seat: int) -> list[str]:
    return [word for word, holds in (("active", seat == view.active), ("mine", seat == view.seat)) if holds]


def _prefix(wide: bool) -> str:
    """Return the prefix of a picture's ids: both pictures are on the same page."""
    return "kw" if wide else "kn"


def _linked(drawing: str, player: PlayerView, spot: Spot, target: Target | None) -> str:
    """Make the kingdom a link with a highlight, if it can be clicked."""
    if target is None:
        return drawing
    high = drawn_high(player) - 26
    glow = (
        f'<path class="k-glow" d="M{spot.x - 42:g} {spot.y + 4:g}v{-high:g}q42-36 84 0v{high:g}q-42 10-84 0Z" {GLOW}/>'
    )
    where = f'href="{escape(target.href)}"' if target.href else 'role="button" tabindex="0"'
    action = f' data-action="{escape(target.action)}"' if target.action else ""
    return f'<a class="target {target.kind}" {where}{action} aria-label="{escape(target.label)}">{glow}{drawing}</a>'


def _known(view: View, spot: Spot, name: str, wide: bool, change: int) -> str:
    """Draw the name and badges: under a Castle in a tree, next to it in a row."""
    player = view.players[spot.seat]
    signs, width = badges(player, view.options.quick, _prefix(wide), change)
    is_active = spot.seat == view.active and not view.over
    if wide:
        shown = _name(name, 16, is_active, "middle", LONGEST)
        return f"{moved(shown, 0, 20)}{moved(signs, -width / 2, 43)}"
    shown = _name(name, 19, is_active, "start", int((NARROW - spot.x - BESIDE) / 10.5))
    return f"{moved(shown, BESIDE, -26)}{moved(signs, BESIDE, 0)}"


def _name(name: str, size: float, is_active: bool, anchor: str, longest: int) -> str:
    """Draw a name at 0 0, on a golden label if it is that player's turn."""
    shown = shortened(name, longest)
    if not is_active:
        return f'<text font-size="{size:g}" text-anchor="{anchor}">{escape(shown)}</text>'
    wide = round(len(shown) * size * 0.53 + 14)
    left = -wide / 2 if anchor == "middle" else -5
    label = f"M{left:g}-{size - 1:g}h{wide:g}l-5 {size / 2 + 2:g} 5 {size / 2 + 2:g}h{-wide:g}Z"
    return (
        f'<path class="k-turn" d="{label}" fill="#f6d568" stroke="#7a5510" stroke-width="1.3"/>'
        f'<text font-size="{size:g}" text-anchor="{anchor}" fill="#2a2318">{escape(shown)}</text>'
    )


def _ribbon(view: View, forest: Forest, spot: Spot, paints: Sequence[Colour], wide: bool, is_new: bool) -> str:
    """The ribbon of a ruler's colour that leads to a kingdom; nothing leads to a free one. A spark if that is new."""
    ruler = view.players[spot.seat].ruler
    top = spot.y - drawn_high(view.players[spot.seat])
    news = spark(*((spot.x - 15, top + 12) if wide else (spot.x - 45, spot.y - 12))) if is_new else ""
    if ruler is None:
        return news
    origin = next(each for each in forest.spots if each.seat == ruler)
    path = _down(origin, spot, top) if wide else _aside(origin, spot)
    paint = paints[ruler]
    return (
        f'<g class="ribbon {paint.key}" fill="none" stroke-linecap="round"><path d="{path}" stroke="#3a2a1f"'
        f' stroke-width="7"/><path class="k-line" d="{path}" stroke="{paint.line}" stroke-width="4"/></g>{news}'
    )


def _aside(origin: Spot, spot: Spot) -> str:
    """Return a path that leads down next to the rows, then to the Castle's gate."""
    x, y = origin.x - 34, spot.y - 12
    return f"M{x:g} {origin.y + 2:g}V{y - 10:g}Q{x:g} {y:g} {x + 10:g} {y:g}H{spot.x - 30:g}"


def _down(origin: Spot, spot: Spot, top: float) -> str:
    """From under the ruler's words to the top of a banner's pole."""
    y, middle = origin.y + FOOT, (origin.y + FOOT + top) / 2
    return f"M{origin.x:g} {y:g}C{origin.x:g} {middle + 8:g} {spot.x:g} {middle - 8:g} {spot.x:g} {top:g}"
