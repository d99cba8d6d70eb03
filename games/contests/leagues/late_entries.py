"""Late entries to a running season.

A late joiner takes the place of an entrant who dropped out, or joins a division with room. If there is neither, they
wait for the next season. The league must be locked.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils.translation import gettext

from games.contests import pools
from games.contests.interventions import take_over
from games.contests.leagues import news_messages as season_letters
from games.contests.leagues.season_start import GRACE, NEWCOMER, latest_begins
from games.contests.models import (
    Entrant,
    Intervention,
    InterventionKind,
    Match,
    MatchState,
    Member,
    Pool,
    RatedPlayer,
    Season,
    SeasonState,
)
from games.contests.pairing import round_robin


def may_come_late(season: Season, now: datetime) -> bool:
    """Return whether players can still join the running season. Until then it does not end (L9)."""
    if season.state != SeasonState.RUNNING or season.started_at is None:
        return False
    return now < season.started_at + timedelta(weeks=season.declared.late)


def place_late(member: Member, season: Season, now: datetime) -> Entrant | None:
    """Place a member in the running season. Return their entrant, or None if there is no place left."""
    if member.user is None or member.rests or not may_come_late(season, now) or has_been_in(season, member):
        return None
    return _into_vacancy(season, member, now) or _into_division(season, member, now)


def has_been_in(season: Season, member: Member) -> bool:
    """Return whether the member was in the season before. They cannot come back, even if their place was taken over."""
    user = member.user
    assert user is not None
    left = Q(kind=InterventionKind.LEFT, by=user) | Q(kind=InterventionKind.REMOVED, what=user.username)
    replaced = Q(kind=InterventionKind.REPLACED, what__startswith=f"{user.username} → ")
    gone = Intervention.objects.filter(left | replaced, season=season)
    return Entrant.objects.filter(season=season, user=user).exists() or gone.exists()


def _into_vacancy(season: Season, member: Member, now: datetime) -> Entrant | None:
    """Take over the place of an entrant who dropped out: in the lowest tier, the one with the most matches left."""
    if season.declared.drop_outs != "bot":
        return None
    waiting = Count("appearances", filter=Q(appearances__match__state=MatchState.WAITING))
    left = Entrant.objects.filter(season=season, bot="", left_at__isnull=False, pool__ended_at=None)
    for found in left.annotate(waiting=waiting).filter(waiting__gt=0).order_by("-pool__tier", "-waiting", "pk"):
        assert found.pool_id is not None and member.user is not None
        pool = pools.lock(found.pool_id)
        before = found.name
        reason = gettext("They joined late and take over from a player who dropped out.")
        take_over(pool, found, member.user, now, reason=reason)
        _become(found, season, member)
        pools.note(pool, InterventionKind.REPLACED, now, what=f"{before} → {found.name}", reason=reason)
        season_letters.tell_late(season, found, _others(found), before)
        return found
    return None


def _into_division(season: Season, member: Member, now: datetime) -> Entrant | None:
    """Join the smallest division of the lowest tier. Only possible with two players per game."""
    pool = _with_room(season) if season.declared.players == 2 else None
    if pool is None or member.user is None:
        return None
    pool = pools.lock(pool.pk)
    others = list(_playing(pool).order_by("seed"))
    last = Entrant.objects.filter(pool=pool).order_by("seed").last()
    entrant = Entrant(season=season, pool=pool, user=member.user, joined_at=now, seed=last.seed + 1 if last else 1)
    _become(entrant, season, member)
    _lay_out(season, pool, entrant, others, now)
    pool.look_at = now
    pool.save(update_fields=["look_at"])
    season_letters.tell_late(season, entrant, [one.name for one in others])
    return entrant


def _with_room(season: Season) -> Pool | None:
    lowest = season.pools.order_by("tier").last()
    if lowest is None:
        return None
    most = max(round_robin.sizes(season.declared.players))
    counted = season.pools.filter(tier=lowest.tier, ended_at=None).annotate(
        all=Count("entrants"), playing=Count("entrants", filter=Q(entrants__left_at=None))
    )
    return counted.filter(all__lt=most, playing__gt=0).order_by("all", "number").first()


def _playing(pool: Pool):  # type: ignore[no-untyped-def]
    return Entrant.objects.filter(Q(user__isnull=False) | ~Q(bot=""), pool=pool, left_at=None)


def _others(entrant: Entrant) -> list[str]:
    pool = entrant.pool
    assert pool is not None
    return list(_playing(pool).exclude(pk=entrant.pk).order_by("seed").values_list("name", flat=True))


def _become(entrant: Entrant, season: Season, member: Member) -> None:
    """Copy the new player's name, rating and pace to the entrant."""
    assert member.user is not None
    entrant.name = member.user.username
    rated = RatedPlayer.objects.filter(ruleset=season.declared.ruleset, user=member.user)
    entrant.rating = rated.values_list("shown", flat=True).first() or NEWCOMER
    entrant.at_once = member.at_once or season.declared.at_once
    entrant.save()


def _lay_out(season: Season, pool: Pool, entrant: Entrant, others: Sequence[Entrant], now: datetime) -> None:
    """Lay out a match with each of the others, in new rounds after the existing ones, with alternating seats."""
    rounds = Match.objects.filter(pool=pool).order_by("round").values_list("round", flat=True)
    first = (rounds.last() or 0) + 1
    begins = latest_begins(now, season.ends_at, len(others))
    pools.write(
        (
            Match(pool=pool, round=first + n, number=1, start_by=start_by, due_at=season.ends_at + GRACE),
            (entrant, other) if n % 2 else (other, entrant),
        )
        for n, (other, start_by) in enumerate(zip(others, begins, strict=True))
    )
