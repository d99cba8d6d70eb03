"""Handlers for bounces and other delivery events of email addresses. Events may come in any order, and repeatedly.

Each handler returns the account with the address, or None if there is none.
"""

from collections.abc import Callable
from datetime import datetime

from allauth.account.models import EmailAddress
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from accounts import trouble
from accounts.models import User
from accounts.services import CONFIRMED
from accounts.trouble import Trouble, Why

Change = Callable[[Trouble], Trouble]


def mail_bounced(*, address: str, said: str, at: datetime) -> User | None:
    """Stop email to an address that does not accept it."""
    return _hear(address, lambda known: trouble.stopped(known, Why.BOUNCED, said, at))


def mail_held_up(*, address: str, mail: str, said: str, at: datetime) -> User | None:
    """Count an email that could not be delivered for now. `mail` is its Message-ID or another id."""
    return _hear(address, lambda known: trouble.bounced(known, mail, said, at))


def mail_complained(*, address: str, why: Why = Why.COMPLAINED, said: str, at: datetime) -> User | None:
    """Stop email to a reader who reported it as spam or unsubscribed."""
    return _hear(address, lambda known: trouble.stopped(known, why, said, at))


def mail_arrived(*, address: str) -> User | None:
    return _hear(address, trouble.arrived)


@transaction.atomic
def _hear(address: str, change: Change) -> User | None:
    user = User.with_address(address).select_for_update(no_key=True).first()
    if user is not None:
        _keep(user, change)
    return user


def _keep(user: User, change: Change) -> None:
    before = user.trouble
    after = change(before)
    if after != before:
        user.mail_trouble = trouble.kept(after)
        user.save(update_fields=["mail_trouble"])


def try_again(request: HttpRequest, user: User) -> None:
    """Resume email to the user's address after they confirm it again.

    Raises `OSError` if the confirmation cannot be sent; the address then still needs to be confirmed.
    """
    with transaction.atomic():
        person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if not person.is_mail_stopped:
            return
        _keep(person, lambda known: trouble.mended(known, timezone.now()))
        address = EmailAddress.objects.filter(user=person, email__iexact=person.email).first()
        address = address or EmailAddress(user=person, email=person.email, primary=True)
        address.verified = False
        address.save()
    request.session.pop(CONFIRMED, None)
    address.send_confirmation(request)
