"""The table at all sizes: nothing is wider than the screen, cards come early, the map has the room it needs."""

import subprocess
import sys
from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.evening import SLOW, Evening
from tests.browser.test_axe import CUT_OFF, QUIET, RESIZE
from tests.browser.test_kingdoms import MINE, do_the_usual, sit_at_kingdoms, wait_for_a_decision
from tests.running import ROOT, Site

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

# Size of the window; how far down the first card may start, with four lines about the bot's last turn; the least width
# of the map
SIZES = {
    (390, 844): (530, 390), (844, 390): (420, 390), (1280, 900): (545, 560), (1600, 1000): (545, 640),
    (1920, 1080): (545, 690),
}  # fmt: skip
CARDS = "#hand .offer, #cards, .k-cloth"
LEAST_LETTERS = 11  # pixels
MEASURED = """cards => {
    const box = which => document.querySelector(which)?.getBoundingClientRect();
    const letters = [...document.querySelectorAll(".pieces .names text")].map(
        text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
    return {
        wide: document.documentElement.scrollWidth,
        card: box(cards) ? box(cards).top + scrollY : 0,
        map: box(".map-sheet")?.width ?? 0,
        tools: box(".map-tools:not([hidden])")?.top ?? 0,
        mapEnd: box(".map-window")?.bottom ?? 0,
        letters: letters.length ? Math.min(...letters) : 99,
    };
}"""


# A finished game of five players, two of them with long names
OF_FIVE = """
import django
django.setup()
from django.db import transaction
from games.tables.services import lobby
from tests.cast import again, person, play_out
people = [person(name) for name in ("Bartholomew Longname", "Wilhelmine von Hohenstein", "Carol", "Dan", "Eve")]
with transaction.atomic():  # so that no turn waits for what the workers of the site write
    game = lobby.open_table(user=people[0], players=5, ruleset="classic", listed=True)
    for one in people[1:]:
        lobby.join_table(game=game, user=one)
    print(play_out(again(game)).get_absolute_url())
"""
ROOM = """wrap => ({
    inside: wrap.scrollWidth,
    wide: wrap.clientWidth,
    names: wrap.querySelector("thead").textContent,
    isWhole: [...wrap.querySelectorAll("thead .name")].every((name) => name.scrollWidth <= name.clientWidth),
})"""

SHIFTED = """new PerformanceObserver((list) => {
    const own = list.getEntries().filter((entry) => !entry.hadRecentInput);
    window.shifted = own.reduce((sum, entry) => sum + entry.value, window.shifted ?? 0);
}).observe({ type: "layout-shift", buffered: true });"""
# All fonts have arrived and are drawn, and the observer has been told what that shifted
FONTS_DRAWN = """document.fonts.ready.then(() => new Promise((drawn) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn, 100)));
}))"""
MOST_SHIFTED = 0.02  # of a layout shift score; 0.1 is called good


def assert_fits(page: Page, name: str) -> None:
    for (width, height), (deepest, narrowest) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        measured, where = page.evaluate(MEASURED, CARDS), f"{name} at {width} x {height}"
        assert measured["wide"] <= width, where
        assert measured["card"] <= deepest, where
        if page.locator(".map-sheet").count():
            assert measured["map"] >= narrowest, where
            assert measured["tools"] >= measured["mapEnd"], f"{where}: the tools cover the map"
            assert measured["letters"] >= LEAST_LETTERS, where


def to_a_card(player: Evening) -> None:
    while (decision := player.wait_for_a_decision()) != "take":
        player.bid(1) if decision == "bid" else player.start_myself()


@pytest.mark.long
def test_the_table_fits_phones_and_wide_screens(sit_down):
    player = sit_down(has_touch=True)
    player.play_now(opponents=3)
    to_a_card(player)
    assert_fits(player.page, "taking a card")
    player.take_a_card()
    player.page.set_viewport_size({"width": 844, "height": 390})
    for part in ("#confirm", "#board"):
        player.page.locator("#hand").evaluate("dock => dock.scrollIntoView({block: 'start', behavior: 'instant'})")
        expect(player.page.locator(part)).to_be_in_viewport()  # the map next to the dock


