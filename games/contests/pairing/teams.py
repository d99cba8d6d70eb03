"""Team leagues: the rounds of teams, the result of a team match, and the standings. PURE: ids in, lines out.

Each team meets every other once, board against board. Points on boards are counted in halves: two for a win, one for a
tie. The team with more of them wins the match.
"""

from collections.abc import Sequence
from itertools import groupby

import msgspec

from games.contests.pairing import round_robin
from games.contests.pairing.protocol import Format, Pairing, Progress, Round
from games.rules.words import gettext_noop

BOARDS = range(2, 7)
MOST_TEAMS = 20
WIN, DRAW = 2, 1  # match points
MATCH_POINTS, BOARD_POINTS, MET = "match_points", "board_points", "met"  # the criteria of the standings, in this order


class TeamResult(msgspec.Struct, frozen=True):
    """The result of a team match: two teams and the points on their boards, in halves."""

    teams: tuple[int, int]
    points: tuple[int, int]

    @property
    def match_points(self) -> tuple[int, int]:
        home, away = self.points
        if home == away:
            return DRAW, DRAW
        return (WIN, 0) if home > away else (0, WIN)


class TeamLine(msgspec.Struct, frozen=True):
    """A team's line. `board_points` are in halves. Places run 1, 1, 3.

    `tie_break` names the criterion that put it below the line above with the same match points.
    """

    team: int
    place: int
    match_points: int
    won: int
    drawn: int
    lost: int
    board_points: int
    tie_break: str | None = None

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


def plan(teams: int) -> list[Round]:
    """Return the rounds in which all teams meet once. A table has the home team first."""
    return round_robin.plan(teams, 2)


def rank(teams: Sequence[int], results: Sequence[TeamResult]) -> list[TeamLine]:
    """Return the lines of all teams, best first: by match points, board points, then the matches among those tied.

    Teams that share a place are in the order of `teams`.
    """
    lines = [_line(team, results) for team in teams]
    order = {team: n for n, team in enumerate(teams)}
    ranked: list[TeamLine] = []
    lines.sort(key=lambda line: (-line.match_points, -line.board_points, order[line.team]))
    before: TeamLine | None = None
    for _equal, group in groupby(lines, key=lambda line: (line.match_points, line.board_points)):
        tied = list(group)
        among = {line.team for line in tied}
        met = [result for result in results if among.issuperset(result.teams)]
        small = {line.team: _line(line.team, met) for line in tied}
        tied.sort(key=lambda line: (-small[line.team].match_points, -small[line.team].board_points, order[line.team]))
        last: tuple[int, int] | None = None
        for line in tied:
            points = small[line.team].match_points, small[line.team].board_points
            place, tie_break = len(ranked) + 1, None
            if points == last:
                place, tie_break = ranked[-1].place, ranked[-1].tie_break
            elif last is not None:
                tie_break = MET
            elif before is not None and before.match_points == line.match_points:
                tie_break = BOARD_POINTS
            ranked.append(msgspec.structs.replace(line, place=place, tie_break=tie_break))
            last = points
        before = ranked[-1]
    return ranked


def _line(team: int, results: Sequence[TeamResult]) -> TeamLine:
    """Return the sums of a team, without a place."""
    own_results = [result for result in results if team in result.teams]
    sides = [result.teams.index(team) for result in own_results]
    scored = [result.match_points[side] for result, side in zip(own_results, sides, strict=True)]
    boards = sum(result.points[side] for result, side in zip(own_results, sides, strict=True))
    return TeamLine(team, 0, sum(scored), scored.count(WIN), scored.count(DRAW), scored.count(0), boards)


# The format. Its entrants are teams; `games.contests.teams` turns their pairing into boards


def fields(players: int) -> Sequence[int]:
    return range(2, MOST_TEAMS + 1) if players == 2 else ()


def pair(pool: Progress) -> Pairing:
    return round_robin.pair(pool)


FORMAT = Format(
    slug="teams", word=gettext_noop("team league"),
    sentence=gettext_noop(
        "Team league: teams of 2 to 6 play each other board by board, and every team meets every other"
    ),
    fields=fields, rounds=round_robin.rounds, matches=round_robin.matches, pair=pair,
)  # fmt: skip
