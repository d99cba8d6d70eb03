"""The board as pixels, for emails and previews: the parts of its SVG, pasted together from sprites."""

from functools import cache, lru_cache, partial
from io import BytesIO
from itertools import product
from math import ceil

from PIL import Image

from games.boards.eight_minute.changes import NOTHING, Changes
from games.boards.eight_minute.clusters import cell
from games.boards.eight_minute.contents import defs_for
from games.boards.eight_minute.geometry import MARGIN, Picture
from games.boards.eight_minute.geometry import picture as geometry
from games.boards.eight_minute.land import ink, land, rose, sea, star, water
from games.boards.eight_minute.land import parts as land_parts
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.marking import armies_on_arrows, small_part
from games.boards.eight_minute.picture import over_land
from games.boards.eight_minute.pieces import common_parts, common_pieces, owner_part, parts
from games.boards.png import PAPERS, WIDEST, png
from games.boards.sprites import MEGABYTE, Frame, Kept, Size, paste, places, rendered, sprite
from games.boards.themes import COLOURS, land_of, mixed, shade_of
from games.rules.eight_minute.boards import ALIKE, SHAPES, Laid, layout_text, sides
from games.rules.eight_minute.view import View
from games.rules.words import Translate, untranslated

GRID = 50  # units: all edges of sheets that lie side by side are at multiples of this
# Pixels of a unit: as few scales as possible, because each needs its own sprites. Emails use the last two for almost
# all boards, and reviews 1.4. With each of them GRID is a whole number of pixels, so that a sheet is the same pixels on
# each board.
SCALES = (2.0, 1.4, 1.0, 0.8)
LANDS = Kept[Image.Image](6 * MEGABYTE)  # those used last: assembling one from its sheets takes 4 milliseconds
INSET = 5  # units at the edge of a sheet that lines of bearing leave free
REACH = 1104  # units: the diagonal of the largest board, as far as lines of bearing are drawn


def board(
    view: View, theme: str = "light", changes: Changes = NOTHING, *, translate: Translate = untranslated,
    language: str = "en", widest: int = WIDEST,
) -> Image.Image:  # fmt: skip
    """Draw the whole board on the paper of emails, with these changes marked, at most `widest` pixels wide.

    `language` is that of the texts on it.
    """
    text = shown(view)
    drawn = geometry(text)
    if drawn.slots:  # boards are being laid
        drawings = land(text, land_of(theme), translate) + over_land(view, translate=translate, theme=theme)
        whole = framed(text, PAPERS[shade_of(theme)], drawings)
        return Image.open(BytesIO(png(whole, WIDEST))).convert("RGB")
    ground = land_of(theme)
    canvas = LANDS.get((text, ground, language, widest), partial(_land, text, ground, widest, translate)).copy()
    over = parts(view, changes, theme, grid=GRID, translate=translate, language=language)
    paste(canvas, framing(drawn, widest)[0], over, partial(defs_for, theme=theme))
    return canvas


def _land(text: str, theme: str, widest: int = WIDEST, translate: Translate = untranslated) -> tuple[Image.Image, int]:
    """Draw the land, and return it with its size in bytes."""
    frame, size = framing(geometry(text), widest)
    canvas = Image.new("RGB", size, PAPERS[shade_of(theme)])
    _draw_water(canvas, frame, text, theme)
    paste(canvas, frame, land_parts(text, theme, translate))
    return canvas, 4 * size[0] * size[1]


def framed(text: str, paper: str, drawings: str) -> str:
    """Lay drawings over each other on paper, as an SVG of the size and in the frame of the board's pixels."""
    (left, top, scale), (width, height) = framing(geometry(text))
    place = f"translate({left!r} {top!r}) scale({scale!r})"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<rect width="100%" height="100%" fill="{paper}"/><g transform="{place}">{drawings}</g></svg>'
    )


def framing(drawn: Picture, widest: int = WIDEST) -> tuple[Frame, Size]:
    """Return how a board becomes pixels, and the size of the picture. The first sheet begins at a whole pixel."""
    if drawn.slots:
        scale = WIDEST / drawn.width
    else:
        scale = next((scale for scale in SCALES if scale * drawn.width <= widest), SCALES[-1])
    start = round(MARGIN * scale) - MARGIN * scale
    return Frame(start, start, scale), (ceil(drawn.width * scale), ceil(drawn.height * scale))


