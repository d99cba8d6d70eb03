"""The home page, opening a table, tables that have not started, and invitations to them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from allauth.account.forms import AddEmailForm
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import IntegrityError
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import Request, form_digest, posted_id, whole_number
from accounts.models import User
from accounts.names import TAKEN
from accounts.services import play_as_guest, recall_guest
from empire.web import languages, limits
from empire.web.languages import display_name
from empire.web.limits import limited
from empire.web.live import live_url
from games.bots.registry import LEVELS
from games.errors import GameError, NotFound
from games.help import families
from games.notices.outbox.words import enumerated
from games.tables import keys
from games.tables.forms.open_table import OpenTableForm, PlayNowForm
from games.tables.forms.table import GuestForm
from games.tables.models import Game, Invitation, Seat
from games.tables.selectors import friends as people
from games.tables.selectors import lessons, outside, rematches, rights
from games.tables.selectors import listed as selector
from games.tables.selectors.rights import has_games, is_new_to
from games.tables.selectors.table import live_reader
from games.tables.services import friends, lobby
from games.tables.services.lobby import SentTwice
from games.tables.views.enter import sign_in_first
from games.tables.views.preview import invitation_heading, invitation_preview


@require_safe
def home(request: Request) -> HttpResponse:
    """Show the home page, or redirect players with games or invitations to their desk."""
    user = request.user
    if isinstance(user, User) and (has_games(user) or people.invitations(user).exists()):
        return redirect("desk")
    return welcome(request, play_now_form(request))


# The last choice of a table is remembered in a cookie of the browser, so that guests have one too.

LAST_CHOICE = "last_table"
REMEMBERED = ("ruleset", "players", "opponents", "strength", "preset", "pace")
FOR_ALL_TABLES = ("ruleset", "players", "pace")  # also for tables with other people
LONGEST_CHOICE = 40
A_YEAR = 365 * 24 * 3600


def last_choice(request: Request) -> dict[str, str]:
    """Return the reader's last choice. The forms check each value, because a cookie can hold anything."""
    remembered = parse_qsl(request.COOKIES.get(LAST_CHOICE, "")[:500])
    return {name: value for name, value in remembered if name in REMEMBERED and len(value) <= LONGEST_CHOICE}


def remember(answer: HttpResponse, choice: Mapping[str, str]) -> HttpResponse:
    """Store the choice in the browser."""
    secure = settings.SESSION_COOKIE_SECURE
    answer.set_cookie(LAST_CHOICE, urlencode(choice), max_age=A_YEAR, httponly=True, samesite="Lax", secure=secure)
    return answer


def once(request: Request, opens: Callable[[User, str], Game]) -> tuple[Game, bool]:
    """Return the game that `opens` opens for the user, a guest if need be, and true; for a repeated form the same game.

    `opens` gets the digest of the form. Raises `GameError`.
    """
    form = form_digest(request)  # before a guest signs in, because that replaces the browser's secret
    try:
        return play_as_guest(request, lambda user: opens(user, form)), True
    except SentTwice as twice:
        recall_guest(request)  # if both forms came at the same moment
        if twice.game.opener != request.user:  # someone else, who has signed out in this browser since
            return play_as_guest(request, lambda user: opens(user, "")), True
        return twice.game, False


def play_now_form(request: Request) -> PlayNowForm:
    initial = {"ruleset": request.GET["ruleset"]} if "ruleset" in request.GET else {}
    return PlayNowForm(initial=initial, is_new_to=novelty(request), last=last_choice(request))


def novelty(request: Request) -> Callable[[str], bool]:
    """Return a function that tells whether a ruleset is new to the reader."""
    return lambda ruleset: is_new_to(request.user, ruleset)


