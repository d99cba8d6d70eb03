"""Battles: troops, protection, waves, results and changes of rule (section 8)."""

import pytest

from games.rules.fairness import Quick
from games.rules.kingdoms import events as e
from games.rules.kingdoms.actions import Stop
from games.rules.kingdoms.battle import go_on
from games.rules.kingdoms.course import Course
from games.rules.kingdoms.decide import advance
from tests.rules.kingdoms.positions import (
    ALICE,
    BOB,
    CAROL,
    DAN,
    KINGDOMS,
    after,
    applied,
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
from tests.rules.walk import check_draft


def fight(state, attack: str, *defence: str):
    """Return the position after an attack on Bob and its consequences."""
    return after(state, f"attack 1 with {attack}", *defence)


# Legal targets


def test_k4_nobody_attacks_in_the_opening_truce() -> None:
    early = position(4, hands={ALICE: "A4"}, round=1)
    assert refusal(early, "attack 1 with A4") == "Nobody can attack yet: the opening truce is still on."
    assert not offers(early, "attack")
    assert offers(position(4, hands={ALICE: "A4"}, round=2), "attack")
    assert not offers(position(3, hands={ALICE: "A4"}, round=2), "attack")
    assert offers(position(3, hands={ALICE: "A4"}, round=1, options={"opening_truce": "0"}), "attack")


def test_k33_everyone_except_sub_kingdoms_may_be_attacked() -> None:
    state = position(5, hands={ALICE: "A4"}, rulers="4 0 1 4 -", active=ALICE)
    assert {text.split()[1] for text in offers(state, "attack")} == {"3", "4"}
    assert refusal(state, "attack 2 with A4") == "You can’t attack your own sub-kingdom. Choose another player."
    assert refusal(state, "attack 0 with A4") == "You can’t attack yourself. Choose another player."
    assert refusal(state, "attack 8 with A4") == "There is no seat 8 in this game."


def test_a_truce_protects_from_everyone_except_sub_kingdoms() -> None:
    state = position(4, hands=dict.fromkeys(range(4), "A4"), truces=[BOB], rulers="- - 1 2")
    assert refusal(state, "attack 1 with A4") == "That player is under a Truce. Choose another player."
    from_below = position(4, hands=dict.fromkeys(range(4), "A4"), truces=[BOB], rulers="- - 1 2", active=DAN)
    assert "attack 1 with " in " ".join(offers(from_below, "attack"))


# Troops


@pytest.mark.parametrize(
    ("attack", "defence", "wins"), [("C10 C11 S1", "A7 A7 A7", True), ("A7 A7 A7", "A7 A8 A6", False)]
)
def test_k20_one_support_may_raise_an_epic_21(attack: str, defence: str, wins: bool) -> None:
    state = position(hands={ALICE: f"{attack} A4", BOB: defence}, towers={BOB: "E"})
    done = fight(state, "+".join(attack.split()), "defend " + "+".join(defence.split()))
    assert (done.towers[BOB] == ()) == wins
    assert done.phase == ("turn" if wins else "tie")


def test_k21_an_epic_and_one_other_hero_may_exceed_21() -> None:
    state = position(hands={ALICE: "E warmaster A4", BOB: "Q S3"}, towers={BOB: "E"})
    hero, boss = state.hands[ALICE][1:]
    assert after(state, f"attack 1 with {hero}+{boss}", "defend Q+S3").towers[BOB] == ()
    assert refusal(state, f"attack 1 with {'+'.join(state.hands[ALICE])}").startswith("An Epic or a Boss fights alone")


def test_k19_any_number_of_cards_up_to_21() -> None:
    state = position(hands={ALICE: "A4 A4 A4 S1 S2 S3"})
    assert fight(state, "A4+A4+A4+S1+S2+S3").phase == "turn"
    over = position(hands={ALICE: "A4 A8 C9 A5"})
    assert refusal(over, "attack 1 with A4+A8+C9+A5").startswith("26 is more than 21.")


def test_k22_support_is_worth_its_number() -> None:
    state = fight(position(hands={ALICE: "S3", BOB: "S2"}, towers={BOB: "E"}), "S3", "defend S2")
    assert state.towers[BOB] == ()


def test_k23_a_player_may_lay_no_cards() -> None:
    state = position(hands={ALICE: "S1", BOB: "E"}, towers={BOB: "E"})
    assert fight(state, "S1", "defend nothing").towers[BOB] == ()
    assert refusal(position(hands={ALICE: "S1"}), "attack 1 with nothing")


def test_k24_the_wall_only_helps_a_castle_without_towers() -> None:
    bare = position(hands={ALICE: "A4 A5", BOB: "S1"})
    assert fight(bare, "A4", "defend S1").phase == "tie"
    walled = position(hands={ALICE: "A4", BOB: "S1"}, towers={BOB: "E"})
    assert fight(walled, "A4", "defend S1").towers[BOB] == ()
    barest = position(hands={ALICE: "A4", BOB: "S1"}, options={"castle_wall": "0"})
    assert rulers(fight(barest, "A4", "defend S1")) == "- 0 -"


def test_k24_a_lone_4_beats_an_empty_castle() -> None:
    state = fight(position(hands={ALICE: "A4", BOB: "E"}), "A4", "defend nothing")
    assert rulers(state) == "- 0 -"


def test_24_against_21_on_a_bare_castle_is_a_tie() -> None:
    state = position(hands={ALICE: "A7 A7 A7 S3 A4", BOB: "C10 C11"})
    assert fight(state, "A7+A7+A7+S3", "defend C10+C11").phase == "tie"


def test_k25_the_attacker_lays_first_face_down() -> None:
    state = position(hands={ALICE: "A4 A5", BOB: "E"})
    facts = events(state, "attack 1 with A4+A5")
    seen = [KINGDOMS.seen(event, BOB) for event in facts]
    assert seen == [e.AttackDeclared(ALICE, BOB, 2)]
    assert KINGDOMS.seen(facts[0], ALICE) == facts[0]
    laid = KINGDOMS.view(after(state, "attack 1 with A4+A5"), BOB).battle.waves[0].hands[0]
    assert (laid.count, laid.cards, laid.total) == (2, (), None)


# Waves


def tie(**more):
    state = position(hands={ALICE: "A4 A8 C9", BOB: "A4 A5"}, towers={BOB: "E"}, **more)
    return fight(state, "A4", "defend A4")


def test_k26_a_tie_may_continue_in_waves_until_one_side_wins() -> None:
    state = tie()
    assert KINGDOMS.to_act(state) == (ALICE,)
    assert set(verbs(state)) == {"stop", "wave"}
    second = after(state, "wave A8")
    assert KINGDOMS.to_act(second) == (BOB,)
    won = after(second, "defend A5")
    assert won.towers[BOB] == ()
    assert sorted(short(won.burn).split()) == ["A4", "A4", "A5", "A8", "E"]


def test_k26_a_player_has_one_battle_per_turn() -> None:
    state = fight(position(hands={ALICE: "A4 A5", BOB: ""}), "A4")
    assert state.active == BOB


def test_k29_a_stopped_tie_burns_all_troops_and_nobody_takes_the_flop() -> None:
    state = after(tie(flop="A6 A6 A6 A7"), "stop")
    assert short(state.burn) == "A4 A4"
    assert short(state.flop) == "A6 A6 A6 A7"
    assert short(state.towers[BOB]) == "E"
    assert state.active == BOB


def test_a_battle_that_was_stopped_in_a_draft_continues_to_its_result() -> None:
    state = tie()
    advance(state, ALICE, Stop(), None)
    assert state.battle is not None and state.battle.stopped
    go_on(Course(state, Quick(1)))
    assert state.battle is None and short(state.burn) == "A4 A4"


def test_21_against_21_with_a_tower_stopped() -> None:
    state = position(hands={ALICE: "A7 A7 A7 A4", BOB: "C10 C11 A4"}, towers={BOB: "E"})
    done = fight(state, "A7+A7+A7", "defend C10+C11", "stop")
    assert sorted(short(done.burn).split()) == ["A7", "A7", "A7", "C10", "C11"]
    assert short(done.flop) == "A4 A5 A6"


def test_k87_a_tie_without_cards_stops_automatically() -> None:
    state = position(hands={ALICE: "A4", BOB: "A4 E"}, towers={BOB: "E"})
    done = fight(state, "A4", "defend A4")
    assert done.active == BOB
    assert refusal(tie(), "wave nothing")


def test_k87_a_table_may_stop_every_tie() -> None:
    assert tie(options={"ties": "stop"}).active == BOB


# Results


def test_k27_the_winner_of_a_battle_takes_the_flop() -> None:
    state = position(hands={ALICE: "C10 C11 S1", BOB: "A7 A7 A7"}, towers={BOB: "E"}, flop="A4 A5 C12 Q")
    won = fight(state, "C10+C11+S1", "defend A7+A7+A7")
    assert hand(won) == "A4 A5 C12 Q"
    assert short(won.burn).split()[-1] == "E"
    lost = fight(position(hands={ALICE: "A4", BOB: "E"}, flop="A5 A6 Q"), "A4", "defend E")
    assert hand(lost, BOB) == "A5 A6 Q"
    assert len(lost.flop) == 3  # filled again for Bob's turn


def test_k28_all_troops_of_both_sides_are_burned() -> None:
    lost = fight(position(hands={ALICE: "A4 A5", BOB: "E S1"}), "A4+A5", "defend E+S1")
    assert sorted(short(lost.burn).split()) == ["A4", "A5", "E", "S1"]


def test_k30_the_tower_built_last_is_lost() -> None:
    state = fight(position(hands={ALICE: "E"}, towers={BOB: "E Q P"}), "E")
    assert short(state.towers[BOB]) == "E Q"


def test_k31_a_lost_tower_is_burned() -> None:
    assert short(fight(position(hands={ALICE: "A4"}, towers={BOB: "E"}), "A4").burn) == "A4 E"


def test_k32_a_fallen_castle_is_rebuilt_and_its_player_plays_on() -> None:
    state = fight(position(hands={ALICE: "C9", BOB: "A4 A5"}), "C9", "defend nothing")
    assert rulers(state) == "- 0 -"
    assert hand(state, BOB) == "A4 A5"
    assert state.active == BOB
    assert "draw" in verbs(state)


@pytest.mark.parametrize(
    ("spoils", "hands", "burned"),
    [("flop", "A4 A5 A6", "A4 A8 E"), ("troops", "A4 A8", "E"), ("loser", "A4", "A8 E")],
)
def test_k86_the_spoils_of_the_attacker_are_an_option(spoils: str, hands: str, burned: str) -> None:
    state = position(hands={ALICE: "A8", BOB: "A4"}, towers={BOB: "E"}, options={"spoils": spoils})
    won = fight(state, "A8", "defend A4")
    assert hand(won) == hands
    assert sorted(short(won.burn).split()) == burned.split()


@pytest.mark.parametrize(("spoils", "hands", "burned"), [("troops", "A4 A5 A8", ""), ("loser", "A4", "A5 A8")])
def test_k86_two_defenders_and_one_winner(spoils: str, hands: str, burned: str) -> None:
    state = position(hands={ALICE: "A4", BOB: "A5", CAROL: "A8"}, rulers="- 2 -", options={"spoils": spoils})
    won = fight(state, "A4", "protect with", "defend A5", "defend A8")
    assert hand(won, CAROL) == hands
    assert sorted(short(won.burn).split()) == burned.split()
    assert short(won.flop) == "A4 A5 A6"


def test_k86_the_attacker_takes_both_defending_hands_from_all_waves() -> None:
    state = position(
        hands={ALICE: "A5 A8", BOB: "A4 S1", CAROL: "A5 S2"},
        towers={BOB: "E"},
        rulers="- 2 -",
        options={"spoils": "loser"},
    )
    tied = fight(state, "A5", "protect with", "defend A4", "defend A5")
    won = after(tied, "wave A8", "defend S1", "defend S2")
    assert hand(won) == "A4 A5 S1 S2"
    assert sorted(short(won.burn).split()) == ["A5", "A8", "E"]


def test_k86_a_stopped_tie_burns_all_troops_with_any_spoils_option() -> None:
    state = after(tie(options={"spoils": "troops"}), "stop")
    assert short(state.burn) == "A4 A4"


# Rulers


def test_k34_beating_a_tower_of_a_sub_kingdom_steals_it_with_its_sub_kingdoms() -> None:
    state = position(5, hands={ALICE: "E"}, towers={BOB: "E"}, rulers="- 4 1 - -")
    done = fight(state, "E")
    assert rulers(done) == "- 0 1 - -"


def test_k34_a_free_player_only_loses_the_tower() -> None:
    assert rulers(fight(position(hands={ALICE: "E"}, towers={BOB: "E"}, rulers="- - 1"), "E")) == "- - 1"


def test_k36_a_fallen_ruler_loses_its_sub_kingdoms_to_the_winner() -> None:
    done = fight(position(5, hands={ALICE: "E"}, rulers="- - 1 1 2"), "E")
    assert rulers(done) == "- 0 0 0 2"


def test_k37_a_revolt_that_beats_a_tower_frees_the_sub_kingdom() -> None:
    done = fight(position(4, hands={ALICE: "E"}, towers={BOB: "E"}, rulers="1 - 0 1"), "E")
    assert rulers(done) == "- - 0 1"


def test_k37_a_revolt_that_beats_the_castle_reverses_the_roles() -> None:
    done = fight(position(4, hands={ALICE: "E"}, rulers="1 - 1 -"), "E")
    assert rulers(done) == "- 0 0 -"


def test_k37_a_ruler_further_up_loses_the_branch() -> None:
    state = position(5, hands={ALICE: "E"}, towers={CAROL: "E"}, rulers="1 2 - - -")
    assert rulers(after(state, "attack 2 with E")) == "- 2 - - -"


def test_k38_a_sub_kingdom_rules_its_own_conquests() -> None:
    state = position(4, hands={BOB: "E", CAROL: ""}, rulers="- 0 - -", active=BOB)
    done = after(state, "attack 2 with E")
    assert rulers(done) == "- 0 1 -"
    assert not offers(position(4, hands={CAROL: "A4"}, rulers="- 0 1 -"), "blind-pick")


def test_rulers_are_a_forest_after_every_event() -> None:
    state = position(4, hands={ALICE: "E"}, rulers="1 2 - 2")
    for event in events(state, "attack 2 with E"):
        KINGDOMS.evolve(state, event)
        for seat in range(4):
            seen, ruler = set(), seat
            while ruler is not None:
                assert ruler not in seen
                seen.add(ruler)
                ruler = state.rulers[ruler]


# Protection


def guarded(**more):
    hands = {ALICE: "A8 E", BOB: "A4 A5", CAROL: "A6 C9", DAN: "A7"} | more.pop("hands", {})
    return fight(position(4, hands=hands, rulers=more.pop("rulers", "- 2 - -"), **more), "A8")


def test_k35_the_direct_ruler_abstains_defends_with_or_defends_for() -> None:
    state = guarded()
    assert KINGDOMS.to_act(state) == (CAROL,)
    assert offers(state) == ["protect leave", "protect with", "protect for"]
    assert KINGDOMS.to_act(after(state, "protect leave")) == (BOB,)
    assert KINGDOMS.to_act(after(state, "protect for")) == (CAROL,)
    assert KINGDOMS.to_act(after(state, "protect with")) == (BOB, CAROL)


def test_k35_the_higher_of_two_defending_hands_counts() -> None:
    state = after(guarded(), "protect with", "defend A4", "defend C9")
    assert sorted(hand(state, CAROL).split()) == ["A4", "A5", "A6", "A6"]
    equal = guarded(hands={BOB: "C9", CAROL: "C9 A4"})
    won = after(equal, "protect with", "defend C9", "defend C9")
    assert "A5" in hand(won, BOB)


def test_k35_a_ruler_who_attacks_is_not_asked_to_protect() -> None:
    state = position(hands={BOB: "E", ALICE: "A4", CAROL: "A5"}, rulers="- 0 1", active=BOB)
    assert KINGDOMS.to_act(after(state, "attack 0 with E")) == (ALICE,)


def test_k35_the_choice_applies_to_the_next_wave_too() -> None:
    state = guarded(hands={BOB: "A4 S1", CAROL: "A5 A6"}, towers={BOB: "E"})
    tied = after(state, "protect for", "defend nothing")
    assert tied.towers[BOB] == ()
    state = position(4, hands={ALICE: "A5 A6", CAROL: "A5 A4", BOB: "S1"}, towers={BOB: "E"}, rulers="- 2 - -")
    tied = fight(state, "A5", "protect for", "defend A5")
    assert KINGDOMS.to_act(after(tied, "wave A6")) == (CAROL,)


def test_k39_a_card_may_be_picked_once_for_each_defense() -> None:
    state = position(4, hands={ALICE: "A5 A6", BOB: "A5 A4", DAN: "A7 A8"}, towers={BOB: "E"}, rulers="- - - 1")
    attacked = fight(state, "A5")
    assert "blind-pick 3" in offers(attacked)
    picked = after(attacked, "blind-pick 3")
    assert hand(picked, BOB) == "A4 A5 A7"
    assert refusal(picked, "blind-pick 3") == "You can’t take a card from that player now."
    tied = after(picked, "defend A5")
    assert "blind-pick 3" in offers(after(tied, "wave A6"))


def test_k39_nobody_picks_from_the_attacker_in_a_revolt() -> None:
    state = position(hands={ALICE: "A8 A4", BOB: "A5"}, rulers="1 - -")
    assert not offers(fight(state, "A8"), "blind-pick")


def test_k81_only_for_may_pick_from_the_attacked_player() -> None:
    state = guarded(rulers="- 2 - 2")
    both = after(state, "protect with")
    assert offers(both, "blind-pick", seat=CAROL) == ["blind-pick 3"]
    assert offers(after(state, "protect for"), "blind-pick") == ["blind-pick 1", "blind-pick 3"]


def test_k82_laying_troops_is_public_and_final() -> None:
    state = after(guarded(), "protect with", "defend A4+A5")
    assert KINGDOMS.to_act(state) == (CAROL,)
    laid = KINGDOMS.view(state, CAROL).battle.waves[0].hands[1]
    assert (laid.seat, laid.count, laid.cards) == (BOB, 2, ())
    assert refusal(state, "defend nothing", seat=BOB) == "It’s not your turn."


def test_k83_a_ruler_without_cards_to_lay_is_not_asked() -> None:
    empty = position(hands={ALICE: "A8", CAROL: ""}, rulers="- 2 -")
    assert kinds_of(events(empty, "attack 1 with A8"))[1] == "protect"
    may_pick = guarded(hands={CAROL: ""})
    assert KINGDOMS.to_act(may_pick) == (CAROL,)


def test_k84_a_defender_without_cards_to_lay_is_not_asked() -> None:
    facts = events(position(hands={ALICE: "A8"}), "attack 1 with A8")
    assert kinds_of(facts)[:4] == ["attack", "lay", "reveal", "battle"]


def test_k84_a_ruler_who_could_only_pick_from_the_attacked_defends_with_nothing() -> None:
    state = guarded(hands={CAROL: ""})
    assert offers(state) == ["protect leave", "protect with", "protect for"]
    draft = applied(state, KINGDOMS.decide(state, CAROL, KINGDOMS.parse("protect with"), None))
    assert KINGDOMS.to_act(draft) == KINGDOMS.to_act(after(state, "protect with")) == (BOB,)
    assert kinds_of(events(state, "protect with")) == ["protect", "lay"]
    for seed in range(9):
        check_draft(KINGDOMS, state, CAROL, Quick(seed))


def test_k85_defending_for_with_nothing_sacrifices_the_sub_kingdom() -> None:
    state = guarded()
    done = after(state, "protect for", "defend nothing")
    assert rulers(done) == "- 0 - -"
    weak = fight(position(hands={ALICE: "S2", BOB: "E", CAROL: "A4"}, rulers="- 2 -"), "S2", "protect for")
    assert rulers(after(weak, "defend nothing")) == "- 2 -"


def test_a_defender_cannot_pick_up_a_tower() -> None:
    state = fight(position(hands={ALICE: "A8", BOB: "A4"}, towers={BOB: "E"}), "A8")
    assert refusal(state, "pick-up") == "First play your defense."
