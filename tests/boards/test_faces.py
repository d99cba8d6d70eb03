"""Card faces: icons and words that say everything the data says, and a picture for every card."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string

from games.boards.faces import face
from games.templatetags.seats import seat_mark
from tests.rules.positions import RULES

IMAGES = Path(__file__).parents[2] / "empire" / "static" / "img"
CARDS = list(RULES.cards.values())


def symbols(name: str) -> set[str]:
    return {symbol.get("id", "") for symbol in ElementTree.parse(IMAGES / name).getroot()}


def card(card_id: str):
    return face(RULES.cards[card_id])


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.mark.parametrize("each", CARDS, ids=lambda each: each.id)
def test_the_words_of_a_card_say_all_that_its_data_says(each):
    shown = face(each)
    for ability, sign in zip(each.abilities, shown.abilities, strict=True):
        told = {ability.points, ability.n if ability.kind not in ("per-card", "per-flying") else 0} - {0, 1}
        assert all(str(number) in sign.words for number in told)
        assert ability.of in sign.words
        assert sign.words in shown.spoken or sign.words.capitalize() in shown.spoken
    for part, sign in zip(each.parts, shown.parts, strict=True):
        assert part.kind in sign.words
        assert str(part.n) in sign.words or part.n == 1
        assert sign.words.lower() in shown.spoken.lower()
    assert shown.spoken.startswith(each.name)
    assert each.family in shown.spoken
    assert (f" {each.joined} " in f" {shown.joined_words} ") if each.joined else not shown.joined_words


def test_no_two_kinds_of_ability_or_action_read_the_same():
    kinds = {(ability.kind, ability.of, ability.n, ability.points) for each in CARDS for ability in each.abilities}
    words = {sign.words for each in CARDS for sign in face(each).abilities}
    assert len(words) == len(kinds)


def test_a_card_can_be_read_aloud():
    assert card("night-hydra").spoken == "Night Hydra, night. +1 army on each place. Move 5 and then destroy an army."
    assert card("castle-a").spoken == "Castle. 1 elixir. Place 3 or build a city."
    assert card("dire-ogre").spoken == "Dire Ogre, dire. 1 point for each 3 coins. Move 2."


def test_the_words_go_through_the_translation():
    german = {"flying": "fliegend", "move {n}": "ziehe {n}", "ancient": "uralt"}
    shown = face(RULES.cards["ancient-phoenix"], lambda text: german.get(text, text))
    assert shown.spoken == "Ancient Phoenix, uralt. Fliegend. Ziehe 5."
    assert shown.family == "ancient"


@pytest.mark.parametrize("each", CARDS, ids=lambda each: each.id)
def test_every_card_has_its_own_picture_its_scene_and_its_icons(each):
    shown = face(each)
    assert {each.id, f"scene-{each.family or 'plain'}"} <= symbols("cards.svg")
    wanted = {sign.icon for sign in (*shown.abilities, *shown.parts)} | (
        {f"family-{each.family}"} if each.family else set()
    )
    assert wanted <= symbols("icons.svg")


def test_the_pictures_carry_no_style_and_no_script():
    for name in ("cards.svg", "icons.svg"):
        assert not re.search(r"style|script|href|url\(", (IMAGES / name).read_text())


def test_a_drawn_card_is_read_with_its_price_and_shows_nothing_twice_to_a_screen_reader():
    html = render_to_string("games/_card.html", {"card": card("night-hydra"), "price": 2})
    heard = plain(re.sub(r'<span class="[\w-]+" aria-hidden="true">.*', "", html, flags=re.DOTALL))
    assert heard == f"{card('night-hydra').spoken} Costs 2 coins."
    assert "Destroy an army" in plain(html)
    assert "style=" not in html


def test_a_card_that_is_owned_shows_no_price():
    html = render_to_string("games/_card.html", {"card": card("night-hydra"), "price": ""})
    assert "card-price" not in html
    assert "Costs" not in html


def test_a_card_may_be_free():
    html = render_to_string("games/_card.html", {"card": card("lake"), "price": 0})
    assert "Costs 0 coins." in plain(html)
    assert 'class="card card-plain"' in html


@pytest.mark.parametrize("seat", ["0", "1", "2", "3", "third"])
def test_a_seat_mark_is_hidden_from_screen_readers_unless_it_has_a_label(seat):
    assert f"seat-{seat}" in symbols("icons.svg")
    assert 'aria-hidden="true"' in seat_mark(seat)
    assert 'aria-label="red circle"' in seat_mark(seat, "red circle")
