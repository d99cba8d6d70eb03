"""Every action of Kingdoms through the forms of its page, with and without scripts: drafted, confirmed, refused."""

import gzip
import re

import pytest

from games.rules.kingdoms.state import State
from games.tables.models import Draft
from tests.cast import everything_written, state_of
from tests.rules.kingdoms.positions import ALICE, BOB, position
from tests.web.kingdoms import AtKingdoms, did, headline, kingdoms_of, last_actions, put
from tests.web.reading import alert, text

pytestmark = [pytest.mark.django_db, pytest.mark.early]

WITH_AND_WITHOUT_SCRIPT = pytest.mark.parametrize("htmx", [False, True], ids=["forms alone", "htmx"])


@pytest.fixture
def at(come, alice, bob, carol):
    """Return a player at a table of three at a position, after `actions` by Alice: by default Alice herself."""

    def sit(state: State, *actions: str, htmx: bool = False, seat: int = ALICE, **options: object) -> AtKingdoms:
        people = [alice, bob, carol]
        game = put(kingdoms_of(*people, **options), state)
        return AtKingdoms(come(people[seat], htmx=htmx), did(game, ALICE, *actions), seat)

    return sit


RULED = {"hands": {0: "A4 S1", 1: "A5 A6 A7", 2: "C9"}, "rulers": "- 0 -"}
AT_ONCE = {
    "draw": (position(hands={0: "A4"}, deck="A5 A6 A7 C9 C9 A8", drawn=False), "draw"),
    "end": (position(hands={0: "A4"}), "end"),
    "burn": (position(hands={0: "A4"}, flop="A5 C9 A6"), "burn C9"),
    "blind pick": (position(**RULED), "blind-pick 1"),
}
LAID_OUT = {
    "buy": (position(hands={0: "A4 C9 A6"}, flop="E A5 A5"), "buy A4+C9 for E"),
    "build": (position(hands={0: "E A4"}), "build E"),
    "pick up": (position(hands={0: "A4"}, towers={0: "E Q"}), "pick-up"),
    "second strike": (position(hands={0: "A4 warmaster"}), "boss warmaster"),
    "truce": (position(hands={0: "A4 peacekeeper"}), "boss peacekeeper"),
    "raise the walls": (position(hands={0: "A4 builder"}, burn="Q E"), "boss builder E"),
    "raise the walls without a Hero": (position(hands={0: "A4 builder"}), "boss builder"),
    "show": (
        position(hands={0: "E E E E Q Q Q Q Q Q"}, shown={0: "E E E E Q"}),
        "show E+E+E+Q+Q",
    ),
}
CONFIRMED = {
    "attack": (position(hands={0: "A7 A7 A7 S1", 1: "A4"}), "attack 1 with A7+A7+A7+S1"),
    "attack in the Final Showdown": (
        position(hands={0: "A7", 1: "A4"}, flop="", deck="", showdown=True),
        "attack 2 with A7",
    ),
}
ASKED_ABOUT = {
    "Not-So-Secret Move": (
        position(hands={0: "sun-C9 sun-C12"}, towers={1: "E Q"}),
        "not-so-secret sun-C9+sun-C12 of 1 emperor",
    ),
    "Infiltrate": (position(hands={0: "A4 spymaster", 1: "A5"}), "boss spymaster 1"),
    "gift": (position(**RULED, options={"collusion": True}), "gift 1 A4"),
    "the Princess": (position(hands={0: "X"}, towers={0: "E Q P"}), "build X"),
}


def cases(examples: dict[str, tuple[State, str]]):
    return pytest.mark.parametrize(("state", "action"), list(examples.values()), ids=list(examples))


@pytest.mark.sampled
@WITH_AND_WITHOUT_SCRIPT
@cases(AT_ONCE)
@pytest.mark.sampled
def test_common_actions_and_those_that_need_chance_take_one_press(at, state, action, htmx):
    table = at(state, htmx=htmx)
    action = table.spelt(action)
    answer = table.press(action, table.pick(action))
    assert answer.status_code == 200 and not alert(answer)
    assert last_actions(table.game) == [action]


