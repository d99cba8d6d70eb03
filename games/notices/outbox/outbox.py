"""Writing notices. Services call these functions inside the transaction that the notice is about.

One row is written for each channel and target on which the person wants to be notified.
"""

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts.models import Step, StepKind, User, in_language_of
from accounts.moderation import roles
from accounts.moderation.services import date_words
from empire import emails
from empire.on_commit import delay_on_commit, delay_once_on_commit
from games.notices import outlets
from games.notices.kinds import Channel, How, Kind
from games.notices.models import OPEN, Notice, NoticeReason, NoticeState
from games.notices.outbox import times
from games.notices.outbox.words import Words, later
from games.notices.outbox.words import gettext_later as _
from games.notices.outbox.words import ngettext_later as ngettext
from games.tables.models.game import Seat, Status

LONGEST_TITLE = 200
MOST_FROM_ONE = 10  # notices of what one person asks another in a day, as many as invitations to tables
PLAN = ("planned_at", "due_at", "message_id")

Targets = dict[tuple[int, Channel], Sequence[int]]


class Gathered(NamedTuple):
    """Notices that a block collects, or None to save each at once, and where people can be reached.

    The targets of all `readers` are read when the first one of them is told something.
    """

    rows: list[Notice] | None
    targets: Targets
    readers: Collection[User]


_gathered: ContextVar[Gathered | None] = ContextVar("gathered", default=None)


@contextmanager
def together(readers: Collection[User] = ()) -> Iterator[None]:
    """Collect the notices written within the block, and save them at its end in one statement.

    Where the `readers` can be reached is read once, with one query for each channel.
    """
    rows: list[Notice] = []
    with _gathering(rows, readers):
        yield
    _write(rows)


@contextmanager
def reached(readers: Collection[User]) -> Iterator[None]:
    """Read where these people can be reached once for the whole block. Each notice is saved at once."""
    with _gathering(None, readers):
        yield


@contextmanager
def _gathering(rows: list[Notice] | None, readers: Collection[User]) -> Iterator[None]:
    outer = _gathered.get()
    targets, others = (outer.targets, outer.readers) if outer else ({}, ())
    token = _gathered.set(Gathered(rows, targets, readers or others))
    try:
        yield
    finally:
        _gathered.reset(token)


def tell(
    *, kind: Kind, seat: Seat, seq: int, due_at: datetime | None = None, reader: User | None = None,
    title: Words | str = "", lead: Words | str = "", exclude: Container[str] = (),
) -> list[Notice]:  # fmt: skip
    """Notify the player of `seat`, or `reader`, once about entry `seq`: now or at `due_at`, subject to their settings.

    The words are written when the notice is sent, unless `title` and `lead` are given, in the reader's language if they
    are `Words`. Channels in `exclude` are left out. Returns the notices, new or not; none if the person wants none.
    """
    reader = reader or (None if seat.bot else seat.user)
    if reader is None:
        return []
    facts = {"kind": kind, "seat": seat, "seq": seq, "title": title, "lead": lead}
    return _tell(reader, f"{kind}.{seat.pk}.{seq}", due_at, facts, exclude)


def tell_user(
    *,
    kind: Kind,
    user: User,
    about: str,
    title: Words | str,
    lead: Words | str,
    url: str,
) -> list[Notice]:
    """Notify a person once about something other than one of their seats.

    `about` identifies it, as in `season.5`: at most 60 letters, digits, dots and hyphens. It begins with a word of
    `brief.OF_NOTICE` if the notice is about a game, so that webhooks say nothing about the players of a private one.
    `url` is a path on the site. What was settled before a notice is sent has to be withdrawn, see `withdraw`.
    """
    facts = {"kind": kind, "about": about, "title": title, "lead": lead, "url": url}
    return _tell(user, f"{kind}.{about}", None, facts)


def tell_from(
    *, by: User | None, kind: Kind, user: User, about: str, title: Words | str, lead: Words | str, url: str
) -> list[Notice]:  # fmt: skip
    """Notify a person of what another one asks them, or decides about them, `MOST_FROM_ONE` times a day at most.

    It can be undone, withdrawn or declined, and repeated, each time with a notice. The other one is not told that there
    was none, because that would tell how the person wants to be notified. `by` is None if it cannot be repeated, or the
    account has been deleted.
    """
    if by is None:
        return tell_user(kind=kind, user=user, about=about, title=title, lead=lead, url=url)
    recent = sent_by(by).filter(user=user, created_at__gt=timezone.now() - timedelta(days=1))
    if recent.values("about").distinct().count() >= MOST_FROM_ONE:
        return []
    return tell_user(kind=kind, user=user, about=about + _sender(by), title=title, lead=lead, url=url)


