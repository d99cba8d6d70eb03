"""Pages of leagues: the list, the home of a league, its seasons and divisions, and the actions of
members and organizers.
"""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import Request, SignedInRequest, whole_number
from accounts.models import User
from empire.web import limits
from empire.web.languages import display_name
from empire.web.limits import limited
from games.contests import corrections, interventions
from games.contests.corrections import has_signed_up, undoable
from games.contests.gates.conditions import LEEWAY, will_be_left_out
from games.contests.leagues import decisions, divisions, entrants, selectors, services
from games.contests.leagues.forms import ACTION_FORMS, LeagueForm
from games.contests.leagues.selectors import Organized
from games.contests.leagues.sweep import PUT_OFF
from games.contests.models import Entrant, League, LeagueState, Member, Season, SeasonState
from games.contests.organizers import Right, is_owner, may_organize, rights_of
from games.contests.pairing.crosstable import TIE_BREAKS
from games.contests.terms.declaration import LONGEST_TEXT, LeagueTerms, parse, text
from games.errors import GameError
from games.help import families
from games.rules.protocol import IllegalAction


@never_cache
@require_safe
def index(request: Request) -> HttpResponse:
    return render(request, "contests/leagues/leagues.html", {"leagues": selectors.leagues(request.user)})


@never_cache
@require_safe
def league(request: Request, slug: str) -> HttpResponse:
    return show(request, slug)


def show(request: Request, slug: str, invite: str = "") -> HttpResponse:
    """Render a league. `invite` is the token of the invitation link that led here."""
    shown = selectors.home(slug=slug, reader=request.user, invite=invite)
    context = {"home": shown, "paces": services.AT_ONCE, "invite": invite}
    return render(request, "contests/leagues/league.html", context)


@never_cache
@require_safe
def season(request: Request, slug: str, number: int) -> HttpResponse:
    """Show a season. `page` selects a page of its divisions, `tier` the page of a tier."""
    page, tier = request.GET.get("page"), request.GET.get("tier", "")
    shown = selectors.season(slug=slug, number=number, reader=request.user, page=page, tier=tier)
    context = {"shown": shown, "undoable": undoable(shown.interventions, shown.season.league, request.user)}
    return render(request, "contests/leagues/season.html", context)


@never_cache
@require_safe
def division(request: Request, slug: str, number: int, tier: int, division: int) -> HttpResponse:
    season, standings = selectors.division(
        slug=slug, number=number, tier=tier, division=division, reader=request.user
    )  # fmt: skip
    listed = divisions.interventions(season, standings.pool)
    context = {
        "season": season, "standings": standings, "interventions": listed,
        "undoable": undoable(listed, season.league, request.user),
        "may_organize": may_organize(season.league, request.user, Right.DECIDE),
    }  # fmt: skip
    return render(request, "contests/leagues/division.html", context)


# Actions. Refusals return to the league with a message; those with lasting effects ask for confirmation.


def league_or_404(request: Request, slug: str) -> League:
    """Return a league. Raises `Http404`, also for unpublished leagues of others."""
    return selectors.find(slug, request.user)


def redirect_after(request: Request, action: Callable[[], Any], message: str, *to: Any) -> HttpResponse:
    """Run an action and redirect with `message`, or if it is empty with what the action returns, or with its refusal.

    `to` are the arguments of `redirect`.
    """
    try:
        done = action()
    except GameError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, message or done)
    return redirect(*to)


def is_refused(request: Request, need: Callable[[], Any]) -> bool:
    """Return whether `need` refuses, and let the next page say why. Call this before asking for confirmation."""
    try:
        need()
    except GameError as refusal:
        messages.error(request, str(refusal))
        return True
    return False


def confirm(
    request: Request, heading: str, sentences: list[str], button: str, home: str, kept: dict[str, Any] | None = None
) -> HttpResponse:
    """Ask for confirmation. `kept` are the fields that the button sends again."""
    context = {"heading": heading, "sentences": sentences, "button": button, "home": home, "kept": kept}
    return render(request, "contests/leagues/league_sure.html", context)


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: SignedInRequest, slug: str) -> HttpResponse:
    """Join the league. A GET request, as after signing in, shows the league with its button again."""
    league = league_or_404(request, slug)
    if request.method != "POST":
        return redirect(league)
    invite = request.POST.get("invite", "")
    try:
        member = services.join(league=league, user=request.user, at_once=chosen_pace(request), invite=invite)
    except GameError as refusal:
        messages.error(request, str(refusal))
        is_link = invite == league.invite_token  # stay there, because the page without it can no longer let them in
        return redirect("league_invited", slug, invite) if is_link else redirect(league)
    messages.success(request, services.next_season_sentence(member))
    return redirect(league)


