"""Endings: Empire, Conquest, the Final Showdown and the three rounds (sections 12 and 13)."""

import pytest

from games.rules.kingdoms import events as e
from games.rules.kingdoms.state import all_cards
from tests.rules.kingdoms.positions import (
    ALICE,
    BOB,
    CAROL,
    DAN,
    KINGDOMS,
    after,
    events,
    hand,
    kinds_of,
    offers,
    position,
    refusal,
    rulers,
    short,
    verbs,
)


def winners(state) -> tuple[str | None, tuple[int, ...]]:
    return state.won_by, KINGDOMS.score(state).winners


# Empire and Conquest


def test_k18_the_princess_wins_immediately() -> None:
    state = after(position(hands={ALICE: "X"}, towers={ALICE: "E Q P"}), "build X")
    assert winners(state) == ("empire", (ALICE,))
    assert KINGDOMS.to_act(state) == ()


def test_k42_a_sub_kingdom_can_win() -> None:
    state = after(position(hands={ALICE: "X"}, towers={ALICE: "E Q P"}, rulers="1 - -"), "build X")
    assert winners(state) == ("empire", (ALICE,))


def test_k40_a_player_who_rules_all_others_wins_immediately() -> None:
    state = position(4, hands={DAN: "E"}, rulers="- 0 1 -", active=DAN)
    assert winners(after(state, "attack 0 with E")) == ("conquest", (DAN,))


def test_k40_the_top_ruler_also_wins_on_another_players_turn() -> None:
    state = position(4, hands={BOB: "E"}, rulers="- 0 0 -", active=BOB)
    assert winners(after(state, "attack 3 with E")) == ("conquest", (ALICE,))


def test_k41_with_two_players_a_conquest_must_last_a_turn() -> None:
    state = after(position(2, hands={ALICE: "E", BOB: "A4"}), "attack 1 with E", "defend nothing")
    assert (rulers(state), state.won_by, state.active) == ("- 0", None, BOB)
    assert winners(after(state, "draw", "end")) == ("conquest", (ALICE,))
    revolt = after(state, "draw", "attack 0 with A4", "defend nothing", draws="")
    assert (rulers(revolt), revolt.won_by) == ("1 -", None)


def test_k41_a_conquest_is_confirmed_before_the_flop_is_filled() -> None:
    state = position(2, hands={BOB: "A4"}, rulers="- 0", active=BOB, flop="A5")
    assert kinds_of(events(state, "end")) == ["end", "turn", "result"]


def test_k41_the_confirmation_of_a_conquest_is_an_option() -> None:
    state = position(2, hands={ALICE: "E"}, options={"hold_two": False})
    assert winners(after(state, "attack 1 with E")) == ("conquest", (ALICE,))


def test_empire_precedes_300_and_300_precedes_conquest() -> None:
    rich = "E E E E E E E E Q Q Q Q Q Q"  # 294
    conquers = position(4, hands={ALICE: f"{rich} A4"}, flop="Q C9 C10", rulers="- - 0 0")
    assert winners(after(conquers, "attack 1 with A4")) == ("value", (ALICE,))
    richer = f"{rich} Q X"
    builds = position(5, hands={ALICE: f"{richer} P", BOB: "X"}, towers={BOB: "E Q P"}, active=BOB)
    assert winners(after(builds, "build X")) == ("empire", (BOB,))


# The Final Showdown


def last_cards(players: int = 3, **more):
    """Return a position with empty piles in which Alice is about to end her turn."""
    return position(players, flop="", deck="", burn="", **more)


def test_k57_the_showdown_begins_when_all_three_piles_are_empty_at_the_end_of_a_turn() -> None:
    state = last_cards(hands={ALICE: "A4", BOB: "A5"})
    begun = after(state, "end")
    assert begun.showdown and begun.phase == "showdown"
    assert begun.active == BOB
    assert after(position(flop="A4", deck="", burn="", hands={BOB: "A5"}), "end").phase == "turn"


