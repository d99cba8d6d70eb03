"""Kingdom values: bands, announcements and face-up cards (section 11, K75-K79)."""

from games.rules.kingdoms.values import value
from tests.rules.kingdoms.positions import (
    ALICE,
    BOB,
    CAROL,
    DAN,
    KINGDOMS,
    Stacked,
    after,
    events,
    hand,
    kinds_of,
    offers,
    position,
    refusal,
    short,
)

RICH = "E E E E E Q Q Q Q C12"  # 201


def test_k53_towers_do_not_count() -> None:
    state = position(hands={ALICE: "A4"}, towers={ALICE: "E Q"})
    assert KINGDOMS.view(state, ALICE).players[ALICE].value == 4


def test_k54_each_crossing_into_a_higher_band_is_announced() -> None:
    state = position(hands={ALICE: "E E E E C12"}, drawn=False)  # 96
    facts = events(state, "draw")
    assert [(event.band, event.announced) for event in facts if kinds_of([event]) == ["band"]] == [(100, True)]
    down = events(position(hands={ALICE: "E E E E E"}), "build E")
    assert [(event.band, event.announced) for event in down if kinds_of([event]) == ["band"]] == [(0, False)]


def test_k55_from_200_cards_worth_100_are_face_up() -> None:
    state = position(hands={ALICE: "E E E E E Q Q Q Q"}, drawn=False)  # 189
    assert kinds_of(events(state, "draw")) == ["draws", "draw"]
    rich = after(state, "draw", draws="C12")
    assert value(rich.shown[ALICE]) == 105
    assert KINGDOMS.view(rich, BOB).players[ALICE].shown == rich.shown[ALICE]


def test_k55_cards_are_face_down_again_below_200() -> None:
    state = after(position(hands={ALICE: RICH}), "build E")
    assert (state.shown[ALICE], state.bands[ALICE]) == ((), 100)


def test_a_won_flop_is_announced_and_100_are_shown_by_default() -> None:
    state = position(hands={ALICE: "E E E E E Q Q Q Q S1 A4"}, flop="C12 C9", towers={BOB: "E"})  # 190 and A4
    done = after(state, "attack 1 with A4")
    assert value(done.hands[ALICE]) == 211
    assert done.bands[ALICE] == 200
    assert value(done.shown[ALICE]) >= 100
    announced = [event for event in events(state, "attack 1 with A4") if kinds_of([event]) == ["band"]]
    assert [(event.seat, event.band, event.announced) for event in announced] == [(ALICE, 200, True)]


def test_k55_face_up_cards_can_be_used_for_everything() -> None:
    state = position(hands={ALICE: RICH}, shown={ALICE: "E E E E E"})
    shown = state.shown[ALICE][0]
    assert short(after(state, f"build {shown}").towers[ALICE]) == "E"
    other = after(position(hands={ALICE: RICH}, shown={ALICE: "E E E E E"}, flop="Q A4 A5"), f"buy {shown} for Q")
    assert shown in other.flop and shown not in other.shown[ALICE]


def test_k56_300_wins_immediately() -> None:
    rich = "E E E E E E E Q Q Q Q Q Q P"  # 294
    state = after(position(hands={ALICE: rich}, drawn=False), "draw", draws="A6")
    assert (state.won_by, KINGDOMS.score(state).winners) == ("value", (ALICE,))
    assert KINGDOMS.to_act(state) == ()


def test_k56_300_also_wins_on_another_players_turn() -> None:
    rich = "E E E E E E E Q Q Q Q Q Q P"
    state = position(hands={ALICE: "A4", BOB: rich}, flop="A4 A5 C9")
    done = after(state, "attack 1 with A4", f"defend {position(hands={BOB: rich}).hands[BOB][0]}")
    assert done.won_by is None
    state = position(hands={ALICE: "A4", BOB: f"{rich} S1"}, flop="Q A5 C9")
    done = after(state, "attack 1 with A4", "defend E")
    assert (done.won_by, KINGDOMS.score(done).winners) == ("value", (BOB,))


