"""Random games with all options and numbers of players; every position is checked."""

import pytest

from games.rules.fairness import Quick
from games.rules.kingdoms.state import State
from games.rules.protocol import Event
from tests.each import for_each
from tests.rules.kingdoms.play import check, game, play, positions, random_options
from tests.rules.kingdoms.positions import KINGDOMS
from tests.rules.walk import check_draft


def plays(first: int, games: int) -> list[str]:
    ends = []
    for seed in range(first, first + games):
        players = KINGDOMS.seat_counts[seed % len(KINGDOMS.seat_counts)]
        options = random_options(players, Quick(seed))
        try:
            ends.append(play(players, options, seed).won_by)
        except Exception as failure:
            failure.add_note(f"seed {seed}, {players} players, {options}")
            raise
    return ends


@pytest.mark.long
def test_sixty_games_with_random_options_end() -> None:
    assert set(plays(0, 60)) >= {"conquest", "value", "quickplay"}


@pytest.mark.long
def test_two_thousand_games_with_random_options_end() -> None:
    assert set(plays(1000, 2000)) >= {"conquest", "value", "quickplay", "empire"}


@pytest.mark.parametrize("first", [414, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(0, 400, 20))])
def test_a_drafted_reply_is_accepted_in_games_of_five_to_eight(first: int) -> None:
    """Seed 414 has a ruler with an empty hand who protects a sub-kingdom (K84)."""
    for seed in range(first, first + (1 if first == 414 else 20)):
        players = 5 + seed % 4
        for number, state in enumerate(positions(players, random_options(players, Quick(seed)), seed)):
            for seat in KINGDOMS.to_act(state) if KINGDOMS.is_reply(state) else ():
                check_draft(KINGDOMS, state, seat, Quick(number))


@for_each("players", KINGDOMS.seat_counts)
def test_positions_keep_their_invariants_after_each_step(players: int) -> None:
    for step in game(players, seed=1).steps:
        check(step.after)


class Drawn(Quick):
    """Chance that draws a given number below a given one."""

    def __init__(self, number: int, n: int) -> None:
        self.number, self.n = number, n

    def below(self, n: int) -> int:
        assert n == self.n
        return self.number


@for_each("players, seed", [(2, 5), (4, 7), (4, 11), (8, 3)])
def test_a_random_action_is_each_legal_one_for_exactly_one_drawn_number(players: int, seed: int) -> None:
    """If each number is equally likely, so is each legal action."""
    for state in positions(players, random_options(players, Quick(seed)), seed):
        for seat in KINGDOMS.to_act(state):
            listed = KINGDOMS.legal(state, seat)
            drawn = [KINGDOMS.random_action(state, seat, Drawn(number, len(listed))) for number in range(len(listed))]
            assert sorted(map(KINGDOMS.text, drawn)) == sorted(map(KINGDOMS.text, listed))


@pytest.mark.long
@for_each("players", KINGDOMS.seat_counts)
def test_a_final_showdown_ends_with_a_winner_or_a_new_deal(players: int) -> None:
    """Start from turns of random games with the piles removed."""
    turns = [step.after for step in game(players, seed=9).steps if step.after.phase == "turn"]
    begun = [state for state in turns if state.flags.drawn]
    for number, before in enumerate(begun[:: 1 + len(begun) // 12]):
        state = before.copy()
        state.out, state.deck, state.burn, state.flop = (*state.deck, *state.burn, *state.flop), (), (), ()
        facts = KINGDOMS.decide(state, state.active, KINGDOMS.parse("end"), Quick(number))
        ends = fought_out(state, facts, Quick(number))
        assert ends.won_by in ("showdown", "conquest") or ends.deal == 1


def fought_out(state: State, facts: list[Event], chance: Quick) -> State:
    """Play a Final Showdown, check every position and return the last."""
    while True:
        for event in facts:
            KINGDOMS.evolve(state, event)
        check(state)
        if not state.showdown or KINGDOMS.is_over(state):
            return state
        seat = KINGDOMS.to_act(state)[0]
        legal = KINGDOMS.legal(state, seat)
        facts = KINGDOMS.decide(state, seat, legal[chance.below(len(legal))], chance)
