"""Answers leave out what the page has: afterwards it shows everything, with every symbol that a drawing uses."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import DESKTOP
from tests.browser.evening import SLOW, Evening
from tests.browser.test_kingdoms import do_the_usual, sit_at_kingdoms, wait_for_a_decision
from tests.browser.test_live import beginning, version

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

LEFT_OUT = """() => [
    ...[...document.querySelectorAll("use[href^='#']")].filter(
        use => !document.getElementById(use.getAttribute("href").slice(1))),
    ...document.querySelectorAll("[data-kept], [data-lines], .card:not(:has(.card-name)), .tip-words:empty"),
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
def test_the_history_plays_at_the_chosen_speed_without_storage(sit_down):
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


# The differences between what the table shows and what a new page would: texts, drawings and controls, without what is
# new, what is fetched once it is opened, and what scripts draw for the next tap. A question about a step is not stored,
# so that a new page asks it only if its address names the step
DIFFERENT = """async () => {
    const parts = "#hand, #moves, #row, #finds, #players, #points, #log, .pieces, #cards, #market, #realm, #battle";
    const left = "#in-words, #burn-pile, #helper, .news, .fresh, .change, .k-news, .marking, .film-place, template, "
        + "script, .edges, .costs, .ways, .glow, .count, .spark, .marks, a > title, .time, time";
    const shown = (page) => new Map([...page.querySelectorAll("#table :is(" + parts + ")")].map((part) => {
        const copy = part.cloneNode(true);
        for (const element of copy.querySelectorAll(left)) element.remove();
        const drawn = [...copy.querySelectorAll("use")].map((use) => use.getAttribute("href")).sort();
        const offered = [...copy.querySelectorAll("a[href], button, input:not([name=csrfmiddlewaretoken])")].map(
            (control) => `${control.localName} ${
                ["href", "name", "value", "disabled"].map((name) => control.getAttribute(name))}`);
        return [part.id || part.classList[0],
            (copy.textContent + drawn.join(" ") + offered.join(";")).replaceAll(/\\s+/g, "")];
    }));
    const action = document.querySelector("#table .sure [name=action]")?.value.split(";").at(-1);
    const answer = await fetch(location.pathname + (action ? `?${new URLSearchParams({ then: action })}` : ""));
    const pages = [document, new DOMParser().parseFromString(await answer.text(), "text/html")];
    const [old, current] = pages.map((page) => page.getElementById("table").dataset.version);
    const [here, there] = pages.map(shown);
    const names = [...new Set([...here.keys(), ...there.keys()])];
    const different = names.filter((name) => here.get(name) !== there.get(name));
    return [old === current, names, different.map((name) => [name, here.get(name), there.get(name)])];
}"""
LEGENDS = {"hand", "log", "pieces", "players"}  # compared by each look at a turn
KINGDOMS = {"log", "market", "realm"}  # in a battle there is no hand


def assert_as_new(player: Evening, compared: set[str] = LEGENDS) -> None:
    """The table shows what a new page would, as soon as the page has heard of what others play."""
    for _look in range(SLOW // 250):
        player.settle()
        is_current, names, different = player.page.evaluate(DIFFERENT)
        if is_current:
            break
        player.page.wait_for_timeout(250)
    assert is_current and set(names) >= compared
    assert different == []


@pytest.mark.long
def test_after_each_answer_the_table_of_legends_shows_what_a_new_page_would(sit_down):
    player = sit_down(viewport=DESKTOP, reduced_motion="reduce")  # no film, which shows what was before
    page = player.page
    beginning(player)
    for _turn in range(3):
        assert_as_new(player)
        player.take_a_card()
        assert_as_new(player)
        if player.step_on_the_map():
            player.settle()
            page.keyboard.press("Escape")  # what is selected is not in a new page
            assert_as_new(player)
            with page.expect_response("**/undo"):
                page.keyboard.press("u")
            assert_as_new(player)
            if page.locator("#table.table-take").count():  # the step was only asked about, so the card was returned
                player.take_a_card()
        player.confirm()
        assert player.wait_for_a_decision() == "take"


@pytest.mark.long
def test_after_each_answer_the_table_of_kingdoms_shows_what_a_new_page_would(sit_down):
    player = sit_down(reduced_motion="reduce")
    sit_at_kingdoms(player)
    for _action in range(20):
        if wait_for_a_decision(player) == "over":
            break
        do_the_usual(player)
        if not player.page.locator("#cards :checked").count():  # a new page has no card picked
            assert_as_new(player, KINGDOMS)


# Answers that come late


def turn_of_kingdoms(player: Evening, button: str) -> None:
    """Play until that button of a turn is there."""
    while wait_for_a_decision(player) != "turn" or not player.page.locator(button).count():
        do_the_usual(player)


def held_back(page: Page, address: str) -> list[Route]:
    """Return the list of requests to this address, which from now on get no answer by themselves."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(address, hold)
    return held


def test_a_card_that_is_tapped_while_a_turn_is_sent_changes_nothing(sit_down):
    player = sit_down(reduced_motion="reduce")
    page = player.page
    sit_at_kingdoms(player)
    turn_of_kingdoms(player, "#do-draw")
    submissions = held_back(page, "**/submit")
    page.locator("#do-draw").click()
    page.locator("#cards .k-pick").last.click()
    player.hear_of_requests()
    page.wait_for_timeout(500)  # in which the dock could be fetched, and replaced
    (submission,) = submissions
    assert "refresh" not in submission.request.headers
    with page.expect_response("**/submit"):
        submission.continue_()
    player.settle()
    expect(page.locator("#table #table, #cards :checked")).to_have_count(0)
    assert_as_new(player, KINGDOMS)


def test_a_refresh_that_comes_after_the_answer_to_a_later_turn_is_dropped(sit_down):
    player = sit_down(reduced_motion="reduce", failing=("503",))
    page = player.page
    page.route("**/live/**", lambda route: route.fulfill(status=503))  # no other news
    sit_at_kingdoms(player)
    player.look_again_until(page.locator("#do-draw"))
    turn_of_kingdoms(player, "#do-draw")
    before, table = version(page), page.url.partition("?")[0]
    refreshes = held_back(page, table)
    with page.expect_request(table):  # not at once, if the page is still busy
        page.evaluate(
            "version => document.dispatchEvent(new CustomEvent('table:news', { detail: { version } }))", before + 1
        )
    player.hear_of_requests()
    (refresh,) = refreshes
    assert refresh.request.headers["refresh"] == "1"  # so that a busy server answers people first
    old = refresh.fetch()
    with page.expect_response("**/submit"):
        page.evaluate("""() => {
            const form = document.querySelector("#hand form.k-choices"), button = document.getElementById("do-draw");
            const values = Object.fromEntries([...new FormData(form), [button.name, button.value]]);
            htmx.ajax("post", button.formAction, { source: "#sending", target: "#table", swap: "parts", values });
        }""")  # as a turn is sent whose wait is over
    player.settle()
    assert version(page) > before
    with page.expect_response(table):
        refresh.fulfill(response=old)
    player.settle()
    assert version(page) > before


def test_a_press_counts_if_an_answer_replaces_its_control_before_the_release(sit_down):
    player = sit_down(reduced_motion="reduce")
    page = player.page
    sit_at_kingdoms(player)
    turn_of_kingdoms(player, "#do-draw")
    button = page.locator("#do-draw")
    button.hover()
    page.mouse.down()
    button.evaluate("button => button.replaceWith(button.cloneNode(true))")
    with page.expect_response("**/submit"):
        page.mouse.up()
