"""The events of Kingdoms. Kinds are short words that never change; payloads only grow.

If only some seats may know the cards, `seen` removes them for the others; a count or the face-up cards remain.
"""

import msgspec

from games.rules.protocol import Scoresheet

Cards = tuple[str, ...]


class Event(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """A fact of the log. Fields added later have a default, which is not written."""


class Dealt(Event, frozen=True, tag="deal"):
    """The cards of each seat and of the Flop. `deal` counts from 0; later ones are new deals after a tie (K59, K91)."""

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
    """The next card of the Draw deck goes to the Flop."""

    card: str


class HeroTurned(Event, frozen=True, tag="hero"):
    """An Epic or a Boss turned over for the Flop goes to the seat (K48)."""

    seat: int
    card: str


class DrawBegun(Event, frozen=True, tag="draws"):
    """The DRAW of the turn begins, of `count` cards (K7)."""

    seat: int
    count: int


class CardDrawn(Event, frozen=True, tag="draw"):
    """A card is drawn. `card` is empty for seats that may not know it; everyone sees Epics."""

    seat: int
    card: str = ""


class FlopOwed(Event, frozen=True, tag="owe"):
    """No card is left to draw, so `count` cards come from the Flop (K9)."""

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
    """A blind pick. Only these two seats know the card."""

    seat: int
    other: int
    card: str = ""


class TributeTaken(Event, frozen=True, tag="tribute"):
    """A card is paid as tribute. Only these two seats know it."""

    seat: int
    other: int
    card: str = ""


class TowerStolen(Event, frozen=True, tag="not-so-secret"):
    """A Not-So-Secret Move. The cards are burned, the tower goes to the seat's hand, `broken` to `broken_to`."""

    seat: int
    cards: Cards
    other: int
    tower: str
    broken: Cards
    broken_to: str


class EpicMoved(Event, frozen=True, tag="epic"):
    """The first Epic in the queue makes its move. `taken`: a Tower that falls, or a card of the Flop."""

    seat: int
    card: str
    others: tuple[int, ...] = ()
    taken: str = ""


class BossPlayed(Event, frozen=True, tag="boss"):
    seat: int
    card: str


class HandSeen(Event, frozen=True, tag="look"):
    """The seat looks at the other's hand. This is public; only the seat knows `cards`."""

    seat: int
    other: int
    cards: Cards = ()


class CardStolen(Event, frozen=True, tag="steal"):
    """The spy takes a card. Only these two seats know it."""

    seat: int
    other: int
    card: str = ""


class HeroRecovered(Event, frozen=True, tag="recover"):
    """A Kingdom Hero is taken from the Burn pile."""

    seat: int
    card: str


class HandShown(Event, frozen=True, tag="show"):
    """The cards that are face up from now on."""

    seat: int
    cards: Cards


class BandReached(Event, frozen=True, tag="band"):
    """What everyone knows of a Kingdom value from now on: 0, 100 or 200 and more (K54)."""

    seat: int
    band: int
    announced: bool = False


class Given(Event, frozen=True, tag="gift"):
    """Cards are given. Only these two seats know them."""

    seat: int
    other: int
    count: int
    cards: Cards = ()


class AttackDeclared(Event, frozen=True, tag="attack"):
    """An attack. `open` are the cards that were already face up, the only ones others may know (K25, K78)."""

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
    """A defense, or the attacker's next wave; `open` as in an attack."""

    seat: int
    count: int
    open: Cards = ()
    cards: Cards = ()


class TroopsRevealed(Event, frozen=True, tag="reveal"):
    """All hands of the wave in the order they were laid, the attacker's first; totals include the Castle's wall."""

    seats: tuple[int, ...]
    hands: tuple[Cards, ...]
    attack: int
    defence: int
    wall: int = 0


class BattleStopped(Event, frozen=True, tag="stop"):
    seat: int


class BattleEnded(Event, frozen=True, tag="battle"):
    """The battle ends. `winner` is -1 after a stopped tie. It takes `spoils`, maybe the Flop; `burned` is discarded."""

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
    """A change of ruler; `ruler` is -1 for a player who is free again."""

    seat: int
    ruler: int


class TurnEnded(Event, frozen=True, tag="end"):
    seat: int


class ShowdownBegun(Event, frozen=True, tag="showdown"):
    """The Final Showdown begins, and every Truce ends (K90)."""


class ShowdownTurn(Event, frozen=True, tag="challenge"):
    """The seat must attack."""

    seat: int


class GameEnded(Event, frozen=True, tag="result"):
    """The game ends. `won_by` is empire, conquest, value, showdown or quickplay."""

    won_by: str
    scoresheet: Scoresheet


RoundEvent = Dealt | TurnBegun | TurnEnded | ShowdownBegun | ShowdownTurn | GameEnded
CardEvent = Reshuffled | FlopTurned | HeroTurned | DrawBegun | CardDrawn | FlopOwed | FlopDrawn | CardBurned | Bought
TurnEvent = TowerBuilt | TowerPickedUp | CardPicked | TowerStolen | HandShown | BandReached | Given
PowerEvent = EpicMoved | TributeTaken | BossPlayed | HandSeen | CardStolen | HeroRecovered
TroopEvent = AttackDeclared | ProtectionChosen | TroopsLaid | TroopsRevealed | BattleStopped
ResultEvent = BattleEnded | TowerLost | CastleFallen | RulerChanged
AnyEvent = RoundEvent | CardEvent | TurnEvent | PowerEvent | TroopEvent | ResultEvent
