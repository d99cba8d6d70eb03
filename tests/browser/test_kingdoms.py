"""Kingdoms in a real browser: a whole game by taps, a turn by keyboard, and one without scripts."""

import re
import subprocess
import sys

import pytest
from playwright.sync_api import Error, expect

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.evening import SLOW, Evening
from tests.running import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

ACTIONS = 120  # more than three rounds of two players need
TURNS = 6  # taken at most, until the others have done what a test needs
TABLES = 10  # opened at most, until one has what a test needs
MINE = ("turn", "epic", "infiltrate", "flopdraw", "protect", "defend", "tie", "showdown", "complete")
# Press the first of these that is there: it finishes what was started, then a turn takes its usual course.
USUAL = (
    "#confirm",
    "#looked button",
    "form.k-cloth button",
    "button[id^=do-storm]",
    "button[id^=do-tribute]",
    ".table-epic a[id^=aim]",
    "#do-protect-leave",
    "#do-stop",
    "#do-draw",
    "button[id^=do-build]",
    "button[id^=do-attack]",
    "button[id^=do-defend]",
    "#advice-0",
    "#do-end",
)


def sit_at_kingdoms(player: Evening, opponents: int = 1) -> None:
    """Start a game of three rounds against bots."""
    page = player.page
    page.goto("/play-now/")
    page.get_by_label("Game", exact=True).select_option("kingdoms")
    page.locator(f"label:has([name=opponents][value='{opponents}'])").click()
    page.locator("label", has_text="Three rounds").click()
    player.button("Play now").click()
    expect(page.locator("#table")).to_be_visible()
    page.wait_for_load_state()  # what is told before the scripts have run is lost


def settle(player: Evening) -> None:
    player.settle()


def wait_for_a_decision(player: Evening) -> str:
    asking = ", ".join(f"#table.table-{kind}" for kind in (*MINE, "over"))
    player.page.wait_for_selector(asking, timeout=SLOW)
    settle(player)
    kinds = player.page.locator("#table").get_attribute("class") or ""
    return kinds.partition("table-")[2].split()[0]


def do_the_usual(player: Evening) -> str:
    """Press what comes next. Return its selector, or the empty string if the table was redrawn."""
    for which in USUAL:
        button = player.page.locator(which).first
        if button.count():
            try:
                button.click(timeout=5000)
            except Error:  # the table was just redrawn
                return ""
            settle(player)
            for then in ("#end-turn", "#send-now"):
                if player.page.locator(then).is_visible():
                    player.page.locator(then).click()
                    settle(player)
            return which
    raise AssertionError(f"nothing to press at {player.headline!r}")


@pytest.mark.long
def test_a_visitor_plays_three_rounds_against_a_bot_on_a_phone_and_again(sit_down):
    visitor = sit_down(has_touch=True)
    sit_at_kingdoms(visitor)
    done = []
    while wait_for_a_decision(visitor) != "over":
        done.append(do_the_usual(visitor))
        assert len(done) < ACTIONS, done
    page = visitor.page
    assert re.search("won|share", visitor.headline)
    assert {"#do-draw", "#advice-0", "#confirm"} <= set(done)
    expect(page.locator("#result")).to_contain_text("’s hand")
    expect(page.locator("#battle")).to_have_count(1)
    page.set_viewport_size(DESKTOP)
    result, board = (page.locator(which).bounding_box() for which in ("#result", ".k-board"))
    assert result and board and result["width"] > board["width"], "the result is longer than the board"
    page.set_viewport_size(PHONE)
    page.locator("#step-through").click()
    expect(page.locator("#go-next")).to_be_visible()
    # One tap on the result, and the same two play again
    page.locator("#go-now").click()
    finished = page.url
    visitor.button("Rematch").tap()
    page.wait_for_url(lambda url: url.partition("?")[0] != finished.partition("?")[0])
    assert wait_for_a_decision(visitor) != "over"


def pick_a_purchase(player: Evening) -> bool:
    """Tap a card of the Flop that the hand can pay for. Return whether there is one in this deal."""
    page = player.page
    while not page.locator("#do-end").count():
        wait_for_a_decision(player)
        do_the_usual(player)
    wares = page.locator("#market .k-pick")
    for number in range(wares.count()):
        wares.nth(number).click()
        settle(player)
        if page.locator("#hand button[id^=do-buy]").count():
            return True
        wares.nth(number).click()
        settle(player)
    return False


