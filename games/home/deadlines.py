"""The events of a player's calendar: due turns, season dates and games that are about to start.

Of other players it shows only the names, never whether they have decided.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from accounts.models import User
from games.contests.models import Entrant, Match, MatchState, Member, Season, SeasonState
from games.tables.models import Seat
from games.tables.selectors.options import short_name

MOST = 200  # moments of one kind


@dataclass(frozen=True)
class Moment:
    """An event. `key` is unique and stable, `since` is when it was created, `is_due` means that `at` is a deadline."""

    key: str
    at: datetime
    since: datetime
    title: str
    words: str
    path: str
    is_due: bool = False


def deadlines(user: User) -> list[Moment]:
    """Return the user's events, the earliest first."""
    found = [*_turns(user), *_begins(user), *_ends(user), *_contests(user)]
    return sorted(found, key=lambda one: (one.at, one.key))


def _turns(user: User) -> Iterator[Moment]:
    owed = Seat.objects.filter(user=user, owes=True, deadline__isnull=False).order_by("deadline")
    for seat in owed.select_related("game").prefetch_related("game__seats")[:MOST]:
        assert seat.deadline is not None and seat.since is not None  # guaranteed by the constraint a_clock_is_whole
        others = _listed(one.name for one in seat.game.seats.all() if one.number != seat.number)
        title = gettext("Your turn: {game} with {names}").format(game=short_name(seat.game.ruleset), names=others)
        words = gettext("Your time runs out at the end of this event.")
        path = seat.game.get_absolute_url()
        yield Moment(f"turn.{seat.pk}", seat.deadline, seat.since, title, words, path, is_due=True)


def _begins(user: User) -> Iterator[Moment]:
    """Yield the starts of seasons that the user is signed up for."""
    mine = Member.objects.filter(user=user, rests=False).values("league")
    waiting = Season.objects.filter(league__in=mine, state=SeasonState.SIGN_UP).select_related("league")
    for season in waiting.order_by("starts_at")[:MOST]:
        title = gettext("{league}: season {n} starts").format(league=season.league.name, n=season.number)
        words = gettext("The divisions are drawn and the first games start.")
        yield Moment(
            f"begin.{season.pk}", season.starts_at, season.opened_at, title, words, season.get_absolute_url()
        )  # fmt: skip


def _ends(user: User) -> Iterator[Moment]:
    """Yield the ends of seasons that the user plays in."""
    mine = Entrant.objects.filter(user=user, left_at=None, season__state=SeasonState.RUNNING).values("season")
    for season in Season.objects.filter(pk__in=mine).select_related("league").order_by("ends_at")[:MOST]:
        title = gettext("{league}: season {n} ends").format(league=season.league.name, n=season.number)
        words = gettext("Finish your games by then.")
        yield Moment(f"end.{season.pk}", season.ends_at, season.opened_at, title, words, season.get_absolute_url())


def _contests(user: User) -> Iterator[Moment]:
    """Yield waiting matches of leagues and tournaments, each at its latest start."""
    mine = Entrant.objects.filter(user=user, left_at=None)
    waiting = Match.objects.filter(appearances__entrant__in=mine, state=MatchState.WAITING)
    rows = waiting.select_related("pool__season__league", "pool__tournament").prefetch_related("appearances__entrant")
    for match in rows.order_by("start_by", "pk")[:MOST]:
        of = match.pool.season or match.pool.tournament
        assert of is not None  # every pool belongs to one of them
        others = _listed(one.entrant.name for one in match.appearances.all() if one.entrant.user_id != user.pk)
        title = gettext("{name}: game with {names}").format(name=of, names=others)
        words = gettext("This game starts now at the latest, or earlier if everyone has room for it.")
        yield Moment(f"contest.{match.pk}", match.start_by, of.opened_at, title, words, of.get_absolute_url())


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
