"""A reader at a table who presses what the page shows; the way there is played once by each worker."""

import re
from collections.abc import Hashable
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.tables.models import Game
from tests.cast import again, in_turns
from tests.kept import kept_if_first
from tests.web.reading import controls, text

WITH_AND_WITHOUT_SCRIPT = pytest.mark.parametrize("htmx", [False, True], ids=["forms alone", "htmx"])


class AtTable:
    """A reader of a table, in a separate browser."""

    def __init__(self, browser: Client, game: Game) -> None:
        self.browser, self.game, self.url = browser, game, game.get_absolute_url()

    def look(self, query: str = "") -> HttpResponse:
        return self.browser.get(self.url + query)

    def press(self, form: str, **fields: object) -> HttpResponse:
        """Post a form of the page. Unless `seq` says otherwise, the page was drawn on the latest entry."""
        if "seq" not in fields:
            fields["seq"] = again(self.game).seq
        return self.browser.post(self.url + form, fields, follow=True)


def first_turn(*people: User, **more: Hashable) -> Game:
    """A table like `in_turns`: seat 0 takes the first turn. The first one of a test is kept for others that day."""
    key = ("first turn", timezone.now().date(), people, *more.items())
    return kept_if_first(*key, play=lambda: in_turns(*people, **more))


def offered(answer: HttpResponse, verb: str = "") -> list[str]:
    """The actions on the buttons of the page: those that start with `verb`, or all."""
    pressed = [
        control["value"]
        for control in controls(answer)
        if control.get("name") == "action" and control.get("type") == "submit"
    ]
    return [action for action in pressed if action.startswith(verb)]


def pick_links(answer: HttpResponse, kind: str) -> list[str]:
    """The addresses of the links that pick a side, a place or a token."""
    queries = re.findall(rf'<a [^>]*href="([^"#]*)#hand"[^>]*id="{kind}-[^"]+"', text(answer))
    return [unescape(query) for query in queries]


def repeated_ids(answer: HttpResponse) -> set[str]:
    ids = re.findall(r'\sid="([^"]+)"', text(answer))
    return {element_id for element_id in ids if ids.count(element_id) > 1}
