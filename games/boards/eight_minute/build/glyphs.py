"""The glyphs of the charts: how to stroke them, common things in several variants, unique ones, and ornaments.

Fills and strokes are names of colors (`ink`, `lit`, `leaf` …) defined by each theme.
"""

import tomllib
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from games.boards.eight_minute.build.drawing import FOLDER, Line, lettering

HEART = -44.0  # the middle of the compass rose, above its foot

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


def along(points: Line) -> str:
    """Return a smooth pen line through the points."""
    text = f"M{joined([*points[0]])}"
    for i in range(len(points) - 1):
        before, here, there = points[max(i - 1, 0)], points[i], points[i + 1]
        after = points[min(i + 2, len(points) - 1)]
        c1 = (here[0] + (there[0] - before[0]) / 6, here[1] + (there[1] - before[1]) / 6)
        c2 = (there[0] - (after[0] - here[0]) / 6, there[1] - (after[1] - here[1]) / 6)
        text += f"C{joined([*c1, *c2, *there])}"
    return text


def straight(points: Line, close: bool = False) -> str:
    rest = joined([value for point in points[1:] for value in point])
    return f"M{joined([*points[0]])}L{rest}{'Z' if close else ''}"


def _slope(top: tuple[float, float], foot: tuple[float, float], hand: Hand) -> Line:
    """Return a hollow, uneven slope from top to foot."""
    line = []
    for share in np.linspace(0, 1, 5):
        hollow = 0.9 * np.sin(np.pi * share)
        jog = 0 if share in (0, 1) else hand.normal(0, 0.35)
        x = top[0] + (foot[0] - top[0]) * (share - 0.09 * np.sin(np.pi * share)) + jog
        line.append((float(x), float(top[1] + (foot[1] - top[1]) * share + hollow * 0.5 + jog * 0.6)))
    return line


def mountain(hand: Hand, body: str = "lit", shade: str = "dim") -> Glyph:
    width, height = 15 + hand.uniform(-1.5, 1.5), 12.5 + hand.uniform(-1.5, 1.5)
    top = (float(hand.uniform(-1.5, 1)), -height)
    left, right = _slope(top, (-width / 2, 0), hand), _slope(top, (width / 2, 0), hand)
    ridge = [top, (top[0] + 1.4, -height * 0.74), (top[0] + 0.3, -height * 0.5), (top[0] + 1.9, -height * 0.25), (1, 0)]
    whole = left[::-1] + right[1:]
    shadow = ""  # strokes down the right slope
    for share in (0.22, 0.38, 0.54, 0.7, 0.84):
        x, y = top[0] + (width / 2 - top[0]) * share * 0.86, top[1] * (1 - share)
        long = height * (0.16 + 0.12 * hand.random())
        shadow += straight([(x - 0.6, y + 0.4), (x + long * 0.18, y + long)])
    return Glyph(width, height, [
        (body, "ink", 0.85, along(whole)),
        (shade, "none", 0, straight([*right, *ridge[:0:-1]], True)),
        ("none", "fine", 0.5, shadow + straight([(-width * 0.2, -height * 0.5), (-width * 0.31, -height * 0.18)])),
    ])  # fmt: skip


def hill(hand: Hand) -> Glyph:
    width, height = 12 + hand.uniform(-2, 2), 4.4 + hand.uniform(-0.6, 0.8)
    arc = [
        (-width / 2, 0.0), (-width * 0.3, -height * 0.7), (0.0, -height), (width * 0.28, -height * 0.7),
        (width / 2, 0.0),
    ]  # fmt: skip
    hatch = "".join(
        straight([(width * s, -height * (1 - 1.6 * s) + 0.6), (width * s + 0.7, -height * (1 - 1.6 * s) + 2)])
        for s in (0.12, 0.22, 0.32)
    )
    return Glyph(width, height, [("lit", "ink", 0.75, along(arc)), ("none", "fine", 0.5, hatch)])


