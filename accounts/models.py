"""People. One row a person: guests have no mail address yet, and get it, on the same row, when they sign up."""

from datetime import date
from zoneinfo import ZoneInfo, available_timezones

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.names import LONGEST, field_validators


class Theme(models.TextChoices):
    AUTO = "auto", _("as my device has it")
    LIGHT = "light", _("light")
    DARK = "dark", _("dark")


class NoticeKind(models.TextChoices):
    """What a player may be told by mail. `mail_<kind>` of the user says whether they want it."""

    TURN = "turn", _("it is your turn")
    TIME = "time", _("your time is running out")
    STARTED = "started", _("a game of yours begins")
    ENDED = "ended", _("a game of yours ends")
    CLOSED = "closed", _("a table closes that you waited at")


def is_time_zone(name: str) -> None:
    if name not in available_timezones():
        raise ValidationError(_("We do not know this time zone."))


def today() -> date:
    return timezone.localdate()


class User(AbstractUser):
    username = models.CharField(
        _("player name"),
        max_length=LONGEST,
        unique=True,
        validators=field_validators,
        help_text=_("Everybody sees this name."),
        error_messages={"unique": _("Somebody has this name already.")},
    )
    email = models.EmailField(_("email address"), blank=True, help_text=_("Nobody but you sees it."))
    first_name = None  # type: ignore[assignment]  # people have one name here
    last_name = None  # type: ignore[assignment]
    is_guest = models.BooleanField(_("guest"), default=False)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[is_time_zone])
    birth_date = models.DateField(
        _("date of birth"), null=True, blank=True, validators=[MaxValueValidator(today)],
        help_text=_("Private, and never shown. Where bids are equal, the rules ask who is younger."),
    )  # fmt: skip
    theme = models.CharField(_("colours"), max_length=5, choices=Theme, default=Theme.AUTO)
    mail_turn = models.BooleanField(_("it is my turn"), default=True)
    mail_time = models.BooleanField(_("my time is running out"), default=True)
    mail_started = models.BooleanField(_("a game of mine begins"), default=True)
    mail_ended = models.BooleanField(_("a game of mine ends"), default=True)
    mail_closed = models.BooleanField(_("a table closes that I waited at"), default=True)

    REQUIRED_FIELDS = ["email"]

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"), name="username_once_in_any_case",
                violation_error_message=_("Somebody has this name already."),
            ),
            models.UniqueConstraint(
                Lower("email"), condition=~models.Q(email=""), name="email_once_in_any_case",
                violation_error_message=_("There is an account with this email address already."),
            ),
        ]  # fmt: skip

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.username])

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    @classmethod
    def is_address_of(cls, email: str, *, besides: "User | None" = None) -> bool:
        """Whether somebody else has this address; one that a guest has not confirmed is nobody's yet."""
        same = cls.objects.alias(folded=Lower("email")).filter(folded=email.lower())
        return (same.exclude(pk=besides.pk) if besides else same).exists()

    def wants_mail(self, kind: str) -> bool:
        return bool(self.email and self.is_active and getattr(self, f"mail_{kind}"))

    @property
    def has_confirmed_address(self) -> bool:
        """Whether the reader of this address has said that it is theirs: games write to no other."""
        from allauth.account.models import EmailAddress  # it needs this model to be loaded

        return EmailAddress.objects.filter(user=self, email__iexact=self.email, verified=True).exists()

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)
