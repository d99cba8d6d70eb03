"""Between a button and the server: a confirmed turn waits, can be undone, and is not lost when something fails."""

import re
import time

import pytest
from playwright.sync_api import Request, Route, expect

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.evening import Evening
from tests.browser.test_live import beginning

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

LOST = ("htmx:sendError", "ERR_INTERNET_DISCONNECTED", "ERR_FAILED")  # messages about requests that fail on purpose
REFUSED = ("htmx:responseError", "Response Status Error", "/step")


def ready_to_send(player: Evening) -> None:
    """Take a card and end the turn, answering the question first if there is one."""
    page = player.page
    player.take_a_card()
    page.locator("#confirm").click()
    page.locator("#end-turn, #send-now").locator("visible=true").first.wait_for()
    if page.locator("#end-turn").count():
        page.locator("#end-turn").click()


def submissions(player: Evening) -> list[str]:
    """The turns that the page sends, noted as it sends them, without those that lead to a question."""
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/submit") and "sure=1" in (request.post_data or ""):
            sent.append(request.url)

    player.page.on("request", note)
    return sent


def test_a_confirmed_turn_waits_can_be_undone_and_is_sent_when_the_page_is_left(sit_down):
    player = sit_down()
    page, sent = player.page, submissions(player)
    beginning(player)
    ready_to_send(player)
    expect(page.locator("#sending [data-sending=hold]")).to_be_focused()
    expect(page.locator("#table")).to_have_js_property("inert", True)
    expect(page.locator("#end-turn, #confirm").first).to_have_css("opacity", "0")  # the bar has its own buttons
    page.keyboard.press("Tab")
    expect(page.locator("#hold-undo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#send-now")).to_be_hidden()
    expect(page.locator("#table")).to_have_js_property("inert", False)
    expect(page.locator("#sending-said")).to_contain_text("not sent")
    table = page.url.split("?")[0]
    assert sent == []
    page.locator("#end-turn, #confirm").click()
    expect(page.locator("#send-now")).to_be_visible()
    player.go("/rules/legends/")
    player.go(table)
    player.look_again_until(
        page.locator("#log li", has_text=re.compile("Guest.* takes"))
    )  # sent after the page was left
    expect(page.locator("#end-turn, #confirm")).to_have_count(0)


@pytest.mark.parametrize("key", ["", "Escape"], ids=["tap", "key"])
def test_keep_playing_closes_the_question_and_sends_nothing(sit_down, key):
    player = sit_down()
    page, sent = player.page, submissions(player)
    beginning(player)
    player.take_a_card()
    page.locator("#confirm").click()
    expect(page.locator("#end-turn")).to_be_visible()
    page.locator("#hand").press(key) if key else page.locator("#let-go").click()
    expect(page.locator("#end-turn")).to_have_count(0)
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator("#send-now")).to_be_hidden()
    assert sent == []


@pytest.mark.long
def test_keys_and_news_do_not_reach_the_table_while_a_turn_waits(sit_down):
    player = sit_down(viewport=DESKTOP)
    page, requests = player.page, []
    beginning(player)
    ready_to_send(player)
    expect(page.locator("#sending [data-sending=hold]")).to_be_focused()
    page.on("request", lambda request: requests.append(request.url))
    for key in ("u", "c", "?"):
        page.keyboard.press(key)
    player.hear_of_requests()
    assert [url for url in requests if not url.endswith("/livez")] == []
    assert page.locator("dialog[open]").count() == 0
    with page.expect_response(page.url.split("?")[0]):
        page.evaluate("htmx.ajax('GET', location.pathname, {target: '#table', swap: 'parts', source: '#table'})")
    player.settle()
    expect(page.locator("#table")).to_have_js_property("inert", True)
    page.locator("#hold-undo").click()
    expect(page.locator("#table")).to_have_js_property("inert", False)


