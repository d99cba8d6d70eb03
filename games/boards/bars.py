"""Amounts as lying bars, each a row of parts: points by source, places reached.

A pure function from numbers and texts to SVG. Colours are the page's, by the number of the part; every part says what
it is when pointed at, and every bar in a text beside it, so that nothing depends on its colour.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

WIDTH = 420
ROW, THICK = 34, 12
TOP = 4
COLOURS = 8  # that the style sheet has; further parts begin anew


class Part(NamedTuple):
    """A piece of a bar: how much, in which of the colours, and what is said of it."""

    amount: float
    colour: int
    label: str


class Bar(NamedTuple):
    """A bar under its `label`, with `text` at its end."""

    label: str
    text: str
    parts: tuple[Part, ...]

    @property
    def amount(self) -> float:
        return sum(part.amount for part in self.parts)


def bars(rows: Sequence[Bar], *, name: str, title: str, description: str) -> str:
    """The bars from top to bottom as one `<svg>`, the longest as wide as the picture. Empty where all are nought.

    `name` tells the pictures of one page apart.
    """
    longest = max((row.amount for row in rows), default=0)
    if longest <= 0:
        return ""
    height = TOP + ROW * len(rows)
    parts = [
        f'<svg class="bars" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="{name}-title {name}-desc"',
        ' xmlns="http://www.w3.org/2000/svg">',
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>',
        *(piece for number, row in enumerate(rows) for piece in _bar(row, TOP + ROW * number, WIDTH / longest)),
        "</svg>",
    ]
    return "".join(parts)


def _bar(row: Bar, y: float, unit: float) -> Iterator[str]:
    yield f'<text class="bars-label" x="0" y="{y + 12:g}">{escape(row.label)}</text>'
    yield f'<text class="bars-number" x="{WIDTH}" y="{y + 12:g}" text-anchor="end">{escape(row.text)}</text>'
    x = 0.0
    for part in row.parts:
        width = part.amount * unit
        if width > 0:
            box = f'x="{x:.1f}" y="{y + 16:g}" width="{max(width - 1, 1):.1f}" height="{THICK}"'
            yield f'<rect class="bars-{part.colour % COLOURS}" {box} rx="2"><title>{escape(part.label)}</title></rect>'
        x += width
