"""The log in words."""

import pytest

from games.rules.eight_minute import events as e
from games.rules.protocol import Event, Scoresheet, SeatScore
from tests.rules.positions import LEGENDS

NAMES = ["Alice", "Bob", "Carol {x}"]


def result(*winners: int) -> e.GameEnded:
    seats = tuple(SeatScore(seat, 17 if seat in winners else 9, 1 if seat in winners else 3, ()) for seat in range(3))
    return e.GameEnded(Scoresheet(seats))


SAYINGS = [
    (e.SetupBegun(1), "Bob sets up the game."),
    (e.BoardsLaid("", 0), ""),
    (e.BoardLaid("horse_shoe", "north-west", 3), "horse_shoe lies in the north-west."),
    (
        e.LeadersDealt(("fairy-queen", "bandit-king", "white-knight")),
        "The leaders: Fairy Queen (Alice), Bandit King (Bob), White Knight (Carol {x}).",
    ),
    (
        e.StartChosen("v4", (3, 4, 3)),
        "The start region is v4; everybody has 3 armies there, Bob 4.",
    ),
    (e.TokenLaid("cottage", "v4"), "Cottage lies in v4."),
    (e.TokenLaid("face-down", "v4"), "A token lies face down in v4."),
    (e.TownLaid("v4", 2), "Merchants with 2 coins are in v4."),
    (e.StartChosen("v4", (3, 3, 3)), "The start region is v4; everybody has 3 armies there."),
    (e.OutpostChosen("m1", (1, 1, 1)), "Overseas, everybody begins in m1."),
    (e.NeutralPlaced("m1"), "An army of the third colour stands in m1."),
    (e.RowDealt(("lake", "castle-a")), "The first cards are Lake, Castle."),
    (e.BidMade(1, 3), ""),
    (
        e.BidsRevealed((1, 3, 0), 1, "highest"),
        "The bids: Alice 1, Bob 3, Carol {x} 0. Bob wins and pays 3.",
    ),
    (
        e.BidsRevealed((3, 3, 0), 1, "age"),
        "The bids: Alice 3, Bob 3, Carol {x} 0. Bob wins the tie as the youngest and pays 3.",
    ),
    (
        e.BidsRevealed((3, 3, 0), 1, "account"),
        "The bids: Alice 3, Bob 3, Carol {x} 0. Bob wins the tie with the newest account and pays 3.",
    ),
    (
        e.BidsRevealed((3, 3, 0), 0, "seat"),
        "The bids: Alice 3, Bob 3, Carol {x} 0. Alice wins the tie by seat and pays 3.",
    ),
    (
        e.BidsRevealed((3, 3, 0), 0, "die", ((4, 4, 0), (6, 1, 0))),
        "The bids: Alice 3, Bob 3, Carol {x} 0. The dice: Alice 4, Bob 4; Alice 6, Bob 1."
        " Alice wins the tie and pays 3.",
    ),
    (e.FirstNamed(0, 2), "Alice names Carol {x} to start."),
    (e.CardTaken(1, "night-hydra", 0), "Bob takes Night Hydra for nothing."),
    (e.CardTaken(1, "night-hydra", 1), "Bob takes Night Hydra for 1 coin."),
    (e.CardTaken(1, "night-hydra", 3), "Bob takes Night Hydra for 3 coins."),
    (e.ArmyPlaced(2, "v4", 0), "Carol {x} places an army in v4."),
    (e.ArmyMoved(0, "v4", "m4", 3, 0), "Alice moves an army from v4 to m4."),
    (e.CityBuilt(0, "m4", 0), "Alice builds a city in m4."),
    (e.ArmyDestroyed(0, "m4", 1, 1), "Alice destroys an army of Bob in m4."),
    (e.ArmyDestroyed(0, "m4", 0, 1), "Alice gives up an army of their own in m4."),
    (e.ArmyDestroyed(0, "m4", -1, 1), "Alice destroys an army of the third colour in m4."),
    (e.TokenGained(0, "m4", "magic-book"), "Alice gains the token in m4: Magic Book."),
    (e.CoinsFound(0, "m4", 2), "Alice takes the 2 coins of the merchants in m4."),
    (e.ArmyMustered(0, "m4"), "Alice musters an army in m4."),
    (e.DragonSlain(2, "m4"), "Carol {x} slays the dragon in m4."),
    (e.TollPaid(1, "m4"), "Bob loses a coin to the rogues in m4."),
    (e.ArmyCaptured(0, 1), "Alice captures the army of Bob."),
    (e.ArmyCaptured(0, -1), "Alice captures the army of the third colour."),
    (e.CoinRobbed(0, 1), "Alice takes a coin from Bob."),
    (e.TokenSeen(0, "m4"), "Alice looks at the token in m4."),
    (e.TokenSeen(0, "m4", "stable"), "Alice looks at the token in m4: Stable."),
    (e.TurnEnded(0), ""),
    (e.CardDrawn("lake"), "Lake joins the row."),
    (result(1), "The game ends: Bob wins with 17 points."),
    (result(0, 1), "The game ends: Alice, Bob share the win with 17 points."),
]


@pytest.mark.parametrize(("event", "sentence"), SAYINGS, ids=range(len(SAYINGS)))
def test_what_happens_is_said_in_a_sentence(event: Event, sentence: str) -> None:
    assert LEGENDS.say(event, NAMES) == sentence


def test_every_kind_of_event_is_said_here() -> None:
    assert {type(event) for event, _ in SAYINGS} == set(LEGENDS.event_type.__args__)


def test_regions_go_by_the_names_of_the_map() -> None:
    moved = e.ArmyMoved(0, "v4", "m4", 3, 0)
    said = LEGENDS.say(moved, NAMES, region_name={"v4": "the {Crater}", "m4": "Four Oaks"}.__getitem__)
    assert said == "Alice moves an army from the {Crater} to Four Oaks."


def test_sentences_can_be_translated() -> None:
    said = LEGENDS.say(e.CardDrawn("lake"), NAMES, translate=lambda template: f"<{template}>")
    assert said == "<Lake joins the row.>"
