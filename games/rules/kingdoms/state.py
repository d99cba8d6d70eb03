"""A position: one compact mutable value. Only `evolve` writes to it; its text form is one line of JSON.

What happens next is not stored but read off: `phase` and `to_act` follow from what lies on the table.
"""

import msgspec

from games.rules.kingdoms.deck import RANKS, deck, decks_for
from games.rules.kingdoms.options import Options
from games.rules.protocol import Scoresheet, SeatInfo

SETUP, TURN, FLOPDRAW, EPIC, INFILTRATE = "setup", "turn", "flopdraw", "epic", "infiltrate"
PROTECT, DEFEND, TIE, SHOWDOWN, OVER = "protect", "defend", "tie", "showdown", "over"
CLOSED = "closed"  # the house goes on: a turn is passed, a battle decided
LEAVE, WITH, FOR = "leave", "with", "for"
NOBODY = -1
UNKNOWN = "?"  # a card that a viewer does not know
FLOP = 3


class Laid(msgspec.Struct, frozen=True):
    """A troop hand on the table. `open` are those of its cards that lay face-up before (K78)."""

    seat: int
    cards: tuple[str, ...]
    open: tuple[str, ...] = ()


class Wave(msgspec.Struct, frozen=True):
    """The attacker's hand and behind it the defenders', as they were laid; totals once they are revealed."""

    hands: tuple[Laid, ...]
    revealed: bool = False
    attack: int = 0
    defence: int = 0


class Battle(msgspec.Struct, frozen=True):
    """A battle from its declaration to its result.

    `protector`: the target's ruler, if that is not the attacker, else -1. `mode` is empty until it has chosen (K35).
    `picked`: who has picked blind from whom for the present wave, as (picker, from) (K39).
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
        """The last one."""
        return self.waves[-1]

    @property
    def defenders(self) -> tuple[int, ...]:
        """Who lays a hand for the defence, in seat order."""
        if self.mode == FOR:
            return (self.protector,)
        if self.mode == WITH:
            return tuple(sorted((self.target, self.protector)))
        return (self.target,)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The defenders that have not laid yet in this wave."""
        laid = [hand.seat for hand in self.wave.hands]
        return tuple(seat for seat in self.defenders if seat not in laid)

    @property
    def stage(self) -> str:
        """What the battle waits for."""
        if self.protector != NOBODY and not self.mode:
            return PROTECT
        if not self.wave.revealed:
            return DEFEND if self.waiting else CLOSED
        return TIE if self.wave.attack == self.wave.defence and not self.stopped else CLOSED


class Flags(msgspec.Struct, frozen=True):
    """What the turn has seen so far. `picked_from`: the sub-kingdoms that a card was taken from (K39)."""

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


class State(msgspec.Struct):
    """Hands and the Draw deck are sets of cards and stand in deck order; Flop and Burn pile lie as they came.

    `shown`: the face-up cards of each hand. `queue`: the Epics that wait for their move (K49). `owed`: cards of a DRAW
    that come from the Flop (K9). `look`: whose hand the active player looks at, or -1. `out`: what left the game in
    the Final Showdown. `shuffle` names the Draw deck, `deal` counts the new deals from 0. `passing`: the turn is over
    and the next has not begun.
    """

    seats: tuple[SeatInfo, ...]
    options: Options
    deck: tuple[str, ...]
    flop: tuple[str, ...]
    burn: tuple[str, ...]
    out: tuple[str, ...]
    hands: list[tuple[str, ...]]
    shown: list[tuple[str, ...]]
    towers: list[tuple[str, ...]]
    bands: list[int]
    truces: list[bool]
    attacked: list[bool]
    rulers: tuple[int | None, ...]
    flags: Flags = FRESH
    battle: Battle | None = None
    queue: tuple[str, ...] = ()
    owed: int = 0
    look: int = NOBODY
    round: int = 0
    first: int = NOBODY
    active: int = NOBODY
    deal: int = -1
    shuffle: int = 0
    passing: bool = False
    showdown: bool = False
    result: Scoresheet | None = None
    won_by: str | None = None

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def phase(self) -> str:
        """What the game waits for."""
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
        """A position of its own; nothing that changes is shared."""
        return State(
            self.seats,
            self.options,
            self.deck,
            self.flop,
            self.burn,
            self.out,
            self.hands[:],
            self.shown[:],
            self.towers[:],
            self.bands[:],
            self.truces[:],
            self.attacked[:],
            self.rulers,
            self.flags,
            self.battle,
            self.queue,
            self.owed,
            self.look,
            self.round,
            self.first,
            self.active,
            self.deal,
            self.shuffle,
            self.passing,
            self.showdown,
            self.result,
            self.won_by,
        )


def empty(options: Options, seats: tuple[SeatInfo, ...]) -> State:
    """The position before the cards are dealt."""
    n = len(seats)
    return State(
        seats=seats,
        options=options,
        deck=all_cards(options, n),
        flop=(),
        burn=(),
        out=(),
        hands=[()] * n,
        shown=[()] * n,
        towers=[()] * n,
        bands=[0] * n,
        truces=[False] * n,
        attacked=[False] * n,
        rulers=(None,) * n,
    )


def all_cards(options: Options, players: int) -> tuple[str, ...]:
    """Every card in play, in deck order (K61, K97, K98)."""
    return deck(decks_for(players), options.princes, options.princesses)


def to_act(state: State) -> tuple[int, ...]:
    """The seats that owe a decision: two at once where a ruler defends with its sub-kingdom."""
    phase = state.phase
    if phase in (OVER, SETUP, CLOSED):
        return ()
    battle = state.battle
    if battle is None or phase == TIE:
        return (state.active,)
    return (battle.protector,) if phase == PROTECT else battle.waiting


def clockwise(state: State, seat: int) -> list[int]:
    """The other seats in playing order behind this one (K93, K94)."""
    return [(seat + step) % state.players for step in range(1, state.players)]


def next_rank(state: State, seat: int) -> str | None:
    """The rank of the Tower that the seat can build next (K18)."""
    built = len(state.towers[seat])
    return RANKS[built] if built < len(RANKS) else None


def text(state: State) -> str:
    """The position in one line."""
    return msgspec.json.encode(state).decode()


def parse(line: str | bytes) -> State:
    """The position of a line; the inverse of `text`."""
    return msgspec.json.decode(line, type=State)
