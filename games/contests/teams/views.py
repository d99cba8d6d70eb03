"""Pages of team leagues: creating a team, a team with the actions of its captain, and a team match."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import Request, SignedInRequest, posted_id, whole_number
from empire.web import limits
from empire.web.limits import limited
from games.contests.corrections import undoable
from games.contests.leagues.views import confirm
from games.contests.matches.forms import ReasonForm
from games.contests.models import Team, Tournament
from games.contests.teams import selectors, services
from games.contests.teams.forms import InviteForm, TeamForm
from games.contests.teams.selectors import TeamView
from games.errors import GameError, NotYours, Over
from games.tables.models import Report, Subject
from games.tables.views import reports


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Create a team. `invite` is the token of the organizer's link, if it led here."""
    tournament = Tournament.objects.filter(public_id=public_id).first()
    if tournament is None or not tournament.declared.is_for_teams:
        raise Http404
    form = TeamForm(request.POST if request.method == "POST" else None)
    invite = request.POST.get("invite", request.GET.get("invite", ""))[:64]
    if form.is_valid():
        try:
            team = services.create(
                tournament=tournament, user=request.user, name=form.cleaned_data["name"], invite=invite
            )
        except GameError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Your team is in the league. Now invite your players."))
            return redirect(team)
    context = {"tournament": tournament, "terms": tournament.declared, "form": form, "invite": invite}
    return render(request, "contests/teams/create.html", context, status=422 if form.is_bound else 200)


@never_cache
@require_safe
def team(request: Request, public_id: str, pk: int, token: str = "") -> HttpResponse:
    """Show a team; with the token of its link, to someone who may join it."""
    team_row = selectors.find(public_id, pk)
    shown = selectors.team(team_row, request.user, token)
    if token and not shown.has_link:  # wrong or renewed, as for a page that does not exist
        raise Http404
    return _page(request, shown, _forms(team_row), token=token)


def _forms(team: Team, action: str = "", sent: QueryDict | None = None) -> dict[str, Form]:
    """Return the forms on the page of a team by their actions. The one of `action` has what was sent."""
    return {
        "invite": InviteForm(sent if action == "invite" else None),
        "rename": TeamForm(sent if action == "rename" else None, initial={"name": team.name}, auto_id="team-%s"),
        "take_out": ReasonForm(sent if action == "take_out" else None),
    }


def _page(
    request: Request, shown: TeamView, forms: dict[str, Form], *, token: str = "", status: int = 200
) -> HttpResponse:  # fmt: skip
    context = {"shown": shown, "tournament": shown.tournament, "forms": forms, "token": token}
    return render(request, "contests/teams/team.html", context, status=status)


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def act(request: SignedInRequest, public_id: str, pk: int) -> HttpResponse:
    """Run the `action` of a button on the team's page. Lasting ones ask for confirmation first (`sure`)."""
    action = request.POST.get("action", "")
    if action == "leave" and not Team.objects.filter(pk=pk).exists():  # pressed twice; the first time left it empty
        return redirect("tournament", public_id)
    team = selectors.find(public_id, pk)
    if request.method != "POST":  # such as after signing in again
        return redirect(team)
    if action == "invite" and (wait := limits.wait_for(request, "invite")):
        return limits.too_often(request, wait)
    forms = _forms(team, action, request.POST)
    form = forms.get(action)
    if form is not None and not form.is_valid():
        return _page(request, selectors.team(team, request.user), forms, status=422)
    question = _question(request, team, action) if "sure" not in request.POST else None
    if question is not None:
        fields = {name: value for name, value in request.POST.items() if name != "csrfmiddlewaretoken"}
        return confirm(request, *question, team.get_absolute_url(), fields | {"sure": "yes"})
    try:
        message = _do(request, team, action, form.cleaned_data if form is not None else {})
    except GameError as refusal:
        is_shown = not isinstance(refusal, NotYours | Over)  # others do not see the form
        if is_shown and form is not None:
            form.add_error(None, str(refusal))
            return _page(request, selectors.team(team, request.user), forms, status=422)
        messages.error(request, str(refusal))
        message = ""
    if message:
        messages.success(request, message)
    return redirect(team if Team.objects.filter(pk=pk, players__isnull=False).exists() else team.tournament)


