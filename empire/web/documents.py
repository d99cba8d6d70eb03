"""Pages from the same source as a document in docs: privacy, the terms of use, the rules of conduct, accessibility.

Each heading, paragraph, list item and cell is one text for translators. Where a document names a number of days with
its setting, as in "90 days (`KEEP_NOTICES`)", the page shows what this site has set.

References for programmers are pages in English only. Their addresses end in the names of their files, so that links
between them work on the site as in the folder docs.
"""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, gettext_noop, ngettext
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink"])
DAYS = re.compile(r"\d+ days \(`((?:KEEP|NEW_ACCOUNT|NEW_TERMS)_[A-Z_]+)`\)")
DOCUMENTS = ("privacy", "terms", "conduct", "accessibility")
REFERENCE_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
REFERENCES = ("bots.md", "record.md", "standings.md", "webhooks.md")
REFERENCE_FILES = {
    "example_bot.py": "text/plain", "bots.schema.json": "application/json", "record.schema.json": "application/json"
}  # fmt: skip


class Change(NamedTuple):
    """A new version of a document that people accept, and the day it was written. `summary` says what is new."""

    document: str
    version: int
    on: date
    summary: str


# A text that changes needs another version here. People who accepted an earlier one are asked (`accounts.acceptance`)
CHANGES = (
    Change(
        "terms", 2, date(2026, 11, 26),
        gettext_noop(
            "When these texts change, you are asked to accept them before you start more games. Deleting an account"
            " doesn’t end a suspension."
        ),
    ),
    Change(
        "conduct", 2, date(2026, 11, 26),
        gettext_noop("People who can’t write in chats for a while can’t write anything else that others read, either."),
    ),
)  # fmt: skip
VERSIONS = {
    name: max([1, *(change.version for change in CHANGES if change.document == name)]) for name in ("terms", "conduct")
}


@cache
def source(file: str) -> str:
    return (settings.BASE_DIR / "docs" / file).read_text(encoding="utf-8")


def _text(token: Token) -> str:
    return DAYS.sub(r"{\1}", " ".join(token.content.split()))


def texts(name: str) -> Iterator[str]:
    """Yield the texts of a document for translators."""
    tokens = MARKDOWN.parse(source(f"{name}.md"))
    yield from (_text(token) for token in tokens if token.type == "inline" and token.content)


@cache
def html(name: str, language: str, *kept: tuple[str, int]) -> SafeString:
    """Return the document in the language, which is active, with these numbers of days by setting."""
    days = {setting: ngettext("%(n)d day", "%(n)d days", n) % {"n": n} for setting, n in kept}
    tokens = MARKDOWN.parse(source(f"{name}.md"))
    for token in tokens:
        if token.type == "inline" and token.content:
            translation = gettext(_text(token)).format_map(days)
            token.children = MARKDOWN.parseInline(translation)[0].children
    return mark_safe(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    if name not in DOCUMENTS:
        raise Http404
    kept = [(setting, getattr(settings, setting)) for setting in sorted(set(DAYS.findall(source(f"{name}.md"))))]
    context = {"name": name, "page": html(name, get_language(), *kept), "version": VERSIONS.get(name)}
    return render(request, "empire/document.html", context)


@cache
def reference_html(file: str) -> SafeString:
    """Return the reference as HTML, in which tables that are wider than the page can be scrolled."""
    first, *others = REFERENCE_MARKDOWN.render(source(file)).split("<table>")
    opened = '<div class="table-wrap" tabindex="0" role="region" aria-label="Table {n}"><table>'
    page = first + "".join(opened.format(n=n) + other for n, other in enumerate(others, 1))
    return mark_safe(page.replace("</table>", "</table></div>"))


@require_safe
def reference(request: HttpRequest, file: str) -> HttpResponse:
    """Show a reference for programmers, or a file that one of them links to."""
    if file in REFERENCE_FILES:
        return HttpResponse(source(file), content_type=f"{REFERENCE_FILES[file]}; charset=utf-8")
    if file not in REFERENCES:
        raise Http404
    title = source(file).partition("\n")[0].removeprefix("# ")
    return render(request, "empire/document.html", {"name": file, "title": title, "page": reference_html(file)})
