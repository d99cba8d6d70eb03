"""Pools: starting, counting and annulling matches. Shared by seasons and tournaments.

Each step is a transaction under the lock of the pool, and checks again whether it is still due. So sweeps may run at
the same time, twice, or be killed anywhere.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Prefetch, Q, QuerySet, Sum
from django.utils.translation import gettext_noop

from accounts.models import User
from empire.on_commit import delay_on_commit
from games.bots.registry import BOTS
from games.contests.models import (
    Appearance,
    Entrant,
    Intervention,
    InterventionKind,
    Match,
    MatchState,
    Pool,
    Score,
    Season,
    Tournament,
)
from games.contests.models.pools import UNDECIDED
from games.contests.models.scores import VOID, in_contest, over
from games.contests.organizers import acts_as_staff
from games.contests.pairing.formats import KINDS
from games.contests.ratings import book
from games.contests.terms.declaration import LeagueTerms, TournamentTerms
from games.contests.webhooks import outbox as webhooks
from games.notices.outbox import outbox
from games.rules import log, staff
from games.tables.models import Entry, Game, Status
from games.tables.models.game import STAND_IN
from games.tables.models.log import ABSENT
from games.tables.services import interventions
from games.tables.services.start import Participant, begin_contest

logger = logging.getLogger(__name__)

BATCH = 500  # pools per sweep
ROWS = 2000  # per insert


def terms_of(pool: Pool) -> LeagueTerms | TournamentTerms:
    if pool.season is not None:
        return pool.season.declared
    assert pool.tournament is not None
    return pool.tournament.declared


def lock(pk: int) -> Pool:
    """Lock the pool's row and return it as read after that.

    Rows that refer to it can still be added: interventions of staff at a table are recorded under the lock of its game,
    and nobody who holds the lock of a game waits for that of a pool.
    """
    Pool.objects.select_for_update(no_key=True).get(pk=pk)
    return Pool.objects.select_related("season__league", "tournament").get(pk=pk)


def ends_matches(pool: Pool) -> bool:
    """Return whether matches are finished without their players when they are due: in leagues and arenas."""
    return pool.season_id is not None or KINDS[pool.tournament.declared.format].is_arena  # type: ignore[union-attr]


# Creating matches


def plan(
    pool: Pool, number: int, tables: Iterable[Sequence[Entrant]], start_by: datetime, due_at: datetime
) -> list[tuple[Match, Sequence[Entrant]]]:
    """Return the matches of a round for `write`, with the entrants of each in seat order.

    Tables with fewer than two entrants are not played, but keep their number.
    """
    return [
        (Match(pool=pool, round=number, number=n, start_by=start_by, due_at=due_at), table)
        for n, table in enumerate(tables, start=1)
        if len(table) > 1
    ]


def write(planned: Iterable[tuple[Match, Sequence[Entrant]]]) -> list[Match]:
    """Create matches of any pools, each with its entrants in seat order."""
    planned = list(planned)
    matches = Match.objects.bulk_create([match for match, _entrants in planned], batch_size=ROWS)
    appearances = (
        Appearance(match=match, entrant=entrant, seat=seat)
        for match, entrants in planned
        for seat, entrant in enumerate(entrants)
    )
    Appearance.objects.bulk_create(appearances, batch_size=ROWS)
    return matches


# Due steps


@transaction.atomic
def take_due_steps(pk: int, now: datetime) -> bool:
    """Take all due steps of a pool: count ended matches, start waiting ones, finish late ones.

    Return whether all its matches are decided.
    """
    pool = lock(pk)
    appearances = Prefetch("appearances", Appearance.objects.select_related("entrant__user"))
    rows = Match.objects.filter(pool=pool, state__in=UNDECIDED).prefetch_related(appearances)
    stopped = set(Match.objects.filter(over(), pool=pool, state=MatchState.PLAYING).values_list("pk", flat=True))

    # 1. Matches whose contest has ended count, unless staff canceled it: then they are annulled.
    open_matches: list[Match] = []
    for match in rows.order_by("round", "number"):
        if match.pk in stopped and settle(match, now):
            continue
        if match.pk in stopped and Match.objects.filter(VOID, pk=match.pk).exists():
            annul(match, now)
            reason = gettext_noop("Site staff canceled its game.")
            record_in_pool(pool, InterventionKind.ANNULLED, now, match=match, reason=reason)
            continue
        open_matches.append(match)

    # 2. Matches start if all their players have room for one more, or if they cannot wait any longer.
    finished: list[Match] = []
    entrants = [(match, appearance.entrant) for match in open_matches for appearance in match.appearances.all()]
    busy = Counter(entrant.pk for match, entrant in entrants if match.state == MatchState.PLAYING)
    with outbox.reached({entrant.user for _match, entrant in entrants if entrant.user}):
        for match in open_matches:
            if match.state == MatchState.WAITING:
                players = [appearance.entrant for appearance in match.appearances.all()]
                has_room = all(busy[entrant.pk] < entrant.at_once for entrant in players)
                if has_room or match.start_by <= now:
                    begin(pool, match, now)
                if match.state == MatchState.PLAYING:
                    busy.update(entrant.pk for entrant in players)
            if ends_matches(pool) and match.due_at <= now and match.state == MatchState.PLAYING:
                _finish_late(pool, match, now)
                finished.append(match)
    open_matches = [
        match for match in open_matches if match.state in UNDECIDED and not (match in finished and settle(match, now))
    ]

    # 3. The pool is due again when a match must start or ends; the end of a contest makes it due anyway.
    begins = [match.start_by for match in open_matches if match.state == MatchState.WAITING]
    ends = [match.due_at for match in open_matches if match.due_at > now] if ends_matches(pool) else []
    pool.look_at = min(begins + ends, default=None)
    pool.save(update_fields=["look_at"])
    if pool.tournament_id is not None:
        delay_on_commit("games.tasks.look_at_tournament", pool.tournament_id)
    return not open_matches


@transaction.atomic
def take_due_steps_if_free(pk: int, now: datetime) -> bool:
    """Take the due steps unless another worker has the lock, so that sweeps share the work. Return whether they did."""
    skip = connection.features.has_select_for_update_skip_locked
    if not Pool.objects.select_for_update(skip_locked=skip, no_key=True).filter(pk=pk).exists():
        return False
    take_due_steps(pk, now)
    return True


def sweep(now: datetime) -> int:
    """Take the steps of pools that are due or have a contest that ended but does not count yet. Return how many."""
    due = Pool.objects.filter(look_at__lte=now).order_by("look_at").values_list("pk", flat=True)[:BATCH]
    ended = Match.objects.filter(over(), state=MatchState.PLAYING).order_by("pk").values_list("pool", flat=True)
    due_ids = {*due, *ended[:BATCH]}
    for pk in sorted(due_ids):
        try:
            take_due_steps_if_free(pk, now)
        except Exception:  # one broken pool must not stop the others
            logger.exception("Could not look at pool %s.", pk)
    return len(due_ids)


def contest_ended(game: int, now: datetime) -> None:
    """Take the steps of the pool of an ended game, if there is one. Most games are in no pool."""
    ended = Game.objects.filter(pk=game).only("full_game_id").first()
    if ended is not None:
        contest = Q(full_game=ended.full_game_id) if ended.full_game_id else Q(game=ended.pk)
        for pk in Match.objects.filter(contest, state=MatchState.PLAYING).values_list("pool", flat=True):
            take_due_steps(pk, now)


def begin(pool: Pool, match: Match, now: datetime) -> None:
    """Start the match, with bots for entrants who dropped out. Annul it if nobody is left to play."""
    entrants = [appearance.entrant for appearance in match.appearances.all()]
    if not any(entrant.is_playing for entrant in entrants):
        annul(match, now)
        return
    participants: list[Participant] = []
    for entrant in entrants:
        if entrant.is_playing and entrant.user is not None:
            participants.append(Participant(entrant.user))
        else:  # number the bots of the same name
            bot = entrant.bot or STAND_IN
            name = entrant.name if entrant.bot else str(BOTS[bot].name)
            names = [participant.name for participant in participants]
            uses = sum(other == name or other.rpartition(" ")[0] == name for other in names)
            participants.append(Participant(None, bot, f"{name} {uses + 1}" if uses else name))
    terms = terms_of(pool)
    match.game = begin_contest(
        participants=participants, ruleset=terms.ruleset, options=terms.options, clock=terms.clock,
        time_out=terms.time_out, full=terms.full, rated=terms.rated, now=now,
    )  # fmt: skip
    match.full_game, match.state, match.started_at = match.game.full_game, MatchState.PLAYING, now
    match.version += 1
    match.save(update_fields=["game", "full_game", "state", "started_at", "version"])


# Ending a match


def settle(match: Match, now: datetime) -> bool:
    """Count the match once its scores are written. Return whether it was counted."""
    if match.state != MatchState.PLAYING:
        return False
    scores = {score.seat: score for score in scores_of(match)}
    if not scores:
        return False
    decisions_by_bots = decided_by_bots(match)
    places = dict(zip(scores, book.places_in_match(list(scores.values())), strict=True))
    appearances = list(match.appearances.all())
    for appearance in appearances:
        score = scores[appearance.seat]
        appearance.place, appearance.score = places[appearance.seat], score.points
        appearance.points = points(appearance.place, list(places.values()))
        appearance.late = decisions_by_bots[appearance.seat]
    Appearance.objects.bulk_update(appearances, ["place", "score", "points", "late"])
    _save(match, MatchState.ENDED, now)
    update_sums([appearance.entrant_id for appearance in appearances])
    return True


def scores_of(match: Match) -> QuerySet[Score]:
    """Return the scores of the match's contest by seat; none before it ends."""
    if match.game_id is None:
        return Score.objects.none()
    return Score.objects.filter(in_contest(match)).order_by("seat")


