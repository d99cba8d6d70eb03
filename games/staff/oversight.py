"""The view of staff on a game and its notices, which does not reveal who has made a sealed decision."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Avg, Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from accounts.models import User
from games.bots.review import ENGINE
from games.contests.models import Challenge, Match, Score
from games.estimates import wilson
from games.notices.kinds import OF_DECISIONS, Kind
from games.notices.models import Notice
from games.tables.models import Entry, Game, Seat, SeatReview
from games.tables.selectors import clocks, lines
from games.tables.selectors.rights import find
from games.tables.selectors.table import deadline, waiting_for

NOTICES = 60  # shown on a page
SHORT = timedelta(minutes=10)  # a game between people this short is suspicious
FEWEST_REVIEWED = 5  # games of a player, before they are compared with the engine
MOST_FOLLOWERS = 200
REPEATED = 0.3  # a lower weight means that the two players met often recently
GAME = re.compile(r"(?:^|/games/)([a-z]{8})(?:/|\?|#|$)")
FULL_GAME = re.compile(r"(?:^#?|/full-games/)(\d{1,9})(?:/|\?|#|$)")
DUPLICATE = re.compile(r"/duplicates/([a-z]{8})(?:/|\?|#|$)")


@dataclass(frozen=True)
class SeatClock:
    """The clock of a seat: whether the game waits for it, its deadline and its time bank.

    While decisions are sealed, staff may not know who has decided. Then it says whether the seat was asked, and gives
    the latest possible deadline.
    """

    seat: Seat
    is_awaited: bool
    deadline: datetime | None
    bank: timedelta | None


@dataclass(frozen=True)
class Oversight:
    """A game for staff. `log` has the newest lines first, and is None while other tables may still play this deal."""

    game: Game
    seats: list[Seat]
    clocks: list[SeatClock]
    log: list[lines.LogLine] | None
    has_older: bool
    notices: list[Notice]
    match: Match | None
    challenge: Challenge | None


def oversight(*, public_id: str, now: datetime, whole: bool = False) -> Oversight:
    """Return the game with the last lines of its log, or the whole log. Raises `NotFound`."""
    game, seats = find(public_id)
    rows = list(Entry.objects.filter(game=game).order_by("seq")) if whole else lines.recent(game, game.seq)
    shown_lines = None if game.is_withheld else lines.lines(game=game, seats=seats, seat=None, entries=rows)
    contest = Q(game=game) | Q(full_game=game.full_game_id, full_game__isnull=False)
    return Oversight(
        game=game, seats=seats, clocks=seat_clocks(game, seats, now), log=shown_lines and shown_lines[::-1],
        has_older=bool(rows) and rows[0].seq > 0, notices=list(notices(game)[:NOTICES]),
        match=Match.objects.filter(contest).select_related("pool__season__league", "pool__tournament").first(),
        challenge=Challenge.objects.filter(contest).select_related("ladder").first(),
    )  # fmt: skip


def seat_clocks(game: Game, seats: Sequence[Seat], now: datetime) -> list[SeatClock]:
    if not game.is_running:
        return [SeatClock(seat, False, None, None) for seat in seats]
    awaited, banks = waiting_for(game, list(seats)), clocks.clocks(game, seats, None, now).banks
    due = {seat.number: deadline(game, [seat]) for seat in seats}
    return [SeatClock(seat, seat.number in awaited, due[seat.number], banks.get(seat.number)) for seat in seats]


def notices(game: Game) -> QuerySet[Notice]:
    """Return the game's notices, the latest first."""
    return without_secrets(Notice.objects.filter(seat__game=game)).select_related("user", "seat").order_by("-pk")


def without_secrets(rows: QuerySet[Notice]) -> QuerySet[Notice]:
    """Exclude notices that reveal who has made a sealed decision, or the result at a table of a running duplicate."""
    of_full_games = [f"game.{pk}" for pk in withheld_full_games()]
    return rows.exclude(kind__in=OF_DECISIONS, seat__game__sealed=True).exclude(kind=Kind.FULL, about__in=of_full_games)


