"""What can be done with people. Guests come without an account, and take their games along when they sign up."""

from datetime import timedelta

from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import login
from django.core import signing
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from accounts.forms import PreferencesForm
from accounts.middleware import guessed_time_zone
from accounts.models import NoticeKind, User
from accounts.names import guest_name
from games.selectors.people import seated
from games.services.people import leave_open_tables, move_seats, rename_seats

BACKEND = "django.contrib.auth.backends.ModelBackend"
UNSUBSCRIBE = "unsubscribe"
CONFIRMED = "confirmed_address"  # in the session: the address that is known to be confirmed
GUESTS_ARE_KEPT = timedelta(days=30)


def play_as_guest(request: HttpRequest) -> User:
    """The person of this request; a stranger becomes a guest, signed in. Too many from one place are sent away."""
    if isinstance(request.user, User):
        return request.user
    if not ratelimit.consume(request, action="guest"):
        raise ImmediateHttpResponse(ratelimit.respond_429(request))
    guest = make_guest(time_zone=guessed_time_zone(request))
    login(request, guest, backend=BACKEND)
    return guest


def make_guest(*, time_zone: str = "UTC") -> User:
    for _attempt in range(20):
        guest = User(username=guest_name(), is_guest=True, time_zone=time_zone)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save(force_insert=True)
        except IntegrityError:
            continue  # the name is taken
        return guest
    raise RuntimeError("No free name for a guest in twenty tries.")


@transaction.atomic
def bring_games(*, guest: User, user: User) -> int:
    """A guest turns out to be somebody we know. Seats move, but where both sit at one table; returns how many."""
    return move_seats(giver=guest, taker=user)


@transaction.atomic
def sweep_guests() -> int:
    """Forget guests of long ago who never took part in a game."""
    idle = User.objects.filter(is_guest=True, date_joined__lt=timezone.now() - GUESTS_ARE_KEPT).exclude(seated())
    return idle.delete()[1].get(User._meta.label, 0)


@transaction.atomic
def forget(user: User) -> None:
    """Delete an account with everything that tells who it was. Seats stay without it: the games are of others too."""
    for session in UserSession.objects.filter(user=user):
        session.end()
    leave_open_tables(user=user)
    user.delete()


@transaction.atomic
def keep_preferences(form: PreferencesForm) -> None:
    """What a valid form says; the name that tables show follows the player's own."""
    user = form.save()
    if "username" in form.changed_data:
        rename_seats(user=user)


def needs_confirming(request: HttpRequest) -> bool:
    """Whether mails wait for this person to confirm the address. Asked of the database until they have."""
    user = request.user
    if not isinstance(user, User) or not user.email or request.session.get(CONFIRMED) == user.email:
        return False
    if user.has_confirmed_address:
        request.session[CONFIRMED] = user.email
        return False
    return True


def unsubscribe_url(user: User, kind: str) -> str:
    """A link for mails of this kind; whoever holds it can switch them off without signing in."""
    signed = signing.dumps([user.pk, NoticeKind(kind).value], salt=UNSUBSCRIBE)
    return settings.SITE_URL + reverse("unsubscribe", args=[signed])


def read_unsubscribe(signed: str) -> tuple[User, NoticeKind]:
    """Raises `BadSignature` when the link is not one of ours, `User.DoesNotExist` when its reader has left."""
    pk, kind = signing.loads(signed, salt=UNSUBSCRIBE)
    return User.objects.get(pk=pk, is_active=True), NoticeKind(kind)


def set_mail(*, user: User, kind: NoticeKind, wanted: bool) -> None:
    User.objects.filter(pk=user.pk).update(**{f"mail_{kind}": wanted})
