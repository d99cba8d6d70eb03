"""The picture of a player's results."""

import re
from xml.etree import ElementTree

import pytest

from games.boards.chart import Result, chart, fit

SVG = "{http://www.w3.org/2000/svg}"
EVENING = [
    Result(14, 1, "Game 1: 14 points", "full-1"),
    Result(9, 3, "Game 2: 9 points", "full-1"),
    Result(11, 2, "Game 3 <with> Bob & Carol"),
]


def draw(results: list[Result] = EVENING) -> ElementTree.Element:
    return ElementTree.fromstring(chart(results, title="Alice’s games", description="Three games."))


def test_each_game_has_a_mark_with_its_place_and_its_label() -> None:
    marks = draw().findall(f"{SVG}g")
    assert [mark.findtext(f"{SVG}text") for mark in marks] == ["1", "3", "2"]
    assert [mark.findtext(f"{SVG}title") for mark in marks] == [result.label for result in EVENING]


def test_more_points_stand_higher_and_later_games_further_right() -> None:
    [line] = draw().findall(f"{SVG}polyline")
    spots = [tuple(map(float, spot.split(","))) for spot in line.get("points", "").split()]
    assert [x for x, _ in spots] == sorted(x for x, _ in spots)
    heights = {result.points: -y for result, (_, y) in zip(EVENING, spots, strict=True)}
    assert sorted(heights) == sorted(heights, key=heights.__getitem__)


def test_a_win_has_a_shape_of_its_own() -> None:
    won, lost, _ = draw().findall(f"{SVG}g")
    assert won.find(f"{SVG}path") is not None and won.find(f"{SVG}circle") is None
    assert lost.find(f"{SVG}path") is None and lost.find(f"{SVG}circle") is not None


def test_the_games_of_one_full_game_share_a_ground() -> None:
    [ground] = draw().findall(f"{SVG}rect")
    spots = re.findall(r"(\d+)", draw().find(f"{SVG}polyline").get("points"))
    first, second, third = (float(spots[n]) for n in (0, 2, 4))
    left = float(ground.get("x"))
    right = left + float(ground.get("width"))
    assert left < first < second < right < third


def test_the_picture_says_what_it_shows_and_has_no_inline_style() -> None:
    picture = draw()
    assert picture.findtext(f"{SVG}title") == "Alice’s games"
    assert picture.findtext(f"{SVG}desc") == "Three games."
    assert not [element for element in picture.iter() if element.get("style")]


def test_without_games_there_is_no_picture() -> None:
    assert chart([], title="Nothing", description="Nothing") == ""


@pytest.mark.parametrize("points", [[0], [5], [31, 18], [-3, 12], [140, 7]])
def test_the_scale_holds_every_result_in_few_even_steps(points: list[int]) -> None:
    scale = fit(points)
    assert scale.low <= min(*points, 0) and max(points) <= scale.high
    assert scale.lines()[0] == scale.low and scale.lines()[-1] == scale.high
    assert len(scale.lines()) <= 8
