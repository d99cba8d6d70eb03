"""Pairings of the next round of a tournament, by its format. Nothing is written here.

A table is a list of entrants in seat order. Entrants who dropped out are not paired. If that leaves a table short, the
others play if the game allows so few, else they have a bye.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from games.contests.models import Appearance, Entrant, Pool, Tournament
from games.contests.pairing import groups, knockout, round_robin, swiss
from games.contests.pairing.formats import GROUPS, KNOCKOUT, SWISS
from games.contests.terms.declaration import TournamentTerms
from games.contests.tournaments.standings import lines_of
from games.rules.protocol import IllegalAction
from games.rules.registry import get

Table = list[Entrant]
FINAL = 2  # the stage after the groups


@dataclass
class Pairing:
    """The tables of a pool's round. A table with fewer than two keeps its number but is not played; `byes` sit out."""

    tables: list[Table] = field(default_factory=list)
    byes: list[Entrant] = field(default_factory=list)


def rounds_of(terms: TournamentTerms, entrants: int) -> int:
    """Return the number of rounds with this many entrants."""
    if terms.format == KNOCKOUT:
        return len(knockout.bracket(entrants, terms.players).rounds)
    if terms.format == SWISS:
        return terms.rounds or swiss.rounds_for(entrants, terms.players)
    sizes = {len(one) for one in pools_of(terms, entrants)}
    rounds = max(len(round_robin.plan(size, terms.players)) for size in sizes)
    return rounds + 1 if terms.format == GROUPS else rounds


def pools_of(terms: TournamentTerms, entrants: int) -> list[list[int]]:
    """Return the seeds, from 0, of each pool at the start."""
    return groups.groups(entrants, terms.players) if terms.format == GROUPS else [list(range(entrants))]


def can_play(terms: TournamentTerms, players: int) -> bool:
    """Return whether the game with these options can be played by this many."""
    rules = get(terms.ruleset)
    if players == terms.players or players not in rules.seat_counts:
        return players == terms.players
    try:
        rules.options(terms.options, players)
    except IllegalAction:
        return False
    return True


def members(pool: Pool) -> list[Entrant]:
    """Return the entrants of a pool, by seed."""
    return list(Entrant.objects.filter(pool=pool).select_related("user").order_by("seed"))


def pair(row: Tournament, pool: Pool) -> Pairing:
    """Return the pairing of the tournament's next round in this pool."""
    entrants, terms = members(pool), row.declared
    if terms.format == KNOCKOUT:
        return _knockout(row, entrants)
    if terms.format == SWISS:
        return _swiss(row, pool, entrants)
    if pool.stage == FINAL:
        table = _left_at(entrants, terms)
        return Pairing([table], _without(entrants, [table]))
    return _round_robin(entrants, terms, row.round)


# Round robins


def _round_robin(entrants: Sequence[Entrant], terms: TournamentTerms, number: int) -> Pairing:
    rounds = round_robin.plan(len(entrants), terms.players)
    planned = rounds[number - 1] if number <= len(rounds) else ()
    tables = [_left_at([entrants[one] for one in table], terms) for table in planned]
    return Pairing(tables, _without(entrants, tables))


def _left_at(table: Table, terms: TournamentTerms) -> Table:
    """Return the remaining players of a table if they can play without the others, else none."""
    left = [one for one in table if one.is_playing]
    return left if can_play(terms, len(left)) else []


def _without(entrants: Iterable[Entrant], tables: Iterable[Table]) -> list[Entrant]:
    """Return the entrants who have nobody to play with."""
    seated = {one.pk for table in tables for one in table}
    return [one for one in entrants if one.is_playing and one.pk not in seated]


# Swiss


def _swiss(row: Tournament, pool: Pool, entrants: Sequence[Entrant]) -> Pairing:
    playing = {one.pk: one for one in entrants if one.is_playing}
    try:
        found = swiss.pair(_field(row, pool, playing), row.declared.players, row.round)
    except IllegalAction:  # too few are left for a table
        return Pairing()
    return Pairing([[playing[pk] for pk in table] for table in found.tables], [playing[pk] for pk in found.byes])


def _field(row: Tournament, pool: Pool, playing: dict[int, Entrant]) -> list[swiss.Standing]:
    """Return the remaining entrants with their results so far, in the order of the standings."""
    tables: dict[int, list[Appearance]] = defaultdict(list)
    for appearance in Appearance.objects.filter(match__pool=pool).order_by("match__round", "pk"):
        tables[appearance.match_id].append(appearance)
    met: dict[int, list[int]] = defaultdict(list)
    seats: dict[int, Counter[int]] = defaultdict(Counter)
    for table in tables.values():
        for one in table:
            met[one.entrant_id] += [other.entrant_id for other in table if other is not one]
            seats[one.entrant_id][one.seat] += 1
    order = [line.entrant for line in lines_of(row.declared, pool) if line.entrant in playing]
    numbers = range(row.declared.players)
    return [
        swiss.Standing(pk, tuple(met[pk]), playing[pk].byes, tuple(seats[pk][seat] for seat in numbers)) for pk in order
    ]


# Knockouts


def _knockout(row: Tournament, entrants: Sequence[Entrant]) -> Pairing:
    seated = [[entrants[number] for number in table] for table in numbers_at(row, len(entrants))]
    left = [[one for one in table if one.is_playing] for table in seated]
    ways = ways_on(row, row.round)
    tables = [table if len(table) > ways and can_play(row.declared, len(table)) else [] for table in left]
    return Pairing(tables, _without([one for table in left for one in table], tables))


def numbers_at(row: Tournament, entrants: int) -> knockout.Tables:
    """Return the seeds, from 0, at each table of this round of the bracket, including those who dropped out."""
    found = knockout.bracket(entrants, row.declared.players)
    before = row.bracket[row.round - 2] if row.round > 1 else []
    return found.tables(row.round - 1, [order[: found.goes_on] for order in before])


def ways_on(row: Tournament, number: int) -> int:
    """Return how many entrants of a table advance from this round; in the last one, the winner."""
    return knockout.goes_on(row.declared.players) if number < row.rounds else 1


# The final after groups


def finalists(row: Tournament, ended: Sequence[Pool]) -> list[int]:
    """Return the entrants of the final, without those who dropped out."""
    playing = {one.pk for pool in ended for one in members(pool) if one.is_playing}
    ranked = [[line for line in lines_of(row.declared, pool) if line.entrant in playing] for pool in ended]
    return groups.finalists([lines for lines in ranked if lines], row.declared.players)
