"""Reactions of contests to ended games and changed accounts. `ContestsConfig.ready` registers these functions."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import User
from empire.bell import ring
from games.contests import interventions
from games.contests.duplicates import services as duplicates
from games.contests.ladders import services as ladders
from games.contests.models import Entrant, Match, MatchState, Score
from games.contests.ratings import scores
from games.tables.models import FullGame, Game


def contest_ended(games: Sequence[Game], full: FullGame | None, now: datetime) -> None:
    """Write the scores and compare the tables of a duplicate. Tasks then settle challenges and matches."""
    scores.keep(games=games, full=full)
    duplicates.contest_ended(games[-1], now)


def game_voided(game: Game, now: datetime) -> None:
    """Continue without the game, so that its duplicate, challenge or match does not wait for a result."""
    duplicates.contest_ended(game, now)
    ring("games.tasks.settle_challenge", game.pk)
    ring("games.tasks.settle_match", game.pk)


def is_match(game: Game) -> bool:
    """Return whether the game belongs to a match that is being played."""
    return _match(game).filter(state=MatchState.PLAYING).exists()


def plays_in_competition(game: Game, user: User) -> bool:
    """Return whether the person is an entrant of the season or tournament that the game is played in."""
    match = _match(game).select_related("pool").first()
    return match is not None and interventions.plays_in(match.pool, user)


def _match(game: Game) -> QuerySet[Match]:
    return Match.objects.filter(Q(game=game) | Q(full_game=game.full_game_id, full_game__isnull=False))


def rename(user: User) -> None:
    Score.objects.filter(user=user).update(name=user.username)
    Entrant.objects.filter(user=user).update(name=user.username)


def move_scores(guest: User, user: User) -> None:
    """Move the guest's scores to the account, except in games where both have a seat and the guest keeps theirs."""
    Score.objects.filter(user=guest).exclude(game__seats__owner=guest).update(user=user, name=user.username)


def leave(user: User) -> None:
    """Drop the person from ladders, leagues and tournaments before the account is deleted."""
    ladders.forget(user=user)
    interventions.forget(user=user)
