"""The outbox: one row for each thing that a person is told over a channel, written with what it tells of.

`due_at` is when the row is next to be looked at: when it shall be sent, tried again, or, while it is being sent, when
whoever is at it is taken for dead. So one index finds all work, and the sweep needs one condition.
"""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.kinds import Channel, How, Kind


class Fate(models.TextChoices):
    """What became of a notice."""

    QUEUED = "queued", _("waiting")
    SENDING = "sending", _("being sent")
    SENT = "sent", _("sent")
    DROPPED = "dropped", _("not sent")
    FAILED = "failed", _("failed")


class Why(models.TextChoices):
    """Why a notice was dropped, or waits. For one that was refused, `why` holds what the other side said."""

    TAKEN = "taken", _("the turn was taken before it was sent")
    SETTLED = "settled", _("it was settled before it was sent")
    UNWANTED = "unwanted", _("notices of this kind were switched off")
    LEFT = "left", _("you no longer play that seat")
    UNCONFIRMED = "unconfirmed", _("the email address had not been confirmed")
    STOPPED = "stopped", _("mails to your address were stopped")
    COMPLAINED = "complained", _("it was reported as unwanted")
    GONE = "gone", _("the device or address was taken off")
    RESTORED = "restored", _("the site was put back to an earlier moment before it was sent")
    PAUSED = "paused", _("notices are paused")
    QUIET = "quiet", _("it is quiet until then")


OPEN = (Fate.QUEUED, Fate.SENDING)


class Notice(models.Model):
    """What one person is told about entry `seq` of the game of `seat`; without a seat, about what `about` names.

    `target` is which of the person's devices or addresses of the channel, 0 where there is but one. `title` and `lead`
    are its words, empty where they are found when it is sent; `url` is where a notice without a seat leads.
    `wanted_at` is when there is something to say, `planned_at` when, by the reader's wishes, it is to be said; `why`
    says why it was not, or not yet. What is sent together, as a digest, shares its `message_id` from the beginning.
    """

    key = models.CharField(max_length=160, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices", verbose_name=_("for"),
    )  # fmt: skip
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    channel = models.CharField(_("channel"), max_length=10, choices=Channel, default=Channel.MAIL)
    target = models.BigIntegerField(_("target"), default=0)
    how = models.CharField(_("when"), max_length=10, choices=How, default=How.NOW)
    seat = models.ForeignKey(
        "games.Seat", on_delete=models.CASCADE, null=True, blank=True, related_name="notices", verbose_name=_("seat"),
    )  # fmt: skip
    seq = models.PositiveIntegerField(_("entry"), default=0)
    about = models.CharField(_("about"), max_length=60, blank=True)
    title = models.CharField(_("title"), max_length=200, blank=True)
    lead = models.TextField(_("lead"), blank=True)
    url = models.CharField(_("address"), max_length=300, blank=True)
    state = models.CharField(_("what became of it"), max_length=10, choices=Fate, default=Fate.QUEUED)
    created_at = models.DateTimeField(_("written"), default=timezone.now)
    wanted_at = models.DateTimeField(_("wanted"), default=timezone.now)
    planned_at = models.DateTimeField(_("due"), default=timezone.now)
    due_at = models.DateTimeField(_("looked at next"), default=timezone.now)
    claimed_at = models.DateTimeField(_("taken up"), null=True, blank=True)
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    why = models.TextField(_("why"), blank=True)
    message_id = models.CharField(max_length=200, blank=True)

    class Meta:
        app_label = "games"
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        indexes = [
            models.Index(
                fields=["channel", "due_at"], condition=models.Q(state__in=["queued", "sending"]), name="notices_open"
            ),
            models.Index(fields=["user", "-created_at"], name="notices_of_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.state}"

    @property
    def is_held(self) -> bool:
        """Whether it waits because its reader wishes so."""
        return self.state == Fate.QUEUED and self.why in (Why.PAUSED, Why.QUIET)

    @property
    def reason(self) -> str:
        """`why` in words."""
        return str(Why(self.why).label) if self.why in Why.values else self.why


class Outage(models.Model):
    """Since when a channel has not answered, and what came instead; no row while it works."""

    channel = models.CharField(max_length=10, choices=Channel, primary_key=True)
    since = models.DateTimeField(default=timezone.now)
    reason = models.TextField()

    class Meta:
        app_label = "games"

    def __str__(self) -> str:
        return f"{self.channel} since {self.since:%Y-%m-%d %H:%M}: {self.reason}"
