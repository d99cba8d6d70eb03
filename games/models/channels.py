"""Where else than by mail somebody wants to hear: browsers that take web push, and addresses that we post to."""

import hashlib
import secrets
from base64 import b64encode

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

LONGEST_FAILURE = 300  # letters


def new_secret() -> str:
    """As Standard Webhooks writes secrets: the key follows the underscore, as base64."""
    return f"whsec_{b64encode(secrets.token_bytes(24)).decode()}"


class Device(models.Model):
    """A browser that showed us how to push to it. `failure` is what its push service said last, if that was a no."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="devices")
    endpoint = models.CharField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    name = models.CharField(_("name"), max_length=60)
    added_at = models.DateTimeField(_("added"), default=timezone.now)
    used_at = models.DateTimeField(_("last told"), null=True, blank=True)
    failure = models.CharField(_("failure"), max_length=LONGEST_FAILURE, blank=True)

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")

    def __str__(self) -> str:
        return self.name

    @property
    def mark(self) -> str:
        """By this a browser knows itself in a list, and nobody can push to it."""
        return hashlib.sha256(self.endpoint.encode()).hexdigest()


class Format(models.TextChoices):
    DISCORD = "discord", "Discord"
    SLACK = "slack", "Slack"
    JSON = "json", _("JSON, for a program of your own")


class Hook(models.Model):
    """An address that we post to. `failing_since`: no post has been taken since then. `off_because`: none is sent."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hooks")
    url = models.CharField(_("address"), max_length=1000)
    format = models.CharField(_("format"), max_length=10, choices=Format)
    secret = models.CharField(max_length=80, default=new_secret)
    added_at = models.DateTimeField(_("added"), default=timezone.now)
    used_at = models.DateTimeField(_("last told"), null=True, blank=True)
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)
    failure = models.CharField(_("failure"), max_length=LONGEST_FAILURE, blank=True)
    off_because = models.CharField(_("off because"), max_length=LONGEST_FAILURE, blank=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = [models.UniqueConstraint(fields=["user", "url"], name="hooked_once")]

    def __str__(self) -> str:
        return f"{self.format} {self.host}"

    @property
    def host(self) -> str:
        return self.url.split("/")[2].lower()

    @property
    def short_url(self) -> str:
        """Enough for its owner to tell one from another; the whole is a secret."""
        return f"{self.host} …{self.url[-5:]}"

    @property
    def is_plain(self) -> bool:
        return self.format == Format.JSON

    @property
    def is_on(self) -> bool:
        return not self.off_because
