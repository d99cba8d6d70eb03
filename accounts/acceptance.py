"""New versions of the terms and the rules of conduct, and who has accepted them.

A new account has accepted the versions of its sign-up. When one is raised, each page asks the person to accept it.
Until then they can't start games. They can continue their games for `NEW_TERMS_DAYS` after they were first asked, so
that nobody loses one. Columns of the account say what was accepted, so that no page needs a query; `Acceptance` has the
times. Guests accept when they sign up, and bots never.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import Acceptance, User
from empire.web.documents import CHANGES, VERSIONS, Change
from games.errors import GameError, NotYours


def changes(user: User) -> list[Change]:
    """Return the changes that the person has not accepted, in the order in which they were made."""
    if not user.must_accept:
        return []
    accepted = user.accepted
    return sorted(
        (change for change in CHANGES if change.version > accepted[change.document]), key=lambda change: change.on
    )


def ask(user: User) -> None:
    """Note that the person was asked for the first time."""
    if user.asked_to_accept_at is None:
        user.asked_to_accept_at = timezone.now()
        waiting = User.objects.filter(pk=user.pk, asked_to_accept_at=None)
        waiting.update(asked_to_accept_at=user.asked_to_accept_at)


def deadline(user: User) -> datetime | None:
    """Return until when the person can continue their games without accepting, or None if they have accepted."""
    if not user.must_accept:
        return None
    return (user.asked_to_accept_at or timezone.now()) + timedelta(days=settings.NEW_TERMS_DAYS)


@transaction.atomic
def accept(*, user: User, shown: dict[str, str]) -> None:
    """Accept the versions that the page has shown. Raises `GameError` if there are newer ones by now."""
    if any(shown.get(document) != str(version) for document, version in VERSIONS.items()):
        raise GameError(gettext("There is now a newer version. Read what has changed, then accept it."))
    record(user, timezone.now())
    user.accepted_terms, user.accepted_conduct = VERSIONS["terms"], VERSIONS["conduct"]
    user.asked_to_accept_at = None
    user.save(update_fields=["accepted_terms", "accepted_conduct", "asked_to_accept_at"])


def record(user: User, now: datetime) -> None:
    """Store that the person has accepted the versions of today."""
    Acceptance.objects.bulk_create(
        [Acceptance(user=user, document=name, version=version, at=now) for name, version in VERSIONS.items()],
        ignore_conflicts=True,
    )  # fmt: skip


def need_accepted(user: User) -> None:
    """Raise `NotYours` if the person has to accept something before they start a game."""
    if user.must_accept:
        raise NotYours(gettext("Our terms have changed. Accept them at the top of any page, then start your game."))


def need_in_time(user: User) -> None:
    """Raise `NotYours` if the time to continue games without accepting is over."""
    until = deadline(user)
    if until is not None and until <= timezone.now():
        raise NotYours(gettext("Our terms have changed. Sign in and accept them to continue."))