@pytest.mark.long
def test_offline_keeps_the_turn_and_trying_again_sends_it_once(sit_down):
    player = sit_down(viewport=DESKTOP, failing=LOST)
    page, sent = player.page, submissions(player)
    beginning(player)
    ready_to_send(player)
    page.context.set_offline(True)
    page.locator("#send-now").click()
    expect(page.get_by_text("You’re offline, so nothing was sent.")).to_be_visible()
    expect(page.locator("#end-turn, #confirm")).to_be_visible()
    page.context.set_offline(False)

    def answer_slowly(route: Route) -> None:
        time.sleep(1)
        route.continue_()

    page.route("**/submit", answer_slowly)
    page.locator("#try-again").click(no_wait_after=True)
    expect(page.locator("[data-sending=wait]")).to_be_visible()
    expect(page.locator("#end-turn, #confirm")).to_have_count(0)
    expect(page.locator("[data-sending=wait]")).to_be_hidden()
    expect(page.locator("#try-again")).to_be_hidden()
    assert len(sent) == 2, "the one without a connection, and its repetition"


@pytest.mark.long
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["390", "1280"])
def test_an_answer_with_an_error_can_be_tried_again(sit_down, viewport):
    player = sit_down(viewport=viewport, failing=REFUSED)
    page = player.page
    beginning(player)
    answers = [
        (401, "You’re signed out"), (403, "out of date"), (503, "Wait a moment."),
        (500, "Something went wrong on our side."),
    ]  # fmt: skip

    def refuse(route: Route) -> None:
        status, words = answers[-1]
        route.fulfill(
            status=status, body=words, content_type=f"text/{'html' if status == 403 else 'plain'}; charset=utf-8"
        )

    page.route("**/step", refuse)
    card = page.locator("#hand .offer-card:enabled").first
    while answers:
        card.scroll_into_view_if_needed()
        before = page.evaluate("scrollY")
        card.click()
        expect(page.locator("#sending").get_by_text(answers[-1][1])).to_be_visible()
        assert page.evaluate("scrollY") == before and page.locator("#failed-request").count() == 0
        if answers[-1][0] in (401, 403):
            expect(page.get_by_role("button", name="Reload")).to_be_visible()
        page.get_by_role("button", name="Close").click()
        answers.pop()
    answers.append((500, ""))
    card.click()
    expect(page.locator("#try-again")).to_be_visible()
    page.unroute("**/step")
    page.locator("#try-again").click()
    expect(page.locator("#confirm")).to_be_visible()


@pytest.mark.long
def test_taps_after_a_request_that_failed_wait_and_trying_again_sends_what_was_laid_out(sit_down):
    player = sit_down(failing=REFUSED)
    page, sent = player.page, submissions(player)
    beginning(player)
    several = page.locator("#hand .offer-card:enabled", has_text=re.compile(r"Place\s+[3-9]"))
    while not several.count():
        player.take_a_turn()
        assert player.wait_for_a_decision() == "take"
    several.first.click()
    expect(page.locator("#confirm")).to_be_visible()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url.rsplit("/")[-1]))
    sent.clear()

    def fail(route: Route) -> None:
        time.sleep(0.5)
        route.fulfill(status=500, body="")

    page.route("**/step", fail)
    page.locator("#moves button[value^=place]").first.evaluate(
        """place => {
            for (const control of [place, place, document.getElementById("confirm")])
                control.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
        }"""
    )
    expect(page.locator("#try-again")).to_be_visible()
    laid = page.locator("#steps li")
    expect(laid).to_have_count(2)
    page.unroute("**/step")
    page.locator("#try-again").click()
    expect(page.locator("#steps")).to_contain_text("×2")  # as the server draws them
    expect(page.locator("#try-again")).to_be_hidden()
    assert sent == [] and "submit" not in requests, "the tap on Confirm was for a turn that was not there"


