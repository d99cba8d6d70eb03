"""Games in a real browser on a real site, played only with what the pages say and offer."""

import re
import sqlite3
from contextlib import closing
from secrets import randbelow

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.evening import SLOW, Evening
from tests.running import Site, until

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

TURNS = 8  # per player in a game of four


@pytest.mark.long
def test_a_visitor_plays_a_whole_game_against_bots_on_a_phone(sit_down):
    visitor = sit_down()
    visitor.play_now(opponents=3)
    assert visitor.play_to_the_end(turns=TURNS) == TURNS
    page = visitor.page
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("won|share", re.IGNORECASE))
    expect(page.locator("#table")).to_contain_text("Elixirs")
    visitor.go(page.url.split("?")[0] + "?at=1")
    expect(page.locator("#go-next")).to_be_visible()


@pytest.mark.long
def test_news_that_arrives_while_a_turn_is_submitted_is_not_lost(sit_down):
    visitor = sit_down()
    visitor.play_now()
    while (decision := visitor.wait_for_a_decision()) != "take":
        visitor.bid(1) if decision == "bid" else visitor.start_myself()

    page = visitor.page
    page.evaluate("document.addEventListener('table:news', ({ detail }) => { window.heard = detail.version; })")

    def answer_late(route):
        """Answer a turn when the bot has moved and the page has heard of it, and a question at once."""
        answer = route.fetch()
        if "end-turn" not in answer.text():
            assert until(lambda: "table-take" in page.request.get(page.url).text(), SLOW / 1000)
            version = re.search(r'data-version="(\d+)"', page.request.get(page.url).text())[1]
            page.wait_for_function("version => window.heard >= version", arg=int(version))
            late.append(version)
        route.fulfill(response=answer)

    late = list[str]()
    page.route("**/submit", answer_late)
    visitor.take_a_turn()
    assert visitor.wait_for_a_decision() == "take" and late
    expect(page.locator("#table")).to_have_attribute("data-version", late[0])


def leave(player: Evening, site: Site, opponent: Evening) -> None:
    """Close the table, a while ago: players who are at the table get no email about their turn.

    First the page catches up with the opponent's, because a request that is still under way says that the player is
    there.
    """
    last = opponent.page.locator("[data-seq]").first.get_attribute("data-seq") or ""
    expect(player.page.locator("[data-seq]").first).to_have_attribute("data-seq", last)
    player.go("/rules/")
    with closing(sqlite3.connect(site.folder / "db.sqlite3", timeout=20)) as database, database:
        database.execute("UPDATE tables_seat SET looked_at = NULL WHERE name = ?", [player.name])


def test_two_people_play_by_link_in_two_browsers_and_each_gets_emails(sit_down, site):
    alice, bob = sit_down(viewport=DESKTOP), sit_down()
    number = randbelow(100_000)  # different names in each attempt
    alice.sign_up(f"Alice{number}")
    bob.sign_up(f"Bob{number}")
    alice.go("/lobby/open/")
    alice.page.locator("label", has=alice.page.locator("[name=preset][value='rulebook']")).click()
    alice.page.get_by_text("Only people with the link").click()
    alice.button("Open the table").click()
    bob.go(alice.page.get_by_label("Invitation link").input_value())
    table = alice.page.url
    bob.button("Join the game").click()
    expect(bob.page).to_have_url(table)
    alice.go(table)
    alice.bid(2)
    bob.bid(1)
    alice.go(table)
    alice.start_myself()
    leave(bob, site, alice)
    alice.take_a_turn()
    bob.read("turn").get_by_role("link", name="/games/").first.click()
    expect(bob.page).to_have_url(table)
    assert bob.wait_for_a_decision() == "take"
    leave(alice, site, bob)
    bob.take_a_turn()
    alice.read("turn")
    for who in (alice, bob):
        subjects = who.emails().locator(".subject").all_inner_texts()
        assert len([subject for subject in subjects if "turn" in subject]) == 1, subjects


