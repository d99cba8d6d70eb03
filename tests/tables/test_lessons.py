"""Lessons: first games on a known deal, which count for nothing and can be played however the learner likes."""

import random
from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from games.contests.models import Score
from games.errors import GameError
from games.home.desk import desk, menu
from games.notices.models import Notice
from games.rules.play import Walk, walk
from games.rules.protocol import IllegalAction, State
from games.staff.restoring import awaited
from games.tables.lessons import LESSONS
from games.tables.lessons.lesson import LEARNER
from games.tables.models import Game, Seat, Status
from games.tables.selectors import position
from games.tables.selectors.rights import has_games, is_new_to
from games.tables.services import bots, handover, interventions, lessons, lobby, people, play, records, undo_requests
from tests.cast import again, seats_of, state_of

EVERY_LESSON = pytest.mark.parametrize("slug", LESSONS)


def allowed(game: Game, state: State, actions: list[str]) -> bool:
    try:
        walk(game.rules, state, LEARNER, actions)
        lessons.need_fitting(game, state, actions)
    except (GameError, IllegalAction):
        return False
    return True


def a_turn(game: Game, dice: random.Random) -> list[str]:
    """Return a submission of the learner, at random among what the lesson allows, and perhaps as lazy as can be."""
    rules, before = game.rules, state_of(game)
    actions, here = [], Walk(before)
    while not here.is_closed:
        view = rules.view(here.state, LEARNER)
        wanted = LESSONS[game.lesson].due(rules.view(before, LEARNER), view, False).accepts
        candidates = {*wanted, *map(rules.text, rules.legal(here.state, LEARNER))}
        offered = [text for text in sorted(candidates) if allowed(game, before, [*actions, text])]
        assert offered, "the lesson has a dead end"
        actions.append(dice.choice(offered))
        here = walk(rules, before, LEARNER, actions)
    return actions


def play_lesson(game: Game, seed: int) -> Game:
    dice = random.Random(seed)
    for _turn in range(60):
        game = again(game)
        if not game.is_running:
            return game
        play.submit_turn(game=game, seat=LEARNER, actions=a_turn(game, dice), expected_seq=game.seq)
    raise AssertionError("the lesson does not end")


@EVERY_LESSON
@pytest.mark.parametrize("seed", range(3))
def test_lesson_ends_however_the_learner_uses_its_cards(alice: User, slug: str, seed: int) -> None:
    game = play_lesson(lessons.begin(user=alice, slug=slug), seed)
    assert game.status == Status.FINISHED and game.result
    assert LESSONS[slug].due(*[game.rules.view(state_of(game), LEARNER)] * 2, False) is None
    # The log proves itself like that of any game, also from its beginning
    assert records.proof(public_id=game.public_id, user=alice).problems == ()
    assert position.folded(game, seats_of(game)) == state_of(game)


@pytest.mark.parametrize(
    ("slug", "taught"), [("legends", "cursed-banshee"), ("prototype", "ancient-sage"), ("classic", "o34")]
)
def test_the_lesson_says_when_no_army_has_crossed_the_water(alice: User, slug: str, taught: str) -> None:
    game, dice, sentences = lessons.begin(user=alice, slug=slug), random.Random(1), {}
    rules, due = game.rules, LESSONS[slug].due
    while f"take {taught}" not in due(*[rules.view(state_of(game), LEARNER)] * 2, False).accepts:
        play.submit_turn(game=game, seat=LEARNER, actions=a_turn(game, dice), expected_seq=again(game).seq)
    before, start = state_of(game), [f"take {taught}"]
    islands = [set(regions) for regions, _holder in rules.view(before, LEARNER).islands]
    for _attempt in range(30):
        moves: list[str] = []
        while not (here := walk(rules, before, LEARNER, start + moves)).is_closed:
            possible = [text for text in map(rules.text, rules.legal(here.state, LEARNER)) if text.startswith("move ")]
            if not possible:
                break
            moves.append(dice.choice(possible))
            is_crossing = not any({*moves[-1].split()[1:]} <= island for island in islands)
            after = walk(rules, before, LEARNER, start + moves).state
            sentences[is_crossing] = due(rules.view(before, LEARNER), rules.view(after, LEARNER), True).todo
            if is_crossing:
                break
    assert sentences == {
        True: "Press Confirm to play your turn.",
        False: "No army has crossed the water yet. Undo a move to try it, or press Confirm.",
    }


@EVERY_LESSON
def test_lesson_counts_for_nothing(alice: User, slug: str) -> None:
    game = play_lesson(lessons.begin(user=alice, slug=slug), 1)
    alice.refresh_from_db()
    assert not game.counts and not game.rated and not game.listed
    assert not Score.objects.exists() and not Notice.objects.exists() and alice.punctuality == ""
    assert not has_games(alice) and is_new_to(alice, slug)
    shown = desk(user=alice)
    assert not (shown.mine or shown.others or shown.finished or shown.lessons)
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(counts=True)


