"""Interventions in pools: dropping out, removing and replacing entrants, extending and annulling matches.

Each is one transaction under the lock of the pool, and safe to repeat. Games are locked after their pool: nobody who
holds the lock of a game waits for that of a pool.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Exists, Min, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from accounts.moderation.services import need_tables, need_voice
from empire.on_commit import delay_on_commit
from games.contests import organizers, pools
from games.contests.achievements import book as achievements
from games.contests.gates import conditions
from games.contests.models import (
    Apart,
    Entrant,
    Intervention,
    InterventionKind,
    League,
    Match,
    MatchState,
    Member,
    PairingChange,
    Pool,
    Score,
    Season,
    TeamPlayer,
    Tournament,
)
from games.contests.models.pools import UNDECIDED
from games.contests.models.scores import in_contest
from games.contests.models.tournament import ON
from games.contests.pairing.formats import KINDS
from games.contests.ratings import book
from games.contests.terms.declaration import LeagueTerms
from games.errors import GameError, NotYours, Over
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import Words, in_site_language, later
from games.notices.outbox.words import gettext_later as _
from games.notices.outbox.words import ngettext_later as ngettext
from games.rules.record import FORMER_PLAYER
from games.rules.staff import LONGEST_REASON
from games.rules.words import one_line
from games.tables.models import Game, Replacement, Seat, Status
from games.tables.selectors.rights import ever_sat
from games.tables.services import commit, handover, replacement

LONGEST = 60  # days per extension
DECISIONS = (
    InterventionKind.AWARDED, InterventionKind.REPLACED, InterventionKind.EXTENDED, InterventionKind.ANNULLED,
    InterventionKind.REMOVED, InterventionKind.BANNED, InterventionKind.MOVED, InterventionKind.ENDED,
    InterventionKind.VOIDED, InterventionKind.UNDONE,
)  # fmt: skip
DECIDING = (InterventionKind.AWARDED, InterventionKind.ANNULLED)
Entered = TypeVar("Entered", Entrant, Member)


def need_to_decide(scope: Pool | Season | Tournament, user: User) -> None:
    """Raise `NotYours` unless the user may intervene in the competition and does not play in it."""
    if not may_decide(scope, user):
        raise NotYours(gettext("Only the organizer can do this."))
    need_not_playing(scope, user)


def may_decide(scope: Pool | Season | Tournament, user: User) -> bool:
    """Return whether the user may intervene: the organizer, staff, or a co-organizer with the right to decide."""
    return organizers.may_organize(competition_of(scope), user, organizers.Right.DECIDE)


def need_to_overrule(intervention: Intervention, scope: Pool | Season | Tournament, user: User) -> None:
    """Raise `NotYours` if staff made this decision and the user does not act for the site."""
    if intervention.as_staff and not organizers.acts_as_staff(competition_of(scope), user):
        raise NotYours(staff_decided())


def staff_decided() -> str:
    return gettext("Site staff decided this, so only site staff can change it.")


def is_undone_by_staff(scope: Pool | Season | Tournament, about: Q, user: User) -> bool:
    """Return whether staff have undone a decision of an organizer in this competition, and the user is not staff.

    `about` selects the rows that undo. Staff who withdraw a decision of their own leave the organizer free to decide.
    Earlier seasons of a team league, which are tournaments of their own, count too.
    """
    competition = competition_of(scope)
    in_scope = Q(season__league=competition.pk)
    if isinstance(competition, Tournament):
        seasons, season = [competition.pk], competition
        while (earlier := season.follows) is not None:
            season = earlier
            seasons.append(season.pk)
        in_scope = Q(tournament__in=seasons)
    undone = Intervention.objects.filter(in_scope, about, as_staff=True, undoes__as_staff=False)
    return undone.exists() and not organizers.acts_as_staff(competition, user)


def need_not_undone_by_staff(scope: Pool | Season | Tournament, about: Q, user: User) -> None:
    """Raise `NotYours` if staff have undone such a decision, see `is_undone_by_staff`."""
    if is_undone_by_staff(scope, about, user):
        raise NotYours(staff_undid())


def staff_undid() -> str:
    return gettext("Site staff have undone such a decision, so only site staff can make it again.")


def exclusion_of(scope: Pool | Season | Tournament, excluded: User | Entrant | None) -> Q:
    """Select what undoes a ban of the person, or a removal from this season or tournament.

    A bot is known by its name, which no other entrant has: an entrant who gets the place back before the start is a new
    row.
    """
    season = scope.season_id if isinstance(scope, Pool) else scope.pk if isinstance(scope, Season) else None
    tournament = scope.tournament_id if isinstance(scope, Pool) else scope.pk if isinstance(scope, Tournament) else None
    is_removal = Q(undoes__kind=InterventionKind.REMOVED, season=season, tournament=tournament)
    if isinstance(excluded, Entrant) and excluded.bot:
        return Q(is_removal, person=None, what=excluded.name, undoes__details__bot=excluded.bot)
    person = excluded.user if isinstance(excluded, Entrant) else excluded
    return Q(is_removal | Q(undoes__kind=InterventionKind.BANNED), person=person, person__isnull=False)


def last_decision(match: Match) -> Intervention | None:
    """Return the intervention that the match's result follows from, or None if its contest decides."""
    return deciding(match).last()


