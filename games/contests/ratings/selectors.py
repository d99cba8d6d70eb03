"""The rating list of a game, and the reader's own rank."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate, groupby, islice
from statistics import fmean
from typing import Any

from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet

from accounts.models import BotAccount, User
from empire.web.languages import display_name
from games.bots.registry import BOTS
from games.contests.models import RatedPlayer, Score, Size, SizeRating
from games.contests.ratings.model import RECENT, Rating, rate, weight
from games.rules.protocol import Ruleset
from games.rules.registry import get
from games.tables.selectors.rights import Reader, is_person

ON_A_PAGE, UNSURE_ON_A_PAGE = 50, 20
ENOUGH = 5  # players with a reliable rating for one size, before that size has a list of its own
COUNTED_FOR = 60  # seconds for which counts are cached


@dataclass(frozen=True)
class Ranked:
    """A player in the list. `rank` counts from 1; it is None while the rating is provisional."""

    rated_player: RatedPlayer | SizeRating
    rank: int | None

    @property
    def name(self) -> str:
        user = self.rated_player.user
        return user.username if user else display_name(BOTS[self.rated_player.bot].name)

    @property
    def is_away(self) -> bool:
        """Whether the rating was reliable and is provisional because of absence."""
        return self.rated_player.is_provisional and not self.rated_player.rating.is_provisional


@dataclass(frozen=True)
class Ranking:
    """A page of the list of one game: `size` "" is for all contests, others for those of this size alone.

    `own_line` is the reader's line, with the number of its page, and `my_sizes` their ratings by size. `unsure` is a
    page of the provisional players, who have no ranks. `sizes` are those with enough players for a list of their own.
    """

    rules: Ruleset
    size: str
    sizes: list[Size]
    lines: list[Ranked]
    page: Page
    unsure: Page
    own_line: Ranked | None
    my_page: int | None
    my_sizes: list[SizeRating]

    @property
    def query(self) -> str:
        """Return the start of the query of links to other pages of this list."""
        return f"size={self.size}&" if self.size else ""


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


def players(ruleset: str, size: str = "") -> QuerySet[Any]:
    """Return the rated players from the top, overall or for a size."""
    by_size = SizeRating.objects.filter(size=size) if size else RatedPlayer.objects.all()
    return by_size.filter(ruleset=ruleset).order_by("-shown", "id")


def settled(ruleset: str, size: str = "") -> QuerySet[Any]:
    """Return the players with a reliable rating, from the top."""
    return players(ruleset, size).filter(is_provisional=False)


def count_levels(ruleset: str, size: str = "") -> Levels:
    counted = settled(ruleset, size).order_by("shown").values_list("shown").annotate(players=Count("pk"))
    ratings, number = zip(*counted, strict=True) if counted else ((), ())
    return Levels(list(ratings), list(accumulate(number)))


def sizes(ruleset: str) -> list[Size]:
    """Return the sizes with enough players for a list of their own, if the game has several sizes."""
    possible = {Size.of(players) for players in get(ruleset).seat_counts}
    if len(possible) < 2:
        return []
    return [size for size in Size if len(settled(ruleset, size).values_list("pk")[:ENOUGH]) == ENOUGH]


def ranking(
    *, ruleset: str, reader: Reader, page: str | None = None, unsure: str | None = None, size: str | None = None
) -> Ranking:
    """Return the list of an existing game. Ranks are found by rating instead of counting from the top."""
    offered = sizes(ruleset)
    size = size if size in offered else ""

    # 1. The players with ranks. Counting a hundred thousand ratings takes longer than showing fifty, so the levels are
    # cached for a minute; not while there are none, so that the list is not empty when the first player comes in.
    name = f"ratings.{ruleset}.{size}"
    levels = cache.get(name)
    if levels is None:
        levels = count_levels(ruleset, size)
        if levels.count:
            cache.set(name, levels, COUNTED_FOR)
    shown = Paginator(range(1, levels.count + 1), ON_A_PAGE).get_page(page)
    ranks, lines = list(shown), []
    if ranks:
        rating = levels.at(ranks[0])
        before = ranks[0] - 1 - levels.above(rating)  # on the same level
        on_page = settled(ruleset, size).filter(shown__lte=rating).select_related("user")[before : before + len(ranks)]
        lines = [Ranked(rated_player, rank) for rated_player, rank in zip(on_page, ranks, strict=False)]

    # 2. The provisional ones
    others = players(ruleset, size).filter(is_provisional=True).select_related("user")
    provisional = Paginator(others, UNSURE_ON_A_PAGE).get_page(unsure)
    provisional.object_list = [Ranked(rated_player, None) for rated_player in provisional.object_list]

    # 3. The reader
    me = players(ruleset, size).filter(user=reader).first() if is_person(reader) else None
    my_sizes = list(SizeRating.objects.filter(ruleset=ruleset, user=reader).order_by("-size")) if me else []
    own_line, my_page = Ranked(me, None) if me else None, None
    if me and not me.is_provisional:
        rank = levels.above(me.shown) + settled(ruleset, size).filter(shown=me.shown, id__lt=me.pk).count() + 1
        own_line, my_page = Ranked(me, rank), (rank - 1) // ON_A_PAGE + 1
    return Ranking(get(ruleset), size, offered, lines, shown, provisional, own_line, my_page, my_sizes)


def repeats(*, listed: bool) -> list[int]:
    """Return how much the first contests of the same two players count, in percent."""
    return [round(100 * weight(met, listed=listed)) for met in range(5)]


# Estimates of outside bots

LATEST_OF_A_BOT = 200  # contests of each game that an estimate is read from


@dataclass(frozen=True)
class Estimate:
    """How strong an outside bot seems at a game. It is in no list, and changes nobody's rating."""

    ruleset: str
    rating: Rating
    contests: int


