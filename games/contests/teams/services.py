"""Services for teams: create and name one, invite, join, leave, order boards, and say who is away.

Each is one transaction under the lock of the tournament, and safe to repeat. Automatic steps are in `season.py`. Nobody
is in a team without having accepted an invitation or used its link.
"""

import secrets
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User, in_language_of
from accounts.moderation import newcomers
from accounts.moderation.services import need_tables, need_voice
from accounts.names import bird, is_common, skeleton
from empire.on_commit import delay_on_commit
from games.contests import interventions, pools
from games.contests.gates import conditions
from games.contests.models import (
    Entrant,
    Intervention,
    InterventionKind,
    Pool,
    Team,
    TeamInvitation,
    TeamPlayer,
    Tournament,
    TournamentState,
)
from games.contests.organizers import need_organizer
from games.contests.teams import news
from games.contests.teams.season import (
    Squad,
    add_player,
    close_invitations,
    delete_teams,
    make_captain,
    players_missing,
    ratings_of,
    squad_of,
)
from games.contests.tournaments.services import lock, need_sign_up
from games.errors import GameError, NotYours, Over
from games.notices.models import Notice
from games.rules.words import one_line
from games.tables.models import Report, Subject
from games.tables.models.game import new_token
from games.tables.services import friends, people, reports

LONGEST_NAME = 40
MOST_INVITATIONS = 20  # open ones of a team
NAMES_TRIED = 60  # in place of one that moderators have removed; a league has at most 20 teams


@transaction.atomic
def create(*, tournament: Tournament, user: User, name: str, invite: str = "") -> Team:
    """Create a team, with the user as its captain. `invite` is the organizer's invitation. Raises `GameError`."""
    tournament, now = lock(tournament.pk), timezone.now()
    need_sign_up(tournament, gettext("Sign-up is over: the league has started."))
    if not tournament.declared.is_for_teams:
        raise GameError(gettext("This tournament has no teams. Sign up for yourself."))
    delete_teams(Team.objects.filter(tournament=tournament, players=None))  # everyone has left
    team_name = _need_length(name)
    own_player = (
        TeamPlayer.objects.filter(entrant__tournament=tournament, entrant__user=user).select_related("team").first()
    )
    if own_player is not None and own_player.team.captain_id == user.pk and own_player.team.name == team_name:
        return own_player.team  # the form was sent twice
    need_voice(user, team_name)
    need_newcomer(tournament, user, invite)
    _need_own_name(team_name, Team.objects.filter(tournament=tournament))
    if Team.objects.filter(tournament=tournament, is_out=False).count() >= tournament.declared.seats:
        raise GameError(gettext("No more teams can be created. Join an existing team, or choose another league."))
    team = Team.objects.create(tournament=tournament, name=team_name, captain=user, made_at=now)
    _enter(tournament, team, user)
    return team


@transaction.atomic
def rename(*, team: Team, by: User, name: str) -> Team:
    """Change the name, as the captain, if `may_rename` allows it. The same name again has no effect.

    Raises `GameError`.
    """
    tournament, squad = _locked_by_captain(team, by)
    team_name, before = _need_length(name), squad.team.name
    if team_name == before:
        return squad.team
    if not may_rename(squad.team):
        raise Over(gettext("The name is fixed for the season, because the league has started."))
    need_voice(by, team_name)
    if tournament.is_open:
        delete_teams(Team.objects.filter(tournament=tournament, players=None))  # everyone has left
    _need_own_name(team_name, Team.objects.filter(tournament=tournament).exclude(pk=squad.team.pk))
    squad.team.name, squad.team.has_replaced_name = team_name, False
    squad.team.save(update_fields=["name", "has_replaced_name"])
    Intervention.objects.filter(tournament=tournament, person=None, what=before).update(what=team_name)
    return squad.team


def may_rename(team: Team) -> bool:
    """Return whether the captain can change the name: during sign-up, and later once if moderators have replaced it.

    During a season, the others know the team by its name.
    """
    return team.tournament.is_open or (team.tournament.is_running and team.has_replaced_name)


def _need_length(name: str) -> str:
    """Return the name of a team as it is kept. Raises `GameError` if it is empty or too long."""
    team_name = one_line(name)
    if not team_name or len(team_name) > LONGEST_NAME:
        raise GameError(gettext("Enter a name of 1 to {n} characters.").format(n=LONGEST_NAME))
    return team_name


