"""Signed unsubscribe links, which work without signing in (RFC 8058)."""

from collections.abc import Sequence

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User
from games.notices.kinds import Channel, How, Kind

UNSUBSCRIBE = "unsubscribe"


def unsubscribe_url(user: User, kinds: Sequence[Kind], channel: Channel, how: How = How.NOW) -> str:
    """Return a link that turns off notices of these kinds on a channel. `how` is restored on resubscribing."""
    signed = signing.dumps([user.pk, [kind.value for kind in kinds], channel.value, how.value], salt=UNSUBSCRIBE)
    return settings.SITE_URL + reverse("unsubscribe", args=[signed])


def read_unsubscribe(signed: str) -> tuple[User, list[Kind], Channel, How]:
    """Return the reader, kinds, channel and `how` of a link.

    Raises `BadSignature` if the link is not ours, and `User.DoesNotExist` if the reader's account is gone.
    """
    pk, kinds, channel, how = signing.loads(signed, salt=UNSUBSCRIBE)
    return User.objects.get(pk=pk, is_active=True), [Kind(kind) for kind in kinds], Channel(channel), How(how)
