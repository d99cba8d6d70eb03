"""Cardboard and wood on the land next to the pieces, with a drawing for each kind.

Like the pieces, they are drawn around the origin in a square of 24 units, and defined once in `<defs>` as `b-<id>`.
Explore tokens are round, citadels shields, encounters hexagonal, portals arches, goods crates.
"""

import tomllib
from collections.abc import Iterable
from functools import cache
from html import escape
from typing import Any

from games.boards.eight_minute.geometry import FOLDER
from games.boards.eight_minute.tokens import coin
from games.rules.eight_minute.tokens import MERCHANTS

OUTPOST = "outpost"
LINE = 'stroke="#3b2410" stroke-width="1.1" stroke-linejoin="round" stroke-linecap="round"'


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "_tokens.toml").read_text(encoding="utf-8"))


@cache
def token_names() -> tuple[str, ...]:
    """Return every token that has a drawing, including the merchants' stall and the outpost's flag."""
    return (*_data()["tokens"], MERCHANTS, OUTPOST)


def defs(names: Iterable[str]) -> str:
    """Return the drawings of these tokens."""
    return "".join(f'<g id="b-{name}">{_drawing(name)}</g>' for name in dict.fromkeys(names))


@cache
def _drawing(name: str) -> str:
    if name in _data()["wooden"]:
        return _inked(_data()["wooden"][name])
    token = _data()["tokens"][name]
    return _cardboard(_data()["shapes"][token["shape"]], token["ground"], token["rim"]) + _inked(token["drawing"])


def _inked(drawing: str) -> str:
    return drawing.replace("\n", "").replace("LINE", LINE)


def _cardboard(shape: str, ground: str, rim: str) -> str:
    """Draw a token with its shadow, and the pale edge that separates it from any land."""
    return (
        f'<path d="{shape}" transform="translate(1 2.2)" opacity=".3"/>'
        f'<path d="{shape}" fill="{ground}" stroke="#fffaf0" stroke-width="2.6"/>'
        f'<path d="{shape}" fill="none" stroke="{rim}" stroke-width="1.5" stroke-linejoin="round"/>'
    )


def laid(name: str) -> str:
    """Draw a token in place."""
    return f'<use href="#b-{name}"/>'


def peeked(face: str) -> str:
    """Draw a token that is face down for others: its face shines through, with a corner of the back over it."""
    return f'<g opacity=".82">{laid(face)}</g>{_drawing("peeked")}'


def town(coins: int) -> str:
    """Draw the merchants' stall with the coins waiting there."""
    return f"{laid(MERCHANTS)}{coin(coins)}"


def token_icon(name: str, label: str = "") -> str:
    """Draw a token outside the map as its own picture. Screen readers read `label`, or skip it if there is none."""
    spoken = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="token-icon" viewBox="-13.5 -13.5 28 28" width="28" height="28"'
        f' {spoken} focusable="false">{_drawing(name)}</svg>'
    )
