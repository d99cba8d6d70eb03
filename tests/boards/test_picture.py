"""The whole board as one standalone picture, as SVG and as PNG."""

import re
import zlib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from empire.disk_cache import DiskCache
from games.boards import sprites
from games.boards.eight_minute.changes import changes
from games.boards.eight_minute.contents import defs_for
from games.boards.eight_minute.geometry import picture as geometry
from games.boards.eight_minute.land import land
from games.boards.eight_minute.land import parts as land_parts
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.picture import over_land, picture
from games.boards.eight_minute.pieces import Marks, parts
from games.boards.eight_minute.png import (
    GRID,
    LANDS,
    SCALES,
    _common_layouts,
    _star,
    board,
    framed,
    framing,
    prepare,
)
from games.boards.kingdoms.png import picture as realm
from games.boards.png import PAPERS, WIDEST, card, png
from games.boards.sprites import COARSE, FINE, MEGABYTE, PIXELS, UNSTORED, Kept, Shape, jpeg, layers, paste, sprite
from games.rules.registry import get
from games.rules.words import untranslated
from tests.boards.pixels import difference, difference_of_part, pixels
from tests.rules.positions import LEGENDS, position
from tests.rules.walk import CASES, walk

MEAN, WORST = 1.2, 24  # of 255: on average, and in the worst 16 by 16 pixels
ARROW = 0
NEAR = {
    ARROW: 16,
    FINE: 11,
    COARSE: 25,
}  # of 255: on average in the pixels of a part, which is off by up to 1/16 or 1/4 pixel
OF_FAMILY = [(slug, players) for slug, players in CASES if slug != "kingdoms"]


def played(players: int, seed: int):
    return LEGENDS.view(walk(LEGENDS, players, seed).final, None)


def middle(slug, players, seed):
    """Return a view of a random game after two thirds, and what its last decisions changed."""
    ruleset = get(slug)
    game = walk(ruleset, players, seed)
    last = len(game.steps) * 2 // 3
    events = [event for step in game.steps[last - 20 : last + 1] for event in step.events]
    return ruleset.view(game.steps[last].after, 0), changes(events, players)


def rendered(view, theme, marked):
    """Return the picture of the whole SVG, rendered at once."""
    drawings = land(shown(view), theme) + over_land(view, Marks(changes=marked), theme=theme)
    whole = png(framed(shown(view), PAPERS[theme], drawings), framing(geometry(view.layout))[1][0])
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
        len([p for row in pixels(drawn).rows for p in row if p[:3] == (0xC7, 0x36, 0x2C)]) for drawn in (empty, manned)
    ]
    assert reds[1] > reds[0] + 20


@pytest.mark.parametrize("players", range(1, 9))
def test_names_and_words_of_a_card_do_not_cover_each_other(players):
    def ink(name, words):
        drawn = Image.open(BytesIO(card(None, "Gy", "", [(seat, name, words) for seat in range(players)])))
        return drawn.width * drawn.height - max(count for count, _ in drawn.getcolors(1 << 20))

    empty = ink("", "")
    assert ink("Ågnes", "jÉgy") - empty == ink("Ågnes", "") - empty + ink("", "jÉgy") - empty > 0


def test_names_use_our_own_font_on_any_machine():
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30">{}</svg>'
    written = '<text x="4" y="20" font-family="Alegreya" font-style="italic" font-size="16">Ashwick</text>'
    letters = sum(p[3] > 128 for row in pixels(png(svg.format(written), 90)).rows for p in row)
    assert 100 < letters < 800
    assert sum(p[3] > 128 for row in pixels(png(svg.format(""), 90)).rows for p in row) == 0


def test_the_light_and_dark_themes_are_different_pictures():
    view = played(2, 4)
    assert picture(view, "light") != picture(view, "dark")


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
    view, marked = middle(slug, players, seed)
    pasted, whole = board(view, theme, marked), rendered(view, theme, marked)
    assert pasted.size == whole.size
    mean, worst = difference(pasted, whole)
    assert mean < MEAN and worst < WORST, (slug, players, seed, theme, mean, worst)
    for part in parts(view, marked, theme, grid=GRID):
        assert off(view, pasted, whole, part, theme) < 1, (slug, players, seed, theme, part)
    assert len(jpeg(pasted)) < 135_000


