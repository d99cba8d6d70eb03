"""Verifiable chance: published vectors, no bias, and the same deck whatever the players do."""

from collections import Counter

import pytest

from games.rules.fairness import Fair, Quick, keyed, seed_hash

SEED = bytes(range(32))
# Computed with openssl: printf deck/deck-0/lake | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f
VECTORS = {
    ("deck", "deck-0", "lake"): "38358d183ee4ea6b102cbdb832299a0dcce2fec442e154799527e4b423088243",
    ("draw", 7, 0): "10880fccf1ccea15fba405fb7a0e31691a881a85c886e22ce54d221bff43b546",
}
DEALT = ["night-hydra", "stronghold", "lake", "ancient-phoenix", "dire-eye"]
DRAWS = [41, 18, 29, 59, 1, 8]
CARDS = ["ancient-phoenix", "dire-eye", "lake", "night-hydra", "stronghold"]


def order(chance: Fair, cards: list[str], deck: str = "deck-0") -> list[str]:
    left, dealt = list(cards), []
    while left:
        dealt.append(chance.draw(deck, left))
        left.remove(dealt[-1])
    return dealt


def test_the_commitment_to_a_seed_is_its_sha256() -> None:
    assert seed_hash(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize("words", VECTORS)
def test_every_draw_is_hmac_sha256_of_words_joined_by_slashes(words: tuple) -> None:
    assert keyed(SEED, *words).hex() == VECTORS[words]


def test_a_deck_deals_the_card_with_the_smallest_number() -> None:
    assert order(Fair(SEED), CARDS) == DEALT


def test_the_same_seed_deals_the_same_deck_regardless_of_other_draws() -> None:
    calm, busy = Fair(SEED), Fair(SEED)
    for seq in range(5):
        busy.at(seq).below(6)
    assert calm.draw("deck-0", CARDS) == busy.draw("deck-0", CARDS)
    assert calm.draw("deck-0", CARDS[::-1]) == busy.draw("deck-0", CARDS)


def test_removing_a_card_keeps_the_order_of_the_others() -> None:
    for gone in CARDS:
        assert order(Fair(SEED), [card for card in CARDS if card != gone]) == [card for card in DEALT if card != gone]


def test_another_shuffle_gives_another_order() -> None:
    assert order(Fair(SEED), CARDS, "deck-1") != DEALT


def test_the_draws_of_an_entry_are_numbered() -> None:
    chance = Fair(SEED).at(7)
    assert [chance.below(100) for _ in range(6)] == DRAWS
    assert [chance.at(7).below(100), chance.below(100)] == DRAWS[:2]
    assert chance.at(8).below(1 << 60) != chance.at(7).below(1 << 60)


def test_a_number_that_would_bias_the_draw_is_skipped() -> None:
    """For n = 3 * 2^62, a quarter of all 64-bit numbers is rejected; plain remainders would favor small results."""
    n = 3 << 62
    chance = Fair(SEED)
    numbers = [int.from_bytes(keyed(SEED, "draw", 0, number)[:8]) for number in range(200)]
    kept = [number for number in numbers if number < n]
    assert len(kept) < len(numbers)
    assert [chance.below(n) for _ in kept] == kept


@pytest.mark.parametrize("chance", [Fair(SEED), Quick(1)], ids=["fair", "quick"])
def test_all_numbers_are_equally_likely(chance: Fair | Quick) -> None:
    seen = Counter(chance.below(6) for _ in range(6000))
    assert set(seen) == set(range(6))
    assert all(850 < count < 1150 for count in seen.values())


@pytest.mark.parametrize("chance", [Fair(SEED), Quick(1)], ids=["fair", "quick"])
def test_a_choice_of_one_is_always_chosen(chance: Fair | Quick) -> None:
    assert chance.below(1) == 0
    assert chance.draw("deck-0", ["lake"]) == "lake"


def test_all_cards_are_equally_likely_to_come_first() -> None:
    first = Counter(Fair(bytes([n % 256, n // 256])).draw("deck-0", CARDS) for n in range(2000))
    assert all(330 < first[card] < 470 for card in CARDS)


def test_quick_chance_has_the_published_numbers_of_splitmix64() -> None:
    chance = Quick(1234567)
    assert [chance.below(1 << 64) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_quick_chance_follows_from_its_seed() -> None:
    assert [Quick(5).below(1000) for _ in range(3)] == [Quick(5).below(1000)] * 3
    assert Quick(5).below(1 << 60) != Quick(6).below(1 << 60)
