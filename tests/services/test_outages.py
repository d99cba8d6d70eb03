"""A whole site during play: the database fails, the clock is changed, and processes are killed at random."""

import os
import random
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import psycopg
import pytest

from tests.services.evening import DUE, PEOPLE, SENDING, SEQ, Evening
from tests.services.whole_site import HANDS, until

pytestmark = [pytest.mark.site("evening"), pytest.mark.processes]

WEBS = ("web", "web2")
IN_MID_TURN = (  # after the entry has been written
    "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE \"tables_seat\"%'"
)
HOLD = (
    "SELECT s.id FROM tables_seat s JOIN tables_game g ON g.id = s.game_id WHERE g.public_id = ANY(%s) FOR UPDATE OF s"
)

TIMED = """
from accounts.models import User
from tests.cast import in_turns
answer(in_turns(*User.objects.filter(username__in=["Carol", "Dan"]), clock="move 1h").public_id)
"""
BY_CLOCK = (
    "SELECT COUNT(*) FROM tables_entry e JOIN tables_game g ON g.id = e.game_id"
    " WHERE e.by = 'clock' AND g.public_id = %s"
)
LEASES_AHEAD = (
    "SELECT COUNT(*) FROM notices_notice WHERE state = 'sending'"
    " AND claimed_at > now() + (%s + 300) * interval '1 second'"
)
HOUR = 3600
BOTS = """
from accounts.models import User
from games.tables.services import lobby
erin = User.objects.create(username="Erin", email="erin@example.org")
kinds = ["random", "medium", "random"]
tables = [lobby.open_table(user=erin, ruleset=rules, players=4, bots=kinds) for rules in ("legends", "kingdoms")]
erin.delete()
answer([table.public_id for table in tables])
"""
ENTRIES = "SELECT COUNT(*) FROM tables_entry e JOIN tables_game g ON g.id = e.game_id WHERE g.public_id = ANY(%s)"
RUNNING = "SELECT COUNT(*) FROM tables_game WHERE status = 'running' AND public_id = ANY(%s)"


@contextmanager
def held(evening: Evening, *games: str) -> Iterator[None]:
    """Make turns at these tables wait after writing their entry, until the database connection is lost."""
    other = psycopg.connect(evening.site.environment["DATABASE_URL"])
    other.execute(HOLD, [list(games)])
    yield
    until(lambda: is_gone(other))


def is_gone(connection: psycopg.Connection) -> bool:
    try:
        connection.execute("SELECT 1")
    except psycopg.OperationalError:
        return True
    return False


def stopped(evening: Evening) -> None:
    evening.postgres.stop()


def lost_its_power(evening: Evening) -> None:
    evening.postgres.stop("immediate")


def killed(evening: Evening) -> None:
    evening.postgres.kill()


def one_process_killed(evening: Evening) -> None:
    """Kill one server process: PostgreSQL then ends all others and recovers from its log."""
    os.kill(evening.site.number(IN_MID_TURN), signal.SIGKILL)


def assert_that_the_site_says_so(evening: Evening) -> None:
    with ThreadPoolExecutor() as pool:
        for status, page in pool.map(lambda web: evening.site.ask("GET", "/lobby/", "Alice", web), WEBS):
            assert status == 503 and b"The site is busy" in page


def comes_back(evening: Evening) -> bool:
    """Return whether the database and all web processes answer again."""
    site = evening.site
    with suppress(psycopg.OperationalError):
        site.look_again()
        webs = [web for web in WEBS if web in site.running]
        return all(site.ask("GET", "/lobby/", "Alice", web)[0] == 200 for web in webs)
    return False


@pytest.mark.long
@pytest.mark.parametrize(
    "falls",
    [lost_its_power, stopped, killed, one_process_killed],
)
def test_postgresql_fails_during_turns_and_emails(evening: Evening, falls: Callable[[Evening], None]) -> None:
    site, post = evening.site, evening.post
    if "web2" not in site.running:
        site.start("web2")
    turns = [site.think(game) for game in evening.tables[:2]]
    post.door.clear()
    evening.emails_in_hand(*evening.tables[2:PEOPLE])
    with ThreadPoolExecutor() as pool, held(evening, *evening.tables[:2]):
        answers = [pool.submit(site.sent, turn, web) for turn, web in zip(turns, WEBS, strict=True)]
        until(lambda: len(site.rows(IN_MID_TURN)) == 2)
        falls(evening)
    for status, page in [answer.result() for answer in answers]:
        assert status == 503 and b"The site is busy" in page and b"Traceback" not in page
    if falls is stopped:
        assert_that_the_site_says_so(evening)
    if falls is not one_process_killed:
        post.door.set()
        until(lambda: post.waiting == 0)
        evening.postgres.start()
    until(lambda: comes_back(evening))
    assert [site.number(SEQ, turn.game) for turn in turns] == [turn.seq for turn in turns]
    post.door.set()
    for turn, web in zip(turns, WEBS, strict=True):
        evening.hand_in(turn, web)
    evening.turns(*evening.tables, web="web2")
    evening.is_well()


@pytest.mark.long
def test_the_clock_of_the_machine_is_set_forward_and_back(evening: Evening) -> None:
    """Set the clock an hour forward, so that a player times out, then a day back while emails are being sent and a
    worker is killed, then to the right time.
    """
    site, post, timed = evening.site, evening.post, evening.answer(TIMED)
    evening.turn_clock(HOUR + 60)
    until(lambda: site.number(BY_CLOCK, timed))
    evening.turns(*evening.tables)
    until(evening.is_quiet)
    post.door.clear()
    evening.emails_in_hand(*evening.tables[:PEOPLE])
    site.kill("worker1")
    evening.turn_clock(-25 * HOUR)
    post.door.set()
    site.start("worker1")
    until(lambda: site.number(LEASES_AHEAD, evening.ahead) == 0 and site.number(SENDING) == HANDS)
    site.kill("redis")  # so that only the schedule can find the work
    evening.turns(*evening.tables)
    site.start("redis")
    evening.time_passes()
    evening.is_well()
    evening.turn_clock(-evening.ahead)
    evening.turns(*evening.tables)
    until(lambda: site.ask("GET", "/healthz")[0] == 200)
    assert site.number(BY_CLOCK, timed) == 1
    evening.is_well()


@pytest.mark.long
def test_games_of_bots_end_although_processes_are_killed_all_the_time(evening: Evening) -> None:
    """Kill one process after another, sometimes the queue or the database, and restart each immediately."""
    site, chance = evening.site, random.Random(8)
    tables, kills = evening.answer(BOTS), 0
    for name in chance.choices(["worker1", "worker2", "beat", "web", "redis", "postgresql"], k=8):
        seen = site.number(ENTRIES, tables)
        until(lambda seen=seen: site.number(ENTRIES, tables) > seen or not site.number(RUNNING, tables))
        kills += site.number(RUNNING, tables)
        if name == "postgresql":
            evening.postgres.stop("immediate")
            evening.postgres.start()
            until(lambda: comes_back(evening))
        else:
            site.kill(name)
            site.start(name)
        evening.turns(evening.tables[0])
    until(lambda: not site.number(RUNNING, tables) and site.number(DUE, evening.ahead) == 0)
    for name in ("worker1", "worker2"):  # they finish their work, so what is left belonged to killed workers
        site.running[name].terminate()
        site.running[name].wait()
        site.start(name)
    assert kills, "the games ended before anything was killed"
    evening.time_passes()
    evening.is_well()
