"""A seat cannot distinguish two positions that differ only in what it cannot know (section 14)."""

import msgspec
import pytest

from games.rules.fairness import Quick
from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import card, in_order
from games.rules.kingdoms.state import UNKNOWN, State, Wave
from games.rules.kingdoms.troops import classify
from games.rules.kingdoms.values import band, value
from games.rules.protocol import IllegalAction, NeedsChance
from tests.rules.kingdoms.play import game, positions
from tests.rules.kingdoms.positions import (
    ALICE,
    BOB,
    CAROL,
    KINGDOMS,
    NAMES,
    after,
    applied,
    events,
    fits,
    position,
)

pytestmark = pytest.mark.early

# The short run plays five, who use two decks
EVERY_TABLE = pytest.mark.parametrize(
    "players",
    [pytest.param(players, marks=() if players == 5 else pytest.mark.long) for players in KINGDOMS.seat_counts],
)


def other_secrets(state: State, seat: int | None) -> State:
    """Exchange each card that the seat does not know with another one that it does not know."""
    hidden = KINGDOMS.view(state, seat).hidden
    unknown = [name for name in hidden.deck if state.result is None]
    turned = dict(zip(unknown, unknown[1:] + unknown[:1], strict=True))
    other = state.copy()
    other.deck = [*in_order(turned.get(name, name) for name in state.deck)]
    other.hands = [in_order(turned.get(name, name) for name in hand) for hand in state.hands]
    if state.battle is not None:
        waves = tuple(_turned(wave, turned) for wave in state.battle.waves)
        other.battle = msgspec.structs.replace(state.battle, waves=waves)
    return other


def _turned(wave: Wave, turned: dict[str, str]) -> Wave:
    hands = tuple(
        msgspec.structs.replace(hand, cards=in_order(turned.get(name, name) for name in hand.cards))
        for hand in wave.hands
    )
    return msgspec.structs.replace(wave, hands=hands)


@EVERY_TABLE
def test_positions_that_differ_in_what_a_seat_cannot_know_have_equal_views(players: int) -> None:
    differ = []
    for step in game(players, seed=3).steps[::5]:
        for seat in (*range(players), None):
            other = other_secrets(step.after, seat)
            differ.append(other != step.after)
            assert KINGDOMS.view(other, seat) == KINGDOMS.view(step.after, seat)
    assert sum(differ) > len(differ) / 2, "they are equal if everyone knows all cards but the order of the deck"


@EVERY_TABLE
def test_events_seen_by_a_seat_name_no_card_that_its_view_keeps_from_it(players: int) -> None:
    """A card that is hidden before and after an entry is in none of its events and sentences."""
    for step in game(players, seed=5).steps:
        for seat in (*range(players), None):
            before = set(KINGDOMS.view(step.before, seat).hidden.deck)
            secret = before & set(KINGDOMS.view(step.after, seat).hidden.deck) if step.after.result is None else set()
            seen = msgspec.json.encode([KINGDOMS.seen(event, seat) for event in step.events]).decode()
            assert _reshuffled(step.events) or not [
                name for name in secret if f'"{name}"' in seen and not _is_shown(name)
            ]


@EVERY_TABLE
def test_an_action_that_is_not_private_names_no_card_that_a_watcher_is_not_shown(players: int) -> None:
    for step in game(players, seed=7).decisions:
        text = KINGDOMS.text(step.action)
        hidden = set(KINGDOMS.view(step.before, None).hidden.deck)
        if not KINGDOMS.is_private(step.action):
            seen = msgspec.json.encode([KINGDOMS.seen(event, None) for event in step.events]).decode()
            assert all(name not in hidden or f'"{name}"' in seen for name in _cards(text)), text


def _cards(text: str) -> list[str]:
    return [name for word in text.split() for name in word.split("+")]


def _is_shown(name: str) -> bool:
    """Return whether the card is an Epic or a Boss, shown when revealed and before it goes to a hand (K102)."""
    return card(name).commands


