"""Classic: R12, R14, R16, R23, R35, R44, R60, and its numbers."""

from collections import Counter

import pytest

from games.rules.eight_minute import events as e
from games.rules.eight_minute.scoring import best_placing
from games.rules.eight_minute.state import State
from games.rules.fairness import Quick
from games.rules.protocol import SeatInfo
from tests.each import for_each
from tests.rules.positions import (
    ALICE,
    BOB,
    after,
    armies,
    events,
    line,
    offers,
    points,
    position,
    refusal,
    scored,
    taking,
    view,
)
from tests.rules.tables import FAMILY
from tests.rules.test_tokens import laid_by_lot

CLASSIC = FAMILY["classic"]
BOARD = {"ruleset": "classic", "layout": "board:side-a:0", "start": "a12"}
HOME = {"a12": (3, 3, 3)}


def classic(players: int = 3, **laid) -> State:
    return position(players, **BOARD, **laid)


def holding(*cards: str, **laid) -> State:
    """Return a position in which Alice owns these cards."""
    return classic(owned={ALICE: cards}, **laid)


def has_taken(card: str, players: int = 3, **laid) -> State:
    return taking(card, players, **BOARD, **laid)


@pytest.mark.parametrize(("players", "coins", "cards"), [(2, 14, 13), (3, 11, 10), (4, 9, 8), (5, 8, 7)])
def test_coins_and_cards_depend_on_the_number_of_players(players: int, coins: int, cards: int) -> None:
    options, seats = CLASSIC.options({}, players), [SeatInfo()] * players
    state = CLASSIC.initial(options, seats)
    for event in CLASSIC.start(options, seats, Quick(1)):
        CLASSIC.evolve(state, event)
    assert state.coins == [coins] * players
    assert state.cards_owned == cards
    assert armies(state, "a12")[:players] == [3] * players
    assert state.supply[:players] == [11] * players
    assert state.outpost == -1


def test_the_table_option_chooses_the_side() -> None:
    assert laid_by_lot({}, 1, "classic")[0][0].layout == "board:side-a:0"
    assert laid_by_lot({"side": "side-b"}, 1, "classic")[0][0].layout == "board:side-b:0"


def test_the_winner_of_the_bidding_names_the_first_player() -> None:
    state = classic(2, phase="bid", turn=-1)
    for seat, text in ((0, "bid 1"), (1, "bid 3")):
        for event in events(state, text, seat):
            CLASSIC.evolve(state, event)
    assert offers(state) == ["first 0", "first 1"]


# Actions


def test_r14_a_move_over_land_does_not_cross_water() -> None:
    state = has_taken("o10", armies={"a4": (2,)})
    assert set(offers(state, "move")) == {"move a4 a1", "move a4 a3"}
    assert refusal(state, "move a4 a8") == "This card moves armies by land only. Choose a region connected by land."
    assert view(state).players[ALICE].crossing == 0


def test_r14_a_move_by_ship_crosses_water_for_one() -> None:
    state = has_taken("o13", armies={"a4": (2,)})
    assert "move a4 a8" in offers(state)
    assert events(state, "move a4 a8")[0].cost == 1
    assert events(state, "move a4 a1")[0].cost == 1
    assert armies(after(state, "move a4 a8", "move a8 a10", "move a10 a8"), "a8") == [1, 0, 0]
    assert view(state).parts[0].ship


def test_r16_an_army_may_be_destroyed_anywhere() -> None:
    state = has_taken("o23", armies={"a12": (3,), "a25": (0, 1), "a1": (0, 0, 2)})
    assert offers(state, "destroy") == ["destroy a1 2", "destroy a12 0", "destroy a25 1"]
    assert armies(after(state, "destroy a25 1"), "a25") == [0, 0, 0]


def test_r16_an_army_of_the_third_color_may_be_destroyed_too() -> None:
    assert "destroy a25 -" in offers(has_taken("o15", 2, armies={"a25": (0, 0, 1)}))


def test_r12_the_parts_of_an_and_may_come_in_either_order() -> None:
    fresh = has_taken("o15", armies=HOME)
    assert offers(after(fresh, "place a12"), "destroy")
    assert offers(after(fresh, "destroy a12 1"), "place")


def test_r44_the_parts_of_an_and_may_be_mixed() -> None:
    """The position has one more army to place than any card gives."""
    state = has_taken("o15", armies=HOME)
    state.more_armies[ALICE] = 1
    assert after(state, "place a12", "destroy a12 1", "place a12").turn == BOB
    assert after(state, "destroy a12 1", "place a12", "place a12").turn == BOB
    assert offers(after(state, "place a12", "destroy a12 1"), "place")


def test_r12_the_first_step_chooses_the_branch_of_an_or() -> None:
    assert not offers(after(has_taken("o19", armies=HOME), "place a12"), "move")


def test_each_player_has_fourteen_armies() -> None:
    assert has_taken("o08", armies={"a11": (14,)}).turn == BOB


# Goods