@pytest.mark.sampled
@WITH_AND_WITHOUT_SCRIPT
@cases(LAID_OUT)
@pytest.mark.sampled
def test_a_step_without_chance_is_drafted_and_undone(at, state, action, htmx):
    table = at(state, htmx=htmx)
    action = table.spelt(action)
    table.look()
    before = everything_written(table.game)
    answer = table.press(action, table.pick(action))
    assert 'id="steps"' in text(answer) and not alert(answer)
    assert list(Draft.objects.get(seat__game=table.game).actions) == [action]
    assert 'id="steps"' not in text(table.post("undo"))
    Draft.objects.all().delete()
    assert everything_written(table.game) == before


@pytest.mark.sampled
@WITH_AND_WITHOUT_SCRIPT
@cases(LAID_OUT)
@pytest.mark.sampled
def test_a_draft_is_submitted_with_the_end_of_the_turn(at, state, action, htmx):
    table = at(state, htmx=htmx)
    action = table.spelt(action)
    page = table.press(action, table.pick(action))
    answer = table.sure(table.press(f"{action};end", page))
    assert not alert(answer) and last_actions(table.game)[:2] == [action, "end"]


@pytest.mark.sampled
@WITH_AND_WITHOUT_SCRIPT
@cases(CONFIRMED)
def test_troops_are_drafted_and_confirmed(at, state, action, htmx):
    table = at(state, htmx=htmx)
    action = table.spelt(action)
    page = table.press(action, table.pick(action))
    assert headline(page) == "Your turn: confirm your moves"
    assert not alert(table.confirm(page)) and last_actions(table.game) == [action]


@WITH_AND_WITHOUT_SCRIPT
@cases(ASKED_ABOUT)
@pytest.mark.sampled
def test_an_important_step_needs_confirmation(at, state, action, htmx):
    options = {"collusion": True} if action.startswith("gift") else {}
    table = at(state, htmx=htmx, **options)
    action = table.spelt(action)
    table.look()
    before = everything_written(table.game)
    page = table.press(action, table.pick(action))
    assert "You can’t undo this." in text(page) and everything_written(table.game) == before
    assert not alert(table.confirm(page)) and last_actions(table.game) == [action]


@WITH_AND_WITHOUT_SCRIPT
def test_drawing_after_a_draft_needs_confirmation_because_it_makes_the_draft_final(at, htmx):
    table = at(position(hands={0: "E A4"}, drawn=False), htmx=htmx)
    build = table.spelt("build E")
    page = table.press("draw", table.press(build, table.look()))
    assert "Draw 2 cards?" in text(page) and "You can’t undo this." in text(page)
    table.confirm(page)
    assert last_actions(table.game) == [build, "draw"]


def test_a_not_so_secret_move_warns_of_a_rich_victim(at):
    state = position(hands={0: "sun-C9 sun-C12", 1: "E E E E Q Q Q Q Q Q"}, towers={1: "E Q P"})
    table = at(state)
    action = table.spelt("not-so-secret sun-C9+sun-C12 of 1 emperor")
    page = text(table.press(action, table.pick(action)))
    assert "The broken Towers return to Bob’s hand: Queen and Prince." in page and "At 300 they win." in page
    highest = table.spelt("not-so-secret sun-C9+sun-C12 of 1 prince")
    assert "at 300" not in text(table.press(highest, table.pick(highest)))


# What a draw has revealed


def with_epic(name: str, **more: object) -> State:
    state = position(drawn=False, **{"hands": {0: f"A4 {name}", 1: "A5", 2: "A6"}, **more})
    state.queue = (f"epic-{name}",)
    return state


@WITH_AND_WITHOUT_SCRIPT
def test_a_storm_is_confirmed_before_the_turn_continues(at, htmx):
    table = at(with_epic("dragon", towers={1: "E Q", 2: "E"}), htmx=htmx)
    page = table.look()
    assert headline(page) == "Dragon, Storm: your choice" and "Bob’s Queen" in text(page)
    table.confirm(table.press("storm 1", page))
    assert last_actions(table.game) == ["storm 1"]
    table.press("draw", table.look())
    assert last_actions(table.game) == ["draw"]


