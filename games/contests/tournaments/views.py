"""Pages of tournaments: the list, opening one, one tournament, joining and leaving, and the organizer's actions."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import Request, SignedInRequest, form_digest, whole_number
from accounts.models import User
from empire.web import limits
from empire.web.languages import display_name
from empire.web.limits import limited
from games.contests import corrections, interventions
from games.contests.gates.conditions import will_be_left_out
from games.contests.leagues.views import is_refused, redirect_after
from games.contests.models import Entrant, Tournament, TournamentState
from games.contests.organizers import Right, is_owner, may_organize
from games.contests.pairing import formats
from games.contests.teams import season as team_season
from games.contests.teams import selectors as team_selectors
from games.contests.terms.declaration import LONGEST_TEXT, TournamentTerms, parse, text
from games.contests.tournaments import arenas, services
from games.contests.tournaments import lists as tournament_lists
from games.contests.tournaments import selectors as selector
from games.contests.tournaments import sweep as tournament_steps
from games.contests.tournaments.forms import (
    REPLACE,
    USUAL,
    USUAL_TERMS,
    BanForm,
    BotForm,
    CallOffForm,
    InterventionForm,
    PlayerForm,
    TournamentForm,
)
from games.errors import GameError
from games.rules.protocol import IllegalAction


@never_cache
@require_safe
def index(request: Request) -> HttpResponse:
    return render(request, "contests/tournaments/tournaments.html", {"lists": tournament_lists.lists(request.user)})


# Opening one, and the next season of a team league


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def open_tournament(request: SignedInRequest) -> HttpResponse:
    """Open a tournament. `GET` fills the form from the query string, or for htmx the part that it asks for."""
    if request.method == "POST":
        return _declaration(request, None)
    # For the outlook of new options bots play games, which takes up to a second
    if request.GET and _part(request) != "#game" and (wait := limits.wait_for(request, "outlook")):
        return limits.too_often(request, wait)
    preview = TournamentForm({**USUAL, **request.GET.dict(), "name": request.GET.get("name", "").strip() or "–"})
    toml = "" if request.htmx else text(preview.terms if preview.is_valid() and request.GET else USUAL_TERMS, _)
    return _page(request, TournamentForm.asked_for(request.GET), toml, preview)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Edit the terms of the next season of a team league, in the form or as text."""
    tournament = tournament_or_404(public_id)
    if not may_organize(tournament, request.user, Right.SETTINGS) or not (
        tournament.is_running and tournament.declared.is_for_teams
    ):
        messages.error(
            request,
            _("Only the organizer can change these settings, and only while a season of a team league is running."),
        )
        return redirect(tournament)
    if request.method == "POST":
        return _declaration(request, tournament)
    return _filled_page(request, tournament.declared_next, text(tournament.declared_next, _), tournament)


def _declaration(request: SignedInRequest, league: Tournament | None) -> HttpResponse:
    """Show and save the terms. `action` is the button pressed, which decides whether the form or the text counts.

    `league` is the team league whose next season is being changed, if no tournament is being opened.
    """
    action, toml = request.POST.get("action", ""), request.POST.get("toml", "")[:LONGEST_TEXT]
    if wait := limits.wait_for(request, "outlook" if action == "look" else "open_table"):
        return limits.too_often(request, wait)
    if action in ("text", "fill"):
        return _from_text(request, toml, league, is_to_be_saved=action == "text")
    form = TournamentForm(request.POST)
    if action == "look":
        return _page(request, TournamentForm(request.POST, lenient=True), toml, form, league=league)
    if not form.is_valid():
        return _page(request, form, toml, form, status=422, league=league)
    if action == "write":
        return _page(request, form, text(form.terms, _), form, shows_text=True, league=league)
    try:
        return _saved(request, form.terms, league)
    except GameError as refusal:
        form.add_error(None, str(refusal))
    return _page(request, form, toml, form, status=422, league=league)


