"""Pages that the table has moved on from: a second tab, an old release, a card that has gone, a lost drag."""

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import DESKTOP
from tests.browser.evening import Evening
from tests.browser.test_kingdoms import settle, sit_at_kingdoms, wait_for_a_decision
from tests.browser.test_steps import FIRST_WAY, POINT, press, take_a_moving_card

pytestmark = [pytest.mark.browser, pytest.mark.site("browser"), pytest.mark.long]

OF_EARLIER_RELEASE = """() => {
    const headers = JSON.parse(document.body.getAttribute("hx-headers"));
    document.body.setAttribute("hx-headers", JSON.stringify({ ...headers, Release: "0123456789ab" }));
}"""


ASK = "htmx.ajax('GET', location.pathname, {target: '#table', swap: 'parts', source: '#table'})"
# The promise of htmx is kept before the answer has settled; until then the table takes no step
LOOK = f"""new Promise((settled) => {{
    document.addEventListener("htmx:afterSettle", () => settled(), {{ once: true }});
    {ASK};
}})"""
TAP = """const tap = (id) => document.getElementById(id)?.dispatchEvent(
    new MouseEvent("click", { bubbles: true, cancelable: true }));
"""


def second_tab(player: Evening) -> Evening:
    """Return the same person in another tab at the same table."""
    other = Evening(player.page.context.new_page())
    other.go(player.page.url.partition("?")[0])
    return other


def march(player: Evening) -> list[str]:
    """Lay out the dearest move from the first region, and return its way."""
    way = player.page.evaluate(FIRST_WAY)
    for region in way[:2]:
        press(player, region, by_keyboard=False)
    return way


IDS = "cards => cards.map(card => card.id)"
NEWER = "seq => Number(document.querySelector('.map-sheet').dataset.seq) > seq"


def seq_of(page: Page) -> int:
    return int(page.locator(".map-sheet").get_attribute("data-seq") or -1)


def steps(page: Page) -> Locator:
    return page.locator("#steps li")


def test_two_tabs_that_lay_out_the_same_turn_end_with_the_same_steps_and_a_sentence(sit_down):
    here = sit_down(viewport=DESKTOP)
    here.play_now()
    take_a_moving_card(here)
    there = second_tab(here)
    with here.page.expect_response("**/step"):
        march(here)
    expect(here.page.locator(".pieces .ways")).to_have_count(1)  # drawn by the server
    laid = steps(here.page).all_inner_texts()
    with there.page.expect_response("**/undo"):
        there.page.keyboard.press("u")  # this tab shows only the card, which is not the last step any more
    expect(there.page.get_by_role("alert")).to_contain_text("another window")
    expect(steps(there.page)).to_have_text(laid, use_inner_text=True)
    expect(there.page.locator(".sending-bar.failed")).to_be_hidden()
    with there.page.expect_response("**/undo"):
        there.page.keyboard.press("u")  # the fresh position can be played
    expect(there.page.get_by_role("alert")).to_have_count(0)
    expect(steps(there.page)).not_to_have_text(laid, use_inner_text=True)


def test_a_page_of_an_earlier_release_says_so_with_the_next_step_and_keeps_everything(sit_down):
    player = sit_down(viewport=DESKTOP)
    page = player.page
    player.play_now()
    take_a_moving_card(player)
    page.evaluate(OF_EARLIER_RELEASE)
    with page.expect_response("**/step"):
        march(player)
    note = page.locator("#outdated")
    expect(note).to_contain_text("We have updated the site")
    expect(page.locator(".pieces .ways")).to_have_count(1)
    laid = steps(page).all_inner_texts()
    assert laid
    note.get_by_role("link", name="Reload the page").click()
    expect(note).to_have_count(0)
    expect(steps(page)).to_have_text(laid, use_inner_text=True)


def test_a_page_of_kingdoms_of_an_earlier_release_shows_the_whole_table_for_a_part(sit_down):
    player = sit_down()
    page = player.page
    sit_at_kingdoms(player)
    wait_for_a_decision(player)
    page.evaluate(OF_EARLIER_RELEASE)
    card = page.locator("#cards .k-pick input").first
    card.evaluate("card => card.click()")
    expect(page.locator("#outdated")).to_be_visible()
    expect(page.locator("#picked")).to_contain_text("1 card")
    expect(card).to_be_checked()
    expect(page.locator("#table")).to_have_count(1)