def _reshuffled(facts) -> bool:
    """Return whether a new Draw deck was shuffled, which makes cards that were seen unknown again."""
    return any(type(event).__struct_config__.tag in ("shuffle", "deal") for event in facts)


def assert_looks_equal(text: str, seat: int, first: str, second: str, **more) -> None:
    """Compare two positions with different cards of Bob: the seat sees the same before, during and after an action."""
    seen = []
    for cards in (first, second):
        state = position(4, hands={ALICE: "A4 A5 sun-C9 sun-C12", BOB: cards, CAROL: "A8"}, **more)
        facts = events(state, text)
        shown = [KINGDOMS.seen(event, seat) for event in facts]
        done = KINGDOMS.view(applied(state, facts), seat)
        seen.append((KINGDOMS.view(state, seat), shown, KINGDOMS.tell(shown, NAMES), done))
    assert seen[0] == seen[1]


def test_hands_and_blind_picks_are_only_seen_by_the_two_players() -> None:
    assert_looks_equal("blind-pick 1", CAROL, "plum-A6", "plum-E", rulers="- 0 - -")
    assert_looks_equal("end", CAROL, "plum-A6 plum-A7", "plum-E wave-Q")


def test_committed_troops_are_only_seen_by_their_owner() -> None:
    seen = []
    for cards in ("A4", "C9"):
        state = position(hands={ALICE: "A4 C9", BOB: "A7"})
        facts = events(state, f"attack 1 with {cards}")
        shown = [KINGDOMS.seen(event, BOB) for event in facts]
        seen.append((shown, KINGDOMS.tell(shown, NAMES), KINGDOMS.view(applied(state, facts), BOB)))
    assert seen[0] == seen[1]


def test_k82_the_first_of_two_defenses_is_only_seen_by_its_owner() -> None:
    seen = []
    for cards in ("A5", "Q"):
        state = position(4, hands={ALICE: "A8 E", BOB: "A5 Q", CAROL: "A6"}, rulers="- 2 - -")
        state = after(state, "attack 1 with A8", "protect with")
        facts = events(state, f"defend {cards}")
        shown = [KINGDOMS.seen(event, CAROL) for event in facts]
        seen.append((shown, KINGDOMS.view(applied(state, facts), CAROL), KINGDOMS.view(applied(state, facts), None)))
    assert seen[0] == seen[1]


def test_a_hand_that_a_spy_looks_at_is_only_seen_by_the_spy() -> None:
    looked_at = [
        after(position(hands={ALICE: "spymaster", BOB: cards}), "boss spymaster 1") for cards in ("A7 C9", "A8 C10")
    ]
    for seat in (CAROL, None):
        first, second = (KINGDOMS.view(state, seat) for state in looked_at)
        assert first == second
    for seat in (ALICE, BOB):
        first, second = (KINGDOMS.view(state, seat).hidden.hands[BOB] for state in looked_at)
        assert first != second


def test_gifts_are_only_seen_by_the_two_players() -> None:
    hands, options = {ALICE: "A4 A6 C9", BOB: "A7"}, {"collusion": True}
    state = position(4, hands=hands, rulers="- 0 - -", options=options)
    gifts = [events(state, f"gift 1 {cards}") for cards in ("A4", "A6")]
    for seat in (ALICE, BOB, CAROL, None):
        first, second = ([KINGDOMS.seen(event, seat) for event in gift] for gift in gifts)
        assert (first == second) == (seat in (CAROL, None))


def test_a_deal_shows_each_player_only_their_own_hand() -> None:
    dealt = e.Dealt(0, ALICE, (("a",), ("b",), ("c",)), ("d",))
    assert KINGDOMS.seen(dealt, BOB) == e.Dealt(0, ALICE, ((), ("b",), ()), ("d",))
    assert KINGDOMS.seen(dealt, None) == e.Dealt(0, ALICE, ((), (), ()), ("d",))


