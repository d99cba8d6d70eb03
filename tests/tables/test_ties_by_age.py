"""Ties between bids: new tables use a die. At tables that use age, a date of birth counts from the day it was given."""

import pytest
from django.utils import timezone

from accounts.services import make_guest
from games.contests.duplicates.services import open_duplicate
from games.tables.models import Entry, Game
from games.tables.services import lobby
from games.tables.services.start import seat_together
from tests.cast import again, bid, born, play_out, seats_of, table_of

pytestmark = pytest.mark.django_db


def ranks(game):
    return [seat.born for seat in seats_of(game)]


def test_a_date_of_birth_counts_only_at_tables_opened_after_it_was_given(alice, bob):
    born(alice, 1980)
    waiting = lobby.open_table(user=alice, listed=True, options={"ties": "age"})
    full = lobby.open_table(user=alice, listed=True, full=True, options={"ties": "age"})
    born(bob, 2001)
    assert ranks(lobby.join_table(game=waiting, user=bob)) == [0, None]
    first = lobby.join_table(game=full, user=bob)
    assert ranks(first) == [0, None]
    play_out(first)
    assert ranks(first.full_game.games.get(number=2)) == [0, None], "the table was opened together with its full game"
    assert ranks(table_of(alice, bob, options={"ties": "age"})) == [0, 1]


def test_guests_have_no_date_of_birth_to_compare_with(alice):
    guest = make_guest()
    born(alice, 1980)
    born(guest, 2001)
    assert ranks(table_of(alice, guest, options={"ties": "age"})) == [0, None]


def test_every_way_to_open_a_table_breaks_ties_by_die(alice, bob):
    opened = [
        lobby.open_table(user=alice, players=2), lobby.play_now(user=alice),
        seat_together(players=[alice, bob], ruleset="legends", clock="move 1d", full=True, now=timezone.now()),
        open_duplicate(user=alice, ruleset="legends", players=2, tables=2).games.first(),
    ]  # fmt: skip
    assert [game.options["ties"] for game in opened] == ["die"] * 4


def test_a_game_without_the_option_breaks_ties_by_age(alice, bob):
    game = lobby.open_table(user=alice, listed=True)
    Game.objects.filter(pk=game.pk).update(options={})  # like tables from before the option
    game = bid(lobby.join_table(game=again(game), user=bob), 2, 2)
    [bids] = [event for entry in Entry.objects.filter(game=game) for event in entry.events if event["kind"] == "bids"]
    assert bids["decided"] == "account"
