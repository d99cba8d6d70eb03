"""The database of a site after years: a million games, a fifth of them running, some of these with full logs.

A few hundred games are played by the rules (`load_games`) and written as rows. The database then copies them, including
log and seed, with new ids and players. The result is the same each time.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from typing import NamedTuple

import msgspec
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.management.color import no_style
from django.db import connection
from django.db.models import Max, Model
from django.utils import timezone

from accounts.models import User
from games.rules.fairness import seed_hash
from games.tables.models import Entry, Game, Seat, Seed, Snapshot, Status
from games.tables.models.game import USUAL_CLOCK
from tests.bench.load_games import Played, played

MODELS = 400  # games that are played by the rules
BATCH = 100_000  # games that one statement copies
PLAYED_FOR = timedelta(days=400)  # the period in which the finished games ended
IN_TIME = 20 * "1"  # earlier turns of each player
STRIDES = 7, 7919  # between the players of consecutive games, and of consecutive seats

# Finished games ended throughout that period, the latest last; the clocks of running games differ
ENDED = f"t.ended_at - interval '{PLAYED_FOR.days} days' * (1 - (n.i + 1) / {{count}}.0)"
MOVED_BACK = {"ended_at": ENDED, **dict.fromkeys(("opened_at", "started_at"), f"{ENDED} - interval '12 days'")}
EARLIER = "- interval '1 second' * (n.i % 3600)"


@dataclass(frozen=True)
class Stored:
    """The contents of the database: from id `first` on, `count` games in play, which are copies of `models`."""

    models: list[Played]
    first: int
    count: int
    people: list[User]

    def model(self, game: int) -> Played:
        return self.models[(game - self.first) % len(self.models)]

    def player(self, game: int, seat: int) -> User:
        return self.people[seated(game - self.first, seat, len(self.people))]


class Sizes(NamedTuple):
    """The numbers of rows for a number of stored games."""

    stored: int

    @property
    def running(self) -> int:
        return self.stored // 5

    @property
    def in_play(self) -> int:
        return self.stored // 50

    @property
    def people(self) -> int:
        return max(20, self.stored // 50 // 10 * 10)

    @property
    def models(self) -> int:
        return max(1, min(MODELS, self.in_play))


def seated(game: int, seat: int, people: int) -> int:
    """Return the index of a seat's player in copy number `game`: distinct at each table, and evenly distributed."""
    return (game * STRIDES[0] + seat * STRIDES[1]) % people


def fill(stored: int) -> Stored:
    """Fill the database, which must be an empty PostgreSQL."""
    sizes, now = Sizes(stored), timezone.now()
    people = crowd(sizes.people)
    models = [played(number, now - timedelta(hours=number % 40)) for number in range(sizes.models)]
    with unhindered():
        ended = write(models, people, now, has_ended=True)
        copy(Copies(ended, len(models), sizes.stored - sizes.running, people), MOVED_BACK)
        running = write(models, people, now, has_ended=False)
        copy(Copies(running, len(models), sizes.running - sizes.in_play, people), {})
        in_play = Copies(running, len(models), sizes.in_play, people)
        first = copy(in_play, {})
        copy_logs(in_play, first)
    return Stored(models, first, sizes.in_play, people)


# Players


def crowd(number: int) -> list[User]:
    """Create players with confirmed addresses, immediate notices and earlier turns, signed in with `session_key`."""
    people = User.objects.bulk_create(
        (User(username=f"player-{n}", email=f"player-{n}@example.org", punctuality=IN_TIME) for n in range(number)),
        batch_size=5000,
    )
    EmailAddress.objects.bulk_create(
        (EmailAddress(user=user, email=user.email, primary=True, verified=True) for user in people), batch_size=5000
    )
    Session.objects.bulk_create(map(session, people), batch_size=5000)
    return people


def session_key(user: User) -> str:
    return f"load{user.pk:028}"


def session(user: User) -> Session:
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    facts = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    until = timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    return Session(session_key=session_key(user), session_data=store.encode(facts), expire_date=until)


# The games that are copied


def write(models: Sequence[Played], people: Sequence[User], now: datetime, *, has_ended: bool) -> int:
    """Write the models as rows, with logs if they are in play. Return the first id; the others follow in sequence."""
    first = last_id() + 1
    numbered = list(enumerate(models, start=first))
    Game.objects.bulk_create(row(pk, model, now, has_ended) for pk, model in numbered)
    Seat.objects.bulk_create(seat for pk, model in numbered for seat in seats(pk, model, people, has_ended))
    if not has_ended:
        Seed.objects.bulk_create(Seed(game_id=pk, secret=model.seed) for pk, model in numbered)
        Snapshot.objects.bulk_create(snapshot(pk, model) for pk, model in numbered)
        Entry.objects.bulk_create((entry for pk, model in numbered for entry in entries(pk, model)), batch_size=2000)
    return first


def last_id() -> int:
    return Game.objects.aggregate(last=Max("pk"))["last"] or 0


