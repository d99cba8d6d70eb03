"""Services for tournaments. Each is one transaction under the lock of the tournament's row.

Locks are taken in this order: tournament, pool, game. Automatic steps are in `sweep.py`.
"""

from datetime import UTC, datetime, time

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.http import AGAIN
from accounts.models import User
from accounts.moderation.services import need_tables, need_voice
from empire.on_commit import delay_on_commit
from games.bots.registry import BOTS
from games.contests import corrections, interventions
from games.contests.gates import conditions
from games.contests.interventions import need_reason
from games.contests.models import (
    Entrant,
    Match,
    MatchState,
    Pool,
    RatedPlayer,
    Tournament,
    TournamentState,
)
from games.contests.models.tournament import ON
from games.contests.organizers import Right, need_organizer, need_owner
from games.contests.ratings import model as ratings
from games.contests.teams import season as team_season
from games.contests.terms import fitting
from games.contests.terms.declaration import TournamentTerms
from games.contests.terms.fitting import check
from games.contests.tournaments import arenas, news
from games.contests.tournaments import sweep as tournament_steps
from games.errors import GameError, Illegal, NotYours, Over
from games.rules.protocol import IllegalAction
from games.tables.models import Replacement
from games.tables.models.game import new_public_id, public_id_of

NOON = time(12)
MOST_OPEN = 3  # open or running tournaments per organizer


# Opening and canceling


@transaction.atomic
def open_tournament(*, user: User, terms: TournamentTerms, form: str = "") -> Tournament:
    """Open a tournament for sign-up. Its organizer plays only after joining. Raises `GameError`.

    `form` is the digest of the form that asks for it: if it is sent twice, it opens one.
    """
    now = timezone.now()
    if user.is_guest:
        raise GameError(gettext("Guests can’t open tournaments. Sign up first; you keep your games."))
    need_voice(user, terms.name)
    try:
        check(terms, fitting.decisions(terms.ruleset, terms.players, terms.options))
    except IllegalAction as refusal:
        raise Illegal(refusal) from None
    starts_at = datetime.combine(terms.starts, NOON, UTC) if terms.starts else None  # None: when it is full
    if starts_at is not None and starts_at <= now:
        raise GameError(gettext("The start must be in the future. Choose a later day."))
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    before = Tournament.objects.filter(public_id=public_id_of(form)).first() if form else None
    if before and before.organizer_id == user.pk and before.opened_at > now - AGAIN:
        return before
    if Tournament.objects.filter(organizer=user, state__in=ON).count() >= MOST_OPEN:
        raise GameError(gettext("You already organize three tournaments. Wait until one of them has ended."))
    look_at = starts_at or now + tournament_steps.STALE_AFTER
    if starts_at and terms.is_for_teams:  # captains are reminded before
        look_at = max(starts_at - team_season.BEFORE_START, now)
    return Tournament.objects.create(
        name=terms.name.strip(), ruleset=terms.ruleset, terms=msgspec.to_builtins(terms), organizer=user,
        opened_at=now, starts_at=starts_at, look_at=look_at,
        public_id=public_id_of(form) if form and not before else new_public_id(),
    )  # fmt: skip


@transaction.atomic
def change_terms(*, tournament: Tournament, user: User, terms: TournamentTerms) -> Tournament:
    """Change the terms of the season of a team league that follows the running one. Raises `GameError`.

    Its teams take part in the next season unless they leave, so they must fit. `pause` says when it starts.
    """
    need_organizer(tournament, user, Right.SETTINGS)
    try:
        check(terms, fitting.decisions(terms.ruleset, terms.players, terms.options))
    except IllegalAction as refusal:
        raise Illegal(refusal) from None
    tournament = lock(tournament.pk)
    need_organizer(tournament, user, Right.SETTINGS)
    if not tournament.declared.is_for_teams or not terms.is_for_teams:
        raise GameError(gettext("Only team leagues have seasons. Open another tournament for other settings."))
    need_running(tournament, gettext("You can change the settings of the next season once this one has started."))
    if terms.name.strip() not in (tournament.declared.name.strip(), tournament.declared_next.name):
        need_voice(user, terms.name)
    if terms.ruleset != tournament.ruleset:
        raise GameError(gettext("You can’t change a league’s game. Create another league for another game."))
    teams = [squad for squad in team_season.squads(tournament) if squad.playing]
    if len(teams) > terms.seats:
        raise GameError(gettext("{n} teams take part. Leave room for all of them.").format(n=len(teams)))
    for squad in teams:
        if len(squad.playing) > terms.squad:
            sentence = gettext("{team} has {n} players. Leave room for all of them.")
            raise GameError(sentence.format(team=squad.team.name, n=len(squad.playing)))
    next_terms = msgspec.to_builtins(msgspec.structs.replace(terms, name=terms.name.strip(), starts=None))
    tournament.next_terms = None if next_terms == tournament.terms | {"starts": None} else next_terms
    tournament.save(update_fields=["next_terms"])
    return tournament