def sent_by(by: User) -> QuerySet[Notice]:
    """Return the notices that `tell_from` has written for this person."""
    return Notice.objects.filter(about__endswith=_sender(by))


def _sender(by: User) -> str:
    return f".by.{by.pk}"


def withdraw(*, kind: Kind, about: str, users: Collection[int] | None = None) -> int:
    """Drop unsent notices to these users, or to everyone, about something that has been settled. Return how many.

    `about` is what `tell_user` or `tell_from` was given, or the part of it before one of its dots.
    """
    is_about = Q(about=about) | Q(about__startswith=f"{about}.")
    waiting: QuerySet[Notice] = Notice.objects.filter(is_about, state=NoticeState.QUEUED, kind=kind)
    if users is not None:
        waiting = waiting.filter(user__in=users)
    return waiting.update(state=NoticeState.DROPPED, why=NoticeReason.SETTLED)


def tell_of_export(user: User, url: str) -> None:
    """Notify a person that the archive of their data is ready. Only they can fetch it there, signed in."""
    lead = ngettext(
        "Download the archive within %(n)d day. The link works once, and asks you to sign in.",
        "Download the archive within %(n)d days. The link works once, and asks you to sign in.",
        settings.KEEP_EXPORTS,
    )
    tell_user(
        kind=Kind.DATA, user=user, about=f"data.{timezone.now():%Y%m%d%H%M%S}", title=_("Your data is ready"),
        lead=lead % {"n": settings.KEEP_EXPORTS}, url=url,
    )  # fmt: skip


def tell_of_step(step: Step) -> None:
    """Notify a player of what a moderator did, with the reason. They can read it again, and answer, on their page."""
    if step.lifted_at:
        title, lead = _("A moderator has lifted a restriction"), _("Lifted: {step}. Reason: “{reason}”")
        about, reason = f"step.{step.pk}.lifted", step.lifted_why
    else:
        title = _("A message from the moderators")
        lead = _("{step} until {until}. Reason: “{reason}”") if step.until else _("{step}. Reason: “{reason}”")
        about, reason = f"step.{step.pk}", step.reason
    kind = later(lambda: str(StepKind(step.kind).label))

    def until() -> str:
        with timezone.override(step.user.zone):
            return date_words(step.until) if step.until else ""

    lead = lead.format(step=kind, reason=reason, until=later(until))
    url = reverse("moderators_messages")
    tell_user(kind=Kind.MODERATION, user=step.user, about=about, title=title, lead=lead, url=url)


def tell_of_answer(step: Step) -> None:
    """Notify those who may lift a step that its player has answered, at most once a day while answers are waiting."""
    title = _("A player has answered the moderators")
    lead = _(
        "The answer waits until you lift the action or keep it. While answers are waiting, we notify you at most once "
        "a day."
    )
    right = roles.NEEDED[StepKind(step.kind)]
    kinds = [kind for kind, needed in roles.NEEDED.items() if needed == right]
    first = first_waiting(Step.objects.filter(kind__in=kinds), "answered_at", "heard_at")
    about, url = f"answers.{first}.{step.answered_at:%Y%m%d}", reverse("moderation")
    for moderator in roles.readers(right).exclude(pk=step.user_id):
        tell_user(kind=Kind.MODERATION, user=moderator, about=about, title=title, lead=lead, url=url)


def first_waiting(rows: QuerySet[Any], came: str, settled: str) -> int:
    """Return the id of the row that came today when nothing was waiting, and since which something has always waited.

    It is 0 if something has been waiting since before today. `came` and `settled` name the fields with these times.
    """
    today = timezone.now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    earlier = Q(**{f"{came}__lt": OuterRef(came)}) | Q(**{came: OuterRef(came)}, pk__lt=OuterRef("pk"))
    still_waits = Q(**{settled: None}) | Q(**{f"{settled}__gt": OuterRef(came)})
    began = rows.filter(~Exists(rows.filter(earlier, still_waits)), **{f"{came}__gte": today})
    return began.order_by(came, "pk").values_list("pk", flat=True).last() or 0


