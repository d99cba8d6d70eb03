"""The whole board as one standalone picture, as SVG and as PNG."""

import re
from xml.etree import ElementTree

import pytest

from games.boards.eight_minute.geometry import picture as geometry
from games.boards.eight_minute.land import land
from games.boards.eight_minute.picture import over_land, picture
from games.boards.eight_minute.png import _tile, board_png, fitted
from games.boards.png import png
from tests.boards.pixels import pixels
from tests.pace import seconds
from tests.rules.positions import LEGENDS, position
from tests.rules.walk import walk


def played(players: int, seed: int):
    return LEGENDS.view(walk(LEGENDS, players, seed).final, None)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_is_one_document_of_the_size_of_its_land(theme):
    view = played(3, 1)
    root = ElementTree.fromstring(picture(view, theme))
    board = geometry(view.layout)
    assert root.get("viewBox") == f"0 0 {board.width:g} {board.height:g}"
    assert len(root) == 2
    assert not re.search(r"(?<!font-)style|<script", picture(view, theme))


@pytest.mark.sampled
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_png_has_the_requested_width_and_many_colors(theme):
    view = played(4, 2)
    board = geometry(view.layout)
    drawn = pixels(png(picture(view, theme), 200))
    assert drawn.width == 200
    assert abs(drawn.height - 200 * board.height / board.width) <= 1
    assert len(drawn.colours()) > 300


@pytest.mark.long
def test_pieces_are_visible_in_the_picture_for_an_email():
    empty = png(picture(LEGENDS.view(position(4), None)), 200)
    manned = png(picture(LEGENDS.view(position(4, armies={"v1": (3, 0, 0, 0)}), None)), 200)
    reds = [
        len([p for row in pixels(each).rows for p in row if p[:3] == (0xC7, 0x36, 0x2C)]) for each in (empty, manned)
    ]
    assert reds[1] > reds[0] + 20


def test_names_use_our_own_font_on_any_machine():
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30">{}</svg>'
    written = '<text x="4" y="20" font-family="Alegreya" font-style="italic" font-size="16">Ashwick</text>'
    letters = sum(p[3] > 128 for row in pixels(png(svg.format(written), 90)).rows for p in row)
    assert 100 < letters < 800
    assert sum(p[3] > 128 for row in pixels(png(svg.format(""), 90)).rows for p in row) == 0


def test_the_light_and_dark_themes_are_different_pictures():
    view = played(2, 4)
    assert picture(view, "light") != picture(view, "dark")


def test_a_board_is_drawn_within_5_milliseconds():
    view = played(4, 5)
    picture(view)
    assert seconds(lambda: picture(view), tries=20) < 0.005


@pytest.mark.long
@pytest.mark.parametrize("width", [133, 240])
def test_the_picture_for_an_email_is_the_same_with_and_without_cached_sheets(width):
    view = played(3, 6)
    first, again = board_png(view, width), board_png(view, width)
    assert first == again
    at_once = fitted(view.layout, width, land(view.layout, "light") + over_land(view))
    whole, mail = pixels(png(at_once, width)), pixels(first)
    assert (mail.width, mail.height) == (whole.width, whole.height)
    assert (mail.width, mail.height) == (width, pixels(png(picture(view), width)).height)
    off = [
        max(abs(a - b) for a, b in zip(p, q, strict=True))
        for r, s in zip(mail.rows, whole.rows, strict=True)
        for p, q in zip(r, s, strict=True)
    ]
    assert sum(each > 4 for each in off) / len(off) < 0.02, "only double rounding may differ"


@pytest.mark.long
def test_lands_are_composed_of_sheets_that_are_painted_once():
    _tile.cache_clear()
    lands = {(view := played(4, seed)).layout: view for seed in range(8)}
    for view in lands.values():
        board_png(view, 60)
    sheets = {(sheet.side, sheet.turns) for layout in lands for sheet in geometry(layout).sheets}
    assert len(lands) == 8 and _tile.cache_info().misses <= 2 * len(sheets), (
        "one sheet for each of the two or three widths"
    )
    assert _tile.cache_info().hits > 0
