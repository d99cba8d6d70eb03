"""Invitations to a table. GET shows one, POST accepts it."""

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http import Request
from accounts.models import User
from accounts.services import play_as_guest
from empire import limits
from games.errors import GameError, NotFound
from games.tables.forms import GuestForm
from games.tables.selectors import listed as selector
from games.tables.selectors.listed import OpenTable
from games.tables.services import lobby
from games.tables.views.lobby import waiting_context


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limits.limited("join_table")
def join(request: Request, token: str) -> HttpResponse:
    table = invited(request, token)
    if request.method != "POST":
        return show(request, table, GuestForm())
    form = GuestForm(request.POST)
    if not form.is_valid():
        return show(request, table, form, status=422)
    if form.cleaned_data["email"] and (wait := limits.wait_for(request, "mail")):
        form.add_error("email", limits.sentence(wait))
        return limits.patient(show(request, table, form, status=429), wait)
    return sit_down(request, table, form)


def invited(request: Request, token: str) -> OpenTable:
    try:
        return selector.invited(token=token, user=request.user)
    except NotFound as unknown:
        raise Http404 from unknown


def show(request: Request, table: OpenTable, form: GuestForm, *, refusal: str = "", status: int = 200) -> HttpResponse:
    context = {
        **waiting_context(request, table.game, table.seats),
        "form": form,
        "brief": f"help/{table.game.ruleset}_brief.html",
        "refusal": refusal,
    }
    return render(request, "tables/join.html", context, status=status)


def sit_down(request: Request, table: OpenTable, form: GuestForm) -> HttpResponse:
    user = play_as_guest(request)
    try:
        lobby.join_table(game=table.game, user=user, invite=table.game.invite_token)
    except GameError as refusal:
        return show(request, invited(request, table.game.invite_token), form, refusal=str(refusal), status=409)
    ask_for_confirmation(request, user, form.cleaned_data["email"])
    return redirect(table.game)


def ask_for_confirmation(request: Request, user: User, email: str) -> None:
    """Email a confirmation link. Only a confirmed address belongs to the user and gets notices.

    If the address belongs to another account, its owner is told by email and the page reveals nothing.
    """
    form = AddEmailForm(user=user, data={"email": email})
    if email and not user.email and form.is_valid():
        if User.is_address_of(email, besides=user):
            get_adapter(request).send_account_already_exists_mail(email)
        else:
            form.save(request)
