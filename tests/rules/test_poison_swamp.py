"""Face-down tokens: R26, R52. Nobody else may learn what one seat has seen."""

from collections import Counter

import pytest

from games.rules.eight_minute import events as e
from games.rules.eight_minute.state import State
from games.rules.fairness import Quick
from games.rules.protocol import NeedsChance
from tests.rules.positions import ALICE, BOB, CAROL, LEGENDS, after, events, offers, points, position, taking, view
from tests.rules.test_tokens import laid_by_lot

SWAMP = {"explore": True, "poison_swamp": True}
FACES = {"magic-spring", "cottage", "hidden-treasure", "magic-book", "stable", "poison-swamp"}


def hidden(card: str = "ancient-sage", *, where: tuple[str, ...] = ("v5", "m1"), **laid) -> State:
    """Return a position in which Alice has just taken the card and has armies next to face-down tokens."""
    laid = {"armies": {"v4": (1, 1, 1), "v5": (2, 1)}, **laid}
    return taking(card, options=SWAMP, tokens=dict.fromkeys(where, "face-down"), **laid)


def looks(events: list) -> list[tuple[int, str]]:
    return [(event.seat, event.region) for event in events if isinstance(event, e.TokenSeen)]


def ended(state: State) -> State:
    return after(state, "done")


def test_r26_all_six_lie_face_down() -> None:
    setup = laid_by_lot(SWAMP, 1)[0]
    assert Counter(event.token for event in setup if isinstance(event, e.TokenLaid)) == {"face-down": 6}


def test_r26_the_builder_reveals_the_token() -> None:
    gained = next(event for event in events(hidden("stronghold"), "build v5") if isinstance(event, e.TokenGained))
    assert gained.seat == ALICE and gained.token in FACES
    state = after(hidden("stronghold"), "build v5")
    assert state.won[ALICE] == (gained.token,)
    assert set(state.pile) == FACES - {gained.token}


def test_r26_revealing_a_token_cannot_be_undone() -> None:
    state = hidden("stronghold")
    with pytest.raises(NeedsChance):
        LEGENDS.decide(state, ALICE, LEGENDS.parse("build v5"), None)
    assert LEGENDS.decide(state, ALICE, LEGENDS.parse("build v4"), None)


def test_r26_revealing_a_token_seen_before_cannot_be_undone_either() -> None:
    """Whether a step can be undone must not depend on what others have seen."""
    state = ended(hidden("ancient-sage"))
    state.turn, state.row = ALICE, ["stronghold"]
    with pytest.raises(NeedsChance):
        LEGENDS.decide(after(state, "take stronghold"), ALICE, LEGENDS.parse("build v5"), None)


def test_r26_poison_swamp_costs_a_point() -> None:
    state = position(options=SWAMP)
    state.won = (("poison-swamp",), (), ())
    assert points(state, "tokens:poison-swamp") == -1


def test_r52_at_the_end_of_a_turn_its_player_looks_under_the_tokens_in_controlled_regions() -> None:
    happened = events(hidden(armies={"v5": (2, 1), "m1": (1, 1)}), "done")
    assert looks(happened) == [(ALICE, "v5")]
    assert [type(event) for event in happened] == [e.TurnEnded, e.TokenSeen, e.CardDrawn]


def test_r52_a_token_is_looked_at_once() -> None:
    state = ended(hidden())
    state.turn, state.row = ALICE, ["dire-goblin"]
    assert looks(events(after(state, "take dire-goblin"), "done")) == []


def test_r52_in_a_draft_nobody_looks() -> None:
    assert looks(LEGENDS.decide(hidden(), ALICE, LEGENDS.parse("done"), None)) == []


def test_r52_a_look_is_public_and_the_face_is_not() -> None:
    seen = next(event for event in events(hidden(), "done") if isinstance(event, e.TokenSeen))
    assert seen.face in FACES
    assert LEGENDS.seen(seen, ALICE) == seen
    for other in (BOB, CAROL, None):
        assert LEGENDS.seen(seen, other) == e.TokenSeen(ALICE, "v5")