def tree(hand: Hand, leaf: str = "leaf") -> Glyph:
    """Draw a round crown of scallops, shaded on the right."""
    count, radius = 7, 2.9 + hand.uniform(-0.3, 0.4)
    angles = np.linspace(0.6, 0.6 + 2 * np.pi, count + 1)[:-1] + hand.normal(0, 0.12, count)
    rim = [(float(radius * np.cos(a)), float(-5 + radius * 0.92 * np.sin(a))) for a in angles]
    crown = f"M{joined([*rim[0]])}"
    for here, there in zip(rim, [*rim[1:], rim[0]], strict=True):
        middle = ((here[0] + there[0]) / 2 * 1.32, (here[1] + there[1] + 10) / 2 * 1.32 - 5)
        crown += f"Q{joined([*middle, *there])}"
    return Glyph(7, 8.6, [
        ("none", "ink", 0.8, "M0-2.4V.2"),
        (leaf, "ink", 0.6, crown + "Z"),
        ("none", "leafd", 0.55, "M.6-3.4Q2-3.6 2.2-5M1.2-5.2Q2-5.8 1.9-6.6M-.8-3.2q.8 .3 1 0"),
    ])  # fmt: skip


def heather_bush(hand: Hand) -> Glyph:
    bush = tree(hand, "heather")
    return Glyph(6, 5, [(f, s, w, d) for f, s, w, d in bush.strokes[1:]])


def pine(hand: Hand, leaf: str = "leafd") -> Glyph:
    height, half = 9.5 + hand.uniform(-1, 1), 2.7 + hand.uniform(-0.3, 0.3)
    levels = [(0.0, 0.36), (0.26, 0.66), (0.52, 1.0)]
    left, right = [(0.0, -height)], [(0.0, -height)]
    for start, share in levels:
        y = -height + (height - 1.4) * (start + 0.42)
        left += [(-half * share, y), (-half * share * 0.5, y - 0.5)]
        right += [(half * share, y), (half * share * 0.5, y - 0.5)]
    body = [*left[:-1], *right[:0:-1][1:]]
    return Glyph(6, height, [
        ("none", "ink", 0.8, "M0-1.6V.2"),
        (leaf, "ink", 0.55, straight(body, True)),
    ])  # fmt: skip


def fern(hand: Hand) -> Glyph:
    """Draw a leaning frond with a curled tip and leaflets on both sides."""
    lean, height = float(hand.choice([-1, 1])), 11 + hand.uniform(-1.5, 1.5)
    shares = np.linspace(0, 1, 8)
    stem = [(float(lean * 3.4 * s**2), float(-height * s * (1 - 0.14 * s))) for s in shares]
    tip = stem[-1]
    curl = [
        (tip[0] + lean * 1.7, tip[1] - 0.3),
        (tip[0] + lean * 2.3, tip[1] + 1.1),
        (tip[0] + lean * 1.2, tip[1] + 1.5),
    ]
    leaves = ""
    for share, (x, y) in zip(shares[1:-1], stem[1:-1], strict=True):
        long = 3.3 * (1.05 - share)
        leaves += f"M{joined([x, y])}q{joined([-long * 0.7, -long * 0.5, -long, long * 0.35])}"
        leaves += f"M{joined([x, y])}q{joined([long * 0.7, -long * 0.5, long, long * 0.35])}"
    return Glyph(9, height, [("none", "leafd", 1.0, leaves), ("none", "ink", 0.75, along(stem + curl))])


