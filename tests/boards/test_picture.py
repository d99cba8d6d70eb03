"""The whole board as one standalone picture, as SVG and as PNG."""

import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from games.boards.eight_minute.changes import changes
from games.boards.eight_minute.contents import defs_for
from games.boards.eight_minute.geometry import picture as geometry
from games.boards.eight_minute.land import land
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.picture import over_land, picture
from games.boards.eight_minute.pieces import Marks, parts
from games.boards.eight_minute.png import GRID, LANDS, board, framed, framing
from games.boards.png import PAPERS, png
from games.boards.sprites import PIXELS, RENDERED, Kept, jpeg, paste
from games.rules.registry import get
from tests.boards.pixels import difference, pixels
from tests.pace import seconds
from tests.rules.positions import LEGENDS, position
from tests.rules.walk import CASES, walk

WIDTH = 480  # pixels, as in emails
MEAN, WORST = 1.2, 14  # of 255: on average, and in the worst 16 by 16 pixels; parts are off by up to 1/8 pixel
OF_FAMILY = [(slug, players) for slug, players in CASES if slug != "kingdoms"]


def played(players: int, seed: int):
    return LEGENDS.view(walk(LEGENDS, players, seed).final, None)


def middle(slug, players, seed):
    """Return a view of a random game after two thirds, and what its last decisions changed."""
    ruleset = get(slug)
    game = walk(ruleset, players, seed)
    last = len(game.steps) * 2 // 3
    told = [event for step in game.steps[last - 20 : last + 1] for event in step.events]
    return ruleset.view(game.steps[last].after, 0), changes(told, players)


def rendered(view, width, theme, told):
    """Return the picture of the whole SVG, rendered at once."""
    drawings = land(shown(view), theme) + over_land(view, Marks(changes=told), theme=theme)
    whole = png(framed(shown(view), width, PAPERS[theme], drawings), width)
    return Image.open(BytesIO(whole)).convert("RGB")


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


def test_the_picture_for_an_email_is_what_resvg_draws_of_the_svg():
    check_same("legends", 4, 7, "light")


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("slug", "players"), OF_FAMILY)
def test_pictures_of_random_positions_are_what_resvg_draws_of_the_svg(slug, players, theme):
    for seed in range(2):
        check_same(slug, players, seed, theme)


def check_same(slug, players, seed, theme):
    """Check that a position of a random game, with its last moves marked, looks the same pasted as rendered."""
    view, told = middle(slug, players, seed)
    pasted, whole = board(view, WIDTH, theme, told), rendered(view, WIDTH, theme, told)
    assert pasted.size == whole.size
    mean, worst = difference(pasted, whole)
    assert mean < MEAN and worst < WORST, (slug, players, seed, theme, mean, worst)
    assert len(jpeg(pasted)) < 135_000


def test_the_comparison_of_pictures_notices_whatever_is_missing():
    view, told = middle("legends", 4, 7)
    whole, drawn = rendered(view, WIDTH, "light", told), list(parts(view, told, "light", grid=GRID))
    place, put = framing(geometry(view.layout), WIDTH)[0], partial(paste, defs=partial(defs_for, theme="light"))
    everything = LANDS.get((shown(view), WIDTH, "light"), dict).copy()
    put(everything, place, drawn)
    assert everything.tobytes() == board(view, WIDTH, "light", told).tobytes()
    for left_out in range(len(drawn)):
        canvas = LANDS.get((shown(view), WIDTH, "light"), dict).copy()
        put(canvas, place, drawn[:left_out] + drawn[left_out + 1 :])
        if difference(canvas, everything)[1] > WORST:  # it is not covered by others
            assert difference(canvas, whole)[1] > WORST, drawn[left_out]


@pytest.mark.long
def test_the_picture_of_an_email_has_less_than_a_hundred_kilobytes_on_average():
    sizes = [len(jpeg(board(middle(slug, players, 0)[0], WIDTH))) for slug, players in OF_FAMILY]
    assert sum(sizes) / len(sizes) < 100_000


def test_lands_are_assembled_from_sheets_that_are_rendered_once():
    first, second = (
        LEGENDS.view(position(4, layout=f"centre:volcano:0,north:fern:{turns},east:meadows:0,south:citadel:0"), None)
        for turns in (0, 2)
    )
    for kept in (PIXELS, RENDERED, LANDS):
        kept.clear()
    drawn = board(first, 100).tobytes()
    made = RENDERED.made
    assert board(second, 100).tobytes() != drawn
    sheet_and_names = RENDERED.made - made
    assert sheet_and_names < made / 2
    for kept in (PIXELS, LANDS):
        kept.clear()
    assert board(first, 100).tobytes() == drawn
    assert RENDERED.made == made + sheet_and_names


def test_sprites_are_kept_up_to_a_number_of_bytes():
    kept = Kept(100)
    for key in (1, 2, 3, 1, 4):
        assert kept.get(key, lambda key=key: (f"value {key}", 30)) == f"value {key}"
    assert (kept.made, kept.used) == (4, 90)
    assert kept.get(2, lambda: ("made again", 30)) == "made again", "it was used the longest ago"
    assert kept.get(1, lambda: ("made again", 30)) == "value 1"
    assert kept.get(9, lambda: ("larger than all", 500)) == "larger than all"
    assert kept.used == 500


def test_threads_share_sprites():
    view, told = middle("legends", 4, 7)
    alone = board(view, WIDTH, "light", told).tobytes()
    for kept in (PIXELS, RENDERED, LANDS):
        kept.clear()
    with ThreadPoolExecutor(4) as threads:
        drawn = [threads.submit(board, view, WIDTH, "light", told) for _ in range(8)]
    assert {one.result().tobytes() for one in drawn} == {alone}
