"""The secret URL of a person's calendar, which works without signing in until it is renewed."""

from django.conf import settings
from django.core import signing
from django.db.models import F
from django.urls import reverse

from accounts.models import User

SIGNER = signing.Signer(salt="calendar")


def calendar_url(user: User) -> str:
    return settings.SITE_URL + reverse("calendar", args=[SIGNER.sign_object([user.pk, user.calendar])])


def read_calendar(signed: str) -> User:
    """Return the owner of a calendar. Raises `BadSignature` if the URL is forged, `User.DoesNotExist` if outdated."""
    pk, number = SIGNER.unsign_object(signed)
    return User.objects.get(pk=pk, calendar=number, is_active=True)


def renew_calendar(user: User) -> None:
    """Make the earlier URLs of the person's calendar invalid."""
    User.objects.filter(pk=user.pk).update(calendar=F("calendar") + 1)
