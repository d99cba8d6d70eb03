"""Notices about seasons: words for all of them, news for many people, and notices to few people.

News (sign-up opens, a season starts, is extended or ends) is saved in the transaction it is about, and sent in batches.
Nobody is notified twice, wherever a batch was interrupted.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts.models import User
from empire import dates
from empire.on_commit import delay_on_commit
from games.contests import interventions
from games.contests.gates import conditions
from games.contests.leagues.divisions import division_name
from games.contests.models import (
    Announcement,
    Entrant,
    Intervention,
    League,
    Member,
    News,
    NewsKind,
    Season,
    SeasonOutcome,
    SeasonState,
)
from games.contests.organizers import notified
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import Words, enumerated, joined, later
from games.notices.outbox.words import gettext_later as _
from games.notices.outbox.words import ngettext_later as ngettext

logger = logging.getLogger(__name__)

BATCH = 200  # people per transaction
FOLLOWS = {
    SeasonOutcome.UP: gettext_noop("You are promoted to tier {tier}."),
    SeasonOutcome.STAYS: gettext_noop("You stay in tier {tier}."),
    SeasonOutcome.DOWN: gettext_noop("You are relegated to tier {tier}."),
}
STEPS = {SeasonOutcome.UP: -1, SeasonOutcome.STAYS: 0, SeasonOutcome.DOWN: 1}


def spread(
    league: League, kind: NewsKind, season: Season | None = None, intervention: Intervention | None = None,
    announcement: Announcement | None = None,
) -> News:  # fmt: skip
    """Save news for everyone concerned, and queue the task that sends them."""
    news = News.objects.create(
        league=league, season=season, intervention=intervention, announcement=announcement, what=kind
    )
    delay_on_commit("games.tasks.tell_news", news.pk)
    return news


def sweep() -> int:
    """Send unsent news. Return how many there were."""
    waiting = list(News.objects.order_by("pk").values_list("pk", flat=True))
    for pk in waiting:
        try:
            tell_all(pk)
        except Exception:  # so that one broken row does not stop the others
            logger.exception("Could not tell news %s.", pk)
    return len(waiting)


def tell_all(pk: int) -> None:
    while tell_some(pk):
        pass


@transaction.atomic
def tell_some(pk: int) -> bool:
    """Notify the next batch of people. Return whether there may be more."""
    if not News.objects.select_for_update().filter(pk=pk).exists():
        return False
    news = News.objects.select_related("league", "season__league", "intervention", "announcement").get(pk=pk)
    last_notified = max(TELLERS[NewsKind(news.what)](news), default=None)
    if last_notified is None:
        news.delete()
        return False
    news.last_notified = last_notified
    news.save(update_fields=["last_notified"])
    return True


# News. Each function notifies a batch and yields the ids of the rows that are done


def _tell_opened(news: News) -> Iterator[int]:
    """Notify members who did not play in the previous season; the others learned it with their result."""
    season = _season(news)
    members = _members(news)
    before = Entrant.objects.filter(season__league=news.league, season__number=season.number - 1)
    played = set(before.filter(user__in=[user.pk for _member, user in members]).values_list("user", flat=True))
    title = _("Season {n} of {league}: sign-up is open").format(n=season.number, league=news.league.name)
    changed = _changed_settings(season)
    for member, user in members:
        if user.pk not in played and member.joined_at <= season.opened_at:
            starts = _("It starts on {day}.").format(day=day(user, season.starts_at))
            lead = joined(starts, changed, _signed_up(member))
            _tell(user, news.league, f"open.{season.pk}", title, lead)
        yield member.pk


def _tell_begun(news: News) -> Iterator[int]:
    season, entrants = _season(news), _entrants(news)
    names = _by_pool(entrant.pool_id for entrant, _user in entrants)
    title = _("Season {n} of {league} has started").format(n=season.number, league=news.league.name)
    for entrant, user in entrants:
        if entrant.pool and entrant.left_at is None:
            others = [name for pk, name in names[entrant.pool.pk] if pk != entrant.pk]
            _tell(user, season, f"begun.{season.pk}", title, _in_division(season, entrant, others))
        yield entrant.pk


def _tell_ended(news: News) -> Iterator[int]:
    """Notify entrants of their place and what follows from it, and of the next season."""
    season, entrants = _season(news), _entrants(news)
    following = Season.objects.filter(league=news.league, number=season.number + 1).first()
    signed = Member.objects.filter(league=news.league, user__in=[user.pk for _entrant, user in entrants])
    members = {member.user_id: member for member in signed}
    banned = set(interventions.bans(news.league).values_list("person", flat=True))
    names = _by_pool(entrant.pool_id for entrant, _user in entrants)
    winners = Counter(Entrant.objects.filter(pool__in=list(names), place=1).values_list("pool", flat=True))
    title = _("Season {n} of {league} has ended").format(n=season.number, league=news.league.name)
    changed = _changed_settings(following) if following else ""
    for entrant, user in entrants:
        pool = entrant.pool
        if pool:
            division = later(division_name, pool.tier, pool.number)
            outcome = SeasonOutcome(entrant.outcome or SeasonOutcome.STAYS)
            if outcome == SeasonOutcome.OUT:
                lead = _("You dropped out of {division}.").format(division=division)
            else:
                words = _("You finished in place {place} of {size} in {division}.")
                if entrant.place == 1 and winners[pool.pk] == 1:
                    words = _("You won {division}.")
                place = words.format(place=entrant.place, size=len(names[pool.pk]), division=division)
                lead = joined(place, _(FOLLOWS[outcome]).format(tier=pool.tier + STEPS[outcome]))
            if following and following.state == SeasonState.SIGN_UP and user.pk not in banned:
                starts = _("Season {n} starts on {day}.").format(n=following.number, day=day(user, following.starts_at))
                lead = joined(lead, starts, changed, _signed_up(members.get(user.pk)))
            _tell(user, season, f"ended.{season.pk}", title, lead)
        yield entrant.pk


def _tell_extended(news: News) -> Iterator[int]:
    season, intervention = _season(news), news.intervention
    assert intervention is not None
    more = _("Season {n} was extended. Finish your matches by {day}.")
    if intervention.undoes_id is not None:
        more = _("An extension of season {n} was undone. Finish your matches by {day}.")
    reason = interventions.quoted(intervention.reason)
    for entrant, user in _entrants(news):
        if entrant.left_at is None:
            lead = joined(more.format(n=season.number, day=day(user, season.ends_at)), reason)
            interventions.tell(user, season, lead, f"intervention.{intervention.pk}", intervention.by)
        yield entrant.pk


def _tell_closed(news: News) -> Iterator[int]:
    plays_on = Season.objects.filter(league=news.league, state=SeasonState.RUNNING).exists()
    lead = (
        _("The current season continues, and it is the last one.") if plays_on else _("There will be no more seasons.")
    )
    title = _("{league} is closed").format(league=news.league.name)
    for member, user in _members(news):
        _tell(user, news.league, f"closed.{news.league.pk}", title, lead)
        yield member.pk


def _tell_announced(news: News) -> Iterator[int]:
    """Notify members who play in the running season, or who do not sit out. Those who left are no members.

    Members who joined after the announcement are not told of it.
    """
    announcement = news.announcement
    assert announcement is not None
    title = _("Announcement in {name}").format(name=news.league.name)
    running = Entrant.objects.filter(season__league=news.league, season__state=SeasonState.RUNNING, left_at=None)
    members = _members(news)
    playing = set(running.filter(user__in=[user.pk for _member, user in members]).values_list("user", flat=True))
    for member, user in members:
        if (not member.sits_out or user.pk in playing) and member.joined_at <= announcement.at:
            _tell(user, news.league, f"announced.{announcement.pk}", title, announcement.text, Kind.ANNOUNCED)
        yield member.pk


TELLERS: dict[NewsKind, Callable[[News], Iterator[int]]] = {
    NewsKind.OPENED: _tell_opened,
    NewsKind.BEGUN: _tell_begun,
    NewsKind.ENDED: _tell_ended,
    NewsKind.EXTENDED: _tell_extended,
    NewsKind.CLOSED: _tell_closed,
    NewsKind.ANNOUNCED: _tell_announced,
}


def _season(news: News) -> Season:
    assert news.season is not None
    return news.season


def _members(news: News) -> list[tuple[Member, User]]:
    banned = interventions.bans(news.league).values("person")
    members = Member.objects.filter(league=news.league, user__is_active=True, pk__gt=news.last_notified)
    members = members.exclude(user__in=banned).select_related("user").order_by("pk")
    return [(member, member.user) for member in members[:BATCH] if member.user]


def _entrants(news: News) -> list[tuple[Entrant, User]]:
    entrants = Entrant.objects.filter(season=news.season, user__is_active=True, pk__gt=news.last_notified)
    entrants = entrants.select_related("user", "pool").order_by("pk")
    return [(entrant, entrant.user) for entrant in entrants[:BATCH] if entrant.user]


def _by_pool(pools: Iterable[int | None]) -> dict[int, list[tuple[int, str]]]:
    """Return the ids and names of the entrants of each pool."""
    names: dict[int, list[tuple[int, str]]] = {}
    rows = Entrant.objects.filter(pool__in=set(pools)).order_by("seed").values_list("pool", "pk", "name")
    for pool, pk, name in rows:
        names.setdefault(pool, []).append((pk, name))
    return names


# Notices to few people, which are sent directly


def tell_put_off(season: Season, members: Sequence[Member], enough: int, left_out: int = 0) -> None:
    """Notify everyone concerned. Only organizers are told how many no longer meet the entry conditions."""
    title = _("Season {n} of {league} is postponed").format(n=season.number, league=season.league.name)
    again = _("It now starts on {day}, if enough players have signed up by then.")
    organizers = notified(season.league)
    for user in _concerned(organizers, members):
        lead = joined(too_few(len(members), enough), again.format(day=day(user, season.starts_at)))
        if user in organizers:
            lead = joined(lead, later(conditions.left_out, left_out))
        _tell(user, season.league, f"off.{season.pk}.{season.put_off}", title, lead)


def tell_decided(season: Season, until: datetime) -> None:
    """Ask the organizers to approve the results of a season, and tell those who play in it that they can't."""
    league = season.league
    url = reverse("organize", args=[league.slug, season.number])
    about = f"decided.{season.pk}.{until:%Y%m%d%H%M}"
    for organizer in notified(league):
        if interventions.plays_in(season, organizer):
            title = _("Season {n} of {league}: all matches are decided")
            lead = _(
                "You play in this season, so you can’t approve its results. Promotions and the next season follow "
                "automatically on {day}, or earlier if another organizer approves."
            )
        else:
            title = _("Season {n} of {league}: approve the results")
            lead = _(
                "All matches are decided. Check the results and correct them if necessary. Promotions and the next "
                "season follow when you approve, or automatically on {day}."
            )
        title, lead = title.format(n=season.number, league=league.name), lead.format(day=day(organizer, until))
        outbox.tell_user(kind=Kind.APPROVAL, user=organizer, about=about, title=title, lead=lead, url=url)