def _from_text(request: SignedInRequest, toml: str, league: Tournament | None, *, is_to_be_saved: bool) -> HttpResponse:
    """Save the terms of the text, or fill them into the form."""
    try:
        terms = parse(toml)
        if not isinstance(terms, TournamentTerms):
            raise GameError(_("This text describes a league, not a tournament."))
        if is_to_be_saved:
            return _saved(request, terms, league)
        return _filled_page(request, terms, toml, league)
    except IllegalAction as refusal:
        text_error = refusal.say(_)
    except GameError as refusal:
        text_error = str(refusal)
    form, preview = TournamentForm(request.POST, lenient=True), TournamentForm(request.POST)
    return _page(request, form, toml, preview, text_error=text_error, status=422, league=league)


def _filled_page(request: Request, terms: TournamentTerms, toml: str, league: Tournament | None) -> HttpResponse:
    """Render the page with the form filled with these terms."""
    preview = TournamentForm(TournamentForm.data_of(terms))
    return _page(request, TournamentForm.of(terms), toml, preview, league=league)


def _page(
    request: Request, form: TournamentForm, toml: str, preview: TournamentForm | None, *, text_error: str = "",
    shows_text: bool = False, status: int = 200, league: Tournament | None = None,
) -> HttpResponse:  # fmt: skip
    """Render the page or the part that htmx asks for, with the outlook of `preview` or the first of its errors.

    `text_error` is what is wrong with the text, and `league` the team league whose next season is being changed.
    """
    meaning, part = dict[str, Any](), _part(request)
    if part == "#game":  # which does not show the outlook
        preview = None
    if preview and preview.is_valid():
        meaning = {"terms": preview.terms, "outlook": tournament_lists.outlook(preview.terms)}
    elif preview:
        meaning = {"does_not_fit": next((errors[0] for errors in preview.errors.values()), "")}
    context = {
        "form": form, "toml": toml, "text_error": text_error, "shows_text": shows_text, "league": league, **meaning,
    }  # fmt: skip
    return render(request, f"contests/tournaments/tournament_open.html{part}", context, status=status)


def _part(request: Request) -> str:
    """Return the part of the page that htmx asks for, empty for all of it."""
    return f"#{request.htmx.target}" if request.htmx and request.htmx.target in ("game", "meaning") else ""


def _saved(request: SignedInRequest, terms: TournamentTerms, league: Tournament | None) -> HttpResponse:
    """Open a tournament with these terms, or use them for the next season of the league. Raises `GameError`."""
    if league is None:
        if wait := limits.wait_for(request, "public_table"):
            return limits.too_often(request, wait)
        return redirect(services.open_tournament(user=request.user, terms=terms, form=form_digest(request)))
    saved = services.change_terms(tournament=league, user=request.user, terms=terms)
    messages.success(request, _("League settings saved. They apply from the next season."))
    return redirect(saved)


@never_cache
@require_safe
def file(request: Request, public_id: str) -> HttpResponse:
    """Download the terms of a tournament, with `next` those of the next season of a team league."""
    tournament = tournament_or_404(public_id)
    terms = tournament.declared_next if "next" in request.GET else tournament.declared
    headers = {"Content-Disposition": f'attachment; filename="tournament-{tournament.public_id}.toml"'}
    return HttpResponse(text(terms, _), content_type="application/toml; charset=utf-8", headers=headers)


# One tournament


@never_cache
@require_safe
def tournament(request: Request, public_id: str) -> HttpResponse:
    return show(request, public_id)


def show(request: Request, public_id: str, invite: str = "") -> HttpResponse:
    """Render a tournament. `invite` is the token of the invitation link that led here."""
    shown = selector.tournament(
        public_id=public_id, reader=request.user, number=request.GET.get("round", ""),
        page=request.GET.get("page", ""), invite=invite,
    )  # fmt: skip
    rounds = selector.bracket(shown) if shown.is_knockout and shown.tournament.started_at else []
    league = (
        team_selectors.league(shown.tournament, request.user, shown.shown_round) if shown.terms.is_for_teams else None
    )
    context = {
        "shown": shown, "tournament": shown.tournament, "bracket": rounds, "invite": invite, "league": league,
        "undoable": corrections.undoable(shown.interventions, shown.tournament, request.user),
    }  # fmt: skip
    return render(request, "contests/tournaments/tournament.html", context)


