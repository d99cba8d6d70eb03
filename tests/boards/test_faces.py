"""Card faces: icons and words for everything in the data, and a picture for every card."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from games.boards.eight_minute.faces import face, leader_face
from games.help.eight_minute.cards import card_term
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.tokens import gifts, leader_ids
from games.tables.templatetags import eight_minute as cards
from games.tables.templatetags.seats import seat_mark
from tests.each import for_each
from tests.rules.positions import RULES

IMAGES = Path(__file__).parents[2] / "empire" / "static" / "img"
CLASSIC = edition("classic").cards
CARDS = [*RULES.cards.values(), *CLASSIC.values()]
REVISED = {"dire-ogre": "prototype", "noble-hills": "prototype", "o24": "classic+coal:place"}
ALL_CARDS = CARDS + [edition(name).cards[card] for card, name in REVISED.items()]
LEADERS = [gifts()[leader] for leader in leader_ids()]


def symbols(name: str) -> set[str]:
    return {symbol.get("id", "") for symbol in ElementTree.parse(IMAGES / name).getroot()}


def card(card_id: str):
    return face(RULES.cards[card_id])


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@for_each("card", ALL_CARDS)
def test_the_words_of_a_card_include_all_its_data(card):
    shown = face(card)
    for ability, sign in zip(card.abilities, shown.abilities, strict=True):
        numbers = {ability.points, ability.n if ability.kind not in ("per-card", "per-flying") else 0} - {0, 1}
        assert all(str(number) in sign.words for number in numbers)
        assert ability.of in sign.words
        assert sign.words in shown.spoken or sign.words.capitalize() in shown.spoken
    for part, sign in zip(card.parts, shown.parts, strict=True):
        assert part.kind in sign.words
        assert str(part.n) in sign.words or part.n == 1
        assert sign.words.lower() in shown.spoken.lower()
    assert shown.spoken.startswith(card.name)
    assert card.family in shown.spoken.lower()
    assert ("five players" in shown.spoken) == (card.players == 5)
    assert (f" {card.joined} " in f" {shown.joined_words} ") if card.joined else not shown.joined_words


def test_different_abilities_and_actions_have_different_words():
    kinds = {(ability.kind, ability.of, ability.n, ability.points) for card in ALL_CARDS for ability in card.abilities}
    words = {sign.words for card in ALL_CARDS for sign in face(card).abilities}
    assert len(words) == len(kinds)


@for_each("card_id, words", [("mountain-dwarf", "the 2 mountain cards"), ("noble-hills", "the 3 noble cards")])
def test_a_set_of_any_size_is_named_in_good_english(card_id, words):
    """“All 2 cards” is not English."""
    [sign] = card(card_id).abilities
    [sentence, *_] = card_term("legends", card_id).sentences
    assert sign.words.endswith(f"points for {words}") and f"if you have {words}" in sentence


def test_a_card_can_be_read_aloud():
    assert card("night-hydra").spoken == "Night Hydra, night. +1 army on each place. Move 5 and then destroy an army."
    assert card("castle-a").spoken == "Castle. 1 elixir. Place 3 or build a city."
    assert card("dire-ogre").spoken == "Dire Ogre, dire. 1 point for each 3 coins. Move 2."


def test_a_classic_card_names_its_good_its_ship_and_its_number_of_players():
    spoken = {card: face(CLASSIC[card]).spoken for card in ("o09", "o14", "o15", "o42")}
    assert spoken == {
        "o09": "Two Carrots. 2 carrots. Place 3.",
        "o14": "Carrot. 1 carrot. Place 4 or move 2. Only with five players.",
        "o15": "Carrot. 1 carrot. Destroy an army and place 1.",
        "o42": "Wild. 1 wild good. Move 2 over land and water.",
    }
    ships = {card.id for card in CLASSIC.values() if "ship" in [sign.icon for sign in face(card).parts]}
    assert ships == {"o13", "o20", "o21", "o28", "o29", "o30", "o34", "o41", "o42"}
    assert {card.id for card in CLASSIC.values() if face(card).only} == {"o05", "o14", "o22", "o29", "o38"}


def test_a_card_with_two_goods_shows_two():
    assert {card.id for card in CLASSIC.values() if face(card).art.endswith("-2")} == {"o09", "o38"}


@pytest.mark.parametrize("leader", LEADERS, ids=lambda leader: leader.id)
def test_a_leader_has_a_portrait_and_describes_each_of_its_powers(leader):
    shown = leader_face(leader)
    assert len(shown.abilities) == len(leader.abilities) >= 2
    assert {shown.art, shown.scene} <= symbols("cards.svg")
    assert {f"family-{shown.family}", *(sign.icon for sign in shown.abilities)} <= symbols("icons.svg")
    html = cards.whole_card(shown)
    assert shown.spoken in plain(html).replace("&#x27;", "'")
    assert "card-action" not in html


def test_the_powers_of_leaders_are_sentences():
    assert leader_face(gifts()["fairy-queen"]).spoken == (
        "Fairy Queen. 1 point for 3 forest cards. Can take one more card at the end."
    )
    words = [sign.words for leader in LEADERS for sign in leader_face(leader).abilities]
    assert len(set(words)) == len(words)
    german = {"White Knight": "Weißer Ritter", "each new city brings an army": "jede Stadt bringt eine Armee mit"}
    knight = leader_face(gifts()["white-knight"], lambda text: german.get(text, text))
    assert knight.spoken.startswith("Weißer Ritter. ") and knight.spoken.endswith(" Jede Stadt bringt eine Armee mit.")


def test_the_words_can_be_translated():
    german = {"flying": "fliegend", "move {n}": "ziehe {n}", "ancient": "uralt"}
    shown = face(RULES.cards["ancient-phoenix"], lambda text: german.get(text, text))
    assert shown.spoken == "Ancient Phoenix, uralt. Fliegend. Ziehe 5."
    assert shown.family == "ancient"


@for_each("card", CARDS)
def test_every_card_has_its_own_picture_with_a_scene_and_icons(card):
    shown = face(card)
    assert {shown.art, shown.scene} <= symbols("cards.svg")
    assert (shown.art == card.id) == (card.id not in CLASSIC)
    wanted = {sign.icon for sign in (*shown.abilities, *shown.parts, *filter(None, [shown.only]))}
    assert wanted | ({f"family-{card.family}"} if card.family else set()) <= symbols("icons.svg")


def test_the_pictures_contain_no_style_and_no_script():
    for name in ("cards.svg", "icons.svg"):
        assert not re.search(r"style|script|href|url\(", (IMAGES / name).read_text())


def test_a_card_is_read_aloud_once_with_its_price():
    html = cards.whole_card(card("night-hydra"), 2)
    heard = " ".join(re.findall(r'<span class="visually-hidden">(.*?)</span>', html))
    assert heard == f"{card('night-hydra').spoken} Costs 2 coins."
    assert "Destroy an army" in plain(html)
    assert "style=" not in html


def test_an_owned_card_shows_no_price():
    html = cards.whole_card(card("night-hydra"))
    assert "card-price" not in html
    assert "Costs" not in html


def test_a_card_may_be_free():
    html = cards.whole_card(card("lake"), 0)
    assert "Costs 0 coins." in plain(html)
    assert 'class="card card-plain"' in html


@for_each("seat", [*map(str, range(8)), "third"])
def test_a_seat_mark_is_hidden_from_screen_readers_unless_it_has_a_label(seat):
    assert f"seat-{seat}" in symbols("icons.svg")
    assert 'aria-hidden="true"' in seat_mark(seat)
    assert 'aria-label="red circle"' in seat_mark(seat, "red circle")
