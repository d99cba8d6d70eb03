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

    team_match: TeamMatch
    boards: Sequence[BoardResult]

    @property
    def teams(self) -> tuple[Team, Team]:
        return self.team_match.home, self.team_match.away

    @cached_property
    def points(self) -> tuple[int, int]:
        """Return the points so far, in halves."""
        counted = [board.points for board in self.boards if board.points is not None]
        return sum(home for home, _away in counted), sum(away for _home, away in counted)

    @cached_property
    def is_over(self) -> bool:
        return all(board.is_decided for board in self.boards)

    @property
    def result(self) -> TeamResult | None:
        """Return the result once all boards are decided; null if none of them counts."""
        if not self.is_over or all(board.is_void for board in self.boards):
            return None
        return TeamResult((self.team_match.home_id, self.team_match.away_id), self.points)


def team_matches(tournament: Tournament, *, number: int | None = None, pk: int | None = None) -> list[TeamMatchResult]:
    """Return the team matches of the league in order: all of them, those of match day `number`, or only the one."""
    rows = TeamMatch.objects.filter(tournament=tournament).select_related("home", "away").order_by("round", "number")
    rows = rows.filter(round=number) if number is not None else rows
    matches = list(rows.filter(pk=pk) if pk is not None else rows)
    boards = Board.objects.filter(team_match__in=[match.pk for match in matches]).order_by("number")
    boards_by_match: dict[int, list[Board]] = {match.pk: [] for match in matches}
    for board in boards.select_related("match__game", "match__full_game", "home__user", "away__user"):
        boards_by_match[board.team_match_id].append(board)
    appearances = Appearance.objects.filter(match__board__team_match__in=matches, match__state=MatchState.ENDED)
    scored = appearances.values_list("match", "entrant", "points")
    points = {(match, entrant): halves or 0 for match, entrant, halves in scored}
    for match in matches:
        match.tournament = tournament
    return [
        TeamMatchResult(match, [BoardResult(board, _points(board, points)) for board in boards_by_match[match.pk]])
        for match in matches
    ]


def _points(board: Board, points: Mapping[tuple[int, int], int]) -> tuple[int, int] | None:
    """Return the points of both teams, as in `BoardResult`. `points` are those of matches and entrants."""
    if board.match is None:
        if board.home_id is None and board.away_id is not None:
            return LOST, WON
        return (WON, LOST) if board.home_id is not None and board.away_id is None else None
    if board.match.state != MatchState.ENDED:
        return None
    return points[board.match.pk, board.home_id or 0], points[board.match.pk, board.away_id or 0]


def standings(teams: Sequence[Team], matches: Sequence[TeamMatchResult]) -> list[TeamLine]:
    """Return the line of each team. Matches count as soon as all their boards are decided."""
    results = [match.result for match in matches]
    return rank([team.pk for team in teams], [result for result in results if result is not None])
