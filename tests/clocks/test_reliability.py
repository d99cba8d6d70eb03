"""Reliability: the share of the last hundred turns that were on time."""

import pytest

from games.clocks.clock import LAST_TURNS, Reliability, reliability


def test_a_player_without_turns_has_no_reliability_yet() -> None:
    assert reliability([]) is None


@pytest.mark.parametrize(
    ("turns", "percent"),
    [([True], 100), ([False], 0), ([True, True, False], 66), ([True] * 99 + [False], 99)],
)
def test_reliability_is_the_share_of_turns_on_time_rounded_down(turns: list[bool], percent: int) -> None:
    result = reliability(turns)
    assert result and result.percent == percent


def test_only_the_last_hundred_turns_count() -> None:
    assert reliability([False] * 50 + [True] * LAST_TURNS) == Reliability(LAST_TURNS, LAST_TURNS)
    assert reliability([True] * 50 + [False] * LAST_TURNS) == Reliability(0, LAST_TURNS)
    assert reliability([True] * 5 + [False]) == Reliability(5, 6)