def test_k94_the_active_player_wins_before_the_others_then_clockwise() -> None:
    """With two decks three players can be that rich. Carol is active, Dan sits after her, and Alice after him."""
    rich = "E E E E E E E E Q Q Q Q Q Q Q"  # 315
    more = "E E E E E E E E Q Q Q Q Q Q Q"
    both = position(5, hands={ALICE: rich, DAN: more, CAROL: "A4", 4: "S1"}, rulers="- - - - 2", active=CAROL)
    assert KINGDOMS.score(after(both, "blind-pick 4")).winners == (DAN,)
    hers = position(5, hands={ALICE: rich, CAROL: more, 4: "S1"}, rulers="- - - - 2", active=CAROL)
    assert KINGDOMS.score(after(hers, "blind-pick 4")).winners == (CAROL,)


def test_k76_laid_cards_do_not_count_but_300_can_be_reached_in_battle() -> None:
    rich = "E E E E E E E Q Q Q Q Q Q P"  # 294
    state = position(4, hands={ALICE: "A4", BOB: rich, 3: "C9"}, rulers="- - - 1")
    attacked = after(state, "attack 1 with A4")
    assert (after(attacked, "blind-pick 3").won_by) == "value"
    assert after(attacked, "defend E").won_by is None


def test_k77_bands_and_face_up_cards_do_not_change_in_battle() -> None:
    state = position(hands={ALICE: RICH, BOB: "E"}, towers={BOB: "E"})
    facts = events(state, "attack 1 with C12")
    assert not {"band", "show"} & set(kinds_of(facts))
    attacked = after(state, "attack 1 with C12")
    assert attacked.bands[ALICE] == 200
    done = events(attacked, "defend E")
    assert [(event.seat, event.band) for event in done if kinds_of([event]) == ["band"]] == [(ALICE, 100)]


def test_k78_face_up_cards_are_laid_face_up() -> None:
    state = position(hands={ALICE: RICH, BOB: "E"}, shown={ALICE: "E E E E Q"})
    up = state.shown[ALICE][0]
    attacked = after(state, f"attack 1 with {up}")
    laid = KINGDOMS.view(attacked, BOB).battle.waves[0].hands[0]
    assert (laid.count, laid.cards) == (1, (up,))
    assert KINGDOMS.seen(events(state, f"attack 1 with {up}")[0], BOB).open == (up,)


def test_k79_a_set_stays_shown_while_it_is_worth_100() -> None:
    state = position(hands={ALICE: f"{RICH} A4 A5"}, shown={ALICE: "E E E E Q"})
    kept = after(state, "buy A4 for A5")
    assert kept.shown == state.shown
    gone = after(position(hands={ALICE: f"{RICH} P"}, shown={ALICE: "E E E E Q"}), "build E")
    assert value(gone.shown[ALICE]) >= 100
    assert set(gone.shown[ALICE]) <= set(gone.hands[ALICE])


def test_k79_showing_the_same_set_again_is_refused() -> None:
    state = position(hands={ALICE: RICH}, shown={ALICE: "E E E E E"})
    assert refusal(state, "show " + "+".join(state.shown[ALICE])) == "Those cards are already face up."
    other = "+".join(state.hands[ALICE][:6])
    assert refusal(state, f"show {other}").startswith("You are showing more")
    assert refusal(position(hands={ALICE: "A4"}), "show A4").startswith("You show cards only while")


def test_k101_only_the_default_set_is_listed_for_show() -> None:
    default = position(hands={ALICE: RICH})
    assert offers(default, "show") == []
    chosen = position(hands={ALICE: RICH}, shown={ALICE: "E E E E E"})
    assert offers(chosen, "show") == ["show " + "+".join(default.shown[ALICE])]
    assert after(chosen, *offers(chosen, "show")).shown == default.shown


def test_k75_nothing_is_announced_or_won_within_a_draw() -> None:
    rich = "E E E E E E E Q Q Q Q Q Q P"  # 294
    state = position(hands={ALICE: rich}, towers={ALICE: "E Q"}, drawn=False)
    facts = events(state, "draw")
    assert kinds_of(facts) == ["draws", "draw", "draw", "draw", "result"]


def test_k75_the_queue_stops_after_a_winning_step() -> None:
    rich = "E E E E E E E Q Q Q Q Q Q P"
    facts = events(position(hands={ALICE: rich}, towers={BOB: "E"}, drawn=False), "draw", chance=Stacked("oracle"))
    assert kinds_of(facts) == ["draws", "draw", "result"]


def test_k65_the_burn_pile_is_public() -> None:
    state = position(burn="A4 E dragon")
    assert KINGDOMS.view(state, None).burn == state.burn
    assert hand(state) == ""
