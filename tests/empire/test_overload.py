"""More requests than the site can answer: turns before pages, refreshes and pictures, and the rest is refused in time.

What is refused can be sent again as it was, and the site recovers when the load ends.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from itertools import cycle
from statistics import median
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest
from django.conf import settings as site_settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client

from accounts.models import User
from empire.web.handler import PATIENCE, Pages, Room, Urgency, urgency
from games.tables.models import Game
from tests.cast import again, in_turns, person, some_turn
from tests.empire.test_room import HEAD, elsewhere, keep
from tests.running import ROOT, answer, free_port, until

TOKEN = "c" * 32
FORM = (b"content-type", b"application/x-www-form-urlencoded")
HTML = (b"accept", b"text/html,*/*;q=0.8")


class Said(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


class Crowd:
    """A process with one place, which is taken until `go`. `seen` are the paths that were answered, in their order."""

    def __init__(self) -> None:
        self.pages = Pages(1)
        self.seen: list[str] = []
        self.go = False
        self.refuse = self.pages._middleware_chain
        self.pages._middleware_chain = self.page

    def page(self, request: HttpRequest) -> HttpResponse:
        if "is_refused" in request.scope:  # type: ignore[attr-defined]
            return self.refuse(request)
        self.seen.append(request.path)
        while not self.go:
            time.sleep(0.01)
        return HttpResponse("here")

    async def take_the_place(self) -> asyncio.Task[Said]:
        first = asyncio.create_task(ask(self.pages, "/first/"))
        while not self.seen:
            await asyncio.sleep(0.01)
        return first


async def ask(pages: Pages, path: str, *headers: tuple[bytes, bytes], form: dict[str, str] | None = None) -> Said:
    whole = [{"type": "http.request", "body": urlencode(form or {}).encode(), "more_body": False}]
    messages: list[dict] = []

    async def receive() -> dict:
        return whole.pop() if whole else await asyncio.Event().wait()

    method = "GET" if form is None else "POST"
    host = (b"host", b"localhost")
    await pages({**HEAD, "method": method, "path": path, "headers": [host, *headers]}, receive, keep(messages))
    start, body = messages
    headers_by_name = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    return Said(start["status"], headers_by_name, body["body"].decode())


def test_turns_are_answered_before_pages_pages_before_refreshes_and_these_before_pictures() -> None:
    crowd = Crowd()

    async def scenario() -> None:
        first = await crowd.take_the_place()
        paths = (
            "/games/a/board/3.svg",
            "/games/a/",
            "/lobby/",
            "/games/a/board/2.png",
            "/desk/",
            "/games/a/submit",
            "/games/b/decide",
        )
        others = []
        for path in paths:
            headers = [(b"refresh", b"1")] if path == "/games/a/" else []
            others.append(asyncio.create_task(ask(crowd.pages, path, *headers)))
            await asyncio.sleep(0.01)
        crowd.go = True
        await asyncio.gather(first, *others)

    elsewhere(scenario())
    turns, pages = ["/games/a/submit", "/games/b/decide"], ["/lobby/", "/desk/"]
    assert crowd.seen == ["/first/", *turns, *pages, "/games/a/", "/games/a/board/3.svg", "/games/a/board/2.png"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/games/bcdfghjk/submit", Urgency.TURN), ("/games/bcdfghjk/step", Urgency.TURN), ("/healthz", Urgency.TURN),
     ("/api/bot/games/bcdfghjk/turn", Urgency.TURN), ("/games/bcdfghjk/", Urgency.PAGE), ("/", Urgency.PAGE),
     ("/games/bcdfghjk/submit/", Urgency.PAGE), ("/x/games/bcdfghjk/submit", Urgency.PAGE),
     ("/boards/north:meadows:0.light.svg", Urgency.PAGE), ("/boards/kingdoms/3f2a.svg", Urgency.PAGE),
     ("/games/bcdfghjk/board/12.svg", Urgency.PICTURE), ("/rules/legends/emblem.svg", Urgency.PICTURE)],
)  # fmt: skip
def test_the_path_says_how_urgent_a_request_is(path, expected):
    assert urgency(path) is expected
    by_itself = urgency(path, [(b"host", b"testserver"), (b"refresh", b"1")])
    assert by_itself is (Urgency.REFRESH if expected is Urgency.PAGE else expected)


def while_full(*requests: Callable[[Pages], Awaitable[Said]]) -> tuple[list[Said], float]:
    """Send the requests one after the other to a process whose place is taken. Return the answers and the longest."""
    crowd = Crowd()

    async def scenario() -> tuple[list[Said], float]:
        first, answers, longest = await crowd.take_the_place(), [], 0.0
        for request in requests:
            began = time.monotonic()
            answers.append(await request(crowd.pages))
            longest = max(longest, time.monotonic() - began)
        crowd.go = True
        assert (await first).status == 200
        assert (await ask(crowd.pages, "/desk/")).status == 200, "the place is free again"
        return answers, longest

    answers, longest = elsewhere(scenario())
    assert crowd.seen == ["/first/", "/desk/"], "a refused request reaches no view"
    return answers, longest


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for level in Urgency:
        monkeypatch.setitem(PATIENCE, level, 0.2)


def test_a_request_is_refused_when_its_patience_ends(impatient):
    (page, picture), longest = while_full(
        lambda pages: ask(pages, "/desk/?by=clock", HTML), lambda pages: ask(pages, "/games/a/board/3.svg")
    )
    assert longest < 5 and page.status == picture.status == 503
    assert page.headers["cache-control"] == "no-store" and int(page.headers["retry-after"]) > 0
    assert "The site is busy" in page.text and "script-src 'self'" in page.headers["content-security-policy"]
    assert picture.headers["content-type"].startswith("text/plain")


def test_a_turn_is_refused_in_one_sentence_that_the_open_page_shows(impatient, caplog):
    htmx = (b"hx-request", b"true")
    (turn,), _ = while_full(lambda pages: ask(pages, "/games/a/submit", FORM, htmx, HTML, form={"seq": "3"}))
    assert turn.status == 503 and "Try again in a moment" in turn.text and "<" not in turn.text
    levels = [record.levelname for record in caplog.records if record.name != "django.security.csrf"]
    assert levels == ["WARNING"], "many refusals are one warning"


def test_without_javascript_the_form_comes_back_with_what_was_laid_out(impatient):
    cookie = (b"cookie", f"csrftoken={TOKEN}".encode())
    sent = {"seq": "3", "action": "take pine-spearman;done", "csrfmiddlewaretoken": TOKEN}
    own, foreign = {**sent}, {**sent, "csrfmiddlewaretoken": "d" * 32}
    (own_answer, foreign_answer), _ = while_full(
        lambda pages: ask(pages, "/games/a/submit", FORM, HTML, cookie, form=own),
        lambda pages: ask(pages, "/games/a/submit", FORM, HTML, cookie, form=foreign),
    )
    assert 'name="action" value="take pine-spearman;done"' in own_answer.text
    assert 'action="/games/a/submit"' in own_answer.text
    assert foreign_answer.status == 503, "another site must not prepare a turn"
    assert "pine-spearman" not in foreign_answer.text


def test_a_request_that_would_wait_too_long_is_refused_at_once():
    async def scenario() -> list[bool]:
        room = Room(1)
        assert await room.enter(Urgency.PAGE)
        room.leave(0.9)
        for _answer in range(40):
            assert await room.enter(Urgency.PAGE)
            room.leave(0.9)
        assert await room.enter(Urgency.PAGE)
        waiting = [asyncio.create_task(room.enter(Urgency.PAGE)) for _page in range(3)]
        await asyncio.sleep(0)
        began = time.monotonic()
        assert not await room.enter(Urgency.PAGE), "three before it would take 2.7 seconds"
        assert not await room.enter(Urgency.PICTURE)
        turn = asyncio.create_task(room.enter(Urgency.TURN))
        await asyncio.sleep(0)
        assert not turn.done() and time.monotonic() - began < PATIENCE[Urgency.PICTURE], "a turn waits for none of them"
        for _place in range(5):
            room.leave()
            await asyncio.sleep(0)
        return [await turn, *[await task for task in waiting]]

    assert elsewhere(scenario()) == [True] * 4


def test_places_are_not_lost_when_waiting_ends_early():
    async def scenario() -> int:
        room = Room(2)
        assert await room.enter(Urgency.PAGE)
        room.count_as_slow()
        assert await room.enter(Urgency.PAGE)
        waiting = [asyncio.create_task(room.enter(urgency)) for urgency in [*Urgency] * 3]
        await asyncio.sleep(0)
        for task in waiting[::2]:
            task.cancel()
        room.leave(was_slow=True)  # the first of those that wait has just been canceled
        room.leave()
        waiting[1].cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        entered = sum(not task.cancelled() and task.result() for task in waiting)
        for _place in range(entered):
            room.leave()
        return room.inside

    assert elsewhere(scenario()) == 0


# A real server

COOKIE = f"csrftoken={TOKEN}; sessionid="
AT_ONCE = 4  # requests that measure what the server bears
MEASURED, LOADED = 3.0, 8.0  # seconds
MIX = ("page", "picture", "turn", "page", "picture", "page", "picture")
TIMES = 2.5  # of what the server bears
RECOVERS_IN, QUICK = 10.0, 1.0
SLACK = 6.0  # seconds for a busy machine


class Seen(NamedTuple):
    kind: str
    status: int
    seconds: float


@pytest.fixture
def server(transactional_db) -> Iterator[int]:
    """The port of a web process on the database of this test."""
    database = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        there = {"DATABASE_URL": f"sqlite:///{database}"}
    else:
        there = {"DATABASE_URL": urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{database}").geturl()}
    there |= {"DEBUG": "1", "SECRET_KEY": site_settings.SECRET_KEY, "LOG_LEVEL": "ERROR"}
    port = free_port()
    command = [
        "-m",
        "uvicorn",
        "empire.asgi:application",
        "--lifespan",
        "off",
        "--port",
        str(port),
        "--log-level",
        "error",
    ]
    process = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=os.environ | there)
    try:
        assert until(lambda: is_up(port))
        yield port
    finally:
        process.terminate()
        process.wait(60)


def is_up(port: int) -> bool:
    try:
        return bool(answer(f"http://127.0.0.1:{port}/livez"))
    except OSError:
        return False


def requests_of(game: Game, user: User) -> dict[str, bytes]:
    """Return a turn (here: the undoing of a step), a page and a picture as the player's browser requests them."""
    browser = Client()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    usual = f"Host: localhost\r\nConnection: close\r\nCookie: {COOKIE}{browser.cookies['sessionid'].value}\r\n"
    body = urlencode({"seq": game.seq, "csrfmiddlewaretoken": TOKEN})
    typed = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
    here = game.get_absolute_url()
    return {
        "turn": f"POST {here}undo HTTP/1.1\r\n{usual}Hx-Request: true\r\n{typed}\r\n{body}".encode(),
        "page": f"GET {here} HTTP/1.1\r\n{usual}Accept: text/html\r\n\r\n".encode(),
        "picture": f"GET {game.thumbnail} HTTP/1.1\r\n{usual}\r\n".encode(),
    }


