"""Whole games through the page, by touch, mouse or keyboard alone, with an eye on the page at every step.

    watched = Watched(sit_down(viewport=PHONE, has_touch=True), by="touch")   # or "mouse", "keyboard"
    watched.do(watched.page.locator("#undo"))        # the map must stay where it is, in every frame
    watched.do(card, stays="")                       # leads elsewhere: the page may scroll, all else is checked
    watched.do(draw, unless="#looked")               # leads there if that is on the page afterward: it must be in sight
    with watched.watching("news", stays=watched.top_part):   # changes above the map may move it if nothing is scrolled
        watched.player.wait_for_a_decision()

`do` brings the control into reach as a person would (scrolling, or Tab and Shift+Tab), taps, clicks or presses Enter,
and waits until the answer is drawn. It then checks that

- `stays`, by default the map, did not move by more than 2 px in any frame, if it was in sight;
- nothing is wider than the window;
- every symbol that a drawing uses is there, and every part that the answer left out because the page had it;
- there was no error on the console or the page and no answer with 5xx;
- no answer to a request whose path ends with one of `SMALL` had more than 8 KB on the wire;
- by keyboard, the focus is not lost.

`play_legends` plays a game of the Eight-Minute family. A game of another family needs a loop of its own around `do`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from playwright.sync_api import Locator, Request, Response, TimeoutError, expect

from tests.browser.evening import Evening

KB = 1024
SMALL = ("/step", "/undo", "/submit")  # ends of paths whose answers are small
JUMP = 2  # pixels
STEPS = 24  # most steps of a turn, two for an army that is placed and moved
TURNS = 40

# Notes the position of a part in every frame, until `stop`. One that is out of sight may move.
WATCH = """which => {
    const watch = {most: 0, from: null, seen: []};
    const look = () => {
        if (window.watch !== watch) return;
        const box = document.querySelector(which)?.getBoundingClientRect();
        if (box) {
            const at = [box.left, box.top];
            watch.from ??= at;
            watch.wasSeen ??= box.bottom > 0 && box.top < innerHeight;
            const off = Math.max(...at.map((n, axis) => Math.abs(n - watch.from[axis])));
            if (off > watch.most) watch.seen.push(Math.round(off));
            watch.most = Math.max(watch.most, off);
        }
        requestAnimationFrame(() => setTimeout(look)); // as painted
    };
    window.watch = watch;
    look();
    return document.activeElement !== document.body;
}"""
STOP = """() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => {
    const {most, seen, wasSeen} = window.watch ?? {most: 0, seen: [], wasSeen: false};
    window.watch = null;
    const focus = document.activeElement;
    const isThere = use => document.getElementById(use.getAttribute("href").slice(1));
    drawn({
        lost: [...document.querySelectorAll("use[href^='#']")].filter(use => !isThere(use)).map(use => use.outerHTML),
        kept: [...document.querySelectorAll("[data-kept], [data-lines]")].map(part => part.outerHTML),
        most: wasSeen ? most : 0, seen, at: `${document.getElementById("table")?.className} scrolled by ${scrollY}`,
        wide: document.documentElement.scrollWidth - innerWidth,
        focus: focus && focus !== document.body ? focus.id || focus.tagName : "",
    });
})))"""

# Whether the page is at its top, or the keyboard is at a headline that is in sight
IS_AT_THE_HEADLINE = """() => {
    const headline = document.querySelector("#headline:focus-visible");
    return !scrollY || (headline && headline.getBoundingClientRect().bottom > 0);
}"""

# The key that moves the focus towards an element
WAY = """element => {
    const focus = document.activeElement ?? document.body;
    if (element === focus) return "here";
    return focus.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
}"""


class Watched:
    """A player whose page is watched. See the module's docstring."""

    def __init__(
        self, player: Evening, *, by: Literal["touch", "mouse", "keyboard"], board: str = ".map-window"
    ) -> None:
        self.player, self.page, self.by, self.board = player, player.page, by, board
        self.wrong: list[str] = []
        self.sizes: list[tuple[str, int]] = []
        self.page.on("pageerror", lambda error: self.wrong.append(f"page error: {error}"))
        self.page.on(
            "console",
            lambda message: (
                message.type == "error"
                and "/live/" not in message.location.get("url", "")
                and self.wrong.append(message.text)
            ),
        )
        self.page.on("response", self._look_at)
        self.page.on("requestfinished", self._measure)

    def _look_at(self, answer: Response) -> None:
        if answer.status >= 500:
            self.wrong.append(f"{answer.status} from {answer.url}")

    def _measure(self, request: Request) -> None:
        path = request.url.partition("?")[0]
        if path.endswith(SMALL) or (request.method == "GET" and "laid=" in request.url):
            self.sizes.append((request.post_data or request.url, request.sizes()["responseBodySize"]))

    @property
    def top_part(self) -> str:
        """Return the part that stays where it is: the board, or the headline if the page or the keyboard is there."""
        return "#table h1" if self.page.evaluate(IS_AT_THE_HEADLINE) else self.board

    def do(self, control: Locator, key: str = "Enter", *, stays: str | None = None, unless: str = "") -> None:
        """Use the control, and check the page."""
        self.reach(control)
        action = control.evaluate("control => control.id || control.textContent.trim().slice(0, 40)")
        with self.watching(action, stays=self.board if stays is None else stays, unless=unless):
            if self.by == "keyboard":
                self.page.keyboard.press(key)
            elif self.by == "touch":
                control.tap(force=True, no_wait_after=True)
            else:
                control.click(force=True, no_wait_after=True)

    def reach(self, control: Locator) -> None:
        """Scroll to the control if it is out of sight, or move the focus to it with Tab or Shift+Tab."""
        if self.by == "keyboard":
            self._tab_to(control)
        else:
            control.scroll_into_view_if_needed()
            expect(self.page.locator(".just-appeared")).to_have_count(0)  # it would ignore a tap, as the second of two
            self.page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")

    def _tab_to(self, control: Locator) -> None:
        for _stop in range(200):
            if (key := control.evaluate(WAY)) == "here":
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"the keyboard does not reach {control}")

    @contextmanager
    def watching(self, action: str, *, stays: str, unless: str = "") -> Iterator[None]:
        """Check the page after the body of the `with` statement, and that the part `stays` has not moved.

        If the part `unless` is on the page by then, it must be in sight instead.
        """
        self.page.wait_for_load_state()
        self.page.evaluate("document.fonts.ready.then(() => null)")
        had_focus = self.page.evaluate(WATCH, stays or "nothing")
        yield
        self.player.settle()
        measured = self.page.evaluate(STOP)
        if unless and self.page.locator(unless).count():
            expect(self.page.locator(unless)).to_be_in_viewport()
        else:
            assert measured["most"] <= JUMP, (
                f"{action}: {stays} jumped by {measured['seen']} px, at {self.player.headline!r}: {measured['at']}"
            )
        assert (measured["lost"], measured["kept"]) == ([], []), (
            f"{action}: parts that the page should have had are missing"
        )
        assert measured["wide"] <= 0, f"{action}: the page is {measured['wide']} px wider than the window"
        assert measured["focus"] or not had_focus or self.by != "keyboard", f"{action}: nothing has the focus"
        self.assert_quiet(action)

    def assert_quiet(self, action: str = "") -> None:
        is_over = self.page.locator("#result").count() > 0  # the last answer holds the result with its charts
        sizes = self.sizes[:-1] if is_over else self.sizes
        large = [size for size in sizes if size[1] > 8 * KB]
        assert (self.wrong, large) == ([], []), f"{action}: {self.wrong}, {large}"

    def send(self, button: Locator) -> None:
        """End the turn with this button, answer the question if something would be given up, and send it at once."""
        page = self.page
        self.do(button)
        expect(page.locator("#end-turn, #send-now").locator("visible=true").first).to_be_visible()
        if page.locator("#end-turn").count():
            self.do(page.locator("#end-turn"))
        self.reach(page.locator("#send-now"))
        # The focus goes to the headline, so the page shows it
        stays = "" if self.by == "keyboard" else self.top_part
        with self.watching("sending the turn", stays=stays):
            now = page.locator("#send-now")
            try:
                now.press("Enter", timeout=6000) if self.by == "keyboard" else now.click(timeout=6000)
            except TimeoutError:  # a busy machine has waited the five seconds, and the page has sent the turn
                expect(now).to_be_hidden()
            expect(page.locator("#confirm, #end-turn, #no-more")).to_have_count(0)
        if self.by == "keyboard":
            expect(page.locator("#table h1")).to_be_in_viewport()