def estimates(bot: User) -> list[Estimate]:
    """Return the estimates of an outside bot, from its latest contests, none of which is rated.

    The others have their ratings of today, or that of a newcomer. As in the book, repeats with the same opponent tell
    less. Contests with the bot's owner or with their other bots are left out, because they could arrange them.
    """
    account = BotAccount.objects.filter(pk=bot.pk).first()
    if account is None:
        return []
    owner_and_bots = {
        str(account.owner_id),
        *map(str, BotAccount.objects.filter(owner=account.owner_id).values_list("pk", flat=True)),
    }
    own_scores = Score.objects.filter(user=bot, counts=False).order_by("ruleset", "-pk")
    latest = [
        score.game_id
        for _ruleset, scores in groupby(own_scores, key=lambda score: score.ruleset)
        for score in islice(scores, LATEST_OF_A_BOT)
    ]
    by_game: dict[int, list[Score]] = defaultdict(list)
    for score in Score.objects.filter(game__in=latest).order_by("ended_at", "pk").defer("games"):
        by_game[score.game_id].append(score)
    current_ratings = {
        (rated.ruleset, str(rated.user_id or rated.bot)): rated.rating
        for rated in RatedPlayer.objects.filter(
            Q(user__in=[score.user_id for scores in by_game.values() for score in scores]) | ~Q(bot="")
        )
    }
    by_ruleset: dict[str, Estimate] = {}
    met: dict[tuple[str, str], list[datetime]] = defaultdict(list)
    for scores in by_game.values():
        me = next((n for n, score in enumerate(scores) if score.user_id == bot.pk), None)
        others = [score.who for n, score in enumerate(scores) if n != me]
        if me is None or owner_and_bots & set(others):
            continue
        ruleset, at = scores[me].ruleset, scores[me].ended_at
        before = by_ruleset.get(ruleset, Estimate(ruleset, Rating(), 0))
        weights_of_pairs = []
        for who in others:
            weights_of_pairs.append(
                weight(sum(at - earlier < RECENT for earlier in met[ruleset, who]), listed=scores[me].listed)
            )
            met[ruleset, who].append(at)
        ratings = [
            before.rating if n == me else current_ratings.get((ruleset, score.who), Rating())
            for n, score in enumerate(scores)
        ]
        weights = [fmean(weights_of_pairs)] * len(scores)
        after = rate(ratings, [score.place for score in scores], weights, games=3 if scores[me].full_game_id else 1)
        by_ruleset[ruleset] = Estimate(ruleset, after[me], before.contests + 1)
    return list(by_ruleset.values())
