"""The start of a season: everyone who has signed up is placed in divisions, and all matches are laid out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.models import User
from games.contests import pools
from games.contests.leagues.placement import SignUp, divisions
from games.contests.models import Entrant, Fate, Match, Member, Pool, RatedPlayer, Season
from games.contests.pairing import round_robin
from games.contests.terms.declaration import Terms

NEWCOMER = 1500  # the rating of players without one
GRACE = timedelta(weeks=1)  # when unfinished matches are finished after the season (L8)
LATEST = 3 / 4  # of the season: when the last round starts at the latest (L7)
DAY = 24 * 60
USUAL_MIDDLE = 15 * 60  # of the day of players who have set no night: awake from 7 to 23
BOTS_AT_ONCE = 10  # bots play right away
BATCH = 2000
CHUNK = 500

Tiers = Sequence[Sequence[Sequence[int]]]  # tiers of divisions of indexes


def signed_up(season: Season) -> list[Member]:
    """Return the members who take part: those left over last time first, then in the order of joining."""
    found = Member.objects.filter(league=season.league, rests=False).exclude(user__is_active=False)
    if not allows_bots(season.declared):
        found = found.exclude(user=None)
    return list(found.select_related("user").order_by("-waits", "joined_at", "pk"))


def allows_bots(terms: Terms) -> bool:
    return terms.bots and not terms.rated


def seat(season: Season, members: Sequence[Member], now: datetime) -> list[Member]:
    """Create entrants, divisions and matches. Return the members left over if the number does not divide evenly."""
    terms, candidates = season.declared, candidates_of(season, members)
    tiers = divisions(candidates, terms)
    if left_over := len(members) - _seated(tiers):  # not the weakest, but the last to sign up
        tiers = divisions(candidates[:-left_over], terms)
    seated = {number for tier in tiers for division in tier for number in division}
    _write(season, terms, tiers, members, candidates, now)
    waiting = [member for number, member in enumerate(members) if number not in seated]
    Member.objects.filter(league=season.league, waits=True).update(waits=False)
    Member.objects.filter(pk__in=[member.pk for member in waiting]).update(waits=True)
    return waiting


def _seated(tiers: Tiers) -> int:
    return sum(len(division) for tier in tiers for division in tier)


# The players


class Stood(NamedTuple):
    """A player's tier and place in the last season they played."""

    season: int
    tier: int
    place: int
    fate: str


Key = int | str  # the id of a person, or the name of a bot


def key_of(one: Member | Entrant) -> Key:
    return one.user_id or one.name


def candidates_of(season: Season, members: Sequence[Member]) -> list[SignUp]:
    ratings, stood = ratings_of(season), _stood(season, members)
    return [
        _candidate(season, member, ratings.get(member.user_id or member.bot, NEWCOMER), stood.get(key_of(member)))
        for member in members
    ]


def _candidate(season: Season, member: Member, rating: int, stood: Stood | None) -> SignUp:
    waking = waking_of(member.user, season.starts_at) if member.user else None
    if stood is None:
        return SignUp(rating=rating, tier=member.tier or 0, is_back=bool(member.tier), waking=waking)
    was_there = stood.season == season.number - 1 and stood.fate != Fate.OUT
    return SignUp(
        rating=rating, tier=stood.tier, place=stood.place, waking=waking, is_back=not was_there,
        is_promoted=was_there and stood.fate == Fate.UP, is_relegated=was_there and stood.fate == Fate.DOWN,
    )  # fmt: skip


def ratings_of(season: Season) -> Mapping[Key, int]:
    """Return the shown ratings of the league's members and of bots."""
    rated = RatedPlayer.objects.filter(ruleset=season.declared.ruleset)
    people = rated.filter(user__memberships__league=season.league).values_list("user", "shown")
    return {**dict(people), **dict(rated.exclude(bot="").values_list("bot", "shown"))}


def _stood(season: Season, members: Sequence[Member]) -> dict[Key, Stood]:
    """Return each member's last tier and place, mostly from the previous season, else from older ones."""
    played = Entrant.objects.filter(season__league=season.league, place__isnull=False)
    stood = _read(played.filter(season__number=season.number - 1))
    absent = [member.user_id for member in members if member.user_id and member.user_id not in stood and member.tier]
    for users in chunks(absent):
        stood |= _read(played.filter(user__in=users).order_by("season__number"))
    return stood


def chunks(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield chunks of numbers, for databases that limit the number of parameters."""
    return (numbers[n : n + CHUNK] for n in range(0, len(numbers), CHUNK))


def _read(entrants: Iterable[Entrant]) -> dict[Key, Stood]:
    rows = entrants.values_list("user", "name", "season__number", "pool__tier", "place", "fate")  # type: ignore[attr-defined]
    return {user or name: Stood(*facts) for user, name, *facts in rows}


def waking_of(user: User, at: datetime) -> int:
    """Return the minute of the UTC day that is the middle of the user's waking day."""
    nights = user.nights
    middle = USUAL_MIDDLE
    if nights.window:
        ends = nights.window.ends.hour * 60 + nights.window.ends.minute
        middle = ends + (DAY - int(nights.window.length.total_seconds() // 60)) // 2
    offset = timezone.localtime(at, ZoneInfo(nights.zone)).utcoffset() or timedelta()
    return (middle - int(offset.total_seconds() // 60)) % DAY


# Writing


def _write(
    season: Season, terms: Terms, tiers: Tiers, members: Sequence[Member], candidates: Sequence[SignUp],
    now: datetime,
) -> None:  # fmt: skip
    placed = [
        (Pool(season=season, tier=tier, number=number, look_at=now), division)
        for tier, of_tier in enumerate(tiers, start=1)
        for number, division in enumerate(of_tier, start=1)
    ]
    Pool.objects.bulk_create([pool for pool, _division in placed], batch_size=BATCH)
    entered = [
        [_entrant(pool, terms, members[n], candidates[n], seed, now) for seed, n in enumerate(division, start=1)]
        for pool, division in placed
    ]
    Entrant.objects.bulk_create([one for entrants in entered for one in entrants], batch_size=BATCH)
    pools.write([one for entrants in entered for one in _matches(season, terms, entrants)])


def _entrant(pool: Pool, terms: Terms, member: Member, candidate: SignUp, seed: int, now: datetime) -> Entrant:
    usual = BOTS_AT_ONCE if member.bot else terms.at_once
    return Entrant(
        season=pool.season, pool=pool, user=member.user, bot=member.bot,
        name=member.user.username if member.user else member.name, seed=seed, rating=candidate.rating,
        at_once=member.at_once or usual, joined_at=now,
    )  # fmt: skip


def _matches(season: Season, terms: Terms, entrants: Sequence[Entrant]) -> Iterator[tuple[Match, Sequence[Entrant]]]:
    pool, rounds = entrants[0].pool, round_robin.plan(len(entrants), terms.players)
    begins = latest_begins(season.starts_at, season.ends_at, len(rounds))
    for number, (tables, start_by) in enumerate(zip(rounds, begins, strict=True), start=1):
        for n, table in enumerate(tables, start=1):
            match = Match(pool=pool, round=number, number=n, start_by=start_by, due_at=season.ends_at + GRACE)
            yield match, [entrants[one] for one in table]


def latest_begins(begins: datetime, ends: datetime, rounds: int) -> list[datetime]:
    """Return the latest start of each round, such that matches of the last round still have enough time (L7)."""
    step = (ends - begins) * LATEST / max(rounds - 1, 1)
    return [begins + n * step for n in range(rounds)]
