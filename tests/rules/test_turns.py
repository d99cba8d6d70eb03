"""Turns: R9-R12, R18, R40, R43-R45, R51."""

import pytest

from games.rules.eight_minute.events import CardDrawn, CardTaken, GameEnded, TurnEnded
from games.rules.eight_minute.state import State
from tests.each import for_each
from tests.rules.positions import ALICE, BOB, LEGENDS, after, armies, events, offers, position, refusal, taking

HOME = {"v4": (3, 3, 3)}
ROW = ["ancient-sage", "dire-goblin", "forest-gnome", "night-hydra", "noble-hills", "dire-eye"]


def left(state: State) -> list[tuple[str, int, bool]]:
    return [(part.kind, part.left, part.open) for part in LEGENDS.view(state, ALICE).parts]


@for_each("slot, price", [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_r9_the_price_depends_on_the_place_in_the_row(slot: int, price: int) -> None:
    taken = events(position(row=ROW, armies=HOME), f"take {ROW[slot]}")[0]
    assert taken == CardTaken(ALICE, ROW[slot], price)


def test_r9_only_affordable_cards_are_offered() -> None:
    assert offers(position(row=ROW, coins=[1, 9, 9])) == [f"take {card}" for card in ROW[:3]]


def test_r9_the_leftmost_card_is_free_so_a_turn_is_always_possible() -> None:
    assert offers(position(row=ROW, coins=[0, 0, 0])) == ["take ancient-sage"]


def test_r9_coins_that_the_card_gives_cannot_pay_for_it() -> None:
    row = ["ancient-sage", "mountain-treasury", "lake"]
    assert refusal(position(row=row, coins=[0, 9, 9]), "take mountain-treasury").startswith(
        "You don’t have enough coins"
    )


def test_r9_the_price_is_paid_before_the_coins_of_the_card_are_gained() -> None:
    row = ["ancient-sage", "mountain-treasury", "lake"]
    assert after(position(row=row, coins=[1, 9, 9], armies=HOME), "take mountain-treasury").coins == [2, 9, 9]


def test_r10_extra_movement_applies_to_the_cards_own_action() -> None:
    assert left(taking("noble-unicorn", armies=HOME))[0] == ("move", 5, True)


def test_r10_an_extra_army_applies_to_the_cards_own_action() -> None:
    assert left(taking("forest-elf", armies=HOME))[0] == ("place", 4, True)


def test_r10_flying_applies_to_the_cards_own_action() -> None:
    state = after(taking("cursed-gargoyles", armies=HOME), "move v4 m4")
    assert left(state) == [("move", 3, True)]


def test_r10_immunity_applies_during_the_cards_own_action() -> None:
    assert "destroy v4 0" not in offers(taking("dire-giant", armies=HOME), "destroy")


def test_r10_abilities_add_up() -> None:
    owned = {ALICE: ["night-village", "night-hydra", "forest-pixie"]}
    assert left(taking("dire-eye", armies=HOME, owned=owned)) == [("place", 4 + 3, True)]


@pytest.mark.parametrize("card", ["ancient-tree-spirit", "night-hydra", "forest-elf", "castle-b"])
def test_r11_the_whole_action_may_be_skipped(card: str) -> None:
    assert after(taking(card, 4, armies={"v4": (3, 3, 3, 3)}), "done").turn == BOB


def test_r11_part_of_the_action_may_be_skipped() -> None:
    state = after(taking("dire-eye", armies=HOME), "place v4", "done")
    assert armies(state, "v4") == [4, 3, 3]
    assert state.turn == BOB


def test_r11_the_first_part_of_an_and_may_be_skipped() -> None:
    assert "destroy v4 1" in offers(taking("night-hydra", armies=HOME))


def test_r12_the_first_step_chooses_the_branch_of_an_or() -> None:
    fresh = taking("forest-elf", armies=HOME)
    assert offers(fresh, "place") and offers(fresh, "move")
    assert not offers(after(fresh, "place v4"), "move")
    assert not offers(after(fresh, "move v4 v5"), "place")


def test_r12_a_step_of_the_second_part_closes_the_first_of_an_and() -> None:
    state = after(taking("noble-unicorn", armies=HOME), "move v4 v5", "place v4")
    assert state.taken == ""
    woods = after(taking("ancient-woods", armies=HOME, cities={"v7": (1,)}), "place v7")
    assert not offers(woods, "build")


def test_r12_parts_of_an_and_keep_the_printed_order() -> None:
    state = after(taking("dire-dragon", armies=HOME), "destroy v4 1")
    assert state.taken == ""
    assert state.turn == BOB


def test_r18_with_an_empty_deck_the_row_is_not_refilled_and_cards_get_cheaper() -> None:
    state = position(row=ROW, armies=HOME)
    state.deck = []
    state = after(state, "take ancient-sage", "done")
    assert state.row == ROW[1:]
    assert events(after(state, "take dire-goblin", "done"), f"take {ROW[5]}")[0].price == 2


def test_r18_the_last_card_of_the_deck_is_dealt() -> None:
    state = position(row=ROW, armies=HOME)
    state.deck = ["dire-ogre"]
    state = after(state, "take ancient-sage", "done")
    assert state.row == [*ROW[1:], "dire-ogre"]
    assert state.deck == []


def test_r18_cards_slide_left_and_the_new_card_comes_last() -> None:
    state = after(position(row=ROW, armies=HOME), "take forest-gnome", "done")
    assert state.row[:5] == [card for card in ROW if card != "forest-gnome"]
    assert len(state.row) == 6


def test_r40_a_turn_ends_automatically_after_a_take_without_possible_steps() -> None:
    taken = events(position(row=["night-village", *ROW]), "take night-village")
    assert [type(event) for event in taken] == [CardTaken, TurnEnded, CardDrawn]


def test_r40_a_turn_ends_automatically_after_its_last_step() -> None:
    state = after(taking("graveyard", armies=HOME), "place v4")
    assert state.taken == "graveyard"
    assert after(state, "place v4").turn == BOB


def test_r40_a_turn_needs_done_while_any_step_is_legal() -> None:
    state = after(taking("ancient-sage", armies=HOME), "move v4 v5", "move v5 v4")
    assert state.taken == "ancient-sage"
    assert "done" in offers(state)


def test_r40_movement_that_cannot_leave_an_island_of_one_region_ends_the_turn() -> None:
    state = taking("dire-ogre", armies={"c3": (1, 1, 1)})
    assert state.turn == BOB


def test_r40_a_turn_ends_if_the_remaining_movement_leads_nowhere() -> None:
    """c3 is surrounded by sea: its army, the only one, cannot leave with two movements."""
    state = after(taking("dire-goblin", armies={"c2": (1, 1, 1)}), "move c2 c3")
    assert state.turn == BOB


def test_r40_done_is_legal_at_any_time_after_the_take_but_not_before() -> None:
    assert "done" not in offers(position(row=ROW))
    assert refusal(position(row=ROW), "done") == "Take a card first. The leftmost one is free."
    state = taking("dire-eye", armies=HOME)
    for _ in range(4):
        assert offers(state)[-1] == "done"
        state = after(state, "place v4")


def test_r40_a_draft_that_ended_automatically_has_not_drawn_the_card() -> None:
    ended = LEGENDS.decide(taking("night-village", armies=HOME), ALICE, LEGENDS.parse("build v4"), None)
    assert type(ended[-1]) is TurnEnded


def test_r40_a_draft_that_has_ended_takes_no_more_steps() -> None:
    state = taking("night-village", armies=HOME)
    for event in LEGENDS.decide(state, ALICE, LEGENDS.parse("build v4"), None):
        LEGENDS.evolve(state, event)
    assert LEGENDS.legal(state, ALICE) == []
    assert refusal(state, "done", ALICE) == "Your turn is complete."


def test_r43_the_taken_card_leaves_the_row_immediately() -> None:
    state = after(position(row=ROW, armies=HOME), "take dire-goblin")
    assert state.row == [ROW[0], *ROW[2:]]
    assert state.owned[ALICE] == ["dire-goblin"]


def test_r43_the_new_card_is_drawn_when_the_turn_ends() -> None:
    state = after(position(row=ROW, armies=HOME), "take dire-goblin", "move v4 v5")
    ended = events(state, "done")
    assert [type(event) for event in ended] == [TurnEnded, CardDrawn]
    assert ended[1].card in state.deck


def test_r43_no_card_is_drawn_after_the_last_turn() -> None:
    state = position(2, row=ROW, armies=HOME)
    state.owned = [["lake"] * 10, ["lake"] * 11]
    assert state.deck
    ended = events(after(state, "take dire-goblin"), "done")
    assert [type(event) for event in ended] == [TurnEnded, GameEnded]


@pytest.mark.parametrize(("players", "cards"), [(2, 11), (3, 10), (4, 8)])
def test_the_game_ends_when_all_players_own_their_number_of_cards(players: int, cards: int) -> None:
    state = position(players, row=ROW, turn=players - 1)
    state.owned = [["lake"] * cards for _ in range(players - 1)] + [["lake"] * (cards - 1)]
    over = after(state, "take dire-eye", "done")
    assert LEGENDS.is_over(over)
    assert LEGENDS.to_act(over) == ()


def test_the_game_continues_while_a_player_owns_one_card_fewer() -> None:
    state = position(3, row=ROW, turn=1, armies=HOME)
    state.owned = [["lake"] * 10, ["lake"] * 9, ["lake"] * 9]
    assert after(state, "take dire-eye", "done").turn == 2


def test_r44_an_impossible_part_of_an_or_offers_nothing_and_the_other_part_is_offered() -> None:
    state = taking("castle-a", 4, armies={"v5": (18,)})
    assert not offers(state, "place")
    assert offers(state, "build") == ["build v5"]


def test_r44_a_skipped_step_closes_nothing() -> None:
    state = taking("arcane-sphinx", armies=HOME)
    assert offers(state, "place") and offers(state, "move")


def test_r44_legal_actions_are_recomputed_before_each_step() -> None:
    woods = taking("ancient-woods", armies={"v4": (1,), "v5": (1,)})
    assert offers(woods, "place") == ["place v4"]
    assert offers(after(woods, "build v5"), "place") == ["place v4", "place v5"]


def test_r44_a_destroy_becomes_possible_where_the_first_part_brought_an_army() -> None:
    hydra = taking("night-hydra", armies={"v4": (1,), "v5": (0, 1)})
    assert offers(hydra, "destroy") == ["destroy v4 0"]
    assert "destroy v5 1" in offers(after(hydra, "move v4 v5"), "destroy")


def test_r45_an_amount_is_the_printed_number_plus_bonuses_minus_what_was_used() -> None:
    state = after(taking("cursed-king", armies=HOME, owned={ALICE: ["forest-pixie"]}), "place v4")
    assert left(state) == [("place", 3, True), ("move", 4, False)]


def test_r45_a_crossing_uses_three_movements() -> None:
    state = after(taking("ancient-sage", armies=HOME), "move v4 m4")
    assert state.turn == BOB


def test_r45_bonuses_do_not_add_cities_or_destroys() -> None:
    owned = {ALICE: ["night-village", "forest-tree-town"]}
    assert left(taking("castle-b", 4, armies={"v4": (3, 3)}, owned=owned)) == [("move", 4, True), ("build", 1, True)]


def test_r51_the_supply_of_coins_never_runs_out() -> None:
    state = position(row=["mountain-treasury"], coins=[500, 500, 500], armies=HOME)
    assert after(state, "take mountain-treasury").coins[ALICE] == 502


def test_r31_the_seventh_card_of_the_row_costs_three() -> None:
    row = [*ROW, "lake"]
    state = position(row=row, armies=HOME, options={"seven_cards": True}, coins=[9, 9, 9])
    assert [offer.price for offer in LEGENDS.view(state, ALICE).row] == [0, 1, 1, 2, 2, 3, 3]
    assert events(state, "take lake")[0].price == 3
    assert len(after(state, "take lake", "done").row) == 7
