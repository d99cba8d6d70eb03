"""Interventions by staff: their log entries, clocks, seats and notices. Rulings: docs/rulings.md."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.contests.models import Score
from games.errors import Over, Stale
from games.notices.models import Notice
from games.rules import log
from games.rules.fairness import Quick
from games.tables.models import Entry, Game, Handover
from games.tables.selectors.table import open_undo_request, table
from games.tables.services import bots, commit, handover, lobby, play, records, timeouts, undo_requests
from tests.cast import (
    again,
    everything_written,
    in_turns,
    person,
    play_out,
    play_turns,
    seats_of,
    some_turn,
    state_of,
    submit,
    table_of,
)
from tests.notices.emails import deliver_alone
from tests.tables.family import seeded
from tests.tables.interventions import (
    INTERVENTIONS,
    WHY,
    attack,
    end,
    give,
    going_on,
    intervention_sentences,
    last,
    refusal,
    replace,
    take_over,
)
from tests.tables.kingdoms import ASK, go_on, kingdoms

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def game(monday, alice, bob) -> Game:
    return going_on(alice, bob)


# Log entries


@pytest.mark.parametrize("intervention", INTERVENTIONS)
def test_h1_each_intervention_is_a_log_entry_with_its_reason(game, intervention):
    done = intervention(game, reason="  The mail\nwas down.\x00 ")
    entry = last(game)
    assert (entry.seq, entry.seat, done.seq) == (game.seq + 1, None, game.seq + 1)
    assert entry.actions[0].endswith(": The mail was down.") and entry.events[0]["reason"] == WHY
    assert intervention_sentences(game)[0].endswith("Reason: “The mail was down.”")
    assert records.verify(game=again(game)) == []


@pytest.mark.parametrize("intervention", INTERVENTIONS)
def test_an_intervention_sent_twice_counts_once(game, intervention):
    first = intervention(game)
    before = everything_written(game)
    assert intervention(game, seq=game.seq).seq == first.seq
    assert everything_written(game) == before


@pytest.mark.parametrize("intervention", INTERVENTIONS)
def test_an_intervention_needs_a_reason(game, intervention):
    for nothing in (" \n ", "\u200b \u200b"):
        assert refusal(intervention, game, reason=nothing) == "Enter a reason. Everyone at the table can read it."
    assert refusal(intervention, game, reason="x" * 301) == "The reason is too long. Use at most 300 characters."


@pytest.mark.parametrize("intervention", INTERVENTIONS)
def test_staff_can_intervene_only_while_a_game_runs(intervention, alice, finished):
    assert refusal(intervention, lobby.open_table(user=alice)) == "The game has not started."
    assert refusal(intervention, finished) == "The game is over."


@pytest.mark.parametrize("intervention", INTERVENTIONS)
def test_an_intervention_on_an_older_position_is_stale_and_so_is_a_turn_after_it(game, intervention):
    play_turns(game, 1)
    with pytest.raises(Stale):
        intervention(game, seq=game.seq)
    seat, actions = some_turn(game)
    seq = again(game).seq
    intervention(game)
    with pytest.raises((Stale, Over)):
        submit(game, seat, *actions, seq=seq)


@pytest.mark.parametrize("intervention", INTERVENTIONS)
def test_everyone_sees_interventions_in_the_history_and_the_record(game, intervention, alice):
    intervention(game)
    shown = table(public_id=game.public_id, user=alice, at=game.seq + 1)
    assert [line.by_staff for line in shown.fresh] == [True]
    record = records.read(records.export(public_id=game.public_id, user=None))
    assert record.format == "eight-minutes-record/4"
    assert log.intervention(record.entries[-1]).reason == WHY and record.entries[-1].actions == tuple(
        last(game).actions
    )


def test_turns_before_an_intervention_cannot_be_undone(alice, bob):
    game = play_turns(in_turns(alice, bob, rated=False), 1)
    undo_requests.ask(game=game, seat=0, expected_seq=game.seq)
    give(game)
    sentence = "Staff have intervened since. Turns before that can’t be undone."
    assert refusal(lambda row: undo_requests.ask(game=row, seat=0, expected_seq=again(row).seq), game) == sentence
    assert not open_undo_request(Game.objects.select_related("undo_request").get(pk=game.pk))
    assert records.verify(game=play_out(game)) == []


def test_records_with_interventions_can_be_imported_and_a_changed_reason_is_found(game, alice):
    give(game)
    ended = again(end(play_turns(game, 1)))
    data = records.export(public_id=game.public_id, user=None)
    taken = records.take_in(data=data, user=alice)
    assert records.verify(game=taken) == []
    assert (again(taken).result, taken.status) == (ended.result, "finished")
    assert records.proof_of_file(data.replace(b"The mail was", b"The male was")).problems


# Time


def test_everyone_who_must_act_gets_time(game, monday):
    monday.shift(20 * HOUR)
    due = seats_of(game)[0].deadline
    give(game)
    first, second = seats_of(game)
    assert (first.deadline, first.time_left, second.deadline) == (due + 24 * HOUR, 28 * HOUR, None)
    assert intervention_sentences(game) == ["Staff gave Alice 1 day of extra time. Reason: “The mail was down.”"]
    play_turns(game, 1)
    assert seats_of(game)[0].bank == 24 * HOUR


def test_time_given_after_the_deadline_counts_from_now(game, monday):
    monday.shift(30 * HOUR)
    give(game, 0, 5)
    assert seats_of(game)[0].deadline == timezone.now() + 5 * HOUR
    assert timeouts.sweep_overdue(timezone.now()) == 0
    monday.shift(5 * HOUR)
    assert timeouts.sweep_overdue(timezone.now()) == 1


def test_a_seat_that_need_not_act_gets_no_time(game):
    assert refusal(give, game, 1) == "Time can only be given to players who must act now."
    assert refusal(give, game, 7) == "Time can only be given to players who must act now."
    assert refusal(give, game, 0, 0) == refusal(give, game, 0, 721) == "Choose a time between 1 hour and 30 days."


def test_given_time_never_adds_to_the_bank(monday, alice, bob):
    game = in_turns(alice, bob, clock="bank 10h +1h cap 30d")
    monday.shift(10 * HOUR)
    give(game, 0, 30)
    monday.shift(20 * HOUR)
    play_turns(game, 1)
    assert seats_of(game)[0].bank == 12 * HOUR


def test_giving_time_keeps_drafts(game, alice):
    seat, actions = some_turn(game)
    play.lay_out(game=game, who=seat, actions=actions[:1], expected_seq=game.seq)
    give(game)
    shown = table(public_id=game.public_id, user=alice)
    assert (shown.draft, shown.stale) == (tuple(actions[:1]), "")


@pytest.mark.usefixtures("small_pictures")
def test_given_time_postpones_the_reminder(game, monday):
    old = Notice.objects.get(kind="time", seat=seats_of(game)[0], seq=game.seq)
    give(game)
    new = Notice.objects.get(kind="time", seat=seats_of(game)[0], seq=game.seq + 1)
    assert new.wanted_at > old.wanted_at
    monday.move_to(new.due_at)
    assert [deliver_alone(notice.pk) for notice in (old, new)] == [False, True]


def test_h4_time_for_all_does_not_reveal_who_has_bid(monday, alice, bob, carol):
    game = table_of(alice, bob, carol, clock="move 1d")
    submit(game, 1, "bid 2")
    due = again(game).sealed_until
    give(game)
    row = again(game)
    assert last(game).actions == ["give-time 24 0 1 2: The mail was down."]
    assert (row.sealed, row.sealed_until) == (True, due + 24 * HOUR)
    assert [seat.deadline for seat in seats_of(game)] == [due + 24 * HOUR, None, due + 24 * HOUR]
    assert table(public_id=game.public_id, user=bob).sealed == ("bid 2",)
    submit(game, 0, "bid 1")
    submit(game, 2, "bid 0")
    assert state_of(game).bids == [1, 2, 0] and records.verify(game=again(game)) == []


def test_h4_time_for_one_player_does_not_reveal_whether_they_have_bid(monday, alice, bob, carol):
    game = table_of(alice, bob, carol, clock="move 1d")
    submit(game, 1, "bid 2")
    for seat in (0, 1):
        give(game, seat)
        shown = table(public_id=game.public_id, user=carol)
        assert shown.waiting_for == (0, 1, 2) and shown.deadline == seats_of(game)[2].deadline
    assert again(game).sealed_until == seats_of(game)[2].deadline + 48 * HOUR


def test_time_given_for_a_reply_does_not_change_the_bank(monkeypatch, monday, alice, bob, carol):
    seeded(monkeypatch, 5)
    game = kingdoms(alice, bob, carol, clock="move 2d", orders=ASK)
    attacked = attack(game)
    due = seats_of(game)[attacked].deadline
    bank = seats_of(game)[attacked].bank
    give(game, attacked, 3)
    assert seats_of(game)[attacked].deadline == due + 3 * HOUR and seats_of(game)[attacked].bank == bank
    assert records.verify(game=again(game)) == []


# Seats


def test_h2_a_person_who_accepts_gets_the_seat_for_good(game, alice, bob, carol):
    take_over(game, 0, carol)
    seat = seats_of(game)[0]
    assert (seat.user, seat.owner, seat.first_owner, seat.name, seat.owes) == (carol, carol, alice, "Carol", True)
    assert Handover.objects.get().why == "replaced"
    assert last(game).actions == ["replace 0 person: The mail was down."] and "Carol" not in str(last(game).events)
    assert intervention_sentences(game)[0].startswith("Carol took over a seat.")
    played = play_out(game)
    assert set(Score.objects.filter(game=played).values_list("user", flat=True)) == {alice.pk, bob.pk}
    assert records.verify(game=played) == []


def test_h2_the_owner_keeps_the_result_when_a_bot_gets_the_seat(game, alice):
    replace(game, 0)
    seat = seats_of(game)[0]
    assert (seat.user, seat.owner, seat.bot, seat.has_given_up) == (None, alice, "medium", True)
    assert last(game).actions == ["replace 0 bot: The mail was down."]
    assert intervention_sentences(game) == ["A bot took over Alice’s seat. Reason: “The mail was down.”"]
    assert bots.sweep_bots() == 1
    assert Entry.objects.filter(game=game).latest("seq").by == "stand-in"
    assert refusal(lambda _game: handover.come_back(seat=seat, user=alice), game).startswith(
        "You have resigned. A bot plays your seat to the end."
    )
    assert refusal(replace, game, 0) == "A bot already plays this seat to the end."
    assert records.verify(game=again(game)) == []


def test_h2_a_person_can_take_over_from_a_replacement_bot_or_a_deleted_account(game, alice, bob, carol, dan):
    replace(game, 0)
    take_over(game, 0, carol)
    bob.delete()
    assert refusal(replace, game, 1) == "A bot already plays this seat to the end."
    take_over(game, 1, dan)
    assert [(seat.owner, seat.user, seat.has_given_up) for seat in seats_of(game)] == [
        (carol, carol, False), (dan, dan, False),
    ]  # fmt: skip
    assert records.verify(game=play_out(game)) == []


def test_an_invalid_replacement_is_refused_with_a_sentence(game, carol):
    guest = person("Guest", is_guest=True)
    for name, sentence in {
        "Nobody": "There is no player with that name. Check the spelling.",
        guest.username: "Guest is a guest. Only players with an account can be substitutes.",
        "Bob": "Bob already plays at this table.",
    }.items():
        assert refusal(replace, game, 0, name) == sentence
    assert refusal(replace, game, 2, "Carol") == "There is no such seat in this game."


def test_a_bot_cannot_be_replaced_in_its_own_seat(alice, carol):
    game = lobby.open_table(user=alice, players=2, bots=["medium"])
    assert (
        refusal(replace, game, 1, "Carol")
        == refusal(replace, game, 1)
        == "This seat belongs to a bot, so there is nobody to replace."
    )


def test_a_sealed_bid_counts_when_a_bot_takes_over_the_seat(alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 2")
    replace(game, 0)
    submit(game, 1, "bid 0")
    assert state_of(game).bids == [2, 0]


def test_no_person_can_take_over_while_bids_are_sealed(alice, bob, carol):
    game = table_of(alice, bob)
    submit(game, 0, "bid 2")
    sentences = {refusal(replace, game, seat, "Carol") for seat in (0, 1)}
    assert sentences == {"Players are making secret decisions. Wait until they are revealed, or let a bot take over."}


@pytest.mark.usefixtures("small_pictures")
def test_everyone_is_notified_of_a_new_player_who_is_notified_of_their_turn(game, alice, bob, carol):
    take_over(game, 0, carol)
    notices = {notice.user: notice for notice in Notice.objects.filter(kind="decision")}
    assert set(notices) == {alice, bob}
    assert notices[bob].lead == f"{intervention_sentences(game)[0]}"
    assert notices[alice].lead == "You no longer play in the game with Bob. Reason: “The mail was down.”"
    turn = Notice.objects.get(kind="turn", user=carol)
    assert all(deliver_alone(notice.pk) for notice in (*notices.values(), turn))


def test_a_substitute_who_loses_the_seat_is_notified(game, alice, carol, dan):
    handover.ask(seat=seats_of(game)[0], user=alice, name="Carol")
    handover.accept(seat=seats_of(game)[0], user=carol)
    take_over(game, 0, dan)
    names = Notice.objects.filter(kind="decision", seat=None).values_list("user__username", flat=True)
    assert sorted(names) == ["Alice", "Carol"]


# Games that do not end


def test_h11_bots_finish_a_game_whose_log_has_become_too_long(
    monkeypatch, alice, bob, client, django_capture_on_commit_callbacks
):
    game, chance = kingdoms(alice, bob), Quick(1)
    monkeypatch.setattr(commit, "MOST_ENTRIES", 8)
    with monkeypatch.context() as at_most:
        at_most.setattr(bots, "play_bot", lambda **_which: None)
        while again(game).seq < 8:
            assert not again(game).is_left_to_bots
            with django_capture_on_commit_callbacks(execute=True):
                go_on(game, chance)
    game = again(game)
    assert game.is_running and game.is_left_to_bots
    assert [seat.user for seat in seats_of(game)] == [None, None]
    client.force_login(alice)
    page = client.get(game.get_absolute_url()).text
    assert "Bots play this game to the end. Reason: “The game had gone on for too long.”" in page
    assert "A bot plays Alice’s seat to the end." in page and "season" not in page
    with pytest.raises(Over, match="Bots play this game to the end"):
        handover.come_back(seat=seats_of(game)[0], user=alice)
    while again(game).is_running:
        bots.sweep_bots()
    assert again(game).is_finished and records.verify(game=again(game)) == []
