"""Which lessons a reader can begin, continue or repeat, and when a table offers one."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.models import User
from empire.prepared import Prepared
from games.rules.registry import get
from games.tables.lessons import LESSONS
from games.tables.models import Game, Seat, Status
from games.tables.selectors.rights import Reader

FEW_TURNS = 10  # after so many turns nobody is offered a lesson at the table
# A seat of a user in a finished game of a ruleset: any of them, because PostgreSQL would have to read all to sort them
FINISHED = Prepared(
    lambda user, ruleset: Seat.objects.filter(
        owner=user, game__ruleset=ruleset, game__status=Status.FINISHED
    ).order_by()[:1]
)


@dataclass(frozen=True)
class LessonOffer:
    """A lesson in a list. `unfinished` is the reader's game to continue; `is_done`: they have finished it before."""

    slug: str
    name: str
    minutes: int
    unfinished: Game | None
    is_done: bool


def offers(user: Reader) -> list[LessonOffer]:
    """Return all lessons as this reader finds them."""
    own_lessons = Game.objects.none()
    if isinstance(user, User):
        own_lessons = Game.objects.filter(opener=user, status__in=[Status.RUNNING, Status.FINISHED]).exclude(lesson="")
    begun = list(own_lessons.order_by("pk"))
    return [
        LessonOffer(
            slug, _(get(slug).name), lesson.minutes,
            next((game for game in begun if game.lesson == slug and game.is_running), None),
            any(game.lesson == slug and game.is_finished for game in begun),
        )
        for slug, lesson in LESSONS.items()
    ]  # fmt: skip


def offered_at(game: Game, user: Reader) -> str:
    """Return the slug of a lesson for a reader who has finished neither it nor a game; empty after a few turns."""
    if game.lesson or game.ruleset not in LESSONS:
        return ""
    if not isinstance(user, User):
        return game.ruleset
    if len(user.punctuality) >= FEW_TURNS:
        return ""
    return "" if FINISHED(user.pk, game.ruleset) else game.ruleset
