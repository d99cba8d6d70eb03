"""Arenas: asking for a match, pairing those who wait, and the end.

Everything happens under the lock of the tournament's row, so that two requests cannot pair the same player twice. Locks
are taken in this order: tournament, pool, game.
"""

from collections import Counter
from datetime import datetime, timedelta
from itertools import combinations

from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.http import AGAIN
from accounts.models import User
from accounts.moderation.services import need_tables
from games.contests import pools
from games.contests.gates import conditions
from games.contests.models import Appearance, Entrant, Match, MatchState, Pool, Tournament
from games.contests.models.pools import UNDECIDED
from games.contests.pairing import apart, arena, swiss
from games.contests.pairing.formats import KINDS
from games.errors import GameError, NotYours, Over


def is_arena(row: Tournament) -> bool:
    return KINDS[row.declared.format].is_arena


def closes_at(row: Tournament) -> datetime:
    """Return when the last match of a running arena can begin."""
    assert row.started_at is not None
    return row.started_at + timedelta(days=row.declared.days)


def takes_entrants(row: Tournament, now: datetime) -> bool:
    """Return whether people can still join an arena that has started."""
    return row.is_running and is_arena(row) and now < closes_at(row)


@transaction.atomic
def ask(*, tournament: Tournament, user: User, expected: int | None = None) -> bool:
    """Ask for the next match. Return whether it began at once; otherwise they wait. Raises `GameError`.

    `expected` is the number of their matches that the page showed, so that pressing twice asks once, also if the match
    began at once.
    """
    need_tables(user)
    row, mine, now = _locked(tournament, user)
    if mine.waits_since is not None:
        return False
    matches = Match.objects.filter(appearances__entrant=mine)
    had = matches.count()
    if expected is not None and expected == had - 1 and matches.filter(started_at__gt=now - AGAIN).exists():
        return True
    if expected is not None and expected != had:
        raise GameError(gettext("One of your matches has started since you opened this page. Look at it first."))
    playing = Appearance.objects.filter(entrant=mine, match__state__in=UNDECIDED).count()
    if playing >= row.declared.at_once:
        words = ngettext(
            "You are already playing %(n)d match. Finish it first.",
            "You are already playing %(n)d matches. Finish one of them first.",
            playing,
        )
        raise GameError(words % {"n": playing})
    Entrant.objects.filter(pk=mine.pk).update(waits_since=now)
    pair_waiting(row, now)
    return not Entrant.objects.filter(pk=mine.pk, waits_since__isnull=False).exists()


@transaction.atomic
def stop_waiting(*, tournament: Tournament, user: User) -> None:
    """Withdraw the request for a match. Raises `GameError`."""
    _row, mine, _now = _locked(tournament, user)
    Entrant.objects.filter(pk=mine.pk).update(waits_since=None)


def _locked(tournament: Tournament, user: User) -> tuple[Tournament, Entrant, datetime]:
    Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    row, now = Tournament.objects.select_related("organizer").get(pk=tournament.pk), timezone.now()
    mine = Entrant.objects.filter(tournament=row, user=user, left_at=None).first()
    if mine is None:
        raise NotYours(gettext("You are not in this tournament."))
    if not is_arena(row):
        raise GameError(gettext("In this tournament, matches start automatically."))
    if row.is_open:
        raise Over(gettext("The tournament has not started yet."))
    if not takes_entrants(row, now):
        raise Over(gettext("No new matches can start."))
    return row, mine, now


def pair_waiting(row: Tournament, now: datetime) -> int:
    """Begin all matches that those who wait can play. Return how many. The row of the tournament must be locked."""
    pool, begun = Pool.objects.select_for_update(no_key=True).get(tournament=row, ended_at=None), 0
    waiting = Entrant.objects.filter(pool=pool, waits_since__isnull=False, left_at=None, user__isnull=False)
    entrants = {one.pk: one for one in waiting.order_by("waits_since", "pk").select_related("user")}
    met, busy, seats = _encounters(pool, set(entrants))
    forbidden = apart.among(
        conditions.kept_apart(row), {one.user_id: pk for pk, one in entrants.items() if one.user_id}
    )
    terms, last = row.declared, pool.matches.count()

    def times(one: int, other: int) -> int:
        return met[frozenset((one, other))]

    queue = [
        arena.Waiting(pk, (now - one.waits_since).total_seconds() / 3600, one.rating)
        for pk, one in entrants.items()
        if one.waits_since is not None
    ]
    while table := arena.next_table(queue, terms.players, times, forbidden, busy):
        numbers = [one.entrant for one in table]
        had = {pk: [seats[pk, seat] for seat in range(terms.players)] for pk in numbers}
        seated = [entrants[pk] for pk in swiss.seated(numbers, had)]
        last += 1
        due_at = now + timedelta(days=terms.days_a_round)
        pools.write([(Match(pool=pool, round=1, number=last, start_by=now, due_at=due_at), seated)])
        Entrant.objects.filter(pk__in=numbers).update(waits_since=None)
        queue = [one for one in queue if one.entrant not in numbers]
        begun += 1
    if begun:
        pools.take_due_steps(pool.pk, now)
    hours = arena.next_look(queue, times)
    due = [closes_at(row)] if now < closes_at(row) else []
    due += [now + timedelta(hours=hours, seconds=1)] if hours is not None else []
    Tournament.objects.filter(pk=row.pk).update(look_at=min(due, default=None))
    return begun


def _encounters(
    pool: Pool, entrants: set[int]
) -> tuple[Counter[frozenset[int]], set[frozenset[int]], Counter[tuple[int, int]]]:
    """Return how often two of the entrants have met, which of them play each other now, and the seats they had."""
    theirs = Appearance.objects.filter(entrant__in=entrants, match__pool=pool)
    tables: dict[tuple[int, str], list[int]] = {}
    seats = Counter[tuple[int, int]]()
    for match, state, entrant, seat in theirs.values_list("match", "match__state", "entrant", "seat"):
        tables.setdefault((match, state), []).append(entrant)
        seats[entrant, seat] += 1
    met, busy = Counter[frozenset[int]](), set[frozenset[int]]()
    for (_match, state), table in tables.items():
        for pair in map(frozenset, combinations(table, 2)):
            met[pair] += 1
            if state in UNDECIDED:
                busy.add(pair)
    return met, busy, seats


def is_over(row: Tournament, now: datetime) -> bool:
    """Pair those who wait, or close the arena. Return whether its last match is decided. The row must be locked."""
    if now < closes_at(row):
        pair_waiting(row, now)
        return False
    Entrant.objects.filter(tournament=row, waits_since__isnull=False).update(waits_since=None)
    Tournament.objects.filter(pk=row.pk).update(look_at=None)
    return not Match.objects.filter(pool__tournament=row, state__in=UNDECIDED).exists()


def played(row: Tournament, entrant: int) -> dict[str, int]:
    """Return how many matches of an entrant are over, and how many are being played."""
    rows = Appearance.objects.filter(entrant=entrant, match__pool__tournament=row).values("match__state")
    found = {one["match__state"]: one["n"] for one in rows.annotate(n=Count("pk")).order_by()}
    return {
        "over": found.get(MatchState.ENDED, 0), "on": sum(found.get(state, 0) for state in UNDECIDED),
        "all": sum(found.values()),
    }  # fmt: skip