def deciding(match: Match) -> QuerySet[Intervention]:
    """Return the interventions in force that decide or annul the match, oldest first."""
    return Intervention.objects.in_force().filter(match=match, kind__in=DECIDING).order_by("pk")


def competition_of(scope: Pool | Season | Tournament) -> League | Tournament:
    """Return the league or tournament that the pool or season belongs to."""
    if isinstance(scope, Pool):
        season_or_tournament = scope.season or scope.tournament
        assert season_or_tournament is not None
        scope = season_or_tournament
    return scope.league if isinstance(scope, Season) else scope


def need_not_playing(scope: Pool | Season | Tournament, user: User) -> None:
    """Raise `NotYours` if the user plays in the season or tournament."""
    if plays_in(scope, user):
        raise NotYours(gettext("You can’t intervene in a competition you play in. Ask site staff."))


def plays_in(scope: Pool | Season | Tournament, user: User) -> bool:
    """Return whether the user takes part in the season or tournament, or ever had a seat in one of its games."""
    season = scope.season_id if isinstance(scope, Pool) else scope.pk if isinstance(scope, Season) else None
    tournament = scope.tournament_id if isinstance(scope, Pool) else scope.pk if isinstance(scope, Tournament) else None
    entrants = Entrant.objects.filter(season=season, tournament=tournament, user=user)
    matches = Match.objects.filter(pool__season=season, pool__tournament=tournament)
    of_matches = Q(game__in=matches.values("game")) | Q(game__full_game__in=matches.values("full_game"))
    return User.objects.filter(Exists(entrants) | Exists(ever_sat(user, of_matches)), pk=user.pk).exists()


def has_intervened(scope: Season | Tournament, user: User) -> bool:
    """Return whether the user has made a decision in the season or tournament that is still in force.

    Such a user may not enter it. Otherwise organizers could remove the strongest players and sign up afterward, or
    take the place of someone they have removed. Removals and bans that were undone only after the start count, because
    they decided who plays. Bans that a team league carries over from its last season don't count. Changes of forbidden
    pairings count as in `pairings_refusal`.
    """
    if pairings_refusal(scope, user):
        return True
    in_scope = Q(season=scope.pk) if isinstance(scope, Season) else Q(tournament=scope.pk, at__gte=scope.opened_at)
    has_counted = Q(undone_by=None)
    if scope.started_at is not None:
        kinds = [InterventionKind.REMOVED, InterventionKind.BANNED]
        has_counted |= Q(kind__in=kinds, undone_by__at__gte=scope.started_at)
    decisions = Intervention.objects.filter(in_scope, has_counted, by=user, kind__in=DECISIONS)
    return decisions.exclude(undoes__by=user).exists()


