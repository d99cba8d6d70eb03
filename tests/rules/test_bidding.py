"""Bidding for the first turn: R6-R8, R41, R42."""

import pytest

from games.rules.eight_minute.decide import win_bid
from games.rules.eight_minute.events import BidMade, BidsRevealed
from games.rules.eight_minute.state import BID, FIRST, TURN, State
from games.rules.fairness import Quick
from games.rules.play import apply, begin
from games.rules.protocol import SeatInfo
from games.rules.registry import get
from tests.rules.positions import ALICE, BOB, CAROL, DAN, LEGENDS, after, events, offers, position, refusal

ELDER, YOUNGER = SeatInfo(born=0), SeatInfo(born=1)


def bidding(players: int = 3, seats: list[SeatInfo] | None = None, coins: list[int] | None = None) -> State:
    state = position(players, phase=BID, turn=-1, seats=seats, coins=coins)
    return state


def bid(state: State, *coins: int) -> State:
    for seat, offer in enumerate(coins):
        for event in events(state, f"bid {offer}", seat):
            LEGENDS.evolve(state, event)
    return state


def winner(seats: list[SeatInfo], bids: list[int]) -> tuple[int, str]:
    return win_bid(position(len(seats), phase=BID, seats=seats), bids)


def test_r6_a_bid_is_shown_only_to_its_seat_until_the_last_is_in() -> None:
    state = bid(bidding(), 4, 2)
    assert [player.bid for player in LEGENDS.view(state, ALICE).players] == [4, None, None]
    assert [player.bid for player in LEGENDS.view(state, CAROL).players] == [None, None, None]
    assert [player.bid for player in LEGENDS.view(state, None).players] == [None, None, None]


def test_r6_all_bids_are_shown_when_the_last_is_in() -> None:
    state = bid(bidding(), 4, 2, 3)
    for viewer in (ALICE, BOB, CAROL, None):
        assert [player.bid for player in LEGENDS.view(state, viewer).players] == [4, 2, 3]


def test_r6_views_do_not_reveal_the_order_of_bids() -> None:
    early, late = bid(bidding(), 4), bidding()
    for viewer in (BOB, CAROL, None):
        assert LEGENDS.view(early, viewer) == LEGENDS.view(late, viewer)


def test_r6_the_log_shows_a_single_bid_only_to_its_seat() -> None:
    bid_made = BidMade(BOB, 3)
    assert LEGENDS.seen(bid_made, BOB) == bid_made
    assert LEGENDS.seen(bid_made, ALICE) is None
    assert LEGENDS.seen(bid_made, None) is None


def test_r6_a_bid_can_be_changed_until_the_last_one_is_in() -> None:
    state = bid(bidding(), 4, 2)
    assert "bid 7" in offers(state, seat=ALICE)
    for event in events(state, "bid 7", ALICE):
        LEGENDS.evolve(state, event)
    assert bid_result(state, CAROL, 5).bids == (7, 2, 5)


def bid_result(state: State, seat: int, coins: int) -> BidsRevealed:
    *_, revealed = events(state, f"bid {coins}", seat)
    assert isinstance(revealed, BidsRevealed)
    return revealed


def test_r7_the_youngest_wins_a_tie_if_all_tied_players_gave_a_birthday() -> None:
    assert winner([ELDER, YOUNGER, SeatInfo()], [3, 3, 1]) == (BOB, "age")


def test_r7_without_all_birthdays_the_newest_account_wins_the_tie() -> None:
    seats = [SeatInfo(born=1, joined=0), SeatInfo(joined=2), SeatInfo(joined=1)]
    assert winner(seats, [3, 3, 3]) == (BOB, "account")


def test_r7_the_age_of_players_who_are_not_tied_does_not_matter() -> None:
    assert winner([ELDER, YOUNGER, SeatInfo(born=2)], [3, 3, 1]) == (BOB, "age")


def test_r7_bots_count_as_oldest() -> None:
    seats = [SeatInfo(born=5), SeatInfo(bot=True, joined=9)]
    assert winner(seats, [2, 2]) == (ALICE, "age")


def test_r7_no_view_reveals_who_is_younger() -> None:
    for seat in (ALICE, BOB, None):
        young_first = LEGENDS.view(bidding(2, [YOUNGER, ELDER]), seat)
        assert young_first == LEGENDS.view(bidding(2, [ELDER, YOUNGER]), seat)


def test_r8_with_all_bids_zero_the_same_tie_break_decides() -> None:
    assert winner([YOUNGER, ELDER], [0, 0]) == (ALICE, "age")


