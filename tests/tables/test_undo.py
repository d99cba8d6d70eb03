"""Undo of submitted turns: requests, answers of the others, and the effects on log, clocks and notices."""

import gzip
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from games.errors import GameError, NotYours, Over, Stale
from games.notices.delivery import messages
from games.notices.models import Notice
from games.rules import log, record
from games.tables import keys
from games.tables.models import Draft, Entry, Game, Seat, Seed, UndoRequest
from games.tables.selectors.table import table, undo_request_for_reader
from games.tables.services import bots, handover, lobby, play, records, undo_requests
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
    wait_for,
)
from tests.notices.emails import deliver_alone

pytestmark = pytest.mark.django_db
KEPT = Path(__file__).parents[1] / "records/kingdoms"


def casual(*people: User, **more: object) -> Game:
    """Return an unrated game in which the first turn of seat 0 is due."""
    return in_turns(*people, rated=False, **more)


def ask(game: Game, seat: int = 0, seq: int | None = None) -> Game:
    return undo_requests.ask(game=game, seat=seat, expected_seq=again(game).seq if seq is None else seq)


def agree(game: Game, seat: int) -> Game:
    return undo_requests.agree(game=game, seat=seat, expected_seq=again(game).seq)


def refuse(game: Game, seat: int) -> Game:
    return undo_requests.refuse(game=game, seat=seat, expected_seq=again(game).seq)


def refusal(doing, *args: object, **more: object) -> str:
    """Return the sentence of the refusal, after checking that nothing was written."""
    game = args[0]
    before = everything_written(game)
    with pytest.raises(GameError) as refused:
        doing(*args, **more)
    assert everything_written(game) == before
    return str(refused.value)


def seats_asked(game: Game) -> list[int]:
    return UndoRequest.objects.get(game=game).asked


PICK = 29  # the entry of the record with the first blind pick


def picking(*people: User, secret: bytes = bytes(32)) -> Game:
    """Return an unrated game of Kingdoms, taken from a game of bots, in which seat 1 may make a blind pick."""
    played = record.decode(gzip.decompress((KEPT / "kingdoms-3-mixed-0000.json.gz").read_bytes()))
    game = lobby.open_table(user=people[0], ruleset="kingdoms", players=3, rated=False, options=played.options)
    for number, user in enumerate(people[1:], start=1):
        Seat.objects.create(game=game, number=number, user=user, owner=user, name=user.username)
    Seat.objects.filter(game=game).update(orders={"defend": "ask", "protect": "ask"}, bank=game.parsed_clock.at_start)
    Seed.objects.create(game=game, secret=secret)
    now = timezone.now()
    for entry in played.entries[:PICK]:
        Entry.objects.create(
            game=game, seq=entry.seq, at=now, seat=entry.seat, by=entry.by, actions=entry.actions, events=entry.events,
            digest=entry.digest,
        )  # fmt: skip
    Game.objects.filter(pk=game.pk).update(status="running", seq=PICK - 1, head=played.entries[PICK - 1].digest)
    return wait_for(game, [1])


def picked(game: Game) -> str:
    return Entry.objects.get(game=game, seq=game.seq).events[0]["card"]


def undo(game: Game) -> None:
    """Undo the last turn of seat 1; all others agree."""
    ask(game, 1)
    for seat in (0, 2):
        agree(game, seat)


@pytest.fixture
def moved(alice, bob, carol) -> Game:
    """A game after the first turn, of Alice. A new card was drawn into the row."""
    return play_turns(casual(alice, bob, carol), 1)


def test_t1_undo_is_possible_until_someone_else_acts(moved):
    play_turns(moved, 1)
    assert refusal(ask, moved, 0) == "Someone has acted since, so it’s too late to undo your turn."
    with pytest.raises(Stale):
        ask(moved, 0, seq=moved.seq)
    assert ask(moved, 1).seq == moved.seq + 1 and seats_asked(moved) == [0, 2]


