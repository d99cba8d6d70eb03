"""Evenings with the rest of the family: a game set up by hand, and what lies face down."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.evening import Evening

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]


def set_up_by(player: Evening, *options: str) -> None:
    """Open tables until one falls to this player to set up; the seat is drawn."""
    for _table in range(20):
        player.open_table(*options, by_hand=True)
        if player.headline.startswith("Set up the game"):
            return
    raise AssertionError("the seat that sets up was always the other one")


def test_a_game_of_two_is_set_up_by_hand_on_a_phone_and_played(sit_down):
    alice = sit_down()
    alice.sign_up("Setter")
    set_up_by(alice)
    page = alice.page
    for _board in range(4):
        alice.lay_a_board()
    alice.tap_a_region()  # the start
    alice.button("Undo").click()
    expect(page.locator("#steps li")).to_have_count(4)
    alice.tap_a_region()
    alice.tap_a_region()  # the outpost
    expect(page.get_by_role("heading", level=1)).to_contain_text("Your part of the setup is done")
    alice.button("Confirm setup").click()
    expect(alice.button("Confirm setup")).to_have_count(0)
    for _army in range(5):  # the bot places the other five of the third colour
        assert alice.wait_for_a_decision() == "setup"
        alice.tap_a_region()
        alice.button("Confirm setup").click()
        expect(alice.button("Confirm setup")).to_have_count(0)
    assert alice.wait_for_a_decision() == "bid"
    alice.bid(12)
    assert alice.wait_for_a_decision() == "first"
    alice.start_myself()
    assert alice.wait_for_a_decision() == "take"
    alice.take_a_turn()
    expect(page.locator("#log")).to_contain_text(re.compile("Setter takes"))


def march_to_a_token(player: Evening) -> None:
    """A turn that takes armies to where tokens lie face down, as far as it can."""
    page = player.page
    marching = page.locator("#hand .offer-card:enabled", has_text=re.compile("move", re.IGNORECASE))
    (marching if marching.count() else page.locator("#hand .offer-card:enabled")).first.click()
    expect(page.locator("#confirm")).to_be_visible()
    if page.locator("#moves").count():
        page.locator("#moves summary").click()
        ways = [page.locator(f'#moves button[value^="move"][value$=" {region}"]') for region in player.hidden_tokens()]
        there = [way.first for way in ways if way.count()]
        (there or [page.locator("#moves button").first])[0].click()
        expect(page.locator("#steps li").or_(page.locator("#sure-words"))).not_to_have_count(0)
    player.confirm()


def play_until_a_token_is_looked_at(player: Evening) -> bool:
    """Whether that came about before the end of the game."""
    while (decision := player.wait_for_a_decision()) != "over":
        if player.page.locator(".learned").count():
            return True
        if decision == "bid":
            player.bid(0)
        elif decision == "first":
            player.start_myself()
        else:
            march_to_a_token(player)
    return False


def test_a_token_is_looked_at_by_the_one_who_holds_its_region(sit_down):
    alice = sit_down()
    alice.sign_up("Looker")
    page, learned = alice.page, alice.page.locator(".learned")
    for _table in range(5):  # in a game or two of ten the tokens lie too far off
        alice.open_table("explore", "poison_swamp")
        if play_until_a_token_is_looked_at(alice):
            break
    expect(learned).to_contain_text(re.compile("Looker looks at the token in .+: .+Only you can see this"))
    place, face = re.findall(r"token in (.+?): (.+?)\.", learned.inner_text())[0]
    page.reload()
    expect(page.locator("#finds .seen")).to_contain_text(f"{place}: {face}")
