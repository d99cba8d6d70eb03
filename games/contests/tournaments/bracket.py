"""A knockout as a bracket of all rounds; the seats of future rounds are empty."""

from collections.abc import Iterator
from dataclasses import dataclass

from games.contests.pairing import knockout
from games.contests.tournaments.selectors import Contest, Player, Sat, TournamentView


@dataclass(frozen=True)
class BracketTable:
    """A table of a bracket: its match, an entrant with a bye, or `seats` still to be filled.

    `through` are the entrants who advance from it, or in the last round the winners.
    """

    number: int
    contest: Contest | None
    byes: list[Player]
    seats: int
    through: frozenset[int]

    @property
    def lines(self) -> Iterator[tuple[Player, Sat, bool]]:
        for player, sat in self.contest.seats if self.contest else []:
            yield player, sat, player.pk in self.through


@dataclass(frozen=True)
class BracketRound:
    number: int
    is_last: bool
    is_now: bool
    tables: list[BracketTable]


def bracket(view: TournamentView) -> list[BracketRound]:
    """Return all rounds of a knockout that has started."""
    found = knockout.bracket(len(view.players), view.terms.players)
    return [_round(view, found, number) for number in range(1, view.row.rounds + 1)]


def _round(view: TournamentView, found: knockout.Bracket, number: int) -> BracketRound:
    row, seeds = view.row, list(view.players.values())
    contests = {one.number: one for one in view.contests if one.round == number}
    slots = found.rounds[number - 1]
    seated = _seated(view, found, number) if number <= row.round else [()] * len(slots)
    orders = row.bracket[number - 1] if number <= len(row.bracket) else [()] * len(slots)
    ways = found.goes_on if number < row.rounds else 1
    tables = [
        BracketTable(
            n, contests.get(n), [] if n in contests else [seeds[one] for one in seated[n - 1]], len(slots[n - 1]),
            frozenset(seeds[one].pk for one in orders[n - 1][:ways]),
        )
        for n in range(1, len(slots) + 1)
    ]  # fmt: skip
    return BracketRound(number, number == row.rounds, row.is_running and number == row.round, tables)


def _seated(view: TournamentView, found: knockout.Bracket, number: int) -> knockout.Tables:
    before = view.row.bracket[number - 2] if number > 1 else []
    return found.tables(number - 1, [order[: found.goes_on] for order in before])
