"""/healthz says in sentences what is wrong."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from empire import health, tasks
from empire.models import Heartbeat

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


def no_database() -> None:
    raise OperationalError("could not connect to server: secret-host")


def test_a_database_that_does_not_answer_is_told_without_its_address(client, settings):
    settings.HEALTH_CHECKS = [f"{__name__}.no_database"]
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["troubles"] == ["The database does not answer."]


def test_each_check_is_a_function_that_can_be_found(settings):
    assert list(health.troubles()) == ["The schedule has never run: no worker or no beat."]
