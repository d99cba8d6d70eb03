"""The colors of the seats: up to five in most games, up to eight kingdoms.

Each also has a shape, so that color is never the only sign; the CSS uses the same ones. A theme is `light` or `dark`,
alone or with a palette, as in `dark-tritanopia`. A palette has other fills of the same names, so that words stay true.

`python -m games.boards.themes` writes the style sheets of the palettes: pictures on pages have the colors of the
standard one, which these replace by their values.
"""

from colorsys import hls_to_rgb, rgb_to_hls
from pathlib import Path

import msgspec

from games.rules.words import gettext_noop

THEMES = ("light", "dark")
CONTRAST = "contrast"
LANDS = (*THEMES, *(f"{theme}-{CONTRAST}" for theme in THEMES))  # the themes that land is drawn in


class Colour(msgspec.Struct, frozen=True):
    """A seat's colors.

    `fill` is the painted wood, `edge` its shaded side, `ink` the writing on it, `line` lines on land in the light theme
    and `night` in the dark one. `key` is the CSS class, also used in custom properties; `name` is translatable.
    """

    key: str
    name: str
    shape: str
    fill: str
    edge: str
    ink: str
    line: str
    night: str

    def painted(self, fill: str, palette: str) -> "Colour":
        """Return this color with another fill, and what goes with it."""
        pale, strong = luminance(fill) > 0.2, palette == CONTRAST
        return msgspec.structs.replace(
            self,
            fill=fill,
            edge="#000000" if strong else mixed(fill, "#000000", 0.5),
            ink="#14100a" if pale else "#fffaf0",
            line=mixed(fill, "#000000", 0.55 if strong else 0.1) if pale else fill,
            night=brightened(fill, 0.62 if strong else 0.45) if luminance(fill) < (0.15 if strong else 0.06) else fill,
        )


SEATS = (
    Colour("seat-0", gettext_noop("red circle"), "circle", "#c7362c", "#7d1d17", "#fff6ea", "#c7362c", "#e2564b"),
    Colour("seat-1", gettext_noop("blue square"), "square", "#2467b3", "#123c70", "#f5f8ff", "#2467b3", "#4d93e3"),
    Colour("seat-2", gettext_noop("yellow diamond"), "diamond", "#f0b323", "#94640a", "#2b1d05", "#e0a010", "#f0b323"),
    Colour("seat-3", gettext_noop("black triangle"), "triangle", "#26262b", "#08080a", "#fbf3e2", "#26262b", "#8b8b95"),
    Colour("seat-4", gettext_noop("violet star"), "star", "#7d22e6", "#430f80", "#faf4ff", "#7d22e6", "#ab72ff"),
)
THIRD = Colour("seat-third", gettext_noop("gray cross"), "cross", "#a9a69e", "#66635c", "#23221f", "#8b887f", "#a9a69e")
COLOURS = (*SEATS, THIRD)
BANNERS = (
    *SEATS,
    Colour("seat-5", gettext_noop("green hexagon"), "hexagon", "#1f9d63", "#0d5a36", "#06180f", "#1f9d63", "#2fb878"),
    Colour("seat-6", gettext_noop("pink heart"), "heart", "#ee86a8", "#97385a", "#35091a", "#ee86a8", "#ee86a8"),
    Colour("seat-7", gettext_noop("sky-blue drop"), "drop", "#79d0d8", "#2b7f87", "#082a2e", "#5cbac4", "#79d0d8"),
)
MOST = len(BANNERS)

# The fills of each palette. Of those that can be in one game, any two differ by 36 or more in CIE Lab, for the eyes
# that the palette is for and for common ones; in the standard palette it is 18 (tests/boards/test_themes.py).
FILLS = {
    "deuteranopia": {
        "seat-0": "#c84511", "seat-1": "#15356b", "seat-2": "#ece043", "seat-3": "#0b0b0c", "seat-4": "#7511e7",
        "seat-third": "#8d8d8c", "seat-5": "#307461", "seat-6": "#eec8db", "seat-7": "#2da0ec",
    },
    "tritanopia": {
        "seat-0": "#d22015", "seat-1": "#1e37ae", "seat-2": "#eab515", "seat-3": "#0f0f12", "seat-4": "#9e27e5",
        "seat-third": "#b9b9b6", "seat-5": "#319e50", "seat-6": "#f65caf", "seat-7": "#bdeff7",
    },
    CONTRAST: {
        "seat-0": "#aa150e", "seat-1": "#112161", "seat-2": "#fbf056", "seat-3": "#0e0f0f", "seat-4": "#ce7dee",
        "seat-third": "#bbbab3", "seat-5": "#134522", "seat-6": "#f2c5d9", "seat-7": "#3fc8da",
    },
}  # fmt: skip

