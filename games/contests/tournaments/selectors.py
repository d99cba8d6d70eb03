"""Tournaments as their pages show them.

A page needs the same few queries for any number of entrants, because standings are stored (`sweep.save_standings`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from math import ceil
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone

from accounts.http import whole_number
from games.contests import interventions
from games.contests.gates.conditions import Gate, gate, pairs_apart
from games.contests.models import Appearance, Entrant, Intervention, Match, MatchState, Tournament
from games.contests.models.pools import UNDECIDED
from games.contests.models.scores import in_contest
from games.contests.organizing.selectors import OrganizerTexts, ShownOrganizers, organizer_texts, shown_organizers
from games.contests.pairing import knockout
from games.contests.pairing.crosstable import TIE_BREAKS, TieBreak
from games.contests.pairing.formats import KINDS
from games.contests.terms.declaration import TournamentTerms
from games.contests.tournaments import arenas, news
from games.contests.tournaments import sweep as tournament_steps
from games.contests.tournaments.lists import Outlook, outlook
from games.contests.tournaments.rounds import FINAL, RELATIVE, PoolStandings, StandingsRow, stored_standings
from games.errors import NotFound
from games.notices.outbox.words import enumerated
from games.tables.models import Game, Seat
from games.tables.models.game import Status
from games.tables.selectors.options import Chosen, chosen
from games.tables.selectors.rights import Reader, is_person

ON_A_PAGE = 64  # lines of standings per page
MOST_INTERVENTIONS = 50
LATEST = 24  # matches of an arena on its page


class ShownSeat(NamedTuple):
    """A seat at a match, as shown on a page."""

    match: int
    round: int
    number: int
    stage: int
    pool: int
    state: str
    due_at: datetime
    full_game: int | None
    game: int | None
    public_id: str | None
    entrant: int
    seat: int
    place: int | None
    points: int | None
    score: int | None


SEAT_COLUMNS = (
    "match", "match__round", "match__number", "match__pool__stage", "match__pool__number", "match__state",
    "match__due_at", "match__full_game", "match__game", "match__game__public_id",
    "entrant", "seat", "place", "points", "score",
)  # fmt: skip


class Player(NamedTuple):
    """An entrant, as shown on a page. If `user` is null, it is a bot or a deleted account."""

    pk: int
    name: str
    user: int | None
    bot: str
    seed: int
    rating: int
    stage: int | None
    pool: int | None
    has_left: datetime | None
    place: int | None


@dataclass(frozen=True)
class ShownMatch:
    """A match with its players. `url`: name and argument. `is_over`: it counts; `is_void`: it does not."""

    round: int
    number: int
    stage: int
    pool: int
    state: str
    due_at: datetime
    url: tuple[str, str] | None
    seat_rows: list[ShownSeat]
    players: Mapping[int, Player]

    @property
    def is_over(self) -> bool:
        return self.state == MatchState.ENDED

    @property
    def is_void(self) -> bool:
        return self.state == MatchState.ANNULLED

    @property
    def seats(self) -> list[tuple[Player, ShownSeat]]:
        """Return the players with their seats: best first once the match is over, in seat order before."""
        ordered = sorted(self.seat_rows, key=lambda seat: (seat.place or 0, seat.seat))
        return [(self.players[seat.entrant], seat) for seat in ordered]


@dataclass(frozen=True)
class OwnPart:
    """The reader's part of a tournament: their `entrant`, and the match and game they play in this round."""

    entrant: Player
    match: ShownMatch | None = None
    game: Game | None = None
    seat: Seat | None = None

    @property
    def is_my_turn(self) -> bool:
        return self.seat is not None and self.seat.owes


@dataclass(frozen=True)
class ShownStandings:
    """Standings with their players. `columns` are the tie-breaks that have figures."""

    of_pool: PoolStandings
    players: Mapping[int, Player]
    rows: Sequence[StandingsRow]
    columns: Sequence[tuple[str, TieBreak]]

    @property
    def address(self) -> str:
        """Return the id of the standings on the page."""
        return f"{self.of_pool.stage}-{self.of_pool.number}"

    @property
    def is_final(self) -> bool:
        return self.of_pool.stage == FINAL

    @property
    def lines(self) -> Iterator[tuple[StandingsRow, Player, list[int]]]:
        for row in self.rows:
            yield row, self.players[row.entrant], [row.figures.get(name, 0) for name, _of in self.columns]


class Playing(NamedTuple):
    """A match of the reader in an arena: the opponents, the game to play now, and the reader's seat in it."""

    names: str
    game: Game | None
    seat: Seat | None

    @property
    def is_my_turn(self) -> bool:
        return self.seat is not None and self.seat.owes


