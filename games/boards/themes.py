"""The colours of the seats. Each has a shape of its own, so that colour is never the only sign; the site's CSS says the same."""

import msgspec

from games.rules.words import gettext_noop

Theme = str  # "light" or "dark"
THEMES: tuple[Theme, ...] = ("light", "dark")


class Colour(msgspec.Struct, frozen=True):
    """One seat's paint. `fill` is the wood, `edge` its side in the shade, `ink` what is written on it.

    `key` is the CSS class and the word in names of custom properties; `name` is a template for the reader.
    """

    key: str
    name: str
    shape: str
    fill: str
    edge: str
    ink: str


SEATS = (
    Colour("seat-0", gettext_noop("red circle"), "circle", "#c7362c", "#7d1d17", "#fff6ea"),
    Colour("seat-1", gettext_noop("blue square"), "square", "#2467b3", "#123c70", "#f5f8ff"),
    Colour("seat-2", gettext_noop("yellow diamond"), "diamond", "#f0b323", "#94640a", "#2b1d05"),
    Colour("seat-3", gettext_noop("black triangle"), "triangle", "#26262b", "#08080a", "#fbf3e2"),
)
THIRD = Colour("seat-third", gettext_noop("grey cross"), "cross", "#a9a69e", "#66635c", "#23221f")
COLOURS = (*SEATS, THIRD)

# Each shape around the origin, as heavy as a circle of radius 10 looks.
SHAPES = {
    "circle": "M10.4 0A10.4 10.4 0 1 1-10.4 0A10.4 10.4 0 1 1 10.4 0Z",
    "square": "M-7.4-9.4H7.4Q9.4-9.4 9.4-7.4V7.4Q9.4 9.4 7.4 9.4H-7.4Q-9.4 9.4-9.4 7.4V-7.4Q-9.4-9.4-7.4-9.4Z",
    "diamond": "M1.2-11.7L11.7-1.2Q12.9 0 11.7 1.2L1.2 11.7Q0 12.9-1.2 11.7L-11.7 1.2Q-12.9 0-11.7-1.2L-1.2-11.7Q0-12.9 1.2-11.7Z",
    "triangle": "M1.5-11.5L12.4 7.4Q13.4 9.6 11 9.8H-11Q-13.4 9.6-12.4 7.4L-1.5-11.5Q0-13.6 1.5-11.5Z",
    "cross": ("M-9.6-5.4L-5.4-9.6L0-6.6L5.4-9.6L9.6-5.4L6.6 0L9.6 5.4L5.4 9.6L0 6.6L-5.4 9.6L-9.6 5.4L-6.6 0Z"),
}


def colours(players: int) -> tuple[Colour, ...]:
    """The paints of a position by colour index: the seats' own, and with two players the third colour behind them."""
    return (*SEATS[:players], THIRD) if players == 2 else SEATS[:players]