def award(match: Match, places: Sequence[int], now: datetime) -> None:
    """Count the match with these places by seat, whatever its contest says. Game points stay those of the contest."""
    game_points = {score.seat: score.points for score in scores_of(match)}
    appearances = list(Appearance.objects.filter(match=match).order_by("seat"))
    for appearance, place in zip(appearances, places, strict=True):
        appearance.place, appearance.points = place, points(place, places)
        appearance.score = game_points.get(appearance.seat, 0)
    Appearance.objects.bulk_update(appearances, ["place", "score", "points"])
    _save(match, MatchState.ENDED, now)
    update_sums([appearance.entrant_id for appearance in appearances])


def reopen(match: Match, now: datetime) -> None:
    """Let the contest decide the match again: count its result if it has one, else let it continue or wait to start."""
    Appearance.objects.filter(match=match).update(place=None, points=None, score=None)
    _save(match, MatchState.PLAYING if match.game_id else MatchState.WAITING, None)
    if not settle(match, now):
        update_sums(match.appearances.values_list("entrant", flat=True))


def _save(match: Match, state: MatchState, ended_at: datetime | None) -> None:
    match.state, match.ended_at = state, ended_at
    match.version += 1
    match.save(update_fields=["state", "ended_at", "version"])
    webhooks.match_changed(match)


