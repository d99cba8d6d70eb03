"""Histories: a person's ended contests, filtered, with charts and comparisons with a rival, and as files.

Only scores are read: totals from an index, the rest for the contests that are shown.
"""

import csv
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.timezone import localtime, make_aware

from accounts.models import User
from empire.web.languages import display_name
from games.bots.registry import BOTS, current, known_as
from games.contests.models import RatedPlayer, Score, Size, SizeRating
from games.contests.models.scores import FINAL_PLACE
from games.contests.ratings import model as ratings
from games.rules.registry import get
from games.tables.models import Block, Game, Seat, Status
from games.tables.selectors.rights import Reader, closed_by_block, is_person

ON_A_PAGE = 15
IN_THE_PICTURE = 60  # contests from which a rating and points by source are drawn
OF_BOTS = 5000  # contests listed for a bot, which plays more than anyone would read
READ = (
    "full_game", "game", "seat", "user", "bot", "name", "ruleset", "players", "counts", "who",
    "gave_up", "place", "ruled", "points", "games", "ended_at", "mu_before", "sigma_before", "mu_after", "sigma_after",
)  # fmt: skip
DRAWN = ("ended_at", "ruleset", "game", "counts", "user", "who", "mu_after", "sigma_after", "games")
RATED, RATING = ("ruleset", "mu", "sigma", "contests", "shown", "is_provisional", "last_at"), "rating_"
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(9000, 1, 1)  # beyond these years, times cannot be converted


@dataclass(frozen=True)
class Person:
    """The person of a history: a user or a bot. `rated`: their ratings, if already loaded."""

    user: User | None = None
    bot: str = ""
    rated: list[RatedPlayer] | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        return self.user.username if self.user else display_name(BOTS[self.bot].name)

    @property
    def condition(self) -> Q:
        return Q(user=self.user) if self.user else Q(bot__in=known_as(self.bot), user=None)

    def has(self, score: Score) -> bool:
        """Whether the score is theirs."""
        return score.user_id == self.user.pk if self.user else current(score.bot) == self.bot


@dataclass(frozen=True)
class HistoryFilter:
    """The filters of a history. Days are in the reader's time zone."""

    ruleset: str = ""
    rival: Person | None = None
    since: date | None = None
    until: date | None = None

    @property
    def is_narrow(self) -> bool:
        return bool(self.ruleset or self.rival or self.since or self.until)


@dataclass(frozen=True)
class EndedContest:
    """An ended contest: the person's score and all scores, best place first.

    With `hides_points` it is private, and someone has replaced the reader: the scores have only the games that the
    reader may still see, and their points are not shown.
    """

    score: Score
    scores: list[Score]
    hides_points: bool = False

    @property
    def others(self) -> list[Score]:
        return [score for score in self.scores if score.pk != self.score.pk]


@dataclass(frozen=True)
class HeadToHead:
    """How often the person finished ahead of, level with and behind a rival, and the averages of both.

    They are averages of points or of places, as in `History`.
    """

    ahead: int
    level: int
    behind: int
    average: float | None
    rival_average: float | None


@dataclass(frozen=True)
class Place:
    """How many contests of a ruleset and number of players ended in this place, with the sum of points.

    If a rival is given, also by `rival_place`, with the sum of the rival's points. Points that the reader may not see
    are left out, and `hidden` is the number of their contests.
    """

    ruleset: str
    players: int
    place: int
    contests: int
    points: int
    rival_place: int = 0
    rival_points: int = 0
    hidden: int = 0


@dataclass(frozen=True)
class Step:
    """A rating after a contest."""

    at: date
    rating: ratings.Rating


@dataclass(frozen=True)
class History:
    """A history. `count`, `won` and `average` cover all matching contests, `contests` those of one page.

    The `average` is that of the points, or without `has_points` that of the places: in some of the games, such as
    Kingdoms, points only count places.

    The data of charts is only on the first page: `places`, `steps` of the rating in one ruleset, and `sources`, the
    average points by source in the latest games of that ruleset, of which there are `games`. `sizes` are the ratings by
    size in games that the person has played with two players and with more. `running` are the current games of full
    games in which the person has finished one; only its own reader sees them, and only before filtering.
    """

    person: Person
    filters: HistoryFilter
    contests: list[EndedContest]
    page: Page
    count: int
    won: int
    has_points: bool
    average: float | None
    rated: list[RatedPlayer]
    sizes: dict[str, list[SizeRating]]
    against: HeadToHead | None
    places: list[Place]
    drawn: str
    steps: list[Step]
    sources: dict[str, float]
    games: int
    running: list[Game]

    @property
    def strengths(self) -> list[tuple[RatedPlayer, list[SizeRating]]]:
        """Return the overall rating in each game with the ratings by size."""
        return [(rating, self.sizes.get(rating.ruleset, [])) for rating in self.rated]


