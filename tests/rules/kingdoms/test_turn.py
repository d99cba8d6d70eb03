"""A turn before its battle: Flop, draw, burn, buy, build, pick up (sections 5 and 6)."""

import pytest

from games.rules.kingdoms import events as e
from games.rules.kingdoms.state import State
from games.rules.protocol import IllegalAction
from tests.rules.kingdoms.positions import (
    ALICE,
    BOB,
    after,
    events,
    hand,
    is_refused_as_draft,
    kinds_of,
    offers,
    position,
    refusal,
    short,
    spelt,
    verbs,
)

# The order


def test_k5_drawing_comes_first_except_for_free_actions() -> None:
    state = position(hands={ALICE: "E A4"}, flop="A5 A6 A7 S1", drawn=False)
    assert verbs(state) == ["build", "draw"]
    for text in ("burn A5", "buy A4 for A5", "attack 1 with A4", "end"):
        assert refusal(state, text) == "Draw first."


def test_k5_a_tower_can_be_built_before_and_after_any_step_except_the_battle() -> None:
    state = position(hands={ALICE: "E A4"}, drawn=False)
    assert "build" in verbs(state)
    drawn = after(state, "draw", draws="A7")
    assert "build" in verbs(drawn)
    assert "build" in verbs(after(drawn, "burn A5", draws="C9"))


def test_k6_the_flop_is_filled_up_to_three_only_at_the_start_of_a_turn() -> None:
    low = after(position(flop="A4"), "end", draws="C9 C10")
    assert short(low.flop) == "A4 C9 C10"
    facts = events(position(flop="A4 A5 A6 A7 A8 S1"), "end")
    assert kinds_of(facts) == ["end", "turn"]


def test_k6_a_purchase_does_not_refill_the_flop() -> None:
    state = after(position(hands={ALICE: "E"}, flop="A4 C9 A5"), "buy E for A4+C9")
    assert short(state.flop) == "A5 E"


def test_k7_each_standing_tower_draws_one_more_card() -> None:
    state = position(hands={ALICE: "P"}, towers={ALICE: "E Q"}, drawn=False)
    facts = events(after(state, "build P"), "draw")
    assert kinds_of(facts).count("draw") == 4
    assert kinds_of(events(state, "draw")).count("draw") == 3


def test_k7_drawing_is_compulsory_and_happens_once() -> None:
    state = position(drawn=False)
    assert refusal(state, "end") == "Draw first."
    assert refusal(after(state, "draw"), "draw") == "You have already drawn this turn."


# Burning


def test_k8_a_burned_card_is_replaced_by_the_next() -> None:
    state = after(position(flop="A4 A5 A6"), "burn A5", draws="C9")
    assert short(state.flop) == "A4 A6 C9"
    assert short(state.burn) == "A5"
    assert refusal(state, "burn A4") == "You have already burned a card this turn."


def test_k8_burning_comes_before_the_first_purchase() -> None:
    state = after(position(hands={ALICE: "A4"}), "buy A4 for A5")
    assert refusal(state, "burn A6") == "You can only burn a card before you buy."
    assert "burn" not in verbs(state)


def test_k69_a_burned_card_is_included_in_the_reshuffle() -> None:
    state = position(flop="A4 A5 A6", deck="", burn="")
    assert refusal(state, "burn A4") == "There is no card left to replace it."
    facts = events(position(flop="A4 A5 A6", deck="", burn="C9"), "burn A4")
    assert kinds_of(facts) == ["burn", "shuffle", "flop"]
    back = after(position(flop="A4 A5 A6", deck="", burn="C9"), "burn A4", draws="A4")
    assert short(back.flop) == "A5 A6 A4"
    assert short(back.deck) == "C9"


# Drawing from the remaining cards


def test_k9_cards_missing_in_the_deck_are_taken_from_the_flop() -> None:
    state = position(towers={ALICE: "E Q"}, hands={ALICE: ""}, flop="A4 A5 A6", deck="C9", drawn=False)
    drawn = after(state, "draw")
    assert drawn.phase == "flopdraw"
    assert hand(drawn) == "C9"
    assert len(offers(drawn)) == 3
    done = after(drawn, "draw-from-flop A6", "draw-from-flop A4")
    assert hand(done) == "A4 A6 C9"
    assert short(done.flop) == "A5"
    assert done.phase == "turn"


def test_k9_the_burn_pile_becomes_the_deck_first() -> None:
    state = position(towers={ALICE: "E Q"}, deck="C9", burn="C10 C11 C12", drawn=False)
    facts = events(state, "draw")
    assert kinds_of(facts) == ["draws", "draw", "shuffle", "draw", "draw"]


def test_k70_cards_are_taken_one_at_a_time_before_anything_else() -> None:
    state = after(position(towers={ALICE: "E"}, flop="A4 A5", deck="", drawn=False), "draw")
    assert state.owed == 2
    assert refusal(state, "end") == "First take the cards you are owed from the Flop."
    assert verbs(state) == ["draw-from-flop"]
    assert after(state, "draw-from-flop A4").phase == "flopdraw"


