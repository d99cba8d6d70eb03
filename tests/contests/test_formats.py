"""The number of entrants that each tournament format takes."""

import pytest

from games.contests.pairing import groups, knockout, round_robin, swiss
from games.contests.pairing.formats import FORMATS, KINDS, TEAMS, fields, most
from games.contests.pairing.protocol import SEATS
from games.contests.pairing.swiss import SwissEntrant
from tests.each import for_each

PLAYERS = range(2, 6)
SWISS, ROUND_ROBIN, KNOCKOUT, GROUPS = "swiss", "round-robin", "knockout", "groups"


@for_each(
    "format, players, entered, taken",
    [
        (SWISS, 4, 13, 13), (SWISS, 4, 3, 0), (KNOCKOUT, 3, 2, 0), (KNOCKOUT, 2, 600, SEATS),
        (ROUND_ROBIN, 3, 8, 7), (ROUND_ROBIN, 3, 12, 9), (ROUND_ROBIN, 2, 2, 2), (GROUPS, 2, 20, 16),
        (GROUPS, 5, 14, 12), (GROUPS, 5, 9, 0),
    ],
)  # fmt: skip
def test_a_format_takes_the_largest_field_it_supports(format: str, players: int, entered: int, taken: int):
    assert most(format, players, entered) == taken


@pytest.mark.long
@pytest.mark.parametrize("players", PLAYERS)
def test_a_format_can_pair_every_field_it_takes(players: int):
    for entrants in fields(ROUND_ROBIN, players):
        assert round_robin.plan(entrants, players)
    for entrants in fields(GROUPS, players):
        assert groups.groups(entrants, players)
    for entrants in (players, SEATS):
        assert entrants in fields(KNOCKOUT, players) and knockout.bracket(entrants, players)
        assert entrants in fields(SWISS, players) and swiss.pair([SwissEntrant(n) for n in range(entrants)], players, 1)


def test_every_format_has_a_name_and_a_description():
    assert set(FORMATS) == {SWISS, ROUND_ROBIN, KNOCKOUT, GROUPS, "arena", TEAMS}
    assert all(kind.word and kind.sentence for kind in KINDS.values())
