"""Pools: their meetings begin, end and count, and entrants drop out. Seasons and tournaments share this.

Each step is a transaction of its own under the lock of the pool, and looks once more whether it is still to be done:
sweeps may run at the same time, twice, or be killed anywhere.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Prefetch, Q, QuerySet, Sum
from django.utils.translation import gettext

from accounts.models import User
from empire.bell import ring
from games.bots.registry import BOTS
from games.contests.ended import VOID, over
from games.contests.models import Act, Deed, Entrant, Meeting, MeetingState, Pool, Score, Sitting
from games.contests.models.pools import UNDECIDED
from games.contests.terms.declaration import Terms, TournamentTerms
from games.rules import house, log
from games.tables.models import Entry, Game, Status
from games.tables.models.game import STAND_IN
from games.tables.models.log import By
from games.tables.services import unfinished
from games.tables.services.arranged import Sitter, begin_contest

logger = logging.getLogger(__name__)

BATCH = 500  # pools that one sweep looks at
ROWS = 2000  # written at once
ABSENT = (By.CLOCK, By.LATE, By.STAND_IN)


def terms_of(pool: Pool) -> Terms | TournamentTerms:
    if pool.season is not None:
        return pool.season.declared
    assert pool.tournament is not None
    return pool.tournament.declared


def lock(pk: int) -> Pool:
    """The pool's row, locked: what is read after it is as new."""
    Pool.objects.select_for_update().get(pk=pk)
    return Pool.objects.select_related("season__league", "tournament").get(pk=pk)


def undecided(pool: Pool) -> list[Meeting]:
    """The meetings that wait or are being played, in the order in which they are to begin, with who sits there."""
    sittings = Prefetch("sittings", Sitting.objects.select_related("entrant__user"))
    rows = Meeting.objects.filter(pool=pool, state__in=UNDECIDED).prefetch_related(sittings)
    return list(rows.order_by("round", "number"))


# Meetings are laid out


def lay_out(
    pool: Pool, rounds: Iterable[tuple[int, Iterable[Sequence[Entrant]]]], start_by: datetime, due_at: datetime
) -> list[Meeting]:
    """Write the meetings of these rounds, each given by its number and the tables with entrants in seat order.

    A table of fewer than two is not played, and its number stays free. To be called in a transaction that has made the
    pool or holds its lock. Rounds that are there already stay.
    """
    there = set(Meeting.objects.filter(pool=pool).values_list("round", flat=True))
    tables = [
        (number, n, list(table))
        for number, of_round in rounds
        if number not in there
        for n, table in enumerate(of_round, start=1)
        if len(table) > 1
    ]
    return write(
        [
            (Meeting(pool=pool, round=number, number=n, start_by=start_by, due_at=due_at), table)
            for number, n, table in tables
        ]
    )


def write(planned: Iterable[tuple[Meeting, Sequence[Entrant]]]) -> list[Meeting]:
    """Meetings of any number of pools, each with its entrants in seat order."""
    laid = list(planned)
    meetings = Meeting.objects.bulk_create([meeting for meeting, _entrants in laid], batch_size=ROWS)
    sittings = (
        Sitting(meeting=meeting, entrant=entrant, seat=seat)
        for meeting, entrants in laid
        for seat, entrant in enumerate(entrants)
    )
    Sitting.objects.bulk_create(sittings, batch_size=ROWS)
    return meetings


# What is due


@transaction.atomic
def look(pk: int, now: datetime) -> bool:
    """Everything that is due in a pool: contests that ended count, meetings begin, late contests are finished.

    Returns whether all its meetings are decided.
    """
    pool = lock(pk)
    left = [one for one in undecided(pool) if not (settle(one, now) or _annul_void(pool, one, now))]
    for meeting in left:
        if meeting.state == MeetingState.WAITING:
            _begin_if_free(pool, meeting, left, now)
        if pool.season_id is not None and meeting.due_at <= now and meeting.state == MeetingState.PLAYING:
            _finish_late(pool, meeting, now)
    left = [one for one in left if one.state in UNDECIDED and not settle(one, now)]
    keep_moment(pool, left, now)
    if pool.tournament_id is not None:
        ring("games.tasks.look_at_tournament", pool.tournament_id)
    return not left


@transaction.atomic
def look_if_free(pk: int, now: datetime) -> bool:
    """The same, unless somebody else is at it: so sweeps share the work. Whether it was done."""
    skip = connection.features.has_select_for_update_skip_locked
    if not Pool.objects.select_for_update(skip_locked=skip).filter(pk=pk).exists():
        return False
    look(pk, now)
    return True


