"""Reviews of finished games by the engine: asking for one, working it out in the background, and hints against bots.

A review is refused while anyone still plays the same deal, because it would help them.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from threading import Lock

import msgspec
from django.db import transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from empire.on_commit import delay_on_commit
from empire.web.languages import display_name
from games.bots import review as engine
from games.bots import search
from games.errors import NotYours, TableError
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import gettext_later as _
from games.notices.outbox.words import later
from games.rules import log, staff
from games.rules.fairness import Quick
from games.rules.protocol import State, View
from games.rules.registry import RULESETS
from games.tables import hooks
from games.tables.models import (
    Entry,
    Game,
    GameLuck,
    GameReview,
    Handover,
    ReviewRequest,
    ReviewState,
    Seat,
    SeatReview,
    Status,
)
from games.tables.selectors import position, rights
from games.tables.selectors.options import short_name

logger = logging.getLogger(__name__)

LEASE = timedelta(minutes=15)  # for a worker to finish a review
TRIES = 2
LUCK_SOUGHT = timedelta(days=30)  # after the end of a game
LUCK_AGAIN = timedelta(hours=1)
SWEPT = 5  # games whose luck a sweep works out, of those without a try and of those with one
MOST_WAITING = 200  # reviews, on the whole site
MOST_FOR_GUESTS = 100  # above this, guests can’t ask: anyone can be many guests
MOST_OF_ONE = 5  # of these, that one person has asked for
MOST_FOR_STAFF = 20  # games of a player that staff have reviewed at once
HINTS, HINT_BUDGET = 3, 2700  # ideas of a hint, and the turns simulated for it: 0.2 to 0.3 s of processor

_is_busy = Lock()  # while this process works on a review


def refusal(game: Game) -> str:
    """Return why the game can't be reviewed, or an empty text."""
    if not engine.can_review(game.rules):
        return gettext("Games of this kind can’t be reviewed yet.")
    if not game.is_finished:
        return gettext("A game can be reviewed when it is over.")
    last = Entry.objects.filter(game=game, seq=game.seq).first()
    if last is not None and staff.stops(log.intervention(last)):
        return gettext("Staff ended this game early, so there is nothing to review.")
    if game.is_withheld or still_played(game):
        return gettext("Someone is still playing the same deal. You can review the game when everyone has finished.")
    return ""


def still_played(game: Game) -> bool:
    """Return whether another game with the same deal still runs, or must stay secret: a duplicate, or a copy of it."""
    same_deal = Q(seed_hash=game.seed_hash) if game.seed_hash else Q(pk=None)
    if game.imported and game.origin:
        same_deal |= Q(public_id=game.origin)
    unfinished = Game.objects.filter(same_deal).exclude(pk=game.pk)
    return unfinished.filter(Q(status=Status.RUNNING) | Q(is_withheld=True)).exists()


def latest(game: Game) -> GameReview | None:
    """Return the review by the current engine, else the latest one that is done."""
    reviews = list(GameReview.objects.filter(game=game).order_by("pk"))
    current = [review for review in reviews if review.engine == engine.ENGINE and review.state != ReviewState.FAILED]
    done = [review for review in reviews if review.state == ReviewState.DONE]
    return next(iter((current or done)[-1:]), None)


def content(review: GameReview | None) -> engine.Review | None:
    """Return the stored review as a value, if it is done and written by a version that we can read."""
    if review is None or review.state != ReviewState.DONE:
        return None
    try:
        return msgspec.convert(review.data, engine.Review)
    except msgspec.ValidationError:
        return None


@transaction.atomic
def ask(*, public_id: str, user: User) -> GameReview:
    """Ask for the review of a game that the user may see. Raises `GameError`; asking again changes nothing."""
    game, seats = rights.visible(public_id=public_id, user=user)
    if user.is_guest and rights.own_seat(user, seats) is None:
        raise NotYours(gettext("Guests can review their own games. Sign up to review others."))
    if reason := refusal(game):
        raise TableError(reason)
    review = GameReview.objects.filter(game=game, engine=engine.ENGINE).first()
    if review is None:
        if ReviewRequest.objects.filter(user=user, review__state=ReviewState.WAITING).count() >= MOST_OF_ONE:
            sentence = gettext("%(n)d of your reviews are not ready yet. Ask for more when they are.")
            raise TableError(sentence % {"n": MOST_OF_ONE})
        most = MOST_FOR_GUESTS if user.is_guest else MOST_WAITING
        if GameReview.objects.filter(state=ReviewState.WAITING).count() >= most:
            raise TableError(gettext("Too many games are waiting for their review. Try again in an hour."))
        review, _is_new = GameReview.objects.get_or_create(
            game=game, engine=engine.ENGINE, defaults={"asked_at": timezone.now()}
        )
    elif review.state == ReviewState.FAILED:
        GameReview.objects.filter(pk=review.pk, state=ReviewState.FAILED).update(
            state=ReviewState.WAITING, claimed_at=None, tries=0
        )
        review.refresh_from_db()
    if review.state == ReviewState.WAITING:
        ReviewRequest.objects.get_or_create(review=review, user=user)
        delay_on_commit("games.tasks.review_game", review.pk)
    return review


