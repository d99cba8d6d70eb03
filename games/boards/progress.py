"""A rating over time as a picture: a line, its uncertainty as a band around it, and a mark at the latest rating.

A pure function from numbers and texts to SVG. The page's CSS has the colours: classes carry meaning, and nothing has a
`style`.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 420, 190
LEFT, RIGHT, TOP, BOTTOM = 4, 38, 12, 12
STEPS = (10, 20, 50, 100, 200, 500)
MOST_LINES = 6


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
        *_grid(scale),
        _band(steps, scale),
        _line(steps, scale),
        *_spots(steps, scale),
        "</svg>",
    ]
    return "".join(parts)


def fit(steps: Sequence[Step]) -> Scale:
    """Return a scale that fits everything shown, with at most six round grid lines."""
    least = min(step.shown - step.doubt for step in steps)
    most = max(step.shown + step.doubt for step in steps)
    every = next((size for size in STEPS if (most - least) / size <= MOST_LINES - 1), STEPS[-1])
    low, high = least // every * every, -(-most // every) * every
    return Scale(low, max(high, low + every), every, len(steps))


def _grid(scale: Scale) -> Iterator[str]:
    for rating in range(scale.low, scale.high + 1, scale.every):
        y = scale.y(rating)
        yield f'<line class="chart-grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:g}" y2="{y:g}"/>'
        yield f'<text class="chart-number" x="{WIDTH - RIGHT + 8}" y="{y + 4:g}">{rating}</text>'


def _band(steps: Sequence[Step], scale: Scale) -> str:
    above = [(number, step.shown + step.doubt) for number, step in enumerate(steps)]
    below = [(number, step.shown - step.doubt) for number, step in enumerate(steps)]
    return f'<polygon class="progress-band" points="{_points([*above, *reversed(below)], scale)}"/>'


def _line(steps: Sequence[Step], scale: Scale) -> str:
    spots = [(number, step.shown) for number, step in enumerate(steps)]
    return f'<polyline class="progress-line" fill="none" points="{_points(spots, scale)}"/>'


def _points(spots: Sequence[tuple[int, int]], scale: Scale) -> str:
    return " ".join(f"{scale.x(number):g},{scale.y(rating):g}" for number, rating in spots)


def _spots(steps: Sequence[Step], scale: Scale) -> Iterator[str]:
    """Yield a spot with a tooltip for each step; the last one is a larger mark."""
    for number, step in enumerate(steps):
        x, y, last = scale.x(number), scale.y(step.shown), number == len(steps) - 1
        kind, radius = ("progress-now", 5) if last else ("progress-spot", 4)
        yield f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius}"><title>{escape(step.label)}</title></circle>'
