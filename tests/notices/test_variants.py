"""Emails about tables with variants: each phase's question, the additional events, and every shape of the board."""

import json
import re

import pytest

from games.boards.eight_minute import png
from games.notices.delivery.messages import board_jpeg, message
from games.notices.kinds import Kind
from games.rules.eight_minute.tokens import gifts
from games.tables.models import Entry, Game
from tests.cast import again, bid, person, seats_of, state_of, submit, table_of
from tests.notices.emails import email_notice, notice, only_email, pictures_of, received, send_due, subjects, text_of
from tests.tables.family import (
    BY_HAND,
    EVERYTHING,
    SWAMP,
    acting,
    before_a_find,
    before_an_extra_card,
    cheapest,
    choices,
    seeded,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def same_draws(monkeypatch, clock) -> None:
    seeded(monkeypatch)


def words_of(email) -> str:
    return " ".join(text_of(email).split())


def last(name: str) -> str:
    return words_of(received(name)[-1])


@pytest.fixture
def by_hand(alice, bob, carol) -> Game:
    """A table that Alice sets up; Carol joined last."""
    return table_of(alice, bob, carol, options=EVERYTHING | BY_HAND)


def test_the_set_up_player_is_asked_for_the_boards_and_the_others_are_told_who_it_is(by_hand):
    send_due()
    alices, bobs, _carols = (gifts()[leader].name for leader in state_of(by_hand).leaders)
    begun = "the game has started. Your leader is"
    assert f"{begun} {alices}. You are setting up this game. Place the boards." in words_of(only_email("Alice"))
    assert f"{begun} {bobs}. Alice sets up the game first, then everyone bids." in words_of(only_email("Bob"))
    assert pictures_of(only_email("Bob")) == []


@pytest.mark.parametrize(
    ("phase", "instruction"),
    [
        ("lay", "Place the boards."),
        ("start", "Choose the starting region."),
        ("outpost", "Choose the overseas region where everyone has an army."),
        ("tokens", "Place the tokens."),
    ],
)
def test_notices_to_the_set_up_player_ask_for_the_next_step(by_hand, phase, instruction):
    texts = iter(choices(by_hand, 0))
    submit(by_hand, 0, next(texts))
    while state_of(by_hand).phase != phase:
        submit(by_hand, 0, next(texts))
    turn_message = message(email_notice(seats_of(by_hand)[0], Kind.TURN, again(by_hand).seq))
    assert turn_message.lead == f"You are setting up this game. {instruction}"
    assert board_jpeg(turn_message).startswith(b"\xff\xd8")


def test_the_reminder_during_set_up_says_that_a_bot_would_finish_it(by_hand, clock):
    submit(by_hand, 0, *choices(by_hand, 0)[:2])
    clock.shift(39 * 3600)
    send_due()
    sentence = "You have not finished setting up the game. If your time runs out, a bot finishes it for you."
    assert sentence in last("Alice")
    assert len(pictures_of(received("Alice")[-1])) == 1


def test_the_email_after_set_up_describes_it_and_asks_for_a_bid(by_hand):
    submit(by_hand, 0, *choices(by_hand, 0))
    send_due()
    text = last("Bob")
    assert subjects("Bob")[-1] == "Place your bid: Legends with Alice and Carol"
    assert " is in the center." in text and "The start region is" in text and "The first cards are" in text
    assert "Bid to choose who goes first. You have 11 coins." in text
    assert not re.search(
        r"[{}_]|face-down|by-hand", text.partition("Since your last turn")[2].partition("Current points")[0]
    )


def test_armies_of_the_third_color_are_asked_for_one_by_one(alice, bob):
    game = table_of(alice, bob, options=BY_HAND)
    submit(game, 0, *choices(game, 0))
    send_due()
    assert subjects("Bob")[-1] == "Place an army of the third color: Legends with Alice"
    sentence = "Place an army of the third color. 10 are left, and the two of you take turns placing them."
    assert sentence in last("Bob")
    for _n in range(9):
        submit(game, acting(game), choices(game, acting(game))[0])
    send_due()
    assert "Place the last army of the third color." in last("Alice")


@pytest.mark.long
def test_fairy_queen_is_offered_one_more_card_without_its_action(alice, bob, carol, dan):
    game = before_an_extra_card(alice, bob, carol, dan)
    send_due()
    queen = seats_of(game)[state_of(game).leaders.index("fairy-queen")].name
    assert subjects(queen)[-1].startswith("One more card: ")
    text = last(queen)
    assert "Fairy Queen lets you take one more card without its action." in text
    offered = text.partition("Cards you can take")[2].partition("Current points")[0]
    assert offered and not re.search(r"(place|move) \d|build a city|destroy an", offered, re.IGNORECASE)


def test_a_reminder_during_a_turn_names_its_card_and_offers_no_others(alice, bob, carol, clock):
    game, seat, turn = before_a_find(alice, bob, carol)
    submit(game, seat, *turn)
    clock.shift(39 * 3600)
    send_due()
    text = last(seats_of(game)[seat].name)
    assert "You have not finished playing Ancient Woods." in text
    assert "Cards you can take" not in text


def test_the_email_reports_the_dice_that_broke_a_tie(alice, bob, carol):
    game = bid(table_of(alice, bob, carol, options={"ties": "die"}), 2, 2, 0)
    send_due()
    winner = seats_of(game)[acting(game)].name
    bids = r"The bids: Alice 2, Bob 2, Carol 0\. Dice: Alice \d, Bob \d(; .*)?\. "
    assert re.search(rf"{bids}{winner} wins the tie and pays 2\.", last(winner))


def test_the_email_says_where_an_opponent_looked_under_a_token_but_not_what_it_was(alice, bob, carol):
    game, seat = game_after_a_look(alice, bob, carol)
    send_due()
    looker, other = seats_of(game)[seat].name, seats_of(game)[(seat + 1) % 3].name
    assert f"{looker} looks at the token in " in last(other)
    assert not re.search(rf"{looker} looks at the token in [^.]*:", last(other))


def game_after_a_look(*people) -> tuple[Game, int]:
    """Play until a seat looks under a token. Return the game and the seat."""
    game = table_of(*people, options=SWAMP | BY_HAND)
    submit(game, 0, *choices(game, 0, token_at_the_outpost=True))
    bid(game, 0, 0, 0)
    submit(game, acting(game), "first 0")
    while not any(event["kind"] == "look" for event in Entry.objects.filter(game=game).last().events):
        submit(game, acting(game), *marching_off(game))
    return again(game), Entry.objects.filter(game=game).last().seat


def marching_off(game: Game) -> list[str]:
    """Return a turn that leaves the outpost, if possible, so that the last army there comes to control it."""
    state, rules, here = state_of(game), game.rules, state_of(game).map.regions[state_of(game).outpost]
    for take in rules.legal(state, state.turn):
        after = state.copy()
        for event in rules.decide(after, state.turn, take, None):
            rules.evolve(after, event)
        leave = [text for text in map(rules.text, rules.legal(after, state.turn)) if text.startswith(f"move {here} ")]
        if leave and sum(state.armies[state.outpost * 3 : state.outpost * 3 + 3]) > 1:
            for event in rules.decide(after, state.turn, rules.parse(leave[0]), None):
                rules.evolve(after, event)
            return [rules.text(take), leave[0], *(["done"] if after.taken else [])]
    return cheapest(game)


LARGE = png.SCALES
SHAPES = [
    ("legends", 4, EVERYTHING),
    ("prototype", 2, {"layout": "row"}),
    ("classic", 2, {"side": "side-b"}),
    *(
        pytest.param(*shape, marks=pytest.mark.long)
        for shape in (
            ("legends", 2, {}),
            ("legends", 3, {"layout": "rectangle", "portals": True}),
            ("prototype", 4, {"explore": True, "citadels": True}),
            ("prototype", 3, {}),
            ("classic", 5, {"goods_tokens": True}),
        )
    ),
]


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset", "players", "options"), SHAPES, ids=json.dumps)
def test_the_email_shows_boards_of_every_shape(monkeypatch, ruleset, players, options):
    monkeypatch.setattr(png, "SCALES", LARGE)
    png.LANDS.clear()  # other tests draw small ones
    people = [person(name) for name in ("Alice", "Bob", "Carol", "Dan", "Erin")[:players]]
    game = bid(table_of(*people, ruleset=ruleset, options=options), *range(players))
    send_due()
    acting_name = seats_of(game)[acting(game)].name
    assert acting_name == people[-1].username
    reminder = message(notice(Kind.TIME, acting_name, game))
    picture = board_jpeg(reminder)
    assert picture.startswith(b"\xff\xd8") and 20_000 < len(picture) < 200_000
