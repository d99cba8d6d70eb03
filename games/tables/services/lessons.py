"""Lessons: begin, continue and skip one, keep the learner on its path, and play the teacher's turns.

A lesson is a private game with a known seed and without a clock. It counts for nothing: no scores, no notices, no
reliability. When its script ends before the rules end the game, or when it is skipped, an entry by the site ends it.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.acceptance import need_accepted
from accounts.models import User
from games.bots.bot import play_turn
from games.bots.registry import BOTS
from games.errors import GameError, NotFound
from games.rules import play, staff
from games.rules.fairness import Quick
from games.rules.protocol import IllegalAction, State
from games.rules.registry import get
from games.tables.lessons import LESSONS
from games.tables.lessons.lesson import LEARNER, OPPONENT, TEACHER
from games.tables.models import Entry, Game, Seat, Status
from games.tables.models.game import new_game
from games.tables.models.log import By
from games.tables.services import commit, start
from games.tables.services.commit import Locked

STALE_AFTER = timedelta(days=14)
CLOCK = "move 30d"  # never started
ENDED = gettext_noop("The lesson is over.")
SKIPPED = gettext_noop("The lesson was skipped.")


def begun(user: User) -> QuerySet[Game]:
    """Return the user's unfinished lessons."""
    return Game.objects.filter(opener=user, status=Status.RUNNING).exclude(lesson="")


@transaction.atomic
def begin(*, user: User, slug: str) -> Game:
    """Return the user's unfinished lesson with this slug, or start one. Raises `NotFound`."""
    lesson = LESSONS.get(slug)
    if lesson is None:
        raise NotFound
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two taps begin one lesson
    if game := begun(user).filter(lesson=slug).first():
        return game
    need_accepted(user)
    # 1. The table: the learner and the teacher
    now = timezone.now()
    game = new_game(
        lesson=slug, ruleset=slug, rules_version=get(slug).version, players=2, clock=CLOCK, rated=False, opener=user,
        opened_at=now, options=dict(lesson.options),
    )  # fmt: skip
    common = {"game": game, "orders": dict(lesson.orders)}
    Seat.objects.create(**common, number=LEARNER, user=user, owner=user, name=user.username)
    Seat.objects.create(**common, number=TEACHER, bot=OPPONENT, name=gettext("Teacher"))
    start.begin(game=game, now=now, lesson_seed=lesson.seed)
    # 2. The decisions before the lesson, such as bids, which it leaves out
    locked = commit.load(commit.lock_row(game))
    for number, action in lesson.opening:
        events = commit.decided(locked, number, [action])
        commit.append(locked, at=now, seat=number, by=By.SEAT, actions=[action], events=events)
    commit.settle(locked, at=now)
    Seat.objects.filter(game=game).update(seen_seq=locked.game.seq)
    return locked.game


def need_fitting(game: Game, state: State, actions: Iterable[str]) -> bool:
    """Raise `GameError`, with what to do instead, if the lesson has no answer to these legal actions of the learner.

    Return whether the lesson demands exactly the last of them, so that nobody need ask what it gives up.
    """
    lesson, rules, position, is_demanded = LESSONS.get(game.lesson), game.rules, state, False
    if lesson is None:
        raise GameError(gettext("This lesson no longer exists, so you can’t continue it. Skip it and choose another."))
    before = rules.view(state, LEARNER)
    for action in actions:
        prompt = lesson.due(before, rules.view(position, LEARNER), False)
        if prompt and not prompt.allows(rules.text(rules.parse(action))):
            raise GameError(gettext("Not in this lesson. {todo}").format(todo=gettext(prompt.todo)))
        is_demanded = prompt is not None and list(prompt.accepts) == [action]
        position = play.walk(rules, position, LEARNER, [action]).state
    return is_demanded


def after_turn(locked: Locked, now: datetime) -> None:
    """Play what the teacher owes after the learner's decision, and end the lesson after its last step."""
    lesson, rules = LESSONS.get(locked.game.lesson), locked.rules
    while lesson and not rules.is_over(locked.state):
        view = rules.view(locked.state, LEARNER)
        if lesson.due(view, view, False) is None:
            _end(locked, staff.Ended(ENDED), now)
        elif TEACHER in rules.to_act(locked.state):
            actions = teachers_turn(locked)
            events = commit.decided(locked, TEACHER, actions)
            commit.append(locked, at=now, seat=TEACHER, by=By.SEAT, actions=actions, events=events)
        else:
            return
    locked.seat(LEARNER).seen_seq = locked.game.seq  # the end is no news: the page says it anyway


def teachers_turn(locked: Locked) -> list[str]:
    """Return the teacher's scripted turn without the steps that have become illegal, or if nothing is left a bot's."""
    rules, state = locked.rules, locked.state
    actions: list[str] = []
    walk = play.Walk(state)
    for wish in LESSONS[locked.game.lesson].teacher(rules.view(state, TEACHER)):
        try:
            walk, actions = play.walk(rules, state, TEACHER, [*actions, wish]), [*actions, wish]
        except IllegalAction:
            continue
    if not actions:
        return play_turn(rules, rules.view(state, TEACHER), BOTS[OPPONENT], Quick(locked.game.seq))
    end = None if walk.is_closed else rules.end_of_turn(walk.state, TEACHER)
    return [*actions, rules.text(end)] if end else actions


def _end(locked: Locked, last: staff.Intervention, now: datetime) -> None:
    commit.append(locked, at=now, seat=None, by=By.SEAT, actions=[staff.text(last)], events=[last])
    locked.rules.stop(locked.state)


@transaction.atomic
def skip(*, user: User, slug: str) -> None:
    """End the user's unfinished lesson with this slug, if there is one."""
    game = begun(user).filter(lesson=slug).select_for_update().first()
    if game is not None:
        _skip(game, timezone.now())


def _skip(game: Game, now: datetime) -> None:
    locked = commit.load(game)
    _end(locked, staff.Voided(SKIPPED), now)
    game.status, game.ended_at = Status.VOID, now
    commit.settle(locked, at=now)


def sweep(now: datetime) -> int:
    """End lessons that nobody has played on for two weeks. Return how many."""
    old = Game.objects.filter(status=Status.RUNNING, started_at__lt=now - STALE_AFTER).exclude(lesson="")
    idle = old.exclude(Exists(Entry.objects.filter(game=OuterRef("pk"), at__gte=now - STALE_AFTER)))
    return sum(_sweep(pk) for pk in list(idle.values_list("pk", flat=True)))


@transaction.atomic
def _sweep(pk: int) -> bool:
    game = Game.objects.select_for_update(skip_locked=True).filter(pk=pk, status=Status.RUNNING).first()
    if game is not None:
        _skip(game, now=timezone.now())
    return game is not None
