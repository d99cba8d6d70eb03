"""Proof that an account belongs to the reader of its email address.

Anyone can sign up with any address. So the first person who follows a link in an email, in another browser than the one
that signed up, gets the account to themselves: the password, sessions, second factors and channels of the person who
created it are removed. Other keys to an account are here too: the link that undoes a change of address, and the secret
URL of the person's calendar.
"""

import time
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed, password_reset
from allauth.account.utils import user_pk_to_url_str
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.core import signing
from django.db import transaction
from django.db.models import F, Q
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import hooks
from accounts.bots import revoke_token
from accounts.hooks import Access
from accounts.models import AddressChange, BotAccount, User
from accounts.sessions import SessionStore
from empire.web import languages

UNDO = "accounts.proof.undo"
SIGNED_IN_AT = "signed_in_at"  # in the session
UNDO_KEPT = timedelta(days=7)  # how long the link that undoes a change of address works


def ways_in(email: str) -> list[User]:
    """Return the accounts that an email to this address may open, the best match first.

    An address that an account is only changing to does not open it, unless the account was never proven.
    """
    holders = list(User.with_address(email).filter(is_active=True))
    if holders or User.is_address_of(email):
        return holders
    unconfirmed = EmailAddress.objects.filter(email=email.lower(), verified=False, user__is_active=True)
    addresses = unconfirmed.select_related("user").order_by("pk")
    return [address.user for address in addresses if not address.user.is_proven]


def sign_out_everywhere(user: User, request: HttpRequest | None = None) -> None:
    """End all sessions of the account except that of `request`, and invalidate the keys in emails."""
    User.objects.filter(pk=user.pk).update(sign_outs=F("sign_outs") + 1)
    user.refresh_from_db(fields=["sign_outs"])
    if request is not None:
        request.session[HASH_SESSION_KEY] = user.get_session_auth_hash()


@receiver(user_logged_in)
def signed_in(request: HttpRequest, user: User, **kwargs: Any) -> None:
    request.session[SIGNED_IN_AT] = time.time()
    _use_language_of(request, user)
    for hook in hooks.signed_in:
        hook(request, user)


def _use_language_of(request: HttpRequest, user: User) -> None:
    """Use the account's language for the messages of this request: the page that shows them is in it too."""
    if chosen := languages.supported(user.language):
        languages.activate(request, chosen)


@receiver(user_logged_out)
def signed_out(request: HttpRequest, user: User | None, **kwargs: Any) -> None:
    if user is not None:
        for hook in hooks.signing_out:
            hook(user, request.session)


def end_session(session: UserSession) -> None:
    """Sign the person out on another device."""
    data = SessionStore(session.session_key).load()
    for hook in hooks.signing_out:
        hook(session.user, data)
    session.end()


def need_recent_proof(request: HttpRequest, page: str = "") -> None:
    """Ask for the password or a second factor, unless the person has just signed in or confirmed who they are.

    Call it before adding what outlives the session, because the session may be stolen. People who sign in with emailed
    codes need a new one; guests are asked nothing. `page` is where to begin again if the request is for no page. Raises
    exceptions that allauth turns into an answer.
    """
    user = request.user
    if not isinstance(user, User):
        return
    at = [request.session.get(SIGNED_IN_AT, 0), *(record["at"] for record in get_authentication_records(request, user))]
    if time.time() - max(at) < app_settings.REAUTHENTICATION_TIMEOUT:
        return
    if get_adapter().get_reauthentication_methods(user):
        raise ReauthenticationRequired
    if user.is_proven and not user.is_guest:
        raise ImmediateHttpResponse(sign_in_again(request, page))


def sign_in_again(request: HttpRequest, page: str = "") -> HttpResponse:
    return render(request, "accounts/sign_in_again.html", {"wanted": page or request.path}, status=403)


def accesses(user: User) -> list[Access]:
    """Return what reaches the account without signing in, and outlives signing out everywhere."""
    entries = [Access("calendar", _("Calendar address"), None, partial(renew_calendar, user))]
    for bot in BotAccount.objects.filter(owner=user, digest__isnull=False).select_related("user").order_by("pk"):
        name = _("Token of %(bot)s") % {"bot": bot}
        entries.append(Access(f"token.{bot.pk}", name, bot.token_made_at, partial(revoke_token, bot)))
    return entries + [access for hook in hooks.accesses for access in hook(user)]


