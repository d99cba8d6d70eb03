"""Tournaments for tests. Contests are single games that end without being played: the alphabet decides."""

from collections.abc import Iterable
from datetime import date

from django.utils import timezone

from accounts.models import User
from games.contests import pools
from games.contests.models import Appearance, Badge, Entrant, Intervention, Match, Pool, RatedPlayer, Tournament
from games.contests.terms.declaration import TournamentTerms
from games.contests.tournaments import services as tournaments
from games.contests.tournaments import sweep as tournament_steps
from games.notices.models import Notice
from games.tables.models import Seat
from tests.cast import person
from tests.contests.ladders import ends
from tests.contests.prepared import prepared

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I, because Ia and La look alike


def crowd(number: int) -> list[User]:
    """Create users named Aa, Ba, Ca …"""
    return [person(f"{LETTERS[n]}a") for n in range(number)]


def cup(organizer: User, people: Iterable[User] = (), **terms: object) -> Tournament:
    """Open a tournament for sign-up and enter these people. It starts when it is full or its organizer starts it."""
    usual = {"name": "Harbour Cup", "full": False, "clock": "move 1d", "days_a_round": 30, "seats": 8}
    tournament = tournaments.open_tournament(user=organizer, terms=TournamentTerms(**{**usual, **terms}))
    for user in people:
        tournaments.join(tournament=tournament, user=user)
    return tournament


def begun(organizer: User, people: Iterable[User], **terms: object) -> Tournament:
    """Start a tournament: the first round is being played. The first one of a test is kept for other tests."""
    people = tuple(people)

    def start() -> Tournament:
        tournament = cup(organizer, people, **terms)
        tournaments.start(tournament=tournament, user=organizer)
        return sweep(tournament)

    if Tournament.objects.exists() or RatedPlayer.objects.exists():
        return start()
    return prepared(organizer, people, *sorted(terms.items()), lead_to=start)


def sweep(tournament: Tournament) -> Tournament:
    """Count contests that ended, take the steps that are due, and begin the contests of a new round."""
    pools.sweep(timezone.now())
    tournament_steps.sweep(timezone.now())
    pools.sweep(timezone.now())
    return again(tournament)


def again(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def running(tournament: Tournament) -> list[Match]:
    rows = Match.objects.filter(pool__tournament=tournament, state="playing").select_related("game")
    return list(rows.order_by("round", "pool", "number"))


def names(match: Match) -> list[str]:
    """Return the names of its players."""
    return [appearance.entrant.name for appearance in match.appearances.select_related("entrant")]


def play(match: Match, *places: int) -> None:
    """End the contest with these places, by default in alphabetical order."""
    players = names(match)
    assert match.game is not None
    ends(match.game, *(places or [sorted(players).index(name) + 1 for name in players]))


def play_round(tournament: Tournament) -> Tournament:
    for match in running(tournament):
        play(match)
    return sweep(tournament)


def play_out(tournament: Tournament) -> Tournament:
    while again(tournament).is_running:
        play_round(tournament)
    return again(tournament)


def tables(tournament: Tournament, number: int) -> list[list[str]]:
    """Return the names at each table of a round."""
    rows = Match.objects.filter(pool__tournament=tournament, round=number).order_by("pool", "number")
    return [sorted(names(match)) for match in rows]


def places(tournament: Tournament) -> dict[str, int | None]:
    return dict(Entrant.objects.filter(tournament=tournament).order_by("place", "name").values_list("name", "place"))


def entrant(tournament: Tournament, name: str) -> Entrant:
    return Entrant.objects.get(tournament=tournament, name=name)


def titles(user: User) -> list[str]:
    """Return the titles of a user's email notices about tournaments, in order."""
    notices = Notice.objects.filter(user=user, kind__in=["season", "decision"], channel="email").order_by("pk")
    return [notice.title for notice in notices]


def everything() -> list[object]:
    """Return all rows that a step could have written."""
    kinds = (Tournament, Pool, Entrant, Match, Appearance, Intervention, Badge, Notice, Seat)
    return [list(kind.objects.order_by("pk").values_list()) for kind in kinds]


def in_days(days: int) -> date:
    return date.fromordinal(timezone.now().date().toordinal() + days)
