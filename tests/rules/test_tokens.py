"""Explore tokens, citadels and merchants: R25, R27, R33, R34, R36, R45, R47, R53, R59."""

from collections import Counter

import pytest

from games.rules.eight_minute import events as e
from games.rules.eight_minute.boards import map_of
from games.rules.fairness import Quick
from games.rules.protocol import SeatInfo
from tests.rules.positions import (
    ALICE,
    BOB,
    LEGENDS,
    after,
    events,
    line,
    offers,
    points,
    position,
    scored,
    taking,
    view,
)
from tests.rules.tables import FAMILY

EXPLORE = {"explore": True}
HOME = {"v5": (1, 1)}


def building(token: str, card: str = "stronghold", **laid):
    """Return a position in which Alice may build in v5, where the token lies."""
    laid = {"armies": HOME, "options": EXPLORE, **laid}
    return taking(card, tokens={"v5": token}, **laid)


def laid_by_lot(options: dict, seeds: int = 60, slug: str = "legends", players: int = 3) -> list:
    """Return the events of set-ups drawn with these options."""
    ruleset = FAMILY[slug]
    chosen = ruleset.options(options, players)
    return [ruleset.start(chosen, [SeatInfo()] * players, Quick(seed)) for seed in range(seeds)]


def test_r25_the_first_city_in_the_region_takes_the_token() -> None:
    state = after(building("cottage"), "build v5")
    assert state.won == (("cottage",), (), ())
    assert set(state.tokens) == {""}
    assert view(state).players[ALICE].tokens == ("cottage",)


def test_r25_a_later_city_takes_nothing() -> None:
    state = after(building("cottage"), "build v5")
    state.row = ["night-village"]
    state = after(state, "take night-village")
    assert [type(event) for event in events(state, "build v5")][:2] == [e.CityBuilt, e.TurnEnded]
    assert state.won == (("cottage",), (), ())


def test_r25_a_magic_spring_gives_two_elixirs() -> None:
    state = after(building("magic-spring"), "build v5")
    assert state.elixirs == [2, 0, 0]
    assert points(state, "elixirs") == 2


def test_r25_a_hidden_treasure_is_a_coin_immediately() -> None:
    before = building("hidden-treasure")
    assert after(before, "build v5").coins[ALICE] == before.coins[ALICE] + 1


def test_r25_a_cottage_applies_to_the_rest_of_the_card() -> None:
    """Ancient Woods builds, then places one army, plus one for its ability and one for the cottage."""
    state = after(building("cottage", "ancient-woods"), "build v5")
    assert [(part.kind, part.left) for part in view(state).parts if part.open][-1] == ("place", 3)


def test_r25_a_stable_gives_one_more_movement() -> None:
    state = after(building("stable"), "build v5")
    assert state.more_movement == [1, 0, 0]


def test_r25_a_magic_book_is_worth_a_point() -> None:
    assert points(after(building("magic-book"), "build v5"), "tokens:magic-book") == 1


@pytest.mark.parametrize("token", ["citadel", "dragon", "portal", "rogues"])
def test_r25_other_tokens_stay_in_their_region(token: str) -> None:
    state = after(building(token, options={"explore": True, "dragon": "6"}), "build v5")
    assert state.tokens[state.map.index["v5"]] == token


def test_r27_control_of_a_region_with_a_citadel_is_worth_one_more_point() -> None:
    state = position(armies={"v5": (2, 1), "m1": (0, 1)}, tokens={"v5": "citadel", "m1": "citadel", "f1": "citadel"})
    assert (points(state, "regions"), points(state, "citadels")) == (1, 1)
    assert line(state, "citadels").items == ("v5",)
    assert points(state, "citadels", BOB) == 1


def test_r33_the_first_city_takes_the_coins_of_the_merchants() -> None:
    before = taking("stronghold", armies=HOME, towns={"v5": 2, "m1": 2}, options={"merchants": True})
    state = after(before, "build v5")
    assert state.coins[ALICE] == before.coins[ALICE] + 2
    assert [view(state).regions[region].town for region in ("v5", "m1")] == [0, 2]


def test_r33_drawn_merchants_lie_on_one_region_of_each_board() -> None:
    for setup in laid_by_lot({"merchants": True}):
        layout = map_of(setup[0].layout)
        towns = [event for event in setup if isinstance(event, e.TownLaid)]
        assert {layout.side_of[layout.index[town.region]] for town in towns} == set(layout.side_of)
        assert [town.coins for town in towns] == [2] * 4


ALL_TOKENS = {"explore": True, "citadels": True, "dragon": "6", "portals": True, "rogues": True, "merchants": True}


def test_r34_tokens_never_share_a_region() -> None:
    for setup in laid_by_lot(ALL_TOKENS):
        regions = [event.region for event in setup if isinstance(event, e.TokenLaid)]
        assert len(set(regions)) == len(regions) == 5 + 3 + 1 + 2 + 1