def history(
    *, person: Person, reader: Reader, filters: HistoryFilter | None = None, page: str | int | None = None
) -> History:
    """Return the person's contests that the reader may see. Private ones are visible to those who played in them."""
    filters = filters or HistoryFilter()
    scores, closed = filtered_scores(person, reader, filters), closed_to(reader)
    reached = places(scores, filters.rival, closed)
    pages = Paginator(scores, ON_A_PAGE)
    pages.count = count = sum(place.contests for place in reached)  # one query for all totals
    has_points = all(get(place.ruleset).has_running_points for place in reached)
    total = sum(place.points if has_points else place.place * place.contests for place in reached)
    averaged = count - sum(place.hidden for place in reached) if has_points else count
    shown = pages.get_page(page)
    listed = contests(person, scores[shown.start_index() - 1 : shown.end_index()], reader, closed) if count else []

    against = None
    if filters.rival:  # everything between the two that the reader may see
        ahead = sum(place.contests for place in reached if place.place < place.rival_place)
        behind = sum(place.contests for place in reached if place.place > place.rival_place)
        rival_total = sum(place.rival_points if has_points else place.rival_place * place.contests for place in reached)
        averages = (total / averaged, rival_total / averaged) if averaged else (None, None)
        against = HeadToHead(ahead, count - ahead - behind, behind, *averages)

    is_own, running = is_person(reader) and person.user == reader, list[Game]()
    if is_own and not (filters.is_narrow or shown.has_previous()):
        later_games = Game.objects.filter(status=Status.RUNNING, number__gt=1, seats__owner=reader)
        running = list(later_games.order_by("-opened_at").prefetch_related("seats"))

    drawn = filters.ruleset or next((contest.score.ruleset for contest in listed), "")
    latest: list[Score] = []
    if listed and not shown.has_previous():
        latest = list(scores.filter(ruleset=drawn).only(*DRAWN)[:IN_THE_PICTURE])
    with_points = [score for score in latest if score.rules.has_running_points and score.game_id not in closed]
    lines = [line for score in with_points for line in score.games]
    sources: dict[str, int] = defaultdict(int)
    for line in lines:
        for source, amount in line["sources"].items():
            sources[source] += amount

    rated = [] if filters.rival else person.rated
    if rated is None:
        rated = list(RatedPlayer.objects.filter(person.condition).order_by("-contests"))
    by_size: dict[str, list[SizeRating]] = defaultdict(list)
    played = {(place.ruleset, Size.of(place.players)) for place in reached}
    if rated and len(played) > len({ruleset for ruleset, _size in played}):
        for size_rating in SizeRating.objects.filter(person.condition).order_by("-size"):
            by_size[size_rating.ruleset].append(size_rating)
    return History(
        person=person, filters=filters, contests=listed, page=shown, drawn=drawn, count=count,
        won=sum(place.contests for place in reached if place.place == 1),
        has_points=has_points, average=total / averaged if averaged else None, rated=rated,
        sizes={game: rows for game, rows in by_size.items() if len(rows) > 1}, against=against,
        places=[] if shown.has_previous() else reached,
        steps=[
            Step(localtime(score.ended_at).date(), score.after)
            for score in reversed(latest)
            if score.is_rated and score.after
        ],
        sources={source: amount / len(lines) for source, amount in sources.items()}, games=len(lines),
        running=running,
    )  # fmt: skip


def player(name: str, reader: Reader) -> tuple[User, list[RatedPlayer]] | None:
    """Return a user and their ratings with one query.

    `is_blocked`: the reader has blocked them. `closes_table`: blocking them would close a table of the reader.
    """
    blocks, closed = Block.objects.none(), Game.objects.none()
    if is_person(reader):
        blocks = Block.objects.filter(user=reader, blocked=OuterRef("pk"))
        closed = closed_by_block(reader, OuterRef("pk"))
    about = {"is_blocked": Exists(blocks), "closes_table": Exists(closed)}
    rating = {f"{RATING}{name}": F(f"ratings__{name}") for name in RATED}
    users = list(User.with_name(name).annotate(**rating, **about).order_by("-ratings__contests"))
    rated = [{name: getattr(user, f"{RATING}{name}") for name in RATED} for user in users]
    return (users[0], [RatedPlayer(**columns) for columns in rated if columns["ruleset"]]) if users else None


