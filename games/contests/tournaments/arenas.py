"""Arenas: asking for a match, pairing the waiting entrants, and the end.

Everything happens under the lock of the tournament's row, so that two requests cannot pair the same player twice. Locks
are taken in this order: tournament, pool, game.
"""

from collections import Counter
from datetime import datetime, timedelta
from itertools import combinations

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.http import AGAIN
from accounts.models import User
from accounts.moderation.services import may_be_paired, may_have_tables, need_tables
from games.contests import pools
from games.contests.gates import conditions
from games.contests.models import Appearance, Entrant, Match, MatchState, Pool, Tournament
from games.contests.models.pools import UNDECIDED
from games.contests.pairing import apart, arena, swiss
from games.contests.pairing.formats import KINDS
from games.errors import GameError, NotYours, Over


def is_arena(tournament: Tournament) -> bool:
    return KINDS[tournament.declared.format].is_arena


def closes_at(tournament: Tournament) -> datetime:
    """Return when the last match of a running arena can begin."""
    assert tournament.started_at is not None
    return tournament.started_at + timedelta(days=tournament.declared.days)


def takes_entrants(tournament: Tournament, now: datetime) -> bool:
    """Return whether people can still join an arena that has started."""
    return tournament.is_running and is_arena(tournament) and now < closes_at(tournament)


@transaction.atomic
def ask(*, tournament: Tournament, user: User, expected: int | None = None) -> bool:
    """Ask for the next match. Return whether it began at once; otherwise the user waits. Raises `GameError`.

    `expected` is how many matches of the user the page showed, so that pressing the button twice asks only once, even
    if the match began at once.
    """
    need_tables(user)
    tournament, entrant, now = _locked(tournament, user)
    if entrant.waits_since is not None:
        return False
    matches = Match.objects.filter(appearances__entrant=entrant)
    matches_so_far = matches.count()
    if expected is not None and expected == matches_so_far - 1 and matches.filter(started_at__gt=now - AGAIN).exists():
        return True
    if expected is not None and expected != matches_so_far:
        raise GameError(gettext("One of your matches has started since you opened this page. Look at it first."))
    playing = Appearance.objects.filter(entrant=entrant, match__state__in=UNDECIDED).count()
    if playing >= tournament.declared.at_once:
        sentence = ngettext(
            "You are already playing %(n)d match. Finish it first.",
            "You are already playing %(n)d matches. Finish one of them first.",
            playing,
        )
        raise GameError(sentence % {"n": playing})
    Entrant.objects.filter(pk=entrant.pk).update(waits_since=now)
    pair_waiting(tournament, now)
    return not Entrant.objects.filter(pk=entrant.pk, waits_since__isnull=False).exists()


@transaction.atomic
def stop_waiting(*, tournament: Tournament, user: User) -> None:
    """Withdraw the request for a match. Raises `GameError`."""
    _tournament, entrant, _now = _locked(tournament, user)
    Entrant.objects.filter(pk=entrant.pk).update(waits_since=None)


def _locked(tournament: Tournament, user: User) -> tuple[Tournament, Entrant, datetime]:
    """Lock an arena that takes entrants, and return it with the user's entrant and the time. Raises `GameError`."""
    Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    tournament, now = Tournament.objects.select_related("organizer").get(pk=tournament.pk), timezone.now()
    entrant = Entrant.objects.filter(tournament=tournament, user=user, left_at=None).first()
    if entrant is None:
        raise NotYours(gettext("You are not in this tournament."))
    if not is_arena(tournament):
        raise GameError(gettext("In this tournament, matches start automatically."))
    if tournament.is_open:
        raise Over(gettext("The tournament has not started yet."))
    if not takes_entrants(tournament, now):
        raise Over(gettext("No new matches can start."))
    return tournament, entrant, now


