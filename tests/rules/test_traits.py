"""Traits of games that statistics count."""

import pytest

from games.rules.registry import RULESETS
from tests.rules.walk import walk

VARIANTS = '{"leaders": true}'


def events_of(game):
    return [event for step in game.steps for event in step.events]


@pytest.mark.parametrize("slug", RULESETS)
def test_each_seat_has_its_own_place_in_the_order_of_turns_and_every_kind_has_a_name(slug: str):
    ruleset = RULESETS[slug]
    game = walk(ruleset, 3, 1)
    traits = ruleset.traits(events_of(game), game.final)
    assert sorted(seat["first"] for seat in traits) == [("1",), ("2",), ("3",)]
    assert {kind for seat in traits for kind in seat} <= set(ruleset.trait_names)
    for seat in traits:
        for kind, values in seat.items():
            assert all(ruleset.trait_name(kind, value) for value in values)


def test_eight_minute_games_count_bids_cards_and_leaders():
    ruleset = RULESETS["legends"]
    game = walk(ruleset, 3, 2, VARIANTS)
    taken = [event for event in events_of(game) if type(event).__name__ == "CardTaken"]
    for seat, traits in enumerate(ruleset.traits(events_of(game), game.final)):
        assert traits["card"] == tuple(event.card for event in taken if event.seat == seat)
        assert len(traits["leader"]) == 1 and traits["bid"][0].isdecimal()


def test_the_player_who_names_the_first_player_need_not_go_first():
    ruleset = RULESETS["legends"]
    for seed in range(20):
        game = walk(ruleset, 3, seed)
        naming = next((event for event in events_of(game) if type(event).__name__ == "FirstNamed"), None)
        if naming and naming.seat != naming.first:
            assert ruleset.traits(events_of(game), game.final)[naming.first]["first"] == ("1",)
            return
    pytest.fail("nobody named another")


def test_kingdoms_counts_towers_battles_and_castles():
    ruleset = RULESETS["kingdoms"]
    game = walk(ruleset, 3, 3)
    built = [event.seat for event in events_of(game) if type(event).__name__ == "TowerBuilt"]
    for seat, traits in enumerate(ruleset.traits(events_of(game), game.final)):
        assert traits["towers"] == (str(built.count(seat)) if built.count(seat) < 6 else "6+",)
