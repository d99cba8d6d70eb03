"""Corrections by organizers: deciding a match, banning a player, and undoing an earlier intervention.

The result of a match follows from the interventions in force: from the latest one that decides or annuls it, or else
from its contest. So undoing one leaves standings and ratings as if it had never been made. Locks are taken in this
order: league or tournament, pool, game, rating book.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from games.contests import interventions, organizers, pools
from games.contests.leagues import news
from games.contests.models import (
    Entrant,
    Intervention,
    InterventionKind,
    League,
    Match,
    MatchState,
    Member,
    NewsKind,
    Pool,
    Season,
    SeasonState,
    TeamPlayer,
    Tournament,
    TournamentState,
)
from games.contests.models.pools import UNDECIDED
from games.contests.teams import season as team_season
from games.errors import GameError, NotYours, Over
from games.notices.outbox.words import Words
from games.notices.outbox.words import gettext_later as _
from games.tables.models import Replacement, Seat, Status
from games.tables.selectors.rights import Reader, is_person
from games.tables.services import handover, replacement

ABOUT_A_PERSON = (InterventionKind.BANNED, InterventionKind.REMOVED, InterventionKind.MOVED)

# Deciding a match


@transaction.atomic
def award(*, match: Match, by: User, places: Sequence[int], reason: str, expected: int) -> Match:
    """Decide the result of a match, whether it has been played or not. Raises `GameError`.

    `places` are by seat, 1 the best, equal for ties. `expected` is the version of the match that the page showed. A
    running game continues but does not count. Standings follow at once, and ratings as soon as a task has run.
    """
    pool, match, now = _open_match(match, by)
    reason, places = interventions.need_reason(reason, by), _ranked(match, places)
    before = interventions.last_decision(match)
    this_form = (InterventionKind.AWARDED, by.pk, reason, places, expected + 1)
    if before and this_form == (before.kind, before.by_id, before.reason, before.details.get("places"), match.version):
        return match  # the form was sent twice
    if before:
        interventions.need_to_overrule(before, pool, by)
    interventions.need_not_undone_by_staff(pool, Q(match=match, undoes__kind__in=interventions.DECIDING), by)
    interventions.need_version(match, expected)
    if match.state == MatchState.ENDED and places == list(match.appearances.values_list("place", flat=True)):
        raise GameError(gettext("That is already the result."))
    base = before.details.get("base", "") if before else match.state if match.state == MatchState.ANNULLED else ""
    pools.award(match, places, now)
    interventions.rule(match, places)
    intervention = pools.record_in_pool(
        pool, InterventionKind.AWARDED, now, by=by, match=match, what=_result(match), reason=reason,
        details={"places": places, "base": base},
    )  # fmt: skip
    _corrected(pool, now)
    _tell_players(match, intervention, _("The organizer decided your match: {result}. {reason}"))
    return match


def _open_match(match: Match, by: User) -> tuple[Pool, Match, datetime]:
    """Lock a match whose result this user may still change. Raises `GameError`."""
    tournaments = Tournament.objects.select_for_update(of=("self",), no_key=True)
    tournament = tournaments.filter(pools__matches=match).first()
    pool = pools.lock(match.pool_id)
    interventions.need_to_decide(pool, by)
    interventions.need_running(pool)
    match = Match.objects.get(pk=match.pk)
    if tournament is not None:
        interventions.need_open_round(tournament, match)
    return pool, match, timezone.now()


def _ranked(match: Match, places: Sequence[int]) -> list[int]:
    """Return the places with gaps after ties, as in 1, 1, 3 for a shared first place. Raises `GameError`."""
    seats = match.appearances.count()
    if len(places) != seats or not all(1 <= place <= seats for place in places):
        raise GameError(gettext("Choose a place for every player."))
    return [1 + sum(other < place for other in places) for place in places]


def _result(match: Match) -> str:
    """Return the result in words, as in `1. Alice, 2. Bob`."""
    rows = match.appearances.select_related("entrant").order_by("place", "seat")
    return ", ".join(f"{appearance.place}. {appearance.entrant.name}" for appearance in rows)[:200]


def _corrected(pool: Pool, now: datetime) -> None:
    """Update what follows from results: standings, rounds, and the time in which a season can be approved."""
    interventions.make_due(pool, now)
    if pool.season_id is not None:
        Season.objects.filter(pk=pool.season_id, decided_at__isnull=False).update(decided_at=now)
    elif pool.tournament is not None:
        Tournament.objects.filter(pk=pool.tournament.pk).update(look_at=now)


def _tell_players(match: Match, intervention: Intervention, sentence: Words) -> None:
    lead = sentence.format(result=intervention.what, reason=interventions.quoted(intervention.reason))
    for appearance in match.appearances.select_related("entrant__user"):
        if appearance.entrant.user is not None:
            about = f"intervention.{intervention.pk}"
            interventions.tell(appearance.entrant.user, match.pool, lead, about, intervention.by)


# Banning


@transaction.atomic
def ban(*, scope: Season | Tournament, by: User, name: str, reason: str) -> Intervention:
    """Ban a person from the league of this season, or from the tournament. Raises `GameError`.

    They lose their place and the seats that they play for others, and cannot sign up until the ban is undone. People
    who have never taken part are not notified: organizers must not be able to write to strangers.
    """
    now, scope = timezone.now(), _lock(scope)
    if isinstance(scope, Season) and scope.state == SeasonState.ENDED:  # the league may have another one by now
        scope = Season.objects.select_related("league").filter(league=scope.league_id).order_by("number").reverse()[0]
    interventions.need_to_decide(scope, by)
    need_not_signed_up(scope, by)
    reason, competition = interventions.need_reason(reason, by), interventions.competition_of(scope)
    person = to_ban(competition=competition, by=by, name=name)
    if earlier_ban := interventions.bans(competition).filter(person=person).first():
        return earlier_ban
    interventions.need_not_undone_by_staff(scope, interventions.exclusion_of(scope, person), by)
    has_entered = has_taken_part(scope, person)
    _remove_from(scope, person, by, reason, now)

    # The seats that they play or were asked to play for others
    is_league = isinstance(competition, League)
    matches = Match.objects.filter(
        Q(pool__season__league=competition) if is_league else Q(pool__tournament=competition)
    )
    of_matches = Q(game__in=matches.values("game")) | Q(game__full_game__in=matches.values("full_game"))
    seats = Seat.objects.filter(of_matches, game__status=Status.RUNNING).select_related("game").order_by("game")
    for seat in seats.filter(user=person).exclude(owner=person).exclude(game__is_left_to_bots=True):
        handover.hand_to_bot(seat=seat, user=person)
    for seat in seats.filter(asked=person):
        handover.decline(seat=seat, user=person)
    of_entrants = Q(entrant__season__league=competition) if is_league else Q(entrant__tournament=competition)
    for pk in Replacement.objects.filter(of_entrants, user=person, answer="asked").values_list("pk", flat=True):
        replacement.decline(pk=pk, user=person)

    intervention = pools.record_intervention(
        scope, InterventionKind.BANNED, now, by=by, what=person.username, person=person, reason=reason
    )
    lead = _("You are banned from {name}. {reason}").format(name=competition, reason=interventions.quoted(reason))
    if has_entered:
        interventions.tell(person, scope, lead, f"intervention.{intervention.pk}", by)
    return intervention


def to_ban(*, competition: League | Tournament, by: User, name: str) -> User:
    """Return the player to ban, by name. Raises `GameError`."""
    person = User.with_name(name).first()
    if person is None:
        raise GameError(gettext("There is no player with that name. Check the spelling."))
    if person.pk in (by.pk, competition.organizer_id):
        raise GameError(gettext("The organizer can’t be banned."))
    return person


def has_taken_part(scope: Season | Tournament, person: User) -> bool:
    """Return whether the person has ever signed up for the league or tournament, or played in one of its games."""
    if interventions.plays_in(scope, person) or interventions.removals(scope).filter(person=person).exists():
        return True
    if isinstance(scope, Tournament):
        return False
    entrants = Entrant.objects.filter(season__league=scope.league_id, user=person)
    return entrants.exists() or Member.objects.filter(league=scope.league_id, user=person).exists()


def _remove_from(scope: Season | Tournament, person: User, by: User, reason: str, now: datetime) -> None:
    """Remove the person from the season or tournament if they are in it, and record this as an intervention."""
    entrant = Entrant.objects.filter(
        season=scope if isinstance(scope, Season) else None,
        tournament=scope if isinstance(scope, Tournament) else None, user=person, left_at=None,
        place=None,
    ).first()  # fmt: skip
    if entrant is None:
        return
    if isinstance(scope, Tournament) and scope.is_open:
        take_out(scope, entrant, by, reason, now)
    elif entrant.pool is not None and entrant.pool.ended_at is None:
        interventions.drop_out(entrant, by=by, kind=InterventionKind.REMOVED, reason=reason)


def take_out(tournament: Tournament, entrant: Entrant, by: User | None, reason: str, now: datetime) -> None:
    """Delete an entrant of a tournament that has not started. The tournament must be locked."""
    team = TeamPlayer.objects.filter(entrant=entrant).values_list("team", flat=True).first()
    pools.record_intervention(
        tournament, InterventionKind.REMOVED, now, by=by, what=entrant.name, reason=reason, person=entrant.user,
        details={"bot": entrant.bot, "joined": entrant.joined_at.isoformat(), "squad": team, "was": entrant.pk},
    )  # fmt: skip
    entrant.delete()


def was_taken_out(tournament: Tournament, entrant: int) -> bool:
    """Return whether an entrant with this id was removed before the start."""
    return Intervention.objects.filter(
        tournament=tournament, kind=InterventionKind.REMOVED, details__was=entrant
    ).exists()


def need_not_signed_up(scope: Season | Tournament, user: User) -> None:
    """Raise `NotYours` if the user will play in the season once it starts."""
    if has_signed_up(scope, user):
        raise NotYours(gettext("You can’t intervene in a season you have signed up for. Ask site staff."))


def has_signed_up(scope: Season | Tournament, user: User) -> bool:
    """Return whether the user will play in the season once it starts."""
    if not isinstance(scope, Season) or scope.state != SeasonState.SIGN_UP:
        return False
    return Member.objects.filter(league=scope.league_id, user=user, sits_out=False).exists()


# Undoing an intervention


@transaction.atomic
def undo(*, intervention: Intervention, by: User, reason: str) -> Intervention:
    """Undo an intervention. `reason` is why. Repeating it has no effect. Raises `GameError`."""
    scope = intervention.season or intervention.tournament
    if scope is None:
        raise NotYours(gettext("Only the organizer can do this."))
    scope, pool, now = _lock(scope), pools.lock(intervention.pool_id) if intervention.pool_id else None, timezone.now()
    rows = Intervention.objects.select_related("season__league", "tournament", "match", "person")
    intervention = rows.get(pk=intervention.pk)
    need_to_intervene(scope, by)
    reason = interventions.need_reason(reason, by)
    if undoing := Intervention.objects.filter(undoes=intervention).first():
        if undoing.by_id == by.pk:
            return undoing
        raise Over(gettext("Someone else has already undone this."))
    interventions.need_to_overrule(intervention, scope, by)
    need_undoable(intervention, scope, by, now)
    need_possible(intervention, scope, now)
    undoing = pools.record_intervention(
        scope, InterventionKind.UNDONE, now, by=by, what=intervention.what, person=intervention.person, reason=reason,
        undoes=intervention, pool=pool, match=intervention.match,
    )  # fmt: skip
    UNDO[InterventionKind(intervention.kind)](intervention, undoing, now)
    if pool is not None:
        _corrected(pool, now)
    return undoing


def need_to_intervene(scope: Season | Tournament, user: User) -> None:
    """Raise `NotYours` unless the user may intervene in a competition in which they neither play nor will play."""
    interventions.need_to_decide(scope, user)
    need_not_signed_up(scope, user)


def need_undoable(intervention: Intervention, scope: Season | Tournament, by: User, now: datetime) -> None:
    """Raise `GameError` if an intervention in this season or tournament can no longer be undone, or not by `by`."""
    if intervention.person_id == by.pk and intervention.kind in ABOUT_A_PERSON:
        raise NotYours(gettext("This decision is about you. Ask another organizer or site staff to undo it."))
    if not can_undo(intervention):
        raise GameError(gettext("This can’t be undone."))
    if intervention.kind != InterventionKind.BANNED and _has_ended(scope):
        raise Over(gettext("This competition has ended, and its results are final."))
    if intervention.pool is not None:  # a group ends before its tournament
        interventions.need_running(intervention.pool)
    if intervention.kind in interventions.DECIDING and intervention.match is not None and isinstance(scope, Tournament):
        interventions.need_open_round(scope, intervention.match)
    if (
        intervention.kind == InterventionKind.EXTENDED
        and intervention.match is not None
        and intervention.match.state not in UNDECIDED
    ):
        raise Over(gettext("This match is over."))
    if intervention.kind == InterventionKind.EXTENDED:
        ends_at = (
            intervention.match.due_at if intervention.match else scope.ends_at if isinstance(scope, Season) else None
        )
        if ends_at is not None and ends_at - timedelta(days=intervention.details.get("days", 0)) <= now:
            raise GameError(gettext("The earlier deadline has passed, so this extension can’t be undone."))
    if intervention.kind == InterventionKind.MOVED and (
        not isinstance(scope, Season) or scope.state != SeasonState.SIGN_UP
    ):
        raise Over(gettext("The season has already started."))


def need_possible(intervention: Intervention, scope: Season | Tournament, now: datetime) -> None:
    """Raise `GameError` if the changes can no longer be undone. Lists skip this check, because it takes queries."""
    if intervention.kind in interventions.DECIDING and intervention.match is not None and isinstance(scope, Season):
        others = interventions.deciding(intervention.match).exclude(pk=intervention.pk)
        is_decided = others.exists() or intervention.details.get("base") or pools.scores_of(intervention.match).exists()
        if not is_decided and intervention.match.due_at <= now:
            raise GameError(gettext("Time is up for this match. Decide its result instead."))
    elif intervention.kind == InterventionKind.REMOVED and "team" in intervention.details:
        team_season.need_readmissible(intervention)
    elif intervention.kind == InterventionKind.REMOVED:
        _need_place(intervention, scope)


def _need_place(intervention: Intervention, scope: Season | Tournament) -> None:
    """Raise `GameError` if a player who was removed can't get the place back."""
    person, values = intervention.person, {"name": intervention.what}
    if not intervention.details.get("bot") and (person is None or not person.is_active):
        raise GameError(gettext("This account has been deleted."))
    if person is not None and interventions.is_banned(interventions.competition_of(scope), person):
        raise GameError(gettext("%(name)s is banned. Lift the ban first.") % values)
    if "entrant" in intervention.details:
        entrant = Entrant.objects.get(pk=intervention.details["entrant"])
        if entrant.left_at is None or entrant.user_id != intervention.person_id:
            raise Over(gettext("Someone else has taken over this place."))
        if entrant.tournament_id is not None and entrant.place is not None:
            sentence = gettext("%(name)s has been eliminated, so there is nothing left to play.")
            raise Over(sentence % {"name": entrant.name})
    elif isinstance(scope, Season):
        if scope.state != SeasonState.SIGN_UP:
            raise Over(gettext("The season has started without %(name)s.") % values)
    elif not scope.is_open:
        raise Over(gettext("The tournament has started without %(name)s.") % values)
    elif scope.declared.is_for_teams:
        team_season.need_place_in_team(scope, intervention.details["squad"] or 0, person)
    elif Entrant.objects.filter(tournament=scope).count() >= scope.declared.seats:
        raise GameError(gettext("All places are taken."))