def palm(hand: Hand) -> Glyph:
    lean = float(hand.choice([-1, 1]))
    x, y = lean * 2.2, -9.5 + hand.uniform(-0.8, 0.8)
    fronds = ""
    for dx, dy in ((-5, 0.6), (-4, -2.4), (0.4, -3.4), (4, -2.2), (5, 0.9), (-2.6, 3), (2.6, 3.2)):
        fronds += f"M{joined([x, y])}q{joined([dx * 0.5, dy - 1.6, dx, dy + 0.8])}"
    return Glyph(11, 13, [
        ("none", "ink", 1.5, along([(0, 0), (lean * 0.4, -4), (x, y)])),
        ("none", "wood", 0.7, along([(0, 0), (lean * 0.4, -4), (x, y)])),
        ("none", "leafd", 1.3, fronds),
    ])  # fmt: skip


def dune(hand: Hand) -> Glyph:
    width, height = 15 + hand.uniform(-2, 2.5), 4.6 + hand.uniform(-0.6, 0.8)
    crest = [
        (-width / 2, 0.0), (-width * 0.22, -height * 0.72), (width * 0.06, -height), (width * 0.3, -height * 0.5),
        (width / 2, 0.0),
    ]  # fmt: skip
    lee = [(width * 0.06, -height), (width * 0.02, -height * 0.6), (width * 0.16, -height * 0.3), (width * 0.14, 0)]
    shade = straight([crest[2], crest[3], crest[4], *lee[:0:-1]], True)
    drift = f"M{joined([-width * 0.3, -0.7])}q2-1 3.6-1.8M{joined([-width * 0.13, -0.4])}q1.2-.8 2.2-1.7"
    return Glyph(width, height, [
        ("sand", "none", 0, along(crest)),
        ("dim", "none", 0, shade),
        ("none", "fine", 0.5, along(lee) + drift),
        ("none", "ink", 0.75, along(crest)),
    ])  # fmt: skip


def needles(hand: Hand) -> Glyph:
    """Draw thin rocks in a row, the tallest in the middle."""
    strokes: list[Stroke] = []
    for x, usual in ((3.6, 9.5), (-3.8, 11), (0.2, 16)):
        tall = usual + hand.uniform(-1.2, 1.2)
        lean = hand.uniform(-0.5, 0.5)
        wide = 1.5 + tall * 0.055
        left = [
            (x - wide, 0.0), (x - wide * 0.75, -tall * 0.4), (x - wide * 0.62 + lean, -tall * 0.78),
            (x - 0.3 + lean, -tall),
        ]  # fmt: skip
        right = [
            (x + 0.7 + lean, -tall + 0.5), (x + wide * 0.7 + lean, -tall * 0.7), (x + wide * 0.7, -tall * 0.35),
            (x + wide, 0.0),
        ]  # fmt: skip
        strata = "".join(
            f"M{joined([x - wide * 0.5, -tall * s])}l{joined([wide * 0.9, 0.5])}" for s in (0.25, 0.5, 0.72)
        )
        strokes += [
            ("rock", "ink", 0.75, straight(left + right, True)),
            ("dim", "none", 0, straight([(x + 0.5 + lean, -tall + 0.6), *right[1:], (x + 0.4, 0)], True)),
            ("none", "fine", 0.5, strata),
        ]
    return Glyph(12, 17, strokes)


def cactus(hand: Hand) -> Glyph:
    tall = 7.5 + hand.uniform(-1, 1)
    path = f"M0 0V-{tall:.1f}M-.2-3H-2.4V-{tall * 0.75:.1f}M.2-2.2H2.4V-{tall * 0.62:.1f}"
    return Glyph(6, tall, [("none", "ink", 2.1, path), ("none", "leaf", 1.1, path)])


def tuft(hand: Hand) -> Glyph:
    strokes = "".join(
        f"M{joined([x, 0])}q{joined([lean * 0.3, -1.4, lean, -2.4])}"
        for x, lean in ((-1, -1), (0, hand.uniform(-0.4, 0.4)), (1, 1))
    )
    return Glyph(4.5, 2.6, [("none", "fine", 0.55, strokes)])