def test_k58_players_with_cards_must_attack_and_laid_cards_leave_the_game() -> None:
    state = after(last_cards(hands={ALICE: "A4 A5", BOB: "A5", CAROL: "A6"}, towers={0: "E", 1: "E", 2: "E"}), "end")
    assert set(verbs(state)) == {"attack"}
    assert refusal(state, "end") == "In the Final Showdown you can only attack."
    fought = after(state, "attack 2 with A5", "defend A6")
    assert {"A5", "A6"} <= set(short(fought.out).split())
    assert (fought.burn, fought.active) == ((), ALICE)


def test_k58_players_without_cards_or_targets_are_skipped() -> None:
    state = after(last_cards(4, hands={ALICE: "A4", CAROL: "A5"}, rulers="- - - 2"), "end")
    assert state.active == CAROL


def test_k58_when_nobody_can_attack_the_towers_of_each_kingdom_decide() -> None:
    state = last_cards(4, hands={ALICE: "S1"}, towers={0: "E Q P", 1: "E", 2: "E", 3: "E"}, rulers="- 2 - 2")
    done = after(state, "end", "attack 1 with S1")
    assert [len(towers) for towers in done.towers] == [3, 0, 1, 1]
    assert winners(done) == ("showdown", (ALICE,))


def test_k58_castles_do_not_count() -> None:
    state = last_cards(3, towers={1: "E"})
    assert winners(after(state, "end")) == ("showdown", (BOB,))


@pytest.mark.parametrize("seat", range(3))
def test_k59_a_tie_leads_to_a_new_deal(seat: int) -> None:
    state = last_cards(3, rulers="- - -", towers={0: "E", 1: "E"}, truces=[BOB], attacked=[ALICE])
    facts = events(state, "end")
    assert kinds_of(facts) == ["end", "showdown", "deal", "turn"]
    done = after(state, "end", picks=[seat])
    assert (done.deal, done.round, done.first, done.active) == (1, 1, seat, seat)
    assert [len(hand) for hand in done.hands] == [5, 5, 5]
    assert done.towers == [()] * 3


def test_k91_the_new_deal_resets_rulers_truces_and_attacks_but_not_removed_cards() -> None:
    state = last_cards(4, rulers="- - 1 0", towers={0: "E"}, options={"leave_princes": "1"})
    state.towers[2] = (next(emperor for emperor in state.out if "emperor" in emperor),)
    state.out = tuple(name for name in state.out if name not in state.towers[2])
    done = after(state, "end")
    assert done.rulers == (None,) * 4
    assert not any(done.attacked) and not any(done.truces)
    cards = [*done.deck, *done.flop, *(name for hand in done.hands for name in hand)]
    assert sorted(cards) == sorted(all_cards(done.options, 4))
    assert done.out == done.burn == ()
    assert not done.showdown


def test_k88_lost_towers_leave_the_game_and_spoils_do_not_apply() -> None:
    state = last_cards(hands={BOB: "A5", CAROL: "A4"}, towers={0: "E Q", 2: "E"}, options={"spoils": "troops"})
    done = after(state, "end", "attack 2 with A5", "defend A4")
    assert sorted(short(done.out[-3:]).split()) == ["A4", "A5", "E"]
    assert (done.burn, hand(done, BOB)) == ((), "")


def test_k89_in_the_showdown_nobody_picks_but_rulers_protect() -> None:
    state = after(last_cards(4, hands={BOB: "A5", CAROL: "A4", DAN: "A6"}, rulers="- - 3 -"), "end")
    attacked = after(state, "attack 2 with A5")
    assert KINGDOMS.to_act(attacked) == (DAN,)
    assert not offers(after(attacked, "protect for"), "blind-pick")


def test_k90_the_showdown_ends_every_truce() -> None:
    state = after(last_cards(hands={BOB: "A5"}, truces=[ALICE, CAROL], round=1), "end")
    assert not any(state.truces)
    assert {text.split()[1] for text in offers(state)} == {"0", "2"}