@WITH_AND_WITHOUT_SCRIPT
def test_tribute_is_taken_from_the_one_or_two_selected_players(at, htmx):
    table = at(with_epic("fox"), htmx=htmx)
    assert 'href="?s=1#hand"' in text(table.look()) and "tribute" not in text(table.look())
    page = table.look("?s=1")
    assert 'href="?s=1+2#hand"' in text(page) and "Take a card from Bob<" in text(page)
    table.press("tribute 1+2", table.look("?s=1+2"))
    assert last_actions(table.game) == ["tribute 1+2"]


@WITH_AND_WITHOUT_SCRIPT
def test_on_market_day_the_player_taps_a_card_of_the_flop(at, htmx):
    table = at(with_epic("carp", flop="A4 A5 C9"), htmx=htmx)
    action = table.spelt("market C9")
    page = table.press(action, table.look())
    assert "You can’t undo this." in text(page)
    table.confirm(page)
    assert last_actions(table.game) == [action]


@WITH_AND_WITHOUT_SCRIPT
def test_the_spymaster_takes_a_card_from_the_hand_they_see(at, htmx):
    table = at(position(hands={0: "A4 spymaster", 1: "A5 C12"}), "boss spymaster 1", htmx=htmx)
    page = table.look()
    assert headline(page) == "Take a card from Bob’s hand" and "Bob’s hand" in text(page)
    action = table.spelt("take C12")
    page = table.press(action, page)
    assert headline(page) == "Your turn: confirm your moves"
    table.confirm(page)
    assert last_actions(table.game) == [action]


@WITH_AND_WITHOUT_SCRIPT
def test_without_a_draw_deck_owed_cards_come_from_the_flop(at, htmx):
    state = position(hands={0: "A4"}, towers={0: "E"}, flop="A5 A6 C9", deck="", drawn=False)
    table = at(state, "draw", htmx=htmx)
    page = table.look()
    assert headline(page) == "Take 2 cards from the Flop"
    first, second = table.spelt("draw-from-flop C9"), table.spelt("draw-from-flop A6")
    table.confirm(table.press(second, table.press(first, page)))
    assert last_actions(table.game) == [first, second]


# Battles, from the defender's side


@pytest.mark.sampled
@WITH_AND_WITHOUT_SCRIPT
@pytest.mark.parametrize("action", ["defend A8+A8", "defend nothing"])
def test_a_defender_plays_cards_or_nothing(at, htmx, action):
    state = position(hands={0: "A7 A4", 1: "A8 A8 C9"}, towers={1: "E"})
    table = at(state, "attack 1 with A7", htmx=htmx, seat=BOB)
    assert headline(table.look()) == "Alice attacks you with 1 card"
    action = table.spelt(action)
    page = table.press(action, table.pick(action))
    assert headline(page) == "Your turn: confirm your moves"
    table.confirm(page)
    assert last_actions(table.game) == [action]


@WITH_AND_WITHOUT_SCRIPT
@pytest.mark.parametrize("mode", ["leave", "with", "for"])
@pytest.mark.sampled
def test_a_ruler_helps_a_sub_kingdom_or_stays_out(at, htmx, mode):
    state = position(hands={0: "A7", 1: "A8 A8", 2: "C9"}, rulers="- - 1")
    table = at(state, "attack 2 with A7", htmx=htmx, seat=BOB)
    assert headline(table.look()) == "Alice attacks Carol, your sub-kingdom: will you help?"
    page = table.press(f"protect {mode}", table.look())
    if mode != "leave":
        page = table.confirm(page)
        assert headline(page) == "Defend Carol against Alice"
        lay = table.spelt("defend A8+A8")
        page = table.press(lay, table.pick(lay))
        table.confirm(page)
        assert last_actions(table.game) == [lay]
        return
    table.confirm(page)
    assert last_actions(table.game) == ["protect leave"]


