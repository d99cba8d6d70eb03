"""Emails about Kingdoms: the question in words, the deadline, the hand, and the realm as a picture."""

import re

import pytest
from django.core import mail
from django.utils.html import strip_tags

from games.bots.bot import Bot
from games.bots.registry import BOTS
from games.notices.delivery import messages
from games.notices.delivery.channels import email
from games.notices.kinds import Kind
from games.notices.models import Notice
from games.rules.fairness import Quick
from tests.cast import again, person, seats_of
from tests.notices.emails import email_notice, html_of, only_email, pictures_of, received, send_due, subjects, text_of
from tests.rules.kingdoms.positions import ALICE, BOB, CAROL, after, position
from tests.tables.family import seeded
from tests.tables.kingdoms import ASK, do, go_on, kingdoms, put

pytestmark = pytest.mark.django_db
HANDS = {ALICE: "A8 C9 A4", BOB: "A7 A4 plum-S2", CAROL: "A5"}
PEOPLE = ("Alice", "Bob", "Carol")


@pytest.fixture
def table(clock):
    """A function that starts a game from a position. No standing orders answer, and no notice is waiting."""

    def begun(state, orders=ASK, **more):
        people = [person(name) for name in PEOPLE[: state.players]]
        game = put(kingdoms(*people, orders=orders, **more), state)
        Notice.objects.all().delete()
        return game

    return begun


def words(name: str) -> str:
    """Return the text of the player's last email on one line."""
    send_due()
    return " ".join(text_of(received(name)[-1]).split())


def test_a_defender_is_told_the_attack_the_default_and_the_deadline(table):
    do(table(position(hands=HANDS)), ALICE, "attack 1 with A8")
    assert "Alice attacks you with 1 card. Play a hand to defend yourself." in words("Bob")
    assert "You have no Tower, so your Castle’s wall adds 3." in words("Bob")
    assert "If you don’t answer in time, your best ordinary hand is played." in words("Bob")
    assert "You have until Monday 2 March, 21:00 (UTC)." in words("Bob")
    assert subjects("Bob") == ["Defend against Alice: Kingdoms with Alice and Carol"]


def test_a_defender_is_told_which_cards_lie_face_up(table):
    rich = "E Q P X sun-E sun-Q wave-E wave-Q plum-E plum-Q"
    game = table(position(hands={**HANDS, ALICE: rich}))
    do(game, ALICE, "attack 1 with E")
    assert "Alice attacks you with 1 card, including" in words("Bob") or "with 1 card." in words("Bob")


def test_a_ruler_is_asked_whether_to_protect(table):
    do(table(position(hands=HANDS, rulers="- 2 -")), ALICE, "attack 1 with A8")
    assert "Alice attacks Bob, a player you rule, with 1 card." in words("Carol")
    assert subjects("Carol") == ["Bob is under attack: Kingdoms with Alice and Bob"]
    assert re.findall(r"<h1[^>]*>(.*?)</h1>", html_of(received("Carol")[-1])) == ["Bob is under attack"]
    assert not received("Bob")


@pytest.mark.parametrize(("mode", "to_bob", "to_carol"), [
    ("with", "and your ruler defends with you", "attacks Bob with 1 card, and you defend together"),
    ("for", "", "attacks Bob with 1 card, and you defend in their place"),
])  # fmt: skip
def test_ruler_and_subject_are_told_who_defends(table, mode, to_bob, to_carol):
    game = do(table(position(hands=HANDS, rulers="- 2 -")), ALICE, "attack 1 with A8")
    do(game, CAROL, f"protect {mode}")
    if to_bob:
        assert to_bob in words("Bob")
    else:
        send_due()
        assert not received("Bob")
    reminder = email_notice(seats_of(game)[CAROL], Kind.TIME, again(game).seq)
    assert to_carol in messages.message(reminder).lead


def test_a_tie_asks_the_attacker(table):
    game = do(table(position(hands=HANDS, towers={BOB: "E"})), ALICE, "attack 1 with A4")
    do(game, BOB, "defend A4")
    assert "Your attack on Bob is tied, 4 to 4. Stop, or play another hand." in words("Alice")
    assert subjects("Alice")[-1].startswith("Tied with Bob: Kingdoms")


