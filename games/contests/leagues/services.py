"""Services for leagues: create, edit, open and close them, join, sit out, drop out, extend a season.

Each is one transaction under the lock of the league's row, and safe to repeat. Automatic steps are in `sweep.py`.
"""

import random
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext, ngettext

from accounts.http import AGAIN
from accounts.models import User
from accounts.moderation.services import need_tables, need_voice
from accounts.names import TAKEN as TAKEN_NAME
from accounts.names import is_free_to_take, is_readable, normal
from empire.on_commit import delay_on_commit
from games.bots.registry import BOTS
from games.contests import interventions, pools
from games.contests.gates import conditions
from games.contests.leagues import news, sweep
from games.contests.leagues.entrants import allows_bots, place_late, ready
from games.contests.leagues.forecast import Forecast, simulate
from games.contests.models import (
    Entrant,
    Intervention,
    InterventionKind,
    League,
    LeagueState,
    Match,
    Member,
    NewsKind,
    Season,
    SeasonState,
)
from games.contests.models.pools import UNDECIDED
from games.contests.organizers import Right, need_organizer, need_owner
from games.contests.terms import fitting
from games.contests.terms.declaration import LeagueTerms
from games.contests.terms.fitting import check
from games.errors import GameError, Illegal, NotYours, Over
from games.notices.outbox.words import in_site_language, joined
from games.rules.protocol import IllegalAction

SIMULATED = 1000  # seasons of a forecast
MOST_LEAGUES = 3  # unpublished and open leagues per organizer
MOST_BOTS = 100  # per league
AT_ONCE = range(1, 7)  # matches at a time that a player may choose
TAKEN = ("create",)  # URL paths below /leagues/ that are not leagues
LONGEST_SLUG = 40


# Creating, opening and closing leagues


def create_league(*, user: User, terms: LeagueTerms) -> League:
    """Create an unpublished league, which only its organizer can see. Raises `GameError`.

    A league that they have just created with the same terms is returned, because the form was sent twice.
    """
    if user.is_guest:
        raise GameError(gettext("Guests can’t create leagues. Sign up first."))
    need_voice(user, terms.name)
    _need_start(terms)
    values = _column_values(terms)  # no lock is held while seasons are simulated
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        drafts = League.objects.filter(organizer=user, state=LeagueState.DRAFT, made_at__gt=timezone.now() - AGAIN)
        if before := next((league for league in drafts if league.declared == terms), None):
            return before
        if League.objects.filter(organizer=user).exclude(state=LeagueState.CLOSED).count() >= MOST_LEAGUES:
            raise GameError(gettext("You already organize three leagues. Close one of them first."))
        return _create(values, user)


def create_site_league(terms: LeagueTerms) -> League:
    """Create a league without an organizer. Raises `GameError` if the terms are invalid."""
    return _create(_column_values(terms), None)


def _create(values: dict[str, Any], organizer: User | None) -> League:
    base = slugify(values["name"])[: LONGEST_SLUG - 5].strip("-_") or "league"
    for _attempt in range(5):
        taken = {*TAKEN, *League.objects.filter(slug__startswith=base).values_list("slug", flat=True)}
        numbered = (f"{base}-{n}" if n > 1 else base for n in range(1, len(taken) + 2))
        slug = next(candidate for candidate in numbered if candidate not in taken)
        try:
            with transaction.atomic():
                return League.objects.create(slug=slug, organizer=organizer, made_at=timezone.now(), **values)
        except IntegrityError:
            continue  # someone else just took the slug
    raise GameError(gettext("Someone else is creating a league with this name. Try again."))


