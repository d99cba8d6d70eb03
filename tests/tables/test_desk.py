"""The desk: games that wait for the player come first, and two queries are enough for many games."""

from datetime import timedelta

import pytest
import time_machine

from games.home import desk
from games.tables.models import Game, Seat
from games.tables.selectors import listed
from games.tables.services import lobby
from tests.cast import again, bid, in_turns, play_turns, seats_of, table_of
from tests.tables.interventions import end

pytestmark = pytest.mark.django_db


def ended_early(*people) -> Game:
    """Return a game that staff have ended."""
    return again(end(play_turns(in_turns(*people), 2)))


def test_games_that_wait_for_the_player_come_first_sorted_by_deadline(alice, bob):
    slow = in_turns(alice, bob, clock="move 72h")
    quick = in_turns(alice, bob, clock="move 1h")
    bobs_turn = play_turns(in_turns(alice, bob), 1)
    waiting = lobby.open_table(user=alice, players=3)
    ended = ended_early(alice, bob)
    shown = desk.desk(user=alice)
    assert [line.game for line in shown.mine] == [quick, slow]
    assert [line.game for line in shown.others] == [bobs_turn]
    assert [line.game for line in shown.open] == [waiting]
    assert [line.game for line in shown.finished] == [ended]


def test_each_line_shows_the_deadline_and_the_opponents(alice, bob):
    game = in_turns(alice, bob)
    line = desk.desk(user=alice).mine[0]
    assert line.deadline == seats_of(game)[0].deadline
    assert [seat.name for seat in line.others] == ["Bob"]
    assert line.waiting_for == (0,)


def test_a_table_waits_for_everyone_while_bids_are_sealed(alice, bob):
    table_of(alice, bob)
    assert desk.desk(user=alice).mine[0].waiting_for == (0, 1)


def test_only_the_most_recent_finished_games_are_shown(alice, bob):
    running = in_turns(alice, bob)
    ended = [ended_early(alice, bob) for _game in range(3)]
    shown = desk.desk(user=alice, finished=2)
    assert [line.game for line in shown.finished] == [ended[2], ended[1]]
    assert [line.game for line in (*shown.mine, *shown.others)] == [running]


def test_a_visitor_has_an_empty_desk(alice, bob):
    in_turns(alice, bob)
    assert desk.desk(user=None) == desk.Desk([], [], [], [], [])
    assert desk.menu(None) == (0, False) and listed.next_waiting(listed.queue(None)) is None


def test_the_desk_takes_two_queries_with_fifty_games(alice, bob, django_assert_max_num_queries):
    for _game in range(5):
        in_turns(alice, bob)
    copies(45, alice, bob)
    with django_assert_max_num_queries(2):
        assert len(desk.desk(user=alice).mine) == 50


def copies(n: int, *people) -> None:
    """Copy the rows of the last game and its seats. Desks read no logs."""
    pattern = Game.objects.latest("pk")
    for _copy in range(n):
        seats = seats_of(pattern)
        game = again(pattern)
        game.pk, game.public_id, game.invite_token = None, _fresh(), _fresh()
        game.save(force_insert=True)
        for seat in seats:
            seat.pk, seat.game = None, game
        Seat.objects.bulk_create(seats)


def _fresh() -> str:
    from games.tables.models.game import new_public_id

    return new_public_id()


def test_waiting_games_are_counted(alice, bob):
    for _game in range(3):
        in_turns(alice, bob)
    play_turns(in_turns(alice, bob), 1)
    assert (desk.menu(alice), desk.menu(bob)) == ((3, False), (1, False))


def test_the_next_waiting_game_cycles_by_deadline(alice, bob):
    first, second, third = (in_turns(alice, bob, clock=f"move {hours}h") for hours in (10, 20, 30))
    assert listed.next_waiting(listed.queue(alice)) == first
    assert listed.next_waiting(listed.queue(alice), after=first) == second
    assert listed.next_waiting(listed.queue(alice), after=third) == first
    elsewhere = play_turns(in_turns(alice, bob), 1)
    assert listed.next_waiting(listed.queue(alice), after=elsewhere) == first


def test_the_current_game_is_not_the_next(alice, bob):
    only = in_turns(alice, bob)
    assert listed.next_waiting(listed.queue(alice), after=only) is None


def test_a_game_does_not_wait_for_a_player_who_has_bid(alice, bob):
    game = table_of(alice, bob)
    bid(game, 3)
    assert listed.next_waiting(listed.queue(alice)) is None and listed.next_waiting(listed.queue(bob)) == game


def test_finished_games_are_shown_with_the_latest_first(alice, bob):
    with time_machine.travel("2027-01-01T00:00Z", tick=False) as clock:
        games = []
        for _game in range(3):
            clock.shift(timedelta(days=1))
            games.append(ended_early(alice, bob))
    assert [line.game for line in desk.desk(user=bob).finished] == games[::-1]
