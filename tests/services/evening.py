"""People at several tables of a whole site, the turns that it accepted from them, and the emails that arrived."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import redis
from celery import Celery

from tests.notices.smtp import MailServer
from tests.services.desk import Desk
from tests.services.own_postgres import OwnPostgres, own_postgres
from tests.services.whole_site import HANDS, WORKERS, Turn, WholeSite, until

PEOPLE = 5  # tables of two people; one more table is against a bot
SLACK = 5.0  # seconds between the last check of a notice and the start of its email, on a very busy machine
FAR_ON = 14  # entries: about half a game
OPEN = """
from django.test import Client
from tests.cast import person
sessions = {}
for one in (person(name) for name in ("Alice", "Bob", "Carol", "Dan")):
    browser = Client()
    browser.force_login(one, backend="django.contrib.auth.backends.ModelBackend")
    sessions[one.username] = browser.cookies["sessionid"].value
answer(sessions)
"""
TABLES = f"""
from accounts.models import User
from games.tables.services import lobby
from tests.cast import in_turns
people = [User.objects.get(username=name) for name in ("Alice", "Bob", "Carol", "Dan")]
tables = [in_turns(people[n % 4], people[(n + 1) % 4]).public_id for n in range({PEOPLE})]
answer([*tables, lobby.play_now(user=people[0], bots=["medium"]).public_id])
"""
VERIFY = """
from games.tables.models import Game
from games.tables.services import records
answer([[game.public_id, *records.verify(game=game)] for game in Game.objects.all() if records.verify(game=game)])
"""
OPEN_NOTICES = "SELECT COUNT(*) FROM notices_notice WHERE state IN ('queued', 'sending')"
DUE = f"{OPEN_NOTICES} AND due_at <= now() + %s * interval '1 second'"
UNDER_WAY = f"{OPEN_NOTICES} AND claimed_at IS NOT NULL"
SENDING = "SELECT COUNT(*) FROM notices_notice WHERE state = 'sending'"
SEQ = "SELECT seq FROM tables_game WHERE public_id = %s"
AGE = "UPDATE notices_notice SET due_at = due_at - interval '4 days' WHERE claimed_at IS NOT NULL"
LOG = (
    "SELECT e.seat, e.actions FROM tables_entry e JOIN tables_game g ON g.id = e.game_id JOIN tables_seat s"
    " ON s.game_id = g.id AND s.number = e.seat WHERE g.public_id = %s AND e.seq > %s AND s.user_id IS NOT NULL"
    " ORDER BY e.seq"
)
NOTICES = (  # the last column: whether the seat has taken a turn since
    "SELECT n.message_id, n.kind, g.public_id, s.number, n.seq, n.state, n.why, EXISTS (SELECT FROM tables_entry e"
    " WHERE e.game_id = g.id AND e.seat = s.number AND e.seq > n.seq) FROM notices_notice n"
    " JOIN tables_seat s ON s.id = n.seat_id JOIN tables_game g ON g.id = s.game_id"
)
HANGING = (
    "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND (state LIKE 'idle in transaction%' OR wait_event_type = 'Lock')"
)


class Evening:
    def __init__(self, site: WholeSite, postgres: OwnPostgres, mail_servers: list[MailServer]) -> None:
        self.site, self.postgres, self.mail_servers = site, postgres, mail_servers
        self.desk = Desk(site.environment)
        site.sessions = self.answer(OPEN)
        self.sit_down()
        self.accepted: list[tuple[float, Turn]] = []
        self.ahead = 0.0
        self.was_well = False
        self.queue = Celery(broker=site.environment["REDIS_URL"], set_as_current=False)
        self.redis = redis.Redis(port=site.redis_port)

    def answer(self, code: str) -> Any:
        return self.desk.run(code)

    @property
    def post(self) -> MailServer:
        return self.mail_servers[-1]

    # Players

    def sit_down(self) -> None:
        self.tables: list[str] = self.answer(TABLES)
        self.began = {game: self.site.number(SEQ, game) for game in self.tables}

    def prepare_tables(self) -> None:
        """Open new tables if games might end soon, and wait until all notices are sent."""
        if max(self.site.number(SEQ, game) for game in self.tables) > FAR_ON:
            self.sit_down()
        until(self.is_quiet)

    def before_the_bot(self) -> Turn:
        """Play until the person at the bot's table has a normal turn, after the bids. Return it; the bot is next."""
        while (turn := self.site.think(self.tables[-1])).actions[0].startswith(("bid", "first")):
            self.hand_in(turn)
        return turn

    def hand_in(self, turn: Turn, web: str = "web") -> float:
        """Submit the turn, and return the seconds until it was accepted."""
        began = time.monotonic()
        assert self.site.hand_in(turn, web) == 302
        self.accepted.append((time.time(), turn))
        return time.monotonic() - began

    def turns(self, *tables: str, web: str = "web") -> float:
        """Take a turn at each of these tables, and return the seconds of the slowest."""
        return max(self.hand_in(self.site.think(game), web) for game in tables)

    def emails_in_hand(self, *tables: str) -> None:
        """Take a turn at each table. Wait each time until the email waits at the server, or all threads do."""
        for number, game in enumerate(tables, start=1):
            self.turns(game)
            self.wait_until_waiting(min(number, WORKERS * HANDS))

    def wait_until_waiting(self, emails: int) -> None:
        until(lambda: self.post.waiting == emails)

    # Time

    def time_passes(self) -> None:
        """Age tried notices by four days, so that leases, back-off and pauses of channels are over."""
        self.redis.delete("none", *self.redis.keys("*-rests"))
        self.site.do(AGE)

    def turn_clock(self, seconds: float) -> None:
        """Change the machine's clock while all processes run."""
        self.ahead += seconds
        self.site.turn_clock(self.ahead)

    def is_quiet(self) -> bool:
        """Restart processes that have ended. Return whether no notice is due or being sent."""
        self.site.revive()
        return self.site.number(DUE, self.ahead) + self.site.number(SENDING) == 0

    # What must be true after every fault

    def is_well(self) -> None:
        """Check that turns and emails exist once, no notice, table or lock is stuck, and all logs verify."""
        until(lambda: self.is_quiet() and all(map(self.site.owing, self.tables)))  # the bot has played too
        self.time_passes()
        until(lambda: self.is_quiet() and self.site.number(UNDER_WAY) == 0)
        self.check_turns()
        self.check_emails()
        until(lambda: self.site.number(HANGING) == 0)
        assert self.answer(VERIFY) == []
        self.was_well = True

    def check_turns(self) -> None:
        """Check that each log has exactly the accepted turns, in order."""
        for game, began in self.began.items():
            accepted = [(turn.seat, turn.actions) for _at, turn in self.accepted if turn.game == game]
            assert self.site.rows(LOG, game, began) == accepted
            assert self.site.owing(game), "no seat of this table must act"

    def check_emails(self) -> None:
        """Check that each sent notice arrived once and in time, dropped ones never, and that each turn had a notice."""
        sent, notified = {}, set()
        for name, kind, game, seat, seq, state, why, is_taken in self.site.rows(NOTICES):
            if state == "sent":
                sent[name] = self.taken(game, seat, seq)
            elif state != "queued":  # such as a reminder that is not due yet
                assert (state, why, is_taken) == ("dropped", "taken", True)
            notified |= {(game, seq)} if kind == "turn" else set()
        emails = self.emails()
        assert Counter(name for _began, name in emails) == Counter(sent.keys())
        turns = {(turn.game, turn.seq + 1) for _at, turn in self.accepted if turn.game in self.tables[:PEOPLE]}
        assert turns <= notified
        assert all(began < (sent[name] or began) + SLACK for began, name in emails)

    def taken(self, game: str, seat: int, seq: int) -> float | None:
        """Return when the seat's first turn after this entry was accepted; None if there is none."""
        return next(
            (at for at, turn in self.accepted if (turn.game, turn.seat) == (game, seat) and turn.seq >= seq), None
        )

    def dropped(self) -> int:
        return self.site.number("SELECT COUNT(*) FROM notices_notice WHERE state = 'dropped'")

    def emails(self) -> list[tuple[float, str]]:
        """Return the start time and Message-ID of each email."""
        return [
            (at, message_id_of(email))
            for server in self.mail_servers
            for at, email in zip(server.began, server.kept, strict=True)
        ]


