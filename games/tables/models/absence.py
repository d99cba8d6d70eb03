"""Absence of players: vacations, replacements and hand-overs of seats."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.clocks import vacations
from games.tables.models.game import Seat


class Vacation(models.Model):
    """A vacation in whole days, both included, in the time zone of its announcement; kept if it has paused a clock."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vacations", db_index=False,
        verbose_name=_("player"),
    )  # fmt: skip
    first = models.DateField(_("first day"))
    last = models.DateField(_("last day"))
    zone = models.CharField(_("time zone"), max_length=64)
    announced = models.DateTimeField(_("announced"))
    cancelled = models.DateTimeField(_("canceled"), null=True, blank=True)

    class Meta:
        verbose_name = _("vacation")
        verbose_name_plural = _("vacations")
        indexes = [models.Index(fields=["user", "last"], name="vacations_of_a_player")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.first}–{self.last}"

    @property
    def plain(self) -> vacations.Vacation:
        """The vacation as `games.clocks` uses it."""
        return vacations.Vacation(self.first, self.last, self.zone, self.announced, self.cancelled)


class ReplacementAnswer(models.TextChoices):
    ASKED = "asked", _("asked")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")


class Replacement(models.Model):
    """A request by `by` that `user` permanently take over a `seat`, or the place of an `entrant` with all its seats.

    Nothing changes until they accept. Only an answer, or another request about the same seat or place, ends it.
    """

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, null=True, blank=True, related_name="replacements")
    entrant = models.ForeignKey(
        "contests.Entrant", on_delete=models.CASCADE, null=True, blank=True, related_name="replacements"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="replacements", db_index=False,
        verbose_name=_("person asked"),
    )  # fmt: skip
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+",
        verbose_name=_("asked by"),
    )  # fmt: skip
    reason = models.CharField(_("reason"), max_length=300)
    answer = models.CharField(_("answer"), max_length=10, choices=ReplacementAnswer, default=ReplacementAnswer.ASKED)
    asked_at = models.DateTimeField(_("asked at"))
    answered_at = models.DateTimeField(_("answered at"), null=True, blank=True)

    class Meta:
        verbose_name = _("replacement")
        verbose_name_plural = _("replacements")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(seat__isnull=False, entrant=None) | models.Q(seat=None, entrant__isnull=False),
                name="a_seat_or_a_place",
            ),
            models.UniqueConstraint(
                fields=["seat"], condition=models.Q(answer="asked"), name="one_question_about_a_seat"
            ),
            models.UniqueConstraint(
                fields=["entrant"], condition=models.Q(answer="asked"), name="one_question_about_a_place"
            ),
        ]
        indexes = [models.Index(fields=["user"], condition=models.Q(answer="asked"), name="replacements_to_answer")]

    def __str__(self) -> str:
        return f"{self.user_id} for {self.seat_id or self.entrant_id}: {self.answer}"

    @property
    def name(self) -> str:
        """The name of the player to be replaced."""
        replaced = self.seat or self.entrant
        return replaced.name if replaced else ""


class HandoverReason(models.TextChoices):
    """The reason why a seat changed hands."""

    GIVEN = "given", _("handed over")
    TIME = "time", _("timed out")
    OUT = "out", _("resigned by timing out")
    GOOD = "good", _("resigned")
    REPLACED = "replaced", _("given to another player for good")
    UNFINISHED = "unfinished", _("the competition’s time ran out")
    BACK = "back", _("the owner came back")
    ENDED = "ended", _("the substitute’s time ran out")
    SUSPENDED = "suspended", _("a bot plays while the account is suspended")


class Handover(models.Model):
    """A change of the player of a seat at `at`: `to` is a person, else `bot` plays; both are empty for a deleted
    account.

    Rows are only added. `until` is when the seat was due to return to its owner automatically.
    """

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="handovers", db_index=False)
    at = models.DateTimeField(_("when"))
    to = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+",
        verbose_name=_("who plays"),
    )  # fmt: skip
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    until = models.DateTimeField(_("until"), null=True, blank=True)
    why = models.CharField(_("why"), max_length=10, choices=HandoverReason)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("hand-over")
        verbose_name_plural = _("hand-overs")
        indexes = [
            models.Index(fields=["seat", "id"], name="handovers_of_a_seat"),
            models.Index(fields=["seat"], condition=models.Q(why="suspended"), name="handovers_of_suspended"),
        ]

    def __str__(self) -> str:
        return f"{self.seat_id} {self.why}"