# Each shape around the origin, with the visual weight of a circle of radius 10.
SHAPES = {
    "circle": "M10.4 0A10.4 10.4 0 1 1-10.4 0A10.4 10.4 0 1 1 10.4 0Z",
    "square": "M-7.4-9.4H7.4Q9.4-9.4 9.4-7.4V7.4Q9.4 9.4 7.4 9.4H-7.4Q-9.4 9.4-9.4 7.4V-7.4Q-9.4-9.4-7.4-9.4Z",
    "diamond": "M1-11.1L11.1-1Q12.1 0 11.1 1L1 11.1Q0 12.1-1 11.1L-11.1 1Q-12.1 0-11.1-1L-1-11.1Q0-12.1 1-11.1Z",
    "triangle": "M1.5-10.9L11.7 7.2Q12.7 9.4 10.3 9.6H-10.3Q-12.7 9.4-11.7 7.2L-1.5-10.9Q0-13 1.5-10.9Z",
    "star": "M-1.2-10.9Q0-12.7 1.2-10.9L4.6-5.5L10.8-3.9Q12.9-3.3 11.5-1.6L7.5 3.3L7.9 9.7Q8 11.9 5.9 11.1L0 8.8L"
    "-5.9 11.1Q-8 11.9-7.9 9.7L-7.5 3.3L-11.5-1.6Q-12.9-3.3-10.8-3.9L-4.6-5.5Z",
    "cross": "M-9.8-5.4L-5.4-9.8L0-6.9L5.4-9.8L9.8-5.4L6.9 0L9.8 5.4L5.4 9.8L0 6.9L-5.4 9.8L-9.8 5.4L-6.9 0Z",
}
BANNER_SHAPES = {
    "hexagon": "M0-11.4L9.9-5.7V5.7L0 11.4L-9.9 5.7V-5.7Z",
    "heart": "M0 11.4C-14 2-13-10.4-6-10.4C-2.8-10.4-.8-8.6 0-6.4C.8-8.6 2.8-10.4 6-10.4C13-10.4 14 2 0 11.4Z",
    "drop": "M0-12.4C4-6 8.8-.8 8.8 3.6A8.8 8.2 0 0 1-8.8 3.6C-8.8-.8-4-6 0-12.4Z",
} | SHAPES


def colours(players: int, theme: str = "light") -> tuple[Colour, ...]:
    """Return the colors of a position by color index: the seats, then the third color with two players."""
    return in_theme((*SEATS[:players], THIRD) if players == 2 else SEATS[:players], theme)


def banners(theme: str = "light") -> tuple[Colour, ...]:
    """Return the colors of each kingdom."""
    return in_theme(BANNERS, theme)


def in_theme(paints: tuple[Colour, ...], theme: str) -> tuple[Colour, ...]:
    """Return the colors for a theme: the dark shade changes only the lines.

    The keys of a palette's colors have its name, because stored parts of pictures are known by what draws them.
    """
    shade, _, palette = theme.partition("-")
    if palette:
        painted = [paint.painted(FILLS[palette][paint.key], palette) for paint in paints]
        paints = tuple(msgspec.structs.replace(paint, key=f"{paint.key}-{palette}") for paint in painted)
    if shade == "light":
        return paints
    return tuple(msgspec.structs.replace(paint, line=paint.night) for paint in paints)


def shade_of(theme: str) -> str:
    return theme.partition("-")[0]


def land_of(theme: str) -> str:
    """Return the theme of the land, which only high contrast changes."""
    return theme if theme.endswith(CONTRAST) else shade_of(theme)