def decided_by_bots(match: Match) -> Counter[int]:
    """Return how often bots decided for a seat because its player was late or away.

    Decisions do not count once the game was left to bots because the time of the match was up: they are nobody's fault.
    """
    game = in_contest(match, "game__full_game")
    entries = Entry.objects.filter(game, by__in=ABSENT, seat__isnull=False)
    by_staff = Entry.objects.filter(game, seat=None, seq__gt=0).order_by("at")
    left_to_bots_at = next(
        (entry.at for entry in by_staff if isinstance(log.intervention(entry), staff.LeftToBots)), None
    )
    seats = (entries.filter(at__lt=left_to_bots_at) if left_to_bots_at else entries).values_list("seat", flat=True)
    return Counter(seat for seat in seats if seat is not None)


def points(place: int, places: Sequence[int]) -> int:
    """Return points in halves: two for each player in a lower place, one for each other player in the same place."""
    return 2 * sum(other > place for other in places) + places.count(place) - 1


def update_sums(entrants: Iterable[int]) -> None:
    """Update the entrants' sums from their appearances."""
    for pk in entrants:
        counted = Appearance.objects.filter(entrant=pk, match__state=MatchState.ENDED)
        sums = counted.aggregate(points=Sum("points", default=0))
        matches = list(counted.values_list("match", flat=True))
        others = Appearance.objects.filter(match__in=matches).exclude(entrant=pk).count()
        Entrant.objects.filter(pk=pk).update(points=sums["points"], possible=2 * others, played=len(matches))


