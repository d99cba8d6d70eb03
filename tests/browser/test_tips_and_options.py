"""Tips by touch and by keyboard, and the form that opens a table."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import DESKTOP

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

FORM = "/lobby/open/"
GAMES = ("legends", "prototype", "classic")


def option(page: Page, name: str) -> Locator:
    return page.get_by_role("checkbox", name=name, exact=True)


def unfold(page: Page) -> None:
    page.get_by_text("All options").click()


@pytest.mark.long
def test_a_tip_opens_and_closes_with_the_keyboard_and_links_to_the_rules(sit_down):
    reader = sit_down(viewport=DESKTOP)
    page = reader.page
    page.goto(FORM)
    unfold(page)
    mark = page.get_by_role("button", name="About Magic Portals")
    words = page.locator("#tip-option-portals-")
    expect(words).to_be_hidden()
    reader.press_through_to(mark)
    expect(words).to_be_visible()
    page.keyboard.press("Escape")
    expect(words).to_be_hidden()
    expect(mark).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    expect(words.get_by_role("link", name="More in the rules")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/rules/legends/#portals$"))
    expect(page.locator("#portals")).to_be_in_viewport()


@pytest.mark.sampled
@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_tip_opens_by_touch_within_the_screen_and_closes_by_a_tap_elsewhere(sit_down, scripts):
    reader = sit_down(has_touch=True, java_script_enabled=scripts)
    page = reader.page
    page.goto(FORM)
    unfold(page)
    for option in ("layout", "merchants"):
        words = page.locator(f"#tip-option-{option}-")
        page.locator(f"[popovertarget=tip-option-{option}-]").tap()
        expect(words).to_be_visible()
        box = words.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] >= 0
        assert box["y"] + box["height"] <= 844
        page.touchscreen.tap(380, 5)
        expect(words).to_be_hidden()


@pytest.mark.long
def test_the_tip_of_a_card_opens_without_taking_the_card(sit_down):
    player = sit_down()
    player.play_now()
    page = player.page
    card = page.locator(".shown-row .offer").first
    name = card.locator(".card-name").inner_text().replace("\n", " ")
    card.get_by_role("button", name=f"About {name}").click()
    expect(card.locator(".tip-words")).to_contain_text("Now")
    expect(page.locator("#table.table-bid")).to_have_count(1)


@pytest.mark.long
def test_the_details_of_a_table_name_an_option_once(sit_down):
    player = sit_down()
    page = player.page
    page.goto("/")
    player.button("Play now").click()
    page.locator("#about-turn summary").click()
    assert page.locator("#played-with").inner_text().strip() == "no bids"


@pytest.mark.long
def test_choosing_a_game_shows_its_options_and_a_preset_fills_them_in(sit_down):
    opener = sit_down()
    page = opener.page
    page.goto(FORM)
    page.get_by_text("7 days", exact=True).click()
    page.get_by_text("Everything at once").click()
    expect(page.get_by_text("9 differ from the rulebook")).to_be_visible()
    expect(option(page, "Leaders")).to_have_count(0)
    unfold(page)
    expect(option(page, "Leaders")).to_be_checked()
    option(page, "Explore tokens").uncheck()
    expect(page.get_by_role("alert")).to_have_text("“Poison Swamp” can only be used with “Explore tokens”.")
    expect(page.get_by_text("Custom", exact=True)).to_be_visible()
    expect(page.locator("[name=preset][value=own]")).to_be_checked()
    option(page, "Poison Swamp").uncheck()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("radio", name="Eight-Minute Empire", exact=True).check()
    expect(page.get_by_text("With goods tokens")).to_be_visible()
    page.locator("label.pill", has_text="5").filter(has=page.locator("[name=players]")).click()
    expect(page.locator("[name=shown]")).to_have_value(re.compile('"players":5'))
    expect(option(page, "Leaders")).to_have_count(0)
    option(page, "Goods tokens").check()
    expect(page.locator("[name=preset][value=goods]")).to_be_checked()
    opener.button("Open the table").click()
    expect(page.get_by_text("4 seats are free")).to_be_visible()
    expect(page.get_by_role("button", name="Goods tokens")).to_be_visible()
    expect(page.get_by_text("7 days per turn")).to_be_visible()


@pytest.mark.long
def test_options_stay_visible_when_they_become_another_preset(sit_down):
    page = sit_down().page
    page.goto(FORM)
    with page.expect_response(re.compile(FORM)):
        page.get_by_text("As in the rulebook", exact=True).click()
    unfold(page)
    page.locator("#option-dragon label", has=page.locator("[value='7']")).click()
    expect(page.locator("[name=preset][value=house-rules]")).to_be_checked()
    expect(page.get_by_text("1 differs from the rulebook")).to_be_visible()
    expect(option(page, "Leaders")).to_be_visible()
    unfold(page)  # the second tap folds them
    page.get_by_text("As in the rulebook", exact=True).click()
    expect(page.get_by_text("all as in the rulebook")).to_be_visible()
    expect(option(page, "Leaders")).to_have_count(0)
    page.get_by_text("Custom", exact=True).click()
    expect(option(page, "Leaders")).to_be_visible()


@pytest.mark.long
def test_options_that_the_reader_unfolds_before_the_answer_stay_unfolded_until_the_reader_folds_them(sit_down):
    page = sit_down().page
    page.goto(FORM)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(FORM), hold)
    page.get_by_text("Everything at once").click()
    expect(page.locator("#game.htmx-request")).to_have_count(1)
    unfold(page)
    held[0].continue_()
    expect(page.get_by_text("9 differ from the rulebook")).to_be_visible()
    expect(option(page, "Leaders")).to_be_checked()
    page.unroute(re.compile(FORM))
    unfold(page)  # the second tap folds them
    page.get_by_text("As in the rulebook", exact=True).click()
    expect(page.get_by_text("all as in the rulebook")).to_be_visible()
    expect(option(page, "Leaders")).to_have_count(0)


@pytest.mark.long
def test_the_keyboard_focus_survives_a_redraw_of_the_options(sit_down):
    page = sit_down(viewport=DESKTOP).page
    page.goto(FORM)
    unfold(page)
    box = option(page, "Magic Portals")
    box.focus()
    with page.expect_response(re.compile(FORM)):
        page.keyboard.press("Space")
    expect(page.locator("[name=preset][value=own]")).to_be_checked()
    expect(box).to_be_checked()
    expect(box).to_be_focused()


@pytest.mark.long
def test_without_scripts_a_button_shows_the_options_of_another_game(sit_down):
    opener = sit_down(java_script_enabled=False)
    page = opener.page
    page.goto(FORM)
    page.get_by_role("radio", name="Eight-Minute Empire: Legends, the prototype").check()
    page.get_by_text("7 days", exact=True).click()
    opener.button("Show options for this game and number of players").click()
    unfold(page)
    expect(option(page, "Leaders")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("csrf"))
    page.get_by_text("Three boards in a row").click()
    option(page, "Citadel tokens").check()
    opener.button("Open the table").click()
    expect(page.get_by_role("button", name="boards in a row")).to_be_visible()
    expect(page.get_by_text("7 days per turn")).to_be_visible()


@pytest.mark.long
def test_the_front_page_offers_as_many_opponents_as_the_chosen_game_has_seats(sit_down):
    page = sit_down().page
    page.goto("/")
    expect(page.locator("#opponents [name=opponents]")).to_have_count(3)
    page.get_by_label("Game", exact=True).select_option("classic")
    expect(page.locator("#opponents [name=opponents]")).to_have_count(4)


@pytest.mark.long  # the accented pages are wider
def test_no_page_of_the_rules_is_wider_than_the_screen(sit_down):
    page = sit_down().page
    for address in ("/rules/", *(f"/rules/{game}/{more}" for game in GAMES for more in ("", "cards/"))):
        page.goto(address)
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address


@pytest.mark.long
def test_the_form_of_a_tournament_shows_only_what_the_chosen_format_has(sit_down):
    organizer = sit_down(java_script_enabled=False)
    organizer.sign_up("Olga")
    organizer.go("/tournaments/open/")
    page = organizer.page
    page.locator("#rounds > summary").click()
    of_one = {"#arena": "arena", "#id_days_a_round_helptext": "arena", "#teams": "teams", "#id_rounds": "swiss"}
    for chosen in ("swiss", "arena", "teams", "knockout"):
        page.locator(f"label:has([name=format][value={chosen}])").click()
        for what, only in of_one.items():
            expect(page.locator(what)).to_be_visible(visible=only == chosen)
