"""The entrants of a season: all who have signed up when it starts, and late joiners. The league must be locked.

Placement (`placement.py`) decides who plays where; here its input is read, and its result is written with all matches.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts.models import User
from games.bots.registry import current
from games.contests import pools
from games.contests.gates import conditions
from games.contests.interventions import bans, has_intervened, is_banned, removals, take_over
from games.contests.leagues import news
from games.contests.leagues.placement import SignUp, divisions, moved
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
    SeasonOutcome,
    SeasonState,
)
from games.contests.pairing import apart, round_robin
from games.contests.terms.declaration import LeagueTerms
from games.contests.webhooks import outbox as webhooks
from games.notices.outbox.words import Words

NEWCOMER = 1500  # the rating of players without one
GRACE = timedelta(weeks=1)  # when unfinished matches are finished after the season (L8)
LATEST = 3 / 4  # of the season: when the last round starts at the latest (L7)
DAY = 24 * 60
USUAL_MIDDLE = 15 * 60  # of the day of players who have set no night: awake from 7 to 23
BOTS_AT_ONCE = 10  # bots play right away
BATCH = 2000
CHUNK = 500


def taking_part(season: Season) -> QuerySet[Member]:
    """Return the members who take part in a season that has not started.

    Members who are banned, were taken out of this season, or whose account is closed do not take part.
    """
    members = Member.objects.filter(league=season.league_id, sits_out=False).exclude(conditions.CLOSED_ACCOUNT)
    for kept_out in (bans(season.league), removals(season)):
        members = members.exclude(user__in=kept_out.values("person"))
    return members if allows_bots(season.declared) else members.exclude(user=None)


def signed_up(season: Season) -> list[Member]:
    """Return the members who take part: those left over last time first, then in the order of joining."""
    return list(taking_part(season).select_related("user").order_by("-waits", "joined_at", "pk"))


def ready(season: Season) -> tuple[list[Member], list[tuple[Member, Words]]]:
    """Return the members who take part, and those who no longer meet the entry conditions with what they lack."""
    members = signed_up(season)
    lacks = conditions.lacks_of(season.declared, [member.user for member in members if member.user])
    left_out = [(member, lacks[member.user_id]) for member in members if member.user_id in lacks]
    return [member for member in members if member.user_id not in lacks], left_out


def allows_bots(terms: LeagueTerms) -> bool:
    return terms.bots and not terms.rated


def place_all(season: Season, members: Sequence[Member], now: datetime) -> list[Member]:
    """Create divisions, entrants and matches. Return the members left over if the number does not divide evenly."""
    # 1. Decide who plays in which division, and create the divisions
    terms, sign_ups = season.declared, sign_ups_of(season, members)
    tiers = arranged(season, members, sign_ups)
    seated = sum(len(division) for tier in tiers for division in tier)
    placed = [
        (Pool(season=season, tier=tier, number=number, look_at=now), division)
        for tier, of_tier in enumerate(tiers, start=1)
        for number, division in enumerate(of_tier, start=1)
    ]
    Pool.objects.bulk_create([pool for pool, _division in placed], batch_size=BATCH)

    # 2. Create the entrants of each division, with their seeds
    entered: list[list[Entrant]] = []  # by division
    for pool, division in placed:
        entered.append([])
        for seed, n in enumerate(division, start=1):
            member = members[n]
            entrant = Entrant(
                season=season, pool=pool, user=member.user, bot=member.bot,
                name=member.user.username if member.user else member.name, seed=seed, rating=sign_ups[n].rating,
                at_once=member.at_once or (BOTS_AT_ONCE if member.bot else terms.at_once), joined_at=now,
            )  # fmt: skip
            entered[-1].append(entrant)
    Entrant.objects.bulk_create([entrant for entrants in entered for entrant in entrants], batch_size=BATCH)

    # 3. Create the matches of all rounds, except between people who must not meet
    pairs = conditions.kept_apart(season.league)
    planned: list[tuple[Match, list[Entrant]]] = []
    for (pool, _division), entrants in zip(placed, entered, strict=True):
        rounds = round_robin.plan(len(entrants), terms.players)
        begins = latest_begins(season.starts_at, season.ends_at, len(rounds))
        for number, (tables, start_by) in enumerate(zip(rounds, begins, strict=True), start=1):
            for n, table in enumerate(tables, start=1):
                if apart.meets([entrants[index].user_id or 0 for index in table], pairs):
                    continue
                match = Match(pool=pool, round=number, number=n, start_by=start_by, due_at=season.ends_at + GRACE)
                planned.append((match, [entrants[index] for index in table]))
    pools.write(planned)

    # 4. Members who are left over come first in the next season
    left_over = members[seated:]
    Member.objects.filter(league=season.league, waits=True).update(waits=False)
    Member.objects.filter(pk__in=[member.pk for member in left_over]).update(waits=True)
    return list(left_over)


def arranged(season: Season, members: Sequence[Member], sign_ups: Sequence[SignUp]) -> list[list[list[int]]]:
    """Return tiers of divisions of members, by their index, with the organizer's moves. The last may have no place."""
    terms = season.declared
    tiers = divisions(sign_ups, terms)
    seated = sum(len(division) for tier in tiers for division in tier)
    if seated < len(members):  # those left over are not the weakest, but the last to sign up
        tiers = divisions(sign_ups[:seated], terms)
    index = {member.user_id: n for n, member in enumerate(members[:seated]) if member.user_id}
    wishes = {index[user]: place for user, place in moves(season).items() if user in index}
    tiers = moved(tiers, wishes, sign_ups, round_robin.sizes(terms.players))
    pairs = apart.among(conditions.kept_apart(season.league), index)  # this comes before the organizer's moves
    return [apart.exchanged(of_tier, pairs) for of_tier in tiers]


