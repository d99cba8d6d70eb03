"""Notices to many people of a league: sign-up opens, a season starts, is extended or ends.

They are saved as news in the transaction they are about, and sent in batches. Nobody is notified twice, wherever a
batch was interrupted.
"""

import logging
from collections.abc import Callable, Iterable, Iterator

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from empire.bell import ring
from games.contests.leagues.news_messages import became, comes_next, day, in_division, joined, signed_up, tell
from games.contests.models import Entrant, Intervention, League, Member, News, Season, SeasonState, What
from games.notices.kinds import Kind

logger = logging.getLogger(__name__)

BATCH = 200  # people per transaction


def spread(league: League, what: What, season: Season | None = None, intervention: Intervention | None = None) -> News:
    """Save news for everyone concerned, and queue the task that sends them."""
    news = News.objects.create(league=league, season=season, intervention=intervention, what=what)
    ring("games.tasks.tell_news", news.pk)
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
    news = News.objects.select_related("league", "season__league", "intervention").get(pk=pk)
    told_to = max(TELLERS[What(news.what)](news), default=None)
    if told_to is None:
        news.delete()
        return False
    news.told_to = told_to
    news.save(update_fields=["told_to"])
    return True


# Recipients


def _members(news: News) -> list[tuple[Member, User]]:
    found = Member.objects.filter(league=news.league, user__is_active=True, pk__gt=news.told_to)
    return [(one, one.user) for one in found.select_related("user").order_by("pk")[:BATCH] if one.user]


def _entrants(news: News) -> list[tuple[Entrant, User]]:
    found = Entrant.objects.filter(season=news.season, user__is_active=True, pk__gt=news.told_to)
    return [(one, one.user) for one in found.select_related("user", "pool").order_by("pk")[:BATCH] if one.user]


# Each function notifies a batch and yields the ids of the rows that are done


def _tell_opened(news: News) -> Iterator[int]:
    """Notify members who did not play in the previous season; the others learned it with their result."""
    season = _season(news)
    members = _members(news)
    before = Entrant.objects.filter(season__league=news.league, season__number=season.number - 1)
    played = set(before.filter(user__in=[user.pk for _member, user in members]).values_list("user", flat=True))
    title = _("Season {n} of {league}: sign-up is open").format(n=season.number, league=news.league.name)
    for member, user in members:
        if user.pk not in played and member.joined_at <= season.opened_at:
            starts = _("It starts on {day}.").format(day=day(user, season.starts_at))
            tell(user, news.league, f"open.{season.pk}", title, joined(starts, signed_up(member)))
        yield member.pk


def _tell_begun(news: News) -> Iterator[int]:
    season, entrants = _season(news), _entrants(news)
    names = _by_pool(entrant.pool_id for entrant, _user in entrants)
    title = _("Season {n} of {league} has started").format(n=season.number, league=news.league.name)
    for entrant, user in entrants:
        if entrant.pool and entrant.left_at is None:
            others = [name for pk, name in names[entrant.pool.pk] if pk != entrant.pk]
            tell(user, season, f"begun.{season.pk}", title, in_division(season, entrant, others))
        yield entrant.pk


def _tell_ended(news: News) -> Iterator[int]:
    season, entrants = _season(news), _entrants(news)
    following = Season.objects.filter(league=news.league, number=season.number + 1).first()
    signed = Member.objects.filter(league=news.league, user__in=[user.pk for _entrant, user in entrants])
    members = {member.user_id: member for member in signed}
    names = _by_pool(entrant.pool_id for entrant, _user in entrants)
    title = _("Season {n} of {league} has ended").format(n=season.number, league=news.league.name)
    for entrant, user in entrants:
        if entrant.pool:
            place = became(entrant, entrant.pool, len(names[entrant.pool.pk]))
            lead = joined(place, comes_next(following, user, members.get(user.pk)))
            tell(user, season, f"ended.{season.pk}", title, lead)
        yield entrant.pk


def _tell_extended(news: News) -> Iterator[int]:
    season, intervention = _season(news), news.intervention
    assert intervention is not None
    title = _("Organizer decision in {name}").format(name=news.league.name)
    more = _("Season {n} was extended. Finish your matches by {day}.")
    for entrant, user in _entrants(news):
        if entrant.left_at is None:
            lead = joined(more.format(n=season.number, day=day(user, season.ends_at)), intervention.reason)
            tell(user, season, f"intervention.{intervention.pk}", title, lead, Kind.DECISION)
        yield entrant.pk


def _tell_closed(news: News) -> Iterator[int]:
    plays_on = Season.objects.filter(league=news.league, state=SeasonState.RUNNING).exists()
    lead = (
        _("The current season continues, and it is the last one.") if plays_on else _("There will be no more seasons.")
    )
    title = _("{league} is closed").format(league=news.league.name)
    for member, user in _members(news):
        tell(user, news.league, f"closed.{news.league.pk}", title, lead)
        yield member.pk


TELLERS: dict[What, Callable[[News], Iterator[int]]] = {
    What.OPENED: _tell_opened,
    What.BEGUN: _tell_begun,
    What.ENDED: _tell_ended,
    What.EXTENDED: _tell_extended,
    What.CLOSED: _tell_closed,
}


def _season(news: News) -> Season:
    assert news.season is not None
    return news.season


def _by_pool(pools: Iterable[int | None]) -> dict[int, list[tuple[int, str]]]:
    """Return the ids and names of the entrants of each pool."""
    found: dict[int, list[tuple[int, str]]] = {}
    rows = Entrant.objects.filter(pool__in=set(pools)).order_by("seed").values_list("pool", "pk", "name")
    for pool, pk, name in rows:
        found.setdefault(pool, []).append((pk, name))
    return found
