"""Rules of the protocol that every ruleset of the registry keeps."""

from collections.abc import Callable, Iterator
from functools import cached_property

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.fairness import Quick
from games.rules.protocol import Action, Event, IllegalAction, NeedsChance, Ruleset, State
from games.rules.registry import RULESETS, get
from tests.rules.families import FAMILIES, Family
from tests.rules.tables import Table, at_random, is_between, plain_and_full, seats
from tests.rules.walk import Step, Walk, check_draft, people, walk

pytestmark = pytest.mark.early

NAMES = ["Alice", "Bob", "Carol", "Dan", "Erin", "Frank", "Grace", "Heidi"]
MOST = 300


class Games(list[Walk]):
    """Games that print their table when they are tested, so the last table printed is the one that failed."""

    def __iter__(self) -> Iterator[Walk]:
        for game in super().__iter__():
            print(game.ruleset.slug, len(game.seats), game.options)
            yield game


def games_of(*tables: Table) -> Games:
    """Play a game at each table, then one with random options for each table."""
    others = [at_random(table.slug, table.players, len(str(table))) for table in tables]
    seeded = [*((0, table) for table in tables), *((1, table) for table in others)]
    return Games(walk(table.ruleset, table.players, seed, table.options) for seed, table in seeded)


@pytest.fixture(params=["fewest and most players", pytest.param("between", marks=pytest.mark.long)])
def tables(request: pytest.FixtureRequest) -> list[Table]:
    return [
        table for table in plain_and_full() if is_between(table.slug, table.players) == (request.param == "between")
    ]


@pytest.fixture
def games(tables: list[Table]) -> Games:
    return games_of(*tables)


def one_of_each_family() -> list[Table]:
    """Return one table of four with all options for each family."""
    tables: dict[Family, Table] = {}
    for table in plain_and_full():
        if table.players == 4 and table.options != "{}":
            tables.setdefault(FAMILIES[table.slug], table)
    assert set(tables) == set(FAMILIES.values())
    return list(tables.values())


def every(game: Walk) -> int:
    return FAMILIES[game.ruleset.slug].every


