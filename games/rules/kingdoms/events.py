"""What happens in a game of Kingdoms, as facts. Kinds are short words of ours that stay; payloads only grow.

Where cards are for some seats alone, `seen` leaves them out for the others; then a count or what lay face-up is left.
"""

import msgspec

from games.rules.protocol import Scoresheet

Cards = tuple[str, ...]


class Event(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """A fact of the log. What a payload has grown by has a default, and is not written where it says nothing."""


class Dealt(Event, frozen=True, tag="deal"):
    """The cards of each seat and of the Flop; `deal` counts from 0, more are new deals after a tie (K59, K91)."""

    deal: int
    first: int
    hands: tuple[Cards, ...]
    flop: Cards


class TurnBegun(Event, frozen=True, tag="turn"):
    seat: int
    round: int


class Reshuffled(Event, frozen=True, tag="shuffle"):
    """The Burn pile becomes the Draw deck."""


class FlopTurned(Event, frozen=True, tag="flop"):
    """The next card of the Draw deck lies in the Flop."""

    card: str


class HeroTurned(Event, frozen=True, tag="hero"):
    """An Epic or a Boss turned over for the Flop goes to the seat (K48)."""

    seat: int
    card: str


class DrawBegun(Event, frozen=True, tag="draws"):
    """The DRAW of the turn: so many cards are owed (K7)."""

    seat: int
    count: int


class CardDrawn(Event, frozen=True, tag="draw"):
    """`card` is empty for those who may not know it; Epics are shown to all."""

    seat: int
    card: str = ""


class FlopOwed(Event, frozen=True, tag="owe"):
    """No card is left to draw: so many come from the Flop (K9)."""

    seat: int
    count: int


class FlopDrawn(Event, frozen=True, tag="flop-draw"):
    seat: int
    card: str


class CardBurned(Event, frozen=True, tag="burn"):
    seat: int
    card: str


class Bought(Event, frozen=True, tag="buy"):
    seat: int
    give: Cards
    take: Cards


class TowerBuilt(Event, frozen=True, tag="build"):
    seat: int
    card: str


class TowerPickedUp(Event, frozen=True, tag="pick-up"):
    seat: int
    card: str


class CardPicked(Event, frozen=True, tag="pick"):
    """A blind pick: the card is for these two alone."""

    seat: int
    other: int
    card: str = ""


class TributeTaken(Event, frozen=True, tag="tribute"):
    """The card is for these two alone."""

    seat: int
    other: int
    card: str = ""


class SecretMoved(Event, frozen=True, tag="not-so-secret"):
    """A Not-So-Secret Move: the cards are burned, the tower goes to the seat's hand, `broken` to hand or Burn pile."""

    seat: int
    cards: Cards
    other: int
    tower: str
    broken: Cards
    broken_to: str


class EpicMoved(Event, frozen=True, tag="epic"):
    """The Epic at the head of the queue makes its move. `taken`: a Tower that falls, or a card of the Flop."""

    seat: int
    card: str
    others: tuple[int, ...] = ()
    taken: str = ""


class BossPlayed(Event, frozen=True, tag="boss"):
    seat: int
    card: str


class HandSeen(Event, frozen=True, tag="look"):
    """That the seat looks at the other's hand is public, `cards` are for the seat alone."""

    seat: int
    other: int
    cards: Cards = ()


class CardStolen(Event, frozen=True, tag="steal"):
    """What the spy takes. The card is for these two alone."""

    seat: int
    other: int
    card: str = ""


class HeroRecovered(Event, frozen=True, tag="recover"):
    """A Kingdom Hero from the Burn pile."""

    seat: int
    card: str


class HandShown(Event, frozen=True, tag="show"):
    """The cards that lie face-up from now on."""

    seat: int
    cards: Cards


class BandReached(Event, frozen=True, tag="band"):
    """What everybody knows of a Kingdom value from now on: 0, 100 or 200 and more (K54)."""

    seat: int
    band: int
    announced: bool = False


class Given(Event, frozen=True, tag="gift"):
    """The cards are for these two alone."""

    seat: int
    other: int
    count: int
    cards: Cards = ()


class AttackDeclared(Event, frozen=True, tag="attack"):
    """`open`: those of the cards that lay face-up; all that others may know (K25, K78)."""

    seat: int
    other: int
    count: int
    open: Cards = ()
    cards: Cards = ()


class ProtectionChosen(Event, frozen=True, tag="protect"):
    seat: int
    other: int
    mode: str


class TroopsLaid(Event, frozen=True, tag="lay"):
    """A defence, or the attacker's next wave; `open` as in an attack."""

    seat: int
    count: int
    open: Cards = ()
    cards: Cards = ()


class TroopsRevealed(Event, frozen=True, tag="reveal"):
    """All hands of the wave as they were laid, the attacker's first, and the totals with the Castle's wall."""

    seats: tuple[int, ...]
    hands: tuple[Cards, ...]
    attack: int
    defence: int
    wall: int = 0


class BattleStopped(Event, frozen=True, tag="stop"):
    seat: int


class BattleEnded(Event, frozen=True, tag="battle"):
    """`winner` is -1 after a stopped tie. It takes `spoils`; the Flop among them. `burned` leaves the table."""

    attacker: int
    target: int
    winner: int
    spoils: Cards
    burned: Cards


class TowerLost(Event, frozen=True, tag="tower-lost"):
    seat: int
    card: str


class CastleFallen(Event, frozen=True, tag="castle"):
    seat: int
    other: int


class RulerChanged(Event, frozen=True, tag="ruler"):
    """`ruler` is -1 for a player who is free again."""

    seat: int
    ruler: int


class TurnEnded(Event, frozen=True, tag="end"):
    seat: int


class ShowdownBegun(Event, frozen=True, tag="showdown"):
    """The Final Showdown: every Truce ends (K90)."""


class ShowdownTurn(Event, frozen=True, tag="challenge"):
    """The seat has to attack."""

    seat: int


class GameEnded(Event, frozen=True, tag="result"):
    """`won_by` is empire, conquest, value, showdown or quickplay."""

    won_by: str
    scoresheet: Scoresheet


AnyEvent = (
    Dealt
    | TurnBegun
    | Reshuffled
    | FlopTurned
    | HeroTurned
    | DrawBegun
    | CardDrawn
    | FlopOwed
    | FlopDrawn
    | CardBurned
    | Bought
    | TowerBuilt
    | TowerPickedUp
    | CardPicked
    | TributeTaken
    | SecretMoved
    | EpicMoved
    | BossPlayed
    | HandSeen
    | CardStolen
    | HeroRecovered
    | HandShown
    | BandReached
    | Given
    | AttackDeclared
    | ProtectionChosen
    | TroopsLaid
    | TroopsRevealed
    | BattleStopped
    | BattleEnded
    | TowerLost
    | CastleFallen
    | RulerChanged
    | TurnEnded
    | ShowdownBegun
    | ShowdownTurn
    | GameEnded
)
