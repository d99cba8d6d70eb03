"""The live stream, which tells open pages the version of their game and nothing else."""

import asyncio
import re
import resource
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

import pytest

from empire.web import live
from empire.web.live import Hub, live_url, read_url

T = TypeVar("T")
PATIENCE = 30  # seconds


class Page:
    """An open page that records what it receives, and can be closed."""

    def __init__(self, path: str, address: str = "192.0.2.7", **headers: str) -> None:
        path, _mark, query = path.partition("?")
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        self.scope = {
            "type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": raw,
            "client": (address, 50_000),
        }  # fmt: skip
        self.sent: list[dict] = []
        self.closed = asyncio.Event()

    async def receive(self) -> dict:
        await self.closed.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        return self.sent[0]["status"]

    @property
    def text(self) -> str:
        return b"".join(message.get("body", b"") for message in self.sent).decode()


def run(scenario: Coroutine[object, object, T]) -> T:
    """Run it and return its result, in a separate thread: the browser driver may keep an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, scenario).result()


@pytest.fixture
def games(monkeypatch):
    """The versions of games, which tests change; the database is polled every 0.01 seconds."""
    games, messages = {"bcdfghjk": 3, "zzzzzzzz": 1}, {}

    def versions(ids):
        hub.asked += 1
        return {id: (games[id], messages) for id in ids if id in games}

    hub = Hub(versions, limit=3, each=3, pulse=0.01)
    hub.asked, hub.messages = 0, messages
    monkeypatch.setattr(live, "hub", hub)
    return games


async def open_page(path: str, *who: str, **headers: str) -> tuple[Page, asyncio.Task]:
    page = Page(path, *who, **headers)
    task = asyncio.create_task(live.stream(page.scope, page.receive, page.send))
    await until(lambda: page.sent)
    return page, task


async def until(true: Callable[[], object]) -> None:
    """Wait for a condition, on slow machines too."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.005)


async def some_pulses() -> None:
    """Wait until the database has been polled several times."""
    end = live.hub.asked + 4
    await until(lambda: live.hub.asked >= end)


async def close(page: Page, task: asyncio.Task) -> None:
    page.closed.set()
    await asyncio.wait_for(task, PATIENCE)


def test_a_page_that_is_up_to_date_gets_nothing_until_the_game_changes(games):
    async def scenario():
        page, task = await open_page(live_url("bcdfghjk", 3))
        await some_pulses()
        assert "version" not in page.text
        games["bcdfghjk"] = 4
        await some_pulses()
        await close(page, task)
        return page

    page = run(scenario())
    assert page.status == 200
    assert page.text.count("data: version 4\n\n") == 1


def test_a_page_gets_changes_made_before_its_stream_opened(games):
    async def scenario():
        page, task = await open_page(live_url("bcdfghjk", 2))
        await some_pulses()
        await close(page, task)
        return page.text

    assert "data: version 3\n\n" in run(scenario())


def test_a_page_gets_only_changes_of_its_own_game(games):
    async def scenario():
        page, task = await open_page(live_url("bcdfghjk", 3))
        games["zzzzzzzz"] = 9
        await some_pulses()
        await close(page, task)
        return page.text

    assert "version" not in run(scenario())


def test_a_stream_sends_keep_alive_events(games, monkeypatch):
    monkeypatch.setattr(live, "SILENCE", 0.02)

    async def scenario():
        page, task = await open_page(live_url("bcdfghjk", 3))
        await until(lambda: page.text.count("event: here\ndata:\n\n") > 2)
        await close(page, task)

    run(scenario())


def test_polling_works_even_when_no_stream_is_free(games):
    async def scenario():
        pages = [await open_page(live_url("bcdfghjk", 3)) for _page in range(3)]
        polled, task = await open_page(live_url("bcdfghjk", 1) + "?now")
        gone, other = await open_page(live_url("notthere", 1) + "?now")
        for page in [*pages, (polled, task), (gone, other)]:
            await close(*page)
        return polled.status, polled.text, gone.status

    assert run(scenario()) == (200, "3", 503)


