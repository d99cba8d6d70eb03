"""Keys to one seat: a link in an email shows the table and plays the turn that the email was about.

A table key shows the table for the whole game and plays the decision that was due when the email was written; the next
email contains the next key. A card key is valid for its turn only, and a mute key only turns notices about the game off
and on. Everything else, such as chat, notes, standing orders and undoing, needs signing in. Keys are signed and expire
after KEPT, and when someone else plays the seat or the player changes the password or the email address, or signs out
everywhere. A GET request changes nothing, because mail scanners follow links too: the linked pages ask first, once in
each browser.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from games.tables.models.game import Seat
from games.tables.selectors import position

SALT = "games.tables.keys"
TURN_SALT = "games.tables.keys.turn"
MUTE_SALT = "games.tables.keys.mute"
KEPT = timedelta(days=30)
OPENED = "opened_seats"  # in the session: the keys used in this browser, by game
MOST_KEYS = 50  # most keys in one session
KNOWN = "opened_for"  # the cookie with the users whose links were used in this browser
MOST_KNOWN = 5  # users in that cookie
NOTHING = -1  # in a key: the seat owed no decision


def key(seat: Seat) -> str:
    """Return the key to a person's seat and to the decision it owes now, if any."""
    return _signed(seat, seat.game.seq if seat.owes else NOTHING, SALT)


def turn_key(seat: Seat) -> str:
    """Return the key to the decision that a person's seat owes now."""
    return _signed(seat, seat.game.seq, TURN_SALT)


def _signed(seat: Seat, due_after: int, salt: str) -> str:
    assert seat.user is not None
    return signing.dumps([seat.pk, seat.user.pk, _fingerprint(seat.user), due_after], salt=salt)


def _fingerprint(user: User) -> str:
    """Return a hash that changes with the password and the email address, and when the user signs out everywhere."""
    return salted_hmac(SALT, f"{user.get_session_auth_hash()} {user.email.lower()}").hexdigest()[:16]


def url(seat: Seat) -> str:
    return settings.SITE_URL + reverse("enter", args=[seat.game.public_id, key(seat)])


def card_urls(seat: Seat, cards: Sequence[str]) -> list[str]:
    """Return the URL for each card where the player can preview and take it."""
    signed = turn_key(seat) if cards else ""
    return [settings.SITE_URL + reverse("take", args=[seat.game.public_id, signed, card]) for card in cards]


def mute_url(seat: Seat) -> str:
    """Return the URL where the player can turn off notices about this game."""
    return settings.SITE_URL + reverse("mute", args=[seat.game.public_id, _signed(seat, NOTHING, MUTE_SALT)])


def read_mute(signed: str, public_id: str) -> Seat | None:
    """Return the seat whose notices the key turns off and on."""
    seat_and_seq = _opened(signed, MUTE_SALT, public_id)
    return seat_and_seq[0] if seat_and_seq else None


def read(signed: str, public_id: str) -> tuple[Seat, int] | None:
    """Return the seat that a valid key opens at this table, and the entry after which it owed its decision."""
    return _opened(signed, SALT, public_id)


def read_turn(signed: str, public_id: str) -> Seat | None:
    """Return the seat whose turn the key opens; None also if that turn has been played."""
    seat_and_seq = _opened(signed, TURN_SALT, public_id)
    return seat_and_seq[0] if seat_and_seq and position.still_owes(*seat_and_seq) else None


def _opened(signed: str, salt: str, public_id: str) -> tuple[Seat, int] | None:
    """Return the seat at this table, and the entry after which it owed the decision, or `NOTHING`."""
    try:
        pk, owner, fingerprint, due_after = signing.loads(signed, salt=salt, max_age=KEPT)
    except (signing.BadSignature, ValueError):  # forged, expired, or in an obsolete format
        return None
    seats = Seat.objects.filter(pk=pk, game__public_id=public_id, user=owner, user__is_active=True)
    seat = seats.select_related("game", "user").first()
    if (
        seat is None
        or seat.user is None
        or seat.user.is_suspended
        or not constant_time_compare(fingerprint, _fingerprint(seat.user))
    ):
        return None
    return seat, due_after


