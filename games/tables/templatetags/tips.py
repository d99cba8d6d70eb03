"""Tips: a small button next to a word or card that opens its explanation, the same text as on the rules pages.

`{% tip "legends" "token" "magic-book" %}` shows a question mark; with `label` the label is the button. If a page shows
two tips for the same term, each needs a different `at`. The popover is the browser's own, without a script; browsers
without popovers show a link to the rules.
"""

from functools import lru_cache
from html import escape  # Django's takes thirty times as long

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.help.glossary import find
from games.tables.templatetags.parts import DIGEST, copied, marked

register = template.Library()

PLACE, WORDS = "~at~", "~words~"  # placeholders in the cached text: for the unique part of the id, and what it says


@register.simple_tag(takes_context=True)
def tip(context: Context, ruleset: str, kind: str, term: str, *at: object, label: str = "") -> SafeString:
    """Render the button and its popover; only the label if the game does not have the term.

    What it says is left out if the page has it, wherever that is.
    """
    around, words, digest = _drawn(ruleset, kind, term, label, get_language())
    if not words:
        return mark_safe(around)
    around = around.replace(PLACE, escape("-".join(map(str, at))))
    return mark_safe(around.replace(WORDS, copied(context, words, digest)))


@lru_cache(maxsize=1024)
def _drawn(ruleset: str, kind: str, term: str, label: str, language: str) -> tuple[str, str, str]:
    """Return the tip with placeholders, what it says, and the digest of that. A game that lacks the term has no tip."""
    try:
        explained = find(ruleset, kind, term)
    except KeyError:
        return escape(label), "", ""
    context = {"term": explained, "at": PLACE, "label": label, "words": WORDS}
    around = render_to_string("help/_tip.html", context).strip()
    return around, *marked(render_to_string("help/_tip_words.html", {"term": explained, "digest": DIGEST}).strip())