def play_legends(watched: Watched) -> int:
    """Play a game of the Eight-Minute family that is open to its end. Return the number of turns."""
    page, player = watched.page, watched.player
    for turn in range(TURNS):
        with watched.watching(f"before turn {turn}", stays=watched.top_part):
            decision = player.wait_for_a_decision()
        if decision == "over":
            return turn
        if decision == "bid":
            watched.do(page.locator("#bid-0"), "Space")  # Tab reaches only the first of the choices
            watched.do(page.locator("#do-bid"), stays=watched.top_part)
            expect(page.locator("#do-bid", has_text="Place bid")).to_have_count(0)
        elif decision == "first":
            watched.do(player.button("Me", exact=True), stays=watched.top_part)
            expect(player.button("Me", exact=True)).to_have_count(0)
        elif decision == "extra":
            watched.send(page.locator("#no-more"))
        else:
            take_a_turn(watched, turn)
    raise AssertionError("the game did not end")


def take_a_turn(watched: Watched, turn: int) -> None:
    """Take a card, a different one each turn, use it as far as the map offers something, and send the turn."""
    page = watched.page
    cards = page.locator("#hand .offer-card:enabled")
    watched.do(cards.nth(turn % cards.count()), stays="")
    expect(page.locator("#confirm, #go-on").first).to_be_visible()
    for step in range(STEPS):
        if not step_on_the_map(watched, turn + step):
            break
    watched.send(page.locator("#confirm"))


def step_on_the_map(watched: Watched, which: int) -> bool:
    """Lay out a step, beginning with a marked region. Return whether there was one that gives nothing up."""
    page = watched.page
    regions = page.locator(".map-sheet .region > a:is(.choose, .act)")
    if not regions.count():
        return False
    laid = page.locator("#steps").inner_text() if page.locator("#steps").count() else ""
    region = regions.nth(which % regions.count())
    watched.do(page.locator(f"#{region.get_attribute('id')}"))
    if page.locator("#let-go").count() and not page.locator(".sure").count():
        far = page.locator(".map-sheet .region > a.act")
        here = page.locator("#hand .chosen .here button.sea")
        choice = here.first if here.count() else far.nth(which % far.count()) if far.count() else None
        if choice is None:
            watched.do(page.locator("#let-go"))
            return False
        watched.do(page.locator(f"#{choice.get_attribute('id')}"))
    if page.locator(".sure").count():  # asked before something is given up
        watched.do(page.locator("#let-go"))
        return False
    if page.locator("#let-go").count():  # stays chosen for the next army
        watched.do(page.locator("#let-go"))
    return (page.locator("#steps").inner_text() if page.locator("#steps").count() else "") != laid
