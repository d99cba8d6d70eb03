"""When a notice is due by its reader's settings: delay, daily digest, quiet hours and pauses.

Times are in the reader's time zone. At a clock change, a skipped time falls on the jump and a repeated one counts once.
"""

from datetime import date, datetime, time, timedelta

from accounts.models import User
from games.clocks.spans import Span
from games.clocks.zones import DAY, instant, local_date
from games.notices.kinds import How, Kind
from games.notices.models import Notice, NoticeReason
from games.notices.outbox import words

EARLY = timedelta(minutes=5)  # before quiet hours start, so that the sweep of each minute is in time


def plan(notice: Notice, now: datetime) -> None:
    """Set when the notice is due, and for a digest the Message-ID that the notices of its day share."""
    user, at, name = notice.user, notice.wanted_at, ""
    deadline = notice.seat.deadline if notice.kind == Kind.TIME and notice.seat else None  # which a reminder is about
    if notice.how == How.DIGEST:
        at = next_digest(user, now)
        if deadline is not None:  # the last digest before the deadline, if there is one
            day = local_date(user.zone, deadline)
            last = digest_of(user, day)
            at = max(at, last if last < deadline else digest_of(user, day - DAY))
        at = max(now, after_quiet(user, at))
        name = words.digest_id(user.pk, local_date(user.zone, at))
    else:
        if notice.how == How.LATER:
            at = max(at, notice.created_at + timedelta(minutes=user.delay))
        if quiet := quiet_around(user, at):
            is_too_late = deadline is not None and deadline <= quiet.ends and now < quiet.begins - EARLY
            at = quiet.begins - EARLY if is_too_late else quiet.ends
    notice.planned_at = notice.due_at = max(now, at)
    notice.message_id = name


def held(notice: Notice, now: datetime) -> tuple[datetime, NoticeReason] | None:
    """Return until when a due notice has to wait, and why; None if it can go now."""
    user = notice.user
    if is_paused(user, now):
        again = now + DAY if user.paused_until is None else user.paused_until
        return (next_digest(user, again) if notice.how == How.DIGEST else again), NoticeReason.PAUSED
    quiet = quiet_around(user, now)
    return (quiet.ends, NoticeReason.QUIET) if quiet else None


def is_paused(user: User, now: datetime) -> bool:
    return user.is_paused and (user.paused_until is None or now < user.paused_until)


def quiet_around(user: User, moment: datetime) -> Span | None:
    """Return the quiet hours that contain the moment, if any."""
    if user.quiet_begins is None or user.quiet_ends is None:
        return None
    today, until = local_date(user.zone, moment), (user.quiet_ends <= user.quiet_begins) * DAY
    spans = [
        Span(instant(user.zone, day, user.quiet_begins), instant(user.zone, day + until, user.quiet_ends))
        for day in (today - DAY, today)
    ]
    return next((span for span in spans if span.begins <= moment < span.ends), None)


def after_quiet(user: User, moment: datetime) -> datetime:
    quiet = quiet_around(user, moment)
    return quiet.ends if quiet else moment


def next_digest(user: User, after: datetime) -> datetime:
    """Return the time of the first digest after the given time."""
    today = local_date(user.zone, after)
    at = digest_of(user, today)
    return at if at > after else digest_of(user, today + DAY)


def digest_of(user: User, day: date) -> datetime:
    return instant(user.zone, day, time(user.digest_hour))
