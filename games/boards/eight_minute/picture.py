"""The layer over the land, and the whole board as a standalone SVG: for history, files and tests.

While boards are being laid by hand, the layer is the free places of the map: each is an outline with its name, and one
that is a target is a link. `lying.side_thumbnail` names the picture of a board to choose.
"""

from collections.abc import Mapping, Sequence
from html import escape

from games.boards.eight_minute import geometry
from games.boards.eight_minute.describe import place_name, table_words
from games.boards.eight_minute.land import land
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.pieces import INKS, NO_MARKS, Marks, pieces
from games.boards.targets import Target, leads
from games.boards.themes import land_of, shade_of
from games.rules.eight_minute.view import View
from games.rules.words import Translate, gettext_noop, untranslated

INSET = 9
CROSS = "M-15-6H15M0-21V9"


def picture(
    view: View, theme: str = "light", marks: Marks = NO_MARKS, *, names: Sequence[str] = (),
    translate: Translate = untranslated,
) -> str:  # fmt: skip
    over = over_land(view, marks, names=names, translate=translate, theme=theme)
    return framed(shown(view), land(shown(view), land_of(theme), translate) + over)


def framed(text: str, drawings: str) -> str:
    """Lay drawings over each other in a picture of the text's size."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" {geometry.picture(text).size}>{drawings}</svg>'


def over_land(
    view: View, marks: Marks = NO_MARKS, *, names: Sequence[str] = (), translate: Translate = untranslated,
    theme: str = "light",
) -> str:  # fmt: skip
    """Draw the layer over the land: the pieces or, while boards are laid, the free places. Targets are by either."""
    if view.setup and view.setup.places:
        return laying(view, marks.targets, translate=translate, theme=theme)
    return pieces(view, marks, names=names, translate=translate, theme=theme)


def laying(
    view: View, targets: Mapping[str, Target], *, translate: Translate = untranslated, theme: str = "light"
) -> str:
    """Draw the free places of the map. `targets` are by place."""
    board, (ink, glow) = geometry.picture(shown(view)), INKS[shade_of(theme)]
    slots = []
    for slot in board.slots:
        target, name = targets.get(slot.place), place_name(slot.place, translate)
        left, top, right, bottom = slot.box
        width, height = right - left - 2 * INSET, bottom - top - 2 * INSET
        box = f'x="{left + INSET:g}" y="{top + INSET:g}" width="{width:g}" height="{height:g}" rx="6"'
        if target:
            outline = (
                f'<rect class="glow" {box} fill="#fff8dc" fill-opacity=".3"/><g class="edge live" fill="none"'
                f' pointer-events="none"><rect {box} stroke="#fff8e0" stroke-width="4.8"/><rect class="dash" {box}'
                ' stroke="#5c1d08" stroke-width="2" stroke-dasharray="6 5"/></g>'
            )
        else:
            pen = 'stroke="#8a744c" stroke-width="1.6" stroke-dasharray="7 6" stroke-opacity=".8"'
            outline = f'<rect {box} fill="none" {pen} pointer-events="none"/>'
        # The name is below a cross if a board may be laid there now.
        cross = f'<path d="{CROSS}" stroke-width="4" stroke-linecap="round" fill="none"/>' if target else ""
        inside = (
            f'<title>{escape(name)}</title>{outline}<g transform="translate({slot.x:g} {slot.y:g})"'
            f' pointer-events="none" aria-hidden="true" stroke="{ink}">{cross}<text class="names"'
            f' y="{48 if target else 10}" font-family="Alegreya" font-style="italic" font-size="34"'
            f' text-anchor="middle" fill="{ink}" stroke="{glow}" stroke-width="3" stroke-linejoin="round"'
            f' paint-order="stroke">{escape(name)}</text></g>'
        )
        if target:
            label = escape(f"{target.label}. {name}.")
            inside = f'<a id="tap-{slot.place}" {leads(target)} aria-label="{label}">{inside}</a>'
        slots.append(f'<g class="slot" data-place="{slot.place}">{inside}</g>')
    title = escape(translate(gettext_noop("The map so far")))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pieces laying" {board.size} role="group" aria-label="{title}">'
        f"<desc>{escape(table_words(view, translate))}</desc>{''.join(slots)}</svg>"
    )
