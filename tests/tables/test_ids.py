"""Public ids are short and random, so the same one can be drawn twice. Nobody may notice that."""

import secrets
from collections.abc import Iterable

import pytest
from django.db import IntegrityError

from games.tables.models import Game
from games.tables.models.game import LETTERS, new_game
from games.tables.services import lobby, records
from tests.cast import again, play_out, table_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def draw(monkeypatch, *ids: str) -> None:
    """Make these the next random ids."""
    letters: Iterable[str] = iter("".join(ids))
    monkeypatch.setattr(secrets, "choice", lambda these: next(letters) if these is LETTERS else these[0])


def test_an_id_that_is_taken_is_drawn_again(monkeypatch, alice):
    draw(monkeypatch, "bbbbbbbb", "bbbbbbbb", "bbbbbbbb", "cccccccc")
    assert [lobby.open_table(user=alice).public_id for _table in range(2)] == ["bbbbbbbb", "cccccccc"]


def test_the_next_game_of_a_full_game_begins_even_if_its_id_is_taken(monkeypatch, alice, bob):
    first = table_of(alice, bob, full=True)
    draw(monkeypatch, first.public_id, "dddddddd")
    play_out(first)
    assert first.full_game.games.get(number=2).public_id == "dddddddd"


def test_a_record_is_imported_even_if_its_id_is_taken(monkeypatch, finished):
    data = records.export(public_id=finished.public_id, user=None)
    draw(monkeypatch, finished.public_id, "ffffffff")
    assert again(records.take_in(data=data)).public_id == "ffffffff"


def test_other_database_errors_are_not_retried_forever(alice, bob):
    first = table_of(alice, bob)
    fields = {"ruleset": "legends", "rules_version": 1, "players": 2, "opened_at": first.opened_at}
    with pytest.raises(IntegrityError):
        new_game(**fields, invite_token=first.invite_token)
    assert Game.objects.count() == 1
