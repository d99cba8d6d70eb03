"""Automatic steps on ladders: ended matches, challenges that nobody answers, and players who are away.

Each step is a transaction under the lock of the ladder, and checks again whether it is still due. So sweeps may run at
the same time, twice, or be killed anywhere.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from games.contests.ladders import news, rungs, services
from games.contests.ladders.selectors import answer_by, unavailable
from games.contests.models import Challenge, Ladder, Rung, Score
from games.contests.models.ladder import Outcome
from games.contests.models.scores import VOID, in_contest, over
from games.contests.ratings import book
from games.tables.models import Game
from games.tables.services.suspensions import suspended

logger = logging.getLogger(__name__)

BATCH = 200  # challenges or players of a ladder per sweep
STRETCHES = 100  # of rungs that sink, per sweep


def sweep(now: datetime) -> int:
    """Take all due steps on all ladders. Return how many were taken."""
    taken, suspended_users = 0, list(suspended(now).values_list("pk", flat=True))
    for ladder in Ladder.objects.order_by("pk"):
        # 1. Matches whose scores are written or never will be
        ended = Challenge.objects.filter(over(), ladder=ladder, state=Outcome.PLAYING).order_by("pk")
        taken += _each(settle, [(pk, now) for pk in ended.values_list("pk", flat=True)[:BATCH]])

        # 2. Challenges of suspended players, who can't answer, and rungs of closed accounts
        if suspended_users:
            is_held_up = Q(challenger__in=suspended_users) | Q(challenged__in=suspended_users)
            held_up = Challenge.objects.filter(is_held_up, ladder=ladder, state=Outcome.OPEN).order_by("pk")
            taken += _each(services.call_off, [(pk, now) for pk in held_up.values_list("pk", flat=True)[:BATCH]])
            closed = Rung.objects.filter(ladder=ladder, user__in=suspended_users, user__is_closed=True).order_by("pk")
            to_leave = closed.values_list("pk", flat=True)[:BATCH]
            taken += _each(services.leave_closed, [(ladder.ruleset, pk, now) for pk in to_leave])

        # 3. Unanswered challenges that are due, whose time a vacation may have moved, or that lost a player
        gone = Q(challenger=None) | Q(challenged=None)
        away = Q(challenged__away_until__gt=F("made_at"))
        waiting = Challenge.objects.filter(Q(answer_by__lte=now) | gone | away, ladder=ladder, state=Outcome.OPEN)
        to_look_at = waiting.order_by("answer_by").values_list("pk", flat=True)
        taken += _each(time_out, [(pk, now) for pk in to_look_at[:BATCH]])

        # 4. Inactive players
        for has_fallen in (True, False):
            idle = rungs.long_idle(ladder, now, has_fallen=has_fallen).values_list("pk", flat=True)
            taken += _each(drop_inactive, [(ladder.ruleset, pk, now) for pk in idle[:BATCH]])

        # 5. Empty rungs
        for _stretch in range(STRETCHES if rungs.empty(ladder).exists() else 0):
            taken += 1
            if not rungs.sink(ladder.ruleset):
                break
    return taken


def _each(step: Callable[..., bool], calls: Iterable[tuple]) -> int:
    """Call the step for each row, so that one broken row does not stop the others."""
    taken = 0
    for arguments in calls:
        try:
            taken += step(*arguments)
        except Exception:
            logger.exception("A ladder could not do %s%s.", step.__name__, arguments)
    return taken


# Ended matches


def contest_ended(game: int, now: datetime) -> None:
    """Settle the challenge of an ended game, if there is one."""
    last = Game.objects.filter(pk=game).first()
    if last is not None:
        contest = Q(full_game=last.full_game_id) if last.full_game_id else Q(game=last)
        for pk in Challenge.objects.filter(contest, state=Outcome.PLAYING).values_list("pk", flat=True):
            settle(pk, now)


@transaction.atomic
def settle(pk: int, now: datetime) -> bool:
    """Settle a challenge once its scores are written. Return whether it was settled."""
    challenge = services.lock_challenge(pk)
    result = outcome(challenge)
    return result is not None and challenge.is_playing and services.decide(challenge, result, now)


def outcome(challenge: Challenge) -> Outcome | None:
    """Return the outcome by the scores. A player who resigned or is gone has lost; a match canceled is a tie.

    Players who were replaced count with the places of that moment, as for ratings.
    """
    scores = list(Score.objects.filter(in_contest(challenge)).order_by("seat"))
    places = book.places(scores)
    results = {score.user_id: (score.gave_up, place) for score, place in zip(scores, places, strict=True)}
    if not results:
        return Outcome.DRAWN if Challenge.objects.filter(VOID, pk=challenge.pk).exists() else None
    last = True, len(results)
    challenger, challenged = results.get(challenge.challenger_id, last), results.get(challenge.challenged_id, last)
    if challenger[0] or challenger > challenged:
        return Outcome.LOST
    return Outcome.WON if challenger < challenged else Outcome.DRAWN


# Unanswered challenges


@transaction.atomic
def time_out(pk: int, now: datetime) -> bool:
    """Decide a challenge that was not answered in time, or postpone its deadline because of a vacation."""
    challenge = services.lock_challenge(pk)
    if not challenge.is_open:
        return False
    if challenge.challenged is not None and challenge.challenged.is_suspended:
        return False  # it is called off instead
    if challenge.challenger is None or challenge.challenged is None:
        return services.decide(challenge, Outcome.WITHDRAWN, now)
    challenge.answer_by = answer_by(challenge.ladder, challenge.challenged, challenge.made_at)
    if challenge.answer_by <= now:
        return services.decide(challenge, Outcome.EXPIRED, now)
    Challenge.objects.filter(pk=challenge.pk).update(answer_by=challenge.answer_by)
    return False


# Inactive players


@transaction.atomic
def drop_inactive(ruleset: str, pk: int, now: datetime) -> bool:
    """Drop an inactive player, or take them off the ladder if they have dropped before. Return whether it was due."""
    ladder = rungs.lock(ruleset)
    rung = Rung.objects.select_related("user").filter(pk=pk, user__isnull=False).first()
    if rung is None or not rungs.long_idle(ladder, now, has_fallen=rung.has_fallen).filter(pk=pk).exists():
        return False
    if unavailable([rung.user], now) or services.is_playing(ladder, rung):
        return False
    if rung.has_fallen:
        services.step_off(ladder, rung, now)
        news.tell_left(ladder, rung)
        return True
    Rung.objects.filter(pk=pk).update(has_fallen=True)
    new_rung = rungs.fall(ladder, rung, now)
    if new_rung != rung.rung:
        news.tell_fallen(ladder, rung, new_rung)
    return True
