"""Refusals, each with a sentence for the player in their language. Nothing has been written when one is raised."""

# ruff: noqa: N818 - refusals are no errors

from django.utils.translation import gettext

from games.rules.protocol import IllegalAction


class GameError(Exception):
    """Something that a player may not do, or may not do now."""


class NotFound(GameError):
    """There is no such game, or not for this reader."""

    def __init__(self) -> None:
        super().__init__(gettext("This game doesn’t exist, or it is private. Check the link."))


class NotYours(GameError):
    """The seat, the table or the turn is somebody else's."""


class Stale(GameError):
    """The position that somebody decided on is no longer the position."""

    def __init__(self) -> None:
        super().__init__(
            gettext("The game has changed since you loaded this page, so your moves were not played. Look again.")
        )


class Over(GameError):
    """The game has ended, or never began."""


class Illegal(GameError):
    """The rules forbid it."""

    def __init__(self, refusal: IllegalAction) -> None:
        super().__init__(refusal.say(gettext))


class Unfinished(GameError):
    """The turn has been begun and not ended."""

    def __init__(self) -> None:
        super().__init__(gettext("Your turn is not complete. Use your remaining moves or end the turn."))


class Final(GameError):
    """A step of a draft that cannot be taken back: it has to be handed in with what was laid out before it."""

    def __init__(self) -> None:
        super().__init__(gettext("You can’t undo this move. Confirm it together with your moves so far."))


class TableError(GameError):
    """A table cannot be opened, joined, left or closed like this."""


class TooOften(GameError):
    """It was done a lot lately; `wait` is in seconds."""

    def __init__(self, sentence: str, wait: int) -> None:
        super().__init__(sentence)
        self.wait = wait


class RecordError(GameError):
    """A record that cannot be taken in."""