def tell_given_up(league: League, members: Iterable[Member], enough: int) -> None:
    title = _("{league} is closed").format(league=league.name)
    lead = _("Several times in a row, too few players signed up. A season needs {enough}.").format(enough=enough)
    for user in _concerned(notified(league), members):
        _tell(user, league, f"closed.{league.pk}", title, lead)


def _concerned(organizers: Iterable[User], members: Iterable[Member]) -> list[User]:
    """Return the organizers and the people who have signed up, without duplicates."""
    users = [*organizers, *(member.user for member in members)]
    return list({user.pk: user for user in users if user}.values())


def tell_left_over(season: Season, member: Member) -> None:
    if member.user:
        title = _("No place in season {n} of {league}").format(n=season.number, league=season.league.name)
        lead = _(
            "The players didn’t divide evenly into divisions, and you were among the last to sign up. "
            "You are signed up for the next season and first in line."
        )
        _tell(member.user, season.league, f"left.{season.pk}", title, lead)


def tell_left_out(season: Season, member: Member, lacks: Words | str) -> None:
    """Tell a member which entry conditions they no longer meet."""
    if member.user:
        title = _("You are not in season {n} of {league}").format(n=season.number, league=season.league.name)
        lead = joined(
            _("When the season started, you no longer met its entry conditions."), lacks,
            _("You stay a member, and you play in the next season that starts while you meet them."),
        )  # fmt: skip
        _tell(member.user, season.league, f"gate.{season.pk}", title, lead)


