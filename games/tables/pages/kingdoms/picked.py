"""What the reader has pointed at without doing it, as the address of the page says it.

`?c=sun-attack-4-1&c=wave-champion-9-1` picks cards of the hand and of the Flop, `?s=1` a player, `?sort=suit` sorts
the hand, and `?then=draw` asks whether a step that cannot be taken back is meant.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

BY_CLASS, BY_VALUE, BY_SUIT = "class", "value", "suit"
SORTS = (BY_CLASS, BY_VALUE, BY_SUIT)
PARTED = re.compile(r"[ +;]+")
BOSS = re.compile(r"\bboss (d\d:)?")  # in action texts Bosses go by less than their id


class Picked(NamedTuple):
    """`words` may be ids of cards or anything else: who reads them takes those that lie where they look.

    A step that is asked about, or that was refused, has its cards picked.
    """

    words: frozenset[str] = frozenset()
    seats: tuple[int, ...] = ()
    sort: str = BY_CLASS
    then: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Picked":
        told = " ".join(query.get(name, "") for name in ("c", "then", "refused"))
        seats = {int(word) for word in query.get("s", "").split(" ") if len(word) == 1 and word in "01234567"}
        sort = query.get("sort", "")
        return cls(
            frozenset(PARTED.split(BOSS.sub(r"\1boss-", told))),
            tuple(sorted(seats)),
            sort if sort in SORTS else BY_CLASS,
            query.get("then", ""),
        )

    def among(self, cards: Iterable[str]) -> tuple[str, ...]:
        """Those of the cards that are picked, in the order given."""
        return tuple(one for one in cards if one in self.words)


def address(cards: Iterable[str] = (), seats: Iterable[int] = ()) -> str:
    """What picks these cards and seats, to stand behind a page's address. Ids have no letters that need quoting."""
    parts = {"c": cards, "s": map(str, seats)}
    said = {name: "+".join(words) for name, words in parts.items()}
    return "?" + "&".join(f"{name}={words}" for name, words in said.items() if words)