def change_terms(*, league: League, user: User, terms: LeagueTerms) -> League:
    """Change the terms of future seasons. Raises `GameError`."""
    need_organizer(league, user, Right.SETTINGS)
    if league.state == LeagueState.DRAFT:
        _need_start(terms)
    values = _column_values(terms)
    with transaction.atomic():
        league = _organized(league, user, Right.SETTINGS)
        if league.state == LeagueState.CLOSED:
            raise Over(gettext("This league is closed."))
        if terms.name != league.name:
            need_voice(user, terms.name)
        if league.state == LeagueState.OPEN and terms.ruleset != league.ruleset:
            raise GameError(gettext("You can’t change a league’s game. Create another league for another game."))
        if not allows_bots(terms) and league.members.filter(user=None).exists():
            raise GameError(gettext("This league has bots. Remove them first, or keep matches unrated."))
        League.objects.filter(pk=league.pk).update(**values)
    league.refresh_from_db()
    return league


def _column_values(terms: LeagueTerms) -> dict[str, Any]:
    """Return the values of the league's row for these terms. Raises `GameError` if they are invalid."""
    try:
        decisions = fitting.decisions(terms.ruleset, terms.players, terms.options)
        check(terms, decisions)
        forecast = simulate(terms, decisions, random.Random(terms.name), SIMULATED)
    except IllegalAction as refusal:
        raise Illegal(refusal) from None
    return {
        "name": terms.name, "ruleset": terms.ruleset, "terms": msgspec.to_builtins(terms),
        "forecast": msgspec.to_builtins(forecast),
    }  # fmt: skip


def _need_start(terms: LeagueTerms) -> None:
    """Raise `GameError` if the first season would start in the past."""
    if terms.starts and sweep.noon(terms.starts) <= timezone.now():
        raise GameError(gettext("The start of the first season is in the past. Choose a later day."))


@transaction.atomic
def open_league(*, league: League, user: User) -> Season:
    """Open sign-up for the first season. Raises `GameError`."""
    league, now = _lock(league), timezone.now()
    need_to_open(league, user)
    if league.state == LeagueState.OPEN:
        return league.seasons.order_by("number").reverse()[0]
    day, terms = league.declared.starts, league.declared
    starts_at = sweep.noon(day) if day else sweep.first_noon(now + timedelta(weeks=max(terms.pause, 1)))
    league.state = LeagueState.OPEN
    league.save(update_fields=["state"])
    return sweep.open_season(league, 1, starts_at, now)


def need_to_open(league: League, user: User) -> None:
    """Raise `GameError` if the user may not open sign-up for the league now."""
    need_organizer(league, user, Right.SETTINGS)
    if league.state == LeagueState.CLOSED:
        raise Over(gettext("This league is closed."))
    if league.state == LeagueState.DRAFT:
        _need_start(league.declared)


@transaction.atomic
def start_now(*, season: Season, user: User) -> Season:
    """Start a season before its day, if enough players have signed up. Raises `GameError`."""
    league, now = _lock(season.league), timezone.now()
    season = league.seasons.get(pk=season.pk)
    need_organizer(league, user)
    if season.state == SeasonState.RUNNING:
        return season
    need_to_start(season, user)
    season.ends_at, season.starts_at = now + (season.ends_at - season.starts_at), now
    season.save(update_fields=["starts_at", "ends_at"])
    sweep.start(season.pk, now)
    for pool in season.pools.values_list("pk", flat=True).order_by("pk"):
        delay_on_commit("games.tasks.look_at_pool", pool)  # sooner than the next sweep, as the organizer was promised
    season.refresh_from_db()
    return season


def need_to_start(season: Season, user: User) -> None:
    """Raise `GameError` if the user may not start the season now."""
    need_organizer(season.league, user)
    if season.state != SeasonState.SIGN_UP:
        raise Over(gettext("Sign-up for this season is over."))
    (members, left_out), enough = ready(season), sweep.fewest(season)
    if len(members) < enough:
        raise GameError(str(joined(news.too_few(len(members), enough), conditions.left_out(len(left_out)))))


@transaction.atomic
def close_league(*, league: League, user: User) -> League:
    """Close the league. A running season continues, one that has not started is canceled, and no more follow.

    An unpublished league is deleted, because its page would become public.
    """
    league = _lock(league)
    need_owner(league, user)
    if league.state == LeagueState.DRAFT:
        league.delete()
    elif league.state != LeagueState.CLOSED:
        sweep.close(league)
    return league


