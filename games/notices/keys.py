"""Keys to one seat: whoever holds the link from a player's mail may act for that seat, no more.

A key to the table is good for the whole game, a key to a turn only until the turn is taken. Keys are signed, end after
KEPT, and are worth nothing once somebody else sits there or the player changed the password. They open nothing by being
looked at: the pages behind them ask, for mail scanners follow links too.
"""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from games.models.game import Seat
from games.selectors import turns

SALT = "games.notices.keys"
TURN_SALT = "games.notices.keys.turn"
KEPT = timedelta(days=30)
OPENED = "opened_seats"  # in the session: the keys used in this browser, by game
MANY = 50  # keys that a session keeps


def key(seat: Seat) -> str:
    """The key to a seat where somebody sits."""
    assert seat.user is not None
    return signing.dumps([seat.pk, seat.user.pk, _fingerprint(seat.user)], salt=SALT)


def turn_key(seat: Seat) -> str:
    """The key to what the seat, where somebody sits, owes now."""
    assert seat.user is not None
    return signing.dumps([seat.pk, seat.user.pk, _fingerprint(seat.user), seat.game.seq], salt=TURN_SALT)


def _fingerprint(user: User) -> str:
    """Changes with the password, and tells nothing about it."""
    return salted_hmac(SALT, user.get_session_auth_hash()).hexdigest()[:16]


def url(seat: Seat) -> str:
    return settings.SITE_URL + reverse("enter", args=[seat.game.public_id, key(seat)])


def card_urls(seat: Seat, cards: Sequence[str]) -> list[str]:
    """Where the seat can look at each card as if it had been taken, and take it."""
    signed = turn_key(seat) if cards else ""
    return [settings.SITE_URL + reverse("take", args=[seat.game.public_id, signed, card]) for card in cards]


def read(signed: str, public_id: str) -> Seat | None:
    """The seat that the key opens at this table; null for one that is forged, too old or no longer good."""
    found = _opened(signed, SALT, public_id)
    return found[0] if found else None


def read_turn(signed: str, public_id: str) -> Seat | None:
    """The seat whose turn the key opens; null also when that turn has been taken."""
    found = _opened(signed, TURN_SALT, public_id)
    return found[0] if found and turns.still_owes(*found) else None


def _opened(signed: str, salt: str, public_id: str) -> tuple[Seat, int] | None:
    """The seat at this table, and the entry after which the key was made, where it says."""
    try:
        pk, owner, fingerprint, *rest = signing.loads(signed, salt=salt, max_age=KEPT)
    except signing.BadSignature:
        return None
    seats = Seat.objects.filter(pk=pk, game__public_id=public_id, user=owner, user__is_active=True)
    seat = seats.select_related("game", "user").first()
    if seat is None or seat.user is None or not constant_time_compare(fingerprint, _fingerprint(seat.user)):
        return None
    return seat, rest[0] if rest else 0


def open_seat(request: HttpRequest, signed: str, public_id: str) -> None:
    """Let this browser act for the seat, as far as the key reaches."""
    opened = {**request.session.get(OPENED, {}), public_id: signed}
    request.session.cycle_key()
    request.session[OPENED] = dict(list(opened.items())[-MANY:])


def reader(request: HttpRequest, public_id: str) -> User | AnonymousUser:
    """Who looks at this game: the person signed in, else whoever's seat this browser has opened."""
    signed = request.session.get(OPENED, {}).get(public_id)
    if signed is None or sits(request.user, public_id):
        return request.user
    seat = read(signed, public_id) or _in_turn(signed, public_id)
    return seat.user if seat and seat.user else request.user


def _in_turn(signed: str, public_id: str) -> Seat | None:
    """The seat that this browser has opened for a turn; once that is taken it may still see what comes of it."""
    found = _opened(signed, TURN_SALT, public_id)
    return found[0] if found and turns.was_last_asked(*found) else None


def has_opened(request: HttpRequest, public_id: str) -> bool:
    """Whether a link has been used at this table in this browser, whatever it is still good for."""
    return public_id in request.session.get(OPENED, {})


def sits(user: User | AnonymousUser, public_id: str) -> bool:
    return isinstance(user, User) and Seat.objects.filter(game__public_id=public_id, user=user).exists()
