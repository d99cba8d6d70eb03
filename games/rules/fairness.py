"""Chance that can be checked: every draw follows from a secret seed, whose SHA-256 is shown before the first bid.

`Fair` is what games use. `Quick` is for simulations, where nobody needs a proof.
"""

import hashlib
import hmac
from collections.abc import Sequence

SEED_BYTES = 32
_SPAN = 1 << 64


def seed_hash(seed: bytes) -> str:
    """What is shown of a seed before the game ends: its SHA-256 as 64 hexadecimal digits."""
    return hashlib.sha256(seed).hexdigest()


def keyed(seed: bytes, *words: object) -> bytes:
    """HMAC-SHA256 of the words, joined by slashes, under the seed: 32 bytes."""
    return hmac.digest(seed, "/".join(map(str, words)).encode(), "sha256")


class Fair:
    """The chance of one game. `at(seq)` before each entry; the draws of an entry are numbered from 0.

    A deck deals the card with the smallest HMAC-SHA256(seed, deck, card) of those left, so the same seed deals
    the same deck whatever the players do. `deck` names the shuffle too (`deck-0`, `deck-1`).
    """

    def __init__(self, seed: bytes, seq: int = 0) -> None:
        self._seed = seed
        self._ranks: dict[tuple[str, str], bytes] = {}
        self.at(seq)

    def at(self, seq: int) -> "Fair":
        self._seq = seq
        self._number = 0
        return self

    @property
    def drawn(self) -> int:
        """How many draws of this entry went by its number: from another entry they would come out otherwise."""
        return self._number

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
            value = int.from_bytes(keyed(self._seed, "draw", self._seq, self._number)[:8])
            self._number += 1
            if value < limit:
                return value % n


class Quick:
    """A small, fast stream (SplitMix64) for self-play and search: same seed, same numbers, no proof of anything."""

    def __init__(self, seed: int) -> None:
        self._state = seed % _SPAN

    def below(self, n: int) -> int:
        """Biased by less than n / 2^64, which no simulation can see."""
        self._state = (self._state + 0x9E3779B97F4A7C15) % _SPAN
        mixed = (self._state ^ (self._state >> 30)) * 0xBF58476D1CE4E5B9 % _SPAN
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % _SPAN
        return (mixed ^ (mixed >> 31)) % n

    def draw(self, deck: str, cards: Sequence[str]) -> str:
        return cards[self.below(len(cards))]