def keep_moment(pool: Pool, left: Sequence[Meeting], now: datetime) -> None:
    """When there is next something to do that no ended contest tells."""
    begins = [one.start_by for one in left if one.state == MeetingState.WAITING]
    ends = [one.due_at for one in left if one.due_at > now] if pool.season_id else []
    pool.look_at = min(begins + ends, default=None)
    pool.save(update_fields=["look_at"])


def sweep(now: datetime) -> int:
    """Look at the pools where something is due, or a contest has ended that does not count yet. Returns how many."""
    waiting = Pool.objects.filter(look_at__lte=now).order_by("look_at").values_list("pk", flat=True)[:BATCH]
    found = {*waiting, *_ended()[:BATCH]}
    for pk in sorted(found):
        try:
            look_if_free(pk, now)
        except Exception:  # one broken pool must not stop all others
            logger.exception("Could not look at pool %s.", pk)
    return len(found)


def contest_ended(game: int, now: datetime) -> None:
    """The bell behind a contest's last game, which most contests of the site ring in vain."""
    last = Game.objects.filter(pk=game).only("full_game_id").first()
    if last is not None:
        contest = Q(full_game=last.full_game_id) if last.full_game_id else Q(game=last.pk)
        for pk in Meeting.objects.filter(contest, state=MeetingState.PLAYING).values_list("pool", flat=True):
            look(pk, now)


def _ended() -> QuerySet[Meeting, int]:
    playing = Meeting.objects.filter(over(), state=MeetingState.PLAYING)
    return playing.order_by("pk").values_list("pool", flat=True)


# A contest begins


def _begin_if_free(pool: Pool, meeting: Meeting, left: Sequence[Meeting], now: datetime) -> None:
    """Begin the meeting if all at it have room for one more, or it cannot wait any longer."""
    playing = [one for one in left if one.state == MeetingState.PLAYING]
    busy = Counter(sitting.entrant_id for one in playing for sitting in one.sittings.all())
    has_room = all(busy[sitting.entrant_id] < sitting.entrant.at_once for sitting in meeting.sittings.all())
    if has_room or meeting.start_by <= now:
        begin(pool, meeting, now)


def begin(pool: Pool, meeting: Meeting, now: datetime) -> None:
    """Seat the entrants; for those who dropped out a bot plays. Where nobody is left to play, it is annulled."""
    entrants = [sitting.entrant for sitting in meeting.sittings.all()]
    if not any(entrant.is_playing for entrant in entrants):
        annul(meeting, now)
        return
    terms = terms_of(pool)
    meeting.game = begin_contest(
        sitters=sitters(entrants), ruleset=terms.ruleset, options=terms.options, clock=terms.clock,
        time_out=terms.time_out, full=terms.full, rated=terms.rated, now=now,
    )  # fmt: skip
    meeting.full_game, meeting.state, meeting.started_at = meeting.game.full_game, MeetingState.PLAYING, now
    meeting.save(update_fields=["game", "full_game", "state", "started_at"])


def sitters(entrants: Sequence[Entrant]) -> list[Sitter]:
    """Who sits where; a bot for whoever is gone, each under a name of its own."""
    seated: list[Sitter] = []
    for entrant in entrants:
        if entrant.is_playing and entrant.user is not None:
            seated.append(Sitter(entrant.user))
        else:
            bot = entrant.bot or STAND_IN
            name = entrant.name if entrant.bot else str(BOTS[bot].name)
            uses = sum(one.name.rpartition(" ")[0] == name or one.name == name for one in seated)
            seated.append(Sitter(None, bot, f"{name} {uses + 1}" if uses else name))
    return seated


# A contest ends


def settle(meeting: Meeting, now: datetime) -> bool:
    """Let the contest of a meeting count, once its scores are written. Whether it does."""
    if meeting.state != MeetingState.PLAYING:
        return False
    contest = Q(full_game=meeting.full_game_id) if meeting.full_game_id else Q(game=meeting.game_id)
    scores = {score.seat: score for score in Score.objects.filter(contest)}
    if not scores:
        return False
    places, late = [score.place for score in scores.values()], decided_by_bots(meeting)
    sittings = list(meeting.sittings.all())
    for sitting in sittings:
        score = scores[sitting.seat]
        sitting.place, sitting.score = score.place, score.points
        sitting.points, sitting.late = points(score.place, places), late[sitting.seat]
    Sitting.objects.bulk_update(sittings, ["place", "score", "points", "late"])
    meeting.state, meeting.ended_at = MeetingState.ENDED, now
    meeting.save(update_fields=["state", "ended_at"])
    count([sitting.entrant_id for sitting in sittings])
    return True


