"""Set-up by hand: R1, R4, R53, R64, R65. The usual table has a T layout, as in positions.py."""

import pytest

from games.rules.eight_minute import events as e
from games.rules.eight_minute.state import BID, DEAL, LAY, NEUTRAL, OUTPOST, START, TOKENS, State
from games.rules.fairness import Quick
from games.rules.protocol import IllegalAction, SeatInfo
from tests.each import for_each
from tests.rules.positions import ALICE, BOB, CAROL, LAYOUT, LEGENDS, after, armies, events, offers, refusal, view
from tests.rules.tables import FAMILY

BOARDS = ["lay volcano centre 0", "lay fern north 0", "lay meadows east 0", "lay citadel south 0"]


def opened(players: int = 3, slug: str = "legends", setter: int = BOB, **options) -> State:
    """Return a table that Bob sets up, before his first choice."""
    ruleset, seats = FAMILY[slug], [SeatInfo()] * players
    chosen = ruleset.options({"setup": "by-hand", "setter": setter, **options}, players)
    state = ruleset.initial(chosen, seats)
    for event in ruleset.start(chosen, seats, Quick(1)):
        ruleset.evolve(state, event)
    return state


def laid(players: int = 3, **options) -> State:
    return after(opened(players, **options), *BOARDS)


def test_r1_the_set_up_seat_makes_all_choices_one_by_one() -> None:
    state = opened()
    phases = []
    for text in [*BOARDS, "start v4", "outpost m1"]:
        phases.append(state.phase)
        assert LEGENDS.to_act(state) == (BOB,)
        state = after(state, text)
    assert phases == [LAY] * 4 + [START, OUTPOST]
    assert state.phase == BID
    assert state.layout == LAYOUT
    assert LEGENDS.to_act(state) == (ALICE, BOB, CAROL)


def test_r1_a_set_up_by_hand_can_reach_the_position_of_a_drawn_set_up() -> None:
    state = after(laid(), "start v4", "outpost m1")
    assert armies(state, "v4") == [3, 3, 3]
    assert armies(state, "m1") == [1, 1, 1]
    assert state.supply == [14, 14, 14]
    assert len(state.row) == 6
    assert state.turn == -1


def test_r1_boards_may_be_laid_in_any_order() -> None:
    assert after(opened(), *reversed(BOARDS)).layout == LAYOUT


def test_r1_the_whole_set_up_can_be_drafted_and_undone() -> None:
    """No step needs chance except dealing the row after the last choice."""
    state = opened()
    for text in [*BOARDS, "start v4", "outpost m1"]:
        for event in LEGENDS.decide(state, BOB, LEGENDS.parse(text), None):
            LEGENDS.evolve(state, event)
    assert state.phase == DEAL
    assert LEGENDS.to_act(state) == ()
    assert refusal(state, "outpost m2", BOB) == "The setup is complete."


def test_r1_the_row_is_dealt_after_the_last_choice() -> None:
    assert [type(event) for event in events(after(laid(), "start v4"), "outpost m1")] == [e.OutpostChosen, e.RowDealt]


def test_r1_nobody_else_sets_up() -> None:
    assert LEGENDS.legal(opened(), ALICE) == []
    assert refusal(opened(), BOARDS[0], ALICE) == "It’s not your turn."


def test_r1_views_list_what_remains_to_be_done() -> None:
    shown = view(after(opened(), BOARDS[0], BOARDS[1]), BOB).setup
    assert shown is not None and shown.shape == "t"
    assert set(shown.sides) == {"meadows", "desert", "horse_shoe", "citadel"}
    assert shown.places == ("east", "south", "west")
    assert view(after(laid(), "start v4", "outpost m1")).setup is None


def test_r1_the_map_grows_board_by_board() -> None:
    state = opened()
    assert (view(state).layout, view(state).regions, view(state).start) == ("", {}, "")
    state = after(state, "lay fern north 1")
    assert list(view(state).regions) == ["f1", "f2", "f3"]


# Boards


def test_r64_a_t_has_the_center_and_three_places_around_it() -> None:
    state = after(opened(), "lay fern north 0", "lay volcano east 0", "lay citadel south 0")
    assert {text.split()[2] for text in offers(state, "lay")} == {"centre"}