async def send(port: int, kind: str, request: bytes) -> Seen:
    began = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    status = int((await reader.readline()).split()[1])
    await reader.read()
    writer.close()
    return Seen(kind, status, time.monotonic() - began)


async def rate_of(port: int, sent: Mapping[str, bytes]) -> float:
    """Return how many requests of the mix a second the server bears."""
    end, done, kinds = time.monotonic() + MEASURED, 0, cycle(MIX)

    async def client() -> None:
        nonlocal done
        while time.monotonic() < end:
            kind = next(kinds)
            assert (await send(port, kind, sent[kind])).status == 200
            done += 1

    await asyncio.gather(*(client() for _client in range(AT_ONCE)))
    return done / MEASURED


@pytest.mark.early
@pytest.mark.processes
def test_a_site_with_more_requests_than_it_bears_serves_turns_first_refuses_in_time_and_recovers(server, settings):
    alice, bob = person("Alice"), person("Bob")
    game = in_turns(alice, bob)
    seat, _actions = some_turn(game)
    sent = requests_of(game, [alice, bob][seat])

    async def load(rate: float) -> tuple[list[Seen], float]:
        """Send requests without waiting for answers. Return them, and how long the site took to recover."""
        began, under_way = time.monotonic(), []
        for number, kind in zip(range(round(rate * LOADED)), cycle(MIX), strict=False):
            await asyncio.sleep(max(0.0, began + number / rate - time.monotonic()))
            under_way.append(asyncio.create_task(send(server, kind, sent[kind])))
        ended = time.monotonic()
        page = Seen("page", 503, 0.0)
        while page.status != 200 or page.seconds > QUICK:
            page = await send(server, "page", sent["page"])
        return await asyncio.gather(*under_way), time.monotonic() - ended

    async def scenario() -> tuple[list[Seen], float]:
        rate, seen, recovered = TIMES * await rate_of(server, sent), list[Seen](), 0.0
        # More requests, if the machine was busy when its rate was measured
        while all(visit.status == 200 for visit in seen if visit.kind == "page"):
            seen, recovered = await load(rate)
            rate *= 1.4
        return seen, recovered

    seen, recovered = elsewhere(scenario())
    by_kind = defaultdict[str, list[Seen]](list)
    for visit in seen:
        by_kind[visit.kind].append(visit)
    share = {kind: sum(visit.status == 200 for visit in those) / len(those) for kind, those in by_kind.items()}
    late = [visit for visit in seen if visit.seconds > PATIENCE[Urgency[visit.kind.upper()]] + SLACK]
    refused = [visit.seconds for visit in seen if visit.status == 503]
    assert {visit.status for visit in seen} == {200, 503} and not late
    # Turns are refused only if hardly any page is answered, as when other programs take the processor
    assert share["turn"] > 0.95 or share["page"] < 0.05, share
    assert share["turn"] > share["page"] and (share["page"] > share["picture"] or share["page"] < 0.05), share
    assert refused and median(refused) < PATIENCE[Urgency.PAGE] + 1
    assert recovered < RECOVERS_IN
    assert again(game).seq == game.seq


@pytest.mark.long
@pytest.mark.processes
def test_a_process_that_is_told_to_end_says_so_to_the_proxy_before_it_stops_answering(migrated, tmp_path):
    port, folder = free_port(), shutil.copytree(migrated, tmp_path / "site")
    there = {"DEBUG": "1", "VAR_DIR": str(folder), "DRAIN_SECONDS": "60"}
    command = ["-m", "uvicorn", "empire.asgi:application", "--lifespan", "off", "--port", str(port)]
    process = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=os.environ | there)
    try:
        assert until(lambda: is_up(port))
        process.terminate()
        assert until(lambda: status_of(port, "/livez") == 503)
        assert status_of(port, "/rules/") == 200
        process.terminate()  # told twice, it does not wait
        assert process.wait(50) in (0, -signal.SIGTERM)
    finally:
        process.kill()


def status_of(port: int, path: str) -> int:
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30).status
    except urllib.error.HTTPError as error:
        return error.code
