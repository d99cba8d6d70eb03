"""Decisions of an organizer about who plays where in the next season, and about the end of this one.

Each is one transaction under the lock of the league's row, and safe to repeat. Taking a person out and moving them only
add an intervention: the start of the season reads those in force, so undoing one needs nothing else.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from games.contests import interventions, pools
from games.contests.corrections import need_not_signed_up
from games.contests.leagues import sweep
from games.contests.leagues.divisions import division_name
from games.contests.leagues.entrants import arranged, moves, sign_ups_of, signed_up
from games.contests.models import Intervention, InterventionKind, Member, Season, SeasonState
from games.errors import GameError, NotYours, Over
from games.notices.outbox.words import Words, in_site_language, later
from games.notices.outbox.words import gettext_later as _


@transaction.atomic
def take_out(*, season: Season, member: int, by: User, reason: str) -> Intervention:
    """Take a member out of a season that has not started; they stay in the league. Raises `GameError`."""
    season, reason, player = _before_start(season, member, by, reason)
    if removal := interventions.removals(season).filter(person=player.user).first():
        return removal
    interventions.need_not_undone_by_staff(season, interventions.exclusion_of(season, player.user), by)
    intervention = pools.record_intervention(
        season, InterventionKind.REMOVED, timezone.now(), by=by, what=_name(player), person=player.user, reason=reason
    )
    words = _("You were removed from season {n}. You stay a member of the league. {reason}")
    _tell(intervention, words.format(n=season.number, reason=interventions.quoted(reason)))
    return intervention


@transaction.atomic
def move(*, season: Season, member: int, by: User, tier: int, number: int, reason: str) -> Intervention:
    """Have a member placed in this division when the season starts. Raises `GameError`.

    Divisions are made at the start, from those who have signed up by then. If that division does not exist then, the
    move has no effect. A move is refused if it would have no effect now, or would undo that of an earlier one.
    """
    season, reason, player = _before_start(season, member, by, reason)
    details = {"tier": tier, "number": number}
    earlier = Intervention.objects.in_force().filter(season=season, kind=InterventionKind.MOVED, person=player.user)
    latest = earlier.order_by("pk").last()
    if latest is not None and latest.details == details:
        return latest
    if latest is not None:
        interventions.need_to_overrule(latest, season, by)
    is_move = Q(season=season, person=player.user, undoes__kind=InterventionKind.MOVED)
    interventions.need_not_undone_by_staff(season, is_move, by)
    name, where = _name(player), division_name(tier, number)
    before = arrangement(season)
    if (tier, number) not in before:
        raise GameError(
            gettext("With the players signed up so far, there will be no {division}.").format(division=where)
        )
    if player.user_id not in [member.user_id for division in before.values() for member in division]:
        raise GameError(
            gettext("%(name)s has no place so far, because the players don’t divide evenly.") % {"name": name}
        )
    if player.user_id in [member.user_id for member in before[tier, number]]:
        raise GameError(gettext("{name} is already in {division}.").format(name=name, division=where))
    subject = f"{name} → {in_site_language(later(division_name, tier, number))}"
    intervention = pools.record_intervention(
        season, InterventionKind.MOVED, timezone.now(), by=by, what=subject, person=player.user, reason=reason,
        details=details,
    )  # fmt: skip
    after = arrangement(season)
    if _without_effect(season, after) - (_without_effect(season, before) - {player.user_id}):
        moved = moves(season)
        sentence = gettext("Everyone in {division} was moved there, so nobody can make room. Undo one of the moves.")
        if any(moved.get(member.user_id or 0) != (tier, number) for member in after[tier, number]):
            sentence = gettext("This move or an earlier one would have no effect, because of a forbidden pairing.")
        raise GameError(sentence.format(division=where))
    words, division = _("You will play season {n} in {division}. {reason}"), later(division_name, tier, number)
    _tell(intervention, words.format(n=season.number, division=division, reason=interventions.quoted(reason)))
    return intervention


def _without_effect(season: Season, placed: dict[tuple[int, int], list[Member]]) -> set[int]:
    """Return the people who have been moved to a division but are not in it."""
    there = {member.user_id: place for place, division in placed.items() for member in division}
    return {user for user, place in moves(season).items() if there.get(user) != place}


def arrangement(season: Season) -> dict[tuple[int, int], list[Member]]:
    """Return the divisions, by tier and number, as they would be if the season started now."""
    members = signed_up(season)
    tiers = arranged(season, members, sign_ups_of(season, members))
    return {
        (tier, number): [members[n] for n in division]
        for tier, of_tier in enumerate(tiers, start=1)
        for number, division in enumerate(of_tier, start=1)
    }


@transaction.atomic
def approve(*, season: Season, by: User, expected: datetime | None = None) -> Season:
    """Approve the results of a season whose matches are all decided, so that it ends. Raises `GameError`.

    `expected` is the `decided_at` of the season that the page showed, if it showed one. A correction changes it.
    """
    season = sweep.lock(season.pk)
    interventions.need_to_decide(season, by)
    if season.state == SeasonState.ENDED:
        return season
    now = timezone.now()
    if expected is not None and season.decided_at is not None and season.decided_at != expected:
        raise GameError(gettext("The results have changed since you opened the page. Check them before you approve."))
    if season.decided_at is None or not sweep.end(season.pk, now, approved=True):
        raise GameError(gettext("Not every match is decided yet, so there is nothing to approve."))
    subject = in_site_language(_("Season {n}").format(n=season.number))
    pools.record_intervention(season, InterventionKind.APPROVED, now, by=by, what=subject)
    season.refresh_from_db()
    return season


def _before_start(season: Season, member: int, by: User, reason: str) -> tuple[Season, str, Member]:
    """Lock the league, and return the season, the reason and the member, who has signed up. Raises `GameError`."""
    season = sweep.lock(season.pk)
    interventions.need_to_decide(season, by)
    need_not_signed_up(season, by)
    reason = interventions.need_reason(reason, by)
    if season.state != SeasonState.SIGN_UP:
        raise Over(gettext("The season has already started."))
    player = Member.objects.filter(pk=member, league=season.league_id).select_related("user").first()
    if player is None or player.user is None:
        raise NotYours(gettext("This player is no longer a member of the league."))
    if player.sits_out:
        raise GameError(gettext("%(name)s is already sitting out.") % {"name": player.user.username})
    return season, reason, player


def _name(member: Member) -> str:
    return member.user.username if member.user else member.name


def _tell(intervention: Intervention, lead: Words) -> None:
    person, season = intervention.person, intervention.season
    if person is not None and season is not None:
        interventions.tell(person, season, lead, f"intervention.{intervention.pk}", intervention.by)
