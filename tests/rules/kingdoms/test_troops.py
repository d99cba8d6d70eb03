"""Troop hands: their kinds, strength and enumeration (section 7); the Not-So-Secret Move (section 9)."""

from itertools import combinations

import pytest
from hypothesis import given, settings

from games.rules.kingdoms import troops
from games.rules.kingdoms.deck import card, deck, in_order
from games.rules.kingdoms.troops import Troop, classify
from games.rules.kingdoms.values import value
from games.rules.protocol import IllegalAction
from tests.each import for_each
from tests.rules.kingdoms.heroes import hands, heroes, kinds

LEGAL = [
    ("A4", "ordinary", 4),
    ("A7 A7 A7", "ordinary", 21),
    ("A7 A7 A7 S3", "epic21", 24),
    ("C10 C11", "ordinary", 21),
    ("C10 C11 S1", "epic21", 22),
    ("E", "ordinary", 21),
    ("E S2", "epic21", 23),
    ("X S3", "epic21", 24),
    ("C12 A8 S1", "ordinary", 21),
    ("A4 A4 A6 A7", "ordinary", 21),
    ("A4 A4 A4 A4 S1 S1 S1 S2", "ordinary", 21),
    ("dragon", "command", 13),
    ("warmaster", "command", 16),
    ("warmaster Q", "command", 37),
    ("fox builder", "command", 29),
    ("fox carp", "command", 26),
    ("oracle S1", "command", 14),
]
ILLEGAL = [
    ("E A4", "25 is more than 21."),
    ("C12 A8 S3", "23 is more than 21."),
    ("A5 A8 A8 S1 S1", "23 is more than 21."),
    ("A4 A4 A6 A7 S1", "22 is more than 21."),
    ("E S1 S2", "24 is more than 21."),
    ("C12 C10", "22 is more than 21."),
    ("C9 A6 A6 S1", "22 is more than 21."),
    ("A8 A8 A8 S1", "25 is more than 21."),
    ("dragon A8 S1", "An Epic or a Boss fights alone or with one other Hero. Leave out the rest."),
    ("dragon fox carp", "An Epic or a Boss fights alone or with one other Hero. Leave out the rest."),
    ("", "Choose at least one card."),
]


@for_each("words, kind, total", LEGAL)
def test_a_troop_hand_has_a_kind_and_a_total_k19_k20_k21(words: str, kind: str, total: int) -> None:
    assert classify(heroes(words)) == Troop(kind, total)


