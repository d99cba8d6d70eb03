"""A filter for readable names of browsers, and the link back for people who have to confirm who they are."""

from django import template
from django.template import Context

from accounts.http import browser_name, way_back

register = template.Library()
register.filter(browser_name)


@register.simple_tag(takes_context=True, name="way_back")
def way_back_of(context: Context) -> str:
    """Return the page from which the reader came."""
    return way_back(context["request"])
