"""The speed of turns and pages on the current database, which must be empty and is filled with games."""

import gzip
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import CommandError
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from empire import memory
from games.rules.fairness import seed_hash
from games.tables.models import Game, Seat, Status
from games.tables.services import bots, lobby, play
from games.tables.services import deadlines as timing
from tests.bench import Row, Time, clocks, ms, timed, times
from tests.bench.load_drive import Page

TURNS = 100
MIDDLE = range(16, 21)  # entries of a game of two
NEW = 8  # games whose pages are opened and told of turns
BEFORE = 6  # decisions before they are opened
UPTO = 18  # the last entry of which they are told
SENT = 6  # decisions after that, sent by the pages themselves
DESK = 50
BATCH = 50_000


def rows(stored: int) -> Iterator[Row]:
    """Measure with `stored` running games of other players in the database."""
    where, (alice, bob) = connection.vendor, people("Alice", "Bob")
    store(stored, people(*(f"player-{n}" for n in range(1000))))
    game, turns = play_turns(alice, bob)
    measured = f"{ms(turns)}, {1000 * TURNS / sum(turn.wall for turn in turns):.0f}/s"
    yield Row(f"Turn accepted and committed, {where}", measured, "30 ms, 50/s")
    seat_at_tables(alice, bob)
    memory.freeze()  # as web processes do
    client = Client(headers={"accept-encoding": "gzip"})
    client.force_login(alice)
    yield page(f"Table page, {where}", client, game.get_absolute_url(), "12 ms, 60 KB, 8 queries")
    yield from pages_of_new_games(where)
    yield page(f"Desk with {DESK} games, {stored:,} stored, {where}", client, "/desk/", "15 ms, 6 queries")
    yield page(f"Lobby, {stored:,} stored, {where}", client, "/lobby/")
    yield from clocks.rows(game, stored)


def pages_of_new_games(where: str) -> Iterator[Row]:
    """Play games whose maps are new to the process, with open pages that are told of turns, and then send some."""
    crowd = people(*(f"reader-{n}" for n in range(2 * NEW + 2)))
    memory.freeze()
    taken: dict[str, list[Time]] = defaultdict(list)
    for n in range(NEW):
        players, spectators = crowd[2 * n : 2 * n + 2], crowd[-2:]
        game = lobby.join_table(game=lobby.open_table(user=players[0], players=2, listed=True), user=players[1])
        for _decision in range(BEFORE):
            turn(Game.objects.get(pk=game.pk))
        readers = [Reader(user, game) for user in (*players, *spectators)]
        taken["Table page, its map new to the process"].append(readers[0].opened)
        while (game := Game.objects.get(pk=game.pk)).seq < UPTO:
            turn(game)
            owing = set(Seat.objects.filter(game=game, owes=True).values_list("user_id", flat=True))
            for reader in readers[:2]:
                reader_kind = "player to move" if reader.user.pk in owing else "waiting player"
                taken[f"Refresh, {reader_kind}"].append(reader.ask())
            taken["Refresh, first spectator"].append(readers[2].ask())
            taken["Refresh, further spectators"].append(readers[3].ask())
        for _decision in range(SENT):
            seat, actions = planned(game)
            (sender,) = (reader for reader in readers if reader.user.pk == seat.user_id)
            taken["Turn sent by a page, with its answer"].append(sender.send(game, actions))
            game = Game.objects.get(pk=game.pk)
            for reader in readers[:2]:
                if reader is not sender:
                    reader.ask()
    for label, measured in taken.items():
        budget = "18 ms" if "new" in label else "14 ms" if "sent" in label else "3 ms"
        yield Row(f"{label}, {where}", ms(measured), budget)


PLAIN = {"Accept-Encoding": "gzip"}


class Reader:
    """An open page of a table, which says what it shows, as table.js does."""

    def __init__(self, user: User, game: Game) -> None:
        self.user, self.url, self.browser = user, game.get_absolute_url(), Client()
        self.browser.force_login(user)
        self.page = Page("", frozenset())
        self.browser.get("/livez")  # the first request of a client loads all middleware
        self.opened = self.ask(is_first=True)

    def ask(self, *, is_first: bool = False) -> Time:
        return self.request(lambda: self.browser.get(self.url, headers=PLAIN if is_first else self.headers))

    def send(self, game: Game, actions: Sequence[str]) -> Time:
        """Submit a turn that the page has laid out."""
        form = {"seq": game.seq, "laid": "", "action": ";".join(actions), "sure": "1"}
        return self.request(lambda: self.browser.post(f"{self.url}submit", form, headers=self.headers))

    @property
    def headers(self) -> dict[str, str]:
        return PLAIN | {"HX-Request": "true", "HX-Target": "table"} | dict(self.page.fields)

    def request(self, call: Callable[[], Any]) -> Time:
        responses: list[Any] = []
        taken = timed(lambda: responses.append(call()))
        if responses[0].status_code != 200:
            raise CommandError(f"{self.url} answered {responses[0].status_code}.")
        self.page = self.page.after(gzip.decompress(responses[0].content))
        return taken


