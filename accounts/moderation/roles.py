"""The rights of moderators, and the two groups that `manage.py moderators` puts people into."""

from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import Done, ModerationEntry, Step, StepKind, User
from games.errors import NotYours

SEE, LIGHT, HEAVY, LOG = (
    f"accounts.{name}" for name in ("see_reports", "warn_and_mute", "suspend_and_close", "see_moderation_log")
)
NEEDED = {  # the right that each step takes
    StepKind.WARN: LIGHT, StepKind.MUTE: LIGHT, StepKind.TABLES: LIGHT, StepKind.SUSPEND: HEAVY, StepKind.CLOSE: HEAVY,
    StepKind.NAME: LIGHT,
}  # fmt: skip
MODERATORS, SENIOR = "Moderators", "Senior moderators"
GROUPS = {MODERATORS: (SEE, LIGHT), SENIOR: (SEE, LIGHT, HEAVY, LOG)}


def need(user: User, right: str) -> None:
    """Raise `NotYours` unless the person has the right."""
    if not user.has_perm(right):
        raise NotYours(gettext("You don’t have the right to do this. Ask a senior moderator."))


def kinds(user: User) -> list[StepKind]:
    """Return the kinds of steps that this moderator may take."""
    return [kind for kind, right in NEEDED.items() if user.has_perm(right)]


def moderators() -> QuerySet[User]:
    """Return the people who can read reports, and all other staff."""
    names = [right.partition(".")[2] for right in (SEE, LIGHT, HEAVY, LOG)]
    may = Q(groups__permissions__codename__in=names) | Q(user_permissions__codename__in=names)
    return User.objects.filter(may | Q(is_superuser=True) | Q(is_staff=True), is_active=True).distinct()


def readers(right: str = SEE) -> QuerySet[User]:
    """Return the people who were given this right, by default that to read reports."""
    name = right.partition(".")[2]
    has_right = Q(groups__permissions__codename=name) | Q(user_permissions__codename=name)
    return User.objects.filter(has_right, is_active=True).distinct()


def is_moderator(user: User) -> bool:
    return moderators().filter(pk=user.pk).exists()


@transaction.atomic
def appoint(user: User, group: str = "") -> None:
    """Put the person into one of the groups, or without one take all rights of a moderator away. Write it down."""
    for name, rights in GROUPS.items():
        row, is_new = Group.objects.get_or_create(name=name)
        if is_new:  # the rights of a group can be changed in the admin afterward
            of_steps = ContentType.objects.get_for_model(Step)
            names = [right.partition(".")[2] for right in rights]
            row.permissions.set(Permission.objects.filter(content_type=of_steps, codename__in=names))
        if name == group:
            user.groups.add(row)
        else:
            user.groups.remove(row)
    ModerationEntry.objects.create(
        at=timezone.now(), what=Done.RIGHTS, who=str(user.pk), words=group or "No longer a moderator"
    )