def left_over(season: Season, members: Sequence[Member]) -> int:
    """Return how many of these members would have no place, because they don't divide evenly into divisions."""
    tiers = divisions(sign_ups_of(season, members), season.declared)
    return len(members) - sum(len(division) for tier in tiers for division in tier)


def moves(season: Season) -> dict[int, tuple[int, int]]:
    """Return the tier and number of the division that the organizer has moved people to, by user."""
    rows = Intervention.objects.in_force().filter(season=season, kind=InterventionKind.MOVED, person__isnull=False)
    places: dict[int, tuple[int, int]] = {}
    for user, details in rows.order_by("pk").values_list("person", "details"):
        places.pop(user, None)  # the last move of a person counts, also in order
        places[user] = details["tier"], details["number"]
    return places


def latest_begins(begins: datetime, ends: datetime, rounds: int) -> list[datetime]:
    """Return the latest start of each round, such that matches of the last round still have enough time (L7)."""
    step = (ends - begins) * LATEST / max(rounds - 1, 1)
    return [begins + n * step for n in range(rounds)]


# What placement needs to know of the players

Key = int | str  # the id of a person, or the name of a bot


def key_of(player: Member | Entrant) -> Key:
    return player.user_id or player.name


class LastSeason(NamedTuple):
    """A player's tier and place in the last season they played."""

    season: int
    tier: int
    place: int
    outcome: str


def sign_ups_of(season: Season, members: Sequence[Member]) -> list[SignUp]:
    rated = RatedPlayer.objects.filter(ruleset=season.declared.ruleset)
    people = rated.filter(user__memberships__league=season.league)
    ratings: dict[Key, int] = dict(people.values_list("user", "shown"))
    ratings |= dict(rated.exclude(bot="").values_list("bot", "shown"))

    # For most members the last season is the previous one, for the others an older one
    played = Entrant.objects.filter(season__league=season.league, place__isnull=False)
    last = _last_seasons(played.filter(season__number=season.number - 1))
    absent = [member.user_id for member in members if member.user_id and member.user_id not in last and member.tier]
    for users in chunks(absent):
        last |= _last_seasons(played.filter(user__in=users).order_by("season__number"))

    sign_ups = []
    for member in members:
        rating = ratings.get(member.user_id or current(member.bot), NEWCOMER)
        waking = _waking_of(member.user, season.starts_at) if member.user else None
        before = last.get(key_of(member))
        if before is None:
            sign_up = SignUp(rating=rating, tier=member.tier or 0, is_back=bool(member.tier), waking=waking)
        else:
            was_there = before.season == season.number - 1 and before.outcome != SeasonOutcome.OUT
            sign_up = SignUp(
                rating=rating, tier=before.tier, place=before.place, waking=waking, is_back=not was_there,
                is_promoted=was_there and before.outcome == SeasonOutcome.UP,
                is_relegated=was_there and before.outcome == SeasonOutcome.DOWN,
            )  # fmt: skip
        sign_ups.append(sign_up)
    return sign_ups


def _last_seasons(entrants: Iterable[Entrant]) -> dict[Key, LastSeason]:
    rows = entrants.values_list("user", "name", "season__number", "pool__tier", "place", "outcome")  # type: ignore[attr-defined]
    return {user or name: LastSeason(*facts) for user, name, *facts in rows}