@pytest.mark.long
def test_the_page_scrolls_when_a_turn_is_confirmed_and_not_when_it_is_sent(sit_down):
    player = sit_down(has_touch=True)
    page = player.page
    sit_at_kingdoms(player)
    while wait_for_a_decision(player) != "turn" or not page.locator("#do-end").count():
        do_the_usual(player)
    seq = page.locator("#realm").get_attribute("data-seq") or ""
    page.evaluate("scrollTo(0, 500)")
    page.locator("#do-end").click()
    page.locator("#end-turn, #send-now").locator("visible=true").first.wait_for()
    if page.locator("#send-now").is_visible():
        page.locator("#hold-undo").click()
    # The click of the test itself may scroll, so the page notes where it was when the turn was confirmed
    page.evaluate(
        "document.addEventListener('htmx:confirm', () => { window.confirmedAt ??= scrollY }, {capture: true})"
    )
    page.locator("#end-turn, #do-end").click()
    expect(page.locator("#send-now")).to_be_visible()
    expect(page.locator("#headline")).to_be_in_viewport()
    page.locator("#hold-undo").click()
    assert page.evaluate("scrollY === confirmedAt && scrollY > 100")
    page.locator("#end-turn, #do-end").click()
    expect(page.locator("#send-now")).to_be_visible()
    page.evaluate("scrollTo(0, 400)")
    expect(page.locator("#realm")).not_to_have_attribute("data-seq", seq)
    assert page.evaluate("scrollY") == 400


@pytest.mark.long
def test_cards_are_bought_by_taps_and_the_purchase_is_undone(sit_down):
    for _deal in range(TABLES):
        player = sit_down()
        sit_at_kingdoms(player)
        if pick_a_purchase(player):
            break
    page, paying = player.page, player.page.locator("#hand button[id^=do-buy]")
    paying.first.click()
    expect(page.locator("#steps li")).to_have_count(1)
    player.button("Undo").click()
    expect(page.locator("#steps li")).to_have_count(0)


@pytest.mark.long
def test_a_turn_of_kingdoms_can_be_taken_with_the_keyboard_alone(sit_down):
    for _deal in range(TABLES):
        player = sit_down(viewport=DESKTOP)
        page = player.page
        sit_at_kingdoms(player)
        while wait_for_a_decision(player) != "turn" or not page.locator("#do-draw").count():
            do_the_usual(player)
        player.press_through_to(page.locator("#do-draw"))
        expect(page.locator("#do-draw")).to_have_count(0)
        if wait_for_a_decision(player) == "turn":
            break  # no Epic was drawn that needs a decision first
    player.press_through_to(page.locator("#cards input").first, "Space")
    expect(page.locator("#picked")).to_contain_text("1 card")
    expect(page.locator("#said")).to_contain_text("1 card")
    player.press_through_to(page.locator("#do-end"))
    player.see_it_sent()
    expect(page.locator("#do-end")).to_have_count(0)


def test_cards_of_two_decks_are_picked_without_a_script_error(sit_down):
    player = sit_down(viewport=DESKTOP)
    sit_at_kingdoms(player, opponents=4)  # from five players on, cards are named by their deck: d2:sun-support-1-1
    wait_for_a_decision(player)
    card = player.page.locator("#cards input[id*=':']").first
    player.press_through_to(card, "Space")
    expect(player.page.locator("#picked")).to_contain_text("1 card")
    expect(card).to_be_focused()


@pytest.mark.long
def test_each_key_that_the_list_of_keys_names_works(sit_down):
    player = sit_down(viewport=DESKTOP)
    page = player.page
    sit_at_kingdoms(player)
    end_a_turn(player)
    wait_for_a_decision(player)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    listed = dialog.locator("kbd").all_inner_texts()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    marks = page.locator("#marks").inner_text()
    page.keyboard.press("c")
    expect(page.locator("#marks")).not_to_have_text(marks)
    player.settle()
    while not page.locator("#undo").count():
        if wait_for_a_decision(player) == "over":
            sit_at_kingdoms(player)
        do_the_usual(player)
    page.keyboard.press("u")
    expect(page.locator("#undo")).to_have_count(0)
    player.settle()
    card = page.locator("#cards input").first
    player.press_through_to(card, "Enter")
    expect(card).to_be_checked()
    expect(page.locator("#picked")).to_contain_text("1 card")
    page.keyboard.press("Escape")
    expect(card).not_to_be_checked()
    page.goto(f"{page.url.split('?')[0]}?at=1")
    for key, url in (("End", r"\?at="), ("ArrowLeft", r"\?at="), ("Home", r"\?at=0"), ("ArrowRight", r"\?at=1")):
        before = page.url
        page.keyboard.press(key)
        expect(page).not_to_have_url(before)
        expect(page).to_have_url(re.compile(url))
        player.settle()
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("at="))
    assert listed == ["Tab", "Enter", "Esc", "U", "C", "←", "→", "Home", "End", "?"]


