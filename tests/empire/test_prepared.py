"""Queries and updates whose SQL is written once."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.db import connection, transaction
from django.db.models import F, Q, Value
from django.db.models.expressions import RawSQL
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from empire.prepared import Prepared, PreparedChange, PreparedUpdate
from games.tables.models import Seat
from games.tables.services import lobby
from tests.cast import person, table_of

pytestmark = pytest.mark.django_db


def test_it_returns_the_rows_of_its_query_for_each_value():
    alice, bob = person("Alice", time_zone="Europe/Berlin"), person("Bob")
    by_name = Prepared(lambda name: User.objects.filter(username=name, is_active=True))
    for user in (alice, bob, alice):
        (user_row,) = by_name(user.username)
        assert vars(user_row) | {"_state": None} == vars(User.objects.get(pk=user.pk)) | {"_state": None}
    assert by_name("Carol") == []
    bob.is_active = False
    bob.save()
    assert by_name("Bob") == []


def test_values_are_given_in_the_order_of_its_parameters():
    alice = person("Alice")
    both = Prepared(lambda pk, name: User.objects.filter(username=name, pk=pk))
    assert both(alice.pk, "Alice") == [alice]
    assert both(alice.pk, "Bob") == []


def test_a_value_is_data_and_never_sql():
    person("Alice")
    assert Prepared(lambda name: User.objects.filter(username=name))("' OR '1' = '1") == []


def test_constants_are_written_into_the_sql():
    odd = "100%s 'sure' %"
    alice, bob = person("Alice"), person("Bob")
    same = Prepared(
        lambda pk: (
            User.objects.filter(pk=pk, is_active=True).alias(text=Value(odd)).filter(text=odd, username__endswith="e")
        )
    )
    assert same(alice.pk) == [alice] and same(bob.pk) == []
    assert same.as_raw(alice.pk)[1] == [alice.pk]


def test_a_list_of_keys_is_one_parameter():
    people = [person(name) for name in ("Alice", "Bob", "Carol")]
    among = Prepared(
        lambda keys, other: User.objects.filter(Q(pk__in=keys) | Q(pk=other)).exclude(pk__in=[0]).order_by("pk")
    )
    assert among([people[0].pk], people[2].pk) == [people[0], people[2]]
    assert among([user.pk for user in people], 0) == people
    assert among([], 0) == []


def test_a_query_that_is_planned_once_finds_the_same_rows():
    alice, bob = person("Alice"), person("Bob")
    by_key = Prepared(lambda pk: User.objects.filter(pk=pk, is_active=True), is_planned_once=True)
    for user in (alice, bob):
        assert by_key(user.pk) == [user]


def test_annotations_are_attributes_and_left_out_columns_are_read_when_they_are_needed():
    alice = person("Alice")
    by_key = Prepared(lambda pk: User.objects.filter(pk=pk).only("username").annotate(address=F("email")))
    (user_row,) = by_key(alice.pk)
    assert user_row.address == "alice@example.org"
    assert user_row.get_deferred_fields() >= {"email", "time_zone"}
    assert user_row.time_zone == alice.time_zone


def test_values_are_those_of_python():
    alice = person("Alice", night={"begins": "22:00"})
    by_key = Prepared(
        lambda pk: User.objects.filter(pk=pk).annotate(
            is_guest_too=F("is_guest"), joined=F("date_joined"), dark=F("night")
        )
    )
    for _ in range(2):
        (user_row,) = by_key(alice.pk)
        assert (user_row.is_guest, user_row.night, user_row.date_joined) == (False, alice.night, alice.date_joined)
        assert user_row.is_guest_too is False and user_row.joined == alice.date_joined and user_row.dark == alice.night


def test_values_can_be_moments_and_lists_of_any_length(alice, bob):
    User.objects.filter(pk=bob.pk).update(date_joined=alice.date_joined + timedelta(days=1))
    older = Prepared(lambda pks, at: User.objects.filter(pk__in=pks, date_joined__lte=at).order_by("pk"))
    bob.refresh_from_db()
    for keys, at, expected in (
        ([alice.pk, bob.pk], bob.date_joined, [alice, bob]),
        ([bob.pk, alice.pk], alice.date_joined, [alice]),
        ([bob.pk], bob.date_joined, [bob]),
        ([bob.pk], bob.date_joined - timedelta.resolution, []),
    ):
        assert older(keys, at) == expected


def test_related_objects_come_with_their_rows(alice, bob, django_assert_num_queries):
    game, free = table_of(alice, bob), lobby.open_table(user=alice, players=2)
    Seat.objects.filter(game=free).update(user=None, bot="medium")
    first = Prepared(
        lambda games: Seat.objects.filter(game__in=games, number=0).select_related("user", "game__snapshot")
    )
    with django_assert_num_queries(1):
        by_game = {seat.game_id: seat for seat in first([game.pk, free.pk])}
        assert [by_game[table.pk].user for table in (game, free)] == [alice, None]
        assert vars(by_game[game.pk].user) | {"_state": None} == vars(alice) | {"_state": None}
        assert by_game[game.pk].game == game and by_game[game.pk].game.snapshot.seq == game.seq


def test_it_can_be_a_part_of_another_query():
    alice, bob = person("Alice"), person("Bob")
    keys = Prepared(lambda pk: User.objects.filter(pk=pk).values("pk"))
    for user in (alice, bob):
        assert list(User.objects.filter(pk__in=RawSQL(*keys.as_raw(user.pk)))) == [user]


def test_each_call_takes_one_statement():
    alice = person("Alice")
    by_key = Prepared(lambda pk: User.objects.filter(pk=pk))
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            by_key(alice.pk)
        assert len(queries) == 1


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_in_a_transaction_only():
    alice = person("Alice")
    locking = Prepared(lambda pk: User.objects.select_for_update().filter(pk=pk))
    with transaction.atomic():
        assert locking(alice.pk) == [alice]
    with pytest.raises(transaction.TransactionManagementError):
        locking(alice.pk)


def test_an_update_saves_its_fields_of_one_row_and_says_whether_it_is_there():
    alice, bob = person("Alice"), person("Bob")
    save = PreparedUpdate(User, "night", "away_until", "is_guest")
    alice.night, alice.away_until, alice.is_guest, alice.time_zone = (
        {"begins": "22:00"},
        alice.date_joined,
        True,
        "Asia/Tokyo",
    )
    with CaptureQueriesContext(connection) as queries:
        assert save(alice)
    assert len(queries) == 1
    saved = User.objects.get(pk=alice.pk)
    assert (saved.night, saved.away_until, saved.is_guest) == (alice.night, alice.away_until, True)
    assert saved.time_zone == "UTC" and not User.objects.get(pk=bob.pk).is_guest
    User.objects.filter(pk=alice.pk).delete()
    assert not save(alice)


def test_a_value_that_rises_is_never_lowered():
    alice = person("Alice")
    joined, day = alice.date_joined, timedelta(days=1)
    save = PreparedUpdate(User, "date_joined", "time_zone", rises="date_joined")
    for days, zone in ((1, "Asia/Tokyo"), (1, "UTC"), (0, "UTC")):
        alice.date_joined, alice.time_zone = joined + days * day, zone
        assert save(alice) is (zone == "Asia/Tokyo")
        saved = User.objects.get(pk=alice.pk)
        assert (saved.date_joined, saved.time_zone) == (joined + day, "Asia/Tokyo")


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_only_an_update_that_may_be_lost_does_not_wait_for_the_disk():
    alice = person("Alice")
    save = PreparedUpdate(User, "time_zone", may_be_lost=True)

    def waits() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            return cursor.fetchone()[0] == "on"

    for zone in ("Asia/Tokyo", "Europe/Berlin"):
        alice.time_zone = zone
        with CaptureQueriesContext(connection) as queries:
            assert save(alice)
        assert User.objects.get(pk=alice.pk).time_zone == zone
        if connection.vendor == "postgresql":
            assert "synchronous_commit" in queries[0]["sql"] and waits()
    with transaction.atomic():
        assert save(alice)
        assert connection.vendor != "postgresql" or waits()


def test_a_user_is_read_by_their_key_from_those_that_a_manager_has(django_assert_num_queries):
    alice, bob, group = person("Alice"), person("Bob"), Group.objects.create(name="staff")
    group.user_set.add(bob)
    with django_assert_num_queries(1):
        assert User.objects.get(pk=alice.pk).username == "Alice"
    assert group.user_set.get(pk=bob.pk) == bob == User.objects.get(pk=str(bob.pk), username="Bob")
    for users, key in ((User.objects, bob.pk + 1), (group.user_set, alice.pk)):
        with pytest.raises(User.DoesNotExist):
            users.get(pk=key)


def test_a_change_updates_the_rows_of_its_query_and_counts_them(alice, bob):
    leave = PreparedChange(
        lambda pks, name, until, hour: (
            User.objects.filter(pk__in=pks, is_guest=False),
            {"language": name, "away_until": until, "digest_hour": hour, "delay": F("delay") + 1},
        )
    )
    until = alice.date_joined
    for pks, language, at, count in (
        ([alice.pk, bob.pk], "de", until, 2),
        ([alice.pk], "fr", None, 1),
        ([0], "", until, 0),
    ):
        with CaptureQueriesContext(connection) as queries:
            assert leave(pks, language, at, count) == count
        assert len(queries) == 1
    rows = User.objects.order_by("pk").values_list("language", "away_until", "digest_hour", "delay")
    assert list(rows) == [("fr", None, 1, 32), ("de", until, 2, 31)]
