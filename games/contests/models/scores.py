"""Results of contests: a score for each player, and the ratings and statistics derived from them.

A contest is a full game or a single game. Scores are written in the transaction of its last turn. The book of the
ruleset then processes contests one by one, which gives each score its number, ratings and tallies.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.contests.ratings import model as ratings
from games.rules.protocol import Ruleset
from games.rules.record import FORMER_PLAYER
from games.rules.registry import get
from games.tables.models import FullStatus, Status

if TYPE_CHECKING:
    from games.contests.models import Challenge, Match

FINAL_PLACE = Coalesce("ruled", "place")  # of a score, in queries
WIN = 840  # parts of a win, which up to eight players can share evenly


def leave_the_scores(collector: Any, field: Any, scores: Any, using: str) -> None:
    """Keep the scores of a deleted account for its opponents, without the name."""
    models.SET_NULL(collector, field, scores, using)
    collector.add_field_update(Score._meta.get_field("name"), FORMER_PLAYER, scores)


class Score(models.Model):
    """A player's result of one contest. The player is the person, or bot, that began it in this seat.

    Ratings use `stood`, `kept_waiting` and `ruled` (`book.places`). Histories show `final_place`, and queries count by
    `FINAL_PLACE`.
    """

    full_game = models.ForeignKey(
        "tables.FullGame", on_delete=models.CASCADE, null=True, blank=True, related_name="scores"
    )
    # The last or only game; the seat is the same in all games of a full game
    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="scores", db_index=False)
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=leave_the_scores, null=True, blank=True, related_name="scores",
        db_index=False, verbose_name=_("player"),
    )  # fmt: skip
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    # The player for ratings, even if the account is gone or the seat changed hands; see `Seat.who`
    who = models.CharField(_("player in the rating book"), max_length=20, blank=True)
    name = models.CharField(_("name"), max_length=40)
    ruleset = models.CharField(_("game"), max_length=40)
    players = models.PositiveSmallIntegerField(_("players"))
    listed = models.BooleanField(_("open to spectators"), default=False)
    # Whether the contest is rated
    counts = models.BooleanField(_("rated"), default=False)
    # The player resigned, or left too many decisions to bots (S12). They rank last for ratings
    gave_up = models.BooleanField(_("resigned"), default=False)
    place = models.PositiveSmallIntegerField(_("place"))
    points = models.SmallIntegerField(_("points"))
    # If the seat was given to someone else for good: the places of all seats at that moment, as `scores.PlacesAt`
    stood = models.JSONField(_("places when the seat changed hands"), null=True, blank=True)
    # The same for the moment when bots took over, because the time was up or a player had left, if the others had
    # mostly been waiting for this player until then (L33)
    kept_waiting = models.JSONField(_("places when bots took over"), null=True, blank=True)
    # The place that an organizer has decided for the seat; null if the game decides
    ruled = models.PositiveSmallIntegerField(_("place decided by the organizer"), null=True, blank=True)
    # For each game its id, seat, points, place, resources left, and points by source; in the rating book also the bid
    # and the traits by kind (`Ruleset.traits`)
    games = models.JSONField(_("games"), default=list)
    ended_at = models.DateTimeField(_("ended"))
    # Null until the contest is in the rating book
    order = models.PositiveIntegerField(_("number in the rating book"), null=True, blank=True)
    # How much the contest counts for the player's rating, see `ratings.weight`
    weight = models.FloatField(_("rating weight"), default=1)
    # The rating before and after, null if none is kept. `size_…` is from contests of this size alone (`SizeRating`)
    mu_before = models.FloatField(null=True, blank=True)
    sigma_before = models.FloatField(null=True, blank=True)
    mu_after = models.FloatField(null=True, blank=True)
    sigma_after = models.FloatField(null=True, blank=True)
    size_mu_before = models.FloatField(null=True, blank=True)
    size_sigma_before = models.FloatField(null=True, blank=True)
    size_mu_after = models.FloatField(null=True, blank=True)
    size_sigma_after = models.FloatField(null=True, blank=True)

    class Meta:
        verbose_name = _("score")
        verbose_name_plural = _("scores")
        constraints = [models.UniqueConstraint(fields=["game", "seat"], name="one_score_each")]
        indexes = [
            models.Index(fields=["user", "-ended_at", "-id"], name="scores_of_a_player"),
            models.Index(fields=["user", "ruleset", "-ended_at", "-id"], name="scores_in_a_game"),
            models.Index(
                fields=["user", "ruleset", "players", "place", "ruled", "points", "listed", "game", "ended_at"],
                name="scores_that_are_counted",
            ),
            models.Index(fields=["game", "user", "place", "ruled", "points"], name="scores_at_a_table"),
            models.Index(fields=["bot", "-ended_at", "-id"], condition=models.Q(user=None), name="scores_of_a_bot"),
            models.Index(
                fields=["bot", "ruleset", "-ended_at", "-id"], condition=models.Q(user=None), name="bots_in_a_game"
            ),
            models.Index(fields=["ruleset", "id"], condition=models.Q(order=None), name="scores_to_book"),
            models.Index(fields=["ruleset", "order"], name="scores_in_the_book"),
            models.Index(
                fields=["who", "ruleset", "-order"],
                condition=models.Q(counts=True, order__isnull=False),
                name="ratings_so_far",
            ),
            models.Index(
                fields=["who", "ruleset", "ended_at"],
                condition=models.Q(counts=True, order__isnull=False),
                name="contests_of_late",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.points}, place {self.place}"

    @property
    def rules(self) -> Ruleset:
        return get(self.ruleset)

    @property
    def final_place(self) -> int:
        """Return the place that an organizer has decided, or else that of the game."""
        return self.place if self.ruled is None else self.ruled

    @property
    def before(self) -> ratings.Rating | None:
        return _rating(self.mu_before, self.sigma_before)

    @property
    def after(self) -> ratings.Rating | None:
        return _rating(self.mu_after, self.sigma_after)

    @property
    def size_before(self) -> ratings.Rating | None:
        return _rating(self.size_mu_before, self.size_sigma_before)

    @property
    def size_after(self) -> ratings.Rating | None:
        return _rating(self.size_mu_after, self.size_sigma_after)

    @property
    def size(self) -> "Size":
        return Size.of(self.players)

    @property
    def length(self) -> int:
        """Return how many games the contest has."""
        return 3 if self.full_game_id else 1

    def set_ratings(self, before: ratings.Rating, after: ratings.Rating, *, by_size: bool) -> bool:
        """Set the rating before and after, overall or of the size, without saving. Return whether it changed."""
        old = (self.size_before, self.size_after) if by_size else (self.before, self.after)
        if by_size:
            self.size_mu_before, self.size_sigma_before = before.mu, before.sigma
            self.size_mu_after, self.size_sigma_after = after.mu, after.sigma
        else:
            self.mu_before, self.sigma_before = before.mu, before.sigma
            self.mu_after, self.sigma_after = after.mu, after.sigma
        return old != (before, after)

    @property
    def is_rated(self) -> bool:
        """Whether it counts for the player whose result it is; not for someone who took the seat over."""
        return self.counts and (self.user_id is None or self.who == str(self.user_id))

    @property
    def change(self) -> int | None:
        """Return the change of the shown rating."""
        return self.after.shown - self.before.shown if self.is_rated and self.after and self.before else None


def _rating(mu: float | None, sigma: float | None) -> ratings.Rating | None:
    return None if mu is None or sigma is None else ratings.Rating(mu, sigma)


def in_contest(played: "Match | Challenge", full_game: str = "full_game", game: str = "game") -> Q:
    """Return the condition that a row belongs to the contest of this match or challenge, a full game or a single one.

    The names lead from the row to its full game and its game, as in `game__full_game` from a seat.
    """
    return Q(**{full_game: played.full_game_id}) if played.full_game_id else Q(**{game: played.game_id})


VOID = Q(game__status=Status.VOID) | Q(full_game__status=FullStatus.VOID)  # contests canceled by staff


def over() -> Q:
    """Return a query for rows with a `game` and a `full_game` whose contest has its scores, or was canceled."""
    full = Score.objects.filter(full_game=OuterRef("full_game"))
    single = Score.objects.filter(game=OuterRef("game"), full_game=None)
    return Q(Exists(full) | Exists(single)) | VOID


class Strength(models.Model):
    """A player's strength as of their last contest. Lists read `shown`; the rest is for computing ratings.

    Doubt grows with absence: `settled_until` is when the rating becomes provisional without another contest, null for
    ratings that are provisional already. A sweep then sets `is_provisional`, see `book.sweep_absent`.
    """

    ruleset = models.CharField(_("game"), max_length=40)
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    mu = models.FloatField(default=ratings.MU)
    sigma = models.FloatField(default=ratings.SIGMA)
    contests = models.PositiveIntegerField(_("matches"), default=0)
    shown = models.SmallIntegerField(_("rating"), default=0)
    is_provisional = models.BooleanField(_("provisional"), default=True)
    settled_until = models.DateTimeField(_("reliable until"), null=True, blank=True)
    last_at = models.DateTimeField(_("last match"), null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def rating(self) -> ratings.Rating:
        """Return the rating after the last contest."""
        return ratings.Rating(self.mu, self.sigma)

    @property
    def doubt(self) -> int:
        """Return the doubt of today, in points shown."""
        return ratings.faded(self.rating, days(self.last_at or timezone.now(), timezone.now())).doubt

    def become(self, rating: ratings.Rating, at: datetime) -> None:
        """Set the rating after a contest that ended at this time, without saving."""
        self.mu, self.sigma, self.shown, self.last_at = rating.mu, rating.sigma, rating.shown, at
        self.is_provisional = rating.is_provisional
        self.settled_until = None if rating.is_provisional else at + timedelta(days=ratings.settled_for(rating))


def days(since: datetime, until: datetime) -> float:
    """Return the time between two moments in days, with fractions."""
    return (until - since) / timedelta(days=1)


class RatedPlayer(Strength):
    """A player's strength at one game, from all contests."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="ratings",
        db_index=False, verbose_name=_("player"),
    )  # fmt: skip

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "ruleset"], condition=models.Q(user__isnull=False), name="one_rating_of_a_player"
            ),
            models.UniqueConstraint(fields=["bot", "ruleset"], condition=~models.Q(bot=""), name="one_rating_of_a_bot"),
        ]
        indexes = [
            models.Index(
                fields=["ruleset", "-shown", "id"], condition=models.Q(is_provisional=False), name="ratings_from_top"
            ),
            models.Index(
                fields=["ruleset", "-shown", "id"], condition=models.Q(is_provisional=True), name="provisional_from_top"
            ),
            models.Index(
                fields=["settled_until"], condition=models.Q(is_provisional=False), name="ratings_to_become_unsure"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset}: {self.shown}"


class Size(models.TextChoices):
    """Sizes of contests with lists of their own."""

    TWO = "two", _("Two players")
    MORE = "more", _("Three or more")

    @classmethod
    def of(cls, players: int) -> "Size":
        return cls.TWO if players == 2 else cls.MORE


class SizeRating(Strength):
    """A player's strength at one game, from contests of one size alone."""

    size = models.CharField(_("size"), max_length=4, choices=Size)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="size_ratings",
        db_index=False, verbose_name=_("player"),
    )  # fmt: skip

    class Meta:
        verbose_name = _("rating by size")
        verbose_name_plural = _("ratings by size")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "ruleset", "size"],
                condition=models.Q(user__isnull=False),
                name="one_size_rating_of_a_player",
            ),
            models.UniqueConstraint(
                fields=["bot", "ruleset", "size"], condition=~models.Q(bot=""), name="one_size_rating_of_a_bot"
            ),
        ]
        indexes = [
            models.Index(
                fields=["ruleset", "size", "-shown", "id"],
                condition=models.Q(is_provisional=False),
                name="size_ratings_from_top",
            ),
            models.Index(
                fields=["ruleset", "size", "-shown", "id"],
                condition=models.Q(is_provisional=True),
                name="size_provisional_from_top",
            ),
            models.Index(
                fields=["settled_until"], condition=models.Q(is_provisional=False), name="size_ratings_to_be_unsure"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset}/{self.size}: {self.shown}"


class RatingBook(models.Model):
    """The contests of a ruleset in the order in which they count. Writing requires the lock of the row.

    `redo_from` is the first contest whose result was corrected since its ratings were worked out, see `book.rework`.
    `calibration` has the figures of last night, see `ratings.calibration`.
    """

    ruleset = models.CharField(_("game"), max_length=40, primary_key=True)
    last = models.PositiveIntegerField(_("last number"), default=0)
    redo_from = models.PositiveIntegerField(_("first contest to recalculate"), null=True, blank=True)
    calibration = models.JSONField(_("calibration"), null=True, blank=True)

    class Meta:
        verbose_name = _("rating book")
        verbose_name_plural = _("rating books")

    def __str__(self) -> str:
        return f"{self.ruleset}: {self.last}"


class Tally(models.Model):
    """The results of seats with one trait, of all players or those of a rating band: sums over games.

    `wins` are in parts of WIN, so that shared wins add up to whole numbers. The rows are counted again every night, see
    `ratings.statistics`.
    """

    ruleset = models.CharField(_("game"), max_length=40)
    players = models.PositiveSmallIntegerField(_("players"))
    band = models.CharField(_("rating band"), max_length=10, blank=True)
    kind = models.CharField(_("trait"), max_length=20)
    value = models.CharField(_("value"), max_length=40)
    games = models.PositiveIntegerField(_("games"), default=0)
    wins = models.PositiveBigIntegerField(_("wins, in parts"), default=0)
    places = models.PositiveIntegerField(_("sum of places"), default=0)
    points = models.IntegerField(_("sum of points"), default=0)

    class Meta:
        verbose_name = _("tally")
        verbose_name_plural = _("tallies")
        constraints = [
            models.UniqueConstraint(fields=["ruleset", "players", "band", "kind", "value"], name="one_tally_of_each"),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset}/{self.players} {self.kind} {self.value}: {self.wins / WIN:.1f} of {self.games}"
