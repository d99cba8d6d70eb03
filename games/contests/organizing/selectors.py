"""The organizers of a competition and their texts, as pages show them."""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.models import User
from games.contests.models import Announcement, Organizer
from games.contests.organizers import ALL, NONE, Competition, is_owner, key_of
from games.contests.organizing import markup
from games.tables.selectors.rights import Reader, is_person

RECENT = timedelta(days=60)
MOST = 5


class OrganizerTexts(NamedTuple):
    """The rules text as HTML, empty if there is none, and the latest announcements."""

    rules: SafeString | str
    announcements: Sequence[Announcement]


def organizer_texts(competition: Competition) -> OrganizerTexts:
    return OrganizerTexts(
        markup.html(competition.rules_text) if competition.rules_text else "", announcements(competition)
    )


def announcements(competition: Competition) -> list[Announcement]:
    recent = Announcement.objects.filter(**key_of(competition), at__gt=timezone.now() - RECENT)
    return list(recent.select_related("by").order_by("-at")[:MOST])


class ShownOrganizers(NamedTuple):
    """The organizers as a page shows them. `own_row` is the reader's, also before they have answered."""

    rows: list[Organizer]
    own_row: Organizer | None
    rights: frozenset[str]
    is_owner: bool

    @property
    def helpers(self) -> list[User]:
        """Return the co-organizers who have accepted."""
        return [organizer.user for organizer in self.rows if organizer.accepted_at]

    @property
    def asks_me(self) -> bool:
        """Whether a question waits for the reader's answer."""
        return self.own_row is not None and (self.own_row.is_successor or self.own_row.accepted_at is None)


def open_requests(user: User) -> QuerySet[Organizer]:
    """Return the requests to organize a competition that the user has not answered."""
    requests = Organizer.objects.filter(Q(is_successor=True) | Q(accepted_at=None), user=user)
    return requests.select_related("league", "tournament", "by").order_by("pk")


def shown_organizers(competition: Competition, reader: Reader) -> ShownOrganizers:
    rows = list(Organizer.objects.filter(**key_of(competition)).select_related("user").order_by("pk"))
    own_row = next((organizer for organizer in rows if is_person(reader) and organizer.user_id == reader.pk), None)
    owns = is_owner(competition, reader)
    rights = ALL if owns else frozenset(own_row.rights) & ALL if own_row and own_row.accepted_at else NONE
    return ShownOrganizers(rows, own_row, rights, owns)