def test_the_list_of_keys_opens_at_its_top_on_a_low_screen(sit_down):
    player = sit_down(viewport={"width": 844, "height": 390})
    sit_at_kingdoms(player)
    player.page.keyboard.press("?")
    dialog = player.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog.get_by_role("heading")).to_be_in_viewport(ratio=1)
    expect(dialog.get_by_role("heading")).to_be_focused()
    player.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


@pytest.mark.long
def test_a_turn_of_kingdoms_can_be_taken_without_scripts(sit_down):
    player = sit_down(java_script_enabled=False)
    page = player.page
    page.goto("/")
    page.get_by_label("Game", exact=True).select_option("kingdoms")
    player.button("Play now").click()
    player.look_again_until(page.locator("#do-draw, .table-epic"))
    while page.locator(".table-epic").count() or page.locator("#do-draw").count():
        next(page.locator(which).first for which in USUAL if page.locator(which).count()).click()
    page.locator("#cards .k-pick").last.click()  # the last of equal cards lies on top
    player.button("Show what these cards can do").click()
    expect(page.locator("#picked")).to_contain_text("1 card, worth")
    page.locator("#sort-value").click()
    expect(page.locator("#picked")).to_contain_text("1 card, worth")
    player.button("End turn").click()
    player.see_it_sent()
    expect(page.get_by_role("alert")).to_have_count(0)


# Whether the realm and the piles on the page are those of the page that the server sends
IS_AS_DRAWN = """async () => {
  const drawings = ".k-realm .tokens, .k-piles > svg";
  const shown = (page) => [...page.querySelectorAll(drawings)].map((one) => one.outerHTML).join();
  const answer = await fetch(location.href, { headers: { "HX-Request": "true" } });
  const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
  return shown(document) === shown(drawn) && !document.querySelector(".film, .film-back, .film-stage, .playing");
}"""


# Whether the film takes cards from the deck. A bot's turn is several entries. A page that asks in between has a film of
# each half, the second perhaps without a draw, or none at all if the bot only ends its turn.
HAS_DRAW = """() => {
  const film = JSON.parse(document.getElementById("film")?.textContent ?? "null");
  const steps = film?.moves.flatMap((move) => move.steps) ?? [];
  const decks = steps.map((step) => step.counts?.deck).filter(Number.isInteger);
  return decks.length > 0 && decks.at(-1) < film.before.counts.deck;
}"""


def end_a_turn(player: Evening) -> None:
    """End a turn, and wait until the others have taken theirs."""
    while wait_for_a_decision(player) != "over" and do_the_usual(player) != "#do-end":
        pass
    while wait_for_a_decision(player) in ("protect", "defend"):
        do_the_usual(player)
    expect(player.page.locator("#film-later")).to_have_count(0)  # the film has been fetched


def see_the_others_draw(player: Evening) -> None:
    """End turns until the page has a film in which the others draw, in another game if this one ends."""
    for _turn in range(TURNS):
        end_a_turn(player)
        if player.page.evaluate(HAS_DRAW):
            return
        if wait_for_a_decision(player) == "over":
            sit_at_kingdoms(player)
    raise AssertionError("no film has a draw")