def decided_by_bots(meeting: Meeting) -> Counter[int]:
    """How often that was done in each seat for somebody who was late or away.

    What bots decide once time is up for the contest is nobody's fault in particular, and not counted.
    """
    game = Q(game__full_game=meeting.full_game_id) if meeting.full_game_id else Q(game=meeting.game_id)
    entries = Entry.objects.filter(game, by__in=ABSENT, seat__isnull=False)
    by_house = Entry.objects.filter(game, seat=None, seq__gt=0).order_by("at")
    left = next((entry.at for entry in by_house if isinstance(log.deed(entry), house.LeftToBots)), None)
    seats = (entries.filter(at__lt=left) if left else entries).values_list("seat", flat=True)
    return Counter(seat for seat in seats if seat is not None)


def points(place: int, places: Sequence[int]) -> int:
    """In halves: two for each who is placed behind, one for each other who shares the place."""
    return 2 * sum(other > place for other in places) + places.count(place) - 1


def count(entrants: Iterable[int]) -> None:
    """Bring the sums of these entrants in line with their sittings."""
    for pk in entrants:
        counted = Sitting.objects.filter(entrant=pk, meeting__state=MeetingState.ENDED)
        sums = counted.aggregate(points=Sum("points", default=0))
        tables = list(counted.values_list("meeting", flat=True))
        others = Sitting.objects.filter(meeting__in=tables).exclude(entrant=pk).count()
        Entrant.objects.filter(pk=pk).update(points=sums["points"], possible=2 * others, played=len(tables))


def annul(meeting: Meeting, now: datetime) -> None:
    """The meeting does not count. A game of it that is running goes on for its players alone."""
    meeting.state, meeting.ended_at = MeetingState.ANNULLED, now
    meeting.save(update_fields=["state", "ended_at"])
    sittings = list(Sitting.objects.filter(meeting=meeting))
    Sitting.objects.filter(meeting=meeting).update(place=None, points=None, score=None)
    count([sitting.entrant_id for sitting in sittings])


def _annul_void(pool: Pool, meeting: Meeting, now: datetime) -> bool:
    """A contest that the house has called off counts for nobody."""
    if meeting.state != MeetingState.PLAYING or not Meeting.objects.filter(VOID, pk=meeting.pk).exists():
        return False
    annul(meeting, now)
    note(pool, Deed.ANNULLED, now, meeting=meeting, reason=gettext("The house has called its game off."))
    return True


def _finish_late(pool: Pool, meeting: Meeting, now: datetime) -> None:
    """Finish a contest that has not ended with its season, as the league declares: by bots, or by the points.

    Tournaments leave it to their organiser.
    """
    contest = Q(full_game=meeting.full_game_id) if meeting.full_game_id else Q(pk=meeting.game_id)
    game = Game.objects.filter(contest, status=Status.RUNNING, is_left_to_bots=False).first()
    if game is None:
        return
    terms = terms_of(pool)
    by_points = isinstance(terms, Terms) and terms.unfinished == "points"
    reason = (
        gettext("It had not ended when the season did, so the points count as they stand.")
        if unfinished.finish(game=game, by_points=by_points, now=now)
        else gettext("It had not ended when the season did, so bots finish it.")
    )
    note(pool, Deed.OVERDUE, now, meeting=meeting, reason=reason)


# What all may read


def note(
    pool: Pool, deed: Deed, now: datetime, *, by: User | None = None, meeting: Meeting | None = None, what: str = "",
    reason: str = "",
) -> Act:  # fmt: skip
    """Write down what was decided, for all to see. Without `what`, it is about who sits at the meeting."""
    return Act.objects.create(
        season=pool.season, tournament=pool.tournament, pool=pool, meeting=meeting, by=by, deed=deed, reason=reason,
        what=what or (table_name(meeting) if meeting else ""), at=now,
    )  # fmt: skip


def table_name(meeting: Meeting) -> str:
    """`Alice – Bob`."""
    names = Sitting.objects.filter(meeting=meeting).order_by("seat").values_list("entrant__name", flat=True)
    return " – ".join(names)[:200]
