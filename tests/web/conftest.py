"""Readers of the site: each comes with a browser of their own, which asks for pages, or for fragments as htmx does."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User

Come = Callable[..., Client]


@pytest.fixture
def come(db) -> Come:
    """The browser of somebody signed in, or of a newcomer; with `htmx` it sends HX-Request."""

    def browser(user: User | None = None, *, htmx: bool = False) -> Client:
        client = Client(headers={"HX-Request": "true"} if htmx else None)
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return browser
