"""The help of Kingdoms: every card, class, power, term and order has a true text, and the pictures are true too."""

import re
from html import unescape

import pytest
from django.template.context import Context

from games.boards.kingdoms.faces import HEROES
from games.help import families, glossary, pages
from games.help.kingdoms import cards as kingdoms_cards
from games.help.kingdoms import pictures as kingdoms_pictures
from games.help.kingdoms.rulings import CHAPTERS
from games.rules.kingdoms import market
from games.rules.kingdoms.deck import KINDS, POWERS, card, deck
from games.rules.kingdoms.options import Options
from games.rules.kingdoms.troops import classify, not_so_secret
from games.rules.kingdoms.values import value
from games.rules.protocol import IllegalAction
from games.rules.registry import RULESETS
from games.tables.templatetags.tips import tip
from tests.each import for_each
from tests.web.reading import text

pytestmark = pytest.mark.django_db

SLUG = "kingdoms"
RULES, CARDS = "/rules/kingdoms/", "/rules/kingdoms/cards/"


def description(kind: str, term: str) -> str:
    return " ".join(glossary.find(SLUG, kind, term).sentences)


# Words


def test_every_hero_class_and_power_can_be_looked_up():
    shelves = glossary.shelves(SLUG)
    assert set(shelves["card"].ids(SLUG)) == set(HEROES)
    assert set(shelves["class"].ids(SLUG)) == set(KINDS)
    assert set(shelves["power"].ids(SLUG)) == set(POWERS)


@for_each("card_id", [*deck(1), "d2:sun-attack-4-1", "d1:boss-builder"])
def test_every_card_is_also_found_by_its_id_and_states_its_value_and_price(card_id):
    term, hero = glossary.find(SLUG, "card", card_id), card(card_id)
    assert term.id in HEROES
    words = " ".join(term.sentences)
    assert f"value {hero.value}" in words
    assert f"price is {hero.dots} dot" in words if hero.dots else "it has no dots" in words


def test_a_card_says_how_many_copies_there_are():
    assert "Each suit has 2." in description("card", "archer")
    assert "Each suit has one." in description("card", "princess")
    assert "Each deck has one." in description("card", "dragon")


@for_each("power", POWERS)
def test_a_hero_describes_its_power_in_the_words_of_the_rules(power):
    shown = next(hero for hero in map(card, deck(1)) if hero.power == power)
    assert POWERS[power].text in description("card", shown.id)
    assert description("power", power) == POWERS[power].text


def test_a_boss_can_make_its_move_only_in_the_turn_of_its_player_before_the_battle():
    """K51; as a troop it can also defend."""
    sentences = glossary.find("kingdoms", "class", "boss").sentences
    assert "on their own turn before the battle" in sentences[0] and "any time" not in sentences[0]


def test_unknown_terms_have_no_tip():
    assert tip(Context(), SLUG, "card", "sun-attack-99-1") == "" == tip(Context(), SLUG, "card", "king")
    with pytest.raises(KeyError):
        glossary.find(SLUG, "card", "magic-book")


@for_each(
    "kind, term, words",
    [
        ("card", "d1:sun-kingdom-queen-1", "on top of the Emperor"),
        ("option", "castle_wall", "adds to its defense"),
        ("order", "defend", "best ordinary hand"),
        ("word", "blind-pick", "a random card"),
        ("power", "tribute", "a random card from each"),
        ("class", "boss", "it is burned"),
        ("preset", "quickplay", "For a first game"),
    ],
)
def test_there_is_a_tip_for_every_term(kind, term, words):
    drawn = tip(Context(), SLUG, kind, term)
    assert words in unescape(drawn) and f'href="{glossary.find(SLUG, kind, term).url}"' in drawn


def test_each_number_of_players_has_a_note():
    assert list(families.parts_of(SLUG).players) == list(RULESETS[SLUG].seat_counts)
    assert "duel" in families.players_note(SLUG, 2) and families.players_note(SLUG, 9) == ""
    assert families.players_note("legends", 2) == ""
    notes = pages.players_notes(SLUG)
    assert [n for note in notes for n in range(note.least, note.most + 1)] == list(RULESETS[SLUG].seat_counts)


