"""Live updates: open pages follow their game by stream, without one by polling, and immediately when shown again."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.evening import SLOW, Evening

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

AT_ONCE = 20_000  # milliseconds on a busy machine, but less than a polling interval
LONGER_THAN_A_POLL = 31_000
SEEN = """state => {
    Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""
LIFECYCLE = "event => document.dispatchEvent(new Event(event))"
PASSAGE = "event => window.dispatchEvent(new PageTransitionEvent(event, {persisted: true}))"
AWAY = {  # how a browser suspends a page that is not visible, and how it resumes it
    "hidden": (lambda page: page.evaluate(SEEN, "hidden"), lambda page: page.evaluate(SEEN, "visible")),
    "frozen": (lambda page: page.evaluate(LIFECYCLE, "freeze"), lambda page: page.evaluate(LIFECYCLE, "resume")),
    "left": (lambda page: page.evaluate(PASSAGE, "pagehide"), lambda page: page.evaluate(PASSAGE, "pageshow")),
    "offline": (lambda page: page.context.set_offline(True), lambda page: page.context.set_offline(False)),
}  # fmt: skip


def without_stream(page: Page) -> None:
    """Block streams, as some proxies do."""

    def refuse(route: Route) -> None:
        route.fulfill(status=503) if route.request.resource_type == "eventsource" else route.continue_()

    page.route("**/live/**", refuse)


def version(page: Page) -> int:
    return int(page.locator("#table").get_attribute("data-version") or 0)


def expect_newer(page: Page, than: int) -> None:
    page.wait_for_function(
        "than => Number(document.getElementById('table').dataset.version) > than", arg=than, timeout=AT_ONCE
    )


def beginning(player: Evening) -> None:
    """The player goes first and has to take a card."""
    player.play_now()
    player.bid(12)
    while player.wait_for_a_decision() != "first":
        player.page.reload()
    player.start_myself()
    assert player.wait_for_a_decision() == "take"


def elsewhere(sit_down, player: Evening, **options: object) -> Evening:
    """Return the same person in another browser, at the same table."""
    other = sit_down(storage_state=player.page.context.storage_state(), **options)
    other.go(player.page.url)
    return other


@pytest.mark.long
def test_without_a_stream_the_page_polls(sit_down):
    player = sit_down()
    without_stream(player.page)
    player.page.clock.install()
    player.play_now()
    player.bid(12)
    for _look in range(SLOW // 500):
        player.page.clock.fast_forward(LONGER_THAN_A_POLL)
        player.page.wait_for_timeout(500)
        if player.button("Me", exact=True).count():
            return
    raise AssertionError("the page never caught up")


@pytest.mark.long
def test_a_resumed_page_is_up_to_date_immediately(sit_down):
    player = sit_down()
    beginning(player)
    page = elsewhere(sit_down, player, failing=("ERR_INTERNET_DISCONNECTED",)).page  # such as the icon of the page
    without_stream(page)
    for leave, come_back in AWAY.values():
        page.reload()
        shown = version(page)
        leave(page)
        player.take_a_turn()
        come_back(page)
        expect_newer(page, shown)
        assert player.wait_for_a_decision() == "take"


@pytest.mark.long
def test_a_hidden_page_does_not_poll(sit_down):
    page = sit_down().page
    without_stream(page)
    page.clock.install()
    player = Evening(page)
    player.play_now()
    questions = []
    page.on("request", lambda request: "?now" in request.url and questions.append(request.url))
    page.evaluate(SEEN, "hidden")
    player.hear_of_requests()
    questions.clear()
    page.clock.fast_forward(10 * LONGER_THAN_A_POLL)
    player.hear_of_requests()
    assert questions == []
    with page.expect_request(lambda request: "?now" in request.url):
        page.evaluate(SEEN, "visible")
    player.hear_of_requests()
    assert len(questions) == 1


@pytest.mark.long
def test_a_page_that_was_left_open_for_long_shows_how_much_time_is_left_and_keeps_the_draft(sit_down):
    player = sit_down()
    page = player.page
    page.clock.install()
    beginning(player)
    player.take_a_card()
    left = page.locator(".clock").inner_text()
    page.evaluate("document.querySelector('.clock strong').textContent = 'an earlier time'")
    page.clock.fast_forward("11:00")
    expect(page.locator(".clock")).to_have_text(left)
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator("#overtaken")).to_be_hidden()


@pytest.mark.long
def test_news_keeps_the_draft_and_says_that_it_is_outdated(sit_down):
    player = sit_down()
    beginning(player)
    other = elsewhere(sit_down, player)
    player.take_a_card()
    assert player.step_on_the_map()
    other.page.reload()
    other.confirm()
    expect(player.page.locator("#overtaken")).to_be_visible()
    expect(player.page.locator("#steps li")).to_have_count(1)


@pytest.mark.long
def test_a_sealed_bid_is_seen_in_another_tab_when_the_player_goes_there(sit_down):
    """A sealed bid doesn't change the version of the game, because others would see that."""
    alice, bob = sit_down(), sit_down()
    alice.go("/lobby/open/?for=friends&players=2")
    alice.page.locator("label", has=alice.page.locator("[name=preset][value='rulebook']")).click()
    alice.button("Open the table").click()
    bob.go(alice.page.locator("[id^=invite-]:read-only").input_value())
    bob.button("Join the game").click()
    expect(alice.page.locator("#do-bid")).to_have_text("Place bid")
    other = Evening(alice.page.context.new_page())
    other.go(alice.page.url)
    other.page.evaluate(SEEN, "hidden")
    alice.bid(2)
    expect(other.page.locator("#do-bid")).to_have_text("Place bid")
    other.page.evaluate(SEEN, "visible")
    expect(other.page.get_by_role("heading", level=1)).to_have_text("Your bid is in")
    expect(other.page.locator("#bid-2")).to_be_checked()


@pytest.mark.long
def test_the_keyboard_replays_missed_moves_and_hides_the_marks(sit_down):
    player = sit_down()
    page = player.page
    beginning(player)
    player.take_a_turn()
    assert player.wait_for_a_decision() == "take"
    player.press_through_to(page.locator("#replay"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Move 1 of 1")
    expect(page.locator("#said")).to_contain_text(" takes ")
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Before move 1")
    player.press_through_to(page.locator("#go-next"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Move 1 of 1")
    expect(page.locator("#go-next")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#hand")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/games/\w+/$"))
    page.keyboard.press("c")
    expect(page.locator("#marks")).to_have_text("Show changes")
    page.keyboard.press("c")
    expect(page.locator("#marks")).to_have_text("Hide changes")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Move 1 of 1")


@pytest.mark.long
def test_going_back_from_a_replay_leads_to_where_the_reader_was(sit_down):
    player = sit_down()
    page = player.page
    beginning(player)
    player.take_a_turn()
    assert player.wait_for_a_decision() == "take"
    page.reload()
    page.evaluate("scrollTo(0, 0)")
    page.locator("#replay").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Move 1 of 1")
    page.wait_for_function("() => { const was = window.wasAt; return (window.wasAt = scrollY) === was; }", polling=300)
    before = page.evaluate("scrollY")  # the page has stopped scrolling to the board
    page.locator("#go-next").click()  # to the table, where the map lies lower
    expect(page.locator("#hand")).to_be_visible()
    assert page.evaluate("scrollY") > before + 100
    for place in (before, 0):
        page.go_back()
        page.wait_for_load_state("load")
        page.wait_for_function("place => Math.abs(scrollY - place) < 2", arg=place)