def welcome(request: Request, form: PlayNowForm) -> HttpResponse:
    """Render the home page; for htmx only the opponents, whose number depends on the game."""
    if request.htmx:
        return render(request, "tables/home.html#opponents", {"form": form})
    knows_site = isinstance(request.user, User) and has_games(request.user)
    is_short = knows_site or request.path == reverse("play_now")
    context = {"form": form, "open_count": selector.count_open_tables(request.user), "is_short": is_short}
    return render(request, "tables/home.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@limited("open_table")
def play_now(request: Request) -> HttpResponse:
    """Show the form for a game against bots, filled in with the last choice, also to players with games.

    POST starts the game. What it leaves out is as in the last game.
    """
    if request.method != "POST":
        return welcome(request, play_now_form(request))
    form = PlayNowForm(request.POST, is_new_to=novelty(request), last=last_choice(request))
    if form.is_valid():
        try:
            game, _is_new = once(request, lambda user, sent: lobby.play_now(user=user, form=sent, **form.table))
        except GameError as refusal:
            form.add_error(None, str(refusal))
        else:
            return remember(redirect(game), form.choice)
    return welcome(request, form)


@require_http_methods(["GET", "HEAD", "POST"])
@limited("open_table")
def open_table(request: Request) -> HttpResponse:
    if request.method != "POST":
        # Filled in from the URL; for htmx only the part that depends on the game
        last = {name: value for name, value in last_choice(request).items() if name in FOR_ALL_TABLES}
        form = OpenTableForm.asked_for(typed(request.GET), novelty(request), last, opener=request.user)
        return _form_page(request, form, part="#game" if request.htmx else "")
    form = OpenTableForm(typed(request.POST), is_new_to=novelty(request), opener=request.user)
    if form.is_valid():
        table = form.table()
        if table["listed"] and (wait := limits.wait_for(request, "public_table")):
            form.add_error(None, limits.sentence(wait))
            return limits.with_retry_after(_form_page(request, form, status=429), wait)
        try:
            game, is_new = once(request, lambda user, sent: lobby.open_table(user=user, form=sent, **table))
            if is_new and game.opener is not None:
                invite_all(request, game, game.opener, form.invited)
            chosen = {name: str(form.cleaned_data[name]) for name in FOR_ALL_TABLES}
            return remember(redirect(game), last_choice(request) | chosen)
        except GameError as refusal:
            form.add_error(None, str(refusal))
    return _form_page(request, form, status=422)


def typed(fields: QueryDict) -> dict[str, str]:
    """Return the fields of the form for a table, with the checked and the typed names of players as one text."""
    values = {name: str(fields[name]) for name in fields}
    return values | ({"invite": ", ".join(fields.getlist("invite"))} if "invite" in fields else {})


def _form_page(request: Request, form: OpenTableForm, *, part: str = "", status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "note": families.players_note(form.rules.slug, form.number),
        "may_invite": people.may_invite(request.user),
        "friends": people.friends(request.user),
    }
    return render(request, f"tables/open_table_form.html{part}", context, status=status)


# Tables that have not started


def open_table_page(
    request: Request, game: Game, seats: list[Seat], *, refusal: str = "", status: int = 200
) -> HttpResponse:
    """Show the page of a table that is open or closed. Open tables of a duplicate are shown on its page."""
    if game.is_open and game.duplicate is not None:
        return redirect(game.duplicate)
    reader = live_reader(game, request.user)
    sitting = {seat.owner_id for seat in seats}
    all_friends = people.friends(request.user) if game.is_open else []
    invited = Invitation.objects.filter(game=game, by=request.user.pk, was_removed=False)
    context = {
        "may_invite": people.may_invite(request.user),
        "friends": [friend for friend in all_friends if friend.pk not in sitting],
        "invited": invited.values_list("user__username", flat=True),
        "removable": [seat.pk for seat in seats if rights.may_remove(game, seat, timezone.now())],
        **waiting_context(request, game, seats),
        "is_host": game.opener_id is not None and game.opener_id == request.user.pk,
        "bots": LEVELS,
        "outsiders": outside.offered(game=game, user=request.user) if game.admits_bots else [],
        "live": live_url(game.public_id, game.version, reader) if game.is_open else "",
        "refusal": refusal,
    }
    if game.is_open and context["me"] is None and rights.keeps_guests_out(game, request.user):
        context["removed"] = context["removed"] or rights.GUESTS_BY_LINK
    return render(request, "tables/open_table.html", context, status=status)


def waiting_context(request: Request, game: Game, seats: list[Seat]) -> dict[str, Any]:
    """Return the context of an open table: its players, free seats and invitation link.

    At a rematch, `asked` names the players that seats are kept for, `declined` those who have declined, and `unasked`
    counts the free seats of players who can't be asked.
    """
    places = [(number, next((seat for seat in seats if seat.number == number), None)) for number in range(game.players)]
    free = [number for number, seat in places if seat is None]
    awaited = rematches.names_asked(game) if game.is_open else {}
    declined = rematches.names_declined(game) if game.is_open else []
    return {
        "game": game,
        "places": places,
        "me": rights.seat_of(request.user, seats),
        "free": free,
        "host": game.opener.username if game.opener else "",
        "link": invitation_url(game),
        "asked": enumerated(list(awaited.values())),
        "asked_count": len(awaited),
        "declined": enumerated(declined),
        "unasked": max(0, len(free) - len(awaited) - len(declined)) if game.rematch_of_id else 0,
        "lesson_offered": lessons.offered_at(game, request.user) if game.is_open else "",
        "removed": rights.why_removed(game, request.user),
    }


def invitation_url(game: Game) -> str:
    return settings.SITE_URL + reverse("join", args=[game.invite_token])


Action = Callable[[Game, User], Any]


def change_table(
    request: Request, public_id: str, action: Action, *, onward: str = "", is_way_in: bool = False
) -> HttpResponse:
    """Run an action at an open table, then redirect there or `onward`. A refusal redirects there with its sentence.

    A visitor becomes a guest only with `is_way_in`, and only if the action is not refused.
    """
    recall_guest(request)
    game, _seats = rights.visible(public_id=public_id, user=request.user)
    if not (is_way_in or isinstance(request.user, User)):
        return redirect_to_login(game.get_absolute_url())
    try:
        if not isinstance(request.user, User):
            lobby.need_open(game)
        play_as_guest(request, lambda user: action(game, user))
    except GameError as refusal:
        messages.error(request, str(refusal))
        return redirect(game)
    return redirect(onward or game)


def invite_all(request: Request, game: Game, user: User, names: Sequence[str]) -> None:
    """Invite each of the players, and tell the reader whom and whom not. Subject to a rate limit."""
    for name in names:
        if wait := limits.wait_for(request, "invite"):
            messages.error(request, limits.sentence(wait))
            return
        try:
            invited = friends.invite(game=game, user=user, name=name)
            messages.success(request, _("%(name)s is invited.") % {"name": invited.username})
        except GameError as refusal:
            messages.error(request, str(refusal))


@require_POST
@limited("join_table")
def join_table(request: Request, public_id: str) -> HttpResponse:
    return change_table(request, public_id, lambda game, user: lobby.join_table(game=game, user=user), is_way_in=True)


@require_POST
def leave_table(request: Request, public_id: str) -> HttpResponse:
    try:
        return change_table(
            request, public_id, lambda game, user: lobby.leave_table(game=game, user=user), onward="lobby"
        )
    except NotFound:  # such as a private table that the first of two taps has left
        return redirect("lobby")


@require_POST
def close_table(request: Request, public_id: str) -> HttpResponse:
    return change_table(request, public_id, lambda game, user: lobby.close_table(game=game, user=user))


@require_POST
@limited("join_table")
def seat_bot(request: Request, public_id: str) -> HttpResponse:
    bot, number = request.POST.get("bot", ""), whole_number(request.POST.get("number", ""), digits=2)
    return change_table(
        request, public_id, lambda game, user: lobby.seat_bot(game=game, user=user, bot=bot, number=number)
    )


@require_POST
@limited("join_table")
def remove(request: Request, public_id: str) -> HttpResponse:
    def carry_out(game: Game, user: User) -> None:
        if name := lobby.remove(game=game, user=user, seat=posted_id(request, "seat")):
            messages.success(request, _("%(name)s was removed from the table.") % {"name": display_name(name)})

    return change_table(request, public_id, carry_out)


@require_POST
@limited("join_table")
def renew_link(request: Request, public_id: str) -> HttpResponse:
    def carry_out(game: Game, user: User) -> None:
        lobby.renew_link(game=game, user=user)
        messages.success(request, _("There is a new link. The old one no longer works."))

    return change_table(request, public_id, carry_out)


@require_POST
@limited("open_table")
def rematch(request: Request, public_id: str) -> HttpResponse:
    """Ask for a rematch of a finished game, join the one that another player asked for, or decline it."""
    table = reverse("table", args=[public_id])
    if keys.access(request, public_id).is_by_key:
        return sign_in_first(request, public_id, table)
    if not isinstance(request.user, User):
        return redirect_to_login(table)
    try:
        game, _seats = rights.visible(public_id=public_id, user=request.user)
        if request.POST.get("answer") != "decline":
            return redirect(lobby.rematch(game=game, user=request.user))
        lobby.decline_rematch(game=game, user=request.user)
        messages.success(request, _("Rematch declined."))
    except NotFound as unknown:
        raise Http404 from unknown
    except GameError as refusal:
        messages.error(request, str(refusal))
    return redirect("desk" if "from_desk" in request.POST else table)


# Invitations


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("join_table")
def join(request: Request, token: str) -> HttpResponse:
    """Show an invitation to a table. POST accepts it, with the name and email address that a guest may give."""
    if request.method == "POST":
        recall_guest(request)
    if before := rematches.withdrawn(token, request.user):
        messages.error(request, _("This rematch is off: the table was closed."))
        return redirect(before)
    if (table := _invited(request, token)) is None:
        return _closed(request)
    _use_language_of_host(request, table.game)
    form = GuestForm(request.POST if request.method == "POST" else None, user=request.user)
    if request.method != "POST":
        return _invitation(request, table, form)
    if not form.is_valid():
        return _invitation(request, table, form, status=422)
    email = form.cleaned_data["email"]
    if email and (wait := limits.wait_for(request, "email")):
        form.add_error("email", limits.sentence(wait))
        return limits.with_retry_after(_invitation(request, table, form, status=429), wait)
    game = table.game

    def accept(player: User) -> User:
        lobby.join_table(game=game, user=player, invite=game.invite_token)
        return player

    # A visitor who is refused gets no account, and takes nobody's name
    try:
        user = play_as_guest(request, accept, form.cleaned_data.get("name", ""))
    except IntegrityError:  # someone took the name after it was checked
        form.add_error("name", TAKEN)
        return _invitation(request, table, form, status=422)
    except GameError as refusal:
        if (table := _invited(request, token)) is None:
            return _closed(request)
        return _invitation(request, table, form, refusal=str(refusal), status=409)
    # Only a confirmed address belongs to the user and gets notices. If it belongs to another account, only the email
    # says so: the guest sees the same as for a free address.
    address = AddEmailForm(user=user, data={"email": email})
    if email and not user.email and address.is_valid():
        address.save(request)
        request.session["has_left_address"] = True  # then the header does not ask for one
    return redirect(game)


def _use_language_of_host(request: Request, game: Game) -> None:
    """Use the host's language if the request names none, as when a messenger asks for the preview of a link."""
    names_one = isinstance(request.user, User) or settings.LANGUAGE_COOKIE_NAME in request.COOKIES
    chosen = languages.supported(game.opener.language) if game.opener else ""
    if chosen and not names_one and not request.headers.get("Accept-Language"):
        languages.activate(request, chosen)


def _invited(request: Request, token: str) -> selector.OpenTable | None:
    try:
        return selector.invited(token=token, user=request.user)
    except NotFound as unknown:
        raise Http404 from unknown


def _closed(request: Request) -> HttpResponse:
    """Tell the holder of an invitation that nobody can accept it anymore."""
    return render(request, "tables/closed.html", status=404)


def _invitation(
    request: Request, table: selector.OpenTable, form: GuestForm, *, refusal: str = "", status: int = 200
) -> HttpResponse:
    is_person = isinstance(request.user, User)
    context = {
        **waiting_context(request, table.game, table.seats),
        "may_decline": request.user.pk in rematches.kept_seats(table.game).values(),
        "invitation": people.invitations(request.user).filter(game=table.game).first() if is_person else None,
        "form": form,
        "brief": f"help/{table.game.ruleset}_brief.html",
        "heading": invitation_heading(table.game, request.user),
        "preview": invitation_preview(table.game),
        "refusal": refusal,
    }
    return render(request, "tables/join.html", context, status=status)
