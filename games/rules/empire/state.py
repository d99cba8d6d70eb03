"""A position: one compact mutable value. Only `evolve` writes to it; its text form is one line of JSON."""

import msgspec

from games.rules.empire.boards import Map, map_of
from games.rules.empire.edition import Edition, edition
from games.rules.protocol import Scoresheet, SeatInfo

SETUP, BID, FIRST, TURN, REFILL, SCORING, OVER = "setup", "bid", "first", "turn", "refill", "scoring", "over"


class State(msgspec.Struct):
    """Regions go by number in the map's order; colours are the seats and behind them, with two players, the third one.

    `armies` and `cities` are flat: region * colours + colour. `bids` holds -1 where none is in. In a turn `taken`
    is the card, `part` the part of its action that the last step belonged to (-1 before the first), `used` what
    the steps of each part have cost.
    """

    edition: str
    seats: tuple[SeatInfo, ...]
    colours: int
    phase: str
    layout: str
    start: int
    armies: list[int]
    cities: list[int]
    supply: list[int]
    city_supply: list[int]
    coins: list[int]
    owned: list[list[str]]
    deck: list[str]
    row: list[str]
    bids: list[int]
    turn: int
    taken: str
    part: int
    used: list[int]
    more_armies: list[int]
    more_movement: list[int]
    flying: list[int]
    elixirs: list[int]
    immune: list[bool]
    result: Scoresheet | None

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
        """A position of its own; nothing that changes is shared."""
        return State(
            self.edition,
            self.seats,
            self.colours,
            self.phase,
            self.layout,
            self.start,
            self.armies[:],
            self.cities[:],
            self.supply[:],
            self.city_supply[:],
            self.coins[:],
            [cards[:] for cards in self.owned],
            self.deck[:],
            self.row[:],
            self.bids[:],
            self.turn,
            self.taken,
            self.part,
            self.used[:],
            self.more_armies[:],
            self.more_movement[:],
            self.flying[:],
            self.elixirs[:],
            self.immune[:],
            self.result,
        )


def empty(rules: Edition, seats: tuple[SeatInfo, ...]) -> State:
    """The position before anything has been set up."""
    n = len(seats)
    return State(
        edition=rules.slug,
        seats=seats,
        colours=n + 1 if n == 2 else n,
        phase=SETUP,
        layout="",
        start=-1,
        armies=[],
        cities=[],
        supply=[rules.armies] * n + [rules.third_colour] * (n == 2),
        city_supply=[rules.cities] * n,
        coins=[rules.coins[n - 2]] * n,
        owned=[[] for _ in seats],
        deck=rules.deck(n),
        row=[],
        bids=[-1] * n,
        turn=-1,
        taken="",
        part=-1,
        used=[0, 0],
        more_armies=[0] * n,
        more_movement=[0] * n,
        flying=[0] * n,
        elixirs=[0] * n,
        immune=[False] * n,
        result=None,
    )


def text(state: State) -> str:
    """The position in one line."""
    return msgspec.json.encode(state).decode()


def parse(line: str | bytes) -> State:
    """The position of a line; the inverse of `text`."""
    return msgspec.json.decode(line, type=State)