def test_t1_the_turn_before_an_undone_turn_cannot_be_undone(alice, bob):
    game = table_of(alice, bob, options={"setup": "by-hand"})
    for _choice in range(2):
        seat, actions = some_turn(game)
        submit(game, seat, actions[0])
    game = ask(game, seat)
    assert log.undoes(Entry.objects.get(game=game, seq=game.seq)) == game.seq - 1
    assert refusal(ask, game, seat) == "A turn was undone just now. The one before it can’t be undone."


def test_t1_a_turn_that_replaces_an_undone_turn_cannot_be_undone(alice, bob):
    game = casual(alice, bob)
    ask(game, 1)
    submit(game, 1, "first 1")
    assert refusal(ask, game, 1) == "This turn replaced one that was undone, so it can’t be undone."


def test_t1_undo_is_impossible_before_and_after_the_game(alice, bob, finished):
    with pytest.raises(Over):
        ask(finished)
    with pytest.raises(Over):
        ask(lobby.open_table(user=alice, players=2, listed=True))


def test_t2_the_setup_and_revealed_bids_cannot_be_undone(alice, bob):
    game = table_of(alice, bob)
    assert refusal(ask, game, 0) == "The setup was done by the site and can’t be undone."
    bid(game, 0, 1)
    assert (
        refusal(ask, game, 1)
        == "These decisions were made in secret and then revealed to everyone, so they can’t be undone."
    )


@pytest.mark.parametrize("by", ["clock", "orders", "late"])
def test_t2_a_turn_played_for_a_player_cannot_be_undone(alice, bob, by):
    game = casual(alice, bob)
    seat, actions = some_turn(game)
    play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=game.seq, by=by)
    assert refusal(ask, game, seat) == "This turn was not taken by its player, so it can’t be undone."


def test_t3_a_turn_that_revealed_nothing_is_undone_at_once(alice, bob):
    game = table_of(alice, bob)
    before = state_of(bid(game, 0, 1))
    submit(game, 1, "first 0")
    game = ask(game, 1)
    assert state_of(game) == before
    assert [seat.owes for seat in seats_of(game)] == [False, True]
    assert not UndoRequest.objects.exists()
    last = Entry.objects.get(game=game, seq=game.seq)
    assert (last.seat, last.by, last.actions) == (1, "seat", ["take-back"])
    assert last.events == [{"kind": "take-back", "seq": game.seq - 1}]
    assert records.verify(game=game) == []


def test_t4_undo_of_a_turn_that_drew_a_card_needs_the_consent_of_all_others(moved):
    before = state_of(moved)
    game = ask(moved)
    assert seats_asked(game) == [1, 2] and state_of(game) == before
    assert agree(game, 2).seq == moved.seq
    assert agree(game, 1).seq == moved.seq + 1
    assert [seat.owes for seat in seats_of(game)] == [True, False, False]
    assert UndoRequest.objects.get().state == "done"
    assert records.verify(game=again(game)) == []


def test_t4_bots_and_deleted_accounts_need_not_agree(alice, bob, carol, dan):
    game = play_turns(casual(alice, bob, carol, dan), 1)
    Seat.objects.filter(game=game, number=1).update(user=None, owner=None, bot="medium")
    ask(game)
    assert seats_asked(game) == [2, 3]
    dan.delete()
    assert agree(game, 2).seq == game.seq + 1


def test_t4_only_those_who_are_asked_can_answer(moved, eve):
    ask(moved)
    assert refusal(agree, moved, 0) == "You were not asked about this undo request."
    assert refusal(refuse, moved, 7) == "You were not asked about this undo request."
    with pytest.raises(NotYours):
        undo_requests.withdraw(game=moved, seat=1, expected_seq=moved.seq)


def test_t4_a_bot_cannot_agree_for_the_owner_of_its_seat(moved, bob, carol):
    """Otherwise a player could see the next card and undo while a bot has the seat of the only opponent."""
    handover.hand_to_bot(seat=seats_of(moved)[2], user=carol)
    sentence = "You can’t undo this turn, because Carol is away and nobody else can agree for them."
    assert refusal(ask, moved) == sentence
    with pytest.raises(GameError, match=sentence):
        undo_requests.preview(game=again(moved), seat=0)
    handover.come_back(seat=seats_of(moved)[2], user=carol)
    ask(moved)
    handover.hand_to_bot(seat=seats_of(moved)[2], user=carol)
    agree(moved, 1)
    assert UndoRequest.objects.get().state == "asked", "the request waits for Carol"
    handover.come_back(seat=seats_of(moved)[2], user=carol)
    assert agree(moved, 2).seq == moved.seq + 1


