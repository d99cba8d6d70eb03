"""Sentences of the log."""

from games.rules.kingdoms import events as e
from tests.each import for_each
from tests.rules.kingdoms.positions import ALICE, BOB, CAROL, KINGDOMS, NAMES, after, events, position


def sentences(facts, seat: int | None = None) -> list[str]:
    seen = [KINGDOMS.seen(event, seat) for event in facts]
    return KINGDOMS.tell(seen, NAMES)


def test_consecutive_draws_are_one_sentence_that_names_the_cards_to_their_owner() -> None:
    facts = events(position(towers={ALICE: "E"}, deck="C9 C10", drawn=False), "draw")
    assert sentences(facts, ALICE) == ["Alice draws Sun Captain, Sun Tactician."]
    assert sentences(facts, BOB) == sentences(facts) == ["Alice draws 2 cards."]


def test_a_draw_that_is_only_an_idea_is_told_with_the_number_of_cards() -> None:
    assert sentences([e.DrawBegun(ALICE, 2)]) == ["Alice draws 2 cards."]
    assert sentences([e.DrawBegun(ALICE, 1)]) == ["Alice draws a card."]


def test_a_battle_is_told_from_its_declaration_to_its_end() -> None:
    state = position(hands={ALICE: "A8 S1", BOB: "A4"}, flop="C9")
    assert sentences(events(state, "attack 1 with A8+S1"), BOB) == ["Alice attacks Bob with 2 cards."]
    assert sentences(events(state, "attack 1 with A8+S1"), ALICE) == [
        "Alice attacks Bob with Sun Halberdier, Sun Drummer."
    ]
    facts = events(after(state, "attack 1 with A8+S1"), "defend A4")
    assert sentences(facts)[:5] == [
        "Bob plays one card.",
        "The troops: Alice – Sun Halberdier, Sun Drummer; Bob – Sun Archer."
        " 9 against 7, including 3 for the Castle’s wall.",
        "Alice wins the battle and takes Sun Captain.",
        "Bob’s Castle falls to Alice.",
        "Bob is now ruled by Alice.",
    ]


@for_each(
    "event, sentence",
    [
        (e.CardPicked(ALICE, BOB), "Alice takes a random card from Bob’s hand."),
        (e.CardPicked(ALICE, BOB, "epic-fox"), "Alice takes a random card from Bob’s hand: Fox."),
        (e.Given(ALICE, BOB, 2), "Alice gives Bob 2 cards."),
        (e.EpicMoved(ALICE, "epic-fox", (BOB, CAROL)), "Alice’s Fox takes tribute from Bob and Carol."),
        (e.BossPlayed(ALICE, "boss-peacekeeper"), "Alice plays Peacekeeper: a Truce holds until Alice’s next turn."),
        (e.BandReached(ALICE, 200, announced=True), "Alice’s hand is worth 200 or more."),
        (e.BandReached(ALICE, 100), ""),
        (e.RulerChanged(BOB, -1), "Bob is free again."),
        (e.BattleEnded(ALICE, BOB, -1, (), ("epic-fox",)), "Nobody wins the battle. The troops are burned."),
        (e.TurnBegun(ALICE, 3), ""),
    ],
)
def test_events_have_plain_sentences(event, sentence: str) -> None:
    assert KINGDOMS.say(event, NAMES) == sentence


def test_sentences_are_translated_as_templates() -> None:
    german = {"{player} ends their turn.": "{player} beendet den Zug."}
    assert KINGDOMS.say(e.TurnEnded(ALICE), NAMES, german.__getitem__) == "Alice beendet den Zug."
    assert KINGDOMS.tell([e.TurnEnded(ALICE)], NAMES, german.__getitem__) == ["Alice beendet den Zug."]
