"""Pictures pasted together from sprites: parts of a drawing that resvg renders once and that are kept as pixels.

Rendering a whole board takes resvg some 100 ms, most of it for millions of pixels that never change. A part is a piece
of the same SVG that pages show, with its place. Parts of equal text are one sprite, whatever game, map or place they
come from, so a picture is pasted in a few milliseconds and shows what resvg would have drawn, to a fraction of a pixel.

A process holds the sprites used last as pixels. All others come from a store that processes share, in which each has
the digest of everything that determines its pixels as its name, so a sprite there is never out of date.
"""

import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from io import BytesIO
from math import ceil, floor
from threading import Lock
from typing import Generic, NamedTuple, Protocol, TypeVar

from PIL import Image, ImageDraw

from games.boards import png

FINE, COARSE = 8, 2  # steps per pixel: sprites are rendered at multiples of an eighth or of half a pixel
SMOOTH = 4  # shapes are drawn this many times as large
QUALITY = 75  # of JPEG, with colors in full resolution: names, strokes and thin colored lines stay clean
WORTHWHILE = 5  # times: less is not worth the time to uncompress it
FORMAT = 2  # of stored sprites; part of their names
MEGABYTE = 1 << 20

Box = tuple[float, float, float, float]  # left, top, right, bottom
Size = tuple[int, int]
Value = TypeVar("Value")


class Part(NamedTuple):
    """A drawing around a point: nothing of it is outside the box, which is relative to the point.

    Only common parts are stored, not those of a single picture, such as arrows and names of players. A part that is
    often drawn at other places has coarse steps, so that it is off by up to a quarter of a pixel, but has few sprites.
    """

    at: tuple[float, float]
    drawing: str
    box: Box
    steps: int = FINE
    is_common: bool = True


class Layer(NamedTuple):
    """A layer of a shape: filled, drawn with a pen, or both, and moved."""

    colour: str
    is_filled: bool = True
    pen: float = 0.0
    opacity: float = 1.0
    by: tuple[float, float] = (0.0, 0.0)


class Shape(NamedTuple):
    """A polygon in layers from the lowest up, which Pillow draws: resvg takes three times as long.

    It is for drawings that hardly ever repeat, such as arrows. `corners` are the numbers of the points at which lines
    have a round corner; at the others they are nearly straight.
    """

    points: Sequence[tuple[float, float]]
    corners: Sequence[int]
    layers: tuple[Layer, ...]


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
        value = self.find(key)
        if value is None:
            value, size = make()  # two threads may make the same
            self.keep(key, value, size)
        return value

    def find(self, key: object) -> Value | None:
        with self._lock:
            if value_and_size := self._values.get(key):
                self._values.move_to_end(key)
                return value_and_size[0]
        return None

    def keep(self, key: object, value: Value, size: int) -> None:
        with self._lock:
            self.made += 1
            if key not in self._values:
                self._values[key] = value, size
                self.used += size
            while self.used > self.most and len(self._values) > 1:
                _, (_, freed) = self._values.popitem(last=False)
                self.used -= freed

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self.used = self.made = 0


class Store(Protocol):
    """Keeps bytes by name for all processes. It may forget them, and refuse to write."""

    def read(self, name: str) -> bytes | None: ...

    def write(self, name: str, content: bytes) -> bool:
        """Return whether it was written."""


class Nowhere:
    """The store of programs that do not share sprites."""

    def read(self, name: str) -> bytes | None:
        return None

    def write(self, name: str, content: bytes) -> bool:
        return False


PIXELS = Kept[Image.Image](48 * MEGABYTE)
UNSTORED = Kept[bytes](16 * MEGABYTE)  # common sprites that the store refused, packed
store: Store = Nowhere()


def keep_in(place: Store) -> None:
    """Let all pictures of this process use a store."""
    global store  # noqa: PLW0603  set once, at start-up
    store = place


def paste(
    canvas: Image.Image, frame: Frame, parts: Iterable[Part | Shape], defs: Callable[[str], str] = lambda _: ""
) -> None:
    """Paste parts onto an RGB picture, one over the other. `defs` returns the definitions that a drawing uses."""
    for part in parts:
        if isinstance(part, Shape):
            for colour, opacity, place in layers(frame, part):
                canvas.paste(colour, place, opacity)
            continue
        pixels, place = sprite(frame, part, defs)
        canvas.paste(pixels, place, pixels)


