"""Request types with the attributes that our middleware sets, for the type checker."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class Request(HttpRequest):
    """Any request. `guest` is the guest who is signing up or in, see `accounts.middleware`."""

    user: User | AnonymousUser
    guest: User | None
    htmx: HtmxDetails


class SignedInRequest(Request):
    user: User