@pytest.mark.long
@pytest.mark.parametrize(("viewport", "copies"), [(PHONE, 1), (DESKTOP, 0)], ids=["phone", "desktop"])
def test_the_film_of_kingdoms_begins_at_the_old_position_and_ends_at_the_new_one(sit_down, viewport, copies):
    player = sit_down(viewport={**viewport, "height": 1000} if viewport is DESKTOP else viewport)
    page = player.page
    player.hold_films()
    sit_at_kingdoms(player)
    see_the_others_draw(player)
    bar, skip = page.locator("#film-bar"), page.locator("#film-skip")
    player.wait_for_a_film()
    # A realm out of sight plays in a copy. On a phone it is below the hand; a press may have scrolled a desktop past it
    if copies:
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    else:
        realm = page.locator(".k-realm:not(.film-stage *)").locator("visible=true")
        realm.evaluate("realm => realm.scrollIntoView({ block: 'center', behavior: 'instant' })")
    page.evaluate("for (const id of ['film-skip', 'film-play', 'film-pause']) document.getElementById(id).click()")
    expect(page.locator("#film-said")).to_contain_text(re.compile("draws|burns|buys|attacks|ends"))
    expect(page.locator(".film-stage")).to_have_count(copies)
    expect(skip).to_be_in_viewport()
    deck = page.locator(".k-piles [data-count=deck]")
    rewound, before = int(deck.inner_html()), page.evaluate("scrollY")
    skip.click()
    expect(bar).to_be_hidden()
    assert page.evaluate("scrollY") == before
    assert int(deck.inner_html()) < rewound  # the bot has drawn
    assert page.evaluate(IS_AS_DRAWN)
    page.locator("#film-play").click()
    expect(bar).to_be_visible()
    player.let_films_play()
    page.locator("#film-step").click()
    page.locator("#film-pause").click()
    expect(bar).to_be_hidden()  # played to its end
    assert page.evaluate(IS_AS_DRAWN)
    # The history plays the same entries with the same player
    page.goto(f"{page.url.split('?')[0]}?at=2&from=0")
    page.locator("#tour-speed").select_option("4")
    page.locator("#tour-play").click()
    expect(page.locator("#go-next")).not_to_have_attribute("href", re.compile("at="))
    expect(page.locator(".film")).to_have_count(0)
    expect(page.locator("[data-sending=wait]")).to_be_hidden()


LANDSCAPE = {"width": 844, "height": 390}
LEAST_LETTERS = 9  # pixels
# The height of the smallest letters of the film, and whether its button lies above everything else
FILM = """() => {
  const box = document.getElementById("film-skip").getBoundingClientRect();
  const texts = [...document.querySelectorAll(".film-stage .k-realm text")];
  return [
    Math.min(...texts.map((text) => text.getBoundingClientRect().height)),
    document.elementFromPoint(box.left + box.width / 2, box.bottom - 4)?.id,
  ];
}"""


# A sentence as long as those of real games
LONG = (
    "Wilhelmine von Hohenstein kauft Sonne-Trommler für Sonne-Speerträger. Wilhelmine von Hohenstein zeigt "
    "Sonne-Speerträger, Sonne-Kaiser, Welle-Kaiser, Kiefer-Duellant, Kiefer-Kaiser, Kiefer-Kaiser. Wilhelmine von "
    "Hohenstein beendet den Zug."
)
BATTLE_SENTENCES = (
    "Wilhelmine von Hohenstein überlässt Bob die Verteidigung allein. Bob spielt keine Truppen. Die Truppen: "
    "Bartholomew Langname – Sonne-Speerträger. 5 gegen 3, davon 3 für die Mauer der Burg. Bartholomew Langname "
    "gewinnt den Kampf und nimmt Sonne-Hellebardier, Pflaume-Duellant, Welle-Hellebardier, Pflaume-Hellebardier. "
    "Die Burg von Bob fällt an Bartholomew Langname. Bob wird jetzt von Bartholomew Langname beherrscht. "
    "Bartholomew Langname beendet den Zug. Pflaume-Speerträger, Kiefer-Speerträger, Pflaume-Speerträger kommen in "
    "den Flop."
)


def sit_with_five_bots(player: Evening) -> None:
    page = player.page
    player.go("/lobby/open/?for=bot")
    for name, value in (("ruleset", "kingdoms"), ("players", "6"), ("preset", "quickplay")):
        choice = page.locator(f"[name={name}][value='{value}']")
        if not choice.is_checked():
            with page.expect_response(re.compile("/lobby/open/")):
                choice.evaluate("choice => choice.click()")
        expect(choice).to_be_checked()
    for seat in range(1, 6):
        page.locator(f"[name=seat_{seat}]").select_option("easy")
    player.button("Open the table").click()
    expect(page.locator("#table")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE], ids=["portrait", "landscape"])
