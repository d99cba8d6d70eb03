"""The door for links in mails: behind it one seat of one game can be played without signing in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.tables import keys

NOT_BY_KEY = gettext_lazy(
    "You opened this seat with a link from an email. The link only lets you see the table and play that turn."
    " Sign in to do more."
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, public_id: str, signed: str) -> HttpResponse:
    """GET changes nothing, because mail scanners follow links too; the button opens the seat in this browser."""
    table = reverse("table", args=[public_id])
    if keys.sits(request.user, public_id):
        return redirect(table)
    found = keys.read(signed, public_id)
    if found is None:
        return render(request, "tables/enter.html", {"table": table}, status=410)
    seat, asked = found
    here = keys.access(request, public_id)
    if here.user == seat.user:  # this browser has opened the seat before: the later key plays the later turn
        if asked > here.asked:
            keys.open_seat(request, signed, public_id)
        return redirect(table)
    if request.method == "POST":
        keys.open_seat(request, signed, public_id)
        return redirect(table)
    return render(request, "tables/enter.html", {"seat": seat, "table": table})


def sign_in_first(request: HttpRequest, public_id: str, onward: str = "") -> HttpResponse:
    """The answer where a link from an email does not reach: why, and where to sign in and come back."""
    wanted = onward or reverse("table", args=[public_id])
    context = {"sentence": NOT_BY_KEY, "wanted": wanted, "table": reverse("table", args=[public_id])}
    part = "#refusal" if request.headers.get("HX-Request") else ""
    # htmx puts in place only what comes with 200
    return render(request, f"tables/sign_in_first.html{part}", context, status=200 if part else 403)


def turn_is_over(request: HttpRequest, public_id: str) -> HttpResponse:
    """One answer to all links to a turn that are no longer good, or never were."""
    return render(request, "tables/turn_over.html", {"table": reverse("table", args=[public_id])}, status=410)
