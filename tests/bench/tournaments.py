"""A tournament with many entrants: pairing, start, results, next pairing, and its page during play."""

from collections.abc import Iterator
from datetime import datetime

from django.core.management import CommandError
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.contests import pools
from games.contests.models import Entrant, Match, MatchState, Score, Tournament
from games.contests.terms.declaration import TournamentTerms
from games.contests.tournaments import services as tournaments
from games.contests.tournaments import sweep as tournament_steps
from tests.bench import Row, Time, timed
from tests.bench.leagues import crowd, need_analyzed
from tests.bench.seasons import seconds
from tests.bench.site import page

ROUNDS = 3  # rounds that are played before the page is measured
FORMATS = ("swiss", "knockout")
BUDGET = "25 ms, 8 queries"


def rows(entrants: int) -> Iterator[Row]:
    """Measure a tournament of each format with that many entrants."""
    people = crowd(entrants)
    for form in FORMATS:
        yield from rows_of(form, people)


def rows_of(form: str, people: list[User]) -> Iterator[Row]:
    where, cup = f"{form}, {connection.vendor}", signed_up(form, people)
    started = timed(lambda: tournaments.start(tournament=cup, user=people[0]))
    yield Row(f"{len(people)} entrants placed and paired, {where}", seconds(started))
    for number in range(1, ROUNDS + 1):
        begun, counted, paired = played(cup, timezone.now())
        if number == 1:
            yield Row(f"  the contests of its first round begun, {where}", seconds(begun))
            yield Row(f"  and counted, {where}", seconds(counted))
            yield Row(f"  the next round paired, {where}", seconds(paired))
    need_analyzed()
    client = Client(headers={"accept-encoding": "gzip"})
    client.force_login(people[0])
    yield page(f"Its page in round {ROUNDS + 1}, {where}", client, cup.get_absolute_url(), BUDGET)


def signed_up(form: str, people: list[User]) -> Tournament:
    terms = TournamentTerms(name=f"Measured {form}", format=form, seats=len(people), full=False)
    cup, now = tournaments.open_tournament(user=people[0], terms=terms), timezone.now()
    Entrant.objects.bulk_create(
        Entrant(tournament=cup, user=user, name=user.username, joined_at=now, rating=1500) for user in people
    )
    return cup


def played(cup: Tournament, now: datetime) -> tuple[Time, Time, Time]:
    """Play a round. Return the times of its start, its results and the next pairing."""
    begun = timed(lambda: pools.sweep(now))
    playing = Match.objects.filter(pool__tournament=cup, state=MatchState.PLAYING)
    if not playing:
        raise CommandError("No contest has begun.")
    win(list(playing), now)
    counted = timed(lambda: pools.sweep(now))
    paired = timed(lambda: tournament_steps.take_due_steps(cup.pk, now))
    return begun, counted, paired


def win(matches: list[Match], now: datetime) -> None:
    """Let the player in the first seat win every match."""
    Score.objects.bulk_create(
        Score(
            game=match.game, seat=appearance.seat, user=appearance.entrant.user, name=appearance.entrant.name,
            ruleset="legends", players=2, place=appearance.seat + 1, points=10 - appearance.seat, ended_at=now,
        )
        for match in matches
        for appearance in match.appearances.select_related("entrant__user")
    )  # fmt: skip
