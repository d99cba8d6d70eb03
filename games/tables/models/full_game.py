"""Full games: three games in a row, decided by total points."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.tables.models.game import USUAL_CLOCK, TimeOut

GAMES = 3


class FullStatus(models.TextChoices):
    OPEN = "open", _("waiting for players")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    CLOSED = "closed", _("closed")
    VOID = "void", _("called off")


class FullGame(models.Model):
    """Three games of the same players in the same seats. `standing` holds one line per seat after each game."""

    ruleset = models.CharField(_("game"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    players = models.PositiveSmallIntegerField(_("players"))
    clock = models.CharField(_("clock"), max_length=60, default=USUAL_CLOCK)
    reply_hours = models.PositiveSmallIntegerField(_("hours for each answer"), default=12)
    time_out = models.CharField(_("when time is up"), max_length=10, choices=TimeOut, default=TimeOut.TURN)
    reliability = models.PositiveSmallIntegerField(_("turns in time asked of players, in percent"), default=0)
    listed = models.BooleanField(_("listed in the lobby"), default=False)
    rated = models.BooleanField(_("rated"), default=True)
    status = models.CharField(_("status"), max_length=10, choices=FullStatus, default=FullStatus.OPEN)
    standing = models.JSONField(_("standing"), null=True, blank=True)
    opened_at = models.DateTimeField(_("opened"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("full game")
        verbose_name_plural = _("full games")
        indexes = [models.Index(fields=["id"], condition=models.Q(status="running"), name="full_games_running")]

    def __str__(self) -> str:
        return f"full game {self.pk}"
