"""Tables before the game: opening, joining, leaving, closing and beginning."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from accounts.services import make_guest
from games.errors import GameError, NotFound, NotYours, TableError
from games.notices.delivery.messages import message
from games.notices.models import Notice
from games.tables.models import FullGame, Game, Seat
from games.tables.selectors import listed as selector
from games.tables.services import lobby
from tests.cast import again, seats_of

pytestmark = pytest.mark.django_db


def test_the_opener_gets_the_first_seat_and_bots_get_the_last_ones(alice):
    game = lobby.open_table(user=alice, players=4, bots=["medium", "random"])
    assert [(seat.number, seat.name, seat.bot) for seat in seats_of(game)] == [
        (0, "Alice", ""), (2, "Medium", "medium"), (3, "Random", "random"),
    ]  # fmt: skip
    assert game.is_open and game.seq == -1


def test_bots_of_the_same_kind_have_different_names(alice):
    game = lobby.play_now(user=alice, bots=["medium", "medium", "medium"])
    assert [seat.name for seat in seats_of(game)][1:] == ["Medium", "Medium 2", "Medium 3"]


def test_play_now_begins_a_private_game_at_once(alice):
    game = again(lobby.play_now(user=alice))
    assert game.is_running and not game.listed and game.seq == 0
    assert [seat.owes for seat in seats_of(game)] == [True, True]


def test_the_game_begins_when_the_last_seat_is_taken(alice, bob, carol):
    game = lobby.open_table(user=alice, players=3, listed=True)
    assert lobby.join_table(game=game, user=bob).is_open
    assert lobby.join_table(game=game, user=carol).is_running
    assert [seat.name for seat in seats_of(game)] == ["Alice", "Bob", "Carol"]


def test_everyone_but_the_last_to_join_is_notified_of_the_start(alice, bob):
    game = lobby.open_table(user=alice, players=2, listed=True)
    lobby.join_table(game=game, user=bob)
    assert list(Notice.objects.filter(kind="started").values_list("seat__user", flat=True)) == [alice.pk]
    assert Notice.objects.filter(kind="time").count() == 2
    assert not Notice.objects.filter(kind="turn").exists()


def test_joining_twice_takes_one_seat(alice, bob):
    game = lobby.open_table(user=alice, players=3, listed=True)
    lobby.join_table(game=game, user=bob)
    lobby.join_table(game=game, user=bob)
    assert Seat.objects.filter(game=game).count() == 2


def test_the_next_to_join_gets_a_seat_that_was_left(alice, bob, carol, dan):
    game = lobby.open_table(user=alice, players=4, listed=True)
    lobby.join_table(game=game, user=bob)
    lobby.join_table(game=game, user=carol)
    lobby.leave_table(game=game, user=bob)
    lobby.join_table(game=game, user=dan)
    assert [(seat.number, seat.name) for seat in seats_of(game)] == [(0, "Alice"), (1, "Dan"), (2, "Carol")]


def test_a_full_table_cannot_be_joined(alice, bob, eve):
    game = lobby.open_table(user=alice, players=2, listed=True)
    lobby.join_table(game=game, user=bob)
    with pytest.raises(TableError):
        lobby.join_table(game=game, user=eve)
    assert Seat.objects.filter(game=game).count() == 2


def test_a_private_table_can_be_joined_only_with_its_invitation(alice, bob):
    game = lobby.open_table(user=alice, players=3)
    with pytest.raises(NotFound):
        lobby.join_table(game=game, user=bob)
    with pytest.raises(NotFound):
        lobby.join_table(game=game.public_id, user=bob, invite="x")
    assert Seat.objects.filter(game=game).count() == 1
    lobby.join_table(game=game, user=bob, invite=game.invite_token)
    assert Seat.objects.filter(game=game).count() == 2


def test_the_opener_cannot_leave_a_table_but_can_close_it(alice, bob):
    game = lobby.open_table(user=alice, players=3, listed=True)
    lobby.join_table(game=game, user=bob)
    with pytest.raises(TableError):
        lobby.leave_table(game=game, user=alice)
    lobby.close_table(game=game, user=alice)
    assert again(game).status == "closed"
    assert list(Notice.objects.values_list("kind", "seat__user")) == [("closed", bob.pk)]
    assert message(Notice.objects.get()).lead == "The table was closed before all seats were taken."


def test_only_the_opener_can_close_a_table_and_nobody_can_close_a_game(alice, bob):
    game = lobby.open_table(user=alice, players=2, listed=True)
    with pytest.raises(NotYours):
        lobby.close_table(game=game, user=bob)
    lobby.join_table(game=game, user=bob)
    with pytest.raises(TableError):
        lobby.close_table(game=game, user=alice)
    assert again(game).is_running


def test_leaving_without_a_seat_has_no_effect_and_players_cannot_leave_a_game(alice, bob, eve):
    game = lobby.open_table(user=alice, players=2, listed=True)
    lobby.leave_table(game=game, user=eve)
    assert [seat.name for seat in seats_of(game)] == ["Alice"]
    lobby.join_table(game=game, user=bob)
    with pytest.raises(TableError):
        lobby.leave_table(game=game, user=bob)


def test_a_closed_table_cannot_be_joined(alice, bob):
    game = lobby.open_table(user=alice, players=2, listed=True)
    lobby.close_table(game=game, user=alice)
    with pytest.raises(NotFound):
        lobby.join_table(game=game, user=bob)


@pytest.mark.parametrize(
    "wish",
    [
        {"ruleset": "chess"},
        {"players": 5},
        {"players": 1},
        {"clock": "move 0h"},
        {"clock": "move 1000h"},
        {"bots": ["medium", "medium"]},
        {"bots": ["deep-thought"]},
        {"options": {"setter": 7}},
        {"options": {"dragon": True}},
    ],
)
def test_an_invalid_table_is_refused_in_a_sentence(alice, wish):
    with pytest.raises(GameError) as refusal:
        lobby.open_table(user=alice, **wish)
    assert str(refusal.value).endswith(".")
    assert not Game.objects.exists()


def test_nobody_can_fill_the_lobby_alone(alice):
    for _table in range(lobby.MOST_OPEN):
        lobby.open_table(user=alice)
    with pytest.raises(TableError):
        lobby.open_table(user=alice)


def test_an_open_table_closes_after_14_days_and_its_people_are_notified(alice, bob):
    with time_machine.travel("2027-01-01T12:00Z", tick=False):
        game = lobby.open_table(user=alice, players=3, listed=True, full=True)
        lobby.join_table(game=game, user=bob)
    begin = datetime(2027, 1, 1, 12, tzinfo=UTC)
    assert lobby.close_stale_tables(begin + timedelta(days=14)) == 0
    assert lobby.close_stale_tables(begin + timedelta(days=14, seconds=1)) == 1
    assert lobby.close_stale_tables(begin + timedelta(days=15)) == 0
    assert again(game).status == "closed" and FullGame.objects.get().status == "closed"
    assert set(Notice.objects.values_list("kind", "seat__user")) == {("closed", alice.pk), ("closed", bob.pk)}


def test_the_lobby_lists_open_listed_tables_with_the_newest_first(alice, bob, eve):
    first = lobby.open_table(user=alice, players=3, listed=True)
    second = lobby.open_table(user=bob, players=2, listed=True)
    lobby.open_table(user=bob, players=2)
    shown = selector.open_tables(user=alice)
    assert [row.game for row in shown] == [second, first]
    assert [row.seat is not None for row in shown] == [False, True]
    assert [row.free for row in shown] == [1, 2]
    assert [row.seat for row in selector.open_tables(user=None)] == [None, None]


def test_tables_of_many_guests_do_not_push_those_of_others_out_of_the_lobby(alice, monkeypatch):
    monkeypatch.setattr(selector, "MOST_OPEN", 3)
    User.objects.filter(pk=alice.pk).update(date_joined=timezone.now() - timedelta(days=30))
    hers = lobby.open_table(user=alice, players=3, listed=True)
    others = [lobby.open_table(user=make_guest(), players=3, listed=True) for _guest in range(4)]
    assert [row.game for row in selector.open_tables(user=None)] == [others[3], others[2], hers]


def test_an_invitation_leads_to_its_table(alice, eve):
    game = lobby.open_table(user=alice, players=3)
    assert selector.invited(token=game.invite_token, user=eve).game == game
    with pytest.raises(NotFound):
        selector.invited(token="x", user=eve)