def test_t4_a_substitute_can_refuse_but_not_agree(moved, carol, dan):
    ask(moved)
    handover.ask(seat=seats_of(moved)[2], user=carol, name="Dan")
    handover.accept(seat=seats_of(moved)[2], user=dan)
    assert refusal(agree, moved, 2) == "Only Carol can agree, because this is their seat."
    assert not undo_request_for_reader(table(public_id=moved.public_id, user=dan)).is_asked
    assert refuse(moved, 2).seq == moved.seq, "but a substitute may refuse"


def test_t4_a_former_substitute_can_neither_agree_nor_refuse(moved, carol, dan):
    ask(moved)
    handover.ask(seat=seats_of(moved)[2], user=carol, name="Dan")
    handover.accept(seat=seats_of(moved)[2], user=dan)
    handover.come_back(seat=seats_of(moved)[2], user=carol)
    for action in (undo_requests.agree, undo_requests.refuse):
        with pytest.raises(NotYours, match="You no longer play this seat"):
            action(game=moved, seat=2, expected_seq=again(moved).seq, player=dan)
    assert undo_requests.agree(game=moved, seat=2, expected_seq=again(moved).seq, player=carol)


def test_t10_a_rated_turn_that_revealed_something_cannot_be_undone(alice, bob, carol):
    game = play_turns(in_turns(alice, bob), 1)
    sentence = "You can’t undo this turn, because it revealed hidden information and the game is rated."
    assert refusal(ask, game) == sentence
    handover.hand_to_bot(seat=seats_of(game)[1], user=bob)
    assert refusal(ask, game) == sentence


def test_t10_a_rated_turn_that_revealed_nothing_can_be_undone(alice, bob):
    game = in_turns(alice, bob)
    assert log.undoes(Entry.objects.get(game=ask(game, 1), seq=game.seq + 1)) == game.seq


def test_t10_turns_against_bots_alone_can_be_undone(alice):
    game = lobby.play_now(user=alice, bots=["medium", "medium"])
    submit(game, 0, "bid 9")
    bots.sweep_bots()
    submit(game, 0, "first 0")
    play_turns(game, 1)
    assert log.undoes(Entry.objects.get(game=ask(game), seq=again(game).seq)) is not None


def test_t5_one_refusal_ends_the_request(moved):
    ask(moved)
    agree(moved, 1)
    assert refuse(moved, 2).seq == moved.seq
    assert refusal(agree, moved, 2) == "This undo request is no longer open."
    assert refusal(ask, moved) == "You can ask to undo a turn only once."


def test_t5_a_player_who_agreed_can_still_refuse(moved):
    ask(moved)
    agree(moved, 1)
    refuse(moved, 1)
    assert UndoRequest.objects.get().state == "refused"


def test_t5_the_next_turn_ends_the_request(moved):
    ask(moved)
    play_turns(moved, 1)
    assert refusal(agree, moved, 2) == "This undo request is no longer open."
    with pytest.raises(Stale):
        undo_requests.agree(game=moved, seat=2, expected_seq=moved.seq)


def test_t5_a_withdrawn_request_cannot_be_repeated(moved):
    ask(moved)
    undo_requests.withdraw(game=moved, seat=0, expected_seq=moved.seq)
    assert refusal(agree, moved, 1) == "This undo request is no longer open."
    assert refusal(ask, moved) == "You can ask to undo a turn only once."


@pytest.mark.parametrize(("answer", "seat"), [(undo_requests.refuse, 1), (undo_requests.withdraw, 0)])
def test_answering_twice_counts_once(moved, answer, seat):
    ask(moved)
    first, second = (answer(game=moved, seat=seat, expected_seq=moved.seq) for _time in range(2))
    assert first.version == second.version and refusal(agree, moved, 2) == "This undo request is no longer open."