# Members and bots


@transaction.atomic
def join(*, league: League, user: User, at_once: int | None = None, invite: str = "") -> Member:
    """Sign up for all future seasons, and for the running one if there is a place. Raises `GameError`.

    A member stays one, unchanged. `invite` is the token of the invitation link.
    """
    if user.is_guest:
        raise GameError(gettext("Guests can’t play in leagues. Sign up first; you keep your games."))
    _need_valid_pace(at_once)
    need_tables(user)
    league, now = _lock(league), timezone.now()
    member = Member.objects.filter(league=league, user=user).first()
    if member is not None:
        return member
    if interventions.is_banned(league, user):
        raise GameError(gettext("You are banned from this competition. Its page says why."))
    if league.state != LeagueState.OPEN:
        raise GameError(gettext("This league is not open for sign-up."))
    _need_impartial(league, user)
    conditions.need_entry(league, sweep.sign_up_terms(league), user, invite)
    # Returning members start in the tier that they last played in
    played = Entrant.objects.filter(season__league=league, season__state=SeasonState.ENDED, user=user)
    tier = played.order_by("season__number").values_list("pool__tier", flat=True).last()
    member = Member.objects.create(league=league, user=user, at_once=at_once, tier=tier, joined_at=now)
    _join_running_season(league, member, now)
    return member


@transaction.atomic
def leave(*, league: League, user: User) -> None:
    """Leave the league. Leaving again has no effect. Raises `GameError`."""
    league = _lock(league)
    if Member.objects.filter(league=league, user=user).exists():
        need_to_leave(league, user).delete()


def need_to_leave(league: League, user: User) -> Member:
    """Return the member if they may leave the league now. Raises `GameError`."""
    member, season = _membership(league, user), running(league)
    if season and Entrant.objects.filter(season=season, user=user, left_at=None).exists():
        raise GameError(
            gettext("You are playing in the current season. Sit out from the next one, or drop out of this one.")
        )
    return member


@transaction.atomic
def sit_out(*, league: League, user: User, sits_out: bool) -> Member:
    """Sit out future seasons until further notice, or return, to the running season if there is a place."""
    league = _lock(league)
    member = _membership(league, user)
    if member.sits_out != sits_out:
        if not sits_out:
            need_tables(user)
            _need_impartial(league, user)
            conditions.need_to_return(sweep.sign_up_terms(league), user)
        member.sits_out = sits_out
        member.save(update_fields=["sits_out"])
        if not sits_out:
            _join_running_season(league, member, timezone.now())
    return member


def _need_impartial(league: League, user: User) -> None:
    """Raise `GameError` if the user has intervened in the season that is open for sign-up."""
    season = league.seasons.filter(state=SeasonState.SIGN_UP).first()
    if season is not None and interventions.has_intervened(season, user):
        raise GameError(
            interventions.pairings_refusal(season, user)
            or gettext(
                "You have decided who plays in this season, so you can’t play in it. Undo your decisions first, "
                "or sign up when it has started."
            )
        )


def _need_free_name(name: str) -> None:
    """Raise `GameError` if a bot must not be called this: like a player, like the site, or unreadable."""
    try:
        is_readable(name)
        is_free_to_take(name)
    except ValidationError as refusal:
        raise GameError(refusal.messages[0]) from None
    if User.is_name_taken(name):
        raise GameError(str(TAKEN_NAME))


@transaction.atomic
def set_pace(*, league: League, user: User, at_once: int | None) -> Member:
    """Set how many matches at a time the member plays from now on; None for the league's default."""
    _need_valid_pace(at_once)
    league, now = _lock(league), timezone.now()
    member, season = _membership(league, user), running(league)
    entrant = Entrant.objects.filter(season=season, user=user, pool__ended_at=None).first() if season else None
    pool = pools.lock(entrant.pool.pk) if entrant and entrant.pool else None  # before the member, as dropping out does
    member.at_once = at_once
    member.save(update_fields=["at_once"])
    if season and entrant and pool:
        Entrant.objects.filter(pk=entrant.pk).update(at_once=at_once or season.declared.at_once)
        interventions.make_due(pool, now)
    return member


