"""Charts of a player's results: a rating over time with its uncertainty, and horizontal bars split into parts.

Pure functions from numbers and texts to SVG. The page's CSS has the colors: classes carry meaning, and nothing has a
`style`. Everything has a tooltip or a text next to it, so that nothing depends on color alone.
"""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH = 420
HEIGHT = 190  # of a rating over time, with room inside
LEFT, RIGHT, TOP, BOTTOM = 4, 38, 12, 12
STEPS = (10, 20, 50, 100, 200, 500)  # between grid lines
MOST_LINES = 6
ROW, THICK = 34, 12  # of a bar
ABOVE = 4  # the bars
COLOURS = 8  # of bars in the style sheet; further parts start over


# A rating over time: a line, its uncertainty as a band around it, and a mark at the latest rating


class Step(NamedTuple):
    """A rating after a contest, plus or minus `doubt`. `label` is its tooltip."""

    shown: int
    doubt: int
    label: str


class Scale(NamedTuple):
    """Ratings from `low` to `high`, with a grid line every `every`, for a number of steps."""

    low: int
    high: int
    every: int
    steps: int

    def x(self, number: int) -> float:
        span = max(self.steps - 1, 1)
        return round(LEFT + (WIDTH - LEFT - RIGHT) * number / span, 1)

    def y(self, rating: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (self.high - rating) / (self.high - self.low), 1)


def progress(steps: Sequence[Step], *, title: str, description: str) -> str:
    """Draw the ratings, oldest first, as one `<svg>`; return "" if there are none."""
    if not steps:
        return ""
    scale = fit(steps)
    parts = [
        f'<svg class="progress" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"',
        ' aria-labelledby="progress-title progress-desc" xmlns="http://www.w3.org/2000/svg">',
        f'<title id="progress-title">{escape(title)}</title><desc id="progress-desc">{escape(description)}</desc>',
    ]
    for rating in range(scale.low, scale.high + 1, scale.every):
        y = scale.y(rating)
        parts.append(f'<line class="chart-grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:g}" y2="{y:g}"/>')
        parts.append(f'<text class="chart-number" x="{WIDTH - RIGHT + 8}" y="{y + 4:g}">{rating}</text>')
    line = _points(scale, [step.shown for step in steps])
    above = _points(scale, [step.shown + step.doubt for step in steps])
    below = _points(scale, [step.shown - step.doubt for step in steps])
    parts.append(f'<polygon class="progress-band" points="{" ".join([*above, *reversed(below)])}"/>')
    parts.append(f'<polyline class="progress-line" fill="none" points="{" ".join(line)}"/>')
    for number, step in enumerate(steps):
        x, y, is_last = scale.x(number), scale.y(step.shown), number == len(steps) - 1
        spot = 'class="progress-now" ' if is_last else 'class="progress-spot" '
        place = f'cx="{x:g}" cy="{y:g}" r="{5 if is_last else 4}"'
        parts.append(f"<circle {spot}{place}><title>{escape(step.label)}</title></circle>")
    return "".join((*parts, "</svg>"))


def fit(steps: Sequence[Step]) -> Scale:
    """Return a scale that fits everything shown, with at most six round grid lines."""
    least = min(step.shown - step.doubt for step in steps)
    most = max(step.shown + step.doubt for step in steps)
    every = next((size for size in STEPS if (most - least) / size <= MOST_LINES - 1), STEPS[-1])
    low, high = least // every * every, -(-most // every) * every
    return Scale(low, max(high, low + every), every, len(steps))


def _points(scale: Scale, ratings: Sequence[int]) -> list[str]:
    return [f"{scale.x(number):g},{scale.y(rating):g}" for number, rating in enumerate(ratings)]


# Bars: points by source, places reached


class Part(NamedTuple):
    """A part of a bar: its size, the number of its color, and its tooltip."""

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
    parts = [
        f'<svg class="bars" viewBox="0 0 {WIDTH} {ABOVE + ROW * len(rows)}" role="img"',
        f' aria-labelledby="{name}-title {name}-desc" xmlns="http://www.w3.org/2000/svg">',
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>',
    ]
    unit = WIDTH / longest
    for number, row in enumerate(rows):
        x, y = 0.0, ABOVE + ROW * number
        parts.append(f'<text class="bars-label" x="0" y="{y + 12}">{escape(row.label)}</text>')
        parts.append(f'<text class="bars-number" x="{WIDTH}" y="{y + 12}" text-anchor="end">{escape(row.text)}</text>')
        for part in row.parts:
            width = part.amount * unit
            if width > 0:
                box = f'x="{x:.1f}" y="{y + 16}" width="{max(width - 1, 1):.1f}" height="{THICK}" rx="2"'
                parts.append(
                    f'<rect class="bars-{part.colour % COLOURS}" {box}><title>{escape(part.label)}</title></rect>'
                )
            x += width
    return "".join((*parts, "</svg>"))
