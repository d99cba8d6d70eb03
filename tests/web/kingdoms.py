"""Tables of Kingdoms for the tests of its page: set to a position in a few words, then read and played by forms."""

import re
from html import unescape

import msgspec
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.rules.kingdoms import actions
from games.rules.kingdoms.state import State, to_act
from games.rules.protocol import IllegalAction
from games.tables.models import Entry, Game, Seat, Snapshot
from tests.cast import again, state_of, submit, table_of, wait_for
from tests.kept import kept_if_first
from tests.rules.kingdoms.positions import spelt
from tests.web.reading import controls

ASK = {"defend": "ask", "protect": "ask"}  # so that the table waits for answers


def kingdoms_of(*people: User, **options: object) -> Game:
    """A table of these people, begun; no standing orders answer for them."""

    def play() -> Game:
        game = table_of(*people, ruleset="kingdoms", options=options)
        Seat.objects.filter(game=game).update(orders=ASK)
        return game

    return kept_if_first("kingdoms", timezone.now().date(), people, *options.items(), play=play)


def put(game: Game, state: State) -> Game:
    """Set the table to this position, whatever its log says."""
    Snapshot.objects.filter(game=game).update(state=msgspec.json.encode(state).decode(), seq=again(game).seq)
    return wait_for(game, to_act(state))


def did(game: Game, seat: int, *texts: str) -> Game:
    """Submit these actions, written in the short names of positions."""
    for text in texts:
        submit(game, seat, spelt(state_of(game), seat, text))
    return again(game)


def last_actions(game: Game) -> list[str]:
    return Entry.objects.filter(game=game).latest("seq").actions


class AtKingdoms:
    """A reader at a table who picks cards and presses buttons."""

    def __init__(self, browser: Client, game: Game, seat: int | None = None) -> None:
        self.browser, self.game, self.seat, self.url = browser, game, seat, game.get_absolute_url()

    @property
    def seq(self) -> int:
        """The latest entry, on which the page that is pressed was drawn."""
        return again(self.game).seq

    def spelt(self, text: str) -> str:
        """The action's text as pages spell it. Nonsense stays as it is."""
        assert self.seat is not None
        words = spelt(state_of(self.game), self.seat, text)
        try:
            return actions.text(actions.parse(words))
        except IllegalAction:
            return words

    def look(self, query: str = "", **headers: str) -> HttpResponse:
        return self.browser.get(self.url + query, headers=headers)

    def pick(self, action: str) -> HttpResponse:
        """Return the page with the cards of an action picked, as by their checkboxes."""
        words = [word for word in re.split(r"[ +]", action) if "-" in word]
        if action.startswith("boss "):
            words = [f"boss-{action.split(' ')[1]}"]
        return self.look("?" + "&".join(f"c={word}" for word in words))

    def post(self, form: str, **fields: object) -> HttpResponse:
        return self.browser.post(self.url + form, {"seq": self.seq, **fields}, follow=True)

    def press(self, action: str, page: HttpResponse) -> HttpResponse:
        """Press the button of that action on the page."""
        button = next(control for control in controls(page) if control.get("value") == action)
        address = button.get("formaction") or self.url + "step"
        return self.browser.post(address, {"seq": self.seq, "action": action}, follow=True)

    def confirm(self, page: HttpResponse) -> HttpResponse:
        whole = next(
            control for control in controls(page) if control.get("type") == "hidden" and control.get("name") == "action"
        )
        return self.post("submit", action=whole["value"], sure="1")

    def sure(self, page: HttpResponse) -> HttpResponse:
        """Answer the question before the end of the turn, if the page asks it."""
        return self.confirm(page) if 'id="end-turn"' in page.content.decode() else page


def headline(page: HttpResponse) -> str:
    match = re.search(r"<h1[^>]*>([^<]*)</h1>", page.content.decode())
    return unescape(match[1]) if match else ""