def test_r64_boards_of_a_t_have_any_orientation() -> None:
    assert {text.split()[3] for text in offers(after(opened(), BOARDS[0]), "lay fern")} == {"0", "1", "2", "3"}


def test_r64_boards_of_a_rectangle_have_the_same_orientation() -> None:
    state = after(opened(layout="rectangle"), "lay fern north-west 1")
    assert {text.split()[3] for text in offers(state, "lay")} == {"1", "3"}
    assert refusal(state, "lay volcano north-east 0") == "In this layout, all boards must face the same way."


def test_r64_an_l_has_the_center_and_two_neighboring_places() -> None:
    state = after(opened(slug="prototype", layout="l"), "lay volcano centre 0", "lay fern north 0")
    assert {text.split()[2] for text in offers(state, "lay")} == {"east", "west"}
    assert (
        refusal(state, "lay citadel south 0")
        == "No board fits there next to the boards already placed. Choose another place."
    )


def test_r64_a_row_lies_from_west_to_east() -> None:
    state = opened(slug="prototype", layout="row")
    assert {text.split()[2] for text in offers(state, "lay")} == {"west", "centre", "east"}


BOARD_REFUSALS = [
    ("lay atlantis north 0", "There is no board side “atlantis” in this game."),
    ("lay a north 0", "There is no board side “a” in this game."),
    ("lay volcano north 0", "That board has already been placed, with this side or the other face up. Choose another."),
    (
        "lay ice_islands north 0",
        "That board has already been placed, with this side or the other face up. Choose another.",
    ),
    ("lay fern moon 0", "There is no place “moon” in this layout."),
    ("lay fern centre 0", "No board fits there next to the boards already placed. Choose another place."),
    ("lay fern north 4", "A board can be turned by at most three quarter turns."),
    ("lay desert north 0", "This board must contain the start region, so it goes in the center."),
    ("start v4", "Place the boards first."),
    ("bid 1", "Place the boards first."),
    ("done", "Place the boards first."),
]


@for_each("text, sentence", BOARD_REFUSALS)
def test_invalid_boards_are_refused_with_a_reason(text: str, sentence: str) -> None:
    assert refusal(after(opened(), BOARDS[0]), text) == sentence


def test_r65_boards_that_leave_no_place_for_the_start_region_are_refused() -> None:
    unoffered = []
    for first in offers(opened(slug="prototype", layout="row"), "lay"):
        state = after(opened(slug="prototype", layout="row"), first)
        for second in offers(state, "lay"):
            here = after(state, second)
            unoffered += [(here, text) for text in fitting(here) if text not in offers(here, "lay")]
    assert unoffered
    for state, text in unoffered[:5]:
        assert (
            refusal(state, text)
            == "With that board there, no region could be the start region. Choose another board or place."
        )


def fitting(state: State) -> list[str]:
    """Return the boards with the orientation of the first one, in every free place."""
    left, lying = view(state, BOB).setup, state.map.laid[0].turns % 2
    return [
        f"lay {side} {place} {turns}" for side in left.sides for place in left.places for turns in (lying, lying + 2)
    ]


# Start and outpost


def test_r63_the_start_is_on_the_central_board_with_a_dotted_line_to_another() -> None:
    assert offers(laid()) == ["start v1", "start v4", "start v7"]
    assert refusal(laid(), "start v5").startswith("The start region must be on the central board")
    assert refusal(laid(), "start m4").startswith("The start region must be on the central board")
    assert refusal(laid(), "start x1") == "There is no region “x1” on this map."


def test_r63_in_a_rectangle_the_start_is_on_any_board_or_on_desert_if_in_play() -> None:
    rows = ["lay {} north-west 0", "lay fern north-east 0", "lay volcano south-west 0", "lay citadel south-east 0"]
    plain = after(opened(layout="rectangle"), rows[0].format("meadows"), *rows[1:])
    assert {text[6] for text in offers(plain, "start")} == {"m", "f", "v", "c"}
    desert = after(opened(layout="rectangle"), rows[0].format("desert"), *rows[1:])
    assert {text[6] for text in offers(desert, "start")} == {"d"}
    assert refusal(desert, "start f2").startswith("The start region must have a dotted line")


