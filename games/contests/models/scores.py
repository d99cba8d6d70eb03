"""What a contest leaves behind: a score for each player, and what adds up from them: ratings and statistics.

A contest is a full game or a single game. Scores are written in the transaction of its last turn; the book of the
ruleset then takes up one contest after the other, which gives each score its number, ratings and tallies.
"""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.contests.ratings import model as ratings
from games.rules.protocol import Ruleset
from games.rules.record import FORMER_PLAYER
from games.rules.registry import get

WIN = 840  # parts of a win: it can be shared evenly by up to eight


def leave_the_scores(collector: Any, field: Any, scores: Any, using: str) -> None:
    """When an account is deleted its scores stay with those who played against it, without the name."""
    models.SET_NULL(collector, field, scores, using)
    collector.add_field_update(Score._meta.get_field("name"), FORMER_PLAYER, scores)


class Score(models.Model):
    """What one player has from one contest. `game` is its last game, or its only one; `seat` is the same in all three.

    `games`: one dictionary for each game: its id, the seat, points, place, what was left over, points by source, and,
    once it is in the book, the bid. `counts`: whether the contest is rated. `order`: its number in the book, null
    until it is there. `weight`: how much of it counts for the player's rating, see `ratings.weight`. `mu` and `sigma`
    are the rating before and after, null where none is kept. `who` is the player who is rated, the one that began the
    contest in this seat, also when the account is gone or the seat has become another's.

    The player is the person who began in the seat. If the seat was given to somebody else for good, `stood` has the
    places of all seats at that moment, and when it was: the number of the `game` in the contest, from 0, and the `seq`
    of the entry. Ratings go by these places, see `book.places`.
    """

    full_game = models.ForeignKey(
        "tables.FullGame", on_delete=models.CASCADE, null=True, blank=True, related_name="scores"
    )
    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="scores", db_index=False)
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=leave_the_scores, null=True, blank=True, related_name="scores",
        db_index=False, verbose_name=_("player"),
    )  # fmt: skip
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    who = models.CharField(_("player in the book"), max_length=20, blank=True)
    name = models.CharField(_("name"), max_length=40)
    ruleset = models.CharField(_("game"), max_length=40)
    players = models.PositiveSmallIntegerField(_("players"))
    listed = models.BooleanField(_("open to watchers"), default=False)
    counts = models.BooleanField(_("rated"), default=False)
    gave_up = models.BooleanField(_("resigned"), default=False)
    place = models.PositiveSmallIntegerField(_("place"))
    points = models.SmallIntegerField(_("points"))
    stood = models.JSONField(_("places when the seat changed hands"), null=True, blank=True)
    games = models.JSONField(_("games"), default=list)
    ended_at = models.DateTimeField(_("ended"))
    order = models.PositiveIntegerField(_("number in the book"), null=True, blank=True)
    weight = models.FloatField(_("rating weight"), default=1)
    mu_before = models.FloatField(null=True, blank=True)
    sigma_before = models.FloatField(null=True, blank=True)
    mu_after = models.FloatField(null=True, blank=True)
    sigma_after = models.FloatField(null=True, blank=True)

    class Meta:
        verbose_name = _("score")
        verbose_name_plural = _("scores")
        constraints = [models.UniqueConstraint(fields=["game", "seat"], name="one_score_each")]
        indexes = [
            models.Index(fields=["user", "-ended_at", "-id"], name="scores_of_a_player"),
            models.Index(fields=["user", "ruleset", "-ended_at", "-id"], name="scores_in_a_game"),
            models.Index(
                fields=["user", "ruleset", "players", "place", "points", "listed", "game", "ended_at"],
                name="scores_that_are_counted",
            ),
            models.Index(fields=["game", "user", "place", "points"], name="scores_at_a_table"),
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
    def before(self) -> ratings.Rating | None:
        return _rating(self.mu_before, self.sigma_before)

    @property
    def after(self) -> ratings.Rating | None:
        return _rating(self.mu_after, self.sigma_after)

    @property
    def is_rated(self) -> bool:
        """Whether it counts for the player whose result it is: not for one who took the seat over."""
        return self.counts and (self.user_id is None or self.who == str(self.user_id))

    @property
    def change(self) -> int | None:
        """By how much the rating that people see went up or down."""
        return self.after.shown - self.before.shown if self.is_rated and self.after and self.before else None


def _rating(mu: float | None, sigma: float | None) -> ratings.Rating | None:
    return None if mu is None or sigma is None else ratings.Rating(mu, sigma)


class RatedPlayer(models.Model):
    """How strong somebody is at one game, after so many rated contests. Lists read `shown`, the rest is for rating."""

    ruleset = models.CharField(_("game"), max_length=40)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="ratings",
        db_index=False, verbose_name=_("player"),
    )  # fmt: skip
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    mu = models.FloatField(default=ratings.MODEL.mu)
    sigma = models.FloatField(default=ratings.MODEL.sigma)
    contests = models.PositiveIntegerField(_("matches"), default=0)
    shown = models.SmallIntegerField(_("rating"), default=0)
    is_provisional = models.BooleanField(_("provisional"), default=True)
    last_at = models.DateTimeField(_("last match"), null=True, blank=True)

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
        ]

    def __str__(self) -> str:
        return f"{self.ruleset}: {self.shown}"

    @property
    def rating(self) -> ratings.Rating:
        return ratings.Rating(self.mu, self.sigma)

    def become(self, rating: ratings.Rating) -> None:
        """Take on the rating, in memory."""
        self.mu, self.sigma, self.shown = rating.mu, rating.sigma, rating.shown
        self.is_provisional = rating.is_provisional


class RatingBook(models.Model):
    """The contests of a ruleset in the order in which they count. Whoever writes into it holds the row's lock."""

    ruleset = models.CharField(_("game"), max_length=40, primary_key=True)
    last = models.PositiveIntegerField(_("last number"), default=0)

    class Meta:
        verbose_name = _("book of ratings")
        verbose_name_plural = _("books of ratings")

    def __str__(self) -> str:
        return f"{self.ruleset}: {self.last}"


class Tally(models.Model):
    """How seats with one trait have fared: in so many games so many wins, and the sums of places and points.

    `wins` are in parts of WIN, so that shared ones add up to whole numbers.
    """

    ruleset = models.CharField(_("game"), max_length=40)
    players = models.PositiveSmallIntegerField(_("players"))
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
            models.UniqueConstraint(fields=["ruleset", "players", "kind", "value"], name="one_tally_of_each"),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset}/{self.players} {self.kind} {self.value}: {self.wins / WIN:.1f} of {self.games}"