def pairings_refusal(scope: Season | Tournament, user: User) -> str:
    """Return why the user may not enter after a change of forbidden pairings, or an empty text if they may (C16).

    Changes count if it was known who takes part: the user's own, and pairings that were added if the user can change
    them.
    """
    competition_key = organizers.key_of(competition_of(scope))
    pairings = Apart.objects.filter(**competition_key)
    if pairings.exists() and organizers.may_organize(competition_of(scope), user, organizers.Right.SETTINGS):
        since = others_known_since(scope, user)
        if since is not None and pairings.filter(at__gt=since).exists():
            return gettext(
                "You organize this competition, and pairings were forbidden after others had signed up. The organizer "
                "who forbade them must allow them first."
            )
    if PairingChange.objects.filter(**competition_key, by=user, at__gte=scope.opened_at).exists():
        return gettext("You changed the forbidden pairings after others had signed up, so you can’t take part.")
    return ""


def others_known_since(scope: Season | Tournament, user: User) -> datetime | None:
    """Return since when it is known who else takes part in the season or tournament; None if nobody else does."""
    if isinstance(scope, Tournament):
        entrants = Entrant.objects.filter(tournament=scope, user__isnull=False).exclude(user=user)
        return entrants.aggregate(at=Min("joined_at"))["at"]
    members = Member.objects.filter(league=scope.league_id, user__isnull=False, sits_out=False).exclude(user=user)
    joined_at = members.aggregate(at=Min("joined_at"))["at"]
    return joined_at and max(joined_at, scope.opened_at)


def bans(competition: League | Tournament) -> QuerySet[Intervention]:
    """Return the bans from the league or tournament that are in force."""
    in_scope = Q(season__league=competition.pk) if isinstance(competition, League) else Q(tournament=competition.pk)
    return Intervention.objects.in_force().filter(in_scope, kind=InterventionKind.BANNED, person__isnull=False)


def is_banned(competition: League | Tournament, user: User) -> bool:
    return bans(competition).filter(person=user).exists()


def removals(scope: Season | Tournament) -> QuerySet[Intervention]:
    """Return the removals of people from the season or tournament that are in force."""
    in_scope = Q(season=scope.pk) if isinstance(scope, Season) else Q(tournament=scope.pk)
    rows = Intervention.objects.in_force().filter(in_scope, kind=InterventionKind.REMOVED)
    return rows.filter(person__isnull=False)


def out_of(season: Season, person: User | None = None) -> dict[int, str]:
    """Return the kind of intervention that keeps people, or one person, out of a season that has not started, by user.

    A ban comes before a removal.
    """
    rows = (bans(season.league) | removals(season)).values_list("person", "kind")
    if person is not None:
        rows = rows.filter(person=person)
    return {user: kind for user, kind in rows.order_by("-kind") if user is not None}


def need_welcome(scope: Season | Tournament, user: User) -> None:
    """Raise `GameError` if the user may not enter the season or tournament, or return to it."""
    if refusal := why_unwelcome(scope, user):
        raise GameError(refusal)


def why_unwelcome(scope: Season | Tournament, user: User) -> str:
    """Return why the user may not enter the season or tournament, or return to it; an empty text if they may.

    They may not if the organizer has banned or removed them, if they have intervened there themselves, or if someone
    has replaced them in this tournament.
    """
    if is_banned(competition_of(scope), user):
        return gettext("You are banned from this competition. Its page says why.")
    if removals(scope).filter(person=user).exists():
        return gettext("The organizer has removed you. The page says why.")
    if has_intervened(scope, user):
        return pairings_refusal(scope, user) or gettext(
            "You have intervened in this competition, so you can’t play in it. Undo your decisions first."
        )
    replaced = Intervention.objects.filter(kind=InterventionKind.REPLACED, person=user)
    if isinstance(scope, Tournament) and replaced.filter(tournament=scope).exists():  # as if they had left (C18)
        return gettext("Someone else has taken over your place, so you can’t join this tournament again.")
    return ""


