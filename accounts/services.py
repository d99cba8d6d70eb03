"""Services for accounts. Guests play without an account, and keep their games when they sign up.

Events about the delivery of emails may come in any order, and repeatedly. Their handlers, `email_…`, return the account
with the address, or None if there is none.
"""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.admin.models import LogEntry
from django.contrib.auth import login
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX, UNUSABLE_PASSWORD_SUFFIX_LENGTH
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from accounts import barred, deletions, hooks, trouble
from accounts.forms import PreferencesForm
from accounts.hooks import Moved
from accounts.http import AGAIN, form_digest
from accounts.middleware import current_language, guessed_time_zone
from accounts.models import BotAccount, User
from accounts.moderation import services as moderation
from accounts.names import guest_name, is_guest_name, normal
from accounts.trouble import StopReason, Trouble
from empire.web import limits
from games.rules.record import FORMER_PLAYER

T = TypeVar("T")
BACKEND = "django.contrib.auth.backends.ModelBackend"
NAMES_TRIED = 20  # for a new guest
LINK_SENT = "link-sent"  # a tag of messages that ask people to follow a link that we have emailed
CONFIRMED = "confirmed_address"  # in the session: the address that is known to be confirmed


def play_as_guest(request: HttpRequest, act: Callable[[User], T], name: str = "") -> T:
    """Run `act` for the user of the request, or for a new guest, who is then signed in. Subject to a rate limit.

    If `act` is refused, there is no guest. `name`, which is valid, replaces one that the site chose. Raises
    `IntegrityError` if it was taken meanwhile.
    """
    recall_guest(request)
    if isinstance(request.user, User):
        if name and request.user.is_guest and is_guest_name(request.user.username):
            rename_guest(guest=request.user, name=name)
        return act(request.user)
    if wait := limits.wait_for(request, "guest"):
        raise ImmediateHttpResponse(limits.too_often(request, wait))
    with transaction.atomic():
        guest = make_guest(
            time_zone=guessed_time_zone(request), name=name, language=current_language(), form=form_digest(request)
        )
        result = act(guest)
    login(request, guest, backend=BACKEND)
    return result


def recall_guest(request: HttpRequest) -> None:
    """Sign a visitor in as the guest that the same form created a moment ago, if there is one.

    The second of two taps arrives before the browser has the session of the first. Without this, the visitor would
    become two guests, and the first one would never play.
    """
    form = form_digest(request)
    if not form or isinstance(request.user, User):
        return
    typed = normal(request.POST.get("name", "").strip())
    if guest := _made_by(form, [typed, *(guest_name(f"{form}{attempt}") for attempt in range(NAMES_TRIED))]):
        login(request, guest, backend=BACKEND)


def _made_by(form: str, names: list[str]) -> User | None:
    """Return the guest with one of these names that the form created a moment ago, if there is one."""
    recent = User.objects.filter(is_guest=True, is_active=True, date_joined__gt=timezone.now() - AGAIN)
    return recent.filter(username__in=names, password=_mark(form)).first()


def _mark(form: str) -> str:
    """Return an unusable password that identifies the form that created a guest."""
    return UNUSABLE_PASSWORD_PREFIX + form[:UNUSABLE_PASSWORD_SUFFIX_LENGTH]


def remember_sign_up(request: HttpRequest, user: User) -> None:
    """Remember for a moment which account the form of this request has created."""
    if form := form_digest(request):
        cache.set(f"sign-up/{form}", user.pk, AGAIN.total_seconds())


def recall_sign_up(request: HttpRequest) -> User | None:
    """Return the account that the same form created a moment ago, if there is one.

    The digest is of all that was typed, with the password, and of the secret in the browser's cookie.
    """
    form = form_digest(request)
    pk = cache.get(f"sign-up/{form}") if form else None
    return User.objects.filter(pk=pk, is_active=True).first() if pk else None


@transaction.atomic
def rename_guest(*, guest: User, name: str) -> None:
    """Give a guest a valid name of their choice. Raises `IntegrityError` if it is taken."""
    before, guest.username = guest.username, name
    for hook in hooks.renamed:  # they lock games, so they come first, as in `save_preferences`
        hook(guest)
    try:
        guest.save(update_fields=["username", "folded", "skeleton"])
    except IntegrityError:
        guest.username = before
        raise


def make_guest(*, time_zone: str = "UTC", name: str = "", language: str = "", form: str = "") -> User:
    """Create a guest, with a name of the site's choice if none is given. Raises `IntegrityError` if `name` is taken.

    `form` is the digest of the submitted form, if there is one: a form that is sent twice creates one guest.
    """
    for attempt in range(NAMES_TRIED):
        chosen_name = name or guest_name(f"{form}{attempt}" if form else "")
        guest = User(username=chosen_name, is_guest=True, time_zone=time_zone, language=language)
        guest.set_unusable_password()
        if form:
            guest.password = _mark(form)
        try:
            with transaction.atomic():
                guest.save(force_insert=True)
        except IntegrityError:  # the name is taken
            if form and (before := _made_by(form, [chosen_name])):  # at the same moment
                return before
            if name:
                raise
            continue
        return guest
    raise RuntimeError("No free name for a guest in twenty tries.")


@transaction.atomic
def bring_games(*, guest: User, user: User) -> Moved:
    """Move a guest's seats to an existing account where possible, and close the guest's account."""
    moved = [result for hook in hooks.merged if (result := hook(guest, user)) is not None]
    # A step that a moderator takes about the guest now comes before, and moves too, or is refused
    both = User.objects.select_for_update(no_key=True).filter(pk__in=[guest.pk, user.pk])
    locked = {person.pk: person for person in both.order_by("pk")}
    for session in UserSession.objects.filter(user=guest):
        session.end()
    barred.note(locked[guest.pk])
    moderation.move_steps(guest=guest, user=user)
    # Nobody can sign in as the guest anymore, but no other account could use an address that the guest has confirmed
    EmailAddress.objects.filter(user=guest).delete()
    User.objects.filter(pk=guest.pk).update(is_active=False, email="")
    return Moved(
        seats=sum(result.seats for result in moved),
        given_up=sum(result.given_up for result in moved),
        closed=sum(result.closed for result in moved),
    )


