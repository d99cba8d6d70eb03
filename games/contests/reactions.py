"""Reactions of contests to ended games and changed accounts. `ContestsConfig.ready` registers these functions."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import Step, StepKind, User
from accounts.names import is_common
from empire.on_commit import delay_on_commit
from games.contests import interventions
from games.contests.achievements import book as achievements
from games.contests.duplicates import services as duplicates
from games.contests.gates import conditions
from games.contests.ladders import services as ladders
from games.contests.matches.selectors import competition_of
from games.contests.models import (
    Challenge,
    CompetitionHook,
    Entrant,
    Intervention,
    InterventionKind,
    Ladder,
    League,
    LeagueState,
    Match,
    MatchState,
    Organizer,
    Score,
    SeasonState,
    TeamInvitation,
    Tournament,
)
from games.contests.models.tournament import ON
from games.contests.organizing import co_organizers
from games.contests.ratings import scores
from games.contests.teams import services as teams
from games.notices.kinds import Kind
from games.notices.models import Notice
from games.rules import staff
from games.rules.record import FORMER_PLAYER
from games.tables.models import Duplicate, FullGame, Game
from games.tables.selectors import rights
from games.tables.services import people


def contest_ended(games: Sequence[Game], full: FullGame | None, now: datetime) -> None:
    """Write the scores and compare the tables of a duplicate. Tasks then settle challenges and matches."""
    scores.write(games=games, full=full)
    duplicates.contest_ended(games[-1], now)


def game_voided(game: Game, now: datetime) -> None:
    """Continue without the game, so that its duplicate, challenge or match does not wait for a result."""
    duplicates.contest_ended(game, now)
    delay_on_commit("games.tasks.settle_challenge", game.pk)
    delay_on_commit("games.tasks.settle_match", game.pk)


def staff_intervened(game: Game, intervention: staff.Intervention, summary: str, by: User) -> None:
    """Record an intervention of staff at a table, as one of the competition if the game belongs to one."""
    match = Match.objects.filter(_played_in(game)).select_related("pool").first()
    pool = match.pool if match else None
    kinds: dict[type[staff.Intervention], InterventionKind] = {
        staff.Replaced: InterventionKind.REPLACED, staff.TimeGiven: InterventionKind.EXTENDED,
        staff.Ended: InterventionKind.ENDED,
    }  # fmt: skip
    Intervention.objects.create(
        season_id=pool.season_id if pool else None, tournament_id=pool.tournament_id if pool else None,
        pool=pool, match=match, game=game, by=by, as_staff=True, at=timezone.now(), reason=intervention.reason,
        kind=kinds.get(type(intervention), InterventionKind.VOIDED), what=summary[:200],
    )  # fmt: skip


def rating_of(user: User, ruleset: str) -> int | None:
    """Return the rating of a user, for tables that require one; None if they have none."""
    return conditions.facts_of([user], ruleset)[user.pk].rating


def is_match(game: Game) -> bool:
    """Return whether the game belongs to a match that is being played."""
    return Match.objects.filter(_played_in(game), state=MatchState.PLAYING).exists()


def is_of_competition(game: Game) -> bool:
    """Return whether the game was played in a league, a tournament, a duplicate or on a ladder."""
    return game.duplicate_id is not None or any(
        kind.objects.filter(_played_in(game)).exists() for kind in (Match, Challenge)
    )


def competition_name(game: Game) -> str:
    """Return the name of the competition that the game is or was played in, or an empty text."""
    competition = competition_of(game)
    return competition.name if competition else ""


def plays_in_competition(game: Game, user: User) -> bool:
    """Return whether the person is an entrant of the season or tournament that the game is played in."""
    match = Match.objects.filter(_played_in(game)).select_related("pool").first()
    return match is not None and interventions.plays_in(match.pool, user)


def is_banned(game: Game, user: User) -> bool:
    """Return whether the person is banned from the league or tournament that the game is played in."""
    match = Match.objects.filter(_played_in(game)).select_related("pool__season__league", "pool__tournament").first()
    return match is not None and interventions.is_banned(interventions.competition_of(match.pool), user)


def _played_in(game: Game) -> Q:
    """Return a condition for the match or challenge that the game was played for."""
    return Q(game=game) | Q(full_game=game.full_game_id, full_game__isnull=False)


def rename_entrants(user: User) -> None:
    """Update the name in competitions and in decisions about the person when the person changes it.

    Pools are locked before games.
    """
    interventions.lock_pools_of(user)
    before = {*User.objects.filter(pk=user.pk).values_list("username", flat=True)}  # if it is not saved yet
    before |= {*Entrant.objects.filter(user=user).values_list("name", flat=True)}
    old, (written, about_them) = sorted(before - {user.username}), _decisions_of(user)
    people.replace_name(
        old, written.filter(about_them), "what", instead=user.username, keep=people.longer_names(old, user)
    )
    Entrant.objects.filter(user=user).update(name=user.username)


def rename_results(user: User) -> None:
    """Update the name in results of duplicates and in scores when the person changes it. They are locked after games.

    The result of a duplicate whose last game is just ending is there once that game has been locked.
    """
    _write_in_duplicates(user, {"name": user.username})
    Score.objects.filter(user=user).update(name=user.username)


def replace_old_name(user: User, before: str) -> None:
    """Replace a name that moderators have replaced in the reasons of decisions, and in what the site told others."""
    if is_common(before):  # nobody can tell it from a word
        return
    keep = people.longer_names([before], user)
    people.replace_name([before], _decisions_of(user)[0], "what", "reason", instead=user.username, keep=keep)
    people.replace_name([before], _notices_of(user), "title", "lead", instead=user.username, keep=keep)


def _competitions_of(user: User) -> tuple[Q, Q]:
    """Return conditions on rows of competitions: that the person organizes, and that they play or have played in."""
    is_organized = Q(season__league__organizer=user) | Q(tournament__organizer=user)
    is_in_theirs = Q()
    for rows in (Entrant.objects.filter(user=user), Intervention.objects.filter(person=user)):  # they may have left
        is_in_theirs |= Q(season__in=rows.exclude(season=None).values("season"))
        is_in_theirs |= Q(tournament__in=rows.exclude(tournament=None).values("tournament"))
    return is_organized, is_in_theirs


def _decisions_of(user: User) -> tuple[QuerySet[Intervention], Q]:
    """Return the interventions that may name the person, and which of them are about the person, maybe with others."""
    is_organized, is_in_theirs = _competitions_of(user)
    games = rights.ever_sat(user, Q()).values("game")
    of_full_games = Game.objects.filter(pk__in=games, full_game__isnull=False).values("full_game")
    is_at_table = Q(game__in=games) | Q(match__game__in=games) | Q(match__full_game__in=of_full_games)
    written = Intervention.objects.filter(is_organized | is_in_theirs | Q(by=user) | Q(person=user) | is_at_table)
    about_them = Q(person=user) | Q(match__appearances__entrant__user=user) | is_at_table
    about_them |= Q(kind=InterventionKind.HANDED, by=user) | Q(kind=InterventionKind.REPLACED) & is_in_theirs
    return written, about_them


def _notices_of(user: User) -> QuerySet[Notice]:
    """Return the notices to players and organizers that may name the person."""
    is_organized, is_in_theirs = _competitions_of(user)
    entrants, others = Entrant.objects.filter(user=user), Entrant.objects.filter(is_in_theirs | is_organized)
    challenges = Challenge.objects.filter(Q(challenger=user) | Q(challenged=user))
    concerned = Q(user__in=others.values("user")) | Q(user__in=challenges.values("challenger"))
    concerned |= Q(user__in=challenges.values("challenged")) | Q(user__leagues__seasons__in=entrants.values("season"))
    concerned |= Q(user__tournaments__in=entrants.values("tournament"))
    concerned |= Q(user__in=TeamInvitation.objects.filter(by=user).values("user"))
    concerned |= Q(user__in=Organizer.objects.filter(by=user).values("user"))
    # They joined a team, left it or became its captain, and the reader or they are no entrants by now
    is_about_them = Q(about__endswith=f".{user.pk}") | Q(about__contains=f".{user.pk}.")
    concerned |= Q(is_about_them, kind__in=[Kind.SEASON, Kind.DECISION])
    return Notice.objects.filter(concerned)


def move_scores(guest: User, user: User) -> None:
    """Move the guest's scores to the account, except in games where both have a seat and the guest keeps theirs."""
    Score.objects.filter(user=guest).exclude(game__seats__owner=guest).update(user=user, name=user.username)
    achievements.work_out(user.pk)