def annul(match: Match, now: datetime) -> None:
    """Annul the match. A running game continues, but no longer counts for the competition."""
    _save(match, MatchState.ANNULLED, now)
    appearances = list(Appearance.objects.filter(match=match))
    Appearance.objects.filter(match=match).update(place=None, points=None, score=None)
    update_sums([appearance.entrant_id for appearance in appearances])


def _finish_late(pool: Pool, match: Match, now: datetime) -> None:
    """Finish a match that is unfinished at the end of its season, by bots or by points as the league declares.

    In an arena, bots finish it when its own time is up. Other tournaments leave this to their organizer.
    """
    contest = in_contest(match, game="pk")
    game = Game.objects.filter(contest, status=Status.RUNNING, is_left_to_bots=False).first()
    if game is None:
        return
    terms = terms_of(pool)
    by_points = isinstance(terms, LeagueTerms) and terms.unfinished == "points"
    if pool.tournament_id is not None:
        why = gettext_noop("This game was unfinished when its time was up.")
        reason = gettext_noop("It was unfinished when its time was up, so bots finish it.")
    else:
        why = staff.SEASON_OVER
        reason = gettext_noop("It was unfinished when the season ended, so bots finish it.")
    if interventions.finish(game=game, by_points=by_points, now=now, reason=why):
        reason = gettext_noop("It was unfinished when the season ended, so its current points count.")
    record_in_pool(pool, InterventionKind.OVERDUE, now, match=match, reason=reason)


# Public records


def record_in_pool(
    pool: Pool, kind: InterventionKind, now: datetime, *, by: User | None = None, match: Match | None = None,
    what: str = "", reason: str = "", **columns: Any,
) -> Intervention:  # fmt: skip
    """Record an intervention, which everyone can read. `what` says what it is about; the players of the match if empty.

    `columns` are others of the row: the person it concerns, what it undoes, and details.
    """
    scope = pool.season or pool.tournament
    assert scope is not None
    what = what or (names_of_players(match) if match else "")
    return record_intervention(scope, kind, now, by=by, what=what, reason=reason, pool=pool, match=match, **columns)


def record_intervention(
    scope: Season | Tournament, kind: InterventionKind, now: datetime, *, by: User | None = None, **columns: Any
) -> Intervention:
    """Record an intervention in a season or tournament, and whether its author acted as staff of the site."""
    season, tournament = (scope, None) if isinstance(scope, Season) else (None, scope)
    competition = scope.league if isinstance(scope, Season) else scope
    return Intervention.objects.create(
        season=season, tournament=tournament, kind=kind, at=now, by=by, as_staff=acts_as_staff(competition, by),
        **columns,
    )  # fmt: skip


def names_of_players(match: Match) -> str:
    """Return the names of the players in seat order, as in `Alice – Bob`."""
    names = Appearance.objects.filter(match=match).order_by("seat").values_list("entrant__name", flat=True)
    return " – ".join(names)[:200]
