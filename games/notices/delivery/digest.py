"""The message of a bundle: one notice, or a digest of all of a person's notices of a day on one channel."""

from django.conf import settings
from django.urls import reverse
from django.utils.translation import ngettext

from games.notices.delivery.messages import Message, message, reading_as
from games.notices.kinds import How, Kind
from games.notices.models import Notice

PLACES = 5  # games and other subjects that a digest names in its lead
ASKS = {Kind.TURN, Kind.TIME, Kind.STARTED}


def written(bundle: list[Notice]) -> Message:
    """Return the message for notices that are sent together."""
    return digest(bundle) if bundle[0].how == How.DIGEST else message(bundle[0])


def digest(bundle: list[Notice]) -> Message:
    """Return a message with the day's notices, most urgent first. Each game asks for a turn only once."""
    items = sorted(map(message, _once(bundle)), key=_urgency)
    with reading_as(bundle[0].user):
        asked = sum(item.deadline is not None for item in items)
        news = len(items) - asked
        said = (
            ngettext("Your turn in {n} game", "Your turn in {n} games", asked).format(n=asked) if asked else "",
            ngettext("{n} update", "{n} updates", news).format(n=news) if news else "",
        )
        title = ", ".join(filter(None, said))
        return Message(
            notice=bundle[0], reader=bundle[0].user, title=title, lead=_places(items),
            url=settings.SITE_URL + reverse("desk"), is_open=any(item.is_open for item in items), items=tuple(items),
        )  # fmt: skip


def _places(items: list[Message]) -> str:
    """Return the names of the games and other subjects, which even a shared channel may show."""
    named = list(dict.fromkeys(item.table or item.title for item in items))
    return "; ".join(named[:PLACES]) + ("…" if len(named) > PLACES else "")


def _once(bundle: list[Notice]) -> list[Notice]:
    by_table = {(notice.seat_id if notice.kind in ASKS else None) or notice.key: notice for notice in bundle}
    return list(by_table.values())


def _urgency(item: Message) -> tuple[bool, float]:
    return item.deadline is None, item.deadline.timestamp() if item.deadline else 0
