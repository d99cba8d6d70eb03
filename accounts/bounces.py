"""Mails that came back: each function is told what a mail server said about an address, in any order, and repeatedly.

They return the account that it is about; null for an address that nobody has, or nobody has any more.
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
    """The address takes no mails: nothing more is sent there."""
    return _hear(address, lambda known: trouble.stopped(known, Why.BOUNCED, said, at))


def mail_held_up(*, address: str, mail: str, said: str, at: datetime) -> User | None:
    """One mail, by its Message-ID or the like, did not arrive, but another time it might."""
    return _hear(address, lambda known: trouble.bounced(known, mail, said, at))


def mail_complained(*, address: str, why: Why = Why.COMPLAINED, said: str, at: datetime) -> User | None:
    """Its reader does not want our mails."""
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
    """The reader says that the address works: to be sure, they are asked to confirm it once more.

    Raises `OSError` when no mail can be sent at all; the address then still waits to be confirmed.
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