def test_the_film_of_six_kingdoms_can_be_read_on_a_phone_and_lies_above_the_dock(sit_down, viewport):
    player = sit_down(viewport=viewport, has_touch=True)
    page = player.page
    sit_with_five_bots(player)
    see_the_others_draw(player)
    page.evaluate("scrollTo(0, 0)")
    page.evaluate("for (const id of ['film-skip', 'film-play', 'film-pause']) document.getElementById(id).click()")
    expect(page.locator(".film-stage")).to_have_count(1)
    letters, above = page.evaluate(FILM)
    assert letters >= LEAST_LETTERS and above == "film-skip"
    page.locator("#film-said").evaluate("(words, said) => (words.textContent = said)", LONG)
    assert page.locator("#film-said").evaluate("words => words.scrollHeight <= words.clientHeight")
    assert page.evaluate(FILM)[1] == "film-skip"
    if viewport == LANDSCAPE:  # the sentences of a battle are twice as long: all can be read, and no button moves
        before = page.locator("#film-skip").bounding_box()
        page.locator("#film-said").evaluate("(words, said) => (words.textContent = said)", BATTLE_SENTENCES)
        assert page.locator("#film-said").evaluate("words => words.scrollHeight <= words.clientHeight")
        assert page.locator("#film-skip").bounding_box() == before


# Play a film in which cards are laid out in a battle, on the realm of a page as if it were as high as a deep one
BATTLE = """(said) => {
  document.getElementById("film-skip").click();
  const deep = { viewBox: "0 0 264 655", width: 264, height: 655 };
  for (const realm of document.querySelectorAll(".k-realm"))
    for (const [name, value] of Object.entries(deep)) realm.setAttribute(name, value);
  const film = document.getElementById("film");
  const laid = { do: "cards", from: 0, to: "battle", n: 3 };
  const moves = [{ seq: 1, said, own: false, steps: [laid] }];
  film.textContent = JSON.stringify({ ...JSON.parse(film.textContent), moves });
  document.getElementById("film-play").click();
}"""
# The part of the screen that the film takes, and whether a card flies over its sentence
FLIGHT = """() => {
  const box = (which) => document.querySelector(which).getBoundingClientRect();
  const [bar, said] = [box("#film-bar"), box("#film-said")];
  let crosses = false;
  for (const card of document.querySelectorAll(".film-back"))
    for (const flight of card.getAnimations())
      for (let at = 0; at < 1; at += 0.02) {
        flight.currentTime = at * flight.effect.getComputedTiming().duration;
        const { left, top, right, bottom } = card.getBoundingClientRect();
        crosses ||= left < said.right && said.left < right && top < said.bottom && said.top < bottom;
      }
  return [(bar.width * bar.height) / (innerWidth * innerHeight), crosses];
}"""


@pytest.mark.long
@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE], ids=["portrait", "landscape"])
def test_the_film_leaves_half_of_a_phone_and_no_card_crosses_its_sentence(sit_down, viewport):
    player = sit_down(viewport=viewport, has_touch=True)
    page = player.page
    sit_with_five_bots(player)
    see_the_others_draw(player)
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(BATTLE, LONG)
    page.wait_for_selector(".film-back", state="attached")
    share, crosses = page.evaluate(FLIGHT)
    assert share < 0.5 and not crosses


# Two battles of Alice against Carol: Bob, who rules her in the first, is asked whether he helps, and Carol defends
ASKED = """
import django
django.setup()
from django.conf import settings
from django.test import Client
from games.tables.models import Seat
from tests.cast import person, table_of
from tests.rules.kingdoms.positions import position
from tests.web.kingdoms import ASK, did, put
people = [person(name) for name in ("Alexandra Longname", "Bartholomew Longname", "Wilhelmine Longname")]
for rulers, asked in (("- - 1", 1), ("", 2)):
    game = table_of(*people, ruleset="kingdoms")
    Seat.objects.filter(game=game).update(orders=ASK)
    hands = {0: "A7 A7 A7 S1", 1: "A8 A8 C9 A6 A6", 2: "A5 A4 C9"}
    game = did(put(game, position(hands=hands, rulers=rulers)), 0, "attack 2 with A7+A7")
    browser = Client()
    browser.force_login(people[asked], backend="django.contrib.auth.backends.ModelBackend")
    print(game.get_absolute_url(), browser.cookies[settings.SESSION_COOKIE_NAME].value)
"""


