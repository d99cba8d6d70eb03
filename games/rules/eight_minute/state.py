"""A position: one compact mutable value. Only `evolve` writes to it; its text form is one line of JSON."""

import msgspec

from games.rules.eight_minute.boards import Map, map_of
from games.rules.eight_minute.edition import Edition, changed, edition
from games.rules.eight_minute.options import Options
from games.rules.eight_minute.tokens import can_be_won, hidden_faces, to_lay
from games.rules.protocol import Scoresheet, SeatInfo

SETUP, BID, FIRST, TURN, REFILL, SCORING, OVER = "setup", "bid", "first", "turn", "refill", "scoring", "over"
EXTRA = "extra"  # Fairy Queen's card after the last turn (R50)
LAY, START, OUTPOST, TOKENS, NEUTRAL, DEAL = "lay", "start", "outpost", "tokens", "neutral", "deal"  # by hand (R1)
BY_HAND_PHASES = frozenset((LAY, START, OUTPOST, TOKENS, NEUTRAL, DEAL))
SETTERS = frozenset((LAY, START, OUTPOST, TOKENS))  # those of the set-up seat, one after the other
DECISIONS = (BY_HAND_PHASES - {DEAL}) | {TURN, FIRST, EXTRA}  # of the one seat to move


class State(msgspec.Struct):
    """Regions go by number in the map's order; colours are the seats and behind them, with two players, the third one.

    `armies` and `cities` are flat: region * colours + colour. `bids` holds -1 where none is in. In a turn `taken`
    is the card, `part` the part of its action that the last step belonged to (-1 before the first), `used` what
    the steps of each part have cost.

    What belongs to set-up by hand and to variants are tuples, which change seldom, so that copies can share them; they
    are empty where they are not in play. `tokens` and `towns` (the merchants' coins) go by region. A token that lies
    `face-down` has its face in `faces` once somebody has looked; `unseen` says under which of them each seat has not,
    and the faces that nobody has seen are the `pile`. `won` are the tokens that each seat has gained, `captives` the
    armies with Red Sorceress by colour, `unlaid` what the set-up seat has still to lay.
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
    options: Options = Options()
    setter: int = -1
    outpost: int = -1
    tokens: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    unseen: tuple[tuple[int, ...], ...] = ()
    won: tuple[tuple[str, ...], ...] = ()
    towns: tuple[int, ...] = ()
    leaders: tuple[str, ...] = ()
    captives: tuple[int, ...] = ()
    unlaid: tuple[str, ...] = ()

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
            self.options,
            self.setter,
            self.outpost,
            self.tokens,
            self.faces,
            self.pile,
            self.unseen,
            self.won,
            self.towns,
            self.leaders,
            self.captives,
            self.unlaid,
        )


def empty(rules: Edition, seats: tuple[SeatInfo, ...], options: Options | None = None) -> State:
    """The position before anything has been set up."""
    n, options = len(seats), options or Options()
    return State(
        edition=changed(rules.slug, options),
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
        options=options,
        won=((),) * n if can_be_won(options) else (),
        pile=hidden_faces(rules, options),
        unseen=((),) * n if options.poison_swamp else (),
        unlaid=to_lay(rules, options, n),
    )


def text(state: State) -> str:
    """The position in one line."""
    return msgspec.json.encode(state).decode()


def parse(line: str | bytes) -> State:
    """The position of a line; the inverse of `text`."""
    return msgspec.json.decode(line, type=State)