def _need_own_name(name: str, others: QuerySet[Team]) -> None:
    """Raise `GameError` if one of the other teams has this name or one that looks like it."""
    if any(_look_alike(name, other) for other in others.values_list("name", flat=True)):
        raise GameError(gettext("Another team has this name or one that looks like it. Choose another."))


def _look_alike(name: str, other: str) -> bool:
    """Return whether readers could confuse two team names. Signs count only if a name has nothing else."""
    return (skeleton(name) or name.lower()) == (skeleton(other) or other.lower())


def need_newcomer(tournament: Tournament, user: User, invite: str) -> None:
    """Raise `GameError` unless the person may enter this league now and is not in it yet."""
    if user.is_guest:
        raise GameError(gettext("Guests can’t play in teams. Sign up first; you keep your games."))
    need_tables(user)
    current = (
        TeamPlayer.objects.filter(entrant__tournament=tournament, entrant__user=user)
        .select_related("team", "entrant")
        .first()
    )
    if current is not None and current.entrant.left_at is None:
        raise GameError(gettext("You are already in the team {team}.").format(team=current.team.name))
    interventions.need_welcome(tournament, user)
    if current is not None:
        raise GameError(gettext("You have dropped out of this league, so you can’t join a team again."))
    conditions.need_entry(tournament, tournament.declared, user, invite)


def _enter(tournament: Tournament, team: Team, user: User) -> None:
    """Add the person to the team, and after the start to the pool. Other invitations to them end."""
    rating = ratings_of(tournament, [user.pk])[user.pk]
    pool = Pool.objects.filter(tournament=tournament).first()
    entrant = Entrant(tournament=tournament, user=user, name=user.username, joined_at=timezone.now(), rating=rating)
    if pool is not None:
        entrant.pool, entrant.seed = pool, Entrant.objects.filter(tournament=tournament).count() + 1
    entrant.save()
    add_player(team, entrant)
    close_invitations(TeamInvitation.objects.filter(team__tournament=tournament, user=user))
    _make_due(tournament)


def _make_due(tournament: Tournament) -> None:
    """Check the league right away: if it starts as soon as it is full, or a captain has to know of an empty board."""
    if tournament.is_running or (tournament.is_open and tournament.starts_at is None):
        Tournament.objects.filter(pk=tournament.pk).update(look_at=timezone.now())
        delay_on_commit("games.tasks.look_at_tournament", tournament.pk)


# Invitations


@transaction.atomic
def invite(*, team: Team, by: User, name: str) -> TeamInvitation:
    """Ask a person to join, as the captain. Asking again before they answer does nothing. Raises `GameError`."""
    tournament, squad = _locked_by_captain(team, by)
    # 1. Check first what everyone can read on the pages of the league, so that no refusal reveals a block
    _need_room(tournament, squad)
    players = TeamPlayer.objects.filter(entrant__tournament=tournament, entrant__user__in=User.with_name(name))
    if player := players.select_related("team", "entrant").first():
        sentence = gettext("%(name)s is already in the team %(team)s.")
        if player.entrant.left_at is not None:
            sentence = gettext("%(name)s is no longer in this league. Ask someone else.")
        raise GameError(sentence % {"name": player.entrant.name, "team": player.team.name})
    if banned := interventions.bans(tournament).filter(person__in=User.with_name(name)).first():
        raise GameError(gettext("%(name)s is banned from this competition. Ask someone else.") % {"name": banned.what})
    # 2. Check that the captain can invite this person, and has not invited too many
    user = friends.find_reachable(user=by, name=name)
    if invitation := squad.team.invitations.filter(user=user, is_open=True).first():
        return invitation
    if squad.team.invitations.filter(is_open=True).count() >= MOST_INVITATIONS:
        raise GameError(gettext("Too many invitations are open. Withdraw one first."))
    newcomers.need_few_invitations(by, TeamInvitation.objects.filter(by=by))
    invitation = TeamInvitation.objects.create(team=squad.team, user=user, by=by, at=timezone.now())
    news.tell_invited(tournament, squad.team, invitation, by)
    return invitation


@transaction.atomic
def withdraw_invitation(*, team: Team, by: User, invitation: int) -> None:
    """Withdraw an invitation, as the captain."""
    _locked_by_captain(team, by)
    close_invitations(TeamInvitation.objects.filter(team=team, pk=invitation))


@transaction.atomic
def renew_link(*, team: Team, by: User) -> None:
    """Make a new link to join, so that the old one no longer works."""
    _tournament, squad = _locked_by_captain(team, by)
    squad.team.invite_token = new_token()
    squad.team.save(update_fields=["invite_token"])


