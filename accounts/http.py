"""Requests as our middleware leaves them, for the type checker."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class Request(HttpRequest):
    """Anybody's. `guest` is who asks at the door to sign up or in, see `accounts.middleware`."""

    user: User | AnonymousUser
    guest: User | None
    htmx: HtmxDetails


class SignedInRequest(Request):
    user: User
