"""Automatic steps of a team league: its start, its match days, and its end. `tournaments.sweep` calls them.

Callers hold the lock of the tournament. A team plays each match day with its highest players who are not away. They and
their boards are settled when the match day begins, and do not change after that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from django.db.models import Exists, Model, OuterRef, Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from accounts.moderation import newcomers
from empire.on_commit import delay_on_commit
from games.contests import pools
from games.contests.gates import conditions
from games.contests.models import (
    Admitted,
    Apart,
    Appearance,
    Board,
    CompetitionHook,
    Entrant,
    Intervention,
    InterventionKind,
    Match,
    Organizer,
    Pool,
    RatedPlayer,
    Team,
    TeamInvitation,
    TeamMatch,
    TeamPlayer,
    Tournament,
    TournamentState,
)
from games.contests.organizing import co_organizers
from games.contests.pairing import teams as team_pairing
from games.contests.ratings import model as ratings
from games.contests.teams import news
from games.contests.teams.results import standings, team_matches
from games.errors import GameError, Over
from games.notices.outbox.words import in_site_language
from games.tables.models import Seat

BEFORE_START = timedelta(days=3)  # when captains are reminded
BEFORE_DAY = timedelta(days=2)


@dataclass(frozen=True)
class Squad:
    """A team with its players, the highest board first."""

    team: Team
    players: list[TeamPlayer]

    @property
    def playing(self) -> list[TeamPlayer]:
        return [player for player in self.players if player.entrant.is_playing]

    @property
    def available(self) -> list[TeamPlayer]:
        return [player for player in self.playing if not player.is_away]

    @property
    def people(self) -> list[User]:
        return [player.entrant.user for player in self.playing if player.entrant.user is not None]

    @property
    def captain(self) -> User | None:
        """Return the captain; the player on the highest board if the captain has left or their account is closed."""
        people = [user for user in self.people if not user.is_closed]
        return next((user for user in people if user.pk == self.team.captain_id), people[0] if people else None)


def squads(tournament: Tournament) -> list[Squad]:
    """Return the teams that have players, by seed; before the start in the order in which they were made."""
    players = Prefetch("players", TeamPlayer.objects.select_related("entrant__user"))
    rows = tournament.teams.prefetch_related(players).order_by("seed", "made_at", "pk")
    teams = [Squad(team, list(team.players.all())) for team in rows]
    for squad in teams:
        squad.team.tournament = tournament
    return [squad for squad in teams if squad.players]


def squad_of(team: Team) -> Squad:
    """Return the team with its players."""
    return Squad(team, list(TeamPlayer.objects.filter(team=team).select_related("entrant__user")))


def without_captain() -> Exists:
    """Return a condition on tournaments: a team there has lost its captain, and has a player who can be the next."""
    can_lead = TeamPlayer.objects.filter(team=OuterRef("pk"), entrant__left_at=None, entrant__user__is_closed=False)
    has_lost = ~Exists(can_lead.filter(entrant__user=OuterRef("captain")))
    return Exists(Team.objects.filter(Exists(can_lead), has_lost, tournament=OuterRef("pk")))


def pass_on_captaincies(tournament: Tournament) -> None:
    """Make the next player the captain of each team that has lost its captain, and tell them."""
    for squad in squads(tournament):
        if squad.captain is not None and squad.captain.pk != squad.team.captain_id:
            make_captain(tournament, squad.team, squad.captain)


def make_captain(tournament: Tournament, team: Team, user: User, by: User | None = None) -> None:
    """Make a player of the team its captain, and tell them. `by` is the organizer who does this, if one does."""
    team.captain = user
    team.save(update_fields=["captain"])
    news.tell_captain(tournament, team, user, f"{user.pk}.{timezone.now().timestamp():.0f}", by)


def players_missing(tournament: Tournament, squad: Squad) -> int:
    """Return how many players the team needs before it can start."""
    return max(tournament.declared.boards - len(squad.playing), 0)


def number_entered(tournament: Tournament) -> int:
    """Return how many entrants could start: players, or in a team league complete teams."""
    if not tournament.declared.is_for_teams:
        return Entrant.objects.filter(tournament=tournament).count()
    return sum(not squad.team.is_out and not players_missing(tournament, squad) for squad in squads(tournament))


def need_complete(tournament: Tournament) -> None:
    """Raise `GameError` if a team is short, so that starting early puts nobody out."""
    for squad in squads(tournament):
        if not squad.team.is_out and (missing := players_missing(tournament, squad)):
            sentence = ngettext(
                "{team} is {n} player short. Wait until its captain has found one, or remove the team.",
                "{team} is {n} players short. Wait until its captain has found them, or remove the team.",
                missing,
            )
            raise GameError(sentence.format(team=squad.team.name, n=missing))


def remind_of_start(tournament: Tournament) -> None:
    """Tell captains before the start how many players their team needs."""
    for squad in squads(tournament):
        if not squad.team.is_out and (missing := players_missing(tournament, squad)):
            news.tell_short(tournament, squad.team, squad.captain, missing, "start")


def ratings_of(tournament: Tournament, users: Iterable[int]) -> dict[int, int]:
    """Return the ratings of users in this game; for users without one, the rating that newcomers have."""
    people = list(users)
    rated = RatedPlayer.objects.filter(ruleset=tournament.ruleset, user__in=people)
    return dict.fromkeys(people, ratings.Rating().shown) | dict(rated.values_list("user", "shown"))


# The start


def place_teams(tournament: Tournament, now: datetime) -> int:
    """Leave out teams that are short, order the boards, and seed the teams in one pool. Return how many teams play."""
    signed_up, kept = squads(tournament), []
    for squad in signed_up:
        missing = players_missing(tournament, squad)
        if not squad.team.is_out and not missing:
            kept.append(squad)
            continue
        if not squad.team.is_out:
            reason = news.why_left_out(missing)
            Intervention.objects.create(
                tournament=tournament, kind=InterventionKind.REMOVED, what=squad.team.name,
                reason=in_site_language(reason), at=now,
            )  # fmt: skip
            news.tell_left_out(tournament, squad.team, squad.people, reason)
        Entrant.objects.filter(in_team__team=squad.team).delete()
    delete_teams(Team.objects.filter(tournament=tournament).exclude(pk__in=[squad.team.pk for squad in kept]))

    ratings_by_user = ratings_of(tournament, [user.pk for squad in kept for user in squad.people])
    entrants = [player.entrant for squad in kept for player in squad.players]
    for entrant in entrants:
        entrant.rating = ratings_by_user.get(entrant.user_id or 0, entrant.rating)
    boards = tournament.declared.boards
    kept.sort(key=lambda squad: (-sum(sorted(p.entrant.rating for p in squad.players)[-boards:]), squad.team.made_at))
    for seed, squad in enumerate(kept, start=1):
        squad.team.seed = seed
    Team.objects.bulk_update([squad.team for squad in kept], ["seed"])
    pool = Pool.objects.create(tournament=tournament, stage=1, number=1)
    entrants.sort(key=lambda entrant: (-entrant.rating, entrant.joined_at, entrant.pk))
    for seed, entrant in enumerate(entrants, start=1):
        entrant.pool, entrant.seed = pool, seed
    Entrant.objects.bulk_update(entrants, ["rating", "pool", "seed"])
    return len(kept)


def delete_teams(teams: QuerySet[Team]) -> None:
    """Delete teams and close the invitations to them."""
    close_invitations(TeamInvitation.objects.filter(team__in=teams))
    teams.delete()


def close_invitations(invitations: QuerySet[TeamInvitation]) -> None:
    """Close those of the invitations that are open, and drop their notices that have not been sent."""
    still_open = invitations.filter(is_open=True)
    for invitation in still_open.select_related("team"):
        if invitation.team is not None:
            news.withdraw_invitation(invitation.team, invitation)
    still_open.update(is_open=False)


# Match days


def day_begins(tournament: Tournament, number: int) -> datetime:
    """Return when a match day of a league that has started begins."""
    assert tournament.started_at is not None
    return tournament.started_at + timedelta(days=(number - 1) * tournament.declared.days_a_round)


def begin_match_day(tournament: Tournament, pool: Pool, now: datetime, due_at: datetime) -> None:
    """Settle who plays on which board of this match day, and create the matches."""
    if TeamMatch.objects.filter(tournament=tournament, round=tournament.round).exists():
        return
    teams, apart = squads(tournament), conditions.kept_apart(tournament)
    boards: list[Board] = []
    planned: list[tuple[Match, list[Entrant]]] = []
    tables = team_pairing.plan(len(teams))[tournament.round - 1]
    for number, (first, second) in enumerate(tables, start=1):
        home, away = teams[first], teams[second]
        team_match = TeamMatch.objects.create(
            tournament=tournament, round=tournament.round, number=number, home=home.team, away=away.team
        )  # fmt: skip
        for n in range(tournament.declared.boards):
            sides = [squad.available[n].entrant if n < len(squad.available) else None for squad in (home, away)]
            board = Board(team_match=team_match, number=n + 1, home=sides[0], away=sides[1])
            boards.append(board)
            players = [entrant for entrant in sides if entrant is not None]
            if len(players) == 2 and frozenset(entrant.user_id for entrant in players) not in apart:
                match = Match(pool=pool, round=tournament.round, number=len(planned) + 1, start_by=now, due_at=due_at)
                # The home team has the first seat on the first board, and then on every other one
                planned.append((match, players if n % 2 == 0 else players[::-1]))
                board.match = match
    pools.write(planned)
    Board.objects.bulk_create(boards)
    Pool.objects.filter(pk=pool.pk).update(look_at=now)
    delay_on_commit("games.tasks.look_at_pool", pool.pk)
    news.tell_match_day(tournament, teams, team_matches(tournament, number=tournament.round), due_at)


def tell_results(tournament: Tournament) -> None:
    """Tell both teams the result of each team match that is over, and tell them again if a correction changed it."""
    people = {squad.team.pk: squad.people for squad in squads(tournament)}
    for match in team_matches(tournament):
        if match.is_over and match.team_match.announced != (points := "-".join(map(str, match.points))):
            was_announced = bool(match.team_match.announced)
            TeamMatch.objects.filter(pk=match.team_match.pk).update(announced=points)
            concerned = [user for team in match.teams for user in people.get(team.pk, [])]
            news.tell_result(tournament, match, concerned, points, is_corrected=was_announced)


def remind_of_day(tournament: Tournament) -> None:
    """Tell captains before the next match day if their team would lose boards by default."""
    tables, teams = team_pairing.plan(tournament.teams.count())[tournament.round], squads(tournament)
    for seed in sorted({seed for table in tables for seed in table}):
        empty_boards = tournament.declared.boards - len(teams[seed].available)
        if empty_boards > 0:
            news.tell_gap(
                tournament,
                teams[seed].team,
                teams[seed].captain,
                empty_boards,
                day_begins(tournament, tournament.round + 1),
            )


def can_go_on(tournament: Tournament) -> bool:
    """Return whether at least two teams still have players."""
    return sum(bool(squad.playing) for squad in squads(tournament)) > 1


# The end


def final_places(tournament: Tournament) -> dict[int, int]:
    """Store the places of the teams, and return those of their players, by entrant."""
    teams = squads(tournament)
    places = {line.team: line.place for line in standings([squad.team for squad in teams], team_matches(tournament))}
    for squad in teams:
        Team.objects.filter(pk=squad.team.pk).update(place=places[squad.team.pk])
    return {player.entrant_id: places[squad.team.pk] for squad in teams for player in squad.players}


def tell_ended(tournament: Tournament) -> None:
    """Tell the players the final result, and the organizer if they did not play."""
    teams = squads(tournament)
    winners = [squad.team.name for squad in teams if squad.team.place == 1]
    for squad in teams:
        news.tell_ended(tournament, squad.team, squad.people, winners, len(teams))
    played = {user.pk for squad in teams for user in squad.people}
    if tournament.organizer is not None and tournament.organizer.pk not in played:
        news.tell_winner(tournament, tournament.organizer, winners)


# The next season

# What the next season copies besides organizers and bans
COPIED_MODELS: tuple[type[Model], ...] = (Admitted, Apart, CompetitionHook)


def open_next(tournament: Tournament, now: datetime) -> Tournament | None:
    """Open sign-up for the next season, if the league has one, with the teams as they ended this one.

    A team’s page says at joining that teams stay signed up, and everyone is notified now and can leave until the start.
    Players who have dropped out or were removed are not taken along, nor those who ran out of time in all their games,
    or whose account is closed.
    Organizers, lists, bans, webhooks and texts stay the same. Someone who is asked to organize is asked in the next
    season, and no longer in this one.
    """
    terms = tournament.declared_next
    if not terms.pause:
        return None
    noon = datetime.combine((now + timedelta(weeks=terms.pause)).date(), time(12), UTC)
    starts_at = noon if noon >= now + timedelta(weeks=terms.pause) else noon + timedelta(days=1)
    number = tournament.season + 1
    following = Tournament.objects.create(
        name=gettext("{league}, season {n}").format(league=terms.name.strip(), n=number), ruleset=tournament.ruleset,
        terms=(tournament.next_terms or tournament.terms) | {"starts": starts_at.date().isoformat()},
        organizer=tournament.organizer, rules_text=tournament.rules_text, invite_token=tournament.invite_token,
        opened_at=now, starts_at=starts_at, look_at=max(starts_at - BEFORE_START, now),
        season=number, follows=tournament,
    )  # fmt: skip
    for model in COPIED_MODELS:
        for copied in model._default_manager.filter(tournament=tournament):
            copied.pk, copied._state.adding = None, True
            copied.tournament = following  # type: ignore[attr-defined]
            copied.save()
    for organizer in Organizer.objects.filter(tournament=tournament).select_related("user"):
        is_asked = organizer.is_successor or organizer.accepted_at is None
        if is_asked:
            co_organizers.drop_notices(organizer)  # the question is now about the next season
        if organizer.accepted_at is None:
            organizer.delete()
        elif organizer.is_successor:
            Organizer.objects.filter(pk=organizer.pk).update(is_successor=False)
        organizer.pk, organizer._state.adding, organizer.tournament = None, True, following
        organizer.save()
        if is_asked:
            news.tell_asked(following, organizer)
    for ban in Intervention.objects.in_force().filter(tournament=tournament, kind=InterventionKind.BANNED):
        ban.pk, ban._state.adding, ban.tournament = None, True, following
        ban.save()

    closed = Entrant.objects.filter(conditions.CLOSED_ACCOUNT, tournament=tournament).values_list("pk", flat=True)
    absent = _absent(tournament) | set(closed)
    for squad in squads(tournament):
        staying = [player for player in squad.playing if player.entrant.user_id and player.entrant.pk not in absent]
        if not staying:
            continue
        people = [player.entrant.user for player in staying if player.entrant.user]
        captain = squad.captain if squad.captain in people else None  # the next sweep tells another player
        team = Team.objects.create(
            tournament=following, name=squad.team.name, has_replaced_name=squad.team.has_replaced_name,
            captain=captain, made_at=now,
        )  # fmt: skip
        for player in staying:
            entrant = Entrant.objects.create(
                tournament=following, user=player.entrant.user, name=player.entrant.name, rating=player.entrant.rating,
                joined_at=now,
            )  # fmt: skip
            TeamPlayer.objects.create(team=team, entrant=entrant, order=player.order)
        news.tell_next(following, team, people, has_changed=tournament.next_terms is not None)
    return following


def _absent(tournament: Tournament) -> set[int]:
    """Return the entrants who had boards and gave up the seat in the games of all of them."""
    stayed: set[int] = set()
    gave_up: set[int] = set()
    appearances = Appearance.objects.filter(entrant__tournament=tournament, match__game__isnull=False)
    given_up = Exists(
        Seat.objects.filter(game=OuterRef("match__game"), owner=OuterRef("entrant__user"), has_given_up=True)
    )
    for entrant, has_given_up in appearances.annotate(given_up=given_up).values_list("entrant", "given_up"):
        (gave_up if has_given_up else stayed).add(entrant)
    return gave_up - stayed


def forget_invitations(now: datetime) -> None:
    """Delete the invitations that are no longer open, once they don't count for the limit of new accounts anymore."""
    TeamInvitation.objects.filter(is_open=False, at__lte=now - newcomers.DAY).delete()