def sprite(frame: Frame, part: Part, defs: Callable[[str], str]) -> tuple[Image.Image, Size]:
    """Return the pixels of a part, and where they belong."""
    (x, y), drawing, box, steps, is_common = part
    scale = frame.scale
    # The nearest place at which sprites are rendered, in steps
    across, down = round(steps * (frame.left + x * scale)), round(steps * (frame.top + y * scale))
    # The whole pixels around the box
    left, top = floor(across / steps + box[0] * scale) - 1, floor(down / steps + box[1] * scale) - 1
    right, bottom = ceil(across / steps + box[2] * scale) + 1, ceil(down / steps + box[3] * scale) + 1
    size = right - left, bottom - top
    key = (drawing, scale, across / steps - left, down / steps - top, size)
    return PIXELS.get(key, partial(_sprite, key, is_common, defs)), (left, top)


def layers(frame: Frame, shape: Shape) -> Iterator[tuple[str, Image.Image, Size]]:
    """Draw the layers of a shape: yield the color, the opacity and the place of each."""
    pens = max(layer.pen for layer in shape.layers) + 2 * max(max(map(abs, layer.by)) for layer in shape.layers)
    points = [(frame.left + x * frame.scale, frame.top + y * frame.scale) for x, y in shape.points]
    xs, ys = zip(*points, strict=True)
    air = ceil(pens * frame.scale / 2) + 1
    left, top = floor(min(xs)) - air, floor(min(ys)) - air
    size = SMOOTH * (ceil(max(xs)) + air - left), SMOOTH * (ceil(max(ys)) + air - top)
    for layer in shape.layers:
        across, down = (frame.scale * by for by in layer.by)
        opacity, full = Image.new("L", size), round(255 * layer.opacity)
        pencil = ImageDraw.Draw(opacity)
        outline = [(SMOOTH * (x + across - left), SMOOTH * (y + down - top)) for x, y in points]
        if layer.is_filled:
            pencil.polygon(outline, fill=full)
        if layer.pen:
            pen = SMOOTH * frame.scale * layer.pen - 0.5  # Pillow also draws the pixels on both edges
            pencil.line([*outline, outline[0]], full, round(pen))
            for corner in shape.corners:
                pencil.circle(outline[corner], pen / 2, full)
        yield layer.colour, opacity.reduce(SMOOTH), (left, top)


def places(scale: float) -> list[tuple[float, float]]:
    """Return points that stand for all places at which sprites with coarse steps are rendered."""
    steps = [step / COARSE / scale for step in range(COARSE)]
    return [(x, y) for x in steps for y in steps]


def _sprite(
    key: tuple[str, float, float, float, Size], is_common: bool, defs: Callable[[str], str]
) -> tuple[Image.Image, int]:
    drawing, scale, across, down, size = key
    width, height = size
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{defs(drawing)}'
        f'<g transform="translate({across!r} {down!r}) scale({scale!r})">{drawing}</g></svg>'
    )
    return rendered(svg, size, "RGBA", is_common), 4 * width * height


def rendered(svg: str, size: Size, mode: str, is_common: bool = True) -> Image.Image:
    """Return the pixels of a drawing, from the store if it has them. The mode `L` is only the opacity."""
    name = blake2b(f"{FORMAT} {mode} {png.version()} {svg}".encode(), digest_size=16).hexdigest()
    length = len(mode) * size[0] * size[1]
    if is_common and (kept := UNSTORED.find(name) or store.read(name)):
        pixels = _unpacked(kept, length)
        if pixels is not None:
            return Image.frombuffer(mode, size, pixels, "raw", mode, 0, 1)
    whole = Image.open(BytesIO(png.png(svg, size[0])))
    drawn = whole.convert(mode) if mode == "RGBA" else whole.getchannel("A")
    if is_common:
        packed = _packed(drawn.tobytes())
        if not store.write(name, packed):
            UNSTORED.keep(name, packed, len(packed))
    return drawn


def _packed(pixels: bytes) -> bytes:
    """Return pixels as they are stored: with a checksum, and compressed if that makes them much smaller."""
    small = zlib.compress(pixels)
    return small if len(small) < len(pixels) / WORTHWHILE else pixels + zlib.crc32(pixels).to_bytes(4)


def _unpacked(packed: bytes, length: int) -> bytes | None:
    """Return stored pixels; None if they are damaged."""
    if len(packed) == length + 4:
        pixels = packed[:length]
        return pixels if zlib.crc32(pixels) == int.from_bytes(packed[length:]) else None
    try:
        pixels = zlib.decompress(packed, bufsize=length)  # it has a checksum of its own
    except zlib.error:
        return None
    return pixels if len(pixels) == length else None


def jpeg(picture: Image.Image) -> bytes:
    """Encode a picture as JPEG, which every email client shows; Outlook on Windows does not show WebP."""
    encoded = BytesIO()
    picture.save(encoded, "JPEG", quality=QUALITY, subsampling=0)
    return encoded.getvalue()
