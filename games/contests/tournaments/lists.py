"""Lists of tournaments, the outlook of a tournament's terms, and the choices for interventions."""

from dataclasses import dataclass
from math import ceil
from typing import Any

from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _

from empire.prepared import Prepared
from games.contests.matches.selectors import MatchLine, match_lines
from games.contests.models import Entrant, Match, MatchState, Tournament, TournamentState
from games.contests.models.tournament import ON
from games.contests.pairing import formats
from games.contests.pairing.formats import KINDS
from games.contests.terms import fitting
from games.contests.terms.declaration import TournamentTerms
from games.contests.tournaments.rounds import rounds_of
from games.rules.protocol import IllegalAction
from games.tables.selectors.rights import Reader, is_person

LISTED = 50  # per list
ENDED_LISTED = 20
NEXT = 2  # tournaments to recommend


@dataclass(frozen=True)
class Lists:
    """Lists of tournaments. `own` are those not ended that the reader plays in or organizes."""

    own: list[Tournament]
    open: list[Tournament]
    running: list[Tournament]
    ended: list[Tournament]


def lists(reader: Reader) -> Lists:
    """Return the lists of tournaments for a reader. The reader's own are in none of the lists of others under way."""
    under_way = list(_listed(Tournament.objects.filter(state__in=ON))[: 2 * LISTED])
    own: list[Tournament] = []
    if is_person(reader):
        playing = Entrant.objects.filter(user=reader, left_at=None, tournament__isnull=False).values("tournament")
        own = list(_listed(Tournament.objects.filter(Q(pk__in=playing) | Q(organizer=reader), state__in=ON)))
    own_ids = {tournament.pk for tournament in own}
    others = [tournament for tournament in under_way if tournament.pk not in own_ids]
    return Lists(
        own=own,
        open=[tournament for tournament in others if tournament.is_open],
        running=[tournament for tournament in others if tournament.is_running],
        ended=list(_listed(Tournament.objects.filter(state=TournamentState.ENDED))[:ENDED_LISTED]),
    )


def _next_open(**filters: str) -> QuerySet[Tournament]:
    rows = _counted(Tournament.objects.filter(state=TournamentState.SIGN_UP, **filters))
    return rows.order_by(F("starts_at").asc(nulls_last=True), "pk")[:LISTED]


NEXT_OPEN = Prepared(_next_open)
NEXT_OPEN_OF = Prepared(lambda ruleset: _next_open(ruleset=ruleset))


def next_open(ruleset: str = "") -> list[Tournament]:
    """Return the tournaments that start next, with free places, of one ruleset or all."""
    rows = NEXT_OPEN_OF(ruleset) if ruleset else NEXT_OPEN()
    return [tournament for tournament in rows if _taken(tournament) < tournament.declared.seats][:NEXT]


def _taken(tournament: Any) -> int:
    """Return how many places of a listed tournament are taken: those of players, or of teams."""
    return tournament.formed if tournament.declared.is_for_teams else tournament.entered


def _listed(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    return _counted(rows).select_related("organizer").order_by("-opened_at")


def _counted(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Add how many entrants there are, and how many teams that the organizer has not removed."""
    formed = Count("teams", filter=Q(teams__is_out=False), distinct=True)
    return rows.defer("standings", "bracket").annotate(entered=Count("entrants", distinct=True), formed=formed)


# The outlook of terms


@dataclass(frozen=True)
class Outlook:
    """The outlook of terms for a number of entrants: rounds, matches per player, likely days and the limit in days."""

    entrants: int
    rounds: int
    fewest_matches: int
    most_matches: int
    days_a_match: int
    days: int
    longest_days: int
    is_arena: bool = False

    @property
    def is_even(self) -> bool:
        return self.fewest_matches == self.most_matches


def outlook(terms: TournamentTerms) -> Outlook | None:
    """Return the outlook for a full field, or for the most entrants that the format takes; None if too few."""
    number = formats.most(terms.format, terms.players, terms.seats)
    if not number:
        return None
    try:
        rounds = rounds_of(terms, number)
        few, many = KINDS[terms.format].matches(number, terms.players, rounds)
        each = fitting.match_days(terms, fitting.decisions(terms.ruleset, terms.players, terms.options))
    except IllegalAction:
        return None
    if KINDS[terms.format].is_arena:
        likely = max(int(terms.days / each * terms.at_once), 1)
        return Outlook(number, 1, 0, likely, ceil(each), terms.days, terms.days + terms.days_a_round, is_arena=True)
    return Outlook(number, rounds, few, many, ceil(each), ceil(each * rounds), terms.days_a_round * rounds)


# Choices for interventions


def entrants_to_decide_on(tournament: Tournament) -> list[tuple[int, str]]:
    """Return the entrants who still have something to play, by name; those who dropped out come last."""
    rows = Entrant.objects.filter(tournament=tournament, place=None, pool__ended_at=None)
    entrants = rows.order_by("name", "pk").values_list("pk", "name")
    dropped_out = entrants.filter(left_at__isnull=False)
    labels = [(pk, _("{name} (dropped out)").format(name=name)) for pk, name in dropped_out]
    return [*entrants.filter(left_at=None), *labels]


def matches_to_decide_on(tournament: Tournament) -> list[MatchLine]:
    """Return the matches that count or are being played; in a bracket only those of this round."""
    matches = Match.objects.filter(pool__tournament=tournament, pool__ended_at=None)
    if KINDS[tournament.declared.format].has_bracket:
        matches = matches.filter(round=tournament.round)
    matches = matches.exclude(state=MatchState.ANNULLED).prefetch_related("appearances__entrant")
    players = ((match, [seat.entrant for seat in match.appearances.all()]) for match in matches)
    return match_lines(players, tournament)
