"""Team leagues for tests. Games end without being played; in alphabetical order of the players unless said."""

from games.contests.models import Team, TeamPlayer, Tournament
from games.contests.teams import services as teams
from games.contests.teams.results import TeamMatchResult, standings, team_matches
from games.contests.teams.season import squads
from games.contests.tournaments import services as tournaments
from tests.cast import person
from tests.contests.cups import cup, sweep

TEAM_NAMES = ("Foxes", "Owls", "Hares", "Newts", "Rooks", "Wrens")


def league(organizer, **terms) -> Tournament:
    """Open a team league for sign-up, of two boards and match days of a week."""
    usual = {"name": "Harbour League", "format": "teams", "boards": 2, "fewest": 2, "seats": 6, "days_a_round": 7}
    return cup(organizer, **{**usual, **terms})


def team(tournament: Tournament, name: str, players: int = 2) -> Team:
    """Create a team with players named after it, `Foxes1` the captain. They join with its link."""
    new_team = teams.create(tournament=tournament, user=person(f"{name}1"), name=name)
    for n in range(2, players + 1):
        teams.join(team=new_team, user=person(f"{name}{n}"), token=new_team.invite_token)
    return new_team


def begun(organizer, number: int, players: int = 2, **terms) -> Tournament:
    """Start a league of this many teams; the first match day is being played."""
    tournament = league(organizer, **terms)
    for name in TEAM_NAMES[:number]:
        team(tournament, name, players)
    tournaments.start(tournament=tournament, user=organizer)
    return sweep(tournament)


def squad(tournament: Tournament, name: str):
    return next(squad for squad in squads(tournament) if squad.team.name == name)


def player(tournament: Tournament, name: str) -> TeamPlayer:
    return TeamPlayer.objects.select_related("entrant__user", "team").get(
        entrant__tournament=tournament, entrant__name=name
    )


def day(tournament: Tournament, number: int) -> list[TeamMatchResult]:
    return team_matches(tournament, number=number)


def lines(tournament: Tournament) -> list[tuple[int, str, int, int]]:
    """Return place, team, match points and board points in halves."""
    there = [squad.team for squad in squads(tournament)]
    names = {team.pk: team.name for team in there}
    ranked = standings(there, team_matches(tournament))
    return [(line.place, names[line.team], line.match_points, line.board_points) for line in ranked]
