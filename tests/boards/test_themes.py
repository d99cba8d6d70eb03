"""Seat colors: distinguishable by color and by shape for everyone, and the same in Python, CSS and icons."""

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from accounts.models import Palette
from games.boards.eight_minute.land import tone
from games.boards.themes import (
    BANNER_SHAPES,
    BANNERS,
    COLOURS,
    CONTRAST,
    FILLS,
    SEATS,
    SHAPES,
    THEMES,
    THIRD,
    colours,
    in_theme,
    land_of,
    stylesheet,
)
from games.notices.delivery.messages import GLYPHS

STATIC = Path(__file__).parents[2] / "empire" / "static"

# How eyes mix red, green and blue: Machado, Oliveira and Fernandes 2009, full severity
EYES = {
    "common": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)


def mixed(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def light(colour: str) -> list[float]:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def lab(colour: str, eye: str) -> tuple[float, float, float]:
    seen = [min(1.0, max(0.0, c)) for c in mixed(EYES[eye], light(colour))]
    x, y, z = (
        (v / w) ** (1 / 3) if v / w > 0.008856 else 7.787 * v / w + 16 / 116
        for v, w in zip(mixed(TO_XYZ, seen), WHITE, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def contrast(first: str, second: str) -> float:
    brighter, darker = sorted((mixed(TO_XYZ, light(first))[1], mixed(TO_XYZ, light(second))[1]), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("eye", EYES)
def test_any_two_colors_are_distinguishable_with_every_kind_of_color_vision(eye):
    for color, other in combinations(COLOURS, 2):
        assert sum((a - b) ** 2 for a, b in zip(lab(color.fill, eye), lab(other.fill, eye), strict=True)) ** 0.5 > 30


# Which eyes a palette is for
FOR = {"deuteranopia": ("deutan", "protan", "common"), "tritanopia": ("tritan", "common"), CONTRAST: ("common",)}
# Viénot, Brettel and Mollon 1999, for a second opinion on red-green blindness: in linear light
VIENOT = ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0))


def least_difference(paints, eye):
    return min(
        sum((a - b) ** 2 for a, b in zip(lab(paint.fill, eye), lab(other.fill, eye), strict=True)) ** 0.5
        for together in (paints[:5] + paints[-1:], paints[:8])  # with a third color, or eight kingdoms
        for paint, other in combinations(together, 2)
    )


def in_palette(palette, shade="light"):
    return in_theme((*BANNERS, THIRD), f"{shade}-{palette}")


@pytest.mark.parametrize(("palette", "eye"), [(palette, eye) for palette, eyes in FOR.items() for eye in eyes])
def test_a_palette_makes_all_colors_distinguishable_for_the_eyes_that_it_is_for(palette, eye):
    assert least_difference(in_palette(palette), eye) > 36
    if eye != "common":
        assert least_difference((*BANNERS, THIRD), eye) < 22  # without it


def test_another_model_of_red_green_blindness_agrees(monkeypatch):
    monkeypatch.setitem(EYES, "vienot", VIENOT)
    assert least_difference(in_palette("deuteranopia"), "vienot") > 30


def test_numbers_are_readable_on_every_piece_of_a_palette():
    for palette in FOR:
        least = 7 if palette == CONTRAST else 4.5
        assert all(contrast(paint.fill, paint.ink) >= least for paint in in_palette(palette)), palette


@pytest.mark.parametrize("shade", THEMES)
def test_lines_of_the_high_contrast_palette_stand_out_from_its_land(shade):
    theme, rim = f"{shade}-{CONTRAST}", {"light": "#000000", "dark": "#ffffff"}[shade]
    for side, tones in (("fern", 5), ("desert", 5), ("ice_islands", 5), ("side-a", 14), ("side-b", 15)):
        for land in (tone(land_of(theme), side, number) for number in range(tones)):
            assert contrast(rim, land) >= 7  # around every piece
            assert all(contrast(paint.line, land) >= 3 for paint in in_palette(CONTRAST, shade)), side


def test_people_can_choose_every_palette_that_there_is():
    assert set(Palette.values) == {"", *FILLS} == {"", *FOR}


def test_the_style_sheets_of_the_palettes_are_up_to_date_and_replace_each_color_once():
    written = {sheet.stem: sheet.read_text(encoding="utf-8") for sheet in (STATIC / "css" / "palettes").glob("*.css")}
    assert written == {palette: stylesheet(palette) for palette in FILLS}, "run python -m games.boards.themes"
    for sheet in written.values():
        swaps = re.findall(r'^\[fill="(#\w+)"', sheet, re.MULTILINE)
        assert len(swaps) == len(set(swaps)) and {paint.fill for paint in (*BANNERS, THIRD)} <= set(swaps)


def test_every_color_has_its_own_shape_and_both_are_in_its_name():
    assert len({paint.shape for paint in COLOURS}) == len({paint.name for paint in COLOURS}) == len(COLOURS)
    assert all(paint.shape in SHAPES and paint.name.endswith(paint.shape) for paint in COLOURS)


def test_numbers_are_readable_on_every_piece():
    assert all(contrast(paint.fill, paint.ink) >= 4.5 for paint in COLOURS)


def test_the_third_color_comes_after_the_seats_only_with_two_players():
    assert colours(2) == (*SEATS[:2], THIRD)
    assert [colours(players) for players in (3, 4, 5)] == [SEATS[:3], SEATS[:4], SEATS]


def test_the_dark_theme_only_changes_the_lines_on_the_land():
    for day, night in zip(colours(5), colours(5, "dark"), strict=True):
        assert (night.fill, night.ink, night.line) == (day.fill, day.ink, day.night)


def test_the_stylesheet_has_the_same_colors():
    properties = dict(
        re.findall(r"--(seat-[\w-]+): ([^;]+);", (STATIC / "css" / "eight_minute" / "pieces.css").read_text())
    )
    for paint in COLOURS:
        assert properties[paint.key] == paint.fill
        assert properties[f"{paint.key}-line"] == f"light-dark({paint.line}, {paint.night})"


def test_the_icons_have_the_same_shapes_and_colors():
    icons = ElementTree.parse(STATIC / "img" / "icons.svg")
    for paint in (*BANNERS, THIRD):
        paths = icons.findall(f".//*[@id='{paint.key}']/*")
        assert {path.get("d") for path in paths} == {BANNER_SHAPES[paint.shape]}
        assert paths[-1].get("fill") == f"var(--{paint.key}, {paint.fill})"
        assert paths[-1].get("stroke") == f"var(--{paint.key}-edge, {paint.edge})"


def test_an_email_without_pictures_has_a_letter_for_every_shape():
    assert set(GLYPHS) == {paint.shape for paint in BANNERS}
    assert len(set(GLYPHS.values())) == len(GLYPHS)


def test_every_seat_has_its_color_next_to_the_board_too():
    for sheet in ("tokens.css", "eight_minute/pieces.css"):
        classes = set(re.findall(r"\.(seat-\d)\b", (STATIC / "css" / sheet).read_text()))
        assert classes == {paint.key for paint in SEATS}, sheet


def test_the_marks_of_players_stand_out_on_the_dark_ground_of_emails():
    sheet = (STATIC.parents[1] / "templates/notices/emails/_style.css").read_text(encoding="utf-8")
    dark = sheet.partition("prefers-color-scheme: dark")[2]
    ground = re.findall(r"\.leaf \{ background-color: (#\w+)", dark)[0]
    changed = dict(re.findall(r"\.(seat-\d) \{ color: (#\w+)", dark))
    for paint in BANNERS:
        assert contrast(changed.get(paint.key, paint.fill), ground) >= 3, paint.key