def why_not_undo(intervention: Intervention, scope: Season | Tournament, by: User) -> str:
    """Return why this user can't undo the intervention, or an empty text if they can."""
    if hasattr(intervention, "undone_by"):
        return gettext("This has already been undone.")
    try:
        need_to_intervene(scope, by)
        interventions.need_to_overrule(intervention, scope, by)
        need_undoable(intervention, scope, by, timezone.now())
        need_possible(intervention, scope, timezone.now())
    except GameError as refusal:
        return str(refusal)
    return ""


@dataclass(frozen=True)
class Undoable:
    """The interventions in a list that the reader may undo, by key.

    `why_not` is a sentence if they organize the competition but may not intervene, because they play in it.
    """

    may: frozenset[int] = frozenset()
    why_not: str = ""


def undoable(interventions_made: Iterable[Intervention], competition: League | Tournament, reader: Reader) -> Undoable:
    """Return which of these interventions in a league or tournament the reader may undo.

    They need `pool`, `match` and `undone_by` without further queries.
    """
    in_force = [
        intervention
        for intervention in interventions_made
        if can_undo(intervention) and not hasattr(intervention, "undone_by")
    ]
    may, why_not = set[int](), ""
    if (
        not in_force
        or not is_person(reader)
        or not organizers.may_organize(competition, reader, organizers.Right.DECIDE)
    ):
        return Undoable()
    if not organizers.acts_as_staff(competition, reader):
        in_force = [intervention for intervention in in_force if not intervention.as_staff]
    seasons = Season.objects.select_related("league").filter(
        pk__in={intervention.season_id for intervention in in_force}
    )
    competitions: Iterable[Season | Tournament] = seasons if isinstance(competition, League) else [competition]
    for scope in competitions:
        try:
            need_to_intervene(scope, reader)
        except GameError as refusal:
            why_not = str(refusal)
            continue
        for intervention in in_force:
            if intervention.season_id == (scope.pk if isinstance(scope, Season) else None):
                with suppress(GameError):
                    need_undoable(intervention, scope, reader, timezone.now())
                    may.add(intervention.pk)
    return Undoable(frozenset(may), why_not)


