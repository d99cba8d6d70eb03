"""Requests: their types with the attributes that our middleware sets, numbers and addresses in them, and browsers."""

import json
from datetime import timedelta
from urllib.parse import urlsplit

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme
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


AGAIN = timedelta(minutes=1)  # for how long a form that is sent again makes nothing new
MOST_DIGITS = 18  # of an id that every database can look up


def whole_number(text: str, digits: int = MOST_DIGITS) -> int | None:
    """Parse a number that a browser sent; None if it has more digits, or if the text is anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def posted_id(request: HttpRequest, name: str) -> int:
    """Return the id in a submitted field; 0, which nothing has, if it is not a number."""
    return whole_number(request.POST.get(name, "")) or 0


def form_digest(request: HttpRequest) -> str:
    """Return a digest of the submitted form. Two submissions have the same digest only if one form was sent twice.

    Forms get another CSRF token each time a page is shown, and each browser has its own secret for these tokens. The
    digest is empty if the form has no token, as in requests of htmx, which sends it in a header.
    """
    secret = request.META.get("CSRF_COOKIE")
    if not secret or "csrfmiddlewaretoken" not in request.POST:
        return ""
    fields = json.dumps([secret, request.path, sorted(request.POST.lists())])
    return salted_hmac(__name__, fields, algorithm="sha256").hexdigest()


def own_path(request: HttpRequest, address: str) -> str:
    """Return the path and query of an address of this site; empty for any other address."""
    if not url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure()):
        return ""
    path = urlsplit(address)._replace(scheme="", netloc="").geturl()
    # Browsers take what begins with two slashes, or a slash and a backslash, for another site
    return path if path.startswith("/") and url_has_allowed_host_and_scheme(path, None) else ""


def way_back(request: HttpRequest) -> str:
    """Return the page from which someone came who has to confirm who they are. `back` is passed on from page to page.

    It is the page with their settings if the page is unknown, or would ask for the same confirmation again.
    """
    asked = request.POST if request.method == "POST" else request.GET
    path = own_path(request, asked.get("back") or request.headers.get("Referer", ""))
    asking = {request.path, urlsplit(own_path(request, asked.get("next", ""))).path}
    page = urlsplit(path).path
    return reverse("preferences") if page in asking or "/reauthenticate/" in page or not page else path


def browser_name(agent: str) -> str:
    """Return a name such as `Chrome on Android`. The order matters: most browsers name others in the header too."""
    browser = next((name for sign, name in BROWSERS if sign in agent), gettext("Browser"))
    system = next((name for sign, name in SYSTEMS if sign in agent), "")
    return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system} if system else browser
