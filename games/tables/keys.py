"""Keys to one seat: the link in a player's email shows the table and plays the turn that it was about, no more.

A key to the table shows it for the whole game, and plays what the seat owed when the email was written until that is
done; the next email brings the next key. A key to a card is good for its turn alone. All else, as chat, notes, standing
orders and taking back, needs signing in. Keys are signed, end after KEPT, and are worth nothing once somebody else sits
there, the player changed the password or signed out everywhere. They open nothing by being looked at: the pages behind
them ask, for mail scanners follow links too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from games.tables.models.game import Seat
from games.tables.selectors import turns

SALT = "games.tables.keys"
TURN_SALT = "games.tables.keys.turn"
KEPT = timedelta(days=30)
OPENED = "opened_seats"  # in the session: the keys used in this browser, by game
MANY = 50  # keys that a session keeps
NOTHING = -1  # in a key: the entry after which its seat owed a decision, where it owed none


def key(seat: Seat) -> str:
    """The key to a seat where somebody sits, and to what it owes now, if anything."""
    assert seat.user is not None
    asked = seat.game.seq if seat.owes else NOTHING
    return signing.dumps([seat.pk, seat.user.pk, _fingerprint(seat.user), asked], salt=SALT)


def turn_key(seat: Seat) -> str:
    """The key to what the seat, where somebody sits, owes now."""
    assert seat.user is not None
    return signing.dumps([seat.pk, seat.user.pk, _fingerprint(seat.user), seat.game.seq], salt=TURN_SALT)


def _fingerprint(user: User) -> str:
    """Changes with the password and with signing out everywhere, and tells nothing about either."""
    return salted_hmac(SALT, user.get_session_auth_hash()).hexdigest()[:16]


def url(seat: Seat) -> str:
    return settings.SITE_URL + reverse("enter", args=[seat.game.public_id, key(seat)])


def card_urls(seat: Seat, cards: Sequence[str]) -> list[str]:
    """Where the seat can look at each card as if it had been taken, and take it."""
    signed = turn_key(seat) if cards else ""
    return [settings.SITE_URL + reverse("take", args=[seat.game.public_id, signed, card]) for card in cards]


def read(signed: str, public_id: str) -> tuple[Seat, int] | None:
    """The seat that the key opens at this table, and the entry after which it owed what the key is good for.

    Null for a key that is forged, too old or no longer good.
    """
    return _opened(signed, SALT, public_id)


def read_turn(signed: str, public_id: str) -> Seat | None:
    """The seat whose turn the key opens; null also when that turn has been taken."""
    found = _opened(signed, TURN_SALT, public_id)
    return found[0] if found and turns.still_owes(*found) else None


def _opened(signed: str, salt: str, public_id: str) -> tuple[Seat, int] | None:
    """The seat at this table, and the entry after which it owed what the key is good for, or `NOTHING`."""
    try:
        pk, owner, fingerprint, asked = signing.loads(signed, salt=salt, max_age=KEPT)
    except (signing.BadSignature, ValueError):  # forged, too old, or of a form that has been given up
        return None
    seats = Seat.objects.filter(pk=pk, game__public_id=public_id, user=owner, user__is_active=True)
    seat = seats.select_related("game", "user").first()
    if seat is None or seat.user is None or not constant_time_compare(fingerprint, _fingerprint(seat.user)):
        return None
    return seat, asked


def open_seat(request: HttpRequest, signed: str, public_id: str) -> None:
    """Let this browser act for the seat, as far as the key reaches."""
    opened = {**request.session.get(OPENED, {}), public_id: signed}
    request.session.cycle_key()
    request.session[OPENED] = dict(list(opened.items())[-MANY:])


@dataclass(frozen=True)
class Access:
    """What a browser may do at a table: as its `user`, the person signed in, or by a key as the player of a seat.

    By a key, `may_play` says whether the seat still owes what the key is good for. `asked` is the entry after which it
    owed that, or `NOTHING`.
    """

    user: User | AnonymousUser
    is_by_key: bool = False
    may_play: bool = True
    asked: int = NOTHING


def access(request: HttpRequest, public_id: str) -> Access:
    """The person signed in if they sit there, else the player whose seat this browser has opened, else who asks."""
    signed = request.session.get(OPENED, {}).get(public_id)
    if signed is None or sits(request.user, public_id):
        return Access(request.user)
    found = _opened(signed, SALT, public_id) or _in_turn(signed, public_id)
    if found is None:
        return Access(request.user)
    seat, asked = found
    assert seat.user is not None
    is_sealed = seat.game.sealed and seat.game.seq == asked  # a sealed decision that is in can be changed
    may_play = asked != NOTHING and (is_sealed or (seat.owes and turns.was_last_asked(seat, asked)))
    return Access(seat.user, is_by_key=True, may_play=may_play, asked=asked)


def reader(request: HttpRequest, public_id: str) -> User | AnonymousUser:
    """The user whose view of the game this browser is shown."""
    return access(request, public_id).user


def _in_turn(signed: str, public_id: str) -> tuple[Seat, int] | None:
    """The seat that this browser has opened for a turn; once that is taken it may still see what comes of it."""
    found = _opened(signed, TURN_SALT, public_id)
    return found if found and turns.was_last_asked(*found) else None


def has_opened(request: HttpRequest, public_id: str) -> bool:
    """Whether a link has been used at this table in this browser, whatever it is still good for."""
    return public_id in request.session.get(OPENED, {})


def sits(user: User | AnonymousUser, public_id: str) -> bool:
    return isinstance(user, User) and Seat.objects.filter(game__public_id=public_id, user=user).exists()