@pytest.mark.long
def test_a_step_whose_answer_was_lost_is_looked_up_and_not_repeated(sit_down):
    player = sit_down(failing=LOST)
    page = player.page
    beginning(player)

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/step", lose)
    page.locator("#hand .offer-card:enabled").first.click()
    expect(page.get_by_text("Check the table to see whether your last move counted.")).to_be_visible()
    page.unroute("**/step")
    page.get_by_role("button", name="Check the table").click()
    expect(page.locator("#confirm")).to_be_visible()


@pytest.mark.long
def test_a_turn_is_sent_after_five_seconds_and_hiding_the_page_sends_it_at_once(sit_down):
    player = sit_down()
    page, sent = player.page, submissions(player)
    beginning(player)
    ready_to_send(player)
    expect(page.locator("#sending [data-left]")).to_have_text("2")
    assert sent == []
    expect(page.locator("#end-turn, #confirm")).to_have_count(0)
    assert len(sent) == 1
    assert player.wait_for_a_decision() == "take"
    ready_to_send(player)
    page.evaluate(
        """() => {
            Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    expect(page.locator("#end-turn, #confirm")).to_have_count(0)
    assert len(sent) == 2


NOTE_WAITING = """() => {
    const hold = document.querySelector("#sending [data-sending=hold]");
    new MutationObserver(() => { window.hasWaited ||= !hold.hidden; }).observe(hold, { attributes: true });
}"""


@pytest.mark.long
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_the_keyboard_is_in_sight_after_a_turn_was_sent_and_when_the_next_one_begins(sit_down, viewport):
    player = sit_down(viewport=viewport)
    page = player.page
    beginning(player)
    player.take_a_card()
    player.send_by_keyboard()
    expect(page.locator(":focus")).to_be_in_viewport()
    player.wait_for_a_decision()
    expect(page.locator("#headline")).to_be_focused()
    expect(page.locator("#headline")).to_be_in_viewport()


def test_people_who_do_not_want_to_wait_send_their_turn_at_once(sit_down):
    player = sit_down()
    page = player.page
    beginning(player)
    table = page.url
    player.go("/accounts/preferences/")
    page.get_by_label("Wait 5 seconds before sending my turn").uncheck()
    player.button("Save").click()
    player.go(table)
    player.take_a_card()
    page.evaluate(NOTE_WAITING)
    page.locator("#confirm").click()
    page.locator("#end-turn, #send-now, #table:not(:has(#confirm))").locator("visible=true").first.wait_for()
    if page.locator("#end-turn").count():
        page.locator("#end-turn").click()
    expect(page.locator("#end-turn, #confirm")).to_have_count(0)
    assert not page.evaluate("window.hasWaited")


@pytest.mark.long
def test_a_double_tap_on_the_button_of_a_turn_does_not_skip_the_wait(sit_down):
    player = sit_down(has_touch=True)
    page, sent = player.page, submissions(player)
    beginning(player)
    ready_to_send(player)
    page.locator("#hold-undo").click()
    box = page.locator("#end-turn, #confirm").bounding_box()
    assert box
    here = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.touchscreen.tap(*here)
    page.wait_for_timeout(120)
    page.touchscreen.tap(*here)
    page.wait_for_timeout(500)
    expect(page.locator("#send-now")).to_be_visible()
    assert sent == []
    page.locator("#send-now").click()
    expect(page.locator("#end-turn, #confirm")).to_have_count(0)


@pytest.mark.long
def test_a_double_tap_on_the_end_of_a_turn_does_not_answer_its_question(sit_down):
    player = sit_down(has_touch=True)
    page = player.page
    beginning(player)
    player.take_a_card()
    confirm = page.locator("#confirm")
    assert confirm.inner_text() == "End turn"
    box = confirm.bounding_box()
    assert box
    here = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    with page.expect_response("**/submit"):
        page.touchscreen.tap(*here)
    page.locator("#end-turn").wait_for()
    page.touchscreen.tap(*here)
    page.wait_for_timeout(600)
    expect(page.locator("#sure-words")).to_be_visible()
    expect(page.locator("#send-now")).to_be_hidden()
