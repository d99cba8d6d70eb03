"""The calibration of ratings: predicted and actual results, by decile, seat and bid.

A result is a pair of players of one contest of whom one finished ahead. The chance is what the ratings before the
contest predict. Results of one contest depend on each other, so intervals are worked out from contests, not from pairs.

The figures are worked out every night from the latest contests and kept with the book, so that a page reads one row.
A contest that is hidden because others still play its deal is left out, and so are seats and bids of a few contests,
so that nobody learns what was bid at a private table.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby, pairwise
from math import sqrt
from statistics import fmean, variance

import msgspec

from games.contests.models import RatingBook, Score
from games.contests.models.scores import Size
from games.contests.ratings import book
from games.contests.ratings import model as ratings
from games.contests.ratings.generators import Contest
from games.estimates import NINETY_FIVE
from games.rules.registry import RULESETS

LATEST = 5000  # contests from which the figures are worked out
FEWEST = 100  # results, before there is anything to show
FEWEST_OF_ONE = 30  # contests with a seat or bid, before it is shown
GROUPS = 10
HIGH_BID = 4  # bids from here on are one group

# The number of a contest, the chance that a player beats another, and whether they did
Result = tuple[int, float, bool]


class Decile(msgspec.Struct, frozen=True, rename={"predicted": "said", "actual": "came"}):
    """A tenth of the results, by the chance of the favorite, in percent.

    `predicted` is how often favorites should win, `actual` how often they did, and `doubt` half of the 95% interval.
    The book keeps them under other names.
    """

    results: int
    predicted: float
    actual: float
    doubt: float

    @property
    def is_off(self) -> bool:
        """Whether the prediction is outside of the interval."""
        return abs(self.predicted - self.actual) > self.doubt


class Effect(msgspec.Struct, frozen=True, rename={"actual": "came"}):
    """The effect of a seat or bid on the share of opponents that a player beats.

    `actual` is that share, and `more` how much more it is than the ratings predict. `more` and `doubt`, half of the 95%
    interval, are in percentage points.
    """

    name: str
    contests: int
    actual: float
    more: float
    doubt: float

    @property
    def is_clear(self) -> bool:
        return abs(self.more) > self.doubt


@dataclass(frozen=True)
class Calibration:
    """The calibration of one game, from its latest contests. Without enough results there are no `deciles`."""

    contests: int = 0
    results: int = 0
    whole: Decile | None = None
    deciles: list[Decile] = field(default_factory=list)
    seats: list[tuple[Size, list[Effect]]] = field(default_factory=list)
    bids: list[Effect] = field(default_factory=list)


def deciles(results: Iterable[Result], groups: int = GROUPS) -> list[Decile]:
    """Return groups of equally many results, by the chance of the favorite, from even to clear."""
    favorites = sorted(
        (chance, contest, won) if chance >= 0.5 else (1 - chance, contest, not won) for contest, chance, won in results
    )
    edges = [round(len(favorites) * n / groups) for n in range(groups + 1)]
    return [decile(favorites[low:high]) for low, high in pairwise(edges) if high > low]


def decile(favorites: Sequence[tuple[float, int, bool]]) -> Decile:
    """Return a group of results, each as the chance of the favorite, the contest, and whether the favorite won."""
    predicted, actual = fmean(chance for chance, _contest, _won in favorites), fmean(won for *_more, won in favorites)
    by_contest: dict[int, float] = defaultdict(float)
    for chance, contest, won in favorites:
        by_contest[contest] += won - chance - (actual - predicted)
    spread = sum(deviation * deviation for deviation in by_contest.values()) / len(favorites) ** 2
    # Agresti and Coull's four extra results, so that ten out of ten is not certain
    nearer = (actual * len(favorites) + 2) / (len(favorites) + 4)
    doubt = NINETY_FIVE * sqrt(max(spread, nearer * (1 - nearer) / (len(favorites) + 4)))
    return Decile(len(favorites), 100 * predicted, 100 * actual, 100 * doubt)


def effect(name: str, by_contest: Sequence[tuple[float, float]]) -> Effect:
    """Return an effect from the actual and the predicted share of beaten opponents in each contest."""
    more = [actual - predicted for actual, predicted in by_contest]
    error = sqrt(variance(more) / len(more)) if len(more) > 1 else 0.5
    mean = fmean(actual for actual, _predicted in by_contest)
    return Effect(name, len(more), 100 * mean, 100 * fmean(more), 196 * error)


def collect() -> None:
    """Work out the calibration of all games again and keep it."""
    for ruleset in RULESETS:
        figures = msgspec.to_builtins(work_out(ruleset))
        RatingBook.objects.filter(ruleset=ruleset).update(calibration=figures)


def calibration(ruleset: str) -> Calibration:
    """Return the calibration of an existing game as of last night."""
    stored = RatingBook.objects.filter(ruleset=ruleset).values_list("calibration", flat=True).first()
    return msgspec.convert(stored, Calibration) if stored else Calibration()


def in_book(ruleset: str, latest: int) -> Iterable[list[Score]]:
    """Yield the latest rated contests of the book that may be shown, earliest first, as scores by seat."""
    rated = Score.objects.filter(ruleset=ruleset, counts=True, order__isnull=False, game__is_withheld=False)
    last = rated.order_by("-order").values_list("order", flat=True).first() or 0
    rows = rated.filter(order__gt=last - latest).order_by("order", "seat")
    for _order, scores in groupby(rows.iterator(chunk_size=1000), key=lambda score: score.order):
        yield list(scores)


def work_out(ruleset: str) -> Calibration:
    results: list[Result] = []
    seats: dict[tuple[Size, int], list[tuple[float, float]]] = defaultdict(list)
    bids: dict[int, list[tuple[float, float]]] = defaultdict(list)
    contests = 0
    for contests, scores in enumerate(in_book(ruleset, LATEST), start=1):
        places, length = book.places(scores), scores[0].length
        of_seat: dict[int, list[tuple[float, float]]] = defaultdict(list)
        for first, second in combinations(range(len(scores)), 2):
            rating, other_rating = scores[first].before, scores[second].before
            if rating is None or other_rating is None or places[first] == places[second]:
                continue
            chance, won = ratings.chance(rating, other_rating, games=length), places[first] < places[second]
            results.append((contests, chance, won))
            of_seat[first].append((float(won), chance))
            of_seat[second].append((float(not won), 1 - chance))
        for seat, pairs in of_seat.items():
            mean = fmean(actual for actual, _predicted in pairs), fmean(predicted for _actual, predicted in pairs)
            seats[scores[0].size, seat].append(mean)
            if length == 1 and "bid" in scores[seat].games[0]:
                bids[min(scores[seat].games[0]["bid"], HIGH_BID)].append(mean)
    if len(results) < FEWEST:
        return Calibration(contests, len(results))
    by_size: dict[Size, list[Effect]] = defaultdict(list)
    for (size, seat), means in sorted(seats.items()):
        if len(means) >= FEWEST_OF_ONE:
            by_size[size].append(effect(str(seat + 1), means))
    by_bid = [
        effect(f"{bid}+" if bid == HIGH_BID else str(bid), means)
        for bid, means in sorted(bids.items())
        if len(means) >= FEWEST_OF_ONE
    ]
    in_order = [(size, by_size[size]) for size in Size if size in by_size]
    return Calibration(contests, len(results), deciles(results, 1)[0], deciles(results), in_order, by_bid)


def as_contests(ruleset: str, latest: int) -> list[Contest]:
    """Return the latest contests of the site in the form in which models are evaluated."""
    contests: list[Contest] = []
    numbers: dict[str, int] = {}
    first = None
    for scores in in_book(ruleset, latest):
        first = first or scores[0].ended_at
        names = [score.who or f"{score.pk}" for score in scores]
        contests.append(
            Contest(
                0,
                max(0.0, (scores[0].ended_at - first).total_seconds() / 86_400),
                [numbers.setdefault(name, len(numbers)) for name in names],
                book.places(scores),
                [[score.games[n]["points"] for score in scores] for n in range(len(scores[0].games))],
            )
        )
    return contests
