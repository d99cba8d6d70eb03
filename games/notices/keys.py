"""Keys to one seat: whoever holds the link from a player's mail may see that game and act for that seat, no more.

A key is signed, ends after KEPT, and is worth nothing once somebody else sits there or the player changed the password.
It opens nothing by being looked at: the page behind it asks, for mail scanners follow links too.
"""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from games.models.game import Seat

SALT = "games.notices.keys"
KEPT = timedelta(days=30)
OPENED = "opened_seats"  # in the session: the keys used in this browser, by game
MANY = 50  # keys that a session keeps


def key(seat: Seat) -> str:
    """The key to a seat where somebody sits."""
    assert seat.user is not None
    return signing.dumps([seat.pk, seat.user.pk, _fingerprint(seat.user)], salt=SALT)


def _fingerprint(user: User) -> str:
    """Changes with the password, and tells nothing about it."""
    return salted_hmac(SALT, user.get_session_auth_hash()).hexdigest()[:16]


def url(seat: Seat) -> str:
    return settings.SITE_URL + reverse("enter", args=[seat.game.public_id, key(seat)])


def read(signed: str, public_id: str) -> Seat | None:
    """The seat that the key opens at this table; null for one that is forged, too old or no longer good."""
    try:
        pk, owner, fingerprint = signing.loads(signed, salt=SALT, max_age=KEPT)
    except signing.BadSignature:
        return None
    seats = Seat.objects.filter(pk=pk, game__public_id=public_id, user=owner, user__is_active=True)
    seat = seats.select_related("game", "user").first()
    if seat is None or seat.user is None or not constant_time_compare(fingerprint, _fingerprint(seat.user)):
        return None
    return seat


def open_seat(request: HttpRequest, signed: str, public_id: str) -> None:
    """Let this browser act for the seat."""
    opened = {**request.session.get(OPENED, {}), public_id: signed}
    request.session.cycle_key()
    request.session[OPENED] = dict(list(opened.items())[-MANY:])


def reader(request: HttpRequest, public_id: str) -> User | AnonymousUser:
    """Who looks at this game: the person signed in, else whoever's seat this browser has opened."""
    signed = request.session.get(OPENED, {}).get(public_id)
    if signed is None or sits(request.user, public_id):
        return request.user
    seat = read(signed, public_id)
    return seat.user if seat and seat.user else request.user


def sits(user: User | AnonymousUser, public_id: str) -> bool:
    return isinstance(user, User) and Seat.objects.filter(game__public_id=public_id, user=user).exists()
