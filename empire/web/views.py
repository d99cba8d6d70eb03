"""Views of the site itself: health, emails of a machine that sends none, and error pages. And every page's context."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from csp.constants import NONE, SELF, UNSAFE_INLINE
from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from empire import emails
from empire.observability import health
from empire.web import peers
from empire.web.static_files import release

View = Callable[..., HttpResponse]
SECURITY_TXT_HOLDS = timedelta(days=180)

# An email has its own styles and is shown in a frame of our page, without scripts
EMAIL_POLICY = {
    "default-src": [NONE],
    "script-src": [NONE],
    "style-src": [UNSAFE_INLINE],
    "img-src": [SELF, "data:"],
    "frame-ancestors": [SELF],
}


# The part of the main navigation to which a page belongs, by the first part of its path
SECTIONS = {
    "desk": "desk",
    **dict.fromkeys(("find", "lobby", "play-now", "people"), "play"),
    **dict.fromkeys(
        ("leagues", "tournaments", "ladder", "ratings", "statistics", "duplicates", "matches", "interventions"),
        "compete",
    ),
    **dict.fromkeys(("learn", "rules", "fair-play"), "learn"),
}


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the template context for every page."""
    section = SECTIONS.get(request.path.split("/")[1], "")
    return {
        "site_name": settings.SITE_NAME, "shows_emails": settings.DEBUG, "section": section, "release": release(),
        "languages": settings.LANGUAGES,
    }  # fmt: skip


@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    troubles = health.watch()
    return JsonResponse({"ok": not troubles, "troubles": troubles}, status=503 if troubles else 200)


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Say where to report a security hole (RFC 9116)."""
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {timezone.now() + SECURITY_TXT_HOLDS:%Y-%m-%dT00:00:00Z}",
        f"Preferred-Languages: {settings.LANGUAGE_CODE}",
        f"Canonical: {settings.SITE_URL}{request.path}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def only_on_this_machine(view: View) -> View:
    """Decorate a view that shows emails, which contain keys to accounts: only with DEBUG and from this machine.

    A `Host` of localhost is no proof, because anyone can send it.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.DEBUG or not peers.is_this_machine(request.META.get("REMOTE_ADDR", ""), request.headers):
            raise Http404
        try:
            return view(request, *args, **kwargs)
        except FileNotFoundError as error:
            raise Http404 from error

    return guarded


@only_on_this_machine
def email_list(request: HttpRequest) -> HttpResponse:
    return render(request, "empire/email_list.html", {"emails": emails.newest()})


@only_on_this_machine
def email_page(request: HttpRequest, name: str) -> HttpResponse:
    return render(request, "empire/email_page.html", {"email": emails.stored(name)})


@xframe_options_sameorigin
@csp_replace(EMAIL_POLICY)
@only_on_this_machine
def email_html(request: HttpRequest, name: str) -> HttpResponse:
    return HttpResponse('<base target="_top">' + emails.stored(name).html)


@only_on_this_machine
def email_part(request: HttpRequest, name: str, cid: str) -> HttpResponse:
    part = emails.stored(name).part(cid)
    if part is None:
        raise Http404
    return HttpResponse(part.get_content(), content_type=part.get_content_type())


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a failed CSRF check: an old tab, or cookies are off."""
    return render(request, "403_csrf.html", status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    return _rendered_without_user("500.html", 500)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer a bad request, such as too many fields or an unknown host."""
    return _rendered_without_user("400.html", 400)


def _rendered_without_user(template: str, status: int) -> HttpResponse:
    """Render the page without loading the user, because that may be what failed."""
    return HttpResponse(render_to_string(template, {"site_name": settings.SITE_NAME}), status=status)