@transaction.atomic
def join(*, team: Team, user: User, token: str = "") -> Team:
    """Accept an invitation, or join with the `token` of the team's link. Raises `GameError`.

    In an invite-only league the organizer invites captains, and captains their players.
    """
    tournament, squad = _locked(team)
    if any(member.pk == user.pk for member in squad.people):
        return squad.team
    is_asked = TeamInvitation.objects.filter(team=team, user=user, is_open=True).exists()
    if not is_asked and not secrets.compare_digest(token.encode(), squad.team.invite_token.encode()):
        raise NotYours(gettext("Only people the captain invites can join. Ask the captain for the team’s link."))
    need_newcomer(tournament, user, tournament.invite_token)
    if squad.team.is_out:
        raise Over(gettext("The organizer has removed this team."))
    _need_room(tournament, squad)
    _enter(tournament, squad.team, user)
    news.tell_joined(tournament, squad.team, squad.captain, user)
    return squad.team


@transaction.atomic
def decline(*, team: Team, user: User) -> None:
    """Decline an invitation, and notify the captain. Declining again has no effect."""
    _decline(TeamInvitation.objects.filter(team=team, user=user))


def withdraw_between(user: User, other: User) -> None:
    """Withdraw the open invitations between two people after `user` has blocked `other`.

    Those to `user` are declined, so that `other` can't tell a block from an answer (B4).
    """
    _decline(TeamInvitation.objects.filter(user=user, by=other))
    close_invitations(TeamInvitation.objects.filter(user=other, by=user))


def _decline(invitations: QuerySet[TeamInvitation]) -> None:
    declined = list(invitations.select_for_update(of=("self",)).filter(is_open=True).select_related("team__tournament"))
    close_invitations(invitations)
    for invitation in declined:
        if (team := invitation.team) is not None:
            news.tell_declined(team.tournament, team, squad_of(team).captain, invitation)


# Captains and players


@transaction.atomic
def leave(*, team: Team, user: User) -> None:
    """Leave the team before the start, or drop out of the league after it. Raises `GameError`.

    If the captain leaves, the player on the highest board is the captain. Leaving again has no effect.
    """
    tournament, squad = _locked(team)
    own_player = next((player for player in squad.playing if player.entrant.user_id == user.pk), None)
    if own_player is None and not squad.team.is_out:
        return
    if own_player is None:
        raise NotYours(gettext("You are not in this team."))
    need_on(tournament)
    was_captain = squad.captain == user
    if tournament.is_open:
        own_player.entrant.delete()
    else:
        interventions.leave(entrant=own_player.entrant, user=user)
        _make_due(tournament)
    remaining = squad_of(squad.team)
    if tournament.is_open and not remaining.players:
        delete_teams(Team.objects.filter(pk=squad.team.pk))
        return
    if was_captain and remaining.captain is not None:
        make_captain(tournament, squad.team, remaining.captain)
    if tournament.is_open and (missing := players_missing(tournament, remaining)):
        news.tell_short(tournament, squad.team, remaining.captain, missing, f"left.{user.pk}")
    elif tournament.is_open and not was_captain:
        news.tell_left(tournament, squad.team, remaining.captain, user)


def leave_all(user: User) -> None:
    """Leave the teams of leagues that have not started, because the account is being deleted."""
    own_players = TeamPlayer.objects.filter(entrant__user=user, entrant__tournament__state=TournamentState.SIGN_UP)
    for own_player in own_players.select_related("team").order_by("team__tournament"):
        leave(team=own_player.team, user=user)


@transaction.atomic
def hand_over(*, team: Team, by: User, player: int) -> None:
    """Make another player the captain, as the captain or as an organizer. Doing so again has no effect.

    Organizers do so if a captain no longer answers, and not if they play in the league. Raises `GameError`.
    """
    tournament, squad = _locked(team)
    before, decides = squad.captain, interventions.may_decide(tournament, by)
    captain = next((team_player for team_player in squad.playing if team_player.entrant.user == before), None)
    if (by in squad.people or decides) and captain is not None and captain.pk == player:
        return
    is_by_organizer = decides and by != before
    if is_by_organizer:
        interventions.need_not_playing(tournament, by)
        need_on(tournament)
    else:
        tournament, squad = _locked_by_captain(team, by)
    team_player = _need_player(squad, player)
    if team_player.entrant.user is None or team_player.entrant.user.is_closed:
        raise GameError(gettext("This player can’t be the captain. Choose someone else."))
    make_captain(tournament, squad.team, team_player.entrant.user, by if is_by_organizer else None)
    if is_by_organizer and before is not None:
        news.tell_former_captain(tournament, squad.team, before, team_player.entrant.user, by)


