"""Verifiable chance: every draw follows from a secret seed, whose SHA-256 is published before the first bid.

Games use `Fair`; simulations, which need no proof, use `Quick`.
"""

import hashlib
import hmac
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.protocol import Chance

Draw = tuple[int, int]  # a numbered draw: its entry and its number within it

SEED_BYTES = 32
_SPAN = 1 << 64


def seed_hash(seed: bytes) -> str:
    """Return the SHA-256 of a seed as 64 hexadecimal digits, which is shown before the game ends."""
    return hashlib.sha256(seed).hexdigest()


def keyed(seed: bytes, *words: object) -> bytes:
    """Return the HMAC-SHA256 of the words, joined by slashes, under the seed: 32 bytes."""
    return hmac.digest(seed, "/".join(map(str, words)).encode(), "sha256")


class Fair:
    """The chance of one game. Call `at(seq, seat)` before each entry; an entry's draws are numbered from 0.

    A deck deals the card with the smallest HMAC-SHA256(seed, deck, card) of those left, so the same seed deals the same
    deck whatever the players do. `deck` also names the shuffle (`deck-0`, `deck-1`).

    When a turn is undone, its numbered draws come up again as the next draws of its seat, in the same order, in
    whichever entries it next draws and whatever others do meanwhile. `kept` is the state needed for that.
    """

    def __init__(self, seed: bytes, kept: Mapping[str, Any] | None = None) -> None:
        """Start a game, or continue from an earlier `kept`. An empty `kept` equals the start of a game."""
        self._seed = seed
        self._ranks: dict[tuple[str, str], bytes] = {}
        self._again: defaultdict[int | None, list[Draw]] = defaultdict(list)
        self._used: list[Draw] = []
        self.at(0)
        if kept:
            self._seat = kept["seat"]
            self._used = [(seq, number) for seq, number in kept["used"]]
            for seat, seq, number in kept["again"]:
                self._again[seat].append((seq, number))

    def at(self, seq: int, seat: int | None = None) -> "Fair":
        """Start the entry `seq` of a seat; None is the site."""
        self._seq, self._seat, self._number = seq, seat, 0
        self._used = []
        return self

    @property
    def has_drawn(self) -> bool:
        """Whether this entry has made a numbered draw."""
        return bool(self._used)

    @property
    def kept(self) -> dict[str, Any]:
        """This entry's draws and those that come up again, as plain data; empty if there are none."""
        again = [[seat, *draw] for seat, draws in self._again.items() for draw in draws]
        if not (self._used or again):
            return {}
        return {"seat": self._seat, "used": [list(draw) for draw in self._used], "again": again}

    def undo(self) -> None:
        """Make the draws of this entry come up again."""
        self._again[self._seat][:0] = self._used
        self._used = []

    def draw(self, deck: str, cards: Sequence[str]) -> str:
        return min(cards, key=lambda card: self._rank(deck, card))

    def _rank(self, deck: str, card: str) -> bytes:
        key = (deck, card)
        rank = self._ranks.get(key)
        if rank is None:
            rank = self._ranks[key] = keyed(self._seed, "deck", deck, card)
        return rank

    def below(self, n: int) -> int:
        limit = _SPAN - _SPAN % n
        while True:
            value = int.from_bytes(keyed(self._seed, "draw", *self._next())[:8])
            if value < limit:
                return value % n

    def _next(self) -> Draw:
        again = self._again[self._seat]
        if again:
            self._used.append(again.pop(0))
        else:
            self._used.append((self._seq, self._number))
            self._number += 1
        return self._used[-1]


class Quick:
    """A small, fast generator (SplitMix64) for self-play and search. The same seed gives the same numbers, unproven."""

    def __init__(self, seed: int) -> None:
        self._state = seed % _SPAN

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, biased by less than n / 2^64, which no simulation can detect."""
        self._state = mixed = self._state + 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        return (mixed ^ mixed >> 31) % n

    def draw(self, deck: str, cards: Sequence[str]) -> str:
        return cards[self.below(len(cards))]


def shuffle(things: list[Any], chance: Chance) -> None:
    """Put the list into a random order, each equally likely (Fisher and Yates)."""
    for last in range(len(things) - 1, 0, -1):
        other = chance.below(last + 1)
        things[last], things[other] = things[other], things[last]


class Dealt(Quick):
    """Chance for a position whose deck has been put into an order: draws the last card of the deck.

    With a name, only that deck has an order, and other decks, such as a reshuffled one, draw any card.
    """

    def __init__(self, seed: int, deck: str = "") -> None:
        super().__init__(seed)
        self.deck = deck

    def draw(self, deck: str, cards: Sequence[str]) -> str:
        return cards[self.below(len(cards))] if self.deck and deck != self.deck else cards[-1]