# Undoing a removal


def need_place_in_team(tournament: Tournament, team: int, user: User | None) -> None:
    """Raise `GameError` if a player who was removed before the start can't return to the team."""
    if user is None or not Team.objects.filter(pk=team, tournament=tournament).exists():
        raise Over(gettext("The team no longer exists."))
    if TeamPlayer.objects.filter(team=team).count() >= tournament.declared.squad:
        raise GameError(gettext("The team is full."))


def return_to_team(tournament: Tournament, team: int, entrant: Entrant) -> None:
    """Return a player who was removed before the start to the team."""
    add_player(Team.objects.get(pk=team, tournament=tournament), entrant)


def add_player(team: Team, entrant: Entrant) -> TeamPlayer:
    """Add an entrant to a team, after its players of equal rating."""
    last = TeamPlayer.objects.filter(team=team).order_by("-order").values_list("order", flat=True).first() or 0
    return TeamPlayer.objects.create(team=team, entrant=entrant, order=last + 1)


def need_readmissible(intervention: Intervention) -> None:
    """Raise `GameError` if a team that was removed before the start can't return."""
    assert intervention.tournament is not None
    tournament = Tournament.objects.get(pk=intervention.tournament.pk)  # its lock is held by now
    if tournament.state != TournamentState.SIGN_UP:
        raise Over(gettext("The tournament has started without %(name)s.") % {"name": intervention.what})
    team = Team.objects.filter(pk=intervention.details["team"], tournament=tournament).first()
    if team is None:
        raise Over(gettext("The team no longer exists."))
    if tournament.teams.filter(is_out=False, players__isnull=False).distinct().count() >= tournament.declared.seats:
        raise GameError(gettext("All places are taken."))


def readmit(intervention: Intervention) -> None:
    """Return a team that was removed before the start to the tournament."""
    assert intervention.tournament is not None
    team = Team.objects.get(pk=intervention.details["team"], tournament=intervention.tournament)
    Team.objects.filter(pk=team.pk).update(is_out=False)
    news.tell_let_in(intervention.tournament, team, squad_of(team).people, intervention)
