"""Requests of all pages but the table: they are sent once, slow ones say so, and failed ones keep what was typed."""

import pytest
from playwright.sync_api import Route, expect

from tests.browser.evening import Evening
from tests.browser.test_kingdoms import sit_at_kingdoms
from tests.browser.test_live import PASSAGE

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]


def test_two_taps_send_a_form_once_and_the_page_says_that_it_waits(sit_down):
    visitor = sit_down()
    page, sent = visitor.page, list[Route]()

    def keep_the_page(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        sent.append(route)
        route.fulfill(status=204)

    page.clock.install()
    visitor.go("/play-now/")
    page.route("**/play-now/", keep_the_page)
    visitor.button("Play now").dblclick()
    expect(page.locator("#wait-note")).to_have_text("Waiting for the server…")
    assert len(sent) == 1
    page.evaluate(PASSAGE, "pageshow")  # back to the page, as the browser kept it
    expect(page.locator("#wait-note")).to_be_empty()
    visitor.button("Play now").click()
    visitor.hear_of_requests()
    assert len(sent) == 2
    page.clock.fast_forward(15_000)  # no answer has come
    visitor.button("Play now").click()
    visitor.hear_of_requests()
    assert len(sent) == 3


def test_a_download_does_not_make_its_page_wait(sit_down):
    visitor = sit_down()
    page = visitor.page
    page.clock.install()
    visitor.go("/play-now/")
    page.route("**/play-now/", lambda route: route.fulfill(status=204))
    visitor.button("Play now").evaluate("button => (button.form.dataset.download = '')")
    visitor.button("Play now").click()
    visitor.hear_of_requests()
    page.clock.fast_forward(1_000)
    assert page.locator("#wait-note").text_content() == ""


def test_a_message_that_could_not_be_sent_says_so_and_is_kept(sit_down):
    player = sit_down(failing=("htmx:sendError", "ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED"))
    page = player.page
    player.play_now()
    player.go(f"{page.url}chat/")
    message, alert = page.get_by_label("Your message"), page.get_by_role("alert")
    message.fill("Good luck!")
    page.context.set_offline(True)
    player.button("Send", exact=True).click()
    expect(alert).to_have_text("You’re offline, so nothing was sent. Try again when you’re connected.")
    expect(message).to_have_value("Good luck!")
    page.context.set_offline(False)
    player.button("Send", exact=True).click()
    expect(page.locator(".chat-message")).to_contain_text("Good luck!")
    expect(alert).to_have_count(0)


@pytest.mark.long
def test_a_form_that_its_answer_replaces_keeps_the_focus(sit_down):
    player = sit_down()
    sit_at_kingdoms(player)
    player.go(f"{player.page.url.partition('?')[0]}orders")
    save = player.button("Save orders")
    save.press("Enter")
    expect(player.page.get_by_text("Saved. Your orders apply from now on.")).to_be_visible()
    expect(save).to_be_focused()


LAND_IS_DRAWN = "() => document.querySelector('.map-sheet img').naturalWidth > 0"
CARDS_ARE_DRAWN = "() => [...document.querySelectorAll('use[href*=boards]')].some((part) => part.getBBox().width > 0)"


@pytest.mark.parametrize(
    ("sit", "are_drawn"),
    [(Evening.play_now, LAND_IS_DRAWN), pytest.param(sit_at_kingdoms, CARDS_ARE_DRAWN, marks=pytest.mark.long)],
    ids=["land", "cards"],
)
def test_a_picture_that_a_busy_server_refused_is_requested_again(sit_down, sit, are_drawn):
    player = sit_down(failing=("503",))
    page, busy = player.page, True
    page.route("**/boards/**", lambda route: route.fulfill(status=503) if busy else route.continue_())
    sit(player)
    assert not page.evaluate(are_drawn)
    busy = False
    page.wait_for_function(are_drawn, timeout=60_000)
