"""A round of duplicate play: tables that all get the same set-up and the same draws."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.tables.models.game import USUAL_CLOCK, new_public_id


class Round(models.Model):
    """Its games are kept from everybody but their players, and their seeds from all, until the last has ended.

    All tables begin together, at `started_at`: when every seat is taken, or at `starts_at` with the players who have
    come. Before that nothing is dealt and no seed exists. A round that ended without having started did not take place.
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
    starts_at = models.DateTimeField(_("starts at the latest"), null=True, blank=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    result = models.JSONField(_("result"), null=True, blank=True)

    class Meta:
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

    def __str__(self) -> str:
        return f"seed of {self.round_id}"


class SeenDeal(models.Model):
    """A player who may have seen cards of a round's deal, and the seat from which.

    `who` is text, not a reference, so that the row outlives the account: the number of the account, or, for an account
    that was deleted while the round runs, a keyed hash of each of its confirmed email addresses. One row for each `who`
    lets the database refuse a second seat.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seen", db_index=False)
    who = models.CharField(_("who has seen it"), max_length=80)
    seat = models.ForeignKey("tables.Seat", on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("player who has seen a deal")
        verbose_name_plural = _("players who have seen a deal")
        constraints = [models.UniqueConstraint(fields=["round", "who"], name="one_seat_of_a_round_each")]
        indexes = [models.Index(fields=["who"], name="deals_seen_by_a_player")]

    def __str__(self) -> str:
        return f"{self.round_id} {self.who}"
