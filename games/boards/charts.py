"""Charts of results: a rating over time with its uncertainty, bars split into parts, and the points of a finished game.

Pure functions from numbers and texts to SVG. The page's CSS has the colors: classes carry meaning, and nothing has a
`style`. Everything has a tooltip or a text next to it, so that nothing depends on color alone.
"""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from games.rules.words import Translate, labelled

WIDTH = 420
HEIGHT = 190  # of a rating over time, with room inside
LEFT, RIGHT, TOP, BOTTOM = 4, 54, 12, 12  # on the right for four digits in the largest font, 17 pixels
STEPS = (2, 5, 10, 20, 50, 100, 200, 500)  # between grid lines
MOST_LINES = 6
ROW, THICK = 34, 12  # of a bar
ABOVE = 4  # the bars
COLOURS = 8  # of bars in the style sheet; further parts start over


def _opened(kind: str, name: str, height: int, title: str, description: str) -> str:
    return (
        f'<svg class="{kind}" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="{name}-title"'
        f' xmlns="http://www.w3.org/2000/svg"><title id="{name}-title">{escape(title)}</title>'
        f"<desc>{escape(description)}</desc>"
    )


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


def progress(
    steps: Sequence[Step], *, title: str, description: str, name: str = "progress", finest: int = 10
) -> str:  # fmt: skip
    """Draw the ratings, oldest first, as one `<svg>`; return "" if there are none. `name` makes its ids unique.

    Grid lines are at least `finest` apart.
    """
    if not steps:
        return ""
    scale = fit(steps, finest)
    parts = [_opened("progress", name, HEIGHT, title, description)]
    for rating in range(scale.low, scale.high + 1, scale.every):
        y, shown = scale.y(rating), str(rating).replace("-", "−")
        parts.append(f'<line class="chart-grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:g}" y2="{y:g}"/>')
        parts.append(f'<text class="chart-number" x="{WIDTH - RIGHT + 8}" y="{y + 4:g}">{shown}</text>')
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


def fit(steps: Sequence[Step], finest: int = 10) -> Scale:
    """Return a scale that fits everything shown, with at most six round grid lines."""
    least = min(step.shown - step.doubt for step in steps)
    most = max(step.shown + step.doubt for step in steps)
    sizes = [size for size in STEPS if size >= finest]
    every = next((size for size in sizes if (most - least) / size <= MOST_LINES - 1), sizes[-1])
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
    """Draw the bars from top to bottom as one `<svg>`; return "" if all are zero. `name` makes its ids unique."""
    longest = max((row.amount for row in rows), default=0)
    if longest <= 0:
        return ""
    parts = [_opened("bars", name, ABOVE + ROW * len(rows), title, description)]
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


# Predictions and results: a mark with its interval for each group, and a line where both are equal

SQUARE, SIDE, UNDER = 360, 44, 46  # height, and room for numbers on the left and below


class Mark(NamedTuple):
    """A group of results: the percentages that were predicted and that were won, ± `doubt`. `label` is its tooltip."""

    predicted: float
    won: float
    doubt: float
    label: str


