"""Reviews of finished games: what the engine found, who asked for it, and each player's accuracy and luck."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.tables.models.game import Game


class ReviewState(models.TextChoices):
    """How far a review is. A failed one can be asked for again."""

    WAITING = "waiting", _("waiting")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


class GameReview(models.Model):
    """The review of a game by one version of the engine. `data` is a `games.bots.review.Review` as plain data.

    `claimed_at` is when a worker began; it has the review to itself for `services.reviews.LEASE`.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="reviews", db_index=False)
    engine = models.CharField(_("engine"), max_length=20)
    state = models.CharField(_("state"), max_length=10, choices=ReviewState, default=ReviewState.WAITING)
    asked_at = models.DateTimeField(_("asked for"))
    claimed_at = models.DateTimeField(_("begun"), null=True, blank=True)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    data = models.JSONField(_("review"), null=True, blank=True)

    class Meta:
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        constraints = [models.UniqueConstraint(fields=["game", "engine"], name="reviewed_once_by_an_engine")]
        indexes = [models.Index(fields=["asked_at"], condition=models.Q(state="waiting"), name="reviews_waiting")]

    def __str__(self) -> str:
        return f"{self.game_id} by {self.engine}"


class GameLuck(models.Model):
    """The luck of a finished game, which is worked out without a request: a `games.bots.review.Luck` as plain data.

    `data` is null until then, and for a game whose deal someone still plays. `tried_at` is when a worker last began.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="luck")
    data = models.JSONField(_("luck"), null=True, blank=True)
    tried_at = models.DateTimeField(_("begun"))

    class Meta:
        verbose_name = _("luck")
        verbose_name_plural = _("luck")
        indexes = [models.Index(fields=["tried_at"], condition=models.Q(data__isnull=True), name="luck_missing")]

    def __str__(self) -> str:
        return f"{self.game_id}"


class ReviewRequest(models.Model):
    """A person who asked for a review and is notified when it is done."""

    review = models.ForeignKey(GameReview, on_delete=models.CASCADE, related_name="requests", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["review", "user"], name="review_requested_once")]

    def __str__(self) -> str:
        return f"{self.review_id} {self.user_id}"


class SeatReview(models.Model):
    """One player's part of a review, for their page and for moderators. `user` had the seat at the start.

    `luck` and `play` are points of lead, or percent of winning chances (`bots.review.in_points`). `turns` counts the
    player's own turns, `best` those to which the engine found nothing better.
    """

    review = models.ForeignKey(GameReview, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="reviewed_seats", db_index=False
    )
    ruleset = models.CharField(_("game"), max_length=40)
    ended_at = models.DateTimeField(_("ended"))
    turns = models.PositiveSmallIntegerField(_("turns"))
    best = models.PositiveSmallIntegerField(_("best turns"))
    accuracy = models.FloatField(_("accuracy"))
    luck = models.FloatField(_("luck"))
    play = models.FloatField(_("play"))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["review", "number"], name="one_review_of_a_seat")]
        indexes = [models.Index(fields=["user", "ruleset", "ended_at"], name="reviews_of_a_player")]

    def __str__(self) -> str:
        return f"{self.review_id}/{self.number}"