def message_id_of(email: bytes) -> str:
    return re.search(rb"(?im)^Message-ID: *(<[^>]+>)", email)[1].decode()


@contextmanager
def running_evening(folder: Path, redis_server: str, migrated_postgres: Path) -> Iterator[Evening]:
    """Start a site with two workers, a schedule, a web process and its own servers."""
    with ExitStack() as at_the_end:
        postgres = at_the_end.enter_context(own_postgres(migrated_postgres))
        mail_servers = [MailServer().__enter__()]
        at_the_end.callback(lambda: [server.close() for server in mail_servers])
        site = WholeSite(folder, postgres.address, redis_server, mail_servers[0].server_address[1])
        at_the_end.callback(site.stop)
        site.start("redis")
        evening = Evening(site, postgres, mail_servers)
        at_the_end.callback(evening.desk.close)
        for name in ("worker1", "worker2", "beat", "web"):
            site.start(name)
        yield evening


class Evenings:
    """One evening for consecutive tests; after a test that failed, a new one starts."""

    def __init__(self, folder: Path, redis_server: str, migrated_postgres: Path) -> None:
        self.folder, self.needs = folder, (redis_server, migrated_postgres)
        self.stack = ExitStack()
        self.evening: Evening | None = None

    def prepared(self) -> Evening:
        if self.evening is None or not self.evening.was_well:
            self.close()
            folder = self.folder / str(time.monotonic_ns())
            folder.mkdir()
            self.evening = self.stack.enter_context(running_evening(folder, *self.needs))
        self.evening.prepare_tables()
        self.evening.was_well = False
        return self.evening

    def close(self) -> None:
        self.stack.close()
        self.evening = None
