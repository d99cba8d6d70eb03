"""Tips: a small button beside a word or a card that opens what the help says of it. One source with the rules pages.

`{% tip "legends" "token" "magic-book" %}` shows a question mark; with `label` the words themselves are the button. Two
tips for the same term on a page need an `at` each, words that tell them apart. The popover is the browser's, without
a script; where a browser has none a link to the rules stands instead.
"""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.help.glossary import find

register = template.Library()

PLACE = "~at~"  # where the id is told apart, in a text that is kept for all places


@register.simple_tag
def tip(ruleset: str, kind: str, term: str, *at: object, label: str = "") -> SafeString:
    """The button and what it opens; nothing for a term that the game does not have."""
    return mark_safe(_drawn(ruleset, kind, term, label, get_language()).replace(PLACE, escape("-".join(map(str, at)))))


@lru_cache(maxsize=1024)
def _drawn(ruleset: str, kind: str, term: str, label: str, language: str) -> str:
    try:
        context = {"term": find(ruleset, kind, term), "at": PLACE, "label": label}
    except KeyError:
        return escape(label)
    return render_to_string("help/_tip.html", context).strip()