def test_large_text_and_narrow_windows_lose_nothing_on_two_pages(sit_down):
    """A small sample of what `test_axe` does with all pages: a turn, and a form with a table."""
    player = sit_down(reduced_motion="reduce")
    player.play_now()
    to_a_card(player)
    problems = []
    for address in (player.page.url, "/play-now/"):
        player.page.set_viewport_size(PHONE)
        player.go(address)
        player.page.evaluate(QUIET)
        for width, percent in ((390, 200), (320, 100)):
            player.page.set_viewport_size({"width": width, "height": 844})
            player.page.evaluate(RESIZE, percent)
            problems += [
                f"{address}, {width} px, text {percent} %: {problem}" for problem in player.page.evaluate(CUT_OFF)
            ]
    assert not problems, "\n".join(problems)


# Height of the dock in that of the window, and whether a tap meets the button that ends the turn
DOCKED = """() => {
    const dock = document.querySelector("#hand.dock"), button = document.getElementById("confirm");
    const { left, top, width, height } = button.getBoundingClientRect();
    const met = document.elementFromPoint(left + width / 2, top + height / 2);
    return { share: dock.offsetHeight / innerHeight, isMet: button.contains(met) };
}"""


def test_the_dock_leaves_most_of_a_phone_to_the_map_with_text_at_200_percent(sit_down):
    player = sit_down()
    player.play_now()
    to_a_card(player)
    player.take_a_card()
    zoomed, larger = ({"width": 195, "height": 422}, 100), (PHONE, 200)
    for size, percent in (zoomed, larger):
        player.page.set_viewport_size(size)
        player.page.evaluate(RESIZE, percent)
        docked = player.page.evaluate(DOCKED)
        assert docked["share"] < 0.41, (size, docked)
        assert docked["isMet"], (size, docked)


def begun(player: Evening, game: str) -> None:
    player.go("/")
    player.page.get_by_label("Game", exact=True).select_option(game)
    player.button("Play now").click()
    expect(player.page.locator("#table")).to_be_visible()
    to_a_card(player)


def kingdoms(player: Evening) -> None:
    sit_at_kingdoms(player)
    while wait_for_a_decision(player) != "turn" or player.page.locator("#do-draw").count():
        do_the_usual(player)


@pytest.mark.long
@pytest.mark.parametrize("colors", ["light", "dark"])
@pytest.mark.parametrize(
    "begin",
    [
        pytest.param(lambda player: begun(player, "prototype"), id="prototype"),
        pytest.param(lambda player: begun(player, "classic"), id="classic"),
        pytest.param(kingdoms, id="kingdoms"),
    ],
)
def test_every_game_fits_phones_and_wide_screens(sit_down, begin: Callable[[Evening], None], colors: str):
    player = sit_down(has_touch=True, color_scheme=colors)
    begin(player)
    assert_fits(player.page, colors)


def test_a_wide_table_with_the_chat_next_to_it_answers(sit_down):
    player = sit_down(viewport={"width": 1920, "height": 1080})
    player.play_now()
    expect(player.page.locator("#chat #chat-text")).to_be_visible()
    to_a_card(player)
    player.take_a_card()


# Whether the middle of a region that the turn can go on in lies in the window of the map
IS_MARKED_IN_SIGHT = """() => {
    const view = document.querySelector(".map-window").getBoundingClientRect();
    return [...document.querySelectorAll(".map-sheet .region .target")].some((region) => {
        const { top, bottom } = region.getBoundingClientRect();
        return view.top < (top + bottom) / 2 && (top + bottom) / 2 < view.bottom;
    });
}"""