def test_asking_twice_and_agreeing_twice_count_once(moved):
    first = ask(moved)
    assert ask(moved).version == first.version
    for seat in (1, 1, 2):
        agree(moved, seat)
    done = again(moved)
    assert undo_requests.agree(game=moved, seat=2, expected_seq=moved.seq).seq == done.seq == moved.seq + 1
    assert undo_requests.ask(game=moved, seat=0, expected_seq=moved.seq).version == done.version


def test_t6_undo_restores_the_position_and_deletes_no_entry(alice, bob):
    game = casual(alice, bob)
    before, entries = state_of(game), list(Entry.objects.filter(game=game).values())
    play_turns(game, 1)
    ask(game)
    agree(game, 1)
    assert state_of(game) == before
    assert list(Entry.objects.filter(game=game, seq__lte=game.seq).values()) == entries
    assert again(game).seq == game.seq + 2
    assert records.verify(game=play_out(game)) == []


def test_t7_the_same_card_is_drawn_again_after_an_undo(alice, bob):
    game = casual(alice, bob)
    seat, actions = some_turn(game)
    submit(game, seat, *actions)
    once = state_of(game)
    ask(game)
    agree(game, 1)
    submit(game, seat, *actions)
    assert state_of(game) == once


def test_t7_a_blind_pick_picks_the_same_card_after_an_undo(alice, bob, carol):
    seen = set()
    for blank in range(3):
        game = picking(alice, bob, carol, secret=bytes([blank] * 32))
        once = picked(submit(game, 1, "blind-pick 0"))
        undo(game)
        assert picked(submit(game, 1, "blind-pick 0")) == once
        events = Entry.objects.get(game=game, actions=["take-back"]).events
        assert events == [{"kind": "take-back", "seq": PICK, "again": True}]
        seen.add(once)
    assert len(seen) > 1, "the first pick is random"


def test_t7_a_blind_pick_among_bots_picks_the_same_card_after_an_undo(alice, bob, carol):
    game = picking(alice, bob, carol)
    Seat.objects.filter(game=game).exclude(number=1).update(user=None, owner=None, bot="medium")
    once = picked(submit(game, 1, "blind-pick 0"))
    assert ask(game, 1).seq == PICK + 1
    assert picked(submit(game, 1, "blind-pick 0")) == once


def test_t8_sealed_bids_after_an_undone_turn_are_deleted(alice, bob):
    game = table_of(alice, bob, options={"setup": "by-hand"}, rated=False)
    while not again(game).sealed:
        seat, actions = some_turn(game)
        game = submit(game, seat, *actions)
    submit(game, 1 - seat, "bid 3")
    was = ask(game, seat)
    game = agree(game, 1 - seat)
    assert (game.seq, game.sealed) == (was.seq + 1, False) and not Draft.objects.exists()
    seat, actions = some_turn(game)
    submit(game, seat, *actions)
    assert again(game).sealed and all(row.owes for row in seats_of(game))
    assert records.verify(game=bid(game, 1, 2)) == []


def test_a_record_with_an_undone_turn_can_be_imported(alice, bob):
    game = play_turns(casual(alice, bob), 1)
    ask(game)
    agree(game, 1)
    played = play_out(game)
    data = records.export(public_id=played.public_id, user=None)
    assert b"eight-minutes-record/4" in data
    taken = records.take_in(data=data, user=alice)
    assert records.verify(game=taken) == []
    assert again(taken).result == played.result
    running = records.read(records.export_for(game=taken, seats=seats_of(taken), seat=None))
    assert log.undone(running.entries) == {game.seq}


@pytest.mark.usefixtures("small_pictures")
def test_the_next_player_is_notified_only_of_the_turn_that_counts(alice, bob):
    game = play_turns(casual(alice, bob), 1)
    ask(game)
    agree(game, 1)
    play_turns(game, 1)
    notices = Notice.objects.filter(kind="turn", seat__user=bob, seq__gte=game.seq).order_by("seq")
    assert [deliver_alone(notice.pk) for notice in notices] == [False, True]
    assert [(notice.state, notice.why) for notice in notices.all()] == [("dropped", "taken"), ("sent", "")]