@transaction.atomic
def drop_out(*, season: Season, user: User) -> Entrant:
    """Drop out of a running season, and sit out until returning. Finished matches count.

    Dropping out again has no effect.
    """
    before = Entrant.objects.filter(season=season, user=user).first()
    if before is not None and interventions.has_left(before):
        return before
    return interventions.leave(entrant=need_to_drop_out(season, user), user=user)


def need_to_drop_out(season: Season, user: User) -> Entrant:
    """Return the user's place if they may drop out of the season now. Raises `GameError`."""
    entrant = Entrant.objects.filter(season=season, user=user).select_related("pool").first()
    if entrant is None:
        raise NotYours(gettext("You are not playing in this season."))
    if entrant.left_at is not None:
        raise Over(gettext("You are no longer playing in this season."))
    if entrant.pool is not None:
        interventions.need_running(entrant.pool)
    return entrant


@transaction.atomic
def enter_bot(*, league: League, user: User, bot: str, name: str = "", seen: int | None = None) -> Member:
    """Sign up a bot under a name that nobody else has, if the league allows bots. Raises `GameError`.

    `seen` is the number of bots when the page was shown, if it said so: a form that is sent twice signs up one.
    """
    league = _organized(league, user)
    if not allows_bots(league.declared):
        raise GameError(gettext("This league’s settings don’t allow bots."))
    if bot not in BOTS:
        raise GameError(gettext("There is no such bot. Choose one from the list."))
    if league.state == LeagueState.CLOSED:
        raise Over(gettext("This league is closed."))
    wanted_name = normal(" ".join(name.split())[:36])
    need_voice(user, wanted_name)
    bots = league.members.filter(user=None).order_by("pk")
    if before := interventions.entered_before(bots, bot, seen):
        return before
    if wanted_name:
        _need_free_name(wanted_name)
    names = set(bots.values_list("name", flat=True))
    if len(names) >= MOST_BOTS:
        raise GameError(gettext("This league already has 100 bots, the maximum."))
    wanted_name = wanted_name or BOTS[bot].name
    numbered = (f"{wanted_name} {n}" if n > 1 else wanted_name for n in range(1, len(names) + 2))
    free = next(candidate for candidate in numbered if candidate not in names)
    return Member.objects.create(league=league, bot=bot, name=free, joined_at=timezone.now())


@transaction.atomic
def take_out_bot(*, league: League, user: User, member: Member) -> None:
    """Remove a bot from the league. It plays a running season to its end."""
    league = _organized(league, user)
    Member.objects.filter(pk=member.pk, league=league, user=None).delete()


# Extending a season