def need_reason(reason: str, by: User) -> str:
    """Return the reason as one line. Raises `GameError` if there is none, and as `allowed_reason` does."""
    reason = allowed_reason(reason, by)
    if not reason:
        raise GameError(gettext("Enter a reason. Everyone can read it."))
    return reason


def allowed_reason(reason: str, by: User) -> str:
    """Return a reason, which may be empty, as one line. Raises `GameError` if it is too long or not allowed."""
    reason = one_line(reason)
    need_voice(by, reason)
    if len(reason) > LONGEST_REASON:
        raise GameError(gettext("The reason is too long. Use at most 300 characters."))
    return reason


# Dropping out


@transaction.atomic
def leave(*, entrant: Entrant, user: User) -> Entrant:
    """Drop out. Finished matches count; the terms decide about the others. Raises `GameError`."""
    if entrant.user_id != user.pk:
        raise NotYours(gettext("That place is not yours."))
    return drop_out(entrant, by=user, kind=InterventionKind.LEFT, reason="")


def is_same(before: Intervention, by: User, reason: str, details: dict[str, Any]) -> bool:
    """Return whether an earlier intervention is the one that this form asks for, because the form was sent twice."""
    return (before.by_id, before.reason, before.details) == (by.pk, reason, details)


def entered_before(bots: QuerySet[Entered], bot: str, seen: int | None) -> Entered | None:
    """Return the bot that a form has entered if the form was sent twice.

    `bots` are those in the league or tournament, in order, and `seen` is how many the form showed, if known.
    """
    last = bots.last()
    return last if last is not None and last.bot == bot and seen is not None and bots.count() > seen else None


def has_left(entrant: Entrant) -> bool:
    """Return whether the entrant has dropped out, and was not removed."""
    left = Intervention.objects.filter(kind=InterventionKind.LEFT, person=entrant.user_id, details__entrant=entrant.pk)
    return entrant.left_at is not None and left.exists()


def quoted(reason: str) -> Words:
    """Return an organizer's reason as notices quote it, so that readers don't take it for a message from the site."""
    return _("Reason: “{reason}”").format(reason=reason)


@transaction.atomic
def remove(*, entrant: Entrant, by: User, reason: str) -> Entrant:
    """Remove an entrant. Raises `GameError`."""
    pool = _locked(entrant)
    need_to_decide(pool, by)
    reason = need_reason(reason, by)
    need_not_undone_by_staff(pool, exclusion_of(pool, entrant), by)
    entrant.refresh_from_db()
    if has_left(entrant):
        raise Over(gettext("%(name)s has already dropped out.") % {"name": entrant.name})
    had_left = entrant.left_at is not None  # the form was sent twice
    removed = drop_out(entrant, by=by, kind=InterventionKind.REMOVED, reason=reason)
    if removed.user and not had_left:
        lead = _("You were removed. {reason}").format(reason=quoted(reason))
        tell(removed.user, pool, lead, f"out.{removed.pk}", None)
    return removed


def lock_places_of(user: User) -> None:
    """Lock the leagues, tournaments and pools that the person plays in or organizes, before any game."""
    leagues = League.objects.filter(Q(organizer=user) | Q(members__user=user))
    list(League.objects.select_for_update().filter(pk__in=leagues.values("pk")).order_by("pk").values_list("pk"))
    theirs = Q(organizer=user) | Q(pk__in=Entrant.objects.filter(user=user).values("tournament"))
    tournaments = Tournament.objects.select_for_update(no_key=True).filter(theirs, state__in=ON)
    list(tournaments.order_by("pk").values_list("pk"))
    lock_pools_of(user)


def lock_pools_of(user: User) -> None:
    """Lock the pools that the person plays in. Entrants and games are locked after them, in any order."""
    entrants = Entrant.objects.filter(user=user, pool__ended_at=None)
    rows = Pool.objects.select_for_update(no_key=True).filter(pk__in=entrants.values("pool"))
    list(rows.order_by("pk").values_list("pk"))


