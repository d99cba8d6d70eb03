"""Duplicates: tables that all get the same set-up and the same draws."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.tables.models.game import USUAL_CLOCK, new_public_id


class Duplicate(models.Model):
    """A duplicate. Only its players see the games, and nobody sees the seeds, until the last game is over.

    All tables start together at `started_at`: when every seat is taken, or at `starts_at` with the players who have
    joined. Before that nothing is dealt and no seed exists. A duplicate that ended without starting was called off.
    `result` is written at the end: one entry per player, the best first (`contests.duplicates.services`).
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
        verbose_name = _("duplicate")
        verbose_name_plural = _("duplicates")
        indexes = [models.Index(fields=["-opened_at"], condition=models.Q(ended_at=None), name="duplicates_not_ended")]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("duplicate", args=[self.public_id])


class DuplicateSeed(models.Model):
    """The secret seed of all games of a duplicate, 32 bytes. Only services read it, and no page shows it."""

    duplicate = models.OneToOneField(Duplicate, on_delete=models.PROTECT, primary_key=True, related_name="seed")
    secret = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"seed of {self.duplicate_id}"


class SeenDeal(models.Model):
    """A player who may have seen cards of a duplicate's deal, and the seat where they saw them.

    `who` is text and not a reference, so that the row outlives the account. It is the account's id or, for an account
    deleted while the duplicate runs, a keyed hash of each of its confirmed email addresses. `who` is unique, so that
    the database refuses a second seat.
    """

    duplicate = models.ForeignKey(Duplicate, on_delete=models.CASCADE, related_name="seen", db_index=False)
    who = models.CharField(_("who has seen it"), max_length=80)
    seat = models.ForeignKey("tables.Seat", on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("player who has seen a deal")
        verbose_name_plural = _("players who have seen a deal")
        constraints = [models.UniqueConstraint(fields=["duplicate", "who"], name="one_seat_of_a_duplicate_each")]
        indexes = [models.Index(fields=["who"], name="deals_seen_by_a_player")]

    def __str__(self) -> str:
        return f"{self.duplicate_id} {self.who}"
