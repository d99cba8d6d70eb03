"""Tips: a small button next to a word or card that opens its explanation, the same text as on the rules pages.

`{% tip "legends" "token" "magic-book" %}` shows a question mark; with `label` the label is the button. If a page shows
two tips for the same term, each needs a different `at`. The popover is the browser's own, without a script; browsers
without popovers show a link to the rules.
"""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.help.glossary import find

register = template.Library()

PLACE = "~at~"  # placeholder in the cached text for the unique part of the id


@register.simple_tag
def tip(ruleset: str, kind: str, term: str, *at: object, label: str = "") -> SafeString:
    """Render the button and its popover; only the label if the game does not have the term."""
    return mark_safe(_drawn(ruleset, kind, term, label, get_language()).replace(PLACE, escape("-".join(map(str, at)))))


@lru_cache(maxsize=1024)
def _drawn(ruleset: str, kind: str, term: str, label: str, language: str) -> str:
    try:
        context = {"term": find(ruleset, kind, term), "at": PLACE, "label": label}
    except KeyError:
        return escape(label)
    return render_to_string("help/_tip.html", context).strip()
