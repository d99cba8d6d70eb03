"""The table: one URL for the page and its fragment, small forms that draft a turn and submit it, and requests to undo.

Every form sends the entry that its page was drawn on (`seq`, and the beginning of its digest, `head`) and the draft
that it showed (`laid`). A refusal answers with the current table and the sentence, and keeps the draft.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.cache import caches
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.context import make_context
from django.template.engine import Engine
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag, urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import acceptance
from accounts.http import Request, whole_number
from accounts.models import User
from empire.web import limits
from empire.web.limits import limited
from empire.web.static_files import release
from games.errors import Final, GameError, GivesUp, NotFound, NotYours
from games.help.ruling import RULINGS
from games.notices.outbox.words import enumerated
from games.rules.words import labelled
from games.tables import keys
from games.tables.families import parts_of
from games.tables.forms.table import StepForm
from games.tables.models import Game, Seat
from games.tables.pages.frame import ends_of, lines_there
from games.tables.selectors import chat, lessons, lines, listed, position, rights
from games.tables.selectors import full_game as full_games
from games.tables.selectors import table as selector
from games.tables.selectors.options import short_name
from games.tables.services import play, reviews, undo_requests
from games.tables.views.enter import sign_in_first, turn_is_over
from games.tables.views.lobby import open_table_page
from games.tables.views.preview import preview

NOTHING: Mapping[str, str] = {}
WHOLE_TABLE = "tables/table.html#table"
INDENT = re.compile(r"\n\s+", re.ASCII)  # of a template; nothing at a table depends on it
REMEMBERED = {"marks": ("0", "1")}  # preferences of all games that are kept in cookies, with their possible values
A_YEAR = 365 * 24 * 3600
A_MONTH = 30 * 24 * 3600
# What spectators may see of a seat, of its clock unless decisions are secret, and of its player. They must not tell
# anything else from the time that their answer takes.
OF_SEAT = (
    "id", "user_id", "owner_id", "first_owner_id", "bot", "name", "back_at", "has_changed_hands", "has_given_up",
    "place", "total", "left", "counted",
)  # fmt: skip
OF_CLOCK = ("owes", "deadline", "bank", "time_left", "since", "kept", "kept_at", "time_outs", "left_by_id")
OF_PLAYER = ("id", "username", "is_active", "is_guest", "is_bot", "is_closed", "night", "away_until", "time_zone")
UNSEEN = {"_state", "last_messages"}  # of the game: messages of the players' room change them, too
OF_PAGE = ("Land", "Parts", "Log")  # headers in which an open page says what it has
SHARED_FOR = 5  # seconds for which the answer to a spectator serves others


@never_cache
@require_safe
def table(request: Request, public_id: str) -> HttpResponse:
    """Show the game now, or with `?at=N` after that entry.

    `?region=v3` and the like select something, `?log=all` shows the whole log, `?since=turn` what happened since the
    reader's last turn, `&from=M` a replay. Highlights and what the game's family lists are remembered in cookies.
    """
    user, at, since = keys.reader(request, public_id), _number(request.GET.get("at", "")), request.GET.get("since", "")
    try:
        game_and_seats = rights.visible(public_id=public_id, user=user)
        shared_key = shared_answer_key(request, *game_and_seats) if request.htmx and not request.GET else ""
        if shared_key and (answered := caches["spectators"].get(shared_key)):
            return HttpResponse(answered)
        if wait := limits.wait_for(request, "table"):
            return limits.too_often(request, wait)
        shown_table = selector.table(public_id=public_id, user=user, at=at, since=since, visible=game_and_seats)
    except NotFound as unknown:
        if keys.has_opened(request, public_id):
            return turn_is_over(request, public_id)
        game = Game.objects.filter(public_id=public_id).select_related("opener").first()
        if game and not rights.is_shut_to(game, request.user) and (why := rights.why_removed(game, request.user)):
            # "this table" is not the page that shows it
            messages.info(request, labelled(short_name(game.ruleset), why, _))
            return redirect("desk")
        raise Http404 from unknown
    if "log" in request.GET and shown_table.has_older:
        older = lines.log_lines(
            public_id=public_id, user=keys.reader(request, public_id), before=shown_table.log[0].seq
        )
        shown_table = replace(shown_table, log=[*older, *shown_table.log], has_older=False)
    picked = {name: " ".join(request.GET.getlist(name)) for name in request.GET}  # repeated values joined by spaces
    answer = show(request, shown_table, query=picked, is_step="laid" in picked, is_shared=bool(shared_key))
    if shared_key and not request.META.get("CSRF_COOKIE_NEEDS_UPDATE"):  # it has no form, whose token is one reader's
        caches["spectators"].set(shared_key, answer.content)
    for name, values in remembered(shown_table.game).items():
        if request.GET.get(name) in values:
            answer.set_cookie(name, request.GET[name], max_age=A_YEAR, samesite="Lax")
    if shown_table.seat and shown_table.at is None and request.htmx:
        play.look(seat=shown_table.seat)
    elif shown_table.seat and shown_table.at is None:
        play.look(seat=shown_table.seat, seq=shown_table.seq, has_stale_draft=bool(shown_table.stale))
    return answer


def shared_answer_key(request: Request, game: Game, seats: Sequence[Seat]) -> str:
    """Return a digest of what the answer depends on when the open page of a spectator is told of news; else nothing.

    Many spectators of a game are told at the same moment, and the same answer serves all whose digest is equal. It
    covers what they may see of the game and its people, the language and time zone, and what the page has. Only
    listed games are shared, and only with those who have no seat there.
    """
    reader, public_id = request.user, game.public_id
    involved = {person for seat in seats for person in (seat.user_id, seat.owner_id, seat.asked_id)}
    if (
        request.htmx.target != "table" or request.headers.get("Release") != release() or not game.is_running
        or not game.listed or (reader.pk and reader.pk in involved) or keys.has_opened(request, public_id)
        or len(messages.get_messages(request))
    ):  # fmt: skip
        return ""
    joined = (game.full_game, getattr(game, "snapshot", None), getattr(game, "undo_request", None))
    rows = [
        *({name: value for name, value in vars(row).items() if name not in UNSEEN} for row in (game, *joined) if row),
        *([getattr(seat, name) for name in (*OF_SEAT, *(() if game.sealed else OF_CLOCK))] for seat in seats),
        *([getattr(seat.user, name) for name in OF_PLAYER] for seat in seats if seat.user),
        game.last_messages.get(chat.SPECTATORS, 0),
    ]
    sent = [request.headers.get(name, "") for name in OF_PAGE]
    preferences = [request.COOKIES.get(name, "") for name in remembered(game)]
    of_reader = [
        getattr(reader, name, None) for name in ("is_authenticated", "is_guest", "look", "has_keys", "holds_turns")
    ]
    moment = int(timezone.now().timestamp() / SHARED_FOR)  # the time that is left
    locale = get_language(), timezone.get_current_timezone_name()
    return hashlib.sha256(repr((rows, sent, preferences, of_reader, moment, *locale)).encode()).hexdigest()


@never_cache
@require_safe
def here(request: Request, public_id: str) -> HttpResponse:
    """Note that a player is still at the table, as open pages say about once a minute.

    Status 204 asks for more, and 205 to look again: `owes` is what the page shows, and a bid or another sealed decision
    made elsewhere is no news that others may hear of. All others get the same empty page, whether there is such a game
    or not, and stop.
    """
    seat = rights.played_seat(public_id=public_id, user=keys.reader(request, public_id))
    if seat is None or not seat.game.is_running:
        return HttpResponse()
    play.look(seat=seat)
    is_right = request.GET.get("owes", "") in ("", str(int(seat.owes)))
    return HttpResponse(status=204 if is_right else 205)


def read(
    request: Request, public_id: str, at: int | None = None, since: str = "", loaded: selector.LoadedGame | None = None
) -> selector.Table:
    try:
        user = keys.reader(request, public_id)
        return selector.table(public_id=public_id, user=user, at=at, since=since, loaded=loaded)
    except NotFound as unknown:
        raise Http404 from unknown


def show(
    request: Request,
    table: selector.Table,
    *,
    query: Mapping[str, str] = NOTHING,
    alert: str = "",
    status: int = 200,
    is_step: bool = False,
    is_shared: bool = False,
    drawn_on: int | None = None,
) -> HttpResponse:
    """Render the page, or for htmx a part of it, always with status 200, because htmx swaps only those.

    `query` is what the reader has selected, as the game's family defines it. After a step or a question about one
    (`is_step`), htmx gets only what it changes, if its page was drawn on the same entry. After a decision it gets the
    table without what a page drawn on the entry `drawn_on` has. A page that asks for a part, such as the dock, but was
    drawn on an earlier entry gets the whole table. A page of an earlier release gets everything, and a sentence. An
    answer that `is_shared` does not say how many games wait for its reader.
    """
    if table.view is None:
        return open_table_page(request, table.game, table.seats, refusal=alert, status=status)
    theme = getattr(request.user, "look", "auto")
    build = parts_of(table.game.rules).page
    selection = {**{name: request.COOKIES.get(name, "") for name in remembered(table.game)}, **query}
    shown_page: Any = build(table, now=timezone.now(), theme=theme, query=selection, alert=alert)
    access = keys.access(request, table.game.public_id)
    context: dict[str, Any] = {"page": shown_page, "by_key": access if access.is_by_key else None}
    context["may_report"] = request.user.is_authenticated and not access.is_by_key and not table.game.lesson
    context["hold"] = getattr(request.user, "holds_turns", True) and not table.game.lesson
    if table.seat and table.game.is_running and table.at is None:
        context["lesson_offered"] = "" if access.is_by_key else lessons.offered_at(table.game, request.user)
        may_ask = table.seat.owes and not access.is_by_key and reviews.offers_hint(table.game, table.seats)
        context["has_hint"] = may_ask and reviews.has_hint_for(table.game, table.before)
    if is_shared:
        context["waiting_count"] = ""
    # The next game that waits for the reader, unless this one does
    if table.seat and not table.game.lesson and not shown_page.due.is_mine:
        queue = listed.queue(request.user)
        context["next_waiting"] = listed.next_waiting(queue, after=table.game)
        if len(queue) < listed.LISTED:
            context["waiting_count"] = len(queue)
    if request.htmx:
        part = shown_page.parts.get(request.htmx.target or "", WHOLE_TABLE)
        sent = request.POST if request.method == "POST" else request.GET
        was_drawn_here = "laid" in sent and sent.get("seq") == str(table.seq)
        _oldest, newest = ends_of(request.headers.get("Log", ""))  # the page was drawn on the newest entry of its log
        is_part_of_older = part != WHOLE_TABLE and newest is not None and newest < table.seq
        context["shown_land"], context["known_parts"] = request.headers.get("Land", ""), ()
        context["is_outdated"] = request.headers.get("Release", release()) != release()
        if context["is_outdated"]:
            return _whole(request, context)
        shows_alert = not alert or shown_page.due.shows_alert
        if request.htmx.target in (None, "table") or is_part_of_older:
            context["known_parts"] = frozenset(request.headers.get("Parts", "").split())
        context["lines_there"] = lines_there(table, request.headers.get("Log", ""))
        if is_part_of_older:
            return _whole(request, context)
        if is_step and was_drawn_here and shows_alert and shown_page.step_template:
            answer = _drawn(request, shown_page.step_template, context)
            answer["HX-Reswap"] = "parts"  # an extension in table.js
            return answer
        context["drawn_on"] = drawn_on if "Release" in request.headers and not alert else None
        answer = _drawn(request, part, context)
        if request.method == "POST" and shown_page.scrolls_to_top and not alert:
            answer["HX-Reswap"] = "parts show:#content:top"
        return answer
    context["preview"] = preview(table)
    return _drawn(request, "tables/table.html", context, status=status)


def _whole(request: Request, context: Mapping[str, Any]) -> HttpResponse:
    """Render the whole table for htmx, whatever part it asked for."""
    answer = _drawn(request, WHOLE_TABLE, context)
    answer["HX-Retarget"], answer["HX-Reswap"] = "#table", "parts"
    return answer


def _drawn(request: Request, template: str, context: Mapping[str, Any], status: int = 200) -> HttpResponse:
    """Render without indentation, which takes 300 bytes of a compressed answer. Pages and answers must agree on it."""
    values = make_context(dict(context), request)
    values.use_l10n = False  # whole numbers look the same in all languages, and finding that out takes 2% of the time
    drawn = Engine.get_default().get_template(template).render(values)
    return HttpResponse(INDENT.sub("\n", drawn), status=status)


def remembered(game: Game) -> Mapping[str, Sequence[str]]:
    return {**REMEMBERED, **parts_of(game.rules).remembered}


def _number(text: str) -> int | None:
    """Parse a number from the URL: None if empty, -1, which is no entry, if invalid."""
    if not text:
        return None
    number = whole_number(text, digits=6)
    return -1 if number is None else number


@require_safe
@limited("thumbnail", reading=True)
def thumbnail(request: Request, public_id: str, seq: int | None = None) -> HttpResponse:
    """Draw the position after the last entry, `seq`, small, for lists: the same for all who may see the game.

    It is the spectators' view, so it tells nobody more than others know. An outdated address redirects to the current
    one, so that what browsers keep is always the position of its entry. Without `seq` it is the final position of a
    game that has ended.
    """
    try:
        game, seats = rights.visible(public_id=public_id, user=keys.reader(request, public_id))
    except NotFound as unknown:
        raise Http404 from unknown
    if game.seq < 0:
        raise Http404
    if seq != game.seq and not (seq is None and game.has_ended):
        redirection = redirect("thumbnail", public_id, game.seq)
        redirection["Cache-Control"] = "no-store"
        return redirection
    etag = quote_etag(f"{game.seq}.{game.head[: selector.HEAD_DIGITS]}")
    not_modified = get_conditional_response(request, etag)
    if not_modified is not None:
        return not_modified
    state = position.current(game, seats, getattr(game, "snapshot", None))
    drawn = parts_of(game.rules).miniature(game.rules.view(state, None))
    answer = HttpResponse(drawn, content_type="image/svg+xml", headers={"ETag": etag})
    patch_cache_control(answer, private=True, immutable=True, max_age=A_MONTH)
    return answer


@never_cache
@require_safe
def full_game(request: Request, pk: int) -> HttpResponse:
    """Show a full game, running or finished."""
    try:
        full = full_games.full_game(pk=pk, user=request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    return render(request, "tables/full_game.html", {"full": full})


# Drafting and submitting a turn

Action = Callable[[User, StepForm], selector.LoadedGame | None]  # it may return what need not be read again


def only_as_form(view: limits.View) -> limits.View:
    """Let only a POST reach the view, and redirect a GET to the table with the same query.

    Without scripts, a refusal is a table at the address of the form. Links of a table are relative to its address, and
    so are the requests with which the page refreshes itself once its scripts have loaded.
    """

    @wraps(view)
    def answer(request: Request, public_id: str) -> HttpResponseBase:
        if request.method in ("GET", "HEAD"):
            query = request.META.get("QUERY_STRING", "")
            return redirect(f"{reverse('table', args=[public_id])}{'?' if query else ''}{query}")
        return view(request, public_id)

    return require_http_methods(["GET", "HEAD", "POST"])(answer)


@only_as_form
@limited("turn")
def submit(request: Request, public_id: str) -> HttpResponse:
    """Submit the turn that the page showed. Submitting it twice counts once.

    If something usable would be given up, the answer is a question, whose button sends the turn again with `sure`.
    """

    def hand_in(player: User, form: StepForm) -> selector.LoadedGame | None:
        is_sure = bool(form.cleaned_data["sure"])
        return play.submit(game=public_id, who=player, actions=form.actions, is_sure=is_sure, **form.drawn_on).loaded

    return _play(request, public_id, hand_in)


@only_as_form
@limited("turn")
def decide(request: Request, public_id: str) -> HttpResponse:
    """Submit a decision that is a single action, such as a bid."""

    def hand_in(player: User, form: StepForm) -> selector.LoadedGame | None:
        action = form.cleaned_data["action"]
        return play.submit(game=public_id, who=player, actions=[action], **form.drawn_on).loaded

    return _play(request, public_id, hand_in)


@only_as_form
@limited("turn")
def step(request: Request, public_id: str) -> HttpResponse:
    """Add steps to the draft, or ask first if one gives something up and the form is not `sure`.

    `to` is `hand` if the next choice is in the dock and not on the board.
    """

    def lay(player: User, form: StepForm) -> selector.LoadedGame | None:
        is_sure, actions = bool(form.cleaned_data["sure"]), form.actions
        return play.add_steps(
            game=public_id, who=player, actions=actions, laid=form.draft, is_sure=is_sure, **form.drawn_on
        )

    return _play(request, public_id, lay, "#hand" if request.POST.get("to") == "hand" else "#board")


@only_as_form
@limited("turn")
def undo(request: Request, public_id: str) -> HttpResponse:
    """Undo the last step, or with `keep` all steps after the first `keep`."""

    def act(player: User, form: StepForm) -> selector.LoadedGame | None:
        keep = _number(request.POST.get("keep", ""))
        return play.undo(game=public_id, who=player, keep=keep, laid=form.draft, **form.drawn_on)

    return _play(request, public_id, act, "#board")


def _play(request: Request, public_id: str, action: Action, part: str = "") -> HttpResponse:
    """Run the action of the form, then show the table, after a redirect to `part` of it or as a fragment.

    Only steps, which lead to a part, and questions can be answered with less than the table. A form that was sent when
    its page was left (`left`) has no page to show a refusal or a question: the next page shows it as a message.
    """
    form, query, alert, is_step = StepForm(request.POST), {}, "", bool(part)
    drawn_on, loaded = None, None
    try:
        player = _player(request, public_id)
        if not form.is_valid():
            raise GameError(_("The form was incomplete. Reload the page and try again."))
        drawn_on = form.cleaned_data["seq"] if "laid" in request.POST else None
        try:
            loaded = action(player, form)
        except GivesUp as question:  # the question is about the draft up to this step
            loaded = play.lay_out(game=public_id, who=player, actions=question.before, **form.drawn_on)
            raise
        except NotFound:
            read(request, public_id)  # raises 404 if they may not see the game
            raise NotYours(_("You are a spectator in this game, so you can’t play.")) from None
    except Final as question:  # ask for a confirmation of the step that cannot be undone or gives something up
        query, part = {"then": question.step if isinstance(question, GivesUp) else form.cleaned_data["action"]}, "#hand"
        is_step = True
    except GameError as refusal:
        query, alert = {"refused": request.POST.get("action", "")}, str(refusal)
    if (alert or query) and "left" in request.POST:
        reason = alert or _("It needs one more confirmation.")
        messages.warning(
            request, _("Your turn was sent when you left the table, but it was refused. {reason}").format(reason=reason)
        )
        return HttpResponse(status=204, headers={"Refused": "1"})
    if alert or request.htmx:
        table = read(request, public_id, loaded=loaded)
        if table.seat and not alert:
            play.look(seat=table.seat)
        return show(
            request, table, query=query, alert=alert, status=409 if alert else 200, is_step=is_step, drawn_on=drawn_on
        )
    return redirect(f"{reverse('table', args=[public_id])}{'?' + urlencode(query) if query else ''}{part}")


def _player(request: Request, public_id: str) -> User:
    """Return the person that the reader plays as. The table is read once, by the action."""
    access = keys.access(request, public_id)
    if not access.may_play:
        raise NotYours(
            _("Your link was for an earlier turn. Sign in to play this one, or use the link in your latest email.")
        )
    if not isinstance(access.user, User):
        read(request, public_id)  # raises 404 if they may not see the game
        raise NotYours(_("You’re signed out. Reload the page and sign in to play."))
    acceptance.need_in_time(access.user)  # also with a link from an email
    return access.user


# Undoing a turn

UNDO_ACTIONS: Mapping[str, Callable[..., Any]] = {
    "ask": undo_requests.ask,
    "agree": undo_requests.agree,
    "refuse": undo_requests.refuse,
    "withdraw": undo_requests.withdraw,
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("turn")
def undo_turn(request: Request, public_id: str) -> HttpResponse:
    """Show what an undo request involves. A POST names one of the actions and the entry."""
    if keys.access(request, public_id).is_by_key:
        return sign_in_first(request, public_id, request.path)
    table = read(request, public_id)
    form, seat = StepForm(request.POST), table.seat
    if request.method == "POST":
        try:
            action = UNDO_ACTIONS.get(form.cleaned_data["action"]) if form.is_valid() else None
            if action is None:
                raise GameError(_("The form was incomplete. Reload the page and try again."))
            if seat is None:
                raise NotYours(_("You are a spectator in this game, so you can’t play."))
            play.need_current(table.game, form.cleaned_data["seq"], form.cleaned_data["head"])
            action(game=table.game, seat=seat.number, expected_seq=form.cleaned_data["seq"], player=seat.user)
        except GameError as refusal:
            if request.htmx:
                return show(request, read(request, public_id), alert=str(refusal), status=409)
            messages.error(request, str(refusal))
        return show(request, read(request, public_id)) if request.htmx else redirect(table.game)
    if seat is None:
        return redirect(table.game) if rights.is_person(request.user) else redirect_to_login(request.path)
    # Show the turn, who has to agree, and the button; or why it cannot be undone
    line = table.log[-1] if table.log else None
    context: dict[str, Any] = {"game": table.game, "page": table, "line": line, "rulings": RULINGS}
    try:
        undoable = undo_requests.preview(game=table.game, seat=seat.number)
        context["asked"] = enumerated([other.name for other in undoable.must_agree])
    except GameError as refusal:
        context["refusal"] = str(refusal)
    return render(request, "tables/undo_turn.html", context)