def test_announcements_reveal_only_the_band() -> None:
    rich, richer = "E E E E C9", "E E E Q C10"  # 93 and 94, both over 100 with the card drawn
    seen = []
    for cards in (rich, richer):
        state = position(hands={ALICE: cards}, drawn=False)
        facts = KINGDOMS.decide(state, ALICE, KINGDOMS.parse("draw"), _Sure("wave-kingdom-queen-2"))
        shown = [KINGDOMS.seen(event, BOB) for event in facts]
        seen.append((shown, KINGDOMS.tell(shown, NAMES), KINGDOMS.view(applied(state, facts), BOB)))
    assert seen[0][:2] == seen[1][:2]
    assert seen[0][2].players == seen[1][2].players
    assert "Alice’s hand is worth 100 or more." in seen[0][1]


class _Sure(Quick):
    """Chance that always draws a given card."""

    def __init__(self, fixed: str) -> None:
        super().__init__(1)
        self.card = fixed

    def draw(self, deck: str, cards) -> str:
        return self.card


def test_k102_a_revealed_boss_is_named_in_the_log_and_hidden_in_the_hand() -> None:
    state = after(position(flop="A4 A5"), "end", draws="warmaster C9")
    bob = KINGDOMS.view(state, ALICE).players[BOB]
    assert (bob.cards, bob.hand, bob.shown) == (1, (), ())


def test_k103_all_hands_and_laid_cards_are_shown_after_the_end() -> None:
    state = position(hands={ALICE: "X", BOB: "A4 E"}, towers={ALICE: "E Q P"})
    view = KINGDOMS.view(after(state, "build X"), None)
    assert view.over
    assert [len(player.hand) for player in view.players] == [0, 2, 0]
    assert view.deck == len(state.deck)
    rich = "E E E E E E E Q Q Q Q Q Q P"
    battle = position(4, hands={ALICE: "A4", BOB: rich, 3: "C9"}, rulers="- - - 1")
    done = after(battle, "attack 1 with A4", "blind-pick 3")
    assert KINGDOMS.view(done, None).battle.waves[0].hands[0].cards == battle.hands[ALICE]


def test_no_draft_shows_the_hands_that_a_won_game_shows() -> None:
    state = position(hands={ALICE: "X"}, towers={ALICE: "E Q P"})
    with pytest.raises(NeedsChance):
        KINGDOMS.decide(state, ALICE, KINGDOMS.parse(f"build {state.hands[ALICE][0]}"), None)


# Samples for bots


@EVERY_TABLE
def test_a_sample_is_a_full_position_with_the_same_view(players: int) -> None:
    for number, step in enumerate(game(players, seed=7).steps[::9]):
        for seat in (*range(players), None):
            view = KINGDOMS.view(step.after, seat)
            sample = KINGDOMS.sample(view, Quick(number))
            assert not any(UNKNOWN in hand for hand in sample.hands)
            assert KINGDOMS.view(sample, seat) == view


def test_a_sample_has_hands_of_the_announced_value() -> None:
    rich = position(3, hands={ALICE: "A4", BOB: "E E E E E Q Q Q Q C12", CAROL: "E E E Q Q"})
    for seed in range(20):
        sample = KINGDOMS.sample(KINGDOMS.view(rich, ALICE), Quick(seed))
        assert [band(value(hand)) for hand in sample.hands] == [0, 200, 100]
        assert value(sample.hands[BOB]) < 300


def test_a_sample_fits_the_announcements_whenever_the_position_does() -> None:
    """This also holds with nearly empty decks, when hands can only exchange cards with each other."""
    for players, seed in ((4, 31), (4, 67), (8, 17)):
        for number, state in enumerate(positions(players, {}, seed)):
            if number % 5 == 0 and fits_announcement(state):
                sample = KINGDOMS.sample(KINGDOMS.view(state, None), Quick(number))
                assert fits_announcement(sample)
                assert all(value(hand) < 300 for hand in sample.hands)


