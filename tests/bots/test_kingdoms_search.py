"""The search of the stronger levels in Kingdoms: legal, blind to hidden cards, within its budget, and its strength."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from math import log

import pytest

from games.bots import search
from games.bots.bot import Bot, play_turn
from games.bots.kingdoms import evaluation, rollout, training, turns
from games.bots.registry import BOTS
from games.bots.selfplay import Table as Played
from games.bots.selfplay import seed_of
from games.rules.fairness import Quick
from games.rules.kingdoms.decide import advance
from games.rules.kingdoms.deck import card
from games.rules.kingdoms.state import FRESH, State
from games.rules.kingdoms.values import value
from games.rules.play import begin
from games.rules.protocol import Chance, SeatInfo
from tests.each import for_each
from tests.pace import seconds
from tests.rules.kingdoms.positions import ALICE, BOB, CAROL, KINGDOMS, after, position
from tests.rules.tables import at_random
from tests.rules.walk import Step, walk

PHASES = {"turn", "epic", "infiltrate", "protect", "defend", "tie"}


def positions_of(players: int, seed: int) -> Iterator[Step]:
    """Yield the decisions of a random game with random options, the first of each phase and every 23rd."""
    met = set[str]()
    table = at_random("kingdoms", players, seed)
    for number, step in enumerate(walk(KINGDOMS, players, seed, table.options).decisions):
        if step.before.phase not in met or number % 23 == 0:
            met.add(step.before.phase)
            yield step


@for_each("players", KINGDOMS.seat_counts)
def test_candidates_are_legal_and_go_as_far_as_a_submission_can(players: int) -> None:
    for step in positions_of(players, seed=3):
        view = KINGDOMS.view(step.before, step.seat)
        candidates = turns.candidates(KINGDOMS, view, Quick(1))
        assert candidates and len(set(candidates)) == len(candidates)
        for steps in candidates:
            state = step.before.copy()
            for number, action in enumerate(steps):
                assert KINGDOMS.text(action) in KINGDOMS.view(state, step.seat).legal
                before = state.phase, KINGDOMS.to_act(state)
                advance(state, step.seat, action, Quick(1))
                assert number + 1 == len(steps) or (state.phase, KINGDOMS.to_act(state)) == before


@for_each("players", KINGDOMS.seat_counts)
def test_the_quick_player_looks_at_nothing_hidden_and_ends_every_game(players: int) -> None:
    for step in positions_of(players, seed=4):
        state, seat = step.before, step.seat
        twin = KINGDOMS.sample(KINGDOMS.view(state, seat), Quick(5))
        assert rollout.decision(twin, seat, twin.phase) == rollout.decision(state, seat, state.phase)
        rollout.shuffle(state := state.copy(), Quick(1))
        rollout.play_out(state, Quick(1))
        shares = [share for _lead, share in rollout.results(state)]
        assert sum(shares) == pytest.approx(1) and min(shares) >= 0


@for_each("level", ["hard", "master"])
def test_twins_that_differ_only_in_hidden_cards_get_the_same_turn(level: str) -> None:
    met = set[str]()
    for players in KINGDOMS.seat_counts:
        for step in positions_of(players, seed=6):
            view = KINGDOMS.view(step.before, step.seat)
            twin = KINGDOMS.sample(view, Quick(9))
            others = [KINGDOMS.view(state, step.seat) for state in (step.before, twin)]
            assert others[0] == others[1]
            played = [play_turn(KINGDOMS, other, BOTS[level], Quick(2), 40) for other in others]
            assert played[0] == played[1]
            met.add(step.before.phase)
    assert met >= PHASES


@for_each("budget", [400, 1600])
def test_a_decision_keeps_its_budget_within_20_percent(budget: int) -> None:
    play_out, spent = rollout.play_out, [0.0]

    def counted(state: State, chance: Chance, way: None) -> float:
        cost = play_out(state, chance, way)
        spent[0] += max(1.0, cost)
        return cost

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rollout, "play_out", counted)
        for players in (2, 5, 8):
            for step in list(positions_of(players, seed=7))[::4]:
                spent[0] = 0.0
                view = KINGDOMS.view(step.before, step.seat)
                search.plan(KINGDOMS, view, budget, Quick(1))
                allowed = rollout.allowance(step.before, budget)
                assert spent[0] <= 1.2 * allowed
                if allowed >= 400 and players > 2 and len(turns.candidates(KINGDOMS, view, Quick(1))) > 1:
                    assert spent[0] >= 0.8 * allowed


@pytest.mark.long
@pytest.mark.parametrize(("level", "most"), [("hard", 0.3), ("master", 1.0)])
@pytest.mark.parametrize("players", [2, 4, 8])
def test_a_whole_turn_keeps_the_time_of_its_level(level: str, most: float, players: int) -> None:
    """In some turns of a game of the quick player; a fifth more on a busy machine."""
    chance, starts = Quick(players), list[State]()
    state, _events = begin(KINGDOMS, KINGDOMS.options({}, players), [SeatInfo(bot=True)] * players, chance)
    while state.phase != "over" and len(starts) < 5 * players:
        if state.phase == "turn" and state.flags == FRESH:
            starts.append(state.copy())
        seat = KINGDOMS.to_act(state)[0]
        advance(state, seat, rollout.decision(state, seat, state.phase), chance)
    spent = [
        seconds(lambda start=start: whole_turn(start, BOTS[level])) for start in starts[players :: len(starts) // 4]
    ]
    print(level, players, [round(second, 2) for second in spent])
    assert max(spent) < 1.2 * most


def whole_turn(state: State, bot: Bot) -> None:
    """Play the turn that begins in the position, without what others answer."""
    state, seat, turn = state.copy(), state.active, (state.active, state.round)
    while (state.active, state.round) == turn and seat in KINGDOMS.to_act(state):
        for text in bot.plan(KINGDOMS, KINGDOMS.view(state, seat), bot.budget, Quick(1)):
            advance(state, seat, KINGDOMS.parse(text), Quick(1))


# Values


def test_the_chances_of_a_position_sum_to_1_and_favour_who_is_about_to_win() -> None:
    equal = evaluation.chances(position(4, hands=dict.fromkeys(range(4), "A4 A5 C9"), drawn=False))
    assert sum(equal) == pytest.approx(1) and max(equal) < 0.5
    nearly = position(4, hands={ALICE: "X A4 A8"}, towers={ALICE: "E Q P"}, drawn=False)
    assert evaluation.chances(nearly)[ALICE] > 0.9


def test_training_predicts_games_it_has_not_seen_and_repeats_itself() -> None:
    games = [training.examples(2, seed) for seed in range(60)]
    seen, unseen = ([example for game in some for example in game] for some in (games[:40], games[40:]))
    weights = training.fitted(seen, Quick(1), epochs=2)
    assert training.loss(unseen, weights) < log(2)
    assert weights == training.fitted(seen, Quick(1), epochs=2)
    assert training.examples(2, 3) == games[3]


# What it supposes


def test_hidden_troops_are_supposed_to_be_good_ones_of_their_owner() -> None:
    state = after(
        position(2, hands={ALICE: "warmaster E A4 A5 A6 C9 S1", BOB: "A7 A8"}), "attack 1 with boss-warmaster+E"
    )
    view, totals = KINGDOMS.view(state, BOB), list[int]()
    for seed in range(60):
        supposed = search.supposed(KINGDOMS, view, Quick(seed))
        assert KINGDOMS.view(supposed, BOB) == view
        totals.append(value(supposed.battle.wave.hands[0].cards))
    assert sum(total >= 21 for total in totals) >= 50


def test_nobody_is_supposed_to_hold_an_epic_that_nobody_saw_and_few_the_next_tower() -> None:
    state = position(2, hands={ALICE: "A4 A5", BOB: "A4 A5 A6 A7 A8 C9 C10"})
    view, held = KINGDOMS.view(state, ALICE), Counter[str]()
    for seed in range(200):
        for sample, kind in ((KINGDOMS.sample, "sampled"), (partial(search.supposed, KINGDOMS), "supposed")):
            heroes = [card(name) for name in sample(view, Quick(seed)).hands[BOB]]
            held[kind, "epic"] += any(hero.kind == "epic" for hero in heroes)
            held[kind, "emperor"] += any(hero.rank == "emperor" for hero in heroes)
    # One stays where every exchange tried would change the announced value.
    assert held["supposed", "epic"] < 0.1 * held["sampled", "epic"]
    assert held["supposed", "emperor"] < 0.8 * held["sampled", "emperor"]


def test_no_supposed_hand_has_won_already() -> None:
    rich = " ".join(f"C{9 + n // 4} A{4 + n // 4}" for n in range(16)) + " A8 A8"
    state = position(2, hands={ALICE: "A8 A8", BOB: rich}, flop="S1 S2 S3")
    assert 270 < value(state.hands[BOB]) < 300
    for seed in range(100):
        assert value(search.supposed(KINGDOMS, KINGDOMS.view(state, ALICE), Quick(seed)).hands[BOB]) < 300


# What it finds


def best(state: State, budget: int = 400) -> str:
    """Return the first action of the best idea of the seat to act."""
    seat = KINGDOMS.to_act(state)[0]
    return search.ideas(KINGDOMS, KINGDOMS.view(state, seat), seat, budget, Quick(1))[0].actions[0]


def test_it_builds_the_princess_that_wins() -> None:
    assert best(position(hands={ALICE: "X A4 A8"}, towers={ALICE: "E Q P"}, drawn=False)).startswith("build ")


def test_it_storms_the_tower_of_the_player_who_is_about_to_win() -> None:
    state = position(
        3, hands={ALICE: "A4 A5", BOB: "A4 A8 C9 A7 A6", CAROL: "A4 A4"}, towers={BOB: "E Q P", CAROL: "E"}, drawn=False
    )
    state = after(state, "draw", draws="dragon")
    assert state.phase == "epic" and best(state) == f"storm {BOB}"


@pytest.mark.long
@pytest.mark.parametrize(
    ("better", "worse", "deals"), [("medium", "easy", 12), ("hard", "medium", 12), ("master", "hard", 50)]
)
def test_each_level_beats_the_one_below(better: str, worse: str, deals: int) -> None:
    """It wins more than half of deals for two, each played from both seats. Master wins 60% against Hard."""
    won = 0
    for deal in range(deals):
        for seat in range(2):
            seats = [BOTS[better], BOTS[worse]][:: -1 if seat else 1]
            sheet = Played(KINGDOMS, {}, seats, seed_of("kingdoms-order", deal)).play().record.scoresheet
            won += sheet is not None and seat in sheet.winners
            print(f"{better} has won {won} of {2 * deal + seat + 1} games against {worse}")
    assert won > deals
