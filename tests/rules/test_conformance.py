"""What every ruleset of the registry keeps to, whatever its game."""

from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.fairness import Quick
from games.rules.protocol import Event, IllegalAction, NeedsChance, Ruleset, State
from games.rules.registry import RULESETS, get
from tests.rules.families import FAMILIES
from tests.rules.tables import Table, at_random, plain_and_full, seats
from tests.rules.walk import Step, Walk, check_draft, people, walk

pytestmark = pytest.mark.early

NAMES = ["Alice", "Bob", "Carol", "Dan", "Erin", "Frank", "Grace", "Heidi"]
MOST = 300


def is_between(table: Table) -> bool:
    """Return whether the table has neither the fewest nor the most players."""
    counts = table.ruleset.seat_counts
    return min(counts) < table.players < max(counts)


class Games(list[Walk]):
    """Games that print their table when their turn comes: the last one printed is the one that failed."""

    def __iter__(self) -> Iterator[Walk]:
        for game in super().__iter__():
            print(game.ruleset.slug, len(game.seats), game.options)
            yield game


def games_of(*tables: Table) -> Games:
    """A game of each table, then one of each table with random options."""
    others = [at_random(table.slug, table.players, len(str(table))) for table in tables]
    seeded = [*((0, table) for table in tables), *((1, table) for table in others)]
    return Games(walk(one.ruleset, one.players, seed, one.options) for seed, one in seeded)


@pytest.fixture(params=["fewest and most players", pytest.param("between", marks=pytest.mark.long)])
def tables(request: pytest.FixtureRequest) -> list[Table]:
    return [table for table in plain_and_full() if is_between(table) == (request.param == "between")]


@pytest.fixture
def games(tables: list[Table]) -> Games:
    return games_of(*tables)


def steps(games: Games) -> Iterator[tuple[Ruleset, Step]]:
    for game in games:
        for step in game.decisions[:: every(game)]:
            yield game.ruleset, step


LOOKS = pytest.mark.parametrize("share", [3, pytest.param(1, marks=pytest.mark.long)], ids=["a third", "all"])


def looks(game: Walk, share: int) -> list[Step]:
    """The steps of a game, or so many of them as one has time for, begun anywhere."""
    return game.steps[len(game.steps) % share :: max(share, every(game))]


def every(game: Walk) -> int:
    return FAMILIES[game.ruleset.slug].every