def test_the_email_names_an_epic_that_must_be_resolved_first(table):
    state = after(position(hands=HANDS, towers={CAROL: "E"}, drawn=False), "draw", draws="dragon")
    game = table(state)
    turn_notice = email_notice(seats_of(game)[ALICE], Kind.TURN, again(game).seq)
    turn_message = messages.message(turn_notice)
    assert turn_message.title.startswith("Resolve Dragon first: ")
    assert "Before you do anything else, choose" in turn_message.lead


@pytest.mark.parametrize("phase", ["flopdraw", "infiltrate", "showdown", "quickplay"])
def test_each_phase_asks_its_question_in_a_sentence(table, phase):
    positions = {
        "flopdraw": lambda: after(position(hands=HANDS, drawn=False, deck="", flop="A4 A5"), "draw"),
        "infiltrate": lambda: after(position(hands={**HANDS, ALICE: "spymaster A4"}), "boss spymaster 1"),
        "showdown": lambda: position(hands=HANDS, deck="", flop="", showdown=True, drawn=False),
        "quickplay": lambda: position(hands=HANDS, round=3, options={"mode": "quickplay"}),
    }
    questions = {
        "flopdraw": "from the Flop",
        "infiltrate": "Bob’s hand",
        "showdown": "attack",
        "quickplay": "must attack",
    }
    game = table(positions[phase]())
    for kind in (Kind.TURN, Kind.TIME):
        turn_notice = email_notice(seats_of(game)[ALICE], kind, again(game).seq)
        assert questions[phase] in messages.message(turn_notice).lead


def test_a_turn_email_has_the_hand_in_words_and_the_realm_as_a_picture(table):
    game = table(position(hands=HANDS, towers={BOB: "E"}, deck="A7 A8 C9 C10 S1"), orders={})
    do(game, ALICE, "attack 1 with A8")
    sent_email = received("Bob")[-1] if send_due() else only_email("Bob")
    text, html = text_of(sent_email), strip_tags(html_of(sent_email))
    assert "It’s your turn. You hold" in " ".join(text.split())
    for words in ("Your hand", "Attack Heroes: ", "Total value ", "Kingdoms"):
        assert words in text and words in html
    (picture,) = pictures_of(sent_email)
    assert picture.get_content().startswith(b"\xff\xd8")
    assert "Alice ● no Towers; no ruler; " in text


def test_a_turn_email_warns_a_player_whose_ruler_wins_next(table):
    warning = "Bob rules you and wins when their next turn begins. To be free, attack Bob and win."
    game = table(position(2, hands={ALICE: "A4", BOB: "A5"}, rulers="1 -"))
    assert warning in messages.message(email_notice(seats_of(game)[ALICE], Kind.TURN, again(game).seq)).lead


def test_the_next_email_says_what_a_standing_order_answered(table):
    game = table(position(hands=HANDS, towers={BOB: "E"}), orders={})
    do(game, ALICE, "attack 1 with A8")
    assert "* A standing order answered for Bob." in words("Bob")


def test_the_next_email_says_that_a_player_timed_out(table, clock):
    from django.utils import timezone

    from games.tables.services.timeouts import sweep_overdue

    game = table(position(hands=HANDS, towers={BOB: "E"}))
    do(game, ALICE, "attack 1 with A8")
    clock.shift(13 * 3600)
    sweep_overdue(timezone.now())
    mail.outbox.clear()
    assert "Bob ran out of time, so the default action was taken." in words("Bob")


def test_the_last_email_says_who_won_and_how(monkeypatch, clock):
    seeded(monkeypatch, 1)
    people = [person(name) for name in PEOPLE]
    game, chance = kingdoms(*people), Quick(1)
    while not again(game).is_finished:
        go_on(game, chance)
    send_due()
    winner = next(seat for seat in seats_of(game) if seat.place == 1)
    loser = next(seat for seat in seats_of(game) if seat.place != 1)
    assert subjects(winner.name)[-1].startswith("You won: Kingdoms with")
    assert f"{winner.name} won: " in words(loser.name)
    assert "Your hand" not in text_of(received(loser.name)[-1])


def test_emails_can_be_composed_with_eight_players(clock, monkeypatch):
    names = ("Alice", "Bob", "Carol", "Dan", "Erin", "Frank", "Grace", "Heidi")
    game = kingdoms(*map(person, names))
    for kind in (Kind.STARTED, Kind.TURN, Kind.TIME):
        row = email_notice(seats_of(game)[7], kind, again(game).seq)
        assert b"Heidi" in email.compose(messages.message(row)).message().as_bytes()
    assert Bot in {type(bot) for bot in BOTS.values()}
