"""Standing orders, and automatic actions after a time-out (sections 15 and 21)."""

import pytest

from games.rules.fairness import Quick
from games.rules.protocol import SeatInfo
from tests.each import for_each
from tests.rules.kingdoms.positions import ALICE, BOB, CAROL, DAN, KINGDOMS, after, hand, position, short


def late(state) -> str:
    """Return the action after a time-out of the first seat to act."""
    return KINGDOMS.text(KINGDOMS.when_late(state, KINGDOMS.to_act(state)[0]))


def ordered(state, seat: int = BOB, **orders: object) -> str | None:
    action = KINGDOMS.answer(state, seat, orders)
    return None if action is None else KINGDOMS.text(action)


def attacked(players: int = 4, **more):
    return after(position(players, **more), "attack 1 with A4")


# Time-outs


def test_k63_a_turn_that_timed_out_draws_and_ends() -> None:
    state = position(hands={ALICE: "A4"}, drawn=False)
    assert late(state) == "draw"
    assert late(after(state, "draw")) == "end"


def test_k63_seats_that_are_not_to_act_cannot_time_out() -> None:
    assert KINGDOMS.when_late(position(), BOB) is None
    assert KINGDOMS.answer(position(), BOB, {}) is None


def test_k93_a_forced_attack_uses_the_lowest_card_on_the_first_target() -> None:
    state = position(hands={ALICE: "A5 S2 wave-S2 C9"}, rulers="- 0 -", round=3, options={"mode": "quickplay"})
    assert late(state) == f"attack 2 with {state.hands[ALICE][2]}"
    showdown = position(4, hands={BOB: "S3 A4"}, flop="", deck="", showdown=True, active=BOB, drawn=False)
    assert late(showdown) == f"attack 2 with {next(name for name in showdown.hands[BOB] if 'support' in name)}"


def test_k93_after_the_first_of_two_battles_the_turn_ends() -> None:
    state = after(position(hands={ALICE: "warmaster A8 E"}, towers={BOB: "E"}), "boss warmaster", "attack 1 with A8")
    assert late(state) == "end"


def test_k93_storm_hits_the_player_with_the_most_towers_clockwise() -> None:
    state = position(4, towers={0: "E", 2: "E Q", 3: "E Q"}, drawn=False, active=DAN, hands={})
    assert late(after(state, "draw", draws="dragon")) == "storm 2"
    even = position(4, towers={0: "E", 1: "E"}, drawn=False, active=CAROL)
    assert late(after(even, "draw", draws="dragon")) == "storm 0"


def test_k93_tribute_takes_from_the_two_players_with_the_most_cards() -> None:
    state = position(4, hands={0: "A4 A5", 1: "A4", 2: "A6 A7 A8"}, active=DAN, drawn=False)
    assert late(after(state, "draw", draws="fox")) == "tribute 0+2"


def test_k93_market_day_spy_and_flopdraw_take_the_highest_value() -> None:
    flop = position(flop="A4 C12 A5", drawn=False)
    assert short([late(after(flop, "draw", draws="carp")).split()[1]]) == "C12"
    spy = after(position(hands={ALICE: "spymaster", BOB: "A4 Q C9"}), "boss spymaster 1")
    assert short([late(spy).split()[1]]) == "Q"
    owed = after(position(flop="A4 C12 A5", deck="", drawn=False), "draw")
    assert short([late(owed).split()[1]]) == "C12"


def test_k93_the_ruler_abstains_and_the_best_ordinary_hand_defends() -> None:
    state = attacked(hands={ALICE: "A4 A5", BOB: "C9 C12 dragon S1", CAROL: "A5"}, rulers="- 2 - -", towers={BOB: "E"})
    assert late(state) == "protect leave"
    left = after(state, "protect leave")
    assert short(late(left).split()[1].split("+")) == "C9 C12"
    epics = attacked(hands={ALICE: "A4", BOB: "dragon fox"})
    assert late(epics) == "defend nothing"


def test_k63_a_tie_is_stopped() -> None:
    state = after(attacked(hands={ALICE: "A4 A5", BOB: "A4"}, towers={BOB: "E"}), "defend A4")
    assert late(state) == "stop"


# Standing orders


def test_default_orders_answer() -> None:
    assert [field.name for field in KINGDOMS.order_fields()] == ["defend", "protect", "pick"]
    for field in KINGDOMS.order_fields():
        assert field.default in [choice.value for choice in field.choices]
    state = attacked(hands={ALICE: "A4", BOB: "A5", CAROL: "A6"}, rulers="- 2 - -")
    assert ordered(state, CAROL) == "protect leave"
    assert short(ordered(after(state, "protect leave")).split()[1:]) == "A5"


@pytest.mark.parametrize(
    ("order", "cards"),
    [("best", "A5 A8 A8"), ("three", "A5 A8 A8"), ("two", "A8 A8"), ("one", "A8"), ("concede", "nothing")],
)
def test_orders_defend_with_the_best_hand_of_few_cards_or_nothing(order: str, cards: str) -> None:
    state = attacked(hands={ALICE: "A4", BOB: "A5 A8 A8 S3"}, towers={BOB: "E"})
    troops = ordered(state, defend=order).split()[1]
    assert troops == cards or short(troops.split("+")) == cards


def test_a_player_who_wants_to_be_asked_is_asked() -> None:
    state = attacked(hands={ALICE: "A4", BOB: "A5", CAROL: "A6"}, rulers="- 2 - -")
    assert ordered(state, CAROL, protect="ask") is None
    assert ordered(state, CAROL, protect="for") == "protect for"
    left = after(state, "protect leave")
    assert ordered(left, defend="ask") is None
    assert ordered(left, defend="ask", pick="first") is None


def test_orders_pick_first_and_are_then_consulted_again() -> None:
    state = attacked(hands={ALICE: "A4", BOB: "A5", DAN: "C12"}, rulers="- - - 1")
    assert ordered(state, pick="first") == "blind-pick 3"
    picked = after(state, "blind-pick 3")
    assert hand(picked, BOB) == "A5 C12"
    assert short(ordered(picked, pick="first").split()[1].split("+")) == "A5 C12"


def test_orders_do_not_play_a_players_own_turn() -> None:
    assert ordered(position(hands={ALICE: "A4"}), ALICE) is None


@for_each("players", KINGDOMS.seat_counts)
def test_k64_default_orders_play_a_whole_game_for_all_players(players: int) -> None:
    """If nobody attacks, hands grow until one is worth 300 or three rounds end the game."""
    for options in ({}, {"mode": "quickplay"}):
        chance, seats = Quick(players), [SeatInfo()] * players
        chosen = KINGDOMS.options(options, players)
        state = KINGDOMS.initial(chosen, seats)
        facts = KINGDOMS.start(chosen, seats, chance)
        while True:
            for event in facts:
                KINGDOMS.evolve(state, event)
            waiting = KINGDOMS.to_act(state)
            if not waiting:
                break
            facts = KINGDOMS.decide(state, waiting[0], KINGDOMS.when_late(state, waiting[0]), chance)
        assert KINGDOMS.is_over(state)
        assert KINGDOMS.score(state).winners