def tournament_or_404(public_id: str) -> Tournament:
    """Return a tournament. Raises `Http404`."""
    tournament = Tournament.objects.select_related("organizer").filter(public_id=public_id).first()
    if tournament is None:
        raise Http404
    return tournament


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Sign up. A GET request, as after signing in, shows the tournament with its button again."""
    tournament, invite = tournament_or_404(public_id), request.POST.get("invite", "")
    if request.method != "POST":
        return redirect(tournament)
    try:
        services.join(tournament=tournament, user=request.user, invite=invite)
    except GameError as refusal:
        messages.error(request, str(refusal))
        is_link = invite == tournament.invite_token  # stay there, because the page without it can no longer let them in
        return redirect("tournament_invited", public_id, invite) if is_link else redirect(tournament)
    if not tournament.is_open:  # before the start, the page itself says that they have signed up
        messages.success(request, _("You have joined. Ask for your first match."))
    return redirect(tournament)


@require_POST
@limited("join_table")
@login_required
def play_next(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Ask for the next match of an arena, or with `stop` withdraw the request."""
    tournament, expected = tournament_or_404(public_id), whole_number(request.POST.get("asked", ""), digits=5)
    try:
        if "stop" in request.POST:
            arenas.stop_waiting(tournament=tournament, user=request.user)
            messages.success(request, _("You are no longer waiting for a match."))
        elif arenas.ask(tournament=tournament, user=request.user, expected=expected):
            messages.success(request, _("Your match has started."))
        else:
            messages.success(request, _("You are waiting for a match. We’ll notify you when it starts."))
    except GameError as refusal:
        messages.error(request, str(refusal))
    return redirect(tournament)


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Withdraw, or drop out after the start. Asks for confirmation first."""
    tournament = tournament_or_404(public_id)
    if request.method != "POST":
        if is_refused(request, lambda: services.need_to_leave(tournament, request.user)):
            return redirect(tournament)
        return render(
            request,
            "contests/tournaments/tournament_leave.html",
            {"tournament": tournament, "terms": tournament.declared},
        )
    message = (
        _("You have withdrawn.") if tournament.is_open else _("You have dropped out. A bot finishes your current game.")
    )
    return redirect_after(
        request, lambda: services.leave(tournament=tournament, user=request.user), message, tournament
    )


# The organizer's page


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def organize(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Show and run the organizer's actions. Those with lasting effects ask for confirmation first (`sure`)."""
    tournament = tournament_or_404(public_id)
    if not may_organize(tournament, request.user, Right.DECIDE):
        messages.error(request, _("Only the organizer can do this."))
        return redirect(tournament)
    chosen = request.POST.get("form", "")
    if chosen == "close" and tournament.state == TournamentState.CLOSED:  # the button was pressed twice
        return redirect(tournament)
    entrant = whole_number(request.POST.get("player-entrant", ""))
    if chosen == "player" and entrant and corrections.was_taken_out(tournament, entrant):  # pressed twice, too
        messages.success(request, _("Player removed."))
        return redirect("organize_tournament", tournament.public_id)
    plays = interventions.plays_in(tournament, request.user)
    forms = _forms(tournament, request.POST if request.method == "POST" else None, chosen, plays=plays)
    if not is_owner(tournament, request.user):
        forms.pop("close", None)
    form = forms.get(chosen)
    if form and form.is_valid():
        try:
            if form.question and "sure" not in request.POST:
                if isinstance(form, BanForm | PlayerForm):  # refuse before asking
                    interventions.need_not_playing(tournament, request.user)
                if isinstance(form, BanForm):
                    person = corrections.to_ban(competition=tournament, by=request.user, name=form.cleaned_data["name"])
                    form.cleaned_data["name"] = person.username
                typed = [(form.add_prefix(name), form[name].value()) for name in form.fields]
                context = {
                    "tournament": tournament, "form": form, "chosen": chosen, "question": form.question,
                    "sentences": [form.consequence], "fields": typed,
                }  # fmt: skip
                return render(request, "contests/tournaments/tournament_sure.html", context)
            message = _do(tournament, form, request.user)
        except GameError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, message)
            return (
                redirect(tournament)
                if isinstance(form, CallOffForm)
                else redirect("organize_tournament", tournament.public_id)
            )
    entered = team_season.number_entered(tournament)
    context = {
        "tournament": tournament, "terms": tournament.declared, "forms": forms, "entered": entered, "plays": plays,
        "matches": tournament_lists.matches_to_decide_on(tournament) if tournament.is_running and not plays else [],
        "can_start": tournament.is_open and tournament_steps.can_start(tournament.declared, entered),
        "fewest": tournament_steps.fewest(tournament.declared),
    }  # fmt: skip
    return render(request, "contests/tournaments/tournament_organize.html", context, status=422 if form else 200)


