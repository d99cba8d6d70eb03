"""A match as its page shows it: players, result, interventions, and what its reader may decide."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from empire.prepared import Prepared
from empire.web.languages import display_name
from games.contests import interventions, organizers
from games.contests.interventions import DECIDING, last_decision
from games.contests.ladders import selectors as ladders
from games.contests.leagues.divisions import address, division_name
from games.contests.leagues.entrants import GRACE
from games.contests.models import (
    Appearance,
    Challenge,
    Entrant,
    Intervention,
    InterventionKind,
    League,
    Match,
    MatchState,
    Season,
    Tournament,
)
from games.contests.models.pools import UNDECIDED
from games.contests.pairing.formats import KINDS
from games.contests.pools import ends_matches, scores_of
from games.errors import NotFound
from games.tables.models import FullStatus, Game
from games.tables.selectors.rights import Reader, is_person

URGENCY = (MatchState.PLAYING, MatchState.WAITING, MatchState.ENDED, MatchState.ANNULLED)


@dataclass(frozen=True)
class MatchView:
    """A match for one reader. `decision` is the intervention that gave it its result, if the game did not.

    `is_mine`: the reader is one of its entrants.
    `plays`: the reader organizes the competition but plays in it, and so may not decide. `for_staff`: why only
    staff may decide the match, if they have decided it, or have undone a decision of a reader who organizes it.
    """

    match: Match
    of: Season | Tournament
    seats: list[Appearance]
    is_mine: bool
    decision: Intervention | None
    interventions: list[Intervention]
    may_organize: bool
    plays: bool
    for_staff: str

    @property
    def title(self) -> str:
        return " – ".join(display_name(appearance.entrant.name) for appearance in self.seats)

    @property
    def by_place(self) -> list[Appearance]:
        """Return the seats by place; in seat order while the match is undecided."""
        return sorted(self.seats, key=lambda appearance: (appearance.place or 0, appearance.seat))

    @property
    def where(self) -> str:
        """Return the name of the division, or of the tournament."""
        pool = self.match.pool
        return division_name(pool.tier, pool.number) if pool.season else str(self.of)

    @property
    def url_of_pool(self) -> str:
        pool = self.match.pool
        if pool.season is None:
            return self.of.get_absolute_url()
        return reverse("division", args=[pool.season.league.slug, pool.season.number, pool.tier, pool.number])

    @property
    def url_of_game(self) -> str:
        return address(self.match) if self.match.game_id else ""

    @property
    def is_awarded(self) -> bool:
        return self.decision is not None and self.decision.kind == InterventionKind.AWARDED

    @property
    def is_annulled(self) -> bool:
        return self.match.state == MatchState.ANNULLED

    @property
    def is_undecided(self) -> bool:
        return self.match.state in UNDECIDED

    @property
    def ends_by(self) -> datetime:
        """Return when it should end: in a season a week before it is finished without its players (L8)."""
        return self.match.due_at - GRACE if self.match.pool.season_id else self.match.due_at

    @property
    def ends_late(self) -> bool:
        """Return whether it is finished without its players when its time is up."""
        return ends_matches(self.match.pool)

    @property
    def slowest(self) -> str:
        """Return the name of the player whose result bots could not improve (L33), if that decided the match."""
        if self.match.state != MatchState.ENDED or self.is_awarded:
            return ""
        score = scores_of(self.match).filter(kept_waiting__isnull=False).first()
        if score is None:
            return ""
        names = (display_name(appearance.entrant.name) for appearance in self.seats if appearance.seat == score.seat)
        return next(names, "")

    @property
    def why_final(self) -> str:
        """Return why the result can no longer be changed, or an empty text."""
        if self.match.pool.ended_at is not None:
            return gettext("The results of this competition are final.")
        if self.for_staff:
            return self.for_staff
        tournament = self.match.pool.tournament
        if tournament and KINDS[tournament.declared.format].has_bracket and self.match.round < tournament.round:
            return gettext("The next round has started based on this result, so it is final.")
        return ""


def match(pk: int, reader: Reader) -> MatchView:
    """Return a match as its page shows it. Raises `NotFound`."""
    rows = Match.objects.select_related("pool__season__league", "pool__tournament", "game")
    match = rows.filter(pk=pk).first()
    scope = (match.pool.season or match.pool.tournament) if match else None
    if match is None or scope is None:
        raise NotFound
    seats = Appearance.objects.filter(match=match).select_related("entrant__user").order_by("seat")
    interventions_made = Intervention.objects.filter(match=match)
    interventions_made = interventions_made.select_related("by", "undone_by", "pool", "match").order_by("-pk")
    organizes = may_organize(scope, reader)
    plays = organizes and is_person(reader) and interventions.plays_in(scope, reader)
    decision = last_decision(match)
    for_staff = ""
    if organizes and is_person(reader) and not organizers.acts_as_staff(interventions.competition_of(scope), reader):
        is_decision = Q(match=match, undoes__kind__in=interventions.DECIDING)
        if decision is not None and decision.as_staff:
            for_staff = interventions.staff_decided()
        elif interventions.is_undone_by_staff(scope, is_decision, reader):
            for_staff = interventions.staff_undid()
    return MatchView(
        match=match, of=scope, seats=list(seats),
        is_mine=is_person(reader) and any(appearance.entrant.user_id == reader.pk for appearance in seats),
        decision=decision, interventions=list(interventions_made), may_organize=organizes, plays=plays,
        for_staff=for_staff,
    )  # fmt: skip


@dataclass(frozen=True)
class MatchLine:
    """A match in the list from which an organizer chooses one. `round` is empty in an arena."""

    pk: int
    title: str
    round: str
    state: str


def match_lines(matches: Iterable[tuple[Match, list[Entrant]]], scope: Season | Tournament) -> list[MatchLine]:
    """Return matches in the order in which an organizer looks for them. Each comes with its entrants in seat order.

    Overdue and running ones are first, then those of the latest round, then by name.
    """
    now, terms = timezone.now(), None if isinstance(scope, Season) else scope.declared
    is_arena = terms is not None and KINDS[terms.format].is_arena
    label = gettext("Match day %(n)s") if terms is not None and terms.is_for_teams else gettext("Round %(n)s")
    lines = list[tuple[tuple[int, int, str], MatchLine]]()
    for match, entrants in matches:
        is_late = match.state in UNDECIDED and match.due_at < now
        title = " – ".join(display_name(entrant.name) for entrant in entrants)
        state = gettext("overdue") if is_late else match.get_state_display()
        line = MatchLine(match.pk, title, "" if is_arena else label % {"n": match.round}, state)
        lines.append(((-1 if is_late else URGENCY.index(match.state), -match.round, title.casefold()), line))
    return [line for _key, line in sorted(lines, key=lambda keyed: keyed[0])]


def interventions_in(competition: League | Tournament) -> QuerySet[Intervention]:
    """Return all interventions in a tournament, or in all seasons of a league, latest first."""
    in_scope = Q(season__league=competition.pk) if isinstance(competition, League) else Q(tournament=competition.pk)
    rows = Intervention.objects.filter(in_scope).select_related("by", "season", "undone_by", "pool", "match")
    return rows.order_by("-pk")


def may_organize(scope: Season | Tournament, reader: Reader) -> bool:
    return is_person(reader) and interventions.may_decide(scope, reader)


def consequences(intervention: Intervention) -> list[str]:
    """Return sentences that say what undoing the intervention does."""
    rated = gettext("Standings change immediately, and ratings are recalculated within minutes.")
    if intervention.match is not None and intervention.kind in DECIDING:
        last = last_decision(intervention.match)
        if last is not None and last.pk > intervention.pk:
            later = gettext("A later decision about this match stays in force, so its result doesn’t change now.")
            return [later, gettext("Everyone involved is notified.")]
    sentences = {
        InterventionKind.AWARDED: [gettext("The result of its game, or the previous decision, counts again."), rated],
        InterventionKind.ANNULLED: [gettext("The result of its game, or the previous decision, counts again."), rated],
        InterventionKind.EXTENDED: [gettext("The earlier deadline applies again.")],
        InterventionKind.REMOVED: [gettext("They get their place back, unless someone else has taken it.")],
        InterventionKind.BANNED: [
            gettext("They can sign up again. To give them back a place they lost, undo that removal too.")
        ],
        InterventionKind.MOVED: [gettext("They are placed as if they had never been moved.")],
    }
    if intervention.kind == InterventionKind.REMOVED and intervention.pool_id is not None:
        sentences[InterventionKind.REMOVED].append(
            gettext("The bot keeps the games it has taken over, but matches that have not started are theirs again.")
        )
    return [*sentences.get(InterventionKind(intervention.kind), []), gettext("Everyone involved is notified.")]


# The competition of a game


class Competition(NamedTuple):
    """A link to the competition of a game: the division of a league, a tournament, a ladder or a duplicate.

    `button` is the text of a button that leads there. `result` says what an ended match changed on a ladder.
    """

    name: str
    url: str
    button: str
    result: str = ""


MATCHES = Prepared(
    lambda game, full_game: Match.objects.filter(Q(game=game) | Q(full_game=full_game)).annotate(
        league=F("pool__season__league__name"), slug=F("pool__season__league__slug"), season=F("pool__season__number"),
        tier=F("pool__tier"), division=F("pool__number"), tournament=F("pool__tournament__name"),
        tournament_id=F("pool__tournament__public_id"),
    )
)  # fmt: skip
CHALLENGES = Prepared(
    lambda game, full_game: Challenge.objects.filter(Q(game=game) | Q(full_game=full_game)).annotate(
        ruleset=F("ladder__ruleset")
    )
)


def competition_of(game: Game) -> Competition | None:
    """Return the competition that the game is or was played in.

    Nothing is read for a game that someone opened: competitions seat the players of their games themselves.
    """
    if game.duplicate is not None:
        return Competition(gettext("Duplicate"), game.duplicate.get_absolute_url(), gettext("Go to the duplicate"))
    if game.opener_id is not None:
        return None
    ids = game.pk, game.full_game_id or 0
    match: Any  # with its annotations, as the challenge below
    challenge: Any
    for match in MATCHES(*ids):
        if match.league:
            url = reverse("division", args=[match.slug, match.season, match.tier, match.division])
        else:
            url = reverse("tournament", args=[match.tournament_id])
        name = match.league or match.tournament
        return Competition(name, url, gettext("Go to {name}").format(name=name))
    for challenge in CHALLENGES(*ids):
        url, is_over = reverse("ladder", args=[challenge.ruleset]), game.is_finished
        if is_over and game.full_game is not None:
            is_over = game.full_game.status == FullStatus.FINISHED
        result = ladders.result(challenge) if is_over else ""
        return Competition(gettext("Ladder"), url, gettext("Go to the ladder"), result)
    return None