def can_undo(intervention: Intervention) -> bool:
    """Return whether an intervention is of a kind that can be undone. Its organizer may have deleted the account.

    Automatic steps, those of players, and interventions of staff at a table, which are in the log of the game, can't be
    undone. The site also annuls matches and leaves people out; its rows have neither a person nor details.
    """
    if intervention.kind not in UNDO or intervention.game_id is not None:
        return False
    is_of_site = (
        intervention.kind in (InterventionKind.ANNULLED, InterventionKind.REMOVED) and intervention.by_id is None
    )
    return not is_of_site or intervention.person_id is not None or bool(intervention.details)


def _undo_decision(intervention: Intervention, undoing: Intervention, now: datetime) -> None:
    """Let the previous intervention decide the match, or else its contest."""
    match = intervention.match
    assert match is not None
    before = interventions.last_decision(match)
    if before is not None and before.kind == InterventionKind.AWARDED:
        pools.award(match, before.details["places"], now)
        interventions.rule(match, before.details["places"])
    elif before is not None or intervention.details.get("base"):
        pools.annul(match, now)
        interventions.rule(match, None)
    else:
        pools.reopen(match, now)
        interventions.rule(match, None)
        if match.state in UNDECIDED and match.pool.season_id is not None:
            Season.objects.filter(pk=match.pool.season_id).update(decided_at=None)
    _tell_players(match, undoing, _("The organizer undid a decision about your match ({result}). {reason}"))


