"""Reports to moderators: made once by each person about each subject, with what was there to see, until settled."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext

from accounts.http import AGAIN
from accounts.models import User
from accounts.moderation import roles
from games.errors import GameError, NotFound, NotYours
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import gettext_later as _
from games.rules.record import FORMER_PLAYER
from games.rules.words import legible
from games.tables.models import Game, Message, Report, Seat, Subject
from games.tables.models.report import LONGEST_WORDS, REASONS
from games.tables.selectors import chat, rights

BEFORE, AFTER = 12, 6  # lines around a reported message
LAST = 20  # lines of a reported table
MOST_OPEN = 20  # reports of one person that nobody has settled
CHOOSE = gettext_lazy("Choose a reason that fits.")


def report_message(*, message: int, user: User, reason: str) -> Report:
    """Report a message that the user may read. Raises `GameError`."""
    reported, _seat = readable_message(message, user)
    if reported.author == user:
        raise NotYours(gettext("You can’t report your own message."))
    if reported.author is None:
        raise GameError(gettext("The author of this message has deleted their account, and its text is gone."))
    context = {
        "name": reported.name, "lines": _written(_around(reported), reported), "table": table_facts(reported.game),
    }  # fmt: skip
    return file(
        user, Subject.MESSAGE, f"message.{reported.pk}", reason, context, player=reported.author, message=reported
    )


def report_at_table(
    *, public_id: str, user: User, seat: int | None = None, reason: str, words: str = ""
) -> Report:  # fmt: skip
    """Report the person who plays a seat, or without one the table. Raises `GameError`."""
    game, seats = rights.visible(public_id=public_id, user=user)
    context: dict[str, Any] = {"table": table_facts(game), "lines": _written(_latest(game, user, seats))}
    if seat is None:
        return file(user, Subject.TABLE, f"table.{game.pk}", reason, context, words=words, game=game)
    player = next((person for number, _name, person in chat.reportable(game, seats, user) if number == seat), None)
    if player is None:
        raise GameError(gettext("Choose a player and a reason."))
    key = f"player.{player.pk}.{game.pk}"
    context["name"] = player.username
    return file(user, Subject.PLAYER, key, reason, context, words=words, player=player, game=game)


def report_person(*, name: str, user: User, subject: str, reason: str, words: str = "") -> Report:
    """Report a player, or their name. A report of an outside bot is about its owner. Raises `GameError`."""
    person = User.with_name(name).filter(is_active=True).first()
    if person is None:
        raise NotFound(gettext("There is no player with this name. Check the spelling."))
    if subject not in (Subject.NAME, Subject.PLAYER):
        raise GameError(gettext("Choose what your report is about."))
    answering = person.bot_account.owner if person.is_bot else person
    if answering == user:
        raise NotYours(gettext("You can’t report yourself."))
    key, context = f"{subject}.{person.pk}", {"name": person.username}
    return file(user, Subject(subject), key, reason, context, words=words, player=answering)


@transaction.atomic
def file(
    reporter: User, subject: Subject, key: str, reason: str, context: dict[str, Any], *, words: str = "",
    player: User | None = None, game: Game | None = None, message: Message | None = None,
) -> Report:  # fmt: skip
    """Keep a report, and notify moderators. For `key` and `context` see `Report`. Raises `GameError`."""
    # 1. What is reported
    words = legible(words)
    if reason not in REASONS[subject]:
        raise GameError(str(CHOOSE))
    if len(words) > LONGEST_WORDS:
        raise GameError(gettext("Your text is too long. Use at most %(n)d characters.") % {"n": LONGEST_WORDS})
    # 2. Who reports
    User.objects.select_for_update(no_key=True).get(pk=reporter.pk)  # so that two tabs share the limits
    now, own_reports = timezone.now(), Report.objects.filter(reporter=reporter, settled_at=None)
    if before := own_reports.filter(key=key, reason=reason, words=words, at__gt=now - AGAIN).first():
        return before  # the form was sent twice
    if own_reports.filter(key=key).exists():
        raise GameError(gettext("You have already reported this. A moderator will look at it."))
    if own_reports.count() >= MOST_OPEN:
        sentence = ngettext(
            "You have %(n)d report that nobody has looked at yet. Wait until a moderator has settled it.",
            "You have %(n)d reports that nobody has looked at yet. Wait until a moderator has settled one of them.",
            MOST_OPEN,
        )
        raise GameError(sentence % {"n": MOST_OPEN})
    # 3. Keep it, and notify moderators, at most once a day while reports are waiting
    report = Report.objects.create(
        subject=subject, key=key, reason=reason, words=words, context=context, reporter=reporter, player=player,
        game=game or (message.game if message else None), message=message, at=now,
    )  # fmt: skip
    first = outbox.first_waiting(Report.objects.all(), "at", "settled_at")
    for moderator in roles.readers().exclude(pk__in=[reporter.pk, player.pk if player else 0]):
        outbox.tell_user(
            kind=Kind.MODERATION, user=moderator, about=f"reports.{first}.{now:%Y%m%d}",
            title=_("There are new reports"), url=reverse("moderation"),
            lead=_("Someone has filed a report. While reports are waiting, we notify you at most once a day."),
        )  # fmt: skip
    return report


# What was there to see


def readable_message(pk: int, user: User) -> tuple[Message, Seat | None]:
    """Return a message that the user may read, and their seat. Raises `NotFound`."""
    message = Message.objects.select_related("game", "author", "recipient").filter(pk=pk).first()
    if message is None:
        raise NotFound
    game, seats = rights.visible(public_id=message.game.public_id, user=user)
    seat = rights.seat_of(user, seats)
    if not chat.messages(game=game, seat=seat, reader=user).filter(pk=pk).exists():
        raise NotFound
    return message, seat


def same_audience(message: Message) -> QuerySet[Message]:
    """Return the messages that the same people could read: of the room, or between the same two players."""
    messages = Message.objects.filter(game=message.game_id)
    if message.to is None:
        return messages.filter(to=None, seat__isnull=message.seat is None)
    pair = [message.author_id, message.recipient_id]
    return messages.filter(to__isnull=False, author__in=pair, recipient__in=pair)


def _around(message: Message) -> list[Message]:
    room = same_audience(message)
    before = room.filter(pk__lt=message.pk).order_by("-pk")[:BEFORE]
    return [*reversed(before), message, *room.filter(pk__gt=message.pk).order_by("pk")[:AFTER]]


def _latest(game: Game, user: User, seats: list[Seat]) -> list[Message]:
    """Return what was last said in the reporter's room. Private messages are left out: they are reported one by one."""
    seat = rights.seat_of(user, seats)
    return list(chat.messages(game=game, seat=seat, reader=user).filter(to=None).order_by("-pk")[:LAST])[::-1]