def _forms(tournament: Tournament, data: Any, chosen: str, *, plays: bool) -> dict[str, InterventionForm]:
    """Return the forms that apply now, with the chosen one bound to the submitted data.

    An organizer who plays only gets the form they submitted, to show the refusal.
    """
    entrants = tournament_lists.entrants_to_decide_on(tournament)
    forms: dict[str, InterventionForm] = {}
    if (tournament.is_open or tournament.is_running) and (not plays or chosen == "player"):
        player_data = data if chosen == "player" else None
        forms["player"] = PlayerForm(
            player_data, entrants=entrants, is_running=tournament.is_running,
            is_for_teams=tournament.declared.is_for_teams,
        )  # fmt: skip
    if (tournament.is_open or tournament.is_running) and (not plays or chosen == "ban"):
        forms["ban"] = BanForm(data if chosen == "ban" else None)
    if tournament.is_open:
        forms["close"] = CallOffForm(data if chosen == "close" else None)
        if tournament.declared.bots and not tournament.declared.rated:
            bots = Entrant.objects.filter(tournament=tournament).exclude(bot="")
            forms["bot"] = BotForm(data if chosen == "bot" else None, initial={"seen": bots.count()})
    return forms


def _do(tournament: Tournament, form: InterventionForm, user: User) -> str:
    """Run the service that the form asks for, and return a message. Raises `GameError`."""
    cleaned = form.cleaned_data
    if isinstance(form, BotForm):
        entrant = services.enter_bot(tournament=tournament, user=user, **cleaned)
        return _("{name} is signed up.").format(name=display_name(entrant.name))
    if isinstance(form, CallOffForm):
        services.call_off(tournament=tournament, user=user, reason=cleaned["reason"])
        return _("Tournament canceled.")
    if isinstance(form, BanForm):
        banned = corrections.ban(scope=tournament, by=user, **cleaned)
        return _("{name} is banned from the tournament.").format(name=banned.what)
    decision: dict[str, Any] = {
        "tournament": tournament, "entrant": cleaned["entrant"], "by": user, "reason": cleaned["reason"],
    }  # fmt: skip
    if cleaned["action"] == REPLACE:
        replacement = services.replace(**decision, name=cleaned["name"])
        sentence = _("We have asked {name}. {other} keeps playing until they accept.")
        return sentence.format(name=replacement.user.username, other=replacement.name)
    services.remove(**decision)
    return _("Player removed.")


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Start early. Asks for confirmation first."""
    tournament = tournament_or_404(public_id)
    if request.method != "POST":
        if is_refused(request, lambda: services.need_to_start(tournament, request.user)):
            return redirect(tournament)
        if arenas.is_arena(tournament):
            sentence = _("Players can ask for matches right away, and others can still join. You can’t undo this.")
        else:
            sentence = _("Sign-up closes, and the first matches start right away. You can’t undo this.")
        entered, lacking = tournament_steps.ready(tournament)
        too_many = entered - formats.most(tournament.declared.format, tournament.declared.players, entered)
        words = ngettext(
            "The players don’t divide evenly into matches, so the last one to sign up is left out.",
            "The players don’t divide evenly into matches, so the last {n} to sign up are left out.",
            too_many,
        )
        context = {
            "tournament": tournament,
            "question": _("Start the tournament now?"),
            "sentences": [sentence, will_be_left_out(lacking), words.format(n=too_many) if too_many else ""],
            "button": _("Start now"),
        }
        return render(request, "contests/tournaments/tournament_sure.html", context)
    if arenas.is_arena(tournament):
        message = _("The tournament has started. Players can now ask for matches.")
    else:
        message = _("The tournament has started. The first matches begin.")
    return redirect_after(
        request, lambda: services.start(tournament=tournament, user=request.user), message, tournament
    )
