"""The organizer's page of a season: sign-ups, and interventions while it runs, with a reason that everyone can read."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http import SignedInRequest
from accounts.models import User
from empire.web.limits import limited
from games.contests import interventions as services
from games.contests.leagues import season_pages as season_selector
from games.contests.leagues import selectors as selector
from games.contests.leagues import services as seasons
from games.contests.leagues.intervention_forms import (
    ActionForm,
    AnnulForm,
    BotForm,
    ExtendForm,
    ExtendSeasonForm,
    RemoveForm,
    ReplaceForm,
    StartForm,
    TakeOutForm,
)  # fmt: skip
from games.contests.leagues.season_pages import Organised
from games.contests.models import Entrant, Match, MatchState, Member
from games.contests.pools import table_name
from games.errors import GameError, NotFound

FORMS: dict[str, type[ActionForm]] = {
    "start": StartForm, "bot": BotForm, "take_out": TakeOutForm, "replace": ReplaceForm, "remove": RemoveForm,
    "extend": ExtendForm, "annul": AnnulForm, "season": ExtendSeasonForm,
}  # fmt: skip
Told = dict[str, Any]


@never_cache
@limited("organise")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def organise(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Show and run the organizer's actions. `division` in the query string selects one, as in `2-3`."""
    try:
        season = season_selector.find_season(slug, number)
    except NotFound as unknown:
        raise Http404 from unknown
    if not selector.may_organise(season.league, request.user):
        messages.error(request, _("Only the organizer can do this."))
        return redirect(season)
    shown = season_selector.organised(
        season=season, reader=request.user, place=request.GET.get("division", ""), page=request.GET.get("page")
    )
    action, plays = request.POST.get("action", ""), services.plays_in(season, request.user)
    forms = {name: _form(name, shown, request.POST if name == action else None) for name in FORMS}
    if action in forms and forms[action].is_valid():
        done = _do(request, action, forms[action], shown)
        if done is not None:
            return done
    pool = shown.standing.pool if shown.standing else None
    context = {
        "shown": shown,
        "forms": forms,
        "plays": plays,
        "place": f"{pool.tier}-{pool.number}" if pool else "",
    }  # fmt: skip
    return render(request, "contests/leagues/organise.html", context, status=422 if action in forms else 200)


def _form(name: str, shown: Organised, data: Any) -> ActionForm:
    standing = shown.standing
    if standing is None:
        return FORMS[name](data, name)
    left = (MatchState.WAITING, MatchState.PLAYING, *([MatchState.ENDED] if name == "annul" else []))
    return FORMS[name](
        data, name,
        entrants=[(row.entrant.pk, row.entrant.name) for row in standing.rows if name == "replace" or not row.is_out],
        matches=[(one.match.pk, one.title) for one in standing.contests if one.match.state in left],
    )  # fmt: skip


def _do(request: SignedInRequest, action: str, form: ActionForm, shown: Organised) -> HttpResponse | None:
    """Run the action, or ask for confirmation. Return None if it is refused, with the reason in the form."""
    if action in SURE and "sure" not in request.POST:
        heading, words, button = SURE[action](form.cleaned_data, shown)
        kept = {name: value for name, value in request.POST.items() if name != "csrfmiddlewaretoken"} | {"sure": "yes"}
        context = {
            "heading": heading, "sentences": words, "button": button, "home": request.get_full_path(), "kept": kept,
        }  # fmt: skip
        return render(request, "contests/leagues/league_sure.html", context)
    try:
        said = ACTIONS[action](request.user, form.cleaned_data, shown)
    except GameError as refusal:
        form.add_error(None, str(refusal))
        return None
    messages.success(request, said)
    return redirect(request.get_full_path())


# Actions. Each returns a message


def _start(user: User, told: Told, shown: Organised) -> str:
    seasons.start_now(season=shown.season, user=user)
    return _("The season has started.")


def _bot(user: User, told: Told, shown: Organised) -> str:
    member = seasons.enter_bot(league=shown.season.league, user=user, **told)
    return _("{name} is signed up.").format(name=member.name)


def _take_out(user: User, told: Told, shown: Organised) -> str:
    league = shown.season.league
    member = Member.objects.filter(pk=told["member"], league=league).first()
    if member is None:
        raise NotFound
    seasons.take_out_bot(league=league, user=user, member=member)
    return _("{name} is no longer signed up.").format(name=member.name)


def _replace(user: User, told: Told, shown: Organised) -> str:
    asked = services.replace(entrant=Entrant.objects.get(pk=told.pop("entrant")), by=user, **told)
    words = _("We have asked {name}. {other} keeps playing until they accept.")
    return words.format(name=asked.user.username, other=asked.name)


def _remove(user: User, told: Told, shown: Organised) -> str:
    found = services.remove(entrant=Entrant.objects.get(pk=told.pop("entrant")), by=user, **told)
    return _("{name} is out of the season.").format(name=found.name)


def _extend(user: User, told: Told, shown: Organised) -> str:
    services.extend(match=Match.objects.get(pk=told.pop("match")), by=user, **told)
    return _("Match extended.")


def _annul(user: User, told: Told, shown: Organised) -> str:
    services.annul(match=Match.objects.get(pk=told.pop("match")), by=user, **told)
    return _("Match annulled.")


def _season(user: User, told: Told, shown: Organised) -> str:
    seasons.extend_season(season=shown.season, by=user, **told)
    return _("All unfinished matches are extended.")


ACTIONS: dict[str, Callable[[User, Told, Organised], str]] = {
    "start": _start, "bot": _bot, "take_out": _take_out, "replace": _replace, "remove": _remove, "extend": _extend,
    "annul": _annul, "season": _season,
}  # fmt: skip


# Confirmations: a heading, what it means, and a button


def _sure_start(told: Told, shown: Organised) -> tuple[str, list[str], str]:
    words = [_("Everyone who has signed up is placed in a division, and the first matches start right away.")]
    return _("Start the season now?"), words, _("Start season")


def _sure_remove(told: Told, shown: Organised) -> tuple[str, list[str], str]:
    name = Entrant.objects.get(pk=told["entrant"]).name
    rest = (
        _("A bot plays their remaining matches, unless a late joiner takes over their place.")
        if shown.season.declared.drop_outs == "bot"
        else _("All their unfinished matches are annulled.")
    )
    public = _("Everyone can read your reason: “{reason}”").format(**told)
    words = [_("Their finished matches count. You can’t undo this."), rest, public]
    return _("Remove {name} from the season?").format(name=name), words, _("Remove")


def _sure_annul(told: Told, shown: Organised) -> tuple[str, list[str], str]:
    title = table_name(Match.objects.get(pk=told["match"]))
    public = _("Everyone can read your reason: “{reason}”").format(**told)
    words = [_("All its players lose the points they scored in it. You can’t undo this."), public]
    return _("Annul {contest}?").format(contest=title), words, _("Annul")


SURE = {"start": _sure_start, "remove": _sure_remove, "annul": _sure_annul}
