"""What the people of a league are told: sign-up opens, a season begins, is put off, has more time, has ended.

What goes to many is written down as news in the transaction that makes it so, and told some people at a time.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.kinds import Kind
from accounts.models import User
from games.leagues.models import Act, Entrant, Fate, League, Member, News, Pool, Season, SeasonState, What
from games.notices import outbox
from games.services.bell import ring

logger = logging.getLogger(__name__)

BATCH = 200  # people told in one transaction
FOLLOWS = {
    Fate.UP: gettext_lazy("You go up to tier {tier}."),
    Fate.STAYS: gettext_lazy("You stay in tier {tier}."),
    Fate.DOWN: gettext_lazy("You go down to tier {tier}."),
}
STEPS = {Fate.UP: -1, Fate.STAYS: 0, Fate.DOWN: 1}


def spread(league: League, what: What, season: Season | None = None, act: Act | None = None) -> News:
    """Everybody concerned is to be told, from now on and by the sweep."""
    news = News.objects.create(league=league, season=season, act=act, what=what)
    ring("games.tasks.tell_news", news.pk)
    return news


def sweep() -> int:
    """Tell what is still to be told. Returns how many news there were."""
    waiting = list(News.objects.order_by("pk").values_list("pk", flat=True))
    for pk in waiting:
        try:
            tell_all(pk)
        except Exception:  # one that cannot be told must not stop all others
            logger.exception("Could not tell news %s.", pk)
    return len(waiting)


def tell_all(pk: int) -> None:
    while tell(pk):
        pass


@transaction.atomic
def tell(pk: int) -> bool:
    """Tell the next people. Whether there may be more."""
    if not News.objects.select_for_update().filter(pk=pk).exists():
        return False
    news = News.objects.select_related("league", "season__league", "act").get(pk=pk)
    told_to = TELLERS[What(news.what)](news)
    if told_to is None:
        news.delete()
        return False
    news.told_to = told_to
    news.save(update_fields=["told_to"])
    return True


# To whom


def _members(news: News) -> Iterable[Member]:
    found = Member.objects.filter(league=news.league, user__is_active=True, pk__gt=news.told_to)
    return found.select_related("user").order_by("pk")[:BATCH]


def _entrants(news: News) -> Iterable[Entrant]:
    found = Entrant.objects.filter(season=news.season, user__is_active=True, pk__gt=news.told_to)
    return found.select_related("user", "pool").order_by("pk")[:BATCH]


# What


def _tell_opened(news: News) -> int | None:
    """Members who were not in the season before: the others have read it with what became of them."""
    assert news.season is not None
    season, last = news.season, None
    before = Season.objects.filter(league=news.league, number=season.number - 1).first()
    members = list(_members(news))
    users = [member.user_id for member in members]
    played = set(Entrant.objects.filter(season=before, user__in=users).values_list("user", flat=True))
    for member in members:
        last = member.pk
        if member.user and member.user_id not in played and member.joined_at <= season.opened_at:
            _tell(
                member.user, season, f"open.{season.pk}",
                _("Season {n} of {league}: sign-up is open").format(n=season.number, league=news.league.name),
                _joined(_("It starts on {day}.").format(day=_day(member.user, season.starts_at)), signed_up(member)),
            )  # fmt: skip
    return last


def _tell_begun(news: News) -> int | None:
    assert news.season is not None
    last, entrants = None, list(_entrants(news))
    names = _by_pool(entrant.pool_id for entrant in entrants)
    for entrant in entrants:
        last = entrant.pk
        if entrant.user and entrant.pool and entrant.left_at is None:
            others = [name for pk, name in names[entrant.pool.pk] if pk != entrant.pk]
            title = _("Season {n} of {league} begins").format(n=news.season.number, league=news.league.name)
            lead = in_division(news.season, entrant, others)
            _tell(entrant.user, news.season, f"begun.{news.season.pk}", title, lead)
    return last


def _by_pool(pools: Iterable[int | None]) -> dict[int, list[tuple[int, str]]]:
    """Who plays in each of these divisions."""
    found: dict[int, list[tuple[int, str]]] = {}
    rows = Entrant.objects.filter(pool__in=set(pools)).order_by("seed").values_list("pool", "pk", "name")
    for pool, pk, name in rows:
        found.setdefault(pool, []).append((pk, name))
    return found


def in_division(season: Season, entrant: Entrant, others: list[str]) -> str:
    assert entrant.user is not None and entrant.pool is not None
    where = _("You play in {division} with {others}.").format(
        division=division_name(entrant.pool), others=get_text_list(others, _("and"))
    )
    until = _("Everything is to be played by {day}.").format(day=_day(entrant.user, season.ends_at))
    pace = ngettext(
        "Your contests begin by themselves, one at a time.",
        "Your contests begin by themselves, {n} at a time.",
        entrant.at_once,
    )
    return _joined(where, pace.format(n=entrant.at_once), until)


def _tell_ended(news: News) -> int | None:
    assert news.season is not None
    last, entrants = None, list(_entrants(news))
    following = Season.objects.filter(league=news.league, number=news.season.number + 1).first()
    members = {
        member.user_id: member
        for member in Member.objects.filter(league=news.league, user__in=[one.user_id for one in entrants])
    }
    sizes = {pool: len(names) for pool, names in _by_pool(entrant.pool_id for entrant in entrants).items()}
    for entrant in entrants:
        last = entrant.pk
        if entrant.user and entrant.pool:
            title = _("Season {n} of {league} has ended").format(n=news.season.number, league=news.league.name)
            lead = _joined(
                became(entrant, entrant.pool, sizes[entrant.pool.pk]),
                _next(following, entrant.user, members.get(entrant.user.pk)),
            )
            _tell(entrant.user, news.season, f"ended.{news.season.pk}", title, lead)
    return last


def became(entrant: Entrant, pool: Pool, size: int) -> str:
    """The place, and what follows from it."""
    if entrant.fate == Fate.OUT:
        return _("You had dropped out of {division}.").format(division=division_name(pool))
    place = _("Place {place} of {size} in {division}.").format(
        place=entrant.place, size=size, division=division_name(pool)
    )
    fate = Fate(entrant.fate or Fate.STAYS)
    return _joined(place, str(FOLLOWS[fate]).format(tier=pool.tier + STEPS[fate]))


def _next(following: Season | None, user: User, member: Member | None) -> str:
    if following is None or following.state != SeasonState.SIGN_UP:
        return ""
    starts = _("Season {n} starts on {day}.").format(n=following.number, day=_day(user, following.starts_at))
    return _joined(starts, signed_up(member))


def signed_up(member: Member | None) -> str:
    if member is None:
        return _("Join the league to play in it.")
    if member.rests:
        return _("You rest: come back on the league’s page if you want to play in it.")
    return _("You are signed up, unless you say there that you rest.")


def _tell_extended(news: News) -> int | None:
    assert news.season is not None and news.act is not None
    last = None
    for entrant in _entrants(news):
        last = entrant.pk
        if entrant.user and entrant.left_at is None:
            until = _("Season {n} has more time: everything is to be played by {day}.").format(
                n=news.season.number, day=_day(entrant.user, news.season.ends_at)
            )
            outbox.tell_user(
                kind=Kind.DECISION, user=entrant.user, about=f"act.{news.act.pk}",
                title=_("A decision in {name}").format(name=news.league.name),
                lead=_joined(until, news.act.reason), url=news.season.get_absolute_url(),
            )  # fmt: skip
    return last


def _tell_closed(news: News) -> int | None:
    last, plays_on = None, Season.objects.filter(league=news.league, state=SeasonState.RUNNING).exists()
    lead = _("The season that is running is played out; none follows.") if plays_on else _("No season follows.")
    for member in _members(news):
        last = member.pk
        if member.user:
            title = _("{league} is closed").format(league=news.league.name)
            _tell_of(member.user, news.league, f"closed.{news.league.pk}", title, lead)
    return last


TELLERS = {
    What.OPENED: _tell_opened,
    What.BEGUN: _tell_begun,
    What.ENDED: _tell_ended,
    What.EXTENDED: _tell_extended,
    What.CLOSED: _tell_closed,
}


# What goes to few, at once


def tell_put_off(season: Season, members: Sequence[Member], enough: int) -> None:
    for member in members:
        if member.user:
            title = _("Season {n} of {league} is put off").format(n=season.number, league=season.league.name)
            again = _("It starts on {day} now, if enough have come until then.")
            lead = _joined(too_few(len(members), enough), again.format(day=_day(member.user, season.starts_at)))
            _tell(member.user, season, f"off.{season.pk}.{season.put_off}", title, lead)


def tell_given_up(league: League, members: Iterable[Member], enough: int) -> None:
    for member in members:
        if member.user:
            title = _("{league} is closed").format(league=league.name)
            lead = _("Too few have signed up several times: a season takes {enough}.").format(enough=enough)
            _tell_of(member.user, league, f"closed.{league.pk}", title, lead)


def tell_left_over(season: Season, member: Member) -> None:
    if member.user:
        title = _("No place in season {n} of {league}").format(n=season.number, league=season.league.name)
        lead = _(
            "The players did not divide evenly into divisions, and you were among the last to sign up. "
            "You are signed up for the next season, and first in line there."
        )
        _tell(member.user, season, f"left.{season.pk}", title, lead)


def tell_late(season: Season, entrant: Entrant, others: list[str], before: str = "") -> None:
    """Somebody came late: into a new place, or that of who played there before."""
    if entrant.user:
        title = _("You play in season {n} of {league}").format(n=season.number, league=season.league.name)
        taken = _("You take over the place of {name}, with its points.").format(name=before) if before else ""
        _tell(
            entrant.user, season, f"late.{entrant.pk}.{entrant.user.pk}", title,
            _joined(taken, in_division(season, entrant, others)),
        )  # fmt: skip


# How it is said


def too_few(members: int, enough: int) -> str:
    sentence = ngettext(
        "Only one has signed up, and it takes {enough}.", "Only {n} have signed up, and it takes {enough}.", members
    )
    return sentence.format(n=members, enough=enough)


def division_name(pool: Pool) -> str:
    return _("division {tier}-{number}").format(tier=pool.tier, number=pool.number)


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _day(user: User, at: datetime) -> str:
    """By the calendar of the reader."""
    with timezone.override(user.nights.zone):
        return date_format(timezone.localtime(at), "l, j F")


def _tell(user: User, season: Season, about: str, title: str, lead: str) -> None:
    outbox.tell_user(
        kind=Kind.SEASON, user=user, about=about, title=title[:200], lead=lead, url=season.get_absolute_url()
    )


def _tell_of(user: User, league: League, about: str, title: str, lead: str) -> None:
    outbox.tell_user(
        kind=Kind.SEASON, user=user, about=about, title=title[:200], lead=lead, url=league.get_absolute_url()
    )
