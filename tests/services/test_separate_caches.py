"""Web processes with separate caches: what one of them keeps must never be shown when it no longer holds.

Another process accepts each turn, as another machine would, so that nothing tells this one to forget anything. What
readers are shown here afterwards must equal what they are shown with empty caches. That finds keys without the version
of the game, the language or the theme, and keys shared by readers who may not know the same.
"""

import gc
import os
import random
from collections.abc import Iterator
from datetime import timedelta
from functools import _lru_cache_wrapper

import pytest
import time_machine
from django.core.cache import caches
from django.db import connection
from django.utils import timezone

from accounts.models import Theme, User
from games.tables.models import Game
from tests.cast import in_turns, person, table_of
from tests.services.desk import Desk
from tests.tables.readings import difference, look, readings

pytestmark = [pytest.mark.long, pytest.mark.processes]
OURS = ("accounts.", "empire.", "games.")
TURNS = 3
TURN = """
from games.bots.bot import play_turn
from games.bots.registry import BOTS
from games.rules.fairness import Quick
from games.tables.models import Game
from games.tables.selectors import table
from games.tables.services import play
from tests.cast import seats_of, state_of
game = Game.objects.get(public_id="{game}")
for seat in [seat.number for seat in seats_of(game) if seat.owes]:
    game.refresh_from_db()
    actions = play_turn(game.rules, game.rules.view(state_of(game), seat), BOTS["easy"], Quick({number}))
    play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=game.seq)
answer(game.seq)
"""


@pytest.fixture
def other_machine(transactional_db: None) -> Iterator[Desk]:
    where = connection.settings_dict["NAME"]
    database = {"DATABASE_URL": f"sqlite:///{where}"} if connection.vendor == "sqlite" else {}
    desk = Desk(os.environ | database)
    yield desk
    desk.close()


def empty_caches() -> None:
    for cache in caches.all():
        cache.clear()
    for value in gc.get_objects():
        if type(value) is _lru_cache_wrapper and value.__module__.startswith(
            OURS
        ):  # `isinstance` would wake lazy objects
            value.cache_clear()


@pytest.fixture
def people(transactional_db: None) -> list[User]:
    """Readers in pairs that differ in one thing: the seat, the language, the theme, or whether they play at all."""
    return [
        person("Alice"), person("Bob"), person("Carol", language="de"),
        person("Eve"), person("Frank", language="de"), person("Grace", theme=Theme.DARK),
    ]  # fmt: skip


@pytest.fixture(params=["legends", "kingdoms"])
def game(request: pytest.FixtureRequest, people: list[User]) -> Game:
    start = in_turns if request.param == "legends" else table_of
    return start(*people[:3], ruleset=request.param)


def test_a_turn_on_another_machine_is_shown_at_once_and_each_reader_sees_their_own_page(
    game: Game, people: list[User], other_machine: Desk, small_pictures: None
) -> None:
    readers, chance = [*people, None], random.Random(1)
    for number in range(TURNS):
        before = game.seq
        other_machine.run(TURN.format(game=game.public_id, number=number))
        game.refresh_from_db()
        assert game.seq > before
        with time_machine.travel(timezone.now() + timedelta(minutes=1), tick=False):
            chance.shuffle(readers)
            for reader in readers:
                look(game, reader)
            warm = {reader: readings(game, reader) for reader in readers}
            for reader in readers:
                empty_caches()
                cold = readings(game, reader)
                assert warm[reader] == cold, f"to {reader}: {difference(warm[reader], cold)}"