def withdraw_questions(user: User, other: User) -> None:
    """Withdraw the open invitations and requests between two people, because one has blocked the other."""
    teams.withdraw_between(user, other)
    co_organizers.withdraw_between(user, other)


def step_changed(step: Step) -> None:
    """Cancel the challenges of a player who was suspended, and take a closed account off its ladders."""
    if step.kind in (StepKind.SUSPEND, StepKind.CLOSE):
        delay_on_commit("games.tasks.sweep_ladders")


def before_deletion(user: User) -> None:
    """Take the person out of ladders, leagues and tournaments before the account is deleted.

    Results, decisions and notices to others stay, without the name. Webhooks that the person added are deleted.
    """
    ladders.leave_all(user=user)
    interventions.lock_places_of(user)
    people.lock_what_is_theirs(user)
    teams.leave_all(user)
    interventions.drop_out_everywhere(user=user)
    CompetitionHook.objects.filter(by=user).delete()
    # 1. Take the name out of the interventions in their competitions. A name like “The” may be a word, so it is
    # replaced only in those about the person, their matches and their games.
    names, (written, about_them) = people.names_of(user, common=False), _decisions_of(user)
    all_names = people.names_of(user, common=True)
    keep = people.longer_names(all_names, user)
    people.replace_name(names, written, "what", "reason", keep=keep)
    people.replace_name(all_names, written.filter(about_them), "what", "reason", keep=keep)
    # 2. Take the name out of the notices to players and organizers
    people.replace_name(names, _notices_of(user), "title", "lead", keep=keep)
    # 3. Take the name out of the results of duplicates
    _write_in_duplicates(user, {"user": None, "name": FORMER_PLAYER})