def crack(hand: Hand) -> Glyph:
    x, y, text = -5.0, -1.5, "M-5-1.5"
    for _ in range(5):
        x, y = x + 2 + hand.uniform(-0.4, 0.4), y + hand.uniform(-1.5, 1.5)
        text += f"L{joined([x, y])}"
    return Glyph(11, 4, [("none", "icedeep", 0.6, text + f"M{joined([x - 4, y])}l1 1.8 1.6 .6")])


def berg(hand: Hand) -> Glyph:
    width, height = 11 + hand.uniform(-2, 2), 8 + hand.uniform(-1.5, 1.5)
    top = [
        (-width / 2, 0), (-width * 0.36, -height * 0.5), (-width * 0.1, -height), (width * 0.12, -height * 0.66),
        (width * 0.3, -height * 0.76), (width / 2, 0),
    ]  # fmt: skip
    shade = [
        (-width * 0.1, -height), (width * 0.12, -height * 0.66), (width * 0.3, -height * 0.76), (width / 2, 0),
        (width * 0.08, 0.2), (0, -height * 0.45),
    ]  # fmt: skip
    sea = f"M{joined([-width * 0.7, 0.8])}q1.6-1 3 0t3 0 3 0 3 0M{joined([-width * 0.3, 2.2])}q1.4-.8 2.6 0t2.6 0"
    return Glyph(width, height, [
        ("snow", "ink", 0.7, straight(top)),
        ("ice", "none", 0, straight(shade, True)),
        ("none", "fine", 0.5, sea),
    ])  # fmt: skip


def floe(hand: Hand) -> Glyph:
    angles = np.sort(hand.uniform(0, 2 * np.pi, 6))
    rim = [(float(4 * np.cos(a)), float(1.7 * np.sin(a)) - 1.5) for a in angles]
    return Glyph(9, 4, [("snow", "ink", 0.55, straight(rim, True)), ("none", "icedeep", 0.5, "M-3.5 .9Q0 2 3.6 .8")])


def wave(hand: Hand) -> Glyph:
    second = "M-2 1.2q1.4-1.5 2.8-.1t2.8 0" if hand.random() < 0.5 else ""
    return Glyph(10, 3, [("none", "ripple", 0.7, "M-5-.6q1.6-1.8 3.2-.2t3.2 0 3.2 0" + second)])


def rock(hand: Hand) -> Glyph:
    """Draw a rock in the sea with some surf."""
    left, right = hand.normal(0, 0.3, 2)
    body = [(-3, 0), (-2.2, -2.4 + left), (-0.6, -3.8), (1.2, -2.2 + right), (2.8, 0)]
    return Glyph(9, 5, [
        ("rock", "ink", 0.65, straight(body, True)),
        ("none", "ripple", 0.6, "M-4.8 .6q1.2 1.2 2.6 .4t2.6 0 2.6 0"),
    ])  # fmt: skip


def reed(hand: Hand) -> Glyph:
    """Draw stalks with brown heads, in a puddle."""
    leaves, heads = "", ""
    for x, usual in ((-2.2, 6.0), (0.2, 8.2), (2.4, 6.8)):
        tall, lean = usual + hand.uniform(-0.7, 0.7), hand.uniform(-0.5, 0.5)
        leaves += f"M{joined([x, 0])}q{joined([lean * 0.3, -tall * 0.6, lean, -tall])}"
        leaves += f"M{joined([x, 0])}q{joined([1.2, -1.4, 1.9, -3.4])}"
        heads += f"M{joined([x + lean, -tall])}v2"
    return Glyph(8, 9, [
        ("none", "leafd", 0.7, leaves),
        ("none", "wood", 1.4, heads),
        ("none", "ripple", 0.6, "M-4.2 .5q1.4 .9 2.8 .1t2.8 0 2.6 0"),
    ])  # fmt: skip


