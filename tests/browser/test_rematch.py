"""Rematches on the pages of a result that two players have open."""

import re
import subprocess
import sys

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.evening import Evening
from tests.running import ROOT, Site

pytestmark = [pytest.mark.browser, pytest.mark.site("browser"), pytest.mark.long]

PLAY_OUT = """
import sys, django
django.setup()
from games.tables.models import Game
from tests.cast import play_out
play_out(Game.objects.get(public_id=sys.argv[1]))
"""
DELETE = """
import sys, django
django.setup()
from accounts import services
from games.tables.models import Seat
services.delete_account(Seat.objects.get(game__public_id=sys.argv[1], number=int(sys.argv[2])).owner)
"""


def run(site: Site, script: str, *words: str) -> None:
    environment = site.environment | {"DJANGO_SETTINGS_MODULE": "empire.settings"}
    subprocess.run([sys.executable, "-c", script, *words], cwd=ROOT, env=environment, check=True)


def game_on(page: Page) -> str:
    return page.url.partition("?")[0].rstrip("/").rpartition("/")[2]


@pytest.fixture
def ended(sit_down, site) -> tuple[Evening, Evening]:
    """Two guests, Alice on a desk and Bob on a phone, who look at the result of their game."""
    alice, bob = sit_down(viewport=DESKTOP), sit_down(viewport=PHONE, has_touch=True)
    alice.go("/lobby/open/?for=friends&players=2")
    alice.button("Open the table").click()
    bob.go(alice.page.locator("[id^=invite-]:read-only").input_value())
    bob.button("Join the game").click()
    for player in (alice, bob):
        expect(player.page.locator("#table")).to_be_visible()
    run(site, PLAY_OUT, game_on(bob.page))
    for player in (alice, bob):
        player.go(f"/games/{game_on(bob.page)}/")
        expect(player.page.locator("#ask-rematch")).to_have_text("Rematch")
    return alice, bob


def test_a_rematch_that_is_asked_for_appears_on_the_other_page_and_both_begin(ended):
    alice, bob = ended
    finished = game_on(bob.page)
    bob.page.locator("#result").scroll_into_view_if_needed()
    top = bob.page.locator("#result").evaluate("element => element.getBoundingClientRect().top")
    alice.page.locator("#ask-rematch").click()
    join = bob.page.locator("#ask-rematch")
    expect(join).to_have_text("Join the rematch")  # without a reload
    expect(bob.page.locator("#rematch")).to_contain_text("asked for a rematch")
    expect(bob.page.locator("#said")).to_contain_text("asked for a rematch")
    assert abs(bob.page.locator("#result").evaluate("element => element.getBoundingClientRect().top") - top) <= 2
    join.tap()
    bob.page.wait_for_url(lambda url: finished not in url)
    for player in (alice, bob):
        if game_on(player.page) != game_on(bob.page):
            player.go(bob.page.url)
        expect(player.page.locator("#table")).to_be_visible()


def test_a_declined_rematch_is_shown_to_the_player_who_asked(ended):
    alice, bob = ended
    finished = alice.page.url
    alice.page.locator("#ask-rematch").click()
    alice.page.wait_for_url(lambda url: url != finished)
    alice.go(finished)
    expect(alice.page.locator("#rematch")).to_contain_text("Waiting for")
    bob.page.locator("#decline-rematch").tap()
    expect(bob.page.get_by_text("Rematch declined.")).to_be_visible()
    expect(alice.page.locator("#rematch")).to_contain_text(re.compile("declined"))  # without a reload
    expect(bob.page.locator("#ask-rematch")).to_have_text("Join the rematch")  # they may think better of it


def test_a_rematch_with_a_deleted_account_says_so_and_the_result_stays(ended, site):
    alice, bob = ended
    finished = alice.page.url
    run(site, DELETE, game_on(bob.page), bob_seat(bob))
    alice.page.locator("#ask-rematch").click()
    expect(alice.page.get_by_role("main")).to_contain_text("can’t be asked")
    alice.go(finished)
    expect(alice.page.locator("#result")).to_be_visible()


def bob_seat(bob: Evening) -> str:
    """Return the number of the seat that the page calls the reader's."""
    own = bob.page.locator(".player", has_text="(you)").first
    return (own.get_attribute("id") or "").rpartition("-")[2]
