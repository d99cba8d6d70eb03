"""Automatic steps of tournaments: they start or are canceled, rounds follow each other, and results are written.

Each step is a transaction under the locks of the tournament and its pools, and checks again whether it is still due. So
sweeps may run at the same time, twice, or be killed anywhere. Matches are started by `pools.take_due_steps`.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from django.db import transaction
from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet
from django.utils.translation import gettext_noop

from accounts.models import User
from empire.on_commit import delay_on_commit
from games.bots.registry import current
from games.contests import interventions, pools
from games.contests.gates import conditions
from games.contests.models import (
    Badge,
    Entrant,
    Honor,
    Intervention,
    InterventionKind,
    Match,
    MatchState,
    Pool,
    RatedPlayer,
    TeamInvitation,
    Tournament,
    TournamentState,
)
from games.contests.models.pools import UNDECIDED
from games.contests.models.tournament import ON
from games.contests.pairing import apart, formats, knockout
from games.contests.pairing.formats import KINDS
from games.contests.ratings import model as ratings
from games.contests.teams import season as team_season
from games.contests.terms.declaration import TournamentTerms
from games.contests.tournaments import arenas, news
from games.contests.tournaments import rounds as tournament_rounds
from games.contests.webhooks import outbox as webhooks
from games.notices.outbox import outbox
from games.notices.outbox.words import Words, in_site_language, joined, later
from games.notices.outbox.words import gettext_later as _
from games.notices.outbox.words import ngettext_later as ngettext  # the name under which xgettext finds its texts

logger = logging.getLogger(__name__)

STALE_AFTER = timedelta(days=90)  # how long a tournament without a date waits until it is full
BATCH = 200  # tournaments per sweep
PODIUM = {1: Honor.TOURNAMENT, 2: Honor.SECOND, 3: Honor.THIRD}


def fewest(terms: TournamentTerms) -> int:
    """Return the minimum number of entrants."""
    return max(terms.fewest, min(formats.fields(terms.format, terms.players)))


def can_start(terms: TournamentTerms, entered: int) -> bool:
    """Return whether the format takes a field of this many."""
    return formats.most(terms.format, terms.players, entered) >= fewest(terms)


# Due steps


@transaction.atomic
def take_due_steps(pk: int, now: datetime) -> bool:
    """Take the due steps of a tournament. Return whether it started, began another round, or ended."""
    Tournament.objects.select_for_update(no_key=True).get(pk=pk)
    tournament = Tournament.objects.select_related("organizer").get(pk=pk)
    if tournament.declared.is_for_teams and (tournament.is_open or tournament.is_running):
        team_season.pass_on_captaincies(tournament)
    if tournament.is_open:
        return _sign_up_steps(tournament, now)
    return tournament.is_running and _round_steps(tournament, now)


def sweep(now: datetime) -> int:
    """Check the tournaments that are due, or have a decided round, new results or a team without a captain."""
    undecided = Match.objects.filter(pool__tournament=OuterRef("pk"), state__in=UNDECIDED)
    ended = Count("pools__matches", filter=Q(pools__matches__state=MatchState.ENDED))
    running = Q(state=TournamentState.RUNNING)
    has_dropout = Exists(undecided.filter(appearances__entrant__left_at__isnull=False))
    waits = Q(terms__format=formats.TEAMS)  # for the start of the next match day, even if everything is decided
    due = Q(look_at__lte=now) | running & ((~Exists(undecided) | has_dropout) & ~waits | ~Q(counted=F("ended")))
    due |= Q(team_season.without_captain())
    rows = Tournament.objects.filter(state__in=ON).annotate(ended=ended).filter(due)
    due_ids = list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])
    for pk in due_ids:
        try:
            take_due_steps(pk, now)
        except Exception:  # one broken tournament must not stop all others
            logger.exception("Could not look at tournament %s.", pk)
    team_season.forget_invitations(now)
    return len(due_ids)


def _sign_up_steps(tournament: Tournament, now: datetime) -> bool:
    terms, entered = tournament.declared, team_season.number_entered(tournament)
    is_due = entered >= terms.seats if tournament.starts_at is None else tournament.starts_at <= now
    if is_due:
        leave_out(tournament, now)
        entered = team_season.number_entered(tournament)
    if tournament.starts_at is None and entered < terms.seats:
        last = tournament.opened_at + STALE_AFTER
        if last > now:
            return _due_again(tournament, last)
        close(tournament, now, reason=_("It was still not full after %(days)d days.") % {"days": STALE_AFTER.days})
        return True
    if tournament.starts_at is not None and tournament.starts_at > now:
        if terms.is_for_teams:
            remind_at = tournament.starts_at - team_season.BEFORE_START
            if remind_at > now:
                return _due_again(tournament, remind_at)
            team_season.remind_of_start(tournament)
        return _due_again(tournament, tournament.starts_at)
    if can_start(terms, entered):
        begin(tournament, now)
        return True
    sentence = ngettext(
        "Only %(n)d player signed up, and the minimum is %(needed)d.",
        "Only %(n)d players signed up, and the minimum is %(needed)d.",
        entered,
    )
    if terms.is_for_teams:
        sentence = ngettext(
            "Only %(n)d team was complete, and the minimum is %(needed)d.",
            "Only %(n)d teams were complete, and the minimum is %(needed)d.",
            entered,
        )
    close(tournament, now, reason=sentence % {"n": entered, "needed": fewest(terms)})
    return True


def _due_again(tournament: Tournament, at: datetime | None) -> bool:
    Tournament.objects.filter(pk=tournament.pk).update(look_at=at)
    return False


def close(tournament: Tournament, now: datetime, *, reason: Words | str, by: User | None = None) -> None:
    """Cancel the tournament. Its row must be locked."""
    tournament.state, tournament.ended_at, tournament.look_at = TournamentState.CLOSED, now, None
    tournament.save(update_fields=["state", "ended_at", "look_at"])
    team_season.close_invitations(TeamInvitation.objects.filter(team__tournament=tournament))
    pools.record_intervention(
        tournament, InterventionKind.CANCELLED, now, by=by, what="", reason=in_site_language(reason)
    )
    news.tell_closed(tournament, interventions.quoted(str(reason)) if by else reason)


# Starting


def leave_out(tournament: Tournament, now: datetime) -> int:
    """Remove entrants who no longer meet the entry conditions. Return how many. The row must be locked.

    Each of them is told which condition they did not meet; the public line and the organizer's notice name nobody.
    Entrants whose account is closed are removed too, as if they had withdrawn.
    """
    Entrant.objects.filter(conditions.CLOSED_ACCOUNT, tournament=tournament).delete()
    signed_up = list(Entrant.objects.filter(tournament=tournament, user__isnull=False).select_related("user"))
    lacks = conditions.lacks_of(tournament.declared, [entrant.user for entrant in signed_up if entrant.user])
    left_out = [entrant for entrant in signed_up if entrant.user_id in lacks]
    if left_out:
        Entrant.objects.filter(pk__in=[entrant.pk for entrant in left_out]).delete()
        lead = _("When it was about to start, you no longer met its entry conditions.")
        with outbox.together([entrant.user for entrant in left_out if entrant.user]):
            for entrant in left_out:
                news.tell_removed(tournament, entrant, joined(lead, lacks[entrant.user_id or 0]))
        Intervention.objects.create(
            tournament=tournament, kind=InterventionKind.REMOVED, at=now,
            what=in_site_language(ngettext("{n} player", "{n} players", len(left_out)).format(n=len(left_out))),
            reason=gettext_noop("They no longer met the entry conditions at the start."),
        )  # fmt: skip
        news.tell_left_out(tournament, later(conditions.left_out, len(left_out)), now)
    return len(left_out)


def ready(tournament: Tournament) -> tuple[int, int]:
    """Return how many could start now, and how many players would be left out by the entry conditions.

    The first number counts players, or complete teams in a team league, which never leaves out anyone here.
    """
    terms = tournament.declared
    if terms.is_for_teams:
        return team_season.number_entered(tournament), 0
    rows = Entrant.objects.filter(tournament=tournament).exclude(conditions.CLOSED_ACCOUNT)
    entrants = list(rows.select_related("user"))
    lacking = len(conditions.lacks_of(terms, [entrant.user for entrant in entrants if entrant.user]))
    return len(entrants) - lacking, lacking


def begin(tournament: Tournament, now: datetime) -> None:
    """Seed the entrants and pair the first round. The row must be locked, and there must be enough entrants."""
    terms = tournament.declared
    kind = KINDS[terms.format]
    if terms.is_for_teams:
        tournament.rounds = tournament_rounds.rounds_of(terms, team_season.place_teams(tournament, now))
        tournament.state, tournament.started_at = TournamentState.RUNNING, now
        tournament.save()
        _go_on(tournament, now)
        return

    # 1. If there are too many, the last to sign up are left out, bots first.
    signed_up = Entrant.objects.filter(tournament=tournament).select_related("user")
    entrants = sorted(signed_up, key=lambda entrant: (bool(entrant.bot), entrant.joined_at, entrant.pk))
    most = formats.most(terms.format, terms.players, len(entrants))
    reason = gettext_noop("The players don’t divide evenly into matches, so the last to sign up are left out.")
    left_out, entrants = entrants[most:], entrants[:most]
    Intervention.objects.bulk_create(
        Intervention(tournament=tournament, kind=InterventionKind.REMOVED, what=entrant.name, reason=reason, at=now)
        for entrant in left_out
    )
    Entrant.objects.filter(pk__in=[entrant.pk for entrant in left_out]).delete()
    with outbox.together([entrant.user for entrant in left_out if entrant.user]):
        for entrant in left_out:
            news.tell_removed(tournament, entrant, _(reason))

    # 2. Seeds are by rating, then in the order of signing up.
    rated = RatedPlayer.objects.filter(ruleset=tournament.ruleset)
    users = [entrant.user_id for entrant in entrants if entrant.user_id]
    people = dict(rated.filter(user__in=users).values_list("user", "shown"))
    bots = dict(rated.exclude(bot="").values_list("bot", "shown"))
    for entrant in entrants:
        rating = people.get(entrant.user_id) if entrant.user_id else bots.get(current(entrant.bot))
        entrant.rating = rating or ratings.Rating().shown
    entrants.sort(key=lambda entrant: (-entrant.rating, entrant.joined_at, entrant.pk))

    # 3. Pools are made. Entrants who must not meet get different groups, or distant places in a bracket.
    numbers = {entrant.user_id: n for n, entrant in enumerate(entrants) if entrant.user_id}
    forbidden = apart.among(conditions.kept_apart(tournament), numbers)
    if kind.has_bracket:
        entrants = [entrants[n] for n in knockout.spread(range(len(entrants)), terms.players, forbidden)]
    groups = apart.exchanged(kind.pools(len(entrants), terms.players), forbidden)
    new_pools = Pool.objects.bulk_create(
        Pool(tournament=tournament, stage=1, number=n) for n in range(1, len(groups) + 1)
    )
    for pool, seeds in zip(new_pools, groups, strict=True):
        for seed in seeds:
            entrants[seed].pool, entrants[seed].seed = pool, seed + 1
    Entrant.objects.bulk_update(entrants, ["pool", "seed", "rating"])
    tournament.rounds = tournament_rounds.rounds_of(terms, len(entrants))
    tournament.state, tournament.started_at = TournamentState.RUNNING, now
    tournament.save()
    if kind.is_arena:  # matches begin when entrants ask for them
        Entrant.objects.filter(tournament=tournament).update(at_once=terms.at_once)
        tournament.round, tournament.look_at = 1, arenas.closes_at(tournament)
        tournament.save(update_fields=["round", "look_at"])
        save_standings(tournament)
        news.tell_arena_begins(tournament, entrants)
        return
    news.tell_begins(tournament, entrants)
    _go_on(tournament, now)


# From round to round


def _round_steps(tournament: Tournament, now: datetime) -> bool:
    running = lock_pools(tournament)
    if arenas.is_arena(tournament):
        save_standings(tournament)
        has_ended = arenas.pair_or_close(tournament, now)
        if has_ended:
            finish(tournament, now)
        return has_ended
    if KINDS[tournament.declared.format].has_bracket:
        for pool in running:
            _annul_decided(tournament, pool, now)
    save_standings(tournament)
    undecided = Match.objects.filter(pool__in=running, state__in=UNDECIDED)
    if tournament.declared.is_for_teams:
        return _match_day_steps(tournament, undecided, now)
    if undecided.exists():  # the organizer is notified once the round is late
        due_at = undecided.aggregate(at=Min("due_at"))["at"]
        if due_at <= now:
            news.tell_late(tournament)
        return _due_again(tournament, due_at if due_at > now else None)
    if (
        tournament.round < tournament.rounds and not KINDS[tournament.declared.format].has_bracket
    ):  # a bracket has places at the end only
        webhooks.round_ended(tournament)
    _end_round(tournament, running)
    _go_on(tournament, now)
    return True


def _match_day_steps(tournament: Tournament, undecided: QuerySet[Match], now: datetime) -> bool:
    """Begin the next match day of a team league when it is due, even if boards are still being played (L29).

    The league ends when all boards are decided, or when only one team has players left.
    """
    team_season.tell_results(tournament)
    check_at, due_at = [], undecided.aggregate(at=Min("due_at"))["at"]
    if due_at is not None and due_at <= now:
        news.tell_late(tournament)
    elif due_at is not None:
        check_at.append(due_at)
    if tournament.round < tournament.rounds and team_season.can_go_on(tournament):
        begins = team_season.day_begins(tournament, tournament.round + 1)
        remind_at = begins - team_season.BEFORE_DAY
        if begins <= now or due_at is None:
            webhooks.round_ended(tournament)
        if begins <= now:
            _go_on(tournament, now)
            return True
        if remind_at <= now:
            team_season.remind_of_day(tournament)
        check_at.append(remind_at if remind_at > now else begins)
    elif due_at is None:
        finish(tournament, now)
        return True
    return _due_again(tournament, min(check_at, default=None))


def _annul_decided(tournament: Tournament, pool: Pool, now: datetime) -> None:
    """Annul matches in which all remaining players advance. Bots finish their games for those who dropped out."""
    advancing = knockout.advancing_from_round(
        tournament.declared.players, is_last=tournament.round == tournament.rounds
    )
    running = Match.objects.filter(pool=pool, round=tournament.round, state__in=UNDECIDED)
    reason = gettext_noop("The players who dropped out can’t advance, so the match is already decided.")
    for match in running.prefetch_related("appearances__entrant"):
        if sum(appearance.entrant.is_playing for appearance in match.appearances.all()) <= advancing:
            pools.annul(match, now)
            pools.record_in_pool(pool, InterventionKind.ANNULLED, now, match=match, reason=reason)


def _end_round(tournament: Tournament, running: Sequence[Pool]) -> None:
    """Store the order at each table of a bracket, and notify those who advance and those who are eliminated."""
    if not KINDS[tournament.declared.format].has_bracket:
        return
    (pool,) = running
    ((_pool, entrants, played),) = tournament_rounds.read([pool])
    orders = knockout.orders(tournament_rounds.progress(tournament, pool, entrants, played))
    tournament.bracket = [*tournament.bracket, orders]
    tournament.save(update_fields=["bracket"])
    if tournament.round < tournament.rounds:
        number = knockout.advancing(tournament.declared.players)
        first = [entrants[seed] for order in orders for seed in order[:number]]
        advancing = [entrant for entrant in first if entrant.is_playing]
        ids = {entrant.pk for entrant in advancing}
        eliminated = [entrants[seed] for order in orders for seed in order if entrants[seed].pk not in ids]
        Entrant.objects.filter(pk__in=[entrant.pk for entrant in eliminated]).update(place=len(advancing) + 1)
        news.tell_through(tournament, pool, advancing)
        news.tell_out(tournament, [entrant for entrant in eliminated if entrant.is_playing])


def _go_on(tournament: Tournament, now: datetime) -> None:
    """Start the next round that has a match, or end the tournament."""
    while tournament.round < tournament.rounds:
        tournament.round += 1
        tournament.save(update_fields=["round"])
        if _pair_round(tournament, now):
            save_standings(tournament)
            webhooks.round_paired(tournament)
            return
        _end_round(tournament, lock_pools(tournament))
    finish(tournament, now)


def _pair_round(tournament: Tournament, now: datetime) -> bool:
    """Pair this round and create its matches. Return whether it has any."""
    kind = KINDS[tournament.declared.format]
    if kind.finalists and tournament.round == tournament.rounds:
        _begin_final(tournament, now)
    due_at = now + timedelta(days=tournament.declared.days_a_round)
    pairs = conditions.kept_apart(tournament)
    if tournament.declared.is_for_teams:
        (pool,) = lock_pools(tournament)
        team_season.begin_match_day(tournament, pool, now, due_at)
        Tournament.objects.filter(pk=tournament.pk).update(look_at=now)
        return True
    running = lock_pools(tournament)
    laid_out = set(Match.objects.filter(pool__in=running, round=tournament.round).values_list("pool", flat=True))
    planned: list[tuple[Match, Sequence[Entrant]]] = []
    with_bye: list[Entrant] = []
    to_notify: list[Entrant] = []
    for pool, members, played in tournament_rounds.read(running):
        entrants = {entrant.pk: entrant for entrant in members}
        forbidden = apart.among(pairs, {entrant.user_id: entrant.pk for entrant in members if entrant.user_id})
        pairing = kind.pair(tournament_rounds.progress(tournament, pool, members, played, forbidden))
        if not kind.has_bracket and pool.stage != tournament_rounds.FINAL:  # in those, forbidden pairings are played
            pairing = pairing.without(forbidden)
        tables = [[entrants[pk] for pk in table] for table in pairing.tables]
        byes = [entrants[pk] for pk in pairing.byes]
        with_bye += byes
        new = [] if pool.pk in laid_out else pools.plan(pool, tournament.round, tables, start_by=now, due_at=due_at)
        planned += new
        to_notify += byes if new else []
    Entrant.objects.filter(pk__in=[entrant.pk for entrant in with_bye]).update(byes=F("byes") + 1)
    matches = pools.write(planned)
    news.tell_byes(tournament, to_notify)
    begin_soon = {match.pool_id for match in matches}
    Pool.objects.filter(pk__in=begin_soon).update(look_at=now)
    for pk in sorted(begin_soon):
        delay_on_commit("games.tasks.look_at_pool", pk)
    Tournament.objects.filter(pk=tournament.pk).update(look_at=due_at)
    return bool(matches)


def _begin_final(tournament: Tournament, now: datetime) -> None:
    """Start the final of the best entrants of all groups who have not dropped out."""
    terms, ended = tournament.declared, lock_pools(tournament)
    ranked = []
    for _pool, members, played in tournament_rounds.read(ended):
        playing = {entrant.pk for entrant in members if entrant.is_playing}
        ranked.append([line for line in tournament_rounds.lines_of(terms, members, played) if line.entrant in playing])
    choose = KINDS[terms.format].finalists
    assert choose is not None
    chosen = choose([lines for lines in ranked if lines], terms.players)
    end_pools(ended, now)
    final = Pool.objects.create(tournament=tournament, stage=tournament_rounds.FINAL, number=1)
    Entrant.objects.filter(pk__in=chosen).update(pool=final)
    news.tell_final(tournament, final)


# The end


def lock_pools(tournament: Tournament) -> list[Pool]:
    """Lock and return the pools in which the tournament is being played."""
    running = Pool.objects.select_for_update(no_key=True).filter(tournament=tournament, ended_at=None)
    return list(running.order_by("pk"))


def end_pools(ended: Sequence[Pool], now: datetime) -> None:
    Pool.objects.filter(pk__in=[pool.pk for pool in ended]).update(ended_at=now, look_at=None)


def save_standings(tournament: Tournament) -> None:
    """Store the standings as pages show them."""
    tournament.counted = Match.objects.filter(pool__tournament=tournament, state=MatchState.ENDED).count()
    if not KINDS[tournament.declared.format].has_bracket and not tournament.declared.is_for_teams:
        pools_read = tournament_rounds.read(Pool.objects.filter(tournament=tournament).order_by("stage", "number"))
        by_pool = [tournament_rounds.pool_standings(tournament.declared, *pool_read) for pool_read in pools_read]
        tournament.standings = msgspec.to_builtins(by_pool)
    tournament.save(update_fields=["counted", "standings"])


def finish(tournament: Tournament, now: datetime) -> None:
    """Store the final places, end the tournament, award badges and notify the entrants."""
    save_standings(tournament)
    is_for_teams = tournament.declared.is_for_teams
    places = team_season.final_places(tournament) if is_for_teams else tournament_rounds.final_places(tournament)
    field = tournament.teams.count() if is_for_teams else len(places)
    entrants = list(Entrant.objects.filter(tournament=tournament).select_related("user"))
    for entrant in entrants:
        entrant.place = places[entrant.pk]
    Entrant.objects.bulk_update(entrants, ["place"])
    end_pools(lock_pools(tournament), now)
    tournament.state, tournament.ended_at, tournament.look_at = TournamentState.ENDED, now, None
    tournament.save(update_fields=["state", "ended_at", "look_at"])

    # Badges are for the winner, and for second and third place within the better half of the field (C11).
    for entrant in entrants:
        honor = PODIUM.get(entrant.place or 0)
        if is_for_teams and not entrant.played:  # badges of a team are only for players who have played for it
            continue
        is_deserved = entrant.place == 1 or 2 * (entrant.place or 0) <= field
        if honor and is_deserved and entrant.user_id and not entrant.left_at:
            Badge.objects.get_or_create(
                user_id=entrant.user_id, honor=honor, tournament=tournament, defaults={"at": now}
            )
    webhooks.tournament_ended(tournament)
    if is_for_teams:
        team_season.close_invitations(TeamInvitation.objects.filter(team__tournament=tournament))
        team_season.tell_ended(tournament)
        team_season.open_next(tournament, now)
    else:
        news.tell_ended(tournament, entrants)
