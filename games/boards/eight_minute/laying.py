"""The map while its boards are being laid by hand, as a fragment over the boards already there.

The land is that of `shown(view)`, which leaves room for more boards. Each free place is an outline with its name; one
that is a target is a link. `side_thumbnail` of lying.py names the picture of a board to choose.
"""

from collections.abc import Mapping
from html import escape

from games.boards.eight_minute.describe import place_name, table_words
from games.boards.eight_minute.geometry import Slot, picture
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.pieces import INKS, Target, leads
from games.rules.eight_minute.view import View
from games.rules.words import Translate, gettext_noop, untranslated

INSET = 9
CROSS = "M-15-6H15M0-21V9"


def laying(
    view: View, targets: Mapping[str, Target], *, translate: Translate = untranslated, theme: str = "light"
) -> str:
    """Draw the free places of the map. `targets` are by place."""
    board = picture(shown(view))
    size = f'viewBox="0 0 {board.width:g} {board.height:g}" width="{board.width:g}" height="{board.height:g}"'
    title = escape(translate(gettext_noop("The map so far")))
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="pieces laying" {size} role="group" aria-label="{title}">',
            f"<desc>{escape(table_words(view, translate))}</desc>",
            *(_slot(slot, targets.get(slot.place), translate, theme) for slot in board.slots),
            "</svg>",
        )
    )


def _slot(slot: Slot, target: Target | None, translate: Translate, theme: str) -> str:
    """Draw a free place; with a target it is a link, labelled with the target and its place."""
    name = place_name(slot.place, translate)
    inside = f"<title>{escape(name)}</title>{_outline(slot, target)}{_label(slot, name, target, theme)}"
    if target:
        label = escape(f"{target.label}. {name}.")
        inside = f'<a id="tap-{slot.place}" {leads(target)} aria-label="{label}">{inside}</a>'
    return f'<g class="slot" data-place="{slot.place}">{inside}</g>'


def _outline(slot: Slot, target: Target | None) -> str:
    left, top, right, bottom = slot.box
    width, height = right - left - 2 * INSET, bottom - top - 2 * INSET
    box = f'x="{left + INSET:g}" y="{top + INSET:g}" width="{width:g}" height="{height:g}" rx="6"'
    if not target:
        pen = 'stroke="#8a744c" stroke-width="1.6" stroke-dasharray="7 6" stroke-opacity=".8"'
        return f'<rect {box} fill="none" {pen} pointer-events="none"/>'
    return (
        f'<rect class="glow" {box} fill="#fff8dc" fill-opacity=".3"/><g class="edge live" fill="none"'
        f' pointer-events="none"><rect {box} stroke="#fff8e0" stroke-width="4.8"/><rect class="dash" {box}'
        ' stroke="#5c1d08" stroke-width="2" stroke-dasharray="6 5"/></g>'
    )


def _label(slot: Slot, name: str, target: Target | None, theme: str) -> str:
    """Draw the name of the place, below a cross if a board may be laid there now."""
    ink, glow = INKS[theme]
    cross = f'<path d="{CROSS}" stroke-width="4" stroke-linecap="round" fill="none"/>' if target else ""
    return (
        f'<g transform="translate({slot.x:g} {slot.y:g})" pointer-events="none" aria-hidden="true" stroke="{ink}">'
        f'{cross}<text class="names" y="{48 if target else 10}" font-family="Alegreya" font-style="italic"'
        f' font-size="34" text-anchor="middle" fill="{ink}" stroke="{glow}" stroke-width="3" stroke-linejoin="round"'
        f' paint-order="stroke">{escape(name)}</text></g>'
    )
