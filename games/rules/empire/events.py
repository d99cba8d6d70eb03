"""What happens in a game of the family, as facts. Kinds are short words of ours that stay; payloads only grow."""

import msgspec

from games.rules.protocol import Scoresheet


class Event(msgspec.Struct, frozen=True, tag_field="kind"):
    """A fact of the log."""


class BoardsLaid(Event, frozen=True, tag="boards"):
    """`layout` is the text form of boards.py; `setter` the seat that set the game up (R5)."""

    layout: str
    setter: int


class StartChosen(Event, frozen=True, tag="start"):
    """The start region, and how many armies each seat puts there."""

    region: str
    armies: tuple[int, ...]


class OutpostChosen(Event, frozen=True, tag="outpost"):
    """The region of the first armies overseas (R3)."""

    region: str
    armies: tuple[int, ...]


class NeutralPlaced(Event, frozen=True, tag="neutral"):
    """An army of the third colour (R4)."""

    region: str


class RowDealt(Event, frozen=True, tag="row"):
    cards: tuple[str, ...]


class BidMade(Event, frozen=True, tag="bid"):
    """A sealed bid: for its seat alone until `BidsRevealed`."""

    seat: int
    coins: int


class BidsRevealed(Event, frozen=True, tag="bids"):
    """All bids by seat. `decided` says what singled the winner out: highest, age, account or seat (R7, R42)."""

    bids: tuple[int, ...]
    winner: int
    decided: str


class FirstNamed(Event, frozen=True, tag="first"):
    seat: int
    first: int


class CardTaken(Event, frozen=True, tag="take"):
    seat: int
    card: str
    price: int


class ArmyPlaced(Event, frozen=True, tag="place"):
    seat: int
    region: str
    part: int


class ArmyMoved(Event, frozen=True, tag="move"):
    """`cost` in movements."""

    seat: int
    origin: str
    target: str
    cost: int
    part: int


class CityBuilt(Event, frozen=True, tag="build"):
    seat: int
    region: str
    part: int


class ArmyDestroyed(Event, frozen=True, tag="destroy"):
    """`owner` is -1 for the third colour."""

    seat: int
    region: str
    owner: int
    part: int


class TurnEnded(Event, frozen=True, tag="end"):
    seat: int


class CardDrawn(Event, frozen=True, tag="draw"):
    """The card that fills the row after a turn (R43)."""

    card: str


class GameEnded(Event, frozen=True, tag="result"):
    scoresheet: Scoresheet


AnyEvent = (
    BoardsLaid
    | StartChosen
    | OutpostChosen
    | NeutralPlaced
    | RowDealt
    | BidMade
    | BidsRevealed
    | FirstNamed
    | CardTaken
    | ArmyPlaced
    | ArmyMoved
    | CityBuilt
    | ArmyDestroyed
    | TurnEnded
    | CardDrawn
    | GameEnded
)
