"""Boards in miniature: for those who may see the game, the same for all of them, and kept by browsers."""

import xml.etree.ElementTree as ET

import pytest

from games.boards.eight_minute.miniature import miniature
from games.boards.kingdoms.realm import miniature as kingdoms_miniature
from games.rules.registry import RULESETS
from games.tables.models import Game
from games.tables.pages.eight_minute.pictures import position
from games.tables.services import friends, lobby
from tests.cast import again, in_turns, play_out, play_turns, some_turn, state_of, submit, table_of
from tests.tables.kingdoms import kingdoms
from tests.web.reading import text

pytestmark = pytest.mark.django_db


def drawn(browser, game: Game) -> bytes:
    answer = browser.get(again(game).thumbnail)
    assert answer.status_code == 200 and answer.headers["Content-Type"] == "image/svg+xml"
    return answer.content


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_picture_is_small_and_loads_nothing(ruleset, come, alice, bob):
    game = table_of(alice, bob, ruleset=ruleset)
    for turns in (0, 4):
        svg = drawn(come(alice), play_turns(game, turns))
        assert len(svg) < 9_000
        names = {name for part in ET.fromstring(svg).iter() for name in part.attrib}
        assert "style" not in names and not any(name.endswith("src") for name in names)
        hrefs = [part.attrib["href"] for part in ET.fromstring(svg).iter() if "href" in part.attrib]
        assert all(href.startswith("#") for href in hrefs)


def test_regions_have_the_color_and_the_shape_of_their_controller():
    view = RULESETS["legends"].view(position(), None)
    held = sum(region.controller is not None for region in view.regions.values())
    svg = ET.fromstring(miniature(view))
    shapes = [part for part in svg[-1] if part.tag.endswith("path")]
    assert len(shapes) == held > 5


def test_a_ruled_kingdom_flies_its_rulers_banner(alice, bob):
    view = RULESETS["kingdoms"].view(state_of(kingdoms(alice, bob)), None)
    svg = kingdoms_miniature(view)
    assert svg.count('fill="#c7362c"') == svg.count('fill="#2467b3"') == 1


def test_every_reader_gets_the_same_picture_whatever_is_hidden(come, alice, bob, eve):
    game = kingdoms(alice, bob)
    readers = [come(alice), come(bob), come(eve), come()]
    assert len({drawn(reader, game) for reader in readers}) == 1
    sealed = table_of(alice, bob)
    before = drawn(come(alice), sealed)
    submit(sealed, 0, "bid 2")
    assert {drawn(reader, sealed) for reader in readers} == {before}


def test_a_draft_is_not_drawn_for_anyone(come, alice, bob):
    game = in_turns(alice, bob)
    before, (_seat, actions) = drawn(come(bob), game), some_turn(game)
    come(alice).post(f"{game.get_absolute_url()}step", {"seq": game.seq, "action": actions[0]})
    assert drawn(come(alice), game) == drawn(come(bob), game) == before


def test_a_private_game_shows_its_board_to_nobody_else(come, alice, bob, eve):
    game = in_turns(alice, bob, listed=False)
    assert drawn(come(alice), game)
    for stranger in (come(), come(eve)):
        assert stranger.get(game.thumbnail).status_code == 404


def test_a_table_that_has_not_started_has_no_picture(come, alice):
    game = lobby.open_table(user=alice, players=2)
    assert game.thumbnail == "" and come(alice).get(f"{game.get_absolute_url()}board/0.svg").status_code == 404


def test_browsers_keep_the_picture_of_an_entry_and_are_led_to_the_current_one(come, alice, bob):
    game, browser = in_turns(alice, bob), come(alice)
    old = again(game).thumbnail
    first = browser.get(old)
    assert "immutable" in first.headers["Cache-Control"] and "private" in first.headers["Cache-Control"]
    kept = browser.get(old, headers={"If-None-Match": first.headers["ETag"]})
    assert kept.status_code == 304 and kept.content == b""
    play_turns(game, 1)
    moved = browser.get(old)
    assert (moved.status_code, moved.headers["Location"]) == (302, again(game).thumbnail)
    assert moved.headers["Cache-Control"] == "no-store"


def test_someone_who_may_not_see_the_game_cannot_revalidate_a_cached_picture(come, alice, bob):
    game = in_turns(alice, bob, listed=False)
    etag = come(alice).get(again(game).thumbnail).headers["ETag"]
    assert come().get(again(game).thumbnail, headers={"If-None-Match": etag}).status_code == 404


def test_requests_are_limited(come, alice, bob, settings):
    settings.RATE_LIMITS = {"thumbnail": "3/m/key"}
    game, browser = in_turns(alice, bob), come(alice)
    answers = [browser.get(game.thumbnail).status_code for _time in range(4)]
    assert answers == [200, 200, 200, 429]


def test_the_desk_and_the_lobby_show_the_boards_without_links_or_words(come, alice, bob):
    game = in_turns(alice, bob)
    for page in (come(alice).get("/desk/"), come().get("/lobby/")):
        assert f'<img class="thumbnail" src="{game.thumbnail}" alt=""' in text(page)
        assert text(page).count('loading="lazy"') == text(page).count('class="thumbnail"')


def test_tables_that_wait_for_players_show_their_game_in_miniature(come, alice, bob):
    game = lobby.open_table(user=alice, players=2, ruleset="kingdoms", listed=True)
    for page in (come(alice).get("/desk/"), come().get("/lobby/")):
        assert '<img class="thumbnail" src="/rules/kingdoms/emblem.svg" alt=""' in text(page)
    friends.invite(game=game, user=alice, name="Bob")
    assert "/rules/kingdoms/emblem.svg" in text(come(bob).get("/desk/"))
    picture = come().get("/rules/kingdoms/emblem.svg")
    assert picture["Content-Type"] == "image/svg+xml" and text(picture).startswith("<svg xmlns")
    assert "max-age" in picture["Cache-Control"] and not picture.cookies
    assert come().get("/rules/chess/emblem.svg").status_code == 404


@pytest.mark.long
def test_the_history_shows_the_final_boards(come, alice, bob):
    game = play_out(table_of(alice, bob))
    address = f"{game.get_absolute_url()}board/last.svg"
    assert address in text(come(alice).get("/history/"))
    assert come(alice).get(address).content == drawn(come(alice), game)
    running = in_turns(alice, bob)
    moved = come(alice).get(f"{running.get_absolute_url()}board/last.svg")
    assert (moved.status_code, moved.headers["Location"]) == (302, running.thumbnail)
