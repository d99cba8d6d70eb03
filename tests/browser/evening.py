"""What a person does on the site, using only what the pages say and offer."""

import re
from urllib.parse import urljoin

from playwright.sync_api import Error, Locator, Page, TimeoutError, expect

DECISIONS = ("setup", "bid", "first", "take", "steps", "extra", "over")
SLOW = 40_000  # milliseconds: a bot's turn or an email, on a busy machine
UNSETTLED = ".htmx-request, .htmx-swapping, .htmx-settling"
# Note that a film begins, and pause it before its second step: it would be over before a busy machine looks at it
HOLD_FILMS = """window.filmHolder = new MutationObserver(() => {
  const [bar, pause] = ["film-bar", "film-pause"].map((id) => document.getElementById(id));
  if (!bar || bar.hidden || pause.title !== pause.dataset.pause) return;
  window.hasBegun = true;
  pause.click();
});
filmHolder.observe(document, { subtree: true, childList: true, attributes: true });"""
# Bring the board into sight, and wait until films that waited for that have begun: their observers are older than this
IN_SIGHT = """() => new Promise((seen) => {
  const map = document.querySelector(".map-window");
  const board = map ?? document.getElementById("table");
  board.scrollIntoView({ block: "center", behavior: "instant" });
  new IntersectionObserver((entries) => {
    if (entries.some((one) => one.isIntersecting)) requestAnimationFrame(() => setTimeout(seen));
  }, { threshold: map ? 0.4 : 0 }).observe(board);
})"""


