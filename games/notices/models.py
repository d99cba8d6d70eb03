"""The outbox: one row for each thing that a player is told, written in the transaction of what it tells of.

`due_at` is when the row is next to be looked at: when it shall be sent, tried again, or, while it is being sent, when
whoever is at it is taken for dead. So one index finds all work, and the sweep needs one condition.
"""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    TURN = "turn", _("your turn")
    TIME = "time", _("time is running out")
    STARTED = "started", _("the game began")
    ENDED = "ended", _("the game ended")
    CLOSED = "closed", _("the table closed")


class Fate(models.TextChoices):
    """What became of a notice."""

    QUEUED = "queued", _("waiting")
    SENDING = "sending", _("being sent")
    SENT = "sent", _("sent")
    DROPPED = "dropped", _("not sent")
    FAILED = "failed", _("failed")


class Why(models.TextChoices):
    """Why a notice was dropped. For one that failed, `why` holds what the mail server said."""

    TAKEN = "taken", _("the turn was taken before it was sent")
    UNWANTED = "unwanted", _("mails of this kind were switched off")
    LEFT = "left", _("nobody sits there any more")
    UNCONFIRMED = "unconfirmed", _("the email address had not been confirmed")


OPEN = (Fate.QUEUED, Fate.SENDING)


class Notice(models.Model):
    """What one seat is told about entry `seq` of its game. `why` says why it was not sent, or not yet."""

    kind = models.CharField(_("about"), max_length=10, choices=Kind)
    seat = models.ForeignKey("games.Seat", on_delete=models.CASCADE, related_name="notices", verbose_name=_("seat"))
    seq = models.PositiveIntegerField(_("entry"))
    state = models.CharField(_("what became of it"), max_length=10, choices=Fate, default=Fate.QUEUED)
    created_at = models.DateTimeField(_("written"), default=timezone.now)
    due_at = models.DateTimeField(_("due"), default=timezone.now)
    claimed_at = models.DateTimeField(_("taken up"), null=True, blank=True)
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    why = models.TextField(_("why"), blank=True)
    message_id = models.CharField(max_length=200, blank=True)

    class Meta:
        app_label = "games"
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        constraints = [models.UniqueConstraint(fields=["kind", "seat", "seq"], name="told_once")]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(state__in=["queued", "sending"]), name="notices_open"),
            models.Index(fields=["seat", "-created_at"], name="notices_of_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.seat_id}@{self.seq}: {self.state}"

    @property
    def reason(self) -> str:
        """`why` in words."""
        return str(Why(self.why).label) if self.why in Why.values else self.why
