"""What I have been told, over which channel, and what became of each of it."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import F, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.http import SignedInRequest
from accounts.kinds import Channel, Kind
from games.notices.models import Fate, Notice

ON_A_PAGE = 40


@never_cache
@login_required
@require_safe
def notices(request: SignedInRequest) -> HttpResponse:
    """The newest first; `channel` and `fate` narrow them down."""
    channel, fate = request.GET.get("channel", ""), request.GET.get("fate", "")
    shown = told(request)
    shown = shown.filter(channel=channel) if channel in Channel.values else shown
    shown = shown.filter(state=fate) if fate in Fate.values else shown
    page = Paginator(shown.order_by("-created_at", "-pk"), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "channel": channel, "fate": fate, "channels": Channel.choices, "fates": Fate.choices}
    return render(request, "notices/notices.html", context)


def told(request: SignedInRequest) -> QuerySet[Notice]:
    """The reader's notices, but for reminders still to come of turns that have been taken."""
    overtaken = Q(kind=Kind.TIME, state=Fate.QUEUED, due_at__gt=timezone.now()) & ~Q(seq=F("seat__game__seq"))
    return Notice.objects.filter(user=request.user).exclude(overtaken).select_related("seat__game")
