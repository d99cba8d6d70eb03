"""The records of a game, a player's achievements, and those earned in a game, as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BooleanField, ExpressionWrapper, Q
from django.urls import reverse

from accounts.models import User
from games.contests.achievements import rules
from games.contests.models import Achievement, Earning, Score, Streak
from games.rules.protocol import Ruleset
from games.rules.registry import get
from games.tables.models import Game
from games.tables.selectors.rights import Reader, is_person

LISTED = 10


@dataclass(frozen=True)
class RecordContest:
    """A contest in a list of records, with its scores by place."""

    earning: Earning
    scores: list[Score]

    @property
    def url(self) -> str:
        return address(self.scores[0])


@dataclass(frozen=True)
class RecordList:
    """The records of single games, or of full games."""

    is_full: bool
    closest: list[RecordContest]
    highest: list[RecordContest]


@dataclass(frozen=True)
class Records:
    rules: Ruleset
    lists: list[RecordList]
    streaks: list[Streak]

    @property
    def is_empty(self) -> bool:
        return not (self.streaks or any(record_list.closest or record_list.highest for record_list in self.lists))


def records(ruleset: str) -> Records:
    """Return the records of a game. Private games are left out, because only their players can see them.

    If the points of the ruleset only count places, there are winning streaks alone.
    """
    earnings: dict[tuple[bool, str], list[Earning]] = {}
    listed = Earning.objects.filter(ruleset=ruleset, counts=True, listed=True)
    for is_full in (False, True):
        of_kind = listed.filter(is_full__in=[is_full])  # not `NOT is_full`, for which SQLite does not use the index
        earnings[is_full, "closest"] = list(
            of_kind.filter(margin__isnull=False).order_by("margin", "-ended_at")[:LISTED]
        )
        earnings[is_full, "highest"] = list(of_kind.filter(best__isnull=False).order_by("-best", "-ended_at")[:LISTED])
    games = {earning.game_id for of_list in earnings.values() for earning in of_list}
    scores: dict[int, list[Score]] = {game: [] for game in games}
    of_games = Score.objects.filter(game__in=games).select_related("user", "game")
    for score in of_games.order_by("place", "seat"):
        scores[score.game_id].append(score)
    lists = [
        RecordList(is_full, *(
            [RecordContest(earning, scores[earning.game_id]) for earning in earnings[is_full, name]]
            for name in ("closest", "highest")
        ))
        for is_full in (False, True)
    ]  # fmt: skip
    streaks = Streak.objects.filter(ruleset=ruleset, user__is_active=True).order_by("-length", "id")
    return Records(
        get(ruleset), [record_list for record_list in lists if record_list.highest],
        list(streaks.select_related("user", "first__game", "last__game")[:LISTED]),
    )  # fmt: skip


def address(score: Score) -> str:
    """Return the address of the contest's page."""
    if score.full_game_id is not None:
        return reverse("full_game", args=[score.full_game_id])
    return score.game.get_absolute_url()


@dataclass(frozen=True)
class EarnedAchievement:
    """An achievement. `url` leads to the game if the reader may see it; without a date it is not earned yet."""

    achievement: rules.Achievement
    at: datetime | None = None
    ruleset: Ruleset | None = None
    url: str = ""


@dataclass(frozen=True)
class Shelf:
    """A player's achievements, latest first, and those still to be earned, for the player alone."""

    earned: list[EarnedAchievement]
    others: list[EarnedAchievement]

    @property
    def total(self) -> int:
        return len(rules.ACHIEVEMENTS)


def shelf(person: User, reader: Reader) -> Shelf:
    rows = Achievement.objects.filter(user=person).select_related("score__game").order_by("-score__ended_at", "slug")
    rows = rows.annotate(is_visible=ExpressionWrapper(_visible_to(reader), BooleanField()))
    earned = [
        EarnedAchievement(
            rules.BY_SLUG[achievement.slug],
            achievement.score.ended_at,
            achievement.score.rules,
            address(achievement.score) if achievement.is_visible else "",
        )
        for achievement in rows
        if achievement.slug in rules.BY_SLUG
    ]
    is_mine = is_person(reader) and reader.pk == person.pk
    earned_slugs = {shown.achievement.slug for shown in earned}
    missing = [achievement for achievement in rules.ACHIEVEMENTS if achievement.slug not in earned_slugs]
    return Shelf(earned, [EarnedAchievement(achievement) for achievement in missing] if is_mine else [])


def _visible_to(reader: Reader) -> Q:
    """Return the condition that the reader may see the game: it is open to watchers, or they played in it."""
    listed = Q(score__listed=True)
    return listed | Q(score__game__in=Score.objects.filter(user=reader).values("game")) if is_person(reader) else listed


def earned_in(game: Game) -> Sequence[tuple[str, rules.Achievement]]:
    """Return the names of players and what they earned in the contest that ended with this game."""
    rows = Achievement.objects.filter(score__game=game).select_related("user").order_by("score__seat", "slug")
    return [
        (achievement.user.username, rules.BY_SLUG[achievement.slug])
        for achievement in rows
        if achievement.slug in rules.BY_SLUG
    ]
