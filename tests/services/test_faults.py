"""A site on servers whose parts are killed while people play: no turn is lost or doubled, and no mail about one."""

import json
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPException
from pathlib import Path

import psycopg
import pytest
import redis
from celery import Celery

from tests.notices.smtp import MailServer
from tests.services.whole_site import HANDS, WORKERS, Turn, WholeSite, until

PEOPLE = 5  # tables of two people; one more is against a bot
AT_ONCE = 5.0  # seconds: far more than a turn takes, far less than a broker that is waited for
FROZEN = 3.0  # what a queue is waited for that is there and does not answer
BEFORE_ANYBODY_WAS_TOLD = 2  # turns that are taken while their mail is held up
SLACK = 5.0  # seconds between our last look and the first word to the mail server, on a machine that is very busy
OPEN = f"""
import json
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.test import Client
from games.services import lobby
from tests.cast import in_turns, person
people = [person(name) for name in ("Alice", "Bob", "Carol", "Dan")]
tables = [in_turns(people[n % 4], people[(n + 1) % 4]).public_id for n in range({PEOPLE})]
tables.append(lobby.play_now(user=people[0], bots=["greedy"]).public_id)
sessions = {{}}
for one in people:
    browser = Client()
    browser.force_login(one, backend="django.contrib.auth.backends.ModelBackend")
    sessions[one.username] = browser.cookies["sessionid"].value
print(json.dumps([tables, sessions]))
"""
OPEN_NOTICES = "SELECT COUNT(*) FROM games_notice WHERE state IN ('queued', 'sending')"
DUE = f"{OPEN_NOTICES} AND due_at <= now()"
SENDING = "SELECT COUNT(*) FROM games_notice WHERE state = 'sending'"
OUTAGES = "SELECT COUNT(*) FROM games_outage"
WAITING_FOR_A_ROW = "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE%'"
SEQ = "SELECT seq FROM games_game WHERE public_id = %s"
STUCK = (
    "SELECT g.public_id FROM games_notice n JOIN games_seat s ON s.id = n.seat_id JOIN games_game g ON g.id = s.game_id"
    " WHERE n.state = 'sending' ORDER BY n.id"
)
AGE = "UPDATE games_notice SET due_at = due_at - interval '4 days' WHERE state IN ('queued', 'sending')"
LOG = (
    "SELECT e.seat, e.actions FROM games_entry e JOIN games_game g ON g.id = e.game_id JOIN games_seat s"
    " ON s.game_id = g.id AND s.number = e.seat WHERE g.public_id = %s AND e.seq > %s AND s.user_id IS NOT NULL"
    " ORDER BY e.seq"
)
NOTICES = (  # and when the seat next took a turn
    "SELECT n.kind, g.public_id, s.number, n.seq, n.state, n.why, (SELECT EXTRACT(EPOCH FROM MIN(e.at))::float8 FROM"
    " games_entry e WHERE e.game_id = g.id AND e.seat = s.number AND e.seq > n.seq) FROM games_notice n"
    " JOIN games_seat s ON s.id = n.seat_id JOIN games_game g ON g.id = s.game_id"
)


