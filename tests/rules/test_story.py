"""The story of an entry, in sentences as a person would write them."""

from games.rules.eight_minute import events as e
from games.rules.registry import get

NAMES = ("Alice", "Bob")


def test_steps_of_the_same_kind_in_a_row_become_one_sentence():
    events = [
        e.CardTaken(0, "ancient-woods", 1),
        e.CityBuilt(0, "v3", 0),
        e.ArmyPlaced(0, "v3", 1),
        e.ArmyPlaced(0, "v3", 1),
        e.ArmyPlaced(0, "v4", 1),
        e.TurnEnded(0),
    ]
    assert get("legends").tell(events, NAMES) == [
        "Alice takes Ancient Woods for 1 coin.",
        "Alice builds a city in v3.",
        "Alice places armies: v3 ×2, v4.",
    ]


def test_a_single_step_keeps_its_sentence():
    event = e.ArmyMoved(1, "v3", "v4", 1, 0)
    assert get("legends").tell([event], NAMES) == [get("legends").say(event, NAMES)]


def test_moves_name_their_route_with_the_region_names_of_the_map():
    events = [e.ArmyMoved(1, "v3", "v4", 1, 0), e.ArmyMoved(1, "v3", "v4", 1, 0), e.ArmyMoved(1, "v4", "v5", 1, 0)]
    sentences = get("legends").tell(events, NAMES, region_name=str.upper)
    assert sentences == ["Bob moves armies: V3 to V4 ×2, V4 to V5."]


def test_the_third_color_is_placed_in_one_sentence():
    events = [e.NeutralPlaced(region) for region in ("m1", "m2", "m1")]
    assert get("legends").tell(events, NAMES) == ["The third color has armies in m1 ×2, m2."]


def test_tokens_and_merchants_are_listed_by_kind_whatever_their_order():
    events = [
        e.OutpostChosen("t1", (1, 1)),
        e.TokenLaid("face-down", "m1"),
        e.TownLaid("m2", 2),
        e.TokenLaid("dragon", "m3"),
        e.TokenLaid("face-down", "t2"),
        e.TownLaid("t3", 2),
        e.RowDealt(("graveyard",)),
    ]
    assert get("legends").tell(events, NAMES)[1:] == [
        "Tokens on the map: face down in m1, t2; Rampaging Dragon in m3.",
        "There are merchants in m2, t3.",
        "The first cards are Graveyard.",
    ]
