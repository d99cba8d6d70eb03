"""What players have earned by rated play between people, and the numbers that the pages of records read.

All of it follows from scores, see `achievements.book`, and can be worked out again.
"""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.contests.models.scores import Score


class Earning(models.Model):
    """A rated contest among people. Whether it `counts` for records and achievements follows from its scores and logs.

    `is_apart`: two of its players are known to share a household or a mailbox; decided once, when it enters the book.
    `margin` is the winner's lead in points and `best` the winner's points; both are null if it does not count, or if
    the points of the ruleset only count places.
    """

    game = models.OneToOneField("tables.Game", on_delete=models.CASCADE, related_name="earning", primary_key=True)
    ruleset = models.CharField(_("game"), max_length=40)
    players = models.PositiveSmallIntegerField(_("players"))
    is_full = models.BooleanField(_("full game"), default=False)
    listed = models.BooleanField(_("open to spectators"), default=False)
    is_apart = models.BooleanField(_("among people who know each other"), default=False)
    counts = models.BooleanField(_("counts"), default=False)
    margin = models.IntegerField(_("margin"), null=True, blank=True)
    best = models.IntegerField(_("best points"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"))

    class Meta:
        verbose_name = _("contest for records")
        verbose_name_plural = _("contests for records")
        indexes = [
            models.Index(
                fields=["ruleset", "is_full", "margin", "-ended_at"],
                condition=models.Q(counts=True, listed=True),
                name="closest_contests",
            ),
            models.Index(
                fields=["ruleset", "is_full", "-best", "-ended_at"],
                condition=models.Q(counts=True, listed=True),
                name="highest_scores",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.margin}"


class Achievement(models.Model):
    """An achievement of a player: its slug in `achievements.rules`, and the contest in which it was earned."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="achievements", db_index=False,
        verbose_name=_("player"),
    )  # fmt: skip
    slug = models.CharField(_("achievement"), max_length=20)
    score = models.ForeignKey("contests.Score", on_delete=models.CASCADE, related_name="achievements")

    class Meta:
        verbose_name = _("achievement")
        verbose_name_plural = _("achievements")
        constraints = [models.UniqueConstraint(fields=["user", "slug"], name="earned_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.slug}"


class Streak(models.Model):
    """A player's longest winning streak in a ruleset, from the contest of `first` to that of `last`."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="streaks", db_index=False,
        verbose_name=_("player"),
    )  # fmt: skip
    ruleset = models.CharField(_("game"), max_length=40)
    length = models.PositiveIntegerField(_("wins in a row"))
    first = models.ForeignKey("contests.Score", on_delete=models.CASCADE, related_name="+")
    last = models.ForeignKey("contests.Score", on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("winning streak")
        verbose_name_plural = _("winning streaks")
        constraints = [models.UniqueConstraint(fields=["user", "ruleset"], name="one_streak_each")]
        indexes = [models.Index(fields=["ruleset", "-length", "id"], name="longest_streaks")]

    def __str__(self) -> str:
        return f"{self.user_id}, {self.ruleset}: {self.length}"

    @property
    def ends(self) -> tuple[Score, Score]:
        return self.first, self.last