def reliability(marks: Sequence[Mark], *, across: str, up: str, title: str, description: str) -> str:
    """Draw results over predictions as one `<svg>`; return "" without marks. `across` and `up` name the axes."""
    if not marks:
        return ""
    lowest = min(50.0, *(mark.won - mark.doubt for mark in marks))
    low, high = max(0, int(lowest // 10 * 10)), 100
    unit_x, unit_y = (WIDTH - SIDE - 24) / 50, (SQUARE - TOP - UNDER) / (high - low)

    def x(predicted: float) -> float:
        return round(SIDE + (predicted - 50) * unit_x, 1)

    def y(won: float) -> float:
        return round(TOP + (high - min(max(won, low), high)) * unit_y, 1)

    parts = [_opened("reliability", "reliability", SQUARE, title, description)]
    for won in range(low, high + 1, 10):
        parts.append(f'<line class="chart-grid" x1="{SIDE}" x2="{x(100):g}" y1="{y(won):g}" y2="{y(won):g}"/>')
        parts.append(f'<text class="chart-number" x="{SIDE - 6}" y="{y(won) + 4:g}" text-anchor="end">{won}%</text>')
    for predicted in range(50, 101, 10):
        place = f'x="{x(predicted):g}" y="{SQUARE - UNDER + 18}" text-anchor="middle"'
        parts.append(f'<text class="chart-number" {place}>{predicted}%</text>')
    parts.append(f'<line class="reliability-even" x1="{x(50):g}" y1="{y(50):g}" x2="{x(100):g}" y2="{y(100):g}"/>')
    for mark in marks:
        at, top, bottom = x(mark.predicted), y(mark.won + mark.doubt), y(mark.won - mark.doubt)
        parts.append(
            f'<g class="reliability-mark"><title>{escape(mark.label)}</title>'
            f'<path d="M{at:g} {top:g}V{bottom:g}M{at - 4:g} {top:g}h8M{at - 4:g} {bottom:g}h8"/>'
            f'<circle cx="{at:g}" cy="{y(mark.won):g}" r="4.5"/></g>'
        )
    parts.append(f'<text class="chart-number" x="{SIDE}" y="{SQUARE - 6}">{escape(across)}</text>')
    parts.append(f'<text class="chart-number" x="{SIDE + 8}" y="{TOP + 14}">{escape(up)}</text></svg>')
    return "".join(parts)


# The course of a finished game: everyone's points as lines, and one player's points by source as layers

COURSE_HEIGHT, LAYERS_HEIGHT = 230, 150
COURSE_RIGHT, COURSE_BOTTOM = 54, 24  # room for the totals at the end, and for the numbers of entries
COURSE_LEFT = LEFT + 36  # where lines begin, next to the numbers of the grid lines
EXPECTED_RIGHT = 70  # room for a mark and “100%” or “+33.2” in the largest font
APART = 18  # between the totals at the end
LAYER_KINDS = 8  # in the style sheet; further ones start over


class Runner(NamedTuple):
    """A seat with its totals as pairs of entry and points, in order."""

    seat: int
    name: str
    totals: tuple[tuple[int, int], ...]


class Layer(NamedTuple):
    """A source of points with its points as pairs of entry and points, in order."""

    colour: int
    name: str
    points: tuple[tuple[int, int], ...]


class Grid(NamedTuple):
    """The scales of a chart of a game: entries up to `last`, points up to `most`."""

    last: int
    most: int
    height: int

    def x(self, entry: float) -> float:
        return round(COURSE_LEFT + (WIDTH - COURSE_LEFT - COURSE_RIGHT) * entry / max(self.last, 1), 1)

    def y(self, points: float) -> float:
        return round(TOP + (self.height - TOP - COURSE_BOTTOM) * (self.most - points) / max(self.most, 1), 1)

    def drawn(self) -> list[str]:
        """Draw lines for points, and the numbers of entries below."""
        parts = []
        for points in range(0, self.most + 1, _every(self.most, 5)):
            y = self.y(points)
            parts.append(f'<line class="chart-grid" x1="{LEFT}" x2="{WIDTH - COURSE_RIGHT}" y1="{y:g}" y2="{y:g}"/>')
            parts.append(f'<text class="chart-number" x="{LEFT + 2}" y="{y - 3:g}">{points}</text>')
        for entry in range(0, self.last + 1, _every(self.last, 6)):
            place = f'x="{self.x(entry):g}" y="{self.height - 6}" text-anchor="{"middle" if entry else "start"}"'
            parts.append(f'<text class="chart-number" {place}>{entry}</text>')
        return parts


def _every(most: int, lines: int) -> int:
    """Return the distance between grid lines: a round number."""
    return next((size for size in (1, 2, 5, *STEPS) if most <= size * lines), STEPS[-1])


def race(
    runners: Sequence[Runner], *, grid: Grid, shapes: Sequence[str], decisive: int | None, title: str, description: str
) -> str:
    """Draw everyone's points from entry to entry as one `<svg>`; `shapes` are the outlines of the seats' marks.

    Each line has its own dashes, and ends at the shape of its seat and the total. `decisive` marks an entry.
    """
    parts = [_opened("race", "race", grid.height, title, description), *grid.drawn()]
    if decisive is not None:
        x = grid.x(decisive)
        parts.append(f'<line class="race-decisive" x1="{x:g}" x2="{x:g}" y1="{TOP - 8}" y2="{grid.y(0):g}"/>')
    for runner in runners:
        parts.append(f'<path class="race-line race-{runner.seat} seat-{runner.seat}" fill="none" d="')
        parts.append(_steps(grid, runner.totals) + f'"><title>{escape(runner.name)}</title></path>')
    x, lowest = grid.x(grid.last), -float(APART)
    for runner in sorted(runners, key=lambda runner: (-runner.totals[-1][1], runner.seat)):
        lowest = max(lowest + APART, grid.y(runner.totals[-1][1]))
        parts.append(
            f'<path class="race-mark seat-{runner.seat}" d="{shapes[runner.seat]}"'
            f' transform="translate({x + 12:g} {lowest:g}) scale(.62)"/>'
            f'<text class="race-total" x="{x + 23:g}" y="{lowest + 5:g}">{runner.totals[-1][1]}</text>'
        )
    return "".join((*parts, "</svg>"))


def layers(rows: Sequence[Layer], *, grid: Grid, name: str, title: str, description: str, translate: Translate) -> str:
    """Draw a player's points by source as layers, from the bottom up, as one `<svg>`. `name` makes its ids unique."""
    parts = [_opened("layers", name, grid.height, title, description), *grid.drawn()]
    under = [(entry, 0) for entry, _points in rows[0].points] if rows else []
    labels = []
    for row in rows:
        over = [(entry, low + max(points, 0)) for (entry, low), (_entry, points) in zip(under, row.points, strict=True)]
        outline = f"{_steps(grid, over)}{_back(grid, under)}Z"
        ends = escape(labelled(row.name, str(row.points[-1][1]), translate))
        parts.append(f'<path class="layer-{row.colour % LAYER_KINDS}" d="{outline}"><title>{ends}</title></path>')
        high, low = grid.y(over[-1][1]), grid.y(under[-1][1])
        if low - high >= 11:  # room for a number
            place = f'x="{WIDTH - COURSE_RIGHT + 6}" y="{(high + low) / 2 + 4:g}"'
            labels.append(f'<text class="chart-number" {place}>{row.points[-1][1]}</text>')
        under = over
    return "".join((*parts, *labels, "</svg>"))


def _steps(grid: Grid, totals: Sequence[tuple[int, int]]) -> str:
    """Return a path that keeps each value until the entry that changes it."""
    first, *others = totals
    moves = [f"M{grid.x(first[0]):g} {grid.y(first[1]):g}"]
    moves += [f"H{grid.x(entry):g}V{grid.y(points):g}" for entry, points in others]
    return "".join(moves)


def _back(grid: Grid, totals: Sequence[tuple[int, int]]) -> str:
    """Return the same from the last value to the first, as the continuation of a path."""
    last, *others = reversed(totals)
    moves, before = [f"V{grid.y(last[1]):g}"], last
    for entry, points in others:
        moves.append(f"H{grid.x(before[0]):g}V{grid.y(points):g}")
        before = (entry, points)
    return "".join((*moves, f"H{grid.x(before[0]):g}"))


# What was expected in the course of a game: a line for each seat, which may be negative, and marks at turning points


class Expected(NamedTuple):
    """The expected results of a seat, as pairs of entry and value, in order. `end` is the label of the last."""

    seat: int
    name: str
    values: tuple[tuple[int, float], ...]
    end: str


def expectations(
    seats: Sequence[Expected], *, low: float, high: float, unit: str, marks: Sequence[int], shapes: Sequence[str],
    name: str, title: str, description: str,
) -> str:  # fmt: skip
    """Draw what was expected for each seat as one `<svg>`, from `low` to `high`, numbers followed by `unit`.

    `marks` are entries that get a numbered line. Each line has its own dashes and ends at the shape of its seat.
    """
    first, last = seats[0].values[0][0], seats[0].values[-1][0]
    height = COURSE_HEIGHT

    def x(entry: float) -> float:
        width = WIDTH - COURSE_LEFT - EXPECTED_RIGHT
        return round(COURSE_LEFT + width * (entry - first) / max(last - first, 1), 1)

    def y(value: float) -> float:
        return round(TOP + 14 + (height - TOP - 14 - COURSE_BOTTOM) * (high - value) / (high - low), 1)

    parts = [_opened("race", name, height, title, description)]
    every = _every(round(high - low), 5)
    for value in range(-(-round(low) // every) * every, round(high) + 1, every):
        shown = f"{value}{unit}".replace("-", "−")
        parts.append(
            f'<line class="chart-grid" x1="{LEFT}" x2="{WIDTH - EXPECTED_RIGHT}" y1="{y(value):g}" y2="{y(value):g}"/>'
            f'<text class="chart-number" x="{LEFT + 2}" y="{y(value) - 3:g}">{shown}</text>'
        )
    for entry in range(first, last + 1, _every(last - first, 6)):
        place = f'x="{x(entry):g}" y="{height - 6}" text-anchor="{"middle" if entry > first else "start"}"'
        parts.append(f'<text class="chart-number" {place}>{entry}</text>')
    for number, entry in enumerate(marks, start=1):
        parts.append(
            f'<line class="race-decisive" x1="{x(entry):g}" x2="{x(entry):g}" y1="{TOP + 8}" y2="{y(low):g}"/>'
            f'<text class="race-total" x="{x(entry):g}" y="{TOP + 2}" text-anchor="middle">{number}</text>'
        )
    for line in seats:
        points = " ".join(f"{x(entry):g},{y(value):g}" for entry, value in line.values)
        parts.append(
            f'<polyline class="race-line race-{line.seat} seat-{line.seat}" fill="none" points="{points}">'
            f"<title>{escape(line.name)}</title></polyline>"
        )
    lowest = -float(APART)
    for line in sorted(seats, key=lambda line: (-line.values[-1][1], line.seat)):
        lowest = max(lowest + APART, y(line.values[-1][1]))
        parts.append(
            f'<path class="race-mark seat-{line.seat}" d="{shapes[line.seat]}"'
            f' transform="translate({x(last) + 12:g} {lowest:g}) scale(.62)"/>'
            f'<text class="race-total" x="{x(last) + 23:g}" y="{lowest + 5:g}">{escape(line.end)}</text>'
        )
    return "".join((*parts, "</svg>"))
