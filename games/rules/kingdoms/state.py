"""A position: one compact mutable value. Only `evolve` writes to it; its text form is one line of JSON.

What happens next is not stored: `phase` and `to_act` are derived from the cards and flags.
"""

import msgspec

from games.rules.kingdoms.deck import RANKS, deck, decks_for
from games.rules.kingdoms.options import Options
from games.rules.protocol import Scoresheet, SeatInfo

SETUP, TURN, FLOPDRAW, EPIC, INFILTRATE = "setup", "turn", "flopdraw", "epic", "infiltrate"
PROTECT, DEFEND, TIE, SHOWDOWN, OVER = "protect", "defend", "tie", "showdown", "over"
CLOSED = "closed"  # the site acts: a turn passes, a battle is settled
LEAVE, WITH, FOR = "leave", "with", "for"
NOBODY = -1
UNKNOWN = "?"  # a card that a viewer does not know
EVERYONE = -1  # as a set of seats: all bits are set
SPECTATOR = 30  # the bit of spectators
FLOP = 3


class Laid(msgspec.Struct, frozen=True):
    """A troop hand on the table. `open` are its cards that were already face up (K78)."""

    seat: int
    cards: tuple[str, ...]
    open: tuple[str, ...] = ()


class Wave(msgspec.Struct, frozen=True):
    """The attacker's hand followed by the defenders', in the order they were laid; totals once revealed."""

    hands: tuple[Laid, ...]
    revealed: bool = False
    attack: int = 0
    defence: int = 0


