"""Sentences of the log."""

from games.rules.eight_minute import events as e
from games.rules.protocol import Event, Scoresheet, SeatScore
from tests.each import for_each
from tests.rules.positions import LEGENDS

NAMES = ["Alice", "Bob", "Carol {x}"]


def result(*winners: int, points: int = 17) -> e.GameEnded:
    seats = tuple(
        SeatScore(seat, points if seat in winners else 0, 1 if seat in winners else 3, ()) for seat in range(3)
    )
    return e.GameEnded(Scoresheet(seats))


SAYINGS = [
    (e.SetupBegun(1), "Bob sets up the game."),
    (e.BoardsLaid("", 0), ""),
    (e.BoardLaid("horse_shoe", "north-west", 3), "horse_shoe is in the northwest."),
    (
        e.LeadersDealt(("fairy-queen", "bandit-king", "white-knight")),
        "The leaders: Fairy Queen (Alice), Bandit King (Bob), White Knight (Carol {x}).",
    ),
    (
        e.StartChosen("v4", (3, 4, 3)),
        "The start region is v4. Everyone has 3 armies there, except Bob, who has 4.",
    ),
    (e.TokenLaid("cottage", "v4"), "Cottage is in v4."),
    (e.TokenLaid("face-down", "v4"), "There is a face-down token in v4."),
    (e.TownLaid("v4", 2), "Merchants in v4 offer 2 coins."),
    (e.StartChosen("v4", (3, 3, 3)), "The start region is v4. Everyone has 3 armies there."),
    (e.OutpostChosen("m1", (1, 1, 1)), "Everyone’s overseas army begins in m1."),
    (e.NeutralPlaced("m1"), "The third color has an army in m1."),
    (e.RowDealt(("lake", "castle-a")), "The first cards are Lake, Castle."),
    (e.BidMade(1, 3), ""),
    (
        e.BidsRevealed((1, 3, 0), 1, "highest"),
        "The bids: Alice 1, Bob 3, Carol {x} 0. Bob wins and pays 3.",
    ),
    (
        e.BidsRevealed((3, 3, 0), 1, "age"),
        "The bids: Alice 3, Bob 3, Carol {x} 0. Bob wins the tie as the youngest player and pays 3.",
    ),
    (
        e.BidsRevealed((3, 3, 0), 1, "account"),
        "The bids: Alice 3, Bob 3, Carol {x} 0. Bob wins the tie as the newest account and pays 3.",
    ),
    (
        e.BidsRevealed((3, 3, 0), 0, "seat"),
        "The bids: Alice 3, Bob 3, Carol {x} 0. Alice wins the tie by seat order and pays 3.",
    ),
    (
        e.BidsRevealed((3, 3, 0), 0, "die", ((4, 4, 0), (6, 1, 0))),
        "The bids: Alice 3, Bob 3, Carol {x} 0. Dice: Alice 4, Bob 4; Alice 6, Bob 1. Alice wins the tie and pays 3.",
    ),
    (e.FirstNamed(0, 2), "Alice chooses Carol {x} to go first."),
    (e.FirstNamed(0, 0), "Alice chooses to go first."),
    (e.FirstDrawn(2), "Carol {x} is drawn at random to go first."),
    (e.CardTaken(1, "night-hydra", 0), "Bob takes Night Hydra for free."),
    (e.CardTaken(1, "night-hydra", 1), "Bob takes Night Hydra for 1 coin."),
    (e.CardTaken(1, "night-hydra", 3), "Bob takes Night Hydra for 3 coins."),
    (e.ArmyPlaced(2, "v4", 0), "Carol {x} places an army in v4."),
    (e.ArmyMoved(0, "v4", "m4", 3, 0), "Alice moves an army from v4 to m4."),
    (e.CityBuilt(0, "m4", 0), "Alice builds a city in m4."),
    (e.ArmyDestroyed(0, "m4", 1, 1), "Alice destroys one of Bob’s armies in m4."),
    (e.ArmyDestroyed(0, "m4", 0, 1), "Alice destroys one of their own armies in m4."),
    (e.ArmyDestroyed(0, "m4", -1, 1), "Alice destroys an army of the third color in m4."),
    (e.TokenGained(0, "m4", "magic-book"), "Alice gains the token in m4: Magic Book."),
    (e.CoinsFound(0, "m4", 2), "Alice collects 2 coins from the merchants in m4."),
    (e.ArmyMustered(0, "m4"), "Alice musters an army in m4."),
    (e.DragonSlain(2, "m4"), "Carol {x} slays the dragon in m4."),
    (e.TollPaid(1, "m4"), "Bob loses a coin to the rogues in m4."),
    (e.ArmyCaptured(0, 1), "Alice captures Bob’s army."),
    (e.ArmyCaptured(0, -1), "Alice captures an army of the third color."),
    (e.CoinRobbed(0, 1), "Alice takes a coin from Bob."),
    (e.TokenSeen(0, "m4"), "Alice looks at the token in m4."),
    (e.TokenSeen(0, "m4", "stable"), "Alice looks at the token in m4: Stable."),
    (e.TurnEnded(0), ""),
    (e.CardDrawn("lake"), "New in the row: Lake."),
    (result(1), "The game is over: Bob wins with 17 points."),
    (result(1, points=1), "The game is over: Bob wins with 1 point."),
    (result(0, 1), "The game is over: Alice and Bob tie for the win with 17 points."),
    (result(0, 1, points=1), "The game is over: Alice and Bob tie for the win with 1 point."),
    (result(0, 1, 2), "The game is over: Alice, Bob and Carol {x} tie for the win with 17 points."),
]


@for_each("event, sentence", SAYINGS)
def test_each_event_has_its_sentence(event: Event, sentence: str) -> None:
    assert LEGENDS.say(event, NAMES) == sentence


def test_every_kind_of_event_is_tested_here() -> None:
    assert {type(event) for event, _ in SAYINGS} == set(LEGENDS.event_type.__args__)


def test_regions_have_the_names_of_the_map() -> None:
    moved = e.ArmyMoved(0, "v4", "m4", 3, 0)
    sentence = LEGENDS.say(moved, NAMES, region_name={"v4": "the {Crater}", "m4": "Four Oaks"}.__getitem__)
    assert sentence == "Alice moves an army from the {Crater} to Four Oaks."


def test_sentences_can_be_translated() -> None:
    sentence = LEGENDS.say(e.CardDrawn("lake"), NAMES, translate=lambda template: f"<{template}>")
    assert sentence == "<New in the row: <Lake>.>"