def filtered_scores(person: Person, reader: Reader, filters: HistoryFilter) -> QuerySet[Score]:
    """Return the person's matching scores, latest first; for a bot only the latest ones.

    If the rival is a user, who has one seat, their score is `other`.
    """
    scores = Score.objects.filter(person.condition)
    if not is_person(reader):
        scores = scores.filter(listed=True)
    elif not (person.user and person.user.pk == reader.pk):
        scores = scores.filter(Q(listed=True) | Q(played_by(Q(user=reader))))
    if filters.ruleset:
        scores = scores.filter(ruleset=filters.ruleset)
    if filters.rival and filters.rival.user:
        other = FilteredRelation("game__scores", condition=Q(game__scores__user=filters.rival.user))
        scores = scores.annotate(other=other).filter(other__isnull=False)
    elif filters.rival:
        scores = scores.filter(played_by(filters.rival.condition))
    if filters.since:
        scores = scores.filter(ended_at__gte=moment(filters.since, time.min))
    if filters.until:
        scores = scores.filter(ended_at__lte=moment(filters.until, time.max))
    if person.bot:  # it may have several seats; a contest counts once, by the best of them
        scores = scores.alias(final=FINAL_PLACE)
        same = Score.objects.filter(person.condition, game=OuterRef("game")).alias(final=FINAL_PLACE)
        better = Q(final__lt=OuterRef("final")) | Q(final=OuterRef("final"), seat__lt=OuterRef("seat"))
        scores = scores.exclude(Exists(same.filter(better)))
        last = scores.order_by("-ended_at").values("ended_at")[OF_BOTS - 1 : OF_BOTS]
        scores = scores.filter(ended_at__gte=Coalesce(Subquery(last), LONG_AGO))
    return scores.order_by("-ended_at", "-id")


def played_by(who: Q) -> Exists:
    """Return a condition on scores: these players also have a score in the contest."""
    return Exists(Score.objects.filter(who, game=OuterRef("game")))


def moment(day: date, at: time) -> datetime:
    """Return the start or end of the day in the reader's time zone."""
    return make_aware(datetime.combine(min(max(day, FIRST_DAY), LAST_DAY), at))


def closed_to(reader: Reader) -> set[int]:
    """Return the last games of ended private contests that the reader may no longer see, because of a replacement."""
    if not is_person(reader):
        return set()
    seats = Seat.objects.filter(Q(user=reader) | Q(owner=reader), game=OuterRef("game"))
    replaced = Score.objects.filter(user=reader, listed=False, stood__isnull=False)
    return set(replaced.exclude(Exists(seats)).values_list("game", flat=True))


def contests(
    person: Person, scores: QuerySet[Score], reader: Reader = None, closed: Collection[int] = ()
) -> list[EndedContest]:
    """Return the contests of these scores in their order, with one query for all scores.

    Each score has the `options` of its game, and if that is the whole contest, what players count: `counted`.
    """
    seats = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), game__full_game=None)
    all_scores = Score.objects.filter(game__in=scores.values("game")).annotate(
        options=F("game__options"), counted=Subquery(seats.values("counted"))
    )
    return _as_contests(person, all_scores, reader, closed)


def _as_contests(
    person: Person, scores: QuerySet[Score], reader: Reader, closed: Collection[int]
) -> list[EndedContest]:
    """Return the contests that these scores make up, latest first."""
    by_game: dict[int, list[Score]] = defaultdict(list)
    for score in scores.only(*READ).order_by("-ended_at", "-id"):
        by_game[score.game_id].append(score)
    placed = {
        game: sorted(together, key=lambda score: (score.final_place, score.seat)) for game, together in by_game.items()
    }
    hide_games([score for game in by_game if game in closed for score in placed[game]], reader)
    return [
        EndedContest(next(score for score in placed[game] if person.has(score)), placed[game], game in closed)
        for game in by_game
    ]


def hide_games(scores: Collection[Score], reader: Reader) -> None:
    """Leave only the games that the reader may still see in these scores, which are of closed contests."""
    if not scores:
        return
    played = {line["game"] for score in scores for line in score.games}
    own_seats = Seat.objects.filter(Q(user=reader) | Q(owner=reader), game__public_id__in=played)
    seen = set(own_seats.values_list("game__public_id", flat=True))
    for score in scores:
        score.games = [line for line in score.games if line["game"] in seen]


def without_later_games(user: User, scores: Iterable[Score]) -> Iterator[Score]:
    """Yield the person's scores for the archive of their data: of contests that are closed to them, without points."""
    closed = closed_to(user)
    for score in scores:
        if score.game_id in closed:
            hide_games([score], user)
            score.points = None  # type: ignore[assignment]  # it is not saved
        yield score


