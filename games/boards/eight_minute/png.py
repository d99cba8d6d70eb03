"""The board as pixels, for emails and previews: the parts of its SVG, pasted together from sprites."""

from functools import lru_cache, partial
from io import BytesIO
from math import ceil, hypot

from PIL import Image

from games.boards.eight_minute.changes import NOTHING, Changes
from games.boards.eight_minute.contents import defs_for
from games.boards.eight_minute.geometry import MARGIN, Picture
from games.boards.eight_minute.geometry import picture as geometry
from games.boards.eight_minute.land import ink, land, rose, star
from games.boards.eight_minute.land import parts as land_parts
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.picture import over_land
from games.boards.eight_minute.pieces import parts
from games.boards.png import PAPERS, png
from games.boards.sprites import MEGABYTE, Frame, Kept, Part, paste
from games.rules.eight_minute.view import View
from games.rules.words import Translate, untranslated

GRID = 50  # units: all edges of sheets that lie side by side are at multiples of this
LANDS = Kept[Image.Image](16 * MEGABYTE)  # those used last: assembling one from its sheets takes a millisecond
INSET = 5  # units at the edge of a sheet that lines of bearing leave free


def board(
    view: View, width: int, theme: str = "light", changes: Changes = NOTHING, *, translate: Translate = untranslated
) -> Image.Image:
    """Draw the whole board, `width` pixels wide, on the paper of emails, with these changes marked."""
    text = shown(view)
    drawn = geometry(text)
    canvas = LANDS.get((text, width, theme), partial(_land, text, width, theme)).copy()
    over = parts(view, changes, theme, grid=GRID)
    if drawn.slots:  # boards are being laid
        whole = over_land(view, translate=translate, theme=theme)
        over = iter([Part((0, 0), whole, (0, 0, drawn.width, drawn.height))])
    paste(canvas, framing(drawn, width)[0], over, partial(defs_for, theme=theme))
    return canvas


def _land(text: str, width: int, theme: str) -> tuple[Image.Image, int]:
    """Draw the land, and return it with its size in bytes."""
    drawn = geometry(text)
    frame, height = framing(drawn, width)
    canvas = Image.new("RGB", (width, height), PAPERS[theme])
    if _is_on_grid(drawn):
        lower, upper = land_parts(text, theme)
        paste(canvas, frame, lower)
        _draw_rays(canvas, frame, text, theme)
        paste(canvas, frame, upper)
    else:
        canvas.paste(Image.open(BytesIO(png(framed(text, width, PAPERS[theme], land(text, theme)), width))))
    return canvas, 4 * width * height


def framed(text: str, width: int, paper: str, drawings: str) -> str:
    """Lay drawings over each other on paper, as an SVG of the size and in the frame of the board's pixels."""
    (left, top, scale), height = framing(geometry(text), width)
    place = f"translate({left!r} {top!r}) scale({scale!r})"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<rect width="100%" height="100%" fill="{paper}"/><g transform="{place}">{drawings}</g></svg>'
    )


def framing(drawn: Picture, width: int) -> tuple[Frame, int]:
    """Return how a board becomes pixels, `width` wide, and the height of the picture.

    There are many boards but few sides. So that a sheet is the same pixels on each board, boards on the grid are drawn
    up to 2% smaller than the available room: then every sheet begins at a whole pixel.
    """
    height = ceil(width * drawn.height / drawn.width)
    if not _is_on_grid(drawn):
        return Frame(0, 0, width / drawn.width), height
    scale = max(1, int(width * GRID / drawn.width)) / GRID
    # The pixels at which the first sheet begins in a centered picture
    left = round((width - drawn.width * scale) / 2 + MARGIN * scale)
    top = round((height - drawn.height * scale) / 2 + MARGIN * scale)
    return Frame(left - MARGIN * scale, top - MARGIN * scale, scale), height


def _is_on_grid(drawn: Picture) -> bool:
    edges = {edge - MARGIN for sheet in drawn.sheets for edge in sheet.box}
    return len(drawn.sheets) > 1 and not drawn.slots and not any(edge % GRID for edge in edges)


def _draw_rays(canvas: Image.Image, frame: Frame, text: str, theme: str) -> None:
    """Draw the lines of constant bearing over the water, cut from the same star for all boards."""
    mask, (x, y) = _star(frame.scale, ceil(hypot(*canvas.size))), rose(text)
    middle = mask.width // 2
    dx, dy = middle - round(frame.left + x * frame.scale), middle - round(frame.top + y * frame.scale)
    for sheet in geometry(text).sheets:
        left, top, right, bottom = sheet.box
        box = (
            round(frame.left + (left + INSET) * frame.scale), round(frame.top + (top + INSET) * frame.scale),
            round(frame.left + (right - INSET) * frame.scale), round(frame.top + (bottom - INSET) * frame.scale),
        )  # fmt: skip
        part = mask.crop((box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy))
        canvas.paste(ink(theme, "rhumb"), box, part)


@lru_cache(maxsize=8)  # of some 2 megabytes each
def _star(scale: float, reach: int) -> Image.Image:
    """Return the opacity of the lines of constant bearing, `reach` pixels around their start."""
    box = f"{-reach / scale!r} {-reach / scale!r} {2 * reach / scale!r} {2 * reach / scale!r}"
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{2 * reach}" height="{2 * reach}">'
    return Image.open(BytesIO(png(f"{drawn}{star(reach / scale)}</svg>", 2 * reach))).getchannel("A")
