"""A calendar feed for other programs (iCalendar, RFC 5545), and the page that shows its address."""

from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_http_methods, require_safe
from icalendar import Calendar, Event

from accounts.calendars import calendar_url, read_calendar, renew_calendar
from accounts.http import SignedInRequest
from accounts.models import User
from empire.web import limits
from games.home.deadlines import Moment, deadlines

LENGTH = timedelta(minutes=30)  # of an event, long enough to be seen and tapped
OFTEN = timedelta(minutes=15)  # how often programs should poll


@require_safe
@cache_control(private=True, max_age=OFTEN.seconds)
@conditional_page
def feed(request: HttpRequest, signed: str) -> HttpResponse:
    """Return the feed to anyone who has its address, without signing in."""
    if wait := limits.wait_for(request, "calendar", key=signed):
        return limits.in_plain_words(wait)
    try:
        reader = read_calendar(signed)
    except (BadSignature, User.DoesNotExist, TypeError, ValueError):  # forged, replaced, or of a deleted account
        said = _("This calendar has a new address. Its owner can find it in their notification settings.")
        return HttpResponse(said, status=410, content_type="text/plain; charset=utf-8")
    body = written(deadlines(reader))
    return HttpResponse(body, content_type="text/calendar; charset=utf-8")


def written(moments: list[Moment]) -> bytes:
    calendar = Calendar()
    calendar.add("prodid", "-//Empire//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", _("My turns and seasons"))
    calendar.add("refresh-interval", OFTEN, parameters={"VALUE": "DURATION"})
    for moment in moments:
        calendar.add_component(_event(moment))
    return calendar.to_ical()


def _event(moment: Moment) -> Event:
    """Build the event. A deadline ends at its moment; anything else starts then."""
    begins = moment.at - LENGTH if moment.is_due else moment.at
    event = Event()
    event.add("uid", f"{moment.key}@{settings.SITE_URL.partition('://')[2]}")
    event.add("dtstamp", moment.since)
    event.add("dtstart", begins)
    event.add("dtend", begins + LENGTH)
    event.add("summary", moment.title)
    event.add("description", f"{moment.words} {settings.SITE_URL}{moment.path}")
    event.add("url", settings.SITE_URL + moment.path)
    event.add("transp", "TRANSPARENT")  # it does not block time in the calendar
    return event


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def address(request: SignedInRequest) -> HttpResponse:
    """Show the address of the user's calendar; a POST replaces it."""
    if request.method == "POST":
        renew_calendar(request.user)
        messages.success(request, _("Your calendar has a new address. The old one no longer works."))
        return redirect("calendar_address")
    link = calendar_url(request.user)
    context = {"link": link, "webcal": "webcal" + link[link.index(":") :], "next": deadlines(request.user)[:5]}
    return render(request, "home/calendar.html", context)
