"""The organizer's page of a season: sign-ups, and interventions while it runs, with a reason that everyone can read."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http import SignedInRequest
from accounts.models import User
from empire.web.limits import limited
from games.contests import interventions
from games.contests.leagues import selectors, services
from games.contests.leagues.forms import ACTION_FORMS
from games.contests.leagues.selectors import Organised
from games.contests.leagues.views import known_season, sure
from games.contests.models import Entrant, Match, MatchState, Member
from games.contests.pools import table_name
from games.errors import GameError, NotFound


@never_cache
@limited("organise")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def organise(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Show and run the organizer's actions. `division` in the query string selects one, as in `2-3`."""
    season = known_season(slug, number)
    if not selectors.may_organise(season.league, request.user):
        messages.error(request, _("Only the organizer can do this."))
        return redirect(season)
    shown = selectors.organised(
        season=season, reader=request.user, place=request.GET.get("division", ""), page=request.GET.get("page")
    )
    action, standing = request.POST.get("action", ""), shown.standing
    forms = {}
    for name, kind in ACTION_FORMS.items():
        left = (MatchState.WAITING, MatchState.PLAYING, *([MatchState.ENDED] if name == "annul" else []))
        rows = [row for row in standing.rows if name == "replace" or not row.is_out] if standing else []
        contests = [one for one in standing.contests if one.match.state in left] if standing else []
        forms[name] = kind(
            request.POST if name == action else None, name,
            entrants=[(row.entrant.pk, row.entrant.name) for row in rows],
            matches=[(one.match.pk, one.title) for one in contests],
        )  # fmt: skip

    form = forms.get(action)
    if form is not None and form.is_valid():
        question = _question(action, form.cleaned_data, shown) if "sure" not in request.POST else None
        if question is not None:
            kept = {name: value for name, value in request.POST.items() if name != "csrfmiddlewaretoken"}
            return sure(request, *question, request.get_full_path(), kept | {"sure": "yes"})
        try:
            said = _act(request.user, action, form.cleaned_data, shown)
        except GameError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, said)
            return redirect(request.get_full_path())
    place = f"{standing.pool.tier}-{standing.pool.number}" if standing else ""
    context = {"shown": shown, "forms": forms, "plays": interventions.plays_in(season, request.user), "place": place}
    return render(request, "contests/leagues/organise.html", context, status=200 if form is None else 422)


def _act(user: User, action: str, told: dict[str, Any], shown: Organised) -> str:
    """Run the action with the values of its form. Return a message. Raises `GameError`."""
    season, league = shown.season, shown.season.league
    match action:
        case "start":
            services.start_now(season=season, user=user)
            return _("The season has started.")
        case "bot":
            member = services.enter_bot(league=league, user=user, **told)
            return _("{name} is signed up.").format(name=member.name)
        case "take_out":
            found = Member.objects.filter(pk=told["member"], league=league).first()
            if found is None:
                raise NotFound
            services.take_out_bot(league=league, user=user, member=found)
            return _("{name} is no longer signed up.").format(name=found.name)
        case "replace":
            asked = interventions.replace(entrant=Entrant.objects.get(pk=told.pop("entrant")), by=user, **told)
            words = _("We have asked {name}. {other} keeps playing until they accept.")
            return words.format(name=asked.user.username, other=asked.name)
        case "remove":
            gone = interventions.remove(entrant=Entrant.objects.get(pk=told.pop("entrant")), by=user, **told)
            return _("{name} is out of the season.").format(name=gone.name)
        case "extend":
            interventions.extend(match=Match.objects.get(pk=told.pop("match")), by=user, **told)
            return _("Match extended.")
        case "annul":
            interventions.annul(match=Match.objects.get(pk=told.pop("match")), by=user, **told)
            return _("Match annulled.")
        case _:  # the whole season
            services.extend_season(season=season, by=user, **told)
            return _("All unfinished matches are extended.")


def _question(action: str, told: dict[str, Any], shown: Organised) -> tuple[str, list[str], str] | None:
    """Return a heading, what the action means, and a button, if it asks for confirmation."""
    match action:
        case "start":
            words = [_("Everyone who has signed up is placed in a division, and the first matches start right away.")]
            return _("Start the season now?"), words, _("Start season")
        case "remove":
            name = Entrant.objects.get(pk=told["entrant"]).name
            rest = (
                _("A bot plays their remaining matches, unless a late joiner takes over their place.")
                if shown.season.declared.drop_outs == "bot"
                else _("All their unfinished matches are annulled.")
            )
            public = _("Everyone can read your reason: “{reason}”").format(**told)
            words = [_("Their finished matches count. You can’t undo this."), rest, public]
            return _("Remove {name} from the season?").format(name=name), words, _("Remove")
        case "annul":
            title = table_name(Match.objects.get(pk=told["match"]))
            public = _("Everyone can read your reason: “{reason}”").format(**told)
            words = [_("All its players lose the points they scored in it. You can’t undo this."), public]
            return _("Annul {contest}?").format(contest=title), words, _("Annul")
    return None
