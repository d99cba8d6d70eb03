"""The speed of long lists: a ladder, a rating list, and the history of a player of many years."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial

from django.core.management import CommandError
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.contests.ladders import rungs, services
from games.contests.ladders import sweep as ladder_sweep
from games.contests.models import Challenge, Ladder, RatedPlayer, Rung, Score
from games.tables.models import Game, Status
from tests.bench import Row, ms, timed, times
from tests.bench.site import page, running

CONTESTS = 5000  # contests of one account
CHALLENGES = 1000  # challenges that wait for an answer
CLIMBS = 30
BATCH = 5000
BUDGET = "25 ms, 8 queries"
NAME = "climber-"  # followed by a number, counted from the top


def store(ranked: int) -> None:
    """Store that many players on one ladder and one rating list. Two of them have played each other for years."""
    people = crowd(ranked)
    fill(people)
    play_for_years(people[ranked // 2], people[0])
    need_analyzed()


def rows(ranked: int) -> Iterator[Row]:
    """Measure with the stored players. Use a new process, like a web process, which has not filled the database."""
    where, ladder = connection.vendor, Ladder.objects.get()
    client = Client(headers={"accept-encoding": "gzip"})
    client.force_login(climber(ranked // 2))
    for label, address in (
        (f"Ladder of {ranked:,}", "/ladder/legends/"),
        ("its middle", f"/ladder/legends/?page={ranked // 100}"),
        (f"Ratings of {ranked:,}", "/ratings/legends/"),
        ("their middle", f"/ratings/legends/?page={ranked // 100}"),
        (f"Player with {CONTESTS:,} contests", f"/players/{NAME}0/"),
        ("their page 200", f"/players/{NAME}0/?page=200"),
        ("against one opponent, always the same", f"/history/?against={NAME}0"),
    ):
        yield page(f"{label}, {where}", client, address, BUDGET)
    yield from actions(ladder, where)
    yield page(f"Latest climbs, {where}", client, "/ladder/legends/history/", BUDGET)


def actions(ladder: Ladder, where: str) -> Iterator[Row]:
    """Measure changes of a ladder."""
    swept = times(lambda: ladder_sweep.sweep(timezone.now()), 5)
    yield Row(f"Sweep of ladders, {CHALLENGES:,} challenges wait, {where}", ms(swept), "1 s")
    lowest = ladder.length - 20
    pairs = [(climber(n), climber(n - 10)) for n in range(lowest, lowest - 12 * CLIMBS, -12)]
    climbs = [timed(partial(climb, *pair)) for pair in pairs]
    yield Row(f"Challenged and declined: ten rungs climbed, {where}", ms(climbs))
    yield Row(f"Ladder left from the top, {where}", ms([timed(partial(leave, climber(0)))]))
    stretches = []
    while rungs.empty(ladder).exists():
        stretches.append(timed(lambda: rungs.sink(ladder.ruleset)))
    yield Row(f"The rung sinks to the bottom, each of {len(stretches)} stretches, {where}", ms(stretches))


def leave(user: User) -> None:
    services.leave(ruleset="legends", user=user)


def climb(challenger: User, challenged: User) -> None:
    challenge = services.challenge(ruleset="legends", user=challenger, player=challenged.username)
    services.decline(pk=challenge.pk, user=challenged)


def crowd(number: int) -> list[User]:
    return User.objects.bulk_create(
        [User(username=f"{NAME}{n}", email=f"{NAME}{n}@example.org") for n in range(number)], batch_size=BATCH
    )


def climber(number: int) -> User:
    return User.objects.get(username=f"{NAME}{number}")


def fill(people: list[User]) -> Ladder:
    """Put all players on the ladder and the rating list, and add some challenges near the top."""
    now, length = timezone.now(), len(people)
    ladder = Ladder.objects.create(ruleset="legends", length=length, full=False)
    Rung.objects.bulk_create(
        (
            Rung(ladder=ladder, user=user, rung=n, best=n, joined_at=now, last_at=now)
            for n, user in enumerate(people, start=1)
        ),
        batch_size=BATCH,
    )
    RatedPlayer.objects.bulk_create(
        (
            RatedPlayer(
                ruleset="legends", user=user, sigma=2, contests=30, shown=1000 + n * 1000 // length,
                is_provisional=False, last_at=now,
            )
            for n, user in enumerate(people)
        ),
        batch_size=BATCH,
    )  # fmt: skip
    Challenge.objects.bulk_create(
        Challenge(
            ladder=ladder, challenger=people[n + 3], challenged=people[n], made_at=now,
            answer_by=now + timedelta(days=4),
        )
        for n in range(4, min(length - 100, 4 * CHALLENGES), 4)
    )  # fmt: skip
    return ladder


def need_analyzed() -> None:
    """Analyze the database, as servers do in the background. PostgreSQL's index-only scans need a vacuum."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def play_for_years(user: User, rival: User) -> None:
    now = timezone.now()
    games = Game.objects.bulk_create([ended(now, n) for n in range(CONTESTS)], batch_size=BATCH)
    Score.objects.bulk_create(both(games, user, rival), batch_size=BATCH)


def ended(now: datetime, n: int) -> Game:
    game = running(now, f"e{n:07}")
    game.status, game.ended_at = Status.FINISHED, now - timedelta(hours=6 * n)
    return game


def both(games: Iterable[Game], *players: User) -> Iterator[Score]:
    for order, game in enumerate(games, start=1):
        if game.ended_at is None:
            raise CommandError("An ended game has its end.")
        for seat, user in enumerate(players):
            yield Score(
                game=game, seat=seat, user=user, who=str(user.pk), name=user.username, ruleset=game.ruleset, players=2,
                listed=True, counts=True, place=1 + (seat + order) % 2, points=12, ended_at=game.ended_at, order=order,
                games=[line(game, seat)], mu_before=25, sigma_before=2, mu_after=25.1, sigma_after=2,
            )  # fmt: skip


def line(game: Game, seat: int) -> dict[str, object]:
    return {
        "game": game.public_id, "seat": seat, "points": 12, "place": 1, "left": 2, "bid": 1,
        "sources": {"regions": 6, "islands": 3, "elixirs": 3},
    }  # fmt: skip
