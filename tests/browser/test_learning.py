"""Learning by playing in a real browser: Legends by touch on a phone, Kingdoms by keyboard."""

import pytest
from playwright.sync_api import Locator, Page, expect

from games.tables.lessons.eight_minute import TURNS
from games.tables.lessons.kingdoms import STEPS
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.evening import UNSETTLED

pytestmark = [pytest.mark.browser, pytest.mark.site("browser"), pytest.mark.long]


def settle(page: Page) -> None:
    expect(page.locator(UNSETTLED)).to_have_count(0)


def is_in_sight(page: Page) -> bool:
    """Return whether the lesson's sentence is in view and nothing covers it."""
    return page.locator("#lesson .lesson-words").evaluate(
        """words => {
          const box = words.getBoundingClientRect();
          const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
          return box.top >= 0 && box.bottom <= innerHeight && words.contains(top);
        }"""
    )


def is_in_view(control: Locator) -> bool:
    return control.evaluate(
        "control => control.getBoundingClientRect().bottom > 80 && control.getBoundingClientRect().top < innerHeight"
    )


def test_legends_is_learned_by_touch_on_a_phone_and_resumed(sit_down):
    player = sit_down(viewport=PHONE, has_touch=True, is_mobile=True)
    page = player.page
    player.go("/")
    page.locator("#learn-legends").tap()
    ways = 0  # to cards out of sight
    for number, turn in enumerate(TURNS["legends"], 1):
        lesson = page.locator("#lesson")
        expect(lesson).to_contain_text(f"{number} of 6")
        expect(lesson).to_contain_text(turn.take)
        link = page.locator("#to-news")
        if number > 1 and not is_in_view(page.locator(f"#do-take-{turn.card}")):
            expect(link).to_contain_text("take a card")
            link.tap()
            expect(page.locator(f"#do-take-{turn.card}")).to_be_in_viewport()
            ways += 1
        expect(link).to_be_hidden()
        if number == 1:  # other cards are refused, softly, each time in sight or with a link to the sentence
            for card in ("forest-gnome", "cursed-tower", "forest-gnome"):
                page.locator(f"#do-take-{card}").tap()
                expect(page.locator("#alert")).to_contain_text(turn.take)
                page.evaluate("scrollTo(0, document.querySelector('#hand').getBoundingClientRect().top + scrollY)")
            expect(link).to_be_visible()
            expect(link).to_have_text(page.locator("#alert").inner_text())
        page.locator(f"#do-take-{turn.card}").tap()
        expect(lesson).to_contain_text(turn.use)
        expect(page.locator("#alert")).to_have_count(0)
        assert is_in_sight(page)
        if number == 1:  # a region that offers nothing points out the one that does
            page.locator(".map-sheet .region:not(:has(a))").first.tap(force=True)
            expect(page.locator(".map-sheet.pointing .target")).not_to_have_count(0)
        if number == 2:  # go away and come back: the card is still laid out
            page.goto("/desk/")
            page.get_by_role("link", name="Continue the lesson").tap()
            expect(lesson).to_contain_text(turn.use)
        while "Press Confirm" not in lesson.inner_text() and player.step_on_the_map():
            settle(page)
        settle(page)
        page.locator("#confirm").tap()
    assert ways, "after a turn on the map the next cards are above it"
    page.locator("#to-news").tap()
    expect(page.get_by_role("heading", name="Lesson complete")).to_be_in_viewport()
    page.locator("#first-game").tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Your turn: take a card")


def test_kingdoms_is_learned_with_the_keyboard_alone(sit_down):
    player = sit_down(viewport=DESKTOP)
    page = player.page
    player.go("/learn/")
    player.press_through_to(page.locator("#begin-kingdoms"))
    for number, step in enumerate(STEPS, 1):
        expect(page.locator("#lesson")).to_contain_text(f"{number} of 9")
        expect(page.locator("#said")).to_contain_text(step.todo)
        settle(page)
        page.evaluate("scrollTo(0, 300)")  # as far as a learner looks for a card
        assert is_in_sight(page), "the sentence and the dock stay, one above the other"
        page.evaluate("scrollTo(0, 0)")
        for card in step.marked:
            box = page.locator(f"#pick-{card}")
            player.press_through_to(box, "Space")
            expect(box).to_be_checked()
            settle(page)
        verb = step.action.partition(" ")[0]
        player.press_through_to(page.locator(f"[id^=do-{verb}]").first)
        settle(page)
        if page.locator("#confirm").count():
            player.press_through_to(page.locator("#confirm"))
            settle(page)
    expect(page.get_by_role("heading", name="Lesson complete")).to_be_visible()
    player.press_through_to(page.locator("#repeat-lesson"))
    expect(page.locator("#lesson")).to_contain_text("1 of 9")
    player.press_through_to(page.locator("#skip-lesson"))
    expect(page.locator("#begin-kingdoms")).to_be_visible()
