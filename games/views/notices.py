"""What I have been told by mail, and what became of each of it."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from games.notices.models import Notice

ON_A_PAGE = 40


@never_cache
@login_required
@require_safe
def notices(request: SignedInRequest) -> HttpResponse:
    """The newest first."""
    mine = Notice.objects.filter(seat__user=request.user).select_related("seat__game").order_by("-created_at", "-pk")
    page = Paginator(mine, ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "games/notices.html", {"page": page})
