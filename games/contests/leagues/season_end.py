"""The end of a season: places, promotion and relegation, badges. All of it is written in one transaction."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter, itemgetter

from games.contests.leagues import badges
from games.contests.leagues.placement import outcome
from games.contests.leagues.season_start import chunks, key_of
from games.contests.leagues.standings import rank
from games.contests.models import Appearance, Entrant, Fate, Match, MatchState, Member, Pool, Season
from games.contests.models.pools import UNDECIDED
from games.contests.pairing.crosstable import Line, Result
from games.contests.terms.declaration import Terms

CHUNK = 500


def is_decided(season: Season) -> bool:
    """Lock the season's pools and return whether all their matches are decided."""
    list(season.pools.select_for_update().order_by("pk").values_list("pk"))
    return not Match.objects.filter(pool__season=season, state__in=UNDECIDED).exists()


def write(season: Season, now: datetime) -> None:
    terms = season.declared
    divisions, results = _divisions(season), _results(season)
    ranked = {pool: rank(entrants, results[pool.pk], terms.tie_breaks) for pool, entrants in divisions.items()}
    entrants = {one.pk: one for of_pool in divisions.values() for one in of_pool}
    _write_fates(ranked, entrants, terms)
    season.pools.update(ended_at=now, look_at=None)
    _write_tiers(season, entrants.values())
    badges.award(season, entrants.values(), now)


def _divisions(season: Season) -> dict[Pool, list[Entrant]]:
    """Return the divisions from the top, with their entrants."""
    found: dict[Pool, list[Entrant]] = {pool: [] for pool in season.pools.order_by("tier", "number")}
    by_number = {pool.pk: pool for pool in found}
    for entrant in Entrant.objects.filter(season=season, pool__isnull=False).order_by("seed", "pk"):
        assert entrant.pool_id is not None
        entrant.pool = by_number[entrant.pool_id]
        found[entrant.pool].append(entrant)
    return found


def _results(season: Season) -> Mapping[int, list[Result]]:
    """Return the results that count, by division."""
    found: dict[int, list[Result]] = defaultdict(list)
    counted = Appearance.objects.filter(match__pool__season=season, match__state=MatchState.ENDED)
    rows = counted.order_by("match", "seat").values_list("match", "match__pool", "entrant", "place", "score")
    for (_match, pool), appearances in groupby(rows, key=itemgetter(0, 1)):
        entrants, places, scores = zip(*(appearance[2:] for appearance in appearances), strict=True)
        found[pool].append(Result(entrants, places, scores))
    return found


# Places, fates, tiers


def _write_fates(ranked: Mapping[Pool, Sequence[Line]], entrants: Mapping[int, Entrant], terms: Terms) -> None:
    tiers = [list(of_tier) for _tier, of_tier in groupby(ranked, key=attrgetter("tier"))]
    for number, of_tier in enumerate(tiers, start=1):
        below = len(tiers[number]) if number < len(tiers) else 0
        orders = [[line.entrant for line in ranked[pool]] for pool in of_tier]
        moves = outcome(orders, terms, tier=number, below=below)
        up, down = set(moves.up), set(moves.down)
        for pool in of_tier:
            for line in ranked[pool]:
                entrant = entrants[line.entrant]
                entrant.place = line.place
                entrant.fate = _fate(entrant, up, down)
    _update(entrants.values())


def _fate(entrant: Entrant, up: set[int], down: set[int]) -> Fate:
    if entrant.left_at is not None:
        return Fate.OUT
    if entrant.pk in up:
        return Fate.UP
    return Fate.DOWN if entrant.pk in down else Fate.STAYS


def _update(entrants: Iterable[Entrant]) -> None:
    """Save places and fates, with one statement for all entrants who share both."""
    same: dict[tuple[int | None, str], list[int]] = defaultdict(list)
    for one in entrants:
        same[one.place, one.fate].append(one.pk)
    for (place, fate), numbers in same.items():
        for some in chunks(numbers):
            Entrant.objects.filter(pk__in=some).update(place=place, fate=fate)


def _write_tiers(season: Season, entrants: Iterable[Entrant]) -> None:
    """Save the tier of each member."""
    tiers = {key_of(one): one.pool.tier for one in entrants if one.pool is not None}
    members: dict[int, list[int]] = defaultdict(list)
    for member in Member.objects.filter(league=season.league).only("pk", "user", "name"):
        if tier := tiers.get(key_of(member)):
            members[tier].append(member.pk)
    for tier, numbers in members.items():
        for some in chunks(numbers):
            Member.objects.filter(pk__in=some).update(tier=tier)
