"""The page on which players read what moderators wrote to them, and answer once."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http import SignedInRequest, posted_id
from accounts.models import LONGEST_STEP, Acceptance, Step
from accounts.moderation import services
from empire.web.limits import limited
from games.errors import GameError


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("report")
def messages_of_moderators(request: SignedInRequest) -> HttpResponse:
    """Show the steps about the reader with their reasons. POST answers one. Looking at them marks them as read."""
    refusal, draft, step, status = "", "", 0, 200
    if request.method == "POST":
        step, draft = posted_id(request, "step"), request.POST.get("answer", "")
        try:
            services.answer(user=request.user, step=step, words=draft)
        except GameError as sentence:
            refusal, status = str(sentence), 422
        else:
            messages.success(request, _("Thank you. A moderator will read your answer."))
            return redirect("moderators_messages")
    elif request.user.has_unread_step:
        services.read(request.user)
    context = {
        "steps": list(Step.objects.filter(user=request.user).order_by("-pk")), "refusal": refusal, "draft": draft,
        "answered": step, "longest": LONGEST_STEP,
        "acceptances": Acceptance.objects.filter(user=request.user).order_by("document", "version"),
    }  # fmt: skip
    return render(request, "accounts/moderators.html", context, status=status)