class Evening:
    """People at several tables, what the site has accepted from them, and the mails that came."""

    def __init__(self, site: WholeSite, mail_servers: list[MailServer]) -> None:
        self.site, self.mail_servers = site, mail_servers
        self.tables, site.sessions = json.loads(site.manage("shell", "-v0", "-c", OPEN))
        self.began = {game: site.number(SEQ, game) for game in self.tables}
        self.accepted: list[Turn] = []
        self.queue = Celery(broker=site.environment["REDIS_URL"], set_as_current=False)
        self.redis = redis.Redis(port=site.redis_port)

    @property
    def post(self) -> MailServer:
        return self.mail_servers[-1]

    def hand_in(self, turn: Turn) -> float:
        """How long it took until the turn was accepted, in seconds."""
        began = time.monotonic()
        assert self.site.hand_in(turn) == 302
        self.accepted.append(turn)
        return time.monotonic() - began

    def turns(self, *tables: str) -> float:
        """A turn at each of these tables. How long the slowest took to be accepted."""
        return max(self.hand_in(self.site.think(game)) for game in tables)

    def time_passes(self) -> None:
        """Four days, for what waits: leases end, back-off and rests are over. The schedule finds it, as on any day."""
        self.redis.delete("none", *self.redis.keys("*-rests"))
        self.site.do(AGE)

    def is_quiet(self) -> bool:
        """Nothing is due, and nothing is at the mail server. As long as it is not so the site is looked after."""
        self.site.revive()
        return self.site.number(DUE) + self.site.number(SENDING) == 0

    def mails(self) -> list[tuple[float, str]]:
        """When each was begun, and its Message-ID."""
        return [(at, named(mail)) for one in self.mail_servers for at, mail in zip(one.began, one.kept, strict=True)]


def named(mail: bytes) -> str:
    return re.search(rb"(?im)^Message-ID: *(<[^>]+>)", mail)[1].decode()


@pytest.fixture
def evening(database: str, redis_server: str, tmp_path: Path) -> Iterator[Evening]:
    with ExitStack() as at_the_end:
        mail_servers = [MailServer().__enter__()]
        at_the_end.callback(lambda: [server.close() for server in mail_servers])
        site = WholeSite(tmp_path, database, redis_server, mail_servers[0].server_address[1])
        at_the_end.callback(site.stop)
        site.start("redis")
        evening = Evening(site, mail_servers)
        for name in ("worker1", "worker2", "beat", "web"):
            site.start(name)
        yield evening


def test_nothing_is_lost_and_nothing_doubled_whatever_is_killed(evening: Evening) -> None:
    evening.turns(*evening.tables)
    until(evening.is_quiet)
    a_worker_dies_with_mails_in_hand(evening)
    beat_dies(evening)
    web_dies_before_the_turn_is_written(evening)
    web_dies_before_the_turn_is_answered(evening)
    the_queue_dies_and_forgets(evening)
    the_mail_server_dies(evening)
    tasks_come_twice_and_in_the_wrong_order(evening)
    evening.turns(*evening.tables)
    until(lambda: evening.is_quiet() and all(map(evening.site.owing, evening.tables)))  # the bot has answered too
    evening.time_passes()
    until(lambda: evening.site.number(OPEN_NOTICES) == 0)
    each_turn_stands_once(evening)
    each_mail_came_once_and_in_time(evening)
    assert evening.site.manage("verify", "--all").count("as it should be") == len(evening.tables)


def a_worker_dies_with_mails_in_hand(evening: Evening) -> None:
    """All hands of both workers stand at the door of the mail server when one of them is killed."""
    site, post = evening.site, evening.post
    post.door.clear()
    evening.turns(*evening.tables[:PEOPLE])
    until(lambda: post.waiting == WORKERS * HANDS)
    site.kill("worker1")
    post.door.set()
    until(lambda: site.number(SENDING) == HANDS and site.number(DUE) == 0)
    evening.turns(*site.rows(STUCK)[0])  # taken before anybody was told
    until(lambda: site.number(SENDING) == HANDS and site.number(DUE) == 0)
    site.start("worker1")
    evening.time_passes()
    until(evening.is_quiet)


def beat_dies(evening: Evening) -> None:
    """Bells are lost while there is no schedule; the next one finds what they were for."""
    evening.site.kill("beat")
    evening.site.kill("redis")
    evening.turns(*evening.tables[:2])
    evening.site.start("redis")
    assert not evening.is_quiet()
    evening.site.start("beat")
    until(evening.is_quiet)