def chosen_pace(request: Request) -> int | None:
    """Return the chosen number of matches at a time. Invalid input becomes 0, which is refused."""
    chosen = request.POST.get("at_once", "")
    return (whole_number(chosen, digits=2) or 0) if chosen else None


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: SignedInRequest, slug: str) -> HttpResponse:
    league = league_or_404(request, slug)
    if request.method != "POST":
        if is_refused(request, lambda: services.need_to_leave(league, request.user)):
            return redirect(league)
        sentences = [_("You won’t be signed up for any more seasons. You keep your results and badges.")]
        heading = _("Leave {league}?").format(league=league.name)
        return confirm(request, heading, sentences, _("Leave league"), league.get_absolute_url())
    message = _("You have left the league.")
    return redirect_after(request, lambda: services.leave(league=league, user=request.user), message, league)


@require_POST
@limited("join_table")
@login_required
def sit_out(request: SignedInRequest, slug: str) -> HttpResponse:
    """Sit out future seasons, or return if the form does not say `sits_out`."""
    league, sits_out = league_or_404(request, slug), request.POST.get("sits_out") == "yes"

    def change() -> str:
        return services.next_season_sentence(services.sit_out(league=league, user=request.user, sits_out=sits_out))

    return redirect_after(request, change, "", league)


@require_POST
@limited("join_table")
@login_required
def set_pace(request: SignedInRequest, slug: str) -> HttpResponse:
    league, message = league_or_404(request, slug), _("Your pace is saved.")
    at_once = chosen_pace(request)
    return redirect_after(
        request, lambda: services.set_pace(league=league, user=request.user, at_once=at_once), message, league
    )


@never_cache
@limited("join_table")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def drop_out(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    league_or_404(request, slug)
    season = selectors.find_season(slug, number)
    if request.method != "POST":
        if is_refused(request, lambda: services.need_to_drop_out(season, request.user)):
            return redirect("league", slug)
        sentences = [
            _("Your finished matches count, but you rank last in your division. You can’t rejoin the season."),
            _("A bot plays your remaining matches, unless a late joiner takes over your place.")
            if season.declared.drop_outs == "bot"
            else _("All your unfinished matches are annulled."),
            _("You stay a member of the league, but sit out the next seasons until you return."),
            _("If you only need a few days off, take a vacation instead."),
        ]
        heading = _("Drop out of season {n}?").format(n=number)
        return confirm(request, heading, sentences, _("Drop out"), reverse("league", args=[slug]))
    message = _("You have dropped out of this season.")
    return redirect_after(request, lambda: services.drop_out(season=season, user=request.user), message, "league", slug)


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def open_league(request: SignedInRequest, slug: str) -> HttpResponse:
    league = league_or_404(request, slug)
    if request.method != "POST":
        if is_refused(request, lambda: services.need_to_open(league, request.user)) or league.state == LeagueState.OPEN:
            return redirect(league)
        sentences = [
            _("Everyone can then see the league, and sign up for its first season."),
            _("You can’t undo this. The league’s game and the settings of its first season are then fixed."),
        ]
        heading = _("Open sign-up for {league}?").format(league=league.name)
        return confirm(request, heading, sentences, _("Open sign-up"), league.get_absolute_url())
    if wait := limits.wait_for(request, "public_table"):
        return limits.too_often(request, wait)
    message = _("Sign-up is open. Everyone can now see this page, so you can share it.")
    return redirect_after(request, lambda: services.open_league(league=league, user=request.user), message, league)


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: SignedInRequest, slug: str) -> HttpResponse:
    try:
        league = league_or_404(request, slug)
    except Http404:
        if request.method == "POST":  # perhaps the first of two taps discarded it
            return redirect("leagues")
        raise
    if not is_owner(league, request.user):
        messages.error(request, _("Only the organizer can do this."))
        return redirect(league)
    if league.state == LeagueState.DRAFT:
        return _discard(request, league)
    if request.method != "POST":
        if league.state == LeagueState.CLOSED:
            messages.error(request, _("This league is closed."))
            return redirect(league)
        sentences = [_("A running season continues to its end. A season that is still open for sign-up is canceled.")]
        sentences += [_("There will be no more seasons, and you can’t reopen the league. Its pages stay.")]
        heading = _("Close {league}?").format(league=league.name)
        return confirm(request, heading, sentences, _("Close league"), league.get_absolute_url())
    message = _("The league is closed.")
    return redirect_after(request, lambda: services.close_league(league=league, user=request.user), message, league)