def test_r26_a_player_keeps_seeing_a_face_they_have_seen_and_nobody_else_does() -> None:
    state = ended(hidden())
    face = state.faces[state.map.index["v5"]]
    assert face
    for viewer in (ALICE, BOB, CAROL, None):
        here = view(state, viewer).regions["v5"]
        assert (here.token, here.looked) == ("face-down", (ALICE,))
        assert here.face == (face if viewer == ALICE else "")
        assert face not in _told(state, viewer) or viewer == ALICE


def _told(state: State, viewer: int | None) -> set[str]:
    """Return the faces that a view shows."""
    return {face for face in view(state, viewer).hidden.faces if face}


def test_positions_that_differ_only_in_hidden_faces_have_equal_views() -> None:
    state = ended(hidden())
    other, v5 = state.copy(), state.map.index["v5"]
    faces = [state.faces[v5], *state.pile]
    other.faces = tuple(faces[1] if r == v5 else face for r, face in enumerate(state.faces))
    other.pile = tuple(face for face in faces if face != faces[1])
    assert state != other
    for viewer in (BOB, CAROL, None):
        assert view(state, viewer) == view(other, viewer)
    assert view(state, ALICE) != view(other, ALICE)


def test_the_face_that_a_player_saw_is_the_one_revealed_later() -> None:
    state = ended(hidden())
    face = state.faces[state.map.index["v5"]]
    state.row = ["night-village"]
    built = events(after(state, "take night-village"), "build v5")
    assert e.TokenGained(BOB, "v5", face) in built


def test_two_players_who_look_see_the_same_face() -> None:
    state = ended(hidden(armies={"v5": (2, 0)}))
    state.armies[state.map.index["v5"] * state.colours + BOB] = 3
    state.row = ["ancient-phoenix"]
    seen = next(event for event in events(after(state, "take ancient-phoenix"), "done") if type(event) is e.TokenSeen)
    assert (seen.seat, seen.face) == (BOB, state.faces[state.map.index["v5"]])


def test_a_sample_has_a_face_for_each_token_that_others_have_seen() -> None:
    state = ended(hidden())
    sampled = {LEGENDS.sample(view(state, BOB), Quick(n)).faces[state.map.index["v5"]] for n in range(60)}
    assert sampled == FACES
    own = {LEGENDS.sample(view(state, ALICE), Quick(n)).faces[state.map.index["v5"]] for n in range(20)}
    assert own == {state.faces[state.map.index["v5"]]}


def test_a_sample_has_each_face_once_on_the_map_or_in_the_pile() -> None:
    state = ended(hidden())
    everywhere = sorted([*state.faces, *state.pile])
    for seat in (ALICE, BOB, None):
        sampled = LEGENDS.sample(view(state, seat), Quick(1))
        assert sorted([*sampled.faces, *sampled.pile]) == everywhere


def test_the_remaining_pile_reveals_nothing_of_what_others_have_seen() -> None:
    state = ended(hidden())
    assert set(view(state, BOB).hidden.pile) == FACES
    assert set(view(state, ALICE).hidden.pile) == FACES - {state.faces[state.map.index["v5"]]}


def test_all_faces_of_the_pile_are_equally_likely() -> None:
    drawn = Counter()
    for seed in range(600):
        for event in LEGENDS.decide(hidden("stronghold"), ALICE, LEGENDS.parse("build v5"), Quick(seed)):
            if isinstance(event, e.TokenGained):
                drawn[event.token] += 1
    assert set(drawn) == FACES
    assert min(drawn.values()) > 60


def test_a_build_elsewhere_needs_no_chance() -> None:
    assert "build v4" in offers(hidden("stronghold"))
    assert not any(isinstance(event, e.TokenGained) for event in events(hidden("stronghold"), "build v4"))
