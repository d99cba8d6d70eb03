"""Poison Swamp at the table: a step that cannot be taken back is asked for, and a look is for one reader alone."""

import re

import pytest

from games.bots.bot import play_turn
from games.bots.registry import BOTS
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.tokens import FACE_DOWN, POISON_SWAMP, gifts
from games.rules.fairness import Quick
from games.tables.models import Draft, Entry
from tests.cast import again, everything_written, in_turns, only, seats_of, state_of, submit, table_of
from tests.web.at_table import WITH_AND_WITHOUT_SCRIPT, offered
from tests.web.reading import alert, controls, seq, text

pytestmark = pytest.mark.django_db

SWAMP = {"explore": True, "poison_swamp": True}
QUESTION = "You can’t undo this. Confirm your moves so far?"


def turning_up(*people):
    """A table where seat 0 can take a card that builds and then places, with an army where a token lies face down."""
    while True:
        game = in_turns(*people, options={**SWAMP, "seven_cards": True})
        view = game.rules.view(state_of(game), 0)
        cards = [offer.card for offer in view.row if offer.affordable and goes_on(offer.card)]
        spots = [region for region, here in view.regions.items() if here.token == FACE_DOWN and here.armies[0]]
        if cards and spots:
            return game, f"take {cards[0]}", spots[0]


def goes_on(card):
    """Whether a city is not the last that the card allows."""
    parts = edition("legends").cards[card]
    return parts.joined == "and" and parts.parts[0].kind == "build"


def whole(answer):
    return next(one["value"] for one in controls(answer) if one.get("name") == "action" and one.get("type") == "hidden")


@WITH_AND_WITHOUT_SCRIPT
def test_a_step_that_turns_a_token_up_is_asked_for_and_then_the_turn_goes_on(sit, alice, bob, htmx):
    game, card, region = turning_up(alice, bob)
    table = sit(alice, game, htmx=htmx)
    table.press("step", action=card)
    assert "Build a city and reveal the token" in text(table.look(f"?region={region}"))
    answer = table.press("step", action=f"build {region}")
    assert answer.status_code == 200 and not alert(answer) and QUESTION in text(answer)
    assert Entry.objects.filter(game=game).count() == game.seq + 1, "nothing has been handed in yet"
    assert whole(answer) == f"{card};build {region}"
    answer = table.press("submit", action=whole(answer))
    entry = Entry.objects.filter(game=game).latest("seq")
    assert [event["kind"] for event in entry.events] == ["take", "build", "gain"]
    assert "Your turn: play your card" in text(
        answer
    ) and "Your confirmed moves are final; your turn continues." in text(answer)
    assert 'id="undo"' not in text(answer) and offered(table.look("?region="), "place")


@WITH_AND_WITHOUT_SCRIPT
def test_the_rest_of_such_a_turn_is_laid_out_and_handed_in_as_usual(sit, alice, bob, htmx):
    game, card, region = turning_up(alice, bob)
    submit(game, 0, card, f"build {region}")
    table = sit(alice, game, htmx=htmx)
    step = offered(table.look(), "place")[0]
    table.press("step", action=step)
    assert Draft.objects.get(seat__game=game).actions == [step]
    table.press("undo", keep=0)
    assert Draft.objects.get(seat__game=game).actions == []
    answer = table.press("submit", action=whole(table.look()))
    assert not alert(answer) and "It is Bob’s turn" in text(answer)


def test_whoever_says_not_yet_finds_the_turn_as_it_was_laid_out(sit, alice, bob):
    game, card, region = turning_up(alice, bob)
    table = sit(alice, game)
    table.press("step", action=card)
    before = everything_written(game)
    table.press("step", action=f"build {region}")
    assert everything_written(game) == before
    answer = table.look()
    assert QUESTION not in text(answer) and whole(answer) == f"{card};done"


def test_only_a_step_that_turns_something_up_is_asked_for(sit, alice, bob, eve):
    game, card, region = turning_up(alice, bob)
    table = sit(alice, game)
    assert QUESTION not in text(table.look(f"?then=build+{region}")), "before the card is taken"
    table.press("step", action=card)
    view = game.rules.view(state_of(game), 0)
    for step in (f"place {view.start}", f"build {view.start}", "build nowhere", "sing", "build", "done"):
        assert QUESTION not in text(table.look(f"?then={step}"))
    assert QUESTION in text(table.look(f"?then=build+{region}"))
    for reader in (bob, eve, None):
        assert QUESTION not in text(sit(reader, game).look(f"?then=build+{region}"))


@WITH_AND_WITHOUT_SCRIPT
def test_a_confirmation_that_comes_too_late_is_refused_in_a_sentence(sit, alice, bob, htmx):
    game, card, region = turning_up(alice, bob)
    submit(game, 0, *only(game, 0, card))
    before = everything_written(game)
    answer = sit(alice, game, htmx=htmx).press("submit", seq=game.seq, action=f"{card};build {region}")
    assert "The game has changed" in alert(answer) and seq(answer) == str(again(game).seq)
    assert everything_written(game) == before


@WITH_AND_WITHOUT_SCRIPT
def test_half_a_turn_that_turns_nothing_up_is_refused_and_stays_laid_out(sit, alice, bob, htmx):
    game, card, _region = turning_up(alice, bob)
    table = sit(alice, game, htmx=htmx)
    table.press("step", action=card)
    before = everything_written(game)
    assert "not complete" in alert(table.press("submit", action=card))
    assert everything_written(game) == before


# Looking


def looked(*people):
    """A table where somebody has just looked under a token, the first to do so: with the seat and the token's name.

    The swamp itself would not do: the option is called after it.
    """
    while True:
        game, look = first_look(*people)
        if look and look["face"] != POISON_SWAMP:
            return again(game), look["seat"], gifts()[look["face"]].name


def first_look(*people):
    """Bots play for these people until one of them looks; the look is null when nobody does."""
    game, chance = table_of(*people, options=SWAMP), Quick(3)
    while not again(game).is_finished:
        seat = next(one.number for one in seats_of(game) if one.owes)
        view = game.rules.view(state_of(game), seat)
        submit(game, seat, *play_turn(game.rules, view, BOTS["greedy"], chance))
        last = Entry.objects.filter(game=game).latest("seq").events
        if looks := [event for event in last if event["kind"] == "look"]:
            return game, looks[0] if len(looks) == 1 else None
    return game, None


def without_tips(answer):
    """The page without its help, which speaks of all tokens that there are, and of the option Poison Swamp."""
    return re.sub(r'<span class="tip">.*?</a></span></span>', "", text(answer), flags=re.DOTALL)


def test_a_look_is_told_to_the_one_who_looked_on_the_page_and_in_the_list(sit, alice, bob, carol, eve):
    people = (alice, bob, carol)
    game, seat, face = looked(*people)
    mine = text(sit(people[seat], game).look())
    assert re.search(rf"looks at the token in [^.:]+: {face}\.", mine) and "Only you can see this" in mine
    assert "Face-down tokens you have looked at" in mine
    for reader in ({*people} - {people[seat]}) | {eve, None}:
        page = without_tips(sit(reader, game).look())
        assert "looks at the token in" in page and "Only you can see this" not in page
        assert "Face-down tokens you have looked at" not in page and face not in page


def test_the_others_are_told_who_knows_a_token(sit, alice, bob, carol):
    people = (alice, bob, carol)
    game, seat, _face = looked(*people)
    name, other = people[seat].username, people[(seat + 1) % 3]
    assert f"(seen by {name})" in " ".join(text(sit(other, game).look()).split())
    assert f"(seen by {name})" not in text(sit(people[seat], game).look())
