"""What the others did plays on the board, can be skipped at once, and leaves what the server drew."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP
from tests.browser.evening import Evening
from tests.browser.test_live import SEEN, beginning

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

# Whether the pieces, the holders of regions and the points on the page are those of the page that the server sends
IS_AS_DRAWN = """async () => {
  const shown = (page) => [
    page.querySelector(".tokens").outerHTML,
    ...[...page.querySelectorAll(".region")].map((land) => land.getAttribute("class")),
    ...[...page.querySelectorAll(".region .hit")].map((land) => land.outerHTML),
    ...[...page.querySelectorAll(".player .points")].map((points) => points.textContent.replace(/\\s+/g, " ")),
  ].join();
  const answer = await fetch(location.href, { headers: { "HX-Request": "true" } });
  const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
  return shown(document) === shown(drawn) && !document.querySelector(".film, .film-card, .playing");
}"""


def my_turn_again(player: Evening) -> None:
    """Take a turn, and wait for those of the bots."""
    beginning(player)
    player.take_a_turn()
    assert player.wait_for_a_decision() == "take"


@pytest.mark.long
def test_the_film_plays_can_be_skipped_and_can_be_played_again(sit_down):
    player = sit_down(viewport=DESKTOP)
    page = player.page
    player.hold_films()
    my_turn_again(player)
    bar = page.locator("#film-bar")
    expect(bar).to_be_visible()
    expect(page.locator("#film-said")).to_contain_text(" takes ")
    page.locator("#film-skip").click()
    expect(bar).to_be_hidden()
    assert page.evaluate(IS_AS_DRAWN)
    page.locator("#film-play").click()
    expect(page.locator(".pieces .film")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".pieces .film")).to_have_count(0)
    page.locator("#film-play").click()
    page.locator("#hand .offer-card:enabled").first.click()  # acts at once
    expect(page.locator("#film-play, #film-bar")).to_have_count(0)
    expect(page.locator("#confirm")).to_be_visible()


@pytest.mark.long
def test_the_film_and_the_zoom_share_a_row_that_stays_and_a_finger_hits_the_links(sit_down):
    player = sit_down()
    page = player.page
    player.hold_films()
    my_turn_again(player)
    bar, play, zoom = page.locator("#film-bar"), page.locator("#film-play"), page.locator("#zoom-in")
    expect(bar).to_be_visible()
    expect(zoom).to_be_hidden()  # not half covered
    page.evaluate("document.getElementById('film-skip').click()")
    for links in (page.locator("#marks"), page.locator("#log .seq")):  # a finger hits them
        for box in (link.bounding_box() for link in links.all()):
            assert box["width"] >= 44 and box["height"] >= 44, links
    for width, height in ((390, 844), (844, 390), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        here, there = play.bounding_box(), zoom.bounding_box()
        assert abs(here["y"] + here["height"] / 2 - there["y"] - there["height"] / 2) <= 1, width
        assert here["x"] + here["width"] <= there["x"], width
        zoom.click()
        assert zoom.bounding_box()["x"] == there["x"], width
        page.locator("#zoom-fit").click()
        play.evaluate("play => play.style.setProperty('display', 'none')")
        assert zoom.bounding_box()["x"] == there["x"], width
        play.evaluate("play => play.style.removeProperty('display')")


# A sentence as long as those of real games, in German, with the names of three players
LONG = (
    "Wilhelmine von Hohenstein nimmt Verfluchtes Mausoleum für 2 Münzen. Wilhelmine von Hohenstein zieht Armeen: "
    "Stiegenfall → Kronenfeste ×2, Kronenfeste → Langwiese. Bartholomew Langname verliert eine Armee in Langwiese. "
    "Neu in der Auslage: Bergzwerg."
)
SAY = """said => {
  const film = document.getElementById("film");
  const { moves, ...rest } = JSON.parse(film.textContent);
  film.textContent = JSON.stringify({ ...rest, moves: moves.map((move) => ({ ...move, said })) });
  for (const id of ["film-skip", "film-play", "film-pause"]) document.getElementById(id).click();
}"""
# A map can be as high as the window: its end, with what follows below it
TO_ITS_END = """map => {
  const end = innerHeight - 220;
  scrollBy({ top: map.getBoundingClientRect().bottom - end, behavior: "instant" });
}"""
# How much of the sentence is cut off, and by how much the bar covers the map
READ = """() => {
  const [words, bar, map] = ["#film-said", "#film-bar", ".map-window"].map((which) => document.querySelector(which));
  const [over, under] = [bar, map].map((one) => one.getBoundingClientRect());
  const covered = over.left >= under.right ? 0 : Math.max(0, under.bottom - over.top);
  return [words.scrollHeight - words.clientHeight, covered, over.bottom <= innerHeight];
}"""


@pytest.mark.long
def test_long_sentences_of_the_film_can_be_read_and_do_not_cover_the_map_on_a_phone(sit_down):
    player = sit_down()
    page = player.page
    player.hold_films()
    my_turn_again(player)
    for width, height in ((390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator(".map-window").evaluate(TO_ITS_END)
        page.evaluate(SAY, LONG)
        expect(page.locator("#film-said")).to_have_text(LONG)
        cut_off, covered, is_in_window = page.evaluate(READ)
        assert (cut_off, is_in_window) == (0, True), width
        assert covered <= 1, width


@pytest.mark.long
def test_the_film_pauses_continues_step_by_step_and_ends_as_the_server_drew(sit_down):
    player = sit_down(viewport=DESKTOP)
    page = player.page
    player.hold_films()
    my_turn_again(player)
    page.locator("#film-skip").click()
    page.locator("#film-play").click()
    page.wait_for_timeout(4000)
    expect(page.locator("#film-bar")).to_be_visible()
    scores = page.locator(".player .points").all_inner_texts()  # of earlier positions, in which scores are low
    assert all(words.split()[1] == ("point" if words.split()[0] == "1" else "points") for words in scores)
    player.let_films_play()
    page.locator("#film-step").click()
    page.locator("#film-pause").click()
    expect(page.locator("#film-bar")).to_be_hidden()
    assert page.evaluate(IS_AS_DRAWN)


@pytest.mark.long
def test_the_history_plays_from_entry_to_entry(sit_down):
    player = sit_down()
    page = player.page
    my_turn_again(player)
    page.goto(f"{page.url.split('?')[0]}?at=3&from=0")
    page.locator("#tour-speed").select_option("4")
    page.locator("#tour-play").click()
    expect(page.locator("#go-next")).to_have_attribute(
        "href", page.url.split("?")[0].removeprefix(page.url.split("/games")[0])
    )
    expect(page.locator(".film")).to_have_count(0)
    assert page.evaluate(IS_AS_DRAWN)


@pytest.mark.long
def test_the_map_stays_while_the_history_is_replayed_on_a_phone(sit_down):
    player = sit_down()
    page = player.page
    my_turn_again(player)
    last = int(page.locator("#table [data-seq]").first.get_attribute("data-seq") or 0)
    page.goto(f"{page.url.split('?')[0]}?at=0&from=0")
    tops, lengths = set(), set()
    for at in range(1, last):
        page.locator("#go-next").click()
        expect(page.locator("#table")).to_have_attribute("data-past", str(at))
        tops.add(round(page.locator(".map-window").evaluate("map => map.getBoundingClientRect().top")))
        lengths.add(page.locator(".replay-told").evaluate("list => list.querySelectorAll('li').length"))
    assert len(lengths) > 1, "all entries were equally long"
    assert len(tops) == 1


@pytest.mark.long
def test_no_film_plays_for_readers_who_prefer_reduced_motion(sit_down):
    player = sit_down(viewport=DESKTOP, reduced_motion="reduce")
    player.hold_films()
    my_turn_again(player)
    player.see_no_film()
    expect(player.page.locator("#film-play")).to_be_hidden()
    expect(player.page.locator("#replay")).to_be_visible()
    player.page.emulate_media(reduced_motion="no-preference")
    player.take_a_turn()
    player.wait_for_a_film()


TONES = """() => {
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.tones += 1; start.apply(this, when); };
  document.hasFocus = () => false;
}"""


@pytest.mark.long
def test_my_turn_marks_the_title_of_a_hidden_tab_and_sounds_only_if_wanted(sit_down):
    player = sit_down(viewport=DESKTOP)
    page = player.page
    beginning(player)
    table = page.url
    for wanted in (False, True):
        if wanted:
            player.go("/accounts/notices/")
            page.get_by_label("Play a sound").check()
            player.go(table)
        page.evaluate(TONES)
        page.evaluate(SEEN, "hidden")
        assert not page.title().startswith("●")
        player.take_a_turn()
        page.wait_for_function("() => document.title.startsWith('● ')")
        assert (page.evaluate("window.tones") > 0) == wanted
        page.evaluate(SEEN, "visible")
        assert not page.title().startswith("●")