# Whether an element is in the window, and nothing lies on its middle
IS_ON_TOP = """element => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


@pytest.mark.long
def test_players_in_a_battle_see_their_buttons_on_a_phone_in_both_orientations(sit_down, site):
    environment = site.environment | {"DJANGO_SETTINGS_MODULE": "empire.settings"}
    made = subprocess.run([sys.executable, "-c", ASKED], cwd=ROOT, env=environment, check=True, capture_output=True)
    for line, least in zip(made.stdout.decode().splitlines()[-2:], (3, 1), strict=True):
        address, session = line.split()
        for viewport in (PHONE, LANDSCAPE):
            player = sit_down(viewport=viewport, has_touch=True, reduced_motion="reduce")  # no film above the page
            page = player.page
            page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
            player.go(address)
            buttons = page.locator("#hand .ready > button")
            assert buttons.count() >= least
            for where in (200, 0):
                page.evaluate("y => scrollTo({ top: y, behavior: 'instant' })", where)
                for button in buttons.all():
                    expect(button).to_be_in_viewport(ratio=1)
                    assert button.evaluate(IS_ON_TOP), (viewport, where)
            assert page.locator("#headline").evaluate(IS_ON_TOP), viewport
            last = page.locator("#facts")
            last.evaluate("last => last.scrollIntoView({ block: 'start', behavior: 'instant' })")
            assert last.evaluate(IS_ON_TOP), viewport  # the page scrolls far enough


@pytest.mark.long
def test_no_film_of_kingdoms_plays_for_readers_who_prefer_reduced_motion(sit_down):
    player = sit_down(reduced_motion="reduce")
    player.hold_films()
    sit_at_kingdoms(player)
    see_the_others_draw(player)
    player.see_no_film()
    expect(player.page.locator("#film-bar")).to_be_hidden()
    player.page.emulate_media(reduced_motion="no-preference")
    sit_at_kingdoms(player)
    see_the_others_draw(player)
    player.wait_for_a_film()


@pytest.mark.long  # the accented table is wider
@pytest.mark.parametrize(
    ("viewport", "colors"), [pytest.param(PHONE, "light", id="390"), pytest.param(DESKTOP, "dark", id="1280")]
)
def test_the_table_of_kingdoms_is_not_wider_than_the_screen(sit_down, viewport, colors):
    visitor = sit_down(viewport=viewport, color_scheme=colors)
    sit_at_kingdoms(visitor)
    for query in ("", "?at=0", "?all=21", "?sort=value"):
        visitor.go(visitor.page.url.split("?")[0] + query)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], query


# A game of Alice and Bob in which Alice has to draw: print the address, and their sessions
OF_TWO = """
import django
django.setup()
from django.conf import settings
from django.test import Client
from tests.cast import person, table_of
from tests.rules.kingdoms.positions import position
from tests.web.kingdoms import put
people = [person(name) for name in ("Alma Longname", "Bert Longname")]
game = put(table_of(*people, ruleset="kingdoms"), position(2, hands={0: "A7 C9", 1: "A8 A8 C9 E S1"}, drawn=False))
print(game.get_absolute_url())
for user in people:
    browser = Client()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    print(browser.cookies[settings.SESSION_COOKIE_NAME].value)
"""
WATCH_FOR_A_COPY = """() => new MutationObserver(() => {
  window.hasPlayed ||= document.getElementById("film-bar")?.hidden === false;
  window.hasCopied ||= Boolean(document.querySelector(".film-stage"));
}).observe(document, { subtree: true, childList: true, attributes: true })"""


def test_what_a_waiting_player_looks_at_stays_and_the_film_plays_there(sit_down, site):
    environment = site.environment | {"DJANGO_SETTINGS_MODULE": "empire.settings"}
    made = subprocess.run([sys.executable, "-c", OF_TWO], cwd=ROOT, env=environment, check=True, capture_output=True)
    address, *sessions = made.stdout.decode().split()[-3:]
    acting, waiting = sit_down(has_touch=True), sit_down(has_touch=True)
    for player, session in zip((acting, waiting), sessions, strict=True):
        player.page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
        player.go(address)
        player.page.wait_for_load_state()
    # The realm is in sight, so what the other player does plays on it rather than on a copy
    page = waiting.page
    page.evaluate(WATCH_FOR_A_COPY)
    acting.page.locator("#do-draw").tap()
    page.wait_for_function("() => window.hasPlayed")
    assert not page.evaluate("window.hasCopied")
    # What their cards can do stays where it is when their turn begins, although the board is in another order then
    page.locator("#helper > summary").tap()
    helper = page.locator("#helper")
    helper.evaluate("part => scrollBy({ top: part.getBoundingClientRect().top + 60, behavior: 'instant' })")
    before = helper.bounding_box()
    acting.page.locator("#do-end").tap()
    for then in ("#end-turn", "#send-now"):
        if acting.page.locator(then).is_visible():
            acting.page.locator(then).tap()
    expect(page.locator("#table[data-mine]")).to_be_visible()
    waiting.settle()
    after = helper.bounding_box()
    assert before and after and abs(after["y"] - before["y"]) < 2
