"""Pictures pasted together from sprites: parts of a drawing that resvg renders once and that are kept as pixels.

Rendering a whole board takes resvg some 100 ms, most of it for millions of pixels that never change. A part is a piece
of the same SVG that pages show, with its place. Parts of equal text are one sprite, whatever game, map or place they
come from, so a picture is pasted in a few milliseconds and shows what resvg would have drawn, to a fraction of a pixel.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import partial
from io import BytesIO
from math import ceil, floor
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from PIL import Image

from games.boards import png

STEP = 4  # sprites are rendered at places that are multiples of 1/STEP pixel
QUALITY = 75  # of JPEG, with colors in full resolution: names, strokes and thin colored lines stay clean
MEGABYTE = 1 << 20

Box = tuple[float, float, float, float]  # left, top, right, bottom
Value = TypeVar("Value")


class Part(NamedTuple):
    """A drawing around a point: nothing of it is outside the box, which is relative to the point."""

    at: tuple[float, float]
    drawing: str
    box: Box


class Frame(NamedTuple):
    """How a drawing becomes pixels: the pixel of its point 0 0, and the pixels of a unit."""

    left: float
    top: float
    scale: float


class Kept(Generic[Value]):
    """The values used last, up to a number of bytes, made when they are first needed. Threads share it."""

    def __init__(self, most: int) -> None:
        self.most, self.used, self.made = most, 0, 0
        self._values: OrderedDict[object, tuple[Value, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: object, make: Callable[[], tuple[Value, int]]) -> Value:
        """Return the value of a key. `make` returns it with its size in bytes."""
        with self._lock:
            if found := self._values.get(key):
                self._values.move_to_end(key)
                return found[0]
        value, size = make()  # two threads may make the same
        with self._lock:
            self.made += 1
            if key not in self._values:
                self._values[key] = value, size
                self.used += size
            while self.used > self.most and len(self._values) > 1:
                _, (_, freed) = self._values.popitem(last=False)
                self.used -= freed
        return value

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self.used = self.made = 0


RENDERED = Kept[bytes](32 * MEGABYTE)  # sprites as PNG, a tenth of their pixels
PIXELS = Kept[tuple[Image.Image, Image.Image]](64 * MEGABYTE)  # color and opacity of those used last


def paste(canvas: Image.Image, frame: Frame, parts: Iterable[Part], defs: Callable[[str], str] = lambda _: "") -> None:
    """Paste parts onto an RGB picture, one over the other. `defs` returns the definitions that a drawing uses."""
    scale = frame.scale
    for (x, y), drawing, box in parts:
        # The nearest place at which sprites are rendered, in steps
        across, down = round(STEP * (frame.left + x * scale)), round(STEP * (frame.top + y * scale))
        # The whole pixels around the box
        left, top = floor(across / STEP + box[0] * scale) - 1, floor(down / STEP + box[1] * scale) - 1
        right, bottom = ceil(across / STEP + box[2] * scale) + 1, ceil(down / STEP + box[3] * scale) + 1
        size = right - left, bottom - top
        key = (drawing, scale, across - STEP * left, down - STEP * top, size)
        colour, opacity = PIXELS.get(key, partial(_pixels, key, defs))
        canvas.paste(colour, (left, top), opacity)


Key = tuple[str, float, int, int, tuple[int, int]]


def _pixels(key: Key, defs: Callable[[str], str]) -> tuple[tuple[Image.Image, Image.Image], int]:
    drawn = Image.open(BytesIO(RENDERED.get(key, partial(_rendered, key, defs))))
    return (drawn.convert("RGB"), drawn.getchannel("A")), 4 * drawn.width * drawn.height


def _rendered(key: Key, defs: Callable[[str], str]) -> tuple[bytes, int]:
    drawing, scale, across, down, (width, height) = key
    place = f"translate({across / STEP!r} {down / STEP!r}) scale({scale!r})"
    drawn = png.png(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{defs(drawing)}'
        f'<g transform="{place}">{drawing}</g></svg>',
        width,
    )
    return drawn, len(drawn) + len(drawing)


def jpeg(picture: Image.Image) -> bytes:
    """Encode a picture as JPEG, which every email client shows; Outlook on Windows does not show WebP."""
    encoded = BytesIO()
    picture.save(encoded, "JPEG", quality=QUALITY, subsampling=0)
    return encoded.getvalue()
