"""The reader's selection, as given in the URL.

`?c=sun-attack-4-1&c=wave-champion-9-1` selects cards of the hand and the Flop, `?s=1` a player, `?sort=suit` sorts the
hand, and `?then=draw` asks to confirm a step that cannot be undone.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

BY_CLASS, BY_VALUE, BY_SUIT = "class", "value", "suit"
SORTS = (BY_CLASS, BY_VALUE, BY_SUIT)
PARTED = re.compile(r"[ +;]+")
BOSS = re.compile(r"\bboss (d\d:)?")  # action texts use a shorter form of Boss ids


class Picked(NamedTuple):
    """A selection. `words` may contain anything; `among` returns the valid card ids.

    The cards of a step to be confirmed, or of a refused one, are selected too.
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
        """Return the selected cards, in the given order."""
        return tuple(one for one in cards if one in self.words)


def address(cards: Iterable[str] = (), seats: Iterable[int] = ()) -> str:
    """Return the query that selects these cards and seats. Ids need no quoting."""
    parts = {"c": cards, "s": map(str, seats)}
    said = {name: "+".join(words) for name, words in parts.items()}
    return "?" + "&".join(f"{name}={words}" for name, words in said.items() if words)
