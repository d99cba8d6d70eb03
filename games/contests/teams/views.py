"""Pages of team leagues: a new team, a team with what its captain does, and a team match."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
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
from games.errors import GameError, NotFound, NotYours, Over


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Create a team. `invite` is the token of the organizer's link, if it led here."""
    row = Tournament.objects.filter(public_id=public_id).first()
    if row is None or not row.declared.is_for_teams:
        raise Http404
    form = TeamForm(request.POST if request.method == "POST" else None)
    invite = request.POST.get("invite", request.GET.get("invite", ""))[:64]
    if form.is_valid():
        try:
            team = services.create(tournament=row, user=request.user, name=form.cleaned_data["name"], invite=invite)
        except GameError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Your team is in the league. Now invite your players."))
            return redirect(team)
    context = {"row": row, "terms": row.declared, "form": form, "invite": invite}
    return render(request, "contests/teams/create.html", context, status=422 if form.is_bound else 200)


@never_cache
@require_safe
def team(request: Request, public_id: str, pk: int, token: str = "") -> HttpResponse:
    """Show a team; with the token of its link, to someone who may join it."""
    found = team_or_404(public_id, pk)
    shown = selectors.team(found, request.user, token)
    if token and not shown.has_link:  # wrong or renewed, as for a page that does not exist
        raise Http404
    return _page(request, found, token, InviteForm(), ReasonForm())


def _page(
    request: Request, found: Team, token: str, form: InviteForm, reason: ReasonForm, status: int = 200
) -> HttpResponse:
    shown = selectors.team(found, request.user, token)
    context = {"shown": shown, "row": shown.row, "form": form, "reason": reason, "token": token}
    return render(request, "contests/teams/team.html", context, status=status)


def team_or_404(public_id: str, pk: int) -> Team:
    """Return a team. Raises `Http404`."""
    try:
        return selectors.find(public_id, pk)
    except NotFound as unknown:
        raise Http404 from unknown


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def act(request: SignedInRequest, public_id: str, pk: int) -> HttpResponse:
    """Do what a button of the team's page says, `action`. What can't be taken back is asked for first (`sure`)."""
    action = request.POST.get("action", "")
    if action == "leave" and not Team.objects.filter(pk=pk).exists():  # the first of two taps left it empty
        return redirect("tournament", public_id)
    found = team_or_404(public_id, pk)
    if request.method != "POST":  # such as after signing in again
        return redirect(found)
    if action == "invite" and (wait := limits.wait_for(request, "invite")):
        return limits.too_often(request, wait)
    form = InviteForm(request.POST if action == "invite" else None)
    reason = ReasonForm(request.POST if action == "take_out" else None)
    if (form.is_bound and not form.is_valid()) or (reason.is_bound and not reason.is_valid()):
        return _page(request, found, "", form, reason, 422)
    question = _question(request, found, action) if "sure" not in request.POST else None
    if question is not None:
        kept = {name: value for name, value in request.POST.items() if name != "csrfmiddlewaretoken"}
        return confirm(request, *question, found.get_absolute_url(), kept | {"sure": "yes"})
    try:
        said = _do(request, found, action, form, reason)
    except GameError as refusal:
        is_shown = not isinstance(refusal, NotYours | Over)  # others do not see the form
        if is_shown and (form.is_bound or reason.is_bound):
            (form if form.is_bound else reason).add_error(None, str(refusal))
            return _page(request, found, "", form, reason, 422)
        messages.error(request, str(refusal))
        said = ""
    if said:
        messages.success(request, said)
    return redirect(found if Team.objects.filter(pk=pk, players__isnull=False).exists() else found.tournament)


