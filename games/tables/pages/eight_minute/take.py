"""The page for a card link in an email: a preview of the table with that card taken, and a button to take it."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http import Request
from accounts.middleware import use_language_of
from games.boards.eight_minute.faces import Face
from games.errors import GameError
from games.tables import keys
from games.tables.pages.eight_minute.choices import Offer, card_face, offers
from games.tables.pages.eight_minute.page import EightMinutePage, page
from games.tables.selectors import table as selector
from games.tables.services import play
from games.tables.views.enter import turn_is_over


@dataclass(frozen=True)
class Look:
    """The context of `take.html`: the `page` of the table with the card taken, its price, and other cards.

    `card` is None, and the page shows the current table, if it can't be taken now. `replaces`: another draft is left.
    """

    page: EightMinutePage
    card: Face | None
    price: int
    others: list[tuple[Offer, str]]
    replaces: bool


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def take(request: Request, public_id: str, signed: str, card: str) -> HttpResponse:
    """Preview a card, and take it on POST. GET changes nothing, because mail scanners follow links too."""
    seat = keys.read_turn(signed, public_id)
    if seat and seat.user:
        use_language_of(request, seat.user)
    if seat is None and keys.sits(request.user, public_id):
        messages.info(request, _("The turn that your link was for is over. This is the table now."))
        return redirect("table", public_id)
    if seat is None:
        return turn_is_over(request, public_id)
    if request.user != seat.user and keys.sits(request.user, public_id):
        return redirect("table", public_id)
    game, taking = seat.game, (f"take {card}",)
    drafted = selector.laid_out_now(seat)[:1]

    if request.method == "POST":
        access = keys.access(request, public_id)
        if access.user != seat.user or not access.may_play:
            keys.open_seat(request, signed, public_id)
        try:
            if drafted != taking and seat.user:
                play.lay_out(game=game, who=seat.user, actions=taking, expected_seq=game.seq)
        except GameError:
            messages.warning(request, _("You can’t take that card now. Choose another."))
        return redirect(game.get_absolute_url() + "#board")

    table = selector.table(public_id=public_id, user=seat.user, trying=taking)
    assert table.view is not None and table.before is not None
    query, theme = {"region": request.GET.get("region", "")}, getattr(request.user, "look", "auto")
    price, others = 0, []
    for offer in offers(table.before):
        if offer.face.id == card:
            price = offer.price
        elif not offer.why_not:
            others.append((offer, reverse("take", args=[public_id, signed, offer.face.id])))
    look = Look(
        page=page(table, now=timezone.now(), theme=theme, query=query),
        card=card_face(table.view, card) if table.draft else None,
        price=price,
        others=others,
        replaces=drafted not in ((), taking),
    )
    return render(request, "tables/eight_minute/take.html", {"look": look})
