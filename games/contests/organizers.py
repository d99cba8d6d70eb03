"""The right to organize a league or tournament: of its organizer, of site staff, and of co-organizers.

The organizer, and staff with the permission to add interventions, may do everything. Co-organizers have the rights
that the organizer gave them, once they have accepted. Only the organizer and such staff may close the competition,
choose co-organizers and hand it over.
"""

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.contests.models import League, Organizer, Tournament
from games.errors import NotYours
from games.tables.selectors.rights import Reader, is_person

Competition = League | Tournament

MAY_INTERVENE = "contests.add_intervention"  # the permission of staff


class Right(models.TextChoices):
    SETTINGS = "settings", _("change settings, entry and the rules text")
    DECIDE = "decide", _("start, add bots, and intervene in matches")
    ANNOUNCE = "announce", _("make announcements")


ALL = frozenset(Right.values)
NONE: frozenset[str] = frozenset()


def notified(competition: Competition) -> list[User]:
    """Return who gets the organizer's notices: the organizer, and co-organizers who may decide and want them."""
    helpers = Organizer.objects.filter(
        **key_of(competition), accepted_at__isnull=False, is_notified=True, user__is_active=True
    ).select_related("user")
    users = [helper.user for helper in helpers.order_by("pk") if Right.DECIDE in helper.rights]
    return list({user.pk: user for user in [competition.organizer, *users] if user is not None}.values())


def acts_as_staff(competition: Competition, user: User | None) -> bool:
    """Return whether the user acts for the site: they are staff, and neither organizer nor co-organizer."""
    if user is None or not user.is_staff or competition.organizer_id == user.pk:
        return False
    return not Organizer.objects.filter(**key_of(competition), user=user.pk, accepted_at__isnull=False).exists()


def key_of(competition: Competition) -> dict[str, Competition]:
    """Return the column of a row of this competition, with its value."""
    return {"league": competition} if isinstance(competition, League) else {"tournament": competition}


def organizers_page(competition: Competition) -> str:
    """Return the URL of the page about the organizers, where those who are asked to be one answer."""
    if isinstance(competition, League):
        return reverse("league_organizers", args=[competition.slug])
    return reverse("tournament_organizers", args=[competition.public_id])


def is_owner(competition: Competition, reader: Reader) -> bool:
    """Return whether the reader is the organizer, or staff who may add interventions."""
    return is_person(reader) and (
        competition.organizer_id == reader.pk or (reader.is_staff and reader.has_perm(MAY_INTERVENE))
    )


def rights_of(competition: Competition, reader: Reader) -> frozenset[str]:
    if is_owner(competition, reader):
        return ALL
    if not is_person(reader) or reader.is_guest:
        return NONE
    own = Organizer.objects.filter(**key_of(competition), user=reader, accepted_at__isnull=False)
    return frozenset(own.values_list("rights", flat=True).first() or ()) & ALL


def may_organize(competition: Competition, reader: Reader, right: Right | None = None) -> bool:
    """Return whether the reader has this right, or any."""
    rights = rights_of(competition, reader)
    return right in rights if right else bool(rights)


def need_organizer(competition: Competition, user: User, right: Right = Right.DECIDE) -> None:
    """Raise `NotYours` unless the user has this right."""
    if not may_organize(competition, user, right):
        raise NotYours(gettext("Only the organizer can do this."))


def lock(competition: Competition, user: User, right: Right) -> Competition:
    """Lock and return a competition. Raises `NotYours` unless the user has this right."""
    competition = type(competition).objects.select_for_update().get(pk=competition.pk)
    need_organizer(competition, user, right)
    return competition


def need_owner(competition: Competition, user: User) -> None:
    """Raise `NotYours` unless the user is the organizer or staff."""
    if not is_owner(competition, user):
        raise NotYours(gettext("Only the organizer can do this."))