@dataclass(frozen=True)
class ArenaView:
    """An arena that has started, and the reader's matches in it. `matches_so_far` counts all of them.

    `takes_entrants`: people can still join and ask for matches. `waits_since`: when the reader asked for a match that
    has not begun. `waiting` is how many others wait. `playing` starts with matches in which it is the reader's turn.
    """

    closes_at: datetime
    takes_entrants: bool
    waits_since: datetime | None = None
    waiting: int = 0
    playing: Sequence[Playing] = ()
    over: int = 0
    matches_so_far: int = 0
    most: int = 0

    @property
    def may_ask(self) -> bool:
        return self.takes_entrants and self.waits_since is None and len(self.playing) < self.most


@dataclass(frozen=True)
class TournamentView:
    tournament: Tournament
    terms: TournamentTerms
    players: Mapping[int, Player]
    matches: list[ShownMatch]
    interventions: list[Intervention]
    own_part: OwnPart | None
    organizers: ShownOrganizers
    gate: Gate
    written: OrganizerTexts
    shown_round: int
    page: int = 1
    outlook: Outlook | None = None
    arena: ArenaView | None = None
    unwelcome: str = ""  # why the reader may not sign up, if the organizer keeps them out

    @property
    def has_more_interventions(self) -> bool:
        """Whether there may be more than the latest ones, which are shown."""
        return len(self.interventions) == MOST_INTERVENTIONS

    @property
    def is_organizer(self) -> bool:
        return bool(self.organizers.rights)

    @property
    def is_knockout(self) -> bool:
        return KINDS[self.terms.format].has_bracket

    @property
    def is_groups(self) -> bool:
        return KINDS[self.terms.format].finalists is not None

    @property
    def format(self) -> str:
        return KINDS[self.terms.format].sentence

    @property
    def chosen(self) -> list[Chosen]:
        """Return the options that differ from the default."""
        return chosen(self.terms)

    @property
    def advancing(self) -> int:
        """Return how many entrants of a knockout table advance."""
        return knockout.advancing(self.terms.players)

    @property
    def tie_breaks(self) -> list[tuple[str, TieBreak]]:
        return [(name, TIE_BREAKS[name]) for name in self.terms.tie_breaks]

    @property
    def free(self) -> int:
        return max(self.terms.seats - len(self.players), 0)

    @property
    def fewest(self) -> int:
        return tournament_steps.fewest(self.terms)

    @property
    def entrants(self) -> list[Player]:
        return list(self.players.values())

    @property
    def this_round(self) -> list[ShownMatch]:
        """Return the matches of the round to show; in an arena the latest ones, newest first."""
        shown = [match for match in self.matches if match.round == self.shown_round]
        return shown[::-1] if self.arena else shown

    @property
    def ends_by(self) -> datetime | None:
        """Return when the current round should be over; None if that time has passed, and in an arena."""
        if self.arena or not self.tournament.is_running:
            return None
        current = (match for match in self.matches if match.round == self.tournament.round)
        due_at = max((match.due_at for match in current if match.state in UNDECIDED), default=None)
        return due_at if due_at is not None and due_at > timezone.now() else None

    @cached_property
    def byes(self) -> list[Player]:
        """Return the players who have a bye in the current round, if it is the one shown."""
        if (
            self.shown_round != self.tournament.round
            or not self.tournament.is_running
            or self.is_knockout
            or self.arena
        ):
            return []
        seated = {seat.entrant for match in self.this_round for seat in match.seat_rows}
        final = {player.pk for player in self.players.values() if player.stage == FINAL}
        return [
            player
            for player in self.players.values()
            if player.pk not in seated and not player.has_left and (not final or player.pk in final)
        ]

    @property
    def is_group_over(self) -> bool:
        """Whether the final is being played without the reader."""
        is_final = self.is_groups and self.tournament.is_running and self.tournament.round == self.tournament.rounds
        return is_final and self.own_part is not None and self.own_part.entrant.stage != FINAL

    @property
    def after_bye(self) -> str:
        """Return what an entrant with a bye in the current round can expect after it."""
        return str(news.after_bye(self.tournament))

    @property
    def rounds(self) -> range:
        """Return the rounds that have started."""
        return range(1, self.tournament.round + 1)

    @cached_property
    def podium(self) -> list[Player]:
        """Return the first three places, once the tournament has ended."""
        if not self.tournament.has_ended:
            return []
        players = [player for player in self.players.values() if not player.has_left and player.place in (1, 2, 3)]
        return sorted(players, key=_by_place)

    @cached_property
    def standings(self) -> list[ShownStandings]:
        """Return the standings to show: the final first, then the groups. Long standings are paged."""
        names = [name for name in self.terms.tie_breaks if name not in RELATIVE]
        columns = [(name, TIE_BREAKS[name]) for name in names]
        first = (self.page - 1) * ON_A_PAGE if not self.is_groups else 0
        return [
            ShownStandings(of_pool, self.players, of_pool.rows[first : first + ON_A_PAGE], columns)
            for of_pool in stored_standings(self.tournament)
        ]

    @property
    def pages(self) -> int:
        return max(ceil(len(self.players) / ON_A_PAGE), 1)

    @cached_property
    def final_list(self) -> list[Player]:
        """Return all players by place, once a knockout or a tournament with groups has ended."""
        return sorted(self.players.values(), key=_by_place) if self.tournament.has_ended else []


