"""Services for ladders. Each is one transaction under the lock of the ladder's row, and safe to repeat.

A challenge that is declined or not answered counts as won by the challenger.
"""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from accounts.moderation.services import need_tables
from games.bots.registry import by_name
from games.contests.ladders import news, rungs, selectors
from games.contests.models import Challenge, Ladder, Rung
from games.contests.models.ladder import UNDECIDED, Outcome
from games.errors import GameError, Illegal, NotYours
from games.rules.protocol import IllegalAction
from games.tables.models import Game
from games.tables.services.start import seat_together


@transaction.atomic
def join(*, ruleset: str, user: User) -> Rung:
    """Join on the lowest rung. A player who is on the ladder keeps their rung. Raises `GameError`."""
    need_tables(user)
    rungs.need_ladder(ruleset)
    if user.is_guest:
        raise GameError(gettext("Guests can’t join ladders. Sign up first; you keep your games."))
    ladder = rungs.lock(ruleset)
    return rungs.rung_of(ladder, user) or rungs.add(ladder, user, timezone.now())


@transaction.atomic
def leave(*, ruleset: str, user: User) -> None:
    """Leave the ladder. This declines challenges to answer and withdraws those given. Raises `GameError`."""
    ladder = rungs.lock(ruleset)
    if rungs.rung_of(ladder, user) is None:
        return
    step_off(ladder, need_to_leave(ladder, user), timezone.now())


def need_to_leave(ladder: Ladder, user: User) -> Rung:
    """Return the user's rung if they may leave the ladder now. Raises `GameError`."""
    rung = rungs.rung_of(ladder, user) if ladder.pk else None
    if rung is None:
        raise NotYours(gettext("You are not on this ladder."))
    if _under_way(ladder, user, Outcome.PLAYING):
        raise GameError(gettext("You are playing a match on this ladder. You can leave when it ends."))
    return rung


@transaction.atomic
def leave_all(*, user: User) -> None:
    """Remove a person whose account is being deleted. They lose their running matches."""
    for ruleset in Ladder.objects.filter(rungs__user=user).order_by("pk").values_list("ruleset", flat=True):
        ladder, now = rungs.lock(ruleset), timezone.now()
        for challenge in _under_way(ladder, user, Outcome.PLAYING):
            decide(challenge, Outcome.LOST if challenge.challenger_id == user.pk else Outcome.WON, now)
        step_off(ladder, rungs.need_rung(ladder, user), now)


def step_off(ladder: Ladder, rung: Rung, now: datetime) -> None:
    """Empty the rung of a player who is in no match, and end their open challenges."""
    assert rung.user is not None
    for challenge in _under_way(ladder, rung.user, Outcome.OPEN):
        decide(challenge, Outcome.WITHDRAWN if challenge.challenger_id == rung.user_id else Outcome.DECLINED, now)
    rung.refresh_from_db()
    rungs.take_off(ladder, rung, now)


@transaction.atomic
def challenge(*, ruleset: str, user: User, player: str) -> Challenge:
    """Challenge the player of that name. Raises `GameError` with the first reason against it.

    A challenge of this player that is still open is returned.
    """
    need_tables(user)
    ladder, now = rungs.lock(ruleset), timezone.now()
    me = rungs.need_rung(ladder, user)
    rungs_of_player = Rung.objects.filter(ladder=ladder, user=User.named(player)).select_related("user")
    other = selectors.with_taken(rungs_of_player, ladder, now).first()
    if other is None or other.user is None:
        if by_name(player, gettext):
            raise GameError(gettext("Bots don’t play on ladders. Challenge a person."))
        raise GameError(gettext("No player with this name is on this ladder."))
    if before := Challenge.objects.filter(
        ladder=ladder, challenger=user, challenged=other.user, state=Outcome.OPEN
    ).first():
        return before
    away = selectors.unavailable([other.user], now)
    try:
        selectors.check(ladder, me, other, selectors.challenges_of(ladder, user, now), away, now)
    except IllegalAction as refusal:
        raise Illegal(refusal) from None
    challenge = Challenge.objects.create(
        ladder=ladder, challenger=user, challenged=other.user, made_at=now,
        answer_by=selectors.answer_by(ladder, other.user, now),
    )  # fmt: skip
    news.tell_challenged(challenge, me.rung, other.rung)
    return challenge


@transaction.atomic
def accept(*, pk: int, user: User) -> Game:
    """Accept a challenge and start the match. Accepting again returns the same match. Raises `GameError`."""
    challenge = lock_challenge(pk)
    _need_side(challenge, user, "challenged")
    if challenge.is_playing and challenge.game:
        return challenge.game
    ladder, now = challenge.ladder, timezone.now()
    _need_open(challenge)
    assert challenge.challenger is not None and challenge.challenged is not None
    if selectors.answer_by(ladder, challenge.challenged, challenge.made_at) <= now:
        raise GameError(gettext("Time is up for this challenge, so you can no longer answer it."))
    challenge.game = seat_together(
        players=[challenge.challenger, user], ruleset=ladder.ruleset, clock=ladder.clock, full=ladder.full, now=now,
        starter=user,
    )  # fmt: skip
    challenge.full_game, challenge.state = challenge.game.full_game, Outcome.PLAYING
    challenge.save(update_fields=["game", "full_game", "state"])
    news.withdraw_challenge(challenge)
    return challenge.game