def tell_organizer_left_out(season: Season, number: int) -> None:
    """Tell the organizers how many were left out, and not who or why."""
    title = _("Season {n} of {league} has started").format(n=season.number, league=season.league.name)
    for organizer in notified(season.league) if number else ():
        _tell(organizer, season, f"gates.{season.pk}", title, later(conditions.left_out, number))


def tell_late(season: Season, entrant: Entrant, others: list[str], before: str = "") -> None:
    """Notify a late joiner of their new place, or of the place they took over."""
    if entrant.user:
        title = _("You are in season {n} of {league}").format(n=season.number, league=season.league.name)
        taken = _("You take over {name}’s place and points.").format(name=before) if before else ""
        lead = joined(taken, _in_division(season, entrant, others))
        _tell(entrant.user, season, f"late.{entrant.pk}.{entrant.user.pk}", title, lead)


# Sentences


def _in_division(season: Season, entrant: Entrant, others: list[str]) -> Words:
    """Describe a player's division: opponents, pace and end of the season."""
    assert entrant.user is not None and entrant.pool is not None
    opponents = _("You play in {division} with {others}.").format(
        division=later(division_name, entrant.pool.tier, entrant.pool.number), others=later(enumerated, others)
    )
    pace = ngettext(
        "Your matches start automatically, {n} at a time.",
        "Your matches start automatically, {n} at a time.",
        entrant.at_once,
    )
    until = _("Finish them by {day}.").format(day=day(entrant.user, season.ends_at))
    return joined(opponents, pace.format(n=entrant.at_once), until)


