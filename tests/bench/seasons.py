"""A season with many players: placement, pairing, start, news, ranking, end, and the pages during it."""

import os
from collections.abc import Iterator
from datetime import timedelta
from time import perf_counter
from typing import NoReturn

import msgspec
from django.core.management import CommandError
from django.db import connection, connections
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.contests import pools
from games.contests.leagues import news as season_news
from games.contests.leagues import sweep as season_steps
from games.contests.models import (
    Appearance,
    Badge,
    Entrant,
    League,
    LeagueState,
    Match,
    MatchState,
    Member,
    Pool,
    RatedPlayer,
    Season,
    SeasonState,
)  # fmt: skip
from games.contests.terms.declaration import LeagueTerms
from games.notices.models import Notice
from tests.bench import Row, Time, timed
from tests.bench.leagues import BATCH, BUDGET, crowd, need_analyzed
from tests.bench.site import page

PROCESSES = 2
BEGIN_FOR = 60.0  # seconds
AT_A_TIME = 20  # divisions per sweep here, so that it can stop
ZONES = ("America/New_York", "Europe/Berlin", "Asia/Tokyo", "UTC", "Australia/Sydney")
TERMS = LeagueTerms(name="Measured", ruleset="legends", division=6, spread=2, weeks=12, late=0, full=True)


def rows(players: int, begin_for: float = BEGIN_FOR) -> Iterator[Row]:
    """Measure one season with that many players."""
    where, season = connection.vendor, signed_up(players)
    now = timezone.now()
    started = timed(lambda: season_steps.start(season.pk, now))
    tiers = Pool.objects.order_by("-tier")[0].tier
    divisions, matches = Pool.objects.count(), Match.objects.count()
    yield Row(f"{players:,} players placed and paired, {where}", seconds(started), "60 s")
    yield Row("  that makes", f"{divisions:,} divisions in {tiers} tiers, {matches:,} contests")
    need_analyzed()
    yield from news_row(where, "it has begun")
    yield from begun(where, begin_for)
    yield from pages(where, season)
    play(season)
    need_analyzed()
    ended = timed(lambda: season_steps.end(season.pk, now))
    season.refresh_from_db()
    if season.state != SeasonState.ENDED:
        raise CommandError("The season has not ended.")
    yield Row(f"Ranked and closed, {Badge.objects.count():,} badges, {where}", seconds(ended), "60 s")
    yield from news_row(where, "it has ended")
    following = timed(lambda: season_steps.start(Season.objects.get(number=2).pk, now + timedelta(weeks=2)))
    yield Row(f"The next season placed and paired, {where}", seconds(following), "60 s")


def seconds(time: Time) -> str:
    return f"{time.wall / 1000:.1f} s ({time.own / 1000:.1f} of processor)"


def signed_up(players: int) -> Season:
    """Create a league with that many members, ratings and time zones, and a season that is due."""
    now, people = timezone.now(), crowd(players)
    for n, user in enumerate(people):
        user.time_zone = ZONES[n % len(ZONES)]
    User.objects.bulk_update(people, ["time_zone"], batch_size=500)
    RatedPlayer.objects.bulk_create(
        (
            RatedPlayer(ruleset=TERMS.ruleset, user=user, shown=1000 + n * 7919 % 1000, is_provisional=False)
            for n, user in enumerate(people)
        ),
        batch_size=BATCH,
    )
    league = League.objects.create(
        slug="measured", name=TERMS.name, ruleset=TERMS.ruleset, terms=msgspec.to_builtins(TERMS),
        state=LeagueState.OPEN, made_at=now,
    )  # fmt: skip
    Member.objects.bulk_create((Member(league=league, user=user, joined_at=now) for user in people), batch_size=BATCH)
    need_analyzed()
    return season_steps.open_season(league, 1, now, now)


def news_row(where: str, event: str) -> Iterator[Row]:
    before = Notice.objects.count()
    spent = timed(season_news.sweep)
    yield Row(f"{Notice.objects.count() - before:,} notified that {event}, {where}", seconds(spent), "5 min")


# Contests begin


def begun(where: str, begin_for: float) -> Iterator[Row]:
    """Start contests for `begin_for` seconds, with several processes if the database allows concurrent writes."""
    processes = PROCESSES if connection.features.has_select_for_update_skip_locked else 1
    due = Pool.objects.filter(look_at__lte=timezone.now())
    all_pools, started = due.count(), perf_counter()
    own = work(processes, begin_for)
    spent, playing = perf_counter() - started, Match.objects.filter(state=MatchState.PLAYING).count()
    done = all_pools - due.count()
    whole = f"all of {all_pools:,} divisions" if done == all_pools else f"{done:,} of {all_pools:,} divisions"
    yield Row(
        f"{playing:,} full games begun in {whole}, {processes} at work, {where}",
        f"{spent:.1f} s ({own:.1f} of processor): {1000 * spent / max(playing, 1):.1f} ms each",
        "10 min for all",
    )
    if done < all_pools:
        yield Row("  all of them at that pace", f"{spent * all_pools / max(done, 1):.0f} s, worked out")


def work(processes: int, begin_for: float) -> float:
    """Sweep in separate processes. Return their total processor time."""
    connections.close_all()
    before = os.times()
    children = [os.fork() or sweep_and_leave(begin_for) for _process in range(processes)]
    for child in children:
        os.waitpid(child, 0)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def sweep_and_leave(begin_for: float) -> NoReturn:
    until = perf_counter() + begin_for
    pools.BATCH = AT_A_TIME
    while perf_counter() < until and pools.sweep(timezone.now()):
        pass
    os._exit(0)


# Pages during the season, for a player in the lowest tier


def pages(where: str, season: Season) -> Iterator[Row]:
    """Measure pages. Three of the queries are for the session, its user and the header."""
    entrant = Entrant.objects.select_related("pool").filter(season=season).order_by("-pool__tier", "pool__number")[0]
    assert entrant.user_id is not None and entrant.pool is not None
    client = Client(headers={"accept-encoding": "gzip"})
    client.force_login(User.objects.get(pk=entrant.user_id))
    home, tier = season.league.get_absolute_url(), entrant.pool.tier
    for label, address in (
        ("Home of the league", home),
        ("its season", f"{home}{season.number}/"),
        ("the lowest tier", f"{home}{season.number}/?tier={tier}"),
        ("a division", f"{home}{season.number}/{tier}-{entrant.pool.number}/"),
        ("a player’s card", f"/players/{entrant.name}/"),
    ):
        yield page(f"{label}, {where}", client, address, BUDGET)


# Contests end without being played


def play(season: Season) -> None:
    """Let the player in the first seat win every contest."""
    now, of_season = timezone.now(), Match.objects.filter(pool__season=season)
    Appearance.objects.filter(match__in=of_season).update(place=F("seat") + 1, points=2 - 2 * F("seat"), score=10)
    of_season.update(state=MatchState.ENDED, ended_at=now)
    Entrant.objects.filter(season=season).update(played=5)
    season.pools.update(look_at=None)