def _by_place(player: Player) -> tuple[int, int]:
    return player.place or 0, player.seed


def tournament(*, public_id: str, reader: Reader, number: str = "", page: str = "", invite: str = "") -> TournamentView:
    """Return a tournament as its page shows it. Raises `NotFound`.

    `number` is the round to show, the current one by default. `invite` is the token of the invitation link.
    """
    rows = Tournament.objects.select_related("organizer").annotate(apart=pairs_apart("tournament"))
    tournament = rows.filter(public_id=public_id).first()
    if tournament is None:
        raise NotFound
    terms = tournament.declared
    players = players_of(tournament)
    shown = _within(number, tournament.round) or tournament.round
    kind = KINDS[terms.format]
    matches = matches_of(
        tournament, players, None if kind.has_bracket else {shown, tournament.round}, LATEST if kind.is_arena else 0
    )
    pages = max(ceil(len(players) / ON_A_PAGE), 1)
    interventions_made = Intervention.objects.filter(tournament=tournament).select_related(
        "by", "undone_by", "pool", "match"
    )
    latest_interventions = interventions_made.order_by("-pk")[:MOST_INTERVENTIONS]
    organizers = shown_organizers(tournament, reader)
    own_part = _own_part(reader, tournament, players, () if kind.is_arena else matches)
    arena = _arena(tournament, own_part) if kind.is_arena and tournament.started_at else None
    can_come = is_person(reader) and own_part is None and (tournament.is_open or bool(arena and arena.takes_entrants))
    return TournamentView(
        tournament=tournament, terms=terms, players=players, matches=matches,
        interventions=list(latest_interventions),
        own_part=own_part,
        gate=gate(
            tournament, terms, reader, is_organizer=bool(organizers.rights), has_entered=own_part is not None,
            apart=tournament.apart, token=invite,
        ),
        written=organizer_texts(tournament),
        organizers=organizers,
        shown_round=shown, page=_within(page, pages) or 1,
        outlook=outlook(terms) if tournament.is_open else None,
        arena=arena,
        unwelcome=interventions.why_unwelcome(tournament, reader) if can_come else "",
    )  # fmt: skip


def _arena(tournament: Tournament, own_part: OwnPart | None) -> ArenaView:
    """Return an arena that has started as its page shows it. Only entrants who have not left see matches."""
    now, closes_at = timezone.now(), arenas.closes_at(tournament)
    takes_entrants, most = arenas.takes_entrants(tournament, now), tournament.declared.at_once
    if own_part is None or own_part.entrant.has_left or not tournament.is_running:
        return ArenaView(closes_at, takes_entrants, most=most)
    own_entrant = Entrant.objects.get(pk=own_part.entrant.pk)
    others = Entrant.objects.filter(tournament=tournament, waits_since__isnull=False).exclude(pk=own_entrant.pk)
    over, matches_so_far = arenas.matches_played(tournament, own_entrant.pk)
    playing: list[Playing] = []
    undecided = Match.objects.filter(pool__tournament=tournament, appearances__entrant=own_entrant, state__in=UNDECIDED)
    for match in undecided.order_by("pk").prefetch_related("appearances__entrant"):
        entrants = [appearance.entrant for appearance in match.appearances.all()]
        names = enumerated([entrant.name for entrant in entrants if entrant != own_entrant])
        contest = in_contest(match, "game__full_game")
        seats = Seat.objects.filter(contest, owner=own_entrant.user_id, game__status=Status.RUNNING)
        seat = seats.select_related("game").first()
        playing.append(Playing(names, seat.game if seat else match.game, seat))
    playing.sort(key=lambda match: not match.is_my_turn)
    return ArenaView(
        closes_at, takes_entrants, own_entrant.waits_since, others.count(), playing, over, matches_so_far, most
    )  # fmt: skip


def _within(text: str, most: int) -> int:
    """Parse a number from 1 to `most` from the query string; 0 if it is anything else."""
    number = whole_number(text, digits=5) or 0
    return number if 1 <= number <= most else 0


