"""The queue is only a doorbell: a move counts without it, and is not held up by it."""

import time
from collections.abc import Iterator

import pytest
from celery import Celery
from django.db import transaction

from empire.bell import ring
from empire.celery import app
from games.tables.models import Game
from games.tables.services import bots, lobby, play
from tests.cast import again, in_turns, some_turn
from tests.running import free_port

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


@pytest.fixture
def dead_redis() -> Iterator[None]:
    """The application as with REDIS_URL set, where nobody listens."""
    dead = Celery("dead", broker=f"redis://localhost:{free_port()}/0", set_as_current=False)
    dead.conf.update(broker_transport_options={"max_retries": 0}, task_ignore_result=True)
    dead.set_current()
    yield
    app.set_current()


def test_with_the_broker_down_a_move_counts_and_is_not_delayed(alice, bob, dead_redis, caplog):
    game = in_turns(alice, bob)
    took = [time_of_a_turn(again(game)) for _turn in range(3)]
    assert min(took) < 2, "seconds, on a machine that does much else"
    assert again(game).seq == game.seq + 3
    assert "on_commit" in caplog.text


def time_of_a_turn(game: Game) -> float:
    seat, actions = some_turn(game)
    begin = time.perf_counter()
    play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=game.seq)
    return time.perf_counter() - begin


def test_with_the_broker_down_the_sweep_still_plays_the_bots(alice, dead_redis):
    game = lobby.play_now(user=alice, bots=["random"])
    assert bots.sweep_bots() == 1
    play.submit_turn(game=game, seat=0, actions=["bid 0"], expected_seq=0)
    assert again(game).seq == 2


def test_nothing_rings_when_the_transaction_fails(dead_redis, caplog):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        ring("games.tasks.play_bot", 1, 1)
        raise ZeroDivisionError
    assert "on_commit" not in caplog.text


def test_bells_go_to_the_bots_that_are_to_act(alice):
    """Tasks run at once here, so the bot has bid before anybody looks."""
    game = lobby.play_now(user=alice, bots=["random"])
    play.submit_turn(game=game, seat=0, actions=["bid 0"], expected_seq=0)
    assert again(game).seq >= 2
