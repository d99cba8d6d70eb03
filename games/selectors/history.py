"""What somebody has played: the contests that ended, filtered, with pictures; and how one has fared against another.

It reads scores alone, so that a page of five thousand contests costs what a page of five costs.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Avg, Count, F, OuterRef, Q, QuerySet, Subquery, Sum

from accounts.models import User
from games.bots.registry import BOTS
from games.leagues import ratings
from games.leagues.models import RatedPlayer, Score
from games.selectors.rights import Reader, is_person

ON_A_PAGE = 20
IN_THE_PICTURE = 120  # steps of a rating that a picture shows
LATEST = 100  # contests whose points are taken apart by source


@dataclass(frozen=True)
class Person:
    """Whose history it is: of a user, or of a bot."""

    user: User | None = None
    bot: str = ""

    @property
    def name(self) -> str:
        return self.user.username if self.user else str(BOTS[self.bot].name)

    @property
    def condition(self) -> Q:
        return Q(user=self.user) if self.user else Q(bot=self.bot)


@dataclass(frozen=True)
class Wish:
    """What of a history is wanted; everything by default. Days are the reader's."""

    ruleset: str = ""
    rival: User | None = None
    since: date | None = None
    until: date | None = None

    @property
    def is_narrow(self) -> bool:
        return bool(self.ruleset or self.rival or self.since or self.until)


@dataclass(frozen=True)
class Contest:
    """An ended contest: the person's score and everybody's, best place first."""

    score: Score
    scores: list[Score]

    @property
    def others(self) -> list[Score]:
        return [one for one in self.scores if one.pk != self.score.pk]


@dataclass(frozen=True)
class Against:
    """How often the person stood before, level with and behind one rival, and both averages of points."""

    ahead: int
    level: int
    behind: int
    mine: float
    theirs: float


@dataclass(frozen=True)
class Place:
    """So many contests of so many players in one ruleset ended on this place, with so many points in all."""

    ruleset: str
    players: int
    place: int
    contests: int
    points: int


@dataclass(frozen=True)
class Step:
    """A rating after a contest."""

    at: date
    rating: ratings.Rating


@dataclass(frozen=True)
class History:
    """`count`, `won` and `points` (on average) are of all that is wanted, `contests` are those of one page.

    What pictures are drawn from is there on the first page alone: `places`, `steps` of the rating in one ruleset, and
    `sources`, points by source in the latest games of that ruleset.
    """

    person: Person
    wish: Wish
    contests: list[Contest]
    page: Page
    count: int
    won: int
    points: float | None
    rated: list[RatedPlayer]
    against: Against | None
    places: list[Place]
    drawn: str
    steps: list[Step]
    sources: dict[str, int]


def history(*, person: Person, reader: Reader, wish: Wish | None = None, page: str | int | None = None) -> History:
    """The person's contests as far as the reader may see them: private ones are for those who sat at the table."""
    wish = wish or Wish()
    scores = wanted(person, reader, wish)
    reached = places(scores)
    pages = Paginator(scores.select_related("game").defer("game__result"), ON_A_PAGE)
    pages.count = sum(one.contests for one in reached)  # one query for all that is counted
    shown = pages.get_page(page)
    is_first, drawn = not shown.has_previous(), wish.ruleset or latest_ruleset(shown)
    return History(
        person=person, wish=wish, contests=contests(list(shown)), page=shown, drawn=drawn,
        count=pages.count, won=sum(one.contests for one in reached if one.place == 1),
        points=sum(one.points for one in reached) / pages.count if pages.count else None,
        rated=list(RatedPlayer.objects.filter(person.condition).order_by("-contests")),
        against=against(scores, wish.rival) if wish.rival else None,
        places=reached if is_first else [],
        steps=steps(scores, drawn) if is_first and drawn else [],
        sources=sources(scores, drawn) if is_first and drawn else {},
    )  # fmt: skip


def wanted(person: Person, reader: Reader, wish: Wish) -> QuerySet[Score]:
    """The person's scores, latest first."""
    scores = Score.objects.filter(person.condition, may_see(person, reader))
    if wish.ruleset:
        scores = scores.filter(ruleset=wish.ruleset)
    if wish.rival:
        scores = scores.filter(game__in=Score.objects.filter(user=wish.rival).values("game"))
    if wish.since:
        scores = scores.filter(ended_at__date__gte=wish.since)
    if wish.until:
        scores = scores.filter(ended_at__date__lte=wish.until)
    return scores.order_by("-ended_at", "-id")


