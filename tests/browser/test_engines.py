"""A whole game of Legends in the engines of iPhones and of Firefox, played with presses where a person would press."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.engines import Driven, firefox, until, webkit
from tests.browser.evening import DECISIONS
from tests.conftest import need
from tests.running import Site

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.site("browser")]

SIZE = (390, 844)
TURNS = 8  # per player in a game of four
ASKED = """
const table = document.querySelector("#table:not(.htmx-swapping, .htmx-settling, .htmx-request)");
return arguments[0].find((one) => table?.classList.contains(`table-${one}`)) ?? null;
"""


@pytest.fixture(params=["webkit", "firefox"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Driven]:
    if request.param == "webkit":
        with webkit(need("WebKitWebDriver"), need("Xvfb"), *SIZE) as driven:
            yield driven
    else:
        with firefox(need("firefox-esr"), tmp_path, *SIZE) as driven:
            yield driven


def decision_of(engine: Driven) -> str:
    return until(lambda: engine.run(ASKED, DECISIONS), "a decision")


def take_a_turn(engine: Driven) -> None:
    """Take the first card, one step on the map if there is one, and end the turn."""

    def is_laid_out() -> bool:
        """Press a card, again if another player's turn arrived at that moment and the cards were replaced."""
        if not engine.finds("#confirm, .htmx-request, .htmx-swapping, .htmx-settling"):
            engine.can_press("#hand .offer-card:enabled")
            time.sleep(1)
        return engine.finds("#confirm")

    until(is_laid_out, "a card that is laid out")
    if engine.finds(".map-sheet .region a"):
        has_one_action = engine.run("return !!document.querySelector('.map-sheet .region a').dataset.action")
        engine.press(".map-sheet .region a")
        if not has_one_action:
            until(lambda: engine.finds("#let-go, #steps"), "what can be done there")
            if engine.finds("#let-go"):
                engine.press("#hand .choices button")
        until(lambda: engine.finds("#steps"), "the step")

    def is_sent() -> bool:
        """Press on, whatever is given up, but never while an answer may replace what is pressed."""
        is_settled = not engine.finds(".htmx-request, .htmx-swapping, .htmx-settling")
        if is_settled and any(map(engine.can_press, ("#send-now", "#end-turn", "#go-on", "#confirm"))):
            time.sleep(1)
        return not engine.finds("#table:is(.table-steps, .table-sure), #confirm, #end-turn")

    until(is_sent, "the turn that is sent")


def test_a_whole_game_is_played_without_an_error_of_a_script(engine: Driven, site: Site):
    engine.visit(f"{site.address}/play-now/")
    engine.press("#opponents label:has([value='rulebook'])")
    engine.press("#opponents label:has([value='3'])")
    engine.press("form[action='/play-now/'] button.primary")
    turns = 0
    while (decision := decision_of(engine)) != "over":
        if decision == "bid":
            engine.press("label:has(#bid-1)")
            engine.press("#do-bid")
            until(lambda: not engine.finds("#bid-1"), "the bid that is sent")
        elif decision == "first":
            engine.press("button", "Me")
            until(lambda: decision_of(engine) != "first", "who starts")
        else:
            assert turns < TURNS, "more turns than the game has"
            take_a_turn(engine)
            turns += 1
    assert turns == TURNS
    assert engine.finds("#table .result, #table.table-over")
    assert engine.troubles == ""
