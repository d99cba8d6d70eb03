"""The colors of the seats: up to five in most games, up to eight kingdoms.

Each also has a shape, so that color is never the only sign; the CSS uses the same ones.
"""

import msgspec

from games.rules.words import gettext_noop

THEMES = ("light", "dark")


class Colour(msgspec.Struct, frozen=True):
    """A seat's colors.

    `fill` is the painted wood, `edge` its shaded side, `ink` the writing on it, `line` lines on land in the light theme
    and `night` in the dark one. `key` is the CSS class, also used in custom properties; `name` is translatable.
    """

    key: str
    name: str
    shape: str
    fill: str
    edge: str
    ink: str
    line: str
    night: str


SEATS = (
    Colour("seat-0", gettext_noop("red circle"), "circle", "#c7362c", "#7d1d17", "#fff6ea", "#c7362c", "#e2564b"),
    Colour("seat-1", gettext_noop("blue square"), "square", "#2467b3", "#123c70", "#f5f8ff", "#2467b3", "#4d93e3"),
    Colour("seat-2", gettext_noop("yellow diamond"), "diamond", "#f0b323", "#94640a", "#2b1d05", "#e0a010", "#f0b323"),
    Colour("seat-3", gettext_noop("black triangle"), "triangle", "#26262b", "#08080a", "#fbf3e2", "#26262b", "#8b8b95"),
    Colour("seat-4", gettext_noop("violet star"), "star", "#7d22e6", "#430f80", "#faf4ff", "#7d22e6", "#ab72ff"),
)
THIRD = Colour("seat-third", gettext_noop("gray cross"), "cross", "#a9a69e", "#66635c", "#23221f", "#8b887f", "#a9a69e")
COLOURS = (*SEATS, THIRD)
BANNERS = (
    *SEATS,
    Colour("seat-5", gettext_noop("green hexagon"), "hexagon", "#1f9d63", "#0d5a36", "#06180f", "#1f9d63", "#2fb878"),
    Colour("seat-6", gettext_noop("pink heart"), "heart", "#ee86a8", "#97385a", "#35091a", "#ee86a8", "#ee86a8"),
    Colour("seat-7", gettext_noop("sky-blue drop"), "drop", "#79d0d8", "#2b7f87", "#082a2e", "#5cbac4", "#79d0d8"),
)
MOST = len(BANNERS)

# Each shape around the origin, with the visual weight of a circle of radius 10.
SHAPES = {
    "circle": "M10.4 0A10.4 10.4 0 1 1-10.4 0A10.4 10.4 0 1 1 10.4 0Z",
    "square": "M-7.4-9.4H7.4Q9.4-9.4 9.4-7.4V7.4Q9.4 9.4 7.4 9.4H-7.4Q-9.4 9.4-9.4 7.4V-7.4Q-9.4-9.4-7.4-9.4Z",
    "diamond": "M1-11.1L11.1-1Q12.1 0 11.1 1L1 11.1Q0 12.1-1 11.1L-11.1 1Q-12.1 0-11.1-1L-1-11.1Q0-12.1 1-11.1Z",
    "triangle": "M1.5-10.9L11.7 7.2Q12.7 9.4 10.3 9.6H-10.3Q-12.7 9.4-11.7 7.2L-1.5-10.9Q0-13 1.5-10.9Z",
    "star": "M-1.2-10.9Q0-12.7 1.2-10.9L4.6-5.5L10.8-3.9Q12.9-3.3 11.5-1.6L7.5 3.3L7.9 9.7Q8 11.9 5.9 11.1L0 8.8L"
    "-5.9 11.1Q-8 11.9-7.9 9.7L-7.5 3.3L-11.5-1.6Q-12.9-3.3-10.8-3.9L-4.6-5.5Z",
    "cross": "M-9.8-5.4L-5.4-9.8L0-6.9L5.4-9.8L9.8-5.4L6.9 0L9.8 5.4L5.4 9.8L0 6.9L-5.4 9.8L-9.8 5.4L-6.9 0Z",
}
BANNER_SHAPES = {
    "hexagon": "M0-11.4L9.9-5.7V5.7L0 11.4L-9.9 5.7V-5.7Z",
    "heart": "M0 11.4C-14 2-13-10.4-6-10.4C-2.8-10.4-.8-8.6 0-6.4C.8-8.6 2.8-10.4 6-10.4C13-10.4 14 2 0 11.4Z",
    "drop": "M0-12.4C4-6 8.8-.8 8.8 3.6A8.8 8.2 0 0 1-8.8 3.6C-8.8-.8-4-6 0-12.4Z",
} | SHAPES


def colours(players: int, theme: str = "light") -> tuple[Colour, ...]:
    """Return the colors of a position by color index: the seats, then the third color with two players."""
    return in_theme((*SEATS[:players], THIRD) if players == 2 else SEATS[:players], theme)


def banners(theme: str = "light") -> tuple[Colour, ...]:
    """Return the colors of each kingdom."""
    return in_theme(BANNERS, theme)


def in_theme(paints: tuple[Colour, ...], theme: str) -> tuple[Colour, ...]:
    """Return the colors for a theme: the dark one changes only the lines."""
    if theme == "light":
        return paints
    return tuple(msgspec.structs.replace(paint, line=paint.night) for paint in paints)


def mark(seat: int) -> str:
    """Draw the shape and color of a seat as a small picture to go next to a name. Screen readers skip it."""
    paint = BANNERS[seat]
    shape = f'd="{BANNER_SHAPES[paint.shape]}" stroke-linejoin="round"'
    return (
        '<svg class="seat-mark" width="1.2em" height="1.2em" viewBox="-14 -14.5 28 28" aria-hidden="true"'
        f' focusable="false"><path {shape} fill="{paint.fill}" stroke="#fffaf0" stroke-width="3.2"/>'
        f'<path {shape} fill="{paint.fill}" stroke="{paint.edge}" stroke-width="1.4"/></svg>'
    )
