"""Pictures of how a game was won: lines that end at the totals, and layers that add up to them."""

import itertools
import re
from xml.etree import ElementTree

from games.boards.charts import APART, COURSE_HEIGHT, LAYERS_HEIGHT, Grid, Layer, Runner, layers, race
from games.boards.themes import BANNER_SHAPES, BANNERS, SHAPES
from games.rules.words import untranslated

SVG = "{http://www.w3.org/2000/svg}"
OUTLINES = [(SHAPES | BANNER_SHAPES)[colour.shape] for colour in BANNERS]
LINES = [
    Runner(0, "<Alice>", ((0, 0), (5, 4), (9, 21))),
    Runner(1, "Bob", ((0, 0), (5, 6), (9, 20))),
    Runner(2, "Carol & Dan", ((0, 0), (5, 0), (9, 20))),
]


def drawn(decisive: int | None = 5) -> ElementTree.Element:
    grid = Grid(9, 21, COURSE_HEIGHT)
    svg = race(LINES, grid=grid, shapes=OUTLINES, decisive=decisive, title="Points", description="<All> of them")
    return ElementTree.fromstring(svg)


def test_each_line_ends_at_its_total_and_names_its_player():
    grid, picture = Grid(9, 21, COURSE_HEIGHT), drawn()
    lines = [path for path in picture.iter(f"{SVG}path") if "race-line" in path.get("class", "")]
    assert [path.findtext(f"{SVG}title") for path in lines] == [runner.name for runner in LINES]
    for path, runner in zip(lines, LINES, strict=True):
        assert path.get("d", "").endswith(f"V{grid.y(runner.totals[-1][1]):g}")
    assert [text.text for text in picture.iter(f"{SVG}text") if text.get("class") == "race-total"] == ["21", "20", "20"]


def test_equal_totals_do_not_cover_each_other():
    places = [float(text.get("y", 0)) for text in drawn().iter(f"{SVG}text") if text.get("class") == "race-total"]
    assert all(after - before >= APART for before, after in itertools.pairwise(places))


def test_the_decisive_turn_is_marked_if_there_is_one():
    def marked(picture: ElementTree.Element) -> list[str]:
        return [line.get("x1", "") for line in picture.iter(f"{SVG}line") if line.get("class") == "race-decisive"]

    assert marked(drawn()) == [f"{Grid(9, 21, COURSE_HEIGHT).x(5):g}"] and marked(drawn(None)) == []


def test_layers_lie_on_top_of_each_other_and_reach_the_total():
    grid = Grid(9, 20, LAYERS_HEIGHT)
    rows = [Layer(0, "Regions", ((0, 2), (5, 6), (9, 8))), Layer(9, "<Cards>", ((0, 0), (5, 1), (9, 12)))]
    words = {"name": "layers-0", "title": "Alice", "description": "Both", "translate": untranslated}
    picture = ElementTree.fromstring(layers(rows, grid=grid, **words))
    low, high = [path for path in picture.iter(f"{SVG}path") if path.get("class", "").startswith("layer-")]
    assert (low.get("class"), high.get("class")) == ("layer-0", "layer-1")
    assert (low.findtext(f"{SVG}title"), high.findtext(f"{SVG}title")) == ("Regions: 8", "<Cards>: 12")

    def tops(path: ElementTree.Element) -> set[float]:
        return {float(y) for y in re.findall(r"[V ](-?[\d.]+)", path.get("d", ""))}

    assert grid.y(8) in tops(low) & tops(high) and grid.y(20) in tops(high)


def test_a_game_without_points_is_drawn_too():
    flat = [Runner(0, "Alice", ((0, 0), (4, 0))), Runner(1, "Bob", ((0, 0), (4, 0)))]
    svg = race(flat, grid=Grid(4, 0, COURSE_HEIGHT), shapes=OUTLINES, decisive=None, title="", description="")
    assert ElementTree.fromstring(svg).findall(f"{SVG}path")