@pytest.mark.usefixtures("small_pictures")
def test_players_are_notified_when_others_agree_to_their_undo(alice, bob):
    game = play_turns(casual(alice, bob), 1)
    ask(game)
    agree(game, 1)
    notice = Notice.objects.get(kind="turn", seat__user=alice, seq=game.seq + 1)
    assert deliver_alone(notice.pk)


@pytest.mark.usefixtures("small_pictures")
def test_only_players_who_have_not_answered_are_notified_of_a_request(alice, bob, carol):
    game = play_turns(casual(alice, bob, carol), 1)
    ask(game)
    notices = Notice.objects.filter(kind="undo", seq=game.seq).order_by("seat__number")
    assert [notice.user for notice in notices] == [bob, carol]
    assert "Alice asked to undo their last turn." in messages.message(notices[0]).lead
    acts = [messages.message(notice).act for notice in notices]
    assert acts == ["Agree or decline"] * 2, "also if it is the reader's turn"
    agree(game, 2)
    assert [deliver_alone(notice.pk) for notice in notices] == [True, False]
    assert [(notice.state, notice.why) for notice in notices.all()] == [("sent", ""), ("dropped", "settled")]


def test_the_link_to_a_turn_stops_working_after_an_undo(alice, bob):
    game = play_turns(casual(alice, bob), 1)
    link = keys.turn_key(game.seats.get(user=bob))
    ask(game)
    agree(game, 1)
    assert keys.read_turn(link, game.public_id) is None
    play_turns(game, 1)
    assert keys.read_turn(link, game.public_id) is None


@pytest.mark.parametrize(("clock", "left", "then"), [("move 2d", 8, 48), ("bank 2d +12h cap 4d", 20, 26)])
def test_t9_the_clock_counts_as_if_the_undone_turn_had_not_been_taken(alice, bob, clock, left, then):
    with time_machine.travel("2026-11-16T00:00:00Z", tick=False) as time:
        game = casual(alice, bob, clock=clock)
        untouched = seats_of(game)[1].bank
        time.shift(timedelta(hours=30))
        play_turns(game, 1)
        time.shift(timedelta(hours=10))
        ask(game)
        agree(game, 1)
        first, second = seats_of(game)
        assert first.deadline - timezone.now() == first.time_left == first.bank == timedelta(hours=left)
        assert (second.owes, second.deadline, second.bank) == (False, None, untouched)
        time.shift(timedelta(hours=6))
        play_turns(game, 1)
        assert seats_of(game)[0].bank == timedelta(hours=then)


def test_t9_nobody_can_agree_after_the_time_of_the_turn_is_up(alice, bob):
    with time_machine.travel("2026-11-16T00:00:00Z", tick=False) as time:
        game = play_turns(casual(alice, bob, clock="move 1d", reply_hours=24), 1)
        time.shift(timedelta(hours=20))
        ask(game)
        time.shift(timedelta(hours=5))
        assert refusal(agree, game, 1) == "You can’t undo this turn, because its time has since run out."


def test_t9_undo_of_one_part_of_a_turn_keeps_its_clock(alice, bob):
    with time_machine.travel("2026-11-16T00:00:00Z", tick=False) as time:
        game = table_of(alice, bob, options={"setup": "by-hand"})
        seat, actions = some_turn(game)
        submit(game, seat, actions[0])
        time.shift(timedelta(hours=5))
        seat, actions = some_turn(game)
        submit(game, seat, actions[0])
        due = seats_of(game)[seat].deadline
        ask(game, seat)
        assert seats_of(game)[seat].deadline == due
        assert not Notice.objects.filter(kind="turn", seat__number=seat, seq=again(game).seq)


def test_the_next_email_says_what_was_undone_and_what_counts(alice, bob):
    game = play_turns(casual(alice, bob), 1)
    ask(game)
    agree(game, 1)
    play_turns(game, 1)
    message = messages.message(Notice.objects.filter(kind="turn", seat__user=bob).latest("seq"))
    assert [line.note for line in message.since][-3:] == ["This was undone.", "", ""]
