"""The chat of a table: a page, and the same as an htmx fragment."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.http import Request, whole_number
from accounts.models import User
from empire.web import limits
from empire.web.live import live_url
from games.errors import GameError, NotFound, TooOften
from games.tables import keys
from games.tables.models import Subject
from games.tables.models.chat import PHRASES
from games.tables.models.report import REASONS
from games.tables.selectors import chat as selector
from games.tables.selectors.table import live_reader
from games.tables.services import blocking, reports
from games.tables.services import chat as service
from games.tables.views.enter import sign_in_first

REPORTED = gettext_noop("Thank you. A moderator will look at your report.")


@never_cache
@require_safe
def chat(request: Request, public_id: str) -> HttpResponse:
    """Show the chat, with `?after=N` only the messages after the one with that id, for pages that have the others.

    `?count` answers with the number of unread messages and leaves them unread.
    """
    after = whole_number(request.GET.get("after", ""))
    if "count" not in request.GET and after is None:
        return show(request, public_id)
    if keys.access(request, public_id).is_by_key:
        return HttpResponse(status=204)
    try:
        shown_chat = selector.chat(public_id=public_id, user=request.user, after=after or 0)
    except NotFound as unknown:
        raise Http404 from unknown
    if "count" in request.GET:
        return render(request, "tables/table/_unread.html", {"unread": shown_chat.new})
    if shown_chat.seat:
        service.mark_read(seat=shown_chat.seat, upto=shown_chat.last)
    return render(request, "tables/chat.html#lines", {"chat": shown_chat, "reasons": REASONS[Subject.MESSAGE]})


def show(
    request: Request, public_id: str, *, refusal: str = "", draft: str = "", to: str = "", done: str = "",
    status: int = 200,
) -> HttpResponse:  # fmt: skip
    """Show the chat. A refusal keeps the draft and its recipient `to`. A key from an email does not give access."""
    if keys.access(request, public_id).is_by_key:
        return sign_in_first(request, public_id, reverse("chat", args=[public_id]))
    try:
        shown_chat = selector.chat(public_id=public_id, user=request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    game = shown_chat.game
    rooms, reader = selector.rooms(shown_chat.seat), live_reader(game, request.user)
    player = shown_chat.seat.user_id if shown_chat.seat else None
    live = live_url(game.public_id, game.version, reader, rooms=rooms, last_message=shown_chat.last, player=player)
    phrases = [(key, _(words)) for key, words in PHRASES.items()]
    context = {
        "chat": shown_chat,
        "phrases": phrases,
        "reasons": REASONS[Subject.MESSAGE],
        "refusal": refusal,
        "done": done,
        "draft": draft,
        "to": to,
        "must_choose": bool(to) and to not in [value for value, _name in shown_chat.recipients],
        "live": "" if request.htmx else live,
    }
    answer = render(request, "tables/chat.html#chat" if request.htmx else "tables/chat.html", context)
    answer.status_code = 200 if request.htmx else status  # htmx swaps only responses with status 200
    if shown_chat.seat:
        service.mark_read(seat=shown_chat.seat, upto=shown_chat.last)
    return answer


@require_POST
def say(request: Request, public_id: str) -> HttpResponse:
    """Send what was typed, or the phrase whose button was pressed; then what was typed stays in the form.

    `to` is empty for everyone, else the number of a seat and the name of its player. Anything else is refused, because
    it may have been meant for one player. A refused private message does not become one to everyone when it is sent
    again: nobody is chosen then.
    """
    text, to, phrase, last, room = (request.POST.get(name, "") for name in ("text", "to", "phrase", "after", "room"))
    number, _colon, reader = to.partition(":")
    seat, after = whole_number(number, digits=2), whole_number(last)

    def send(user: User) -> Any:
        if to and seat is None:
            raise GameError(_("Your message was not sent. Choose who should read it."))
        return service.say(
            public_id=public_id, user=user, text=text, to=seat, reader=reader, phrase=phrase, after=after, room=room
        )

    return _do(request, public_id, send, text, to, counts=("chat",), keeps_draft=bool(phrase))


@require_POST
def note(request: Request, public_id: str) -> HttpResponse:
    text = request.POST.get("note", "")
    return _do(request, public_id, lambda user: service.write_note(public_id=public_id, user=user, text=text))


@require_POST
def block(request: Request, public_id: str, message: int) -> HttpResponse:
    return _do(request, public_id, lambda user: service.block(message=message, user=user), done=blocking.about_closed)


@require_POST
def unblock(request: Request, public_id: str) -> HttpResponse:
    return _do(request, public_id, lambda user: blocking.unblock(name=request.POST.get("name", ""), user=user))


@require_POST
def report(request: Request, public_id: str, message: int) -> HttpResponse:
    reason = request.POST.get("reason", "")
    return _do(
        request,
        public_id,
        lambda user: reports.report_message(message=message, user=user, reason=reason),
        counts=("chat", "report"),
        done=lambda _report: _(REPORTED),
    )


def _do(
    request: Request,
    public_id: str,
    action: Callable[[User], Any],
    draft: str = "",
    to: str = "",
    *,
    counts: Sequence[str] = (),
    keeps_draft: bool = False,
    done: Callable[[Any], str] | None = None,
) -> HttpResponse:
    """Run an action and show the chat. `done` turns its result into a sentence for the reader."""
    if keys.access(request, public_id).is_by_key:
        return sign_in_first(request, public_id, reverse("chat", args=[public_id]))
    if not isinstance(request.user, User):
        return redirect_to_login(reverse("chat", args=[public_id]))
    try:
        if wait := max((limits.wait_for(request, limit) for limit in counts), default=0):
            raise TooOften(limits.sentence(wait), wait)
        result = action(request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    except TooOften as refusal:
        answer = show(request, public_id, refusal=str(refusal), draft=draft, to=to, status=429)
        return limits.with_retry_after(answer, refusal.wait)
    except GameError as refusal:
        return show(request, public_id, refusal=str(refusal), draft=draft, to=to, status=422)
    draft, to = (draft, to) if keeps_draft else ("", "")
    return show(request, public_id, draft=draft, to=to, done=done(result) if done else "")