def test_r34_coins_of_merchants_may_share_a_region_with_a_token() -> None:
    shared = [
        {event.region for event in setup if isinstance(event, e.TokenLaid)}
        & {event.region for event in setup if isinstance(event, e.TownLaid)}
        for setup in laid_by_lot(ALL_TOKENS)
    ]
    assert any(shared)
    state = taking("stronghold", armies=HOME, tokens={"v5": "hidden-treasure"}, towns={"v5": 2}, options=ALL_TOKENS)
    assert after(state, "build v5").coins[ALICE] == state.coins[ALICE] + 3


def test_r53_merchants_but_no_token_may_lie_on_the_start_region() -> None:
    merchants_at_home = 0
    for setup in laid_by_lot(ALL_TOKENS):
        start = next(event.region for event in setup if isinstance(event, e.StartChosen))
        assert all(event.region != start for event in setup if isinstance(event, e.TokenLaid))
        merchants_at_home += any(event.region == start for event in setup if isinstance(event, e.TownLaid))
    assert merchants_at_home


def test_r53_a_goods_token_may_lie_on_the_start_region() -> None:
    setup = laid_by_lot({"goods_tokens": True}, 1, "classic")[0]
    assert "a12" in {event.region for event in setup if isinstance(event, e.TokenLaid)}


def test_r36_the_prototype_has_six_explore_tokens_and_three_citadels() -> None:
    setup = laid_by_lot({"explore": True, "citadels": True}, 1, "prototype")[0]
    counts = Counter(event.token for event in setup if isinstance(event, e.TokenLaid))
    assert counts == {
        "magic-spring": 1, "cottage": 1, "hidden-treasure": 2, "magic-book": 1, "stable": 1, "citadel": 3
    }  # fmt: skip


@pytest.mark.parametrize(("options", "tokens"), [({"explore": True}, 6), ({"citadels": True}, 3)])
def test_r36_both_kinds_of_token_are_separate_options(options: dict, tokens: int) -> None:
    setup = laid_by_lot(options, 1, "prototype")[0]
    assert sum(isinstance(event, e.TokenLaid) for event in setup) == tokens


def test_r45_a_bonus_gained_during_a_turn_does_not_reopen_a_closed_part() -> None:
    """Castle B moves, then builds, so the stable comes too late for its move."""
    state = after(building("stable", "castle-b", players=4), "build v5")
    assert state.turn == BOB
    assert state.more_movement[ALICE] == 1


def test_r45_a_bonus_gained_during_a_turn_applies_immediately() -> None:
    state = building("cottage", "ancient-woods")
    assert [part.amount for part in view(state).parts] == [1, 2]
    assert [part.amount for part in view(after(state, "build v5")).parts] == [1, 3]


def test_r47_a_build_resolves_city_token_coins_army_dragon_in_this_order() -> None:
    """A token never shares a region with the dragon, so the dragon is tested with merchants only."""
    leaders = ("white-knight", "fairy-queen", "bandit-king")
    with_token = taking(
        "stronghold", armies=HOME, tokens={"v5": "stable"}, towns={"v5": 2}, leaders=leaders, options=ALL_TOKENS
    )
    kinds = [type(event) for event in events(with_token, "build v5")]
    assert kinds[:4] == [e.CityBuilt, e.TokenGained, e.CoinsFound, e.ArmyMustered]
    with_dragon = taking(
        "stronghold",
        armies={"v5": (2, 3)},
        tokens={"v5": "dragon"},
        towns={"v5": 2},
        leaders=leaders,
        options=ALL_TOKENS,
    )
    kinds = [type(event) for event in events(with_dragon, "build v5")]
    assert kinds[:4] == [e.CityBuilt, e.CoinsFound, e.ArmyMustered, e.DragonSlain]


def test_r59_a_magic_book_wins_ties_at_every_place() -> None:
    state = position(armies={"m1": (1,), "f1": (0, 1), "c3": (0, 0, 1)}, options=EXPLORE, coins=[9, 5, 1])
    state.won = ((), (), ("magic-book", "poison-swamp"))
    state.armies[state.map.index["v1"] * 3 + 2] = 0
    totals = [scored(state, seat).total for seat in range(3)]
    assert totals == [2, 2, 2]
    assert [score.place for score in LEGENDS.score(state).seats] == [2, 3, 1]
    assert [score.tie_break for score in LEGENDS.score(state).seats] == ["magic-book", "coins", None]


def test_r59_a_total_may_be_negative() -> None:
    state = position(options=EXPLORE)
    state.won = (("poison-swamp",), (), ())
    assert scored(state).total == -1


def test_tokens_that_are_not_in_play_offer_nothing() -> None:
    plain = view(position(armies=HOME))
    assert {(here.token, here.face, here.town, here.looked) for here in plain.regions.values()} == {("", "", 0, ())}
    assert all((player.tokens, player.leader, player.captives) == ((), "", ()) for player in plain.players)
    assert offers(position(armies=HOME), "token") == []