def off(view, pasted, whole, part, theme="light"):
    """Return how much the pixels of a part differ, relative to what is allowed."""
    frame, _ = framing(geometry(view.layout))
    if isinstance(part, Shape):
        _, (_, opacity, place), *_ = layers(frame, part)  # the second layer is the widest
        return difference_of_part(pasted, whole, place, opacity) / NEAR[ARROW]
    pixels, place = sprite(frame, part, partial(defs_for, theme=theme))
    return difference_of_part(pasted, whole, place, pixels.getchannel("A")) / NEAR[part.steps]


@pytest.mark.parametrize("moved", [None, (3, 0), (0, 3)], ids=["missing", "3 pixels to the right", "3 pixels down"])
def test_the_comparison_of_pictures_notices_nearly_every_missing_or_moved_part(moved):
    view, marked = middle("legends", 4, 7)
    whole, drawn = rendered(view, "light", marked), list(parts(view, marked, "light", grid=GRID))
    place, put = framing(geometry(view.layout))[0], partial(paste, defs=partial(defs_for, theme="light"))
    board(view, "light", marked)
    ground = LANDS.find((shown(view), "light", "en", WIDEST))
    unnoticed = []
    assert len(drawn) > 50
    for n, part in enumerate(drawn):
        canvas = ground.copy()
        put(canvas, place, drawn[:n])
        if moved:
            put(canvas, place._replace(left=place.left + moved[0], top=place.top + moved[1]), [part])
        put(canvas, place, drawn[n + 1 :])
        if off(view, canvas, whole, part) < 1:
            unnoticed.append(part)
    assert len(unnoticed) < 0.05 * len(drawn), unnoticed  # such as a red army on a red arrow


def test_pictures_are_at_most_as_wide_as_emails_show_sharply():
    for slug, players in OF_FAMILY:
        width, _ = framing(geometry(get(slug).view(walk(get(slug), players, 0).final, None).layout))[1]
        assert 0.8 * WIDEST <= width <= WIDEST


@pytest.mark.long
def test_the_picture_of_an_email_has_less_than_a_hundred_kilobytes_on_average():
    sizes = [len(jpeg(board(middle(slug, players, 0)[0]))) for slug, players in OF_FAMILY]
    assert sum(sizes) / len(sizes) < 100_000


# Sprites


@pytest.fixture
def forget():
    """Return a function with which this process forgets all sprites. They are stored nowhere during the test."""
    before = sprites.store

    def forget():
        for kept in (PIXELS, UNSTORED, LANDS):
            kept.clear()
        _star.cache_clear()

    sprites.keep_in(sprites.Nowhere())
    forget()
    yield forget
    forget()
    sprites.keep_in(before)


def test_lands_are_assembled_from_sheets_that_are_rendered_once(forget):
    first, second = (
        LEGENDS.view(position(4, layout=f"centre:volcano:0,north:fern:{turns},east:meadows:0,south:citadel:0"), None)
        for turns in (0, 2)
    )
    drawn = board(first).tobytes()
    made = UNSTORED.made
    assert board(second).tobytes() != drawn
    sheet_and_names = UNSTORED.made - made
    assert sheet_and_names < made / 2
    for kept in (PIXELS, LANDS):
        kept.clear()
    assert board(first).tobytes() == drawn
    assert UNSTORED.made == made + sheet_and_names


@pytest.mark.sampled
@pytest.mark.parametrize("third", range(3))
def test_nothing_of_the_land_is_cut_off_at_the_edge_of_its_sprite(third):
    """Each third of the layouts is a test. Finding them takes seconds, which is too long for collecting tests."""
    for text in _common_layouts()[third::3]:
        for part in land_parts(text, "light"):
            pixels, _ = sprite(framing(geometry(text))[0], part, lambda _: "")
            left, top, right, bottom = pixels.getbbox()
            assert left > 0 and top > 0 and right < pixels.width and bottom < pixels.height, (text, part.at)


def test_sprites_come_from_the_store_and_no_process_renders_them_again(forget, tmp_path):
    view, marked = middle("legends", 4, 7)
    before = board(view, "light", marked).tobytes()
    sprites.keep_in(DiskCache(tmp_path, 100 * MEGABYTE))
    forget()
    assert board(view, "light", marked).tobytes() == before
    files = stored(tmp_path)
    assert len(files) > 50 and UNSTORED.used == 0
    for file in files:
        file.write_bytes(zlib.compress(bytes(length(file.read_bytes()))))
    forget()
    flat = 3 + len(geometry(shown(view)).sheets)  # the email, and shadow, paper and seas of the sheets
    assert len(board(view).getcolors(1 << 20)) <= flat, "it shows what the files hold"