def need_empty() -> None:
    if User.objects.exists():
        raise CommandError("This database is in use: only an empty one can be measured.")


def people(*names: str) -> list[User]:
    return User.objects.bulk_create([User(username=name, email=f"{name}@example.org") for name in names])


def play_turns(*players: User) -> tuple[Game, list[Time]]:
    """Play games between two players until enough turns have been timed. Return a half-played one."""
    taken: list[Time] = []
    while True:
        game = lobby.open_table(user=players[0], players=len(players), listed=True)
        for other in players[1:]:
            game = lobby.join_table(game=game, user=other)
        while (game := Game.objects.get(pk=game.pk)).is_running:
            taken += turn(game)
            if len(taken) >= TURNS and game.seq in MIDDLE:
                return game, taken[:TURNS]


def turn(game: Game) -> list[Time]:
    """Play and time the next turn, which is computed beforehand."""
    seat, actions = planned(game)
    submit = memory.in_one_chunk(play.submit_turn)  # as in a request
    return [timed(lambda: submit(game=game, seat=seat.number, actions=actions, expected_seq=game.seq))]


def planned(game: Game) -> tuple[Seat, list[str]]:
    """Return the next seat to act, and a random turn of it."""
    from games.tables.selectors import position

    seats = list(Seat.objects.filter(game=game).order_by("number"))
    state = position.current(game, seats, game.snapshot)
    seat = next(seat for seat in seats if seat.owes)
    return seat, next(bots.turns_to_try(game.rules, game.rules.view(state, seat.number), "random"))


def store(number: int, crowd: list[User]) -> None:
    """Store running games of these players with everything that lists and sweeps read, copied by the database."""
    if not number:
        return
    model = Game.objects.bulk_create([running(timezone.now(), "model")])[0]
    Seat.objects.bulk_create(seat(model, n, crowd[n], timezone.now()) for n in (0, 1))
    for first in range(0, number, BATCH):
        due = timezone.now() + timedelta(hours=40, seconds=first / 10)
        Seat.objects.filter(game=model, owes=True).update(deadline=due)
        copy_table(model, range(first, min(first + BATCH, number)), crowd)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def copy_table(model: Game, numbers: range, crowd: list[User]) -> None:
    """Copy the table that many times, with new ids and other players."""
    numbered = "WITH RECURSIVE n(i) AS (SELECT CAST(%s AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %s)"
    name = f"CAST({10**7} + n.i AS VARCHAR(8))"
    people = f"{crowd[0].pk} + (g.id * 7 + t.number) %% {len(crowd)}"
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO tables_game ({columns(Game)}) {numbered} SELECT "
            f"{columns(Game, public_id=name, invite_token=name)} FROM tables_game t, n WHERE t.id = %s",
            [numbers.start, numbers.stop, model.pk],
        )
        cursor.execute(
            f"INSERT INTO tables_seat ({columns(Seat)}) SELECT "
            f"{columns(Seat, game_id='g.id', user_id=people, owner_id=people)} FROM tables_seat t, tables_game g "
            "WHERE t.game_id = %s AND g.public_id >= %s AND g.public_id < %s",
            [model.pk, f"{10**7 + numbers.start}", f"{10**7 + numbers.stop}"],
        )


def columns(model: type[Model], **changed: str) -> str:
    """Return all columns except the key, as names or as expressions on the table `t`."""
    names = [str(field.column) for field in model._meta.concrete_fields if not field.primary_key]
    return ", ".join(changed.get(name, f't."{name}"' if changed else f'"{name}"') for name in names)


def seat_at_tables(first: User, second: User) -> None:
    now = timezone.now()
    for game in Game.objects.bulk_create([running(now, f"desk-{n}") for n in range(DESK - 1)]):
        Seat.objects.bulk_create([seat(game, 0, first, now), seat(game, 1, second, now)])


def running(now: datetime, public_id: str) -> Game:
    return Game(
        public_id=public_id,
        ruleset="legends", rules_version=1, status=Status.RUNNING, players=2, seq=3, opened_at=now, started_at=now,
        seed_hash=seed_hash(b""), listed=True,
    )  # fmt: skip


def seat(game: Game, number: int, user: User, now: datetime) -> Seat:
    seat = Seat(game=game, number=number, user=user, owner=user, name=user.username)
    if (game.pk + number) % 2 == 0:
        seat.owes = True
        timing.begin(seat, game.parsed_clock, game.parsed_clock.at_start, now)
    return seat


def page(label: str, client: Client, address: str, budget: str = "") -> Row:
    taken = times(lambda: client.get(address), 30)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
    if answer.status_code != 200:
        raise CommandError(f"{address} answered {answer.status_code}.")
    size = len(answer.content) / 1000
    return Row(label, f"{ms(taken)}, {size:.1f} KB, {len(queries)} queries", budget)