def test_r8_the_winner_names_the_first_player() -> None:
    state = bid(bidding(), 1, 2, 0)
    assert state.phase == FIRST
    assert LEGENDS.to_act(state) == (BOB,)
    assert LEGENDS.to_act(after(state, "first 2")) == (CAROL,)


def test_r41_a_player_bids_from_nothing_to_all_their_coins() -> None:
    state = bidding(coins=[11, 2, 0])
    assert offers(state, seat=BOB) == ["bid 0", "bid 1", "bid 2"]
    assert offers(state, seat=CAROL) == ["bid 0"]


def test_r41_a_bid_above_the_players_coins_is_refused() -> None:
    assert refusal(bidding(), "bid 12", BOB) == "You can’t bid more coins than you have: you bid 12 and have 11."


def test_r41_only_the_winner_pays() -> None:
    assert bid(bidding(), 4, 2, 3).coins == [7, 11, 11]


def test_r41_a_winning_zero_pays_nothing() -> None:
    assert bid(bidding(), 0, 0, 0).coins == [11, 11, 11]


def test_r41_the_winner_may_name_any_seat_including_their_own() -> None:
    assert offers(bid(bidding(), 1, 0, 0)) == ["first 0", "first 1", "first 2"]


def test_r41_during_the_bidding_every_view_shows_all_seats_as_bidding() -> None:
    state = bid(bidding(), 4, 2)
    assert LEGENDS.to_act(state) == (CAROL,)
    for viewer in (ALICE, BOB, CAROL, None):
        assert LEGENDS.view(state, viewer).to_act == (ALICE, BOB, CAROL)


def test_r42_among_the_equally_young_the_newest_account_wins() -> None:
    twins = [SeatInfo(born=1, joined=0), SeatInfo(born=1, joined=1), SeatInfo(born=0, joined=2)]
    assert winner(twins, [3, 3, 3]) == (BOB, "account")


def test_r42_with_equal_accounts_the_lowest_seat_wins() -> None:
    assert winner([SeatInfo()] * 3, [1, 3, 3]) == (BOB, "seat")


def test_r42_among_bots_the_account_decides_and_then_the_seat() -> None:
    assert winner([SeatInfo(bot=True)] * 4, [2, 2, 2, 1]) == (ALICE, "seat")


def test_r42_people_are_compared_after_the_bots_have_dropped_out() -> None:
    seats = [SeatInfo(bot=True, joined=3), ELDER, YOUNGER, SeatInfo(bot=True, joined=3)]
    assert winner(seats, [5, 5, 5, 5]) == (CAROL, "age")


@pytest.mark.parametrize(("bids", "expected"), [([1, 2, 3, 0], CAROL), ([9, 0, 0, 0], ALICE), ([0, 0, 0, 1], DAN)])
def test_the_highest_bid_wins_whatever_the_ages(bids: list[int], expected: int) -> None:
    assert winner([ELDER, SeatInfo(born=3), SeatInfo(bot=True), YOUNGER], bids) == (expected, "highest")


def test_play_continues_clockwise_from_the_first_player() -> None:
    state = after(bid(bidding(), 1, 0, 0), "first 2")
    order = []
    for _ in range(4):
        order += LEGENDS.to_act(state)
        state = after(state, f"take {state.row[0]}")
        state = after(state, "done") if state.taken else state
    assert order == [CAROL, ALICE, BOB, CAROL]


@pytest.mark.parametrize("slug", ["legends", "prototype", "classic"])
def test_without_bids_a_drawn_seat_takes_the_first_turn_and_nobody_pays(slug: str) -> None:
    rules, seats, firsts = get(slug), [SeatInfo()] * 3, set()
    for seed in range(12):
        state, events = begin(rules, rules.options({"opening": "drawn"}, 3), seats, Quick(seed))
        assert state.phase == TURN and rules.to_act(state) == (state.turn,)
        assert len(set(state.coins)) == 1 and state.bids == [-1] * 3
        assert rules.say(events[-1], ["Alice", "Bob", "Carol"]).endswith("is drawn at random to go first.")
        firsts.add(state.turn)
    assert firsts == {0, 1, 2}


def test_without_bids_a_setup_by_hand_ends_with_the_first_turn() -> None:
    chance = Quick(4)
    options = LEGENDS.options({"opening": "drawn", "setup": "by-hand"}, 3)
    state, _events = begin(LEGENDS, options, [SeatInfo()] * 3, chance)
    while state.phase not in (BID, TURN):
        seat = LEGENDS.to_act(state)[0]
        apply(LEGENDS, state, seat, [LEGENDS.legal(state, seat)[0]], chance)
    assert state.phase == TURN and len(state.row) == 6