class Battle(msgspec.Struct, frozen=True):
    """A battle from its declaration to its result.

    `protector`: the target's ruler, unless that is the attacker, else -1. `mode` is empty until it has chosen (K35).
    `picked`: the blind picks for the current wave, as (picker, from) (K39).
    """

    attacker: int
    target: int
    protector: int
    waves: tuple[Wave, ...]
    mode: str = ""
    picked: tuple[tuple[int, int], ...] = ()
    stopped: bool = False

    @property
    def wave(self) -> Wave:
        """The last wave."""
        return self.waves[-1]

    @property
    def defenders(self) -> tuple[int, ...]:
        """The seats that lay a hand to defend, in seat order."""
        if self.mode == FOR:
            return (self.protector,)
        if self.mode == WITH:
            return tuple(sorted((self.target, self.protector)))
        return (self.target,)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The defenders who have not laid a hand in this wave yet."""
        hands = self.waves[-1].hands
        if self.mode != WITH:
            return self.defenders if len(hands) == 1 else ()
        laid = [hand.seat for hand in hands]
        return tuple([seat for seat in self.defenders if seat not in laid])

    @property
    def stage(self) -> str:
        """The phase of the battle."""
        if self.protector != NOBODY and not self.mode:
            return PROTECT
        wave = self.waves[-1]
        if not wave.revealed:
            defenders = 2 if self.mode == WITH else 1
            return DEFEND if len(wave.hands) <= defenders else CLOSED
        return TIE if wave.attack == wave.defence and not self.stopped else CLOSED


class Flags(msgspec.Struct, frozen=True):
    """What has been done in this turn. `picked_from`: the sub-kingdoms from which a card was taken (K39)."""

    drawn: bool = False
    burned: bool = False
    bought: bool = False
    picked_up: bool = False
    builds: int = 0
    builds_allowed: int = 1
    battles: int = 0
    battles_allowed: int = 1
    not_so_secret: bool = False
    picked_from: tuple[int, ...] = ()


FRESH = Flags()
TURNED_UP = frozenset((FLOPDRAW, EPIC, INFILTRATE))
NOBODY_ACTS = frozenset((SETUP, CLOSED, OVER))


class State(msgspec.Struct):
    """A position. Hands and the Draw deck are in deck order; Flop and Burn pile keep the order of their cards."""

    seats: tuple[SeatInfo, ...]
    options: Options
    deck: list[str]
    flop: tuple[str, ...]
    burn: tuple[str, ...]
    out: tuple[str, ...]  # cards that left the game in the Final Showdown
    hands: list[tuple[str, ...]]
    shown: list[tuple[str, ...]]  # the face-up cards of each hand
    towers: list[tuple[str, ...]]
    bands: list[int]
    truces: list[bool]
    attacked: list[bool]
    rulers: tuple[int | None, ...]
    flags: Flags = FRESH
    battle: Battle | None = None
    queue: tuple[str, ...] = ()  # the Epics waiting for their moves (K49)
    owed: int = 0  # cards of a DRAW still to come from the Flop (K9)
    look: int = NOBODY  # whose hand the active player is looking at, or `NOBODY`
    round: int = 0
    first: int = NOBODY
    active: int = NOBODY
    deal: int = -1  # counts new deals from 0
    shuffle: int = 0  # names the Draw deck
    passing: bool = False  # one turn is over and the next has not begun
    showdown: bool = False
    result: Scoresheet | None = None
    won_by: str | None = None
    # By seat: the cards that others know it has, because they saw where the cards went, each with the set of seats that
    # know (bit s for seat s). They are in its hand, or among troops that are not revealed yet
    traced: list[dict[str, int]] = msgspec.field(default_factory=list)

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def phase(self) -> str:
        """The kind of decision that is pending."""
        if self.result is not None:
            return OVER
        if self.deal < 0:
            return SETUP
        if self.battle is not None:
            return self.battle.stage
        if self.passing:
            return CLOSED
        if self.look != NOBODY:
            return INFILTRATE
        if self.owed:
            return FLOPDRAW
        if self.queue:
            return EPIC
        return SHOWDOWN if self.showdown else TURN

    def copy(self) -> "State":
        """Return an independent copy; nothing mutable is shared."""
        return State(
            self.seats, self.options, self.deck[:], self.flop, self.burn, self.out, self.hands[:], self.shown[:],
            self.towers[:], self.bands[:], self.truces[:], self.attacked[:], self.rulers, self.flags, self.battle,
            self.queue, self.owed, self.look, self.round, self.first, self.active, self.deal, self.shuffle,
            self.passing, self.showdown, self.result, self.won_by, [*map(dict, self.traced)],
        )  # fmt: skip


def empty(options: Options, seats: tuple[SeatInfo, ...]) -> State:
    """Return the position before the deal."""
    n = len(seats)
    return State(
        seats=seats, options=options, deck=[*all_cards(options, n)], flop=(), burn=(), out=(), hands=[()] * n,
        shown=[()] * n, towers=[()] * n, bands=[0] * n, truces=[False] * n, attacked=[False] * n,
        rulers=(None,) * n, traced=[{} for _ in range(n)],
    )  # fmt: skip


def all_cards(options: Options, players: int) -> tuple[str, ...]:
    """Return every card in play, in deck order (K61, K97, K98)."""
    return deck(decks_for(players), options.princes, options.princesses)


def to_act(state: State) -> tuple[int, ...]:
    """Return the seats that must decide: two at once if a ruler defends with its sub-kingdom."""
    return to_act_in(state.phase, state)


def to_act_in(phase: str, state: State) -> tuple[int, ...]:
    """Return the seats that must decide in the phase of the position."""
    if phase == TURN:
        return (state.active,)
    if phase in (DEFEND, PROTECT):
        assert state.battle is not None
        return state.battle.waiting if phase == DEFEND else (state.battle.protector,)
    return () if phase in NOBODY_ACTS else (state.active,)


def clockwise(state: State, seat: int) -> list[int]:
    """Return the other seats in turn order, starting after this one (K93, K94)."""
    return [*range(seat + 1, len(state.seats)), *range(seat)]


def next_rank(state: State, seat: int) -> str | None:
    """Return the rank of the Tower the seat can build next (K18), or None."""
    built = len(state.towers[seat])
    return RANKS[built] if built < len(RANKS) else None


def text(state: State) -> str:
    """Return the position as one line of text."""
    return msgspec.json.encode(state).decode()


def parse(line: str | bytes) -> State:
    """Return the position of a line; the inverse of `text`."""
    return msgspec.json.decode(line, type=State)
