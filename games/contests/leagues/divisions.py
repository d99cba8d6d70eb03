"""A division as its readers see it: standings, results of each pair, and remaining matches."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext

from games.contests.leagues import standings as season_table
from games.contests.leagues.names import division_name
from games.contests.leagues.placement import outcome
from games.contests.leagues.standings import Table
from games.contests.models import Entrant, Fate, Intervention, Match, MatchState, Pool, Season
from games.contests.models.pools import UNDECIDED
from games.contests.pairing.crosstable import TIE_BREAKS, Line, TieBreak
from games.contests.pools import terms_of
from games.contests.terms.terms import Terms
from games.tables.selectors.rights import Reader, is_person

ACTS = 50
SYMBOLS = {MatchState.WAITING: "·", MatchState.PLAYING: "▸", MatchState.ANNULLED: "–"}
SHORT, LONG = 2, 4  # letters of initials


@dataclass(frozen=True)
class Mark:
    """The result of a match for the first of two players, as a `symbol` and in `words` for screen readers."""

    symbol: str
    words: str
    url: str


@dataclass(frozen=True)
class Row:
    """A line of the standings. `zone` is the fate of the entrant if the season ended now, or their actual fate."""

    line: Line
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
class Contest:
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
        return " – ".join(one.name for one in self.entrants)


@dataclass(frozen=True)
class Standing:
    """The standings of a division, with its rows in the order of places."""

    pool: Pool
    table: Table
    rows: list[Row]
    contests: list[Contest]

    @property
    def mine(self) -> Row | None:
        return next((row for row in self.rows if row.is_me), None)

    @property
    def name(self) -> str:
        return division_name(self.pool.tier, self.pool.number)

    @property
    def heads(self) -> list[tuple[str, Row]]:
        """Return short names for the columns of the cross table."""
        return list(zip(initials([row.entrant.name for row in self.rows]), self.rows, strict=True))

    @property
    def cross(self) -> list[tuple[Row, list[list[Mark] | None]]]:
        """Return the results of each row against each other row; None against itself."""
        return [(row, [self._met(row, other) for other in self.rows]) for row in self.rows]

    def _met(self, row: Row, other: Row) -> list[Mark] | None:
        return None if row is other else _marks(self.table, row.entrant, other.entrant)

    @property
    def left(self) -> list[Contest]:
        """Return the remaining matches: the reader's own first, and running ones before waiting ones."""
        undecided = [one for one in self.contests if one.match.state in UNDECIDED]
        return sorted(undecided, key=lambda one: (not one.is_mine, not one.is_playing, one.match.start_by))

    @property
    def my_next(self) -> list[Contest]:
        return [one for one in self.left if one.is_mine]

    @property
    def annulled(self) -> list[Contest]:
        return [one for one in self.contests if one.match.state == MatchState.ANNULLED]

    @property
    def out(self) -> list[Entrant]:
        return [row.entrant for row in self.rows if row.is_out]

    @property
    def zones(self) -> set[str]:
        """Return the zones that occur."""
        return {row.zone for row in self.rows}


def standing(pool: Pool, reader: Reader, divisions: Counter[int]) -> Standing:
    """Return the standings of a pool. `divisions` are the numbers of divisions in its tier and the next."""
    table = season_table.table(pool)
    me = reader.pk if is_person(reader) else None
    zones = _zones(pool, table, divisions)
    rows = [_row(line, table.entrants[line.entrant], zones, me) for line in table.lines]
    return Standing(pool, table, rows, [_contest(match, table, me) for match in table.matches])


def _row(line: Line, entrant: Entrant, zones: dict[int, str], me: int | None) -> Row:
    return Row(line, entrant, zones.get(entrant.pk, ""), me is not None and entrant.user_id == me)


def _zones(pool: Pool, table: Table, divisions: Counter[int]) -> dict[int, str]:
    """Return the fate of each entrant if the season ended now, or their actual fate after its end."""
    if pool.ended_at is not None:
        return {pk: one.fate for pk, one in table.entrants.items()}
    terms, order = terms_of(pool), [line.entrant for line in table.lines]
    assert isinstance(terms, Terms)  # only leagues have tiers
    others: list[list[int]] = [[] for _division in range(1, divisions[pool.tier])]
    moves = outcome([order, *others], terms, tier=pool.tier, below=divisions[pool.tier + 1])
    moving = dict.fromkeys(moves.up, Fate.UP) | dict.fromkeys(moves.down, Fate.DOWN)
    return {pk: zone for pk, zone in moving.items() if table.entrants[pk].is_playing}


# Results of pairs


def _marks(table: Table, one: Entrant, other: Entrant) -> list[Mark]:
    cell = table.cells.get((one.pk, other.pk))
    return [_mark(match, one, other) for match in cell.matches] if cell else []


def _mark(match: Match, one: Entrant, other: Entrant) -> Mark:
    if match.state != MatchState.ENDED:
        words = gettext("against {name}: {state}").format(name=other.name, state=match.get_state_display())
        return Mark(SYMBOLS[MatchState(match.state)], words, address(match))
    places = {appearance.entrant_id: appearance.place or 0 for appearance in match.appearances.all()}
    mine, theirs = places[one.pk], places[other.pk]
    if mine < theirs:
        return Mark("1", gettext("finished ahead of {name}").format(name=other.name), address(match))
    if mine == theirs:
        return Mark("½", gettext("tied with {name}").format(name=other.name), address(match))
    return Mark("0", gettext("finished behind {name}").format(name=other.name), address(match))


def address(match: Match) -> str:
    """Return the link to the match if it has started, else an empty text."""
    if match.full_game_id:
        return reverse("full_game", args=[match.full_game_id])
    return match.game.get_absolute_url() if match.game else ""


def _contest(match: Match, table: Table, me: int | None) -> Contest:
    entrants = [table.entrants[appearance.entrant_id] for appearance in match.appearances.all()]
    is_mine = me is not None and any(one.user_id == me and one.is_playing for one in entrants)
    return Contest(match, entrants, is_mine)


def initials(names: Sequence[str]) -> list[str]:
    """Return as few letters of each name as tell them apart, and numbers if letters do not suffice."""
    for length in range(SHORT, LONG + 1):
        short = [name[:length] for name in names]
        if len({one.casefold() for one in short}) == len(names):
            return short
    return [f"{name[:1]}{n}" for n, name in enumerate(names, start=1)]


def interventions(season: Season, pool: Pool | None = None) -> list[Intervention]:
    """Return interventions, latest first: of one division and of the whole season, or all of the season."""
    rows = Intervention.objects.filter(season=season).select_related("by").order_by("-pk")
    return list((rows.filter(pool=pool) | rows.filter(pool=None) if pool else rows)[:ACTS])
