"""The number of decisions a player makes in a game, measured with bots and reproducible."""

import pytest

from games.contests.terms.fitting import decisions
from games.rules.protocol import IllegalAction
from games.rules.registry import RULESETS


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_of_three_players_takes_some_decisions_of_each(ruleset: str):
    assert 3 <= decisions(ruleset, 3, {}) <= 30


def test_a_bid_and_the_turns_are_counted():
    """Each of three players makes a bid and takes ten cards."""
    assert decisions("legends", 3, {}) == 11


def test_options_affect_the_number_of_decisions():
    assert decisions("legends", 2, {"setup": "by-hand"}) > decisions("legends", 2, {})


def test_invalid_options_are_refused():
    for options in ({"moat": True}, {"citadels": ["yes"]}):
        with pytest.raises(IllegalAction):
            decisions("legends", 3, options)