def test_k70_epics_of_the_same_draw_wait_until_all_cards_are_taken() -> None:
    state = position(towers={ALICE: "E"}, flop="A4 A5", deck="carp", drawn=False)
    drawn = after(state, "draw", draws="carp")
    assert drawn.phase == "flopdraw"
    assert after(drawn, "draw-from-flop A4").phase == "epic"


def test_k70_a_forced_card_must_be_chosen_too() -> None:
    state = after(position(flop="A4", deck="", drawn=False), "draw")
    assert offers(state) == [f"draw-from-flop {state.flop[0]}"]


def test_k68_cards_owed_beyond_the_flop_lapse() -> None:
    state = after(position(towers={ALICE: "E Q"}, flop="A4", deck="", drawn=False), "draw", "draw-from-flop A4")
    assert state.phase == "turn"
    assert hand(state) == "A4"
    nothing = after(position(flop="", deck="", burn="", drawn=False), "draw")
    assert nothing.flags.drawn and nothing.phase == "turn"


# Purchases


def test_k10_dots_are_paid_exactly() -> None:
    state = position(hands={ALICE: "A4 C9 A8"}, flop="E A6 Q")
    assert short(after(state, "buy A4+C9 for E").hands[ALICE]) == "A8 E"
    assert (
        refusal(state, "buy A8+C9 for E")
        == "The dots don’t match: you give 5 and take 4. Choose cards with equal dots."
    )
    assert hand(after(state, "buy A8 for A6")) == "A4 A6 C9"


def test_k11_payment_goes_face_up_into_the_flop() -> None:
    state = after(position(hands={ALICE: "A4 C9"}, flop="E A6 Q"), "buy A4+C9 for E")
    assert short(state.flop) == "A6 Q A4 C9"
    burned = position(hands={ALICE: "A4 C9"}, flop="E A6 Q", options={"pay_to": "burn"})
    bought = after(burned, "buy A4+C9 for E")
    assert (short(bought.flop), short(bought.burn)) == ("A6 Q", "A4 C9")


def test_k12_a_player_may_buy_any_number_of_times() -> None:
    state = position(hands={ALICE: "A4 A8"}, flop="A5 A6 A7")
    bought = after(state, "buy A4 for A5", "buy A8 for A6", "buy A6 for A7", "buy A7 for A8")
    assert hand(bought) == "A5 A8"


def test_k13_towers_and_epics_cannot_pay() -> None:
    state = position(hands={ALICE: "dragon warmaster A4"}, towers={ALICE: "E"}, flop="Q A5")
    assert refusal(state, "buy dragon for A5") == "Dragon has no dots, so it can’t be bought or used to pay."
    assert refusal(state, f"buy {state.towers[ALICE][0]} for Q") == "That card is not in your hand. Choose another."
    assert refusal(state, f"buy A4 for {state.deck[0]}") == "That card is not in the Flop. Choose another."


# Towers


def test_k14_a_player_builds_one_tower_per_turn() -> None:
    state = after(position(hands={ALICE: "E Q"}), "build E")
    assert refusal(state, "build Q") == "You can’t build any more Towers this turn."
    assert "build" not in verbs(state)


def test_k15_a_turn_cannot_build_and_pick_up() -> None:
    built = after(position(hands={ALICE: "Q"}, towers={ALICE: "E"}), "build Q")
    assert refusal(built, "pick-up") == "You can pick up one Tower per turn, and only if you build none."
    picked = after(position(hands={ALICE: "Q"}, towers={ALICE: "E Q"}), "pick-up")
    assert refusal(picked, "build Q") == "You have picked up a Tower this turn, so you can’t build one."
    assert refusal(picked, "pick-up").startswith("You can pick up one Tower")
    assert not {"build", "pick-up"} & set(verbs(picked))


def test_k16_only_the_top_tower_can_be_picked_up() -> None:
    state = after(position(towers={ALICE: "E Q P"}), "pick-up")
    assert short(state.towers[ALICE]) == "E Q"
    assert hand(state) == "P"
    assert refusal(position(), "pick-up") == "You have no Tower to pick up."


def test_k17_towers_need_not_share_a_suit() -> None:
    state = position(hands={ALICE: "wave-Q"}, towers={ALICE: "sun-E"})
    assert short(after(state, "build Q").towers[ALICE]) == "E Q"


@pytest.mark.parametrize(
    ("standing", "next_one", "name"), [("", "E", "Emperor"), ("E", "Q", "Queen"), ("E Q", "P", "Prince")]
)
def test_k18_the_emperor_is_built_first_and_the_princess_last(standing: str, next_one: str, name: str) -> None:
    state = position(hands={ALICE: "E Q P X"}, towers={ALICE: standing})
    assert {short([text.split()[1]]) for text in offers(state, "build")} == {next_one}
    assert refusal(state, "build X") == f"The next Tower to build is the {name}. Choose that card."