@transaction.atomic
def extend_season(
    *, season: Season, by: User, days: int, reason: str, expected: datetime | None = None
) -> Season:  # fmt: skip
    """Extend the season and all its unfinished matches. Raises `GameError`.

    `expected` is the end of the season that the page showed, if it showed one. So a form that is sent twice, or by two
    organizers, extends it once.
    """
    league, now = _organized(season.league, by), timezone.now()
    reason = interventions.need_reason(reason, by)
    interventions.need_days(days)
    current = league.seasons.filter(pk=season.pk, state=SeasonState.RUNNING).first()
    if current is None:
        raise Over(gettext("This season is not running, so it can’t be extended."))
    interventions.need_not_playing(current, by)
    if expected is not None and current.ends_at == expected + timedelta(days=days):
        last = Intervention.objects.in_force().filter(season=current, kind=InterventionKind.EXTENDED, match=None).last()
        if last is not None and interventions.is_same(last, by, reason, {"days": days}):
            return current
    is_extension = Q(season=current, match=None, undoes__kind=InterventionKind.EXTENDED)
    interventions.need_not_undone_by_staff(current, is_extension, by)
    if expected is not None and current.ends_at != expected:
        raise GameError(
            gettext("The season has been extended since you opened the page. Check the new end date first.")
        )
    more = timedelta(days=days)
    current.ends_at += more
    current.save(update_fields=["ends_at"])
    list(current.pools.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    undecided = Match.objects.filter(pool__season=current, state__in=UNDECIDED)
    undecided.update(due_at=F("due_at") + more, version=F("version") + 1)
    intervention = pools.record_intervention(
        current, InterventionKind.EXTENDED, now, by=by, what=in_site_language(news.extra_days(days)), reason=reason,
        details={"days": days},
    )  # fmt: skip
    news.spread(league, NewsKind.EXTENDED, current, intervention)
    return current


def warning(league: League) -> str:
    """Return a sentence for the organizer if the season may be too short for the clock, else an empty text.

    That is so if more than 5% of simulated seasons, each with a player who uses the whole clock, take longer.
    """
    forecast = msgspec.convert(league.forecast, Forecast) if league.forecast else None
    if forecast is None or forecast.most_days <= league.declared.weeks * 7:
        return ""
    weeks = league.declared.weeks
    sentence = ngettext(
        "The season may be too short for the clock. If one player uses the whole clock, a season takes {days} days, but"
        " it has {weeks} week. Choose a shorter clock, more weeks, or more matches at a time.",
        "The season may be too short for the clock. If one player uses the whole clock, a season takes {days} days, but"
        " it has {weeks} weeks. Choose a shorter clock, more weeks, or more matches at a time.",
        weeks,
    )
    return sentence.format(days=forecast.most_days, weeks=weeks)


# The current season


def running(league: League) -> Season | None:
    return Season.objects.filter(league=league, state=SeasonState.RUNNING).first()


def next_season_sentence(member: Member) -> str:
    """Return a sentence that tells the member which season they play next."""
    # An open league always has a season that is running or open for sign-up
    season = Season.objects.filter(league=member.league).exclude(state=SeasonState.ENDED).first()
    if season is None:
        return gettext("No season is open right now.")
    if season.state == SeasonState.RUNNING:
        entrant = Entrant.objects.filter(season=season, user=member.user, left_at=None).first()
        if entrant is not None and member.user is not None:
            sentence = gettext("You are playing in season {n}.")
            if member.sits_out:
                sentence = gettext("You are playing in season {n}. You sit out from the next one until you return.")
            return sentence.format(n=season.number)
    if member.user is not None and interventions.is_banned(member.league, member.user):
        return gettext("You are banned from this league. Its page says why.")
    if member.sits_out:
        return gettext("You are sitting out. You won’t play until you return.")
    if season.state == SeasonState.SIGN_UP and interventions.removals(season).filter(person=member.user_id).exists():
        return gettext("The organizer has removed you from season {n}. Its page says why.").format(n=season.number)
    if season.state == SeasonState.RUNNING and member.user and interventions.has_intervened(season, member.user):
        sentence = gettext("You have intervened in season {n}, so you can’t play until the next one.")
        return sentence.format(n=season.number)
    if season.state == SeasonState.RUNNING:
        sentence = gettext("Season {n} is full. You are signed up for the next one.")
        return sentence.format(n=season.number)
    day = news.day(member.user, season.starts_at) if member.user else ""
    return gettext("You are signed up for season {n}, which starts on {day}.").format(n=season.number, day=day)


# Locks and rights


def _lock(league: League) -> League:
    return League.objects.select_for_update().get(pk=league.pk)


def _organized(league: League, user: User, right: Right = Right.DECIDE) -> League:
    league = _lock(league)
    need_organizer(league, user, right)
    return league


def _membership(league: League, user: User) -> Member:
    member = Member.objects.filter(league=league, user=user).first()
    if member is None:
        raise NotYours(gettext("You are not a member of this league."))
    member.league = league
    return member


def _need_valid_pace(at_once: int | None) -> None:
    if at_once is not None and at_once not in AT_ONCE:
        raise GameError(gettext("Choose one to six matches at a time."))


def _join_running_season(league: League, member: Member, now: datetime) -> None:
    season = running(league)
    if season is not None:
        place_late(member, season, now)
