"""Rulers: the examples of section 8.1, and properties of any forest (K34, K36-K38)."""

from hypothesis import given
from hypothesis import strategies as st

from games.rules.kingdoms import realm
from games.rules.kingdoms.realm import Rulers, after_castle, after_tower
from tests.each import for_each


def rulers(words: str) -> Rulers:
    """Parse rulers: in `- 0 1 -`, 0 rules 1, who rules 2."""
    return tuple(None if word == "-" else int(word) for word in words.split())


CASTLES = [
    ("- - - -", 0, 1, "- 0 - -"),
    ("- 0 - -", 1, 2, "- 0 1 -"),
    ("- 0 1 -", 3, 0, "3 3 1 -"),
    ("- 0 0 -", 1, 0, "1 - 1 -"),
    ("- 0 1 -", 2, 0, "2 2 - -"),
    ("- 0 1 -", 3, 1, "- 3 3 -"),
]
TOWERS = [
    ("- - - -", 0, 1, "- - - -"),
    ("- 0 - -", 2, 1, "- 2 - -"),
    ("- 2 - -", 1, 2, "- - - -"),
    ("- 0 1 -", 2, 0, "- 0 - -"),
    ("- 0 1 -", 3, 1, "- 3 1 -"),
    ("- 0 1 -", 1, 0, "- - 1 -"),
]


@for_each("before, attacker, target, after", CASTLES)
def test_a_fallen_castle_changes_the_rulers_k36_k37_k38(before: str, attacker: int, target: int, after: str) -> None:
    assert after_castle(rulers(before), attacker, target) == rulers(after)


@for_each("before, attacker, target, after", TOWERS)
def test_a_beaten_tower_frees_or_steals_k34_k37(before: str, attacker: int, target: int, after: str) -> None:
    assert after_tower(rulers(before), attacker, target) == rulers(after)


def test_the_top_ruler_controls_the_whole_tree_k38() -> None:
    assert realm.conqueror(rulers("3 3 1 -")) == 3
    assert realm.conqueror(rulers("- 0 1 -")) is None
    assert realm.conqueror(rulers("1 -")) == 1
    assert realm.top(rulers("3 3 1 -"), 2) == 3


def test_only_the_direct_ruler_may_pick_k38() -> None:
    assert realm.direct(rulers("- 0 1 -"), 0) == (1,)
    assert realm.below(rulers("- 0 1 -"), 0) == {1, 2}
    assert realm.above(rulers("- 0 1 -"), 0, 2)
    assert not realm.above(rulers("- 0 1 -"), 2, 0)
    assert not realm.above(rulers("- 0 1 -"), 0, 0)


@st.composite
def wars(draw: st.DrawFn) -> list[Rulers]:
    """Draw some battles and return the rulers after each. Nobody attacks their sub-kingdoms (K33)."""
    players = draw(st.integers(2, 8))
    seats = st.integers(0, players - 1)
    course: list[Rulers] = [(None,) * players]
    for _ in range(draw(st.integers(0, 12))):
        attacker, target, tower = draw(seats), draw(seats), draw(st.booleans())
        if attacker != target and not realm.above(course[-1], attacker, target):
            course.append((after_tower if tower else after_castle)(course[-1], attacker, target))
    return course


@given(wars())
def test_rulers_stay_a_forest(course: list[Rulers]) -> None:
    for rulers in course:
        assert not any(realm.above(rulers, seat, seat) for seat in range(len(rulers)))
        assert {rulers[realm.top(rulers, seat)] for seat in range(len(rulers))} == {None}


@given(wars())
def test_only_after_a_conquest_are_all_players_below_one(course: list[Rulers]) -> None:
    for rulers in course:
        winners = [seat for seat in range(len(rulers)) if len(realm.below(rulers, seat)) == len(rulers) - 1]
        assert winners == ([] if realm.conqueror(rulers) is None else [realm.conqueror(rulers)])
