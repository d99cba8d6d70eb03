"""The database itself refuses to change the log."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import ProtectedError

from accounts.models import Done, ModerationEntry
from accounts.moderation import services as moderation
from games.tables.models import Entry, Game, Seed
from tests.cast import table_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def test_an_entry_cannot_be_changed(alice, bob):
    game = table_of(alice, bob)
    refused(lambda: Entry.objects.filter(game=game).update(seat=1))
    assert Entry.objects.get(game=game).seat is None


def test_an_entry_cannot_be_deleted(alice, bob):
    game = table_of(alice, bob)
    refused(lambda: Entry.objects.filter(game=game).delete())
    assert Entry.objects.filter(game=game).count() == 1


def test_an_entry_cannot_be_replaced_in_plain_sql(alice, bob):
    table_of(alice, bob)
    refused(lambda: connection.cursor().execute("UPDATE tables_entry SET digest = ''"))
    refused(lambda: connection.cursor().execute("DELETE FROM tables_entry"))


def test_the_log_cannot_be_truncated_or_replaced(alice, bob):
    table_of(alice, bob)
    before = list(Entry.objects.values())
    replace = "INSERT OR REPLACE INTO tables_entry SELECT * FROM tables_entry"
    statement = replace if connection.vendor == "sqlite" else "TRUNCATE tables_entry"
    refused(lambda: connection.cursor().execute(statement))
    assert list(Entry.objects.values()) == before


def test_a_second_entry_with_the_same_number_is_refused(alice, bob):
    entry = Entry.objects.get(game=table_of(alice, bob))
    entry.pk = None
    refused(lambda: entry.save(force_insert=True))


def test_a_game_with_a_log_cannot_be_deleted(alice, bob):
    game = table_of(alice, bob)
    with pytest.raises(ProtectedError):
        game.delete()
    assert Game.objects.filter(pk=game.pk).exists() and Seed.objects.filter(game=game).exists()


def test_a_deleted_account_leaves_the_game_to_the_others(alice, bob):
    game = table_of(alice, bob)
    bob.delete()
    assert list(game.seats.values_list("name", "user")) == [("Alice", alice.pk), ("Former player", None)]


def test_the_log_of_the_moderators_is_insert_only(alice):
    line = moderation.write(Done.RIGHTS, by=None, who=alice, words="as it was")
    line.words = "otherwise"
    refused(line.save)
    refused(line.delete)
    refused(lambda: ModerationEntry.objects.all().update(words=""))
    refused(lambda: ModerationEntry.objects.all().delete())
    table = "accounts_moderationentry"
    replace = f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}"
    refused(lambda: connection.cursor().execute(replace if connection.vendor == "sqlite" else f"TRUNCATE {table}"))
    assert ModerationEntry.objects.get().words == "as it was"


def refused(doing) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        doing()