def test_conquest_wins_the_showdown_immediately_even_with_two_players() -> None:
    state = after(last_cards(2, hands={BOB: "E"}, towers={}), "end")
    assert winners(after(state, "attack 0 with E")) == ("conquest", (BOB,))


# Three rounds


def quick(**more):
    return position(more.pop("players", 3), round=more.pop("round", 3), options={"mode": "quickplay"}, **more)


def test_k60_the_richest_hand_wins_after_three_rounds() -> None:
    state = quick(active=CAROL, hands={ALICE: "E", BOB: "E E", CAROL: "A4"}, attacked=[CAROL])
    assert winners(after(state, "end")) == ("quickplay", (BOB,))
    assert after(quick(active=CAROL, round=2, hands={BOB: "E E"}), "end").round == 3


def test_k92_towers_break_ties_and_otherwise_the_win_is_shared() -> None:
    tied = quick(active=CAROL, hands={ALICE: "E", BOB: "E"}, towers={BOB: "E"}, attacked=[CAROL], rulers="- 0 -")
    assert winners(after(tied, "end")) == ("quickplay", (BOB,))
    shared = quick(active=CAROL, hands={ALICE: "E", BOB: "E"}, attacked=[CAROL])
    assert winners(after(shared, "end")) == ("quickplay", (ALICE, BOB))


def test_k60_by_the_last_round_every_player_must_have_attacked() -> None:
    state = quick(hands={ALICE: "A4"})
    assert (
        refusal(state, "end")
        == "This is the last round, and you haven’t attacked yet. Attack before you end your turn."
    )
    assert "end" not in offers(state)
    assert "end" in offers(quick(hands={ALICE: "A4"}, attacked=[ALICE]))
    assert "end" in offers(quick(hands={ALICE: ""}))
    assert "end" in offers(quick(hands={ALICE: "A4"}, truces=[BOB, CAROL]))
    assert "end" in offers(quick(hands={ALICE: "A4"}, round=2))


def test_k92_declaring_an_attack_fulfills_the_duty_even_if_the_tie_is_stopped() -> None:
    state = quick(hands={ALICE: "A4 A5", BOB: "A4 E"}, towers={BOB: "E"}, round=3)
    done = after(state, "attack 1 with A4", "defend A4", "stop")
    assert done.attacked == [True, False, False]


def test_k92_an_unconfirmed_conquest_of_two_players_does_not_win() -> None:
    state = quick(players=2, active=BOB, hands={ALICE: "E E E", BOB: "C12"}, attacked=[ALICE])
    done = after(state, "attack 0 with C12", "defend nothing")
    assert rulers(done) == "1 -"
    assert winners(done) == ("quickplay", (ALICE,))


def test_k91_three_rounds_end_the_game_before_the_showdown() -> None:
    state = quick(active=CAROL, hands={ALICE: "E"}, flop="", deck="", burn="")
    assert after(state, "end").won_by == "quickplay"


# Places


def test_k95_the_other_places_go_by_towers_then_value_then_are_shared() -> None:
    state = position(5, hands={0: "X", 1: "E", 2: "A4", 3: "E E", 4: "E"}, towers={0: "E Q P", 1: "E", 2: "E Q"})
    sheet = KINGDOMS.score(after(state, "build X"))
    assert [seat.place for seat in sheet.seats] == [1, 3, 2, 4, 5]
    assert [seat.total for seat in sheet.seats] == [4, 2, 3, 1, 0]
    shared = position(4, hands={0: "X", 1: "E", 2: "E", 3: "A4"}, towers={0: "E Q P"})
    assert [seat.place for seat in KINGDOMS.score(after(shared, "build X")).seats] == [1, 2, 2, 4]


def test_k100_the_number_of_rounds_is_unlimited() -> None:
    state = position(round=4000)
    assert after(state, "end").phase == "turn"
    assert isinstance(events(state, "end")[0], e.TurnEnded)
