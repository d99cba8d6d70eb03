"""Complete games between bots without a database, each with a record that can be verified like any other."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from games.bots.bot import Bot, play_turn
from games.rules.fairness import Fair, Quick, keyed, seed_hash
from games.rules.log import Entry, link, stored
from games.rules.play import apply, begin
from games.rules.protocol import Event, Ruleset, SeatInfo, State
from games.rules.record import FORMAT_NOW, Record, RecordSeat, committed, format_of, opening

Listener = Callable[[int, State, int, str], None]


class Simulated(msgspec.Struct, frozen=True):
    """A finished game. `steps` counts the actions, `waits` how often the seat to act changed, and `replies` how often
    it changed for an answer during another seat's turn.
    """

    record: Record
    steps: int
    waits: int
    replies: int


def seed_of(series: str, number: int) -> bytes:
    """Return the secret seed of one game of a series. The same series gives the same games."""
    return hashlib.sha256(f"self-play/{series}/{number}".encode()).digest()


class Table:
    """A game in progress: bots decide, and entries are chained as on the site. Without `seats`, all belong to bots."""

    def __init__(
        self, ruleset: Ruleset, options: Mapping[str, Any], bots: Sequence[Bot], seed: bytes,
        seats: Sequence[SeatInfo] = (),
    ) -> None:  # fmt: skip
        self.ruleset, self.bots, self.seed = ruleset, bots, seed
        self.chance, self.whims = Fair(seed), Quick(int.from_bytes(seed[:8]))
        self.seats = list(seats) or [SeatInfo(bot=True)] * len(bots)
        self.options = ruleset.options(options, len(bots))
        self.state = ruleset.initial(self.options, self.seats)
        self.entries: list[Entry] = []
        self.steps = self.waits = self.replies = 0

    def play(self, budget: int | None = None, listener: Listener | None = None) -> Simulated:
        """Play the whole game, each bot with the budget or its own.

        Before each decision, call the listener with entry, position, seat and action.
        """
        for _turn in self.timed(budget, listener=listener):
            pass
        return Simulated(self._record(), self.steps, self.waits, self.replies)

    def timed(
        self, budget: int | None = None, clock: Callable[[int], float] = lambda seat: 0.0,
        listener: Listener | None = None,
    ) -> Iterator[tuple[int, float]]:  # fmt: skip
        """Play the whole game, and yield after each turn its seat and how much `clock` of that seat advanced."""
        self.state, events = begin(self.ruleset, self.options, self.seats, self.chance.at(0))
        self._append(None, (), events)
        while waiting := self.ruleset.to_act(self.state):
            seat = waiting[0]
            yield seat, self._turn(seat, budget, clock, listener)

    def _turn(self, seat: int, budget: int | None, clock: Callable[[int], float], listener: Listener | None) -> float:
        """Append one entry: what the seat's bot submits, and its events. Return the time that the bot took.

        Count a wait if a different seat acted before.
        """
        if self.entries[-1].seat != seat:
            self.waits += 1
            self.replies += self.ruleset.is_reply(self.state)
        view = self.ruleset.view(self.state, seat)
        began = clock(seat)
        texts = play_turn(self.ruleset, view, self.bots[seat], self.whims, budget)
        spent = clock(seat) - began
        self.chance.at(len(self.entries), seat)
        events: list[Event] = []
        for text in texts:
            if listener:
                listener(len(self.entries), self.state, seat, text)
            events += apply(self.ruleset, self.state, seat, [self.ruleset.parse(text)], self.chance)
        self.steps += len(texts)
        self._append(seat, tuple(texts), events)
        return spent

    def _append(self, seat: int | None, actions: tuple[str, ...], events: list[Event]) -> None:
        seq = len(self.entries)
        entry = Entry(seq, virtual_time(seq), seat, actions, stored(events))
        head = self.entries[-1].digest if self.entries else opening(self._record())
        self.entries.append(msgspec.structs.replace(entry, digest=link(head, entry, self.seed)))

    def _record(self) -> Record:
        seats = []
        for number, bot in enumerate(self.bots):
            # The salt follows from the seed, so that the same seed gives the same bytes.
            salt = keyed(self.seed, "name", number).hex()
            seats.append(RecordSeat(bot.name, bot.slug, commitment=committed(bot.name, salt), salt=salt))
        return Record(
            format=format_of(self.entries, FORMAT_NOW), game=self.seed.hex()[:8], ruleset=self.ruleset.slug,
            version=self.ruleset.version, options=msgspec.to_builtins(self.options), seats=tuple(seats),
            seed_hash=seed_hash(self.seed), entries=tuple(self.entries), seed=self.seed.hex(),
            scoresheet=self.ruleset.score(self.state),
        )  # fmt: skip


def virtual_time(seq: int) -> str:
    """Return the time of an entry: one minute each from midnight on, so that the same seed gives the same bytes."""
    return f"2000-01-01T{seq // 60:02}:{seq % 60:02}:00.000000Z"
