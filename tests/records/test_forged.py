"""Forged records: each is refused with a sentence or detected, and none causes an error of ours.

In old formats, data that had no effect on the game can be changed without detection: the names of the game and its
players, options and ages that decided nothing, and the version of the rules if another one plays the same game. In the
current format nothing can.
"""

import gzip
import json
from copy import deepcopy
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.rules.record import Record, decode, encode, verify
from games.rules.registry import RULESETS
from tests.nonsense import always, odd, seeded
from tests.records.test_records import CORPUS

SMALL = sorted((path for path in CORPUS if path.stat().st_size < 9000), key=lambda path: path.name)
NO_RECORD = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)
VALUES = (None, True, False, -1, 0, 1, 2**63, 10**40, 1e308, "", [], {}, [[]], {"kind": "take-back", "seq": 1})


@cache
def read(number: int) -> tuple[Any, Record]:
    content = gzip.decompress(SMALL[number].read_bytes())
    return json.loads(content), decode(content)


@cache
def new(number: int) -> tuple[Any, Record]:
    """Play a game of this ruleset, recorded in the current format."""
    rules = list(RULESETS.values())[number]
    record = Table(rules, {}, [BOTS["random"]] * 2, seed_of("forged", number)).play().record
    return json.loads(encode(record)), decode(encode(record))


def forged(draw: st.DrawFn, kept: tuple[Any, Record]) -> tuple[Record, bytes]:
    """Return a record and a forged copy with values changed, removed, repeated or moved."""
    plain, record = kept
    changed = deepcopy(plain)
    for _change in range(draw(st.integers(1, 3))):
        forge(draw, changed)
    return record, json.dumps(changed).encode("utf-8", "replace")


def forge(draw: st.DrawFn, changed: Any) -> None:
    """Walk down to some value and change it."""
    inside, key = changed, draw(st.sampled_from([*changed, *(name for name in changed if name == "entries")]))
    while isinstance(inside.get(key) if isinstance(inside, dict) else inside[key], (list, dict)):
        below = inside[key]
        if not below or draw(st.integers(0, 5)) == 0:
            break
        inside, key = below, draw(st.sampled_from(list(below) if isinstance(below, dict) else range(len(below))))
    value = inside[key]
    match draw(st.sampled_from(("drop", "odd", "value", "near", "twice", "turn"))):
        case "drop":
            del inside[key]
        case "odd":
            inside[key] = draw(odd)
        case "value":
            inside[key] = deepcopy(draw(st.sampled_from(VALUES)))
        case "near":
            inside[key] = value + 1 if isinstance(value, int) else [value]
        case "twice" if isinstance(inside, list):
            inside.insert(key, deepcopy(value))
        case "turn" if isinstance(value, (list, str)):
            inside[key] = value[::-1]
        case _:
            inside[key] = str(value)


def played(record: Record) -> tuple[object, ...]:
    return record.ruleset, record.seed, record.entries, record.scoresheet


def check_forgery_is_detected(record: Record, content: bytes) -> None:
    """Check that the content is no record, has problems, or plays the same game."""
    try:
        decoded = decode(content)
    except NO_RECORD:
        return
    problems = verify(decoded)
    assert problems or played(decoded) == played(record)
    assert all(problem and len(problem) < 500 for problem in problems)


def test_a_repeated_set_up_is_detected() -> None:
    _plain, record = read(0)
    twice = replace(record, entries=(record.entries[0], *record.entries))
    assert verify(twice)[0].startswith("Entry 1 is missing; entry 0 is in its place.")
    assert len(verify(twice)) == 2


@pytest.mark.long
@always(200)
@given(st.data())
def test_two_hundred_forged_records_are_detected(data: st.DataObject) -> None:
    check_forgery_is_detected(*forged(data.draw, read(data.draw(st.integers(0, len(SMALL) - 1)))))


@always(200)
@given(st.data())
def test_every_change_to_a_current_record_is_detected(data: st.DataObject) -> None:
    check_change_is_detected(data)


@pytest.mark.long
@seeded(10_000)
@given(st.data())
def test_ten_thousand_changes_to_current_records_are_detected(data: st.DataObject) -> None:
    check_change_is_detected(data)


def check_change_is_detected(data: st.DataObject) -> None:
    """Change a current record in some way, and check that this is detected unless only the signature differs."""
    record, content = forged(data.draw, new(data.draw(st.integers(0, len(RULESETS) - 1))))
    try:
        decoded = decode(content)
    except NO_RECORD:
        return
    unsigned = replace(decoded, signature=None)
    assert verify(decoded) or unsigned == record


@pytest.mark.long
@seeded(10_000)
@given(st.data())
def test_ten_thousand_forged_records_are_detected(data: st.DataObject) -> None:
    check_forgery_is_detected(*forged(data.draw, read(data.draw(st.integers(0, len(SMALL) - 1)))))
