"""The rating list of a game, and the reader's own rank."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate

from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet

from games.bots.registry import BOTS
from games.contests.models import RatedPlayer
from games.contests.ratings.model import weight
from games.rules.protocol import Ruleset
from games.rules.registry import get
from games.tables.selectors.rights import Reader, is_person

ON_A_PAGE = 50
COUNTED_FOR = 60  # seconds for which counts are cached


@dataclass(frozen=True)
class Ranked:
    """A player in the list. `rank` counts from 1; it is None while the rating is provisional."""

    row: RatedPlayer
    rank: int | None

    @property
    def name(self) -> str:
        return self.row.user.username if self.row.user else str(BOTS[self.row.bot].name)

    @property
    def doubt(self) -> int:
        return self.row.rating.doubt


@dataclass(frozen=True)
class Ranking:
    """A page of the list of one game, and the reader's own line with the number of its page."""

    rules: Ruleset
    lines: list[Ranked]
    page: Page
    mine: Ranked | None
    my_page: int | None


@dataclass(frozen=True)
class Levels:
    """The ratings that occur, from the lowest, and how many players have each or less."""

    ratings: list[int]
    up_to: list[int]

    @property
    def count(self) -> int:
        return self.up_to[-1] if self.up_to else 0

    def above(self, rating: int) -> int:
        """Return how many players have a higher rating."""
        level = bisect_right(self.ratings, rating)
        return self.count - (self.up_to[level - 1] if level else 0)

    def at(self, rank: int) -> int:
        """Return the rating of the player with this rank, who must exist."""
        return self.ratings[bisect_left(self.up_to, self.count - rank + 1)]


def settled(ruleset: str) -> QuerySet[RatedPlayer]:
    """Return the players with a reliable rating, from the top."""
    return RatedPlayer.objects.filter(ruleset=ruleset, is_provisional=False).order_by("-shown", "id")


def count_levels(ruleset: str) -> Levels:
    counted = settled(ruleset).order_by("shown").values_list("shown").annotate(players=Count("pk"))
    ratings, players = zip(*counted, strict=True) if counted else ((), ())
    return Levels(list(ratings), list(accumulate(players)))


def ranking(*, ruleset: str, reader: Reader, page: str | None = None) -> Ranking:
    """Return the list of an existing game. Ranks are found by rating instead of counting from the top."""
    # Counting a hundred thousand ratings takes longer than showing fifty, so the levels are cached for a minute.
    levels = cache.get_or_set(f"ratings.{ruleset}", lambda: count_levels(ruleset), COUNTED_FOR) or Levels([], [])
    shown = Paginator(range(1, levels.count + 1), ON_A_PAGE).get_page(page)
    ranks, lines = list(shown), []
    if ranks:
        rating = levels.at(ranks[0])
        before = ranks[0] - 1 - levels.above(rating)  # on the same level
        rows = settled(ruleset).filter(shown__lte=rating).select_related("user")[before : before + len(ranks)]
        lines = [Ranked(row, rank) for row, rank in zip(rows, ranks, strict=False)]

    me = RatedPlayer.objects.filter(ruleset=ruleset, user=reader).first() if is_person(reader) else None
    mine, my_page = Ranked(me, None) if me else None, None
    if me and not me.is_provisional:
        rank = levels.above(me.shown) + settled(ruleset).filter(shown=me.shown, id__lt=me.pk).count() + 1
        mine, my_page = Ranked(me, rank), (rank - 1) // ON_A_PAGE + 1
    return Ranking(get(ruleset), lines, shown, mine, my_page)


def repeats(*, is_open: bool) -> list[int]:
    """Return how much the first contests of the same two players count, in percent."""
    return [round(100 * weight(met, is_open=is_open)) for met in range(5)]
