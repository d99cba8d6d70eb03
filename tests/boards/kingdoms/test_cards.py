"""Card faces of Kingdoms: one for every card with all its data, for sight and screen readers."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from games.boards.kingdoms.cards import (
    PAPER,
    back_picture,
    card_picture,
    castle_picture,
    definitions,
    parts,
    sprite,
    suits,
    version,
)
from games.boards.kingdoms.faces import HEROES, face, hero, sheet
from games.rules.kingdoms.deck import SUITS, card, castle, deck
from games.rules.protocol import IllegalAction
from tests.boards.test_themes import EYES, contrast, lab
from tests.each import for_each

CARDS = deck(1)
SVG = "{http://www.w3.org/2000/svg}"
ROOT = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'


def drawn(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(ROOT.format(picture))[0]


def words(picture: str) -> str:
    return drawn(picture).findtext(f"{SVG}title") or ""


def solid_dots(figure: str) -> int:
    """Return the number of solid dots in a figure's row. Hollow ones are a stroked path."""
    return sum(path.count("M") for path in re.findall(r'<path d="([^"]*a3\.6 [^"]*)"/>', parts()[f"k-{figure}"]))


def hollow_dots(figure: str) -> int:
    return parts()[f"k-{figure}"].count("a2.6 2.6 0 1 1 5.2 0")


@for_each("card_id", CARDS)
def test_every_card_is_composed_of_parts_of_the_sprite(card_id):
    used = re.findall(r'href="#([\w-]+)"', card_picture(card_id))
    assert len(used) == 3
    assert set(used) <= set(parts())
    assert used[1] == f"k-{face(card_id).figure}"


@for_each("card_id", CARDS)
def test_the_title_of_a_card_has_suit_hero_class_value_and_price(card_id):
    hero = card(card_id)
    title = words(card_picture(card_id))
    assert title.startswith(f"{hero.name}. ")
    assert f"{hero.kind.capitalize()} Hero, value {hero.value}" in title
    assert (f"price {hero.dots} dot" in title) == bool(hero.dots)
    assert (hero.power is not None) == (": " in title)


@for_each("card_id", CARDS)
def test_the_row_of_six_dots_shows_the_price(card_id):
    drawn = face(card_id)
    assert solid_dots(drawn.figure) == drawn.dots
    assert solid_dots(drawn.figure) + hollow_dots(drawn.figure) == 6


def test_a_card_can_be_read_aloud():
    assert face("sun-attack-4-1").spoken == "Sun Archer. Attack Hero, value 4, price 1 dot."
    assert face("d2:plum-kingdom-princess-1").spoken == "Plum Princess. Kingdom Hero, value 21, price 6 dots."
    assert face("epic-oracle").spoken == "Oracle. Epic Hero, value 13. Vision: Draw three cards."


def test_cards_of_a_second_deck_look_like_those_of_the_first():
    assert card_picture("d2:wave-attack-7-2") == card_picture("wave-attack-7-1")


def test_the_name_on_a_card_has_no_suit_and_a_standalone_name_has():
    assert ">Standard Bearer</text>" in card_picture("pine-support-3-1")
    assert hero("pine-support-3-1") == "Pine Standard Bearer"
    assert hero("boss-builder") == "Master Builder"


def test_the_words_can_be_translated():
    german = {
        "{suit} {hero}": "{hero} der {suit}",
        "suit\x04Sun": "Sonne",
        "Archer": "Bogenschütze",
        "value {n}": "Wert {n}",
    }
    shown = card_picture("sun-attack-4-1", translate=lambda text: german.get(text, text))
    assert words(shown).startswith("Bogenschütze der Sonne. Attack Hero, Wert 4")
    assert ">Bogenschütze</text>" in shown


def test_a_long_name_has_smaller_letters():
    def size(name: str) -> float:
        shown = card_picture("sun-attack-4-1", translate=lambda text: name if text == "Archer" else text)
        return float(re.search(r'font-size="([\d.]+)"', shown)[1])

    assert size("Archer") > size("Standartenträgerin") > size("Oberste Standartenträgerin")