class Evening:
    """One person in one browser."""

    name = ""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.set_default_timeout(SLOW)
        expect.set_options(timeout=SLOW)

    def go(self, address: str) -> None:
        """Open that page. Try again if the current page navigates by itself, which aborts a visit."""
        for _again in range(5):
            try:
                self.page.goto(address)
            except Error as error:
                if "ERR_ABORTED" not in str(error) and "interrupted by another navigation" not in str(error):
                    raise
            else:
                return
        raise AssertionError(f"{address} could not be opened")

    def button(self, name: str, *, exact: bool = False) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    @property
    def headline(self) -> str:
        return self.page.get_by_role("heading", level=1).inner_text()

    def sign_up(self, name: str) -> None:
        self.name = name
        self.go("/accounts/signup/")
        self.page.get_by_label("Player name").fill(name)
        self.page.get_by_label("Email address").fill(f"{name.lower()}@example.org")
        self.page.get_by_label("Password", exact=True).fill("a horse of four colours")
        self.page.get_by_label("I accept").check()
        self.button("Sign up").click()
        expect(self.page.get_by_role("banner")).to_contain_text(name)
        self.read("Confirm").get_by_role("link", name="confirm-email").click()
        self.button("Confirm").click()
        expect(self.page.get_by_text("You have confirmed")).to_be_visible()

    def emails(self) -> Locator:
        """The emails to this person on the page that shows them, newest first."""
        self.go("/mail/")
        return self.page.locator("main li", has_text=f"{self.name.lower()}@example.org")

    def read(self, subject: str) -> Locator:
        """Wait for an email to this person with that in its subject, open it, and return its text."""
        for _look in range(SLOW // 200):
            email = self.emails().filter(has_text=subject).first
            if email.count():
                email.get_by_role("link").click()
                return self.page.locator("main pre")
            self.page.wait_for_timeout(200)
        raise AssertionError(f"no email about {subject!r} arrived")

    def press_through_to(self, locator: Locator, key: str = "Enter") -> None:
        """Press Tab until the element has the focus, then press the key."""
        for _stop in range(120):
            if locator.evaluate("element => element === document.activeElement"):
                return self.page.keyboard.press(key)
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not reach {locator}")

    def send_by_keyboard(self) -> None:
        """Confirm the turn that is laid out, and send it at once, with the keyboard alone."""
        self.press_through_to(self.page.locator("#confirm"))
        self.page.locator("#end-turn, #send-now").locator("visible=true").first.wait_for()
        if self.page.locator("#end-turn").count():
            self.press_through_to(self.page.locator("#end-turn"))
        self.press_through_to(self.page.locator("#send-now"))
        expect(self.page.locator("#confirm, #end-turn")).to_have_count(0)

    def play_now(self, opponents: int = 1) -> None:
        """Start a game against bots with the rulebook’s rules, which begin with the bids."""
        self.go("/play-now/")
        self.page.locator("#opponents label", has=self.page.locator("[value='rulebook']")).click()
        self.page.locator("#opponents label", has=self.page.locator(f"[value='{opponents}']")).click()
        self.button("Play now").click()
        expect(self.page.locator("#table")).to_be_visible()

    def bid(self, coins: int) -> None:
        self.page.locator(f"label:has(#bid-{coins})").click()
        self.button("Place bid").click()
        expect(self.button("Place bid")).to_have_count(0)

    def start_myself(self) -> None:
        self.button("Me", exact=True).click()
        expect(self.button("Me", exact=True)).to_have_count(0)

    def wait_for_a_decision(self) -> str:
        """Wait until the table asks for a decision or the game is over, and return one of `DECISIONS`."""
        # while htmx settles a swap, the new part has the classes of the old one
        settled = "#table:not(.htmx-swapping, .htmx-settling)"
        asking = ", ".join(f"{settled}.table-{decision}" for decision in DECISIONS)
        table = self.page.wait_for_selector(asking, timeout=SLOW)
        assert table is not None
        return (table.get_attribute("class") or "").partition("table-")[2].split()[0]

    def look_again_until(self, locator: Locator) -> None:
        """Reload until the element is there. Without scripts a page does not update itself."""
        for _look in range(SLOW // 500):
            if locator.count():
                return
            self.page.wait_for_timeout(500)
            self.go(self.page.url)
        raise AssertionError(f"{locator} never appeared")

    def open_table(self, *options: str, by_hand: bool = False) -> None:
        """Open a table against a bot, with these yes-no options."""
        self.go("/lobby/open/?for=bot")
        rulebook = self.page.locator("[name=preset][value=rulebook]")
        if not rulebook.is_checked():  # it is for people who have finished a game
            with self.page.expect_response(re.compile("/lobby/open/")):
                self.page.get_by_text("As in the rulebook", exact=True).click()  # with bids
        expect(rulebook).to_be_checked()
        self.page.get_by_text("All options").click()
        for option in options:
            self.page.locator(f"#option-{option} input[type=checkbox]").check()
        if by_hand:
            self.page.locator("#option-setup label", has_text="By hand").click()
        self.button("Open the table").click()
        expect(self.page.locator("#table")).to_be_visible()

    def settle(self) -> None:
        """Wait until no answer is under way or just being drawn: what a tap would hit is about to be replaced."""
        expect(self.page.locator(UNSETTLED)).to_have_count(0)

    def hear_of_requests(self) -> None:
        """Wait until the browser has reported all requests so far. It reports in order, and this one is the last."""
        with self.page.expect_request("**/livez"):
            self.page.evaluate("fetch('/livez').then(() => null)")

    def lay_a_board(self) -> None:
        """Pick the first board side, tap the first place for it on the map, and keep the board upright."""
        laid = self.page.locator("#steps li").count()
        self.page.locator(".side").first.click()
        expect(self.page.locator("#another-side")).to_be_visible()
        self.settle()
        self.tap(self.page.locator(".map-sheet .slot a").first)
        self.page.locator(".way").first.click()
        expect(self.page.locator("#steps li")).to_have_count(laid + 1)

    def tap_a_region(self) -> None:
        """Tap the first region on the map that can be chosen, and that has a single action."""
        laid = self.page.locator("#steps li").count()
        self.tap(self.page.locator(".map-sheet .region a").first)
        expect(self.page.locator("#steps li")).to_have_count(laid + 1)

    def hidden_tokens(self) -> list[str]:
        """The regions where the map says that a token lies face down."""
        regions = self.page.locator(".map-sheet .region", has_text="face-down")
        return [region.get_attribute("data-region") or "" for region in regions.all()]

    def take_a_card(self, which: int = 0) -> None:
        self.page.locator("#hand .offer-card:enabled").nth(which).click()
        expect(self.page.locator("#confirm")).to_be_visible()

    def step_on_the_map(self) -> bool:
        """Tap the first region with actions and take its first choice. Return whether there was one."""
        live = self.page.locator(".map-sheet .region a")
        if not live.count():
            return False
        does = live.first.get_attribute("data-action")
        self.tap(live.first)
        if not does:  # choose what to do there, unless all but one step would give something up
            expect(self.page.locator("#let-go, #steps").first).to_be_visible()
            if self.page.locator("#let-go").count():
                self.page.locator("#hand .choices button").first.click()
        expect(self.page.locator("#steps")).to_be_visible()
        return True

    def follow_the_map(self) -> None:
        """Without scripts: follow the first link of the map and take the first choice there, whatever it gives up."""
        link = self.page.locator(".map-sheet .region a").first.get_attribute("href")
        self.go(urljoin(self.page.url, link))
        self.page.locator("#hand .choices button").first.click()
        self.page.locator("#steps").wait_for()
        if self.page.locator("#go-on").count():
            self.page.locator("#go-on").click()

    def hold_films(self) -> None:
        """From the next page on, pause each film as it begins."""
        self.page.add_init_script(HOLD_FILMS)

    def wait_for_a_film(self) -> None:
        """Wait until a film has begun by itself. If it has a single step, it may be over."""
        self.page.wait_for_function("() => window.hasBegun", timeout=SLOW)

    def see_no_film(self) -> None:
        """Check that no film has begun although the page has one and the board is in sight."""
        self.page.wait_for_selector("#film", state="attached", timeout=SLOW)
        self.page.evaluate(IN_SIGHT)
        assert not self.page.evaluate("window.hasBegun")
        expect(self.page.locator(".film, .film-stage")).to_have_count(0)

    def let_films_play(self) -> None:
        self.page.evaluate("filmHolder.disconnect()")

    def tap(self, region: Locator) -> None:
        """Tap the middle of a region. A piece that lies there links to the same place."""
        region.evaluate("link => link.scrollIntoView({block: 'center', behavior: 'instant'})")
        region.click(force=True)

    def confirm(self) -> None:
        if self.page.locator("#go-on").count():  # the last step gives something up
            self.page.locator("#go-on").click()
        self.page.locator("#confirm").click()
        self.see_it_sent()

    def see_it_sent(self) -> None:
        """After the button of the turn, answer the question if something is given up, and send the turn at once."""
        page = self.page
        for _look in range(SLOW // 50):
            if not page.locator("#confirm, #end-turn").count():
                return
            button = next(
                (selector for selector in ("#send-now", "#end-turn") if page.locator(selector).is_visible()), None
            )
            try:
                page.locator(button).click(timeout=2000) if button else page.wait_for_timeout(50)
            except TimeoutError:  # sent meanwhile
                continue
        raise AssertionError("the turn was not sent")

    def take_a_turn(self) -> None:
        self.take_a_card()
        self.step_on_the_map()
        self.confirm()

    def play_to_the_end(self, *, turns: int) -> int:
        """Take turns until the game is over. Return the number of turns."""
        taken = 0
        while (decision := self.wait_for_a_decision()) != "over":
            if decision == "bid":
                self.bid(1)
            elif decision == "first":
                self.start_myself()
            else:
                assert taken < turns, "more turns than the game has"
                self.take_a_turn()
                taken += 1
        return taken
