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
def returning(context: Context) -> str:
    """Return the query of a link to sign in or up that leads back to this page, empty if nobody would want that."""
    request = context["request"]
    is_wanted = request.method == "GET" and request.path != "/" and not request.path.startswith("/accounts/")
    return f"?{urlencode({'next': request.get_full_path()})}" if is_wanted else ""
