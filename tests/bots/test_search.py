"""The search of the stronger levels: what it returns and costs, that it plays on by the rules, and its strength."""

import pytest

from games.bots import search
from games.bots.eight_minute import rollout
from games.bots.eight_minute.board import BUILD, MOVE, PLACE, Step
from games.bots.eight_minute.evaluation import expected_value
from games.bots.eight_minute.knowledge import reach
from games.bots.eight_minute.playout import Playout
from games.bots.eight_minute.training import opening
from games.bots.registry import BOTS
from games.bots.selfplay import Table as Played
from games.bots.selfplay import seed_of
from games.rules.eight_minute import actions as a
from games.rules.eight_minute.legal import crossing
from games.rules.eight_minute.state import State
from games.rules.fairness import Dealt, Quick
from games.rules.play import apply
from games.rules.protocol import IllegalAction, Ruleset, View
from games.rules.registry import get
from tests.each import for_each
from tests.rules.tables import Table, plain_and_full
from tests.rules.walk import walk

TABLES = [table for table in plain_and_full() if get(table.slug).family == "eight_minute"]
RULESETS = ["legends", "prototype", "classic"]


def turns_of(table: Table, seed: int = 1) -> list[tuple[State, int]]:
    """Return the positions of a random game in which a turn begins."""
    game = walk(table.ruleset, table.players, seed, table.options)
    return [
        (step.before, step.seat) for step in game.decisions if step.before.phase == "turn" and not step.before.taken
    ]


def view_in(ruleset: Ruleset, players: int, turn: int) -> View:
    state, seat = turns_of(Table(ruleset.slug, players))[turn]
    return ruleset.view(state, seat)


@for_each("slug", RULESETS)
def test_ideas_come_best_first_with_what_is_expected_of_them(slug: str) -> None:
    ruleset = get(slug)
    view = view_in(ruleset, 2, 12)
    ideas = search.ideas(ruleset, view, view.seat, 400, Quick(1))
    assert len(ideas) > 2 and ideas == search.ideas(ruleset, view, view.seat, 400, Quick(1))
    assert (ideas[0].loss, ideas[0].loss_doubt) == (0.0, 0.0)
    assert ideas[0].samples == max(idea.samples for idea in ideas) and min(idea.samples for idea in ideas) > 0
    for idea in ideas:
        assert 0 <= idea.chance <= 1
        state = ruleset.sample(view, Quick(2))
        apply(ruleset, state, view.seat, map(ruleset.parse, idea.actions), Quick(3))
        assert ruleset.to_act(state) != (view.seat,) or state.taken


def test_a_turn_that_is_asked_about_is_judged_with_the_same_samples_as_the_best() -> None:
    ruleset = get("legends")
    view = view_in(ruleset, 2, 8)
    worst = next(text for text in view.legal if text.startswith("take "))
    worst_turn = (worst, "done")
    ideas = search.ideas(ruleset, view, view.seat, 600, Quick(1), also=[worst_turn])
    [judged] = [idea for idea in ideas if idea.actions == worst_turn]
    assert judged.samples == ideas[0].samples


def test_there_are_no_ideas_out_of_turn() -> None:
    legends, kingdoms = get("legends"), get("kingdoms")
    view = view_in(legends, 2, 8)
    assert search.ideas(legends, view, 1 - view.seat, 100, Quick(1)) == []
    bidding = walk(legends, 2, seed=1).decisions[0].before
    assert search.ideas(legends, legends.view(bidding, 0), 0, 100, Quick(1)) == []
    first = walk(kingdoms, 2, seed=1).decisions[0]
    assert search.ideas(kingdoms, kingdoms.view(first.before, 1 - first.seat), 1 - first.seat, 100, Quick(1)) == []


@for_each("slug", RULESETS)
def test_in_the_last_turn_the_result_of_the_best_idea_is_certain(slug: str) -> None:
    """The expected lead is the final one, and no other idea leads by more."""
    ruleset = get(slug)
    state, seat = turns_of(Table(slug, 2))[-1]
    ideas = search.ideas(ruleset, ruleset.view(state, seat), seat, 200, Quick(1))
    leads = []
    for idea in ideas:
        end = state.copy()
        apply(ruleset, end, seat, map(ruleset.parse, idea.actions), Quick(1))
        totals = [score.total for score in ruleset.score(end).seats]
        leads.append(totals[seat] - totals[1 - seat])
        assert idea.lead == leads[-1] and idea.doubt == 0
    assert leads[0] == max(leads)


