"""The start of a game: its seed, the ranks for ties by age, the set-up as entry 0 by the house."""

import secrets
from collections.abc import Iterable
from datetime import datetime

from games.models import Game, Seat, Seed, Status
from games.models.game import new_public_id
from games.models.log import By
from games.rules.fairness import SEED_BYTES, Fair, seed_hash
from games.selectors import position
from games.services import commit, telling


def begin(*, game: Game, now: datetime, starter: Seat | None = None) -> None:
    """Begin the game, whose row is locked and whose seats are all taken. `starter` has just been here."""
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("number"))
    rank_by_age(seats)
    secret = secrets.token_bytes(SEED_BYTES)
    Seed.objects.create(game=game, secret=secret)
    game.status, game.started_at, game.seed_hash = Status.RUNNING, now, seed_hash(secret)
    game.rules_version = game.rules.version
    game.save(update_fields=["status", "started_at", "seed_hash", "rules_version"])
    locked = commit.Locked(game, seats, position.empty(game, seats), secret)
    set_up(locked, now)
    commit.settle(locked, at=now)
    telling.tell_started(game=game, seats=seats, starter=starter, now=now)


def free_public_id() -> str:
    """An id that no game has yet."""
    while Game.objects.filter(public_id=(public_id := new_public_id())).exists():
        pass
    return public_id


def set_up(locked: commit.Locked, now: datetime) -> None:
    """Entry 0, by the house."""
    game, rules = locked.game, locked.rules
    options = rules.options(game.options, game.players)
    events = rules.start(options, position.infos(locked.seats), Fair(locked.seed).at(0))
    for event in events:
        rules.evolve(locked.state, event)
    commit.append(locked, at=now, seat=None, by=By.SEAT, actions=(), events=events)


def rank_by_age(seats: Iterable[Seat]) -> None:
    """Ranks among the players, 0 the eldest: all that the rules, and nobody else, learn of anybody's age (R7)."""
    people = telling.people(seats)
    births = _ranks(seat.user.birth_date for seat in people if seat.user)
    accounts = _ranks(seat.user.date_joined for seat in people if seat.user)
    for seat in people:
        if seat.user:
            seat.born = births.get(seat.user.birth_date)
            seat.joined = accounts[seat.user.date_joined]
    Seat.objects.bulk_update(people, ["born", "joined"])


def _ranks(values: Iterable[object]) -> dict[object, int]:
    return {value: rank for rank, value in enumerate(sorted({value for value in values if value is not None}))}  # type: ignore[type-var]