@transaction.atomic
def drop_out_everywhere(*, user: User) -> None:
    """Take a person whose account is being deleted out of all competitions, and their name out of bans and removals."""
    for entrant in Entrant.objects.filter(user=user, left_at=None, pool__ended_at=None, pool__isnull=False):
        drop_out(entrant, by=None, kind=InterventionKind.LEFT, reason="")
    Entrant.objects.filter(user=user, pool=None).delete()
    kinds = [InterventionKind.BANNED, InterventionKind.MOVED, InterventionKind.REMOVED]
    names_them = Q(kind__in=kinds) | Q(undoes__kind__in=kinds)
    Intervention.objects.filter(names_them, person=user).update(what=FORMER_PLAYER)


def drop_out(entrant: Entrant, *, by: User | None, kind: InterventionKind, reason: str) -> Entrant:
    """Take an entrant out of a running competition, and record this as an intervention of `kind`.

    Bots finish the entrant's running games. Nothing happens to an entrant who has dropped out already.
    """
    pool, now = _locked(entrant), timezone.now()
    annulled: list[int] = []
    entrant = Entrant.objects.select_related("user").get(pk=entrant.pk)
    if entrant.left_at is not None:
        return entrant
    need_running(pool)
    entrant.left_at, entrant.waits_since = now, None
    entrant.save(update_fields=["left_at", "waits_since"])
    for seat in _seats(entrant):
        if kind == InterventionKind.REMOVED:
            _put_in(seat, None, reason, now)
        elif seat.owner is not None:
            handover.resign(seat=seat, user=seat.owner)
    terms = pools.terms_of(pool)
    if isinstance(terms, LeagueTerms) and terms.drop_outs == "annul":
        for match in Match.objects.filter(appearances__entrant=entrant, state__in=UNDECIDED).order_by("pk"):
            pools.annul(match, now)
            annulled.append(match.pk)
    sits_out = _sit_out_from_now_on(pool, entrant)
    _tell_captain(entrant)
    details = {"entrant": entrant.pk, "bot": entrant.bot, "annulled": annulled, "sits_out": sits_out}
    pools.record_in_pool(pool, kind, now, by=by, what=entrant.name, reason=reason, person=entrant.user, details=details)
    make_due(pool, now)
    return entrant


def _tell_captain(entrant: Entrant) -> None:
    """Tell the captain of a team that another of its players is gone.

    If the captain is gone, too, nobody is told: the next captain is told of their new role.
    """
    player = TeamPlayer.objects.filter(entrant=entrant).select_related("team__captain", "team__tournament").first()
    if player is None or player.team.captain is None:
        return
    if not player.team.players.filter(entrant__user=player.team.captain_id, entrant__left_at=None).exists():
        return
    title = _("{name} is no longer in {team}").format(name=entrant.name, team=player.team.name)
    lead = _("A bot finishes their current game. On the team’s page, you can see the boards and invite a reserve.")
    outbox.tell_user(
        kind=Kind.SEASON, user=player.team.captain, about=f"tournament.{entrant.tournament_id}.gone.{entrant.pk}",
        title=title, lead=lead, url=player.team.get_absolute_url(),
    )  # fmt: skip


def _sit_out_from_now_on(pool: Pool, entrant: Entrant) -> bool:
    """Make a player who drops out or is replaced sit out of future seasons of the league until they return (L10).

    Return whether they did not sit out before.
    """
    if pool.season is None or entrant.user_id is None:
        return False
    signed_up = Member.objects.filter(league=pool.season.league_id, user=entrant.user_id, sits_out=False)
    return bool(signed_up.update(sits_out=True))


# Replacing