def row(pk: int, model: Played, now: datetime, has_ended: bool) -> Game:
    last = model.entries[-1]
    return Game(
        pk=pk, public_id=f"m{pk:07}", invite_token=f"m{pk}", ruleset=model.ruleset.slug, options=model.options,
        rules_version=model.ruleset.version, status=Status.FINISHED if has_ended else Status.RUNNING,
        players=model.players, listed=True, counts=True, clock=USUAL_CLOCK, seq=last.seq, version=1, head=last.digest,
        seed_hash=seed_hash(model.seed), opened_at=now - PLAYED_FOR,
        started_at=datetime.fromisoformat(model.entries[0].at),
        result=msgspec.to_builtins(model.result) if has_ended else None, ended_at=now if has_ended else None,
    )  # fmt: skip


def seats(pk: int, model: Played, people: Sequence[User], has_ended: bool) -> Iterator[Seat]:
    owing = () if has_ended else model.ruleset.to_act(model.state)
    for number, info in enumerate(model.seats):
        user = people[seated(pk, number, len(people))]
        seat = Seat(game_id=pk, number=number, user=user, owner=user, first_owner=user, name=user.username)
        seat.joined, seat.who, seat.bank, seat.seen_seq = info.joined, str(user.pk), seat_clock(), model.entries[-1].seq
        if number in owing:
            seat.owes, seat.time_left = True, seat.bank
            seat.since = datetime.fromisoformat(model.entries[-1].at)
            seat.deadline = seat.since + seat.time_left
        if has_ended:
            score = model.result.seats[number]
            seat.place, seat.total, seat.left = score.place, score.total, 0
        yield seat


def seat_clock() -> timedelta:
    return Game(clock=USUAL_CLOCK).parsed_clock.at_start


def snapshot(pk: int, model: Played) -> Snapshot:
    state = msgspec.json.encode(model.state).decode()
    return Snapshot(game_id=pk, seq=model.entries[-1].seq, rules_version=model.ruleset.version, state=state)


def entries(pk: int, model: Played) -> Iterator[Entry]:
    for entry in model.entries:
        yield Entry(
            game_id=pk, seq=entry.seq, at=datetime.fromisoformat(entry.at), seat=entry.seat, by=entry.by,
            actions=entry.actions, events=entry.events, digest=entry.digest,
        )  # fmt: skip


# Copies, by the database


@dataclass(frozen=True)
class Copies:
    """The games to create: copies of the `models` from id `model` on, in rotation, for these players."""

    model: int
    models: int
    count: int
    people: Sequence[User]


@contextmanager
def unhindered() -> Iterator[None]:
    """Disable foreign key checks and synchronous writes; afterwards vacuum the database."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("SET synchronous_commit = off")
        yield
        cursor.execute("RESET session_replication_role")
        cursor.execute("RESET synchronous_commit")
        for statement in connection.ops.sequence_reset_sql(no_style(), [Game]):
            cursor.execute(statement)
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("CHECKPOINT")


def copy(made: Copies, changed: Mapping[str, str]) -> int:
    """Copy games and seats. Return the first id; the others follow in sequence.

    Nine of ten games are opened by the player of their first seat, and the others by a competition.
    """
    start = last_id() + 1
    first = f"{STRIDES[0]}::bigint * n.i"
    person = f"({first} + {STRIDES[1]} * t.number) % {len(made.people)}"
    user = f"{made.people[0].pk} + {person}"
    opener = f"CASE WHEN n.i % 10 > 0 THEN {made.people[0].pk} + {first} % {len(made.people)} END"
    pk = f"{start} + n.i"
    name = f"'g' || lpad(({pk})::text, 7, '0')"
    dated = {column: how.format(count=made.count) for column, how in changed.items()}
    insert(
        Game,
        "id",
        made,
        public_id=name,
        invite_token=name,
        id=pk,
        opener_id=f"CASE WHEN n.i % 10 > 0 THEN {opener} END",
        **dated,
    )
    insert(
        Seat, "game_id", made, game_id=pk, user_id=user, owner_id=user, first_owner_id=user, who=f"({user})::text",
        name=f"'player-' || {person}", since=f"t.since {EARLIER}", deadline=f"t.deadline {EARLIER}",
    )  # fmt: skip
    return start


def copy_logs(made: Copies, start: int) -> None:
    for model in (Seed, Snapshot, Entry):
        insert(model, "game_id", made, game_id=f"{start} + n.i")


def insert(model: type[Model], of: str, made: Copies, **changed: str) -> None:
    """Copy the rows of the models, found by the column `of`, in batches."""
    table = model._meta.db_table
    columns = [
        str(field.column) for field in model._meta.concrete_fields if not field.primary_key or field.column in changed
    ]
    into, taken = (
        ", ".join(f'"{name}"' for name in columns),
        ", ".join(changed.get(name, f't."{name}"') for name in columns),
    )
    with connection.cursor() as cursor:
        for first in range(0, made.count, BATCH):
            numbers = f"generate_series({first}, {min(first + BATCH, made.count) - 1}) n(i)"
            cursor.execute(
                f'INSERT INTO "{table}" ({into}) SELECT {taken} FROM {numbers}'
                f' JOIN "{table}" t ON t."{of}" = {made.model} + n.i % {made.models} ORDER BY n.i'
            )


def size() -> int:
    """Return the size of the database in megabytes."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0] // 10**6)
