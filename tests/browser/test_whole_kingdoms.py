"""Whole games of Kingdoms through the page, by touch, mouse and keyboard: no jump, no error, small steps."""

import re

import pytest
from playwright.sync_api import Locator, Request, expect

from tests.browser.conftest import PHONE
from tests.browser.test_kingdoms import sit_at_kingdoms, wait_for_a_decision
from tests.browser.whole_game import KB, Watched

pytestmark = [pytest.mark.browser, pytest.mark.site("browser"), pytest.mark.long]

WIDE = {"width": 1280, "height": 900}
ACTIONS = 150  # more than three rounds of two players need
PURCHASES = 2  # tried in a turn
# Answers to the others, and choices that lead to another decision
ELSEWHERE = (
    "#looked button", "form.k-cloth button", "button[id^=do-storm]", "button[id^=do-tribute]", ".table-epic a[id^=aim]",
    "#do-protect-with", "#do-protect-leave", "button[id^=do-defend]:not(#do-defend-nothing)", "button[id^=do-wave]",
)  # fmt: skip
FROM_THE_FLOP = "form.k-cloth"  # a card of it must be chosen if the Draw deck is empty, and for the Carp

# The part of the board of which most is in sight, as a selector
LOOKED_AT = """() => {
    const dock = document.getElementById("hand");
    const end = dock && getComputedStyle(dock).position === "fixed" ? dock.getBoundingClientRect().top : innerHeight;
    const room = (part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return Math.min(bottom, end) - Math.max(top, 0);
    };
    const parts = [...document.querySelectorAll("#kingdoms > [id]:not(form), #board > [id]")];
    const [most] = parts.filter((part) => room(part) > 0).sort((one, other) => room(other) - room(one));
    return most ? `#${most.id}` : "";
}"""
# Scrolls a control from under the dock of a phone
OVER_THE_DOCK = """(control) => {
    const dock = document.getElementById("hand");
    if (dock.contains(control) || getComputedStyle(dock).position !== "fixed") return;
    const covered = control.getBoundingClientRect().bottom - dock.getBoundingClientRect().top;
    if (covered > 0) scrollBy({ top: covered + 40, behavior: "instant" });
}"""
# Whether the reader sees what they are asked: the dock, or on a wide screen its upper end
IS_ASKED_IN_SIGHT = """() => {
    const { top } = document.getElementById("hand").getBoundingClientRect();
    return top >= 0 && top < innerHeight - 60;
}"""


class Kingdoms:
    """A player at a table of Kingdoms whose page is watched."""

    def __init__(self, watched: Watched) -> None:
        self.watched, self.page, self.player = watched, watched.page, watched.player
        self.purchases, self.selected = 0, []
        self.page.on("requestfinished", self._measure)

    def _measure(self, request: Request) -> None:
        if "laid=" in request.url:
            self.selected.append(request.sizes()["responseBodySize"])

    def has(self, which: str) -> bool:
        return self.page.locator(which).count() > 0

    def do(self, control: Locator | str, key: str = "Enter", *, may_scroll: bool = False, unless: str = "") -> None:
        """Use a control that leaves the decision open, and check that what the player looks at has not moved."""
        control = self.page.locator(control).first if isinstance(control, str) else control
        self.watched.reach(control)
        if self.watched.by != "keyboard":
            control.evaluate(OVER_THE_DOCK)
        self.watched.do(control, key, stays="" if may_scroll else self.page.evaluate(LOOKED_AT), unless=unless)

    def send(self, button: str) -> None:
        """End the turn with the button, which scrolls to the top, even if something is given up, and send it."""
        self.do(button, may_scroll=True)
        expect(self.page.locator("#end-turn, #send-now").locator("visible=true").first).to_be_visible()
        if self.has("#end-turn"):
            self.do("#end-turn", may_scroll=True)
        send = self.page.locator("#send-now")
        self.watched.reach(send)
        with self.watched.watching("sending the turn", stays=""):
            send.press("Enter") if self.watched.by == "keyboard" else send.click()
            expect(self.page.locator("#confirm, #end-turn")).to_have_count(0)

    def buy(self) -> bool:
        """Choose the cards of the Flop one after the other until one can be paid, and buy it."""
        self.purchases += 1
        wares = self.page.locator("#market .k-pick input")
        for number in range(wares.count()):
            self.do(wares.nth(number), "Space")
            if self.has("#hand button[id^=do-buy]"):
                self.do("#hand button[id^=do-buy]")
                return True
            self.do("#let-go")
        return False

    def decide(self, decision: str) -> None:
        """Take the next step of a usual turn, or answer."""
        if which := next((which for which in ELSEWHERE if self.has(which)), ""):
            self.watched.do(self.page.locator(which).first, stays="")
        elif decision == "complete":
            self.send("#confirm")
        elif self.has("#confirm"):
            self.do("#confirm")
        elif self.has("#do-draw"):
            self.purchases = 0
            self.do("#do-draw", unless=FROM_THE_FLOP)
        elif self.has("button[id^=do-build]"):
            self.do("button[id^=do-build]")
            self.do("#undo")
            self.do("button[id^=do-build]")
        elif decision == "turn" and self.purchases < PURCHASES and self.has("#market .k-pick") and self.buy():
            return
        elif self.has("#advice-0") and not self.has("#picked"):
            self.do("#advice-0")
        elif self.has("button[id^=do-attack]"):
            self.do("button[id^=do-attack]")
        else:
            self.send("#do-end") if self.has("#do-end") else self.do("#do-stop, #do-defend-nothing, .ready button")


@pytest.mark.parametrize(
    ("by", "viewport"), [("touch", PHONE), ("mouse", WIDE), ("keyboard", WIDE)], ids=["touch", "mouse", "keyboard"]
)
def test_a_whole_game_of_kingdoms_without_a_jump_or_an_error(sit_down, by, viewport):
    watched = Watched(sit_down(viewport=viewport, has_touch=by == "touch"), by=by)
    sit_at_kingdoms(watched.player)
    table = Kingdoms(watched)
    for _action in range(ACTIONS):
        decision = wait_for_a_decision(watched.player)
        watched.assert_quiet("what the others did")
        if decision == "over":
            break
        assert watched.page.evaluate(IS_ASKED_IN_SIGHT), watched.player.headline
        table.decide(decision)
    expect(watched.page.get_by_role("heading", level=1)).to_have_text(re.compile("won|share", re.IGNORECASE))
    expect(watched.page.locator("#result")).to_be_in_viewport()
    assert watched.sizes, "no answer was measured"
    assert max(table.selected, default=0) <= 8 * KB
