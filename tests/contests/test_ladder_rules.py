"""The rules of the ladder as pure functions of rungs."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contests.ladders.rules import LadderPlayer, LadderTerms, check, climb, drop, runs, sink
from games.rules.protocol import IllegalAction
from tests.each import for_each

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
TERMS = LadderTerms()


def refusal(
    me: LadderPlayer, other: LadderPlayer, *, are_playing: bool = False, is_repeated: bool = False,
    last_lost: datetime | None = None,
) -> str:  # fmt: skip
    try:
        check(TERMS, me, other, are_playing=are_playing, is_repeated=is_repeated, last_lost=last_lost, now=NOW)
    except IllegalAction as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize(
    ("rung", "reached"), [(50, range(40, 50)), (11, range(1, 11)), (10, range(5, 10)), (3, range(1, 3)), (1, range(0))]
)
def test_a_player_can_challenge_ten_rungs_up_and_five_near_the_top(rung: int, reached: range):
    assert list(TERMS.reach_from(rung)) == list(reached)


def test_any_player_within_reach_may_be_challenged():
    assert refusal(LadderPlayer(30), LadderPlayer(20)) == ""


@for_each(
    "me, other, words",
    [
        (LadderPlayer(30), LadderPlayer(30), "challenge yourself"),
        (LadderPlayer(30), LadderPlayer(19), "up to 10 rungs above you"),
        (LadderPlayer(8), LadderPlayer(2), "up to 5 rungs above you"),
        (LadderPlayer(30), LadderPlayer(31), "only challenge players above you"),
        (LadderPlayer(30), LadderPlayer(25, is_away=True), "is away"),
        (LadderPlayer(30, given=2), LadderPlayer(25), "2 open challenges"),
        (LadderPlayer(30), LadderPlayer(25, taken=1), "Someone else has already challenged this player"),
    ],
)
def test_each_refused_challenge_has_its_own_message(me: LadderPlayer, other: LadderPlayer, words: str):
    assert words in refusal(me, other)


def test_a14_a_repeated_challenge_keeps_only_other_repeated_ones_out():
    me, other = LadderPlayer(30), LadderPlayer(25, taken=1, repeated=1)
    assert refusal(me, other) == ""
    assert "Someone else has already challenged this player" in refusal(me, other, is_repeated=True)
    assert "Someone else has already challenged this player" in refusal(me, LadderPlayer(25, taken=2, repeated=1))


def test_a_player_cannot_challenge_twice_or_again_too_soon():
    assert "already a challenge between" in refusal(LadderPlayer(30), LadderPlayer(25), are_playing=True)
    assert "less than 14 days" in refusal(LadderPlayer(30), LadderPlayer(25), last_lost=NOW - timedelta(days=13))
    assert refusal(LadderPlayer(30), LadderPlayer(25), last_lost=NOW - timedelta(days=14)) == ""


def test_the_winner_takes_the_rung_and_the_players_between_move_down_one():
    assert climb(winner=5, loser=2) == {5: 2, 2: 3, 3: 4, 4: 5}
    assert climb(winner=2, loser=5) == {}


def test_an_idle_player_falls_and_the_players_below_move_up():
    assert drop(3, by=2, length=9) == {3: 5, 4: 3, 5: 4}
    assert drop(8, by=10, length=9) == {8: 9, 9: 8}
    assert drop(9, by=10, length=9) == {}


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 12))
def test_a_ladder_never_has_a_gap_or_two_players_on_a_rung(challenger: int, challenged: int, by: int):
    for moves in (climb(challenger, challenged), drop(challenger, by, 30)):
        assert sorted(moves.get(rung, rung) for rung in range(1, 31)) == list(range(1, 31))


@given(st.sets(st.integers(1, 30), min_size=1))
def test_empty_rungs_sink_to_the_bottom_and_the_others_keep_their_order(empty: set[int]):
    moves = sink(empty, 30)
    assert sorted(moves.get(rung, rung) for rung in empty) == list(range(31 - len(empty), 31))
    stayed = [moves.get(rung, rung) for rung in range(1, 31) if rung not in empty]
    assert stayed == list(range(1, 31 - len(empty)))


def test_adjacent_rungs_with_the_same_shift_form_one_stretch():
    assert runs(climb(winner=12, loser=2)) == [(2, 11, 1), (12, 12, -10)]
    assert runs(sink({3}, 2000)) == [(3, 3, 1997), (4, 2000, -1)]
    assert runs({}) == []
