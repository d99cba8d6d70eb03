"""How often one is waited for in a game: measured by bots, the same each time."""

import pytest

from games.contests.terms.fitting import decisions
from games.rules.protocol import IllegalAction
from games.rules.registry import RULESETS


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_of_three_asks_each_player_for_some_decisions(ruleset: str):
    assert 3 <= decisions(ruleset, 3, {}) <= 30


def test_a_bid_and_the_turns_are_counted():
    """With three players each has a bid and ten cards."""
    assert decisions("legends", 3, {}) == 11


def test_options_are_played_with():
    assert decisions("legends", 2, {"setup": "by-hand"}) > decisions("legends", 2, {})


def test_options_that_make_no_sense_are_refused():
    for options in ({"moat": True}, {"citadels": ["yes"]}):
        with pytest.raises(IllegalAction):
            decisions("legends", 3, options)