def read_lost(signed: str, public_id: str) -> Seat | None:
    """Return the seat of a key that opens nothing only because a bot or someone else plays for its owner now."""
    try:
        pk, owner, fingerprint, _asked = signing.loads(signed, salt=SALT, max_age=KEPT)
    except (signing.BadSignature, ValueError):
        return None
    seats = Seat.objects.filter(pk=pk, game__public_id=public_id, owner=owner).exclude(user=owner)
    seat = seats.select_related("game", "user", "owner").first()
    if seat is None or seat.owner is None or not constant_time_compare(fingerprint, _fingerprint(seat.owner)):
        return None
    return seat


def open_seat(request: HttpRequest, signed: str, public_id: str) -> None:
    """Let this browser act for the seat within the limits of the key."""
    opened = {**request.session.get(OPENED, {}), public_id: signed}
    request.session.cycle_key()
    request.session[OPENED] = dict(list(opened.items())[-MOST_KEYS:])


def is_known_here(request: HttpRequest, user: User) -> bool:
    """Return whether this browser has passed the page before the table for this user, so it need not ask again.

    The cookie opens nothing: only a valid key does. A browser in which someone else is signed in is asked each time.
    """
    is_someone_else = request.user.is_authenticated and request.user != user
    return not is_someone_else and any(
        pk == user.pk and constant_time_compare(fingerprint, _fingerprint(user))
        for pk, fingerprint in _users_known_here(request)
    )


def remember_here(request: HttpRequest, answer: HttpResponse, user: User) -> None:
    """Remember in a cookie that this browser has passed the page before the table for this user."""
    others = [pair for pair in _users_known_here(request) if pair[0] != user.pk]
    signed = signing.dumps([*others, [user.pk, _fingerprint(user)]][-MOST_KNOWN:], salt=KNOWN)
    answer.set_cookie(
        KNOWN, signed, max_age=settings.SESSION_COOKIE_AGE, path="/games/", httponly=True, samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )  # fmt: skip


def _users_known_here(request: HttpRequest) -> list[tuple[int, str]]:
    """Return the users in the cookie, each with the fingerprint that they had then."""
    try:
        pairs = signing.loads(request.COOKIES.get(KNOWN, ""), salt=KNOWN, max_age=settings.SESSION_COOKIE_AGE)
    except signing.BadSignature:
        return []
    return [(pk, fingerprint) for pk, fingerprint in pairs]


@dataclass(frozen=True)
class Access:
    """What a browser may do at a table, as the signed-in `user` or, with a key, as the player of a seat.

    With a key, `may_play` tells whether the seat still owes the key's decision, and `due_after` is the entry after
    which it owed that decision, or `NOTHING`.
    """

    user: User | AnonymousUser
    is_by_key: bool = False
    may_play: bool = True
    due_after: int = NOTHING


def access(request: HttpRequest, public_id: str) -> Access:
    """Return access as the signed-in player, else as the player whose seat this browser opened, else as the visitor."""
    signed = request.session.get(OPENED, {}).get(public_id)
    if signed is None or sits(request.user, public_id):
        return Access(request.user)
    seat_and_seq = _opened(signed, SALT, public_id)
    if seat_and_seq is None:  # a seat opened for one turn; also after that turn, to show its result
        seat_and_seq = _opened(signed, TURN_SALT, public_id)
        if seat_and_seq is None or not position.was_last_asked(*seat_and_seq):
            return Access(request.user)
    seat, due_after = seat_and_seq
    assert seat.user is not None
    is_sealed = seat.game.sealed and seat.game.seq == due_after  # a sealed decision can still be changed
    may_play = due_after != NOTHING and (is_sealed or (seat.owes and position.was_last_asked(seat, due_after)))
    return Access(seat.user, is_by_key=True, may_play=may_play, due_after=due_after)


def reader(request: HttpRequest, public_id: str) -> User | AnonymousUser:
    """Return the user whose view of the game this browser sees."""
    return access(request, public_id).user


def has_opened(request: HttpRequest, public_id: str) -> bool:
    """Return whether an email link was used for this table in this browser, valid or not."""
    return public_id in request.session.get(OPENED, {})


def sits(user: User | AnonymousUser, public_id: str) -> bool:
    """Return whether the user plays a seat there, or owns one that someone else plays for them."""
    if not isinstance(user, User):
        return False
    return Seat.objects.filter(Q(user=user) | Q(owner=user), game__public_id=public_id).exists()