@transaction.atomic
def call_off(*, tournament: Tournament, user: User, reason: str) -> Tournament:
    """Cancel the tournament before it has started, and tell the entrants why. Raises `GameError`."""
    tournament = lock(tournament.pk)
    need_owner(tournament, user)
    if tournament.state == TournamentState.CLOSED:
        return tournament
    reason = need_reason(reason, user)
    need_sign_up(tournament, gettext("The tournament has started, so you can no longer cancel it."))
    tournament_steps.close(tournament, timezone.now(), by=user, reason=reason)
    return tournament


@transaction.atomic
def start(*, tournament: Tournament, user: User) -> Tournament:
    """Start the tournament early. Raises `GameError`."""
    tournament = lock(tournament.pk)
    need_organizer(tournament, user)
    if tournament.is_running:
        return tournament
    need_sign_up(tournament)
    left_out = tournament_steps.leave_out(tournament, timezone.now())
    # A refusal undoes leaving out, too
    need_enough(tournament, team_season.number_entered(tournament), left_out)
    tournament_steps.begin(tournament, timezone.now())
    return tournament


def need_to_start(tournament: Tournament, user: User) -> None:
    """Raise `GameError` if the user may not start the tournament early."""
    need_organizer(tournament, user)
    need_sign_up(tournament)
    need_enough(tournament, *tournament_steps.ready(tournament))


def need_enough(tournament: Tournament, entered: int, left_out: int) -> None:
    """Raise `GameError` if too few can start. `left_out` is how many others no longer meet the entry conditions."""
    if tournament.declared.is_for_teams:
        team_season.need_complete(tournament)
    if not tournament_steps.can_start(tournament.declared, entered):
        sentence = ngettext(
            "%(n)d player has signed up so far. It takes %(needed)d to start.",
            "%(n)d players have signed up so far. It takes %(needed)d to start.",
            entered,
        )
        if tournament.declared.is_for_teams:
            sentence = ngettext(
                "%(n)d team is complete so far. It takes %(needed)d to start.",
                "%(n)d teams are complete so far. It takes %(needed)d to start.",
                entered,
            )
        refusal = sentence % {"n": entered, "needed": tournament_steps.fewest(tournament.declared)}
        raise GameError(f"{refusal} {conditions.left_out(left_out)}".strip())


# Joining and leaving


@transaction.atomic
def join(*, tournament: Tournament, user: User, invite: str = "") -> Entrant:
    """Sign up. `invite` is the token of the invitation link. Signing up again has no effect. Raises `GameError`."""
    if user.is_guest:
        raise GameError(gettext("Guests can’t enter tournaments. Sign up first; you keep your games."))
    need_tables(user)
    tournament = lock(tournament.pk)
    before = Entrant.objects.filter(tournament=tournament, user=user, left_at=None).first()
    if before is not None and not tournament.declared.is_for_teams:
        return before
    is_late = arenas.takes_entrants(tournament, timezone.now())
    if not is_late:
        need_sign_up(tournament, gettext("Sign-up is over: the tournament has started."))
    if tournament.declared.is_for_teams:
        raise GameError(gettext("This is a team league. Create a team, or join one with its captain’s link."))
    interventions.need_welcome(tournament, user)
    if Entrant.objects.filter(tournament=tournament, user=user).exists():
        raise GameError(gettext("You have dropped out."))
    conditions.need_entry(tournament, tournament.declared, user, invite)
    entrant = Entrant(user=user, name=user.username)
    if is_late:
        shown = (
            RatedPlayer.objects.filter(ruleset=tournament.ruleset, user=user).values_list("shown", flat=True).first()
        )
        entrant.rating, entrant.at_once = shown or ratings.Rating().shown, tournament.declared.at_once
        entrant.pool = Pool.objects.select_for_update(no_key=True).get(tournament=tournament, ended_at=None)
        entrant.seed = Entrant.objects.filter(tournament=tournament).count() + 1
    entered = _enter(tournament, entrant)
    if is_late:
        tournament_steps.save_standings(tournament)
    return entered


