"""The pages that report a player, their name, or a table to moderators. Messages are reported in the chat."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http import Request, SignedInRequest
from accounts.models import User
from empire.web.limits import limited
from games.errors import GameError, NotFound
from games.tables import keys
from games.tables.forms.table import TABLE, ReportForm
from games.tables.models import Report, Subject
from games.tables.pages.frame import title
from games.tables.selectors import chat, rights
from games.tables.services import reports
from games.tables.views.enter import sign_in_first

Send = Callable[[dict[str, Any]], Report]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("report")
def report(request: Request, public_id: str) -> HttpResponse:
    """Report the player of a seat, or the whole table."""
    url = reverse("report", args=[public_id])
    if keys.access(request, public_id).is_by_key:
        return sign_in_first(request, public_id, url)
    if not isinstance(request.user, User):
        return redirect_to_login(url)
    user = request.user
    game, seats = rights.visible(public_id=public_id, user=user)
    players = [(str(number), name) for number, name, _player in chat.reportable(game, seats, user)]
    choices = [] if game.lesson else [*players, (TABLE, _("The table as a whole"))]

    def send(answers: dict[str, Any]) -> Report:
        about = answers.pop("about")
        return reports.report_at_table(
            public_id=public_id, user=user, seat=None if about == TABLE else int(about), **answers
        )  # fmt: skip

    return answer(request, choices, send, back=game.get_absolute_url(), title=f"{title(game)}, {game.public_id}")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("report")
def report_person(request: SignedInRequest, username: str) -> HttpResponse:
    """Report a player or their name, from the player's page."""
    person = User.with_name(username).filter(is_active=True).first()
    if person is None:
        raise Http404
    choices = [(Subject.NAME, _("The name")), (Subject.PLAYER, _("What the player writes or does"))]
    if person == request.user or (person.is_bot and person.bot_account.owner == request.user):
        choices = []

    def send(answers: dict[str, Any]) -> Report:
        return reports.report_person(name=username, user=request.user, subject=answers.pop("about"), **answers)

    return answer(
        request, choices, send, back=person.get_absolute_url(), title=_("Player’s page"), name=person.username
    )


def answer(
    request: Request, choices: Sequence[tuple[str, Any]], send: Send, *, back: str, title: str, name: str = ""
) -> HttpResponse:  # fmt: skip
    """Show the form, or send the report by POST. Without choices there is nothing that this reader could report."""
    form = ReportForm(request.POST if request.method == "POST" else None, choices=choices)
    if form.is_valid():
        try:
            send(dict(form.cleaned_data))
        except NotFound:
            raise
        except GameError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Thank you. A moderator will look at your report."))
            return redirect(back)
    context = {"form": form, "has_choices": bool(choices), "back": back, "title": title, "name": name}
    return render(request, "tables/report.html", context, status=422 if form.errors else 200)
