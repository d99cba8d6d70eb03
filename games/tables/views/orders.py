"""Standing orders: a page with plain forms, and the same as an htmx fragment."""

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http import Request
from games.errors import GameError, NotFound
from games.tables import keys
from games.tables.models import Seat
from games.tables.selectors import rights
from games.tables.selectors.orders import orders_of
from games.tables.services.play import give_orders
from games.tables.views.enter import sign_in_first


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def orders(request: Request, public_id: str) -> HttpResponse:
    """Show or save the reader's orders at this table. Spectators are redirected to the table."""
    if keys.access(request, public_id).is_by_key:
        return sign_in_first(request, public_id, request.path)
    try:
        game, seats = rights.visible(public_id=public_id, user=request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    mine = rights.seat_of(request.user, seats)
    if not game.rules.order_fields():
        raise Http404
    if mine is None:
        return redirect(game) if rights.is_person(request.user) else redirect_to_login(request.path)
    mine.game = game
    if request.method != "POST":
        return show(request, mine)
    wanted: dict[str, bool | str] = {}
    for field in game.rules.order_fields():
        text = request.POST.get(field.name)
        if text is not None:  # the service refuses a text that matches no answer
            wanted[field.name] = next((choice.value for choice in field.choices if str(choice.value) == text), text)
    try:
        kept = give_orders(game=game, seat=mine.number, orders=wanted)
    except GameError as refusal:
        return show(request, mine, refusal=str(refusal), status=422)
    return show(request, kept, is_kept=True)


def show(request: Request, mine: Seat, *, refusal: str = "", is_kept: bool = False, status: int = 200) -> HttpResponse:
    """Render the form. For htmx the status is always 200, because it swaps only those."""
    context = {
        "game": mine.game,
        "orders": orders_of(mine),
        "is_asked": mine.owes and mine.game.is_running,
        "refusal": refusal,
        "is_kept": is_kept,
    }
    part = "#orders" if request.htmx else ""
    return render(request, f"tables/orders.html{part}", context, status=200 if request.htmx else status)
