"""Who goes on in a knockout. A table's order is that in which they go on, kept in `Tournament.bracket`."""

from collections.abc import Sequence

from games.contests.models import Appearance, Entrant, Match, Pool, Tournament
from games.contests.models.pools import UNDECIDED
from games.contests.pairing import knockout
from games.contests.tournaments.rounds import members, numbers_at, ways_on

Order = list[int]  # numbers of a table: seeds, counted from 0


def orders(row: Tournament, pool: Pool) -> list[Order]:
    """The order at each table of this round, byes too.

    Who dropped out comes last; the place decides, then points in its games, then the better seed. So where a contest
    was annulled the better seed goes on (C7, C8).
    """
    entrants = members(pool)
    matches = Match.objects.filter(pool=pool, round=row.round).prefetch_related("appearances")
    played = {one.number: {seat.entrant_id: seat for seat in one.appearances.all()} for one in matches}
    return [
        _order(table, entrants, played.get(number, {}))
        for number, table in enumerate(numbers_at(row, len(entrants)), start=1)
    ]


def _order(table: Sequence[int], entrants: Sequence[Entrant], appearances: dict[int, Appearance]) -> Order:
    def came(number: int) -> tuple[bool, int, int, int]:
        one = entrants[number]
        appearance = appearances.get(one.pk)
        place, score = (appearance.place or 0, appearance.score or 0) if appearance else (0, 0)
        return not one.is_playing, place, -score, number

    return sorted(table, key=came)


def split(row: Tournament, pool: Pool, found: Sequence[Order]) -> tuple[list[Entrant], list[Entrant]]:
    """Who goes on from this round, and who is out with it. Who dropped out is out."""
    entrants, ways = members(pool), ways_on(row, row.round)
    through = [entrants[number] for order in found for number in order[:ways]]
    on = [one for one in through if one.is_playing]
    kept = {one.pk for one in on}
    return on, [entrants[number] for order in found for number in order if entrants[number].pk not in kept]


def decided_by_leaving(row: Tournament, pool: Pool) -> list[Match]:
    """The contests that need no end: so many dropped out that all others there go on."""
    running = Match.objects.filter(pool=pool, round=row.round, state__in=UNDECIDED)
    ways = ways_on(row, row.round)
    return [
        one
        for one in running.prefetch_related("appearances__entrant")
        if sum(appearance.entrant.is_playing for appearance in one.appearances.all()) <= ways
    ]


def final_places(row: Tournament, pool: Pool) -> dict[int, int]:
    """The place of each entrant, when the last round is decided. A shared win of the last table stays shared (C8)."""
    entrants = members(pool)
    places = knockout.final_places(len(entrants), row.bracket, knockout.goes_on(row.declared.players))
    found = {one.pk: place for one, place in zip(entrants, places, strict=True)}
    last = Appearance.objects.filter(match__pool=pool, match__round=row.rounds, place=1, entrant__left_at=None)
    best = max((appearance.score or 0 for appearance in last), default=0)
    return found | {appearance.entrant_id: 1 for appearance in last if appearance.score == best}
