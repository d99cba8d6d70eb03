"""A site on servers whose parts are killed while people play: no turn or email is lost or duplicated.

Each test ends with `is_well`, which checks every turn, email, notice, table and log.
"""

import signal
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException

import psycopg
import pytest

from tests.notices.smtp import MailServer
from tests.services.evening import DUE, PEOPLE, SENDING, SEQ, Evening
from tests.services.whole_site import HANDS, WORKERS, until

pytestmark = [pytest.mark.site("evening"), pytest.mark.processes]

AT_ONCE = 5.0  # seconds: far more than a turn takes, far less than waiting for an unavailable broker
FROZEN = 3.0  # seconds that a request waits for a queue that does not answer
OUTAGES = "SELECT COUNT(*) FROM notices_outage"
# A SELECT that waits for a lock ends in FOR UPDATE, but the view shows only 1,024 characters
WAITING_FOR_A_ROW = "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT %'"
STUCK = (
    "SELECT g.public_id FROM notices_notice n JOIN tables_seat s ON s.id = n.seat_id"
    " JOIN tables_game g ON g.id = s.game_id WHERE n.state = 'sending' ORDER BY n.id"
)


def test_emails_that_a_killed_worker_was_sending_arrive_once(evening: Evening) -> None:
    """All threads of both workers are waiting at the email server when one worker is killed."""
    site, post = evening.site, evening.post
    post.door.clear()
    evening.emails_in_hand(*evening.tables[:PEOPLE])
    site.kill("worker1")
    post.door.set()
    until(lambda: site.number(SENDING) == HANDS and site.number(DUE, evening.ahead) == 0)
    evening.turns(*site.rows(STUCK)[0])  # played before its notice was sent
    until(lambda: site.number(SENDING) == HANDS and site.number(DUE, evening.ahead) == 0)
    site.start("worker1")
    evening.time_passes()
    evening.is_well()


@pytest.mark.long
def test_work_that_came_due_without_a_schedule_is_done_when_it_runs_again(evening: Evening) -> None:
    """Tasks are lost while there is no schedule; when it runs again, it finds the work."""
    evening.site.kill("beat")
    evening.site.kill("redis")
    evening.turns(*evening.tables[:2])
    evening.site.start("redis")
    assert not evening.is_quiet()
    evening.site.start("beat")
    evening.is_well()


@pytest.mark.long
def test_a_turn_that_a_killed_web_process_did_not_write_counts_when_sent_again(evening: Evening) -> None:
    site, turn = evening.site, evening.site.think(evening.tables[0])
    with ThreadPoolExecutor() as pool:
        with psycopg.connect(site.environment["DATABASE_URL"]) as other:
            other.execute("SELECT id FROM tables_game WHERE public_id = %s FOR UPDATE", [turn.game])
            answer = pool.submit(site.hand_in, turn)
            until(lambda: site.number(WAITING_FOR_A_ROW))
            site.kill("web")
        assert isinstance(answer.exception(), OSError | HTTPException)
    site.start("web")
    assert site.number(SEQ, turn.game) == turn.seq
    evening.hand_in(turn)
    evening.is_well()


@pytest.mark.long
def test_a_turn_that_a_killed_web_process_wrote_counts_once_when_sent_again(evening: Evening) -> None:
    """The turn is stored, the queue hangs while it takes the task, and the player submits the turn again."""
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
    evening.is_well()


@pytest.mark.long
def test_turns_need_no_queue_and_sweeps_do_the_work_of_tasks_it_lost(evening: Evening) -> None:
    evening.site.kill("redis")
    assert evening.turns(*evening.tables[:PEOPLE]) < AT_ONCE
    evening.site.start("redis")
    evening.is_well()


@pytest.mark.long
def test_emails_wait_for_a_server_that_is_down_and_arrive_once(evening: Evening) -> None:
    """One turn is played before its waiting notice is sent."""
    evening.post.close()
    evening.turns(*evening.tables[:PEOPLE])
    until(lambda: evening.site.number(OUTAGES))
    evening.turns(evening.tables[0])
    evening.mail_servers.append(MailServer(evening.post.server_address[1]).__enter__())
    until(lambda: evening.site.number(SENDING) == 0)
    evening.time_passes()
    until(lambda: evening.is_quiet() and evening.site.number(OUTAGES) == 0)
    evening.is_well()


@pytest.mark.long
def test_tasks_that_arrive_twice_and_in_the_wrong_order_do_their_work_once(evening: Evening) -> None:
    evening.post.door.clear()
    evening.turns(*evening.tables)
    for (notice,) in evening.site.rows("SELECT id FROM notices_notice ORDER BY id DESC") * 2:
        evening.queue.send_task("games.tasks.send_notice", [notice], queue="notices")
    for game, seat in evening.site.rows("SELECT game_id, number FROM tables_seat ORDER BY id DESC") * 2:
        evening.queue.send_task("games.tasks.play_bot", [game, seat], queue="bots")
    evening.post.door.set()
    until(lambda: evening.redis.llen("notices") + evening.redis.llen("bots") == 0)
    evening.is_well()


@pytest.mark.long
def test_an_email_server_that_never_answers_delays_only_emails(evening: Evening) -> None:
    """All threads that send emails wait for it; a worker for the other queues continues, and so do players."""
    site, post, bots = evening.site, evening.post, evening.tables[-1]
    post.door.clear()
    evening.emails_in_hand(*evening.tables[:PEOPLE])
    site.start("others1")
    turn = evening.before_the_bot()
    assert evening.hand_in(turn) < AT_ONCE
    until(lambda: site.number(SEQ, bots) > turn.seq + 1 and site.owing(bots))
    assert post.waiting == WORKERS * HANDS
    site.kill("others1")
    post.door.set()
    evening.is_well()


@pytest.mark.long
def test_a_bot_turn_is_played_once_if_one_of_two_workers_that_play_it_is_killed(evening: Evening) -> None:
    site, bots = evening.site, evening.tables[-1]
    turn, workers = evening.before_the_bot(), [site.running[name] for name in ("worker1", "worker2")]
    for worker in workers:
        worker.send_signal(signal.SIGSTOP)
    evening.hand_in(turn)
    (seat,) = site.rows("SELECT g.id, s.number FROM tables_game g JOIN tables_seat s ON s.game_id = g.id WHERE s.owes"
                       " AND s.user_id IS NULL AND g.public_id = %s", bots)  # fmt: skip
    with psycopg.connect(site.environment["DATABASE_URL"]) as other:
        other.execute("SELECT id FROM tables_game WHERE public_id = %s FOR UPDATE", [bots])
        for _again in range(2 * WORKERS * HANDS):
            evening.queue.send_task("games.tasks.play_bot", seat, queue="bots")
        for worker in workers:
            worker.send_signal(signal.SIGCONT)
        until(lambda: site.number(WAITING_FOR_A_ROW) == WORKERS * HANDS)
        site.kill("worker1")
    site.start("worker1")
    until(lambda: evening.redis.llen("bots") == 0 and site.owing(bots))
    by_bot = "SELECT COUNT(*) FROM tables_entry WHERE game_id = %s AND seat = %s AND seq > %s"
    assert site.number(by_bot, *seat, turn.seq) in {1, 2}, (
        "a turn takes one entry, or two if it stops at a revealed token"
    )
    evening.is_well()
