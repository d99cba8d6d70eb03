"""Replies during another player's turn: their clocks and time outs (sections 15 and 21)."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.errors import TableError
from games.home.desk import desk
from games.notices.delivery import deliver
from games.notices.kinds import Kind
from games.notices.models import Notice
from games.tables.models import Entry, Game
from games.tables.selectors.table import table
from games.tables.services import bots, lobby, records, timeouts
from games.tables.services.play import give_orders
from tests.cast import again, seats_of, state_of
from tests.rules.kingdoms.positions import ALICE, BOB, CAROL, position, spelt
from tests.tables.family import seeded
from tests.tables.kingdoms import ASK, do, kingdoms, owing, put

pytestmark = pytest.mark.django_db
HANDS = {ALICE: "A8 C9 A4", BOB: "A7 A4", CAROL: "A5"}


@pytest.fixture
def morning():
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as traveller:
        yield traveller


@pytest.fixture
def game(morning, alice, bob, carol) -> Game:
    """A game in which all players want to be asked, Carol rules Bob, and it is Alice's turn."""
    return put(kingdoms(alice, bob, carol, orders=ASK), position(hands=HANDS, rulers="- 2 -", towers={BOB: "E"}))


def left(game: Game, seat: int) -> timedelta | None:
    """Return how much time the seat has."""
    deadline = seats_of(game)[seat].deadline
    return deadline and deadline - timezone.now()


def by(game: Game) -> list[tuple[int, str, str]]:
    rows = Entry.objects.filter(game=game, seq__gt=0).order_by("seq")
    return [(row.seat, row.by, row.actions[0].split()[0]) for row in rows]


def sweep() -> int:
    return timeouts.sweep_overdue(timezone.now())


# How long


def test_only_the_clock_of_the_replying_seat_runs_and_it_is_short(game, morning):
    morning.shift(timedelta(hours=40))
    do(game, ALICE, "attack 1 with A8")
    assert [left(game, seat) for seat in (ALICE, BOB, CAROL)] == [None, None, timedelta(hours=12)]
    do(game, CAROL, "protect leave")
    assert [left(game, seat) for seat in (ALICE, BOB, CAROL)] == [None, timedelta(hours=12), None]


def test_a_ruler_who_protects_defends_with_the_remaining_time(game, morning):
    do(game, ALICE, "attack 1 with A8")
    morning.shift(timedelta(hours=5))
    do(game, CAROL, "protect with")
    assert [left(game, seat) for seat in (BOB, CAROL)] == [timedelta(hours=12), timedelta(hours=7)]


def test_each_defender_sees_their_own_deadline(game, morning, alice, bob, carol):
    do(game, ALICE, "attack 1 with A8")
    morning.shift(timedelta(hours=5))
    do(game, CAROL, "protect with")
    hours = {bob: 12, carol: 7, alice: 12}
    for reader, n in hours.items():
        shown = table(public_id=game.public_id, user=reader)
        (line,) = [*desk(user=reader).mine, *desk(user=reader).others]
        assert shown.deadline == line.deadline == timezone.now() + timedelta(hours=n)


def test_a_turn_after_a_defense_has_the_full_time(game, morning):
    """After Bob's defense it is his own turn."""
    do(game, ALICE, "attack 1 with A8")
    do(game, CAROL, "protect leave")
    morning.shift(timedelta(hours=11))
    do(game, BOB, "defend A7")
    assert owing(game) == [BOB] and left(game, BOB) == timedelta(hours=48)


def test_the_attacker_is_notified_after_a_tie(game, morning):
    do(game, ALICE, "attack 1 with A4")
    do(game, CAROL, "protect leave")
    Notice.objects.all().delete()
    do(game, BOB, "defend A4")
    assert state_of(game).phase == "tie" and owing(game) == [ALICE]
    assert left(game, ALICE) == timedelta(hours=48)
    assert list(Notice.objects.filter(kind=Kind.TURN).values_list("seat__name", flat=True)) == ["Alice"]


@pytest.mark.parametrize(("clock_hours", "reply_hours", "has"), [(48, 2, 2), (6, 12, 6), (12, 12, 12)])
def test_a_reply_has_the_time_of_the_table_but_no_more_than_a_turn(morning, alice, bob, clock_hours, reply_hours, has):
    game = kingdoms(alice, bob, orders=ASK, clock=f"move {clock_hours}h", reply_hours=reply_hours)
    put(game, position(2, hands=HANDS))
    do(game, ALICE, "attack 1 with A8")
    assert left(game, BOB) == timedelta(hours=has)


@pytest.mark.parametrize("hours", [0, -1, 24 * 30 + 1])
def test_an_invalid_reply_time_is_refused(alice, hours):
    with pytest.raises(TableError):
        lobby.open_table(user=alice, ruleset="kingdoms", reply_hours=hours)


def test_the_reminder_is_due_after_four_fifths_of_the_reply_time(game):
    do(game, ALICE, "attack 1 with A8")
    reminder = Notice.objects.filter(kind=Kind.TIME).latest("pk")
    assert (reminder.seat.number, reminder.due_at) == (CAROL, timezone.now() + timedelta(hours=12 * 0.8))