def pair_waiting(tournament: Tournament, now: datetime) -> int:
    """Begin all matches that the waiting entrants can play. Return how many. The tournament's row must be locked."""
    pool, begun = Pool.objects.select_for_update(no_key=True).get(tournament=tournament, ended_at=None), 0
    waiting = Entrant.objects.filter(pool=pool, waits_since__isnull=False, left_at=None, user__isnull=False)
    asked = list(waiting.order_by("waits_since", "pk").select_related("user"))
    # Since they asked, moderators may have kept people from new matches; a bot would play for those without access
    allowed = [entrant for entrant in asked if (user := entrant.user) and user.is_active and may_have_tables(user)]
    kept_out = {entrant.pk for entrant in asked} - {entrant.pk for entrant in allowed}
    Entrant.objects.filter(pk__in=kept_out).update(waits_since=None)
    # People who have to accept new terms first keep waiting, and we look again later
    entrants = {entrant.pk: entrant for entrant in allowed if entrant.user and may_be_paired(entrant.user)}
    met, busy, seats = _encounters(pool, set(entrants))
    forbidden = apart.among(
        conditions.kept_apart(tournament), {entrant.user_id: pk for pk, entrant in entrants.items() if entrant.user_id}
    )
    terms, last_number = tournament.declared, pool.matches.count()

    def times_met(entrant: int, opponent: int) -> int:
        return met[frozenset((entrant, opponent))]

    queue = [
        arena.Waiting(pk, (now - entrant.waits_since).total_seconds() / 3600, entrant.rating)
        for pk, entrant in entrants.items()
        if entrant.waits_since is not None
    ]
    while table := arena.next_table(queue, terms.players, times_met, forbidden, busy):
        ids = [place.entrant for place in table]
        seats_had = {pk: [seats[pk, seat] for seat in range(terms.players)] for pk in ids}
        seated = [entrants[pk] for pk in swiss.seated(ids, seats_had)]
        last_number += 1
        due_at = now + timedelta(days=terms.days_a_round)
        pools.write([(Match(pool=pool, round=1, number=last_number, start_by=now, due_at=due_at), seated)])
        Entrant.objects.filter(pk__in=ids).update(waits_since=None)
        queue = [place for place in queue if place.entrant not in ids]
        begun += 1
    if begun:
        pools.take_due_steps(pool.pk, now)
    hours = arena.next_look(queue, times_met)
    due = [closes_at(tournament)] if now < closes_at(tournament) else []
    due += [now + timedelta(hours=hours, seconds=1)] if hours is not None else []
    due += [now + timedelta(hours=1)] if len(entrants) < len(allowed) else []
    Tournament.objects.filter(pk=tournament.pk).update(look_at=min(due, default=None))
    return begun


def _encounters(
    pool: Pool, entrants: set[int]
) -> tuple[Counter[frozenset[int]], set[frozenset[int]], Counter[tuple[int, int]]]:
    """Return how often two of the entrants have met, which of them play each other now, and the seats they had."""
    appearances = Appearance.objects.filter(entrant__in=entrants, match__pool=pool)
    tables: dict[tuple[int, str], list[int]] = {}
    seats = Counter[tuple[int, int]]()
    for match, state, entrant, seat in appearances.values_list("match", "match__state", "entrant", "seat"):
        tables.setdefault((match, state), []).append(entrant)
        seats[entrant, seat] += 1
    met, busy = Counter[frozenset[int]](), set[frozenset[int]]()
    for (_match, state), table in tables.items():
        for pair in map(frozenset, combinations(table, 2)):
            met[pair] += 1
            if state in UNDECIDED:
                busy.add(pair)
    return met, busy, seats


def pair_or_close(tournament: Tournament, now: datetime) -> bool:
    """Pair the waiting entrants, or close the arena if it is time. Return whether it has ended. The row must be locked.

    An arena has ended when it is closed and its last match is decided.
    """
    if now < closes_at(tournament):
        pair_waiting(tournament, now)
        return False
    Entrant.objects.filter(tournament=tournament, waits_since__isnull=False).update(waits_since=None)
    Tournament.objects.filter(pk=tournament.pk).update(look_at=None)
    return not Match.objects.filter(pool__tournament=tournament, state__in=UNDECIDED).exists()


def matches_played(tournament: Tournament, entrant: int) -> tuple[int, int]:
    """Return how many matches of an entrant have ended, and how many there were in all."""
    appearances = Appearance.objects.filter(entrant=entrant, match__pool__tournament=tournament)
    is_over = Q(match__state=MatchState.ENDED)
    numbers = appearances.aggregate(over=Count("pk", filter=is_over), started=Count("pk"))
    return numbers["over"], numbers["started"]
