"""Tables that take long to play are played once by each worker; then their rows are put back as they were."""

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
    """The game that `play` leads to, in a database with nobody but its people and without another game.

    The key tells what is played and by whom, primary keys and all.
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
    """The same, whoever else has an account; a table behind the first of a test is played."""
    if Game.objects.exists():
        return play()
    return kept(*key, tuple(User.objects.order_by("pk").values_list("pk", "username")), play=play)


def played_out(*people: User, **more: Hashable) -> Game:
    """A table of these people that has been played to its end; the first one of a test is kept for others that day."""
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