def wheat(hand: Hand) -> Glyph:
    """Draw a sheaf, bound in the middle."""
    stalks, ears = "", ""
    for spread in (-3.0, -1.6, 0.0, 1.6, 3.0):
        tall = 7.6 - abs(spread) * 0.45 + hand.uniform(-0.3, 0.3)
        stalks += f"M{joined([spread * 0.55, 0])}Q{joined([0, -3, spread, -tall + 1.6])}"
        ears += f"M{joined([spread, -tall + 1.8])}l{joined([spread * 0.16, -1.9])}"
    return Glyph(8, 8.4, [
        ("none", "fine", 1.1, stalks),
        ("none", "sand", 0.6, stalks),
        ("none", "fine", 2.0, ears),
        ("none", "gold", 1.3, ears),
        ("none", "ink", 0.7, "M-1.1-3.1h2.2"),
    ])  # fmt: skip


COMMON: dict[str, tuple[int, Callable[[Hand], Glyph]]] = {
    "mountain": (5, mountain),
    "snowpeak": (4, partial(mountain, body="snow", shade="ice")),
    "hill": (4, hill),
    "tree": (4, tree),
    "bush": (3, heather_bush),
    "pine": (3, pine),
    "snowpine": (3, partial(pine, leaf="frostleaf")),
    "fern": (4, fern),
    "palm": (3, palm),
    "dune": (4, dune),
    "needles": (3, needles),
    "cactus": (2, cactus),
    "tuft": (3, tuft),
    "crack": (3, crack),
    "berg": (4, berg),
    "floe": (4, floe),
    "wave": (3, wave),
    "rock": (3, rock),
    "reed": (3, reed),
    "wheat": (3, wheat),
}


def _circle(radius: float) -> str:
    r = number(radius)
    return f"M-{r} {number(HEART)}a{r} {r} 0 1 1 {number(2 * radius)} 0a{r} {r} 0 1 1-{number(2 * radius)} 0"


def compass() -> Glyph:
    """Draw a rose of sixteen points in a ring of degrees, with a lily at the north."""
    around = [(np.sin(a), -np.cos(a)) for a in np.arange(0, 2 * np.pi, np.pi / 36)]
    ticks = "".join(straight([(20 * x, HEART + 20 * y), (22.5 * x, HEART + 22.5 * y)]) for x, y in around)
    strokes: list[Stroke] = [("none", "fine", 0.5, "".join(map(_circle, (20, 22.5, 35.5, 37))) + ticks)]
    for count, first, long, wide in ((8, np.pi / 8, 27, 3.6), (4, np.pi / 4, 32, 5), (4, 0, 42, 6)):
        for angle in (first + n * 2 * np.pi / count for n in range(count)):
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            corners = ((0, -long), (-wide, -wide), (wide, -wide))
            tip, left, right = (tuple(turn @ np.array(corner) + (0, HEART)) for corner in corners)
            strokes.append(("lit", "ink", 0.6, straight([(0, HEART), left, tip], True)))
            strokes.append(("ink", "ink", 0.6, straight([(0, HEART), right, tip], True)))
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
    return Glyph(98, 42, strokes + [("ink", "none", 0, lettering(text, size, down)) for text, size, down in words])


def glyphs() -> dict[str, Glyph]:
    """Return every glyph by name: common things with variants (`tree-1`, `tree-2` …), unique ones, and ornaments."""
    hand = np.random.default_rng(8)
    found = {f"{kind}-{n + 1}": draw(hand) for kind, (count, draw) in COMMON.items() for n in range(count)}
    for kind, drawn in tomllib.loads((FOLDER / "glyphs.toml").read_text()).items():
        found[kind] = Glyph(drawn["box"][0], drawn["box"][1], [tuple(stroke) for stroke in drawn["ink"]])
    return found | {"compass": compass(), "cartouche": cartouche()}


def variants(kind: str) -> list[str]:
    """Return the names of a kind's variants."""
    return [f"{kind}-{n + 1}" for n in range(COMMON[kind][0])] if kind in COMMON else [kind]