def test_two_simultaneous_defenders_are_both_notified(game):
    do(game, ALICE, "attack 1 with A8")
    do(game, CAROL, "protect with")
    notice = Notice.objects.filter(kind=Kind.TURN).latest("pk")
    assert notice.seat.number == BOB
    do(game, CAROL, "defend A5")
    assert deliver.reasons([notice]) == [""], "Bob still owes the decision"
    reminders = Notice.objects.filter(kind=Kind.TIME, seat__number=BOB, seq__gt=0)
    assert deliver.reasons(reminders.order_by("seq")) == ["taken", ""]
    do(game, BOB, "defend A7")
    assert deliver.reasons([notice]) == ["taken"]


# Time is up


def test_k63_a_late_ruler_does_not_protect_and_a_late_defender_plays_the_best_hand(game, morning):
    do(game, ALICE, "attack 1 with A8")
    morning.shift(timedelta(hours=12))
    assert sweep() == 1
    assert by(game)[-1] == (CAROL, "late", "protect") and owing(game) == [BOB]
    morning.shift(timedelta(hours=12))
    before = state_of(game)
    assert sweep() == 1
    assert by(game)[-1] == (BOB, "late", "defend")
    assert Entry.objects.filter(game=game).latest("seq").actions == [spelt(before, BOB, "defend A4+A7")]
    assert owing(game) == [BOB] and left(game, BOB) == timedelta(hours=48)
    assert [line.by for line in table(public_id=game.public_id, user=None).log[-1:]] == ["late"]


def test_orders_still_answer_after_a_time_out(game, morning):
    """The late ruler doesn't protect the sub-kingdom, and the sub-kingdom's order defends at once."""
    do(game, ALICE, "attack 1 with A8")
    give_orders(game=game, seat=BOB, orders={"defend": "one"})
    morning.shift(timedelta(hours=12))
    assert sweep() == 1
    assert by(game)[-2:] == [(CAROL, "late", "protect"), (BOB, "orders", "defend")]


def test_k63_one_sweep_plays_all_steps_of_a_late_turn(morning, alice, bob):
    game = kingdoms(alice, bob, clock="move 24h")
    first = owing(game)[0]
    morning.shift(timedelta(hours=24))
    assert [sweep(), sweep()] == [1, 0]
    steps = by(game)
    assert steps[0] == (first, "late", "draw") and steps[-1] == (first, "late", "end")
    assert owing(game) == [1 - first] and left(game, 1 - first) == timedelta(hours=24)
    assert not Notice.objects.filter(kind=Kind.TURN, seat__number=first, seq__gt=0).exists()
    assert records.verify(game=again(game)) == []


def test_the_next_sweep_finishes_a_late_turn_that_was_interrupted(morning, alice, bob, monkeypatch):
    game = kingdoms(alice, bob, clock="move 24h")
    morning.shift(timedelta(hours=24))
    act_for, acted = timeouts.act_for, []

    def killed(**seat: object) -> bool:
        acted.append(act_for(**seat))
        raise KeyboardInterrupt

    monkeypatch.setattr(timeouts, "act_for", killed)
    with pytest.raises(KeyboardInterrupt):
        sweep()
    monkeypatch.setattr(timeouts, "act_for", act_for)
    assert sweep() == 1
    assert [step for _seat, _by, step in by(game)].count("draw") == 1
    assert by(game)[-1][2] == "end"


def test_a_reply_submitted_just_before_the_time_out_counts(game, morning):
    do(game, ALICE, "attack 1 with A8")
    late = seats_of(game)[CAROL]
    morning.shift(timedelta(hours=13))
    do(game, CAROL, "protect leave")
    assert not timeouts.time_out(seat=late, now=timezone.now())
    assert by(game)[-1] == (CAROL, "seat", "protect")


@pytest.mark.long
@pytest.mark.parametrize("options", [{"mode": "quickplay"}, {}])
def test_absent_players_never_stop_a_game(morning, alice, bob, carol, monkeypatch, options):
    seeded(monkeypatch, not options)
    game = kingdoms(alice, bob, carol, orders=ASK, clock="move 1h", options=options)
    for _hour in range(60):
        morning.shift(timedelta(hours=1))
        sweep()
        assert again(game).is_finished or all(left(game, seat) > timedelta(0) for seat in owing(game))
    assert again(game).is_finished == bool(options) or state_of(game).round > 15


def test_k64_bots_finish_a_game_whose_people_deleted_their_accounts(alice, bob, django_capture_on_commit_callbacks):
    game = kingdoms(alice, bob, options={"mode": "quickplay", "opening_truce": "0"})
    bob.delete()
    alice.delete()
    with django_capture_on_commit_callbacks(execute=True):
        bots.sweep_bots()
    assert again(game).is_finished
    assert {how for _seat, how, _step in by(game)} <= {"stand-in", "orders"}
    assert records.verify(game=again(game)) == []
