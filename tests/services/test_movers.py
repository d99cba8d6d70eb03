"""Many at once on one game, each with a connection of its own. Run on SQLite, and by test_postgresql.py there too."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from games.leagues import services as leagues
from games.models import Draft, Entry, Game, Notice, Seat
from games.services import bots, clock, lobby, play, records
from games.services.errors import GameError, Stale, TableError
from tests.cast import again, in_turns, person, play_out, seats_of, some_turn, state_of, table_of

pytestmark = pytest.mark.django_db(transaction=True)

MOVERS = 8


def at_once(doings: Sequence[Callable[[], Any]]) -> list[Any]:
    """What each of them returned, or the refusal that it met."""
    barrier = Barrier(len(doings))

    def one(doing: Callable[[], Any]) -> Any:
        try:
            barrier.wait(10)
            return doing()
        except GameError as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(doings)) as pool:
        return list(pool.map(one, doings))


def different_turns(game: Game) -> list[list[str]]:
    """Eight whole turns of the seat to act, no two of them the same."""
    rules, state = game.rules, state_of(game)
    seat, turns = state.turn, []
    for take in rules.legal(state, seat):
        taken = state.copy()
        for event in rules.decide(taken, seat, take, None):
            rules.evolve(taken, event)
        steps = map(rules.text, rules.legal(taken, seat))
        turns += [[rules.text(take), *([] if step == "done" else [step]), "done"] for step in steps]
    legal = [turn for turn in turns if ends(game, seat, turn)]
    return [[*turn] for turn in dict.fromkeys(map(tuple, legal))][:MOVERS]


def ends(game: Game, seat: int, turn: list[str]) -> bool:
    try:
        play.lay_out(game=game, seat=seat, actions=turn, expected_seq=game.seq)
    except GameError:
        return False
    return True


def mover(game: Game, seat: int, actions: list[str]) -> Callable[[], Game]:
    return lambda: play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=game.seq)


def test_of_eight_movers_on_one_turn_one_wins_and_seven_get_the_sentence(alice, bob):
    game = in_turns(alice, bob)
    turns = different_turns(game)
    assert len(turns) == MOVERS
    answers = at_once([mover(game, 0, turn) for turn in turns])
    assert sum(isinstance(answer, Game) for answer in answers) == 1
    assert [str(answer) for answer in answers if not isinstance(answer, Game)] == [str(Stale())] * 7
    assert again(game).seq == game.seq + 1
    assert records.verify(game=again(game)) == []


def test_eight_times_the_same_turn_counts_once_and_all_are_told_that_it_stands(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    answers = at_once([mover(game, seat, actions)] * MOVERS)
    assert [answer.seq for answer in answers] == [game.seq + 1] * MOVERS
    assert Entry.objects.filter(game=game, seq__gt=game.seq).count() == 1
    assert Notice.objects.filter(kind="turn", seq=game.seq + 1).count() == 1


def test_bids_that_come_in_at_one_moment_are_all_counted(alice, bob, carol, dan):
    game = table_of(alice, bob, carol, dan)
    at_once([mover(game, seat, [f"bid {seat}"]) for seat in range(4)] * 2)
    assert state_of(game).bids == [0, 1, 2, 3]
    assert again(game).seq == 4 and not Draft.objects.exists()


def test_of_eight_who_want_the_last_seat_one_gets_it(alice):
    game = lobby.open_table(user=alice, players=2, listed=True)
    guests = [person(f"Guest {n}") for n in range(MOVERS)]
    answers = at_once([lambda guest=guest: lobby.join_table(game=game, user=guest) for guest in guests])
    assert sum(isinstance(answer, TableError) for answer in answers) == MOVERS - 1
    assert Seat.objects.filter(game=game).count() == 2 and again(game).is_running


def test_two_sweeps_play_an_overdue_turn_once(alice, bob):
    game = in_turns(alice, bob, clock_hours=1)
    later = timezone.now() + timedelta(hours=1, minutes=1)
    at_once([lambda: clock.sweep_overdue(later)] * 2)
    assert Entry.objects.filter(game=game, by="clock").count() == 1
    assert again(game).seq == game.seq + 1


def test_two_workers_play_a_bots_turn_once(alice):
    game = lobby.play_now(user=alice, bots=["greedy"])
    at_once([lambda: bots.play_bot(game=game.pk, seat=1)] * 4)
    play.submit_turn(game=game, seat=0, actions=["bid 12"], expected_seq=0)
    assert Entry.objects.filter(game=game, seat=1, seq__lte=2).count() == 1
    assert records.verify(game=again(game)) == []


def test_a_player_and_the_clock_at_one_moment_make_one_entry(alice, bob):
    game = in_turns(alice, bob, clock_hours=1)
    seat, actions = some_turn(game)
    later = timezone.now() + timedelta(hours=2)
    at_once([mover(game, seat, actions), lambda: clock.sweep_overdue(later)])
    assert Entry.objects.filter(game=game, seq__gt=game.seq, seat=0).count() == 1


def test_two_devices_lay_steps_out_one_behind_the_other(alice, bob):
    game = in_turns(alice, bob)
    adders = [lambda: play.add_step(game=game, seat=0, action=some_turn(game)[1][0], expected_seq=game.seq)] * 2
    answers = at_once(adders)
    assert sum(isinstance(answer, GameError) for answer in answers) == 1
    assert len(Draft.objects.get().actions) == 1


def test_a_full_game_goes_on_once_however_many_see_its_game_end(alice, bob):
    game = play_out(table_of(alice, bob, full=True))
    at_once(
        [lambda: leagues.go_on(game=game, now=timezone.now())] * 4 + [lambda: leagues.sweep_full_games(timezone.now())]
    )
    assert list(Game.objects.filter(full_game=game.full_game).values_list("number", flat=True)) == [1, 2]


def test_a_game_of_four_bots_plays_itself_to_the_end(alice):
    game = lobby.play_now(user=alice, bots=["greedy", "random", "greedy"])
    alice.delete()
    bots.sweep_bots()  # from here each turn rings the next
    ended = again(game)
    assert ended.is_finished and records.verify(game=ended) == []
    assert {seat.place for seat in seats_of(ended)} >= {1}