def withheld_full_games() -> QuerySet[Game, int | None]:
    """Return the ids of full games of running duplicates."""
    withheld = Game.objects.filter(is_withheld=True, full_game__isnull=False)
    return withheld.order_by("full_game").values_list("full_game", flat=True).distinct()


def to_watch(scores: QuerySet[Score], kind: str | None) -> QuerySet[Score]:
    """Return scores of suspicious rated games: very `short`, `resigned`, or `repeated` between the same players."""
    rated = scores.filter(counts=True)
    if kind == "short":
        begun = Coalesce("full_game__opened_at", "game__started_at")
        return rated.annotate(begun=begun).filter(game__ended_at__lt=F("begun") + SHORT)
    if kind == "resigned":
        return rated.filter(game__in=rated.filter(gave_up=True).values("game"))
    if kind == "repeated":
        return rated.filter(weight__lt=REPEATED)
    return scores


def sought(games: QuerySet[Game], words: str) -> QuerySet[Game]:
    """Search games by id, pasted URL, player name, email address, full game or duplicate."""
    words = words.strip()
    for pattern, field in ((DUPLICATE, "duplicate__public_id"), (FULL_GAME, "full_game"), (GAME, "public_id")):
        if match := pattern.search(words.lower()):
            matching = games.filter(**{field: match[1]})
            if matching.exists():
                return matching
    people = User.with_address(words) if "@" in words else User.with_name(words)
    own_seats = Seat.objects.filter(Q(user__in=people) | Q(owner__in=people))
    return games.filter(pk__in=own_seats.values("game"))


# How closely players follow the engine


@dataclass(frozen=True)
class Follower:
    """A player's rated games of one ruleset that were reviewed: in what share of the turns nothing better was found.

    `low` and `high` are the ends of its 95% interval (Wilson's), which is wider if the share differs more from game to
    game than turns by chance would. `usual` is the share of all reviewed players together. Strong players follow the
    engine more, and so do games with few choices: the numbers are a reason to look at games, never a verdict.
    """

    user: str
    ruleset: str
    games: int
    turns: int
    share: float
    low: float
    high: float
    accuracy: float
    usual: float


def followers() -> list[Follower]:
    """Return players with enough reviewed rated games, those who follow the engine most surely first."""
    rows = SeatReview.objects.filter(review__engine=ENGINE, review__game__counts=True, user__isnull=False, turns__gt=0)
    sums = rows.values("ruleset").annotate(all_turns=Sum("turns"), all_best=Sum("best"))
    usual = {row["ruleset"]: row["all_best"] / row["all_turns"] for row in sums}
    players = rows.values("user__username", "ruleset").annotate(
        games=Count("pk"), mean=Avg("accuracy"), all_turns=Sum("turns"), all_best=Sum("best"),
        best_square=Sum(F("best") * F("best")), turns_square=Sum(F("turns") * F("turns")),
        product=Sum(F("best") * F("turns")),
    )  # fmt: skip
    compared = []
    for row in players.filter(games__gte=FEWEST_REVIEWED).order_by("user__username", "ruleset"):
        share = row["all_best"] / row["all_turns"]
        low, high = wilson(share, round(row["all_turns"] / _spread(row, share)))
        compared.append(
            Follower(
                user=row["user__username"], ruleset=row["ruleset"], games=row["games"], turns=row["all_turns"],
                share=share, low=low, high=high, accuracy=row["mean"], usual=usual[row["ruleset"]],
            )
        )  # fmt: skip
    return sorted(compared, key=lambda follower: -follower.low)[:MOST_FOLLOWERS]


def _spread(row: Mapping[str, Any], share: float) -> float:
    """Return how many times the variance of the share is that of as many independent turns, at least 1."""
    games, turns = row["games"], row["all_turns"]
    squares = row["best_square"] - 2 * share * row["product"] + share**2 * row["turns_square"]
    independent = share * (1 - share) / turns
    return max(1.0, games / (games - 1) * squares / turns**2 / independent) if independent and games > 1 else 1.0
