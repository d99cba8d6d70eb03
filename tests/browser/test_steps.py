"""Laying out moves in a real browser: at once, by touch and by keyboard, without a jump and with small answers."""

import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import PHONE
from tests.browser.evening import Evening

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

DESKTOP = {"width": 1280, "height": 720}
KB = 1024
FIRST_WAY = """
() => {
  const plan = JSON.parse(document.getElementById("plan").textContent);
  if (!plan.parts.some((part) => part.kind === "move" && part.left)) return null;  // the server would ask first
  for (const [origin, ways] of Object.entries(plan.ways)) {
    const far = Object.entries(ways).sort(([, [one]], [, [other]]) => other - one)[0];
    if (far && plan.regions[origin].armies) return [origin, far[0], far[1][0]];
  }
  return null;
}
"""


# Scroll until the sticky map has been pushed six pixels up
PUSH = """() => {
    const map = document.getElementById("board"), end = map.parentElement.getBoundingClientRect().bottom;
    scrollBy({ top: end - map.offsetHeight - parseFloat(getComputedStyle(map).top) + 6, behavior: "instant" });
    return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""


def top(page: Page) -> float:
    return page.locator(".map-window").evaluate("map => map.getBoundingClientRect().top")


def take_a_moving_card(player: Evening) -> None:
    """Play until a card that moves armies can be taken, and take it."""
    for _turn in range(12):
        decision = player.wait_for_a_decision()
        if decision == "bid":
            player.bid(1)
        elif decision == "first":
            player.start_myself()
        else:
            moving = player.page.locator("#hand .offer-card:enabled", has=player.page.locator(".card-move"))
            (moving if moving.count() else player.page.locator("#hand .offer-card:enabled")).first.click()
            expect(player.page.locator("#confirm")).to_be_visible()
            if player.page.evaluate(FIRST_WAY):
                return
            player.step_on_the_map()
            player.confirm()
    raise AssertionError("no card moved armies")


def press(player: Evening, region: str, *, by_keyboard: bool) -> None:
    """Press the region's link. It is found and pressed in one go, because an answer may replace it at any moment."""
    find = f"document.getElementById('tap-{region}')"
    player.page.locator(f"#tap-{region}").wait_for(state="attached")
    if by_keyboard:
        player.page.evaluate(f"{find}.focus({{ preventScroll: true }})")
        player.page.keyboard.press("Enter")
    else:
        player.page.evaluate(f"{find}.dispatchEvent(new MouseEvent('click', {{ bubbles: true, cancelable: true }}))")


