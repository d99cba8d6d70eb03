"""The contents of a region: start flag, outpost flag, merchants, armies, cities, and the token next to them."""

from collections.abc import Iterable
from typing import NamedTuple

from games.boards.eight_minute import laid_tokens, tokens
from games.boards.eight_minute.clusters import beside_token, cell, cluster
from games.boards.eight_minute.geometry import Picture, Region
from games.boards.eight_minute.lying import Point
from games.boards.themes import Colour
from games.rules.eight_minute.tokens import MERCHANTS
from games.rules.eight_minute.view import RegionView, View


class Placed(NamedTuple):
    """A piece at its position: a drawing around the origin. `what`: army, city, token, town, start or outpost."""

    at: Point
    drawing: str
    what: str
    colour: int | None = None


Piece = tuple[str, str, int | None]  # kind, drawing, colour


def defs(view: View, paints: tuple[Colour, ...]) -> str:
    """Return all shared drawings that the position needs."""
    return tokens.defs(paints) + laid_tokens.defs(_kinds(view))


def _kinds(view: View) -> Iterable[str]:
    if view.outpost:
        yield laid_tokens.OUTPOST
    for here in view.regions.values():
        yield from filter(None, (here.face or here.token, MERCHANTS if here.town else ""))


def standing(view: View, board: Picture, region: Region, paints: tuple[Colour, ...]) -> str:
    """Draw everything in the region; return "" if it is empty."""
    scale = f"{cell(board) / 26:.2f}".lstrip("0")
    return "".join(
        f'<g transform="translate({one.at[0]:g} {one.at[1]:g}) scale({scale})">{one.drawing}</g>'
        for one in placed(view, board, region, paints)
    )


def placed(view: View, board: Picture, region: Region, paints: tuple[Colour, ...]) -> list[Placed]:
    """Return everything in the region, piece by piece."""
    here, pieces = view.regions[region.id], _pieces(view, region.id, paints)
    if not here.token:
        spots = cluster(board, region, len(pieces)) if pieces else ()
        return [_placed(*one) for one in zip(spots, pieces, strict=True)]
    at, spots = beside_token(board, region, len(pieces))
    return [Placed(at, _token(here), "token"), *(_placed(*one) for one in zip(spots, pieces, strict=True))]


def _placed(at: Point, piece: Piece) -> Placed:
    what, drawing, colour = piece
    return Placed(at, drawing, what, colour)


def _token(here: RegionView) -> str:
    return laid_tokens.peeked(here.face) if here.face else laid_tokens.laid(here.token)


def _pieces(view: View, region: str, paints: tuple[Colour, ...]) -> list[Piece]:
    """Return the start flag, the outpost flag, merchants, then armies and cities of each colour."""
    here = view.regions[region]
    found: list[Piece] = [("start", tokens.standard(), None)] if region == view.start else []
    found += [("outpost", laid_tokens.laid(laid_tokens.OUTPOST), None)] if region == view.outpost else []
    found += [("town", laid_tokens.town(here.town), None)] if here.town else []
    for colour, (paint, armies, cities) in enumerate(zip(paints, here.armies, here.cities, strict=True)):
        found += [("army", tokens.army(paint, armies), colour)] * bool(armies)
        found += [("city", tokens.city(paint), colour)] * cities
    return found
