"""/healthz says in sentences what is wrong."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from empire import tasks
from empire.models import Heartbeat
from games.models import Game, Notice, Seat, Status

pytestmark = pytest.mark.django_db


def test_all_is_well_while_the_schedule_beats(client):
    tasks.heartbeat.delay()
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "troubles": []})


def test_it_tells_that_the_schedule_never_ran(client):
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["troubles"] == ["The schedule has never run: no worker or no beat."]


def test_it_tells_since_when_the_schedule_is_silent(client):
    tasks.heartbeat.delay()
    Heartbeat.objects.update(at=timezone.now() - timedelta(minutes=10))
    (trouble,) = client.get("/healthz").json()["troubles"]
    assert trouble.startswith("The schedule has been silent since ")


@pytest.fixture
def seat(django_user_model) -> Seat:
    """Alice's, at a table where she has owed a turn for an hour too long."""
    alice = django_user_model.objects.create_user("Alice", "alice@example.org")
    now = timezone.now()
    game = Game.objects.create(ruleset="legends", rules_version=1, players=2, status=Status.RUNNING, opened_at=now)
    return Seat.objects.create(
        game=game, number=0, user=alice, name="Alice", owes=True, deadline=now - timedelta(hours=1)
    )


def test_it_tells_of_clocks_that_nobody_watches(client, seat):
    tasks.heartbeat.delay()
    (trouble,) = client.get("/healthz").json()["troubles"]
    assert trouble.startswith("Clocks are not watched: one ran out at ")


def test_it_tells_of_notices_that_do_not_go_out(client, seat):
    tasks.heartbeat.delay()
    Seat.objects.update(deadline=timezone.now())
    Notice.objects.create(kind="turn", seat=seat, seq=1, due_at=timezone.now() - timedelta(minutes=9))
    assert client.get("/healthz").status_code == 200
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=11))
    (trouble,) = client.get("/healthz").json()["troubles"]
    assert trouble.startswith("Notices are late: the oldest was due at ")


def no_database() -> None:
    raise OperationalError("could not connect to server: secret-host")


def test_a_database_that_does_not_answer_is_told_without_its_address(client, settings):
    settings.HEALTH_CHECKS = [f"{__name__}.no_database"]
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["troubles"] == ["The database does not answer."]