# The page


def test_the_rules_page_has_a_place_for_every_section_of_the_game(come):
    page = text(come().get(RULES))
    wanted = (
        "goal start turn towers buying troops battle protect rulers not-so-secret heroes value winning final-showdown"
        " variants waiting words orders players options details"
    )
    assert all(f'id="{anchor}"' in page for anchor in wanted.split())
    contents = page[: page.index("<article")]
    assert set(re.findall(r'href="#([\w-]+)"', contents)) <= set(re.findall(r'\sid="([\w-]+)"', page))


def test_every_ruling_is_on_the_page_once_by_its_number(come):
    page = text(come().get(RULES))
    numbers = [int(n) for n in re.findall(r'<li id="k(\d+)"', page)]
    assert sorted(numbers) == list(range(1, 106))
    assert all(f"<h3>{name}</h3>" in unescape(page) for name in CHAPTERS.values())


def test_the_page_lists_every_standing_order_with_all_its_answers(come):
    page = unescape(text(come().get(RULES)))
    for order in RULESETS[SLUG].order_fields():
        assert f'id="order-{order.name}"' in page
        assert all(choice.label in page for choice in order.choices)


def test_games_without_orders_have_no_such_section(come):
    assert 'id="orders"' not in text(come().get("/rules/legends/"))


def test_an_option_marks_its_default_if_that_is_not_the_first_choice(come):
    section = next(section for section in pages.rules_page(RULESETS[SLUG]).sections if section.anchor == "castle-wall")
    assert section.choices[Options().wall] == f"{Options().wall} (default)"


def test_the_cards_page_shows_every_hero_once_and_all_four_suits(come):
    page = text(come().get(CARDS))
    assert all(page.count(f'<li class="card-help" id="{hero}"') == 1 for hero in HEROES)
    assert {"k-sun", "k-wave", "k-pine", "k-plum", "k-epic", "k-boss"} <= set(re.findall(r"k-card (k-\w+)", page))
    assert 'id="castle-card"' in page


# Pictures


@for_each("cards", kingdoms_pictures.DATA["hands"])
def test_a_pictured_hand_is_legal_and_has_the_stated_total(cards):
    hand = next(hand for hand in kingdoms_pictures.pictures("kingdoms").hands if hand.total == value(cards))
    assert hand.is_legal and classify(cards).total == hand.total


@pytest.mark.parametrize("cards", kingdoms_pictures.DATA["no_hands"])
def test_the_rules_refuse_an_illegal_hand_in_the_same_words(cards):
    with pytest.raises(IllegalAction) as refused:
        classify(cards)
    assert str(refused.value) in [row.words for row in kingdoms_pictures.pictures("kingdoms").no_hands]


def test_the_examples_of_purchases_and_not_so_secret_moves_are_legal():
    for trade in kingdoms_pictures.DATA["trades"]:
        market.check_purchase(trade["give"], trade["take"])
    assert all(map(not_so_secret, kingdoms_pictures.DATA["secrets"]))


def test_the_pictures_of_realms_are_what_the_conquests_lead_to():
    """The checked examples of the specification, and a ruler who loses a sub-kingdom."""
    rulers = [kingdoms_pictures.rulers_after(shown["steps"]) for shown in kingdoms_pictures.DATA["realms"]]
    assert rulers == [(None, 0, None, None), (None, 0, 1, None), (3, 3, 1, None)]
    rulers = [kingdoms_pictures.rulers_after(shown["steps"]) for shown in kingdoms_pictures.DATA["revolts"]]
    assert rulers == [(None, 0, 0, None), (None, 3, 0, None), (None, None, 0, None), (1, None, 1, None)]


def test_scenes_of_battles_say_who_wins(come):
    page = unescape(text(come().get(RULES)))
    assert "Ada wins, 22 to 21." in page and "A tie at 24." in page


def test_the_deck_is_described_by_one_row_per_card():
    assert sum(len(cards) for cards in kingdoms_cards.cards_of().values()) == len(deck(1))