def players_of(tournament: Tournament) -> dict[int, Player]:
    """Return the players by seed; before the start, in the order in which they signed up."""
    rows = Entrant.objects.filter(tournament=tournament).order_by("seed", "joined_at", "pk")
    values = rows.values_list(
        "pk", "name", "user", "bot", "seed", "rating", "pool__stage", "pool__number", "left_at", "place"
    )
    players = [Player(*columns) for columns in values]
    return {player.pk: player for player in players}


def matches_of(
    tournament: Tournament, players: Mapping[int, Player], numbers: Collection[int] | None, latest: int = 0
) -> list[ShownMatch]:
    """Return the matches of these rounds, or of all, in the order of rounds and tables.

    `latest` limits them to the matches begun last; 0 for no limit.
    """
    if not tournament.round:
        return []
    rows = Appearance.objects.filter(match__pool__tournament=tournament)
    rows = rows.filter(match__round__in=numbers) if numbers is not None else rows
    if latest:
        last = (
            Match.objects.filter(pool__tournament=tournament).order_by("-number").values_list("pk", flat=True)[:latest]
        )
        rows = rows.filter(match__in=list(last))
    tables: dict[int, list[ShownSeat]] = defaultdict(list)
    rows = rows.order_by("match__round", "match__pool__number", "match__number", "seat")
    for columns in rows.values_list(*SEAT_COLUMNS):
        seat = ShownSeat(*columns)
        tables[seat.match].append(seat)
    matches = []
    for seats in tables.values():
        first = seats[0]
        url = ("table", first.public_id) if first.public_id else None
        if first.full_game:
            url = "full_game", str(first.full_game)
        matches.append(
            ShownMatch(
                first.round, first.number, first.stage, first.pool, first.state, first.due_at, url, seats, players
            )
        )
    return matches


def _own_part(
    reader: Reader, tournament: Tournament, players: Mapping[int, Player], matches: Sequence[ShownMatch]
) -> OwnPart | None:
    """Return the reader's part. Only a match that is being played has a game and a seat."""
    if not is_person(reader):
        return None
    me = next((player for player in players.values() if player.user == reader.pk), None)
    if me is None or not tournament.is_running:
        return OwnPart(me) if me else None
    now = (match for match in matches if match.round == tournament.round)
    match = next((match for match in now if me.pk in {seat.entrant for seat in match.seat_rows}), None)
    if match is None or match.state != MatchState.PLAYING:
        return OwnPart(me, match)
    first = match.seat_rows[0]
    of_contest = Q(game__full_game=first.full_game) if first.full_game else Q(game=first.game)
    seats = Seat.objects.filter(of_contest, owner=reader.pk, game__status=Status.RUNNING)
    seat = seats.select_related("game").first()
    return OwnPart(me, match, seat.game if seat else None, seat)


# A knockout as a bracket of all rounds. The seats of future rounds are empty


@dataclass(frozen=True)
class BracketTable:
    """A table of a bracket: its match, an entrant with a bye, or `seats` still to be filled.

    `through` are the entrants who advance from it, or in the last round the winners.
    """

    number: int
    match: ShownMatch | None
    byes: list[Player]
    seats: int
    through: frozenset[int]

    @property
    def lines(self) -> Iterator[tuple[Player, ShownSeat, bool]]:
        for player, sat in self.match.seats if self.match else []:
            yield player, sat, player.pk in self.through


@dataclass(frozen=True)
class BracketRound:
    number: int
    is_last: bool
    is_now: bool
    tables: list[BracketTable]


def bracket(view: TournamentView) -> list[BracketRound]:
    """Return all rounds of a knockout that has started."""
    tournament, seeds = view.tournament, list(view.players.values())
    drawing = knockout.bracket(len(seeds), view.terms.players)
    rounds = []
    for number, slots in enumerate(drawing.rounds, start=1):
        is_last = number == tournament.rounds
        matches = {match.number: match for match in view.matches if match.round == number}
        seated: Sequence[Sequence[int]] = [()] * len(slots)
        if number <= tournament.round:
            seated = drawing.tables(number - 1, tournament.bracket[number - 2] if number > 1 else ())
        orders = tournament.bracket[number - 1] if number <= len(tournament.bracket) else [()] * len(slots)
        advancing = knockout.advancing_from_round(view.terms.players, is_last=is_last)
        tables = []
        for n, (table, order) in enumerate(zip(seated, orders, strict=True), start=1):
            match = matches.get(n)
            byes = [] if match else [seeds[seed] for seed in table]
            through = frozenset(seeds[seed].pk for seed in order[:advancing])
            tables.append(BracketTable(n, match, byes, len(slots[n - 1]), through))
        rounds.append(BracketRound(number, is_last, tournament.is_running and number == tournament.round, tables))
    return rounds
