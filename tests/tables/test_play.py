"""Submitting a turn: what counts, what counts only once, and what is refused without writing anything."""

from datetime import timedelta

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.errors import GameError, Illegal, NotFound, NotYours, Over, Stale, Unfinished
from games.notices.kinds import Kind
from games.notices.models import Notice
from games.rules import log
from games.rules.fairness import seed_hash
from games.rules.record import opening
from games.tables.models import Draft, Entry, Game, Snapshot, Status
from games.tables.selectors import position
from games.tables.services import play, records
from tests.cast import (
    again,
    bid,
    everything_written,
    in_turns,
    play_out,
    play_turns,
    seats_of,
    some_turn,
    state_of,
    submit,
    table_of,
    turn_on,
)
from tests.kept import played_out  # fmt: skip

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def test_the_site_sets_up_in_entry_0_and_shows_the_hash_of_the_seed_before_the_bids(alice, bob):
    game = table_of(alice, bob)
    entry = Entry.objects.get(game=game)
    assert (entry.seq, entry.seat, entry.actions) == (0, None, [])
    assert game.sealed and game.seed_hash == seed_hash(bytes(game.seed.secret))


def test_a_turn_is_one_entry_with_its_actions_and_events(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    submit(game, seat, *actions)
    entry = Entry.objects.filter(game=game).last()
    assert (entry.seat, entry.by, entry.actions) == (seat, "seat", actions)
    assert entry.events[0]["kind"] == "take"
    assert entry.events[-1]["kind"] == "draw"


def test_the_rows_follow_the_log(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    after = submit(game, seat, *actions)
    assert (after.seq, after.version) == (game.seq + 1, game.version + 1)
    assert after.head == Entry.objects.filter(game=game).last().digest
    assert [row.owes for row in seats_of(game)] == [seat != 0, seat != 1]
    assert [row.deadline is None for row in seats_of(game)] == [seat == 0, seat == 1]
    assert after.snapshot.seq == after.seq


def test_no_index_has_a_column_of_a_game_that_each_turn_changes():
    """Otherwise PostgreSQL updates all of them."""
    indexed = {
        name for index in (*Game._meta.indexes, *Game._meta.constraints) for name in getattr(index, "fields", ())
    }
    assert not indexed & {"seq", "head", "version", "sealed", "sealed_until", "draws"}


def test_every_digest_covers_the_one_before(alice, bob):
    game = play_turns(in_turns(alice, bob), 5)
    head = opening(records.header(game=game, seats=seats_of(game)))
    for entry in position.entries(game):
        head = log.link(head, entry, bytes(game.seed.secret))
        assert entry.digest == head
    assert game.head == head


def test_the_log_replaces_a_missing_or_outdated_snapshot(alice, bob):
    game = play_turns(in_turns(alice, bob), 4)
    kept = state_of(game)
    Snapshot.objects.filter(game=game).update(rules_version=99)
    assert state_of(game) == kept
    Snapshot.objects.filter(game=game).update(rules_version=1, state="{}")
    assert state_of(game) == kept
    Snapshot.objects.filter(game=game).delete()
    seat = next(row.number for row in seats_of(game) if row.owes)
    submit(game, seat, *turn_on(game, position.folded(game, seats_of(game)), seat))
    assert Snapshot.objects.get(game=game).seq == game.seq + 1


def test_a_turn_sent_twice_counts_once(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    submit(game, seat, *actions, seq=game.seq)
    stands = everything_written(game)
    assert submit(game, seat, *actions, seq=game.seq).seq == game.seq + 1
    assert everything_written(game) == stands


def test_the_last_turn_of_a_game_sent_twice_counts_once(alice, bob):
    game = played_out(alice, bob)
    last = Entry.objects.filter(game=game).last()
    assert submit(game, last.seat, *last.actions, seq=last.seq - 1).status == Status.FINISHED


def test_a_bid_sent_again_after_the_reveal_counts_once(alice, bob):
    game = bid(table_of(alice, bob), 2, 3)
    assert submit(game, 1, "bid 3", seq=0).seq == 2
    with pytest.raises(Stale):
        submit(game, 1, "bid 4", seq=0)


def test_a_different_turn_on_an_old_entry_is_stale(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    submit(game, seat, *actions, seq=game.seq)
    refused(game, Stale, seat, "take somewhere-else", seq=game.seq)


def test_the_same_actions_of_another_seat_are_not_a_repetition(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    submit(game, seat, *actions, seq=game.seq)
    refused(game, Stale, 1 - seat, *actions, seq=game.seq)


def test_the_same_actions_of_another_person_are_not_a_repetition(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    mover, other = (alice, bob) if seat == 0 else (bob, alice)
    play.submit(game=game, who=mover, actions=actions, expected_seq=game.seq)
    assert play.submit(game=game, who=mover, actions=actions, expected_seq=game.seq).game.seq == game.seq + 1
    with pytest.raises(Stale):
        play.submit(game=game, who=other, actions=actions, expected_seq=game.seq)


def test_a_turn_out_of_turn_is_refused(alice, bob):
    game = in_turns(alice, bob)
    refused(game, NotYours, 1, "take night-hydra")


def test_nobody_plays_for_a_seat_that_still_has_time(alice, bob):
    game = in_turns(alice, bob, clock="move 1d")
    seat, actions = some_turn(game)
    due = seats_of(game)[seat].deadline
    turn = {"game": game, "who": seat, "actions": actions, "expected_seq": game.seq, "by": "late"}
    with pytest.raises(NotYours):
        play.submit(**turn, late_at=due - timedelta(seconds=1))
    assert play.submit(**turn, late_at=due).game.seq == game.seq + 1


def test_a_missing_seat_is_refused(alice, bob):
    refused(in_turns(alice, bob), NotYours, 2, "done")


def test_an_unknown_action_is_refused_in_a_sentence(alice, bob):
    assert "fly away" in refused(in_turns(alice, bob), Illegal, 0, "fly away")


def test_an_illegal_step_after_legal_ones_refuses_the_whole_turn(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    refused(game, Illegal, seat, *actions[:1], "build nowhere", *actions[1:])


def test_a_turn_that_could_continue_needs_done(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    while actions[-1] != "done":  # some cards leave nothing to do
        submit(game, seat, *actions)
        seat, actions = some_turn(game)
    refused(game, Unfinished, seat, *actions[:-1])
    refused(game, Unfinished, seat)


def test_actions_after_the_end_of_a_turn_are_refused(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    refused(game, Illegal, seat, *actions, "take night-hydra")


def test_a_bid_above_the_players_coins_is_refused_in_a_sentence(alice, bob):
    assert "13" in refused(table_of(alice, bob), Illegal, 0, "bid 13")


def test_two_bids_at_once_are_refused(alice, bob):
    refused(table_of(alice, bob), GameError, 0, "bid 1", "bid 2")


def test_nothing_can_be_played_in_a_finished_game(alice, bob):
    game = played_out(alice, bob)
    refused(game, Over, 0, "done")


def test_nothing_can_be_played_before_the_game_has_begun(alice):
    from games.tables.services import lobby

    game = lobby.open_table(user=alice, players=2)
    refused(game, Over, 0, "bid 1")


def test_an_unknown_game_is_not_found():
    with pytest.raises(NotFound):
        play.submit_turn(game="zzzzzzzz", seat=0, actions=["done"], expected_seq=0)


def refused(game: Game, refusal: type[GameError], seat: int, *actions: str, seq: int | None = None) -> str:
    """Return the sentence of the refusal, after checking that nothing was written."""
    before = everything_written(game)
    with pytest.raises(refusal) as caught:
        submit(game, seat, *actions, seq=seq)
    assert everything_written(game) == before
    assert str(caught.value)
    return str(caught.value)


def test_the_end_stores_result_and_places_and_notifies_everyone(alice, bob):
    game = play_out(in_turns(alice, bob))
    sheet = game.result["seats"]
    assert game.ended_at and not game.sealed
    assert [(seat.total, seat.place) for seat in seats_of(game)] == [
        (score["total"], score["place"]) for score in sheet
    ]
    assert [seat.left for seat in seats_of(game)] == state_of(game).coins
    assert not any(seat.owes or seat.deadline for seat in seats_of(game))
    assert set(Notice.objects.filter(kind=Kind.ENDED).values_list("seat__user", flat=True)) == {alice.pk, bob.pk}


def test_only_the_next_player_is_notified(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    Notice.objects.all().delete()
    submit(game, seat, *actions)
    assert list(Notice.objects.values_list("kind", "seat__number").order_by("kind")) == [("time", 1), ("turn", 1)]


def test_the_number_of_queries_of_a_turn_does_not_grow(alice, bob, django_assert_max_num_queries):
    game = in_turns(alice, bob)
    for _turn in range(18):
        seat, actions = some_turn(game)
        with django_assert_max_num_queries(17):
            submit(game, seat, *actions, seq=game.seq)
        game = again(game)


def test_a_turn_reads_only_the_time_of_the_last_entry_from_the_log(alice, bob):
    game = play_turns(in_turns(alice, bob), 6)
    seat, actions = some_turn(game)
    with CaptureQueriesContext(connection) as queries:
        submit(game, seat, *actions, seq=game.seq)
    (read,) = [query["sql"] for query in queries if 'FROM "tables_entry"' in query["sql"]]
    assert '"tables_entry"."at"' in read and f'"tables_entry"."seq" = {game.seq})' in read
    assert not any(f'"tables_entry"."{column}"' in read for column in ("actions", "events", "digest"))


def test_submitting_a_turn_deletes_the_draft(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    play.lay_out(game=game, who=seat, actions=actions[:1], expected_seq=game.seq)
    submit(game, seat, *actions)
    assert not Draft.objects.exists()


def test_a_step_that_needs_chance_submits_the_turn_up_to_that_step(alice, bob):
    """A turned-up token can't be turned back; the rest of the turn continues from there (R26)."""
    game, region = with_a_token_at_the_outpost(alice, bob)
    refused(game, Unfinished, 0, "take ancient-woods")
    submit(game, 0, "take ancient-woods", f"build {region}")
    assert [seat.owes for seat in seats_of(game)] == [True, False]
    assert Entry.objects.filter(game=game).last().events[-1]["kind"] == "gain"
    submit(game, 0, "done")
    assert [seat.owes for seat in seats_of(game)] == [False, True]


def with_a_token_at_the_outpost(*people) -> tuple[Game, str]:
    """Return a game in which seat 0 may take Ancient Woods and build on a face-down token, and the token's region."""
    game = in_turns(*people, options={"explore": True, "poison_swamp": True})
    state = state_of(game)
    if "ancient-woods" not in state.row:
        state.deck.remove("ancient-woods")
        state.deck.append(state.row[0])
        state.row[0] = "ancient-woods"
    state.coins[0] = 9
    state.tokens = tuple("face-down" if r == state.outpost else "" for r in range(len(state.tokens)))
    state.unseen = tuple((state.outpost,) for _ in people)
    Snapshot.objects.filter(game=game).update(state=msgspec.json.encode(state).decode())
    return game, state.map.regions[state.outpost]
