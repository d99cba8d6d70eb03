"""What I have been told by mail, and what became of each of it."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import F, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from games.notices.models import Fate, Notice

ON_A_PAGE = 40


@never_cache
@login_required
@require_safe
def notices(request: SignedInRequest) -> HttpResponse:
    """The newest first. A reminder of a turn that has been taken is not shown as still to come."""
    overtaken = Q(state=Fate.QUEUED, due_at__gt=timezone.now()) & ~Q(seq=F("seat__game__seq"))
    mine = Notice.objects.filter(seat__user=request.user).exclude(overtaken).select_related("seat__game")
    page = Paginator(mine.order_by("-created_at", "-pk"), ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "games/notices.html", {"page": page})
