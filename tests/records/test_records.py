"""A corpus of finished games. What was stored once has to fold, follow and score as it did, for good.

Each file is what `manage.py selfplay legends --players N --seed random|greedy|mixed --bots … --records DIR` wrote,
packed with `gzip -n9`. Where `--options` were given, the name tells which in a word, and the record all of them.
A difference that is meant is a new version of the rules, with records of its own beside these.
"""

import gzip
from pathlib import Path

import msgspec
import pytest

from games.rules.log import facts, fold
from games.rules.protocol import State
from games.rules.record import Record, decode, replay, verify
from games.rules.registry import RULESETS, get

CORPUS = sorted(Path(__file__).parent.glob("*/*.json.gz"))


@pytest.fixture(params=CORPUS, ids=lambda path: path.name.removesuffix(".json.gz"))
def record(request: pytest.FixtureRequest) -> Record:
    return decode(gzip.decompress(request.param.read_bytes()))


def folded(record: Record, entries: int | None = None) -> State:
    rules = get(record.ruleset)
    seats = [seat.info for seat in record.seats]
    state = rules.initial(rules.options(record.options, len(seats)), seats)
    return fold(rules, state, record.entries[:entries])


def test_there_are_games_of_every_ruleset_and_number_of_players() -> None:
    records = [decode(gzip.decompress(path.read_bytes())) for path in CORPUS]
    tables = {(record.ruleset, len(record.seats)) for record in records}
    assert tables == {(slug, players) for slug, rules in RULESETS.items() for players in rules.seat_counts}
    assert {seat.bot for record in records for seat in record.seats} == {"random", "greedy"}


def test_every_option_was_chosen_in_some_game() -> None:
    chosen = {
        (record.ruleset, name)
        for path in CORPUS
        for record in [decode(gzip.decompress(path.read_bytes()))]
        for name in record.options
    }
    offered = {(slug, field.name) for slug, rules in RULESETS.items() for field in rules.option_fields()}
    assert offered <= chosen | {("prototype", "ties")}


def test_chain_seed_draws_decisions_and_score_are_as_they_were(record: Record) -> None:
    assert verify(record) == []


def test_the_facts_fold_to_the_position_that_deciding_again_leads_to(record: Record) -> None:
    assert folded(record) == replay(record)


def test_the_facts_fold_to_the_score_that_was_written_down(record: Record) -> None:
    rules = get(record.ruleset)
    assert rules.is_over(folded(record))
    assert rules.score(folded(record)) == record.scoresheet


def test_every_stored_event_is_read_and_written_as_it_stands(record: Record) -> None:
    rules = get(record.ruleset)
    for entry in record.entries:
        assert msgspec.json.encode(facts(rules, entry)) == msgspec.json.encode(entry.events)


def test_every_stored_action_was_among_the_legal_ones(record: Record) -> None:
    rules, state = get(record.ruleset), folded(record, 0)
    for entry in record.entries:
        if entry.actions:
            assert entry.actions[0] in rules.view(state, entry.seat).legal
        state = fold(rules, state, [entry])


def test_every_stored_event_can_be_told(record: Record) -> None:
    rules, names = get(record.ruleset), [f"Player {n}" for n in range(len(record.seats))]
    told = [rules.say(event, names) for entry in record.entries for event in facts(rules, entry)]
    assert told[-1].startswith("The game is over: ")
