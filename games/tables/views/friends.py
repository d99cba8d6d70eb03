"""Friends, the search for a player, and invitations by name."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.http import Request, SignedInRequest, whole_number
from empire.web import limits
from empire.web.limits import limited
from games.errors import GameError
from games.tables.selectors import friends as selector
from games.tables.services import friends as service
from games.tables.views.lobby import change_table, invite_all

LONGEST_SEARCH = 40


@never_cache
@login_required
@require_safe
def people(request: SignedInRequest) -> HttpResponse:
    """Show the reader's friends, and the players whose names begin like the search."""
    search, number = request.GET.get("q", "").strip()[:LONGEST_SEARCH], whole_number(request.GET.get("page", ""), 2)
    page = 1 if number is None else number
    context = {"may_invite": selector.may_invite(request.user), "friends": selector.friends(request.user), "q": search}
    if not search or not context["may_invite"]:
        return render(request, "tables/people.html", context)
    if wait := limits.wait_for(request, "people"):
        context["refusal"] = limits.sentence(wait)
        return limits.with_retry_after(render(request, "tables/people.html", context, status=429), wait)
    matches, has_more = selector.search(request.user, search, page)
    context |= {"matches": matches, "next": page + 1 if has_more else 0, "is_search": True}
    return render(request, "tables/people.html", context)


@require_POST
@login_required
@limited("people")
def befriend(request: SignedInRequest) -> HttpResponse:
    """Put a player on the reader's list, or with `undo` take them off it."""
    name = request.POST.get("name", "")
    try:
        if "undo" in request.POST:
            service.unfriend(user=request.user, name=name)
        else:
            friend = service.befriend(user=request.user, name=name)
            messages.success(request, _("%(name)s is on your list of friends.") % {"name": friend.username})
    except GameError as refusal:
        messages.error(request, str(refusal))
    if search := request.POST.get("q", "")[:LONGEST_SEARCH]:
        return redirect(f"{reverse('people')}?{urlencode({'q': search})}")
    return redirect("people")


@require_POST
def invite(request: Request, public_id: str) -> HttpResponse:
    """Invite players by name to a table that waits for players."""
    names = service.names_in(request.POST.getlist("name"))[: service.MOST_AT_ONCE]
    if not names:
        messages.error(request, _("Enter the name of a player to invite."))
    return change_table(request, public_id, lambda game, user: invite_all(request, game, user, names))


@require_POST
@login_required
def decline(request: SignedInRequest, pk: int) -> HttpResponse:
    service.decline(pk=pk, user=request.user)
    messages.success(request, _("Invitation declined."))
    return redirect("desk")
