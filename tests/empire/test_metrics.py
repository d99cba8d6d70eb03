"""/metrics: the site's state in the Prometheus format, for authorized clients."""

import re
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import timedelta

import pytest
from asgiref.testing import ApplicationCommunicator
from celery import Celery
from django.conf import settings as site
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from empire import tasks
from empire.asgi import application
from empire.celery import app, serve_metrics
from empire.models import Heartbeat
from empire.observability import health, metrics
from games.errors import GameError
from games.notices.models import Notice, Outage
from games.tables.models import Seat
from games.tables.services import lobby, play
from tests.cast import again, in_turns, some_turn
from tests.empire.test_live import run
from tests.notices.emails import send_due
from tests.running import free_port

TOKEN = "a-token-of-many-letters"
Told = Callable[..., float]


def scrape(peer: str = "10.0.0.9", **headers: str) -> tuple[int, str]:
    """Request the metrics as Prometheus does: at the address of one process, under a foreign host name."""
    raw = [(name.encode(), value.encode()) for name, value in {"host": "10.0.0.7:8000", **headers}.items()]
    scope = {"type": "http", "method": "GET", "path": "/metrics", "query_string": b"", "headers": raw}
    scope["client"] = (peer, 50_000)

    async def asked() -> tuple[int, str]:
        talk = ApplicationCommunicator(application, scope)
        await talk.send_input({"type": "http.request"})
        start, body = await talk.receive_output(30), await talk.receive_output(30)
        return start["status"], body["body"].decode()

    return run(asked())


@pytest.fixture(autouse=True)
def token(settings) -> None:
    settings.METRICS_TOKEN = TOKEN


@pytest.fixture
def value(db) -> Told:
    """A function that returns the current value of a metric with these labels."""

    def value(name: str, /, **labels: str) -> float:
        text = metrics.answer(f"Bearer {TOKEN}")[2].decode()
        # Parse no other metrics: after many tests there are thousands
        wanted = "".join(line for line in text.splitlines(keepends=True) if line.startswith(name))
        for family in text_string_to_metric_families(wanted):
            for sample in family.samples:
                if sample.name == name and sample.labels == labels:
                    return sample.value
        return 0

    return value


# Access


@pytest.mark.django_db(transaction=True)
def test_metrics_need_the_token():
    assert scrape()[0] == 401
    assert scrape(authorization="Bearer another-token") == (401, "")
    status, text = scrape(authorization=f"Bearer {TOKEN}")
    assert status == 200 and "empire_database_up 1.0" in text and "empire_queue_up 1.0" in text


def test_a_server_without_a_token_serves_no_metrics(settings):
    settings.METRICS_TOKEN = ""
    assert scrape(authorization="Bearer ") == (404, "")


@pytest.mark.django_db(transaction=True)
def test_without_a_token_a_debug_site_serves_metrics_only_to_its_own_machine(settings):
    settings.METRICS_TOKEN, settings.DEBUG = "", True
    assert scrape("127.0.0.1")[0] == scrape("::1")[0] == scrape("::ffff:127.0.0.1")[0] == 200
    assert scrape("192.168.1.7") == scrape("192.168.1.7", host="localhost") == (404, "")
    for header in ("x-forwarded-for", "forwarded", "via", "x-real-ip"):
        assert scrape("127.0.0.1", **{header: "127.0.0.1"}) == (404, "")


def test_without_a_token_a_worker_serves_no_metrics_through_a_proxy(settings):
    settings.METRICS_TOKEN, settings.DEBUG = "", True
    server = metrics.serve(0)
    request = urllib.request.Request(f"http://127.0.0.1:{server.server_address[1]}/", headers={"Via": "1.1 proxy"})
    try:
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(request, timeout=30)
    finally:
        server.shutdown()
        server.server_close()


def test_a_worker_whose_port_is_taken_works_without_metrics_and_says_so(settings, caplog):
    server = metrics.serve(0)
    settings.METRICS_PORT = server.server_address[1]
    try:
        serve_metrics()
    finally:
        server.shutdown()
        server.server_close()
    assert f"at METRICS_PORT {settings.METRICS_PORT} (Address already in use)" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_worker_serves_metrics_at_its_own_port():
    server = metrics.serve(0)
    address = f"http://127.0.0.1:{server.server_address[1]}/metrics"
    try:
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(address, timeout=30)
        request = urllib.request.Request(address, headers={"Authorization": f"Bearer {TOKEN}"})
        assert b"empire_tasks" in urllib.request.urlopen(request, timeout=30).read()
    finally:
        server.shutdown()
        server.server_close()


# What a process counts


