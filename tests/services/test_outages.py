"""The database goes away and the clock is set while people play on a site of two web processes and two workers."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import psycopg
import pytest

from tests.services.evening import PEOPLE, SEQ, Evening
from tests.services.whole_site import until

WEBS = ("web", "web2")
IN_MID_TURN = (  # behind the entry, which has been written by then
    "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE \"games_seat\"%'"
)
HOLD = "SELECT s.id FROM games_seat s JOIN games_game g ON g.id = s.game_id WHERE g.public_id = ANY(%s) FOR UPDATE OF s"


@contextmanager
def held(evening: Evening, *games: str) -> Iterator[None]:
    """Whoever takes a turn at these tables comes as far as its entry, and waits there with it until all is gone."""
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
    """All others are sent away by the one they hang on, and the log of what was written is gone through."""
    os.kill(evening.site.number(IN_MID_TURN), signal.SIGKILL)


def assert_that_the_site_says_so(evening: Evening) -> None:
    with ThreadPoolExecutor() as pool:
        for status, page in pool.map(lambda web: evening.site.ask("GET", "/lobby/", "Alice", web), WEBS):
            assert status == 503 and b"One moment" in page


def comes_back(evening: Evening) -> bool:
    with suppress(psycopg.OperationalError):
        evening.site.look_again()
        return True
    return False


@pytest.mark.parametrize("falls", [stopped, lost_its_power, killed, one_process_killed])
def test_postgresql_goes_in_mid_turn_and_mid_mail(evening: Evening, falls: Callable[[Evening], None]) -> None:
    site, post = evening.site, evening.post
    if "web2" not in site.running:
        site.start("web2")
    turns = [site.think(game) for game in evening.tables[:2]]
    post.door.clear()
    evening.turns(*evening.tables[2:PEOPLE])
    until(lambda: post.waiting == 3)
    with ThreadPoolExecutor() as pool, held(evening, *evening.tables[:2]):
        answers = [pool.submit(site.sent, turn, web) for turn, web in zip(turns, WEBS, strict=True)]
        until(lambda: len(site.rows(IN_MID_TURN)) == 2)
        falls(evening)
    for status, page in [answer.result() for answer in answers]:
        assert status == 503 and b"One moment" in page and b"Traceback" not in page
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
