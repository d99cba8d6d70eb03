"""Not-So-Secret Moves, Epics and Bosses (sections 9 and 10)."""

from games.rules.kingdoms import events as e
from tests.each import for_each
from tests.rules.kingdoms.positions import (
    ALICE,
    BOB,
    CAROL,
    DAN,
    KINGDOMS,
    after,
    events,
    hand,
    is_refused_as_draft,
    kinds_of,
    offers,
    position,
    refusal,
    rulers,
    short,
    verbs,
)

MOVE = "not-so-secret sun-C9+sun-C12 of 1"


def secret(towers: str = "E Q P", hands: str = "sun-C9 sun-C12", **more):
    return position(hands={ALICE: hands} | more.pop("others", {}), towers={BOB: towers}, **more)


# The Not-So-Secret Move


@for_each(
    "cards, can",
    [
        ("sun-C9 sun-C12", True),
        ("sun-C9 wave-C12", False),
        ("plum-A5 plum-A8 plum-A8", True),
        ("sun-E", False),
        ("sun-C12 sun-A8 sun-S1", True),
        ("sun-A8 dragon", False),
        ("sun-A5 sun-A8 sun-A8 sun-S3", False),
    ],
)
def test_k43_two_or_more_cards_of_one_suit_that_make_21(cards: str, can: bool) -> None:
    state = secret(hands=cards)
    text = f"not-so-secret {'+'.join(state.hands[ALICE])} of 1 queen"
    if can:
        assert text in offers(state)
        assert short(after(state, text).towers[BOB]) == "E"
    else:
        assert refusal(state, text).startswith("Show two or more")


def test_k44_once_per_turn_before_the_battle_and_in_addition_to_it() -> None:
    state = secret(hands="sun-C9 sun-C12 wave-C9 wave-C12 A4", drawn=False)
    moved = after(state, f"{MOVE} prince")
    assert (
        refusal(moved, "not-so-secret wave-C9+wave-C12 of 1 queen")
        == "You have already made a Not-So-Secret Move this turn."
    )
    assert "attack" in verbs(after(moved, "draw"))
    assert "not-so-secret" not in verbs(moved)


def test_k45_the_stolen_tower_goes_to_the_hand_and_may_be_built() -> None:
    state = after(secret(), f"{MOVE} emperor")
    assert hand(state) == "E"
    assert short(after(state, "build E").towers[ALICE]) == "E"


def test_k46_broken_towers_return_to_their_owners_hand() -> None:
    state = after(secret(), f"{MOVE} emperor")
    assert (hand(state, BOB), state.towers[BOB]) == ("P Q", ())
    burned = after(secret(options={"broken_towers": "burn"}), f"{MOVE} queen")
    assert (hand(burned, BOB), short(burned.towers[BOB])) == ("", "E")
    assert sorted(short(burned.burn).split()) == ["C12", "C9", "P"]


def test_k47_rulers_do_not_change_and_a_truce_does_not_protect() -> None:
    state = after(secret(truces=[BOB], rulers="- 2 -"), f"{MOVE} prince")
    assert rulers(state) == "- 2 -"
    assert hand(state) == "P"
    assert refusal(secret(towers=""), f"{MOVE} emperor") == "That player has no such Tower. Choose another."


def test_broken_towers_can_make_their_owner_win_by_value() -> None:
    rich = "E E E E E E E Q Q Q Q Q Q"  # 273
    state = after(secret(others={BOB: rich}), f"{MOVE} emperor")
    assert (state.won_by, KINGDOMS.score(state).winners) == ("value", (BOB,))
    assert is_refused_as_draft(secret(others={BOB: rich}), f"{MOVE} emperor")


# Revealed Epics and Bosses


def test_k48_a_player_keeps_the_epics_and_bosses_they_reveal() -> None:
    filled = after(position(flop="A4 A5"), "end", draws="peacekeeper C9")
    assert hand(filled, BOB) == "peacekeeper"
    assert short(filled.flop) == "A4 A5 C9"
    drawn = after(position(drawn=False), "draw", draws="warmaster")
    assert hand(drawn) == "warmaster"
    assert drawn.phase == "turn"


def test_an_epic_revealed_by_burning_is_kept_and_the_next_card_fills_the_flop() -> None:
    state = after(position(flop="A4 A5 A6", towers={BOB: "E"}), "burn A4", draws="dragon C9")
    assert (hand(state), short(state.flop), state.phase) == ("dragon", "A5 A6 C9", "epic")


