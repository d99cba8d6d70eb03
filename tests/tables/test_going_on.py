"""Seats that continue what they began: a turn that stopped at a turned-up token, and a setup submitted in parts."""

from datetime import timedelta
from itertools import count, pairwise

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from games.bots.bot import Bot
from games.bots.registry import BOTS
from games.errors import GameError, Illegal, NotYours, Stale, Unfinished
from games.notices.delivery.deliver import reasons
from games.notices.kinds import Kind
from games.notices.models import Notice, NoticeState
from games.rules.eight_minute.tokens import FACE_DOWN
from games.rules.protocol import Chance, Ruleset, View
from games.tables.models import Draft, Entry, Game, Seat
from games.tables.selectors.table import table
from games.tables.services import bots, lobby, play, records, timeouts
from tests.cast import again, everything_written, play_out, seats_of, state_of, submit, table_of
from tests.notices.emails import send_due
from tests.tables.family import (
    BY_HAND,
    EVERYTHING,
    SWAMP,
    before_a_find,
    before_an_extra_card,
    cheapest,
    choices,
    seeded,
    set_up,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def start(monkeypatch):
    seeded(monkeypatch)
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as traveller:
        yield traveller


@pytest.fixture
def find(start, alice, bob, carol) -> tuple[Game, int, list[str]]:
    return before_a_find(alice, bob, carol, clock="move 10h")


def refused(kind: type[GameError], game: Game, seat: int, *actions: str, seq: int | None = None) -> None:
    before = everything_written(game)
    with pytest.raises(kind):
        submit(game, seat, *actions, seq=seq)
    assert everything_written(game) == before


def owing(game: Game) -> list[int]:
    return [seat.number for seat in seats_of(game) if seat.owes]


def deadline(game: Game, seat: int):
    return seats_of(game)[seat].deadline


def notices_of(game: Game, kind: Kind) -> list[tuple[int, int]]:
    """Return the seats and entries of all notices of this kind."""
    return list(Notice.objects.filter(kind=kind, seat__game=game).order_by("seq").values_list("seat__number", "seq"))


# A turn that stops at a token


def test_a_turn_that_turns_up_a_token_is_an_entry_and_the_seat_continues(find):
    game, seat, turn = find
    submit(game, seat, *turn)
    assert owing(game) == [seat]
    assert Entry.objects.filter(game=game).last().actions == turn
    submit(game, seat, "done")
    assert owing(game) == [(seat + 1) % 3]
    assert [entry.actions for entry in Entry.objects.filter(game=game)][-2:] == [turn, ["done"]]
    assert records.verify(game=again(game)) == []


def test_a_turn_that_stops_elsewhere_is_refused_entirely(find):
    game, seat, (take, build) = find
    refused(Unfinished, game, seat, take)
    refused(Illegal, game, seat, take, build, build)


def test_a_part_sent_twice_counts_once_and_a_different_part_is_stale(find):
    game, seat, turn = find
    submit(game, seat, *turn, seq=game.seq)
    stands = everything_written(game)
    assert submit(game, seat, *turn, seq=game.seq).seq == game.seq + 1
    assert everything_written(game) == stands
    refused(Stale, game, seat, turn[0], "done", seq=game.seq)


def test_only_the_rest_of_the_turn_can_follow(find):
    game, seat, turn = find
    submit(game, seat, *turn)
    refused(Illegal, game, seat, *turn)
    refused(NotYours, game, (seat + 1) % 3, "done")


def test_submitting_a_part_deletes_the_draft_and_the_rest_gets_a_new_one(find, alice, bob, carol):
    game, seat, turn = find
    reader = (alice, bob, carol)[seat]
    play.lay_out(game=game, who=seat, actions=turn[:1], expected_seq=game.seq)
    submit(game, seat, *turn)
    assert not Draft.objects.exists()
    with pytest.raises(Stale):
        play.add_steps(game=game, who=seat, actions=["done"], expected_seq=game.seq)
    start = state_of(game).map.regions[state_of(game).start]
    play.add_steps(game=game, who=seat, actions=[f"place {start}"], expected_seq=game.seq + 1)
    seen = table(public_id=game.public_id, user=reader)
    assert seen.draft == (f"place {start}",)
    assert play.undo(game=game, who=seat, expected_seq=game.seq + 1).laid == []
    assert state_of(game).taken == "ancient-woods"


def test_the_clock_of_the_turn_continues(find, start):
    game, seat, turn = find
    due = deadline(game, seat)
    start.shift(timedelta(hours=3))
    submit(game, seat, *turn)
    assert deadline(game, seat) == due
    start.shift(timedelta(hours=1))
    submit(game, seat, "done")
    assert deadline(game, (seat + 1) % 3) == timezone.now() + timedelta(hours=10)


def test_a_continuing_seat_gets_no_turn_notice_and_keeps_the_time_of_its_reminder(find, start):
    game, seat, turn = find
    reminded = Notice.objects.get(kind=Kind.TIME, seat__game=game, seat__number=seat, seq=game.seq)
    start.shift(timedelta(hours=3))
    submit(game, seat, *turn)
    assert (seat, game.seq + 1) not in notices_of(game, Kind.TURN)
    again_reminded = Notice.objects.get(kind=Kind.TIME, seat__game=game, seq=game.seq + 1)
    assert (again_reminded.seat.number, again_reminded.due_at) == (seat, reminded.due_at)
    assert reasons([reminded, again_reminded]) == ["taken", ""]


def test_a_continuing_seat_is_not_reminded_twice(find, start):
    game, seat, turn = find
    start.shift(timedelta(hours=9))
    submit(game, seat, *turn)
    assert not [notice for notice in notices_of(game, Kind.TIME) if notice[1] > game.seq]


def test_the_next_player_is_notified_once_when_the_turn_has_ended(find):
    game, seat, turn = find
    submit(game, seat, *turn)
    submit(game, seat, "done")
    assert [notice for notice in notices_of(game, Kind.TURN) if notice[1] > game.seq] == [
        ((seat + 1) % 3, game.seq + 2)
    ]


def test_a_time_out_in_the_middle_plays_the_rest_of_that_turn_once(find, start):
    game, seat, turn = find
    submit(game, seat, *turn)
    start.shift(timedelta(hours=10))
    now = timezone.now()
    assert [timeouts.sweep_overdue(now), timeouts.sweep_overdue(now)] == [1, 0]
    last = Entry.objects.filter(game=game).last()
    assert (last.seat, last.by, last.seq) == (seat, "clock", game.seq + 2)
    assert owing(game) == [(seat + 1) % 3]


def test_a_bot_continues_the_turn_of_a_deleted_account(find, alice, bob, carol):
    game, seat, turn = find
    submit(game, seat, *turn)
    (alice, bob, carol)[seat].delete()
    assert bots.sweep_bots() == 1
    assert owing(game) == [(seat + 1) % 3] and again(game).seq == game.seq + 2


def eager(rules: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
    """Take Ancient Woods and turn up a token with it as soon as possible; otherwise take the first card and stop."""
    if not view.taken:
        return ["take ancient-woods" if "take ancient-woods" in view.legal else view.legal[0]]
    tokens = [f"build {region}" for region, here in view.regions.items() if here.token == FACE_DOWN]
    finds = [text for text in tokens if text in view.legal and view.taken == "ancient-woods"]
    return [*finds, "done"][:1]


@pytest.fixture
def eager_bots(start, monkeypatch) -> None:
    for slug in BOTS:
        monkeypatch.setitem(BOTS, slug, Bot(slug, slug, eager))


def stops(game: Game) -> list[str]:
    """Return who played the first part of each turn that was split in two."""
    entries = list(Entry.objects.filter(game=game))
    return [then.by for part, then in pairwise(entries) if part.events[-1]["kind"] == "gain" and then.seat == part.seat]


@pytest.mark.long
def test_a_bot_whose_turn_stops_continues_automatically(eager_bots, alice, django_capture_on_commit_callbacks):
    game = lobby.open_table(user=alice, players=3, bots=["medium", "random"], options=BY_HAND | SWAMP)
    set_up(game)
    alice.delete()
    with django_capture_on_commit_callbacks(execute=True):
        bots.sweep_bots()
    assert again(game).is_finished and stops(game) == ["seat"]
    assert records.verify(game=again(game)) == []


def test_the_sweep_finds_a_bot_that_stopped_in_the_middle_of_its_turn(eager_bots, alice):
    game = set_up(lobby.open_table(user=alice, players=3, bots=["medium", "random"], options=BY_HAND | SWAMP))
    alice.delete()
    while not again(game).is_finished:
        assert bots.sweep_bots() > 0
    assert stops(game) == ["seat"]


@pytest.mark.long
def test_a_time_out_plays_the_whole_turn_when_the_bot_turns_up_a_token(eager_bots, start, alice, bob, carol):
    game = set_up(table_of(alice, bob, carol, options=BY_HAND | SWAMP, clock="move 1h"))
    while not again(game).is_finished:
        start.shift(timedelta(hours=1))
        assert timeouts.sweep_overdue(timezone.now()) in (1, 3)
        assert all(seat.deadline > timezone.now() for seat in seats_of(game) if seat.owes)
    assert stops(game) == ["clock"]


# A setup by hand


@pytest.fixture
def by_hand(start, alice, bob, carol) -> Game:
    return table_of(alice, bob, carol, options=EVERYTHING | BY_HAND, clock="move 10h")


def test_only_the_setup_seat_must_act_at_first(by_hand, start):
    assert owing(by_hand) == [0] and not again(by_hand).sealed
    assert deadline(by_hand, 0) == timezone.now() + timedelta(hours=10)


def test_choices_can_be_submitted_one_by_one_while_the_clock_continues(by_hand, start):
    due = deadline(by_hand, 0)
    texts = choices(by_hand, 0)
    for n, text in enumerate(texts[:-1], start=1):
        start.shift(timedelta(minutes=10))
        submit(by_hand, 0, text)
        assert (owing(by_hand), deadline(by_hand, 0), again(by_hand).seq) == ([0], due, n)
    submit(by_hand, 0, texts[-1])
    assert again(by_hand).sealed and owing(by_hand) == [0, 1, 2]
    assert {seat.deadline for seat in seats_of(by_hand)} == {timezone.now() + timedelta(hours=10)}


def test_choices_submitted_together_are_one_entry(by_hand):
    texts = choices(by_hand, 0)
    submit(by_hand, 0, *texts)
    assert Entry.objects.filter(game=by_hand).last().actions == texts
    assert again(by_hand).sealed and records.verify(game=again(by_hand)) == []


def test_an_illegal_choice_refuses_the_whole_submission(by_hand):
    refused(Illegal, by_hand, 0, *choices(by_hand, 0)[:3], "lay moon centre 0")
    refused(NotYours, by_hand, 1, choices(by_hand, 0)[0])


def test_choices_are_laid_out_undone_and_kept_for_the_next_visit(by_hand, alice):
    for text in choices(by_hand, 0)[:3]:
        play.add_steps(game=by_hand, who=0, actions=[text], expected_seq=0)
    play.undo(game=by_hand, who=0, expected_seq=0)
    seen = table(public_id=by_hand.public_id, user=alice)
    assert seen.draft == tuple(choices(by_hand, 0)[:2]) and not seen.turn_complete
    play.lay_out(game=by_hand, who=0, actions=choices(by_hand, 0), expected_seq=0)
    assert table(public_id=by_hand.public_id, user=alice).turn_complete


def test_the_others_are_notified_after_the_setup_when_their_bids_are_due(by_hand):
    texts = choices(by_hand, 0)
    submit(by_hand, 0, *texts[:5])
    assert notices_of(by_hand, Kind.TURN) == []
    submit(by_hand, 0, *texts[5:])
    assert notices_of(by_hand, Kind.TURN) == [(1, 2), (2, 2)]


@pytest.mark.parametrize("phase", ["lay", "start", "outpost", "tokens"])
def test_a_time_out_in_any_phase_of_the_setup_leads_to_the_bids_in_one_sweep(by_hand, start, phase):
    texts = iter(choices(by_hand, 0))
    while state_of(by_hand).phase != phase:
        submit(by_hand, 0, next(texts))
    submit(by_hand, 0, next(texts))
    start.shift(timedelta(hours=10))
    assert timeouts.sweep_overdue(timezone.now()) == 1
    assert again(by_hand).sealed and owing(by_hand) == [0, 1, 2]
    assert Entry.objects.filter(game=by_hand).last().by == "clock"
    assert timeouts.sweep_overdue(timezone.now()) == 0


def test_two_players_place_the_third_color_in_turn_each_with_their_own_time(start, alice, bob):
    game = table_of(alice, bob, options=BY_HAND, clock="move 10h")
    submit(game, 0, *choices(game, 0))
    Notice.objects.all().delete()
    for n in range(10):
        assert (state_of(game).phase, owing(game)) == ("neutral", [1 - n % 2])
        start.shift(timedelta(hours=1))
        submit(game, 1 - n % 2, choices(game, 1 - n % 2)[0])
    assert again(game).sealed
    assert notices_of(game, Kind.TURN)[:2] == [(0, 2), (1, 3)]


def test_a_time_out_with_the_third_color_places_one_army(start, alice, bob):
    game = table_of(alice, bob, options=BY_HAND, clock="move 10h")
    submit(game, 0, *choices(game, 0))
    start.shift(timedelta(hours=10))
    assert timeouts.sweep_overdue(timezone.now()) == 1
    assert (state_of(game).supply[-1], owing(game)) == (9, [0])


# Bids with dice, and Fairy Queen's card


def test_a_time_out_during_the_bids_rolls_dice_for_a_tie(start, alice, bob, carol):
    game = table_of(alice, bob, carol, options={"ties": "die"}, clock="move 10h")
    submit(game, 0, "bid 2")
    submit(game, 1, "bid 2")
    Notice.objects.all().delete()
    start.shift(timedelta(hours=10))
    assert timeouts.sweep_overdue(timezone.now()) == 1
    event = Entry.objects.filter(game=game).last().events[-1]
    winner = event["winner"]
    assert event["decided"] == "die" and event["rolls"]
    assert owing(game) == [winner] and notices_of(game, Kind.TURN) == [(winner, 3)]
    assert records.verify(game=again(game)) == []


def test_a_tie_for_a_die_to_decide_is_invisible_while_bids_are_sealed(start, alice, bob, carol):
    game = table_of(alice, bob, carol, options={"ties": "die"})
    submit(game, 0, "bid 2")
    before = table(public_id=game.public_id, user=alice)
    submit(game, 1, "bid 2")
    assert table(public_id=game.public_id, user=alice) == before
    play.lay_out(game=game, who=2, actions=["bid 2"], expected_seq=0)
    assert table(public_id=game.public_id, user=carol).draft == ("bid 2",)


@pytest.fixture
def extra(start, monkeypatch, alice, bob, carol, dan) -> tuple[Game, int]:
    """A game in which Fairy Queen's extra card is due and someone else took the last turn; and her seat."""
    game = before_an_extra_card(alice, bob, carol, dan, clock="move 10h")
    return game, state_of(game).leaders.index("fairy-queen")


def test_fairy_queen_is_notified_and_has_her_own_time_for_the_extra_card(extra, start):
    game, queen = extra
    assert queen != 3 and (state_of(game).phase, owing(game)) == ("extra", [queen])
    assert deadline(game, queen) == timezone.now() + timedelta(hours=10)
    assert (queen, game.seq) in notices_of(game, Kind.TURN)


def test_a_time_out_of_fairy_queen_ends_the_game_once_only(extra, start):
    game, _queen = extra
    start.shift(timedelta(hours=10))
    assert [timeouts.sweep_overdue(timezone.now()), timeouts.sweep_overdue(timezone.now())] == [1, 0]
    assert again(game).is_finished and again(game).seq == game.seq + 1
    assert Notice.objects.filter(kind=Kind.ENDED, seat__game=game).count() == 4


def test_fairy_queen_may_pass(extra):
    game, queen = extra
    submit(game, queen, "done")
    assert again(game).is_finished and records.verify(game=again(game)) == []


@pytest.mark.long
def test_fairy_queen_submits_the_last_turn_before_she_chooses_a_card(monkeypatch, start, alice, bob, carol, dan):
    game = fairy_queen_last(monkeypatch, alice, bob, carol, dan)
    turn = cheapest(game)
    play.lay_out(game=game, who=3, actions=turn, expected_seq=game.seq)
    assert table(public_id=game.public_id, user=dan).turn_complete
    start.shift(timedelta(hours=5))
    submit(game, 3, *turn)
    assert (state_of(game).phase, owing(game)) == ("extra", [3])
    assert deadline(game, 3) == timezone.now() + timedelta(hours=10)
    submit(game, 3, "done")
    assert again(game).is_finished


def fairy_queen_last(monkeypatch, *people) -> Game:
    """Return a game with the first seed that deals Fairy Queen to the last seat."""
    for number in count():
        seeded(monkeypatch, number)
        with transaction.atomic():
            leaders = state_of(table_of(*people, options={"leaders": True})).leaders
            transaction.set_rollback(True)
        if leaders[3] == "fairy-queen":
            return before_an_extra_card(*people, clock="move 10h")
    raise AssertionError


# All options at once


@pytest.mark.long
def test_absent_players_never_stop_a_game_with_all_options(start, alice, bob):
    game = table_of(alice, bob, options=EVERYTHING | BY_HAND, clock="move 1h")
    for _hour in range(60):
        start.shift(timedelta(hours=1))
        timeouts.sweep_overdue(timezone.now())
    assert again(game).is_finished and records.verify(game=again(game)) == []


@pytest.mark.long
def test_a_finished_game_waits_for_nobody(start, alice, bob, carol):
    game = play_out(table_of(alice, bob, carol, options=EVERYTHING | BY_HAND))
    assert not Seat.objects.filter(game=game, owes=True).exists()
    assert not Draft.objects.exists()
    send_due()
    assert not Notice.objects.filter(
        kind__in=[Kind.TURN, Kind.TIME], state=NoticeState.QUEUED, due_at__lte=timezone.now()
    )
