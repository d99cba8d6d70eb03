"""The table page with every variant, the prototype and the classic game: what it shows, and under which name."""

import re

import pytest

from games.help.eight_minute.words import token_name
from games.rules.eight_minute import scoring
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.tokens import FACE_DOWN, MERCHANTS, gifts
from games.rules.fairness import Quick
from games.rules.protocol import Points, Scoresheet, SeatInfo, SeatScore
from games.rules.registry import get
from games.tables.pages.eight_minute.due import counters, order_words
from games.tables.pages.eight_minute.players import ORDER, TIE_BREAKS, Good, effect, goods, idle_wilds, sources, trophy
from tests.cast import again, bid, in_turns, play_turns, state_of, table_of
from tests.kept import kept_if_first
from tests.web.at_table import WITH_AND_WITHOUT_SCRIPT, offered, repeated_ids
from tests.web.reading import alert, text

pytestmark = pytest.mark.django_db

TOKENS = {**dict.fromkeys(("explore", "citadels", "portals", "rogues", "merchants"), True), "dragon": "6"}
EVERYTHING = {**TOKENS, "seven_cards": True, "leaders": True}


def words(answer):
    """The page as one line of text."""
    return " ".join(re.sub(r"<[^>]+>", " ", text(answer)).split())


# Legends with everything


def test_everything_on_the_map_is_listed_by_name(sit, alice, bob, carol, dan):
    game = in_turns(alice, bob, carol, dan, options=EVERYTHING)
    page = words(sit(alice, game).look())
    for name in ("Magic Spring", "Citadel", "Rampaging Dragon", "Magic Portal", "Band of Rogues", "Merchants"):
        assert name in page
    assert "as if they were neighbors" in page and "brings the 6th army into the region" in page


def test_each_panel_shows_the_leader_and_what_it_does(sit, alice, bob, carol, dan):
    game = in_turns(alice, bob, carol, dan, options=EVERYTHING)
    answer = sit(alice, game).look()
    page = words(answer)
    for leader in state_of(game).leaders:
        assert page.count(gifts()[leader].name) >= 2, "on the panel and in the scoresheet"
    assert all(f"cards.svg#{leader}" in text(answer) for leader in state_of(game).leaders), "each with its portrait"
    assert "Each new city brings an army" in page and "Captures the armies it destroys" in page


def test_seven_cards_are_offered_at_the_prices_of_the_table(sit, alice, bob):
    game = in_turns(alice, bob, options={"seven_cards": True})
    page = text(sit(alice, game).look())
    assert re.findall(r'class="card-price" aria-hidden="true">(\d)<', page)[:7] == ["0", "1", "1", "2", "2", "3", "3"]


def test_a_table_lists_its_options(sit, alice, bob):
    page = words(sit(alice, table_of(alice, bob, options={"dragon": "7", "portals": True})).look())
    assert "Magic Portals" in page and "Dragon (7th army)" in page
    assert "Options" not in words(sit(alice, table_of(alice, bob)).look())


def test_the_page_explains_how_ties_are_broken(sit, alice, bob):
    assert "If bids tie, a die roll decides." in words(sit(alice, table_of(alice, bob)).look())
    assert "If bids tie, the youngest player wins" in words(
        sit(alice, table_of(alice, bob, options={"ties": "age"})).look()
    )


@pytest.mark.long
def test_every_page_of_a_game_with_all_options_is_valid(sit, alice, bob, carol, dan):
    game = in_turns(alice, bob, carol, dan, options=EVERYTHING)
    for _turn in range(8):
        play_turns(game, 4)
        answer = sit(alice, game).look()
        assert answer.status_code == 200 and repeated_ids(answer) == set()
        assert not re.search(r"<style|\sstyle=|\son\w+=|None", text(answer))


# One more card after the last turn


def until_the_queen_chooses(*people):
    """A game in which Fairy Queen may take an extra card, and her seat."""

    def play():
        while True:
            game = in_turns(*people, options={"leaders": True})
            while not again(game).is_finished:
                if state_of(game).phase == "extra":
                    return game
                play_turns(game, 1)

    game = kept_if_first("queen", people, play=play)
    return game, state_of(game).turn


@WITH_AND_WITHOUT_SCRIPT
def test_fairy_queen_may_take_one_more_card_without_its_action(sit, alice, bob, carol, dan, htmx):
    people = (alice, bob, carol, dan)
    game, queen = until_the_queen_chooses(*people)
    table = sit(people[queen], game, htmx=htmx)
    assert "You can take one more card" in words(table.look()) and "can take one more card" in words(
        sit(people[queen - 1], game).look()
    )
    card = offered(table.look(), "take")[0]
    answer = table.press("step", action=card)
    assert (
        "Your turn: confirm your moves" in words(answer)
        and "to place" not in text(answer).split('class="counters')[1][:600]
    )
    table.press("submit", action=card)
    assert again(game).is_finished


@pytest.mark.long
@WITH_AND_WITHOUT_SCRIPT
def test_fairy_queen_may_decline_the_extra_card(sit, alice, bob, carol, dan, htmx):
    people = (alice, bob, carol, dan)
    game, queen = until_the_queen_chooses(*people)
    table = sit(people[queen], game, htmx=htmx)
    assert "first" not in alert(table.press("step", action="place v3")) and alert(
        table.press("step", action="place v3")
    )
    # Also as a draft, which only programs make of it
    assert table.press("step", action="done").status_code == 200 and table.look().status_code == 200
    table.press("submit", action="done")
    assert again(game).is_finished


