"""What other sites show of a link to a game: a picture and a sentence, only of listed games, as spectators see them."""

import re

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from accounts.models import User
from games.boards.png import CARD, size
from games.tables.models import Game
from games.tables.services import lobby
from tests.cast import bid, in_turns, play_turns, table_of
from tests.tables.kingdoms import kingdoms
from tests.web.reading import text

pytestmark = pytest.mark.django_db


def tags(page: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', page))


@pytest.fixture
def listed(alice, bob):
    return play_turns(in_turns(alice, bob), 3)


def test_a_listed_game_has_the_same_preview_for_everyone(come, listed, alice, eve):
    url = listed.get_absolute_url()
    preview = tags(text(come(None).get(url)))
    assert preview["og:title"] == "Eight-Minute Empire: Legends: Alice and Bob"
    assert preview["og:image"] == f"{settings.SITE_URL}{url}board/{listed.seq}.png"
    assert preview["og:url"] == settings.SITE_URL + url and preview["twitter:card"] == "summary_large_image"
    assert tags(text(come(alice).get(url))) == tags(text(come(eve).get(url))) == preview


def test_a_link_to_an_entry_shows_the_board_after_that_entry(come, listed):
    preview = tags(text(come(None).get(f"{listed.get_absolute_url()}?at=4")))
    assert preview["og:url"].endswith("/?at=4") and preview["og:image"].endswith("/board/4.png")
    then, now = (come(None).get(f"{listed.get_absolute_url()}board/{at}.png") for at in (4, listed.seq))
    assert size(then.content) == size(now.content) == CARD and then.content != now.content
    assert then["Content-Type"] == "image/png" and len(then.content) < 600_000


@pytest.mark.parametrize("listed", [True, False])
def test_an_invitation_has_a_preview_with_who_invites_to_which_game(come, alice, bob, listed):
    table = lobby.open_table(
        user=alice, ruleset="kingdoms", players=4, full=True, listed=listed, options={"mode": "quickplay"}
    )
    address = f"/join/{table.invite_token}/"
    preview = tags(text(come(None).get(address)))
    assert preview["og:title"] == "Alice invited you to play"
    assert preview["og:description"] == "Kingdoms · three rounds · a full game of three · 2 days per turn"
    assert preview["og:url"] == settings.SITE_URL + address
    picture = preview["og:image"].removeprefix(settings.SITE_URL)
    assert preview["og:image"] != picture and finders.find(picture.removeprefix(settings.STATIC_URL))
    assert tags(text(come(bob).get(address))) == preview


def test_the_preview_of_an_invitation_is_in_the_language_of_the_host_unless_the_reader_has_one(come, alice):
    User.objects.filter(pk=alice.pk).update(language="de")
    address = f"/join/{lobby.open_table(user=alice).invite_token}/"
    german, english = "Alice lädt dich zum Spielen ein", "Alice invited you to play"
    assert tags(text(come(None).get(address)))["og:title"] == german
    assert tags(text(come(None).get(address, headers={"Accept-Language": "en"})))["og:title"] == english
    reader = come(None)
    reader.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    assert tags(text(reader.get(address)))["og:title"] == english


@pytest.mark.long
def test_a_picture_is_fetched_again_only_if_it_changes(come, listed):
    address = f"{listed.get_absolute_url()}board/4.png"
    first = come(None).get(address)
    again = come(None).get(address, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304 and first["Cache-Control"] == "public, max-age=300"
    Game.objects.filter(pk=listed.pk).update(listed=False)
    assert come(None).get(address, headers={"If-None-Match": first["ETag"]}).status_code == 404


@pytest.mark.sampled
@pytest.mark.parametrize(
    "hidden", [{"listed": False}, {"listed": False, "is_withheld": True}], ids=["private", "duplicate"]
)
def test_a_game_that_visitors_may_not_see_has_neither_tags_nor_picture(come, listed, alice, hidden):
    come(None).get(f"{listed.get_absolute_url()}board/4.png")  # a kept picture doesn't help
    Game.objects.filter(pk=listed.pk).update(**hidden)
    for reader in (alice, None):
        assert come(reader).get(f"{listed.get_absolute_url()}board/4.png").status_code == 404
    assert tags(text(come(alice).get(listed.get_absolute_url()))) == {}
    page = come(None).get(listed.get_absolute_url())
    assert page.status_code == 404 and "Alice" not in page.content.decode() and not tags(page.content.decode())


@pytest.mark.parametrize("at", ["99", "999999", "-1", "x", "9999999999", "٣"])
def test_an_unknown_entry_has_no_picture(come, listed, at):
    assert come(None).get(f"{listed.get_absolute_url()}board/{at}.png").status_code == 404


def test_an_open_table_has_neither_tags_nor_picture(come, alice):
    game = lobby.open_table(user=alice, players=2, listed=True)
    assert come(None).get(f"{game.get_absolute_url()}board/0.png").status_code == 404
    assert tags(text(come(None).get(game.get_absolute_url()))) == {}


def test_the_picture_during_the_bids_is_the_same_whatever_was_bid(come, alice, bob):
    game = table_of(alice, bob)
    before = come(None).get(f"{game.get_absolute_url()}board/0.png").content
    bid(game, 7)
    assert come(None).get(f"{game.get_absolute_url()}board/0.png").content == before
    assert come(None).get(f"{game.get_absolute_url()}board/1.png").status_code == 404


def test_kingdoms_have_a_picture_too(come, alice, bob):
    game = kingdoms(alice, bob, listed=True)
    preview = tags(text(come(None).get(game.get_absolute_url())))
    assert size(come(None).get(preview["og:image"].removeprefix(settings.SITE_URL)).content) == CARD


@pytest.mark.long
def test_pictures_are_limited(come, listed, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "picture": "2/m/ip"}
    answers = [come(None).get(f"{listed.get_absolute_url()}board/4.png").status_code for _picture in range(3)]
    assert answers == [200, 200, 429]
