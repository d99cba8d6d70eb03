"""Rules texts of organizers: a safe subset of Markdown as HTML.

Headings, paragraphs, lists, quotes, code, emphasis and links. HTML is shown as text. Images are left out, because no
page of this site may make its readers' browsers ask another site for anything. What the parser writes is cleaned once
more, so that a hole in one of the two libraries is not enough.
"""

from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

HIGHEST = 3  # the first heading of a text is an h3, because there is an h2 above it on the page
LOWEST = 5
TAGS = {"a", "blockquote", "br", "code", "em", "h3", "h4", "h5", "hr", "li", "ol", "p", "pre", "strong", "ul"}
MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable("image")


@lru_cache(256)
def html(text: str) -> SafeString:
    """Return the text as HTML for a page."""
    tokens = MARKDOWN.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + HIGHEST - 1, LOWEST)}"
    rendered = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return mark_safe(
        nh3.clean(
            rendered, tags=TAGS, attributes={"*": set(), "a": {"href"}, "ol": {"start"}},
            url_schemes={"http", "https", "mailto"}, link_rel="noopener noreferrer nofollow ugc",
        )
    )  # fmt: skip
