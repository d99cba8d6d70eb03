"""Filters and tags for signing in and up: names of browsers, second factors, and links that lead back."""

from urllib.parse import urlencode

from allauth.mfa.models import Authenticator
from django import template
from django.template import Context

from accounts.http import browser_name, way_back
from accounts.models import User

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


@register.simple_tag
def factors_of(user: User) -> set[str]:
    """Return the kinds of the person's second factors, such as `totp` and `webauthn`."""
    return set(Authenticator.objects.filter(user=user).values_list("type", flat=True))