@transaction.atomic
def enter_bot(*, tournament: Tournament, user: User, bot: str, seen: int | None = None) -> Entrant:
    """Enter a bot under a name of its own. Raises `GameError`.

    `seen` is the number of bots when the page was shown, if it said so: a form that is sent twice enters one.
    """
    tournament = lock(tournament.pk)
    need_organizer(tournament, user)
    need_sign_up(tournament, gettext("Sign-up is over: the tournament has started."))
    if tournament.declared.rated or not tournament.declared.bots:
        raise GameError(gettext("This tournament’s settings don’t allow bots."))
    if bot not in BOTS:
        raise GameError(gettext("There is no such bot. Choose one from the list."))
    bots = Entrant.objects.filter(tournament=tournament).exclude(bot="").order_by("pk")
    if before := interventions.entered_before(bots, bot, seen):
        return before
    taken = set(Entrant.objects.filter(tournament=tournament).values_list("name", flat=True))
    name, n = str(BOTS[bot].name), 1
    free = name
    while free in taken:  # such as `Medium 2`
        n += 1
        free = f"{name} {n}"
    return _enter(tournament, Entrant(bot=bot, name=free))


def _enter(tournament: Tournament, entrant: Entrant) -> Entrant:
    room = tournament.declared.seats - Entrant.objects.filter(tournament=tournament).count()
    if room <= 0:
        raise GameError(gettext("All places are taken. Choose another tournament."))
    entrant.tournament, entrant.joined_at = tournament, timezone.now()
    entrant.save()
    if room == 1 and tournament.is_open and tournament.starts_at is None:
        _make_due(tournament)
    return entrant


@transaction.atomic
def leave(*, tournament: Tournament, user: User) -> None:
    """Withdraw before the start, or drop out after it. Doing so again has no effect. Raises `GameError`."""
    tournament = lock(tournament.pk)
    entrant = Entrant.objects.filter(tournament=tournament, user=user).first()
    is_out = tournament.is_open if entrant is None else interventions.has_left(entrant)
    if is_out:
        return
    entrant = need_to_leave(tournament, user)
    if tournament.is_open:
        entrant.delete()
        return
    interventions.leave(entrant=entrant, user=user)
    _make_due(tournament)


def need_to_leave(tournament: Tournament, user: User) -> Entrant:
    """Return the user's entrant if they may withdraw or drop out now. Raises `GameError`."""
    entrant = Entrant.objects.filter(tournament=tournament, user=user).select_related("pool").first()
    if entrant is None:
        raise NotYours(gettext("You are not in this tournament."))
    if not tournament.is_open:
        need_running(tournament)
    if entrant.left_at is not None:
        raise Over(gettext("You are no longer in this tournament."))
    if entrant.place is not None:  # dropping out would cost them the badge for their place
        raise Over(gettext("You have been eliminated, so there is nothing left to play. You keep your place."))
    if entrant.pool is not None and entrant.pool.ended_at is not None:
        raise Over(gettext("Your group is over, so there is nothing left to play. You keep your place."))
    return entrant


# Interventions


