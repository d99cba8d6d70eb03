"""Advancement in a knockout. `Tournament.bracket` stores the order of each table."""

from collections.abc import Sequence

from games.contests.models import Appearance, Entrant, Match, Pool, Tournament
from games.contests.models.pools import UNDECIDED
from games.contests.pairing import knockout
from games.contests.tournaments.rounds import members, numbers_at, ways_on

Order = list[int]  # entrants of a table by seed, from 0


def orders(row: Tournament, pool: Pool) -> list[Order]:
    """Return the order at each table of this round, including byes.

    Entrants who dropped out come last. The others are ordered by place, then points in the games, then seed. So if a
    match was annulled, the better seed advances (C7, C8).
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
    """Return the entrants who advance from this round and those who are eliminated, including those who dropped out."""
    entrants, ways = members(pool), ways_on(row, row.round)
    through = [entrants[number] for order in found for number in order[:ways]]
    on = [one for one in through if one.is_playing]
    kept = {one.pk for one in on}
    return on, [entrants[number] for order in found for number in order if entrants[number].pk not in kept]


def decided_by_leaving(row: Tournament, pool: Pool) -> list[Match]:
    """Return the matches that are decided because all entrants who have not dropped out advance."""
    running = Match.objects.filter(pool=pool, round=row.round, state__in=UNDECIDED)
    ways = ways_on(row, row.round)
    return [
        one
        for one in running.prefetch_related("appearances__entrant")
        if sum(appearance.entrant.is_playing for appearance in one.appearances.all()) <= ways
    ]


def final_places(row: Tournament, pool: Pool) -> dict[int, int]:
    """Return the place of each entrant once the last round is decided. A tie at the last table remains a tie (C8)."""
    entrants = members(pool)
    places = knockout.final_places(len(entrants), row.bracket, knockout.goes_on(row.declared.players))
    found = {one.pk: place for one, place in zip(entrants, places, strict=True)}
    last = Appearance.objects.filter(match__pool=pool, match__round=row.rounds, place=1, entrant__left_at=None)
    best = max((appearance.score or 0 for appearance in last), default=0)
    return found | {appearance.entrant_id: 1 for appearance in last if appearance.score == best}
