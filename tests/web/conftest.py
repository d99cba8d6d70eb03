"""Readers of the site, each with a separate browser that requests pages, or fragments as htmx does."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from games.tables.models import Game
from tests.web.at_table import AtTable

Come = Callable[..., Client]


@pytest.fixture
def come(db) -> Come:
    """Return the browser of a signed-in user, or of a visitor. With `htmx` it sends HX-Request."""

    def browser(user: User | None = None, *, htmx: bool = False) -> Client:
        client = Client(headers={"HX-Request": "true"} if htmx else None)
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return browser


@pytest.fixture
def sit(come: Come) -> Callable[..., AtTable]:
    """Return a reader who looks at a table and presses what it shows."""

    def at(user: User | None, game: Game, *, htmx: bool = False) -> AtTable:
        return AtTable(come(user, htmx=htmx), game)

    return at
