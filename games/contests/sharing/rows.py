"""Standings and results of divisions and tournaments as rows for files, see `docs/standings.md`.

They hold what the pages show to everyone, and nothing that depends on the reader.
"""

from typing import Any, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext

from games.contests.leagues import divisions
from games.contests.leagues import selectors as leagues
from games.contests.models import MatchState, SeasonOutcome
from games.contests.teams import selectors as teams
from games.contests.teams.results import team_matches
from games.contests.tournaments import rounds
from games.contests.tournaments import selectors as tournaments
from games.contests.tournaments.selectors import TournamentView

Row = dict[str, Any]
FORMAT = "standings/1"
STANDINGS = (
    "group", "place", "player", "kind", "points", "possible", "played", "wins", "game_points", "dropped_out", "outcome",
)  # fmt: skip
TEAM_RESULTS = ("group", "round", "table", "board", "teams", "state", "players", "board_points", "link")
RESULTS = ("group", "round", "table", "state", "players", "places", "game_points", "link")


class Sheet(NamedTuple):
    """A file: what it is about, its columns and its rows. `name` is that of the file, without an ending."""

    name: str
    about: Row
    columns: tuple[str, ...]
    rows: list[Row]


def of_division(*, slug: str, number: int, tier: int, division: int, content: str) -> Sheet:
    """Return the standings or results of a division. Raises `NotFound`."""
    season, standings = leagues.division(slug=slug, number=number, tier=tier, division=division, reader=None)
    group, page = f"{tier}-{division}", reverse("division", args=[slug, number, tier, division])
    about = {
        "format": FORMAT, "what": content, "league": season.league.name, "season": number,
        "game": season.league.ruleset, "group": group, "final": standings.pool.ended_at is not None, "url": _url(page),
    }  # fmt: skip
    if content == "standings":
        rows = [
            {
                "group": group, "place": row.line.place, "player": row.entrant.name,
                "kind": _kind(row.entrant.bot, row.entrant.user_id), "points": row.line.points / 2,
                "possible": row.line.possible / 2, "played": row.line.played, "wins": row.line.wins,
                "game_points": row.line.score, "dropped_out": row.is_out,
                "outcome": row.zone if row.zone in (SeasonOutcome.UP, SeasonOutcome.DOWN) else "",
            }
            for row in standings.rows
        ]  # fmt: skip
        return Sheet(f"{slug}-{number}-{group}-standings", about, STANDINGS, rows)
    rows = []
    for shown in standings.matches:
        seats = list(shown.match.appearances.all())
        is_over = shown.match.state == MatchState.ENDED
        rows.append({
            "group": group, "round": shown.match.round, "table": shown.match.number, "state": shown.match.state,
            "players": [entrant.name for entrant in shown.entrants],
            "places": [seat.place for seat in seats] if is_over else [],
            "game_points": [seat.score for seat in seats] if is_over else [],
            "link": _url(shown.url) if shown.url else None,
        })  # fmt: skip
    return Sheet(f"{slug}-{number}-{group}-results", about, RESULTS, rows)


def of_tournament(*, public_id: str, content: str) -> Sheet:
    """Return the standings or results of a tournament. Raises `NotFound`."""
    view = tournaments.tournament(public_id=public_id, reader=None)
    tournament = view.tournament
    about = {
        "format": FORMAT, "what": content, "tournament": tournament.name, "game": tournament.ruleset,
        "kind": view.terms.format, "round": tournament.round, "final": tournament.has_ended,
        "url": _url(tournament.get_absolute_url()),
    }  # fmt: skip
    if view.terms.is_for_teams:
        rows, columns = _team_standings(view) if content == "standings" else _team_results(view)
        return Sheet(f"tournament-{public_id}-{content}", about, columns, rows)
    rows = _tournament_standings(view) if content == "standings" else _tournament_results(view)
    return Sheet(f"tournament-{public_id}-{content}", about, STANDINGS if content == "standings" else RESULTS, rows)