def test_k66_an_epic_counts_as_one_of_the_cards_drawn() -> None:
    facts = events(position(towers={ALICE: "E", BOB: "E"}, deck="dragon A4 A5", drawn=False), "draw")
    assert kinds_of(facts) == ["draws", "draw", "draw"]


def test_k49_epics_act_after_the_step_in_the_order_they_were_revealed() -> None:
    state = position(towers={ALICE: "E", BOB: "E"}, hands={BOB: "A4"}, drawn=False)
    drawn = after(state, "draw", draws="fox dragon")
    assert short(drawn.queue) == "fox dragon"
    assert refusal(drawn, "storm 1") == "First make Fox’s move."
    assert refusal(drawn, "end") == "First make the Epic’s move."
    assert after(drawn, "tribute 1").queue == drawn.queue[1:]


def test_k49_epics_revealed_meanwhile_join_the_end_of_the_queue() -> None:
    state = position(towers={ALICE: "E", BOB: "E"}, hands={BOB: "A4"}, flop="A4 A5 A6", drawn=False)
    drawn = after(state, "draw", draws="carp dragon")
    served = after(drawn, "market A4", draws="fox C9")
    assert short(served.queue) == "dragon fox"


def test_k50_a_reshuffled_epic_acts_again_and_a_captured_one_does_not() -> None:
    picked = after(position(hands={BOB: "dragon"}, towers={CAROL: "E"}, rulers="- 0 -"), "blind-pick 1")
    assert (hand(picked), picked.phase) == ("dragon", "turn")
    state = position(towers={CAROL: "E"}, deck="", burn="dragon", drawn=False)
    assert after(state, "draw", draws="dragon").phase == "epic"


def test_k71_a_single_choice_must_be_made_by_the_player() -> None:
    with_target = after(position(towers={BOB: "E"}, drawn=False), "draw", draws="dragon")
    assert offers(with_target) == ["storm 1"]
    without_target = after(position(drawn=False), "draw", draws="dragon C9")
    assert (hand(without_target), without_target.phase) == ("C9 dragon", "turn")
    fox = after(position(drawn=False), "draw", draws="fox")
    assert (hand(fox), fox.phase) == ("fox", "turn")


# Each Epic


def test_storm_burns_a_top_tower_and_changes_no_ruler() -> None:
    state = position(towers={BOB: "E Q"}, rulers="1 - -", drawn=False)
    done = after(state, "draw", "storm 1", draws="dragon")
    assert (short(done.towers[BOB]), short(done.burn), rulers(done)) == ("E", "Q", "1 - -")
    drawn = after(state, "draw", draws="dragon")
    assert refusal(drawn, "storm 2") == "Choose another player who has a Tower."


def test_vision_draws_three() -> None:
    state = after(position(drawn=False), "draw", draws="oracle C9 C10 C11")
    assert hand(state) == "C10 C11 C9 oracle"


def test_k71_tribute_takes_from_one_or_two_in_seat_order() -> None:
    state = position(4, hands={BOB: "A4", CAROL: "A5", DAN: ""}, drawn=False)
    drawn = after(state, "draw", draws="fox")
    assert offers(drawn) == ["tribute 1", "tribute 2", "tribute 1+2"]
    facts = events(drawn, "tribute 2+1")
    assert [(event.other, short([event.card])) for event in facts[1:]] == [(1, "A4"), (2, "A5")]
    assert refusal(drawn, "tribute 3") == "Choose one or two other players who have cards."


def test_market_day_takes_a_free_card_and_fills_the_flop() -> None:
    state = after(position(flop="A4 E A5", drawn=False), "draw", "market E", draws="carp C9")
    assert (hand(state), short(state.flop)) == ("E carp", "A4 A5 C9")
    empty = after(position(flop="", drawn=False), "draw", draws="carp C9")
    assert hand(empty) == "C9 carp"


def test_k68_without_deck_and_burn_pile_effects_draw_nothing() -> None:
    state = position(flop="A4", deck="oracle", burn="", drawn=False)
    done = after(state, "draw", draws="oracle")
    assert (hand(done), short(done.flop), done.phase) == ("oracle", "A4", "turn")


# Bosses


def test_k51_any_number_of_bosses_are_played_before_the_battle_and_burned() -> None:
    state = position(hands={ALICE: "peacekeeper warmaster A4 A5"}, drawn=False)
    played = after(state, "boss peacekeeper", "boss warmaster")
    assert short(played.burn) == "peacekeeper warmaster"
    fought = after(played, "draw", "attack 1 with A4")
    assert fought.active == ALICE
    assert set(verbs(fought)) == {"attack", "end"}


