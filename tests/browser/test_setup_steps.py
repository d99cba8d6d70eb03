"""Setting up by hand in a real browser: the map stays where it is, and answers are small."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_family import set_up_by
from tests.browser.whole_game import Watched

pytestmark = [pytest.mark.browser, pytest.mark.site("browser"), pytest.mark.long]


def first(watched: Watched, which: str) -> Locator:
    return watched.page.locator(which).first


@pytest.mark.parametrize(
    ("viewport", "by"), [(PHONE, "touch"), ({**DESKTOP, "height": 900}, "mouse")], ids=["phone", "desktop"]
)
def test_the_map_stays_where_it_is_while_a_game_is_set_up_and_answers_are_small(sit_down, viewport, by):
    watched = Watched(sit_down(viewport=viewport, has_touch=by == "touch"), by=by)
    page, steps = watched.page, watched.page.locator("#steps li")
    set_up_by(watched.player)
    page.evaluate("scrollBy({ top: 120, behavior: 'instant' })")
    for board in range(4):
        watched.do(first(watched, ".side"))
        expect(page.locator("#another-side")).to_be_visible()
        if not page.locator(".way").count():  # the first board has only one place
            watched.do(first(watched, ".places a"))
        expect(page.locator(".way").first).to_be_visible()
        watched.do(first(watched, ".way"))
        expect(steps).to_have_count(board + 1)
    for part in range(2):  # the start region and the outpost
        watched.do(first(watched, ".map-sheet .region a"))
        expect(steps).to_have_count(part + 5)
    watched.do(page.locator("#undo"))
    expect(steps).to_have_count(5)
    watched.do(first(watched, ".map-sheet .region a"))
    expect(steps).to_have_count(6)
    watched.reach(page.locator("#confirm"))
    with watched.watching("sending the setup", stays=watched.board):
        page.locator("#confirm").click()
        page.locator("#send-now").click()
        expect(page.locator("#confirm")).to_have_count(0)
    assert len(watched.sizes) > 12, watched.sizes