def _draw_water(canvas: Image.Image, frame: Frame, text: str, theme: str) -> None:
    """Draw the sheets' shadows, papers and seas, and lines of constant bearing, cut from the same star for all boards.

    Edges are rounded to pixels: the frames of the sheets lie over them.
    """

    def pixels(left: float, top: float, right: float, bottom: float) -> tuple[int, int, int, int]:
        return (
            round(frame.left + left * frame.scale), round(frame.top + top * frame.scale),
            round(frame.left + right * frame.scale), round(frame.top + bottom * frame.scale),
        )  # fmt: skip

    sheets = geometry(text).sheets
    for layer in zip(*(water(sheet, theme) for sheet in sheets), strict=True):
        for box, colour, opacity in layer:
            canvas.paste(mixed(PAPERS[shade_of(theme)], colour, opacity), pixels(*box))

    (x, y), star = rose(text), _star(frame.scale)
    reach = star.width // 2
    dx, dy = reach - round(frame.left + x * frame.scale), reach - round(frame.top + y * frame.scale)
    for sheet in sheets:
        left, top, right, bottom = sheet.box
        place = pixels(left + INSET, top + INSET, right - INSET, bottom - INSET)
        rays = star.crop((place[0] + dx, place[1] + dy, place[2] + dx, place[3] + dy))
        # A lookup of each color is four times as fast as pasting a color with an opacity
        rays.putpalette(_inked(sea(theme, sheet.side), ink(theme, "rhumb")))
        canvas.paste(rays, place)


@lru_cache(maxsize=256)
def _inked(colour: str, ink: str) -> bytes:
    """Return the color with an ink over it, as red, green and blue, for each opacity of the ink from 0 to 255."""
    return b"".join(bytes.fromhex(mixed(colour, ink, opacity / 255)[1:]) for opacity in range(256))


@lru_cache(maxsize=2)  # of 3 and 5 megabytes
def _star(scale: float) -> Image.Image:
    """Return the opacity of the lines of constant bearing around their start."""
    reach = ceil(REACH * scale)
    box, size = f"{-reach / scale!r} {-reach / scale!r} {2 * reach / scale!r} {2 * reach / scale!r}", 2 * reach
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{size}" height="{size}">'
    return rendered(f"{drawn}{star(reach / scale)}</svg>", (size, size), "L")


def prepare(theme: str, translate: Translate, language: str) -> int:
    """Draw the sprites that most pictures need, so that they are stored, and return their number."""
    made, defs = 0, partial(defs_for, theme=theme)
    sizes = set[tuple[float, float]]()  # of pictures and pieces
    for text in _common_layouts():
        frame, _ = framing(geometry(text))
        sizes.add((frame.scale, round(cell(geometry(text)) / 26, 2)))
        _land(text, theme, translate=translate)
        for part in common_parts(text, theme, translate, language, grid=GRID):
            sprite(frame, part, defs)
            made += 1
    for scale, size in sorted(sizes):
        for at in places(scale):
            common = [small_part(at, drawing, size) for drawing in common_pieces()]
            common += [small_part(at, drawing, times * size) for drawing, times in armies_on_arrows(COLOURS)]
            for part in [*common, *(owner_part(at, paint) for paint in COLOURS)]:
                sprite(Frame(0, 0, scale), part, defs)
                made += 1
    return made


@cache
def _common_layouts() -> tuple[str, ...]:
    """Return layouts that together have each side in each of its turns, in pictures of each size."""
    alone = [side for side, printed in sides().items() if not printed.edges]
    layouts = [layout_text((Laid("board", side, 0),)) for side in alone]
    together, seen = [side for side in sides() if side not in alone], set[object]()
    for shape in ("t", "rectangle"):
        for places_of, turns, first in product(SHAPES[shape], product(range(4), repeat=4), range(len(together))):
            if shape in ALIKE and len({turn % 2 for turn in turns}) > 1:
                continue
            lying = [
                Laid(place, together[(first + n) % len(together)], turn)
                for n, (place, turn) in enumerate(zip(places_of, turns, strict=True))
            ]
            text = layout_text(tuple(lying))
            drawn = geometry(text)
            shows: set[object] = {(drawn.width, sheet.side, sheet.turns) for sheet in drawn.sheets}
            shows.add((drawn.width, drawn.height, frozenset(sheet.box for sheet in drawn.sheets)))
            if not shows <= seen:
                seen |= shows
                layouts.append(text)
    return tuple(layouts)
