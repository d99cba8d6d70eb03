"""A corpus of finished games. Stored games must always fold to the same events, positions and scores.

Each file was written by `manage.py selfplay legends --players N --series random|greedy|mixed --bots … --records DIR`
and packed with `gzip -n9`. If there were `--options`, the file name has a word for them and the record has them all.
An intended change of the rules is a new version with its own records in addition to these.
"""

import gzip
from pathlib import Path

import msgspec
import pytest

from games.rules.log import facts, fold
from games.rules.protocol import State
from games.rules.record import Record, decode, replay, verify
from games.rules.registry import RULESETS, VERSIONS

CORPUS = sorted(Path(__file__).parent.glob("*/*.json.gz"))


def folded(record: Record, entries: int | None = None) -> State:
    rules = record.rules
    seats = [seat.info for seat in record.seats]
    state = rules.initial(rules.options(record.options, len(seats)), seats)
    return fold(rules, state, record.entries[:entries])


def test_the_corpus_has_games_of_every_version_and_number_of_players() -> None:
    records = [decode(gzip.decompress(path.read_bytes())) for path in CORPUS]
    tables = {(record.ruleset, record.version, len(record.seats)) for record in records}
    every = [rules for versions in VERSIONS.values() for rules in versions]
    assert tables == {(rules.slug, rules.version, players) for rules in every for players in rules.seat_counts}
    assert {seat.bot for record in records for seat in record.seats} == {"random", "greedy"}


def test_the_corpus_has_every_option() -> None:
    chosen = {
        (record.ruleset, name)
        for path in CORPUS
        for record in [decode(gzip.decompress(path.read_bytes()))]
        for name in record.options
    }
    offered = {(slug, field.name) for slug, rules in RULESETS.items() for field in rules.option_fields()}
    assert offered <= chosen | {("prototype", "ties")}


@pytest.mark.parametrize("slug", RULESETS)
def test_a_stored_game_still_has_the_same_events_positions_and_scores(slug: str) -> None:
    for path in CORPUS:
        if path.parent.name == slug:
            print(path.name)  # shown on a failure: the last one is the one that failed
            check(decode(gzip.decompress(path.read_bytes())))


def check(record: Record) -> None:
    """Check a record in one pass over its entries: chain, draws and decisions; events, actions, position and score."""
    rules, names = record.rules, [f"Player {n}" for n in range(len(record.seats))]
    assert verify(record) == []
    state, sentences = folded(record, 0), []
    for entry in record.entries:
        if entry.actions:
            assert entry.actions[0] in rules.view(state, entry.seat).legal
        events = facts(rules, entry)
        assert msgspec.json.encode(events) == msgspec.json.encode(entry.events)
        sentences += [rules.say(event, names) for event in events]
        state = fold(rules, state, [entry])
    assert sentences[-1].startswith("The game is over: ")
    assert state == folded(record) == replay(record)
    assert rules.is_over(state)
    assert rules.score(state) == record.scoresheet