@transaction.atomic
def decline(*, pk: int, user: User) -> Challenge:
    """Give the rung to the challenger without a match. Declining again has no effect. Raises `GameError`."""
    challenge = lock_challenge(pk)
    if challenge.state == Outcome.DECLINED and challenge.challenged_id == user.pk:
        return challenge
    need_to_end(challenge, user, "challenged")
    decide(challenge, Outcome.DECLINED, timezone.now())
    return challenge


@transaction.atomic
def withdraw(*, pk: int, user: User) -> Challenge:
    """Withdraw a challenge that has not been answered. Withdrawing again has no effect. Raises `GameError`."""
    challenge = lock_challenge(pk)
    if challenge.state == Outcome.WITHDRAWN and challenge.challenger_id == user.pk:
        return challenge
    need_to_end(challenge, user, "challenger")
    decide(challenge, Outcome.WITHDRAWN, timezone.now())
    return challenge


def need_to_end(challenge: Challenge, user: User, side: str) -> None:
    """Raise `GameError` unless the user is on this side of the challenge, and it has not been answered."""
    _need_side(challenge, user, side)
    _need_open(challenge)


@transaction.atomic
def call_off(pk: int, now: datetime) -> bool:
    """End an open challenge of a suspended player without a winner. Return whether it was due.

    Nobody moves, and the two may challenge each other again later. The other player is not told why.
    """
    challenge = lock_challenge(pk)
    if not challenge.is_open or not _has_suspended_player(challenge) or not decide(challenge, Outcome.DRAWN, now):
        return False
    news.tell_called_off(challenge)
    return True


@transaction.atomic
def leave_closed(ruleset: str, pk: int, now: datetime) -> bool:
    """Take the player of a closed account off the ladder, after their match. Return whether it was due."""
    ladder = rungs.lock(ruleset)
    rung = Rung.objects.select_related("user").filter(pk=pk, user__is_closed=True).first()
    if rung is None or rung.user is None or _under_way(ladder, rung.user, *UNDECIDED):
        return False
    rungs.take_off(ladder, rung, now)
    return True


def decide(challenge: Challenge, outcome: Outcome, now: datetime) -> bool:
    """Record the outcome of a challenge and move the winner. Return whether it was undecided until now.

    The ladder must be locked.
    """
    decided = Challenge.objects.filter(pk=challenge.pk, state__in=UNDECIDED).update(state=outcome, decided_at=now)
    if not decided:
        return False
    challenge.state, challenge.decided_at = outcome, now
    news.withdraw_challenge(challenge)
    if outcome != Outcome.WITHDRAWN:
        rungs.record_activity(challenge, now)
    if outcome in (Outcome.WITHDRAWN, Outcome.DRAWN):
        return True
    rows = Rung.objects.filter(ladder=challenge.ladder, user__in=[challenge.challenger_id, challenge.challenged_id])
    by_user = {rung.user_id: rung for rung in rows}
    challenger, challenged = by_user.get(challenge.challenger_id), by_user.get(challenge.challenged_id)
    if challenger is None or challenged is None:  # players who have left the ladder neither win nor lose a rung
        return True
    winner, loser = (challenged, challenger) if outcome == Outcome.LOST else (challenger, challenged)
    if rungs.overtake(challenge, winner, loser, now):
        news.tell_moved(challenge, winner, loser)
    return True


def _has_suspended_player(challenge: Challenge) -> bool:
    return any(player is not None and player.is_suspended for player in (challenge.challenger, challenge.challenged))


def _need_open(challenge: Challenge) -> None:
    if not challenge.is_open or _has_suspended_player(challenge):
        raise GameError(gettext("This challenge is no longer open."))


def lock_challenge(pk: int) -> Challenge:
    """Lock the ladder, then read and return the challenge. Raises `GameError` if there is none."""
    ruleset = Ladder.objects.filter(challenges=pk).values_list("ruleset", flat=True).first()
    if ruleset is None:
        raise GameError(gettext("This challenge no longer exists."))
    ladder = rungs.lock(ruleset)
    challenge = Challenge.objects.select_related("challenger", "challenged", "game").get(pk=pk)
    challenge.ladder = ladder
    return challenge


def _need_side(challenge: Challenge, user: User, side: str) -> None:
    if getattr(challenge, f"{side}_id") != user.pk:
        raise NotYours(gettext("You can’t accept, decline or withdraw this challenge."))


def is_playing(ladder: Ladder, rung: Rung) -> bool:
    """Return whether the player is in a match of the ladder."""
    return rung.user is not None and bool(_under_way(ladder, rung.user, Outcome.PLAYING))


def _under_way(ladder: Ladder, user: User, *states: Any) -> list[Challenge]:
    under_way = selectors.challenges_of(ladder, user, timezone.now()).under_way
    for challenge in under_way:
        challenge.ladder = ladder
    return [challenge for challenge in under_way if challenge.state in states]
