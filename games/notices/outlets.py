"""The ways to reach people. Each is one class, named in OUTLETS; what it raises says what becomes of a notice."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from django.core.cache import cache as shared
from django.utils.module_loading import import_string

from accounts.models import User
from games.notices.kinds import Channel
from games.notices.models import Notice, Outage

if TYPE_CHECKING:
    from games.notices.delivery.messages import Message

OUTLETS: dict[Channel, str] = {
    Channel.MAIL: "games.notices.delivery.channels.email.Post",
    Channel.PUSH: "games.notices.delivery.channels.push.Push",
    Channel.HOOK: "games.notices.delivery.channels.hook.Webhook",
}
REST = 50  # seconds in which nobody knocks where nobody answered; sweeps, a minute apart, do


class Unsent(Exception):  # noqa: N818  they are answers
    """The notice did not go out; the reason is for its reader."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TryAgain(Unsent):
    """Not now, and not before the time `after`, where the other side asks for it."""

    def __init__(self, reason: str, *, after: timedelta | None = None) -> None:
        super().__init__(reason)
        self.after = after or timedelta()


class Down(TryAgain):
    """Not now, and nothing else over this channel either, whoever it is for."""


class Refused(Unsent):
    """Never, but others may go there."""


class Gone(Unsent):
    """Never, and nothing else to this target: it is taken off."""


class Line:
    """A way to the other side, over which messages go one behind the other. What it raises is one of the above."""

    def open(self) -> None:
        """What takes time before a hand-over. Where that has been done it does nothing."""

    def hand_over(self, ready: Any) -> None:
        """What the outlet made ready."""
        ready()

    def close(self) -> None:
        """Nothing more goes over it."""


class Outlet:
    """A channel. `targets` are the devices or addresses of somebody there, 0 where there is but one.

    `together` is how many messages go over one line: one, where others had to wait for a slow host.
    """

    together = 1

    def targets(self, user: User) -> Sequence[int]:
        raise NotImplementedError

    def why_not(self, notice: Notice) -> str:
        """Why nothing can be sent to that target of that person, as a `Why`; empty where it can."""
        return ""

    def reasons(self, notices: Sequence[Notice]) -> list[str]:
        """The same for several, as they have just been read with their users."""
        return [self.why_not(notice) for notice in notices]

    def ready(self, notice: Notice, message: "Message") -> Any:
        """The message as its line takes it. A digest is the first of its notices, with all in the message."""
        return partial(self.send, notice, message)

    def send(self, notice: Notice, message: "Message") -> None:
        """Hand it over, or raise one of the above."""
        raise NotImplementedError

    def line(self) -> Line:
        return Line()

    def take_off(self, notice: Notice, reason: str) -> None:
        """The target of the notice is gone: never to be one of `targets` again."""


def outlet(channel: str) -> Outlet:
    return outlets()[Channel(channel)]


@cache
def outlets() -> dict[Channel, Outlet]:
    return {channel: import_string(name)() for channel, name in OUTLETS.items()}


def falls_silent(channel: str, reason: str) -> None:
    """Nobody answers on the whole channel."""
    rest(channel)
    Outage.objects.get_or_create(channel=channel, defaults={"reason": reason})


def works(channel: str) -> None:
    """Somebody answers there, be it again."""
    silence = Outage.objects.filter(channel=channel)
    if silence.exists():  # deleting takes three statements even where there is nothing
        silence.delete()


def rest(where: str) -> None:
    """Let a channel, or a host, be for a while."""
    shared.set(_resting(where), True, REST)


def rests(where: str) -> bool:
    """Whether nobody answered there a moment ago."""
    return shared.get(_resting(where)) is not None


def _resting(where: str) -> str:
    return f"notices.{where}-rests"
