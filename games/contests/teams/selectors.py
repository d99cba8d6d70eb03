"""Team leagues as their pages show them: the league, a team, and a team match."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
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
)
from games.contests.pairing.teams import TeamLine
from games.contests.teams.results import TeamMatchResult, standings, team_matches
from games.contests.teams.season import Squad, day_begins, missing, squad_of, squads
from games.errors import NotFound
from games.tables.selectors.rights import Reader, is_person


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

    `asked`: invitations to teams that wait for the reader's answer. `next_day` is when the next match day begins.
    """

    row: Tournament
    teams: list[TeamInList]
    lines: list[tuple[TeamLine, Team]]
    matches: list[TeamMatchResult]
    byes: list[Team]
    asked: Sequence[TeamInvitation]
    next_day: datetime | None

    @property
    def mine(self) -> TeamInList | None:
        return next((one for one in self.teams if one.is_mine), None)

    @property
    def complete(self) -> int:
        return sum(not one.missing and not one.team.is_out for one in self.teams)

    @property
    def free(self) -> int:
        """Return how many more teams can be formed."""
        return max(self.row.declared.seats - sum(not one.team.is_out for one in self.teams), 0)

    @property
    def winners(self) -> list[Team]:
        return [one.team for one in self.teams if one.team.place == 1]


def league(row: Tournament, reader: Reader, shown_round: int) -> LeagueView:
    there = squads(row)
    person = reader if is_person(reader) else None
    listed = [TeamInList(one, missing(row, one), person in one.people) for one in there]
    matches = team_matches(row) if row.round else []
    teams = {one.team.pk: one.team for one in there}
    shown = [one for one in matches if one.row.round == shown_round]
    paired = {team.pk for one in shown for team in one.teams}
    lines = standings(list(teams.values()), matches) if row.started_at else []
    asked = TeamInvitation.objects.filter(team__tournament=row, team__is_out=False, user=person, is_open=True)
    asked = asked.select_related("team", "by")
    for one in asked:
        if one.team is not None:
            one.team.tournament = row
    return LeagueView(
        row, listed, [(line, teams[line.team]) for line in lines], shown,
        [team for pk, team in teams.items() if pk not in paired] if shown else [],
        [] if person is None else list(asked),
        day_begins(row, row.round + 1) if row.is_running and row.round < row.rounds else None,
    )  # fmt: skip


def find(public_id: str, pk: int) -> Team:
    """Return a team. Raises `NotFound`."""
    rows = Team.objects.select_related("tournament__organizer")
    found = rows.filter(tournament__public_id=public_id, pk=pk, players__isnull=False).first()
    if found is None:
        raise NotFound
    return found


@dataclass(frozen=True)
class TeamView:
    """A team for one reader. `mine` is the reader's place in it, `asked` their open invitation.

    `has_link`: the reader came by the team's link. `deadline`: until when a team that is short must be complete.
    """

    row: Tournament
    squad: Squad
    mine: TeamPlayer | None
    is_captain: bool
    asked: TeamInvitation | None
    invitations: Sequence[TeamInvitation]
    has_link: bool
    may_take_out: bool
    plays: bool  # whether an organizer plays in the league, and so may not remove teams
    matches: list[TeamMatchResult]
    line: TeamLine | None

    @property
    def team(self) -> Team:
        return self.squad.team

    @property
    def missing(self) -> int:
        return missing(self.row, self.squad)

    @property
    def room(self) -> int:
        return max(self.row.declared.squad - len(self.squad.playing), 0)

    @property
    def is_on(self) -> bool:
        """Whether people can still join."""
        return self.row.is_open or (self.row.is_running and self.row.round < self.row.rounds)

    @property
    def next_day(self) -> datetime | None:
        if not self.row.is_running or self.row.round >= self.row.rounds:
            return None
        return day_begins(self.row, self.row.round + 1)

    @property
    def lines(self) -> list[tuple[TeamPlayer, int, bool]]:
        """Return the players with their board, 0 if they are in reserve, and whether they can be moved up."""
        found, before, board = list[tuple[TeamPlayer, int, bool]](), None, 0
        for one in self.squad.players:
            plays = one.entrant.is_playing and not one.is_away and board < self.row.declared.boards
            board += plays
            can_move = before is not None and before.entrant.rating == one.entrant.rating
            found.append((one, board if plays else 0, can_move and self.row.is_open))
            before = one
        return found

    @property
    def link(self) -> str:
        return settings.SITE_URL + reverse("team_link", args=[self.row.public_id, self.team.pk, self.team.invite_token])


def team(found: Team, reader: Reader, token: str = "") -> TeamView:
    row, squad = found.tournament, squad_of(found)
    person: User | None = reader if is_person(reader) else None
    mine = next((one for one in squad.playing if person and one.entrant.user_id == person.pk), None)
    is_captain = person is not None and squad.captain == person
    invitations = found.invitations.filter(is_open=True).select_related("user").order_by("pk")
    matches = team_matches(row) if row.started_at else []
    lines = standings([one.team for one in squads(row)], matches) if row.started_at else []
    decides = person is not None and row.is_open and not found.is_out and may_decide(row, person)
    plays = decides and person is not None and plays_in(row, person)
    return TeamView(
        row, squad, mine, is_captain,
        next((one for one in invitations if person and one.user_id == person.pk), None),
        list(invitations) if is_captain else [],
        bool(token) and secrets.compare_digest(token.encode(), found.invite_token.encode()),
        decides and not plays, plays,
        [one for one in matches if found.pk in (one.row.home_id, one.row.away_id)],
        next((one for one in lines if one.team == found.pk), None),
    )  # fmt: skip


@dataclass(frozen=True)
class TeamMatchView:
    result: TeamMatchResult
    due_at: datetime
    interventions: Sequence[Intervention]
    may_organize: bool


def team_match(public_id: str, pk: int, reader: Reader) -> TeamMatchView:
    """Return a team match. Raises `NotFound`."""
    row = TeamMatch.objects.filter(tournament__public_id=public_id, pk=pk).select_related("tournament").first()
    if row is None:
        raise NotFound
    [result] = team_matches(row.tournament, pk=pk)
    due = [one.board.match.due_at for one in result.boards if one.board.match is not None]
    usual = day_begins(row.tournament, row.round) + timedelta(days=row.tournament.declared.days_a_round)
    acts = Intervention.objects.filter(match__board__team_match=row).select_related("by", "undone_by", "pool", "match")
    may_organize = is_person(reader) and may_decide(row.tournament, reader)
    return TeamMatchView(result, max(due, default=usual), list(acts.order_by("-pk")), may_organize)


def next_days(user: User, most: int) -> list[tuple[Tournament, Team, int, datetime]]:
    """Return the starts of coming match days of the user's teams, for calendars."""
    playing = TeamPlayer.objects.filter(entrant__user=user, entrant__left_at=None)
    rows = playing.filter(Q(entrant__tournament__state="running")).select_related("entrant__tournament", "team")
    found = []
    for one in rows:
        row = one.entrant.tournament
        if row is None:
            continue
        for number in range(row.round + 1, row.rounds + 1):
            found.append((row, one.team, number, day_begins(row, number)))
    return sorted(found, key=lambda one: one[3])[:most]
