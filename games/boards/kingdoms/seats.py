"""Colours and shapes for up to eight kingdoms: those of the site's seats, plus three more."""

import msgspec

from games.boards.themes import SEATS, SHAPES, Colour
from games.rules.words import gettext_noop

_MORE = (
    Colour("seat-5", gettext_noop("green hexagon"), "hexagon", "#1f9d63", "#0d5a36", "#06180f", "#1f9d63", "#2fb878"),
    Colour("seat-6", gettext_noop("pink heart"), "heart", "#ee86a8", "#97385a", "#35091a", "#ee86a8", "#ee86a8"),
    Colour("seat-7", gettext_noop("sky-blue drop"), "drop", "#79d0d8", "#2b7f87", "#082a2e", "#5cbac4", "#79d0d8"),
)
BANNERS = (*SEATS, *_MORE)
MOST = len(BANNERS)
BANNER_SHAPES = {
    "hexagon": "M0-11.4L9.9-5.7V5.7L0 11.4L-9.9 5.7V-5.7Z",
    "heart": "M0 11.4C-14 2-13-10.4-6-10.4C-2.8-10.4-.8-8.6 0-6.4C.8-8.6 2.8-10.4 6-10.4C13-10.4 14 2 0 11.4Z",
    "drop": "M0-12.4C4-6 8.8-.8 8.8 3.6A8.8 8.2 0 0 1-8.8 3.6C-8.8-.8-4-6 0-12.4Z",
} | SHAPES


def banners(theme: str = "light") -> tuple[Colour, ...]:
    """Return the colours of each seat; the dark theme changes only the lines."""
    if theme == "light":
        return BANNERS
    return tuple(msgspec.structs.replace(paint, line=paint.night) for paint in BANNERS)


def mark(seat: int) -> str:
    """Draw the shape and color of a seat as a small picture to go next to a name. Screen readers skip it."""
    paint = BANNERS[seat]
    shape = f'd="{BANNER_SHAPES[paint.shape]}" stroke-linejoin="round"'
    return (
        '<svg class="seat-mark" width="1.2em" height="1.2em" viewBox="-14 -14.5 28 28" aria-hidden="true"'
        f' focusable="false"><path {shape} fill="{paint.fill}" stroke="#fffaf0" stroke-width="3.2"/>'
        f'<path {shape} fill="{paint.fill}" stroke="{paint.edge}" stroke-width="1.4"/></svg>'
    )