def places(scores: QuerySet[Score], rival: Person | None = None, closed: Collection[int] = ()) -> list[Place]:
    """Count how often each place was reached, by ruleset and number of players, and by the place of the rival.

    Points of the `closed` contests, given by their last games, are left out.

    Places are those that count in the end: where an organizer has decided a match, that decides.
    """
    kinds, by = scores.order_by().annotate(final=FINAL_PLACE), ["ruleset", "players", "final"]
    open_ones = ~Q(game__in=closed) if closed else Q()
    counts: dict[str, Any] = {"contests": Count("pk"), "points": Sum("points", filter=open_ones, default=0)}
    if closed:
        counts["hidden"] = Count("pk", filter=Q(game__in=closed))
    if rival:
        by.append("rival_place")
        counts["rival_points"] = Sum("rival_score", filter=open_ones, default=0)
        if rival.user:
            rivals = Coalesce("other__ruled", "other__place")
            kinds = kinds.annotate(rival_place=rivals, rival_score=F("other__points"))
        else:  # a bot may have two seats
            best = Score.objects.filter(rival.condition, game=OuterRef("game")).order_by(FINAL_PLACE, "seat")
            place, points = Subquery(best.values(final=FINAL_PLACE)[:1]), Subquery(best.values("points")[:1])
            kinds = kinds.annotate(rival_place=place, rival_score=points)
    reached = kinds.values(*by).annotate(**counts).order_by("players", "final")
    return [Place(place=columns.pop("final"), **columns) for columns in reached]


# Scores as rows of a file. docs/standings.md explains each column

BATCH = 200
COLUMNS = (
    "ended", "ruleset", "full_game", "players", "place", "points", "rated", "gave_up", "rating_before", "rating_after",
    "rating_change", "opponents", "opponent_places", "opponent_points", "games", "seats", "bids", "game_places",
    "game_points", "game_sources", "link", "game_links", "decided",
)  # fmt: skip

FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # characters that make spreadsheets compute a formula

Link = Callable[[str], str]  # from a path to a URL
Row = dict[str, Any]


def rows(person: Person, scores: QuerySet[Score], link: Link, reader: Reader) -> Iterator[Row]:
    """Yield each contest with the `COLUMNS`, latest first. Seats count from 1. Bids are None if there were none.

    Points that the reader may not see are None or missing, and so are games, see `EndedContest`.

    `decided`: an organizer has decided the match, so places may differ from `game_places`, those of the games.
    """
    keys, page = list(scores.values_list("pk", "game")), link(reverse("table", args=["NAME"]))
    closed = closed_to(reader)
    for first in range(0, len(keys), BATCH):
        game_by_score = dict(keys[first : first + BATCH])
        for contest in _as_contests(person, Score.objects.filter(game__in=game_by_score.values()), reader, closed):
            if contest.score.pk not in game_by_score:
                continue
            score, others, games = contest.score, contest.others, contest.score.games
            before, after = (score.before, score.after) if score.is_rated else (None, None)
            pages, hides = [page.replace("NAME", line["game"]) for line in games], contest.hides_points
            whole = link(reverse("full_game", args=[score.full_game_id])) if score.full_game_id else ""
            yield {
                "ended": score.ended_at.isoformat(timespec="seconds"),
                "ruleset": score.ruleset,
                "full_game": score.full_game_id is not None,
                "players": score.players,
                "place": score.final_place,
                "points": None if hides else score.points,
                "rated": score.is_rated,
                "gave_up": score.gave_up,
                "rating_before": before.shown if before else None,
                "rating_after": after.shown if after else None,
                "rating_change": score.change,
                "opponents": [other.name for other in others],
                "opponent_places": [other.final_place for other in others],
                "opponent_points": [] if hides else [other.points for other in others],
                "games": [line["game"] for line in games],
                "seats": [line["seat"] + 1 for line in games],
                "bids": [line.get("bid") for line in games],
                "game_places": [line["place"] for line in games],
                "game_points": [line["points"] for line in games],
                "game_sources": [line["sources"] for line in games],
                "link": whole or pages[0] if pages else "",
                "game_links": pages,
                "decided": score.ruled is not None,
            }


def csv_lines(rows: Iterable[Row], columns: Sequence[str] = COLUMNS) -> Iterator[str]:
    """Yield the lines of a CSV file: lists joined with semicolons, and nothing that is computed as a formula."""
    writer = csv.writer(Echo())
    yield writer.writerow(columns)
    for row in rows:
        cells = []
        for value in (row[column] for column in columns):
            words = text(value)
            cells.append(f"'{words}" if words.startswith(FORMULAS) and not isinstance(value, int) else words)
        yield writer.writerow(cells)


class Echo:
    """A file for the CSV writer whose `write` returns the text instead of storing it."""

    def write(self, text: str) -> str:
        return text


def text(value: Any) -> str:
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, list):
        return "; ".join(map(text, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    return "" if value is None else str(value)