@transaction.atomic
def remove(*, tournament: Tournament, entrant: int, by: User, reason: str) -> None:
    """Remove an entrant, before or after the start. Raises `GameError`."""
    tournament = lock(tournament.pk)
    need_organizer(tournament, by)
    interventions.need_not_playing(tournament, by)
    entrant_row = need_entrant(tournament, entrant)
    if not tournament.is_open:
        need_running(tournament)
        interventions.remove(entrant=entrant_row, by=by, reason=reason)
        _make_due(tournament)
        return
    reason = need_reason(reason, by)
    interventions.need_not_undone_by_staff(tournament, interventions.exclusion_of(tournament, entrant_row), by)
    corrections.take_out(tournament, entrant_row, by, reason, timezone.now())
    news.tell_removed(tournament, entrant_row, interventions.quoted(reason))


@transaction.atomic
def replace(*, tournament: Tournament, entrant: int, by: User, name: str, reason: str) -> Replacement:
    """Ask a person to take over the entrant's place. Raises `GameError`."""
    tournament = lock(tournament.pk)
    need_organizer(tournament, by)
    need_running(tournament, gettext("The tournament has not started yet. New players can still sign up."))
    entrant_row = need_entrant(tournament, entrant)
    if entrant_row.place is not None:
        raise Over(
            gettext("%(name)s has been eliminated, so there is nothing left to play.") % {"name": entrant_row.name}
        )
    return interventions.replace(entrant=entrant_row, by=by, name=name, reason=reason)


@transaction.atomic
def extend(
    *, tournament: Tournament, match: int, by: User, days: int, reason: str, expected: int | None = None
) -> Match:
    """Give a match more time. Raises `GameError`."""
    tournament = lock(tournament.pk)
    need_organizer(tournament, by)
    extended = interventions.extend(
        match=need_match(tournament, match), by=by, days=days, reason=reason, expected=expected
    )  # fmt: skip
    _make_due(tournament)
    return extended


@transaction.atomic
def annul(*, tournament: Tournament, match: int, by: User, reason: str, expected: int | None = None) -> Match:
    """Annul a match. In a knockout, the better seed advances. Raises `GameError`."""
    tournament = lock(tournament.pk)
    need_organizer(tournament, by)
    match_row = need_match(tournament, match)
    if match_row.state != MatchState.ANNULLED:
        interventions.need_open_round(tournament, match_row)
    annulled = interventions.annul(match=match_row, by=by, reason=reason, expected=expected)
    _make_due(tournament)
    return annulled


# Locks and preconditions


def lock(pk: int) -> Tournament:
    """Lock the row of a tournament, and return it as read after that."""
    Tournament.objects.select_for_update(no_key=True).get(pk=pk)
    return Tournament.objects.select_related("organizer").get(pk=pk)


def need_sign_up(tournament: Tournament, started: str = "") -> None:
    """Raise `Over` unless sign-up is open. `started`: the sentence if the tournament has started."""
    if tournament.state == TournamentState.CLOSED:
        raise Over(gettext("The tournament was canceled."))
    if not tournament.is_open:
        raise Over(started or gettext("The tournament has already started."))


def need_running(tournament: Tournament, before: str = "") -> None:
    """Raise `Over` unless the tournament is running. `before`: the sentence if it has not started."""
    if tournament.state == TournamentState.CLOSED:
        raise Over(gettext("The tournament was canceled."))
    if tournament.is_open:
        raise Over(before or gettext("The tournament has not started yet."))
    if not tournament.is_running:
        raise Over(gettext("The tournament has ended, and its results are final."))


def need_entrant(tournament: Tournament, pk: int) -> Entrant:
    """Return an entrant of the tournament. Raises `GameError`."""
    entrant = Entrant.objects.filter(tournament=tournament, pk=pk).select_related("user").first()
    if entrant is None:
        raise GameError(gettext("There is no such player in this tournament."))
    return entrant


def need_match(tournament: Tournament, pk: int) -> Match:
    """Return a match of the tournament. Raises `GameError`."""
    match = Match.objects.filter(pool__tournament=tournament, pk=pk).first()
    if match is None:
        raise GameError(gettext("There is no such match in this tournament."))
    return match


def _make_due(tournament: Tournament) -> None:
    """Let the steps of the tournament be taken right away."""
    Tournament.objects.filter(pk=tournament.pk).update(look_at=timezone.now())
    delay_on_commit("games.tasks.look_at_tournament", tournament.pk)