@pytest.mark.parametrize(
    ("budget", "table"),
    [
        (400, Table("legends", 2)),
        (400, Table("classic", 2)),
        *[pytest.param(4000, table, marks=pytest.mark.long) for table in (TABLES[0], Table("classic", 5), TABLES[-1])],
    ],
    ids=str,
)
def test_a_decision_keeps_its_budget_within_20_percent(
    budget: int, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The budget is used up if there is something to find out, and never exceeded by more than a fifth."""
    spent, play_out = [0.0], rollout.play_out

    def counted(state: State, chance: Quick, way: rollout.Way) -> float:
        cost = play_out(state, chance, way)
        spent[0] += max(1.0, cost)
        return cost

    monkeypatch.setattr(rollout, "play_out", counted)
    turns = turns_of(table)
    for number, (state, seat) in list(enumerate(turns))[:: len(turns) // 3]:
        spent[0] = 0.0
        search.plan(table.ruleset, table.ruleset.view(state, seat), budget, Quick(1))
        allowed = rollout.allowance(state, budget)
        assert spent[0] <= 1.2 * allowed
        assert spent[0] >= 0.8 * allowed or number > len(turns) // 2


@for_each("looks_ahead", [False, True])
def test_playing_on_follows_the_rules(looks_ahead: bool) -> None:
    """Each turn that the quick player plays gives, by the rules, the same position, with every option and effect."""
    turns = 0
    for table in TABLES:
        if table.players not in (2, 4):
            continue
        for state, seat in turns_of(table)[::5]:
            before, quick = state.copy(), state.copy()
            rollout.shuffle(before, Quick(7))
            rollout.shuffle(quick, Quick(7))
            done: list[Step] = []
            apply_steps = rollout.apply_steps

            def noted(state, seat, steps, chance, done=done, apply_steps=apply_steps) -> None:
                done[:] = steps  # of the turn, after those that were only considered
                apply_steps(state, seat, steps, chance)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(rollout, "apply_steps", noted)
                rollout.take_turn(quick, Dealt(1), looks_ahead=looks_ahead)
            by_rules(table.ruleset, before, seat, quick.owned[seat][-1], done)
            assert parts(before) == parts(quick), (table, done)
            turns += 1
    assert turns > 100


@for_each("slug", RULESETS)
def test_looking_ahead_changes_nothing_but_the_choice(slug: str) -> None:
    """A playout that is kept from turn to turn gives the same games as a new one in each turn."""
    for deal in range(10):
        kept, fresh = (opening(slug, 2, deal).copy() for _ in range(2))
        playout = Playout(kept)
        while kept.phase == "turn":
            rollout.take_turn(kept, Dealt(1), playout, looks_ahead=True)
            rollout.take_turn(fresh, Dealt(1), looks_ahead=True)
            assert parts(kept) == parts(fresh) and kept.turn == fresh.turn


def test_the_quick_player_is_better_when_it_looks_ahead() -> None:
    won = 0.0
    for deal in range(30):
        for seat in range(2):
            state = opening("legends", 2, deal).copy()
            playout = Playout(state)
            while state.phase == "turn":
                rollout.take_turn(state, Quick(deal), playout, looks_ahead=state.turn == seat)
            won += rollout.results(state)[seat][1]
    assert won > 33


def test_the_players_of_thorough_games_differ_from_game_to_game() -> None:
    """With the same deck, only they can make a difference; the same chance gives the same players."""

    def ends(way: rollout.Way) -> list[tuple]:
        outcomes = []
        for seed in (1, 2, 3, 4, 4):
            state = opening("legends", 2, deal=3).copy()
            rollout.play_out(state, Quick(seed), way)
            outcomes.append(tuple(map(tuple, state.owned)))
        return outcomes

    *different, again = ends(rollout.THOROUGH)
    assert len(set(different)) > 1 and again == different[-1]
    assert len(set(ends(rollout.QUICK))) == 1


def test_short_games_stop_early_and_their_positions_are_valued() -> None:
    state = opening("classic", 2, deal=1).copy()
    assert rollout.way(state, search.HARD) == rollout.way(state, search.MASTER) == rollout.SHORT
    taken = sum(map(len, state.owned))
    spent = rollout.play_out(state, Quick(1), rollout.SHORT)
    assert sum(map(len, state.owned)) == taken + rollout.SHORT.stops and state.phase == "turn"
    assert spent > rollout.cost(state) * rollout.SHORT.stops
    (lead, share), other = rollout.results(state)
    assert other == (-lead, 1 - share) and (share > 0.5) == (lead > 0)


def by_rules(ruleset: Ruleset, state: State, seat: int, card: str, done: list) -> None:
    """Play the card and what was done with it by the rules, and end the turn."""
    names = state.map.regions
    chance = Dealt(1)
    apply(ruleset, state, seat, [a.Take(card)], chance)
    for kind, region, target, cost, part in done:
        if kind == PLACE:
            steps: list = [a.Place(names[region])]
        elif kind == MOVE:
            water = crossing(state, seat, state.rules.cards[card].parts[part].ship)
            steps = list(dict(reach(state.layout, region, water, cost))[target])
        elif kind == BUILD:
            steps = [a.Build(names[region])]
        else:
            steps = [a.Destroy(names[region], target if target < state.players else a.NOBODY)]
        apply(ruleset, state, seat, steps, chance)
    try:
        apply(ruleset, state, seat, [a.Done()], chance)
    except IllegalAction:  # the turn has ended automatically
        assert state.taken != card


def parts(state: State) -> tuple:
    """Return what a turn changes and both ways must agree on."""
    return (
        state.armies, state.cities, state.supply, state.city_supply, state.coins, state.owned, sorted(state.row),
        sorted(state.deck), state.more_armies, state.more_movement, state.flying, state.elixirs, state.immune,
        state.tokens, state.won, state.towns, state.captives,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("slug", "bots", "first"),
    [
        ("classic", ("master", "medium"), 1),
        ("classic", ("hard", "master"), 0),
        ("classic", ("hard", "medium"), 0),
        ("legends", ("master", "hard"), 1),
        ("prototype", ("master", "hard"), 0),
        ("classic", ("master", "medium", "medium"), 0),
    ],
)
def test_master_goes_second_in_games_for_two_where_that_wins_more_often(
    slug: str, bots: tuple[str, ...], first: int
) -> None:
    """Here both bid the same, so that the first seat chooses who goes first."""
    game = Played(get(slug), {}, [BOTS[bot] for bot in bots], seed_of("opening", 1))
    turns = game.timed()
    while game.state.phase != "turn":
        next(turns)
    assert game.state.turn == first


def test_second_players_win_more_often_in_legends_and_classic() -> None:
    """In 40 games for two, the quick player wins more than half of those in which it goes second."""
    for slug in rollout.GOES_SECOND:
        won = 0.0
        for deal in range(40):
            state = opening(slug, 2, deal).copy()
            rollout.play_out(state, Quick(deal))
            won += rollout.results(state)[1][1]
        assert won > 20


@pytest.mark.long
@pytest.mark.parametrize("slug", RULESETS)
@pytest.mark.parametrize(("better", "worse"), [("medium", "easy"), ("hard", "medium"), ("master", "hard")])
def test_each_level_beats_the_one_below(slug: str, better: str, worse: str) -> None:
    """In twelve deals, each played from both seats, it wins more than half."""
    assert sum(wins(slug, better, worse, deal, "order") for deal in range(12)) > 12


def wins(slug: str, better: str, worse: str, deal: int, series: str) -> int:
    """Return how many of two games the better bot wins: the same deal from both seats."""
    wins = 0
    for seat in range(2):
        seats = [BOTS[better], BOTS[worse]][:: -1 if seat else 1]
        sheet = Played(get(slug), {}, seats, seed_of(series, deal)).play().record.scoresheet
        wins += sheet is not None and seat in sheet.winners
    return wins


def test_goods_are_hoped_for_only_while_copies_are_left() -> None:
    """Four crystals score 5 points, three score 3."""
    assert expected_value("classic", "crystal", 3, left=0, take_base=0.2, take_more=0.05) == 3
    hopes = [expected_value("classic", "crystal", 3, left, take_base=0.2, take_more=0.05) for left in range(4)]
    assert hopes == sorted(hopes) and 3 < hopes[1] < hopes[3] < 5


def test_the_quick_player_counts_the_goods_that_an_opponent_collects() -> None:
    """The same card is worth more to it if the opponent needs the good of that card."""
    state = next(state for state, _seat in turns_of(Table("classic", 2)) if sum(map(len, state.owned)) == 12)
    seat, crystals = state.turn, [card for card, facts in state.rules.cards.items() if facts.family == "crystal"]
    gains = []
    for held in ([], crystals[:3]):
        here = state.copy()
        for cards in (here.row, here.deck, *here.owned):
            cards[:] = [card for card in cards if card not in crystals]
        here.row[0], here.owned[1 - seat] = crystals[3], [*here.owned[1 - seat], *held]
        playout = Playout(here)
        playout.left = (1,) * len(here.rules.goods)
        gains.append(playout.gain(seat, crystals[3], 0, turns=5))
    assert gains[0] < gains[1]
