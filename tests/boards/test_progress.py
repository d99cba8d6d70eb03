"""Pictures of a player's history: ratings over time, and bars."""

from xml.etree import ElementTree

import pytest

from games.boards.charts import WIDTH, Bar, Mark, Part, Step, bars, fit, progress, reliability

SVG = "{http://www.w3.org/2000/svg}"
CLIMB = [Step(1500, 167, "at first"), Step(1560, 140, "against <Bob>"), Step(1540, 120, "against Carol & Dan")]


def drawn(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def spots(shape: ElementTree.Element) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (spot.split(",") for spot in shape.get("points", "").split())]


def test_higher_ratings_are_higher_and_later_ones_farther_right() -> None:
    picture = drawn(progress(CLIMB, title="Rating", description="Up and down."))
    [line] = picture.findall(f"{SVG}polyline")
    (x1, y1), (x2, y2), (x3, y3) = spots(line)
    assert x1 < x2 < x3 and y2 < y3 < y1
    assert [spot.findtext(f"{SVG}title") for spot in picture.findall(f"{SVG}circle")] == [step.label for step in CLIMB]


def test_the_band_shows_the_uncertainty_on_both_sides() -> None:
    picture, scale = drawn(progress(CLIMB, title="", description="")), fit(CLIMB)
    [band] = picture.findall(f"{SVG}polygon")
    heights = [y for _x, y in spots(band)]
    assert heights[0] == scale.y(1667) and heights[-1] == scale.y(1333)


@pytest.mark.parametrize("steps", [CLIMB[:1], CLIMB, [Step(1500 + 5 * n, 60, "") for n in range(200)]])
def test_the_scale_covers_all_values_in_round_steps(steps: list[Step]) -> None:
    scale = fit(steps)
    assert all(scale.low <= step.shown - step.doubt and step.shown + step.doubt <= scale.high for step in steps)
    assert len(range(scale.low, scale.high + 1, scale.every)) <= 8
    assert progress(steps, title="", description="")


def test_numbers_of_four_digits_fit_next_to_the_grid_in_the_largest_font() -> None:
    """The style sheet uses up to 17 pixels, in which a digit is less than 10 wide."""
    picture = drawn(progress(CLIMB, title="", description=""))
    assert all(float(text.get("x", 0)) + 4 * 10 <= WIDTH for text in picture.findall(f"{SVG}text"))


def test_predictions_that_came_true_lie_on_the_line_and_overconfident_ones_below() -> None:
    marks = [Mark(60, 60, 5, "even"), Mark(84, 67, 4, "<over>"), Mark(99, 100, 3, "sure")]
    picture = drawn(reliability(marks, across="said", up="came", title="Results", description="x"))
    line = picture.find(f"{SVG}line[@class='reliability-even']")
    assert line is not None
    x1, y1, x2, y2 = (float(line.get(name, 0)) for name in ("x1", "y1", "x2", "y2"))
    below = [
        float(dot.get("cy", 0)) - y1 - (y2 - y1) * (float(dot.get("cx", 0)) - x1) / (x2 - x1)
        for dot in picture.iter(f"{SVG}circle")
    ]
    assert below[0] == pytest.approx(0, abs=0.5) and below[1] > 50 and below[2] < 0
    assert [group.findtext(f"{SVG}title") for group in picture.findall(f"{SVG}g")] == ["even", "<over>", "sure"]
    assert reliability([], across="", up="", title="", description="") == ""


def test_bars_are_proportional_and_labeled() -> None:
    rows = [
        Bar("Mine", "30", (Part(20, 0, "Regions: 20"), Part(10, 1, "Cards: 10"))),
        Bar("<Hers>", "15", (Part(15, 9, "x"),)),
    ]
    picture = drawn(bars(rows, name="sources", title="Points", description="By source"))
    widths = [float(rect.get("width", 0)) for rect in picture.findall(f"{SVG}rect")]
    assert widths == pytest.approx([WIDTH * 2 / 3 - 1, WIDTH / 3 - 1, WIDTH / 2 - 1], abs=0.1)
    assert [text.text for text in picture.findall(f"{SVG}text")] == ["Mine", "30", "<Hers>", "15"]
    assert [rect.get("class") for rect in picture.findall(f"{SVG}rect")] == ["bars-0", "bars-1", "bars-1"]


def test_no_data_gives_no_picture_and_pictures_have_no_style() -> None:
    assert progress([], title="", description="") == ""
    assert (
        bars([], name="x", title="", description="")
        == bars([Bar("a", "0", ())], name="x", title="", description="")
        == ""
    )
    assert "style=" not in progress(CLIMB, title="", description="")