@transaction.atomic
def reclaim(user: User, *, keeps_password: bool = False, second_factors_since: datetime | None = None) -> None:
    """Remove everything that lets anyone but the reader of the address sign in to the account or get its notices.

    Second factors created before `second_factors_since` stay.
    """
    if not keeps_password:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    sign_out_everywhere(user)
    factors = Authenticator.objects.filter(user=user)
    (factors.filter(created_at__gte=second_factors_since) if second_factors_since else factors).delete()
    for hook in hooks.reclaimed:
        hook(user)
    for bot in BotAccount.objects.filter(owner=user):
        revoke_token(bot)
    renew_calendar(user)
    user.refresh_from_db(fields=["calendar"])  # allauth saves the whole row after this


@receiver(email_confirmed)
def address_confirmed(request: HttpRequest, email_address: EmailAddress, **kwargs: Any) -> None:
    """Reclaim the account at its first proof, unless the browser is signed in to it. Later ones are changes.

    Raises `OSError` if the email to the old address cannot be sent.
    """
    user = email_address.user
    others = EmailAddress.objects.filter(user=user).exclude(pk=email_address.pk)
    old = others.filter(verified=True).order_by("-primary").first()
    is_first = not user.has_proven and old is None
    user.has_proven = True
    user.save(update_fields=["has_proven"])
    if is_first and request.user.pk != user.pk:
        _use_language_of(request, user)  # by a code, before this browser is signed in
        reclaim(user)
        others.delete()
        words = _(
            "Nobody had confirmed this address before. For your security, we signed out all other devices and"
            " removed the password. You can set a new one under Password."
        )
        messages.warning(request, words)
    elif old is not None:
        # Notify the old address, with a link that undoes the change
        change = AddressChange.objects.create(user=user, old=old.email, at=timezone.now())
        url = settings.SITE_URL + reverse("undo_address", args=[signing.dumps(change.pk, salt=UNDO)])
        context = {"user": user, "new": email_address.email, "undo_url": url, "days": UNDO_KEPT.days}
        get_adapter().render_mail("account/email/address_changed", old.email, context).send()


@receiver(password_reset)
def password_was_reset(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Treat a password set by a link in an email as proof of the account and its address. The new password stays."""
    if not user.is_proven:
        reclaim(user, keeps_password=True)
        user.has_proven = True
        user.save(update_fields=["has_proven"])
        addresses = EmailAddress.objects.filter(user=user)
        if user.email:  # it is empty until an address that replaced a mistyped one, or that a guest gave, is confirmed
            addresses.exclude(email__iexact=user.email).delete()
        if address := addresses.order_by("pk").last():
            get_adapter().confirm_email(request, address)


def confirmed_by(key: str, user: User) -> EmailAddress | None:
    """Return the address of the user that the link with this key has confirmed, if it has."""
    try:
        pk = signing.loads(key, salt=app_settings.SALT)
    except signing.BadSignature:
        return None
    return EmailAddress.objects.filter(pk=pk, user=user, verified=True).first()


def read_undo(signed: str) -> AddressChange:
    """Return the change of an undo link, also if it was used. Raises `BadSignature` or `AddressChange.DoesNotExist`."""
    pk = signing.loads(signed, salt=UNDO, max_age=UNDO_KEPT)
    return AddressChange.objects.select_related("user").get(pk=pk, user__is_active=True)


@transaction.atomic
def undo(change: AddressChange) -> str | None:
    """Give the account back to its old address. Return the page where its reader sets a new password.

    Returns None if another account has confirmed the address since. Second factors stay only if they existed a week
    before the change, because a thief who could change the address could also add one.
    """
    user = User.objects.select_for_update(no_key=True).get(pk=change.user_id)
    others = User.with_address(change.old).exclude(pk=user.pk)
    if EmailAddress.objects.filter(email=change.old, verified=True).exclude(user=user).exists():
        return None
    EmailAddress.objects.filter(email=change.old).exclude(user=user).delete()
    others.update(email="")  # nobody had proven that the address is theirs
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=change.old, verified=True, primary=True)
    user.email = change.old
    user.save(update_fields=["email"])
    reclaim(user, second_factors_since=change.at - UNDO_KEPT)
    AddressChange.objects.filter(user=user, at__gte=change.at).update(is_undone=True)
    uid, token = user_pk_to_url_str(user), default_token_generator.make_token(user)
    return reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token})


def sweep_address_changes() -> None:
    """Delete address changes whose undo links have expired, except of accounts that are suspended or closed.

    Otherwise their owners could change the address, wait, delete the account, and sign up with the old address.
    """
    now = timezone.now()
    suspended = Q(user__is_closed=True) | Q(user__suspended_until__gt=now)
    AddressChange.objects.filter(at__lt=now - UNDO_KEPT).exclude(suspended).delete()


# The secret URL of a person's calendar, which works without signing in until it is renewed

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
