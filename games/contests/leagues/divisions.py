"""A division: its name, its standings with the results of each pair, and how its readers see them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext

from empire.web.languages import display_name
from games.contests.leagues.placement import who_moves
from games.contests.models import Appearance, Entrant, Intervention, Match, MatchState, Pool, Season, SeasonOutcome
from games.contests.models.pools import UNDECIDED
from games.contests.pairing import crosstable
from games.contests.pairing.crosstable import TIE_BREAKS, CrossTable, Result, StandingsLine, TieBreak
from games.contests.pools import terms_of
from games.contests.terms.declaration import LeagueTerms
from games.tables.selectors.rights import Reader, is_person

MOST_INTERVENTIONS = 50  # that a page shows
SYMBOLS = {MatchState.WAITING: "·", MatchState.PLAYING: "▸", MatchState.ANNULLED: "–"}
SHORT, LONG = 2, 4  # letters of initials


def division_name(tier: int, number: int) -> str:
    """Return a name such as `division 3-12`, the twelfth of tier 3."""
    return gettext("division {tier}-{number}").format(tier=tier, number=number)


# Standings


class Cell(NamedTuple):
    """Points of one entrant against another, in halves, the possible points, and the matches of the two."""

    points: int
    possible: int
    matches: tuple[Match, ...]


class DivisionTable(NamedTuple):
    """The standings. `lines` refer to entrants by their id, as `entrants` does; `cells` are by pairs of ids."""

    lines: list[StandingsLine]
    entrants: dict[int, Entrant]
    matches: list[Match]
    cells: dict[tuple[int, int], Cell]


def table(pool: Pool) -> DivisionTable:
    """Return the standings of a pool, live or final. Takes three queries besides the pool's season."""
    entrants = {
        entrant.pk: entrant
        for entrant in Entrant.objects.filter(pool=pool).select_related("user").order_by("seed", "pk")
    }
    matches = list(Match.objects.filter(pool=pool).select_related("game").order_by("round", "number"))
    appearances_by_match: dict[int, list[Appearance]] = {match.pk: [] for match in matches}
    for appearance in Appearance.objects.filter(match__pool=pool).order_by("seat"):
        appearances_by_match[appearance.match_id].append(appearance)

    results: list[Result] = []
    matches_of_pair: dict[tuple[int, int], list[Match]] = {}
    for match in matches:
        seats = appearances_by_match[match.pk]
        match._prefetched_objects_cache = {"appearances": seats}  # type: ignore[attr-defined]
        seated = tuple(appearance.entrant_id for appearance in seats)
        for pair in permutations(seated, 2):
            matches_of_pair.setdefault(pair, []).append(match)
        if match.state == MatchState.ENDED:
            places, scores = (
                tuple(appearance.place or 0 for appearance in seats),
                tuple(appearance.score or 0 for appearance in seats),
            )
            results.append(Result(seated, places, scores))

    against = CrossTable(list(entrants), results).against
    cells = {
        (first, second): Cell(*against[first].get(second, (0, 0)), tuple(met))
        for (first, second), met in matches_of_pair.items()
    }
    return DivisionTable(rank(list(entrants.values()), results, terms_of(pool).tie_breaks), entrants, matches, cells)


def rank(entrants: Sequence[Entrant], results: Iterable[Result], tie_breaks: Sequence[str]) -> list[StandingsLine]:
    """Rank by share of points and the declared tie-breaks. Entrants who dropped out come last (L12)."""
    dropped_out = {entrant.pk for entrant in entrants if entrant.left_at is not None}
    lines = crosstable.rank([entrant.pk for entrant in entrants], results, tie_breaks)
    return crosstable.put_last(lines, dropped_out)


# What readers see


@dataclass(frozen=True)
class Mark:
    """The result of a match for the first of two players, as a `symbol` and in `words` for screen readers."""

    symbol: str
    words: str
    url: str


@dataclass(frozen=True)
class DivisionRow:
    """A line of the standings. `zone` is the entrant's `SeasonOutcome`, as if the season ended now until it has ended.

    It is empty for most entrants, and for all of them until the first match has ended.
    """

    line: StandingsLine
    entrant: Entrant
    zone: str
    is_me: bool

    @property
    def is_out(self) -> bool:
        return not self.entrant.is_playing

    @property
    def behind_by(self) -> TieBreak | None:
        """The tie-break that put the entrant below the line above."""
        return TIE_BREAKS.get(self.line.tie_break or "")


@dataclass(frozen=True)
class DivisionMatch:
    """A match with its players and the link to watch it."""

    match: Match
    entrants: list[Entrant]
    is_mine: bool

    @property
    def is_playing(self) -> bool:
        return self.match.state == MatchState.PLAYING

    @property
    def url(self) -> str:
        return address(self.match)

    @property
    def title(self) -> str:
        return " – ".join(display_name(entrant.name) for entrant in self.entrants)


