"""Medium with tokens, leaders and goods, mostly in the last turn, where only the score matters."""

import json

import pytest

from games.bots.bot import play_turn
from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.rules.eight_minute.state import EXTRA, State
from games.rules.fairness import Quick
from tests.rules.positions import ALICE, BOB, LEGENDS, position
from tests.rules.tables import FAMILY, at_random

MEDIUM, RANDOM = BOTS["medium"], BOTS["random"]


def turn(state: State, seat: int = ALICE) -> list[str]:
    return play_turn(LEGENDS, LEGENDS.view(state, seat), MEDIUM, Quick(1))


def last_turn(*row: str, owned: tuple[str, ...] = (), **laid: object) -> State:
    """Return Alice's last turn of a game with two players, in which only the given owned cards score."""
    state = position(2, row=row, **laid)  # type: ignore[arg-type]
    filler = "graveyard" if state.edition.startswith("legends") else "o40"
    state.owned = [[*owned, *[filler] * (state.cards_owned - 1 - len(owned))], [filler] * state.cards_owned]
    return state


SWAMP = {"explore": True, "poison_swamp": True}


def test_it_builds_where_it_gains_a_token() -> None:
    tokens = {"v5": "magic-book"}
    state = last_turn("stronghold", armies={"v4": (2,), "v5": (2,)}, tokens=tokens, options={"explore": True})
    assert turn(state) == ["take stronghold", "build v5"]


def test_it_avoids_building_on_a_swamp_it_has_seen() -> None:
    state = last_turn(
        "stronghold", armies={"v4": (2,), "v5": (2,)}, tokens={"v5": "face-down"}, options=SWAMP, coins=[0, 0]
    )
    v5 = state.map.index["v5"]
    state.faces = tuple("poison-swamp" if r == v5 else "" for r in range(len(state.faces)))
    state.pile = tuple(face for face in state.pile if face != "poison-swamp")
    state.unseen = ((), (v5,))
    assert "build v5" not in turn(state)


def test_it_reveals_tokens_that_are_worth_it_on_average() -> None:
    state = last_turn("stronghold", armies={"v4": (2,), "v5": (2,)}, tokens={"v5": "face-down"}, options=SWAMP)
    assert turn(state) == ["take stronghold", "build v5"]


def test_it_prefers_a_citadel_to_a_plain_region() -> None:
    armies = {"m4": (2,), "m2": (0, 1), "m1": (0, 2)}
    state = last_turn("dire-ogre", armies=armies, tokens={"m5": "citadel"}, options={"citadels": True}, coins=[0, 0])
    assert "move m4 m5" in turn(state)


def test_it_slays_the_dragon_if_it_can() -> None:
    armies = {"v4": (4, 1), "v5": (1, 3, 1), "v3": (0, 0, 0)}
    state = last_turn("dire-ogre", armies=armies, tokens={"v5": "dragon"}, options={"dragon": "6"})
    assert "move v4 v5" in turn(state)


def test_it_takes_the_merchants_coins() -> None:
    state = last_turn(
        "stronghold", armies={"v4": (2,), "v5": (2,)}, towns={"v5": 2}, options={"merchants": True}, coins=[1, 0]
    )
    assert turn(state) == ["take stronghold", "build v5"]


def test_fairy_queen_takes_a_last_card_that_scores() -> None:
    state = position(
        2, row=["ancient-sage", "forest-gnome"], options={"leaders": True}, leaders=("fairy-queen", "bandit-king")
    )
    state.phase, state.coins = EXTRA, [1, 0]
    state.owned = [["graveyard"] * 11, ["graveyard"] * 11]
    assert turn(state) == ["take forest-gnome"]


def test_red_sorceress_takes_the_army_that_makes_three() -> None:
    armies = {"v4": (3, 1)}
    state = last_turn(
        "night-wizard", armies=armies, options={"leaders": True}, leaders=("red-sorceress", "fairy-queen")
    )
    state.captives = (0, 2, 0)
    assert "destroy v4 1" in turn(state)


CLASSIC = {"ruleset": "classic", "layout": "board:side-a:0", "start": "a12"}


def test_it_takes_the_good_that_reaches_the_next_step() -> None:
    state = last_turn("o06", "o16", owned=("o17", "o18", "o19"), armies={"a12": (3, 3)}, coins=[1, 0], **CLASSIC)
    state.owned[ALICE] = ["o17", "o18", "o19", *["o25"] * 9]
    assert turn(state)[0] == "take o16"


def test_it_sails_to_an_empty_continent() -> None:
    state = last_turn("o41", armies={"a15": (3, 1)}, **CLASSIC)
    assert turn(state)[:2] == ["take o41", "move a15 a22"]


@pytest.mark.long
@pytest.mark.parametrize("players", [2, *(n for n in (3, 4, 5))])
def test_it_beats_random_play_in_classic(players: int) -> None:
    for number in range(3):
        bots = [RANDOM] * players
        bots[number % players] = MEDIUM
        game = Table(FAMILY["classic"], {}, bots, seed_of("strength", number)).play(budget=500)
        assert game.record.scoresheet.winners == (number % players,)


@pytest.mark.long
@pytest.mark.parametrize("slug", FAMILY)
def test_it_beats_random_play_with_any_options(slug: str) -> None:
    for number in range(6):
        table = at_random(slug, 3, number)
        bots = [RANDOM] * 3
        bots[number % 3] = MEDIUM
        game = Table(table.ruleset, json.loads(table.options), bots, seed_of("strength", number)).play(budget=500)
        assert number % 3 in game.record.scoresheet.winners


def test_it_sets_up_by_hand() -> None:
    options = {"setup": "by-hand", "setter": BOB, "explore": True}
    game = Table(LEGENDS, options, [MEDIUM, MEDIUM], seed_of("by hand", 1)).play(budget=50)
    assert [entry.seat for entry in game.record.entries[1:4]] == [BOB, ALICE, BOB]
