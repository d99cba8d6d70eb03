"""A player's calendar: its events, a feed for other programs (iCalendar, RFC 5545), and the page with its address.

Of other players it shows only the names, never whether they have decided.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.signing import BadSignature
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_http_methods, require_safe
from icalendar import Calendar, Event

from accounts.http import SignedInRequest
from accounts.models import User, in_language_of
from accounts.proof import calendar_url, need_recent_proof, read_calendar, renew_calendar
from empire.web import limits
from empire.web.languages import display_name
from games.contests.models import (
    Entrant,
    Intervention,
    InterventionKind,
    Match,
    MatchState,
    Member,
    Season,
    SeasonState,
)
from games.contests.teams.selectors import next_days
from games.tables.models import Seat
from games.tables.selectors.options import short_name

MOST = 200  # events of one kind
LENGTH = timedelta(minutes=30)  # of an event, long enough to be seen and tapped
OFTEN = timedelta(minutes=15)  # how often programs should poll


@dataclass(frozen=True)
class CalendarEvent:
    """An event. `key` is unique and stable, `since` is when it was created, `is_due` means that `at` is a deadline."""

    key: str
    at: datetime
    since: datetime
    title: str
    words: str
    path: str
    is_due: bool = False


def events_of(user: User) -> list[CalendarEvent]:
    """Return the user's events, the earliest first: due turns, dates of seasons and teams, and latest starts."""
    events = []

    # Turns that are due
    owed = Seat.objects.filter(user=user, owes=True, deadline__isnull=False).order_by("deadline")
    words = _("Your time runs out at the end of this event.")
    for seat in owed.select_related("game").prefetch_related("game__seats")[:MOST]:
        assert seat.deadline is not None and seat.since is not None  # guaranteed by the constraint a_clock_is_whole
        others = ", ".join(display_name(other.name) for other in seat.game.seats.all() if other.number != seat.number)
        title = _("Your turn: {game} with {names}").format(game=short_name(seat.game.ruleset), names=others)
        path = seat.game.get_absolute_url()
        events.append(CalendarEvent(f"turn.{seat.pk}", seat.deadline, seat.since, title, words, path, is_due=True))

    # Starts of seasons that the user is signed up for
    leagues = Member.objects.filter(user=user, sits_out=False).values("league")
    is_about_it = Q(kind=InterventionKind.REMOVED, season=OuterRef("pk"))
    is_about_it |= Q(kind=InterventionKind.BANNED, season__league=OuterRef("league"))
    kept_out = Intervention.objects.in_force().filter(is_about_it, person=user)
    waiting = Season.objects.filter(~Exists(kept_out), league__in=leagues, state=SeasonState.SIGN_UP)
    waiting = waiting.select_related("league")
    words = _("The divisions are set and the first games start.")
    for season in waiting.order_by("starts_at")[:MOST]:
        title = _("{league}: season {n} starts").format(league=season.league.name, n=season.number)
        path = season.get_absolute_url()
        events.append(CalendarEvent(f"begin.{season.pk}", season.starts_at, season.opened_at, title, words, path))

    # Ends of seasons that the user plays in
    places = Entrant.objects.filter(user=user, left_at=None)
    running = Season.objects.filter(pk__in=places.filter(season__state=SeasonState.RUNNING).values("season"))
    words = _("Finish your games by then.")
    for season in running.select_related("league").order_by("ends_at")[:MOST]:
        title = _("{league}: season {n} ends").format(league=season.league.name, n=season.number)
        path = season.get_absolute_url()
        events.append(CalendarEvent(f"end.{season.pk}", season.ends_at, season.opened_at, title, words, path))

    # Waiting matches of leagues and tournaments, each at its latest start
    matches = Match.objects.filter(appearances__entrant__in=places, state=MatchState.WAITING)
    rows = matches.select_related("pool__season__league", "pool__tournament").prefetch_related("appearances__entrant")
    words = _("This is the latest start of the game. It starts earlier if everyone has room for another game.")
    for match in rows.order_by("start_by", "pk")[:MOST]:
        competition = match.pool.season or match.pool.tournament
        assert competition is not None  # every pool belongs to one of them
        entrants = [
            appearance.entrant for appearance in match.appearances.all() if appearance.entrant.user_id != user.pk
        ]
        others = ", ".join(display_name(entrant.name) for entrant in entrants)
        title = _("{name}: game with {names}").format(name=competition, names=others)
        path = competition.get_absolute_url()
        since = competition.opened_at
        events.append(CalendarEvent(f"contest.{match.pk}", match.start_by, since, title, words, path))

    # Match days of teams
    words = _("If you can’t play, mark yourself as away on the team’s page before this day.")
    for tournament, team, number, begins in next_days(user, MOST):
        title = _("{league}: match day {n}").format(league=tournament.name, n=number)
        path = reverse("team", args=[tournament.public_id, team.pk])
        events.append(CalendarEvent(f"day.{tournament.pk}.{number}", begins, tournament.opened_at, title, words, path))

    return sorted(events, key=lambda event: (event.at, event.key))


@require_safe
@cache_control(private=True, max_age=OFTEN.seconds)
@conditional_page
def feed(request: HttpRequest, signed: str) -> HttpResponse:
    """Return the feed, in its owner's language, to anyone who has its address, without signing in."""
    try:
        reader = read_calendar(signed)
    except (BadSignature, User.DoesNotExist, TypeError, ValueError):  # forged, replaced, or of a deleted account
        if wait := limits.wait_for(request, "calendar"):  # by client, because anyone can make up an address
            return limits.only_sentence(wait)
        sentence = _("This calendar has a new address. Its owner can find it in their notification settings.")
        return HttpResponse(sentence, status=410, content_type="text/plain; charset=utf-8")
    if wait := limits.wait_for(request, "calendar", key=signed):
        return limits.only_sentence(wait)
    calendar = Calendar()
    calendar.add("prodid", "-//Empire//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    with in_language_of(reader):  # programs ask for no language, or for one of their own
        calendar.add("x-wr-calname", _("My turns and seasons"))
        events = events_of(reader)
    calendar.add("refresh-interval", OFTEN, parameters={"VALUE": "DURATION"})
    for moment in events:
        begins = moment.at - LENGTH if moment.is_due else moment.at  # a deadline ends at its moment
        event = Event()
        event.add("uid", f"{moment.key}@{settings.SITE_URL.partition('://')[2]}")
        event.add("dtstamp", moment.since)
        event.add("dtstart", begins)
        event.add("dtend", begins + LENGTH)
        event.add("summary", moment.title)
        event.add("description", f"{moment.words} {settings.SITE_URL}{moment.path}")
        event.add("url", settings.SITE_URL + moment.path)
        event.add("transp", "TRANSPARENT")  # it does not block time in the calendar
        calendar.add_component(event)
    return HttpResponse(calendar.to_ical(), content_type="text/calendar; charset=utf-8")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def address(request: SignedInRequest) -> HttpResponse:
    """Show the address of the user's calendar, which works without signing in; a POST replaces it."""
    need_recent_proof(request)
    if request.method == "POST":
        renew_calendar(request.user)
        messages.success(request, _("Your calendar has a new address. The old one no longer works."))
        return redirect("calendar_address")
    link = calendar_url(request.user)
    context = {"link": link, "webcal": "webcal" + link[link.index(":") :], "next": events_of(request.user)[:5]}
    return render(request, "home/calendar.html", context)
