"""Bids are secret until the last one is in (R6): until then nothing that others can read may change."""

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
from games.tables.services import play, records, time_off
from tests.cast import again, bid, born, seats_of, state_of, submit, table_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def test_a_bid_changes_nothing_that_spectators_or_opponents_can_read(alice, bob, carol, eve):
    game = table_of(alice, bob, carol)
    before = [everything_known_to(game, reader) for reader in (alice, bob, eve, None)]
    submit(game, 2, "bid 3")
    submit(game, 2, "bid 4")
    assert [everything_known_to(game, reader) for reader in (alice, bob, eve, None)] == before


def test_two_positions_that_differ_only_in_a_sealed_bid_read_the_same(alice, bob, carol, eve):
    game = table_of(alice, bob, carol)
    submit(game, 2, "bid 0")
    before = [everything_known_to(game, reader) for reader in (alice, bob, eve)]
    submit(game, 2, "bid 11")
    assert [everything_known_to(game, reader) for reader in (alice, bob, eve)] == before


def test_the_deadline_shown_for_secret_decisions_is_the_latest_one(alice, bob):
    """Bob's night makes his deadline later than Alice's."""
    with time_machine.travel("2027-03-01T08:00Z", tick=False):
        time_off.set_night(user=bob, zone="UTC", window="22:00-06:00")
        game = table_of(alice, bob, clock="move 1d")
        assert again(game).sealed_until == seats_of(game)[1].deadline > seats_of(game)[0].deadline


def everything_known_to(game: Game, reader: Any) -> dict[str, Any]:
    """Return everything that the reader can learn."""
    seen = table(public_id=game.public_id, user=reader)
    their_desk = desk.desk(user=reader)
    return {
        "view": msgspec.to_builtins(seen.view),
        "before": msgspec.to_builtins(seen.before),
        "at": msgspec.to_builtins(table(public_id=game.public_id, user=reader, at=0).view),
        "seq": (seen.seq, seen.game.version, versions([game.public_id])),
        "log": seen.log + log_lines(public_id=game.public_id, user=reader),
        "waiting": (seen.waiting_for, seen.deadline, seen.is_mine, seen.draft, seen.sealed, seen.stale, seen.changed),
        "desk": [(line.deadline, line.waiting_for, line.is_mine) for line in their_desk.mine + their_desk.others],
        "waiting games": (desk.menu(reader), listed.open_tables(user=reader)),
        "row": Game.objects.filter(pk=game.pk).values().get(),
        "record": records.export(public_id=game.public_id, user=reader),
        "notices": list(Notice.objects.filter(seat__user=reader).values() if reader else ()),
    }


def test_bidders_see_their_own_bid_and_need_not_act(alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 3")
    shown = table(public_id=game.public_id, user=alice)
    assert shown.sealed == ("bid 3",)
    assert [player.bid for player in shown.view.players] == [3, None]
    assert not desk.desk(user=alice).mine
    assert "bid 5" in shown.view.legal


def test_only_the_last_bid_creates_entries_and_notices(alice, bob):
    game = table_of(alice, bob)
    Notice.objects.all().delete()
    submit(game, 1, "bid 3")
    assert Entry.objects.filter(game=game).count() == 1
    assert not Notice.objects.exists()


def test_the_last_bid_reveals_all_in_seat_order_with_the_same_time(alice, bob, carol):
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


def test_a_new_draft_leaves_the_sealed_bid_in_force(alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 3")
    play.lay_out(game=game, who=0, actions=["bid 5"], expected_seq=0)
    assert table(public_id=game.public_id, user=alice).draft == ("bid 5",)
    submit(game, 1, "bid 4")
    assert state_of(game).bids == [3, 4]


def test_refusals_do_not_reveal_who_has_bid(alice, bob):
    game = table_of(alice, bob)
    before = refusal(lambda: submit(game, 0, "take night-hydra"))
    submit(game, 1, "bid 3")
    assert refusal(lambda: submit(game, 0, "take night-hydra")) == before


def refusal(doing: Callable[[], object]) -> str:
    with pytest.raises(GameError) as caught:
        doing()
    return str(caught.value)


def test_the_winner_is_notified_unless_they_bid_last(alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 3")
    Notice.objects.all().delete()
    submit(game, 1, "bid 1")
    assert list(Notice.objects.filter(kind="turn").values_list("seat__number", flat=True)) == [0]
    game = table_of(alice, bob)
    bid(game, 1, 3)
    assert not Notice.objects.filter(kind="turn", seat__game=game).exists()


def test_the_youngest_wins_a_tie_and_no_view_shows_ages(alice, bob):
    born(alice, 1980)
    born(bob, 2001)
    game = bid(table_of(alice, bob, options={"ties": "age"}), 2, 2)
    assert state_of(game).turn == 1
    assert [seat.born for seat in seats_of(game)] == [0, 1]
    seen = msgspec.json.encode(table(public_id=game.public_id, user=alice).view)
    assert b'"born":0' not in seen and b'"born":1' not in seen


def test_deadlines_do_not_reveal_who_has_bid(alice, bob):
    """Others see the deadline of the table, which doesn't depend on who has bid."""
    game = table_of(alice, bob)
    due = table(public_id=game.public_id, user=bob).deadline
    submit(game, 0, "bid 1")
    assert table(public_id=game.public_id, user=bob).deadline == due
    assert Seat.objects.get(game=game, number=0).deadline is None
