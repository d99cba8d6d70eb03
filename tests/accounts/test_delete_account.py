"""Deleting an account, while the other players keep their games."""

from copy import deepcopy

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.tables.models import Game, Seat, Status
from tests.accounts.conftest import PASSWORD
from tests.cast import in_turns
from tests.web.reading import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed_in(client, alice) -> Client:
    client.force_login(alice)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def table(*people: User, status: str) -> Game:
    game = Game.objects.create(ruleset="legends", rules_version=1, players=2, status=status, opened_at=timezone.now())
    for number, user in enumerate(people):
        Seat.objects.create(game=game, number=number, user=user, owner=user, name=user.username)
    return game


def test_deleting_requires_typing_the_name(signed_in, alice):
    assert signed_in.post("/accounts/delete/", {"name": "Bob"}).status_code == 422
    assert User.objects.filter(pk=alice.pk).exists()


def test_no_personal_data_remains(signed_in, alice):
    assert signed_in.post("/accounts/delete/", {"name": "alice"}, follow=True).status_code == 200
    assert not User.objects.filter(pk=alice.pk).exists()
    assert "_auth_user_id" not in signed_in.session


def test_the_second_of_two_taps_says_that_the_account_is_gone(signed_in):
    before = deepcopy(signed_in.cookies)
    for _tap in range(2):
        signed_in.cookies = deepcopy(before)
        answer = signed_in.post("/accounts/delete/", {"name": "Alice"}, follow=True)
    assert answer.request["PATH_INFO"] == "/" and "your account, it is gone." in text(answer)


def test_games_remain_with_a_former_player(signed_in, alice, bob):
    running, done = in_turns(alice, bob), table(bob, alice, status=Status.FINISHED)
    signed_in.post("/accounts/delete/", {"name": "Alice"})
    assert [seat.name for seat in running.seats.all()] == ["Former player", "Bob"]
    assert [seat.name for seat in done.seats.all()] == ["Bob", "Former player"]


def test_seats_at_tables_that_have_not_started_become_free(signed_in, alice, bob):
    game = table(bob, alice, status=Status.OPEN)
    signed_in.post("/accounts/delete/", {"name": "Alice"})
    assert [seat.name for seat in game.seats.all()] == ["Bob"]


def test_other_devices_are_signed_out(signed_in, alice):
    other = Client()
    other.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    signed_in.post("/accounts/delete/", {"name": "Alice"})
    assert other.get("/accounts/preferences/").status_code == 302


def test_an_open_session_is_not_enough(as_alice):
    assert as_alice.get("/accounts/delete/").url.startswith("/accounts/reauthenticate/")


def test_a_guest_can_be_deleted_without_a_password(client):
    client.post("/accounts/guest/")
    guest = User.objects.get()
    client.post("/accounts/delete/", {"name": guest.username})
    assert not User.objects.exists()
