"""The review of a finished game: asking for it, its page, and a page with the better turn on the board."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import Request
from accounts.models import User
from empire.web.languages import display_name
from empire.web.limits import limited
from games.boards.sprites import jpeg
from games.boards.themes import FILLS, THEMES
from games.bots.review import Review, Turn
from games.errors import Final, GameError, NotFound
from games.notices.delivery.families import parts_of
from games.rules.protocol import State
from games.tables import keys
from games.tables.forms.table import StepForm
from games.tables.models import Game, ReviewState, Seat
from games.tables.pages import review as pages
from games.tables.pages.frame import title
from games.tables.selectors import position, rights
from games.tables.selectors.table import HEAD_DIGITS
from games.tables.services import play, reviews
from games.tables.views.enter import sign_in_first

LOOKS = {*THEMES, *(f"{theme}-{palette}" for theme in THEMES for palette in FILLS)}  # themes of pictures
WIDTH = 880  # maximum pixels of the board with the better turn


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("review")
def review(request: Request, public_id: str) -> HttpResponse:
    """Show the review of a game, or ask for it by POST."""
    refusal, status = "", 200
    game, seats = rights.visible(public_id=public_id, user=keys.reader(request, public_id))
    if request.method == "POST":
        if not request.user.is_authenticated:
            has_key = keys.access(request, public_id).is_by_key
            return sign_in_first(request, public_id, request.path) if has_key else redirect_to_login(request.path)
        try:
            reviews.ask(public_id=public_id, user=request.user)
        except NotFound:
            raise
        except GameError as refused:
            refusal, status = str(refused), 409
        else:
            return redirect("review", public_id)
    if not game.started_at:
        raise Http404
    latest_review = reviews.latest(game) if game.is_open_book else None
    content = reviews.content(latest_review)
    is_waiting = latest_review is not None and latest_review.state == ReviewState.WAITING
    if request.htmx and request.method == "GET":  # a page that waits asks whether the review is there
        return HttpResponse(status=204) if is_waiting else HttpResponse(headers={"HX-Refresh": "true"})
    context: dict[str, Any] = {
        "game": game, "title": title(game), "refusal": refusal,
        "cannot": reviews.refusal(game),
        "is_waiting": is_waiting,
        "review": pages.page(game, seats, content) if content else None,
        "seats": seats,
    }  # fmt: skip
    return render(request, "tables/review.html", context, status=status)


@never_cache
@require_safe
def turn(request: Request, public_id: str, seq: int) -> HttpResponse:
    """Show a reviewed turn, and the better one on the board."""
    game, seats, content, reviewed_turn = _turn(request, public_id, seq)
    moment = next(row.moment for row in pages.page(game, seats, content).rows if row.moment.seq == seq)
    turns = [turn.seq for turn in content.turns]
    at, palette = turns.index(seq), getattr(request.user, "palette", "")
    context = {
        "game": game, "title": title(game), "moment": moment, "turn": reviewed_turn,
        "looks": {theme: f"{theme}-{palette}" if palette else theme for theme in THEMES},
        "earlier": turns[at - 1] if at else None, "later": turns[at + 1] if at + 1 < len(turns) else None,
    }  # fmt: skip
    return render(request, "tables/review_turn.html", context)


@require_safe
@limited("review_picture", reading=True)
@cache_control(private=True, max_age=3600)
def picture(request: Request, public_id: str, seq: int, theme: str) -> HttpResponse:
    """Draw the position after the better turn, with its changes marked."""
    game, seats, _content, reviewed_turn = _turn(request, public_id, seq)
    if theme not in LOOKS or not reviewed_turn.better:
        raise Http404
    before: State = position.folded(game, seats, upto=seq - 1)
    events, _begun = pages.drafted(game, before, reviewed_turn.seat, reviewed_turn.better)
    for event in events:
        game.rules.evolve(before, event)
    names = [display_name(seat.name) for seat in seats]
    drawn = parts_of(game.rules).picture(game.rules.view(before, reviewed_turn.seat), names, events, theme, WIDTH)
    if drawn is None:
        raise Http404
    return HttpResponse(jpeg(drawn), content_type="image/jpeg")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("hint", reading=True)
def hint(request: Request, public_id: str) -> HttpResponse:
    """Show the engine's best ideas for the reader's turn, in an unrated game against bots alone. POST drafts one."""
    game, seats = rights.visible(public_id=public_id, user=request.user)
    own_seat = rights.seat_of(request.user, seats)
    if own_seat is None or own_seat.user is None:
        raise Http404
    if game.is_finished or not own_seat.owes:  # as when one goes back to this page later
        return redirect(game)
    if not reviews.may_hint(game, seats):
        if not reviews.offers_hint(game, seats):
            raise Http404
        messages.error(request, _("There are no hints in competitions, or while others still play the same deal."))
        return redirect(game)
    if request.method == "POST":
        return _draft(request, game, own_seat.user)
    state = position.current(game, seats, getattr(game, "snapshot", None))
    ideas = reviews.ideas(game, state, own_seat.number)
    context = {
        "game": game, "title": title(game), "head": game.head[:HEAD_DIGITS],
        "ideas": pages.hints(game, seats, state, own_seat.number, ideas),
    }  # fmt: skip
    return render(request, "tables/hint.html", context)


def _draft(request: Request, game: Game, player: User) -> HttpResponse:
    """Lay out the idea in place of the reader's draft, and ask before a step that could not be undone."""
    form, fragment = StepForm(request.POST), "#board"
    try:
        if not form.is_valid():
            raise GameError(_("The form was incomplete. Reload the page and try again."))
        try:
            play.lay_out(game=game, who=player, actions=form.actions, **form.drawn_on)
        except Final:
            *before, last = form.actions
            play.lay_out(game=game, who=player, actions=before, **form.drawn_on)
            fragment = f"?{urlencode({'then': last})}#hand"
    except GameError as refusal:
        messages.error(request, str(refusal))
    return redirect(game.get_absolute_url() + fragment)


def _turn(request: Request, public_id: str, seq: int) -> tuple[Game, list[Seat], Review, Turn]:
    """Return a reviewed turn of a game that the reader may see. Raises `Http404`."""
    game, seats = rights.visible(public_id=public_id, user=keys.reader(request, public_id))
    content = reviews.content(reviews.latest(game)) if game.is_open_book else None
    reviewed_turn = next((turn for turn in content.turns if turn.seq == seq), None) if content else None
    if content is None or reviewed_turn is None:
        raise Http404
    return game, seats, content, reviewed_turn
