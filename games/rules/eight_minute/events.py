"""The events of the family. Kinds are short words that never change; payloads only grow."""

import msgspec

from games.rules.protocol import Scoresheet


class Event(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """A fact of the log. Fields added later have a default, which is not written."""


class SetupBegun(Event, frozen=True, tag="setup"):
    """The seat `setter` sets up the game by hand (R1, R5)."""

    setter: int


class BoardLaid(Event, frozen=True, tag="lay"):
    """A board laid by hand; `BoardsLaid` has all of them at once."""

    side: str
    place: str
    turns: int


class LeadersDealt(Event, frozen=True, tag="leaders"):
    """The leader of each seat (R32)."""

    leaders: tuple[str, ...]


class BoardsLaid(Event, frozen=True, tag="boards"):
    """All boards. `layout` is the text form of boards.py, `setter` the seat that set up the game (R5)."""

    layout: str
    setter: int


class StartChosen(Event, frozen=True, tag="start"):
    """The start region, and how many armies each seat has there."""

    region: str
    armies: tuple[int, ...]


class OutpostChosen(Event, frozen=True, tag="outpost"):
    """The region of the first overseas armies (R3)."""

    region: str
    armies: tuple[int, ...]


class TokenLaid(Event, frozen=True, tag="token"):
    """A token is placed. `token` is an id of tokens.toml, or `face-down`."""

    token: str
    region: str


class TownLaid(Event, frozen=True, tag="town"):
    """Merchants' coins are placed on a region (R33)."""

    region: str
    coins: int


class NeutralPlaced(Event, frozen=True, tag="neutral"):
    """An army of the third color is placed (R4)."""

    region: str


class RowDealt(Event, frozen=True, tag="row"):
    cards: tuple[str, ...]


class BidMade(Event, frozen=True, tag="bid"):
    """A secret bid, visible only to its seat until `BidsRevealed`."""

    seat: int
    coins: int


class BidsRevealed(Event, frozen=True, tag="bids"):
    """All bids by seat. `decided` is what decided: highest, age, account, seat or die (R7, R42, R66).

    `rolls` are the dice, round by round, 0 for a seat that did not roll.
    """

    bids: tuple[int, ...]
    winner: int
    decided: str
    rolls: tuple[tuple[int, ...], ...] = ()


class FirstNamed(Event, frozen=True, tag="first"):
    seat: int
    first: int


class FirstDrawn(Event, frozen=True, tag="first-drawn"):
    """The first player, drawn at random in a game without bids."""

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
    """An army moves; `cost` is in movements."""

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
    """An army is destroyed; `owner` is -1 for the third color."""

    seat: int
    region: str
    owner: int
    part: int


class TokenGained(Event, frozen=True, tag="gain"):
    """The builder of the first city takes the explore token; a face-down token is turned up (R25, R26)."""

    seat: int
    region: str
    token: str


class CoinsFound(Event, frozen=True, tag="find"):
    """The builder of the first city takes the merchants' coins (R33)."""

    seat: int
    region: str
    coins: int


class ArmyMustered(Event, frozen=True, tag="muster"):
    """White Knight's army joins the city (R48)."""

    seat: int
    region: str


class DragonSlain(Event, frozen=True, tag="slay"):
    seat: int
    region: str


class TollPaid(Event, frozen=True, tag="toll"):
    """A coin is lost to the rogues (R55)."""

    seat: int
    region: str


class ArmyCaptured(Event, frozen=True, tag="capture"):
    """Red Sorceress keeps the army just destroyed (R49). `owner` is -1 for the third color."""

    seat: int
    owner: int


class CoinRobbed(Event, frozen=True, tag="rob"):
    """Bandit King takes a coin from the owner of the army just destroyed (R32)."""

    seat: int
    owner: int


class TokenSeen(Event, frozen=True, tag="look"):
    """A seat looks at a token (R26, R52), in `legends/1` also after the extra card (R50).

    This is public; `face` is only for that seat and empty for everyone else.
    """

    seat: int
    region: str
    face: str = ""


class TurnEnded(Event, frozen=True, tag="end"):
    seat: int


class CardDrawn(Event, frozen=True, tag="draw"):
    """The card that fills the row after a turn (R43)."""

    card: str


class GameEnded(Event, frozen=True, tag="result"):
    scoresheet: Scoresheet


SetupEvent = (
    SetupBegun | BoardsLaid | BoardLaid | LeadersDealt | StartChosen | OutpostChosen | TokenLaid | TownLaid
    | NeutralPlaced | RowDealt
)  # fmt: skip
TurnEvent = BidMade | BidsRevealed | FirstNamed | FirstDrawn | CardTaken | TurnEnded | CardDrawn | GameEnded
StepEvent = ArmyPlaced | ArmyMoved | CityBuilt | ArmyDestroyed
EffectEvent = TokenGained | CoinsFound | ArmyMustered | DragonSlain | TollPaid | ArmyCaptured | CoinRobbed | TokenSeen
AnyEvent = SetupEvent | TurnEvent | StepEvent | EffectEvent