@pytest.mark.long
def test_a_map_that_is_taller_than_its_window_shows_where_a_card_can_be_used(sit_down):
    player = sit_down(viewport={"width": 844, "height": 300}, has_touch=True)  # less than half of the map
    player.play_now()
    to_a_card(player)
    page = player.page
    for which, place in product(range(page.locator("#hand .offer-card:enabled").count()), (0, 9999)):
        page.locator(".map-window").evaluate("(map, place) => map.scrollTo(0, place)", place)
        player.take_a_card(which)
        page.wait_for_function(IS_MARKED_IN_SIGHT)
        page.locator("#undo").click()
        expect(page.locator("#hand .offer-card").first).to_be_visible()


@pytest.mark.long
def test_the_map_never_lies_over_the_log(sit_down):
    player = sit_down(viewport=DESKTOP)
    player.play_now()
    to_a_card(player)
    page = player.page
    page.locator("#map-words summary").click()
    for height in range(0, 2000, 250):
        page.evaluate("height => scrollTo(0, height)", height)
        board, records = page.locator("#board").bounding_box(), page.locator(".records").bounding_box()
        assert board["y"] + board["height"] <= records["y"], height


@pytest.mark.long
def test_a_long_name_of_wide_letters_fits_a_phone(sit_down):
    alice, bob = sit_down(), sit_down()
    alice.go("/lobby/open/?for=friends&players=2")
    alice.button("Open the table").click()
    bob.go(alice.page.locator("[id^=invite-]:read-only").input_value())
    bob.page.get_by_label("Your name").fill("W" * 24)
    bob.button("Join the game").click()
    for player in (alice, bob):
        expect(player.page.locator("#players")).to_contain_text("W" * 24)
        player.page.wait_for_load_state()
        assert player.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    alice.go("/desk/")
    expect(alice.page.locator(".people").first).to_contain_text("W" * 24)
    assert alice.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_names_of_cards_fit_the_row_of_a_phone_that_is_turned_in_every_language(sit_down):
    for language in ("de", "en", "es", "fr"):
        page = sit_down(viewport={"width": 844, "height": 390}, locale=language).page
        page.goto("/rules/legends/cards/")
        cut = page.evaluate("""() => [...document.querySelectorAll(".card:has(.card-name)")].flatMap((card) => {
            card.style.width = "129px"; // three in a row next to the map
            const name = card.querySelector(".card-name");
            return name.scrollWidth > name.clientWidth + 1 ? [name.textContent.trim()] : [];
        })""")
        assert cut == [], language


@pytest.mark.long
def test_the_main_navigation_opens_without_scripts_on_a_phone(sit_down):
    visitor = sit_down(java_script_enabled=False)
    visitor.go("/")
    for group, link in (("Play", "Play now"), ("Play", "Lobby"), ("Compete", "Leagues"), ("Learn", "Rules")):
        visitor.page.locator(".site-nav summary", has_text=group).click()
        entry = visitor.page.locator(".site-nav").get_by_role("link", name=link, exact=True)
        expect(entry).to_be_visible()
        box = entry.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["height"] >= 44, link
        entry.click()
        expect(visitor.page.get_by_role("heading", level=1)).to_have_text(link)


def test_a_refusal_far_down_a_page_is_in_view_and_has_the_focus(sit_down):
    ottoline = sit_down(failing=("422",))
    ottoline.sign_up("Ottoline")
    ottoline.go("/tournaments/open/")
    ottoline.page.get_by_label("Tournament name").fill("Harbour Cup")
    ottoline.button("Open tournament").click()
    ottoline.page.get_by_role("link", name="Manage tournament").click()
    ban = ottoline.page.locator("section[aria-labelledby=ban]")
    ban.get_by_label("Player to ban").fill("Nobody")
    ban.get_by_label("Reason").fill("They cheated.")
    ban.get_by_role("button", name="Continue").click()
    refusal = ottoline.page.get_by_text("There is no player with that name.")
    expect(refusal).to_be_in_viewport()
    expect(ottoline.page.locator(":focus")).to_contain_text("There is no player with that name.")


