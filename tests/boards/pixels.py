"""A PNG reader without dependencies, so that tests can check what was drawn, and the difference of two pictures."""

import struct
import zlib
from typing import NamedTuple

from PIL import Image, ImageChops, ImageStat

TILE = 16  # pixels
VISIBLE = 64  # opacity, of 255


class Pixels(NamedTuple):
    """Rows of red, green, blue and opacity values from 0 to 255."""

    width: int
    height: int
    rows: list[list[tuple[int, ...]]]

    def colours(self) -> set[tuple[int, ...]]:
        return {pixel for row in self.rows for pixel in row}

    def inked_rows(self) -> int:
        """Return the number of rows with an opaque pixel."""
        return sum(any(pixel[3] > 200 for pixel in row) for row in self.rows)


def pixels(data: bytes) -> Pixels:
    """Return the pixels of a PNG with four channels of 8 bits."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert (depth, kind) == (8, 6)
    raw = zlib.decompress(b"".join(_chunks(data)))
    rows, above = [], bytes(4 * width)
    for start in range(0, len(raw), 4 * width + 1):
        above = _unfiltered(raw[start], raw[start + 1 : start + 1 + 4 * width], above)
        rows.append([tuple(above[i : i + 4]) for i in range(0, 4 * width, 4)])
    return Pixels(width, height, rows)


def difference(first: Image.Image, second: Image.Image) -> tuple[float, int]:
    """Return how much two RGB pictures differ, of 255: on average, and in the worst tile."""
    off = ImageChops.difference(first, second).convert("L")
    tiles = off.resize((-(-off.width // TILE), -(-off.height // TILE)), Image.Resampling.BOX)
    return ImageStat.Stat(off).mean[0], max(tiles.get_flattened_data())  # type: ignore[arg-type, type-var, return-value]


def difference_of_part(first: Image.Image, second: Image.Image, place: tuple[int, int], opacity: Image.Image) -> float:
    """Return how much two RGB pictures differ, of 255, on average where a part with this opacity is visible."""
    box = (*place, place[0] + opacity.width, place[1] + opacity.height)
    off = ImageChops.difference(first.crop(box), second.crop(box)).convert("L")
    return ImageStat.Stat(off, opacity.point([0] * VISIBLE + [255] * (256 - VISIBLE))).mean[0]


def _chunks(data: bytes) -> list[bytes]:
    chunks, at = [], 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        if name == b"IDAT":
            chunks.append(data[at + 8 : at + 8 + length])
        at += length + 12
    return chunks


def _unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    row = bytearray(line)
    for i, value in enumerate(line):
        left = row[i - 4] if i >= 4 else 0
        corner = above[i - 4] if i >= 4 else 0
        row[i] = (value + (0, left, above[i], (left + above[i]) // 2, _paeth(left, above[i], corner))[kind]) % 256
    return bytes(row)


def _paeth(left: int, above: int, corner: int) -> int:
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))
