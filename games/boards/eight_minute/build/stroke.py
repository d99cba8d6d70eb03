"""Glyphs and their strokes. Fills and strokes are names of colours (`ink`, `lit`, `leaf` …) defined by each theme."""

from typing import NamedTuple

import numpy as np

from games.boards.eight_minute.build.drawing import Line

Stroke = tuple[str, str, float, str]
Hand = np.random.Generator


class Glyph(NamedTuple):
    """A glyph. The middle of its foot is at 0 0."""

    width: float
    height: float
    strokes: list[Stroke]


def number(value: float) -> str:
    text = f"{round(float(value), 1):g}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def joined(values: list[float]) -> str:
    return " ".join(number(value) for value in values).replace(" -", "-")


def along(points: Line, close: bool = False) -> str:
    """Return a smooth pen line through the points."""
    text = f"M{joined([*points[0]])}"
    for i in range(len(points) - 1):
        before, here, there = points[max(i - 1, 0)], points[i], points[i + 1]
        after = points[min(i + 2, len(points) - 1)]
        c1 = (here[0] + (there[0] - before[0]) / 6, here[1] + (there[1] - before[1]) / 6)
        c2 = (there[0] - (after[0] - here[0]) / 6, there[1] - (after[1] - here[1]) / 6)
        text += f"C{joined([*c1, *c2, *there])}"
    return text + ("Z" if close else "")


def straight(points: Line, close: bool = False) -> str:
    return (
        f"M{joined([*points[0]])}L"
        + joined([value for point in points[1:] for value in point])
        + ("Z" if close else "")
    )
