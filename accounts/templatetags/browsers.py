"""A filter for readable names of browsers, and ways back for people who confirm who they are, sign in or sign up."""

from urllib.parse import urlencode

from django import template
from django.template import Context

from accounts.http import browser_name, way_back

register = template.Library()
register.filter(browser_name)


@register.simple_tag(takes_context=True, name="way_back")
def way_back_of(context: Context) -> str:
    """Return the page from which the reader came."""
    return way_back(context["request"])


@register.simple_tag(takes_context=True)
def back_to_table(context: Context) -> str:
    """Return the query of a link to sign in or up that leads back to this page if it is that of a table, else empty.

    Other pages offer their own links where people want to come back. Addresses of some have secrets in them.
    """
    request = context["request"]
    is_table = request.method == "GET" and request.resolver_match and request.resolver_match.url_name == "table"
    return f"?{urlencode({'next': request.path})}" if is_table else ""