def test_players_of_a_battle_who_wait_for_a_ruler_are_addressed_as_you(at, come, alice, carol, eve):
    game = at(position(hands={0: "A7", 1: "A8 A8", 2: "C9"}, rulers="- - 1"), "attack 2 with A7").game
    readers = [AtKingdoms(come(user), game) for user in (alice, carol, eve)]
    assert [headline(reader.look()) for reader in readers] == [
        "You attack Carol: will Bob help?",
        "Alice attacks you: will Bob help?",
        "Alice attacks Carol: will Bob help?",
    ]
    did(game, BOB, "protect for")
    assert [headline(reader.look()) for reader in readers] == [
        "You attack Carol: Bob must defend",
        "Alice attacks you: Bob must defend",
        "Alice attacks Carol: Bob must defend",
    ]


@pytest.mark.sampled
@WITH_AND_WITHOUT_SCRIPT
@pytest.mark.parametrize("action", ["stop", "wave A4"])
def test_after_a_tie_the_attacker_stops_or_continues(at, htmx, action):
    table = at(position(hands={0: "A7 A4", 1: "A7"}, towers={1: "E"}), "attack 1 with A7", htmx=htmx)
    did(table.game, BOB, "defend A7")
    assert headline(table.look()) == "A tie at 7: stop or continue?"
    action = table.spelt(action)
    table.confirm(table.press(action, table.pick(action)))
    assert last_actions(table.game) == [action]


def test_a_defender_picks_a_card_first(at):
    state = position(hands={0: "A7", 1: "A8", 2: "C9"}, towers={1: "E"}, rulers="- - 1")
    table = at(state, "attack 1 with A7", seat=BOB)
    table.press("blind-pick 2", table.look())
    assert last_actions(table.game) == ["blind-pick 2"] and len(state_of(table.game).hands[BOB]) == 2


def test_in_the_last_of_three_rounds_a_player_who_must_attack_cannot_end_the_turn(at):
    options = {"mode": "quickplay"}
    table = at(position(hands={0: "A7", 1: "A8"}, round=3, options=options), **options)
    page = table.look()
    assert headline(page) == "Your turn: you must attack" and 'value="end"' not in text(page)


# Refusals


REFUSED = {
    "a purchase that does not pay": ("buy A4 for E", "equal dots"),
    "invalid troops": ("attack 1 with A8+A8+A8", "more than 21"),
    "a card of another player": ("build sun-kingdom-emperor-2", "not in your hand"),
    "nonsense": ("conquer the world", "not something you can do"),
}


@WITH_AND_WITHOUT_SCRIPT
@pytest.mark.parametrize(("action", "sentence"), list(REFUSED.values()), ids=list(REFUSED))
@pytest.mark.sampled
def test_a_refusal_keeps_the_picked_cards_and_the_draft(at, htmx, action, sentence):
    table = at(position(hands={0: "E A4 A8 A8 A8", 1: "A5"}, flop="E A5 A6"), htmx=htmx)
    build, action = table.spelt("build E"), table.spelt(action)
    table.press(build, table.look())
    before = everything_written(table.game)
    answer = table.post("step", action=action)
    assert answer.status_code == (200 if htmx else 409) and sentence in alert(answer)
    assert everything_written(table.game) == before and 'id="steps"' in text(answer)
    held = [word for word in re.split(r"[ +]", action) if word in state_of(table.game).hands[ALICE]]
    assert [card for card in held if f'id="pick-{card}" checked' not in text(answer)] == []


@WITH_AND_WITHOUT_SCRIPT
def test_a_stale_page_gets_the_current_table_with_the_cards_still_picked(at, htmx):
    table = at(position(hands={0: "A4 A8"}, deck="A5 A6 A7 C9 C9 A8", drawn=False), "draw", htmx=htmx)
    action = table.spelt("attack 1 with A4+A8")
    for form in ("step", "submit"):
        answer = table.post(form, seq=table.game.seq - 1, action=action)
        assert "The game has changed" in alert(answer)
        assert text(answer).count(" checked>") == 2