def fits_announcement(state: State) -> bool:
    """Return whether each hand, with the seat's cards on the table, has the announced value."""
    worth = [value(hand) for hand in state.hands]
    for laid in (laid for wave in (state.battle.waves if state.battle else ()) for laid in wave.hands):
        worth[laid.seat] += value(laid.cards)
    return all(low <= total <= low + 99 for low, total in zip(state.bands, worth, strict=True))


@pytest.mark.parametrize("cards", ["A4", "A4+A5", "A4+A5+A6+S1+S2", "E+S1", "warmaster+E"])
def test_a_sample_lays_legal_troops(cards: str) -> None:
    state = position(hands={ALICE: "A4 A5 A6 S1 S2 E warmaster", BOB: "A7"})
    wanted = [name for name in state.hands[ALICE] if any(fits(name, word) for word in cards.split("+"))]
    attacked = after(state, f"attack 1 with {'+'.join(wanted)}")
    for seed in range(20):
        sample = KINGDOMS.sample(KINGDOMS.view(attacked, BOB), Quick(seed))
        try:
            classify(sample.battle.wave.hands[0].cards)
        except IllegalAction as refused:
            raise AssertionError(sample.battle) from refused


# Cards that others saw go to a hand


def traced_by(state: State, seat: int | None, owner: int) -> set[str]:
    """Return the cards that the view of the seat shows in the other's hand."""
    return {name for name in KINGDOMS.view(state, seat).hidden.hands[owner] if name != UNKNOWN}


def test_everyone_knows_a_bought_card_until_it_may_lie_among_troops() -> None:
    state = after(position(3, hands={ALICE: "A4 A5 C9", BOB: "A6"}, flop="E A7 A8"), "buy A4+C9 for E")
    assert all(traced_by(state, seat, ALICE) == {"sun-kingdom-emperor-1"} for seat in (BOB, CAROL, None))
    attacked = after(state, "attack 1 with A5")
    assert traced_by(attacked, BOB, ALICE) == set()
    assert KINGDOMS.view(attacked, BOB) == KINGDOMS.view(after(state, "attack 1 with E"), BOB)
    assert traced_by(after(state, "build E"), BOB, ALICE) == set()


def test_only_the_two_know_after_a_blind_pick_which_cards_are_where() -> None:
    state = after(position(3, hands={ALICE: "A4 C9", BOB: "A6"}, flop="E A7", rulers="1 - -"), "buy A4+C9 for E")
    state.hands[ALICE] = in_order([*state.hands[ALICE], "plum-attack-8-1"])
    state.deck.remove("plum-attack-8-1")
    state.active = BOB
    for pick, bobs, alices in (
        (0, {"sun-kingdom-emperor-1"}, set()),
        (1, {"plum-attack-8-1"}, {"sun-kingdom-emperor-1"}),
    ):
        picked = after(state, "blind-pick 0", picks=[pick])
        assert (traced_by(picked, ALICE, BOB), traced_by(picked, BOB, ALICE)) == (bobs, alices)
        assert all(traced_by(picked, seat, owner) == set() for seat in (CAROL, None) for owner in (ALICE, BOB))


@EVERY_TABLE
def test_traced_cards_are_where_a_seat_believes_and_samples_leave_them_there(players: int) -> None:
    met = 0
    for number, step in enumerate(game(players, seed=11).steps[::7]):
        state = step.after
        if state.result is not None:
            continue
        laid = state.battle.wave.hands if state.battle else ()
        for seat in (*range(players), None):
            view = KINGDOMS.view(state, seat)
            sample = KINGDOMS.sample(view, Quick(number))
            for owner in range(players):
                for full in (state, sample):
                    troops = full.battle.wave.hands if laid else ()
                    cards_of_owner = {
                        *full.hands[owner],
                        *(name for hand in troops if hand.seat == owner for name in hand.cards),
                    }
                    assert set(view.hidden.traced[owner]) <= cards_of_owner
                met += len(view.hidden.traced[owner])
    assert met