@transaction.atomic
def delete_account(user: User) -> None:
    """Delete an account with everything that identifies the person, and their bots.

    Seats stay, for the sake of the other players. A restore of an older backup deletes the account again. The address
    of an account that moderators have suspended or closed can't be used again for a while.
    """
    barred.note(user)
    deletions.note(user)
    for session in UserSession.objects.filter(user=user):
        session.end()
    for hook in hooks.before_deletion:
        hook(user)
    for bot in User.objects.filter(bot_account__owner=user):  # the hooks have locked the games of bots, too
        delete_account(bot)
    _remove_from_admin_history(user)
    User.objects.select_for_update().filter(pk=user.pk).first()  # a chat message sent now comes before it, or never
    user.delete()


def _remove_from_admin_history(user: User) -> None:
    """Remove the name and addresses of an account from the history of the admin, which copies them as text."""
    addresses = EmailAddress.objects.filter(user=user)
    emails = {user.email, *addresses.values_list("email", flat=True)} - {""}
    about = Q(object_id=str(user.pk), content_type=ContentType.objects.get_for_model(User))
    for model in (BotAccount, Authenticator, EmailAddress, UserSession):
        rows = [str(pk) for pk in model._base_manager.filter(user=user).values_list("pk", flat=True)]
        about |= Q(object_id__in=rows, content_type=ContentType.objects.get_for_model(model))
    for email in emails:
        about |= Q(object_repr__icontains=email) | Q(change_message__icontains=email)
    LogEntry.objects.filter(about).update(object_repr=FORMER_PLAYER, change_message="")


@transaction.atomic
def save_preferences(form: PreferencesForm) -> None:
    """Save the fields of a valid form, and run the hooks for a new time zone or name."""
    user = form.save(commit=False)
    # Hooks first, because they lock games: turns lock a game before its players, and must not wait for this
    if "username" in form.changed_data:
        for hook in hooks.renamed:
            hook(user)
    if "time_zone" in form.changed_data:
        for zone_hook in hooks.time_zone_changed:
            zone_hook(user, form.cleaned_data["time_zone"])
    changed = [name for name in form.fields if name not in ("time_zone", "birth_date")]
    user.save(update_fields=[*changed, "folded", "skeleton"] if "username" in form.changed_data else changed)
    if "birth_date" in form.changed_data:  # of two dates sent at the same moment the first counts
        birth_date = {"birth_date": form.cleaned_data["birth_date"], "birth_date_given_at": timezone.now()}
        User.objects.filter(pk=user.pk, birth_date=None).update(**birth_date)


def address_to_confirm(request: HttpRequest) -> str:
    """Return the address that the user still has to confirm. Once they have, it is empty, and the session remembers it.

    Guests are not asked again for an address that they gave.
    """
    user = request.user
    if not isinstance(user, User) or (user.is_guest and not user.email):
        return ""
    if user.email and request.session.get(CONFIRMED) == user.email:
        return ""
    address = user.unconfirmed_address
    if user.email and not address:
        request.session[CONFIRMED] = user.email
    return address


def asks_to_confirm(request: HttpRequest) -> bool:
    """Return whether a message on this page asks the user to follow the link that we have emailed.

    Only for pages that show their messages, because those that were read are not shown again.
    """
    return any(LINK_SENT in message.tags for message in messages.get_messages(request))


Change = Callable[[Trouble], Trouble]


def email_bounced(*, address: str, reply: str, at: datetime) -> User | None:
    """Stop email to an address that does not accept it."""
    return _change_trouble_of(address, lambda before: trouble.stopped(before, StopReason.BOUNCED, reply, at))


def email_held_up(*, address: str, message_id: str, reply: str, at: datetime) -> User | None:
    """Count an email that could not be delivered for now. `message_id` is any id of that email."""
    return _change_trouble_of(address, lambda before: trouble.bounced(before, message_id, reply, at))


def email_complained(*, address: str, why: StopReason = StopReason.COMPLAINED, reply: str, at: datetime) -> User | None:
    """Stop email to a reader who reported it as spam or unsubscribed."""
    return _change_trouble_of(address, lambda before: trouble.stopped(before, why, reply, at))


def email_arrived(*, address: str) -> User | None:
    return _change_trouble_of(address, trouble.arrived)


@transaction.atomic
def _change_trouble_of(address: str, change: Change) -> User | None:
    user = User.with_address(address).select_for_update(no_key=True).first()
    if user is not None:
        _update_trouble(user, change)
    return user


def _update_trouble(user: User, change: Change) -> None:
    before = user.trouble
    after = change(before)
    if after != before:
        user.email_trouble = trouble.kept(after)
        user.save(update_fields=["email_trouble"])


def resume_email(request: HttpRequest, user: User) -> None:
    """Resume email to the user's address after they confirm it again. Raises `OSError` if the email fails."""
    with transaction.atomic():
        person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if not person.is_email_stopped:
            return
        _update_trouble(person, lambda before: trouble.mended(before, timezone.now()))
        address = EmailAddress.objects.filter(user=person, email__iexact=person.email).first()
        address = address or EmailAddress(user=person, email=person.email, primary=True)
        address.verified = False
        address.save()
    request.session.pop(CONFIRMED, None)
    address.send_confirmation(request)