@pytest.mark.long
def test_what_is_read_below_the_map_stays_when_a_bot_has_moved(sit_down):
    """The cards below the map go, because the reader can take one, and come with more above it."""
    player = sit_down()
    player.play_now()
    to_a_card(player)
    player.take_a_card()
    page = player.page
    page.locator("#row").evaluate("row => row.scrollIntoView({ behavior: 'instant' })")
    before = page.locator("#players").bounding_box()["y"]
    page.locator("#confirm").click()
    player.see_it_sent()
    assert player.wait_for_a_decision() == "take"
    after = page.locator("#players").bounding_box()["y"]
    assert abs(after - before) < 120, "the new card can make the row higher, but the page does not jump"


@pytest.mark.long
def test_the_map_stays_when_a_bot_has_moved_and_a_link_leads_to_the_cards(sit_down):
    player = sit_down()
    player.play_now()
    to_a_card(player)
    player.take_a_card()
    page = player.page
    map_top = page.locator(".map-window").bounding_box()["y"]
    page.locator("#confirm").click()
    player.see_it_sent()
    assert player.wait_for_a_decision() == "take"
    assert abs(page.locator(".map-window").bounding_box()["y"] - map_top) <= 2
    expect(page.locator("#to-news")).to_have_text("Your turn: take a card")
    page.reload()  # as phones do when a person comes back
    expect(page.locator("#to-news")).to_have_text("Your turn: take a card")
    page.locator("#to-news").click()
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.locator("#hand .offer").first).to_be_in_viewport()
    expect(page.locator("#to-news")).to_be_hidden()


@pytest.mark.long
def test_the_link_to_the_cards_goes_when_they_are_seen_after_changes_were_hidden(sit_down):
    player = sit_down(has_touch=True)
    player.play_now()
    to_a_card(player)
    player.take_a_card()
    page = player.page
    page.locator("#confirm").click()
    player.see_it_sent()
    assert player.wait_for_a_decision() == "take"
    link = page.locator("#to-news")
    expect(link).to_have_text("Your turn: take a card")
    shown = page.locator("#marks").inner_text()
    page.locator("#marks").click()
    expect(page.locator("#marks")).not_to_have_text(shown)
    player.settle()
    expect(link).to_be_visible()
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    expect(link).to_be_hidden()


@pytest.mark.long
def test_a_link_leads_back_to_the_cards_when_one_is_returned(sit_down):
    """Taking a card scrolls to the map, below the cards."""
    player = sit_down()
    player.play_now()
    to_a_card(player)
    player.take_a_card()
    page = player.page
    player.button("Return card").click()
    expect(page.locator("#to-news")).to_have_text("Your turn: take a card")
    page.locator("#to-news").click()
    expect(page.locator("#hand .offer").first).to_be_in_viewport()
    expect(page.locator("#to-news")).to_be_hidden()
    page.locator("#hand .offer-card:enabled").first.click()
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator("#to-news")).to_be_hidden()


@pytest.mark.long
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_pages_do_not_shift_when_their_fonts_arrive_late(sit_down, viewport):
    """The fonts are held back until the page has been drawn with those of the device."""
    player = sit_down(viewport=viewport)
    player.play_now()
    page = player.page
    held, drawn = list[Route](), list[str]()

    def hold(route: Route) -> None:
        if page.url in drawn:
            route.continue_()
        else:
            held.append(route)

    page.add_init_script(SHIFTED)
    page.route("**/*.woff2", hold)
    for address in (page.url, "/desk/", "/", "/lobby/"):
        page.goto(address, wait_until="domcontentloaded")
        while not page.evaluate("performance.getEntriesByName('first-contentful-paint').length"):
            page.wait_for_timeout(20)
        drawn.append(page.url)
        while held:
            held.pop().continue_()
        page.evaluate(FONTS_DRAWN)
        assert page.evaluate("window.shifted ?? 0") < MOST_SHIFTED, address


