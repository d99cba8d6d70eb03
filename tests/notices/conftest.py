"""People with mail addresses at a table; turns are taken by whichever legal actions come first."""

import re
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from django.core import mail

from accounts.models import User
from games.models import Game, Seat
from games.selectors import position
from games.services import lobby, play


def person(name: str, **more: object) -> User:
    return User.objects.create(username=name, email=f"{name.lower()}@example.org", **more)


@pytest.fixture
def alice(db) -> User:
    return person("Alice")


@pytest.fixture
def bob(db) -> User:
    return person("Bob", time_zone="Asia/Tokyo")


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Alice and Bob at a table where the bids are due; nothing has been mailed but that it began."""
    return begun(alice, bob)


@pytest.fixture
def playing(game: Game) -> Game:
    """Bob has won the bid and names Alice to start: it is her first turn."""
    submit(game, seat_of(game, "Alice"), "bid 0")
    submit(game, seat_of(game, "Bob"), "bid 1")
    submit(game, seat_of(game, "Bob"), f"first {seat_of(game, 'Alice').number}")
    return game


def begun(*people: User, bots: tuple[str, ...] = (), **more: object) -> Game:
    first, *others = people
    table = {"players": len(people) + len(bots), "clock_hours": 48, "listed": False, "full": False, "options": {}}
    game = lobby.open_table(user=first, ruleset="legends", bots=bots, **(table | more))
    for other in others:
        lobby.join_table(game=game, user=other, invite=game.invite_token)
    game.refresh_from_db()
    return game


def seat_of(game: Game, name: str) -> Seat:
    return Seat.objects.select_related("user").get(game=game, name=name)


def state_of(game: Game):
    game = Game.objects.get(pk=game.pk)
    return position.folded(game, list(Seat.objects.filter(game=game).order_by("number")))


def submit(game: Game, seat: Seat, *actions: str) -> None:
    play.submit_turn(game=game, seat=seat.number, actions=actions, expected_seq=Game.objects.get(pk=game.pk).seq)


def take_turn(game: Game, name: str, card: int = 0) -> None:
    """Take that card of those one can pay for, and no step with it."""
    seat, rules = seat_of(game, name), game.rules
    takes = [rules.text(action) for action in rules.legal(state_of(game), seat.number)]
    submit(game, seat, takes[card], "done")


def play_to_the_end(game: Game) -> None:
    while Game.objects.get(pk=game.pk).is_running:
        take_turn(game, Seat.objects.get(game=game, owes=True).name)


def received(name: str) -> list[EmailMessage]:
    """The mails to somebody, parsed from the bytes that travel."""
    to = f"{name.lower()}@example.org"
    sent = [one for one in mail.outbox if one.to == [to]]
    return [message_from_bytes(one.message().as_bytes(), policy=policy.default) for one in sent]


def subjects(name: str) -> list[str]:
    return [one["Subject"] for one in received(name)]


def text_of(letter: EmailMessage) -> str:
    return letter.get_body(("plain",)).get_content()


def html_of(letter: EmailMessage) -> str:
    return letter.get_body(("html",)).get_content()


def link_of(letter: EmailMessage) -> str:
    return re.search(r"http://testserver(/games/\w+/enter/[\w:-]+/)", text_of(letter))[1]