@transaction.atomic
def move_up(*, team: Team, by: User, player: int, place: int | None = None) -> None:
    """Put a player above the one on the board before, if their ratings are equal. Raises `GameError`.

    `place` is where the page showed the player, counted from 1, if it said so: if they are one place higher by now, the
    form was sent twice.
    """
    tournament, squad = _locked_by_captain(team, by)
    need_sign_up(tournament, gettext("The boards are fixed for the season, because the league has started."))
    _need_player(squad, player)
    index = next(n for n, team_player in enumerate(squad.players) if team_player.pk == player)
    if place is not None and index + 1 == place - 1:
        return
    if index == 0:
        raise GameError(gettext("This player is on the first board."))
    above, below = squad.players[index - 1], squad.players[index]
    if above.entrant.rating != below.entrant.rating:
        raise GameError(
            gettext("Boards are assigned by rating. You can only change the order of players with equal ratings.")
        )
    squad.players[index - 1 : index + 1] = [below, above]
    for order, team_player in enumerate(squad.players, start=1):
        team_player.order = order
    TeamPlayer.objects.bulk_update(squad.players, ["order"])


@transaction.atomic
def set_away(*, team: Team, by: User, player: int, is_away: bool) -> TeamPlayer:
    """Leave a player out of the match days that begin from now on, or put them back. Raises `GameError`.

    The captain does this for everyone, and players for themselves. A match day that has begun is not changed.
    """
    tournament, squad = _locked(team)
    need_on(tournament)
    team_player = _need_player(squad, player)
    if by not in (squad.captain, team_player.entrant.user):
        raise NotYours(gettext("Only the captain can do this."))
    team_player.is_away = is_away
    team_player.save(update_fields=["is_away"])
    _make_due(tournament)
    return team_player


@transaction.atomic
def remove(*, team: Team, by: User, player: int) -> None:
    """Take a player out of the team before the start, as its captain. Raises `GameError`.

    After the start the captain can only leave players out, and the organizer decides about removing them. The link to
    join changes, because the player may know it. It is no error if the player has left.
    """
    tournament, squad = _locked_by_captain(team, by)
    need_sign_up(tournament, gettext("The league has started. Mark the player as away, or ask the organizer."))
    if TeamPlayer.objects.filter(pk=player).exists():
        team_player = _need_player(squad, player)
        if team_player.entrant.user == by:
            raise GameError(gettext("You can’t remove yourself. Leave the team instead."))
        if team_player.entrant.user is not None:
            news.tell_removed(tournament, squad.team, team_player.entrant.user, by)
        team_player.entrant.delete()
    squad.team.invite_token = new_token()
    squad.team.save(update_fields=["invite_token"])


# Reports, and names that moderators replace


def report_name(*, team: Team, user: User, reason: str, words: str = "") -> Report:
    """Report the name of a team to moderators. The report is about its captain. Raises `GameError`."""
    captain = squad_of(team).captain
    if captain == user:
        raise NotYours(gettext("You can’t report the name of your own team."))
    context = {"name": team.name, "team": team.pk}
    key = f"{Subject.TEAM}.{team.pk}"
    return reports.file(user, Subject.TEAM, key, reason, context, words=words, player=captain)


