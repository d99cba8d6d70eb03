"""Team leagues as their pages show them: the league, a team, and a team match."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import User
from games.contests.interventions import may_decide, plays_in
from games.contests.models import (
    Intervention,
    Team,
    TeamInvitation,
    TeamMatch,
    TeamPlayer,
    Tournament,
    TournamentState,
)
from games.contests.models.tournament import ON
from games.contests.pairing.teams import TeamLine
from games.contests.teams.results import TeamMatchResult, standings, team_matches
from games.contests.teams.season import Squad, day_begins, players_missing, squad_of, squads
from games.contests.teams.services import may_rename
from games.errors import NotFound
from games.tables.selectors.rights import Reader, is_person


def open_invitations(user: User) -> QuerySet[TeamInvitation]:
    """Return the invitations to teams that the user can still answer."""
    invitations = TeamInvitation.objects.filter(user=user, is_open=True, team__is_out=False)
    return invitations.filter(team__tournament__state__in=ON).select_related("team__tournament", "by").order_by("pk")


@dataclass(frozen=True)
class TeamInList:
    """A team in the list during sign-up. `missing`: how many players it needs before it can start."""

    squad: Squad
    missing: int
    is_mine: bool

    @property
    def team(self) -> Team:
        return self.squad.team


@dataclass(frozen=True)
class LeagueView:
    """A team league for one reader. `matches` and `byes` are those of the match day shown, `lines` the standings.

    `invitations`: those to teams that wait for the reader's answer. `next_day`: when the next match day begins.
    """

    tournament: Tournament
    teams: list[TeamInList]
    lines: list[tuple[TeamLine, Team]]
    matches: list[TeamMatchResult]
    byes: list[Team]
    invitations: Sequence[TeamInvitation]
    next_day: datetime | None

    @property
    def own_team(self) -> TeamInList | None:
        return next((listed for listed in self.teams if listed.is_mine), None)

    @property
    def complete(self) -> int:
        return sum(not listed.missing and not listed.team.is_out for listed in self.teams)

    @property
    def free(self) -> int:
        """Return how many more teams can be formed."""
        return max(self.tournament.declared.seats - sum(not listed.team.is_out for listed in self.teams), 0)

    @property
    def winners(self) -> list[Team]:
        return [listed.team for listed in self.teams if listed.team.place == 1]


def league(tournament: Tournament, reader: Reader, shown_round: int) -> LeagueView:
    """Return a team league as its page shows it, with the team matches of one round."""
    league_squads = squads(tournament)
    person = reader if is_person(reader) else None
    listed = [TeamInList(squad, players_missing(tournament, squad), person in squad.people) for squad in league_squads]
    matches = team_matches(tournament) if tournament.round else []
    teams = {squad.team.pk: squad.team for squad in league_squads}
    shown = [match for match in matches if match.team_match.round == shown_round]
    paired = {team.pk for match in shown for team in match.teams}
    lines = standings(list(teams.values()), matches) if tournament.started_at else []
    invitations = TeamInvitation.objects.filter(
        team__tournament=tournament, team__is_out=False, user=person, is_open=True
    )
    invitations = invitations.select_related("team", "by")
    for invitation in invitations:
        if invitation.team is not None:
            invitation.team.tournament = tournament
    has_next_day = tournament.is_running and tournament.round < tournament.rounds
    return LeagueView(
        tournament, listed, [(line, teams[line.team]) for line in lines], shown,
        [team for pk, team in teams.items() if pk not in paired] if shown else [],
        [] if person is None else list(invitations),
        day_begins(tournament, tournament.round + 1) if has_next_day else None,
    )  # fmt: skip


def find(public_id: str, pk: int) -> Team:
    """Return a team. Raises `NotFound`."""
    teams = Team.objects.select_related("tournament__organizer")
    team = teams.filter(tournament__public_id=public_id, pk=pk, players__isnull=False).first()
    if team is None:
        raise NotFound
    return team


@dataclass(frozen=True)
class TeamView:
    """A team for one reader. `own_player` is the reader as its player, `own_invitation` their open invitation to it.

    `has_link`: the reader came by the team's link. `plays`: they organize the league but play in it, and so may not
    remove teams. `may_name_captain`: they organize it, and can make another player the captain.
    """

    tournament: Tournament
    squad: Squad
    own_player: TeamPlayer | None
    is_captain: bool
    may_rename: bool
    own_invitation: TeamInvitation | None
    invitations: Sequence[TeamInvitation]
    has_link: bool
    may_take_out: bool
    may_name_captain: bool
    plays: bool
    matches: list[TeamMatchResult]
    line: TeamLine | None

    @property
    def team(self) -> Team:
        return self.squad.team

    @property
    def missing(self) -> int:
        return players_missing(self.tournament, self.squad)

    @property
    def room(self) -> int:
        return max(self.tournament.declared.squad - len(self.squad.playing), 0)

    @property
    def is_on(self) -> bool:
        """Whether people can still join."""
        return self.tournament.is_open or (
            self.tournament.is_running and self.tournament.round < self.tournament.rounds
        )

    @property
    def next_day(self) -> datetime | None:
        if not self.tournament.is_running or self.tournament.round >= self.tournament.rounds:
            return None
        return day_begins(self.tournament, self.tournament.round + 1)

    @property
    def lines(self) -> list[tuple[TeamPlayer, int, bool]]:
        """Return the players, each with their board, 0 if they have none, and whether they can be moved up."""
        player_lines, previous, board = list[tuple[TeamPlayer, int, bool]](), None, 0
        for player in self.squad.players:
            plays = player.entrant.is_playing and not player.is_away and board < self.tournament.declared.boards
            board += plays
            can_move = previous is not None and previous.entrant.rating == player.entrant.rating
            player_lines.append((player, board if plays else 0, can_move and self.tournament.is_open))
            previous = player
        return player_lines

    @property
    def link(self) -> str:
        return settings.SITE_URL + reverse(
            "team_link", args=[self.tournament.public_id, self.team.pk, self.team.invite_token]
        )


def team(team_row: Team, reader: Reader, token: str = "") -> TeamView:
    """Return a team as its page shows it. `token` is that of its link, if the reader came by one."""
    tournament, squad = team_row.tournament, squad_of(team_row)
    person: User | None = reader if is_person(reader) else None
    own_player = next((player for player in squad.playing if person and player.entrant.user_id == person.pk), None)
    is_captain = person is not None and squad.captain == person
    invitations = team_row.invitations.filter(is_open=True).select_related("user").order_by("pk")
    matches = team_matches(tournament) if tournament.started_at else []
    lines = standings([squad.team for squad in squads(tournament)], matches) if tournament.started_at else []
    decides = person is not None and not tournament.is_over and may_decide(tournament, person)
    plays = decides and person is not None and plays_in(tournament, person)
    may_take_out = decides and not plays and tournament.is_open and not team_row.is_out
    return TeamView(
        tournament, squad, own_player, is_captain, is_captain and may_rename(team_row),
        next((invitation for invitation in invitations if person and invitation.user_id == person.pk), None),
        list(invitations) if is_captain else [],
        bool(token) and secrets.compare_digest(token.encode(), team_row.invite_token.encode()),
        may_take_out, decides and not plays, plays and tournament.is_open and not team_row.is_out,
        [match for match in matches if team_row.pk in (match.team_match.home_id, match.team_match.away_id)],
        next((line for line in lines if line.team == team_row.pk), None),
    )  # fmt: skip


@dataclass(frozen=True)
class TeamMatchView:
    """A team match for one reader. `due_at`: when the last of its boards should end."""

    result: TeamMatchResult
    due_at: datetime
    interventions: Sequence[Intervention]
    may_organize: bool


def team_match(public_id: str, pk: int, reader: Reader) -> TeamMatchView:
    """Return a team match. Raises `NotFound`."""
    match = TeamMatch.objects.filter(tournament__public_id=public_id, pk=pk).select_related("tournament").first()
    if match is None:
        raise NotFound
    [result] = team_matches(match.tournament, pk=pk)
    due = [line.board.match.due_at for line in result.boards if line.board.match is not None]
    usual = day_begins(match.tournament, match.round) + timedelta(days=match.tournament.declared.days_a_round)
    interventions = Intervention.objects.filter(match__board__team_match=match)
    interventions = interventions.select_related("by", "undone_by", "pool", "match")
    may_organize = is_person(reader) and may_decide(match.tournament, reader)
    return TeamMatchView(result, max(due, default=usual), list(interventions.order_by("-pk")), may_organize)


def next_days(user: User, most: int) -> list[tuple[Tournament, Team, int, datetime]]:
    """Return the starts of coming match days of the user's teams, for calendars."""
    places = TeamPlayer.objects.filter(
        entrant__user=user, entrant__left_at=None, entrant__tournament__state=TournamentState.RUNNING
    )
    days = []
    for place in places.select_related("entrant__tournament", "team"):
        tournament = place.entrant.tournament
        assert tournament is not None
        for number in range(tournament.round + 1, tournament.rounds + 1):
            days.append((tournament, place.team, number, day_begins(tournament, number)))
    return sorted(days, key=lambda day: day[3])[:most]
