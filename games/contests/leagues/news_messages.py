"""The words of notices about seasons, and notices to few people, which are sent directly."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from games.contests.leagues.names import division_name
from games.contests.models import Entrant, Fate, League, Member, Pool, Season, SeasonState
from games.notices.kinds import Kind
from games.notices.outbox import outbox

FOLLOWS = {
    Fate.UP: gettext_lazy("You are promoted to tier {tier}."),
    Fate.STAYS: gettext_lazy("You stay in tier {tier}."),
    Fate.DOWN: gettext_lazy("You are relegated to tier {tier}."),
}
STEPS = {Fate.UP: -1, Fate.STAYS: 0, Fate.DOWN: 1}


def tell(user: User, of: Season | League, about: str, title: str, lead: str, kind: Kind = Kind.SEASON) -> None:
    """Notify a person. The link leads to `of`."""
    outbox.tell_user(kind=kind, user=user, about=about, title=title[:200], lead=lead, url=of.get_absolute_url())


# Notices to few people


def tell_put_off(season: Season, members: Sequence[Member], enough: int) -> None:
    title = _("Season {n} of {league} is postponed").format(n=season.number, league=season.league.name)
    again = _("It now starts on {day}, if enough players have signed up by then.")
    for user in _concerned(season.league, members):
        lead = joined(too_few(len(members), enough), again.format(day=day(user, season.starts_at)))
        tell(user, season.league, f"off.{season.pk}.{season.put_off}", title, lead)


def tell_given_up(league: League, members: Iterable[Member], enough: int) -> None:
    title = _("{league} is closed").format(league=league.name)
    lead = _("Too few players signed up several times in a row. A season needs {enough}.").format(enough=enough)
    for user in _concerned(league, members):
        tell(user, league, f"closed.{league.pk}", title, lead)


def _concerned(league: League, members: Iterable[Member]) -> list[User]:
    """Return the people who have signed up and the organizer, without duplicates."""
    users = [league.organiser, *(member.user for member in members)]
    return list({user.pk: user for user in users if user}.values())


def tell_left_over(season: Season, member: Member) -> None:
    if member.user:
        title = _("No place in season {n} of {league}").format(n=season.number, league=season.league.name)
        lead = _(
            "The players didn’t divide evenly into divisions, and you were among the last to sign up. "
            "You are signed up for the next season and first in line."
        )
        tell(member.user, season.league, f"left.{season.pk}", title, lead)


def tell_late(season: Season, entrant: Entrant, others: list[str], before: str = "") -> None:
    """Notify a late joiner of their new place, or of the place they took over."""
    if entrant.user:
        title = _("You are in season {n} of {league}").format(n=season.number, league=season.league.name)
        taken = _("You take over {name}’s place and points.").format(name=before) if before else ""
        lead = joined(taken, in_division(season, entrant, others))
        tell(entrant.user, season, f"late.{entrant.pk}.{entrant.user.pk}", title, lead)


# Sentences


def in_division(season: Season, entrant: Entrant, others: list[str]) -> str:
    """Describe a player's division: opponents, pace and end of the season."""
    assert entrant.user is not None and entrant.pool is not None
    where = _("You play in {division} with {others}.").format(
        division=division_name(entrant.pool.tier, entrant.pool.number), others=get_text_list(others, _("and"))
    )
    pace = ngettext(
        "Your matches start automatically, {n} at a time.",
        "Your matches start automatically, {n} at a time.",
        entrant.at_once,
    )
    until = _("Finish them by {day}.").format(day=day(entrant.user, season.ends_at))
    return joined(where, pace.format(n=entrant.at_once), until)


def became(entrant: Entrant, pool: Pool, size: int) -> str:
    """Describe an entrant's final place and what follows from it."""
    if entrant.fate == Fate.OUT:
        return _("You dropped out of {division}.").format(division=division_name(pool.tier, pool.number))
    place = _("You finished in place {place} of {size} in {division}.").format(
        place=entrant.place, size=size, division=division_name(pool.tier, pool.number)
    )
    fate = Fate(entrant.fate or Fate.STAYS)
    return joined(place, str(FOLLOWS[fate]).format(tier=pool.tier + STEPS[fate]))


def comes_next(following: Season | None, user: User, member: Member | None) -> str:
    if following is None or following.state != SeasonState.SIGN_UP:
        return ""
    starts = _("Season {n} starts on {day}.").format(n=following.number, day=day(user, following.starts_at))
    return joined(starts, signed_up(member))


def signed_up(member: Member | None) -> str:
    if member is None:
        return _("Join the league if you want to play.")
    if member.rests:
        return _("You are sitting out. To play, return on the league’s page.")
    return _("You are signed up. To sit out, say so on the league’s page.")


def too_few(members: int, enough: int) -> str:
    sentence = ngettext(
        "Only {n} player has signed up, and the minimum is {enough}.",
        "Only {n} players have signed up, and the minimum is {enough}.",
        members,
    )
    return sentence.format(n=members, enough=enough)


def joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def day(user: User, at: datetime) -> str:
    """Format a day in the user's time zone."""
    with timezone.override(user.nights.zone):
        return date_format(timezone.localtime(at), "l, j F")
