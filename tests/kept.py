"""Games that take long to play: each worker plays them once, keeps their rows, and copies them into later tests."""

from collections.abc import Callable, Hashable

from django.apps import apps
from django.db.models import Model
from django.utils import timezone

from accounts.models import User
from games.tables.models import Game
from tests.cast import in_turns, play_out

Rows = dict[type[Model], list[Model]]

_kept: dict[Hashable, tuple[int, Rows]] = {}


def kept(*key: Hashable, play: Callable[[], Game]) -> Game:
    """Return the game that `play` leads to, in a database that has only its people and no other game.

    The key says what is played and by whom, including primary keys.
    """
    assert not Game.objects.exists()
    if key in _kept:
        pk, rows = _kept[key]
        _put_back(rows)
    else:
        pk = play().pk
        _kept[key] = pk, _everything()
    return Game.objects.get(pk=pk)


def kept_if_first(*key: Hashable, play: Callable[[], Game]) -> Game:
    """Do the same when other people have accounts. Any later game of a test is played, not copied."""
    if Game.objects.exists():
        return play()
    return kept(*key, tuple(User.objects.order_by("pk").values_list("pk", "username")), play=play)


def played_out(*people: User, **more: Hashable) -> Game:
    """Return a finished game of these people. The first one of a test is kept for other tests of that day."""
    key = ("played out", timezone.now().date(), people, *more.items())
    return kept_if_first(*key, play=lambda: play_out(in_turns(*people, **more)))


def _everything() -> Rows:
    ours = [
        model
        for name in ("accounts", "tables", "contests", "notices")
        for model in apps.get_app_config(name).get_models()
    ]
    return {model: list(model._base_manager.order_by("pk")) for model in ours if model._meta.managed}


def _put_back(rows: Rows) -> None:
    for model, those in rows.items():
        if model is not User:
            model._base_manager.bulk_create(those)
    for one in rows[User]:
        one.save()
