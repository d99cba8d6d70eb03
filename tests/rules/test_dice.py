"""The tie-break of the bidding by dice: R66."""

from collections import Counter

from games.rules.eight_minute.events import BidsRevealed
from games.rules.eight_minute.state import State
from games.rules.fairness import Quick
from games.rules.protocol import SeatInfo
from tests.rules.positions import BOB, LEGENDS, position
from tests.rules.test_bidding import bid, bidding

DICE = {"ties": "die"}


def revealed(bids: tuple[int, ...], seed: int = 1, bots: bool = False) -> BidsRevealed:
    state = bid(table(len(bids), bots), *bids[:-1])
    *_, shown = LEGENDS.decide(state, len(bids) - 1, LEGENDS.parse(f"bid {bids[-1]}"), Quick(seed))
    assert isinstance(shown, BidsRevealed)
    return shown


def table(players: int, bots: bool = False) -> State:
    return position(players, phase="bid", turn=-1, seats=[SeatInfo(bot=bots)] * players, options=DICE)


def test_r66_the_highest_roll_of_the_tied_players_wins_and_the_rolls_are_shown() -> None:
    for seed in range(40):
        shown = revealed((3, 1, 3), seed)
        assert shown.decided == "die"
        assert all(rolled[1] == 0 for rolled in shown.rolls)
        last = shown.rolls[-1]
        assert last[shown.winner] == max(last) and last.count(max(last)) == 1


def test_r66_players_tied_for_the_highest_roll_roll_again() -> None:
    again = next(shown for seed in range(200) if len((shown := revealed((2, 2, 2), seed)).rolls) > 1)
    first, second = again.rolls[:2]
    assert first.count(max(first)) > 1
    assert [bool(n) for n in second] == [n == max(first) for n in first]


def test_r66_a_die_has_six_sides() -> None:
    rolls = Counter(n for seed in range(200) for rolled in revealed((2, 2, 2), seed).rolls for n in rolled if n)
    assert set(rolls) == {1, 2, 3, 4, 5, 6}


def test_r66_dice_also_decide_when_all_bids_are_zero_and_among_bots() -> None:
    assert revealed((0, 0, 0), bots=True).decided == "die"
    assert {revealed((0, 0), seed).winner for seed in range(30)} == {0, 1}


def test_r66_without_a_tie_nobody_rolls() -> None:
    shown = revealed((3, 4, 1))
    assert (shown.winner, shown.decided, shown.rolls) == (BOB, "highest", ())


def test_r66_a_draft_does_not_roll() -> None:
    state = bid(table(2), 3)
    assert len(LEGENDS.decide(state, BOB, LEGENDS.parse("bid 3"), None)) == 1
    assert len(LEGENDS.decide(state, BOB, LEGENDS.parse("bid 2"), None)) == 2


def test_r7_by_default_no_die_is_rolled() -> None:
    state = bid(bidding(), 3, 3)
    *_, shown = LEGENDS.decide(state, 2, LEGENDS.parse("bid 3"), Quick(1))
    assert (shown.decided, shown.rolls) == ("seat", ())
