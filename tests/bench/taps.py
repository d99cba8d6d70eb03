"""A turn of six movements in headless Chromium, as a thumb takes it: taps, requests, bytes, and the time until the page
shows what was tapped. Works on pages with and without a plan of the turn, for a comparison with earlier commits."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from time import monotonic, sleep
from typing import Any, NamedTuple
from urllib.request import urlopen

from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, Request, ViewportSize, sync_playwright

from accounts.models import User
from games.rules.eight_minute.edition import edition
from games.tables.models import Game, Seat
from games.tables.selectors import position
from games.tables.services import lobby, play
from tests.bench import Row, free_port

CARD = "cursed-banshee"  # Move 6
ARMIES = 3  # that move, each two regions far
TURNS = 10
VIEWPORT = ViewportSize(width=390, height=844)
PATIENCE = 60.0
# When the next frame after the first visible change has been painted, counted from the press
WATCH = """
window.taken = [];
addEventListener("pointerdown", () => {
  const began = performance.now();
  let isSeen = false;
  const observer = new MutationObserver((changes) => {
    if (isSeen || !changes.some(({ type, target }) => type === "childList" && target.closest?.("main"))) return;
    isSeen = true;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => window.taken.push(performance.now() - began)));
  });
  observer.observe(document, { subtree: true, childList: true });
}, true);
"""
# A point of the region that nothing else covers, or null
POINT = """
(id) => {
  const group = document.getElementById(`region-${id}`);
  group.scrollIntoView({ block: "center", behavior: "instant" });
  const box = group.querySelector(".hit").getBoundingClientRect();
  for (const down of [0.5, 0.35, 0.65, 0.2, 0.8]) for (const right of [0.5, 0.35, 0.65, 0.2, 0.8]) {
    const [x, y] = [box.left + right * box.width, box.top + down * box.height];
    const found = document.elementFromPoint(x, y)?.closest("[data-region], [data-of]");
    if (found && (found.dataset.region ?? found.dataset.of) === id) return { x, y };
  }
  return null;
}
"""
SETTLED = "() => !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')"


class Turn(NamedTuple):
    """What one turn took: taps, requests, milliseconds until each step was painted, bytes of each answer."""

    taps: int
    requests: int
    steps: list[float]
    sizes: list[int]
    seconds: float


def rows() -> Iterator[Row]:
    """Yield what a tap and a turn cost."""
    user = User.objects.create(username="Thumb", email="thumb@example.org")
    other = User.objects.create(username="Other", email="other@example.org")
    games = [dealt(user, other) for _turn in range(TURNS)]
    planned, cookie = [(game, path(game)) for game in games], session(user)
    turns = []
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for game, way in planned:
            context = browser.new_context(base_url=address, viewport=VIEWPORT, has_touch=True)
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": address}])
            page = context.new_page()
            page.add_init_script(WATCH)
            assert way is not None
            turns.append(turn(page, game, way))
            context.close()
        browser.close()
    steps, sizes = [cost for turn in turns for cost in turn.steps], [cost for turn in turns for cost in turn.sizes]
    busiest = max(turns, key=lambda turn: turn.requests)
    yield Row("Move 6: taps, most requests", f"{busiest.taps} taps, {busiest.requests} requests", "7 taps")
    painted = f"{median(steps):.0f} ms, p90 {quantiles(steps, n=10)[-1]:.0f} ms, worst {max(steps):.0f} ms"
    yield Row("from a tap on the map to the painted step", painted, "50 ms")
    largest, whole = max(sizes) / 1024, max(sum(turn.sizes) for turn in turns) / 1024
    yield Row("bytes over the wire", f"{largest:.1f} KB the largest step, {whole:.0f} KB a turn", "8 KB a step")
    yield Row("from the card to the last step", f"{median(turn.seconds for turn in turns):.2f} s")


def turn(page: Page, game: Game, way: tuple[str, str, str]) -> Turn:
    """Take the card and move the armies one after another. The confirmation is counted, but not done."""
    origin, middle, target = way
    sizes: list[int] = []

    def measure(request: Request) -> None:
        if "hx-request" in request.headers:
            sizes.append(request.sizes()["responseBodySize"])

    def tap(region: str) -> None:
        seen, point = page.evaluate("taken.length"), page.evaluate(POINT, region)
        page.touchscreen.tap(point["x"], point["y"])
        page.wait_for_function("(n) => taken.length > n", arg=seen)
        if not has_plan:
            page.wait_for_function(SETTLED)

    page.goto(game.get_absolute_url())
    page.on("requestfinished", measure)
    page.locator(f"#do-take-{CARD}").click()
    page.wait_for_selector("#confirm")
    page.wait_for_function(SETTLED)
    page.wait_for_timeout(300)  # until the page is drawn
    page.evaluate("window.taken = []")
    has_plan, began = page.locator("#plan").count() > 0, monotonic()
    on_the_way = [origin, middle, middle, target] * ARMIES
    regions = [origin, *[target] * ARMIES] if has_plan else on_the_way
    for region in regions:
        tap(region)
    page.wait_for_selector("#table.table-complete")
    seconds = monotonic() - began
    page.wait_for_function(SETTLED)
    return Turn(len(regions) + 2, len(sizes) + 1, page.evaluate("taken"), sizes, seconds)


def dealt(user: User, other: User) -> Game:
    """Return a game in which the user goes first and can take the card, and the armies have somewhere to go."""
    while True:
        game = lobby.open_table(user=user, players=2, listed=False)
        lobby.join_table(game=game, user=other, invite=game.invite_token)
        for seat, actions in ((0, ["bid 1"]), (1, ["bid 0"])):
            play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=Game.objects.get(pk=game.pk).seq)
        seat_number = Seat.objects.get(game=game, user=user).number
        seq = Game.objects.get(pk=game.pk).seq
        play.submit_turn(game=game, seat=0, actions=[f"first {seat_number}"], expected_seq=seq)
        game = Game.objects.select_related("snapshot").get(pk=game.pk)
        state = state_of(game)
        prices = dict(zip(state.row, edition("legends").prices, strict=False))
        if prices.get(CARD, 99) <= state.coins[seat_number] and path(game):
            return game


def state_of(game: Game) -> Any:
    return position.current(game, list(Seat.objects.filter(game=game).order_by("number")), game.snapshot)


def path(game: Game) -> tuple[str, str, str] | None:
    """Return the start region, a region two steps by land away, and the one between them."""
    state = state_of(game)
    layout, start = state.map, state.start
    near = layout.land[start]
    far = [(mid, end) for mid in near for end in layout.land[mid] if end != start and end not in near]
    if not far or state.armies[start * state.colours + state.turn] < ARMIES:
        return None
    mid, end = far[0]
    return layout.regions[start], layout.regions[mid], layout.regions[end]


def session(user: User) -> str:
    client = Client()
    client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
    return client.cookies[settings.SESSION_COOKIE_NAME].value


@contextmanager
def serving() -> Iterator[str]:
    """Run the site on this database in a process of its own. Yield its address."""
    port = free_port()
    words = [sys.executable, "manage.py", "up", "--port", str(port)]
    environment = os.environ | {"ALLOWED_HOSTS": "localhost"}
    process = subprocess.Popen(words, cwd=settings.BASE_DIR, env=environment, stdout=subprocess.DEVNULL)
    address, until = f"http://localhost:{port}", monotonic() + PATIENCE
    try:
        while True:
            try:
                urlopen(address).close()
            except OSError as failure:
                if monotonic() > until:
                    raise AssertionError("the site did not start") from failure
                sleep(0.2)
            else:
                break
        yield address
    finally:
        process.terminate()
        process.wait()