def test_a_card_that_was_played_in_another_tab_is_refused_with_a_sentence_and_the_fresh_table(sit_down):
    here = sit_down(viewport=DESKTOP)
    here.play_now()
    take_a_moving_card(here)
    there = second_tab(here)
    expect(there.page.locator("#confirm")).to_be_visible()
    here.page.locator("#confirm").click()
    here.see_it_sent()
    expect(there.page.locator("#overtaken")).to_be_visible()  # it has a draft, so it is not refreshed by itself
    with there.page.expect_response("**/step"):
        march(there)
    expect(there.page.get_by_role("alert")).to_contain_text("The game has changed since you loaded this page")
    here.wait_for_a_decision()
    expect(there.page.locator("#log .line")).to_have_count(here.page.locator("#log .line").count())
    expect(there.page.locator("#confirm")).to_have_count(0)
    assert there.wait_for_a_decision() == "take"
    there.take_a_card()


def test_the_draw_of_another_tab_shows_the_fresh_table_and_no_refusal(sit_down):
    """The same turn sent twice counts once, so there is nothing to refuse."""
    here = sit_down(viewport=DESKTOP)
    sit_at_kingdoms(here)
    while wait_for_a_decision(here) != "turn" or not here.page.locator("#do-draw").count():
        here.page.locator("#hand .ready button, #hand a").first.click()
        settle(here)
    there = second_tab(here)
    there.page.locator("#cards .k-pick input").first.evaluate("card => card.click()")
    expect(there.page.locator("#picked")).to_be_visible()
    here.page.locator("#do-draw").click()
    expect(here.page.locator("#do-draw")).to_have_count(0)
    there.page.locator("#do-draw").click()
    expect(there.page.locator("#do-draw")).to_have_count(0)
    expect(there.page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("how", ["cancelled", "beside the map", "on another region"])
def test_a_drag_that_ends_nowhere_leaves_the_draft_as_it_was(sit_down, how):
    player = sit_down(viewport={"width": 1280, "height": 1000})
    player.play_now()
    take_a_moving_card(player)
    page = player.page
    origin = page.evaluate(FIRST_WAY)[0]
    laid, requests = steps(page).count(), []
    page.on("request", lambda request: requests.append(request.url))
    page.evaluate(
        """([origin, how]) => {
            const army = document.querySelector(`.tokens [data-of='${origin}'] .army.movable`);
            const { left, top } = army.getBoundingClientRect();
            const send = (type, x, y, target = army) => target.dispatchEvent(new PointerEvent(type, {
                bubbles: true, cancelable: true, isPrimary: true, button: 0, clientX: x, clientY: y }));
            send("pointerdown", left + 2, top + 2);
            send("pointermove", left + 60, top + 60);
            if (how === "cancelled") send("pointercancel", left + 60, top + 60);
            else if (how === "beside the map") send("pointerup", 1270, 990);
            else send("pointerup", left + 2, top + 2);
        }""",
        [origin, how],
    )
    expect(page.locator(".ghost, .dragged, .region.over")).to_have_count(0)
    assert (steps(page).count(), requests) == (laid, [])
    with page.expect_response("**/step"):
        march(player)
    assert steps(page).count() > laid


def test_a_step_after_looking_again_is_sent(sit_down):
    player = sit_down(viewport=DESKTOP, failing=("htmx:sendError", "ERR_FAILED", "Failed to fetch"))
    page = player.page
    player.play_now()
    take_a_moving_card(player)

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/step", lose)
    march(player)
    expect(page.get_by_text("Check the table to see whether your last move counted.")).to_be_visible()
    page.unroute("**/step")
    page.get_by_role("button", name="Check the table").click()
    expect(page.locator(".pieces .ways")).to_have_count(1)  # drawn by the server
    with page.expect_response("**/undo"):
        page.keyboard.press("u")
    expect(page.locator("#table:not(.htmx-settling)")).to_be_visible()
    with page.expect_response("**/step"):
        march(player)


IN_SIGHT = "map => map.scrollIntoView({ block: 'end', behavior: 'instant' })"
GRAB = """origin => {
    const army = document.querySelector(`.tokens [data-of='${origin}'] .army.movable`);
    const { left, top } = army.getBoundingClientRect();
    window.touch = (type, x, y, { on = document.getElementById("board"), ...more } = {}) => on.dispatchEvent(
        new PointerEvent(type, { bubbles: true, cancelable: true, isPrimary: true, button: 0, buttons: 1, pointerId: 1,
            clientX: x, clientY: y, ...more }));
    touch("pointerdown", left + 2, top + 2, { on: army });
    touch("pointermove", left + 60, top + 60);
}"""


def test_a_drag_continues_after_a_swap_and_ends_with_the_turn(sit_down):
    here = sit_down(viewport={"width": 1280, "height": 1000})
    here.play_now()
    take_a_moving_card(here)
    page = here.page
    page.locator(".map-window").evaluate(IN_SIGHT)
    origin, target, _cost = page.evaluate(FIRST_WAY)
    page.evaluate(GRAB, origin)
    expect(page.locator(".ghost")).to_have_count(1)
    page.evaluate(LOOK)
    page.evaluate("touch('pointermove', 500, 500)")
    expect(page.locator(".ghost")).to_have_count(1)
    # A second finger that is lifted does not end the drag
    x, y = page.evaluate(POINT, f"#region-{target}")
    page.evaluate("([x, y]) => touch('pointerup', x, y, {pointerId: 2, isPrimary: false})", [x, y])
    expect(page.locator(".ghost")).to_have_count(1)
    with page.expect_response("**/step"):
        page.evaluate("([x, y]) => touch('pointerup', x, y)", [x, y])
    expect(page.locator(".pieces .ways")).to_have_count(1)  # drawn by the server
    # Another tab ends the turn
    there = second_tab(here)
    expect(there.page.locator("#confirm")).to_be_visible()
    movable = page.locator(".army.movable").first
    if movable.count():
        page.evaluate(GRAB, movable.evaluate("army => army.closest('[data-of]').dataset.of"))
    there.page.locator("#confirm").click()
    there.see_it_sent()
    expect(page.locator("#overtaken")).to_be_visible()
    page.evaluate(LOOK)
    expect(page.locator("#confirm")).to_have_count(0)
    page.evaluate("touch('pointermove', 500, 500); touch('pointerup', 510, 510)")
    expect(page.locator(".ghost, .dragged, .region.over")).to_have_count(0)


def test_a_finger_that_drags_an_army_keeps_it_when_an_answer_replaces_the_map(sit_down):
    player = sit_down(viewport={"width": 1280, "height": 1000}, has_touch=True)
    player.play_now()
    take_a_moving_card(player)
    page = player.page
    page.locator(".map-window").evaluate(IN_SIGHT)
    origin, target, _cost = page.evaluate(FIRST_WAY)
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *at: float) -> None:
        points = [dict(zip("xy", at, strict=True))] if at else []
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = page.evaluate(POINT, f".tokens [data-of='{origin}'] .army.movable")
    touch("touchStart", x, y)
    touch("touchMove", x + 10, y - 20)
    expect(page.locator(".ghost")).to_have_count(1)
    page.evaluate(LOOK)
    for n in range(1, 6):
        touch("touchMove", x + 10, y - 20 - 30 * n)  # the page would scroll
    expect(page.locator(".ghost")).to_have_count(1)
    to_x, to_y = page.evaluate(POINT, f"#region-{target}")
    touch("touchMove", to_x, to_y)
    with page.expect_response("**/step"):
        touch("touchEnd")
    expect(page.locator(".pieces .ways")).to_have_count(1)


