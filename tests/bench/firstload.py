"""The first load of a page on a phone: headless Chromium with a slow processor, a slow network and an empty cache.

The site runs as in docs/operations.md, with production settings and collected static files, without a proxy in front.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any, NamedTuple
from urllib.request import urlopen

from django.conf import settings
from playwright.sync_api import Browser, ViewportSize, sync_playwright

from accounts.models import User
from games.tables.models import Game, Seat
from games.tables.selectors import position
from games.tables.services import bots, lobby, play
from tests.bench import Row, free_port
from tests.bench.load_site import wait_until, web
from tests.bench.taps import session

LOADS = 5
DECISIONS = 12  # of each game, so that it is in the middle
DESK = 6  # games
SLOWER = 4  # times
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
VIEWPORT = ViewportSize(width=390, height=844)
LATER = 1000  # milliseconds after the load event in which requests still count
LARGEST = """new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.largest = entry.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });"""
TIMES = """() => ({
  first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
  largest: window.largest ?? NaN,
  loaded: performance.getEntriesByType("navigation")[0].loadEventEnd,
})"""


class Load(NamedTuple):
    """What one load took: milliseconds until three moments, bytes over the wire with headers, and requests."""

    first: float
    largest: float
    loaded: float
    size: int
    requests: int


def rows() -> Iterator[Row]:
    """Yield the medians of several loads of each page."""
    alice, bob = (User.objects.create(username=name, email=f"{name}@example.org") for name in ("Alice", "Bob"))
    legends = [middle("legends", alice, bob) for _game in range(DESK)]
    pages = {
        "front page, without an account": ("/", ""),
        f"desk with {DESK + 1} games": ("/desk/", session(alice)),
        "table of Legends": (legends[0].get_absolute_url(), session(alice)),
        "table of Kingdoms": (middle("kingdoms", alice, bob).get_absolute_url(), session(alice)),
        "rules of Legends, without an account": ("/rules/legends/", ""),
    }
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for label, (page, cookie) in pages.items():
            loads = [load(browser, address, page, cookie) for _load in range(LOADS + 1)][1:]  # the first fills caches
            first, largest, loaded, size, requests = (median(values) for values in zip(*loads, strict=True))
            measured = f"first paint {first / 1000:.2f} s, largest {largest / 1000:.2f} s, loaded {loaded / 1000:.2f} s"
            yield Row(label, f"{measured}, {size / 1000:.0f} KB, {requests:.0f} requests", "1.2 s, loaded 2.2 s")
        browser.close()


def load(browser: Browser, address: str, page: str, cookie: str) -> Load:
    """Open the page in a browser of its own."""
    context = browser.new_context(base_url=address, viewport=VIEWPORT, has_touch=True, is_mobile=True)
    if cookie:
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": address}])
    tab = context.new_page()
    tab.add_init_script(LARGEST)
    devtools, sizes = context.new_cdp_session(tab), list[int]()

    def measure(finished: dict[str, Any]) -> None:
        sizes.append(int(finished["encodedDataLength"]))

    devtools.on("Network.loadingFinished", measure)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", NETWORK)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    answer = tab.goto(page, wait_until="load")
    assert answer is not None and answer.status == 200, f"{page} was not shown"
    tab.wait_for_timeout(LATER)
    times = tab.evaluate(TIMES)
    context.close()
    return Load(times["first"], times["largest"], times["loaded"], sum(sizes), len(sizes))


def middle(ruleset: str, *players: User) -> Game:
    """Return a game in the middle, with the first player to act."""
    game = lobby.open_table(user=players[0], ruleset=ruleset, players=len(players))
    for other in players[1:]:
        game = lobby.join_table(game=game, user=other, invite=game.invite_token)
    decisions = 0
    while True:
        game = Game.objects.get(pk=game.pk)
        seats = list(Seat.objects.filter(game=game).order_by("number"))
        acting = next(seat for seat in seats if seat.owes)
        if decisions >= DECISIONS and acting.user_id == players[0].pk:
            return game
        state = position.current(game, seats, game.snapshot)
        actions = next(bots.turns_to_try(game.rules, game.rules.view(state, acting.number), "random"))
        play.submit_turn(game=game, seat=acting.number, actions=actions, expected_seq=game.seq)
        decisions += 1


@contextmanager
def serving() -> Iterator[str]:
    """Run one web process on this database. Yield its address."""
    port = free_port()
    address, environment = f"http://localhost:{port}", os.environ | {"ALLOWED_HOSTS": "localhost"}
    process = subprocess.Popen(web(port), cwd=settings.BASE_DIR, env=environment, stderr=subprocess.DEVNULL)

    def answers() -> bool:
        try:
            with urlopen(f"{address}/livez") as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    try:
        assert wait_until(answers), "the site did not start"
        yield address
    finally:
        process.terminate()
        process.wait()
