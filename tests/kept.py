"""Games that take long to play: each worker plays them once, keeps their rows, and copies them into later tests."""

import random
import secrets
from collections.abc import Callable, Hashable
from datetime import date
from functools import cache

from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import connection
from django.db.models import Model
from django.utils import timezone
from time_machine import escape_hatch

from accounts.models import User
from games.tables.models import Game

Rows = dict[type[Model], list[Model]]

_kept: dict[Hashable, tuple[int, Rows]] = {}
VOLATILE = {"date_joined", "last_login"}  # columns of users that differ from test to test and decide nothing

may_copy = False  # set for each test by the fixture `copied_games`
dice = random.Random()  # all random numbers of `secrets` come from here, also the seeds of games
run = 0  # the seed of the whole run


def seed_dice(*words: object) -> None:
    """Seed the dice with these words and the seed of the run. Conftest does this before each test."""
    dice.seed(repr((run, *words)))


def kept(*key: Hashable, play: Callable[[], Game]) -> Game:
    """Return the game that `play` leads to, in a database that has only its people and no other game.

    The key says what is played and by whom, including primary keys.
    """
    assert not Game.objects.exists()
    if key in _kept:
        pk, rows = _kept[key]
        put_back(rows)
    else:
        before = dice.getstate()  # the game must not depend on which test needs it first, or on the day
        seed_dice(*(part for part in key if not isinstance(part, date)))
        pk = play().pk
        dice.setstate(before)
        _kept[key] = pk, everything()
    return Game.objects.get(pk=pk)


def kept_if_first(*key: Hashable, play: Callable[[], Game]) -> Game:
    """Return the same as `kept`, also if other people have accounts. Any later game of a test is played, not copied."""
    if Game.objects.exists():
        return play()
    return kept(*key, tuple(User.objects.order_by("pk").values_list("pk", "username")), play=play)


def copied(*key: Hashable, play: Callable[[], Game]) -> Game:
    """Return the game that `play` leads to, copied if this worker has played it before from the same rows.

    Only in tests that allow it, and only the first game of a test, whose database has people and nothing else.
    """
    repeats_keys = connection.vendor == "sqlite" and connection.in_atomic_block  # so people have the same ones again
    if not (may_copy and repeats_keys) or _has_rows():
        return play()
    return kept(*key, _moment(), _seed(), _people(), play=play)


def _has_rows() -> bool:
    """Return whether the database has more than people."""
    with connection.cursor() as cursor:
        cursor.execute(_any_row())
        return bool(cursor.fetchone()[0])


@cache
def _any_row() -> str:
    tables = [model._meta.db_table for model in _models() if model is not User]
    return "SELECT " + " OR ".join(f"EXISTS (SELECT 1 FROM {connection.ops.quote_name(name)})" for name in tables)


def _moment() -> Hashable:
    """Return the time if the test has set the clock, otherwise the date."""
    return timezone.now() if escape_hatch.is_travelling() else timezone.now().date()


def _seed() -> Hashable:
    """Return the seed of the next game if the test has fixed it."""
    first, second = secrets.token_bytes(32), secrets.token_bytes(32)
    return first if first == second else None


def _people() -> str:
    columns = [field.attname for field in User._meta.concrete_fields if field.attname not in VOLATILE]
    confirmed = EmailAddress.objects.order_by("pk").values_list("user_id", "email", "verified", "primary")
    return repr((list(User.objects.order_by("pk").values_list(*columns)), list(confirmed)))


def played_out(*people: User, **more: Hashable) -> Game:
    """Return a finished game of these people. The first one of a test is kept for other tests of that day."""
    from tests.cast import in_turns, play_out  # which uses this module

    key = ("played out", timezone.now().date(), people, *more.items())
    return kept_if_first(*key, play=lambda: play_out(in_turns(*people, **more)))


@cache
def _models() -> list[type[Model]]:
    names = ("accounts", "tables", "contests", "notices")
    return [model for name in names for model in apps.get_app_config(name).get_models() if model._meta.managed]


def everything() -> Rows:
    """Return all rows of the database, by model."""
    return {model: list(model._base_manager.order_by("pk")) for model in _models()}


def put_back(rows: Rows) -> None:
    """Write the rows that `everything` returned."""
    for model, objects in rows.items():
        if model is not User:
            model._base_manager.bulk_create(objects)
    for user in rows[User]:
        user.save()
