"""The channels' interface. Each channel is a class named in OUTLETS; its exceptions decide what happens to a notice."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from django.core.cache import cache as shared
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from accounts.models import User
from empire.prepared import Prepared
from games.notices.kinds import Channel
from games.notices.models import Notice, Outage

if TYPE_CHECKING:
    from games.notices.delivery.messages import Message

OUTLETS: dict[Channel, str] = {
    Channel.EMAIL: "games.notices.delivery.channels.email.Email",
    Channel.PUSH: "games.notices.delivery.channels.push.Push",
    Channel.HOOK: "games.notices.delivery.channels.hook.Webhooks",
}
OUTAGES = Prepared(lambda channel: Outage.objects.filter(channel=channel))
PAUSE = 50  # seconds without attempts after no response; shorter than the minute between sweeps


class Unsent(Exception):  # noqa: N818  they are answers
    """The notice was not sent. The reason is shown to its reader."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TryAgain(Unsent):
    """A temporary failure: try again, at the earliest after `after`."""

    def __init__(self, reason: str, *, after: timedelta | None = None) -> None:
        super().__init__(reason)
        self.after = after or timedelta()


class Down(TryAgain):
    """A temporary failure of the whole channel, for all readers."""


class Refused(Unsent):
    """A permanent failure of this notice. Others may still go to the target."""


class Gone(Unsent):
    """A permanent failure of the target, which is removed."""


class Connection:
    """A channel's connection, for one message after the other. Its methods raise the exceptions above."""

    def open(self) -> None:
        """Connect, if not already connected."""

    def hand_over(self, ready: Any) -> None:
        """Send a message prepared by `Outlet.ready`."""
        ready()

    def close(self) -> None:
        """Close the connection."""


class Outlet:
    """A channel.

    `targets` are the ids of a person's devices or addresses; 0 if there is only one. `together` is how many messages
    share a connection: one if a slow host would keep the others waiting.
    """

    together = 1

    def targets(self, users: Collection[User]) -> Mapping[int, Sequence[int]]:
        """Return where each of the users can be reached, by id. Those who cannot be reached may be missing."""
        raise NotImplementedError

    def why_not(self, notice: Notice) -> str:
        """Return a `NoticeReason` if nothing can be sent to the notice's target, else an empty text."""
        return ""

    def reasons(self, notices: Sequence[Notice]) -> list[str]:
        """Return the same for several notices, which have just been loaded with their users."""
        return [self.why_not(notice) for notice in notices]

    def ready(self, notice: Notice, message: "Message") -> Any:
        """Prepare the message for `Connection.hand_over`. For a digest, `notice` is the first of its notices."""
        return partial(self.send, notice, message)

    def send(self, notice: Notice, message: "Message") -> None:
        """Send the message, or raise one of the exceptions above."""
        raise NotImplementedError

    def connection(self) -> Connection:
        """Return a connection that is not open yet."""
        return Connection()

    def take_off(self, notice: Notice, reason: str) -> None:
        """Remove the notice's target, which is gone."""


class Targets:
    """The rows of users that a channel can send to, such as their devices."""

    def __init__(self, rows: Callable[..., QuerySet[Any]]) -> None:
        """`rows` filters them by the user."""
        self.of_many = lambda users: rows(user__in=users).only("user").order_by("pk")
        self.of_one = Prepared(lambda user: rows(user=user).only("user").order_by("pk"))

    def by_user(self, users: Collection[User]) -> dict[int, list[int]]:
        """Return their ids by user."""
        pks_by_user: dict[int, list[int]] = defaultdict(list)
        for row in self.of_one(next(iter(users)).pk) if len(users) == 1 else self.of_many(users):
            pks_by_user[row.user_id].append(row.pk)
        return pks_by_user


def outlet(channel: str) -> Outlet:
    return all_outlets()[Channel(channel)]


@cache
def all_outlets() -> dict[Channel, Outlet]:
    return {channel: import_string(name)() for channel, name in OUTLETS.items()}


def record_outage(channel: str, reason: str) -> None:
    """Record an outage of the whole channel."""
    pause(channel)
    Outage.objects.get_or_create(channel=channel, defaults={"reason": reason})


def end_outage(channel: str) -> None:
    """Record that the channel works, and end its outage, if any."""
    if OUTAGES(channel):  # a delete takes three statements even without rows
        Outage.objects.filter(channel=channel).delete()


def pause(where: str, seconds: int = PAUSE) -> None:
    """Make no attempts on a channel, or a host given as `https://host`, for this time."""
    shared.set(_pause_key(where), True, seconds)


def is_paused(where: str) -> bool:
    """Return whether the channel or host, given as for `pause`, did not respond a moment ago."""
    return shared.get(_pause_key(where)) is not None


def _pause_key(where: str) -> str:
    return f"notices.{hashlib.sha256(where.encode()).hexdigest()}-paused"
