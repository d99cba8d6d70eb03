"""Buttons of the page: the action, its words, and whether it is drafted or submitted at once."""

import re
from collections.abc import Sequence
from typing import NamedTuple

AT_ONCE, LAID_OUT = "table_submit", "table_step"
WITH_CARDS = ("attack", "defend", "wave", "show", "gift", "not-so-secret")  # their buttons keep one id


class Choice(NamedTuple):
    """A button. `way` names the URL that it posts to."""

    action: str
    words: str
    way: str = LAID_OUT

    @property
    def id(self) -> str:
        """A stable id for scripts and tests."""
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
    """Return a button for an action with chance: submitted at once, or confirmed if it would make a draft final."""
    return Choice(action, words, LAID_OUT if draft else AT_ONCE)
