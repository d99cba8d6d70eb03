"""Ornaments for the corners of the chart that no sheet covers: a compass rose and a scroll."""

import numpy as np

from games.boards.eight_minute.build.lettering import lettering
from games.boards.eight_minute.build.stroke import Glyph, Stroke, number, straight

HEART = -44.0  # the middle of the rose, above its foot


def _ray(angle: float, long: float, wide: float) -> tuple[str, str]:
    """Return a point of the compass: its light half and its dark half."""
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    tip, left, right = (tuple(turn @ np.array(v) + (0, HEART)) for v in ((0, -long), (-wide, -wide), (wide, -wide)))
    return straight([(0, HEART), left, tip], True), straight([(0, HEART), right, tip], True)


def _circle(radius: float) -> str:
    r = number(radius)
    return f"M-{r} {number(HEART)}a{r} {r} 0 1 1 {number(2 * radius)} 0a{r} {r} 0 1 1-{number(2 * radius)} 0"


def _degrees() -> str:
    """Return the ticks of a ring of seventy-two."""
    around = [(np.sin(a), -np.cos(a)) for a in np.arange(0, 2 * np.pi, np.pi / 36)]
    return "".join(straight([(20 * x, HEART + 20 * y), (22.5 * x, HEART + 22.5 * y)]) for x, y in around)


def compass() -> Glyph:
    """Draw a rose of sixteen points in a ring of degrees, with a lily at the north."""
    strokes: list[Stroke] = [("none", "fine", 0.5, "".join(map(_circle, (20, 22.5, 35.5, 37))) + _degrees())]
    for count, first, long, wide in ((8, np.pi / 8, 27, 3.6), (4, np.pi / 4, 32, 5), (4, 0, 42, 6)):
        for n in range(count):
            light, dark = _ray(first + n * 2 * np.pi / count, long, wide)
            strokes += [("lit", "ink", 0.6, light), ("ink", "ink", 0.6, dark)]
    lily = (
        "M0-87C-1-89-3-90-3-93C-3-95-1-96 0-99C1-96 3-95 3-93C3-90 1-89 0-87Z"
        "M-1-88C-3-91-6-91-6-94C-8-93-8-89-5-88ZM1-88C3-91 6-91 6-94C8-93 8-89 5-88Z"
    )
    strokes += [("roof", "ink", 0.6, lily), ("gold", "ink", 0.7, _circle(3.2))]
    return Glyph(86, 100, strokes)


def cartouche() -> Glyph:
    """Draw a scroll that says what the chart is."""
    scroll = (
        "M-44-40C-50-40-50-33-45-33H-42V-6C-42-1-47 0-48-3C-49-6-45-8-43-5M-44-40H44C50-40 50-33 45-33H42"
        "M42-33V-6C42-1 47 0 48-3C49-6 45-8 43-5M-42-6C-42-2-44 0-47 0H47C44 0 42-2 42-6"
    )
    sheet = "M-44-40H44C50-40 50-33 45-33H42V-6C42-2 44 0 47 0H-47C-44 0-42-2-42-6V-33H-45C-50-33-50-40-44-40Z"
    strokes: list[Stroke] = [
        ("lit", "none", 0, sheet),
        ("none", "ink", 0.9, scroll),
        ("none", "fine", 0.5, "M-44-36.5H44M-38-5h24m28 0h24"),
    ]
    words = (("A true chart", 9.5, -25), ("of lands that may be won", 6.2, -16.5), ("in eight minutes", 6.2, -9.5))
    return Glyph(98, 42, strokes + [("ink", "none", 0, lettering(text, size, down).path) for text, size, down in words])
