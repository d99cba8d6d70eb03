"""The sizes of answers at tables, as sent: random games of every family and number of players, played as by pages.

Each request says what its page has, as `table.js` does. Answers to a step, to a selection of a step and to a sent turn
are measured, except the last one of a game, which brings the result.
"""

import gzip
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import timedelta
from html import unescape
from random import Random
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpResponse, HttpResponseBase
from django.test import Client
from django.utils import timezone

from accounts.models import User
from empire.web.static_files import release
from games.rules.fairness import Quick
from games.rules.play import Walk, walk
from games.rules.registry import get
from games.tables.models import Game, Seat
from games.tables.selectors import position
from games.tables.selectors.table import HEAD_DIGITS
from games.tables.services import lobby
from tests.bench import Row
from tests.bench.rules import everything

BUDGET = 8192  # bytes
STEPS = 40  # of a turn; a longer one is ended
REQUESTS = 1200  # of a game; a longer one is left


class Answer(NamedTuple):
    """The answer to one request: `kind` is step, look or submit."""

    kind: str
    size: int
    content: str


class Case(NamedTuple):
    name: str
    ruleset: str
    players: int
    options: Mapping[str, Any]


def cases() -> list[Case]:
    """Return every family with every number of players that has one page each, plain and with every variant."""
    every_case = []
    for ruleset in ("legends", "prototype", "classic"):
        full, rules = everything(ruleset), get(ruleset)
        kinds = {"": {}, ", every variant": full}
        if ruleset == "legends":
            kinds[", every variant, by hand"] = {**full, "setup": "by-hand"}
        for players in rules.seat_counts:
            every_case += [
                Case(f"{rules.name} for {players}{kind}", ruleset, players, chosen) for kind, chosen in kinds.items()
            ]
    every_case += [Case(f"{get('kingdoms').name} for {players}", "kingdoms", players, {}) for players in range(2, 9)]
    return every_case


def people_for_all() -> list[User]:
    """Return players who are no longer new, so that they may open any number of tables."""
    joined = timezone.now() - timedelta(days=settings.NEW_ACCOUNT_DAYS + 1)
    return [
        User.objects.create(username=f"Player {n}", email=f"p{n}@example.org", date_joined=joined) for n in range(8)
    ]


def rows(seed: int) -> Iterator[Row]:
    """Yield the largest answers of a random game of each kind, in bytes."""
    people = people_for_all()
    for case in cases():
        sizes = defaultdict(list)
        for answer in played(case, people, seed):
            sizes[answer.kind].append(answer.size)
        measured = ", ".join(f"{kind} {max(sizes[kind]):,} of {len(sizes[kind])}" for kind in sorted(sizes))
        yield Row(case.name, measured, f"{BUDGET:,}")


def played(case: Case, people: list[User], seed: int) -> Iterator[Answer]:
    """Play a random game as its pages do, and yield the answers. Half of the seats leave nothing to standing orders."""
    chance = Random(f"{case.name} {seed}")
    game = lobby.open_table(
        user=people[0], ruleset=case.ruleset, players=case.players, options=case.options, listed=True
    )
    for user in people[1 : case.players]:
        lobby.join_table(game=game, user=user, invite=game.invite_token)
    if game.rules.order_fields():
        for seat in Seat.objects.filter(game=game, number__lt=case.players // 2):
            Seat.objects.filter(pk=seat.pk).update(orders={"defend": "ask", "protect": "ask"})
    browsers = {user.pk: Browser(user, game) for user in people[: case.players]}
    left = REQUESTS
    while left > 0:
        game = Game.objects.select_related("snapshot").get(pk=game.pk)
        if not game.is_running:
            return
        seat = chance.choice([seat for seat in Seat.objects.filter(game=game).order_by("number") if seat.owes])
        assert seat.user_id is not None
        for answer in browsers[seat.user_id].take_turn(seat.number, chance):
            left -= 1
            yield answer


class Browser:
    """A player with an open page."""

    def __init__(self, user: User, game: Game) -> None:
        self.client, self.url, self.game = Client(headers={"Accept-Encoding": "gzip"}), game.get_absolute_url(), game
        self.client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])

    def take_turn(self, seat: int, chance: Random) -> Iterator[Answer]:
        """Take a random turn, step by step. The answer that ends the game is not measured."""
        if chance.random() < 0.5:
            self.client.get(self.url)  # opened just now, not updated by news
        game = Game.objects.select_related("snapshot").get(pk=self.game.pk)
        rules, source = game.rules, Quick(chance.randrange(1 << 32))
        state = position.current(game, list(Seat.objects.filter(game=game).order_by("number")), game.snapshot)
        here, end, before = Walk(state), "", ""
        laid: list[str] = []
        while not here.is_closed and rules.legal(here.state, seat):
            ends = rules.end_of_turn(here.state, seat)
            end = rules.text(ends) if ends else ""
            is_long = end and len(laid) >= STEPS
            action = end if is_long else rules.text(rules.random_action(here.state, seat, source))
            here, before = walk(rules, state, seat, [*laid, action]), ";".join(laid)
            if action != end and not here.needs_chance and not rules.sealed(state):
                yield from self.look(chance)
                answer = self.post("step", game, laid=before, action=action)
                yield answer
                if 'id="sure-words"' in answer.content:
                    yield self.post("step", game, laid=before, action=action, sure="1")
                before = ";".join([*laid, action])
            laid.append(action)
        answer = self.post("submit", game, laid=before, action=";".join(laid), sure="1")
        if Game.objects.get(pk=game.pk).is_running:
            yield answer

    def page(self) -> tuple[str, dict[str, str]]:
        """Return the page as it is now, and what it says about itself with each request."""
        page = text(self.client.get(self.url, headers={"HX-Request": "true", "HX-Target": "table"}))
        land = re.search(r'data-land="([^"]*)"', page)
        parts = " ".join(re.findall(r'data-drawn="(\w+)"', page))
        htmx = {"HX-Request": "true", "HX-Target": "table", "Release": release(), "Parts": parts}
        return page, htmx | ({"Land": unescape(land[1])} if land else {})

    def look(self, chance: Random) -> Iterator[Answer]:
        """Follow a link that selects something, as the page requests it."""
        page, headers = self.page()
        if links := [unescape(link) for link in re.findall(r'hx-get="([^"]*laid=[^"]*)"', page)]:
            link = chance.choice(links)
            answer = self.client.get(link if link.startswith("/") else self.url + link, headers=headers)
            yield Answer("look", len(answer.content), text(answer))

    def post(self, form: str, game: Game, **fields: str) -> Answer:
        """Post a form of the page."""
        _page, headers = self.page()
        sent = {"seq": game.seq, "head": game.head[:HEAD_DIGITS], **fields}
        answer = self.client.post(f"{self.url}{form}", sent, headers=headers)
        page_text = text(answer)
        assert 'id="alert"' not in page_text, (form, sent, re.findall(r'id="alert"[^>]*>([^<]*)', page_text))
        return Answer(form, len(answer.content), page_text)


def text(answer: HttpResponseBase) -> str:
    assert isinstance(answer, HttpResponse)
    packed = answer.headers.get("Content-Encoding") == "gzip"
    return (gzip.decompress(answer.content) if packed else answer.content).decode()
