"""Services for the rules text and announcements. Each is one transaction, and safe to repeat.

Rights are checked under the lock of the league or tournament, before the text is looked at.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from accounts.moderation.services import need_voice
from games.contests.leagues import news as league_news
from games.contests.models import Announcement, Entrant, League, LeagueState, NewsKind
from games.contests.models.tournament import ON
from games.contests.organizers import Competition, Right, key_of, lock
from games.contests.tournaments import news as tournament_news
from games.errors import GameError, Over
from games.notices.outbox import outbox
from games.rules.words import legible, one_line

LONGEST_RULES = 10_000  # characters
LONGEST_ANNOUNCEMENT = 500
PERIOD = timedelta(hours=24)
MOST_IN_PERIOD = 2  # announcements, of all organizers together


@transaction.atomic
def write_rules(*, competition: Competition, by: User, text: str) -> None:
    """Replace the rules text. Raises `GameError`."""
    competition = lock(competition, by, Right.SETTINGS)
    cleaned = legible(text.replace("\0", "").replace("\r\n", "\n"))
    if len(cleaned) > LONGEST_RULES:
        raise GameError(gettext("Use at most {n} characters.").format(n=LONGEST_RULES))
    if cleaned != competition.rules_text:
        need_voice(by, cleaned)
    competition.rules_text = cleaned
    competition.save(update_fields=["rules_text"])


@transaction.atomic
def announce(*, competition: Competition, by: User, text: str) -> Announcement:
    """Notify everyone who takes part now. Raises `GameError`, also if there were too many announcements lately.

    In leagues that is everyone who plays in the running season, and every member who does not sit out. People who
    left are not notified.
    """
    competition, now = lock(competition, by, Right.ANNOUNCE), timezone.now()
    cleaned = one_line(text)
    if not cleaned:
        raise GameError(gettext("Write something to announce."))
    need_voice(by, cleaned)
    if len(cleaned) > LONGEST_ANNOUNCEMENT:
        raise GameError(gettext("Use at most {n} characters.").format(n=LONGEST_ANNOUNCEMENT))
    if competition.state != LeagueState.OPEN if isinstance(competition, League) else competition.state not in ON:
        raise Over(gettext("You can make announcements only after sign-up has opened and before the end."))
    lately = Announcement.objects.filter(**key_of(competition), at__gt=now - PERIOD).order_by("-at")
    if lately and lately[0].text == cleaned:
        return lately[0]  # the button was pressed twice
    if len(lately) >= MOST_IN_PERIOD:
        sentence = ngettext(
            "You can make {n} announcement in 24 hours, so that nobody gets too many notifications. Try again later.",
            "You can make {n} announcements in 24 hours, so that nobody gets too many notifications. Try again later.",
            MOST_IN_PERIOD,
        )
        raise GameError(sentence.format(n=MOST_IN_PERIOD))
    announcement = Announcement.objects.create(**key_of(competition), by=by, text=cleaned, at=now)
    if isinstance(competition, League):
        league_news.spread(competition, NewsKind.ANNOUNCED, announcement=announcement)
    else:
        entrants = Entrant.objects.filter(tournament=competition, left_at=None, user__is_active=True).select_related(
            "user"
        )
        people = [entrant.user for entrant in entrants if entrant.user is not None]
        with outbox.together(people):
            for user in people:
                tournament_news.tell_announced(competition, user, announcement)
    return announcement
