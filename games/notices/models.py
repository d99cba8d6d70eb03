"""The outbox: one row for each notice on each channel, written in the transaction that it is about.

`due_at` is when the row needs attention next: when to send it, when to retry, or, while it is being sent, when the
lease of its worker expires. So one index finds all work, and the sweep needs one condition.
"""

import hashlib
import secrets
from base64 import b64encode

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.notices.kinds import Channel, How, Kind


class NoticeState(models.TextChoices):
    """The state of a notice."""

    QUEUED = "queued", _("waiting")
    SENDING = "sending", _("sending")
    SENT = "sent", _("sent")
    DROPPED = "dropped", _("not sent")
    FAILED = "failed", _("failed")


class NoticeReason(models.TextChoices):
    """The reason why a notice was dropped or waits. A refused one has the reply of the other side in `why` instead."""

    TAKEN = "taken", _("you played before it was sent")
    SETTLED = "settled", _("it was no longer needed")
    UNWANTED = "unwanted", _("you turned off notifications of this kind")
    MUTED = "muted", _("you turned off notifications for this game")
    LEFT = "left", _("you no longer play that seat")
    UNCONFIRMED = "unconfirmed", _("your email address was not confirmed")
    STOPPED = "stopped", _("we stopped sending email to your address")
    COMPLAINED = "complained", _("it was reported as spam")
    GONE = "gone", _("the device or webhook was removed")
    RESTORED = "restored", _("the site was restored from a backup before it was sent")
    PAUSED = "paused", _("notifications are paused")
    QUIET = "quiet", _("it is waiting for the end of your quiet hours")


OPEN = (NoticeState.QUEUED, NoticeState.SENDING)


class Notice(models.Model):
    """A notice for one person about entry `seq` of the game of `seat`, or, without a seat, about the subject `about`.

    `target` is the id of the person's device or address on the channel, 0 if there is only one. `title` and `lead` are
    empty if the words are written when the notice is sent. `url` is the link of a notice without a seat. `wanted_at` is
    when the event occurs, `planned_at` when the notice is due by the reader's settings, `why` the reason if it was not
    sent yet or at all. Notices of the same digest share a `message_id` from the start.
    """

    key = models.CharField(max_length=160)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices", db_index=False,
        verbose_name=_("for"),
    )  # fmt: skip
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    channel = models.CharField(_("channel"), max_length=10, choices=Channel, default=Channel.EMAIL)
    target = models.BigIntegerField(_("target"), default=0)
    how = models.CharField(_("when"), max_length=10, choices=How, default=How.NOW)
    seat = models.ForeignKey(
        "tables.Seat", on_delete=models.CASCADE, null=True, blank=True, related_name="notices", verbose_name=_("seat"),
    )  # fmt: skip
    seq = models.PositiveIntegerField(_("entry"), default=0)
    about = models.CharField(_("about"), max_length=60, blank=True)
    title = models.CharField(_("title"), max_length=200, blank=True)
    lead = models.TextField(_("lead"), blank=True)
    url = models.CharField(_("address"), max_length=300, blank=True)
    state = models.CharField(_("status"), max_length=10, choices=NoticeState, default=NoticeState.QUEUED)
    created_at = models.DateTimeField(_("written"), default=timezone.now)
    wanted_at = models.DateTimeField(_("wanted"), default=timezone.now)
    planned_at = models.DateTimeField(_("due"), default=timezone.now)
    due_at = models.DateTimeField(_("next check"), default=timezone.now)
    claimed_at = models.DateTimeField(_("claimed"), null=True, blank=True)
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    why = models.TextField(_("why"), blank=True)
    message_id = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        constraints = [models.UniqueConstraint(fields=["key"], name="noticed_once")]
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
        """Whether the notice waits because of its reader's settings."""
        return self.state == NoticeState.QUEUED and self.why in (NoticeReason.PAUSED, NoticeReason.QUIET)

    @property
    def reason(self) -> str:
        """Return `why` in words."""
        return str(NoticeReason(self.why).label) if self.why in NoticeReason.values else self.why


class Outage(models.Model):
    """An outage of a channel: since when, and the last error. There is no row while the channel works."""

    channel = models.CharField(max_length=10, choices=Channel, primary_key=True)
    since = models.DateTimeField(default=timezone.now)
    reason = models.TextField()

    def __str__(self) -> str:
        return f"{self.channel} since {self.since:%Y-%m-%d %H:%M}: {self.reason}"


LONGEST_FAILURE = 300  # characters


def new_secret() -> str:
    """Return a new secret in the format of Standard Webhooks: `whsec_` and the key in base64."""
    return f"whsec_{b64encode(secrets.token_bytes(24)).decode()}"


class Device(models.Model):
    """A browser that subscribed to push notifications. `failure` is the last refusal of its push service, if any."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="devices")
    endpoint = models.CharField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    name = models.CharField(_("name"), max_length=60)
    added_at = models.DateTimeField(_("added"), default=timezone.now)
    used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    failure = models.CharField(_("failure"), max_length=LONGEST_FAILURE, blank=True)

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")

    def __str__(self) -> str:
        return self.name

    @property
    def mark(self) -> str:
        """Return a hash of the endpoint, by which a browser finds itself in a list that does not reveal endpoints."""
        return hashlib.sha256(self.endpoint.encode()).hexdigest()


class Format(models.TextChoices):
    DISCORD = "discord", "Discord"
    SLACK = "slack", "Slack"
    JSON = "json", _("JSON, for your own program")


class Webhook(models.Model):
    """An address that we post to. `failing_since`: no post has succeeded since then. `off_because`: why it is off.

    `off_because` is empty while the webhook is on.
    """

    url = models.CharField(_("address"), max_length=1000)
    format = models.CharField(_("format"), max_length=10, choices=Format)
    secret = models.CharField(max_length=80, default=new_secret)
    used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)
    failure = models.CharField(_("failure"), max_length=LONGEST_FAILURE, blank=True)
    off_because = models.CharField(_("off because"), max_length=LONGEST_FAILURE, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.format} {self.host}"

    @property
    def host(self) -> str:
        return self.url.split("/")[2].lower()

    @property
    def short_url(self) -> str:
        """Return enough of the URL to tell webhooks apart; the whole URL is a secret."""
        return f"{self.host} …{self.url[-5:]}"

    @property
    def is_plain(self) -> bool:
        return self.format == Format.JSON

    @property
    def is_on(self) -> bool:
        return not self.off_because


class Hook(Webhook):
    """A webhook of a player."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hooks")
    added_at = models.DateTimeField(_("added"), default=timezone.now)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = [models.UniqueConstraint(fields=["user", "url"], name="hooked_once")]