def _written(messages: list[Message], reported: Message | None = None) -> list[dict[str, Any]]:
    return [
        {
            "id": message.pk, "who": message.author_id, "name": message.name, "seat": message.seat,
            "at": message.at.isoformat(), "text": message.text,
            "is_it": reported is not None and message.pk == reported.pk,
        }
        for message in messages
    ]  # fmt: skip


def table_facts(game: Game) -> dict[str, Any]:
    """Return what everyone who sees the table knows of it. Nothing in it depends on hidden information."""
    seats = Seat.objects.filter(game=game).order_by("number")
    return {
        "id": game.public_id, "ruleset": game.ruleset, "status": game.status, "entry": game.seq, "clock": game.clock,
        "is_listed": game.listed, "counts": game.counts,
        "players": [{"who": seat.owner_id, "seat": seat.number, "name": seat.name} for seat in seats],
    }  # fmt: skip


# Settling, and people who leave


@transaction.atomic
def settle(*, report: Report, by: User, step: Any = None) -> Report:
    """Settle an open report, with the step that was taken because of it. Raises `GameError` if someone else has."""
    report = Report.objects.select_for_update(of=("self",)).get(pk=report.pk)
    if report.settled_at is not None:
        raise GameError(gettext("Another moderator has already settled this report."))
    report.settled_at, report.settled_by, report.step = timezone.now(), by, step
    report.claimed_by = report.claimed_at = None
    report.save(update_fields=["settled_at", "settled_by", "step", "claimed_by", "claimed_at"])
    return report


def move_reports(*, giver: User, taker: User, moved: Q) -> None:
    """Move the reports by and about a guest to the account that they signed in to. None is then about its reporter.

    `moved` is a condition for games of which everything else is moved, too. Reports of these name the account as the
    player and author, so that moderators find it, and its deletion removes what it wrote as a guest.
    """
    already_reported = Report.objects.filter(reporter=taker, settled_at=None).values("key")
    Report.objects.filter(reporter=giver).exclude(player=taker).exclude(key__in=already_reported).update(reporter=taker)
    Report.objects.filter(player=giver).exclude(reporter=taker).update(player=taker)
    wrote = Message.objects.filter(author__in=[giver, taker]).values("game")
    for report in Report.objects.filter(moved, Q(game__seats__owner=giver) | Q(game__in=wrote)).distinct():
        context = report.context
        for mention in (*context.get("lines", ()), *context.get("table", {}).get("players", ())):
            if mention["who"] == giver.pk:
                mention["who"] = taker.pk
        Report.objects.filter(pk=report.pk).update(context=context)


def remove_from_reports(user: User) -> None:
    """Remove what an account that is being deleted wrote, and its name, from reports, which stay for the others."""
    written_at = Message.objects.filter(author=user).values("game")
    concerning = Q(player=user) | Q(game__in=written_at) | Q(game__in=rights.ever_sat(user, Q()).values("game"))
    for report in Report.objects.filter(concerning).distinct():
        context = report.context
        if report.player_id == user.pk and "name" in context and report.subject != Subject.TEAM:
            context["name"] = FORMER_PLAYER
        for line in context.get("lines", ()):
            if line["who"] == user.pk:
                line |= {"who": None, "name": FORMER_PLAYER, "text": ""}
        for player in context.get("table", {}).get("players", ()):
            if player["who"] == user.pk:
                player |= {"who": None, "name": FORMER_PLAYER}
        Report.objects.filter(pk=report.pk).update(context=context)
    Report.objects.filter(reporter=user).update(words="")


def sweep_reports(now: datetime) -> int:
    """Delete what was seen and written from reports that were settled long ago. Return how many."""
    long_ago = now - timedelta(days=settings.KEEP_REPORTS)
    return Report.objects.filter(settled_at__lt=long_ago).delete()[0]
