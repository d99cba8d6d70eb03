"""Drawings as PNG, lettered in our own fonts on every machine, and the card that previews of links show."""

from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from html import escape
from importlib.metadata import version as version_of
from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

from games.boards.themes import mark

PAPERS = {"light": "#fcf8ed", "dark": "#172325"}  # below pictures: the colors of a page in emails
CARD = 1200, 630  # pixels of a card, as Open Graph recommends
BOARD = 700, 582  # the room for the board on it
EDGE = 24
WIDEST = 520  # pixels of a board in emails and previews: sharp on a phone
LONGEST_NAME = 20  # letters
FONTS = tuple(str(path) for path in sorted(Path(__file__).with_name("fonts").glob("*.ttf")))


def png(svg: str, width: int) -> bytes:
    """Render an SVG `width` pixels wide, in its own proportions."""
    drawn = resvg_py.svg_to_bytes(svg_string=svg, width=width, font_files=list(FONTS), skip_system_fonts=True)
    return bytes(drawn)


@cache
def version() -> str:
    """Return a text that changes with everything but the SVG that determines a picture: resvg and the fonts."""
    fonts = blake2b(b"".join(Path(font).read_bytes() for font in FONTS), digest_size=8)
    return f"{version_of('resvg-py')} {fonts.hexdigest()}"


def size(png: bytes) -> tuple[int, int]:
    """Return the width and height of an image in pixels."""
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def card(board: Image.Image | None, title: str, said: str, players: Sequence[tuple[int, str, str]]) -> bytes:
    """Render a card as PNG with a board, if there is one, a title, a sentence, and the players.

    `players` are seats, names and a few words. A board that is too large is made smaller.
    """
    (width, height), room = CARD, BOARD[0]
    left, lines = room + 2 * EDGE, []
    step = min(74, 376 // max(1, len(players)))
    zoom = min(1, step / 62)  # seven or eight players are written smaller, or names would cover the words above them
    for row, (seat, name, words) in enumerate(players):
        shown = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
        seal = mark(seat).replace('width="1.2em" height="1.2em"', 'y="-30" width="40" height="40"')
        lines.append(
            f'<g transform="translate({left} {250 + row * step}) scale({zoom:.3f})">{seal}'
            f'<text x="54" font-family="Alegreya" font-weight="700" font-size="34">{escape(shown)}</text>'
            f'<text x="54" y="26" font-size="22" fill="#5f5443">{escape(words)}</text></g>'
        )
    headings = "".join(
        f'<text x="{left}" y="{96 + row * 50}" font-family="Alegreya" font-weight="700" font-size="44"'
        f' fill="#a3311a">{escape(line)}</text>'
        for row, line in enumerate(title.split(": ", 1))
    )
    below = 96 + 50 * headings.count("<text") - 6
    lettered = png(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="Alegreya Sans" fill="#2a2318"><rect width="100%" height="100%" fill="{PAPERS["light"]}"/>'
        f"{headings}"
        f'<text x="{left}" y="{below}" font-size="26" fill="#5f5443">{escape(said)}</text>{"".join(lines)}</svg>',
        width,
    )
    drawn, encoded = Image.open(BytesIO(lettered)).convert("RGB"), BytesIO()
    if board:
        board.thumbnail(BOARD, Image.Resampling.LANCZOS)
        drawn.paste(board, (EDGE + (room - board.width) // 2, (height - board.height) // 2))
    drawn.save(encoded, "PNG")
    return encoded.getvalue()
