"""The address of somebody's calendar: whoever holds it can read it, without signing in, until it is renewed."""

from django.conf import settings
from django.core import signing
from django.db.models import F
from django.urls import reverse

from accounts.models import User

SIGNER = signing.Signer(salt="calendar")


def calendar_url(user: User) -> str:
    return settings.SITE_URL + reverse("calendar", args=[SIGNER.sign_object([user.pk, user.calendar])])


def read_calendar(signed: str) -> User:
    """Raises `BadSignature` when the address is not one of ours, `User.DoesNotExist` when it is no longer theirs."""
    pk, number = SIGNER.unsign_object(signed)
    return User.objects.get(pk=pk, calendar=number, is_active=True)


def renew_calendar(user: User) -> None:
    """Addresses from before are answered no longer."""
    User.objects.filter(pk=user.pk).update(calendar=F("calendar") + 1)