def spread(many: list) -> list:
    """All of a list; of a very long one some from everywhere."""
    return many[:: 1 + len(many) // MOST]


def viewers(game: Walk) -> list[int | None]:
    return [*range(len(game.seats)), None]


def test_every_ruleset_is_known_to_this_suite() -> None:
    assert set(FAMILIES) == set(RULESETS)


def test_a_ruleset_goes_by_its_slug() -> None:
    assert all(ruleset.slug == slug for slug, ruleset in RULESETS.items())
    with pytest.raises(KeyError):
        get("atlantis")


def test_somebody_is_to_act_until_the_game_is_over(games: Games) -> None:
    for game in games:
        for step in game.decisions:
            assert game.ruleset.to_act(step.before)
            assert not game.ruleset.is_over(step.before)
        assert game.ruleset.is_over(game.final)
        assert game.ruleset.to_act(game.final) == ()


def test_only_seats_to_act_have_something_to_do(games: Games) -> None:
    for game in games:
        for step in game.decisions:
            if not game.ruleset.sealed(step.before):
                waiting = game.ruleset.to_act(step.before)
                idle = [seat for seat in range(len(game.seats)) if seat not in waiting]
                assert not any(game.ruleset.legal(step.before, seat) for seat in idle)
        assert not any(game.ruleset.legal(game.final, seat) for seat in range(len(game.seats)))


def test_whoever_is_to_act_has_something_to_do_listed_once_and_in_a_stable_order(games: Games) -> None:
    for ruleset, step in steps(games):
        for seat in ruleset.to_act(step.before):
            legal = [ruleset.text(action) for action in ruleset.legal(step.before, seat)]
            assert legal
            assert len(set(legal)) == len(legal)
            assert legal == [ruleset.text(action) for action in ruleset.legal(step.before.copy(), seat)]


def test_every_legal_action_can_be_decided_and_leaves_the_position_as_it_is(games: Games) -> None:
    for ruleset, step in steps(games):
        before = msgspec.json.encode(step.before)
        for action in spread(ruleset.legal(step.before, step.seat)):
            assert ruleset.decide(step.before, step.seat, action, Quick(1))
        assert msgspec.json.encode(step.before) == before


def test_whatever_is_not_legal_is_refused_in_a_sentence(games: Games, tables: list[Table]) -> None:
    for game in Games(games[: len(tables)]):
        for step in game.decisions[:: 4 * every(game)]:
            legal = {game.ruleset.text(action) for action in game.ruleset.legal(step.before, step.seat)}
            words = FAMILIES[game.ruleset.slug].vocabulary(step.before)
            assert legal <= set(words)
            for text in spread(words):
                assert (refusal(game.ruleset, step.before, step.seat, text) is None) == (text in legal), text


def refusal(ruleset: Ruleset, state: State, seat: int, text: str) -> str | None:
    try:
        ruleset.decide(state, seat, ruleset.parse(text), None)
    except IllegalAction as refused:
        assert (str(refused)[0].isupper() or str(refused)[0] == "“") and str(refused).endswith(".")
        return str(refused)
    except NeedsChance:
        return None
    return None


def test_nobody_can_do_anything_once_it_is_over(games: Games) -> None:
    for game in games:
        for text in spread(FAMILIES[game.ruleset.slug].vocabulary(game.final)):
            assert refusal(game.ruleset, game.final, 0, text)


def test_a_seat_that_is_not_to_act_is_refused(games: Games) -> None:
    for ruleset, step in steps(games):
        idle = set(range(len(step.before.seats))) - set(ruleset.to_act(step.before))
        if not ruleset.sealed(step.before):
            assert all(refusal(ruleset, step.before, other, ruleset.text(step.action)) for other in idle)


def test_a_draft_finds_the_same_events_up_to_what_chance_adds(games: Games) -> None:
    for ruleset, step in steps(games):
        try:
            draft = ruleset.decide(step.before, step.seat, step.action, None)
        except NeedsChance:
            continue
        assert draft
        assert step.events[: len(draft)] == draft


def test_whatever_a_draft_offers_the_game_accepts_in_the_same_order(games: Games) -> None:
    for ruleset, step in steps(games):
        for seat in ruleset.to_act(step.before):
            check_draft(ruleset, step.before, seat, Quick(len(step.events)))


def test_the_same_chance_decides_the_same(games: Games) -> None:
    for ruleset, step in steps(games):
        decided = [ruleset.decide(step.before, step.seat, step.action, Quick(3)) for _ in range(2)]
        assert decided[0] == decided[1]


def test_the_position_is_the_fold_of_the_events(games: Games) -> None:
    for game in games:
        state = game.ruleset.initial(game.options, game.seats)
        for step in game.steps:
            for event in step.events:
                game.ruleset.evolve(state, event)
            assert state == step.after


def test_actions_positions_and_events_survive_their_text_forms(games: Games) -> None:
    for game in games:
        for step in game.steps:
            if step.action is not None:
                assert game.ruleset.parse(game.ruleset.text(step.action)) == step.action
            line = msgspec.json.encode(step.after)
            assert b"\n" not in line
            assert msgspec.json.decode(line, type=game.ruleset.state_type) == step.after
            wire = msgspec.json.encode(step.events)
            assert msgspec.json.decode(wire, type=list[game.ruleset.event_type]) == step.events


def test_a_copy_shares_nothing_that_changes(games: Games) -> None:
    for game in games:
        state = game.steps[0].before.copy()
        for step in game.steps:
            kept, before = state.copy(), msgspec.json.encode(state)
            for event in step.events:
                game.ruleset.evolve(state, event)
            assert msgspec.json.encode(kept) == before


def test_pieces_cards_and_coins_are_conserved_after_every_event(games: Games) -> None:
    for game in games:
        for step in game.steps:
            check_conservation(game.ruleset, step.before, step.events)


def check_conservation(ruleset: Ruleset, before: State, events: list[Event]) -> None:
    family, state = FAMILIES[ruleset.slug], before.copy()
    for event in events:
        expected = family.totals(state)
        expected.update(family.flow(state, event))
        ruleset.evolve(state, event)
        totals = family.totals(state)
        assert totals == expected, event
        assert min(totals.values()) >= 0


@LOOKS
def test_a_view_tells_nothing_that_its_reader_may_not_know(games: Games, share: int) -> None:
    for game in games:
        for step in looks(game, share):
            for seat in viewers(game):
                other = FAMILIES[game.ruleset.slug].scramble(step.after, seat)
                assert other != step.after
                assert game.ruleset.view(other, seat) == game.ruleset.view(step.after, seat)


def test_a_view_shows_the_legal_actions_of_its_own_seat(games: Games) -> None:
    for ruleset, step in steps(games):
        legal = tuple(ruleset.text(action) for action in ruleset.legal(step.before, step.seat))
        assert ruleset.view(step.before, step.seat).legal == legal
        assert ruleset.view(step.before, None).legal == ()


@LOOKS
def test_a_sample_of_a_view_has_that_view(games: Games, share: int) -> None:
    for game in games:
        for step in looks(game, share):
            for seat in viewers(game):
                view = game.ruleset.view(step.after, seat)
                sample = game.ruleset.sample(view, Quick(1))
                assert game.ruleset.view(sample, seat) == view


def test_a_sample_can_be_played_on_without_changing_the_view(games: Games) -> None:
    for ruleset, step in steps(games):
        view = ruleset.view(step.before, step.seat)
        before = msgspec.json.encode(view)
        sample = ruleset.sample(view, Quick(1))
        for event in ruleset.decide(sample, step.seat, step.action, Quick(1)):
            ruleset.evolve(sample, event)
        assert msgspec.json.encode(view) == before


def test_a_view_is_plain_data(games: Games) -> None:
    for game in games:
        for seat in viewers(game):
            assert msgspec.json.encode(game.ruleset.view(game.final, seat))


def test_what_a_seat_decides_in_secret_is_seen_by_nobody_else(games: Games) -> None:
    for game in games:
        for step in game.decisions:
            if game.ruleset.sealed(step.before) and game.ruleset.sealed(step.after):
                seen = {viewer: [game.ruleset.seen(event, viewer) for event in step.events] for viewer in viewers(game)}
                assert seen.pop(step.seat) == step.events
                assert not any(any(events) for events in seen.values())


def test_a_seat_sees_the_whole_of_what_it_does_itself(games: Games) -> None:
    """What follows may be for the next seat: its turn begins with cards of its own."""
    for game in games:
        for step in game.decisions:
            for event in step.events:
                if getattr(event, "seat", step.seat) == step.seat:
                    assert game.ruleset.seen(event, step.seat) == event


def test_every_event_can_be_said_and_names_who_did_it(games: Games) -> None:
    for game in games:
        names = NAMES[: len(game.seats)]
        for step in game.steps:
            for event in step.events:
                sentence = game.ruleset.say(event, names)
                assert not sentence or sentence.endswith(".")
                assert "{" not in sentence
                if sentence and hasattr(event, "seat"):
                    assert names[event.seat] in sentence


def test_a_score_has_a_line_for_every_point(games: Games) -> None:
    for game in games:
        for step in game.decisions:
            for score in game.ruleset.score(step.after).seats:
                assert score.total == sum(line.points for line in score.lines)


def test_places_agree_with_totals_and_somebody_wins(games: Games) -> None:
    for game in games:
        sheet = game.ruleset.score(game.final)
        assert sheet.winners
        for one in sheet.seats:
            assert one.place == 1 + sum(other.place < one.place for other in sheet.seats)
            assert all(one.place <= other.place for other in sheet.seats if other.total < one.total)


@settings(max_examples=60, deadline=None)
@given(
    case=st.sampled_from(seats()), seed=st.integers(0, 1 << 30), choices=st.lists(st.integers(0, 1 << 16), max_size=300)
)
def test_however_it_is_played_a_game_ends_and_nothing_is_lost(case: tuple, seed: int, choices: list[int]) -> None:
    """The choices steer the first decisions, so that a failure shrinks; after them the game goes on at random."""
    table, chance = at_random(*case, seed), Quick(seed)
    ruleset, players, options = table.ruleset, table.players, table.chosen
    state = ruleset.initial(options, people(players))
    play(ruleset, state, ruleset.start(options, people(players), chance))
    for turn in range(5000):
        waiting = ruleset.to_act(state)
        if not waiting:
            break
        seat, pick = waiting[-1], choices[turn] if turn < len(choices) else chance.below(1 << 16)
        actions = ruleset.legal(state, seat)
        play(ruleset, state, ruleset.decide(state, seat, actions[pick % len(actions)], chance))
    assert ruleset.is_over(state)
    assert ruleset.score(state).winners


def play(ruleset: Ruleset, state: State, events: list[Event]) -> None:
    check_conservation(ruleset, state, events)
    for event in events:
        ruleset.evolve(state, event)


def test_what_is_answered_and_what_is_done_for_somebody_late_can_be_decided(games: Games) -> None:
    """By orders alone, of each kind the usual one, or by what is done when time is up; null leaves it to others."""
    for ruleset, step in steps(games):
        usual = {field.name: field.default for field in ruleset.order_fields()}
        for seat in range(len(step.before.seats)):
            answer, late = ruleset.answer(step.before, seat, usual), ruleset.when_late(step.before, seat)
            assert answer is None or ruleset.is_reply(step.before), "in one's own turn nobody answers for one"
            for action in (answer, late):
                assert action is None or seat in ruleset.to_act(step.before)
                assert action is None or ruleset.decide(step.before, seat, action, Quick(0))


def test_what_is_left_over_is_counted_for_every_seat(games: Games) -> None:
    for game in games:
        left = game.ruleset.left_over(game.final)
        assert len(left) == len(game.seats) and (bool(game.ruleset.left_name) or not any(left))


def test_the_next_game_of_a_full_game_can_be_played(games: Games) -> None:
    for game in games:
        options = game.ruleset.next_options({}, game.final)
        assert game.ruleset.options(options, len(game.seats))
