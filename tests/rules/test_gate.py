"""Versions of the rules side by side, and the gate that finds which games a change of the rules would touch."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
import pytest

from games.bots.eight_minute import rollout
from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.rules import gate
from games.rules.eight_minute import events as e
from games.rules.eight_minute.actions import Bid
from games.rules.eight_minute.edition import edition, load
from games.rules.eight_minute.ruleset import EightMinute
from games.rules.fairness import Quick
from games.rules.protocol import Chance, IllegalAction, State
from games.rules.record import Record, verify
from games.rules.registry import RULESETS, VERSIONS, get
from tests.rules.test_leaders import before_the_extra_card

LEADERS = {"explore": True, "poison_swamp": True, "leaders": True, "seven_cards": True}
TOUCHED, UNTOUCHED = 5, (3, 4, 6)  # numbers of games; in one, Fairy Queen looks again after her extra card


@cache
def played(number: int, version: int = 1) -> Record:
    """Return a finished game of random bots by a version of Legends. The same number deals the same cards."""
    return Table(get("legends", version), LEADERS, [BOTS["random"]] * 4, seed_of("gate", number)).play().record


def differences(record: Record, version: int | None = None) -> list[str]:
    return [str(difference) for difference in gate.differences(record, version)]


# Versions side by side


def test_new_games_have_the_newest_version_and_old_ones_are_still_there() -> None:
    assert [rules.version for rules in VERSIONS["legends"]] == [1, 2]
    assert get("legends") is RULESETS["legends"] is get("legends", 2)
    assert get("legends", 1).changed == () and get("legends", 2).changed == ("R50",)
    with pytest.raises(KeyError):
        get("legends", 3)


@pytest.mark.parametrize("slug", VERSIONS)
def test_versions_of_a_ruleset_are_in_order_and_each_says_which_rulings_it_changed(slug: str) -> None:
    versions = VERSIONS[slug]
    assert [rules.version for rules in versions] == list(range(1, len(versions) + 1))
    assert {rules.slug for rules in versions} == {slug} and all(rules.changed for rules in versions[1:])


def test_views_and_samples_keep_the_version_of_their_game() -> None:
    for number in (1, 2):
        state = before_the_extra_card(number)
        rules = get("legends", number)
        drawn = rules.sample(rules.view(state, None), Quick(1))
        assert drawn.rules.version == state.rules.version == number
        stored = msgspec.json.decode(msgspec.json.encode(state), type=rules.state_type)
        assert stored.rules == rules.rules


def test_a_position_from_before_there_was_a_second_version_is_of_the_first() -> None:
    assert before_the_extra_card(1).edition == "legends"
    assert before_the_extra_card(2).edition == "legends/2"


def test_playing_on_scores_the_same_in_both_versions_because_looks_bring_no_points() -> None:
    ends = []
    for number in (1, 2):
        state = before_the_extra_card(number)
        rollout.play_out(state, Quick(1))
        ends.append([score.total for score in get("legends", number).score(state).seats])
    assert ends[0] == ends[1]


# The gate


def test_games_of_each_version_are_decided_as_they_were_and_verify() -> None:
    for number in (TOUCHED, *UNTOUCHED):
        for version in (1, 2):
            record = played(number, version)
            assert record.version == version
            assert differences(record) == [] and verify(record) == []


def test_the_gate_reports_exactly_the_game_that_the_change_touches_with_its_entry_and_ruling() -> None:
    assert [gate.newer(played(number)) for number in (TOUCHED, *UNTOUCHED)] == [2] * 4
    assert {number: differences(played(number), 2) for number in UNTOUCHED} == {number: [] for number in UNTOUCHED}
    (difference,) = gate.differences(played(TOUCHED), 2)
    last = played(TOUCHED).entries[-1]
    assert (difference.seq, difference.seat, difference.version, difference.rulings) == (
        last.seq,
        last.seat,
        2,
        ("R50",),
    )
    assert difference.what == "the log has “take end look look result”, and now it is “take end result”."


def test_the_same_change_without_a_new_version_is_found_in_the_same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    records = {number: played(number) for number in (TOUCHED, *UNTOUCHED)}
    with mended_in_place(monkeypatch):
        assert [number for number, record in records.items() if differences(record)] == [TOUCHED]
        (difference,) = gate.differences(records[TOUCHED])
    assert differences(records[TOUCHED]) == []
    assert (difference.version, difference.rulings) == (1, ("R26", "R52", "R50"))


@contextmanager
def mended_in_place(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Change the data of version 1 as version 2 does, as if someone had forgotten to make it a new version."""
    with monkeypatch.context() as patch:
        patch.setitem(load("legends"), "looks_after_extra", False)
        edition.cache_clear()
        yield
    edition.cache_clear()


class Careless(EightMinute):
    """Version 1 of Legends after a change without a new version: `change` gets a seat, its action and the events."""

    def __init__(self, change: Callable[[int, Any, list[Any]], list[Any]]) -> None:
        super().__init__("legends", version=1)
        self.change = change

    def advance(self, position: State, seat: int, action: Any, chance: Chance) -> list[Any]:
        events = self.change(seat, action, self.decide(position, seat, action, chance))
        for event in events:
            self.evolve(position, event)
        return events


def test_each_difference_of_a_game_is_reported_and_the_log_is_followed_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = played(UNTOUCHED[0])
    alone = Careless(lambda seat, action, events: [event for event in events if not isinstance(event, e.ArmyMustered)])
    monkeypatch.setitem(VERSIONS, "legends", (alone,))
    touched = [entry.seq for entry in record.entries if any(event["kind"] == "muster" for event in entry.events)]
    assert len(touched) > 1
    assert [(difference.seq, difference.rulings) for difference in gate.differences(record)] == [
        (seq, ("R48",)) for seq in touched
    ]


def test_refusals_and_faults_of_new_code_are_differences_that_tell_nothing_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = played(UNTOUCHED[0])
    bid = next(entry for entry in record.entries if entry.actions and entry.actions[0].startswith("bid"))
    for error, words in (
        (IllegalAction("You have {coins}.", coins=777), "refused now: “You have {coins}.”"),
        (KeyError("night-hydra"), "the code fails: KeyError in test_gate.py:"),
    ):

        def change(seat: int, action: Any, events: list[Any], error: Exception = error) -> list[Any]:
            if isinstance(action, Bid) and seat == bid.seat:
                raise error
            return events

        monkeypatch.setitem(VERSIONS, "legends", (Careless(change),))
        (sentence,) = differences(record)
        assert sentence.startswith(f"{record.game}, entry {bid.seq} of seat {bid.seat} (") and words in sentence
        assert "777" not in sentence and "hydra" not in sentence and bid.actions[0] not in sentence


def test_a_version_that_this_release_no_longer_has_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played(UNTOUCHED[0])
    monkeypatch.setitem(VERSIONS, "legends", VERSIONS["legends"][1:])
    assert [difference.what for difference in gate.differences(record)] == [
        "this release has no legends/1, in which the game was played."
    ]
    assert verify(record) == ["It was played with version 1 of the rules; this site has version 2."]