def test_every_hero_of_the_deck_has_its_own_figure():
    figures = {face(card_id).figure for card_id in CARDS}
    assert figures == set(HEROES)
    assert len({parts()[f"k-{figure}"] for figure in figures}) == len(figures)


def test_an_unknown_card_has_no_face():
    with pytest.raises(IllegalAction):
        card_picture("sun-attack-9-1")


def test_a_face_down_card_reveals_nothing():
    assert words(back_picture()) == "A face-down card"
    assert re.findall(r'href="#([\w-]+)"', back_picture()) == ["k-back"]


@for_each("seat", range(8))
def test_every_seat_has_a_castle_in_its_suit(seat):
    shown = castle_picture(castle(seat, 2))
    assert f'href="#k-{SUITS[seat % 4]}"' in shown
    assert "Castle" in words(shown)


def test_pictures_contain_no_style_no_script_and_no_other_references():
    everything = sprite() + "".join(map(card_picture, CARDS)) + back_picture()
    assert not re.search(r"<script|<style|[^-]style=|url\(|<image|onload", everything)
    assert "http" not in everything.replace("http://www.w3.org/2000/svg", "")


def test_the_sprite_contains_every_part_once():
    ids = [part.get("id") for part in ElementTree.fromstring(sprite())]
    assert sorted(ids) == sorted(parts())
    assert len(sprite()) < 110_000


def test_the_version_of_the_sprite_can_be_part_of_an_address():
    assert re.fullmatch("[0-9a-f]{12}", version())


def test_parts_can_be_embedded_in_a_picture_once_each():
    few = definitions(["k-sun", "k-archer", "k-sun"])
    assert re.findall(r'<g id="([\w-]+)"', few) == ["k-sun", "k-archer"]


def test_each_reference_begins_with_the_address_of_the_sprite():
    assert card_picture("sun-attack-4-1", "/k.svg").count('href="/k.svg#k-') == 3


def test_a_picture_of_forty_cards_is_small():
    hand = [card_picture(card_id, "/static/kingdoms.svg") for card_id in CARDS[:40]]
    assert len("".join(hand)) < 20_000


def test_drawing_twice_gives_the_same_picture():
    assert [card_picture(card_id) for card_id in CARDS] == [card_picture(card_id) for card_id in CARDS]


@pytest.mark.parametrize("eye", EYES)
def test_any_two_suits_are_distinguishable_with_every_kind_of_color_vision(eye):
    fills = [suits()[suit].fill for suit in SUITS]
    for fill, other in combinations(fills, 2):
        assert sum((a - b) ** 2 for a, b in zip(lab(fill, eye), lab(other, eye), strict=True)) ** 0.5 > 15


@for_each("suit", suits().values())
def test_text_in_the_color_of_a_suit_is_readable_on_paper(suit):
    assert contrast(suit.deep, PAPER) >= 7


def test_suits_have_their_own_colors_and_signs():
    assert [suits()[suit].fill for suit in SUITS] == ["#e69f00", "#0072b2", "#009e73", "#cc79a7"]
    assert len({drawing["sign"] for drawing in sheet("suits").values()}) == len(sheet("suits"))


def test_every_paint_is_used():
    strokes = [line.split() for line in _all_drawings().splitlines()]
    used = {word for fill, pen, *_ in (stroke for stroke in strokes if len(stroke) > 3) for word in (fill, pen)}
    assert set(sheet("_paints")) <= used


def _all_drawings() -> str:
    def texts(table: object) -> list[str]:
        if isinstance(table, dict):
            return [text for value in table.values() for text in texts(value)]
        return [table] if isinstance(table, str) else []

    names = ("attack", "champion", "support", "kingdom", "epic", "boss", "suits", "things", "realm")
    return "\n".join(text for name in names for text in texts(sheet(name)))
