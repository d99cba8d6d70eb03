"""Filters that every template has: names that the data of the rules has in English, and days in a language's order.

The tag `colon` is a colon as the reader's language writes it. The tag `url` is Django's, with addresses that each
process remembers.
"""

from datetime import date as day
from functools import lru_cache
from typing import Any

from django import template
from django.template import defaultfilters, defaulttags
from django.template.base import Node, Parser, Token
from django.template.context import Context
from django.urls import get_script_prefix, reverse
from django.utils.html import escape
from django.utils.translation import gettext

from empire.dates import localized
from empire.web.languages import display_name

register = template.Library()


@register.filter
def translated(name: str) -> str:
    return gettext(name)


register.filter(display_name)


@register.simple_tag
def colon() -> str:
    """Return a colon, with the no-break space before it in French. Use it between two values, outside of sentences."""
    return gettext("{label}: {text}").format(label="", text="").rstrip()


@register.filter(expects_localtime=True, is_safe=False)
def date(value: Any, form: str | None = None) -> Any:
    """Format a day or a time as Django's filter does, with its parts in the order of the reader's language."""
    return localized(value, form) if form and isinstance(value, day) else defaultfilters.date(value, form)


@register.tag
def url(parser: Parser, token: Token) -> Node:
    url_node = defaulttags.url(parser, token)
    return AddressNode(url_node.view_name, url_node.args, url_node.kwargs, url_node.asvar)


class AddressNode(defaulttags.URLNode):
    """A `{% url %}`. Django searches for the pattern each time; a page has dozens of addresses."""

    def render(self, context: Context) -> str:
        name = self.view_name.resolve(context)
        if self.kwargs or self.asvar or ":" in name or not context.autoescape:  # a namespace depends on the request
            return super().render(context)
        values = [argument.resolve(context) for argument in self.args]
        if not all(isinstance(value, str | int) for value in values):
            return super().render(context)
        return _address(get_script_prefix(), name, *values)


@lru_cache(maxsize=4096, typed=True)
def _address(prefix: str, name: str, *args: str | int) -> str:
    return escape(reverse(name, args=args))