def test_no_confirmation_is_shown_for_an_illegal_action(at):
    table = at(position(hands={0: "A4"}))
    for then in ("draw", "not-so-secret x of 1 emperor", "<script>", "gift 1 sun-attack-4-1"):
        assert "cannot be taken back" not in text(table.look(f"?then={then}"))


# Answers with less than the table


def is_parts(page) -> bool:
    return page.headers.get("HX-Reswap") == "parts" and 'id="kingdoms"' in text(page) and 'id="log"' not in text(page)


def test_steps_and_selections_are_answered_with_the_dock_and_the_board_only(at):
    table = at(position(hands={0: "A4 C9 A6"}, flop="E A5 A5"), htmx=True)
    whole, buying = {"HX-Target": "table"}, table.spelt("buy A4+C9 for E")
    bought = table.post("step", action=buying, laid="")
    assert is_parts(bought) and "Undo" in text(bought) and len(gzip.compress(bought.content)) <= 8 * 1024
    assert is_parts(table.post("undo", laid=buying))
    assert is_parts(table.look(f"?c=sun-attack-4-1&seq={table.seq}&laid=", **whole))
    old = table.look(f"?c=sun-attack-4-1&seq={table.seq - 1}&laid=", **whole)
    assert "HX-Reswap" not in old.headers and 'id="log"' in text(old)
    by_value = text(table.look("?sort=value", **{"HX-Target": "cards"}))
    assert by_value.count("<section") == 1 and 'id="cards"' in by_value


def test_the_dock_tells_what_the_player_has_drawn_until_they_go_on(at):
    table = at(position(hands={0: "A4"}, deck="A5 A6 A7 C9 C9 A8", drawn=False), htmx=True)
    drawn = text(table.press("draw", table.look()))
    assert drawn.count("You drew ") == 2 and "Nobody else can see this." in drawn  # for screen readers too
    assert 'class="note learned"' not in drawn
    assert "You drew" not in text(table.look("?c=sun-attack-4-1", **{"HX-Target": "hand"}))


@pytest.mark.parametrize(
    ("state", "actions", "sentence"),
    [
        (position(hands={1: "A5"}, rulers="- 0 -"), ["blind-pick 1"], "You took Sun Spearman from Bob."),
        (
            position(hands={0: "A4 spymaster", 1: "A5"}),
            ["boss spymaster 1", "take A5"],
            "You took Sun Spearman from Bob.",
        ),
        (position(**RULED, options={"collusion": True}), ["gift 1 A4"], "You gave Sun Archer to Bob."),
    ],
    ids=["blind pick", "infiltrate", "gift"],
)
def test_the_dock_addresses_the_player_who_takes_or_gives_cards(at, state, actions, sentence):
    table = at(state, *actions, collusion=state.options.collusion)
    assert re.findall(r"<strong>(You [^<]*)</strong>", text(table.look())) == [sentence]


CHOSEN_ABOVE = {
    "the Flop instead of the Draw deck": (position(towers={0: "E"}, flop="A5 A6 C9", deck="", drawn=False), "draw"),
    "a hand that is looked at": (position(hands={0: "spymaster", 1: "A5"}), "boss spymaster 1"),
}


@pytest.mark.parametrize(("state", "action"), list(CHOSEN_ABOVE.values()), ids=list(CHOSEN_ABOVE))
def test_the_page_scrolls_up_to_cards_that_come_above_the_hand(at, state, action):
    table = at(state, htmx=True)
    answer = table.post("submit", action=action, sure="1")
    assert answer.headers.get("HX-Reswap") == "parts show:#content:top"


STAYS = {
    "the next card of the Flop": (CHOSEN_ABOVE["the Flop instead of the Draw deck"][0], ["draw"], "draw-from-flop A5"),
    "a random card": (position(**RULED), [], "blind-pick 1"),
}


@pytest.mark.parametrize(("state", "before", "action"), list(STAYS.values()), ids=list(STAYS))
def test_the_page_stays_where_it_is_if_nothing_comes_above_the_hand(at, state, before, action):
    table = at(state, *before, htmx=True)
    answer = table.post("submit", action=table.spelt(action), sure="1")
    assert not alert(answer) and "HX-Reswap" not in answer.headers
