"""Badges: permanent awards from seasons and tournaments."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Honour(models.TextChoices):
    CHAMPION = "champion", _("champion of the league")
    WINNER = "winner", _("winner of the division")
    SECOND = "second", _("second place")
    THIRD = "third", _("third place")
    PROMOTED = "promoted", _("promoted")
    STEADFAST = "steadfast", _("all matches played, none late")
    TOURNAMENT = "tournament", _("winner of the tournament")


class Badge(models.Model):
    """A badge. `tier` is that of the division it was earned in."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="badges", db_index=False,
        verbose_name=_("player"),
    )  # fmt: skip
    honour = models.CharField(_("honor"), max_length=12, choices=Honour)
    season = models.ForeignKey(
        "contests.Season", on_delete=models.CASCADE, null=True, blank=True, related_name="badges"
    )
    tournament = models.ForeignKey(
        "contests.Tournament", on_delete=models.CASCADE, null=True, blank=True, related_name="badges"
    )
    tier = models.PositiveSmallIntegerField(_("tier"), default=1)
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("badge")
        verbose_name_plural = _("badges")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "honour", "season"], condition=models.Q(season__isnull=False), name="one_badge_a_season"
            ),
            models.UniqueConstraint(
                fields=["user", "honour", "tournament"],
                condition=models.Q(tournament__isnull=False),
                name="one_badge_a_tournament",
            ),
        ]
        indexes = [models.Index(fields=["user", "-at"], name="badges_of_a_player")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.honour}"