def tell_that_step_stays(step: Step) -> None:
    """Notify a player that a step stays after the answer. A step that was lifted before has ended."""
    if step.lifted_at:
        return
    title, lead = _("A moderator has read your answer"), _("{step}: the decision stays the same.")
    lead = lead.format(step=later(lambda: str(StepKind(step.kind).label)))
    about, url = f"step.{step.pk}.kept", reverse("moderators_messages")
    tell_user(kind=Kind.MODERATION, user=step.user, about=about, title=title, lead=lead, url=url)


def delete_old_notices(now: datetime) -> int:
    """Delete notices that were sent, or dropped, long ago, and on a machine without an email server their files.

    Return how many. Those about games that are still being played stay, so that nobody is notified twice.
    """
    long_ago = now - timedelta(days=settings.KEEP_NOTICES)
    outdated = Notice.objects.filter(created_at__lt=long_ago, planned_at__lt=long_ago).exclude(state__in=OPEN)
    outdated = outdated.exclude(seat__game__status=Status.RUNNING)
    emails.sweep(long_ago)
    return outdated.delete()[0]


def _tell(
    reader: User, name: str, due_at: datetime | None, facts: dict[str, Any], exclude: Container[str] = ()
) -> list[Notice]:
    now, rows = timezone.now(), []
    with in_language_of(reader):
        facts["title"], facts["lead"] = str(facts["title"])[:LONGEST_TITLE], str(facts["lead"])
    for channel, target in wanted(reader, facts["kind"], exclude):
        key = f"{name}.{reader.pk}.{channel}.{target}"
        how = reader.how(facts["kind"], channel)
        to = {"user": reader, "channel": channel, "target": target, "how": how}
        rows.append(Notice(key=key, created_at=now, wanted_at=due_at or now, **to, **facts))
        times.plan(rows[-1], now)
    gathered = _gathered.get()
    if gathered is None or gathered.rows is None:
        return _write(rows)
    gathered.rows.extend(rows)
    return rows


def wanted(reader: User, kind: Kind, exclude: Container[str] = ()) -> Iterator[tuple[Channel, int]]:
    """Yield the channels and targets on which the person wants notices of this kind."""
    gathered = _gathered.get()
    known_targets = gathered.targets if gathered else {}
    for channel in outlets.all_outlets():
        if channel in exclude or reader.how(kind, channel) == How.OFF:
            continue
        if (reader.pk, channel) not in known_targets:
            people = gathered.readers if gathered and reader in gathered.readers else [reader]
            targets = outlets.outlet(channel).targets(people)
            known_targets |= {(person.pk, channel): targets.get(person.pk, ()) for person in people}
        yield from ((channel, target) for target in known_targets[reader.pk, channel])


def _write(rows: list[Notice]) -> list[Notice]:
    """Save the notices in one statement. Notices whose key exists are not changed; they only get their id."""
    once = list({row.key: row for row in rows}.values())
    Notice.objects.bulk_create(once, update_conflicts=True, unique_fields=["key"], update_fields=["key"])
    _send_due(once, timezone.now())  # does nothing for a notice that was already sent
    return rows


def replan(user: User) -> None:
    """Reschedule the person's waiting notices after their settings changed."""
    now = timezone.now()
    waiting = Notice.objects.filter(user=user, state=NoticeState.QUEUED, claimed_at=None)
    for notice in waiting.select_related("seat"):
        notice.user, notice.why = user, ""
        notice.how = user.how(Kind(notice.kind), Channel(notice.channel))
        times.plan(notice, now)
        if waiting.filter(pk=notice.pk).update(**{name: getattr(notice, name) for name in (*PLAN, "how", "why")}):
            _send_due([notice], now)


def _send_due(notices: Iterable[Notice], now: datetime) -> None:
    """Start sending those of the notices that are due: together where the channel allows it, else one by one."""
    due = [notice for notice in notices if notice.due_at <= now]
    for channel in dict.fromkeys(notice.channel for notice in due):
        if outlets.outlet(channel).together > 1:
            delay_once_on_commit("games.tasks.send_due", channel)
    for notice in due:
        if outlets.outlet(notice.channel).together == 1:
            delay_on_commit("games.tasks.send_notice", notice.pk)
