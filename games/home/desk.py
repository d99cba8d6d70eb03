"""A player's desk, games that wait for them first. The number of queries does not depend on the number of games."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import BooleanField, CharField, F, Q, QuerySet, Subquery
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from accounts.models import User
from empire.prepared import Prepared
from games.contests.ladders import selectors as ladder
from games.contests.models import Challenge, Organizer, Seek, SeekState, TeamInvitation
from games.contests.organizing import selectors as organizing
from games.contests.seeks import selectors as seeks
from games.contests.teams import selectors as teams
from games.tables.models import Game, Invitation, Replacement, Seat
from games.tables.models.absence import ReplacementAnswer
from games.tables.models.game import Status
from games.tables.models.log import UndoRequest
from games.tables.selectors import rematches, rights
from games.tables.selectors.friends import invitations
from games.tables.selectors.listed import LISTED, DeskGame, seats_by_game
from games.tables.selectors.rights import concerning
from games.tables.selectors.table import deadline, has_to_answer, open_undo_request, waiting_for

FINISHED = 20  # finished games among which a desk shows those that its filter does not leave out
SHOWN_FINISHED = 6
# Without a filter, a desk reads these, to know whether there are more. Those that the player was only asked to join are
# left out
FEW_FINISHED = 10
OVER = (Status.FINISHED, Status.VOID)
NEWEST = (F("ended_at").desc(nulls_last=True), F("opened_at").desc())
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Desk:
    """The games of one player, and what they are asked."""

    mine: list[DeskGame]  # that wait for the player, the most urgent first
    others: list[DeskGame]  # that wait for someone else
    open: list[DeskGame]  # that wait for players to join
    finished: list[DeskGame]
    challenges: list[Challenge]  # on ladders, to answer
    sent_challenges: list[Challenge] = field(default_factory=list)  # that others have to answer
    asked: list[Seat] = field(default_factory=list)  # that the player is asked to play for their owners
    replacements: list[Replacement] = field(default_factory=list)  # that the player is asked to take over
    rematches: list[Game] = field(default_factory=list)  # tables that the player is asked to join
    lessons: list[Game] = field(default_factory=list)  # unfinished ones
    invitations: list[Invitation] = field(default_factory=list)  # to tables, by name
    team_invitations: list[TeamInvitation] = field(default_factory=list)
    organizer_requests: list[Organizer] = field(default_factory=list)  # to organize a competition
    seek: Seek | None = None  # the player's search for a game

    @property
    def plays_others(self) -> bool:
        """Whether the player plays any of the games that wait for someone else, instead of a bot or a substitute."""
        return any(game.plays for game in self.others)

    @property
    def all_others(self) -> int:
        """Return how many games and challenges wait for someone else."""
        return len(self.others) + len(self.sent_challenges)

    @property
    def all_invitations(self) -> int:
        return len(self.invitations) + len(self.team_invitations) + len(self.organizer_requests)


def desk(*, user: rights.Reader, finished: int = FINISHED) -> Desk:
    """Return all running and open games of the user, and that many of the last finished ones."""
    if not rights.is_person(user):
        return Desk([], [], [], [], [])
    games: list[Any] = games_of(user, finished)
    needs = {name: getattr(games[0], f"has_{name}") for name in FURTHER} if games else _further(user)
    by_game = seats_by_game([game.pk for game in games])
    desk_games, to_play, lessons = list[DeskGame](), list[Seat](), list[Game]()
    for game in games:
        if game.lesson:
            lessons.append(game)
            continue
        seats = by_game[game.pk]
        played = rights.seat_of(user, seats)
        reader_seat = played or rights.own_seat(user, seats)
        if game.is_running and (offered := rights.asked_seat(user, seats)):
            offered.game = game
            to_play.append(offered)
        if reader_seat is None:
            continue
        request = open_undo_request(game) if played else None
        desk_games.append(
            DeskGame(
                game, reader_seat, seats, is_mine=played is not None and played.owes,
                deadline=deadline(game, seats, played), waiting_for=waiting_for(game, seats), plays=played is not None,
                is_asked=bool(request and played and has_to_answer(request, played)), competition=competition(game),
            )
        )  # fmt: skip
    by_urgency = sorted(
        desk_games, key=lambda desk_game: (desk_game.deadline is None, desk_game.deadline, desk_game.game.pk)
    )
    return Desk(
        mine=[desk_game for desk_game in by_urgency if desk_game.is_mine],
        others=[desk_game for desk_game in by_urgency if desk_game.game.is_running and not desk_game.is_mine],
        open=[desk_game for desk_game in desk_games if desk_game.game.is_open],
        finished=[desk_game for desk_game in desk_games if desk_game.game.has_ended],
        challenges=ladder.to_answer(user) if needs["challenges"] else [],
        sent_challenges=ladder.sent(user) if needs["sent_challenges"] else [],
        asked=to_play,
        replacements=list(replacements(user)) if needs["replacements"] else [],
        rematches=list(rematches.unanswered(user)) if needs["rematches"] else [],
        lessons=lessons,
        invitations=list(invitations(user)) if needs["invitations"] else [],
        team_invitations=list(teams.open_invitations(user)) if needs["team_invitations"] else [],
        organizer_requests=list(organizing.open_requests(user)) if needs["organizer_requests"] else [],
        seek=seeks.current(user) if needs["seeks"] else None,
    )


def competition(game: Any) -> str:
    """Return the name of the competition that a game of the desk is played in, or an empty text."""
    if game.duplicate_id is not None:
        return gettext("Duplicate")
    return gettext("Ladder") if game.is_of_ladder else game.competition or ""


# Written out, because Django would take a millisecond and a half to write it for each page
MENU = """
    SELECT (SELECT COUNT(*) FROM tables_seat WHERE user_id = %s AND owes AND deadline IS NOT NULL),
        EXISTS (SELECT 1 FROM contests_seek WHERE user_id = %s AND state = %s)