def test_the_scoresheet_of_five_players_fits_on_a_phone(sit_down: Callable[..., Evening], site: Site) -> None:
    environment = site.environment | {"DJANGO_SETTINGS_MODULE": "empire.settings"}
    made = subprocess.run([sys.executable, "-c", OF_FIVE], cwd=ROOT, env=environment, check=True, capture_output=True)
    reader = sit_down()
    reader.go(made.stdout.decode().split()[-1])
    for width, height in ((320, 700), (390, 844), (844, 390), (1280, 800)):
        reader.page.set_viewport_size({"width": width, "height": height})
        measured = reader.page.locator(".points-by-source .table-wrap").evaluate(ROOM)
        assert measured["inside"] <= measured["wide"], (width, measured)
        assert "Wilhelmine von Hohenstein" in measured["names"]
        assert measured["isWhole"], f"a name is cut off at {width}"


# Whether the dock covers the middle of what has the focus, or the window ends above it
IS_COVERED = """() => {
    const dock = document.querySelector("#hand.dock"), focus = document.activeElement;
    const { left, top, width, height } = focus.getBoundingClientRect();
    const met = document.elementFromPoint(left + width / 2, top + height / 2);
    return !dock.contains(focus) && (!met || dock.contains(met));
}"""


@pytest.mark.parametrize(
    "viewport",
    [
        pytest.param(PHONE, id="phone"),
        pytest.param(DESKTOP, id="desktop", marks=pytest.mark.long),
        pytest.param({"width": 844, "height": 390}, id="landscape", marks=pytest.mark.long),
    ],
)
def test_the_dock_never_covers_what_the_keyboard_has_reached(sit_down, viewport):
    player = sit_down(viewport=viewport)
    player.play_now()
    to_a_card(player)
    player.take_a_card()
    page = player.page
    page.locator(".moves > summary").press("Enter")
    for key in ("Tab", "Shift+Tab"):
        for _stop in range(30):
            page.keyboard.press(key)
            assert not page.evaluate(IS_COVERED), (key, page.evaluate("document.activeElement.outerHTML"))


def test_the_keyboard_ends_a_film_that_covers_what_it_has_reached(sit_down):
    player = sit_down()
    player.hold_films()
    page = player.page
    for _game in range(10):  # until the bot begins one, and its turn is a film
        sit_at_kingdoms(player)
        page.wait_for_selector(", ".join(f"#table.table-{kind}" for kind in MINE), timeout=SLOW)
        if page.locator("#film").count():
            break
    player.wait_for_a_film()
    expect(page.locator(".film-stage")).to_be_visible()
    player.press_through_to(page.locator("#rules-now"), "Shift")
    expect(page.locator(".film-stage")).to_have_count(0)
    expect(page.locator("#rules-now")).to_be_focused()


def test_the_focus_returns_to_the_dock_if_the_map_is_out_of_sight(sit_down):
    player = sit_down()
    player.play_now()
    to_a_card(player)
    page = player.page
    choosable = page.locator(".map-sheet .region a:not([data-action])")
    for which in range(6):
        player.take_a_card(which)
        player.settle()
        if choosable.count():
            break
        page.locator("#undo").click()
        expect(page.locator("#hand .offer-card").first).to_be_visible()
    player.tap(choosable.first)
    expect(page.locator("#let-go")).to_be_visible()
    page.evaluate("scrollTo({ top: 9999, behavior: 'instant' })")
    page.locator("#let-go").press("Enter")
    expect(page.locator("#let-go")).to_have_count(0)
    expect(page.locator("#hand")).to_be_focused()


@pytest.mark.long
def test_the_links_of_the_status_line_do_not_touch_in_french(sit_down):
    player = sit_down(locale="fr")
    player.go("/")
    player.button("Jouer maintenant").click()
    chat, rules = (
        player.page.locator(selector).bounding_box() for selector in (".status-line .chat-link", "#rules-now")
    )
    assert chat["x"] + chat["width"] + 4 <= rules["x"] or chat["y"] + chat["height"] <= rules["y"]