@dataclass(frozen=True)
class DivisionStandings:
    """The standings of a division, with its rows in the order of places."""

    pool: Pool
    table: DivisionTable
    rows: list[DivisionRow]
    matches: list[DivisionMatch]

    @property
    def my_row(self) -> DivisionRow | None:
        return next((row for row in self.rows if row.is_me), None)

    @property
    def name(self) -> str:
        return division_name(self.pool.tier, self.pool.number)

    @property
    def heads(self) -> list[tuple[str, DivisionRow]]:
        """Return short names for the columns of the cross table."""
        return list(zip(initials([display_name(row.entrant.name) for row in self.rows]), self.rows, strict=True))

    @property
    def cross(self) -> list[tuple[DivisionRow, list[list[Mark] | None]]]:
        """Return the results of each row against each other row; None against itself."""
        lines = []
        for row in self.rows:
            met: list[list[Mark] | None] = []
            for other in self.rows:
                cell = self.table.cells.get((row.entrant.pk, other.entrant.pk))
                marks = [_mark(match, row.entrant, other.entrant) for match in cell.matches] if cell else []
                met.append(None if other is row else marks)
            lines.append((row, met))
        return lines

    @property
    def left(self) -> list[DivisionMatch]:
        """Return the remaining matches: the reader's own first, and running ones before waiting ones."""
        undecided = [shown for shown in self.matches if shown.match.state in UNDECIDED]
        return sorted(undecided, key=lambda shown: (not shown.is_mine, not shown.is_playing, shown.match.start_by))

    @property
    def my_next(self) -> list[DivisionMatch]:
        return [shown for shown in self.left if shown.is_mine]

    @property
    def annulled(self) -> list[DivisionMatch]:
        return [shown for shown in self.matches if shown.match.state == MatchState.ANNULLED]

    @property
    def out(self) -> list[Entrant]:
        return [row.entrant for row in self.rows if row.is_out]

    @property
    def zones(self) -> set[str]:
        """Return the zones that occur."""
        return {row.zone for row in self.rows}


def standings(pool: Pool, reader: Reader, divisions: Counter[int]) -> DivisionStandings:
    """Return the standings of a pool. `divisions` are the numbers of divisions in its tier and the next."""
    division, me = table(pool), reader.pk if is_person(reader) else None
    if pool.ended_at is not None:
        zones = {pk: entrant.outcome for pk, entrant in division.entrants.items()}
    elif not any(line.played for line in division.lines):
        zones = {}  # before the first result, the order means nothing
    else:
        terms, order = terms_of(pool), [line.entrant for line in division.lines]
        assert isinstance(terms, LeagueTerms)  # only leagues have tiers
        others: list[list[int]] = [[] for _division in range(1, divisions[pool.tier])]
        moves = who_moves([order, *others], terms, tier=pool.tier, below=divisions[pool.tier + 1])
        moving = dict.fromkeys(moves.up, SeasonOutcome.UP) | dict.fromkeys(moves.down, SeasonOutcome.DOWN)
        zones = {pk: zone for pk, zone in moving.items() if division.entrants[pk].is_playing}

    rows = []
    for line in division.lines:
        entrant = division.entrants[line.entrant]
        rows.append(DivisionRow(line, entrant, zones.get(entrant.pk, ""), me is not None and entrant.user_id == me))
    matches = []
    for match in division.matches:
        entrants = [division.entrants[appearance.entrant_id] for appearance in match.appearances.all()]
        is_mine = me is not None and any(player.user_id == me and player.is_playing for player in entrants)
        matches.append(DivisionMatch(match, entrants, is_mine))
    return DivisionStandings(pool, division, rows, matches)


def _mark(match: Match, entrant: Entrant, other: Entrant) -> Mark:
    if match.state != MatchState.ENDED:
        words = gettext("against {name}: {state}").format(
            name=display_name(other.name), state=match.get_state_display()
        )
        return Mark(SYMBOLS[MatchState(match.state)], words, address(match))
    places = {appearance.entrant_id: appearance.place or 0 for appearance in match.appearances.all()}
    own_place, other_place = places[entrant.pk], places[other.pk]
    if own_place < other_place:
        return Mark("1", gettext("finished ahead of {name}").format(name=display_name(other.name)), address(match))
    if own_place == other_place:
        return Mark("½", gettext("tied with {name}").format(name=display_name(other.name)), address(match))
    return Mark("0", gettext("finished behind {name}").format(name=display_name(other.name)), address(match))


def address(match: Match) -> str:
    """Return the link to the game of the match, else to the match if it was decided without one, else an empty text."""
    if match.full_game_id:
        return reverse("full_game", args=[match.full_game_id])
    if match.game is None:
        return reverse("match", args=[match.pk]) if match.state == MatchState.ENDED else ""
    return match.game.get_absolute_url()


def initials(names: Sequence[str]) -> list[str]:
    """Return as few letters of each name as tell them apart, and numbers if letters do not suffice."""
    for length in range(SHORT, LONG + 1):
        short = [name[:length] for name in names]
        if len({word.casefold() for word in short}) == len(names):
            return short
    return [f"{name[:1]}{n}" for n, name in enumerate(names, start=1)]


def interventions(season: Season, pool: Pool | None = None) -> list[Intervention]:
    """Return interventions, latest first: of one division and of the whole season, or all of the season."""
    rows = Intervention.objects.filter(season=season).select_related("by", "undone_by", "pool", "match").order_by("-pk")
    return list((rows.filter(pool=pool) | rows.filter(pool=None) if pool else rows)[:MOST_INTERVENTIONS])
