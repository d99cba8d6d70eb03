"""The land as a picture: complete and small."""

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from games.boards.eight_minute.geometry import drawn, picture, side_names
from games.boards.eight_minute.land import glyphs, ink, land, painted
from games.boards.png import png
from games.boards.themes import THEMES, mixed
from games.rules.eight_minute.boards import sides
from tests.boards.pixels import pixels
from tests.boards.test_classic import BOARDS
from tests.boards.test_geometry import LAYOUTS, SIDES, lying
from tests.each import for_each
from tests.running import ROOT

SVG = "{http://www.w3.org/2000/svg}"
LAYOUT = "centre:desert:0,north:fern:1,east:volcano:2,south:horse_shoe:3"
FOUR = "north-west:fern:0,north-east:desert:0,south-west:volcano:0,south-east:citadel:0"


def weight(svg: str) -> int:
    return len(svg.encode())


@for_each("layout", [LAYOUT, FOUR, "centre:ice_islands:3", *LAYOUTS[::13], *BOARDS])
@for_each("theme", THEMES)
def test_the_land_is_well_formed_and_has_no_inline_style(layout: str, theme: str) -> None:
    root = ElementTree.fromstring(land(layout, theme))
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "defs", "g", "path", "rect", "use"}
    assert not any("style" in element.attrib or "class" in element.attrib for element in root.iter())
    assert root.get("viewBox") == f"0 0 {picture(layout).width:g} {picture(layout).height:g}"


@pytest.mark.parametrize("layout", [LAYOUT, FOUR, *BOARDS])
def test_every_reference_is_defined_and_every_id_is_unique(layout: str) -> None:
    svg = land(layout, "light")
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', svg)) == set(ids)


def test_the_land_has_a_description() -> None:
    root = ElementTree.fromstring(land(LAYOUT, "dark"))
    title, desc = root.findtext(f"{SVG}title") or "", root.findtext(f"{SVG}desc") or ""
    for sheet in picture(LAYOUT).sheets:
        assert drawn(sheet.side).title in title
        assert all(region.name in desc for region in drawn(sheet.side).regions)
    in_french = land(LAYOUT, "dark", lambda text: "{label} : {text}" if text == "{label}: {text}" else text)
    assert f"{drawn(picture(LAYOUT).sheets[0].side).title} : " in in_french


def test_no_two_regions_or_charts_have_the_same_name() -> None:
    charts = [drawn(side) for side in side_names()]
    names = [region.name for chart in charts for region in chart.regions]
    names += {name for chart in charts for name in (chart.title, *chart.names)}
    assert len(names) == len(set(names))


def test_every_t_layout_is_smaller_than_150_kilobytes() -> None:
    """Add the four largest sides that can be combined, each in its largest rotation, and the two ornaments."""
    alone = {side: max(weight(land(f"centre:{side}:{turns}", "dark")) for turns in range(4)) for side in SIDES}
    heaviest = sorted(alone, key=lambda side: alone[side])[-4:]
    for centre in heaviest:
        others = [side for side in heaviest if side != centre]
        for turns in range(4):
            boards = [f"{place}:{side}:{turns}" for place, side in zip(("north", "east", "south"), others, strict=True)]
            assert weight(land(",".join([f"centre:{centre}:{turns}", *boards]), "dark")) < 150_000
    assert all(weight(land(layout, "light")) < 150_000 for layout in LAYOUTS[::5])


@for_each("side", SIDES)
def test_neighbors_differ_in_tone_in_both_themes(side: str) -> None:
    tones = {region.id: region.tone for region in drawn(side).regions}
    assert all(tones[region] != tones[other] for region, other in sides()[side].land)
    for theme in THEMES:
        assert len(set(re.findall(r'fill="(#\w+)"', land(f"centre:{side}:0", theme)))) > len(set(tones.values()))


@for_each("side", SIDES)
def test_every_paint_has_a_color_in_both_themes(side: str) -> None:
    used = {name for page in painted(side).pages for name, *_ in page.glyphs} | {"compass", "cartouche"}
    words = {word for name in used for fill, stroke, *_ in glyphs()[name].strokes for word in (fill, stroke)}
    for theme in THEMES:
        assert all(re.fullmatch(r"none|#[0-9a-f]{6}", ink(theme, word)) for word in words)


@for_each("side", SIDES)
@for_each("turns", range(4))
def test_glyphs_keep_the_spots_of_pieces_free(side: str, turns: int) -> None:
    sheet, regions = lying(side, turns)
    spots = [spot for region in regions for spot in region.anchors]
    for name, gx, gy, size in painted(side).pages[turns].glyphs:
        x, y = sheet.point(gx / 10, gy / 10)
        wide, high = glyphs()[name].width * size / 200, glyphs()[name].height * size / 200
        assert not any(abs(sx - x) < wide + 5.5 and abs(sy - y) < high + 5.5 for sx, sy in spots), (name, x, y)


@pytest.mark.parametrize("theme", THEMES)
def test_the_renderer_for_emails_paints_it(theme: str) -> None:
    painted_land = pixels(png(land(LAYOUT, theme), 150))
    assert painted_land.height > painted_land.width == 150
    assert len(painted_land.colours()) > 1000
    assert painted_land.rows[0][0][3] == 0


def test_mixing_goes_from_one_color_to_the_other() -> None:
    assert mixed("#000000", "#ffffff", 0) == "#000000"
    assert mixed("#000000", "#ffffff", 0.5) == "#808080"
    assert mixed("#102030", "#ffffff", 1) == "#ffffff"


def test_boards_are_visibly_separate() -> None:
    pictures = {side: land(f"centre:{side}:0", "light") for side in SIDES}
    assert all(pictures[side_a] != pictures[side_b] for side_a, side_b in combinations(pictures, 2))


# Names in other languages


def test_names_of_other_languages_are_drawn_and_english_ones_stay_as_they_were_built():
    german = {"The Cinder Isles": "Ascheninseln", "Gullcry": "Möwenruf", "A true chart": "Getreue Karte"}
    layout = "centre:volcano:0"
    english, translated = land(layout, "light"), land(layout, "light", lambda text: german.get(text, text))
    stored = drawn_paths(layout)
    assert stored <= set(re.findall(r' d="([^"]+)"', english))
    assert not stored & set(re.findall(r' d="([^"]+)"', translated))
    assert "<title>Ascheninseln</title>" in translated and "Möwenruf" in translated
    assert land(layout, "light") == english  # what is kept for one language is not shown in another


def drawn_paths(layout: str) -> set[str]:
    """Return the outlines of the English names in the sea."""
    titles = [painted(sheet.side).pages[sheet.turns].titles for sheet in picture(layout).sheets]
    return {letters for page in titles for _x, _y, letters in page}


def test_a_letter_that_no_name_needs_is_drawn_as_a_dash():
    assert land("centre:volcano:0", "light", lambda text: "日本" if text == "The Cinder Isles" else text)


@pytest.mark.parametrize("letters", ["äöüßÄÖÜ", "éèêëàâçîïôûùœÉÈÇ", "ñáíóúüÑ¿¡", "«»„“”‚‘’–—…", "\u202f\u00a0"])
def test_the_fonts_have_the_letters_of_all_languages(letters):
    ttf = pytest.importorskip("fontTools.ttLib")  # of the extra `maps`
    for path in [*Path(ROOT, "games/boards/fonts").glob("*.ttf"), *Path(ROOT, "empire/static/fonts").glob("*.woff2")]:
        assert not {letter for letter in letters if ord(letter) not in ttf.TTFont(path).getBestCmap()}, path