def test_questions_of_one_client_do_not_keep_the_news_of_others_waiting(games, monkeypatch):
    """All of them, and the watcher, share one thread."""
    may_answer = Event()
    versions = live.hub.versions
    monkeypatch.setattr(live.hub, "versions", lambda ids: (may_answer.wait(PATIENCE), versions(ids))[1])

    async def scenario():
        path, task_of = live_url("bcdfghjk", 1) + "?now", {}
        pages = [*(Page(path) for _ in range(10)), Page(path, "198.51.100.7")]
        for page in pages:
            task_of[page] = asyncio.create_task(live.stream(page.scope, page.receive, page.send))
        await until(lambda: sum(bool(page.sent) for page in pages) == 7)
        may_answer.set()
        await asyncio.gather(*task_of.values())
        again, task = await open_page(path)
        await task
        return [page.status for page in (*pages, again)]

    assert run(scenario()) == [200] * 3 + [429] * 7 + [200, 200]
    assert not live.hub.asking


def test_the_process_can_open_a_file_for_each_stream():
    before = soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 1024), hard))
        live.raise_file_limit(600)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= min(hard, 600 + live.OTHER_FILES)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize("path", ["/live/", "/live/?now", "/live/bcdfghjk", "/live/eyJhIjoxfQ:1abc:xyz"])
def test_an_unsigned_address_is_not_found(games, path):
    async def scenario():
        page, task = await open_page(path)
        await task
        return page.status

    assert run(scenario()) == 404


def test_pages_above_the_limit_get_503_until_another_page_closes(games):
    async def scenario():
        path = live_url("bcdfghjk", 3)
        pages = [await open_page(path) for _page in range(3)]
        late, task = await open_page(path)
        await task
        await close(*pages[0])
        next_one, task = await open_page(path)
        for page in [*pages[1:], (next_one, task)]:
            await close(*page)
        return late.status, next_one.status, live.hub.open, dict(live.hub.listeners)

    assert run(scenario()) == (503, 200, 0, {})


def statuses_of_pages(each: int, *clients: dict[str, str]) -> list[int]:
    """Let these clients open one page each and keep it open. Return the statuses."""
    live.hub.limit, live.hub.each = len(clients), each

    async def scenario():
        opened = [await open_page(live_url("bcdfghjk", 3), **client) for client in clients]
        for page in opened:
            await close(*page)
        return [page.status for page, _task in opened]

    return run(scenario())


def test_one_client_cannot_use_up_all_streams_and_can_reuse_closed_ones(games):
    eve, alice = {"address": "198.51.100.1"}, {"address": "198.51.100.2"}
    assert statuses_of_pages(2, eve, eve, eve, alice) == [200, 200, 429, 200]
    assert statuses_of_pages(2, eve, eve) == [200, 200]
    assert not live.hub.clients


def test_ipv6_clients_are_limited_per_network(games):
    own = [{"address": f"2001:db8:0:1::{number}"} for number in range(3)]
    assert statuses_of_pages(2, *own, {"address": "2001:db8:0:2::1"}) == [200, 200, 429, 200]


def test_behind_a_proxy_clients_are_distinguished_as_for_rate_limits(games, settings):
    proxy = "127.0.0.1"
    spoofed = [{"address": proxy, "x_forwarded_for": f"203.0.113.{number}, 198.51.100.1"} for number in range(3)]
    alice = {"address": proxy, "x_forwarded_for": "198.51.100.2"}
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert statuses_of_pages(2, *spoofed, alice) == [200, 200, 429, 200]
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 0
    assert statuses_of_pages(2, *spoofed, alice) == [200, 200, 429, 429]


def test_streams_survive_a_short_database_outage(games, monkeypatch, caplog):
    answers = iter([RuntimeError("away"), {"bcdfghjk": (3, {})}])

    def versions(ids):
        answer = next(answers, {"bcdfghjk": (5, {})})
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(live.hub, "versions", versions)

    async def scenario():
        page, task = await open_page(live_url("bcdfghjk", 3))
        await until(lambda: "version 5" in page.text)
        await close(page, task)
        return page.text

    assert "version 5" in run(scenario())
    assert "The live stream could not read versions." in caplog.text