@EVERY_LESSON
def test_unfinished_lesson_waits_on_the_desk_without_a_clock(alice: User, slug: str) -> None:
    game = lessons.begin(user=alice, slug=slug)
    assert lessons.begin(user=alice, slug=slug) == game
    assert desk(user=alice).lessons == [game] and not desk(user=alice).mine and menu(alice)[0] == 0
    assert not Seat.objects.filter(game=game, deadline__isnull=False).exists() and game not in awaited()
    play.submit_turn(game=game, seat=LEARNER, actions=a_turn(game, random.Random(0)), expected_seq=game.seq)
    assert not Seat.objects.filter(game=game, deadline__isnull=False).exists() and not Notice.objects.exists()


@EVERY_LESSON
def test_skipped_lesson_is_over_and_can_begin_again(alice: User, slug: str) -> None:
    game = lessons.begin(user=alice, slug=slug)
    lessons.skip(user=alice, slug=slug)
    assert again(game).is_void and desk(user=alice).lessons == []
    assert records.proof(public_id=game.public_id, user=alice).problems == ()
    lessons.skip(user=alice, slug=slug)
    assert lessons.begin(user=alice, slug=slug).pk != game.pk


def test_lessons_end_two_weeks_after_the_last_turn_and_other_games_continue(alice: User, bob: User) -> None:
    idle, played = lessons.begin(user=alice, slug="legends"), lessons.begin(user=bob, slug="legends")
    running, begun = lobby.play_now(user=alice), timezone.now()
    with time_machine.travel(begun + timedelta(days=10)):
        play.submit_turn(game=played, seat=LEARNER, actions=a_turn(played, random.Random(0)), expected_seq=played.seq)
    assert lessons.sweep(begun + timedelta(days=15)) == 1
    assert again(idle).is_void and again(played).is_running and again(running).is_running
    assert lessons.sweep(begun + timedelta(days=25)) == 1
    assert again(played).is_void and again(running).is_running


def test_lesson_cannot_be_handed_over_undone_or_decided_by_staff(alice: User, bob: User) -> None:
    game = lessons.begin(user=alice, slug="legends")
    seat = seats_of(game)[LEARNER]
    play.submit_turn(game=game, seat=LEARNER, actions=a_turn(game, random.Random(0)), expected_seq=game.seq)
    seq = again(game).seq
    for attempt in (
        lambda: handover.hand_to_bot(seat=seat, user=alice),
        lambda: handover.resign(seat=seat, user=alice),
        lambda: handover.ask(seat=seat, user=alice, name="Bob"),
        lambda: undo_requests.ask(game=game, seat=LEARNER, expected_seq=seq),
        lambda: interventions.give_time(game=game, seat=0, hours=1, reason="x", expected_seq=seq, by=None),
        lambda: interventions.end(game=game, reason="x", expected_seq=seq, by=bob),
        lambda: play.give_orders(game=game, seat=LEARNER, orders={}),
        lambda: lobby.join_table(game=game, user=bob, invite=game.invite_token),
    ):
        with pytest.raises(GameError):
            attempt()
    assert again(game).seq == seq


def test_guest_who_signs_in_keeps_the_lesson_of_the_account(alice: User) -> None:
    guest = User.objects.create(username="Guest Gil 1", is_guest=True)
    lesson_of_alice = lessons.begin(user=alice, slug="legends")
    lesson_of_guest = lessons.begin(user=guest, slug="legends")
    people.merge(guest, alice)
    assert again(lesson_of_alice).is_running and again(lesson_of_guest).is_void


def test_account_that_is_deleted_leaves_no_lesson_for_a_bot(alice: User) -> None:
    game = lessons.begin(user=alice, slug="kingdoms")
    people.before_deletion(alice)
    alice.delete()
    assert again(game).is_void and not bots.sweep_bots()


def test_guest_who_only_took_a_lesson_is_deleted_after_a_month(alice: User) -> None:
    guest = User.objects.create(username="Guest Gil 1", is_guest=True)
    game = lessons.begin(user=guest, slug="legends")
    month = timezone.now() + timedelta(days=31)
    lessons.sweep(month)
    assert people.sweep_guests(month) == 1 and again(game).is_void


@EVERY_LESSON
def test_first_game_is_real_easy_without_a_bid_and_asks_instead_of_ordering(alice: User, slug: str) -> None:
    game = again(lobby.first_game(user=alice, ruleset=slug))
    player, bot = seats_of(game)
    assert bot.bot == "easy" and not game.lesson and game.is_running and not game.sealed
    assert set(player.orders.values()) <= {"ask"} and bool(player.orders) == (slug == "kingdoms")
    assert game.rules.phase(state_of(game)) not in ("bid", "first")
    assert all(entry.actions in ([], ["bid 0"], ["first 0"]) for entry in game.entries.all())
