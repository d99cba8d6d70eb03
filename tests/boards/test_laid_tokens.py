"""Tokens on the land: visible on a phone, read by screen readers, and revealed only to those who may know."""

import gzip
import json
import re
from xml.etree import ElementTree

import pytest
from django.template import Context, Template

from games.boards.eight_minute.clusters import beside_token, cell
from games.boards.eight_minute.contents import peeked, token_defs, token_icon, token_names, town
from games.boards.eight_minute.describe import all_words, map_text, ways_words
from games.boards.eight_minute.geometry import picture
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.pieces import pieces
from games.boards.eight_minute.png import board
from games.boards.png import png
from games.boards.sprites import PIXELS
from games.rules.eight_minute.tokens import FACE_DOWN, MERCHANTS, gifts, leader_ids
from tests.boards.pixels import pixels
from tests.boards.test_classic import BOARDS
from tests.boards.test_geometry import LAYOUTS, OTHERS, inside
from tests.boards.test_pieces import NAMES, PHONE, everything, groups, spots
from tests.each import for_each
from tests.rules.positions import ALICE, BOB, CAROL, LAYOUT, LEGENDS, position
from tests.rules.tables import FAMILY
from tests.rules.walk import walk

ON, OFF = True, False
ALL = {
    **dict.fromkeys(("explore", "citadels", "portals", "rogues", "leaders", "merchants", "seven_cards"), ON),
    "dragon": "6",
}
TABLES = [
    ("legends", 4, {**ALL, "poison_swamp": ON}),
    ("legends", 3, {**ALL, "layout": "rectangle"}),
    ("legends", 2, {**ALL, "poison_swamp": ON}),
    ("prototype", 3, {"layout": "row", "explore": ON, "citadels": ON}),
    ("prototype", 2, {"layout": "l", "explore": ON, "citadels": ON}),
    ("classic", 5, {"goods_tokens": ON}),
    ("classic", 5, {"goods_tokens": ON, "side": "side-b"}),
]
SEEN = {"explore": ON, "poison_swamp": ON}


def views(slug, players, options, seed=3, every=40):
    """Return views of the second seat during a random game."""
    rules = FAMILY[slug]
    steps = walk(rules, players, seed, json.dumps(options)).steps
    return [rules.view(step.after, BOB) for step in [*steps[::every], steps[-1]]]


def lying(tokens, **towns):
    return LEGENDS.view(position(tokens=tokens, towns=towns), ALICE)


def swamp(seat):
    """Return a seat's view of a face-down token in v1 that Alice and Carol have looked at."""
    state = position(tokens={"v1": FACE_DOWN}, options=SEEN)
    number = state.map.index["v1"]
    state.faces = tuple("poison-swamp" if r == number else "" for r in range(len(state.faces)))
    state.unseen = tuple(() if s in (ALICE, CAROL) else (number,) for s in range(3))
    return LEGENDS.view(state, seat)


@for_each("slug, players, options", TABLES)
def test_the_fragment_with_all_variants_is_small(slug, players, options):
    for view in views(slug, players, options):
        svg = pieces(view, everything(view), names=(*NAMES, "Erin")[:players])
        assert len(gzip.compress(svg.encode(), 6)) < 12_000
        ids = re.findall(r' id="([^"]+)"', svg)
        assert len(ids) == len(set(ids))
        assert set(re.findall(r'(?:href="#|url\(#)([\w-]+)', svg)) <= set(ids)
        assert not re.search(r"(?<!font-)style|<script| on\w+=", svg)


@for_each("slug, players, options", TABLES)
def test_no_piece_hides_a_token_and_all_are_inside_the_picture(slug, players, options):
    for view in views(slug, players, options):
        board = picture(shown(view))
        room = cell(board)
        for region, laid in spots(pieces(view)).items():
            assert all(room / 2 <= x <= board.width - room / 2 for x, _ in laid)
            assert all(room / 2 <= y <= board.height - room / 2 for _, y in laid)
            if view.regions[region].token:
                (x, y), *others = laid
                assert all(max(abs(x - i), abs(y - j)) > 0.84 * room for i, j in others)


@for_each("layout", [*LAYOUTS[::11], *OTHERS[::5], *BOARDS])
def test_a_token_without_pieces_lies_on_its_region_away_from_the_name(layout):
    board = picture(layout)
    for region in board.regions.values():
        (x, y), none = beside_token(board, region, 0)
        assert none == ()
        assert inside((x, y), region.points), region.name
        half = 0.38 * 10 * max(len(line.text) for line in region.lines) / 2
        top, bottom = region.lines[0].y - 6, region.lines[-1].y
        hidden = max(0, half + cell(board) / 2 - abs(x - region.label[0])) > half / 2
        assert not (hidden and top < y < bottom), region.name


