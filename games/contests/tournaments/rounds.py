"""Pools of a tournament as its format reads them, their standings, and the final places. Nothing is written here.

Entrants who dropped out are not paired. If that leaves a table short, the others play if the game allows so few, else
they have a bye.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

import msgspec

from games.contests.models import Appearance, Entrant, MatchState, Pool, Tournament
from games.contests.pairing import knockout
from games.contests.pairing.crosstable import CrossTable, Result, StandingsLine, put_last, rank
from games.contests.pairing.formats import KINDS
from games.contests.pairing.protocol import Played, Progress
from games.contests.terms.declaration import TournamentTerms
from games.rules.protocol import IllegalAction
from games.rules.registry import get

FINAL = 2  # the stage after the groups
RELATIVE = ("met",)  # tie-breaks among tied entrants only, which have no figure


class StandingsRow(msgspec.Struct, frozen=True):
    """A line of the standings as pages show it. `points` and `possible` are in halves.

    `tie_break` names the tie-break that put it below the line above with the same share. `figures` has the values of
    the declared tie-breaks in thousandths, for those that have one.
    """

    entrant: int
    place: int
    points: int
    possible: int
    played: int
    tie_break: str | None = None
    figures: dict[str, int] = {}


class PoolStandings(msgspec.Struct, frozen=True):
    """The standings of a pool, best first. `number` is the pool's; `stage` 2 is the final after groups."""

    stage: int
    number: int
    rows: tuple[StandingsRow, ...]


def rounds_of(terms: TournamentTerms, entrants: int) -> int:
    """Return the number of rounds with this many entrants."""
    return terms.rounds or KINDS[terms.format].rounds(entrants, terms.players)


def best_of(terms: TournamentTerms) -> int:
    """Return how many matches of an entrant count; 0 for all."""
    return terms.best if KINDS[terms.format].is_arena else 0


# Pairings


def progress(
    tournament: Tournament, pool: Pool, entrants: Sequence[Entrant], played: Sequence[Played],
    forbidden: Collection[frozenset[int]] = (),
) -> Progress:  # fmt: skip
    """Return the pool in the current round as its format reads it. `entrants` and `played` are those of `read`."""
    terms, rules = tournament.declared, get(tournament.ruleset)
    sizes = {terms.players}
    for fewer in (count for count in rules.seat_counts if count < terms.players):
        try:
            rules.options(terms.options, fewer)
        except IllegalAction:
            continue
        sizes.add(fewer)
    return Progress(
        entrants=tuple(entrant.pk for entrant in entrants),
        playing=frozenset(entrant.pk for entrant in entrants if entrant.is_playing),
        byes={entrant.pk: entrant.byes for entrant in entrants},
        matches=played, tie_breaks=terms.tie_breaks, players=terms.players, sizes=frozenset(sizes),
        round=tournament.round,
        previous_orders=tournament.bracket[tournament.round - 2] if tournament.bracket and tournament.round > 1 else (),
        is_final=pool.stage == FINAL, forbidden=frozenset(forbidden),
    )  # fmt: skip


def read(pools: Iterable[Pool]) -> list[tuple[Pool, list[Entrant], list[Played]]]:
    """Return each of the pools with its entrants by seed and its matches so far, with two queries for all pools.

    Entrants who were in a pool before the final count there too. Matches that do not count have no places and scores
    yet, or never. The pools are of one tournament.
    """
    pools_read = list(pools)
    matches: dict[int, list[Played]] = {pool.pk: [] for pool in pools_read}
    entrants_by_pool: dict[int, set[int]] = {pool.pk: set() for pool in pools_read}
    rows = Appearance.objects.filter(match__pool__in=pools_read).order_by("match__round", "match", "seat")
    columns = ("match__pool", "match", "match__round", "match__state", "entrant", "place", "score")
    for (pool, _match, number, state), seats in groupby(rows.values_list(*columns), key=lambda row: row[:4]):
        seated = [(entrant, place or 0, score or 0) for *_key, entrant, place, score in seats]
        entrants, places, scores = zip(*seated, strict=True)
        matches[pool].append(Played(number, state == MatchState.ENDED, Result(entrants, places, scores)))
        entrants_by_pool[pool].update(entrants)
    tournaments = {pool.tournament_id for pool in pools_read}
    everyone = list(Entrant.objects.filter(tournament__in=tournaments).select_related("user").order_by("seed"))
    return [
        (
            pool,
            [entrant for entrant in everyone if entrant.pool_id == pool.pk or entrant.pk in entrants_by_pool[pool.pk]],
            matches[pool.pk],
        )
        for pool in pools_read
    ]