def mark(seat: int) -> str:
    """Draw the shape and color of a seat as a small picture to go next to a name. Screen readers skip it."""
    paint = BANNERS[seat]
    shape = f'd="{BANNER_SHAPES[paint.shape]}" stroke-linejoin="round"'
    return (
        '<svg class="seat-mark" width="1.2em" height="1.2em" viewBox="-14 -14.5 28 28" aria-hidden="true"'
        f' focusable="false"><path {shape} fill="{paint.fill}" stroke="#fffaf0" stroke-width="3.2"/>'
        f'<path {shape} fill="{paint.fill}" stroke="{paint.edge}" stroke-width="1.4"/></svg>'
    )


# The style sheets of the palettes


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb` (WCAG 2.2)."""
    channels = (part / 255 for part in bytes.fromhex(colour[1:]))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels)
    return sum(part * share for part, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def brightened(colour: str, lightness: float) -> str:
    """Return a color of the same hue with that lightness; for black white, which nothing else on dark land is."""
    hue, _lightness, saturation = rgb_to_hls(*(part / 255 for part in bytes.fromhex(colour[1:])))
    if saturation < 0.2:
        return "#ffffff"
    return "#" + bytes(round(255 * part) for part in hls_to_rgb(hue, lightness, saturation)).hex()


def mixed(colour: str, other: str, share: float) -> str:
    """Mix a share of the other color into a color; both are `#rrggbb`."""
    ours, theirs = bytes.fromhex(colour[1:]), bytes.fromhex(other[1:])
    return "#" + bytes(round(a + (b - a) * share) for a, b in zip(ours, theirs, strict=True)).hex()


def stylesheet(palette: str) -> str:
    """Return the style sheet of a palette.

    Its rules for pictures name no ancestors, because browsers style what `<use>` repeats outside of the page's tree.
    """
    swaps: dict[str, str] = {}
    rules = [HEAD, *([PAGES] if palette == CONTRAST else []), ":root {"]
    for paint in (*BANNERS, THIRD):
        new, name = paint.painted(FILLS[palette][paint.key], palette), paint.key
        rules.append(f"  --{name}: {new.fill}; --{name}-edge: {new.edge};")
        rules.append(f"  --{name}-line: light-dark({new.line}, {new.night});")
        swaps |= {paint.edge: new.edge, paint.ink: new.ink, paint.line: new.line} | {paint.fill: new.fill}
    rules.append("}")
    for paint in BANNERS:
        line = f"var(--{paint.key}-line)"
        rules.append(f".{paint.key}.{paint.key} {{ --seat: {line}; --k-line: {line}; }}")
    for old, new_colour in swaps.items():
        rules.append(f'[fill="{old}"] {{ fill: {new_colour}; }} [stroke="{old}"] {{ stroke: {new_colour}; }}')
    return "\n".join(rules) + "\n"


HEAD = """/* A palette that people choose in their settings. Written by `python -m games.boards.themes`. */
"""
PAGES = """\
:root {
  --paper: light-dark(#ffffff, #000000); --leaf: var(--paper); --leaf-solid: var(--paper);
  --sunk: light-dark(#ececec, #1c1c1c);
  --ink: light-dark(#000000, #ffffff); --ink-soft: light-dark(#262626, #e2e2e2);
  --line: light-dark(#6b6b6b, #9a9a9a); --line-strong: light-dark(#000000, #ffffff);
  --sea: light-dark(#00404a, #9ff0ec); --sea-wash: var(--sunk);
  --sea-fill: light-dark(#00404a, #0a5a62); --on-fill: #ffffff;
  --accent: light-dark(#861a00, #ffb8a0); --accent-fill: light-dark(#861a00, #9a2604);
  --accent-fill-deep: light-dark(#5c1000, #7a1c00); --accent-wash: var(--sunk);
  --good: light-dark(#0b470b, #aef2a6); --good-wash: var(--sunk);
  --gold: light-dark(#573a00, #ffd970); --gold-wash: var(--sunk);
}
:focus-visible { outline-width: 4px; }
.button.primary { border: 2px solid var(--line-strong); }
[stroke="#fffaf0"] { stroke: light-dark(#000000, #ffffff); }
"""

if __name__ == "__main__":
    for name in FILLS:
        (Path(__file__).parents[2] / f"empire/static/css/palettes/{name}.css").write_text(stylesheet(name))
