"""More of Eight-Minute Empire in a real browser: a game set up by hand, and face-down tokens."""

import re
from secrets import randbelow

import pytest
from playwright.sync_api import expect

from tests.browser.evening import Evening

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]


def set_up_by(player: Evening, *options: str) -> None:
    """Open tables until this player is drawn to set one up."""
    for _table in range(20):
        player.open_table(*options, by_hand=True)
        if player.headline.startswith("Set up the game"):
            return
    raise AssertionError("the seat that sets up was always the other one")


@pytest.mark.long
def test_a_game_for_two_is_set_up_by_hand_on_a_phone_and_played(sit_down):
    alice = sit_down()
    alice.sign_up(f"Setter{randbelow(100_000)}")  # a different name in each attempt
    set_up_by(alice)
    page = alice.page
    for _board in range(4):
        alice.lay_a_board()
    alice.tap_a_region()  # the start region
    alice.button("Undo").click()
    expect(page.locator("#steps li")).to_have_count(4)
    alice.tap_a_region()
    alice.tap_a_region()  # the outpost
    expect(page.get_by_role("heading", level=1)).to_contain_text("Your part of the setup is done")
    alice.button("Confirm setup").click()
    expect(alice.button("Confirm setup")).to_have_count(0)
    for _army in range(5):  # the bot places the other five armies of the third color
        assert alice.wait_for_a_decision() == "setup"
        alice.tap_a_region()
        alice.button("Confirm setup").click()
        alice.see_it_sent()
        expect(alice.button("Confirm setup")).to_have_count(0)
    assert alice.wait_for_a_decision() == "bid"
    alice.bid(12)
    assert alice.wait_for_a_decision() == "first"
    alice.start_myself()
    assert alice.wait_for_a_decision() == "take"
    alice.take_a_turn()
    expect(page.locator("#log")).to_contain_text(f"{alice.name} (you) takes")


def march_to_a_token(player: Evening) -> None:
    """Take a turn that moves armies to face-down tokens if possible."""
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
    reveal = page.locator(".sure #confirm")
    if reveal.count():  # a city that turns up a token is built at once, and the turn continues
        reveal.click()
        expect(reveal).to_have_count(0)
    player.confirm()


def play_until_a_token_is_looked_at(player: Evening) -> bool:
    """Play until a token is looked at. Return False if the game ends before."""
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


@pytest.mark.long
def test_a_player_looks_at_a_token_in_a_region_they_hold(sit_down):
    alice = sit_down()
    alice.sign_up(f"Looker{randbelow(100_000)}")
    page, learned = alice.page, alice.page.locator(".learned")
    for _table in range(5):  # in one or two of ten games the tokens are too far away
        alice.open_table("explore", "poison_swamp")
        if play_until_a_token_is_looked_at(alice):
            break
    expect(learned).to_contain_text(re.compile("You looked at the token in .+: .+Nobody else can see this"))
    place, face = re.findall(r"token in (.+?): (.+?)\.", learned.inner_text())[0]
    page.reload()
    expect(page.locator("#finds .seen")).to_contain_text(f"{place}: {face}")