def _do(request: SignedInRequest, found: Team, action: str, form: InviteForm, reason: ReasonForm) -> str:
    """Run the service and return a message. Raises `GameError`."""
    user, player = request.user, posted_id(request, "player")
    match action:
        case "invite":
            made = services.invite(team=found, by=user, name=form.cleaned_data["name"])
            return _("We have invited {name}.").format(name=made.user.username)
        case "withdraw":
            services.withdraw_invitation(team=found, by=user, invitation=posted_id(request, "invitation"))
            return _("Invitation taken back.")
        case "renew":
            services.renew_link(team=found, by=user)
            return _("There is a new link. The old one no longer works.")
        case "join":
            services.join(team=found, user=user, token=request.POST.get("token", "")[:64])
            return _("You have joined the team.")
        case "decline":
            services.decline(team=found, user=user)
            return _("You have declined.")
        case "leave":
            services.leave(team=found, user=user)
            return _("You have left the team.")
        case "hand_over":
            services.hand_over(team=found, by=user, player=player)
            return _("The team has a new captain.")
        case "up":
            place = whole_number(request.POST.get("place", ""), digits=3)
            services.move_up(team=found, by=user, player=player, place=place)
            return _("Order changed.")
        case "away" | "back":
            one = services.set_away(team=found, by=user, player=player, is_away=action == "away")
            words = (
                _("{name} is left out of match days that start from now on.")
                if one.is_away
                else _("{name} can play on match days that start from now on.")
            )
            return words.format(name=one.entrant.name)
        case "remove":
            services.remove(team=found, by=user, player=player)
            return _("The player is no longer in the team. There is a new link to join; the old one no longer works.")
        case "take_out":
            services.take_out(team=found, by=user, reason=reason.cleaned_data["reason"])
            return _("The team has been removed. We have notified its players.")
        case _:
            raise GameError(_("Choose one of the buttons on this page."))


def _question(request: SignedInRequest, found: Team, action: str) -> tuple[str, list[str], str] | None:
    """Return the heading, sentences and button of the question before this action; None if it needs none.

    An action that the service will refuse needs none, so that the refusal comes right away.
    """
    row, names, shown = found.tournament, {"team": found.name}, selectors.team(found, request.user)
    player = next((one for one in shown.squad.playing if one.pk == posted_id(request, "player")), None)
    names["name"] = player.entrant.name if player else ""
    is_on = row.is_open or row.is_running
    is_allowed = {
        "leave": is_on and shown.mine is not None,
        "hand_over": is_on and shown.is_captain and player is not None and player.entrant.user_id is not None,
        "remove": row.is_open and shown.is_captain and player is not None and player != shown.mine,
        "take_out": shown.may_take_out,
    }  # fmt: skip
    if not is_allowed.get(action):
        return None
    match action:
        case "leave" if row.is_open:
            words = [_("To come back, you need the team’s link or another invitation.")]
            return _("Leave {team}?").format(**names), words, _("Leave team")
        case "leave":
            words = [_("You drop out of the league. A bot finishes your current game, and your results count."),
                     _("If you only need one match day off, mark yourself as away instead.")]  # fmt: skip
            return _("Leave {team}?").format(**names), words, _("Drop out")
        case "hand_over":
            words = [_("Only the new captain can invite players and make you captain again.")]
            heading = _("Make {name} the captain of {team}?").format(**names)
            return heading, words, _("Hand over")
        case "remove":
            words = [_("They lose their place. You can invite them again.")]
            heading = _("Remove {name} from {team}?").format(**names)
            return heading, words, _("Remove")
        case "take_out":
            words = [_("Its players are notified, and everyone can read your reason. You can take this back until the "
                       "league starts.")]  # fmt: skip
            heading = _("Remove {team} from the league?").format(**names)
            return heading, words, _("Remove")
    return None


@never_cache
@require_safe
def team_match(request: Request, public_id: str, pk: int) -> HttpResponse:
    try:
        shown = selectors.team_match(public_id, pk, request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    row = shown.result.row.tournament
    context = {
        "shown": shown, "result": shown.result, "row": row,
        "undoable": undoable(shown.interventions, row, request.user),
    }  # fmt: skip
    return render(request, "contests/teams/match.html", context)
