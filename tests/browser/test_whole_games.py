"""Whole games of Legends through the page, by touch, mouse and keyboard: no jump, no error, small steps."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE
from tests.browser.whole_game import Watched, play_legends

pytestmark = [pytest.mark.browser, pytest.mark.site("browser"), pytest.mark.long]

WIDE = {"width": 1280, "height": 900}


@pytest.mark.parametrize(
    ("by", "viewport"), [("touch", PHONE), ("mouse", WIDE), ("keyboard", WIDE)], ids=["touch", "mouse", "keyboard"]
)
def test_a_whole_game_of_legends_without_a_jump_or_an_error(sit_down, by, viewport):
    watched = Watched(sit_down(viewport=viewport, has_touch=by == "touch"), by=by)
    watched.player.play_now()
    assert play_legends(watched) > 8
    expect(watched.page.get_by_role("heading", level=1)).to_have_text(re.compile("won|share", re.IGNORECASE))
    assert watched.sizes, "no answer was measured"
