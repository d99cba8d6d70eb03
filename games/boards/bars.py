"""Horizontal bars, each split into parts: points by source, places reached.

A pure function from numbers and texts to SVG. The page's CSS has the colours, by part number. Every part has a tooltip
and every bar a text next to it, so that nothing depends on colour alone.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

WIDTH = 420
ROW, THICK = 34, 12
TOP = 4
COLOURS = 8  # in the style sheet; further parts start over


class Part(NamedTuple):
    """A part of a bar: its size, the number of its colour, and its tooltip."""

    amount: float
    colour: int
    label: str


class Bar(NamedTuple):
    """A bar with its `label` above and `text` at its end."""

    label: str
    text: str
    parts: tuple[Part, ...]

    @property
    def amount(self) -> float:
        return sum(part.amount for part in self.parts)


def bars(rows: Sequence[Bar], *, name: str, title: str, description: str) -> str:
    """Draw the bars from top to bottom as one `<svg>`, the longest at full width; return "" if all are zero.

    `name` makes the ids of several pictures on a page distinct.
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