@transaction.atomic
def replace(*, entrant: Entrant, by: User, name: str, reason: str) -> Replacement:
    """Ask a person to take over the entrant's place, points and remaining matches. Raises `GameError`.

    Nothing changes until they accept. Repeating the request has no effect.
    """
    pool = _locked(entrant)
    need_to_decide(pool, by)
    reason = need_reason(reason, by)
    need_running(pool)
    entrant = Entrant.objects.select_related("user").get(pk=entrant.pk)
    newcomer = _newcomer(entrant, name)
    need_not_undone_by_staff(pool, exclusion_of(pool, entrant), by)
    if entrant.user_id == newcomer.pk:
        raise GameError(gettext("%(name)s already has this place.") % {"name": newcomer.username})
    return replacement.ask(user=newcomer, by=by, reason=reason, entrant=entrant)


@transaction.atomic
def accept(*, pk: int, user: User) -> Entrant:
    """Take over a place after being asked. Accepting again has no effect. Raises `GameError`.

    The request is void if the person who made it may no longer decide in the competition, or about the player, or plays
    in it by now.
    """
    request = Replacement.objects.filter(pk=pk, user=user, entrant__isnull=False).select_related("entrant").first()
    if request is None or request.entrant is None:
        raise NotYours(gettext("Nobody has asked you to take over here."))
    if request.entrant.tournament_id is not None:  # locks are taken in this order: tournament, pool, game
        Tournament.objects.select_for_update(no_key=True).get(pk=request.entrant.tournament_id)
    pool, now = _locked(request.entrant), timezone.now()
    entrant = Entrant.objects.select_related("user").get(pk=request.entrant.pk)
    if entrant.user_id == user.pk:
        return entrant
    question = replacement.find(pk, user)
    need_tables(user)
    asker = question.by  # None if the account was deleted
    if asker is not None and (
        not may_decide(pool, asker)
        or plays_in(pool, asker)
        or is_undone_by_staff(pool, exclusion_of(pool, entrant), asker)
    ):
        raise Over(str(replacement.NOT_OPEN))
    need_running(pool)
    if entrant.place is not None:
        raise Over(gettext("%(name)s has been eliminated, so there is nothing left to play.") % {"name": entrant.name})
    _newcomer(entrant, user.username)
    replaced, name = entrant.user, entrant.name
    _sit_out_from_now_on(pool, entrant)
    take_over(pool, entrant, user, now, reason=question.reason)
    replacement.accepted(question)
    names = f"{name} → {user.username}"
    pools.record_in_pool(
        pool, InterventionKind.REPLACED, now, by=question.by, what=names, reason=question.reason, person=replaced
    )
    if replaced:
        lead = _("{name} has replaced you. {reason}").format(name=user.username, reason=quoted(question.reason))
        tell(replaced, pool, lead, f"replaced.{entrant.pk}.{user.pk}", None)
    return entrant


def take_over(pool: Pool, entrant: Entrant, newcomer: User, now: datetime, *, reason: str) -> None:
    """Put a person who has agreed to it in the entrant's place.

    They get the seats in running games, except in games left to bots. A bot gets the seats that they must not have,
    such as one that has been shown hidden cards.
    """
    for seat in _seats(entrant):
        _put_in(seat, newcomer, reason, now)
    entrant.user, entrant.name, entrant.bot = newcomer, newcomer.username, ""
    entrant.left_at = entrant.waits_since = None
    entrant.save(update_fields=["user", "name", "bot", "left_at", "waits_since"])
    make_due(pool, now)


def _put_in(seat: Seat, newcomer: User | None, reason: str, now: datetime) -> None:
    """Give the seat of a running game to the newcomer for good, or to a bot."""
    game = commit.lock_row(seat.game)
    if not game.is_running or game.is_left_to_bots:
        return
    locked = commit.load(game)
    locked_seat = next(other for other in locked.seats if other.pk == seat.pk)
    if newcomer is not None:
        try:
            replacement.need_place_at(locked, locked_seat, newcomer)
        except GameError:
            newcomer = None
    replacement.put_in(locked, locked_seat, newcomer, reason, now)