"""

OF_GAME = "(link.game_id = tables_game.id OR link.full_game_id = tables_game.full_game_id)"
# The same link as `contests.matches.selectors.competition_of`, as annotations of games
IN_COMPETITION = {
    "competition": RawSQL(
        f"""
        (SELECT COALESCE(league.name, tournament.name) FROM contests_match AS link
        JOIN contests_pool AS pool ON pool.id = link.pool_id
        LEFT JOIN contests_season AS season ON season.id = pool.season_id
        LEFT JOIN contests_league AS league ON league.id = season.league_id
        LEFT JOIN contests_tournament AS tournament ON tournament.id = pool.tournament_id
        WHERE tables_game.opener_id IS NULL AND {OF_GAME})
        """,
        [],
        CharField(),
    ),
    "is_of_ladder": RawSQL(
        f"EXISTS (SELECT 1 FROM contests_challenge AS link WHERE tables_game.opener_id IS NULL AND {OF_GAME})",
        [],
        BooleanField(),
    ),
}


def menu(user: rights.Reader) -> tuple[int, bool]:
    """Return how many games wait for the user (see `listed.queue`), and whether they search for a game."""
    if not rights.is_person(user):
        return 0, False
    with connection.cursor() as cursor:
        cursor.execute(MENU, [user.pk, user.pk, SeekState.WAITING.value])
        waiting, is_looking = cursor.fetchone()
    return waiting, bool(is_looking)


def replacements(user: rights.Reader) -> QuerySet[Replacement]:
    """Return requests that the user can still accept: for a seat of a running game, or a place still being played."""
    place = Q(entrant__isnull=False, entrant__pool__ended_at=None, entrant__place=None)
    requests = Replacement.objects.filter(user=user, answer=ReplacementAnswer.ASKED).order_by("pk")
    still_on = requests.filter(Q(seat__game__status=Status.RUNNING) | place)
    return still_on.select_related("seat__game", "entrant__season__league", "entrant__tournament")


def games_of(user: rights.Reader, finished: int) -> list[Game]:
    """Return the games of the desk and those that the user is asked to join, with their requests to undo a turn.

    The last finished ones come first, then the newest.
    """
    games: list[Any] = _prepared_games(finished)(user.pk)
    with_request = [game.pk for game in games if vars(game).pop("undo_request_seq") is not None]
    requests = (
        {request.game_id: request for request in UndoRequest.objects.filter(game__in=with_request)}
        if with_request
        else {}
    )
    for game in games:  # None too: otherwise it would be looked for
        game._state.fields_cache["undo_request"] = requests.get(game.pk)
    return games


def _games(user: User, finished: int) -> QuerySet[Game]:
    """Return the games of `games_of`, each with its competition, and with what the `FURTHER` queries find.

    Finished games are limited by time and not by id, so that PostgreSQL uses the index and does not read all of them.
    """
    without_old_lessons = Q(lesson="") | Q(status=Status.RUNNING)
    own_games = Game.objects.filter(without_old_lessons, pk__in=concerning(user).values("game"))
    ended = own_games.filter(status__in=OVER)
    enough = ended.order_by(F("ended_at").desc()).values("ended_at")[finished - 1 : finished]
    latest = Q(status__in=OVER, ended_at__gte=Coalesce(Subquery(enough), LONG_AGO))
    active_or_latest = own_games.filter(Q(status__in=[Status.OPEN, Status.RUNNING]) | latest)
    games = Game.objects.filter(pk__in=active_or_latest.order_by(*NEWEST).values("pk")[: finished + LISTED])
    further = {f"has_{name}": RawSQL(*_exists(query, user), BooleanField()) for name, query in FURTHER.items()}
    rows = games.order_by(*NEWEST).annotate(undo_request_seq=F("undo_request__seq"), **IN_COMPETITION, **further)
    return rows.defer("result")


# Queries about a user that every desk makes. Django takes 8 ms to write them, so each process writes them once.


def _keys(query: Callable[[User], QuerySet[Any]]) -> Prepared[Any]:
    """Return a query for the primary keys of these rows, with the user's key as its parameter."""
    return Prepared(lambda pk: query(User(pk=pk)).order_by().values("pk"))


FURTHER = {
    "challenges": _keys(ladder.open_to),
    "sent_challenges": _keys(ladder.open_from),
    "replacements": _keys(replacements),
    "rematches": _keys(rematches.unanswered),
    "invitations": _keys(invitations),
    "team_invitations": _keys(teams.open_invitations),
    "organizer_requests": _keys(organizing.open_requests),
    "seeks": _keys(lambda user: Seek.objects.filter(user=user, state=SeekState.WAITING)),
}


@cache
def _prepared_games(finished: int) -> Prepared[Game]:
    return Prepared(lambda pk: _games(User(pk=pk), finished), is_planned_once=True)


def _further(user: rights.Reader) -> dict[str, bool]:
    """Return which of the `FURTHER` queries find something, for a desk without games."""
    conditions = [_exists(query, user) for query in FURTHER.values()]
    columns = ", ".join(sql for sql, _values in conditions)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns}", [value for _sql, values in conditions for value in values])
        return dict(zip(FURTHER, map(bool, cursor.fetchone()), strict=True))


def _exists(query: Prepared[Any], user: rights.Reader) -> tuple[str, list[Any]]:
    sql, parameters = query.as_raw(user.pk)
    return f"EXISTS ({sql})", parameters
