"""Automatic steps of tournaments: they start or are called off, rounds follow each other, and results are written.

Each step is a transaction under the locks of the tournament and its pools, and checks again whether it is still due. So
sweeps may run at the same time, twice, or be killed anywhere. Matches are started by `pools.look`.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet
from django.utils.translation import gettext, ngettext

from accounts.models import User
from empire.bell import ring
from games.contests import pools
from games.contests.models import (
    Entrant,
    Intervention,
    InterventionKind,
    Match,
    MatchState,
    Pool,
    RatedPlayer,
    Tournament,
    TournamentState,
)
from games.contests.models.pools import UNDECIDED
from games.contests.models.tournament import ON
from games.contests.pairing import formats
from games.contests.pairing.formats import GROUPS, KNOCKOUT
from games.contests.ratings import model as ratings
from games.contests.terms.declaration import TournamentTerms
from games.contests.tournaments import knockout as tournament_knockout
from games.contests.tournaments import news
from games.contests.tournaments import rounds as tournament_rounds
from games.contests.tournaments.end import end_pool, finish, keep_tables, lock_pools

logger = logging.getLogger(__name__)

STALE_AFTER = timedelta(days=90)  # how long a tournament without a date waits until it is full
BATCH = 200  # tournaments per sweep


def fewest(terms: TournamentTerms) -> int:
    """Return the minimum number of entrants."""
    return max(terms.fewest, min(formats.fields(terms.format, terms.players)))


def can_start(terms: TournamentTerms, entered: int) -> bool:
    """Return whether the format takes a field of this many."""
    return formats.most(terms.format, terms.players, entered) >= fewest(terms)


# Due steps


@transaction.atomic
def look(pk: int, now: datetime) -> bool:
    """Take the due steps of a tournament. Return whether anything was done."""
    Tournament.objects.select_for_update().get(pk=pk)
    row = Tournament.objects.select_related("organiser").get(pk=pk)
    if row.is_open:
        return _look_at_sign_up(row, now)
    return row.is_running and _look_at_round(row, now)


def sweep(now: datetime) -> int:
    """Check the tournaments that are due, whose round is decided, or that have new results."""
    found = list(to_look_at(now)[:BATCH])
    for pk in found:
        try:
            look(pk, now)
        except Exception:  # one broken tournament must not stop all others
            logger.exception("Could not look at tournament %s.", pk)
    return len(found)


def to_look_at(now: datetime) -> QuerySet[Tournament, int]:
    undecided = Match.objects.filter(pool__tournament=OuterRef("pk"), state__in=UNDECIDED)
    ended = Count("pools__matches", filter=Q(pools__matches__state=MatchState.ENDED))
    running = Q(state=TournamentState.RUNNING)
    left = Exists(undecided.filter(appearances__entrant__left_at__isnull=False))
    due = Q(look_at__lte=now) | running & (~Exists(undecided) | left | ~Q(counted=F("ended")))
    rows = Tournament.objects.filter(state__in=ON).annotate(ended=ended).filter(due)
    return rows.order_by("pk").values_list("pk", flat=True)


def _look_at_sign_up(row: Tournament, now: datetime) -> bool:
    terms, entered = row.declared, Entrant.objects.filter(tournament=row).count()
    if row.starts_at is None and entered < terms.seats:
        return _close_stale(row, now)
    if row.starts_at is not None and row.starts_at > now:
        return _look_again(row, row.starts_at)
    if can_start(terms, entered):
        begin(row, now)
    else:
        close(row, now, reason=_too_few(entered, fewest(terms)))
    return True


def _too_few(entered: int, needed: int) -> str:
    words = ngettext(
        "Only %(n)d player signed up, and the minimum is %(needed)d.",
        "Only %(n)d players signed up, and the minimum is %(needed)d.",
        entered,
    )
    return words % {"n": entered, "needed": needed}


def _close_stale(row: Tournament, now: datetime) -> bool:
    last = row.opened_at + STALE_AFTER
    if last > now:
        return _look_again(row, last)
    reason = gettext("It was still not full after %(days)d days.") % {"days": STALE_AFTER.days}
    close(row, now, reason=reason)
    return True


def _look_again(row: Tournament, at: datetime | None) -> bool:
    Tournament.objects.filter(pk=row.pk).update(look_at=at)
    return False


def close(row: Tournament, now: datetime, *, reason: str, by: User | None = None) -> None:
    """Call the tournament off. Its row must be locked."""
    row.state, row.ended_at, row.look_at = TournamentState.CLOSED, now, None
    row.save(update_fields=["state", "ended_at", "look_at"])
    Intervention.objects.create(
        tournament=row, by=by, kind=InterventionKind.ENDED, what=gettext("cancelled"), reason=reason, at=now
    )
    news.tell_closed(row, reason)


# Starting


def begin(row: Tournament, now: datetime) -> None:
    """Seed the entrants and pair the first round. The row must be locked, and there must be enough entrants."""
    terms = row.declared
    entrants = _field(row, now)
    _seed(row, entrants)
    row.rounds = tournament_rounds.rounds_of(terms, len(entrants))
    row.state, row.started_at = TournamentState.RUNNING, now
    for number, seeds in enumerate(tournament_rounds.pools_of(terms, len(entrants)), start=1):
        pool = Pool.objects.create(tournament=row, stage=1, number=number)
        _place([entrants[seed] for seed in seeds], pool)
    row.save()
    news.tell_begins(row, entrants)
    _go_on(row, now)


def _field(row: Tournament, now: datetime) -> list[Entrant]:
    """Return the entrants who play. If there are too many, the last to sign up are left out, bots first."""
    signed_up = Entrant.objects.filter(tournament=row).select_related("user")
    entrants = sorted(signed_up, key=lambda one: (bool(one.bot), one.joined_at, one.pk))
    most = formats.most(row.declared.format, row.declared.players, len(entrants))
    reason = gettext("The players don’t divide evenly into matches, so the last to sign up are left out.")
    for one in entrants[most:]:
        Intervention.objects.create(tournament=row, kind=InterventionKind.REMOVED, what=one.name, reason=reason, at=now)
        one.delete()
        news.tell_removed(row, one, reason)
    return entrants[:most]


def _seed(row: Tournament, entrants: list[Entrant]) -> None:
    """Seed the entrants by rating, then in the order in which they signed up."""
    rated = RatedPlayer.objects.filter(ruleset=row.ruleset)
    people = dict(rated.filter(user__in=[one.user_id for one in entrants if one.user_id]).values_list("user", "shown"))
    bots = dict(rated.exclude(bot="").values_list("bot", "shown"))
    for one in entrants:
        one.rating = (people.get(one.user_id) if one.user_id else bots.get(one.bot)) or ratings.Rating().shown
    entrants.sort(key=lambda one: (-one.rating, one.joined_at, one.pk))
    for seed, one in enumerate(entrants, start=1):
        one.seed = seed


def _place(entrants: Sequence[Entrant], pool: Pool) -> None:
    for one in entrants:
        one.pool = pool
    Entrant.objects.bulk_update(entrants, ["pool", "seed", "rating"])


# From round to round


def _look_at_round(row: Tournament, now: datetime) -> bool:
    running = lock_pools(row)
    if row.declared.format == KNOCKOUT:
        _end_decided(row, running, now)
    keep_tables(row)
    undecided = Match.objects.filter(pool__in=running, state__in=UNDECIDED)
    if undecided.exists():
        return _wait(row, undecided.aggregate(at=Min("due_at"))["at"], now)
    _end_round(row, running, now)
    _go_on(row, now)
    return True


def _end_decided(row: Tournament, running: Sequence[Pool], now: datetime) -> None:
    """Annul matches of a knockout that are already decided. Bots finish them with the players who stayed."""
    for pool in running:
        for match in tournament_knockout.decided_by_leaving(row, pool):
            pools.annul(match, now)
            reason = gettext("The players who dropped out can’t advance, so the match is already decided.")
            pools.note(pool, InterventionKind.ANNULLED, now, match=match, reason=reason)


def _wait(row: Tournament, due_at: datetime, now: datetime) -> bool:
    """Wait for the round to end. Notify the organizer once it is late."""
    if due_at > now:
        return _look_again(row, due_at)
    news.tell_late(row)
    return _look_again(row, None)


def _end_round(row: Tournament, running: Sequence[Pool], now: datetime) -> None:
    if row.declared.format != KNOCKOUT:
        return
    (pool,) = running
    found = tournament_knockout.orders(row, pool)
    row.bracket = [*row.bracket, found]
    row.save(update_fields=["bracket"])
    if row.round < row.rounds:
        on, out = tournament_knockout.split(row, pool, found)
        Entrant.objects.filter(pk__in=[one.pk for one in out]).update(place=len(on) + 1)
        news.tell_through(row, pool, on)
        news.tell_out(row, [one for one in out if one.is_playing])


def _go_on(row: Tournament, now: datetime) -> None:
    """Start the next round that has a match, or end the tournament."""
    while row.round < row.rounds:
        row.round += 1
        row.save(update_fields=["round"])
        if _lay_out(row, now):
            keep_tables(row)
            return
        _end_round(row, lock_pools(row), now)
    finish(row, now)


def _lay_out(row: Tournament, now: datetime) -> bool:
    """Lay out this round. Return whether it has a match."""
    if row.declared.format == GROUPS and row.round == row.rounds:
        _begin_final(row, now)
    due_at = now + timedelta(days=row.declared.days_a_round)
    laid = [_lay_out_in(row, pool, now, due_at) for pool in lock_pools(row)]
    Tournament.objects.filter(pk=row.pk).update(look_at=due_at)
    return any(laid)


def _lay_out_in(row: Tournament, pool: Pool, now: datetime, due_at: datetime) -> bool:
    pairing = tournament_rounds.pair(row, pool)
    matches = pools.lay_out(pool, [(row.round, pairing.tables)], start_by=now, due_at=due_at)
    Entrant.objects.filter(pk__in=[one.pk for one in pairing.byes]).update(byes=F("byes") + 1)
    if matches:
        news.tell_byes(row, pairing.byes)
        Pool.objects.filter(pk=pool.pk).update(look_at=now)
        ring("games.tasks.look_at_pool", pool.pk)
    return bool(matches)


def _begin_final(row: Tournament, now: datetime) -> None:
    """Start the final of the best entrants of all groups."""
    ended = lock_pools(row)
    chosen = tournament_rounds.finalists(row, ended)
    for pool in ended:
        end_pool(row, pool, now)
    final = Pool.objects.create(tournament=row, stage=tournament_rounds.FINAL, number=1)
    Entrant.objects.filter(pk__in=chosen).update(pool=final)
    news.tell_final(row, final)
