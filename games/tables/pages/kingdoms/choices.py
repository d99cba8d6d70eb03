"""A button of the page: the action, its words, and whether it is laid out or done at once."""

import re
from collections.abc import Sequence
from typing import NamedTuple

AT_ONCE, LAID_OUT = "table_submit", "table_step"
WITH_CARDS = ("attack", "defend", "wave", "show", "gift", "not-so-secret")  # the same button whatever cards are picked


class Choice(NamedTuple):
    """`way` names the address that the button posts to."""

    action: str
    words: str
    way: str = LAID_OUT

    @property
    def id(self) -> str:
        """What scripts and tests know the button by."""
        words = self.action.rpartition(";")[2].split(" ")
        if words[0] in WITH_CARDS:
            words = [word for word in words if len(word) == 1 or "-" not in word or word == words[0]]
        return "do-" + re.sub(r"[^a-z0-9]+", "-", " ".join(words))


class Group(NamedTuple):
    """Buttons under a heading."""

    name: str
    note: str
    choices: tuple[Choice, ...]


def at_once(action: str, words: str, draft: Sequence[str]) -> Choice:
    """What needs chance: done at a tap, but asked about where something was laid out that it would make final."""
    return Choice(action, words, LAID_OUT if draft else AT_ONCE)
