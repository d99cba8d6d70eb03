"""Random games of Kingdoms, and the invariants of every position."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from games.rules.fairness import Quick
from games.rules.kingdoms.deck import RANKS, card
from games.rules.kingdoms.realm import above
from games.rules.kingdoms.state import State, all_cards
from games.rules.kingdoms.values import SHOW, SHOWN_FROM, WINS, band, value
from games.rules.protocol import IllegalAction
from tests.rules.kingdoms.positions import KINGDOMS
from tests.rules.walk import Walk, people, walk

LONGEST = 20_000


@cache
def game(players: int, seed: int, options: str = "{}") -> Walk:
    """Play a random game and record it step by step."""
    return walk(KINGDOMS, players, seed, options)


def random_options(players: int, chance: Quick) -> dict[str, Any]:
    """Return a random valid combination of options."""
    while True:
        wanted = {
            field.name: field.choices[chance.below(len(field.choices))].value
            for field in KINGDOMS.option_fields(players)
            if chance.below(2)
        }
        try:
            KINGDOMS.options(wanted, players)
        except IllegalAction:
            continue
        return wanted


def play(players: int, options: Mapping[str, Any], seed: int) -> State:
    """Play a whole game, check every position and return the last."""
    for state in positions(players, options, seed):
        check(state)
    assert KINGDOMS.is_over(state)
    return state


def positions(players: int, options: Mapping[str, Any], seed: int) -> Iterator[State]:
    """Yield the position of a game after each step, always the same object. Battles are rarer than by pure chance."""
    chance, chosen = Quick(seed), KINGDOMS.options(options, players)
    state = KINGDOMS.initial(chosen, people(players))
    facts = KINGDOMS.start(chosen, people(players), chance)
    for _ in range(LONGEST):
        for event in facts:
            KINGDOMS.evolve(state, event)
        yield state
        waiting = KINGDOMS.to_act(state)
        if not waiting:
            return
        seat = waiting[chance.below(len(waiting))]
        facts = KINGDOMS.decide(state, seat, picked(state, seat, chance), chance)
    raise AssertionError(f"no end: {json.dumps(dict(options))}, seed {seed}")


def picked(state: State, seat: int, chance: Quick) -> Any:
    """Return an action of a random verb, so that the many attacks do not crowd out everything else."""
    legal = KINGDOMS.legal(state, seat)
    kinds = list(dict.fromkeys(map(type, legal)))
    kind = kinds[chance.below(len(kinds))]
    those = [action for action in legal if type(action) is kind]
    return those[chance.below(len(those))]


def check(state: State) -> None:
    """Check the invariants of section 15."""
    _check_zones(state)
    for seat in range(state.players):
        assert not above(state.rulers, seat, seat) if state.rulers[seat] is None else _comes_to_a_top(state, seat)
        ranks = tuple(card(card_id).rank for card_id in state.towers[seat])
        assert ranks == RANKS[: len(ranks)]
        assert len(ranks) < len(RANKS) or state.won_by == "empire"
        assert set(state.shown[seat]) <= set(state.hands[seat])
    assert not any(card(card_id).commands for card_id in state.flop)
    if state.battle is None and state.result is None and not state.owed:
        _check_values(state)


def _check_zones(state: State) -> None:
    """Check that every card is in exactly one place."""
    laid = [
        card_id
        for wave in (state.battle.waves if state.battle else ())
        for hand in wave.hands
        for card_id in hand.cards
    ]
    piles = [*state.hands, *state.towers, state.deck, state.flop, state.burn, state.out, laid]
    assert sorted(card_id for pile in piles for card_id in pile) == sorted(all_cards(state.options, state.players))


def _comes_to_a_top(state: State, seat: int) -> bool:
    for _ in range(state.players):
        ruler = state.rulers[seat]
        if ruler is None:
            return True
        seat = ruler
    return False


def _check_values(state: State) -> None:
    """Check bands and face-up cards, and that a hand worth 300 has won."""
    for hand, shown, shown_band in zip(state.hands, state.shown, state.bands, strict=True):
        assert value(hand) < WINS
        assert shown_band == band(value(hand))
        assert bool(shown) == (shown_band == SHOWN_FROM)
        assert not shown or value(shown) >= SHOW
