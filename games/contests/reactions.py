"""Reactions of contests to ended games and changed accounts. `ContestsConfig.ready` registers these functions."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from empire.bell import ring
from games.contests import interventions
from games.contests.achievements import book as achievements
from games.contests.duplicates import services as duplicates
from games.contests.gates import conditions
from games.contests.ladders import services as ladders
from games.contests.models import Challenge, Entrant, Intervention, InterventionKind, Match, MatchState, Score
from games.contests.ratings import scores
from games.rules import house
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


def staff_intervened(game: Game, intervention: house.Intervention, what: str, by: User) -> None:
    """Record what staff did at a table among the interventions, with those of the competition if it belongs to one."""
    match = Match.objects.filter(_of(game)).select_related("pool").first()
    pool = match.pool if match else None
    kinds: dict[type[house.Intervention], InterventionKind] = {
        house.Replaced: InterventionKind.REPLACED, house.TimeGiven: InterventionKind.EXTENDED,
        house.Ended: InterventionKind.ENDED,
    }  # fmt: skip
    Intervention.objects.create(
        season_id=pool.season_id if pool else None, tournament_id=pool.tournament_id if pool else None,
        pool=pool, match=match, game=game, by=by, as_staff=True, at=timezone.now(), reason=intervention.reason,
        kind=kinds.get(type(intervention), InterventionKind.VOIDED), what=what[:200],
    )  # fmt: skip


def rating_of(user: User, ruleset: str) -> int | None:
    """Return the rating that a table can ask for."""
    return conditions.facts_of([user], ruleset)[user.pk].rating


def is_match(game: Game) -> bool:
    """Return whether the game belongs to a match that is being played."""
    return Match.objects.filter(_of(game), state=MatchState.PLAYING).exists()


def is_of_competition(game: Game) -> bool:
    """Return whether the game was played in a league, a tournament, a duplicate or on a ladder."""
    return game.duplicate_id is not None or any(kind.objects.filter(_of(game)).exists() for kind in (Match, Challenge))


def plays_in_competition(game: Game, user: User) -> bool:
    """Return whether the person is an entrant of the season or tournament that the game is played in."""
    match = Match.objects.filter(_of(game)).select_related("pool").first()
    return match is not None and interventions.plays_in(match.pool, user)


def is_banned(game: Game, user: User) -> bool:
    """Return whether the person is banned from the league or tournament that the game is played in."""
    match = Match.objects.filter(_of(game)).select_related("pool__season__league", "pool__tournament").first()
    return match is not None and interventions.is_banned(interventions.competition(match.pool), user)


def _of(game: Game) -> Q:
    """Return the condition on a match or challenge that the game was played for it."""
    return Q(game=game) | Q(full_game=game.full_game_id, full_game__isnull=False)


def rename(user: User) -> None:
    Score.objects.filter(user=user).update(name=user.username)
    Entrant.objects.filter(user=user).update(name=user.username)


def move_scores(guest: User, user: User) -> None:
    """Move the guest's scores to the account, except in games where both have a seat and the guest keeps theirs."""
    Score.objects.filter(user=guest).exclude(game__seats__owner=guest).update(user=user, name=user.username)
    achievements.work_out(user.pk)


def leave(user: User) -> None:
    """Drop the person from ladders, leagues and tournaments before the account is deleted."""
    ladders.forget(user=user)
    interventions.forget(user=user)