def _newcomer(entrant: Entrant, name: str) -> User:
    """Return the person who is to take over the entrant's place, by name. Raises `GameError` if they can't."""
    newcomer = User.with_name(name).filter(is_active=True).first()
    if newcomer is None:
        raise GameError(gettext("There is no player with that name. Check the spelling."))
    if newcomer.is_guest:
        raise GameError(gettext("Guests can’t take part. They have to sign up first."))
    other_places = Entrant.objects.filter(season=entrant.season_id, tournament=entrant.tournament_id, user=newcomer)
    if other_places.exclude(pk=entrant.pk).exists():
        raise GameError(gettext("%(name)s is already taking part. Choose someone else.") % {"name": newcomer.username})
    scope = entrant.season or entrant.tournament
    refusal = gettext("%(name)s can’t take this place. Choose someone else.") % {"name": newcomer.username}
    if scope is not None and (is_banned(competition_of(scope), newcomer) or has_intervened(scope, newcomer)):
        raise GameError(refusal)
    pairs = conditions.kept_apart(competition_of(scope)) if scope is not None else set()
    if pairs:  # C17; the refusal does not name them
        matches = Match.objects.filter(appearances__entrant=entrant, state__in=UNDECIDED)
        others = Entrant.objects.filter(appearances__match__in=matches, user__isnull=False).exclude(pk=entrant.pk)
        if any(frozenset((newcomer.pk, other)) in pairs for other in others.values_list("user", flat=True)):
            raise GameError(refusal)
    return newcomer


# Extending and annulling matches


@transaction.atomic
def extend(*, match: Match, by: User, days: int, reason: str, expected: int | None = None) -> Match:
    """Give a match more time. Raises `GameError`.

    `expected` is the version of the match that the page showed, if it showed one: a form that is sent twice, or by two
    organizers, extends the match once.
    """
    pool, match, now = _locked_match(match)
    need_to_decide(pool, by)
    reason = need_reason(reason, by)
    if match.state not in UNDECIDED:
        raise Over(gettext("This match is over."))
    need_days(days)
    if expected is not None and match.version == expected + 1:
        before = Intervention.objects.in_force().filter(match=match, kind=InterventionKind.EXTENDED).last()
        if before is not None and is_same(before, by, reason, {"days": days}):
            return match
    need_not_undone_by_staff(pool, Q(match=match, undoes__kind=InterventionKind.EXTENDED), by)
    need_version(match, expected)
    match.due_at += timedelta(days=days)
    match.version += 1
    match.save(update_fields=["due_at", "version"])
    sentence = ngettext("{table}: {n} extra day", "{table}: {n} extra days", days)
    what = in_site_language(sentence.format(table=later(pools.names_of_players, match), n=days))[:200]
    pools.record_in_pool(
        pool, InterventionKind.EXTENDED, now, by=by, match=match, what=what, reason=reason, details={"days": days}
    )
    make_due(pool, now)
    return match


@transaction.atomic
def annul(*, match: Match, by: User, reason: str, expected: int | None = None) -> Match:
    """Annul a match, whether it has been played or not. Raises `GameError`.

    `expected` is the version of the match that the page showed, if it showed one.
    """
    pool, match, now = _locked_match(match)
    need_to_decide(pool, by)
    reason = need_reason(reason, by)
    need_running(pool)
    if match.state == MatchState.ANNULLED:
        return match
    if decision := last_decision(match):
        need_to_overrule(decision, pool, by)
    need_not_undone_by_staff(pool, Q(match=match, undoes__kind__in=DECIDING), by)
    need_version(match, expected)
    details = {"state": match.state}
    pools.annul(match, now)
    rule(match, None)
    if pool.season_id is not None:  # players get the whole time until the approval to object
        Season.objects.filter(pk=pool.season_id, decided_at__isnull=False).update(decided_at=now)
    intervention = pools.record_in_pool(
        pool, InterventionKind.ANNULLED, now, by=by, match=match, reason=reason, details=details
    )
    make_due(pool, now)
    sentence = _("The match {table} was annulled. {reason}")
    lead = sentence.format(table=intervention.what, reason=quoted(intervention.reason))
    for appearance in match.appearances.select_related("entrant__user"):
        if appearance.entrant.user is not None:
            tell(appearance.entrant.user, pool, lead, f"intervention.{intervention.pk}", by)
    return match


