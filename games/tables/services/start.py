"""The start of a game: its seed, the ranks for ties by age, and the set-up as entry 0."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from games.errors import Illegal
from games.rules import play
from games.rules.fairness import SEED_BYTES, Fair, keyed, seed_hash
from games.rules.protocol import IllegalAction, Options, Ruleset
from games.rules.record import FORMAT_NOW, committed, opening
from games.tables.models import Game, Seat, SeatName, Seed, Status
from games.tables.models.log import By
from games.tables.selectors import position
from games.tables.services import answers, commit, records
from games.tables.services import notify as telling


def begin(*, game: Game, now: datetime, starter: Seat | None = None) -> None:
    """Start the game, whose row is locked and whose seats are all taken. `starter` is on the site now."""
    options_of(game.rules, game.options, game.players)
    seats = list(Seat.objects.filter(game=game).select_related("user", "owner").order_by("number"))
    rank_by_age(seats, game.full_game.opened_at if game.full_game else game.opened_at)
    if game.number == 1:  # a full game decides this once, in its first game
        decide_rating(game, seats)
    for seat in seats:
        seat.bank = game.pace.at_start
    Seat.objects.bulk_update(seats, ["born", "joined", "who", "first_owner", "bank"])
    secret = secret_of(game)
    Seed.objects.create(game=game, secret=secret)
    game.status, game.started_at, game.seed_hash = Status.RUNNING, now, seed_hash(secret)
    game.rules_version, game.record_format = game.rules.version, FORMAT_NOW
    commit_to_names(seats)
    game.head = opening(records.header(game=game, seats=seats))
    game.save(update_fields=["status", "started_at", "seed_hash", "rules_version", "record_format", "head", "counts"])
    locked = commit.Locked(game, seats, position.empty(game, seats), secret)
    set_up(locked, now)
    answers.answer(locked, now)
    commit.settle(locked, at=now)
    telling.tell_started(game=game, seats=seats, starter=starter, now=now)


def secret_of(game: Game) -> bytes:
    """Return a new secret; in a duplicate the one shared by all its games with this number."""
    if game.duplicate is None:
        return secrets.token_bytes(SEED_BYTES)
    return keyed(bytes(game.duplicate.seed.secret), "game", game.number)


def set_up(locked: commit.Locked, now: datetime) -> None:
    """Set up the game as entry 0, by the house."""
    game, rules = locked.game, locked.rules
    options = rules.options(game.options, game.players)
    locked.state, events = play.begin(rules, options, position.infos(locked.seats), Fair(locked.seed).at(0))
    commit.append(locked, at=now, seat=None, by=By.SEAT, actions=(), events=events)


def options_of(rules: Ruleset, options: Mapping[str, Any], players: int) -> Options:
    """Parse the options. Raises `Illegal`, for example if the rules changed while the table waited."""
    try:
        return rules.options(options, players)
    except IllegalAction as refusal:
        raise Illegal(refusal) from None


def commit_to_names(seats: Sequence[Seat]) -> None:
    """Store each seat's name with a salt, and the commitment that the first digest covers."""
    names = [SeatName(seat=seat, user=seat.owner, name=seat.name, salt=secrets.token_hex(32)) for seat in seats]
    for seat, name in zip(seats, names, strict=True):
        seat.commitment = committed(name.name, name.salt)
    SeatName.objects.bulk_create(names)
    Seat.objects.bulk_update(seats, ["commitment"])


def options_of_new(rules: Ruleset, options: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the options of a new table: the chosen ones, and explicit values where a missing one means an old rule."""
    return {field.name: field.new for field in rules.option_fields() if field.new is not None} | dict(options or {})


def rank_by_age(seats: Iterable[Seat], opened: datetime) -> None:
    """Set the players' ranks by age, 0 for the eldest, without saving. Only the rules learn them, nobody else (R7).

    Birth dates given after the table was `opened` do not count, so that nobody can choose a date to beat an opponent.
    """
    people = [seat for seat in seats if seat.owner]
    born = {seat.number: seat.owner.birth_date_at(opened) for seat in people if seat.owner}
    births, accounts = _ranks(born.values()), _ranks(seat.owner.date_joined for seat in people if seat.owner)
    for seat in people:
        if seat.owner:
            seat.born = births.get(born[seat.number])
            seat.joined = accounts[seat.owner.date_joined]


def decide_rating(game: Game, seats: Iterable[Seat]) -> None:
    """Set, without saving, whether the game counts for ratings, and for which players: those who start it.

    It counts at a rated table with two or more people and no guests. A guest who signs in later, or a deleted account,
    does not change that.
    """
    people = [seat.owner for seat in seats if seat.owner]
    game.counts = game.rated and len(people) > 1 and not any(person.is_guest for person in people)
    for seat in seats:
        seat.who, seat.first_owner = str(seat.owner_id or seat.bot), seat.owner


def _ranks(values: Iterable[object]) -> dict[object, int]:
    return {value: rank for rank, value in enumerate(sorted({value for value in values if value is not None}))}  # type: ignore[type-var]
