"""Static files with cached URLs, and what lets phones install the site: the web app manifest and the service worker."""

import hashlib
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.translation import gettext
from django.views.decorators.http import condition, require_safe
from whitenoise.storage import CompressedManifestStaticFilesStorage

PAPER, SEA = "#f4ecd9", "#14555e"  # as in tokens.css


class KnownStaticFiles(CompressedManifestStaticFilesStorage):
    """The storage of a server. It remembers URLs, because a page uses a hundred of them."""

    @cached_property
    def addresses(self) -> dict[str, str]:
        return {}

    def url(self, name: str, force: bool = False) -> str:
        if name not in self.addresses:
            self.addresses[name] = super().url(name, force)
        return self.addresses[name]


@cache
def release() -> str:
    """Return what tells pages of this version of the site from those of others: a digest of templates and scripts."""
    digest = hashlib.sha256()
    for folder, pattern in (("templates", "*.html"), ("empire/static/js", "*.js"), ("empire/static/css", "*.css")):
        for file in sorted(Path(settings.BASE_DIR, folder).rglob(pattern)):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the web app manifest (w3.org/TR/appmanifest)."""
    return JsonResponse(
        {
            "id": "/",
            "name": settings.SITE_NAME,
            "short_name": settings.SITE_NAME[:12],
            "description": gettext("Board games, one turn at a time"),
            "lang": settings.LANGUAGE_CODE,
            "start_url": "/desk/",
            "scope": "/",
            "display": "standalone",
            "background_color": PAPER,
            "theme_color": SEA,
            "icons": [icon("192", "any"), icon("512", "any"), icon("512", "maskable")],
        },
        content_type="application/manifest+json",
    )


def icon(pixels: str, purpose: str) -> dict[str, Any]:
    src = static(f"img/app-{pixels}.png")
    return {"src": src, "sizes": f"{pixels}x{pixels}", "type": "image/png", "purpose": purpose}


def worker_script() -> str:
    return render_to_string("empire/sw.js", {"site_name": settings.SITE_NAME})


def version(request: HttpRequest) -> str:
    """Return an ETag, so that browsers notice a changed script."""
    return f'"{hashlib.sha256(worker_script().encode()).hexdigest()[:16]}"'


@require_safe
@condition(etag_func=version)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker. It is served from the root so that its scope is the whole site."""
    headers = {"Cache-Control": "no-cache", "Service-Worker-Allowed": "/"}
    return HttpResponse(worker_script(), content_type="text/javascript; charset=utf-8", headers=headers)