def test_k18_the_refusal_names_the_next_tower_in_the_language_of_the_player() -> None:
    state = position(hands={ALICE: "Q"})
    with pytest.raises(IllegalAction) as refused:
        events(state, "build Q")
    assert refused.value.say(lambda text: "Kaiser" if text == "Emperor" else text).startswith(
        "The next Tower to build is the Kaiser."
    )


# Blind picks during a turn


def test_k39_a_ruler_picks_one_card_of_each_direct_sub_kingdom_per_turn() -> None:
    state = position(5, hands={ALICE: "A4", 1: "A5 C9", 2: "A6", 3: "A7"}, rulers="- 0 0 1 -", drawn=False)
    assert offers(state, "blind-pick") == ["blind-pick 1", "blind-pick 2"]
    picked = after(state, "blind-pick 1", picks=[1])
    assert hand(picked) == "A4 C9"
    assert refusal(picked, "blind-pick 1") == "You can’t take a card from that player now."
    assert hand(after(picked, "blind-pick 2")) == "A4 A6 C9"
    assert refusal(state, "blind-pick 3") == "You can’t take a card from that player now."


def test_k39_nobody_picks_from_an_empty_hand() -> None:
    assert not offers(position(hands={ALICE: "A4"}, rulers="- 0 -"), "blind-pick")


def test_random_picks_take_hidden_cards_first() -> None:
    state = position(hands={BOB: "E E E E E Q Q Q Q Q A4 A5"}, rulers="- 0 -")
    hidden = [name for name in state.hands[BOB] if name not in state.shown[BOB]]
    for pick in range(len(hidden)):
        assert after(state, "blind-pick 1", picks=[pick]).hands[ALICE] == (hidden[pick],)


# Gifts


def test_k62_gifts_go_to_the_ruler_and_direct_sub_kingdoms_if_collusion_is_on() -> None:
    colluding = position(4, hands={ALICE: "A4 A5", 3: "S1"}, rulers="3 0 1 -", options={"collusion": True}, drawn=False)
    assert {text.split()[1] for text in offers(colluding, "gift")} == {"1", "3"}
    after_gift = after(colluding, "gift 1 A4+A5")
    assert (hand(after_gift), hand(after_gift, BOB)) == ("", "A4 A5")
    assert refusal(colluding, "gift 2 A4") == "You can give cards only to your ruler or a direct sub-kingdom."
    assert (
        refusal(position(hands={ALICE: "A4"}, rulers="- 0 -"), "gift 1 A4")
        == "Players can’t give each other cards in this game."
    )


def test_k62_a_draft_does_not_reveal_whether_a_gift_wins() -> None:
    state = position(hands={ALICE: "A4"}, rulers="- 0 -", options={"collusion": True})
    assert is_refused_as_draft(state, "gift 1 A4")


def test_k101_large_exchanges_are_legal_although_only_their_parts_are_listed() -> None:
    state = position(hands={ALICE: "A4 A5"}, flop="A4 A5 A6")
    assert len(offers(state, "buy")) == 5
    assert "buy A4+A5 for A4+A5" not in offers(state)
    assert hand(after(state, "buy A4+A5 for A4+A5")) == "A4 A5"
    gifts = position(hands={ALICE: "A4 A5 A6"}, rulers="- 0 -", options={"collusion": True})
    assert all("+" not in text for text in offers(gifts, "gift"))
    assert len(after(gifts, "gift 1 A4+A5+A6").hands[BOB]) == 3


def test_k105_the_first_of_equal_cards_is_listed_and_the_others_have_the_same_outcome() -> None:
    held = "sun-A4 sun-C9 wave-A4 wave-C9 sun-E plum-E"
    state = position(hands={ALICE: held, BOB: "A8"}, flop="sun-E plum-E A6")
    listed = offers(state)
    for first, other in (
        ("attack 1 with sun-C9", "attack 1 with wave-C9"),
        ("attack 1 with sun-A4+sun-C9", "attack 1 with wave-A4+sun-C9"),
        ("buy sun-A4+sun-C9 for sun-E", "buy wave-A4+wave-C9 for plum-E"),
    ):
        assert spelt(state, ALICE, first) in listed
        assert spelt(state, ALICE, other) not in listed
        assert kinds_of(events(state, first)) == kinds_of(events(state, other))
    fought = [fight_out(state, f"attack 1 with {suit}-C9") for suit in ("sun", "wave")]
    assert fought[0] == fought[1]


def fight_out(state: State, text: str) -> tuple[int, int, int]:
    """Return the totals and the winner of a battle in which Bob defends with his 8."""
    fought = [*events(state, text), *events(after(state, text), "defend A8")]
    revealed = next(event for event in fought if isinstance(event, e.TroopsRevealed))
    ended = next(event for event in fought if isinstance(event, e.BattleEnded))
    return revealed.attack, revealed.defence, ended.winner