def test_a_turn_can_be_taken_with_the_keyboard_alone(sit_down):
    player = sit_down(viewport=DESKTOP)
    page = player.page
    page.goto("/")
    player.press_through_to(page.locator(".play-options > summary"))
    player.press_through_to(page.locator("[name=preset]:checked"), "ArrowDown")  # the rulebook’s rules, with bids
    player.press_through_to(player.button("Play now"))
    player.wait_for_a_decision()
    player.press_through_to(page.locator("#bid-0"), "Space")
    player.press_through_to(player.button("Place bid"))
    expect(player.button("Place bid")).to_have_count(0)
    if player.wait_for_a_decision() == "first":
        player.press_through_to(player.button("Me", exact=True))
        expect(player.button("Me", exact=True)).to_have_count(0)
    assert player.wait_for_a_decision() == "take"
    player.press_through_to(page.locator("#hand .offer-card:enabled").first)
    expect(page.locator("#confirm")).to_be_visible()
    player.press_through_to(page.locator("#moves summary"))
    player.press_through_to(page.locator("#moves button").first)
    expect(page.locator("#steps li")).to_have_count(1)
    question = page.locator(".sure .primary")  # asked before the second half of a card that joins two actions
    page.locator("#confirm").or_(question).first.wait_for()
    if question.count():
        player.press_through_to(question)
    player.send_by_keyboard()


@pytest.mark.long
def test_a_turn_can_be_taken_on_the_map_without_scripts(sit_down):
    player = sit_down(java_script_enabled=False)
    page = player.page
    player.play_now()
    player.bid(12)
    player.look_again_until(player.button("Me", exact=True))
    player.start_myself()
    player.take_a_card()
    player.follow_the_map()
    expect(page.locator("#steps li")).to_have_count(1)
    player.button("Undo").click()
    expect(page.locator("#steps li")).to_have_count(0)
    player.confirm()
    expect(page.locator("#table")).to_be_visible()


@pytest.mark.long
def test_taps_faster_than_the_responses_all_count(sit_down):
    player = sit_down()
    page = player.page
    player.play_now()
    player.bid(12)
    assert player.wait_for_a_decision() == "first"
    player.start_myself()
    assert player.wait_for_a_decision() == "take"
    several = page.locator("#hand .offer-card:enabled", has_text=re.compile(r"Place\s+[2-9]"))
    while not several.count():
        player.take_a_turn()
        assert player.wait_for_a_decision() == "take"
    several.first.click()
    place = page.locator("#moves button[value^=place]")
    place.first.evaluate(
        """place => {
            for (const control of [place, place, document.getElementById("confirm")])
                control.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
        }"""
    )
    player.see_it_sent()
    expect(page.locator("#table")).to_contain_text(re.compile("places armies: .* ×2"))
    expect(page.locator(".map-sheet img")).to_be_visible()


@pytest.mark.long  # the accented pages are wider
@pytest.mark.parametrize(
    ("viewport", "colors"), [pytest.param(PHONE, "light", id="390"), pytest.param(DESKTOP, "dark", id="1280")]
)
def test_no_page_is_wider_than_the_screen(sit_down, viewport, colors):
    visitor = sit_down(viewport=viewport, color_scheme=colors)
    visitor.play_now()
    table = visitor.page.url
    for address in (
        "/",
        table,
        f"{table}?at=0",
        "/desk/",
        "/lobby/",
        "/lobby/open/",
        "/rules/legends/",
        "/accounts/signup/",
    ):
        visitor.go(address)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], address


@pytest.mark.long
def test_a_step_keeps_the_scroll_position_of_the_map(sit_down):
    visitor = sit_down()
    visitor.play_now()
    while (decision := visitor.wait_for_a_decision()) != "take":
        visitor.bid(1) if decision == "bid" else visitor.start_myself()
    visitor.take_a_card()
    page = visitor.page
    for _step in range(2):
        page.locator("#board").evaluate("board => board.scrollIntoView({block: 'start', behavior: 'instant'})")
        page.evaluate("scrollBy({top: -40, behavior: 'instant'})")  # not where a page that jumps to the map would be
        before = page.locator("#board").bounding_box()["y"]
        harmless = page.locator("#moves button:not(:has-text('gives up'))")  # the others ask first
        undo = page.locator("#hand button", has_text="Undo")
        for button, answer, steps in ((harmless, "**/step", 1), (undo, "**/undo", 0)):
            with page.expect_response(answer):  # what the page draws before it is not the end
                button.first.evaluate("button => button.click()")
            expect(page.locator("#steps")).to_have_count(steps)
            visitor.settle()
            page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            assert abs(page.locator("#board").bounding_box()["y"] - before) <= 2, answer


@pytest.mark.long
def test_a_draft_survives_a_reload_and_another_tab(sit_down):
    player = sit_down()
    player.play_now()
    player.bid(12)
    assert player.wait_for_a_decision() == "first"
    player.start_myself()
    player.take_a_card()
    assert player.step_on_the_map()
    other = player.page.context.new_page()
    other.goto(player.page.url)
    expect(other.locator("#steps li")).to_have_count(1)
    Evening(other).confirm()
    player.page.locator("#confirm").click()
    expect(player.page.get_by_role("alert").or_(player.page.locator("#overtaken"))).not_to_have_count(0)
