"""Pages of the site itself: health, and the answer to a form that came too late."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from empire import health


def healthz(request: HttpRequest) -> JsonResponse:
    troubles = list(health.troubles())
    return JsonResponse({"ok": not troubles, "troubles": troubles}, status=503 if troubles else 200)


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form's token does not fit: an old tab, or cookies are off."""
    return render(request, "403_csrf.html", status=403)