# Standings


def lines_of(terms: TournamentTerms, members: Sequence[Entrant], played: Sequence[Played]) -> list[StandingsLine]:
    """Return the lines, best first. Entrants who dropped out come last, whatever they had scored."""
    return standings(terms, members, [match.result for match in played if match.counts])


def standings(terms: TournamentTerms, entrants: Sequence[Entrant], results: Sequence[Result]) -> list[StandingsLine]:
    """Return the lines of these results, best first. Entrants who dropped out come last."""
    lines = rank([entrant.pk for entrant in entrants], results, terms.tie_breaks, best_of(terms))
    return put_last(lines, {entrant.pk for entrant in entrants if not entrant.is_playing})


def pool_standings(
    terms: TournamentTerms, pool: Pool, entrants: Sequence[Entrant], played: Sequence[Played]
) -> PoolStandings:
    """Return the standings of a pool as they are stored for pages. `entrants` and `played` are those of `read`."""
    results = [match.result for match in played if match.counts]
    numbers = [entrant.pk for entrant in entrants]
    cross = CrossTable(numbers, results, best_of(terms))
    figures = {name: cross.measure(name, numbers) for name in terms.tie_breaks if name not in RELATIVE}
    rows = [
        StandingsRow(
            line.entrant, line.place, line.points, line.possible, line.played, line.tie_break,
            {name: round(1000 * values[line.entrant]) for name, values in figures.items()},
        )
        for line in standings(terms, entrants, results)
    ]  # fmt: skip
    return PoolStandings(pool.stage, pool.number, tuple(rows))


def stored_standings(tournament: Tournament) -> list[PoolStandings]:
    """Return what `sweep.save_standings` stored: the final first, then the groups. A knockout has none."""
    stored = msgspec.convert(tournament.standings, list[PoolStandings])
    return sorted(stored, key=lambda of_pool: (-of_pool.stage, of_pool.number))


# Final places


def final_places(tournament: Tournament) -> dict[int, int]:
    """Return the place of each entrant once the last round is decided."""
    pools = read(Pool.objects.filter(tournament=tournament).order_by("-stage", "number"))
    if KINDS[tournament.declared.format].has_bracket:
        (final, members, _played), *_others = pools
        entrants = [member.pk for member in members]
        seeds = knockout.final_places(
            len(entrants), tournament.bracket, knockout.advancing(tournament.declared.players)
        )
        # A tie at the last table remains a tie (C8).
        last = Appearance.objects.filter(
            match__pool=final, match__round=tournament.rounds, place=1, entrant__left_at=None
        )
        best = max((appearance.score or 0 for appearance in last), default=0)
        return dict(zip(entrants, seeds, strict=True)) | {
            appearance.entrant_id: 1 for appearance in last if appearance.score == best
        }

    places: dict[int, int] = {}
    others: dict[int, tuple[bool, int]] = {}
    dropped_out = set(Entrant.objects.filter(tournament=tournament, left_at__isnull=False).values_list("pk", flat=True))
    for pool, members, played in pools:
        for line in lines_of(tournament.declared, members, played):
            if pool.stage == pools[0][0].stage:
                places[line.entrant] = line.place
            elif line.entrant not in places:
                others[line.entrant] = line.entrant in dropped_out, line.place

    # The others follow the finalists, by place in their group. Entrants with the same place are tied.
    ahead = len(places) + 1
    return places | {pk: ahead + sum(key < position for key in others.values()) for pk, position in others.items()}