def rule(match: Match, places: Sequence[int] | None) -> None:
    """Let ratings use these places by seat; those of the contest if None. The pool must be locked.

    The games are locked so that a result that is being written at the same time is not missed.
    """
    if match.game_id is None:
        return
    list(Game.objects.select_for_update().filter(in_contest(match, game="pk")).order_by("pk").values_list("pk"))
    first = pools.scores_of(match).first()
    if first is None:
        return
    if first.counts:
        book.lock(first.ruleset)
    scores, is_changed = list(pools.scores_of(match)), False
    for score in scores:
        place = places[score.seat] if places else None
        is_changed |= score.ruled != place
        score.ruled = place
    if is_changed:
        Score.objects.bulk_update(scores, ["ruled"])
        if first.counts:
            book.rework_later(first.ruleset, scores[0].order)
            achievements.enter(scores)


def need_open_round(tournament: Tournament, match: Match) -> None:
    """Raise `Over` if the next round of a knockout has been paired by the result of the match."""
    if KINDS[tournament.declared.format].has_bracket and match.round < tournament.round:
        raise Over(gettext("The next round has started based on this result, so it is final."))


def need_version(match: Match, expected: int | None) -> None:
    """Raise `GameError` if the match has changed since the page was drawn."""
    if expected is not None and match.version != expected:
        raise GameError(
            gettext("This match has changed since you opened the page. Look at it again before you decide.")
        )


def need_days(days: int) -> None:
    if not 1 <= days <= LONGEST:
        raise GameError(gettext("Enter a number of days from 1 to 60."))


# Locks and preconditions


def _locked(entrant: Entrant) -> Pool:
    """Lock and return the entrant's pool. Raises `Over` before the start."""
    if entrant.pool_id is None:
        raise Over(gettext("This competition has not started yet."))
    return pools.lock(entrant.pool_id)


def _locked_match(match: Match) -> tuple[Pool, Match, datetime]:
    pool = pools.lock(match.pool_id)
    return pool, Match.objects.get(pk=match.pk), timezone.now()


def need_running(pool: Pool) -> None:
    """Raise `Over` if the pool has ended."""
    if pool.ended_at is not None:
        raise Over(gettext("This competition has ended, and its results are final."))


def _seats(entrant: Entrant) -> list[Seat]:
    """Return the entrant's seats in running games of their matches, unless given up or left to bots."""
    if entrant.user_id is None:
        return []
    matches = Match.objects.filter(appearances__entrant=entrant)
    of_matches = Q(game__in=matches.values("game")) | Q(game__full_game__in=matches.values("full_game"))
    seats = Seat.objects.filter(of_matches, owner=entrant.user_id, has_given_up=False, game__status=Status.RUNNING)
    seats = seats.exclude(game__is_left_to_bots=True)
    return list(seats.select_related("game", "owner").order_by("game"))


def make_due(pool: Pool, now: datetime) -> None:
    """Let the steps of the pool be taken right away."""
    pool.look_at = now
    pool.save(update_fields=["look_at"])
    delay_on_commit("games.tasks.look_at_pool", pool.pk)


# Notices


def tell(reader: User, scope: Pool | Season | Tournament, lead: Words | str, about: str, by: User | None) -> None:
    """Notify a person of a decision in a competition. `about` is the same for notices of the same decision.

    `by` is the author of the decision, which they could undo and make again many times; None if they can't.
    """
    title = _("Organizer decision in {name}").format(name=competition_of(scope))
    if isinstance(scope, Pool):
        season_or_tournament = scope.season or scope.tournament
        assert season_or_tournament is not None
        scope = season_or_tournament
    outbox.tell_from(
        by=by, kind=Kind.DECISION, user=reader, about=about, title=title, lead=lead, url=scope.get_absolute_url()
    )
