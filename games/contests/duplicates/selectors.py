"""Duplicates as their pages show them: tables, players and results."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from games.errors import NotFound
from games.rules.protocol import Ruleset
from games.rules.registry import get
from games.tables.models import Duplicate, Game, Seat, Status
from games.tables.selectors.rights import Reader, is_person

LISTED = 30


@dataclass(frozen=True)
class DuplicateTable:
    """One table: its current game and its players, but nothing of what happens there."""

    game: Game
    seats: list[Seat]


@dataclass(frozen=True)
class DuplicateView:
    """A duplicate as its page shows it. `own_game` is the reader's. `result` has the players' lines after the end."""

    duplicate: Duplicate
    tables: list[DuplicateTable]
    own_game: Game | None
    result: list[dict[str, Any]]

    @property
    def rules(self) -> Ruleset:
        return get(self.duplicate.ruleset)

    @property
    def seats(self) -> int:
        return self.duplicate.tables * self.duplicate.players

    @property
    def free(self) -> int:
        """Return the number of free seats."""
        return sum(len(range(len(table.seats), table.game.players)) for table in self.tables if table.game.is_open)

    @property
    def joined(self) -> list[Seat]:
        """Return the seats of everyone who has joined, in that order. Their tables are drawn at the start."""
        return sorted((seat for table in self.tables for seat in table.seats), key=lambda seat: seat.pk)

    @property
    def can_leave(self) -> bool:
        return self.own_game is not None and self.own_game.is_open


def duplicate_of(*, public_id: str, reader: Reader) -> DuplicateView:
    """Return a duplicate. Raises `NotFound`."""
    duplicate = Duplicate.objects.filter(public_id=public_id).first()
    if duplicate is None:
        raise NotFound
    games = {
        game.full_game_id or -game.pk: game
        for game in Game.objects.filter(duplicate=duplicate).order_by("number", "pk")
    }
    shown = [game for game in games.values() if game.status != Status.CLOSED]
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(game__in=shown).select_related("owner").order_by("number"):
        seats[seat.game_id].append(seat)
    tables = [DuplicateTable(game, seats[game.pk]) for game in shown]
    own_id = reader.pk if is_person(reader) else None
    own_game = next(
        (table.game for table in tables for seat in table.seats if own_id and seat.owner_id == own_id), None
    )
    return DuplicateView(duplicate, tables, own_game, duplicate.result or [])


def listed(reader: Reader) -> QuerySet[Duplicate]:
    """Return duplicates for a list. `is_mine`: the reader has a seat."""
    seats = Seat.objects.filter(game__duplicate=OuterRef("pk"))
    own_seats = seats.filter(owner=reader.pk) if is_person(reader) else seats.none()
    return Duplicate.objects.annotate(is_mine=Exists(own_seats))


def open_duplicates(reader: Reader) -> list[Duplicate]:
    """Return duplicates that have not started, newest first. `taken` counts their seats that are taken, `seats` all."""
    taken = Count("games__seats", filter=Q(games__status=Status.OPEN))
    waiting = listed(reader).filter(ended_at=None, started_at=None).select_related("opener")
    return list(waiting.annotate(taken=taken, seats=F("tables") * F("players")).order_by("-opened_at")[:LISTED])


def running_duplicates(reader: Reader) -> list[Duplicate]:
    """Return duplicates that are being played, last started first."""
    return list(listed(reader).filter(ended_at=None, started_at__isnull=False).order_by("-started_at")[:LISTED])


def ended_duplicates() -> list[Duplicate]:
    return list(Duplicate.objects.filter(started_at__isnull=False, ended_at__isnull=False).order_by("-ended_at")[:10])
