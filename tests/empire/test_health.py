"""/healthz, which reports problems in sentences."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from empire import tasks
from empire.models import Heartbeat
from games.notices.models import Notice, Outage
from games.tables.models import Game, Seat, Status
from games.tables.services import deadlines as timing

pytestmark = pytest.mark.django_db


def test_a_site_whose_schedule_runs_is_healthy(client):
    tasks.heartbeat.delay()
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "troubles": []})


def test_it_reports_a_schedule_that_never_ran(client):
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["troubles"] == ["The schedule has never run: start a worker and beat."]


def test_it_reports_since_when_the_schedule_has_not_run(client):
    tasks.heartbeat.delay()
    Heartbeat.objects.update(at=timezone.now() - timedelta(minutes=10))
    (trouble,) = client.get("/healthz").json()["troubles"]
    assert trouble.startswith("The schedule has not run since ")


def test_it_reports_a_queue_without_a_worker(client):
    tasks.heartbeat.delay()
    Heartbeat.objects.filter(name="bots").update(at=timezone.now() - timedelta(minutes=10))
    (trouble,) = client.get("/healthz").json()["troubles"]
    assert trouble.startswith("No worker has served the queue bots since ")
    tasks.hear.delay("bots")
    assert client.get("/healthz").status_code == 200


def test_queues_are_not_checked_while_the_schedule_is_silent_or_just_back(client):
    tasks.heartbeat.delay()
    Heartbeat.objects.update(at=timezone.now() - timedelta(minutes=10))
    (trouble,) = client.get("/healthz").json()["troubles"]
    assert trouble.startswith("The schedule has not run since ")
    tasks.heartbeat.delay()
    assert client.get("/healthz").status_code == 200


def test_it_reports_pending_migrations_and_unfinished_restores(client):
    tasks.heartbeat.delay()
    MigrationRecorder.Migration.objects.filter(app="tables", name="0003_place_replacements").delete()
    Heartbeat.objects.create(name="restore", at=timezone.now())
    assert client.get("/healthz").json()["troubles"] == [
        "The database is older than this release: run migrate.",
        "Restoring a backup was interrupted: run the same restore again.",
    ]


@pytest.fixture
def seat(django_user_model) -> Seat:
    """Alice's seat, whose turn is an hour overdue."""
    alice = django_user_model.objects.create_user("Alice", "alice@example.org")
    now = timezone.now()
    game = Game.objects.create(ruleset="legends", rules_version=1, players=2, status=Status.RUNNING, opened_at=now)
    seat = Seat(game=game, number=0, user=alice, owner=alice, name="Alice", owes=True)
    timing.begin(seat, game.parsed_clock, game.parsed_clock.at_start, now - timedelta(hours=49))
    seat.save()
    return seat


def test_it_reports_clocks_that_ran_out_unnoticed(client, seat):
    tasks.heartbeat.delay()
    (trouble,) = client.get("/healthz").json()["troubles"]
    assert trouble.startswith("Clocks are not checked. One ran out at ")


def test_it_reports_notices_that_are_not_sent(client, seat):
    tasks.heartbeat.delay()
    Seat.objects.update(deadline=timezone.now())
    Notice.objects.create(user=seat.user, kind="turn", seat=seat, seq=1, due_at=timezone.now() - timedelta(minutes=4))
    assert client.get("/healthz").status_code == 200
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=6))
    (trouble,) = client.get("/healthz").json()["troubles"]
    assert trouble.startswith("Notices are late. The oldest was due at ")


def test_it_reports_a_channel_that_does_not_answer_without_what_its_server_said(client):
    tasks.heartbeat.delay()
    error = "SMTPAuthenticationError: (535, b'5.7.8 post@example.org: authentication failed')"
    Outage.objects.create(channel="email", since=timezone.now() - timedelta(minutes=4), reason=error)
    assert client.get("/healthz").status_code == 200
    Outage.objects.update(since=timezone.now() - timedelta(minutes=6))
    (trouble,) = client.get("/healthz").json()["troubles"]
    assert trouble.startswith("No email has gone out since ") and trouble.endswith(" UTC.")


def test_each_problem_is_logged_once_when_it_starts_and_once_when_it_ends(client, seat, caplog):
    tasks.heartbeat.delay()
    for _minute in range(3):
        tasks.heartbeat.delay()
        client.get("/healthz")
    (record,) = [logged for logged in caplog.records if logged.name == "empire.observability.health"]
    assert record.levelname == "ERROR" and record.getMessage().startswith("Clocks are not checked. One ran out at ")
    caplog.clear()
    Seat.objects.update(deadline=timezone.now())
    for _minute in range(2):
        tasks.heartbeat.delay()
    (record,) = caplog.records
    assert record.getMessage().startswith("Resolved: Clocks are not checked. ")


def test_the_first_run_of_the_schedule_logs_no_problem(caplog):
    tasks.heartbeat.delay()
    assert caplog.records == []


def test_a_schedule_that_runs_again_logs_how_long_it_was_silent(caplog):
    tasks.heartbeat.delay()
    Heartbeat.objects.update(at=timezone.now() - timedelta(hours=3))
    tasks.heartbeat.delay()
    (record,) = caplog.records
    assert record.levelname == "ERROR" and record.getMessage().endswith(" UTC. It is running again.")


def no_database() -> None:
    raise OperationalError("could not connect to server: secret-host")


def test_a_database_outage_is_reported_without_its_address(client, settings):
    settings.HEALTH_CHECKS = [f"{__name__}.no_database"]
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["troubles"] == ["The database does not answer."]