def _write_in_duplicates(user: User, values: Mapping[str, str | None]) -> None:
    """Write these values into the person's lines in the results of duplicates."""
    played = Game.objects.filter(pk__in=rights.ever_sat(user, Q()).values("game")).values("duplicate")
    ended = Duplicate.objects.select_for_update(no_key=True).filter(pk__in=played, result__isnull=False)
    for duplicate in ended.order_by("pk"):
        for line in duplicate.result or []:
            if line["user"] == user.pk:
                line.update(values)
        duplicate.save(update_fields=["result"])


def commitments(user: User) -> list[str]:
    """Return sentences about what deleting the account does to competitions that the person plays in or organizes."""
    consequences = []
    playing = Entrant.objects.filter(user=user, left_at=None, place=None)
    for entrant in playing.select_related("season__league", "tournament").order_by("pk"):
        competition = entrant.season.league if entrant.season else entrant.tournament
        if entrant.season:
            is_over = entrant.season.state == SeasonState.ENDED
        else:
            is_over = entrant.tournament is None or entrant.tournament.state not in ON
        if competition is not None and not is_over:
            sentence = gettext(
                "You drop out of %(name)s. Your results so far count, and the other matches continue without you."
            )
            consequences.append(sentence % {"name": competition.name})
    for ladder in Ladder.objects.filter(rungs__user=user).order_by("pk"):
        sentence = gettext("You leave the %(game)s ladder and lose the matches that you are playing there.")
        consequences.append(sentence % {"game": gettext(ladder.rules.name)})
    leagues = League.objects.filter(organizer=user).exclude(state=LeagueState.CLOSED)
    for name in [*_names(leagues), *_names(Tournament.objects.filter(organizer=user, state__in=ON))]:
        sentence = gettext("You organize %(name)s. It continues without an organizer, unless you hand it over first.")
        consequences.append(sentence % {"name": name})
    return consequences


def _names(rows: QuerySet) -> list[str]:
    return list(rows.order_by("pk").values_list("name", flat=True))