# Words


@pytest.mark.parametrize("gift", sorted(gifts()))
def test_every_token_and_leader_has_a_text(gift):
    shown = trophy(gift)
    assert shown.name == gifts()[gift].name and len(shown.words) == len(gifts()[gift].abilities)
    assert all(sentence and "{" not in sentence for sentence in shown.words)


def test_every_token_says_what_it_does_on_the_map():
    rules = get("legends")
    view = rules.view(rules.initial(rules.options(TOKENS, 2), [SeatInfo()] * 2), None)
    for token in (*edition("legends").explore, FACE_DOWN, "citadel", "dragon", "portal", "rogues", MERCHANTS, "coal"):
        assert token_name(token) and effect(token, view) and "{" not in effect(token, view)


def test_every_source_of_points_has_its_name():
    lines = [("regions", 3), ("islands", 1), ("tokens:magic-book", 1), ("fairy-queen", 1), ("lake", 2), ("citadels", 1)]
    sheet = Scoresheet((SeatScore(0, 9, 1, tuple(Points(*line) for line in lines)),))
    assert [(row.kind, row.name, row.points) for row in sources("legends", sheet)] == [
        ("regions", "Regions", (3,)),
        ("islands", "Islands", (1,)),
        ("citadels", "Citadels", (1,)),
        ("card", "Lake", (2,)),
        ("token", "Magic Book", (1,)),
        ("leader", "Fairy Queen", (1,)),
        ("elixirs", "Elixirs", (None,)),
    ]


def test_the_scoresheet_has_a_place_for_every_kind_of_source():
    """A kind without one would break the page of each table where it scores."""
    assert sorted(ORDER) == sorted(scoring.GROUPS)


def test_the_classic_scoresheet_has_goods_and_continents_but_no_elixirs():
    sheet = Scoresheet((SeatScore(0, 5, 1, (Points("continents", 2), Points("goods:coal", 3))),))
    assert [row.name for row in sources("classic", sheet)] == ["Regions", "Continents", "Coal"]


def test_every_tie_break_of_the_rules_has_a_text():
    assert set(TIE_BREAKS) == set(scoring.TIE_BREAKS)


# The classic game


def test_the_classic_game_for_five_has_no_elixirs_or_costs_of_sea_moves(sit, alice, bob, carol, dan, eve):
    game = in_turns(alice, bob, carol, dan, eve, ruleset="classic")
    play_turns(game, 10)
    page = text(sit(alice, game).look())
    assert "Elixirs" not in page and "#flask" not in page and "water crossings cost" not in page
    assert "Continents" in page and page.count('class="player seat-') == 5


def test_a_good_says_what_it_is_worth_and_how_many_score_more():
    steps = ((2, 1), (4, 2), (6, 3), (7, 5))
    assert Good("anvil", "Anvil", 3, 0, 1, steps).worth == "1 point; 2 with 4"
    assert Good("anvil", "Anvil", 6, 1, 5, steps).worth == "5 points (maximum)"
    assert Good("anvil", "Anvil", 6, 1, 5, steps).spoken == "Anvil: 6 and 1 wild card"


def owning(*cards):
    """A classic game of three in which seat 0 owns these cards."""
    rules, seats = get("classic"), [SeatInfo()] * 3
    state = rules.initial(rules.options({}, 3), seats)
    for event in rules.start(rules.options({}, 3), seats, Quick(1)):
        rules.evolve(state, event)
    state.owned[0] = list(cards)
    return state


def seen(state):
    return get("classic").view(state, 0)


def test_wild_cards_are_shown_where_they_score_most():
    crystals = [card.id for card in edition("classic").cards.values() if card.family == "crystal"][:2]
    wilds = [card.id for card in edition("classic").cards.values() if card.family == "wild"]
    shown = goods(seen(owning(*crystals, wilds[0])), 0)
    assert [(good.id, good.own, good.wild, good.points) for good in shown] == [("crystal", 2, 1, 3)]
    assert idle_wilds(seen(owning(*wilds)), 0) == len(wilds) and goods(seen(owning(*wilds)), 0) == ()


def in_play(card):
    """A view of the classic game in which seat 0 has just taken the card."""
    state = owning()
    state.phase, state.turn, state.taken = "turn", 0, card
    return seen(state)


def with_parts(fits):
    return next(card.id for card in edition("classic").cards.values() if fits(card))


def test_ships_are_said_to_cross_water_and_marches_not():
    ship = in_play(with_parts(lambda card: card.parts[0].ship))
    march = in_play(with_parts(lambda card: card.parts[0].kind == "move" and not card.parts[0].ship))
    assert counters(ship)[0].words.endswith("by land or water")
    assert counters(march)[0].words.endswith("by land")


def test_the_page_says_in_which_order_the_parts_of_a_card_are_played():
    assert order_words(in_play(with_parts(lambda card: card.joined == "and"))) == "Do both, in any order."
    assert "Choose one: what you do first decides which." in order_words(
        in_play(with_parts(lambda card: card.joined == "or"))
    )
    assert order_words(in_play(with_parts(lambda card: not card.joined))) == ""


# The prototype


def test_in_the_prototype_the_highest_bidder_goes_first(sit, alice, bob):
    game = table_of(alice, bob, ruleset="prototype")
    assert "The highest bidder pays and goes first. Everyone else keeps their coins." in words(sit(alice, game).look())
    bid(game, 3, 1)
    assert "Your turn: take a card" in words(sit(alice, game).look())
    assert "Continents" in words(sit(alice, game).look())
