"""Posts to the webhooks of leagues and tournaments, queued in the transaction that they are about.

Each event has a key, so that a step that is repeated queues nothing twice. Names and results are read when a post is
sent, so a post never has a result that has been corrected meanwhile, nor the name of an account that is gone.
"""

from django.db.models import Q

from empire.on_commit import delay_on_commit
from games.contests.models import CompetitionHook, League, Match, Pool, Post, Season, Subject, Tournament
from games.contests.models.pools import UNDECIDED

MOST_DIVISIONS = 20  # of a season, from the top: thousands of posts would help nobody


def season_started(season: Season) -> None:
    """Post the matches of each division."""
    for hook in _hooks(season.league, Subject.PAIRINGS):
        for pool in _divisions(season):
            _queue(hook, f"pairings.{pool.pk}", Subject.PAIRINGS, pool=pool)


def joined_late(pool: Pool, entrant: int) -> None:
    """Post the matches of a division again, which has new ones."""
    if pool.season is not None and _is_covered(pool):
        for hook in _hooks(pool.season.league, Subject.PAIRINGS):
            _queue(hook, f"pairings.{pool.pk}.late.{entrant}", Subject.PAIRINGS, pool=pool)


def season_ended(season: Season) -> None:
    """Post the final standings of each division."""
    for hook in _hooks(season.league, Subject.STANDINGS):
        for pool in _divisions(season):
            _queue(hook, f"standings.{pool.pk}.end", Subject.STANDINGS, pool=pool)


def round_paired(tournament: Tournament) -> None:
    for hook in _hooks(tournament, Subject.PAIRINGS):
        _queue(hook, f"pairings.{tournament.round}", Subject.PAIRINGS, round=tournament.round)


def round_ended(tournament: Tournament) -> None:
    for hook in _hooks(tournament, Subject.STANDINGS):
        _queue(hook, f"standings.{tournament.round}", Subject.STANDINGS, round=tournament.round)


def tournament_ended(tournament: Tournament) -> None:
    for hook in _hooks(tournament, Subject.STANDINGS):
        _queue(hook, "standings.end", Subject.STANDINGS)


def match_changed(match: Match) -> None:
    """Post the match, which was just decided, annulled or reopened. The lock of its pool must be held.

    If it was the last one of a round of a division, post the standings too. Tournaments do this in their own steps.
    """
    of_competition = Q(league__seasons__pools=match.pool_id) | Q(tournament__pools=match.pool_id)
    hooks = list(CompetitionHook.objects.filter(of_competition, off_because="").order_by("pk"))
    if not hooks or not _is_covered(match.pool):
        return
    pool, same_round = match.pool, Match.objects.filter(pool=match.pool_id, round=match.round)
    is_last = match.state not in UNDECIDED and not same_round.filter(state__in=UNDECIDED).exists()
    for hook in hooks:
        if Subject.RESULTS in hook.subjects:
            key = f"results.{match.pk}.{match.version}"
            _queue(hook, key, Subject.RESULTS, pool=pool, match=match)
        if Subject.STANDINGS in hook.subjects and pool.season_id is not None and is_last:
            _queue(hook, f"standings.{pool.pk}.{match.round}", Subject.STANDINGS, pool=pool, round=match.round)


def _hooks(competition: League | Tournament, subject: Subject) -> list[CompetitionHook]:
    """Return the webhooks that are on and post about this subject."""
    of_competition = Q(league=competition.pk) if isinstance(competition, League) else Q(tournament=competition.pk)
    return [
        hook
        for hook in CompetitionHook.objects.filter(of_competition, off_because="").order_by("pk")
        if subject in hook.subjects
    ]


def _divisions(season: Season) -> list[Pool]:
    return list(season.pools.order_by("tier", "number")[:MOST_DIVISIONS])


def _is_covered(pool: Pool) -> bool:
    """Return whether the pool is among those whose matches are posted."""
    if pool.season is None:
        return True
    above = Q(tier__lt=pool.tier) | Q(tier=pool.tier, number__lt=pool.number)
    return Pool.objects.filter(above, season=pool.season_id).count() < MOST_DIVISIONS


def _queue(hook: CompetitionHook, key: str, subject: Subject, **about: Pool | Match | int) -> None:
    Post.objects.get_or_create(hook=hook, key=key, defaults={"subject": subject, **about})
    delay_on_commit("games.tasks.post_to_webhook", hook.pk)