def length(packed):
    """Return the number of bytes of a sprite's pixels."""
    try:
        return len(zlib.decompress(packed))
    except zlib.error:
        return len(packed) - 4


DAMAGE = {
    "half of it is missing": lambda old: old[: len(old) // 2],
    "it is empty": lambda old: b"",
    "its end is wrong": lambda old: old[:-9] + b"123456789",
    "it is another picture": lambda old: zlib.compress(b"123"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_files_are_drawn_again(forget, tmp_path, damage):
    view, marked = middle("legends", 4, 7)
    before = board(view, "light", marked).tobytes()
    sprites.keep_in(DiskCache(tmp_path, 100 * MEGABYTE))
    forget()
    board(view, "light", marked)
    whole = {file: file.read_bytes() for file in stored(tmp_path)}
    for file, content in whole.items():
        file.write_bytes(damage(content))
    forget()
    assert board(view, "light", marked).tobytes() == before
    assert {file: file.read_bytes() for file in whole} == whole


def test_without_a_disk_pictures_are_drawn_in_memory(forget, tmp_path):
    view, marked = middle("legends", 4, 7)
    before = board(view, "light", marked).tobytes()
    (tmp_path / "file").touch()
    sprites.keep_in(DiskCache(tmp_path / "file", 100 * MEGABYTE))
    forget()
    assert board(view, "light", marked).tobytes() == before
    made = UNSTORED.made
    for kept in (PIXELS, LANDS):
        kept.clear()
    assert board(view, "light", marked).tobytes() == before
    assert UNSTORED.made == made > 50


def test_names_of_players_are_not_stored(forget, tmp_path):
    sprites.keep_in(DiskCache(tmp_path, 100 * MEGABYTE))
    game = walk(get("kingdoms"), 4, 1).final
    realm(get("kingdoms").view(game, 0), names=["Alice", "Bob", "Carol", "Dan"])
    files = stored(tmp_path)
    assert files
    realm(get("kingdoms").view(game, 0), names=["Alice", "Bob", "Carol", "Erin"])
    assert stored(tmp_path) == files


def test_texts_of_each_language_have_their_own_sprites(forget, tmp_path):
    sprites.keep_in(DiskCache(tmp_path, 100 * MEGABYTE))
    view, _ = middle("legends", 4, 7)
    board(view, language="en")
    files = stored(tmp_path)
    board(view, language="de")
    assert len(stored(tmp_path) - files) == len(view.regions)


@pytest.mark.long
def test_prepared_sprites_are_nearly_all_that_pictures_need(forget, tmp_path, monkeypatch):
    monkeypatch.setattr("games.boards.eight_minute.png.SCALES", [scale / 4 for scale in SCALES])  # quicker
    sprites.keep_in(DiskCache(tmp_path, 100 * MEGABYTE))
    prepare("light", untranslated, "en")
    files, needed = stored(tmp_path), 0
    for slug, players in OF_FAMILY:
        view, marked = middle(slug, players, 1)
        board(view, "light", marked)
        needed += len(view.regions)
    assert len(stored(tmp_path) - files) < needed / 20


def stored(folder):
    return {path for path in folder.rglob("*") if path.is_file()}


def test_sprites_are_kept_up_to_a_number_of_bytes():
    kept = Kept(100)
    for key in (1, 2, 3, 1, 4):
        assert kept.get(key, lambda key=key: (f"value {key}", 30)) == f"value {key}"
    assert (kept.made, kept.used) == (4, 90)
    assert kept.get(2, lambda: ("made again", 30)) == "made again", "it was used the longest ago"
    assert kept.get(1, lambda: ("made again", 30)) == "value 1"
    assert kept.get(9, lambda: ("larger than all", 500)) == "larger than all"
    assert kept.used == 500


def test_threads_share_sprites(forget):
    view, marked = middle("legends", 4, 7)
    alone = board(view, "light", marked).tobytes()
    forget()
    with ThreadPoolExecutor(4) as threads:
        drawn = [threads.submit(board, view, "light", marked) for _ in range(8)]
    assert {future.result().tobytes() for future in drawn} == {alone}
