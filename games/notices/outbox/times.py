"""When a notice is due by its reader's settings: delay, daily digest, quiet hours and pauses.

Times are in the reader's time zone. At a clock change, a skipped time falls on the jump and a repeated one counts once.
"""

from datetime import date, datetime, time, timedelta

from accounts.models import User
from games.clocks.spans import Span
from games.clocks.zones import DAY, instant, local_date
from games.notices.kinds import How, Kind
from games.notices.models import Notice, Why
from games.notices.outbox import names

EARLY = timedelta(minutes=5)  # before quiet hours start, so that the sweep of each minute is in time
NEWS = {Kind.ENDED, Kind.CLOSED, Kind.FULL, Kind.RUNG, Kind.DECISION}  # for information only: dropped during a pause


def plan(notice: Notice, now: datetime) -> None:
    """Set when the notice is due, and for a digest the Message-ID that the notices of its day share."""
    notice.planned_at = notice.due_at = max(now, _planned(notice, now))
    day = local_date(notice.user.zone, notice.planned_at)
    notice.message_id = names.digest_id(notice.user.pk, day) if notice.how == How.DIGEST else ""


def _planned(notice: Notice, now: datetime) -> datetime:
    user, wanted_at = notice.user, notice.wanted_at
    if notice.how == How.DIGEST:
        return after_quiet(user, digest_for(notice, now))
    if notice.how == How.LATER:
        wanted_at = max(wanted_at, notice.created_at + timedelta(minutes=user.delay))
    quiet = quiet_around(user, wanted_at)
    if quiet is None:
        return wanted_at
    deadline = deadline_of(notice)
    is_too_late = deadline is not None and deadline <= quiet.ends and now < quiet.begins - EARLY
    return quiet.begins - EARLY if is_too_late else quiet.ends


def held(notice: Notice, now: datetime) -> tuple[datetime, Why] | None:
    """Return until when a due notice has to wait, and why; None if it can go now."""
    user = notice.user
    if is_paused(user, now):
        again = now + DAY if user.paused_until is None else user.paused_until
        return (next_digest(user, again) if notice.how == How.DIGEST else again), Why.PAUSED
    quiet = quiet_around(user, now)
    return (quiet.ends, Why.QUIET) if quiet else None


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


def digest_for(notice: Notice, now: datetime) -> datetime:
    """Return the time of the notice's digest: the next one, or for a reminder the last one before the deadline."""
    user = notice.user
    following, deadline = next_digest(user, now), deadline_of(notice)
    if deadline is None:
        return following
    last = digest_of(user, local_date(user.zone, deadline))
    return max(following, last if last < deadline else digest_of(user, local_date(user.zone, deadline) - DAY))


def next_digest(user: User, after: datetime) -> datetime:
    """Return the time of the first digest after the given time."""
    today = local_date(user.zone, after)
    at = digest_of(user, today)
    return at if at > after else digest_of(user, today + DAY)


def digest_of(user: User, day: date) -> datetime:
    return instant(user.zone, day, time(user.digest_hour))


def deadline_of(notice: Notice) -> datetime | None:
    """Return the deadline that a reminder is about; None for other notices."""
    return notice.seat.deadline if notice.kind == Kind.TIME and notice.seat else None
