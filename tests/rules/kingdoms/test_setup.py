"""The deal, seats and decks (section 4)."""

from collections import Counter

import pytest

from games.rules.fairness import Quick
from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import card
from games.rules.kingdoms.state import State, all_cards
from games.rules.protocol import SeatInfo
from tests.rules.kingdoms.positions import KINGDOMS, applied, kinds_of

EVERY_TABLE = pytest.mark.parametrize("players", KINGDOMS.seat_counts)


def dealt(players: int, seed: int = 1, **options: object) -> tuple[State, list]:
    chosen, seats = KINGDOMS.options(options, players), [SeatInfo()] * players
    facts = KINGDOMS.start(chosen, seats, Quick(seed))
    return applied(KINGDOMS.initial(chosen, seats), facts), facts


@EVERY_TABLE
def test_every_player_has_five_cards_and_the_flop_three(players: int) -> None:
    state, _ = dealt(players)
    assert [len(hand) for hand in state.hands] == [5] * players
    assert len(state.flop) == 3
    assert state.burn == ()
    assert KINGDOMS.to_act(state) == (state.active,)


@EVERY_TABLE
def test_k1_castles_are_not_in_the_deck(players: int) -> None:
    state, _ = dealt(players)
    castles = [player.castle for player in KINGDOMS.view(state, 0).players]
    assert len(set(castles)) == players
    assert not set(castles) & set(all_cards(state.options, players))


def test_k2_the_first_player_is_random_and_play_follows_seat_order() -> None:
    assert {dealt(5, seed)[0].first for seed in range(60)} == set(range(5))
    state, _ = dealt(5)
    assert state.active == state.first


@pytest.mark.parametrize(("players", "cards"), [(2, 100), (4, 100), (5, 200), (8, 200)])
def test_k2_each_four_players_need_a_deck(players: int, cards: int) -> None:
    assert len(all_cards(KINGDOMS.options({}, players), players)) == cards


def test_k3_epics_and_bosses_are_kept_out_of_the_deal_and_shuffled_in_afterwards() -> None:
    for seed in range(30):
        state, _ = dealt(8, seed)
        assert not any(card(name).commands for name in (*state.flop, *(name for hand in state.hands for name in hand)))
        assert sum(card(name).commands for name in state.deck) == 16


def test_k3_the_draw_deck_is_shuffled_again_with_epics_and_bosses() -> None:
    """A single shuffle would bring them to the top, because the other cards left are its last ones."""
    decks = set()

    class Names(Quick):
        def draw(self, deck: str, cards: list[str]) -> str:
            decks.add(deck)
            return super().draw(deck, cards)

    chosen, seats = KINGDOMS.options({}, 2), [SeatInfo()] * 2
    state = applied(KINGDOMS.initial(chosen, seats), KINGDOMS.start(chosen, seats, Names(1)))
    assert decks == {"deal-0"}
    KINGDOMS.decide(state, state.active, KINGDOMS.parse("draw"), Names(1))
    assert decks == {"deal-0", "deck-1"}


def test_k67_the_first_turn_begins_with_the_deal() -> None:
    _, facts = dealt(4)
    assert kinds_of(facts) == ["deal", "turn"]
    assert isinstance(facts[0], e.Dealt)


def test_k61_princes_and_princesses_left_out_are_in_no_pile() -> None:
    state, _ = dealt(6, leave_princes="1", leave_princesses="3")
    ranks = Counter(
        card(name).rank for name in (*state.deck, *state.flop, *(name for hand in state.hands for name in hand))
    )
    assert (ranks["prince"], ranks["princess"], ranks["emperor"]) == (2, 6, 16)
