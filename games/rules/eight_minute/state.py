"""A position: one compact mutable value. Only `evolve` writes to it; its text form is one line of JSON."""

from typing import TypeVar

import msgspec

from games.rules.eight_minute.boards import Map, map_of
from games.rules.eight_minute.edition import Edition, changed, edition
from games.rules.eight_minute.options import Options
from games.rules.eight_minute.tokens import can_be_won, hidden_faces, to_lay
from games.rules.protocol import Scoresheet, SeatInfo

T = TypeVar("T")

SETUP, BID, FIRST, TURN, REFILL, SCORING, OVER = "setup", "bid", "first", "turn", "refill", "scoring", "over"
EXTRA = "extra"  # Fairy Queen's card after the last turn (R50)
LAY, START, OUTPOST, TOKENS, NEUTRAL, DEAL = "lay", "start", "outpost", "tokens", "neutral", "deal"  # by hand (R1)
BY_HAND_PHASES = frozenset((LAY, START, OUTPOST, TOKENS, NEUTRAL, DEAL))
SETTERS_PHASES = frozenset((LAY, START, OUTPOST, TOKENS))  # phases of the seat that sets up, in order
DECISIONS = (BY_HAND_PHASES - {DEAL}) | {TURN, FIRST, EXTRA}  # phases in which one seat must act


class State(msgspec.Struct):
    """A position. Regions are numbered in the map's order; colors are the seats and, with two players, the third color.

    Fields for setup by hand and variants are tuples, which rarely change, so that copies can share them; they are empty
    if not in play.
    """

    edition: str
    seats: tuple[SeatInfo, ...]
    colours: int
    phase: str
    layout: str
    start: int
    armies: list[int]  # by region and color, at index region * colors + color
    cities: list[int]  # the same
    supply: list[int]
    city_supply: list[int]
    coins: list[int]
    owned: list[list[str]]
    deck: list[str]
    row: list[str]
    bids: list[int]  # by seat, -1 until made
    turn: int
    taken: str  # the card of this turn
    part: int  # the part of its action that the last step used, -1 before the first step
    used: list[int]  # what the steps of each part have cost
    more_armies: list[int]
    more_movement: list[int]
    flying: list[int]
    elixirs: list[int]
    immune: list[bool]
    result: Scoresheet | None
    options: Options = Options()
    setter: int = -1
    outpost: int = -1
    tokens: tuple[str, ...] = ()  # by region
    faces: tuple[str, ...] = ()  # by region: of `face-down` tokens that someone has looked at
    pile: tuple[str, ...] = ()  # the faces that nobody has seen
    unseen: tuple[tuple[int, ...], ...] = ()  # by seat: the regions of `face-down` tokens that it has not looked at
    won: tuple[tuple[str, ...], ...] = ()  # by seat: the tokens it has gained
    towns: tuple[int, ...] = ()  # the merchants' coins, by region
    leaders: tuple[str, ...] = ()
    captives: tuple[int, ...] = ()  # the armies that Red Sorceress has captured, by color
    unlaid: tuple[str, ...] = ()  # what is still to be placed in the setup

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def rules(self) -> Edition:
        return edition(self.edition)

    @property
    def map(self) -> Map:
        return map_of(self.layout)

    @property
    def cards_owned(self) -> int:
        """How many cards each seat owns when the game ends."""
        return self.rules.cards_owned[len(self.seats) - 2]

    def copy(self) -> "State":
        """Return an independent copy; nothing mutable is shared."""
        return State(
            self.edition, self.seats, self.colours, self.phase, self.layout, self.start, self.armies[:],
            self.cities[:], self.supply[:], self.city_supply[:], self.coins[:], [cards[:] for cards in self.owned],
            self.deck[:], self.row[:], self.bids[:], self.turn, self.taken, self.part, self.used[:],
            self.more_armies[:], self.more_movement[:], self.flying[:], self.elixirs[:], self.immune[:],
            self.result, self.options, self.setter, self.outpost, self.tokens, self.faces, self.pile, self.unseen,
            self.won, self.towns, self.leaders, self.captives, self.unlaid,
        )  # fmt: skip


def empty(rules: Edition, seats: tuple[SeatInfo, ...], options: Options | None = None) -> State:
    """Return the position before any setup."""
    n, options = len(seats), options or Options()
    return State(
        edition=changed(rules.id, options), seats=seats, colours=n + 1 if n == 2 else n, phase=SETUP, layout="",
        start=-1, armies=[], cities=[], supply=[rules.armies] * n + [rules.third_colour] * (n == 2),
        city_supply=[rules.cities] * n, coins=[rules.coins[n - 2]] * n, owned=[[] for _ in seats],
        deck=rules.deck(n), row=[], bids=[-1] * n, turn=-1, taken="", part=-1, used=[0, 0], more_armies=[0] * n,
        more_movement=[0] * n, flying=[0] * n, elixirs=[0] * n, immune=[False] * n, result=None, options=options,
        won=((),) * n if can_be_won(options) else (), pile=hidden_faces(rules, options),
        unseen=((),) * n if options.poison_swamp else (), unlaid=to_lay(rules, options, n),
    )  # fmt: skip


def text(state: State) -> str:
    """Return the position as one line of text."""
    return msgspec.json.encode(state).decode()


def parse(line: str | bytes) -> State:
    """Return the position of a line; the inverse of `text`."""
    return msgspec.json.decode(line, type=State)


def replaced(things: tuple[T, ...], place: int, thing: T) -> tuple[T, ...]:
    """Return the tuple with `thing` at index `place`."""
    return (*things[:place], thing, *things[place + 1 :])


def without(things: tuple[T, ...], thing: T) -> tuple[T, ...]:
    """Return the tuple without the first such thing, if there is one."""
    if thing not in things:
        return things
    place = things.index(thing)
    return (*things[:place], *things[place + 1 :])
