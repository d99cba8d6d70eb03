"""A player's results as a picture: points upwards, games from left to right, and each game's place in its mark.

A pure function from numbers and texts to SVG. Colours are the page's: classes say what is what, nothing has a `style`.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

LEFT, RIGHT, TOP, BOTTOM = 10, 30, 16, 16
STEP = 28
PLOT_HEIGHT = 150
LEAST_WIDTH = 340
MARK = 9


class Result(NamedTuple):
    """One game: `points`, `place` from 1, `label` said when pointed at; games of one full game share a `group`."""

    points: int
    place: int
    label: str
    group: str = ""


class Scale(NamedTuple):
    """Points between `low` and `high`, with a line every `every`; games `step` apart."""

    low: int
    high: int
    every: int
    step: float

    def x(self, number: int) -> float:
        return LEFT + self.step * (number + 0.5)

    def y(self, points: float) -> float:
        return TOP + PLOT_HEIGHT * (self.high - points) / (self.high - self.low)

    def lines(self) -> range:
        return range(self.low, self.high + 1, self.every)


def chart(results: Sequence[Result], *, title: str, description: str) -> str:
    """The games in the order given, oldest first, as one `<svg>`. Empty without games."""
    if not results:
        return ""
    scale = fit([result.points for result in results])
    width = round(LEFT + RIGHT + scale.step * len(results))
    height = TOP + PLOT_HEIGHT + BOTTOM
    parts = [
        f'<svg class="chart" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"',
        ' aria-labelledby="chart-title chart-desc" xmlns="http://www.w3.org/2000/svg">',
        f'<title id="chart-title">{escape(title)}</title><desc id="chart-desc">{escape(description)}</desc>',
        *_groups(results, scale),
        *_grid(scale, width),
        _line(results, scale),
        *_marks(results, scale),
        "</svg>",
    ]
    return "".join(parts)


def fit(points: Sequence[int]) -> Scale:
    """A scale from nought, or below where somebody fell below it, in at most six steps of 5, 10, 20 ..."""
    least, most = min(0, *points), max(5, *points)
    every = 5
    while (most - least) / every > 6:
        every *= 2
    step = max(STEP, (LEAST_WIDTH - LEFT - RIGHT) / len(points))
    return Scale(least // every * every, -(-most // every) * every, every, step)


def _groups(results: Sequence[Result], scale: Scale) -> Iterator[str]:
    """A ground behind the games of one full game."""
    for group, members in groupby(range(len(results)), key=lambda number: results[number].group):
        numbers = list(members)
        if group:
            x, width = scale.x(numbers[0]) - scale.step / 2 + 2, scale.step * len(numbers) - 4
            place = f'x="{x:g}" y="{TOP - 8}" width="{width:g}" height="{PLOT_HEIGHT + 16}"'
            yield f'<rect class="chart-group" {place} rx="6"/>'


def _grid(scale: Scale, width: int) -> Iterator[str]:
    for points in scale.lines():
        y = scale.y(points)
        yield f'<line class="chart-grid" x1="{LEFT}" x2="{width - RIGHT}" y1="{y:g}" y2="{y:g}"/>'
        yield f'<text class="chart-number" x="{width - RIGHT + 8}" y="{y + 4:g}">{points}</text>'


def _line(results: Sequence[Result], scale: Scale) -> str:
    points = " ".join(f"{scale.x(number):g},{scale.y(result.points):g}" for number, result in enumerate(results))
    return f'<polyline class="chart-line" fill="none" points="{points}"/>'


def _marks(results: Sequence[Result], scale: Scale) -> Iterator[str]:
    """A round mark with the place in it; a win is a diamond, so that it shows without its colour."""
    for number, result in enumerate(results):
        x, y = scale.x(number), scale.y(result.points)
        yield (
            f'<g class="chart-game{" won" if result.place == 1 else ""}"><title>{escape(result.label)}</title>'
            f"{_diamond(x, y) if result.place == 1 else _circle(x, y)}"
            f'<text class="chart-place" x="{x:g}" y="{y + 4:g}" text-anchor="middle">{result.place}</text></g>'
        )


def _circle(x: float, y: float) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{MARK}"/>'


def _diamond(x: float, y: float) -> str:
    reach = MARK + 3
    return f'<path d="M{x:g} {y - reach:g}L{x + reach:g} {y:g}L{x:g} {y + reach:g}L{x - reach:g} {y:g}Z"/>'
