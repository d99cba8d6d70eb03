"""Ending a turn, or a step that closes a part of the card, asks first if something usable would be given up."""

import re
from html import unescape

import pytest
from django.http import HttpResponse

from games.rules.eight_minute.edition import edition
from games.tables.models import Draft
from tests.cast import again, bid, everything_written, in_turns, play_turns, state_of, submit, table_of
from tests.kept import kept_if_first
from tests.rules.kingdoms.positions import position
from tests.web.at_table import WITH_AND_WITHOUT_SCRIPT, AtTable, first_turn, offered
from tests.web.kingdoms import AtKingdoms, kingdoms_of, last_actions, put
from tests.web.reading import alert, controls, text, whole_turn

pytestmark = pytest.mark.django_db


def is_held(answer: HttpResponse) -> bool:
    """Whether a button of the page sends the turn after a wait."""
    return bool(re.search(r"<form[^>]*\sdata-hold", text(answer)))


def dealing(fits, *people, **more):
    """A table where seat 0 can take a card whose parts and joining word fit; also the action that takes it."""

    def cards(game):
        view = game.rules.view(state_of(game), 0)
        deck = edition(view.edition).cards
        return [f"take {offer.card}" for offer in view.row if offer.affordable and fits(deck[offer.card], view)]

    def play():
        while True:
            names_first = more.get("ruleset") != "prototype"
            game = in_turns(*people, **more) if names_first else bid(table_of(*people, **more), 1, 0)
            if cards(game):
                return game

    game = kept_if_first("dealing", fits.__name__, people, *more.items(), play=play)
    return game, cards(game)[0]


def places_several(card, _view):
    return [(part.kind, part.n > 1) for part in card.parts] == [("place", True)]


def has_a_part_before_places_or_builds(card, _view):
    return card.joined == "and" and card.parts[0].kind in ("move", "place") and card.parts[1].kind in ("place", "build")


def places_and_then_destroys(card, _view):
    return card.joined == "and" and card.ordered and [part.kind for part in card.parts] == ["place", "destroy"]


def question(answer):
    match = re.search(r'<p id="sure-words">\s*<strong>([^<]*)</strong>', text(answer))
    return unescape(match[1]) if match else ""


def confirm(table: AtTable, answer):
    """Press the button of the question, with all fields of its form."""
    form = text(answer).partition('<div class="sure">')[2].partition("</form>")[0]
    way = re.search(r'action="[^"]*/(\w+)"', form)[1]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))
    return table.press(way, **{name: unescape(value) for name, value in fields.items()})


@WITH_AND_WITHOUT_SCRIPT
@pytest.mark.parametrize("ruleset", ["legends", "prototype", "classic"])
def test_ending_a_turn_asks_when_something_usable_is_left(sit, alice, bob, ruleset, htmx):
    game, card = dealing(places_several, alice, bob, ruleset=ruleset)
    table = sit(alice, game, htmx=htmx)
    table.press("step", action=card)
    table.press("step", action=next(action for action in offered(table.look("?region=")) if action.startswith("place")))
    page = table.look()
    assert "End turn" in text(page) and not is_held(page)
    answer = table.press("submit", action=whole_turn(page))
    assert re.fullmatch(r"You still have \d arm(y|ies) to place. End your turn anyway\?", question(answer))
    assert "Keep playing" in text(answer) and is_held(answer)
    assert again(game).seq == game.seq, "nothing is played before the answer"
    assert "to place" not in question(table.look()) and whole_turn(table.look()) == whole_turn(page)
    assert "It is Bob’s turn" in text(confirm(table, answer))


def test_the_question_names_every_part_and_is_said_to_screen_readers(sit, alice, bob):
    def places_and_then_destroys_among_rivals(card, view):
        meet = any(here.armies[0] and sum(here.armies) > here.armies[0] for here in view.regions.values())
        return meet and card.joined == "and" and [part.kind for part in card.parts] == ["place", "destroy"]

    game, card = dealing(places_and_then_destroys_among_rivals, alice, bob)
    table = sit(alice, game)
    table.press("step", action=card)
    sentence = question(table.press("submit", action=f"{card};done"))
    assert re.fullmatch(r"You still have \d armies to place and 1 army to destroy. End your turn anyway\?", sentence), (
        sentence
    )
    announced = re.search(r'data-said="([^"]*)"', text(table.look("?then=done")))[1]
    assert unescape(sentence) in unescape(announced)


def test_a_turn_sent_from_elsewhere_is_laid_out_before_the_question(sit, alice, bob):
    """A page that drafts in the browser sends steps that the site has not seen."""
    game, card = dealing(places_several, alice, bob)
    start = game.rules.view(state_of(game), 0).start
    answer = sit(alice, game).press("submit", action=f"{card};place {start};done")
    assert question(answer) and Draft.objects.get(seat__game=game).actions == [card, f"place {start}"]
    assert whole_turn(answer).endswith("done") and f"place {start}" in whole_turn(answer)