@transaction.atomic
def ask_for_player(*, player: User) -> int:
    """Have the player's latest rated games reviewed for staff, who compare many games. Return how many are new."""
    owned = Q(owner=player) & (Q(first_owner=player) | Q(first_owner=None))
    seats = Seat.objects.filter(owned, game__status=Status.FINISHED, game__counts=True, game__is_withheld=False)
    games = Game.objects.filter(pk__in=seats.order_by("-game_id").values_list("game", flat=True)[:MOST_FOR_STAFF])
    reviewed = GameReview.objects.filter(engine=engine.ENGINE, game__in=games).values("game")
    room = MOST_WAITING - GameReview.objects.filter(state=ReviewState.WAITING).count()
    new = [game for game in games.exclude(pk__in=reviewed).order_by("-pk") if not refusal(game)][: max(0, room)]
    for game in new:
        review, is_new = GameReview.objects.get_or_create(
            game=game, engine=engine.ENGINE, defaults={"asked_at": timezone.now()}
        )
        if is_new:
            delay_on_commit("games.tasks.review_game", review.pk)
    return len(new)


def work(pk: int, now: datetime) -> bool:
    """Work out a review and notify those who asked for it. Return False if there was nothing to do.

    It takes about a minute of processor, so nothing is locked meanwhile; the claim keeps other workers away.
    """
    # 1. Claim it
    free = Q(claimed_at=None) | Q(claimed_at__lt=now - LEASE)
    waiting = GameReview.objects.filter(free, pk=pk, state=ReviewState.WAITING)
    if not waiting.update(claimed_at=now, tries=F("tries") + 1):
        return False
    review = GameReview.objects.select_related("game").get(pk=pk)
    game, seats = review.game, list(Seat.objects.filter(game=review.game_id).order_by("number"))
    # 2. Work it out, unless the game has become secret again
    try:
        reviewed = None
        if not refusal(game):
            start, entries = position.empty(game, seats), position.entries(game)
            reviewed = engine.review(game.rules, start, entries, samples=engine.SAMPLES, budget=engine.BUDGET)
    except Exception:  # one game must not stop the queue
        logger.exception("The review of game %s failed.", game)
        reviewed = None
    if reviewed is None or not reviewed.turns:
        if review.tries >= TRIES:
            GameReview.objects.filter(pk=pk, claimed_at=now).update(state=ReviewState.FAILED)
        return False
    # 3. Store it, and tell those who asked
    with transaction.atomic():
        claimed = GameReview.objects.filter(pk=pk, claimed_at=now, state=ReviewState.WAITING)
        if not claimed.update(state=ReviewState.DONE, done_at=timezone.now(), data=msgspec.to_builtins(reviewed)):
            return False
        SeatReview.objects.bulk_create(_sides(review, seats, reviewed), ignore_conflicts=True)
        with outbox.together():
            for request in ReviewRequest.objects.filter(review=review).select_related("user"):
                tell(game, seats, request.user)
    return True


# Luck, which every finished game gets


def measure_luck(pk: int, now: datetime) -> bool:
    """Work out the luck of a finished game. Return whether that was done now; safe to repeat.

    It takes some seconds of processor, so nothing is locked meanwhile. The row is written first, so that the sweep
    leaves the game alone.
    """
    game = Game.objects.filter(pk=pk, status=Status.FINISHED).first()
    if game is None or game.lesson or not engine.can_review(game.rules):
        return False
    stored, _is_new = GameLuck.objects.get_or_create(game=game, defaults={"tried_at": now})
    if stored.data is not None:
        return False
    GameLuck.objects.filter(pk=pk).update(tried_at=now)
    if refusal(game):
        return False
    try:
        start = position.empty(game, list(Seat.objects.filter(game=game).order_by("number")))
        luck = engine.luck_of(game.rules, start, position.entries(game))
    except Exception:  # one game must not stop the queue
        logger.exception("The luck of game %s could not be worked out.", game)
        return False
    if luck is None:
        return False
    return bool(GameLuck.objects.filter(pk=pk, data__isnull=True).update(data=msgspec.to_builtins(luck)))