def chunks(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield chunks of numbers, for databases that limit the number of parameters."""
    return (numbers[n : n + CHUNK] for n in range(0, len(numbers), CHUNK))


def _waking_of(user: User, at: datetime) -> int:
    """Return the minute of the UTC day that is the middle of the user's waking day."""
    nights = user.nights
    middle = USUAL_MIDDLE
    if nights.window:
        ends = nights.window.ends.hour * 60 + nights.window.ends.minute
        middle = ends + (DAY - int(nights.window.length.total_seconds() // 60)) // 2
    offset = timezone.localtime(at, ZoneInfo(nights.zone)).utcoffset() or timedelta()
    return (middle - int(offset.total_seconds() // 60)) % DAY


# Late joiners


def late_until(season: Season) -> datetime | None:
    """Return until when players can join the running season. Until then it does not end (L9)."""
    if season.state != SeasonState.RUNNING or season.started_at is None:
        return None
    return season.started_at + timedelta(weeks=season.declared.late)


def may_join_late(season: Season, now: datetime) -> bool:
    until = late_until(season)
    return until is not None and now < until


def place_late(member: Member, season: Season, now: datetime) -> Entrant | None:
    """Place a member in the running season. Return their entrant, or None if they wait for the next season.

    They take the place of an entrant who dropped out, or join a division with room.
    """
    user = member.user
    if user is None or member.sits_out or not may_join_late(season, now):
        return None
    if conditions.lacks_of(season.declared, [user]) or has_intervened(season, user):
        return None
    # Players who left the season cannot come back to it, even if someone has taken over their place
    left = Q(kind__in=[InterventionKind.LEFT, InterventionKind.REMOVED, InterventionKind.REPLACED], person=user)
    has_left = Intervention.objects.in_force().filter(left, season=season).exists()
    if Entrant.objects.filter(season=season, user=user).exists() or has_left or is_banned(season.league, user):
        return None
    return _into_vacancy(season, member, user, now) or _into_division(season, member, user, now)


def _into_vacancy(season: Season, member: Member, user: User, now: datetime) -> Entrant | None:
    """Take over the place of an entrant who dropped out: in the lowest tier, the one with the most matches left."""
    if season.declared.drop_outs != "bot":
        return None
    waiting = Count("appearances", filter=Q(appearances__match__state=MatchState.WAITING))
    left = Entrant.objects.filter(season=season, bot="", left_at__isnull=False, pool__ended_at=None)
    left = left.exclude(pool__in=_pools_to_avoid(season, user))
    entrant = left.annotate(waiting=waiting).filter(waiting__gt=0).order_by("-pool__tier", "-waiting", "pk").first()
    if entrant is None or entrant.pool_id is None:
        return None
    pool, before = pools.lock(entrant.pool_id), entrant.name
    reason = gettext_noop("They joined late and took over from a player who dropped out.")
    take_over(pool, entrant, user, now, reason=reason)
    _save(entrant, season, member, user)
    pools.record_in_pool(pool, InterventionKind.REPLACED, now, what=f"{before} → {entrant.name}", reason=reason)
    others = _playing(pool).exclude(pk=entrant.pk).values_list("name", flat=True)
    news.tell_late(season, entrant, list(others), before)
    return entrant


def _into_division(season: Season, member: Member, user: User, now: datetime) -> Entrant | None:
    """Join the smallest division of the lowest tier. Only possible with two players per game."""
    lowest = season.pools.order_by("tier").last() if season.declared.players == 2 else None
    if lowest is None:
        return None
    with_room = season.pools.filter(tier=lowest.tier, ended_at=None).annotate(
        all=Count("entrants"), playing=Count("entrants", filter=Q(entrants__left_at=None))
    )
    most = max(round_robin.sizes(season.declared.players))
    with_room = with_room.exclude(pk__in=_pools_to_avoid(season, user))
    smallest = with_room.filter(all__lt=most, playing__gt=0).order_by("all", "number").first()
    if smallest is None:
        return None
    pool = pools.lock(smallest.pk)
    others = list(_playing(pool))
    last = Entrant.objects.filter(pool=pool).order_by("seed").last()
    entrant = Entrant(season=season, pool=pool, user=user, joined_at=now, seed=last.seed + 1 if last else 1)
    _save(entrant, season, member, user)

    # A match with each of the others, in new rounds after the existing ones, with alternating seats
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
    pool.look_at = now
    pool.save(update_fields=["look_at"])
    news.tell_late(season, entrant, [other.name for other in others])
    webhooks.joined_late(pool, entrant.pk)
    return entrant


def _pools_to_avoid(season: Season, user: User) -> QuerySet[Pool]:
    """Return the divisions that have someone this late joiner must not meet."""
    others = {person for pair in conditions.kept_apart(season.league) if user.pk in pair for person in pair} - {user.pk}
    return season.pools.filter(entrants__user__in=others)


def _playing(pool: Pool) -> QuerySet[Entrant]:
    """Return the entrants who still play, by seed."""
    playing = Entrant.objects.filter(Q(user__isnull=False) | ~Q(bot=""), pool=pool, left_at=None)
    return playing.order_by("seed")


def _save(entrant: Entrant, season: Season, member: Member, user: User) -> None:
    """Save the entrant with the late joiner's name, rating and pace."""
    entrant.name = user.username
    rated = RatedPlayer.objects.filter(ruleset=season.declared.ruleset, user=user)
    entrant.rating = rated.values_list("shown", flat=True).first() or NEWCOMER
    entrant.at_once = member.at_once or season.declared.at_once
    entrant.save()