def test_r63_the_outpost_is_off_the_start_regions_board() -> None:
    state = after(laid(), "start v4")
    assert {text[8] for text in offers(state, "outpost")} == {"f", "m", "c"}
    assert (
        refusal(state, "outpost v1")
        == "The overseas region can’t be on the same board as the start region. Choose another board."
    )


# Tokens


def with_tokens(**options) -> State:
    return after(laid(**options), "start v4", "outpost m1")


def test_r1_tokens_are_laid_in_any_order() -> None:
    state = with_tokens(explore=True, citadels=True)
    assert state.phase == TOKENS
    assert {text.split()[1] for text in offers(state)} == {
        "magic-spring", "cottage", "hidden-treasure", "magic-book", "stable", "citadel"
    }  # fmt: skip
    state = after(state, "token citadel c3", "token cottage v5")
    assert "token cottage v6" not in offers(state)
    assert "token citadel v6" in offers(state)
    assert view(state).regions["c3"].token == "citadel"


def test_r53_no_token_in_the_start_region_and_r34_none_on_another() -> None:
    state = after(with_tokens(explore=True), "token cottage v5")
    for text in ("token stable v4", "token stable v5"):
        assert (
            refusal(state, text) == "A token needs its own region, other than the start region. Choose another region."
        )
    assert refusal(state, "token cottage v6") == "There is no token “cottage” left to place."


def test_r33_one_merchant_is_placed_on_each_board() -> None:
    state = after(with_tokens(merchants=True), "token merchants v4", "token merchants f1")
    assert refusal(state, "token merchants v5") == "That board already has merchants. Choose another board."
    state = after(state, "token merchants m1", "token merchants c3")
    assert state.phase == BID
    assert sum(state.towns) == 8


def test_r26_face_down_tokens_are_laid_face_down() -> None:
    state = after(with_tokens(explore=True, poison_swamp=True), "token face-down v5")
    assert state.unlaid == ("face-down",) * 5
    assert view(state, BOB).regions["v5"].face == ""


def test_r29_both_portals_have_to_be_laid() -> None:
    state = after(with_tokens(portals=True), "token portal v5")
    assert state.phase == TOKENS
    assert view(after(state, "token portal m3")).portals == ("v5", "m3")


# The third color


def test_r4_the_third_color_is_placed_in_turn_beginning_with_the_opponent() -> None:
    state = after(laid(2), "start v4", "outpost m1")
    order = []
    for _ in range(10):
        assert state.phase == NEUTRAL
        order += LEGENDS.to_act(state)
        state = after(state, "neutral v4")
    assert order == [ALICE, BOB] * 5
    assert armies(state, "v4") == [3, 3, 10]
    assert state.phase == BID


def test_r4_the_third_color_may_be_placed_anywhere() -> None:
    state = after(laid(2), "start v4", "outpost m1")
    assert len(offers(state, "neutral")) == len(state.map.regions)
    assert refusal(state, "neutral x1") == "There is no region “x1” on this map."


def test_r4_classic_only_sets_up_the_third_color() -> None:
    state = opened(2, slug="classic")
    assert state.phase == NEUTRAL
    assert armies(state, "a12") == [3, 3, 0]
    assert len(offers(state)) == 25


def test_leaders_are_dealt_before_anything_is_chosen() -> None:
    state = opened(leaders=True)
    assert len(state.leaders) == 3
    state = after(state, *BOARDS, "start v4")
    sorceress = [leader == "red-sorceress" for leader in state.leaders]
    assert armies(state, "v4") == [3 + extra for extra in sorceress]


@pytest.mark.parametrize("text", ["lay fern north 1", "start v3", "outpost h2", "token cottage d4", "neutral m1"])
def test_choices_are_short_texts_that_round_trip(text: str) -> None:
    assert LEGENDS.text(LEGENDS.parse(text)) == text


@for_each("text", ["lay fern north", "lay fern north x", "lay", "start", "token cottage", "neutral a b"])
def test_meaningless_choices_are_refused(text: str) -> None:
    with pytest.raises(IllegalAction):
        LEGENDS.parse(text)
