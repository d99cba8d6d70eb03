"""Purchases: which exchanges are legal (section 6) and which are offered (K101)."""

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.kingdoms import market
from games.rules.kingdoms.deck import card, deck, in_order
from games.rules.kingdoms.market import check_purchase, purchases
from games.rules.protocol import IllegalAction
from tests.each import for_each
from tests.rules.kingdoms.heroes import hands, heroes, kinds


@for_each(
    "give, take",
    [
        ("A4 C9", "E"),
        ("E", "A4 C9"),
        ("A8", "A6"),
        ("C9 S3", "P"),
        ("C9 C10", "X"),
        ("A4 A5", "A8"),
        ("Q S1", "A6 S3 A5"),
    ],
)
def test_equal_dots_are_a_legal_purchase_with_any_number_of_cards_k10(give: str, take: str) -> None:
    check_purchase(heroes(give), heroes(take))


@for_each(
    "give, take, sentence",
    [
        ("A4", "E", "The dots don’t match: you give 1 and take 4. Choose cards with equal dots."),
        ("C9 A8", "E", "The dots don’t match: you give 5 and take 4. Choose cards with equal dots."),
        ("", "A4", "Choose at least one card to give and one to take."),
        ("A4", "", "Choose at least one card to give and one to take."),
        ("dragon", "A4", "Dragon has no dots, so it can’t be bought or used to pay."),
        ("E warmaster", "E", "Warmaster has no dots, so it can’t be bought or used to pay."),
        ("E", "E fox", "Fox has no dots, so it can’t be bought or used to pay."),
    ],
)
def test_other_purchases_are_refused_k10_k13(give: str, take: str, sentence: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        check_purchase(heroes(give), heroes(take))
    assert str(refused.value) == sentence


def parts(cards: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [some for n in range(1, len(cards) + 1) for some in combinations(cards, n)]


def exchanges(give: tuple[str, ...], take: tuple[str, ...]) -> list[market.Purchase]:
    """Return all purchases of some of these cards for some of those."""
    return [(g, t) for g, t in product(parts(give), parts(take)) if market.dots(g) == market.dots(t) > 0]


def irreducible(give: tuple[str, ...], take: tuple[str, ...]) -> bool:
    return exchanges(give, take) == [(give, take)]


def priced(hand: list[str]) -> tuple[str, ...]:
    return tuple(name for name in in_order(hand) if card(name).dots)


@settings(max_examples=40)
@given(hands(6), hands(5))
def test_exactly_the_irreducible_purchases_are_listed_once_k101(hand: list[str], flop: list[str]) -> None:
    possible = exchanges(priced(hand), priced(flop))
    wanted = {(kinds(give), kinds(take)) for give, take in possible if irreducible(give, take)}
    listed = purchases(hand, flop)
    assert {(kinds(give), kinds(take)) for give, take in listed} == wanted
    assert len(listed) == len(wanted)


def broken_up(give: Counter, take: Counter, listed: set) -> bool:
    """Return whether a purchase, by kinds of cards, is a sequence of listed ones."""
    if not give:
        return not take
    return any(
        Counter(g) <= give and Counter(t) <= take and broken_up(give - Counter(g), take - Counter(t), listed)
        for g, t in listed
    )


@settings(max_examples=25)
@given(hands(5), hands(4))
def test_every_purchase_is_a_sequence_of_the_listed_ones_k101(hand: list[str], flop: list[str]) -> None:
    listed = {(kinds(give), kinds(take)) for give, take in purchases(hand, flop)}
    for give, take in exchanges(priced(hand), priced(flop)):
        assert broken_up(Counter(kinds(give)), Counter(kinds(take)), listed)


@given(hands(20), st.data())
def test_listed_purchases_are_legal_and_keep_their_order(hand: list[str], data: st.DataObject) -> None:
    flop = data.draw(hands(6).map(lambda cards: [name for name in cards if name not in hand]))
    listed = purchases(hand, flop)
    assert listed == purchases(sorted(hand), sorted(flop))
    for give, take in listed:
        check_purchase(give, take)
        assert set(give) <= set(hand) and set(take) <= set(flop)
        assert give == in_order(give) and take == in_order(take)


@settings(max_examples=60)
@given(hands(12), st.data())
def test_each_number_below_the_count_finds_the_purchase_of_the_list(hand: list[str], data: st.DataObject) -> None:
    flop = data.draw(hands(6).map(lambda cards: [name for name in cards if name not in hand]))
    counted, listed = market.Purchases(in_order(hand), tuple(flop)), purchases(hand, flop)
    assert len(counted) == len(listed)
    assert tuple(counted[number] for number in range(len(counted))) == listed


def test_no_irreducible_exchange_contains_another() -> None:
    """No side needs more cards than the most expensive card has dots, and both together at most eleven."""
    listed = market.exchanges()
    assert len(set(listed)) == len(listed) == 210
    assert max(len(give) + len(take) for give, take in listed) == 11
    assert {(take, give) for give, take in listed} == set(listed)


def test_purchases_of_a_large_hand_are_many() -> None:
    """A hand of 42 cards and a Flop of ten (K101)."""
    hand, flop = deck(1)[::2][:42], deck(1)[1:40:4]
    assert len(purchases(hand, flop)) > 500
