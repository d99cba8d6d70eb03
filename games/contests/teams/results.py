"""Results of team matches, and the standings of teams. Both follow from the boards each time, so corrections count."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.contests.leagues.divisions import address
from games.contests.models import Appearance, Board, Entrant, MatchState, Team, TeamMatch, Tournament
from games.contests.pairing.teams import TeamLine, TeamResult, rank

WON, LOST = 2, 0  # points of a board, in halves


@dataclass(frozen=True)
class BoardResult:
    """A board with its `points` for the home and the away team, in halves; null if it does not count, or not yet."""

    board: Board
    points: tuple[int, int] | None

    @property
    def is_default(self) -> bool:
        """Whether one team had nobody for it."""
        return self.board.match is None and (self.board.home is None) != (self.board.away is None)

    @property
    def is_decided(self) -> bool:
        match = self.board.match
        return match is None or match.state in (MatchState.ENDED, MatchState.ANNULLED)

    @property
    def is_void(self) -> bool:
        """Whether it counts for neither team."""
        return self.is_decided and self.points is None

    @property
    def players(self) -> tuple[Entrant | None, Entrant | None]:
        return self.board.home, self.board.away

    @property
    def url(self) -> str:
        """Return the page of its game, or an empty text."""
        match = self.board.match
        if match is None or match.game is None:
            return ""
        return address(match)


@dataclass(frozen=True)
class TeamMatchResult:
    """A team match with its boards in order."""

    row: TeamMatch
    boards: Sequence[BoardResult]

    @property
    def teams(self) -> tuple[Team, Team]:
        return self.row.home, self.row.away

    @cached_property
    def points(self) -> tuple[int, int]:
        """Return the points so far, in halves."""
        counted = [one.points for one in self.boards if one.points is not None]
        return sum(home for home, _away in counted), sum(away for _home, away in counted)

    @cached_property
    def is_over(self) -> bool:
        return all(one.is_decided for one in self.boards)

    @property
    def result(self) -> TeamResult | None:
        """Return the result once all boards are decided; null if none of them counts."""
        if not self.is_over or all(one.is_void for one in self.boards):
            return None
        return TeamResult((self.row.home_id, self.row.away_id), self.points)


def team_matches(row: Tournament, *, number: int | None = None, pk: int | None = None) -> list[TeamMatchResult]:
    """Return the team matches of a match day, or one, or all, in order."""
    rows = TeamMatch.objects.filter(tournament=row).select_related("home", "away").order_by("round", "number")
    rows = rows.filter(round=number) if number is not None else rows
    found = list(rows.filter(pk=pk) if pk is not None else rows)
    boards = Board.objects.filter(team_match__in=[one.pk for one in found]).order_by("number")
    of_match: dict[int, list[Board]] = {one.pk: [] for one in found}
    for board in boards.select_related("match__game", "match__full_game", "home__user", "away__user"):
        of_match[board.team_match_id].append(board)
    played = Appearance.objects.filter(match__board__team_match__in=list(of_match), match__state=MatchState.ENDED)
    points = {(match, entrant): got or 0 for match, entrant, got in played.values_list("match", "entrant", "points")}
    for one in found:
        one.tournament = row
    return [TeamMatchResult(one, [BoardResult(b, _points(b, points)) for b in of_match[one.pk]]) for one in found]


def _points(board: Board, points: Mapping[tuple[int, int], int]) -> tuple[int, int] | None:
    if board.match is None:
        if board.home_id is None and board.away_id is not None:
            return LOST, WON
        return (WON, LOST) if board.home_id is not None and board.away_id is None else None
    if board.match.state != MatchState.ENDED:
        return None
    return points[board.match.pk, board.home_id or 0], points[board.match.pk, board.away_id or 0]


def standings(teams: Sequence[Team], matches: Sequence[TeamMatchResult]) -> list[TeamLine]:
    """Return the line of each team. Matches count as soon as all their boards are decided."""
    results = [one.result for one in matches]
    return rank([one.pk for one in teams], [result for result in results if result is not None])