def test_k72_between_two_battles_a_player_can_only_attack_or_end() -> None:
    state = after(position(hands={ALICE: "warmaster A8 E"}, towers={BOB: "E"}), "boss warmaster", "attack 1 with A8")
    assert refusal(state, "build E") == "Between two battles, you can only attack or end your turn."
    assert state.flop == ()
    assert after(state, "attack 1 with E").active == BOB
    assert after(state, "end").active == BOB


def test_k73_a_second_battle_ends_automatically_without_cards_or_targets() -> None:
    twice = position(hands={ALICE: "warmaster A4", BOB: "E"}, flop="A4 A5 A6")
    assert after(twice, "boss warmaster").flags.battles_allowed == 2
    assert after(twice, "boss warmaster", "attack 1 with A4", "defend E").active == BOB
    no_target = position(hands={ALICE: "warmaster A8 E"}, truces=[CAROL])
    assert after(no_target, "boss warmaster", "attack 1 with A8").active == BOB
    decks = position(5, hands={ALICE: "warmaster warmaster A4"})
    first, second = [name for name in decks.hands[ALICE] if "warmaster" in name]
    played = after(decks, *(f"boss {name.replace('boss-', '')}" for name in (first, second)))
    assert played.flags.battles_allowed == 2


def test_k73_a_stopped_tie_counts_as_a_battle() -> None:
    state = position(hands={ALICE: "warmaster A4 A5 A6", BOB: "A4 E"}, towers={BOB: "E"})
    tied = after(state, "boss warmaster", "attack 1 with A4", "defend A4", "stop")
    assert (tied.active, tied.flags.battles) == (ALICE, 1)


def test_k74_only_the_spymaster_needs_a_target() -> None:
    state = position(hands={ALICE: "spymaster warmaster builder", BOB: ""}, round=1, flop="A4 A5 A6")
    assert offers(state, "boss") == ["boss warmaster", "boss builder"]
    assert refusal(state, "boss spymaster 1") == "Choose another player who has cards."
    assert short(after(state, "boss builder").burn) == "builder"


def test_the_spymaster_looks_at_a_hand_and_takes_a_card() -> None:
    state = after(position(hands={ALICE: "spymaster", BOB: "E A4"}), "boss spymaster 1")
    assert state.phase == "infiltrate"
    assert KINGDOMS.view(state, ALICE).looked == state.hands[BOB]
    assert KINGDOMS.view(state, BOB).looked == KINGDOMS.view(state, CAROL).looked == ()
    assert verbs(state) == ["take"]
    assert refusal(state, "end") == "First take a card from the hand you are looking at."
    taken = after(state, "take E")
    assert (hand(taken), hand(taken, BOB), taken.phase) == ("E", "A4", "turn")
    assert is_refused_as_draft(position(hands={ALICE: "spymaster", BOB: "E"}), "boss spymaster 1")


def test_k74_the_builder_must_take_a_hero_if_there_is_one() -> None:
    state = position(hands={ALICE: "builder E Q"}, burn="A4 P")
    assert len(offers(state, "boss")) == 1
    assert refusal(state, "boss builder") == "Choose a Kingdom Hero from the Burn pile."
    played = after(state, "boss builder P")
    assert hand(played) == "E P Q"
    assert short(after(played, "build E", "build Q").towers[ALICE]) == "E Q"


def test_k80_each_builder_adds_a_build_unless_a_tower_was_picked_up() -> None:
    state = position(hands={ALICE: "builder Q P"}, towers={ALICE: "E"})
    picked = after(state, "pick-up", "boss builder")
    assert refusal(picked, "build Q") == "You have picked up a Tower this turn, so you can’t build one."
    built = after(state, "boss builder", "build Q")
    assert refusal(built, "pick-up") == "You can pick up one Tower per turn, and only if you build none."
    assert short(after(built, "build P").towers[ALICE]) == "E Q P"


def test_a_truce_ends_when_its_players_next_turn_begins() -> None:
    state = after(position(2, hands={ALICE: "peacekeeper", BOB: "A4"}), "boss peacekeeper", "end")
    assert state.truces == [True, False]
    assert not offers(after(state, "draw"), "attack")
    assert after(state, "draw", "end").truces == [False, False]


def test_k52_the_log_names_the_owner_of_a_boss_only_if_it_was_shown() -> None:
    turned = e.HeroTurned(BOB, "boss-warmaster")
    assert KINGDOMS.seen(turned, ALICE) == turned
    assert KINGDOMS.seen(e.CardDrawn(BOB, "boss-warmaster"), ALICE) == e.CardDrawn(BOB)
    epic = e.CardDrawn(BOB, "epic-fox")
    assert KINGDOMS.seen(epic, ALICE) == epic