def sweep_luck(now: datetime) -> int:
    """Work out the luck of games whose task was lost, or whose deal others still played; the oldest tries first."""
    rulesets = [slug for slug, rules in RULESETS.items() if engine.can_review(rules)]
    ended = Game.objects.filter(status=Status.FINISHED, lesson="", is_withheld=False, ruleset__in=rulesets)
    new = ended.filter(luck=None, ended_at__gt=now - LUCK_SOUGHT, ended_at__lt=now - timedelta(minutes=1))
    late = ended.filter(
        luck__data__isnull=True, luck__tried_at__lt=now - LUCK_AGAIN, ended_at__gt=now - LUCK_SOUGHT
    ).order_by("luck__tried_at")  # fmt: skip
    games = [*new.order_by("ended_at").values_list("pk", flat=True)[:SWEPT], *late.values_list("pk", flat=True)[:SWEPT]]
    return sum(measure_luck(pk, now) for pk in games)


def _sides(review: GameReview, seats: list[Seat], reviewed: engine.Review) -> list[SeatReview]:
    """Return a row for each seat whose player at the start took turns. Lessons and imported games count for nobody."""
    if review.game.lesson or review.game.imported:
        return []
    # A player who was away counts, because the engine leaves out the turns of bots; but not where a person stood in.
    handovers = Handover.objects.filter(seat__in=seats, to__isnull=False).exclude(to=F("seat__first_owner"))
    others = set(handovers.values_list("seat", flat=True))
    return [
        SeatReview(
            review=review, number=seat.number, user_id=seat.first_owner_id or seat.owner_id,
            ruleset=review.game.ruleset, ended_at=review.game.ended_at or review.asked_at, turns=side.turns,
            best=side.best, accuracy=side.accuracy, luck=side.luck, play=side.own,
        )
        for seat, side in zip(seats, reviewed.sides, strict=True)
        if side.accuracy is not None and (seat.first_owner_id or seat.owner_id) and seat.pk not in others
    ]  # fmt: skip


def tell(game: Game, seats: list[Seat], user: User) -> None:
    """Notify a person that a review is ready, if they may still see the game."""
    if not rights.may_see(game=game, seats=seats, user=user):
        return
    names = later(lambda: ", ".join(display_name(seat.name) for seat in seats))
    outbox.tell_user(
        kind=Kind.REVIEW, user=user, about=f"review.{game.pk}.{engine.ENGINE}",
        title=_("Review ready: {game}").format(game=later(short_name, game.ruleset)),
        lead=_("See where the game of {players} was won and lost, and what was luck.").format(players=names),
        url=reverse("review", args=[game.public_id]),
    )  # fmt: skip


def work_through(pk: int, now: datetime) -> int:
    """Work out a review, then those that wait, the oldest first. Do nothing while this process works on another one.

    So the other threads of a worker are free for the luck of games and for bots that think. The thread that is busy
    takes the next review, or the sweep does. Return how many are done.
    """
    if not _is_busy.acquire(blocking=False):
        return 0
    try:
        done, following = 0, pk
        while following:
            done += work(following, max(now, timezone.now()))
            waiting = GameReview.objects.filter(claimed_at=None, state=ReviewState.WAITING).order_by("asked_at")
            following = waiting.values_list("pk", flat=True).first() or 0
        return done
    finally:
        _is_busy.release()


def sweep(now: datetime) -> int:
    """Work on reviews whose task was lost. Give up those that keep failing. Return how many are done."""
    stuck = GameReview.objects.filter(state=ReviewState.WAITING, tries__gte=TRIES, claimed_at__lt=now - LEASE)
    stuck.update(state=ReviewState.FAILED)
    late = Q(claimed_at=None, asked_at__lt=now - timedelta(minutes=1)) | Q(claimed_at__lt=now - LEASE)
    rows = GameReview.objects.filter(late, state=ReviewState.WAITING).order_by("asked_at")
    pk = rows.values_list("pk", flat=True).first()
    return work_through(pk, now) if pk else 0


# Hints


def offers_hint(game: Game, seats: Sequence[Seat]) -> bool:
    """Return whether a table shows the hint button: the game runs, counts for nothing, and one person plays bots."""
    people = [seat for seat in seats if not seat.own_bot]
    is_apart = game.counts or game.duplicate_id is not None or bool(game.lesson)
    return game.is_running and len(people) == 1 and not is_apart and engine.can_review(game.rules)


def has_hint_for(game: Game, view: View) -> bool:
    """Return whether there are ideas for what is due in this position: for turns, but not for a bid or the setup."""
    return search.ROLLOUTS[game.rules.family].is_turn(view)


def may_hint(game: Game, seats: Sequence[Seat]) -> bool:
    """Return whether hints are allowed: never in a match of a competition, or while others play the same deal."""
    return offers_hint(game, seats) and not still_played(game) and not any(hook(game) for hook in hooks.is_match)


def ideas(game: Game, state: State, seat: int) -> list[search.Idea]:
    """Return the best ideas for the seat's turn, from what it may know; none for other decisions."""
    if not engine.is_turn(game.rules, state, seat):
        return []
    view = game.rules.view(state, seat)
    return search.hints(game.rules, view, seat, HINTS, HINT_BUDGET, Quick(game.seq))