def _changed_settings(season: Season) -> Words | str:
    """Return a sentence if the season is played under other settings than the one before, else an empty text."""
    before = Season.objects.filter(league=season.league_id, number=season.number - 1).first()
    if before is None or season.declared.plays_like(before.declared):
        return ""
    return _("The organizer has changed the settings. The league’s page shows them.")


def _signed_up(member: Member | None) -> Words:
    if member is None:
        return _("Join the league if you want to play.")
    if member.sits_out:
        return _("You are sitting out. To play, choose “Return” on the league’s page.")
    return _("You are signed up. To sit out, choose “Sit out” on the league’s page.")


def extra_days(days: int) -> Words:
    return ngettext("The season: {n} extra day", "The season: {n} extra days", days).format(n=days)


def too_few(members: int, enough: int) -> Words:
    sentence = ngettext(
        "Only {n} player has signed up, and the minimum is {enough}.",
        "Only {n} players have signed up, and the minimum is {enough}.",
        members,
    )
    return sentence.format(n=members, enough=enough)


def day(user: User, at: datetime) -> Words:
    """Format a day in the user's time zone."""
    with timezone.override(user.nights.zone):
        local = timezone.localtime(at)
    return later(dates.localized, local, "l, j F")


def _tell(
    user: User, linked: Season | League, about: str, title: Words, lead: Words | str, kind: Kind = Kind.SEASON
) -> None:
    """Notify a person. The link leads to the page of `linked`."""
    outbox.tell_user(kind=kind, user=user, about=about, title=title, lead=lead, url=linked.get_absolute_url())
