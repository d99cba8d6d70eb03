"""The parts of the land that turn with a board: coasts and washes, water lines, borders, bridges and dotted lines.

Fragments are drawn on the upright sheet in tenths of a unit, which shortens their paths by a quarter. Pens too.
"""

from collections.abc import Iterable
from functools import cache

from games.boards.eight_minute.geometry import pairs
from games.boards.eight_minute.paint import PaintedRegion, PaintedSide, Way, ink, mix, painted, sea, tone

BELTS = ((150, 0.3), (80, 0.55))  # shallow water: width over the coast, paleness
RIPPLES = ((6, ".75", "900 25"), (5, ".6", "340 30 190 20"), (5, ".42", "150 50 70 40"))  # pen width, opacity, dashes
EDGE, RIM = 0.3, 0.13  # share of the wash at a region's edge, and next to it


@cache
def ground(side: str, theme: str) -> str:
    """Draw the land in its water, without the dotted lines over it."""
    ours = painted(side)
    parts = (
        _shapes(ours, side, theme),
        *_ripples(ours, theme),
        *(_washes(region, side, theme) for region in ours.regions),
        _borders(ours, side, theme),
        *_relief(ours, theme),
        *(_bridge(way, theme) for way in ours.bridges),
    )
    return f'<g fill="none" stroke-linejoin="round" stroke-linecap="round">{"".join(parts)}</g>'


@cache
def ways(side: str, theme: str) -> str:
    """Draw the dotted lines over water, which cross the sheet's frame and meet the neighbour's."""
    d = "".join(_line(way) for way in painted(side).routes)
    pens = (
        f'stroke="{ink(theme, "routehalo")}" stroke-width="27" stroke-opacity=".3"',
        (f'stroke="{ink(theme, "route")}" stroke-width="17" stroke-dasharray="1 41"'),
    )
    return f'<g fill="none" stroke-linecap="round">{_drawn_over(f"ways-{side}", d, pens)}</g>'


def _drawn_over(name: str, d: str, pens: Iterable[str]) -> str:
    """Draw one path several times with different pens."""
    return f'<defs><path id="{name}" d="{d}"/></defs>' + "".join(f'<use href="#{name}" {pen}/>' for pen in pens)


def _shapes(ours: PaintedSide, side: str, theme: str) -> str:
    """Draw the regions in their edge colour, with coast line and shallow water as wide outlines below."""
    water, pale = sea(theme, side), ink(theme, "shallow")
    shapes = "".join(f'<path d="{r.washes[0]}" fill="{tone(theme, side, r.tone, EDGE)}"/>' for r in ours.regions)
    pens = [(mix(water, pale, share), wide) for wide, share in BELTS] + [(ink(theme, "ink"), 21)]
    belts = "".join(f'<use href="#land-{side}" stroke="{colour}" stroke-width="{wide}"/>' for colour, wide in pens)
    return f'<defs><g id="land-{side}">{shapes}</g></defs>{belts}<use href="#land-{side}"/>'


def _ripples(ours: PaintedSide, theme: str) -> Iterable[str]:
    """Draw water lines, fainter and more broken farther out."""
    for d, (pen, faint, dashes) in zip(ours.ripples, RIPPLES, strict=True):
        line = f'stroke="{ink(theme, "ripple")}" stroke-width="{pen}" stroke-opacity="{faint}"'
        yield f'<path d="{d}" {line} stroke-dasharray="{dashes}"/>'


def _washes(region: PaintedRegion, side: str, theme: str) -> str:
    inner, heart = region.washes[1:]
    return (
        f'<path d="{inner}" fill="{tone(theme, side, region.tone, RIM)}"/>'
        f'<path d="{heart}" fill="{tone(theme, side, region.tone)}"/>'
    )


def _borders(ours: PaintedSide, side: str, theme: str) -> str:
    """Draw the borders: dashes on a pale band."""
    pens = (
        f'stroke="{ink(theme, "border")}" stroke-width="19" stroke-opacity=".75"',
        (f'stroke="{ink(theme, "ink")}" stroke-width="8" stroke-dasharray="32 24" stroke-opacity=".85"'),
    )
    return _drawn_over(f"borders-{side}", ours.borders, pens) if ours.borders else ""


def _relief(ours: PaintedSide, theme: str) -> Iterable[str]:
    """Draw lakes and the hachures of cliffs."""
    pen = f'stroke="{ink(theme, "ink")}"'
    for lake in ours.lakes:
        yield f'<path d="{lake}" fill="{ink(theme, "water")}" {pen} stroke-width="7"/>'
    if ours.cliffs:
        yield f'<path d="{ours.cliffs}" {pen} stroke-width="5" stroke-opacity=".8"/>'


def _line(way: Way) -> str:
    (x, y), *rest = pairs(way.line)
    return f"M{x} {y}L" + " ".join(f"{px} {py}" for px, py in rest)


def _bridge(way: Way, theme: str) -> str:
    """Draw a deck of planks between two rails."""
    d, dark = _line(way), ink(theme, "ink")
    return (
        f'<g stroke-linecap="butt"><path d="{d}" stroke="{dark}" stroke-width="70"/>'
        f'<path d="{d}" stroke="{ink(theme, "wood")}" stroke-width="56"/>'
        f'<path d="{d}" stroke="{dark}" stroke-width="56" stroke-dasharray="6 19"/></g>'
    )