@for_each(
    "cards, good, expected",
    [
        (["o01"], "crystal", 1),
        (["o01", "o02", "o03"], "crystal", 3),
        (["o01", "o02", "o03", "o04"], "crystal", 5),
        (["o06", "o07"], "carrot", 0),
        (["o06", "o09"], "carrot", 1),
        (["o06", "o07", "o08", "o09"], "carrot", 2),
        (["o31", "o32", "o33", "o34", "o35", "o36"], "anvil", 3),
        (["o24", "o25", "o26", "o27"], "coal", 3),
        (["o16"], "tree", 0),
    ],
)
def test_only_the_highest_step_reached_scores(cards: list[str], good: str, expected: int) -> None:
    assert points(holding(*cards), f"goods:{good}") == expected


def test_only_owned_goods_are_on_the_scoresheet() -> None:
    sources = [line.source for line in scored(holding("o01", "o16")).lines]
    assert sources == ["regions", "continents", "goods:crystal", "goods:tree"]


def test_r23_a_wild_card_counts_where_it_scores_most_and_the_scoresheet_shows_where() -> None:
    """Three crystals and a wild card score five points; two trees and a wild card still score one."""
    state = holding("o01", "o02", "o03", "o16", "o17", "o40")
    assert points(state, "goods:crystal") == 5
    assert line(state, "goods:crystal").items == ("o01", "o02", "o03", "o40")
    assert line(state, "goods:tree").items == ("o16", "o17")


def test_r23_several_wild_cards_may_count_as_one_good_or_several() -> None:
    five_cards = holding("o24", "o25", "o40", "o41", "o42")
    assert points(five_cards, "goods:coal") == 5
    six_cards = holding("o01", "o02", "o03", "o16", "o40", "o41")
    assert points(six_cards, "goods:crystal") + points(six_cards, "goods:tree") == 5 + 1


def test_r60_a_wild_card_only_counts_as_a_good_the_player_owns() -> None:
    assert scored(holding("o40", "o41")).total == 0
    assert points(holding("o40", "o01"), "goods:crystal") == 2


def test_r60_wild_cards_are_assigned_optimally() -> None:
    for counts in ((("carrot", 4), ("tree", 3), ("coal", 2)), (("anvil", 5), ("crystal", 1)), (("tree", 1),)):
        for wilds in range(4):
            placed = best_placing("classic", counts, wilds)
            assert sum(placed) == wilds
            assert gained(counts, placed) == max(gained(counts, other) for other in ways(len(counts), wilds))


def gained(counts: tuple, placed: tuple) -> int:
    return sum(
        max((p for p, n in zip((1, 2, 3, 5), CLASSIC.rules.goods[good], strict=True) if have + more >= n), default=0)
        for (good, have), more in zip(counts, placed, strict=True)
    )


def ways(goods: int, wilds: int) -> list[tuple]:
    if not goods:
        return [()]
    return [(n, *rest) for n in range(wilds + 1) for rest in ways(goods - 1, wilds - n)]


def test_views_count_the_goods_of_a_player() -> None:
    assert view(holding("o09", "o06", "o40")).players[ALICE].goods == {"carrot": 3, "wild": 1}


GOODS = {"options": {"goods_tokens": True}, "tokens": {"a1": "coal", "a25": "carrot"}}


def test_r35_controlling_the_region_adds_one_of_that_good() -> None:
    state = holding("o24", armies={"a1": (2, 1), "a25": (1, 1)}, **GOODS)
    assert points(state, "goods:coal") == 1
    assert line(state, "goods:coal").items == ("o24", "a1")


def test_r35_each_triangle_has_one_random_token() -> None:
    seen = Counter()
    for setup in laid_by_lot({"goods_tokens": True}, 80, "classic"):
        tokens = {event.region: event.token for event in setup if isinstance(event, e.TokenLaid)}
        assert set(tokens) == {"a1", "a10", "a12", "a21", "a25"}
        assert max(Counter(tokens.values()).values()) <= 2
        seen.update(tokens.values())
    assert set(seen) == {"carrot", "crystal", "coal", "anvil", "tree"}


def test_r60_a_wild_card_may_count_as_the_good_of_a_token() -> None:
    state = holding("o40", armies={"a1": (1,)}, **GOODS)
    assert points(state, "goods:coal") == 1
    assert line(state, "goods:coal").items == ("a1", "o40")


def test_r35_a_city_does_not_take_the_goods_token() -> None:
    state = after(has_taken("o31", armies={"a1": (1,)}, **GOODS), "build a1")
    assert state.tokens[state.map.index["a1"]] == "coal"


def test_r39_the_other_coal_card_does_not_build() -> None:
    plain = has_taken("o24", armies=HOME)
    other = has_taken("o24", armies=HOME, options={"coal": "place"})
    assert offers(plain, "build") and not offers(other, "build")


def test_classic_can_be_played_by_five() -> None:
    state = classic(5, armies={"a12": (3, 3, 3, 3, 3), "a1": (0, 0, 0, 0, 1)})
    assert [score.total for score in CLASSIC.score(state).seats] == [0, 0, 0, 0, 2]
    assert len(view(state).players) == 5