def _tournament_standings(view: TournamentView) -> list[Row]:
    def line(group: str, place: int | None, pk: int, totals: rounds.StandingsRow | None = None) -> Row:
        player = view.players[pk]
        return {
            "group": group, "place": place, "player": player.name, "kind": _kind(player.bot, player.user),
            "points": totals.points / 2 if totals else None, "possible": totals.possible / 2 if totals else None,
            "played": totals.played if totals else None, "wins": None, "game_points": None,
            "dropped_out": player.has_left is not None, "outcome": "",
        }  # fmt: skip

    by_pool = rounds.stored_standings(view.tournament)
    if not by_pool:  # a knockout has places only
        placed = sorted(view.players.values(), key=lambda player: (player.place or 0, player.seed))
        return [line("", player.place, player.pk) for player in placed]
    return [
        line(_group(view, of_pool.stage, of_pool.number), row.place, row.entrant, row)
        for of_pool in by_pool
        for row in of_pool.rows
    ]


def _team_standings(view: TournamentView) -> tuple[list[Row], tuple[str, ...]]:
    rows = [
        {
            "group": "", "place": line.place, "player": team.name, "kind": "team", "points": line.match_points,
            "possible": 2 * line.played, "played": line.played, "wins": line.won,
            "game_points": line.board_points / 2, "dropped_out": False, "outcome": "",
        }
        for line, team in teams.league(view.tournament, None, view.tournament.round).lines
    ]  # fmt: skip
    return rows, STANDINGS


def _team_results(view: TournamentView) -> tuple[list[Row], tuple[str, ...]]:
    """Return the boards of all team matches. A board that one team had nobody for is in the state `default`."""
    rows = []
    for match in team_matches(view.tournament):
        for result in match.boards:
            default = MatchState.ANNULLED if result.is_void else "default"
            rows.append({
                "group": "", "round": match.team_match.round, "table": match.team_match.number,
                "board": result.board.number,
                "teams": [team.name for team in match.teams],
                "state": result.board.match.state if result.board.match else default,
                "players": [player.name if player else "" for player in result.players],
                "board_points": [points / 2 for points in result.points] if result.points else [],
                "link": _url(result.url) if result.url else None,
            })  # fmt: skip
    return rows, TEAM_RESULTS


def _tournament_results(view: TournamentView) -> list[Row]:
    rows = []
    for match in tournaments.matches_of(view.tournament, view.players, None):
        seats = sorted(match.seat_rows, key=lambda seat: seat.seat)
        rows.append({
            "group": _group(view, match.stage, match.pool), "round": match.round, "table": match.number,
            "state": match.state,
            "players": [view.players[seat.entrant].name for seat in seats],
            "places": [seat.place for seat in seats] if match.is_over else [],
            "game_points": [seat.score for seat in seats] if match.is_over else [],
            "link": _url(reverse(match.url[0], args=[match.url[1]])) if match.url else None,
        })  # fmt: skip
    return rows


def _group(view: TournamentView, stage: int, number: int) -> str:
    if not view.is_groups:
        return ""
    return "final" if stage == rounds.FINAL else str(number)


def _kind(bot: str, user: int | None) -> str:
    return "bot" if bot else "person" if user else "former"


def _url(path: str) -> str:
    return settings.SITE_URL + path


# The table for other sites


class Embedded(NamedTuple):
    """Standings to show in a frame: a title, a link to the page, and rows of place, name, points and played."""

    title: str
    subtitle: str
    url: str
    rows: list[Row]


def embedded_division(*, slug: str, number: int, tier: int, division: int) -> Embedded:
    """Return the standings of a division for a frame. Raises `NotFound`."""
    sheet = of_division(slug=slug, number=number, tier=tier, division=division, content="standings")
    name = gettext("Season {n}, {division}").format(n=number, division=divisions.division_name(tier, division))
    return Embedded(sheet.about["league"], name, sheet.about["url"], sheet.rows)


def embedded_league(*, slug: str) -> Embedded:
    """Return the first division of the league's latest season that has started. Raises `NotFound`."""
    league = leagues.find(slug, None)
    season = league.seasons.filter(started_at__isnull=False).order_by("-number").first()
    if season is None:
        return Embedded(league.name, "", _url(league.get_absolute_url()), [])
    return embedded_division(slug=slug, number=season.number, tier=1, division=1)


def embedded_tournament(*, public_id: str) -> Embedded:
    """Return the standings of a tournament for a frame. Raises `NotFound`."""
    sheet = of_tournament(public_id=public_id, content="standings")
    return Embedded(sheet.about["tournament"], "", sheet.about["url"], sheet.rows)
