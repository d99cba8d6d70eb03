"""Ladders for tests, and contests on them that end without being played."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone

from accounts.models import Step, User
from accounts.moderation import roles
from accounts.moderation import services as moderation
from games.contests.ladders import services as ladder
from games.contests.models import Challenge, Climb, Ladder, Rung
from games.contests.ratings import scores
from games.notices.models import Notice
from games.tables.models import Game, Seat, Status, Vacation
from tests.cast import person


def ladder_of(*people: User, ruleset: str = "legends", **terms: object) -> Ladder:
    """Create a ladder of these people from the top down. Contests are single games."""
    for user in people:
        ladder.join(ruleset=ruleset, user=user)
    Ladder.objects.filter(ruleset=ruleset).update(**{"full": False, **terms})
    return Ladder.objects.get(ruleset=ruleset)


def order() -> list[str]:
    """Return the names from the top, with a dash for an empty rung."""
    rungs = list(Rung.objects.select_related("user").order_by("rung"))
    assert [rung.rung for rung in rungs] == list(range(1, len(rungs) + 1))
    return [rung.user.username if rung.user else "-" for rung in rungs]


def everything() -> list[object]:
    """Return all rows about ladders and contests, to check that nothing was written."""
    rows = (Challenge, Climb, Game, Ladder, Notice, Rung, Seat)
    return [list(model._default_manager.order_by("pk").values_list()) for model in rows]


def goes_on_vacation(user: User, days: int) -> None:
    """Put a user on vacation from today."""
    today = timezone.now().date()
    Vacation.objects.create(
        user=user, first=today, last=today + timedelta(days=days - 1), zone="UTC", announced=timezone.now()
    )
    user.away_until = datetime.combine(today + timedelta(days=days), datetime.min.time(), tzinfo=UTC)
    user.save()


def challenges(challenger: User, challenged: User) -> Challenge:
    return ladder.challenge(ruleset="legends", user=challenger, player=challenged.username)


def contest(challenger: User, challenged: User) -> Game:
    return ladder.accept(pk=challenges(challenger, challenged).pk, user=challenged)


def ends(game: Game, *places: int, at: datetime | None = None) -> None:
    """End the game with these places in seat order, without writing to its log."""
    for seat, place in zip(Seat.objects.filter(game=game).order_by("number"), places, strict=True):
        Seat.objects.filter(pk=seat.pk).update(place=place, total=10 - place, owes=False, deadline=None, since=None,
                                               time_left=None)  # fmt: skip
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED, ended_at=at or timezone.now())
    scores.write(games=[Game.objects.get(pk=game.pk)], full=None)


def suspend(user: User, kind: str = "suspend", days: int | None = 30) -> Step:
    """Let a moderator suspend or close the account."""
    chief = User.objects.filter(username="Selma").first() or person("Selma")
    roles.appoint(chief, roles.SENIOR)
    by = User.objects.get(pk=chief.pk)
    return moderation.take(
        by=by, user=user, kind=kind, days=days, reason="Insults.", expected=user.steps.count()
    )  # fmt: skip