def test_requests_are_counted_by_view_and_not_by_url(client, value):
    page = {"view": "table", "method": "GET"}
    before = value("empire_requests_total", **page, status="404"), value("empire_request_seconds_count", **page)
    client.get("/games/bcdfghjk/")
    after = value("empire_requests_total", **page, status="404"), value("empire_request_seconds_count", **page)
    assert after == (before[0] + 1, before[1] + 1)
    nowhere = {"view": "none", "method": "other", "status": "404"}
    before = value("empire_requests_total", **nowhere)
    client.generic("MADEUP", "/what-somebody-typed/")
    assert value("empire_requests_total", **nowhere) == before + 1


def test_a_turn_is_counted_once_after_its_commit(alice, bob, value, django_capture_on_commit_callbacks):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    labels = {"ruleset": game.ruleset, "by": "seat"}
    before = value("empire_turns_total", **labels)
    for _twice in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=game.seq)
    with pytest.raises(GameError), django_capture_on_commit_callbacks(execute=True):
        play.submit_turn(game=again(game), seat=seat, actions=["nonsense"], expected_seq=again(game).seq)
    assert value("empire_turns_total", **labels) == before + 1


@pytest.mark.usefixtures("small_pictures")
def test_notices_are_counted_by_outcome(alice, bob, value, settings):
    in_turns(alice, bob)
    sent, again_ = ({"channel": "email", "fate": fate} for fate in ("sent", "again"))
    before = value("empire_notices_total", **sent), value("empire_notices_total", **again_)
    send_due()
    went = Notice.objects.filter(state="sent").count()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    Notice.objects.filter(state="queued").update(due_at=timezone.now())
    send_due()
    assert value("empire_notices_total", **sent) == before[0] + went > before[0]
    assert value("empire_notices_total", **again_) == before[1] + 1


# The state of the site


def test_it_reports_waiting_work_and_its_age(alice, bob, value):
    lobby.play_now(user=alice, bots=["random"])
    in_turns(alice, bob)
    assert value("empire_games_running") == 2
    assert value("empire_clocks_overdue") == value("empire_clocks_overdue_seconds") == 0
    late = timezone.now() - timedelta(minutes=10)
    owing = Seat.objects.filter(owes=True, user__isnull=False).update(deadline=late)
    assert value("empire_clocks_overdue") == owing > 0
    assert 600 <= value("empire_clocks_overdue_seconds") < 700
    waiting = Notice.objects.filter(channel="email", state="queued").update(due_at=late)
    assert value("empire_notices_due", channel="email") == waiting > 0
    assert 600 <= value("empire_notices_due_seconds", channel="email") < 700
    assert value("empire_notices_due", channel="push") == 0


def test_it_reports_heartbeats_and_problems(value):
    Heartbeat.objects.create(name="of an earlier release", at=timezone.now() - timedelta(days=9))
    tasks.heartbeat.delay()
    at = Heartbeat.objects.get(name="beat").at
    assert value("empire_heartbeat_timestamp_seconds", name="beat") == pytest.approx(at.timestamp())
    assert value("empire_heartbeat_timestamp_seconds", name="bots") >= at.timestamp()
    assert value("empire_heartbeat_timestamp_seconds", name="of an earlier release") == 0
    Outage.objects.create(channel="email", since=timezone.now() - timedelta(hours=1), reason="no route to host")
    health.watch()
    assert value("empire_trouble", check="channels_answer") == 1
    assert value("empire_trouble", check="beat_is_alive") == 0


def test_it_reports_the_length_of_each_queue(value, tmp_path):
    # Its own folder: messages that other tests have read return to the usual one when their connections are collected
    own = Celery("own", broker="filesystem://", set_as_current=False)
    folders = dict.fromkeys(("data_folder_in", "data_folder_out", "control_folder"), str(tmp_path))
    own.conf.update(broker_transport_options=folders, task_routes=app.conf.task_routes)
    own.set_current()
    try:
        own.send_task("games.tasks.play_bot", args=(1, 1))
        assert value("empire_queue_length", queue="bots") == 1
        assert value("empire_queue_length", queue="notices") == 0
    finally:
        app.set_current()


@pytest.mark.usefixtures("db")
def test_it_reports_everything_else_while_the_queue_is_down():
    dead = Celery("dead", broker=f"redis://localhost:{free_port()}/0", set_as_current=False)
    dead.conf.update(broker_transport_options={"max_retries": 0})
    dead.set_current()
    try:
        text = metrics.answer(f"Bearer {TOKEN}")[2].decode()
    finally:
        app.set_current()
    assert "empire_queue_up 0.0" in text and "empire_database_up 1.0" in text and "empire_games_running 0.0" in text


@pytest.mark.usefixtures("db")
def test_the_operations_page_explains_every_metric():
    page = (site.BASE_DIR / "docs/operations.md").read_text()
    names = {family.name for family in metrics.registry.collect() if family.name.startswith("empire_")}
    described = set(re.findall(r"^\| `(empire_\w+)`", page, re.MULTILINE))
    assert described == names | set(metrics.GAUGES)
