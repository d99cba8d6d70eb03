"""The table: one address for the page and its fragment, and the small forms that lay out a turn and hand it in.

Every form sends the entry that its page was drawn on (`seq`). A refusal answers with the table as it stands and the
sentence; what was laid out stays.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.http import Request
from games.forms import StepForm
from games.models import Seat
from games.notices import keys
from games.selectors import desk, lines
from games.selectors import table as selector
from games.services import play
from games.services.errors import GameError, NotFound, NotYours
from games.views.lobby import open_table_page
from games.views.page import page


@never_cache
@require_safe
def table(request: Request, public_id: str) -> HttpResponse:
    """The game now, or with `?at=N` after that entry; `?region=v3` picks a region to act on, `?log=all` tells all."""
    shown = read(request, public_id, at=_number(request.GET.get("at", "")))
    if "log" in request.GET and shown.has_older:
        older = lines.log_lines(public_id=public_id, user=keys.reader(request, public_id), before=shown.log[0].seq)
        shown = replace(shown, log=[*older, *shown.log], has_older=False)
    answer = show(request, shown, chosen=request.GET.get("region", ""))
    if shown.seat and shown.at is None and not request.htmx:
        play.look(seat=shown.seat, seq=shown.seq, has_stale_draft=bool(shown.stale))
    return answer


def read(request: Request, public_id: str, at: int | None = None) -> selector.Table:
    try:
        return selector.table(public_id=public_id, user=keys.reader(request, public_id), at=at)
    except NotFound as unknown:
        raise Http404 from unknown


def show(
    request: Request, shown: selector.Table, *, chosen: str = "", alert: str = "", status: int = 200
) -> HttpResponse:
    """The whole page, or for htmx its changing part; htmx puts in place only what comes with 200."""
    if shown.view is None:
        return open_table_page(request, shown.game, shown.seats, refusal=alert, status=status)
    theme = getattr(request.user, "theme", "auto")
    shown_page = page(shown, now=timezone.now(), theme=theme, chosen=chosen, alert=alert)
    context = {"page": shown_page, "next_waiting": _next_waiting(request, shown, shown_page)}
    if request.htmx:
        return render(request, "games/table.html#table", context)
    return render(request, "games/table.html", context, status=status)


def _next_waiting(request: Request, shown: selector.Table, shown_page: Any) -> Any:
    """The next game that waits for the reader, when this one does not."""
    if shown.seat is None or shown_page.hand.is_mine:
        return None
    return desk.next_waiting(user=request.user, after=shown.game)


def _number(text: str) -> int | None:
    """`at` from an address: null without one, an entry that does not exist for nonsense."""
    if not text:
        return None
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else -1


# Laying out a turn, handing it in

Deed = Callable[[selector.Table, int, int, str], Any]  # the table, the seat, the entry acted on, action texts


def _play(request: Request, public_id: str, deed: Deed, part: str = "") -> HttpResponse:
    """Do what the form asks, then show the table: by itself after a redirect, or as a fragment."""
    shown = read(request, public_id)
    form = StepForm(request.POST)
    try:
        if not form.is_valid():
            raise GameError(_("That form was not complete."))
        deed(shown, _seat(shown).number, form.cleaned_data["seq"], form.cleaned_data["action"])
    except GameError as refusal:
        return show(request, read(request, public_id), alert=str(refusal), status=409)
    if request.htmx:
        return show(request, read(request, public_id))
    return redirect(shown.game.get_absolute_url() + part)


def _seat(shown: selector.Table) -> Seat:
    if shown.seat is None:
        raise NotYours(_("You only watch this game."))
    return shown.seat


@require_POST
def step(request: Request, public_id: str) -> HttpResponse:
    """One more step of the turn, laid out for its seat alone."""

    def lay(shown: selector.Table, seat: int, seq: int, action: str) -> None:
        play.add_step(game=shown.game, seat=seat, action=action, expected_seq=seq)

    return _play(request, public_id, lay, "#board")


@require_POST
def undo(request: Request, public_id: str) -> HttpResponse:
    """Take back the last step, or with `all` the whole draft but the card."""

    def take_back(shown: selector.Table, seat: int, seq: int, action: str) -> None:
        if "all" in request.POST:
            play.lay_out(game=shown.game, seat=seat, actions=shown.draft[:1], expected_seq=seq)
        else:
            play.undo(game=shown.game, seat=seat, expected_seq=seq)

    return _play(request, public_id, take_back, "#board")


@require_POST
def submit(request: Request, public_id: str) -> HttpResponse:
    """Hand in the turn that the page showed. Sent twice it counts once."""

    def hand_in(shown: selector.Table, seat: int, seq: int, action: str) -> None:
        play.submit_turn(game=shown.game, seat=seat, actions=action.split(";"), expected_seq=seq)

    return _play(request, public_id, hand_in)


@require_POST
def decide(request: Request, public_id: str) -> HttpResponse:
    """A decision of a single action: a bid, who starts."""

    def hand_in(shown: selector.Table, seat: int, seq: int, action: str) -> None:
        play.submit_turn(game=shown.game, seat=seat, actions=[action], expected_seq=seq)

    return _play(request, public_id, hand_in)