def _undo_extension(intervention: Intervention, undoing: Intervention, now: datetime) -> None:
    days = timedelta(days=intervention.details.get("days", 0))
    if intervention.match is not None:
        Match.objects.filter(pk=intervention.match.pk).update(due_at=F("due_at") - days, version=F("version") + 1)
        _tell_players(intervention.match, undoing, _("The organizer undid an extension of your match. {reason}"))
        return
    season = intervention.season
    assert season is not None
    list(season.pools.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    Season.objects.filter(pk=season.pk).update(ends_at=F("ends_at") - days)
    undecided = Match.objects.filter(pool__season=season, state__in=UNDECIDED)
    undecided.update(due_at=F("due_at") - days, version=F("version") + 1)
    news.spread(season.league, NewsKind.EXTENDED, season, undoing)


def _undo_removal(intervention: Intervention, undoing: Intervention, now: datetime) -> None:
    """Return a removed player to their place. Games that a bot has taken over for good stay with the bot."""
    scope = intervention.season or intervention.tournament
    assert scope is not None
    if "team" in intervention.details:
        team_season.readmit(intervention)
        return
    person = intervention.person
    if "entrant" in intervention.details:
        _reinstate(intervention, now)
    elif isinstance(scope, Tournament):
        entrant = Entrant(
            tournament=scope, user=person, bot=intervention.details["bot"],
            name=person.username if person else intervention.what,
            joined_at=datetime.fromisoformat(intervention.details["joined"]),
        )  # fmt: skip
        entrant.save()
        if scope.declared.is_for_teams:
            team_season.return_to_team(scope, intervention.details["squad"], entrant)
        Tournament.objects.filter(pk=scope.pk).update(look_at=now)
    if person is not None:
        sentence, reason = _("You are back in {name}. {reason}"), interventions.quoted(undoing.reason)
        lead = sentence.format(name=interventions.competition_of(scope), reason=reason)
        interventions.tell(person, scope, lead, f"intervention.{undoing.pk}", undoing.by)


def _reinstate(intervention: Intervention, now: datetime) -> None:
    """Let an entrant who was removed from a running pool play again, including matches annulled at the removal."""
    entrant = Entrant.objects.get(pk=intervention.details["entrant"])
    entrant.left_at = None
    entrant.save(update_fields=["left_at"])
    for match in Match.objects.filter(
        pk__in=intervention.details["annulled"], state=MatchState.ANNULLED, due_at__gt=now
    ):
        if interventions.last_decision(match) is None:
            pools.reopen(match, now)
    if intervention.season is not None:
        if intervention.details["sits_out"]:
            Member.objects.filter(league=intervention.season.league_id, user=intervention.person).update(sits_out=False)
        if Match.objects.filter(pool=entrant.pool_id, state__in=UNDECIDED).exists():
            Season.objects.filter(pk=intervention.season.pk).update(decided_at=None)


def _undo_for_person(intervention: Intervention, undoing: Intervention, now: datetime) -> None:
    """Tell the person. Nothing else has to be done: bans and placements follow from the interventions in force."""
    scope = intervention.season or intervention.tournament
    if intervention.person is not None and scope is not None:
        sentence = {
            InterventionKind.BANNED: _("Your ban from {name} was lifted. {reason}"),
            InterventionKind.MOVED: _("In {name}, you are no longer moved to another division. {reason}"),
        }[InterventionKind(intervention.kind)]
        lead = sentence.format(name=interventions.competition_of(scope), reason=interventions.quoted(undoing.reason))
        if has_taken_part(scope, intervention.person):
            interventions.tell(intervention.person, scope, lead, f"intervention.{undoing.pk}", undoing.by)


UNDO: dict[InterventionKind, Callable[[Intervention, Intervention, datetime], None]] = {
    InterventionKind.AWARDED: _undo_decision,
    InterventionKind.ANNULLED: _undo_decision,
    InterventionKind.EXTENDED: _undo_extension,
    InterventionKind.REMOVED: _undo_removal,
    InterventionKind.BANNED: _undo_for_person,
    InterventionKind.MOVED: _undo_for_person,
}


# Locks and the record


def _lock(scope: Season | Tournament) -> Season | Tournament:
    """Lock the league or tournament, and return the season or tournament as read after that."""
    if isinstance(scope, Tournament):
        return Tournament.objects.select_for_update(no_key=True).get(pk=scope.pk)
    League.objects.select_for_update().get(pk=scope.league_id)
    return Season.objects.select_related("league").get(pk=scope.pk)


def _has_ended(scope: Season | Tournament) -> bool:
    if isinstance(scope, Season):
        return scope.state == SeasonState.ENDED
    return scope.state in (TournamentState.ENDED, TournamentState.CLOSED)
