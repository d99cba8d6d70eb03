"""The API of outside bots: the games of a bot, the view of its seat, and its turn, as JSON. See docs/bots.md.

A request is authorized by the token of the bot alone, never by a session, so that no page of another site can make it.
Refusals have the sentences of the pages. The site's handler bounds how large and how slow a request may be.
"""

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from msgspec import Meta

from accounts.bots import by_token
from accounts.models import BotAccount
from empire.observability import logs
from empire.web import limits
from games.bots.outside import LONGEST_STEP, Unclear, name_of, parsed
from games.errors import GameError, NotFound
from games.rules.play import MOST_STEPS
from games.tables.models import Seat
from games.tables.selectors import outside, position
from games.tables.services import handover, play

LONGEST_BODY = 1 << 16  # bytes
ANY_STEPS = MOST_STEPS * (LONGEST_STEP + 2)  # characters of `laid`

View = Callable[..., HttpResponse]
Step = Annotated[str, Meta(min_length=1, max_length=LONGEST_STEP)]


class Turn(msgspec.Struct, frozen=True):
    """The body of a turn. `head` may be left out; it tells a game that was restored from a backup."""

    seq: Annotated[int, Meta(ge=0, le=10**6)]
    actions: Annotated[list[Step], Meta(min_length=1, max_length=MOST_STEPS)]
    head: Annotated[str, Meta(max_length=64)] = ""


def for_bots(view: View) -> View:
    """Decorate a view that takes the bot of the request's token instead of a signed-in user."""

    @csrf_exempt  # a token in a header is never sent by a browser on its own
    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        kind, _space, token = request.headers.get("Authorization", "").partition(" ")
        bot = by_token(token.strip()) if kind.lower() == "bearer" else None
        if bot is None:
            if wait := limits.wait_for(request, "bot_token"):
                return limits.with_retry_after(refused(limits.sentence(wait), 429), wait)
            answer = refused(_("This token is not valid. Its owner can create a new one on the bot’s page."), 401)
            answer["WWW-Authenticate"] = "Bearer"
            return answer
        logs.know(user=bot.pk)
        if wait := limits.wait_for(request, "bot", f"bot {bot.pk}"):
            return limits.with_retry_after(refused(limits.sentence(wait), 429), wait)
        try:
            answer = view(request, bot, *args, **kwargs)
            if isinstance(answer, HttpResponseNotAllowed):
                not_allowed = refused(
                    _("This method is not allowed here. Use: %(methods)s.") % {"methods": answer["Allow"]}, 405
                )
                not_allowed["Allow"] = answer["Allow"]
                return not_allowed
            return answer
        except NotFound as refusal:
            return refused(str(refusal), 404)
        except GameError as refusal:
            return refused(str(refusal), 409)

    return guarded


def answered(document: dict[str, Any], status: int = 200) -> HttpResponse:
    return HttpResponse(msgspec.json.encode(document), content_type="application/json", status=status)


def refused(sentence: str, status: int) -> HttpResponse:
    return answered({"refused": sentence}, status)


@for_bots
@require_safe
def games(request: HttpRequest, bot: BotAccount) -> HttpResponse:
    """List the bot's games, and those that wait for it, the earliest deadline first."""
    seats = list(outside.games_of(bot.user))
    owing = [seat for seat in seats if seat.owes and seat.game.is_running]
    owing.sort(key=lambda seat: (seat.deadline is None, seat.deadline))
    return answered(
        {
            "bot": bot.user.username,
            "waiting": [seat.game.public_id for seat in owing],
            "games": [_listed(seat) for seat in seats],
            "lost": [seat.game.public_id for seat in outside.lost_seats(bot.user)],
        }
    )


def _listed(seat: Seat) -> dict[str, Any]:
    game = seat.game
    return {
        "game": game.public_id,
        "ruleset": name_of(game.rules),
        "status": game.status,
        "is_my_turn": game.is_running and seat.owes,
        "deadline": position.stamp(seat.deadline) if seat.deadline else None,
    }


@for_bots
@require_POST
def back(request: HttpRequest, bot: BotAccount, public_id: str) -> HttpResponse:
    """Take a seat back that one of our bots plays because this one was late."""
    seat = outside.lost_seats(bot.user).filter(game__public_id=public_id).first()
    if seat is None:
        raise NotFound
    game = handover.come_back(seat=seat, user=bot.user).game
    return answered({"game": game.public_id, "seq": game.seq, "status": game.status})


@for_bots
@require_safe
def view(request: HttpRequest, bot: BotAccount, public_id: str) -> HttpResponse:
    """Show the bot's seat, with `?laid=` after these steps."""
    text = request.GET.get("laid", "")
    try:
        laid = parsed(text[: ANY_STEPS + 1]) if text else []
    except Unclear as refusal:
        return refused(refusal.say(_), 400)
    return answered(outside.seat_view(public_id=public_id, bot=bot.user, laid=laid))


@for_bots
@require_POST
def turn(request: HttpRequest, bot: BotAccount, public_id: str) -> HttpResponse:
    """Play a turn. The same turn sent twice counts once."""
    body = request.read(LONGEST_BODY + 1)
    if len(body) > LONGEST_BODY:
        return refused(_("This is too long for a turn."), 413)
    try:
        submission = msgspec.json.decode(body, type=Turn)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # the last for deeply nested lists
        return refused(_("Send a JSON object with “seq” and “actions”, as described in docs/bots.md."), 400)
    submitted = play.submit(
        game=public_id, who=bot.user, actions=submission.actions, expected_seq=submission.seq, head=submission.head
    )
    game = submitted.game
    return answered({"game": game.public_id, "seq": game.seq, "status": game.status})
