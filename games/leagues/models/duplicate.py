"""A round of duplicate play: tables that all get the same set-up and the same draws."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models.game import USUAL_CLOCK, new_public_id


class Round(models.Model):
    """Its games are kept from everybody but their players, and their seeds from all, until the last has ended.

    `result`, from then on: one line for each player, the best first, see `services`.
    """

    public_id = models.CharField(_("id"), max_length=8, unique=True, default=new_public_id)
    ruleset = models.CharField(_("game"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    players = models.PositiveSmallIntegerField(_("players"))
    tables = models.PositiveSmallIntegerField(_("tables"))
    clock = models.CharField(_("clock"), max_length=60, default=USUAL_CLOCK)
    full = models.BooleanField(_("full games"), default=False)
    rated = models.BooleanField(_("rated"), default=True)
    opener = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+",
        verbose_name=_("opened by"),
    )  # fmt: skip
    opened_at = models.DateTimeField(_("opened"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    result = models.JSONField(_("result"), null=True, blank=True)

    class Meta:
        app_label = "games"
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        indexes = [models.Index(fields=["-opened_at"], condition=models.Q(ended_at=None), name="rounds_not_ended")]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("round", args=[self.public_id])


class RoundSeed(models.Model):
    """The secret of all games of a round, 32 bytes. Only services read it, and nothing shows it."""

    round = models.OneToOneField(Round, on_delete=models.PROTECT, primary_key=True, related_name="seed")
    secret = models.BinaryField(max_length=32)

    class Meta:
        app_label = "games"

    def __str__(self) -> str:
        return f"seed of {self.round_id}"
