"""The start of a game: its seed, the ranks for ties by age, and the set-up as entry 0. Also of arranged games."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from accounts.bots import owners
from accounts.models import User
from games.errors import Illegal
from games.rules import play
from games.rules.fairness import SEED_BYTES, Fair, keyed, seed_hash
from games.rules.protocol import IllegalAction, Options, Ruleset
from games.rules.record import FORMAT_NOW, committed, opening
from games.rules.registry import get
from games.tables.models import FullGame, FullStatus, Game, Seat, SeatName, Seed, Status, TimeOut
from games.tables.models.game import new_game
from games.tables.models.log import By
from games.tables.selectors import position
from games.tables.services import commit, notify, records


class Participant(NamedTuple):
    """A participant to be seated: a person, or a bot with a name."""

    user: User | None
    bot: str = ""
    name: str = ""


def seat_together(
    *, players: Sequence[User], ruleset: str, clock: str, full: bool, now: datetime, starter: User | None = None
) -> Game:
    """Start a rated game or full game between people; return its first game. `starter` is on the site now."""
    people = [Participant(user) for user in players]
    return begin_contest(participants=people, ruleset=ruleset, clock=clock, full=full, now=now, starter=starter)


def begin_contest(
    *, participants: Sequence[Participant], ruleset: str, clock: str, full: bool, now: datetime, rated: bool = True,
    time_out: str = TimeOut.TURN, options: Mapping[str, Any] | None = None, starter: User | None = None,
    listed: bool = True,
) -> Game:  # fmt: skip
    """Start a game or full game with these participants in seat order; return its first game.

    Call it in a transaction. Raises `GameError` if the rules refuse such a table.
    """
    common: dict[str, Any] = {
        "ruleset": ruleset, "options": options_of_new(get(ruleset), options), "players": len(participants),
        "clock": clock, "time_out": time_out, "listed": listed, "rated": rated, "opened_at": now,
    }  # fmt: skip
    contest = FullGame.objects.create(**common, status=FullStatus.RUNNING) if full else None
    game = new_game(**common, rules_version=get(ruleset).version, full_game=contest)
    seats = Seat.objects.bulk_create(
        Seat(
            game=game, number=number, user=participant.user, owner=participant.user, bot=participant.bot,
            name=participant.user.username if participant.user else participant.name,
        )
        for number, participant in enumerate(participants)
    )  # fmt: skip
    begin(game=game, now=now, starter=next((seat for seat in seats if starter and seat.user == starter), None))
    return game


def begin(*, game: Game, now: datetime, starter: Seat | None = None, lesson_seed: bytes = b"") -> None:
    """Start a locked game with all seats taken. `starter` is on the site now; a lesson has a known `lesson_seed`."""
    # The rules are the newest, except that the games of one contest, which are compared, have those of the first.
    rules = game.rules if game.number > 1 or game.duplicate else get(game.ruleset)
    game.rules_version, options = rules.version, options_of(rules, game.options, game.players)
    # 1. What the start decides about the seats: ranks by age, time banks, and whether the game counts for ratings. It
    #    does with two or more people, no guests and no outside bots, for those who start it, and a full game decides it
    #    in its first game. A guest who signs in later, or a deleted account, does not change that.
    seats = list(Seat.objects.filter(game=game).select_related("user", "owner").order_by("number"))
    rank_by_age(seats, game.full_game.opened_at if game.full_game else game.opened_at)
    people = [seat.owner for seat in seats if seat.owner]
    if game.number == 1:
        is_rated = game.rated and not game.lesson
        game.counts = is_rated and len(people) > 1 and not any(person.is_guest or person.is_bot for person in people)
    bot_owners = owners({person.pk for person in people if person.is_bot})
    for seat in seats:
        seat.bank = game.parsed_clock.at_start
        if game.number == 1:
            seat.who, seat.first_owner = str(seat.owner_id or seat.bot), seat.owner
            seat.bot_owner_id = bot_owners.get(seat.owner_id or 0)
    # 2. The seed: a new secret, or in a duplicate the one shared by all its games with this number
    if bool(lesson_seed) != bool(game.lesson):
        raise ValueError("Only a lesson has a known seed.")
    if lesson_seed:
        secret = lesson_seed
    elif game.duplicate is None:
        secret = secrets.token_bytes(SEED_BYTES)
    else:
        secret = keyed(bytes(game.duplicate.seed.secret), "game", game.number)
    Seed.objects.create(game=game, secret=secret)
    game.status, game.started_at, game.seed_hash = Status.RUNNING, now, seed_hash(secret)
    game.record_format = FORMAT_NOW
    # 3. Each seat's name with a salt, and the commitment that the first digest covers
    names = [SeatName(seat=seat, user=seat.owner, name=seat.name, salt=secrets.token_hex(32)) for seat in seats]
    SeatName.objects.bulk_create(names)
    for seat, name in zip(seats, names, strict=True):
        seat.commitment = committed(name.name, name.salt)
    Seat.objects.bulk_update(seats, ["born", "joined", "who", "first_owner", "bot_owner", "bank", "commitment"])
    game.head = opening(records.header(game=game, seats=seats))
    game.save(update_fields=["status", "started_at", "seed_hash", "rules_version", "record_format", "head", "counts"])
    # 4. The setup as entry 0, by the site
    state, events = play.begin(rules, options, position.infos(seats), Fair(secret).at(0))
    locked = commit.Locked(game, seats, state, secret)
    commit.append(locked, at=now, seat=None, by=By.SEAT, actions=(), events=events)
    commit.answer_by_orders(locked, now)
    commit.settle(locked, at=now)
    notify.tell_started(game=game, seats=seats, starter=starter, now=now)


def options_of(rules: Ruleset, options: Mapping[str, Any], players: int) -> Options:
    """Parse the options. Raises `Illegal`, for example if the rules changed while the table waited."""
    try:
        return rules.options(options, players)
    except IllegalAction as refusal:
        raise Illegal(refusal) from None


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


def _ranks(values: Iterable[object]) -> dict[object, int]:
    return {value: rank for rank, value in enumerate(sorted({value for value in values if value is not None}))}  # type: ignore[type-var]
