"""Poison Swamp at the table: steps that cannot be undone need confirmation, and only one player sees a look."""

import re

import pytest

from games.bots.bot import play_turn
from games.bots.registry import BOTS
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.tokens import FACE_DOWN, POISON_SWAMP, gifts
from games.rules.fairness import Quick
from games.tables.models import Draft, Entry
from tests.cast import again, everything_written, in_turns, only, seats_of, state_of, submit, table_of
from tests.kept import kept_if_first
from tests.web.at_table import WITH_AND_WITHOUT_SCRIPT, offered
from tests.web.reading import alert, seq, text, whole_turn

pytestmark = pytest.mark.django_db

SWAMP = {"explore": True, "poison_swamp": True}
QUESTION = "You can’t undo this. Confirm your moves so far?"


def turning_up(*people):
    """A table where seat 0 can take a card that builds and then places, and has an army next to a face-down token.

    Also the action that takes the card, and the region of the token.
    """

    def play():
        while True:
            game = in_turns(*people, options={**SWAMP, "seven_cards": True})
            if all(cards_and_tokens(game)):
                return game

    def cards_and_tokens(game):
        view = game.rules.view(state_of(game), 0)
        cards = [offer.card for offer in view.row if offer.affordable and builds_first(offer.card)]
        return cards, [region for region, here in view.regions.items() if here.token == FACE_DOWN and here.armies[0]]

    game = kept_if_first("turning up", people, play=play)
    cards, regions = cards_and_tokens(game)
    return game, f"take {cards[0]}", regions[0]


def builds_first(card):
    """Whether the card builds a city and then allows more."""
    parts = edition("legends").cards[card]
    return parts.joined == "and" and parts.parts[0].kind == "build"


@WITH_AND_WITHOUT_SCRIPT
def test_a_step_that_reveals_a_token_needs_confirmation_and_then_the_turn_continues(sit, alice, bob, htmx):
    game, card, region = turning_up(alice, bob)
    table = sit(alice, game, htmx=htmx)
    table.press("step", action=card)
    assert "Build a city and reveal the token" in text(table.look(f"?region={region}"))
    answer = table.press("step", action=f"build {region}")
    assert answer.status_code == 200 and not alert(answer) and QUESTION in text(answer)
    assert Entry.objects.filter(game=game).count() == game.seq + 1, "nothing has been submitted yet"
    assert whole_turn(answer) == f"{card};build {region}"
    answer = table.press("submit", action=whole_turn(answer))
    entry = Entry.objects.filter(game=game).latest("seq")
    assert [event["kind"] for event in entry.events] == ["take", "build", "gain"]
    assert "Your turn: play your card" in text(
        answer
    ) and "Your confirmed moves are final; your turn continues." in text(answer)
    assert 'id="undo"' not in text(answer) and offered(table.look("?region="), "place")


@WITH_AND_WITHOUT_SCRIPT
def test_the_rest_of_such_a_turn_is_drafted_and_submitted_as_usual(sit, alice, bob, htmx):
    game, card, region = turning_up(alice, bob)
    submit(game, 0, card, f"build {region}")
    table = sit(alice, game, htmx=htmx)
    step = offered(table.look(), "place")[0]
    table.press("step", action=step)
    assert Draft.objects.get(seat__game=game).actions == [step]
    table.press("undo", keep=0)
    assert Draft.objects.get(seat__game=game).actions == []
    answer = table.press("submit", action=whole_turn(table.look()), sure="1")
    assert not alert(answer) and "It is Bob’s turn" in text(answer)


@WITH_AND_WITHOUT_SCRIPT
def test_the_rest_of_such_a_turn_is_shown_when_all_of_it_is_drafted(sit, alice, bob, htmx):
    """Its card is in the log already, and no longer in play once the turn is complete."""
    game, card, region = turning_up(alice, bob)
    submit(game, 0, card, f"build {region}")
    table = sit(alice, game, htmx=htmx)
    while steps := offered(table.look(), "place"):
        table.press("step", action=steps[0])
    answer = table.look()
    assert answer.status_code == 200 and "Your turn: confirm your moves" in text(answer)
    assert edition("legends").cards[card.partition(" ")[2]].name in text(answer)
    assert "It is Bob’s turn" in text(table.press("submit", action=whole_turn(answer), sure="1"))


