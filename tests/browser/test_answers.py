"""Answers leave out what the page has: afterwards it shows everything, with every symbol that a drawing uses."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_live import beginning

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

LEFT_OUT = """() => [
    ...[...document.querySelectorAll("use[href^='#']")].filter(
        use => !document.getElementById(use.getAttribute("href").slice(1))),
    ...document.querySelectorAll("[data-kept], .card:not(:has(.card-name)), .tip-words:empty"),
].map(part => part.outerHTML)"""


def assert_whole(page: Page) -> None:
    assert page.evaluate(LEFT_OUT) == []


@pytest.mark.long
def test_the_replay_shows_everything_that_its_answer_leaves_out(sit_down):
    player = sit_down()
    page = player.page
    beginning(player)
    player.take_a_turn()
    assert player.wait_for_a_decision() == "take"
    assert_whole(page)
    cards = page.locator(".player .card").count()
    page.locator("#replay").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Move 1")
    assert_whole(page)
    assert page.locator(".player .card").count() >= cards > 0
    page.locator("#go-now").click()
    expect(page.locator("#hand")).to_be_visible()
    assert_whole(page)


@pytest.mark.long
def test_the_history_plays_at_the_wished_speed_without_storage(sit_down):
    player = sit_down()
    page = player.page
    beginning(player)
    refused = (
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('off', 'SecurityError'); }})"
    )
    page.add_init_script(refused)
    page.goto(f"{page.url.split('?')[0]}?at=0&from=0")
    page.locator("#tour-speed").select_option("4")
    page.locator("#tour-play").click()
    expect(page.locator("#tour-play")).to_have_attribute("title", "Pause")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Move 1")