def test_streams_end_when_the_server_stops(games):
    async def scenario():
        page, task = await open_page(live_url("bcdfghjk", 3))
        live.hub.close()
        await asyncio.wait_for(task, PATIENCE)
        return page.sent[-1]

    assert run(scenario()) == {"type": "http.response.body", "body": b""}


def test_game_and_version_can_be_read_from_an_address():
    assert read_url(live_url("bcdfghjk", 12)) == ("bcdfghjk", 12, None, [], 0, None)
    address = live_url("bcdfghjk", 12, 7, rooms=["1"], last_message=5, player=8)
    assert read_url(address) == ("bcdfghjk", 12, 7, ["1"], 5, 8)


def test_a_page_is_told_of_messages_in_the_rooms_that_its_reader_hears_and_of_no_others(games):
    async def scenario():
        pages = []
        for rooms in (["players", "0"], ["players", "1"], ["spectators"], []):
            pages.append(await open_page(live_url("bcdfghjk", 3, rooms=rooms, last_message=7)))
        for room, message in (("players", 7), ("1", 8), ("spectators", 9), ("players", 10)):
            live.hub.messages[room] = message
            await some_pulses()
        for page in pages:
            await close(*page)
        return [re.findall(r"event: (\w+)\ndata: (\d+)", page.text) for page, _task in pages]

    live.hub.limit = live.hub.each = 4
    assert run(scenario()) == [[("chat", "10")], [("chat", "8"), ("chat", "10")], [("chat", "9")], []]


def test_a_page_hears_the_rooms_of_a_seat_only_while_its_reader_plays_it(games, monkeypatch):
    players = {7: ["players", "0"]}
    monkeypatch.setattr(live.hub, "rooms", lambda public_id, player: players.get(player, []))

    async def scenario():
        page, task = await open_page(live_url("bcdfghjk", 3, rooms=["players", "0"], player=7))
        live.hub.messages["0"] = 1
        await until(lambda: "event: chat" in page.text)
        players.clear()
        live.hub.messages["0"] = 2
        await some_pulses()
        games["bcdfghjk"] = 4
        await until(lambda: "version 4" in page.text)
        later, late_task = await open_page(live_url("bcdfghjk", 4, rooms=["players", "0"], last_message=1, player=7))
        await some_pulses()
        await close(page, task)
        await close(later, late_task)
        return [re.findall(r"event: (\w+)\ndata: (?:version )?(\d+)", stream.text) for stream in (page, later)]

    assert run(scenario()) == [[("chat", "1"), ("game", "4")], []]


def test_a_stream_closes_if_nobody_can_tell_who_plays_and_the_next_one_hears_the_message(games, monkeypatch):
    is_down = [True]

    def rooms(public_id: str, player: int) -> list[str]:
        if is_down[0]:
            raise OSError
        return ["players"]

    monkeypatch.setattr(live.hub, "rooms", rooms)

    async def scenario():
        page, task = await open_page(live_url("bcdfghjk", 3, rooms=["players"], player=7))
        live.hub.messages["players"] = 1
        await until(task.done)
        is_down[0] = False
        later, late_task = await open_page(live_url("bcdfghjk", 3, rooms=["players"], player=7))
        await until(lambda: "event: chat" in later.text)
        await close(later, late_task)
        return "event: chat" in page.text

    assert run(scenario()) is False


def test_a_stream_closes_when_its_reader_may_no_longer_see_a_private_game(games, monkeypatch):
    players = {7}
    monkeypatch.setattr(live.hub, "followers", lambda public_id: set(players))

    async def scenario():
        path = live_url("bcdfghjk", 3, reader=7)
        page, task = await open_page(path)
        players.clear()
        games["bcdfghjk"] = 4
        await asyncio.wait_for(task, PATIENCE)
        later = [await open_page(path), await open_page(path + "?now")]
        return page, [late.status for late, _task in later]

    page, later = run(scenario())
    assert page.status == 200 and "version" not in page.text
    assert later == [404, 404]
