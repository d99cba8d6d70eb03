"""The heroes, transcribed independently and compared with the data (section 2); the cards in play."""

from collections import Counter
from itertools import combinations

import pytest

from games.rules.kingdoms import deck as cards
from games.rules.kingdoms.deck import KINDS, POWERS, RANK_NAMES, RANKS, SUIT_NAMES, SUITS, card, castle, deck, removed
from games.rules.protocol import IllegalAction

# class | card | value | dots | copies in each suit
HEROES = """
attack   | Archer          |  4 | 1 | 2
attack   | Spearman        |  5 | 1 | 2
attack   | Rider           |  6 | 2 | 2
attack   | Swordsman       |  7 | 2 | 2
attack   | Halberdier      |  8 | 2 | 2
champion | Captain         |  9 | 3 | 1
champion | Tactician       | 10 | 3 | 1
champion | Duelist         | 11 | 3 | 1
champion | General         | 12 | 3 | 1
support  | Drummer         |  1 | 1 | 1
support  | Healer          |  2 | 1 | 1
support  | Standard Bearer |  3 | 2 | 1
kingdom  | Emperor         | 21 | 4 | 2
kingdom  | Queen           | 21 | 4 | 2
kingdom  | Prince          | 21 | 5 | 1
kingdom  | Princess        | 21 | 6 | 1
"""
LONE = {
    "epic-dragon": ("Dragon", 13),
    "epic-oracle": ("Oracle", 13),
    "epic-fox": ("Fox", 13),
    "epic-carp": ("Carp", 13),
    "boss-warmaster": ("Warmaster", 16),
    "boss-spymaster": ("Spymaster", 16),
    "boss-builder": ("Master Builder", 16),
    "boss-peacekeeper": ("Peacekeeper", 16),
}


def test_every_suit_matches_the_list() -> None:
    rows = [[word.strip() for word in row.split("|")] for row in HEROES.strip().splitlines()]
    for suit in SUITS:
        heroes = Counter(
            (hero.kind, hero.name, hero.value, hero.dots) for hero in map(card, deck(1)) if hero.suit == suit
        )
        assert heroes == {
            (kind, f"{suit.title()} {name}", int(value), int(dots)): int(n) for kind, name, value, dots, n in rows
        }


def test_epics_and_bosses_have_no_suit_and_no_dots_k52() -> None:
    lone = {hero.id: hero for hero in map(card, deck(1)) if hero.suit is None}
    assert {name: (hero.name, hero.value) for name, hero in lone.items()} == LONE
    assert all(hero.dots == 0 and hero.commands and hero.power in POWERS for hero in lone.values())
    assert len({hero.power for hero in lone.values()}) == len(POWERS)


def test_the_deck_adds_up() -> None:
    all_of_it = [card(name) for name in deck(1)]
    assert len(all_of_it) == len(set(deck(1))) == 100
    assert Counter(hero.kind for hero in all_of_it) == {
        "attack": 40, "champion": 16, "support": 12, "kingdom": 24, "epic": 4, "boss": 4,
    }  # fmt: skip
    assert sum(hero.value for hero in all_of_it) == 1052
    assert sum(hero.dots for hero in all_of_it) == 236
    assert Counter(hero.rank for hero in all_of_it if hero.rank) == {
        "emperor": 8,
        "queen": 8,
        "prince": 4,
        "princess": 4,
    }


def test_cards_add_up_to_21_as_often_as_the_rulebook_says() -> None:
    """Section 2: 792 of the 9,880 triples of Attack Heroes, 32 of the 120 pairs of Champions."""
    values = {kind: [hero.value for hero in map(card, deck(1)) if hero.kind == kind] for kind in ("attack", "champion")}
    assert sum(sum(three) == 21 for three in combinations(values["attack"], 3)) == 792
    assert sum(sum(two) == 21 for two in combinations(values["champion"], 2)) == 32


def test_ids_contain_suit_kind_value_or_rank_and_copy() -> None:
    assert deck(1)[0] == "sun-attack-4-1"
    assert {"plum-kingdom-princess-1", "wave-champion-12-1", "pine-support-3-1"} < set(deck(1))
    assert deck(1)[-1] == "boss-peacekeeper"


def test_a_card_keeps_the_prefix_of_its_deck_in_its_id() -> None:
    assert card("d2:sun-kingdom-queen-2").id == "d2:sun-kingdom-queen-2"
    assert card("d2:sun-kingdom-queen-2").name == card("sun-kingdom-queen-2").name == "Sun Queen"


@pytest.mark.parametrize("text", ["", "sun-attack-4-3", "d3:sun-attack-4-1", "castle-sun", "x" * 500])
def test_an_invalid_id_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(IllegalAction, match=r"^There is no card “.{0,40}”\.$"):
        card(text)


def test_two_decks_differ_by_their_prefix() -> None:
    assert len(set(deck(2))) == 200
    assert [name.split(":")[0] for name in deck(2)] == ["d1"] * 100 + ["d2"] * 100
    assert [name[3:] for name in deck(2)] == [*deck(1), *deck(1)]


@pytest.mark.parametrize(("players", "decks"), [(2, 1), (3, 1), (4, 1), (5, 2), (8, 2)])
def test_each_four_players_need_a_deck_k98(players: int, decks: int) -> None:
    assert cards.decks_for(players) == decks


def test_the_first_princes_of_each_deck_stay_k61_k97() -> None:
    assert removed(1) == ()
    assert removed(1, 3, 2) == ("pine-kingdom-princess-1", "plum-kingdom-prince-1", "plum-kingdom-princess-1")
    assert removed(2, 3, None) == ("d1:plum-kingdom-prince-1", "d2:plum-kingdom-prince-1")
    assert set(deck(2, 1, 2)) == set(deck(2)) - set(removed(2, 1, 2))
    assert len(deck(2, 1, 2)) == 200 - 2 * (3 + 2)


def test_cards_are_listed_in_deck_order() -> None:
    assert cards.in_order(reversed(deck(1))) == deck(1)
    assert cards.in_order(["d2:sun-attack-4-1", "d1:boss-builder"]) == ("d1:boss-builder", "d2:sun-attack-4-1")


def test_equal_cards_are_adjacent_whatever_their_suit() -> None:
    hand = (
        "sun-attack-4-1",
        "sun-kingdom-queen-1",
        "plum-attack-4-2",
        "epic-fox",
        "epic-carp",
        "plum-kingdom-prince-1",
    )
    assert cards.alike(hand) == (
        ("sun-attack-4-1", "plum-attack-4-2"),
        ("sun-kingdom-queen-1",),
        ("epic-fox",),
        ("epic-carp",),
        ("plum-kingdom-prince-1",),
    )
    assert cards.alike(("d1:epic-fox", "d2:epic-fox")) == (("d1:epic-fox", "d2:epic-fox"),)


def test_every_seat_has_its_own_castle_k99() -> None:
    assert [castle(seat) for seat in range(4)] == [f"castle-{suit}" for suit in SUITS]
    assert castle(5, decks=2) == "d2:castle-wave"
    assert len({castle(seat, decks=2) for seat in range(8)}) == 8


def test_everything_has_a_name() -> None:
    assert set(KINDS) == {hero.kind for hero in map(card, deck(1))}
    assert tuple(RANK_NAMES) == RANKS
    assert tuple(SUIT_NAMES) == SUITS
    assert all(power.name and power.text.endswith(".") for power in POWERS.values())
