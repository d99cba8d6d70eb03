"""Boards laid by hand: every free place is visible, read aloud and clickable, over the land so far."""

import gzip
import re
from io import BytesIO
from math import ceil
from xml.etree import ElementTree

import pytest
from PIL import Image

from games.boards.eight_minute.describe import table_words
from games.boards.eight_minute.geometry import drawn, picture
from games.boards.eight_minute.land import land
from games.boards.eight_minute.lying import shown, side_thumbnail
from games.boards.eight_minute.picture import laying, over_land
from games.boards.eight_minute.picture import picture as whole
from games.boards.eight_minute.pieces import Marks
from games.boards.eight_minute.png import board, framed
from games.boards.png import PAPERS, WIDEST, png
from games.boards.targets import Target
from tests.rules.positions import BOB, LEGENDS, after
from tests.rules.test_handmade import BOARDS, opened

SVG = "{http://www.w3.org/2000/svg}"


def table(*boards: str):
    return LEGENDS.view(after(opened(), *boards), BOB)


def places(svg: str):
    return {group.get("data-place"): group for group in ElementTree.fromstring(svg).iter() if group.get("data-place")}


@pytest.mark.parametrize("n", range(4))
def test_every_free_place_is_outlined_on_land_of_the_same_size(n):
    view = table(*BOARDS[:n])
    svg = laying(view, {})
    assert tuple(places(svg)) == view.setup.places
    below = ElementTree.fromstring(land(shown(view), "light"))
    assert ElementTree.fromstring(svg).get("viewBox") == below.get("viewBox")
    assert len(re.findall("<title>", land(shown(view), "light"))) == 1
    assert not re.search(r"(?<!font-)style|<script| on\w+=", svg)
    assert len(gzip.compress(svg.encode(), 6)) < 2_000


def test_a_target_place_is_a_link_that_describes_its_action():
    svg = laying(table(BOARDS[0]), {"north": Target("Lay “Fern” & co. here", "?place=north", "lay fern north 0")})
    links = list(ElementTree.fromstring(svg).iter(f"{SVG}a"))
    assert [(link.get("id"), link.get("href")) for link in links] == [("tap-north", "?place=north")]
    assert links[0].get("aria-label") == "Lay “Fern” & co. here. North."
    assert links[0].get("data-action") == "lay fern north 0"
    assert places(svg)["east"].find(f"{SVG}a") is None


def test_a_screen_reader_hears_which_boards_lie_where_and_which_places_are_free():
    view = table(*BOARDS[:2])
    words = table_words(view)
    assert (
        words
        == f"Center: {drawn('volcano').title}. North: {drawn('fern').title}. East: empty. South: empty. West: empty."
    )
    assert ElementTree.fromstring(laying(view, {})).findtext(f"{SVG}desc") == words
    assert "Nord: " in laying(view, {}, translate=lambda text: {"north": "nord"}.get(text, text))


def test_places_are_replaced_by_pieces_once_all_boards_are_laid():
    marks = Marks({"west": Target("Lay it here", "?x")})
    assert over_land(table(*BOARDS[:3]), marks) == laying(table(*BOARDS[:3]), marks.targets)
    assert 'data-region="v4"' in over_land(table(*BOARDS))


def test_an_email_shows_the_boards_laid_so_far():
    view = table(*BOARDS[:2])
    drawn = board(view)
    assert drawn.size == (WIDEST, ceil(WIDEST * picture(shown(view)).height / picture(shown(view)).width))
    svg = framed(shown(view), PAPERS["light"], land(shown(view), "light") + over_land(view))
    assert drawn.tobytes() == Image.open(BytesIO(png(svg, WIDEST))).convert("RGB").tobytes()
    assert ElementTree.fromstring(whole(view)).get("viewBox") == ElementTree.fromstring(laying(view, {})).get("viewBox")


def test_four_thumbnails_show_four_ways_to_turn_a_board():
    pictures = {land(side_thumbnail("fern", turns), "light") for turns in range(4)}
    assert len(pictures) == 4
    assert all(drawn("fern").title in picture for picture in pictures)