@pytest.mark.sampled
@pytest.mark.parametrize(("viewport", "by_keyboard"), [(PHONE, False), (DESKTOP, True)], ids=["phone", "keyboard"])
def test_a_far_move_is_laid_out_at_once_and_the_map_stays_where_it_is(sit_down, viewport, by_keyboard):
    player = sit_down(viewport=viewport, has_touch=not by_keyboard)
    sizes: list[int] = []

    def measure(request: Request) -> None:
        if request.url.endswith(("/step", "/undo")):
            sizes.append(request.sizes()["responseBodySize"])

    player.play_now()
    player.page.on("requestfinished", measure)
    take_a_moving_card(player)
    page = player.page
    # The position of what is sticky is known a frame after scrolling
    page.evaluate("scrollBy(0, 150); new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    origin, target, cost = page.evaluate(FIRST_WAY)
    before, steps = top(page), page.locator("#steps li")
    with page.expect_response("**/step"):
        press(player, origin, by_keyboard=by_keyboard)
        expect(page.locator("#let-go")).to_be_visible()
        assert f"{cost} of " in page.locator(f"#tap-{target}").get_attribute("aria-label")
        assert abs(top(page) - before) <= 2
        press(player, target, by_keyboard=by_keyboard)
        assert steps.count() > 0  # before the server has answered
    expect(page.locator(".pieces .ways")).to_have_count(1)  # drawn by the server
    expect(steps).not_to_have_count(0)
    assert abs(top(page) - before) <= 2
    with page.expect_response("**/undo"):
        page.keyboard.press("u")
    expect(page.locator("#table:not(.htmx-settling)")).to_be_visible()
    assert abs(top(page) - before) <= 2
    assert sizes and max(sizes) <= 8 * KB
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def test_a_map_that_the_end_of_the_page_pushes_stays_where_it_is_when_the_dock_grows(sit_down):
    player = sit_down(viewport=DESKTOP)
    player.play_now()
    take_a_moving_card(player)
    page = player.page
    page.evaluate(PUSH)
    origin, target, _cost = page.evaluate(FIRST_WAY)
    before = top(page)
    with page.expect_response("**/step"):
        press(player, origin, by_keyboard=True)
        expect(page.locator("#let-go")).to_be_visible()
        assert abs(top(page) - before) <= 2
        press(player, target, by_keyboard=True)
    expect(page.locator(".pieces .ways")).to_have_count(1)  # drawn by the server
    assert abs(top(page) - before) <= 2
    with page.expect_response("**/undo"):
        page.keyboard.press("u")
    expect(page.locator("#table:not(.htmx-settling)")).to_be_visible()
    assert abs(top(page) - before) <= 2


def take_a_card_that(player: Evening, says: re.Pattern[str]) -> None:
    """Play until a card that says this can be taken, and take it."""
    for _game in range(4):
        player.play_now()
        while (decision := player.wait_for_a_decision()) != "over":
            wanted = player.page.locator("#hand .offer-card:enabled", has_text=says)
            if decision == "bid":
                player.bid(1)
            elif decision == "first":
                player.start_myself()
            elif wanted.count():
                wanted.first.click()
                expect(player.page.locator("#confirm")).to_be_visible()
                return
            else:
                player.take_a_turn()
    raise AssertionError("no such card was on offer")


@pytest.mark.long
def test_the_second_part_of_a_card_is_offered_with_what_it_gives_up_and_asks_first(sit_down):
    player = sit_down(has_touch=True)
    page = player.page
    take_a_card_that(player, re.compile(r"Move \d.*and then\s+Place", re.DOTALL))
    place = page.locator("#moves button[value^=place]").first
    start = (place.get_attribute("value") or "").split(" ")[1]
    press(player, start, by_keyboard=False)
    expect(page.locator("#let-go")).to_be_visible()
    if not page.locator("#go-on").count():  # there are armies to move, too
        button = page.locator("#hand .chosen .here button")
        expect(button).to_have_text(re.compile(r"Place an army \(gives up \d moves?\)"))
        expect(button).not_to_have_class(re.compile("sea"))
        button.click()
    expect(page.locator("#sure-words")).to_contain_text("give up")
    page.locator("#let-go").click()
    expect(page.locator("#go-on")).to_have_count(0)
    assert not page.locator("#steps").count()


@pytest.mark.long
def test_each_tap_places_an_army_while_the_other_part_of_the_card_would_give_that_up(sit_down):
    player = sit_down(has_touch=True)
    page = player.page
    take_a_card_that(player, re.compile(r"Place [2-9].*and then\s+Destroy", re.DOTALL))
    start = (page.locator("#moves button[value^=place]").first.get_attribute("value") or "").split(" ")[1]
    for _army in range(2):
        press(player, start, by_keyboard=False)
    expect(page.locator("#steps")).to_contain_text("×2")
    expect(page.locator("#let-go, #sure-words")).to_have_count(0)


# A point of a region, or of an army in it, that nothing else covers
POINT = """
(which) => {
  const part = document.querySelector(which);
  const box = part.getBoundingClientRect();
  for (const down of [0.5, 0.3, 0.7, 0.15, 0.85]) for (const right of [0.5, 0.3, 0.7, 0.15, 0.85]) {
    const [x, y] = [box.left + right * box.width, box.top + down * box.height];
    const hit = document.elementFromPoint(x, y);
    const piece = hit?.closest("[data-of]")?.dataset.of ?? "";
    if (part.contains(hit) || piece === part.dataset.region) return [x, y];
  }
}
"""


def drag(page: Page, army: str, to: str | tuple[float, float]) -> None:
    """Drag an army to a region or a point. Look for the region only then: the map can move when a drag begins."""
    x, y = page.evaluate(POINT, army)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 15, y, steps=2)
    page.mouse.move(*(page.evaluate(POINT, to) if isinstance(to, str) else to), steps=4)
    page.mouse.up()


def test_a_dragged_army_moves_and_a_drag_that_ends_nowhere_changes_nothing(sit_down):
    player = sit_down(viewport={"width": 1280, "height": 1600})  # the whole map is in sight
    player.play_now()
    take_a_moving_card(player)
    page, steps = player.page, player.page.locator("#steps li")
    page.locator(".map-window").evaluate("map => map.scrollIntoView({block: 'end', behavior: 'instant'})")
    origin, target, _cost = page.evaluate(FIRST_WAY)
    army = f".tokens [data-of='{origin}'] .army.movable"
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    drag(page, army, (1200, 900))  # next to the map
    expect(page.locator(".ghost, .dragged, .region.over, #let-go")).to_have_count(0)
    assert (steps.count(), requests) == (0, [])
    with page.expect_response("**/step"):
        drag(page, army, f"#region-{target}")
        assert steps.count() > 0  # before the server has answered
    expect(page.locator(".pieces .ways")).to_have_count(1)  # drawn by the server
    expect(page.locator(".ghost, .dragged, .region.over")).to_have_count(0)
