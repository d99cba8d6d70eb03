"""Requests: their types with the attributes that our middleware sets, submitted ids, and readable names of browsers."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import gettext
from django_htmx.middleware import HtmxDetails

from accounts.models import User

BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
            ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"))  # fmt: skip
SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
           ("CrOS", "ChromeOS"), ("Mac OS X", "Mac"), ("Linux", "Linux"))  # fmt: skip


class Request(HttpRequest):
    """Any request. `guest` is the guest who is signing up or in, see `accounts.middleware`."""

    user: User | AnonymousUser
    guest: User | None
    htmx: HtmxDetails


class SignedInRequest(Request):
    user: User


def posted_id(request: HttpRequest, name: str) -> int:
    """Return the id in a submitted field; 0, which nothing has, if it is not a number."""
    given = request.POST.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 19 else 0


def browser_name(agent: str) -> str:
    """Return a name such as `Chrome on Android`. The order matters: most browsers name others in the header too."""
    browser = next((name for sign, name in BROWSERS if sign in agent), gettext("Browser"))
    system = next((name for sign, name in SYSTEMS if sign in agent), "")
    return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system} if system else browser