def test_taps_on_the_map_during_an_undo_wait_for_its_answer(sit_down):
    player = sit_down(viewport=DESKTOP)
    page = player.page
    player.play_now()
    take_a_moving_card(player)
    origin, target, _cost = page.evaluate(FIRST_WAY)
    requests: list[str] = []
    page.on("request", lambda request: request.method == "POST" and requests.append(request.url.rsplit("/", 1)[-1]))
    page.evaluate(
        f"regions => {{ {TAP} tap('undo'); for (const region of regions) tap(`tap-${{region}}`); }}", [origin, target]
    )
    expect(page.locator("#table.table-take")).to_be_visible()
    player.settle()
    player.hear_of_requests()
    assert requests == ["undo"]
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("#confirm, #steps")).to_have_count(0)


def test_a_tap_during_a_request_does_not_answer_the_next_decision(sit_down):
    here = sit_down(viewport=DESKTOP, failing=("503",))
    here.play_now()
    here.bid(0)
    while (decision := here.wait_for_a_decision()) != "take":
        assert decision == "first"
        here.start_myself()
    page = here.page.context.new_page()
    page.route("**/live/**", lambda route: route.fulfill(status=503))  # a tab that does not follow the game
    page.goto(here.page.url)
    before = seq_of(page)
    here.take_a_turn()
    here.page.wait_for_function(NEWER, arg=before + 1)
    assert here.wait_for_a_decision() == "take"
    cards = [set(each_page.locator("#hand .offer-card:enabled").evaluate_all(IDS)) for each_page in (page, here.page)]
    sent: list[str] = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    page.evaluate(f"card => {{ {TAP} {ASK}; tap(card); }}", min(set.intersection(*cards)))
    page.wait_for_function(NEWER, arg=before)
    tab = Evening(page)
    tab.settle()
    tab.hear_of_requests()
    assert sent == []
    assert tab.wait_for_a_decision() == "take"
