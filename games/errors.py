"""Refusals, each with a sentence for the player in their language. Nothing is written when one is raised."""

# ruff: noqa: N818 - these are refusals, not errors

from collections.abc import Sequence

from django.http import Http404
from django.utils.translation import gettext, gettext_noop

from games.rules.play import Incomplete
from games.rules.protocol import IllegalAction


class GameError(Exception):
    """An action that the player may not take, or not now. Some kinds always say the same `sentence`."""

    sentence = ""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence or gettext(self.sentence))


class NotFound(GameError, Http404):
    """The game does not exist, or this reader may not see it. Views that do not catch it answer with the 404 page."""

    sentence = gettext_noop("This game doesn’t exist, or it is private. Check the link.")


class NotYours(GameError):
    """The seat, the table or the turn belongs to someone else."""


class Stale(GameError):
    """The position has changed since the page was drawn."""

    sentence = gettext_noop(
        "The game has changed since you loaded this page, so your moves were not played. Check the table and "
        "play again."
    )


class LaidOutElsewhere(GameError):
    """The draft is not the one that the page showed: another tab or device of the same player changed it."""

    sentence = gettext_noop(
        "You changed this turn in another window, so your last move here was not added. "
        "This is the turn as it is now: check it and continue."
    )


class Over(GameError):
    """The game is over or has not started."""


class Illegal(GameError):
    """The rules forbid the action."""

    def __init__(self, refusal: IllegalAction) -> None:
        super().__init__(refusal.say(gettext))


class Unfinished(GameError):
    """The submitted turn is incomplete."""

    sentence = Incomplete.sentence


class Final(GameError):
    """A step that cannot be undone, and so must be submitted together with the draft before it."""

    sentence = gettext_noop("You can’t undo this move. Confirm it together with your moves so far.")


class GivesUp(Final):
    """A step that gives up something usable: its player must be sure. `before` are the steps of the turn before it."""

    sentence = gettext_noop("This gives up something you could still use. Confirm that you’re sure.")

    def __init__(self, step: str, before: Sequence[str]) -> None:
        super().__init__()
        self.step, self.before = step, before


class TableError(GameError):
    """The table cannot be opened, joined, left or closed this way."""


class TooOften(GameError):
    """A rate limit was reached. `wait` is the time until the next attempt, in seconds."""

    def __init__(self, sentence: str, wait: int) -> None:
        super().__init__(sentence)
        self.wait = wait


class RecordError(GameError):
    """A record that cannot be read or imported."""