@for_each("words, sentence", ILLEGAL)
def test_other_sets_of_cards_are_no_troop_hand_k19_k20_k21(words: str, sentence: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        classify(heroes(words))
    assert str(refused.value).startswith(sentence)


def brute_force(hand: list[str]) -> set[tuple]:
    """Return all troop hands by trying every set of cards."""
    troop_hands = set()
    for n in range(1, len(hand) + 1):
        for some in combinations(hand, n):
            try:
                classify(some)
            except IllegalAction:
                continue
            troop_hands.add(kinds(some))
    return troop_hands


@settings(max_examples=60)
@given(hands(9))
def test_all_troop_hands_are_found_once(hand: list[str]) -> None:
    listed = troops.troop_hands(hand)
    assert len({kinds(troop_hand) for troop_hand in listed}) == len(listed)
    assert {kinds(troop_hand) for troop_hand in listed} == brute_force(hand)


@settings(max_examples=30)
@given(hands(8, decks=2))
def test_equal_epics_of_two_decks_count_as_one_troop_hand(hand: list[str]) -> None:
    listed = troops.troop_hands([*hand, *{name.replace("d1:", "d2:") for name in hand if "epic" in name}])
    assert len({kinds(troop_hand) for troop_hand in listed}) == len(listed)


@given(hands(30))
def test_troop_hands_are_in_deck_order_whatever_the_order_of_the_hand(hand: list[str]) -> None:
    listed = troops.troop_hands(hand)
    assert listed == troops.troop_hands(sorted(hand))
    assert all(set(troop_hand) <= set(hand) and troop_hand == in_order(troop_hand) for troop_hand in listed)


@settings(max_examples=60)
@given(hands(14, decks=2))
def test_each_number_below_the_count_finds_another_troop_hand(hand: list[str]) -> None:
    counted, listed = troops.TroopHands(in_order(hand)), troops.troop_hands(hand)
    assert len(counted) == len(listed)
    assert sorted(counted[number] for number in range(len(counted))) == sorted(listed)


def test_the_troop_hands_of_all_cards_are_counted_without_listing_them() -> None:
    """Both decks of eight players: more than any list could hold, so the counts of totals must not run over."""
    everything = troops.TroopHands(deck(2))
    assert len({everything[number] for number in range(0, len(everything), 997)}) == len(range(0, len(everything), 997))
    assert all(classify(everything[number]) for number in range(0, len(everything), 997))


def test_a_large_hand_has_many_troop_hands() -> None:
    """A hand of 42 cards (K101)."""
    assert len(troops.troop_hands(deck(1)[:42])) > 800


def ordinary(hand: list[str], most: int) -> list[tuple[str, ...]]:
    usable = [name for name in in_order(hand) if not card(name).commands]
    return [some for n in range(min(most, len(usable)) + 1) for some in combinations(usable, n) if value(some) <= 21]


@settings(max_examples=60)
@given(hands(9))
def test_the_best_ordinary_hand_is_the_highest_then_smallest_then_first_k93(hand: list[str]) -> None:
    places = {name: n for n, name in enumerate(deck(1))}
    for most in (1, 3, 99):
        best = min(ordinary(hand, most), key=lambda some: (-value(some), len(some), [places[name] for name in some]))
        assert troops.best_ordinary(hand, most) == best
    assert troops.best_ordinary(hand) == best


def test_epics_and_bosses_do_not_defend_automatically_k93() -> None:
    assert troops.best_ordinary(heroes("dragon warmaster")) == ()
    assert troops.best_ordinary(heroes("dragon A4 A5")) == heroes("A4 A5")


@settings(max_examples=60)
@given(hands(9))
def test_the_strongest_troops_beat_all_others_with_the_fewest_cards(hand: list[str]) -> None:
    best = troops.best_troops(hand)
    strength = [(-classify(troop_hand).total, len(troop_hand)) for troop_hand in troops.troop_hands(hand)]
    assert ([(-classify(best).total, len(best))] if best else []) == sorted(strength)[:1]


def test_21_can_be_made_in_several_ways() -> None:
    listed = troops.twenty_ones(heroes("E C9 C12 A8 S1 A4 A4 dragon A8"))
    wanted = ("E", "C9 C12", "C12 A8 S1", "C9 A8 A4", "A8 A8 A4 S1", "C12 S1 A4 A4")
    assert {kinds(troop_hand) for troop_hand in listed} == {kinds(heroes(words)) for words in wanted}
    assert len(listed) == len(wanted)


@for_each(
    "suit, words, can",
    [
        ("sun", "C9 C12", True),
        ("plum", "A5 A8 A8", True),
        ("sun", "C12 A8 S1", True),
        ("pine", "E", False),
        ("sun", "A5 A8 A8 S3", False),
        ("wave", "C9 C11", False),
        ("", "A8 dragon", False),
    ],
)
def test_a_not_so_secret_move_needs_21_in_one_suit_k43(suit: str, words: str, can: bool) -> None:
    assert troops.not_so_secret(heroes(words, suit)) == can


def test_a_not_so_secret_move_cannot_mix_suits_or_use_epics_k43() -> None:
    assert not troops.not_so_secret(("sun-champion-9-1", "wave-champion-12-1"))
    assert not troops.not_so_secret(("sun-attack-8-1", "epic-dragon"))
    assert not troops.not_so_secret(())


@settings(max_examples=60)
@given(hands(10))
def test_all_not_so_secret_sets_are_found_k43(hand: list[str]) -> None:
    some = (cards for n in range(2, len(hand) + 1) for cards in combinations(in_order(hand), n))
    wanted = {(card(cards[0]).suit, kinds(cards)) for cards in some if troops.not_so_secret(cards)}
    listed = troops.not_so_secret_sets(hand)
    assert {(card(cards[0]).suit, kinds(cards)) for cards in listed} == wanted
    assert len(listed) == len(wanted)
    assert all(cards == in_order(cards) for cards in listed)
