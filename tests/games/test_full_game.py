"""A full game: three in a row by themselves, the set-up seat moved on, the sum decides."""

import pytest
from django.utils import timezone

from games.leagues import services as leagues
from games.leagues.models import FullGame
from games.models import Entry, Game, Notice
from games.services import lobby
from tests.cast import again, play_out, seats_of, table_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def first(alice, bob, carol) -> Game:
    return table_of(alice, bob, carol, full=True, clock_hours=24)


def games(full: FullGame) -> list[Game]:
    return list(Game.objects.filter(full_game=full).order_by("number"))


def setter(game: Game) -> int:
    return next(event["setter"] for event in Entry.objects.get(game=game, seq=0).events if "setter" in event)


def test_the_next_game_begins_by_itself_with_the_same_people_in_the_same_seats(first):
    play_out(first)
    second = games(first.full_game)[1]
    assert (second.number, second.is_running, second.clock_hours, second.listed) == (2, True, 24, True)
    assert [(seat.number, seat.user_id, seat.name) for seat in seats_of(second)] == [
        (seat.number, seat.user_id, seat.name) for seat in seats_of(first)
    ]
    assert second.invite_token != first.invite_token


def test_everybody_is_told_that_the_next_game_began(first):
    play_out(first)
    second = games(first.full_game)[1]
    assert Notice.objects.filter(kind="started", seat__game=second).count() == 3


def test_r5_the_set_up_seat_moves_on_to_the_left(first):
    for number in range(3):
        play_out(games(first.full_game)[number])
    setters = [setter(game) for game in games(first.full_game)]
    assert setters == [setters[0], (setters[0] + 1) % 3, (setters[0] + 2) % 3]


def test_behind_the_third_game_the_sum_is_written_down(first):
    for number in range(3):
        play_out(games(first.full_game)[number])
    full = FullGame.objects.get()
    assert full.status == "finished" and full.ended_at and len(games(full)) == 3
    totals = [[seats_of(game)[seat].total for game in games(full)] for seat in range(3)]
    assert [line["games"] for line in full.standing] == totals
    assert [line["points"] for line in full.standing] == [sum(points) for points in totals]
    best = max(full.standing, key=lambda line: (line["points"], line["won"], line["coins"]))
    assert best["place"] == 1


def test_the_status_of_the_full_game_follows_its_table(alice, bob):
    game = lobby.open_table(user=alice, players=2, listed=True, full=True)
    assert FullGame.objects.get().status == "open"
    lobby.join_table(game=game, user=bob)
    assert FullGame.objects.get().status == "running"


def test_closing_the_table_closes_the_full_game(alice):
    lobby.close_table(game=lobby.open_table(user=alice, full=True), user=alice)
    assert FullGame.objects.get().status == "closed"


def test_the_sweep_goes_on_with_what_stands_still_and_only_once(first):
    play_out(first)
    second = games(first.full_game)[1]
    stand_still(first, second)
    assert leagues.sweep_full_games(timezone.now()) == 1
    assert leagues.sweep_full_games(timezone.now()) == 0
    assert [game.number for game in games(first.full_game)] == [1, 2]


def stand_still(first: Game, second: Game) -> None:
    """As if the second game had never been opened."""
    Game.objects.filter(pk=second.pk).update(full_game=None)
    assert games(first.full_game) == [again(first)]


def test_going_on_twice_opens_one_game(first):
    ended = play_out(first)
    assert leagues.go_on(game=ended, now=timezone.now()) is None
    assert len(games(first.full_game)) == 2


def test_a_single_game_is_followed_by_none(alice, bob):
    play_out(table_of(alice, bob))
    assert Game.objects.count() == 1


def test_somebody_who_left_is_played_on_for(first, carol):
    carol.delete()
    play_out(first)
    assert [seat.name for seat in seats_of(games(first.full_game)[1])] == ["Alice", "Bob", "Former player"]