def test_using_everything_up_needs_no_question(sit, alice, bob):
    game, card = dealing(places_several, alice, bob)
    table = sit(alice, game)
    table.press("step", action=card)
    while steps := offered(table.look("?region="), "place"):
        table.press("step", action=steps[0])
    page = table.look()
    assert is_held(page) and "Confirm" in text(page) and "nothing left to do" in text(page)
    assert "It is Bob’s turn" in text(table.press("submit", action=whole_turn(page)))


def test_the_question_shows_only_to_the_player_whose_turn_it_is(sit, alice, bob, eve):
    game, card = dealing(places_several, alice, bob)
    sit(alice, game).press("step", action=card)
    assert question(sit(alice, game).look("?then=done"))
    for reader in (bob, eve, None):
        assert not question(sit(reader, game).look("?then=done"))
    submit(game, 0, card, "done")
    assert not question(sit(alice, game).look("?then=done"))


@WITH_AND_WITHOUT_SCRIPT
def test_a_step_of_the_second_part_says_what_it_gives_up_and_asks(sit, alice, bob, htmx):
    game, card = dealing(has_a_part_before_places_or_builds, alice, bob)
    second = edition("legends").cards[card.removeprefix("take ")].parts[1].kind
    table = sit(alice, game, htmx=htmx)
    table.press("step", action=card)
    page = table.look("?region=")
    step = offered(page, second)[0]
    button = next(control for control in controls(page) if control.get("value") == step and "aria-label" in control)
    assert re.search(r"\(gives up \d", button["aria-label"])
    before = everything_written(game)
    answer = table.press("step", action=step)
    assert re.search(r" and give up \d \w+", question(answer)) and not alert(answer)
    assert everything_written(game) == before
    assert "Keep playing" in text(answer) and 'name="sure" value="1"' in text(answer)
    confirm(table, answer)
    assert Draft.objects.get(seat__game=game).actions == [card, step]
    assert not alert(table.press("undo")) and Draft.objects.get(seat__game=game).actions == [card]


def test_a_tap_on_the_map_takes_the_only_step_there_that_gives_nothing_up(sit, alice, bob):
    game, card = dealing(places_and_then_destroys, alice, bob)
    table = sit(alice, game)
    table.press("step", action=card)
    start, page = game.rules.view(state_of(game), 0).start, table.look()
    assert f'data-action="place {start}"' in text(page)
    costly = {control["value"] for control in controls(page) if "costly" in control.get("class", "")}
    assert costly and costly == set(offered(page, "destroy"))
    has_own = any(step.endswith(" 0") for step in costly)  # unless the card makes its owner immune
    assert ("Destroy one of your armies (gives up " in unescape(text(page))) == has_own


def test_what_was_given_up_is_marked_and_only_what_was_used_is_struck_through(sit, alice, bob):
    game, card = dealing(has_a_part_before_places_or_builds, alice, bob)
    second = edition("legends").cards[card.removeprefix("take ")].parts[1].kind
    table = sit(alice, game)
    table.press("step", action=card)
    table.press("step", action=offered(table.look("?region="), second)[0], sure="1")
    page = text(table.look())
    assert re.search(r"\d (moves?|arm(y|ies) to place): given up", page) and "<s>" not in page
    assert "nothing left to do" not in page


def test_a_card_with_or_offers_one_part_and_does_not_strike_the_other_through(sit, alice, bob):
    def places_or_moves(card, _view):
        return card.joined == "or" and {part.kind for part in card.parts} >= {"place"} and card.parts[0].n > 1

    game, card = dealing(places_or_moves, alice, bob)
    table = sit(alice, game)
    table.press("step", action=card)
    sentence = question(table.press("submit", action=f"{card};done"))
    assert re.fullmatch(r"You still have [^.]+ or [^.]+\. End your turn anyway\?", sentence) and " and " not in sentence
    step = offered(table.look("?region="), "place")[0]
    assert not question(table.press("step", action=step)), "the card itself asks for a choice"
    page = text(table.look())
    assert ": not chosen" in page and "<s>" not in page and "Unused" in page
    assert " or " not in question(table.press("submit", action=whole_turn(table.look())))


def test_kingdoms_asks_before_a_tower_is_given_up(come, alice, bob, carol):
    game = put(kingdoms_of(alice, bob, carol), position(hands={0: "E A4"}))
    table = AtKingdoms(come(alice), game, 0)
    page = table.look()
    assert "data-hold" not in text(page).partition('id="do-end"')[2][:200]
    answer = table.press("end", page)
    assert question(answer).startswith("You can still build the ") and "End your turn anyway?" in question(answer)
    assert again(game).seq == game.seq
    assert not alert(table.confirm(answer)) and last_actions(game)[0] == "end"


def test_kingdoms_does_not_ask_without_a_reason(come, alice, bob, carol):
    game = put(kingdoms_of(alice, bob, carol), position(hands={0: "A4"}))
    table = AtKingdoms(come(alice), game, 0)
    assert not question(table.press("end", table.look())) and last_actions(game)[0] == "end"


def test_a_program_that_repeats_an_accepted_turn_is_not_asked(sit, alice, bob):
    game = first_turn(alice, bob)
    seq = game.seq
    play_turns(game, 1)
    table = sit(alice, game)
    turn = ";".join(last_actions(game))
    assert not question(table.press("submit", seq=seq, action=turn)) and again(game).seq == seq + 1
