"""The chat next to the board, and the rules that open at what is due."""

from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP


def test_the_chat_keeps_a_message_through_a_step_and_the_rules_open_at_what_is_due(sit_down):
    player = sit_down(viewport={**DESKTOP, "width": 1280})
    player.play_now()
    page, panel = player.page, player.page.locator("#talk-panel")
    assert panel.get_attribute("open") is None
    page.locator("#table a#talk").click()
    message = page.get_by_label("Your message")
    expect(message).to_be_focused()
    message.fill("Well met!")
    player.button("Send", exact=True).click()
    expect(panel.locator(".saying")).to_contain_text("Well met!")
    message.fill("A message that is not sent y")
    player.bid(0)
    page.evaluate("document.dispatchEvent(new CustomEvent('table:news', { detail: { version: 0 } }))")
    expect(message).to_have_value("A message that is not sent y")
    beside = panel.bounding_box(), page.locator("#table").bounding_box()
    assert beside[0]["x"] >= beside[1]["x"] + beside[1]["width"], "next to the board, not over it"

    page.locator("#rules-now").click()
    anchor = page.url.partition("#")[2]
    expect(page.locator(f"#{anchor}")).to_be_in_viewport()
    page.get_by_text("Back to the table").click()
    expect(page.locator("#table")).to_be_visible()
