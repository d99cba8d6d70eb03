"""Proof that an account belongs to the reader of its address, and what that takes away from anyone else.

Anyone can sign up with any address. So the first reader of the address who comes by an email, and not from the browser
that signed up, gets the account alone: without the password, sessions, second factors and channels of whoever made it.
"""

from datetime import datetime, timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed, password_reset
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import HASH_SESSION_KEY
from django.core import signing
from django.db import transaction
from django.db.models import F
from django.dispatch import receiver
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import hooks
from accounts.calendars import renew_calendar
from accounts.models import AddressChange, User

UNDO = "accounts.proof.undo"
UNDO_KEPT = timedelta(days=7)  # for so long the link that undoes a change of address works


def ways_in(email: str) -> list[User]:
    """The accounts that an email to this address may open, the right one first.

    An address that an account only wants to change to opens nothing, unless nothing about the account was ever proven.
    """
    holders = list(User.with_address(email).filter(is_active=True))
    if holders or User.is_address_of(email):
        return holders
    told = EmailAddress.objects.filter(email=email.lower(), verified=False, user__is_active=True).select_related("user")
    return [address.user for address in told.order_by("pk") if not address.user.is_proven]


def sign_out_everywhere(user: User, request: HttpRequest | None = None) -> None:
    """End all sessions of the account, and the keys in emails with the sessions they opened; not that of `request`."""
    User.objects.filter(pk=user.pk).update(sign_outs=F("sign_outs") + 1)
    user.refresh_from_db(fields=["sign_outs"])
    if request is not None:
        request.session[HASH_SESSION_KEY] = user.get_session_auth_hash()


@transaction.atomic
def reclaim(user: User, *, keeps_password: bool = False, second_factors_since: datetime | None = None) -> None:
    """Take from the account everything by which anyone but the reader of its address could get in or listen.

    Second factors that are older than `second_factors_since` stay.
    """
    if not keeps_password:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    sign_out_everywhere(user)
    factors = Authenticator.objects.filter(user=user)
    (factors.filter(created_at__gte=second_factors_since) if second_factors_since else factors).delete()
    for hook in hooks.reclaimed:
        hook(user)
    renew_calendar(user)
    user.refresh_from_db(fields=["calendar"])  # allauth saves the whole row after this


@receiver(email_confirmed)
def address_confirmed(request: HttpRequest, email_address: EmailAddress, **kwargs: Any) -> None:
    """The first proof reclaims the account, unless it comes from a browser signed in there. A later one is a change."""
    user = email_address.user
    others = EmailAddress.objects.filter(user=user).exclude(pk=email_address.pk)
    old = others.filter(verified=True).order_by("-primary").first()
    is_first = not user.has_proven and old is None
    user.has_proven = True
    user.save(update_fields=["has_proven"])
    if is_first and request.user.pk != user.pk:
        reclaim(user)
        others.delete()
        words = _(
            "Nobody had confirmed this address before. For your security, we signed out all other devices and"
            " removed the password. You can set a new one under Password."
        )
        messages.warning(request, words)
    elif old is not None:
        tell_old_address(user=user, old=old.email, new=email_address.email)


@receiver(password_reset)
def password_was_reset(user: User, **kwargs: Any) -> None:
    """A new password, set by a link in an email, proves an account as a code does. The password is the reader's."""
    if not user.is_proven:
        reclaim(user, keeps_password=True)
        user.has_proven = True
        user.save(update_fields=["has_proven"])
        EmailAddress.objects.filter(user=user).exclude(email__iexact=user.email).delete()
        address = EmailAddress.objects.filter(user=user).first()
        if address is not None:
            address.set_verified()


def tell_old_address(*, user: User, old: str, new: str) -> None:
    """Tell the address that the account has left, with the link that undoes it.

    Raises `OSError` when no mail can be sent at all.
    """
    change = AddressChange.objects.create(user=user, old=old, at=timezone.now())
    url = settings.SITE_URL + reverse("undo_address", args=[signing.dumps(change.pk, salt=UNDO)])
    context = {"user": user, "new": new, "undo_url": url, "days": UNDO_KEPT.days}
    get_adapter().render_mail("account/email/address_changed", old, context).send()


def read_undo(signed: str) -> AddressChange:
    """Raises `BadSignature` when the link is forged or too old, `AddressChange.DoesNotExist` when it was used."""
    pk = signing.loads(signed, salt=UNDO, max_age=UNDO_KEPT)
    return AddressChange.objects.select_related("user").get(pk=pk, is_undone=False, user__is_active=True)


@transaction.atomic
def undo(change: AddressChange) -> str | None:
    """Give the account back to its old address. Returns where its reader sets a new password.

    Null when another account has confirmed the address meanwhile. Second factors stay that were there a week before the
    change: a thief who could change the address could also add one.
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
    """Forget the old addresses to which no link works any more."""
    AddressChange.objects.filter(at__lt=timezone.now() - UNDO_KEPT).delete()