def _discard(request: SignedInRequest, draft: League) -> HttpResponse:
    """Delete an unpublished league. Asks for confirmation first."""
    if request.method != "POST":
        sentences = [_("The league and its settings are deleted. Nobody has seen it except its organizers.")]
        heading = _("Discard {league}?").format(league=draft.name)
        return confirm(request, heading, sentences, _("Discard"), draft.get_absolute_url())
    try:
        services.close_league(league=draft, user=request.user)
    except GameError as refusal:
        messages.error(request, str(refusal))
        return redirect(draft)
    messages.success(request, _("The league is discarded."))
    return redirect("leagues")


@require_safe
def rules(request: Request) -> HttpResponse:
    """Explain leagues, with the actual limits."""
    context = {"tie_breaks": TIE_BREAKS.values(), "usual": USUAL, "put_off": PUT_OFF, "leeway": LEEWAY}
    return render(request, "help/leagues.html", context)


# Creating a league, and changing its terms

USUAL = LeagueTerms(name="")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: SignedInRequest) -> HttpResponse:
    return _declaration(request, None)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, slug: str) -> HttpResponse:
    """Edit the terms of future seasons."""
    league = league_or_404(request, slug)
    if not may_organize(league, request.user, Right.SETTINGS):
        messages.error(request, _("Only the organizer can do this."))
        return redirect(league)
    return _declaration(request, league)


def _declaration(request: SignedInRequest, league: League | None) -> HttpResponse:
    """Show and save the terms. `action` is the button pressed, which decides whether the form or the text counts."""
    if request.method != "POST":
        terms = league.declared if league else USUAL
        return _page(request, league, LeagueForm.of(terms), text(terms, _))
    action, toml = request.POST.get("action", ""), request.POST.get("toml", "")[:LONGEST_TEXT]
    if action == "look":
        return _page(request, league, LeagueForm(request.POST, lenient=True), toml)
    if wait := limits.wait_for(request, "open_table"):  # the simulation is expensive
        return limits.too_often(request, wait)
    if action in ("text", "fill"):
        return _from_text(request, league, toml, is_to_be_declared=action == "text")
    form = LeagueForm(request.POST)
    if not form.is_valid():
        return _page(request, league, form, toml, status=422)
    if action == "write":
        return _page(request, league, form, text(form.terms, _))
    try:
        return _declared(request, league, form.terms)
    except GameError as refusal:
        form.add_error(None, str(refusal))
    return _page(request, league, form, toml, status=422)


def _from_text(request: SignedInRequest, league: League | None, toml: str, *, is_to_be_declared: bool) -> HttpResponse:
    """Save the terms of the text, or fill them into the form."""
    try:
        terms = parse(toml)
        if not isinstance(terms, LeagueTerms):
            raise GameError(_("This text describes a tournament, not a league."))
        if is_to_be_declared:
            return _declared(request, league, terms)
        return _page(request, league, LeagueForm.of(terms), toml)
    except IllegalAction as refusal:
        wrong = refusal.say(_)
    except GameError as refusal:
        wrong = str(refusal)
    return _page(request, league, LeagueForm(request.POST, lenient=True), toml, wrong=wrong, status=422)


def _declared(request: SignedInRequest, league: League | None, terms: LeagueTerms) -> HttpResponse:
    """Save the terms and redirect to the league. Raises `GameError`."""
    if league is None:
        saved = services.create_league(user=request.user, terms=terms)
    else:
        saved = services.change_terms(league=league, user=request.user, terms=terms)
        message, last = _("League settings saved."), saved.seasons.order_by("number").last()
        if last is not None:
            message = _("League settings saved. They apply from season {n}.").format(n=last.number + 1)
        messages.success(request, message)
    if words := services.warning(saved):
        messages.warning(request, words)
    return redirect(saved)


def _page(
    request: Request, league: League | None, form: LeagueForm, toml: str, *, wrong: str = "", status: int = 200
) -> HttpResponse:
    """Render the page, or for htmx the part of the form that depends on the game."""
    context: dict[str, Any] = {
        "form": form, "toml": toml, "wrong": wrong, "league": league,
        "shows_text": request.POST.get("action") == "write",
        "note": families.players_note(form.rules.slug, form.number),
    }  # fmt: skip
    part = "#game" if request.htmx else ""
    return render(request, f"contests/leagues/league_form.html{part}", context, status=status)


