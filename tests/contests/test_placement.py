"""Placement in tiers and divisions: by rating at first, then by the last season; promotion and relegation."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contests.leagues.placement import DAY, Moves, SignUp, divisions, who_moves
from games.contests.pairing.round_robin import sizes
from games.contests.terms.declaration import LeagueTerms
from tests.contests.properties import fixed
from tests.each import for_each

TOWER = LeagueTerms(name="Tower", hours_from=0)  # each tier is one division of six
PYRAMID = LeagueTerms(name="Pyramid", hours_from=0, spread=2)

Tiers = list[list[list[int]]]


def newcomers(*ratings: int) -> list[SignUp]:
    return [SignUp(rating) for rating in ratings]


def finished(tier: int, place: int, rating: int = 1500, **more: bool) -> SignUp:
    return SignUp(rating, tier, place, **more)


def stayed(*tiers: int) -> list[SignUp]:
    """Return six players for each of these tiers who all stay there."""
    return [finished(tier, place, 2000 - 100 * tier) for tier in tiers for place in range(1, 7)]


def tiers_of(tiers: Tiers) -> dict[int, int]:
    """Return the tier of each player."""
    return {n: tier for tier, of_tier in enumerate(tiers, start=1) for division in of_tier for n in division}


def lengths(tiers: Tiers) -> list[list[int]]:
    return [[len(division) for division in of_tier] for of_tier in tiers]


# The first season


def test_a_first_season_is_placed_by_rating():
    players = newcomers(*range(1000, 1018))
    assert divisions(players, TOWER) == [
        [[17, 16, 15, 14, 13, 12]], [[11, 10, 9, 8, 7, 6]], [[5, 4, 3, 2, 1, 0]]
    ]  # fmt: skip


def test_divisions_of_a_tier_are_equally_strong():
    players = newcomers(*range(2000, 1000, -10))[:18]
    assert divisions(players, PYRAMID)[1] == [[6, 9, 10, 13, 14, 17], [7, 8, 11, 12, 15, 16]]


def test_each_tier_has_the_declared_multiple_of_the_divisions_above():
    players = newcomers(*[1500] * 6 * 10)
    assert lengths(divisions(players, PYRAMID)) == [[6], [6] * 2, [6] * 4, [6] * 3]
    assert lengths(divisions(players, TOWER)) == [[6]] * 10


@for_each(
    "count, expected",
    [
        (4, [[4]]), (8, [[8]]), (9, [[5], [4]]), (13, [[6], [7]]), (15, [[5], [5], [5]]), (17, [[6], [6], [5]]),
        (20, [[6], [7], [7]]), (3, []), (0, []),
    ],
)  # fmt: skip
def test_uneven_numbers_are_absorbed_below_the_top_tier(count: int, expected: list[list[int]]):
    assert lengths(divisions(newcomers(*[1500] * count), TOWER)) == expected


def test_players_who_do_not_fit_into_a_division_wait():
    terms = LeagueTerms(name="Fives", ruleset="classic", players=5, division=5)
    assert lengths(divisions(newcomers(*[1500] * 14), terms)) == [[6], [6]]
    assert divisions(newcomers(*[1500] * 4), terms) == []


# Waking hours


def test_in_low_tiers_players_who_are_awake_at_the_same_hours_play_together():
    """Six players are awake around midnight and six around noon; hours wrap at midnight."""
    waking = [1400, 700, 1420, 710, 1439, 720, 5, 730, 20, 740, 40, 750]
    players = [SignUp(2000)] * 6 + [SignUp(1000 + n, waking=minute) for n, minute in enumerate(waking)]
    low = divisions(players, msgspec.structs.replace(PYRAMID, hours_from=2))[1]
    assert sorted(sorted(division) for division in low) == [[6, 8, 10, 12, 14, 16], [7, 9, 11, 13, 15, 17]]


def test_players_with_unknown_hours_fill_the_free_places():
    players = [SignUp(1500, waking=None if n % 3 else n) for n in range(18)]
    low = divisions(players, msgspec.structs.replace(PYRAMID, hours_from=2))
    assert lengths(low) == [[6], [6, 6]] and len(tiers_of(low)) == 18


def test_in_high_tiers_hours_do_not_matter():
    players = [SignUp(2000 - n, waking=n * 400 % DAY) for n in range(18)]
    assert divisions(players, msgspec.structs.replace(PYRAMID, hours_from=3)) == divisions(players, PYRAMID)


# Later seasons


def test_promoted_players_go_up_and_relegated_players_go_down():
    players = stayed(1, 2)
    players[5] = finished(1, 6, is_relegated=True)
    players[6] = finished(2, 1, is_promoted=True)
    tiers = tiers_of(divisions(players, TOWER))
    assert (tiers[5], tiers[6]) == (2, 1)
    assert [n for n, tier in tiers.items() if n not in (5, 6) and tier != players[n].tier] == []


def test_rating_moves_no_player_who_has_a_place():
    players = [msgspec.structs.replace(player, rating=3000 * player.tier) for player in stayed(1, 2, 3)]
    assert {n: player.tier for n, player in enumerate(players)} == tiers_of(divisions(players, TOWER))


def test_a_vacancy_goes_to_the_best_of_the_tier_below():
    players = stayed(1, 2, 3)[1:]
    tiers = tiers_of(divisions([*players, SignUp(1000)], TOWER))
    assert tiers[5] == 1 and tiers[11] == 2 and tiers[17] == 3
    assert players[5] == finished(2, 1, 1800) and players[11] == finished(3, 1, 1700)


def test_newcomers_of_the_right_strength_fill_every_second_vacancy_of_a_tier():
    players = [player for player in stayed(1, 2, 3) if (player.tier, player.place) not in {(2, 1), (2, 2), (2, 3)}]
    strong = [SignUp(1900), SignUp(1850), SignUp(1810)]
    tiers = tiers_of(divisions([*players, *strong], TOWER))
    best_of_third = [n for n, player in enumerate(players) if player.tier == 3 and player.place <= 2]
    assert [tiers[n] for n in best_of_third] == [2, 2]
    assert [tiers[n] for n in range(15, 18)] == [2, 3, 3]


def test_newcomers_start_no_higher_than_the_second_tier_and_their_strength_allow():
    players = [player for player in stayed(1, 2, 3) if player.place > 1]
    strong = tiers_of(divisions([*players, *newcomers(9000, 1790, 1600)], TOWER))
    assert [strong[n] for n in range(15, 18)] == [2, 3, 3]
    weak = tiers_of(divisions([*players, *newcomers(1790, 1790, 1790)], TOWER))
    assert [weak[n] for n in range(15, 18)] == [3, 3, 3]


def test_a_returning_player_falls_by_at_most_one_tier():
    full = [*stayed(1, 2), finished(1, 1, is_back=True)]
    assert tiers_of(divisions(full, TOWER))[12] == 2
    vacant = [*stayed(1, 2)[1:], finished(1, 1, is_back=True)]
    assert tiers_of(divisions(vacant, TOWER))[11] == 1


def test_a_returning_player_has_priority_over_the_tier_below_and_newcomers():
    players = [*stayed(1, 2, 3), SignUp(5000), SignUp(5000), finished(2, 6, is_back=True)]
    gone = [
        player
        for player in players
        if (player.tier, player.place, player.is_back) not in {(2, 1, False), (2, 2, False)}
    ]
    tiers = tiers_of(divisions(gone, TOWER))
    assert tiers[len(gone) - 1] == 2


def test_when_a_tier_shrinks_the_lowest_of_its_players_go_down():
    players = [finished(1, place) for place in range(1, 8)] + [finished(2, place) for place in range(1, 6)]
    players[0] = finished(2, 1, is_promoted=True)
    tiers = tiers_of(divisions(players, TOWER))
    assert [n for n, tier in tiers.items() if tier < players[n].due or tier > players[n].due] == [6]


def test_a_shrinking_league_becomes_one_division():
    players = [finished(tier, 3) for tier in range(1, 9)]
    assert lengths(divisions(players, TOWER)) == [[8]]


@st.composite
def leagues(draw: st.DrawFn) -> tuple[list[SignUp], LeagueTerms]:
    dice = Random(draw(st.integers(0, 10**6)))
    tiers, players = draw(st.integers(0, 6)), draw(st.integers(2, 4))
    terms = LeagueTerms(
        name="Any", players=players, division=draw(st.sampled_from(sizes(players))), spread=draw(st.integers(1, 3)),
        hours_from=draw(st.integers(0, 3)),
    )  # fmt: skip
    signed_up = []
    for _player in range(draw(st.integers(0, 90))):
        tier, fate = dice.randint(0, tiers), dice.randrange(8) if tiers else 7
        signed_up.append(
            SignUp(
                dice.randint(1000, 2000),
                tier,
                dice.randint(1, 6) if tier else 0,
                is_promoted=tier > 1 and fate == 0,
                is_relegated=tier > 0 and fate == 1,
                is_back=tier > 0 and fate == 2,
                waking=dice.choice([None, dice.randrange(DAY)]),
            )
        )
    return signed_up, terms


@pytest.mark.long
@fixed
@given(leagues())
def test_every_player_is_in_one_division_of_a_supported_size(league: tuple[list[SignUp], LeagueTerms]):
    players, terms = league
    tiers = divisions(players, terms)
    placed = sorted(n for of_tier in tiers for division in of_tier for n in division)
    assert placed == list(range(len(players))) if len(players) >= 4 else placed == []
    assert {length for of_tier in lengths(tiers) for length in of_tier} <= set(sizes(terms.players))
    assert [len(of_tier) for of_tier in tiers[:-1]] == [terms.spread**tier for tier in range(len(tiers) - 1)]
    assert tiers == divisions(players, terms)


def test_placement_handles_20000_players():
    dice = Random(20_000)
    players = [
        SignUp(dice.randint(1000, 2000), dice.randint(0, 9), dice.randint(1, 6), waking=dice.randrange(DAY))
        for _player in range(20_000)
    ]
    tiers = divisions(players, LeagueTerms(name="Many", spread=3))
    assert len(tiers_of(tiers)) == 20_000


# The end of a season


def test_the_best_of_each_division_go_up_and_as_many_go_down():
    assert who_moves([[1, 2, 3, 4]], PYRAMID, tier=1, below=2) == Moves(down=(3, 4))
    assert who_moves([[1, 2, 3, 4], [5, 6, 7, 8]], PYRAMID, tier=2, below=4) == Moves(up=(1, 5), down=(3, 4, 7, 8))
    assert who_moves([[1, 2, 3, 4], [5, 6, 7, 8]], PYRAMID, tier=3, below=0) == Moves(up=(1, 5))
    assert who_moves([[1, 2, 3, 4]], TOWER, tier=1, below=0) == Moves()


def test_fewer_go_down_to_an_incomplete_tier():
    assert who_moves([[1, 2, 3, 4]], PYRAMID, tier=1, below=1) == Moves(down=(4,))


def test_no_player_goes_both_up_and_down():
    three = msgspec.structs.replace(PYRAMID, promoted=2)
    assert who_moves([[1, 2, 3, 4]], three, tier=2, below=2) == Moves(up=(1, 2), down=(3, 4))
