"""The page for links in emails, which lets one seat of one game be played without signing in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.middleware import use_language_of
from games.tables import keys
from games.tables.pages.clocks import who_plays_for_you

NOT_BY_KEY = gettext_lazy(
    "You opened this seat with a link from an email. The link only lets you see the table and play that turn."
    " Sign in to do more."
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, public_id: str, signed: str) -> HttpResponse:
    """Ask before opening the seat in this browser, because mail scanners follow links too.

    A browser that was asked before for the same player opens the seat at once; a scanner has no such cookie.
    """
    table = reverse("table", args=[public_id])
    if keys.sits(request.user, public_id):
        return redirect(table)
    seat_and_seq = keys.read(signed, public_id)
    if seat_and_seq is None:
        lent_seat = keys.read_lost(signed, public_id)
        if lent_seat and lent_seat.owner:
            use_language_of(request, lent_seat.owner)
        context = {"table": table, "now": who_plays_for_you(lent_seat) if lent_seat else ""}
        return render(request, "tables/enter.html", context, status=410)
    seat, due_after = seat_and_seq
    assert seat.user is not None
    use_language_of(request, seat.user)
    access = keys.access(request, public_id)
    if access.user == seat.user:  # this browser has opened the seat before: keep the newer key
        if due_after > access.due_after:
            keys.open_seat(request, signed, public_id)
        return redirect(table)
    if request.method == "POST" or (request.method == "GET" and keys.is_known_here(request, seat.user)):
        keys.open_seat(request, signed, public_id)
        answer = redirect(table)
        keys.remember_here(request, answer, seat.user)
        return answer
    return render(request, "tables/enter.html", {"seat": seat, "table": table})


def sign_in_first(request: HttpRequest, public_id: str, onward: str = "") -> HttpResponse:
    """Explain that an email link does not allow this, with a link to sign in and return."""
    destination = onward or reverse("table", args=[public_id])
    context = {"sentence": NOT_BY_KEY, "wanted": destination, "table": reverse("table", args=[public_id])}
    part = "#refusal" if request.headers.get("HX-Request") else ""
    # htmx swaps only responses with status 200
    return render(request, f"tables/sign_in_first.html{part}", context, status=200 if part else 403)


def turn_is_over(request: HttpRequest, public_id: str) -> HttpResponse:
    """Answer all expired or invalid links to a turn."""
    return render(request, "tables/turn_over.html", {"table": reverse("table", args=[public_id])}, status=410)
