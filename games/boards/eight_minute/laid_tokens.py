"""Cardboard and wood that lies on the land beside the pieces, each kind with a drawing of its own.

Like the pieces they are drawn around the origin in a square of 24 units, and stand once in `<defs>` as `b-<id>`.
Explore tokens are round, citadels a shield, encounters six-sided, portals an arch, goods a crate.
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
    """Every token that has a drawing, the stall of merchants and the outpost's pennant too."""
    return (*_data()["tokens"], MERCHANTS, OUTPOST)


def defs(names: Iterable[str]) -> str:
    """The drawings of these tokens."""
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
    """A token with its shadow, and the pale edge that sets it off from any land."""
    return (
        f'<path d="{shape}" transform="translate(1 2.2)" opacity=".3"/>'
        f'<path d="{shape}" fill="{ground}" stroke="#fffaf0" stroke-width="2.6"/>'
        f'<path d="{shape}" fill="none" stroke="{rim}" stroke-width="1.5" stroke-linejoin="round"/>'
    )


def laid(name: str) -> str:
    """A token where it lies."""
    return f'<use href="#b-{name}"/>'


def peeked(face: str) -> str:
    """A token that lies face down for others: its face shines through, a corner of the back is over it."""
    return f'<g opacity=".82">{laid(face)}</g>{_drawing("peeked")}'


def town(coins: int) -> str:
    """The stall of the merchants with the coins that wait there."""
    return f"{laid(MERCHANTS)}{coin(coins)}"


def token_icon(name: str, label: str = "") -> str:
    """A token outside the map, a picture by itself; read as `label`, and passed over without one."""
    spoken = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="token-icon" viewBox="-13.5 -13.5 28 28" width="28" height="28"'
        f' {spoken} focusable="false">{_drawing(name)}</svg>'
    )