def may_see(person: Person, reader: Reader) -> Q:
    if not is_person(reader):
        return Q(listed=True)
    if person.user and person.user.pk == reader.pk:
        return Q()
    return Q(listed=True) | Q(game__in=Score.objects.filter(user=reader).values("game"))


def contests(scores: Sequence[Score]) -> list[Contest]:
    """The scores with those of everybody else, with one query for all."""
    by_game: dict[int, list[Score]] = defaultdict(list)
    for one in Score.objects.filter(game__in=[score.game_id for score in scores]).select_related("user"):
        by_game[one.game_id].append(one)
    return [Contest(score, sorted(by_game[score.game_id], key=lambda one: (one.place, one.seat))) for score in scores]


def latest_ruleset(page: Iterable[Score]) -> str:
    return next((score.ruleset for score in page), "")


def against(scores: QuerySet[Score], rival: User) -> Against:
    """Everything between the two that the reader may see."""
    theirs = Score.objects.filter(game=OuterRef("game"), user=rival)
    both = scores.annotate(place_2=Subquery(theirs.values("place")[:1]), points_2=Subquery(theirs.values("points")[:1]))
    counted = both.aggregate(
        ahead=Count("pk", filter=Q(place__lt=F("place_2"))),
        level=Count("pk", filter=Q(place=F("place_2"))),
        behind=Count("pk", filter=Q(place__gt=F("place_2"))),
        mine=Avg("points"),
        theirs=Avg("points_2"),
    )
    return Against(**{name: value or 0 for name, value in counted.items()})


def places(scores: QuerySet[Score]) -> list[Place]:
    """How often each place was reached, by ruleset and number of players."""
    kinds = scores.order_by().values("ruleset", "players", "place")
    counted = kinds.annotate(contests=Count("pk"), points=Sum("points"))
    return [Place(**one) for one in counted.order_by("players", "place")]


def steps(scores: QuerySet[Score], ruleset: str) -> list[Step]:
    """The rating after each of the latest rated contests, oldest first."""
    rated = scores.filter(ruleset=ruleset, counts=True, order__isnull=False)
    latest = rated.values_list("ended_at", "mu_after", "sigma_after")[:IN_THE_PICTURE]
    return [Step(at.date(), ratings.Rating(mu or 0, sigma or 0)) for at, mu, sigma in reversed(latest)]


def sources(scores: QuerySet[Score], ruleset: str) -> dict[str, int]:
    """Points by source of the scoresheet in the latest contests."""
    summed: dict[str, int] = defaultdict(int)
    for games in scores.filter(ruleset=ruleset).values_list("games", flat=True)[:LATEST]:
        for line in games:
            for source, points in line["sources"].items():
                summed[source] += points
    return dict(summed)


# For other programs

COLUMNS = (
    "ended", "game", "players", "seats", "place", "points", "rated", "rating_before", "rating_after", "opponents",
    "points_by_game", "bids_by_game", "games",
)  # fmt: skip


def rows(scores: QuerySet[Score]) -> Iterable[dict[str, Any]]:
    """Every contest as plain values, latest first."""
    batch: list[Score] = []
    for score in scores.iterator(chunk_size=500):
        batch.append(score)
        if len(batch) == 500:
            yield from map(_row, contests(batch))
            batch = []
    yield from map(_row, contests(batch))


def _row(contest: Contest) -> dict[str, Any]:
    score = contest.score
    return {
        "ended": score.ended_at.isoformat(timespec="seconds"),
        "game": score.ruleset,
        "players": score.players,
        "seats": [line["seat"] + 1 for line in score.games],
        "place": score.place,
        "points": score.points,
        "rated": score.counts,
        "rating_before": score.before.shown if score.before else None,
        "rating_after": score.after.shown if score.after else None,
        "opponents": [one.name for one in contest.others],
        "points_by_game": [line["points"] for line in score.games],
        "bids_by_game": [line.get("bid") for line in score.games],
        "games": [line["game"] for line in score.games],
    }
