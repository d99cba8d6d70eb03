"""The end of a tournament: stored standings, final places and badges."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from games.contests.models import Badge, Entrant, Honour, Match, MatchState, Pool, Tournament, TournamentState
from games.contests.pairing.formats import GROUPS, KNOCKOUT
from games.contests.tournaments import knockout as tournament_knockout
from games.contests.tournaments import news
from games.contests.tournaments import rounds as tournament_rounds
from games.contests.tournaments.standings import lines_of, table_of

PODIUM = {1: Honour.TOURNAMENT, 2: Honour.SECOND, 3: Honour.THIRD}


def lock_pools(row: Tournament) -> list[Pool]:
    """Lock and return the pools in which the tournament is being played."""
    running = Pool.objects.select_for_update().filter(tournament=row, ended_at=None)
    return list(running.order_by("pk"))


def end_pool(row: Tournament, pool: Pool, now: datetime) -> None:
    pool.ended_at, pool.look_at = now, None
    pool.save(update_fields=["ended_at", "look_at"])


def keep_tables(row: Tournament) -> None:
    """Store the standings as pages show them."""
    played = Match.objects.filter(pool__tournament=row, state=MatchState.ENDED).count()
    row.counted = played
    if row.declared.format != KNOCKOUT:
        here = Pool.objects.filter(tournament=row).order_by("stage", "number")
        row.tables = [msgspec.to_builtins(table_of(row.declared, pool)) for pool in here]
    row.save(update_fields=["counted", "tables"])


def finish(row: Tournament, now: datetime) -> None:
    keep_tables(row)
    places = _places(row)
    entrants = list(Entrant.objects.filter(tournament=row).select_related("user"))
    for one in entrants:
        one.place = places[one.pk]
    Entrant.objects.bulk_update(entrants, ["place"])
    for pool in lock_pools(row):
        end_pool(row, pool, now)
    row.state, row.ended_at, row.look_at = TournamentState.ENDED, now, None
    row.save(update_fields=["state", "ended_at", "look_at"])
    _award(row, entrants, now)
    news.tell_ended(row, entrants)


def _places(row: Tournament) -> dict[int, int]:
    ranked = list(Pool.objects.filter(tournament=row).order_by("-stage", "number"))
    if row.declared.format == KNOCKOUT:
        return tournament_knockout.final_places(row, ranked[0])
    if row.declared.format == GROUPS:
        return _behind_final(row, ranked)
    return {line.entrant: line.place for line in lines_of(row.declared, ranked[0])}


def _behind_final(row: Tournament, ranked: Sequence[Pool]) -> dict[int, int]:
    """Return places: the finalists as they finished, then the others by place in their group; equals are tied."""
    final = [pool for pool in ranked if pool.stage == tournament_rounds.FINAL]
    places = {line.entrant: line.place for pool in final for line in lines_of(row.declared, pool)}
    in_groups = {
        line.entrant: line.place
        for pool in ranked
        if pool.stage != tournament_rounds.FINAL
        for line in lines_of(row.declared, pool)
    }
    gone = set(Entrant.objects.filter(tournament=row, left_at__isnull=False).values_list("pk", flat=True))
    others = {pk: (pk in gone, place) for pk, place in in_groups.items() if pk not in places}
    ahead = len(places)
    return places | {pk: ahead + 1 + sum(key < mine for key in others.values()) for pk, mine in others.items()}


def _award(row: Tournament, entrants: Sequence[Entrant], now: datetime) -> None:
    """Award badges to the winner and to second and third place, within the better half of the field (C11)."""
    better_half = {place for place in PODIUM if place == 1 or 2 * place <= len(entrants)}
    for one in entrants:
        if one.place in better_half and one.user_id and one.left_at is None:
            facts = {"user_id": one.user_id, "honour": PODIUM[one.place], "tournament": row}
            Badge.objects.get_or_create(**facts, defaults={"at": now})
