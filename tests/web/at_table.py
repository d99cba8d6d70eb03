"""Somebody at a table, pressing what the page shows."""

import re
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client

from games.tables.models import Game
from tests.web.reading import controls, seq, text

WITH_AND_WITHOUT_SCRIPT = pytest.mark.parametrize("htmx", [False, True], ids=["forms alone", "htmx"])


class AtTable:
    """A reader of a table, in a browser of their own."""

    def __init__(self, browser: Client, game: Game) -> None:
        self.browser, self.url = browser, game.get_absolute_url()

    def look(self, query: str = "") -> HttpResponse:
        return self.browser.get(self.url + query)

    def press(self, form: str, **fields: object) -> HttpResponse:
        if "seq" not in fields:
            fields["seq"] = seq(self.look())
        return self.browser.post(self.url + form, fields, follow=True)


def offered(answer: HttpResponse, verb: str = "") -> list[str]:
    """The actions on the buttons of the page, those with that verb or all."""
    pressed = [one["value"] for one in controls(answer) if one.get("name") == "action" and one.get("type") == "submit"]
    return [action for action in pressed if action.startswith(verb)]


def picks(answer: HttpResponse, what: str) -> list[str]:
    """Where the links lead that pick a side, a place or a token."""
    found = re.findall(rf'<a [^>]*href="([^"#]*)#hand"[^>]*id="{what}-[^"]+"', text(answer))
    return [unescape(query) for query in found]


def ids_there_twice(answer: HttpResponse) -> set[str]:
    ids = re.findall(r'\sid="([^"]+)"', text(answer))
    return {one for one in ids if ids.count(one) > 1}
