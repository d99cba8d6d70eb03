"""The pages of moderators: the queue, a report, a player, the log, and accounts that share a network."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import SignedInRequest, posted_id, whole_number
from accounts.models import ModerationEntry, Step, User
from accounts.moderation import roles
from accounts.names import LONGEST_TYPED
from empire.web.limits import limited
from games.errors import GameError
from games.staff.moderation import selectors, services
from games.staff.moderation.forms import LogForm, TakeStepForm
from games.tables.models import Report
from games.tables.services import places

View = Callable[..., HttpResponseBase]


def only_with(right: str) -> Callable[[View], View]:
    """Decorate a view that only people with the right may use. Others find nothing, as on the rest of the site."""

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(request: SignedInRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.has_perm(right):
                raise Http404
            return view(request, *args, **kwargs)

        return never_cache(login_required(guarded))

    return guard


@only_with(roles.SEE)
@require_safe
def queue(request: SignedInRequest) -> HttpResponse:
    """Show what waits for moderators. A `name` leads to what is known of that player, or of the owner of that bot."""
    name = request.GET.get("name", "").strip()
    if name and (person := User.named(name[:LONGEST_TYPED])):
        person = person.bot_account.owner if person.is_bot else person
        return redirect("moderation_player", person.username)
    reports, has_more = selectors.queue(request.user, whole_number(request.GET.get("after", "")) or 0)
    context = {
        "reports": reports, "after": reports[-1].pk if has_more else None,
        "answers": selectors.answers(request.user), "unknown": name,
    }  # fmt: skip
    return render(request, "staff/moderation/queue.html", context)


@only_with(roles.SEE)
@require_http_methods(["GET", "HEAD", "POST"])
@limited("organize")
def report(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a report with what was there to see. POST settles it, or removes what was reported."""
    row = get_object_or_404(
        Report.objects.select_related("player", "reporter", "game", "message", "step", "claimed_by"), pk=pk
    )
    if services.is_kept_from(row, request.user):
        raise Http404
    form, refusal = _form(request, row.player, row), ""
    if request.method == "POST":
        do = request.POST.get("do")
        try:
            if do == "dismiss":
                services.dismiss(report=row, by=request.user)
            elif do == "claim":
                holder = posted_id(request, "holder") or None
                services.claim(report=row, by=request.user, holder=holder)
            elif do == "release":
                services.release(report=row, by=request.user)
            elif do == "remove":
                services.remove_message(report=row, by=request.user)
            elif do == "rename":
                services.replace_name(report=row, by=request.user, reason=request.POST.get("reason", ""))
            elif do == "step" and row.player is not None and form.is_valid():
                services.take_step(report=row, by=request.user, user=row.player, **form.cleaned_data)
            elif do != "step" or row.player is None:
                raise GameError(_("Choose what to do."))
        except GameError as sentence:
            refusal = str(sentence)
            row.refresh_from_db()
        else:
            if not form.errors:
                messages.success(request, _("Done."))
                return redirect("moderation" if do in ("dismiss", "step") else request.path)
        form = _shown_again(form, row.player) if do == "step" else _form(request, row.player, row, is_new=True)
    context = {
        "report": row, "form": form, "refusal": refusal, "later": selectors.later_messages(row),
        "dossier": selectors.dossier(row.player, request.user) if row.player else None,
        "has_seen_deal": row.game is not None and places.remember_reader(row.game, request.user),
        "is_own": row.reporter == request.user, "players": selectors.players_of(row),
        "has_acted": bool(services.acted_on([row])), "team": selectors.team_of(row), "names": selectors.NAMES,
        "draft": request.POST.get("reason", "") if request.POST.get("do") == "rename" else "",
    }  # fmt: skip
    return render(request, "staff/moderation/report.html", context, status=422 if refusal or form.errors else 200)


@only_with(roles.SEE)
@require_http_methods(["GET", "HEAD", "POST"])
@limited("organize")
def player(request: SignedInRequest, username: str) -> HttpResponse:
    """Show what is known of a player. POST takes, lifts or keeps a step.

    `report` is that of a table that they play at, if its page led here: a step settles it.
    """
    person = User.with_name(username).filter(is_bot=False).first()
    if person is None:
        raise Http404
    report = selectors.report_at_table_of(person, whole_number(request.GET.get("report", "")) or 0, request.user)
    form, refusal = _form(request, person, report), ""
    if request.method == "POST":
        do = request.POST.get("do")
        step = Step.objects.filter(user=person, pk=posted_id(request, "step")).first()
        try:
            if do == "lift" and step is not None:
                services.lift_step(by=request.user, step=step, reason=request.POST.get("reason", ""))
            elif do == "keep" and step is not None:
                services.keep_step(by=request.user, step=step)
            elif do == "step" and form.is_valid():
                services.take_step(report=report, by=request.user, user=person, **form.cleaned_data)
            elif do != "step":
                raise GameError(_("Choose what to do."))
        except GameError as sentence:
            refusal = str(sentence)
        else:
            if not form.errors:
                messages.success(request, _("Done."))
                return redirect(request.path)
        form = _shown_again(form, person) if do == "step" else _form(request, person, report, is_new=True)
    is_lift = request.POST.get("do") == "lift"
    context = {
        "dossier": selectors.dossier(person, request.user), "form": form, "refusal": refusal, "report": report,
        "may": roles.kinds(request.user), "lifting": posted_id(request, "step") if is_lift else None,
        "draft": request.POST.get("reason", "") if is_lift else "",
    }  # fmt: skip
    return render(request, "staff/moderation/player.html", context, status=422 if refusal or form.errors else 200)


def _form(
    request: SignedInRequest, person: User | None, report: Report | None, *, is_new: bool = False
) -> TakeStepForm:  # fmt: skip
    sent = request.POST if request.method == "POST" and request.POST.get("do") == "step" and not is_new else None
    others = len(services.other_reports(report, person, request.user)) if person else 0
    return TakeStepForm(sent, kinds=roles.kinds(request.user), seen=_seen(person), others=others)


def _shown_again(form: TakeStepForm, person: User | None) -> TakeStepForm:
    form.show_again(_seen(person))
    return form


def _seen(person: User | None) -> dict[str, int]:
    """Return what a page about the person shows now, as the fields of its form say it."""
    if person is None:
        return {"expected": 0, "last_report": 0}
    last = Report.objects.filter(player=person).order_by("pk").values_list("pk", flat=True).last()
    return {"expected": person.steps.count(), "last_report": last or 0}


@only_with(roles.LOG)
@require_safe
def log(request: SignedInRequest) -> HttpResponse:
    """Show the log, which the query can filter. Of a name that nobody has, and of unknown choices, it shows nothing."""
    form = LogForm(request.GET, moderators=selectors.authors())
    rows = selectors.log(**form.cleaned_data) if form.is_valid() else ModerationEntry.objects.none()
    page = Paginator(rows, selectors.SHOWN).get_page(request.GET.get("page"))
    context = {
        "form": form, "page": page, "lines": selectors.log_lines(page),
        "is_filtered": any(request.GET.get(name) for name in form.fields),
    }  # fmt: skip
    return render(request, "staff/moderation/log.html", context, status=422 if form.errors else 200)


@only_with(roles.SEE)
@require_safe
def shared(request: SignedInRequest) -> HttpResponse:
    return render(request, "staff/moderation/shared.html", {"pairs": selectors.together()})