def test_every_token_of_the_rules_has_its_own_drawing():
    assert set(gifts()) - set(leader_ids()) | {FACE_DOWN, MERCHANTS, "outpost", "wild"} == set(token_names())
    drawings = [png(token_icon(name), 40) for name in token_names()]
    assert len(set(drawings)) == len(drawings)


@for_each("name", token_names())
def test_a_token_is_a_standalone_picture_that_can_be_read_aloud(name):
    icon = ElementTree.fromstring(token_icon(name, 'Anvil & "co"'))
    assert (icon.get("role"), icon.get("aria-label")) == ("img", 'Anvil & "co"')
    assert ElementTree.fromstring(token_icon(name)).get("aria-hidden") == "true"
    assert not re.search(r"style=| id=|href", token_icon(name))


@pytest.mark.long
@for_each("name", token_names())
def test_a_token_is_at_least_15_pixels_high_on_a_phone(name):
    board = picture(LAYOUTS[0])
    drawn = pixels(png(token_icon(name), 112)).inked_rows() / 4
    assert drawn * cell(board) / 26 * PHONE / board.width >= 15


def test_a_page_can_show_a_token_whose_label_cannot_break_out():
    shown = Template('{% load eight_minute %}{% token_icon "cottage" label %}').render(Context({"label": '"><script>'}))
    assert shown == token_icon("cottage", '"><script>')
    assert "<script>" not in shown


def test_only_used_drawings_are_defined():
    view = lying({"v1": "cottage", "f1": "dragon"}, m1=2)
    ids = set(re.findall(r'id="b-([\w-]+)"', token_defs(view)))
    assert ids == {"cottage", "dragon", MERCHANTS}


def test_a_region_says_which_token_lies_there():
    view = lying({"v1": "cottage", "f1": "citadel", "c1": "rogues", "m2": "dragon"}, m1=2, v1=1)
    assert all_words(view)["v1"] == "Gullcry: Cottage; merchants with 1 coin; empty."
    words_of_all = " ".join(all_words(view).values())
    assert all(f": {words}; empty." in words_of_all for words in ("Citadel", "Band of Rogues", "Rampaging Dragon"))
    assert ": merchants with 2 coins; empty." in words_of_all


def test_each_portal_says_where_it_leads():
    view = lying({"v1": "portal", "m1": "portal"})
    board = picture(LAYOUT)
    names = {region: board.regions[region].name for region in ("v1", "m1")}
    assert all_words(view)["v1"] == f"{names['v1']}: Magic Portal to {names['m1']}; empty."
    assert all_words(view)["m1"] == f"{names['m1']}: Magic Portal to {names['v1']}; empty."
    assert names["m1"] in next(words for words in ways_words(map_text(view), "v1") if words.startswith("By land: "))


def test_the_first_portal_leads_nowhere_until_the_second_is_placed():
    assert all_words(lying({"v1": "portal"}))["v1"] == "Gullcry: Magic Portal; empty."


def test_the_outpost_is_marked_and_named():
    rules = FAMILY["legends"]
    view = rules.view(walk(rules, 3, 1).steps[0].after, None)
    assert all_words(view)[view.outpost].split(": ")[1].startswith("overseas region; ")
    laid = groups(pieces(view), "data-of")[view.outpost]
    assert laid.find(".//{http://www.w3.org/2000/svg}use").get("href") == "#b-outpost"


def test_everyone_sees_who_looked_at_a_token_and_only_they_see_its_face():
    words_by_reader = {seat: all_words(swamp(seat), NAMES)["v1"] for seat in (ALICE, BOB, None)}
    seen = "Gullcry: a face-down token, seen by Alice (red circle), Carol (yellow diamond)"
    assert words_by_reader == {
        ALICE: f"{seen}, which you know is Poison Swamp; empty.",
        BOB: f"{seen}; empty.",
        None: f"{seen}; empty.",
    }


def test_a_picture_shows_a_face_only_to_those_who_know_it_whatever_was_drawn_before():
    PIXELS.clear()
    before = board(swamp(BOB)).tobytes()
    assert board(swamp(ALICE)).tobytes() != before
    assert board(swamp(BOB)).tobytes() == board(swamp(None)).tobytes() == before


def test_a_known_face_is_drawn_only_for_those_who_know_it():
    of_carol, of_bob = pieces(swamp(CAROL)), pieces(swamp(BOB))
    assert 'href="#b-poison-swamp"' in of_carol
    assert "poison-swamp" not in of_bob and "Poison" not in of_bob
    assert 'href="#b-face-down"' in of_bob
    assert peeked("poison-swamp") in of_carol


def test_merchants_show_their_number_of_coins():
    frame = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-14 -14 28 28" width="28" height="28">{}</svg>'
    assert len({png(frame.format(town(n)), 56) for n in (1, 2, 3)}) == 3
