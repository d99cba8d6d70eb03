"""The queue only wakes workers: turns count without it and never wait for it."""

import time
from collections.abc import Iterator

import pytest
from celery import Celery
from django.db import transaction

from empire.celery import app
from empire.on_commit import delay_on_commit
from games.tables.models import Game
from games.tables.services import bots, lobby, play
from tests.cast import again, in_turns, some_turn
from tests.running import free_port

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


@pytest.fixture
def dead_redis() -> Iterator[None]:
    """Connect the application to a Redis address where nothing listens."""
    dead = Celery("dead", broker=f"redis://localhost:{free_port()}/0", set_as_current=False)
    dead.conf.update(broker_transport_options={"max_retries": 0}, task_ignore_result=True)
    dead.set_current()
    yield
    app.set_current()


def test_a_turn_counts_without_delay_while_the_broker_is_down(alice, bob, dead_redis, caplog):
    game = in_turns(alice, bob)
    took = [time_of_a_turn(again(game)) for _turn in range(3)]
    assert min(took) < 2, "seconds, on a busy machine"
    assert again(game).seq == game.seq + 3
    assert "on_commit" in caplog.text


def time_of_a_turn(game: Game) -> float:
    seat, actions = some_turn(game)
    begin = time.perf_counter()
    play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=game.seq)
    return time.perf_counter() - begin


def test_the_sweep_plays_for_bots_while_the_broker_is_down(alice, dead_redis):
    game = lobby.play_now(user=alice, bots=["random"])
    assert bots.sweep_bots() == 1
    play.submit_turn(game=game, seat=0, actions=["bid 0"], expected_seq=0)
    assert again(game).seq == 2


def test_a_failed_transaction_wakes_nobody(dead_redis, caplog):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        delay_on_commit("games.tasks.play_bot", 1, 1)
        raise ZeroDivisionError
    assert "on_commit" not in caplog.text


def test_bots_that_must_act_are_woken(alice):
    """Tasks run at once in tests, so the bot has bid before the assertion."""
    game = lobby.play_now(user=alice, bots=["random"])
    play.submit_turn(game=game, seat=0, actions=["bid 0"], expected_seq=0)
    assert again(game).seq >= 2
