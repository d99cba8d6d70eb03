"""The value of a hand, what others learn of it, and its face-up cards (section 11)."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.kingdoms.deck import card, deck, in_order
from games.rules.kingdoms.values import band, check_shown, default_shown, value
from games.rules.protocol import IllegalAction
from tests.each import for_each
from tests.rules.kingdoms.heroes import heroes

RICH = heroes("E E Q Q P P X X C12 C12 A8")
DEAR = [name for name in deck(1) if card(name).kind == "kingdom"]
CHEAP = [name for name in deck(1) if card(name).kind != "kingdom"]


@st.composite
def rich_hands(draw: st.DrawFn) -> list[str]:
    """Draw hands worth 200 or more: ten Kingdom Heroes and up to three others."""
    dear = draw(st.lists(st.sampled_from(DEAR), min_size=10, max_size=10, unique=True))
    return [*dear, *draw(st.lists(st.sampled_from(CHEAP), max_size=3, unique=True))]


def test_the_value_is_the_sum_of_the_hand_k53() -> None:
    assert value(heroes("E A4 dragon warmaster S1")) == 21 + 4 + 13 + 16 + 1
    assert value(()) == 0


@for_each("worth, expected", [(0, 0), (99, 0), (100, 100), (199, 100), (200, 200), (299, 200), (310, 200)])
def test_others_learn_the_band_k54(worth: int, expected: int) -> None:
    assert band(worth) == expected


def test_no_cards_are_shown_below_200_k55() -> None:
    hand = heroes("E E Q Q P P X X C12 C12 A7")
    assert value(hand) == 199
    assert default_shown(hand) == ()


def test_from_200_cards_worth_100_are_shown_k55() -> None:
    assert value(RICH) == 200
    assert value(default_shown(RICH)) == 104  # four of 21, one of 12 and the 8; no cards add up to 100
    assert value(default_shown((*RICH, *heroes("dragon S3")))) == 100  # 84, 13 and 3


@settings(max_examples=30)
@given(rich_hands())
def test_the_smallest_sum_then_the_fewest_then_the_first_are_shown_k79(hand: list[str]) -> None:
    places = {name: n for n, name in enumerate(deck(1))}
    some = (cards for n in range(9) for cards in combinations(in_order(hand), n) if value(cards) >= 100)
    assert default_shown(hand) == min(
        some, key=lambda cards: (value(cards), len(cards), [places[card] for card in cards])
    )


@given(rich_hands())
def test_the_default_set_may_be_shown_k55(hand: list[str]) -> None:
    check_shown(hand, default_shown(hand))


def refusal(hand: tuple[str, ...], shown: tuple[str, ...]) -> str:
    with pytest.raises(IllegalAction) as refused:
        check_shown(hand, shown)
    return str(refused.value)


def test_superfluous_cards_cannot_be_shown_k55() -> None:
    check_shown(RICH, heroes("E E Q Q P"))
    assert refusal(RICH, heroes("E E Q Q P P")) == "You are showing more than you need. Leave out a card."
    assert refusal(RICH, heroes("E E Q Q C12 C12 A8")) == "You are showing more than you need. Leave out a card."


def test_cards_worth_less_than_100_cannot_be_shown_k55() -> None:
    assert refusal(RICH, heroes("E E Q Q C12")) == "These cards are worth 96. Show at least 100."
    assert refusal(RICH, ()) == "These cards are worth 0. Show at least 100."


def test_only_cards_of_the_hand_can_be_shown_once_each() -> None:
    once = "Show cards from your hand, each only once."
    assert refusal(RICH, heroes("E E E Q Q")) == once
    assert refusal(RICH, (*heroes("E E Q Q"), heroes("E")[0])) == once


def test_nobody_shows_cards_below_200() -> None:
    poor = heroes("E E Q Q P P")
    assert refusal(poor, heroes("E E Q Q P")) == "You show cards only while your Kingdom value is 200 or more."
