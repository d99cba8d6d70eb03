"""The door for links in mails: behind it one seat of one game can be played without signing in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.notices import keys


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, public_id: str, signed: str) -> HttpResponse:
    """GET changes nothing, because mail scanners follow links too; the button opens the seat in this browser."""
    table = reverse("table", args=[public_id])
    if keys.sits(request.user, public_id):
        return redirect(table)
    seat = keys.read(signed, public_id)
    if seat is None:
        return render(request, "games/enter.html", {"table": table}, status=410)
    if keys.reader(request, public_id) == seat.user:
        return redirect(table)
    if request.method == "POST":
        keys.open_seat(request, signed, public_id)
        return redirect(table)
    return render(request, "games/enter.html", {"seat": seat, "table": table})


def turn_is_over(request: HttpRequest, public_id: str) -> HttpResponse:
    """One answer to all links to a turn that are no longer good, or never were."""
    return render(request, "games/turn_over.html", {"table": reverse("table", args=[public_id])}, status=410)