@never_cache
@require_safe
def file(request: Request, slug: str) -> HttpResponse:
    """Download the terms of the league's future seasons."""
    league = league_or_404(request, slug)
    headers = {"Content-Disposition": f'attachment; filename="{league.slug}.toml"'}
    return HttpResponse(text(league.declared, _), content_type="application/toml; charset=utf-8", headers=headers)


# The organizer's actions in a season


@never_cache
@limited("organize")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def organize(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Show and run the organizer's actions. `division` in the query string selects one, as in `2-3`."""
    season = selectors.find_season(slug, number)
    if not may_organize(season.league, request.user, Right.DECIDE):
        messages.error(request, _("Only the organizer can do this."))
        return redirect(season)
    shown = selectors.organized(
        season=season, reader=request.user, place=request.GET.get("division", ""), page=request.GET.get("page")
    )
    action, standings = request.POST.get("action", ""), shown.standings
    forms, fresh = {}, _seen(season)
    for name, kind in ACTION_FORMS.items():
        # Those who are out can be replaced, and removed again: by the second of two taps
        is_of_all = name == "replace" or name == action == "remove"
        rows = [row for row in standings.rows if is_of_all or not row.is_out] if standings else []
        forms[name] = kind(
            request.POST if name == action else None, name,
            entrants=[(row.entrant.pk, row.entrant.name) for row in rows],
            people=[(member.pk, member.user.username) for member in shown.people if member.user],
            initial=fresh,
        )  # fmt: skip

    form = forms.get(action)
    if form is not None and form.is_valid():
        try:
            _need_to_act(request.user, action, form.cleaned_data, shown)  # before asking
            question = _question(action, form.cleaned_data, shown) if "sure" not in request.POST else None
            if question is not None:
                kept = {name: value for name, value in request.POST.items() if name != "csrfmiddlewaretoken"}
                return confirm(request, *question, request.get_full_path(), kept | {"sure": "yes"})
            message = _act(request.user, action, form.cleaned_data, shown)
        except GameError as refusal:
            form.add_error(None, str(refusal))
            now = request.POST.copy()  # the next attempt is made on the season as it is now
            for name, seen in _seen(selectors.find_season(slug, number)).items():
                now[name] = seen
            form.data = now
        else:
            messages.success(request, message)
            return redirect(request.get_full_path())
    place = f"{standings.pool.tier}-{standings.pool.number}" if standings else ""
    plays = interventions.plays_in(season, request.user) or has_signed_up(season, request.user)
    context = {
        "shown": shown, "forms": forms, "plays": plays, "place": place,
        "rights": rights_of(season.league, request.user), "is_owner": is_owner(season.league, request.user),
    }  # fmt: skip
    return render(request, "contests/leagues/organize.html", context, status=200 if form is None else 422)


def _seen(season: Season) -> dict[str, str]:
    """Return what forms about the whole season must have seen."""
    decided_at = season.decided_at.isoformat() if season.decided_at else ""
    bots = season.league.members.filter(user=None).count() if season.league.declared.bots else 0
    return {"ends_at": season.ends_at.isoformat(), "decided_at": decided_at, "seen": str(bots)}


def _need_to_act(user: User, action: str, data: dict[str, Any], shown: Organized) -> None:
    """Raise `GameError` if the service would refuse the action whatever the organizer answers.

    `data` gets the name of the person to ban as they write it.
    """
    season = shown.season
    if action == "start" and season.state != SeasonState.RUNNING:  # or the form was sent twice
        services.need_to_start(season, user)
    if action in ("replace", "remove", "out", "move", "ban", "approve", "season"):
        interventions.need_not_playing(season, user)
    if action in ("out", "move", "ban"):
        corrections.need_not_signed_up(season, user)
    if action == "ban":
        data["name"] = corrections.to_ban(competition=season.league, by=user, name=data["name"]).username


def _act(user: User, action: str, data: dict[str, Any], shown: Organized) -> str:
    """Run the action with the values of its form. Return a message. Raises `GameError`."""
    season, league = shown.season, shown.season.league
    match action:
        case "start":
            services.start_now(season=season, user=user)
            return _("The season has started.")
        case "bot":
            member = services.enter_bot(league=league, user=user, **data)
            return _("{name} is signed up.").format(name=display_name(member.name))
        case "take_out":
            bot = Member.objects.filter(pk=data["member"], league=league).first()
            if bot is None:
                return _("That bot is no longer signed up.")
            services.take_out_bot(league=league, user=user, member=bot)
            return _("{name} is no longer signed up.").format(name=display_name(bot.name))
        case "replace":
            replacement = interventions.replace(entrant=Entrant.objects.get(pk=data.pop("entrant")), by=user, **data)
            sentence = _("We have asked {name}. {other} keeps playing until they accept.")
            return sentence.format(name=replacement.user.username, other=replacement.name)
        case "remove":
            removed = interventions.remove(entrant=Entrant.objects.get(pk=data.pop("entrant")), by=user, **data)
            return _("{name} is out of the season.").format(name=removed.name)
        case "out":
            decisions.take_out(season=season, member=data["person"], by=user, reason=data["reason"])
            return _("Removed from this season.")
        case "move":
            tier, number = (int(part) for part in data["division"].split("-"))
            decisions.move(
                season=season, member=data["person"], by=user, tier=tier, number=number, reason=data["reason"]
            )  # fmt: skip
            return _("Moved. The divisions are made when the season starts.")
        case "ban":
            banned = corrections.ban(scope=season, by=user, **data)
            return _("{name} is banned from the league.").format(name=banned.what)
        case "approve":
            decisions.approve(season=season, by=user, expected=data["decided_at"])
            return _("The results are approved, and the season has ended.")
        case _:  # the whole season
            services.extend_season(season=season, by=user, expected=data.pop("ends_at"), **data)
            return _("All unfinished matches are extended.")


def _question(action: str, data: dict[str, Any], shown: Organized) -> tuple[str, list[str], str] | None:
    """Return a heading, what the action means, and a button, if it asks for confirmation."""
    public = _("Everyone can read your reason: “{reason}”").format(reason=data.get("reason", ""))
    match action:
        case "out" | "move":
            person = Member.objects.select_related("user").filter(pk=data["person"]).first()
            name = person.user.username if person and person.user else ""
            if action == "move":
                sentences = [
                    _("When the season starts, they play in division {division}.").format(**data),
                    _("If that makes a division too large or too small, the player there with the closest rating "
                      "moves the other way. If the division does not exist by then, the move has no effect."),
                ]  # fmt: skip
                return _("Move {name}?").format(name=name), [*sentences, public], pgettext("button", "Move")
            sentences = [_("They stay a member of the league and are signed up for the following season.")]
            if shown.signed_up <= shown.enough:
                sentences.append(
                    _("That leaves too few players, so the start will be postponed unless others sign up.")
                )
            return _("Remove {name} from this season?").format(name=name), [*sentences, public], _("Remove")
        case "ban":
            sentences = [
                _("They lose their place in the season, as if they had dropped out. They also can’t play for "
                  "others in this league or sign up again."),
                _("You can lift the ban, but games that a bot has taken over stay with the bot."),
            ]  # fmt: skip
            return _("Ban {name} from the league?").format(**data), [*sentences, public], _("Ban")
        case "approve":
            sentences = [_("Promotions and badges follow right away, and the next season opens."),
                         _("After that, the results are final. You can’t undo this.")]  # fmt: skip
            heading = _("Approve the results of season {n}?").format(n=shown.season.number)
            return heading, sentences, _("Approve results")
        case "start":
            return _("Start the season now?"), _what_starting_means(shown.season), _("Start season")
        case "remove":
            name = Entrant.objects.get(pk=data["entrant"]).name
            rest = (
                _("A bot plays their remaining matches, unless a late joiner takes over their place.")
                if shown.season.declared.drop_outs == "bot"
                else _("All their unfinished matches are annulled.")
            )
            sentences = [
                _(
                    "Their finished matches count, but they rank last in their division. Games that a bot takes over "
                    "now stay with the bot, even if you undo this."
                ),
                rest,
                public,
            ]
            return _("Remove {name} from the season?").format(name=name), sentences, _("Remove")
    return None


def _what_starting_means(season: Season) -> list[str]:
    members, lacking = entrants.ready(season)
    left_over = entrants.left_over(season, members)
    sentences = [_("Everyone who has signed up is placed in a division, and the first matches start right away.")]
    if lacking or left_over:
        number = len(members) - left_over
        sentence = ngettext(
            "{n} player is placed in a division, and the first matches start right away.",
            "{n} players are placed in divisions, and the first matches start right away.",
            number,
        )
        sentences = [sentence.format(n=number)]
    if left_over:
        sentence = ngettext(
            "The players don’t divide evenly, so the last one to sign up waits for the next season.",
            "The players don’t divide evenly, so the last {n} to sign up wait for the next season.",
            left_over,
        )
        sentences.append(sentence.format(n=left_over))
    if lacking:
        sentences.append(will_be_left_out(len(lacking)))
    return [*sentences, _("Everyone is notified. You can’t undo this.")]