def spread(many: list) -> list:
    """Return a list, thinned evenly if it is very long."""
    return many[:: 1 + len(many) // MOST]


def viewers(game: Walk) -> list[int | None]:
    return [*range(len(game.seats)), None]


def test_every_ruleset_is_known_to_this_suite() -> None:
    assert set(FAMILIES) == set(RULESETS)


def test_a_ruleset_is_registered_under_its_slug() -> None:
    assert all(ruleset.slug == slug for slug, ruleset in RULESETS.items())
    with pytest.raises(KeyError):
        get("atlantis")


# Each decision


class Look:
    """A decision of a game, with what several checks need to know about it."""

    def __init__(self, game: Walk, step: Step) -> None:
        self.game, self.ruleset, self.step = game, game.ruleset, step
        self.before, self.seat = step.before, step.seat

    @cached_property
    def waiting(self) -> tuple[int, ...]:
        return self.ruleset.to_act(self.before)

    @cached_property
    def idle(self) -> list[int]:
        return [seat for seat in range(len(self.game.seats)) if seat not in self.waiting]

    @cached_property
    def legal(self) -> dict[int, list[Action]]:
        """The legal actions of each seat to act."""
        return {seat: self.ruleset.legal(self.before, seat) for seat in self.waiting}

    @cached_property
    def decided(self) -> list[Event]:
        """What the action leads to with chance of its own."""
        return self.ruleset.decide(self.before, self.seat, self.step.action, Quick(3))

    def texts(self, seat: int) -> list[str]:
        return [self.ruleset.text(action) for action in self.legal[seat]]


Check = Callable[[Look], None]
AT_EACH_STEP: list[Check] = []
AT_SOME_STEPS: list[Check] = []  # at each step too, unless the family is slow


def at_each_step(check: Check) -> Check:
    AT_EACH_STEP.append(check)
    return check


def at_some_steps(check: Check) -> Check:
    AT_SOME_STEPS.append(check)
    return check


def test_every_decision_keeps_the_rules_of_the_protocol(games: Games) -> None:
    for game in games:
        for number, step in enumerate(game.decisions):
            look = Look(game, step)
            for check in (*AT_EACH_STEP, *(AT_SOME_STEPS if number % every(game) == 0 else ())):
                try:
                    check(look)
                except BaseException as error:
                    error.add_note(f"{check.__name__} failed at decision {number}: {game.ruleset.text(step.action)}")
                    raise


@at_each_step
def some_seat_is_to_act_until_the_game_is_over(look: Look) -> None:
    assert look.waiting
    assert not look.ruleset.is_over(look.before)


@at_each_step
def only_seats_to_act_have_legal_actions(look: Look) -> None:
    if not look.ruleset.sealed(look.before):
        assert not any(look.ruleset.legal(look.before, seat) for seat in look.idle)


@at_each_step
def a_seat_sees_all_of_its_own_actions(look: Look) -> None:
    """Later events may belong to the next seat, whose turn begins with cards of its own."""
    for event in look.step.events:
        if getattr(event, "seat", look.seat) == look.seat:
            assert look.ruleset.seen(event, look.seat) == event


@at_each_step
def a_secret_decision_is_seen_by_no_other_seat(look: Look) -> None:
    if look.ruleset.sealed(look.before) and look.ruleset.sealed(look.step.after):
        events = look.step.events
        seen = {viewer: [look.ruleset.seen(event, viewer) for event in events] for viewer in viewers(look.game)}
        assert seen.pop(look.seat) == events
        assert not any(any(those) for those in seen.values())


@at_each_step
def a_score_has_a_line_for_every_point(look: Look) -> None:
    for score in look.ruleset.score(look.step.after).seats:
        assert score.total == sum(line.points for line in score.lines)


@at_some_steps
def legal_actions_are_listed_once_and_in_a_stable_order(look: Look) -> None:
    for seat in look.waiting:
        legal = look.texts(seat)
        assert legal
        assert len(set(legal)) == len(legal)
        assert legal == [look.ruleset.text(action) for action in look.ruleset.legal(look.before.copy(), seat)]


class Drawn(Quick):
    """Chance that draws a given number and keeps from how many."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return self.number


@at_some_steps
def each_drawn_number_gives_another_legal_action(look: Look) -> None:
    for seat in look.waiting:
        texts = look.texts(seat)
        numbers = range(len(texts)) if len(texts) <= MOST else spread([*range(len(texts))])
        drawn = [Drawn(number) for number in numbers]
        actions = {look.ruleset.text(look.ruleset.random_action(look.before, seat, draw)) for draw in drawn}
        assert all(draw.asked == [len(texts)] for draw in drawn)
        assert len(actions) == len(numbers)
        assert actions <= set(texts)


@at_each_step
def advancing_decides_and_applies(look: Look) -> None:
    advanced = look.before.copy()
    assert look.ruleset.advance(advanced, look.seat, look.step.action, Quick(3)) == look.decided
    one_by_one = look.before.copy()
    for event in look.decided:
        look.ruleset.evolve(one_by_one, event)
    assert advanced == one_by_one


@at_some_steps
def every_legal_action_can_be_decided_without_changing_the_position(look: Look) -> None:
    before = msgspec.json.encode(look.before)
    for action in spread(look.legal[look.seat]):
        assert look.ruleset.decide(look.before, look.seat, action, Quick(1))
    assert msgspec.json.encode(look.before) == before


@at_some_steps
def a_seat_that_is_not_to_act_is_refused(look: Look) -> None:
    if not look.ruleset.sealed(look.before):
        text = look.ruleset.text(look.step.action)
        assert all(refusal(look.ruleset, look.before, other, text) for other in look.idle)


@at_some_steps
def a_draft_finds_the_same_events_up_to_the_first_that_needs_chance(look: Look) -> None:
    try:
        draft = look.ruleset.decide(look.before, look.seat, look.step.action, None)
    except NeedsChance:
        return
    assert draft
    assert look.step.events[: len(draft)] == draft


@at_some_steps
def the_game_accepts_the_actions_of_a_draft_in_the_same_order(look: Look) -> None:
    for seat in look.waiting:
        check_draft(look.ruleset, look.before, seat, Quick(len(look.step.events)))


@at_some_steps
def the_same_chance_decides_the_same(look: Look) -> None:
    assert look.ruleset.decide(look.before, look.seat, look.step.action, Quick(3)) == look.decided


@at_some_steps
def a_view_shows_the_legal_actions_of_its_own_seat(look: Look) -> None:
    view = look.ruleset.view(look.before, look.seat)
    assert view.legal == tuple(look.texts(look.seat))
    assert look.ruleset.view(look.before, None).legal == ()
    a_sample_can_be_played_on_without_changing_the_view(look, view)


def a_sample_can_be_played_on_without_changing_the_view(look: Look, view: object) -> None:
    before = msgspec.json.encode(view)
    sample = look.ruleset.sample(view, Quick(1))
    for event in look.ruleset.decide(sample, look.seat, look.step.action, Quick(1)):
        look.ruleset.evolve(sample, event)
    assert msgspec.json.encode(view) == before


@at_some_steps
def automatic_actions_can_be_decided(look: Look) -> None:
    """Standing orders with their defaults, and actions after a time-out. None leaves the decision to others."""
    usual = {field.name: field.default for field in look.ruleset.order_fields()}
    for seat in range(len(look.before.seats)):
        answer, late = look.ruleset.answer(look.before, seat, usual), look.ruleset.when_late(look.before, seat)
        assert answer is None or look.ruleset.is_reply(look.before), "orders answer only in the turns of others"
        for action in (answer, late):
            assert action is None or seat in look.waiting
            assert action is None or look.ruleset.decide(look.before, seat, action, Quick(0))


# Texts that are not legal


def test_every_text_that_is_not_legal_is_refused_with_a_sentence(games: Games, tables: list[Table]) -> None:
    for game in Games(games[: len(tables)]):
        for step in game.decisions[:: 4 * every(game)]:
            legal = {game.ruleset.text(action) for action in game.ruleset.legal(step.before, step.seat)}
            words = FAMILIES[game.ruleset.slug].vocabulary(step.before)
            assert legal <= set(words)
            for text in spread(words):
                assert (refusal(game.ruleset, step.before, step.seat, text) is None) == (text in legal), text
                assert text in legal or refuses_to_advance(game.ruleset, step.before, step.seat, text)


def refuses_to_advance(ruleset: Ruleset, before: State, seat: int, text: str) -> bool:
    """Return whether the refusal changes nothing."""
    state = before.copy()
    with pytest.raises(IllegalAction):
        ruleset.advance(state, seat, ruleset.parse(text), Quick(1))
    return state == before


def refusal(ruleset: Ruleset, state: State, seat: int, text: str) -> str | None:
    try:
        ruleset.decide(state, seat, ruleset.parse(text), None)
    except IllegalAction as refused:
        assert (str(refused)[0].isupper() or str(refused)[0] == "“") and str(refused).endswith(".")
        return str(refused)
    except NeedsChance:
        return None
    return None


# Events


def test_the_position_is_the_fold_of_events_that_conserve_pieces_cards_and_coins(games: Games) -> None:
    """A copy of the position shares nothing that the events change."""
    for game in games:
        state = game.ruleset.initial(game.options, game.seats)
        for step in game.steps:
            kept, before = state.copy(), msgspec.json.encode(state)
            evolve_and_check(game.ruleset, state, step.events)
            assert state == step.after
            assert msgspec.json.encode(kept) == before


def evolve_and_check(ruleset: Ruleset, state: State, events: list[Event]) -> None:
    family = FAMILIES[ruleset.slug]
    for event in events:
        expected = family.totals(state)
        expected.update(family.flow(state, event))
        ruleset.evolve(state, event)
        totals = family.totals(state)
        assert totals == expected, event
        assert min(totals.values()) >= 0


def test_actions_positions_and_events_round_trip_through_text(games: Games) -> None:
    for game in games:
        for step in game.steps:
            if step.action is not None:
                assert game.ruleset.parse(game.ruleset.text(step.action)) == step.action
            line = msgspec.json.encode(step.after)
            assert b"\n" not in line
            assert msgspec.json.decode(line, type=game.ruleset.state_type) == step.after
            wire = msgspec.json.encode(step.events)
            assert msgspec.json.decode(wire, type=list[game.ruleset.event_type]) == step.events


def test_every_event_has_a_sentence_that_names_its_player(games: Games) -> None:
    for game in games:
        names = NAMES[: len(game.seats)]
        for step in game.steps:
            for event in step.events:
                sentence = game.ruleset.say(event, names)
                assert not sentence or sentence.endswith(".")
                assert "{" not in sentence
                if sentence and hasattr(event, "seat"):
                    assert names[event.seat] in sentence


# Views


@pytest.mark.parametrize("share", [3, pytest.param(1, marks=pytest.mark.long)], ids=["a third", "all"])
def test_a_view_reveals_no_secret_and_a_sample_has_the_same_view(share: int) -> None:
    for game in games_of(*(one_of_each_family() if share > 1 else plain_and_full())):
        for step in game.steps[len(game.steps) % share :: max(share, every(game))]:
            for seat in viewers(game):
                view = game.ruleset.view(step.after, seat)
                other = FAMILIES[game.ruleset.slug].scramble(step.after, seat)
                assert other != step.after
                assert game.ruleset.view(other, seat) == view
                sample = game.ruleset.sample(view, Quick(1))
                assert game.ruleset.view(sample, seat) == view


# The end


def test_the_end_of_every_game_keeps_the_rules_of_the_protocol(games: Games) -> None:
    for game in games:
        players = range(len(game.seats))
        assert game.ruleset.is_over(game.final)
        assert game.ruleset.to_act(game.final) == ()
        assert not any(game.ruleset.legal(game.final, seat) for seat in players)
        for text in spread(FAMILIES[game.ruleset.slug].vocabulary(game.final)):
            assert refusal(game.ruleset, game.final, 0, text)
        for seat in viewers(game):
            assert msgspec.json.encode(game.ruleset.view(game.final, seat))
        left = game.ruleset.left_over(game.final)
        assert len(left) == len(players) and (bool(game.ruleset.left_name) or not any(left))


def test_places_agree_with_totals_and_some_seat_wins(games: Games) -> None:
    for game in games:
        sheet = game.ruleset.score(game.final)
        assert sheet.winners
        for line in sheet.seats:
            assert line.place == 1 + sum(other.place < line.place for other in sheet.seats)
            assert all(line.place <= other.place for other in sheet.seats if other.total < line.total)


@pytest.mark.long
def test_the_next_game_of_a_full_game_can_be_played(games: Games) -> None:
    for game in games:
        options = game.ruleset.next_options({}, game.final)
        assert game.ruleset.options(options, len(game.seats))


@pytest.mark.long
@settings(max_examples=60)
@given(
    case=st.sampled_from(seats()), seed=st.integers(0, 1 << 30), choices=st.lists(st.integers(0, 1 << 16), max_size=300)
)
def test_every_game_ends_and_loses_nothing(case: tuple, seed: int, choices: list[int]) -> None:
    """The choices steer the first decisions, so that failures shrink. The remaining decisions are random."""
    table, chance = at_random(*case, seed), Quick(seed)
    ruleset, players, options = table.ruleset, table.players, table.chosen
    state = ruleset.initial(options, people(players))
    evolve_and_check(ruleset, state, ruleset.start(options, people(players), chance))
    for turn in range(5000):
        waiting = ruleset.to_act(state)
        if not waiting:
            break
        seat, pick = waiting[-1], choices[turn] if turn < len(choices) else chance.below(1 << 16)
        actions = ruleset.legal(state, seat)
        evolve_and_check(ruleset, state, ruleset.decide(state, seat, actions[pick % len(actions)], chance))
    assert ruleset.is_over(state)
    assert ruleset.score(state).winners