@transaction.atomic
def replace_name(*, team: Team, name: str) -> tuple[Team, User | None]:
    """Replace this name of a team with one that the site chooses, for moderators. Return the team and its captain.

    The name disappears from all seasons of the league, from decisions, and from what people were notified of. Raises
    `GameError` if the team has another name by now.
    """
    # 1. Lock all seasons, the earliest first. The next one is created under the lock of the one before
    season: Tournament | None = team.tournament
    while season is not None and season.follows is not None:
        season = season.follows
    seasons = []
    while season is not None:
        seasons.append(lock(season.pk))
        season = Tournament.objects.filter(follows=season).first()
    current = Team.objects.select_related("tournament").filter(pk=team.pk, players__isnull=False).first()
    if current is None:
        raise Over(gettext("This team no longer exists."))
    if current.name != name:
        raise GameError(gettext("The team’s name has changed in the meantime."))
    # 2. Choose a name that no team of the league has
    captain = squad_of(current).captain
    of_league = list(Team.objects.filter(tournament__in=seasons))
    with in_language_of(captain or current.tournament.organizer or User()):
        names = {bird() for _attempt in range(NAMES_TRIED)}
    taken = [row.name for row in of_league]
    current.name = next(new for new in sorted(names) if not any(_look_alike(new, other) for other in taken))
    # 3. Write it wherever people read the old one
    decisions = Intervention.objects.filter(tournament__in=seasons)
    for row in [row for row in of_league if _look_alike(row.name, name)]:
        old, row.name, row.has_replaced_name = row.name, current.name, True
        row.save(update_fields=["name", "has_replaced_name"])
        decisions.filter(person=None, what=old).update(what=row.name)
        if not is_common(old):
            keep = [other for other in taken if not _look_alike(other, old)]
            people.replace_name([old], decisions, "what", "reason", instead=row.name, keep=keep)
            about = reduce(or_, [Q(about__startswith=f"tournament.{season.pk}.") for season in seasons])
            people.replace_name([old], Notice.objects.filter(about), "title", "lead", instead=row.name, keep=keep)
    return current, captain


# The organizer


@transaction.atomic
def take_out(*, team: Team, by: User, reason: str) -> Intervention:
    """Take a team out before the start, as the organizer. Raises `GameError`."""
    tournament, squad = _locked(team)
    need_organizer(tournament, by)
    interventions.need_not_playing(tournament, by)
    reason = interventions.need_reason(reason, by)
    need_sign_up(tournament)
    if squad.team.is_out:
        removals = Intervention.objects.in_force().filter(tournament=tournament, kind=InterventionKind.REMOVED)
        before = removals.filter(details__team=squad.team.pk).last()
        if before is not None and interventions.is_same(before, by, reason, {"team": squad.team.pk}):
            return before
        raise Over(gettext("This team has already been removed."))
    is_removal = Q(undoes__kind=InterventionKind.REMOVED, undoes__details__team=squad.team.pk)
    interventions.need_not_undone_by_staff(tournament, is_removal, by)
    squad.team.is_out = True
    squad.team.save(update_fields=["is_out"])
    intervention = pools.record_intervention(
        tournament, InterventionKind.REMOVED, timezone.now(), by=by, what=squad.team.name, reason=reason,
        details={"team": squad.team.pk},
    )  # fmt: skip
    news.tell_taken_out(tournament, squad.team, squad.people, intervention)
    return intervention


# Locks and preconditions


def _locked(team: Team) -> tuple[Tournament, Squad]:
    """Lock the league and return it with the team as read after that. Raises `GameError` if the team is gone."""
    tournament = lock(team.tournament_id)
    current = Team.objects.filter(pk=team.pk).first()
    if current is None:
        raise Over(gettext("This team no longer exists."))
    current.tournament = tournament
    return tournament, squad_of(current)


def _locked_by_captain(team: Team, by: User) -> tuple[Tournament, Squad]:
    """Lock the league for the captain of the team. Raises `GameError` if it has ended or `by` is not the captain."""
    tournament, squad = _locked(team)
    if squad.captain != by:
        raise NotYours(gettext("Only the captain can do this."))
    need_on(tournament)
    return tournament, squad


def need_on(tournament: Tournament) -> None:
    """Raise `Over` if the league has ended or was canceled."""
    if not (tournament.is_open or tournament.is_running):
        raise Over(gettext("The league has ended."))


def _need_player(squad: Squad, pk: int) -> TeamPlayer:
    """Return a player of the team. Raises `NotYours`."""
    player = next((player for player in squad.playing if player.pk == pk), None)
    if player is None:
        raise NotYours(gettext("This player is no longer in the team."))
    return player


def _need_room(tournament: Tournament, squad: Squad) -> None:
    """Raise `GameError` if nobody can join the team anymore, this season or because of the next."""
    need_on(tournament)
    if tournament.is_running and tournament.round >= tournament.rounds:
        raise Over(gettext("The last match day has started, so nobody can join anymore."))
    following = tournament.declared_next
    most = min(tournament.declared.squad, following.squad) if following.pause else tournament.declared.squad
    if len(squad.playing) >= most:
        sentence = gettext("The team is full: it has {n} players, the maximum.")
        if most < tournament.declared.squad:
            sentence = gettext("The team is full for the next season: it has {n} players, the maximum for that season.")
        raise GameError(sentence.format(n=most))
