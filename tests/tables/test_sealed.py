"""Bids are secret until the last is in (R6): until then nothing that anybody else can reach may change."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import time_machine

from games.errors import GameError
from games.home import desk
from games.notices.models import Notice
from games.tables.models import Draft, Entry, Game, Seat
from games.tables.selectors import listed
from games.tables.selectors.lines import log_lines
from games.tables.selectors.live import versions
from games.tables.selectors.table import table
from games.tables.services import play, records
from tests.cast import again, bid, born, seats_of, state_of, submit, table_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def test_nothing_that_a_watcher_or_an_opponent_can_read_changes_with_a_bid(alice, bob, carol, eve):
    game = table_of(alice, bob, carol)
    before = [known(game, reader) for reader in (alice, bob, eve, None)]
    submit(game, 2, "bid 3")
    submit(game, 2, "bid 4")
    assert [known(game, reader) for reader in (alice, bob, eve, None)] == before


def test_two_positions_that_differ_only_in_a_sealed_bid_read_the_same(alice, bob, carol, eve):
    game = table_of(alice, bob, carol)
    submit(game, 2, "bid 0")
    one = [known(game, reader) for reader in (alice, bob, eve)]
    submit(game, 2, "bid 11")
    assert [known(game, reader) for reader in (alice, bob, eve)] == one


def known(game: Game, reader: Any) -> dict[str, Any]:
    """Everything that a reader can get hold of."""
    seen = table(public_id=game.public_id, user=reader)
    their_desk = desk.desk(user=reader)
    return {
        "view": msgspec.to_builtins(seen.view),
        "before": msgspec.to_builtins(seen.before),
        "at": msgspec.to_builtins(table(public_id=game.public_id, user=reader, at=0).view),
        "seq": (seen.seq, seen.game.version, versions([game.public_id])),
        "log": seen.log + log_lines(public_id=game.public_id, user=reader),
        "waiting": (seen.waiting_for, seen.deadline, seen.is_mine, seen.draft, seen.sealed, seen.stale, seen.changed),
        "desk": [(one.deadline, one.waiting_for, one.is_mine) for one in their_desk.mine + their_desk.others],
        "waiting games": (listed.count_waiting(reader), listed.open_tables(user=reader)),
        "row": Game.objects.filter(pk=game.pk).values().get(),
        "record": records.export(public_id=game.public_id, user=reader),
        "notices": list(Notice.objects.filter(seat__user=reader).values() if reader else ()),
    }


def test_the_bidder_sees_the_own_bid_and_owes_nothing_more(alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 3")
    mine = table(public_id=game.public_id, user=alice)
    assert mine.sealed == ("bid 3",)
    assert [player.bid for player in mine.view.players] == [3, None]
    assert not desk.desk(user=alice).mine
    assert "bid 5" in mine.view.legal


def test_no_entry_and_no_bell_come_of_a_bid_that_is_not_the_last(alice, bob):
    game = table_of(alice, bob)
    Notice.objects.all().delete()
    submit(game, 1, "bid 3")
    assert Entry.objects.filter(game=game).count() == 1
    assert not Notice.objects.exists()


def test_the_last_bid_shows_all_in_seat_order_at_one_moment(alice, bob, carol):
    game = table_of(alice, bob, carol)
    for hour, (seat, coins) in enumerate([(2, 1), (0, 4), (1, 2)]):
        with time_machine.travel(f"2027-01-01T{hour:02}:00Z", tick=False):
            submit(game, seat, f"bid {coins}")
    entries = list(Entry.objects.filter(game=game, seq__gt=0))
    assert [(entry.seat, entry.actions) for entry in entries] == [(0, ["bid 4"]), (1, ["bid 2"]), (2, ["bid 1"])]
    assert len({entry.at for entry in entries}) == 1
    assert state_of(game).bids == [4, 2, 1]
    assert not Draft.objects.exists() and not again(game).sealed


def test_a_bid_can_be_changed_until_the_last_is_in(alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 3")
    submit(game, 0, "bid 5")
    submit(game, 1, "bid 4")
    assert state_of(game).bids == [5, 4]


def test_a_bid_laid_out_leaves_the_sealed_one_in_force(alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 3")
    play.lay_out(game=game, seat=0, actions=["bid 5"], expected_seq=0)
    assert table(public_id=game.public_id, user=alice).draft == ("bid 5",)
    submit(game, 1, "bid 4")
    assert state_of(game).bids == [3, 4]


def test_a_refused_bid_reads_the_same_whoever_has_bid(alice, bob):
    """An error text must not tell either."""
    game = table_of(alice, bob)
    before = refusal(lambda: submit(game, 0, "take night-hydra"))
    submit(game, 1, "bid 3")
    assert refusal(lambda: submit(game, 0, "take night-hydra")) == before


def refusal(doing: Callable[[], object]) -> str:
    with pytest.raises(GameError) as caught:
        doing()
    return str(caught.value)


def test_the_winner_is_told_unless_it_was_the_last_to_bid(alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 3")
    Notice.objects.all().delete()
    submit(game, 1, "bid 1")
    assert list(Notice.objects.filter(kind="turn").values_list("seat__number", flat=True)) == [0]
    game = table_of(alice, bob)
    bid(game, 1, 3)
    assert not Notice.objects.filter(kind="turn", seat__game=game).exists()


def test_the_youngest_wins_a_tie_and_the_ranks_are_kept_where_nobody_reads_them(alice, bob):
    born(alice, 1980)
    born(bob, 2001)
    game = bid(table_of(alice, bob, options={"ties": "age"}), 2, 2)
    assert state_of(game).turn == 1
    assert [seat.born for seat in seats_of(game)] == [0, 1]
    seen = msgspec.json.encode(table(public_id=game.public_id, user=alice).view)
    assert b'"born":0' not in seen and b'"born":1' not in seen


def test_seats_never_show_in_a_query_by_deadline_while_bids_are_sealed(alice, bob):
    """The deadline that others are shown is that of the table, whoever has bid."""
    game = table_of(alice, bob)
    due = table(public_id=game.public_id, user=bob).deadline
    submit(game, 0, "bid 1")
    assert table(public_id=game.public_id, user=bob).deadline == due
    assert Seat.objects.get(game=game, number=0).deadline is None
