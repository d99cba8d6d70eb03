"""Pages of duplicate play."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import Request, SignedInRequest
from accounts.models import User
from empire.web.limits import limited
from games.contests.duplicates import selectors as selector
from games.contests.duplicates import services
from games.contests.duplicates.forms import DuplicateForm
from games.errors import GameError, NotFound


@never_cache
@require_safe
def index(request: Request) -> HttpResponse:
    context = {"open": selector.open_duplicates(), "ended": selector.ended_duplicates()}
    return render(request, "contests/duplicates/duplicates.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("open_table")
def open_duplicate(request: SignedInRequest) -> HttpResponse:
    form = DuplicateForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            return redirect(services.open_duplicate(user=request.user, **form.wanted))
        except GameError as refusal:
            form.add_error(None, str(refusal))
    return render(
        request, "contests/duplicates/open_duplicate.html", {"form": form}, status=422 if form.errors else 200
    )


@never_cache
@require_safe
def duplicate_page(request: Request, public_id: str) -> HttpResponse:
    try:
        shown = selector.duplicate_of(public_id=public_id, reader=request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    return render(request, "contests/duplicates/duplicate.html", {"duplicate": shown})


@login_required
@require_POST
@limited("join_table")
def join(request: SignedInRequest, public_id: str) -> HttpResponse:
    return change(request, public_id, lambda user: services.join(public_id=public_id, user=user))


@login_required
@require_POST
def leave(request: SignedInRequest, public_id: str) -> HttpResponse:
    return change(request, public_id, lambda user: services.leave(public_id=public_id, user=user))


def change(request: SignedInRequest, public_id: str, action: Callable[[User], object]) -> HttpResponse:
    """Run an action and return to the duplicate, with a message if it is refused."""
    try:
        action(request.user)
    except NotFound as unknown:
        raise Http404 from unknown
    except GameError as refusal:
        messages.error(request, str(refusal))
    return redirect("duplicate", public_id)
