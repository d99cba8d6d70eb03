"""Static files with cached URLs, the style sheets of a page as one file, and what lets phones install the site: the web
app manifest and the service worker."""

import hashlib
import re
from collections.abc import Callable
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from django.views.decorators.http import condition, require_safe
from whitenoise.storage import CompressedManifestStaticFilesStorage

PAPER, SEA = "#f4ecd9", "#14555e"  # as in tokens.css
JOINED = f"/{settings.STATIC_URL.strip('/')}/css/joined/"
FOREVER = "max-age=315360000, public, immutable"  # as WhiteNoise says it of files with a digest in their name
LINK = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
RELATIVE = re.compile(r'url\("(?!#|data:)([^"]+)"\)')


class KnownStaticFiles(CompressedManifestStaticFilesStorage):
    """The storage of a server. It remembers URLs, because a page uses a hundred of them."""

    @cached_property
    def addresses(self) -> dict[str, str]:
        return {}

    def url(self, name: str, force: bool = False) -> str:
        if name not in self.addresses:
            self.addresses[name] = super().url(name, force)
        return self.addresses[name]

    @cached_property
    def stylesheets(self) -> dict[str, str]:
        """The names of style sheets as in joined addresses, by URL: `table` and `eight_minute/cards`."""
        names = [name for name in self.hashed_files if name.startswith("css/") and name.endswith(".css")]
        return {self.url(name): name.removeprefix("css/").removesuffix(".css") for name in names}


@lru_cache(maxsize=1000)
def join_stylesheets(links: str) -> SafeString:
    """Return one link element instead of these. In development they stay, one for each file.

    The address lists the style sheets, so that every web process can answer it. Its digest is that of the content.
    """
    if isinstance(staticfiles_storage, KnownStaticFiles):
        names = [staticfiles_storage.stylesheets.get(url, "") for url in LINK.findall(links)]
        if all(names):
            last = tuple(reversed(dict.fromkeys(reversed(names))))  # of two links to one sheet, the second counts
            digest, _content = stylesheet(last)
            rest = LINK.sub("", links).strip()
            return mark_safe(f'<link rel="stylesheet" href="{JOINED}{digest}/{"+".join(last)}.css">{rest}')
    return mark_safe(links)


@lru_cache(maxsize=100)
def stylesheet(names: tuple[str, ...]) -> tuple[str, bytes]:
    """Return these style sheets as one, after its digest. Raises `KeyError` if one does not exist."""
    storage: Any = staticfiles_storage
    urls = {name: url for url, name in storage.stylesheets.items()}
    parts = []
    for name in names:
        url = urls[name]
        with storage.open(storage.hashed_files[f"css/{name}.css"]) as file:
            content = file.read().decode()
        parts.append(RELATIVE.sub(lambda match, url=url: f'url("{urljoin(url, match[1])}")', content))  # type: ignore[misc]
    content = "\n".join(parts).encode()
    return hashlib.sha256(content).hexdigest()[:12], content


def joined_stylesheets(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer requests for joined style sheets before sessions and languages make an answer vary."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(JOINED) or not isinstance(staticfiles_storage, KnownStaticFiles):
            return get_response(request)
        requested, _, listed = request.path_info.removeprefix(JOINED).removesuffix(".css").partition("/")
        names = tuple(listed.split("+"))
        if not set(names) <= set(staticfiles_storage.stylesheets.values()) or len(set(names)) < len(names):
            return get_response(request)  # which answers 404
        digest, content = stylesheet(names)
        # During an update a page of one version may ask a process of another: it must not keep that answer
        headers = {"Cache-Control": FOREVER if digest == requested else "no-cache"}
        return HttpResponse(content, content_type="text/css; charset=utf-8", headers=headers)

    return middleware


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
            "lang": get_language() or settings.LANGUAGE_CODE,
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