@pytest.mark.long
def test_a_player_who_does_not_confirm_keeps_the_draft_as_it_was(sit, alice, bob):
    game, card, region = turning_up(alice, bob)
    table = sit(alice, game)
    table.press("step", action=card)
    before = everything_written(game)
    table.press("step", action=f"build {region}")
    assert everything_written(game) == before
    answer = table.look()
    assert QUESTION not in text(answer) and whole_turn(answer) == f"{card};done"


@pytest.mark.long
def test_only_a_step_that_reveals_something_needs_confirmation(sit, alice, bob, eve):
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
def test_a_late_confirmation_is_refused_with_a_sentence(sit, alice, bob, htmx):
    game, card, region = turning_up(alice, bob)
    submit(game, 0, *only(game, 0, card))
    before = everything_written(game)
    answer = sit(alice, game, htmx=htmx).press("submit", seq=game.seq, action=f"{card};build {region}")
    assert "The game has changed" in alert(answer) and seq(answer) == str(again(game).seq)
    assert everything_written(game) == before


@WITH_AND_WITHOUT_SCRIPT
def test_half_a_turn_that_reveals_nothing_is_refused_and_stays_a_draft(sit, alice, bob, htmx):
    game, card, _region = turning_up(alice, bob)
    table = sit(alice, game, htmx=htmx)
    table.press("step", action=card)
    before = everything_written(game)
    assert "not complete" in alert(table.press("submit", action=card))
    assert everything_written(game) == before


# Looking


def looked(*people):
    """A table where a player has just looked under a token, the first to do so; that seat, and the token's name.

    The token is not the Poison Swamp, because pages name the option of that name.
    """

    def play():
        while True:
            game = first_look(*people)
            if (look := last_look(game)) and look["face"] != POISON_SWAMP:
                return game

    game = kept_if_first("looked", people, play=play)
    look = last_look(game)
    return again(game), look["seat"], gifts()[look["face"]].name


def last_look(game):
    """The only look of the latest entry; None without one, or with several."""
    looks = [event for event in Entry.objects.filter(game=game).latest("seq").events if event["kind"] == "look"]
    return looks[0] if len(looks) == 1 else None


def first_look(*people):
    """A table where bots have played for these people until one of them looked, or to the end."""
    game, chance = table_of(*people, options=SWAMP), Quick(3)
    while not again(game).is_finished:
        number = next(seat.number for seat in seats_of(game) if seat.owes)
        view = game.rules.view(state_of(game), number)
        submit(game, number, *play_turn(game.rules, view, BOTS["medium"], chance))
        if any(event["kind"] == "look" for event in Entry.objects.filter(game=game).latest("seq").events):
            break
    return game


def without_tips(answer):
    """The page without its help, which names all tokens and the option Poison Swamp."""
    return re.sub(r'<span class="tip">.*?</a></span></span>', "", text(answer), flags=re.DOTALL)


def test_only_the_player_who_looked_sees_the_token_in_the_log_and_in_the_list(sit, alice, bob, carol, eve):
    people = (alice, bob, carol)
    game, seat, face = looked(*people)
    own_page = text(sit(people[seat], game).look())
    assert re.search(rf"You looked at the token in [^.:]+: {face}\. <[^>]*>Nobody else can see this", own_page)
    assert "Face-down tokens you have looked at" in own_page
    for reader in ({*people} - {people[seat]}) | {eve, None}:
        page = without_tips(sit(reader, game).look())
        assert "looks at the token in" in page and "Nobody else can see this" not in page
        assert "Face-down tokens you have looked at" not in page and face not in page


def test_the_other_players_see_who_knows_a_token(sit, alice, bob, carol):
    people = (alice, bob, carol)
    game, seat, _face = looked(*people)
    name, other = people[seat].username, people[(seat + 1) % 3]
    assert f"(seen by {name})" in " ".join(text(sit(other, game).look()).split())
    assert f"(seen by {name})" not in text(sit(people[seat], game).look())