def web_dies_before_the_turn_is_written(evening: Evening) -> None:
    site, turn = evening.site, evening.site.think(evening.tables[0])
    with ThreadPoolExecutor() as pool:
        with psycopg.connect(site.environment["DATABASE_URL"]) as other:
            other.execute("SELECT id FROM games_game WHERE public_id = %s FOR UPDATE", [turn.game])
            answer = pool.submit(site.hand_in, turn)
            until(lambda: site.number(WAITING_FOR_A_ROW))
            site.kill("web")
        assert isinstance(answer.exception(), OSError | HTTPException)
    site.start("web")
    assert site.number(SEQ, turn.game) == turn.seq
    evening.hand_in(turn)


def web_dies_before_the_turn_is_answered(evening: Evening) -> None:
    """It is written, the queue is frozen and takes the bell without a word, and the player sends it once more."""
    site, turn = evening.site, evening.site.think(evening.tables[1])
    site.running["redis"].send_signal(signal.SIGSTOP)
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(site.hand_in, turn)
        until(lambda: site.number(SEQ, turn.game) > turn.seq)
        site.kill("web")
        assert isinstance(answer.exception(), OSError | HTTPException)
    site.start("web")
    evening.hand_in(turn)
    assert evening.turns(evening.tables[2]) < AT_ONCE + FROZEN
    site.running["redis"].send_signal(signal.SIGCONT)
    until(evening.is_quiet)


def the_queue_dies_and_forgets(evening: Evening) -> None:
    evening.site.kill("redis")
    assert evening.turns(*evening.tables[:PEOPLE]) < AT_ONCE
    evening.site.start("redis")
    until(evening.is_quiet)


def the_mail_server_dies(evening: Evening) -> None:
    """Of what waits, one turn is taken before anybody was told."""
    evening.post.close()
    evening.turns(*evening.tables[:PEOPLE])
    until(lambda: evening.site.number(OUTAGES))
    evening.turns(evening.tables[0])
    evening.mail_servers.append(MailServer(evening.post.server_address[1]).__enter__())
    until(lambda: evening.site.number(SENDING) == 0)
    evening.time_passes()
    until(lambda: evening.is_quiet() and evening.site.number(OUTAGES) == 0)


def tasks_come_twice_and_in_the_wrong_order(evening: Evening) -> None:
    evening.post.door.clear()
    evening.turns(*evening.tables)
    for (notice,) in evening.site.rows("SELECT id FROM games_notice ORDER BY id DESC") * 2:
        evening.queue.send_task("games.tasks.send_notice", [notice], queue="notices")
    for game, seat in evening.site.rows("SELECT game_id, number FROM games_seat ORDER BY id DESC") * 2:
        evening.queue.send_task("games.tasks.play_bot", [game, seat], queue="bots")
    evening.post.door.set()
    until(lambda: evening.redis.llen("notices") + evening.redis.llen("bots") == 0)
    until(evening.is_quiet)


def each_turn_stands_once(evening: Evening) -> None:
    """In the log of each table stands what its players were told is accepted, in that order, and nothing else."""
    for game, began in evening.began.items():
        accepted = [(turn.seat, turn.actions) for turn in evening.accepted if turn.game == game]
        assert evening.site.rows(LOG, game, began) == accepted
        assert evening.site.owing(game), "the table waits for nobody"


def each_mail_came_once_and_in_time(evening: Evening) -> None:
    """One for each notice that was sent, none for those that were dropped; and each turn had its notice."""
    sent, told, dropped = {}, set(), 0
    for kind, game, seat, seq, state, why, taken in evening.site.rows(NOTICES):
        if state == "sent":
            sent[f"<{kind}.{game}.{seat}.{seq}@localhost>"] = taken
        else:
            assert (state, why) == ("dropped", "taken") and taken
            dropped += 1
        told |= {(game, seq)} if kind == "turn" else set()
    assert Counter(name for _began, name in evening.mails()) == Counter(sent.keys())
    assert {(turn.game, turn.seq + 1) for turn in evening.accepted if turn.game in evening.tables[:PEOPLE]} <= told
    assert all(sent[name] is None or began < sent[name] + SLACK for began, name in evening.mails())
    assert dropped >= BEFORE_ANYBODY_WAS_TOLD