def _do(request: SignedInRequest, team: Team, action: str, answers: dict[str, Any]) -> str:
    """Run the service and return a message. `answers` are those of the action's form. Raises `GameError`."""
    user, player = request.user, posted_id(request, "player")
    match action:
        case "invite":
            invitation = services.invite(team=team, by=user, name=answers["name"])
            return _("We have invited {name}.").format(name=invitation.user.username)
        case "withdraw":
            services.withdraw_invitation(team=team, by=user, invitation=posted_id(request, "invitation"))
            return _("Invitation withdrawn.")
        case "renew":
            services.renew_link(team=team, by=user)
            return _("There is a new link. The old one no longer works.")
        case "rename":
            services.rename(team=team, by=user, name=answers["name"])
            return _("Name changed.")
        case "join":
            services.join(team=team, user=user, token=request.POST.get("token", "")[:64])
            return _("You have joined the team.")
        case "decline":
            services.decline(team=team, user=user)
            return _("You have declined.")
        case "leave":
            services.leave(team=team, user=user)
            return _("You have left the team.")
        case "hand_over":
            services.hand_over(team=team, by=user, player=player)
            return _("The team has a new captain.")
        case "up":
            place = whole_number(request.POST.get("place", ""), digits=3)
            services.move_up(team=team, by=user, player=player, place=place)
            return _("Order changed.")
        case "away" | "back":
            team_player = services.set_away(team=team, by=user, player=player, is_away=action == "away")
            sentence = (
                _("{name} is left out of match days that start from now on.")
                if team_player.is_away
                else _("{name} can play on match days that start from now on.")
            )
            return sentence.format(name=team_player.entrant.name)
        case "remove":
            services.remove(team=team, by=user, player=player)
            return _("The player is no longer in the team. There is a new link to join; the old one no longer works.")
        case "take_out":
            services.take_out(team=team, by=user, reason=answers["reason"])
            return _("The team has been removed. We have notified its players.")
        case _:
            raise GameError(_("Choose one of the buttons on this page."))


def _question(request: SignedInRequest, team: Team, action: str) -> tuple[str, list[str], str] | None:
    """Return the heading, sentences and button of the page that asks for confirmation; None if the action needs none.

    An action that the service will refuse needs none, so that the user sees the refusal right away.
    """
    tournament, names, shown = team.tournament, {"team": team.name}, selectors.team(team, request.user)
    player = next((player for player in shown.squad.playing if player.pk == posted_id(request, "player")), None)
    names["name"] = player.entrant.name if player else ""
    is_on = tournament.is_open or tournament.is_running
    is_allowed = {
        "leave": is_on and shown.own_player is not None,
        "hand_over": is_on and (shown.is_captain or shown.may_name_captain)
        and player is not None and player.entrant.user_id is not None,
        "remove": tournament.is_open and shown.is_captain and player is not None and player != shown.own_player,
        "take_out": shown.may_take_out,
    }  # fmt: skip
    if not is_allowed.get(action):
        return None
    others = [user for user in shown.squad.people if user != request.user and not user.is_closed]
    next_captain = others[:1] if shown.is_captain else []
    passed_on = [_("{name} becomes the captain.").format(name=user.username) for user in next_captain]
    match action:
        case "leave" if tournament.is_open:
            sentences = [_("To come back, you need the team’s link or another invitation."), *passed_on]
            if len(shown.squad.playing) == 1:
                sentences = [_("You are its only player, so the team is deleted.")]
            return _("Leave {team}?").format(**names), sentences, _("Leave team")
        case "leave":
            sentences = [_("You drop out of the league. A bot finishes your current game, and your results count."),
                     _("If you only need one match day off, mark yourself as away instead."), *passed_on]  # fmt: skip
            return _("Leave {team}?").format(**names), sentences, _("Drop out")
        case "hand_over":
            sentences = [_("Only the new captain can invite players and make you captain again.")]
            if not shown.is_captain:
                sentences = [_("Do this if the captain no longer answers. We notify both of them.")]
            heading = _("Make {name} the captain of {team}?").format(**names)
            return heading, sentences, _("Hand over")
        case "remove":
            sentences = [_("They lose their place. You can invite them again.")]
            heading = _("Remove {name} from {team}?").format(**names)
            return heading, sentences, _("Remove")
        case "take_out":
            sentences = [_("Its players are notified, and everyone can read your reason. You can undo this until "
                           "the league starts.")]  # fmt: skip
            heading = _("Remove {team} from the league?").format(**names)
            return heading, sentences, _("Remove")
    return None


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("report")
def report_team(request: SignedInRequest, public_id: str, pk: int) -> HttpResponse:
    """Report the name of a team, from its page."""
    team = selectors.find(public_id, pk)
    choices = [] if selectors.team(team, request.user).is_captain else [(Subject.TEAM, _("The name of the team"))]

    def send(answers: dict[str, Any]) -> Report:
        del answers["about"]
        return services.report_name(team=team, user=request.user, **answers)

    return reports.answer(request, choices, send, back=team.get_absolute_url(), title=_("Team"), name=team.name)


@never_cache
@require_safe
def team_match(request: Request, public_id: str, pk: int) -> HttpResponse:
    shown = selectors.team_match(public_id, pk, request.user)
    tournament = shown.result.team_match.tournament
    context = {
        "shown": shown, "result": shown.result, "tournament": tournament,
        "undoable": undoable(shown.interventions, tournament, request.user),
    }  # fmt: skip
    return render(request, "contests/teams/match.html", context)
