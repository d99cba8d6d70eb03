"""Metrics at /metrics, in the format of Prometheus. docs/operations.md explains each number.

Each process counts its own work, and Prometheus adds the processes up. The state of the site is read from the database
and the queue at each scrape, so every process reports the same. No label contains user input.
"""

import hmac
import logging
from collections import defaultdict
from collections.abc import Iterator
from http import HTTPStatus
from typing import NamedTuple

from celery import current_app
from django.conf import settings
from django.db import DatabaseError
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    Metric,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from empire.models import Heartbeat, Trouble

logger = logging.getLogger(__name__)

PATH = "/metrics"
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
GAUGES = {
    "empire_database_up": "1 while the database answers, else 0.",
    "empire_queue_up": "1 while the queue answers, else 0.",
    "empire_queue_length": "Tasks waiting in a queue.",
    "empire_heartbeat_timestamp_seconds": "When the schedule last ran, and when a worker last served each queue.",
    "empire_trouble": "1 for each failing check of /healthz.",
    "empire_games_running": "Running games.",
    "empire_clocks_overdue": "Overdue clocks that have not been handled yet, at most 10,000.",
    "empire_clocks_overdue_seconds": "Age of the oldest overdue clock.",
    "empire_notices_due": "Notices due but not sent, at most 10,000.",
    "empire_notices_due_seconds": "Age of the oldest due notice.",
}

disable_created_metrics()
registry = CollectorRegistry()
ProcessCollector(registry=registry)
requests = Counter("empire_requests", "Requests answered.", ["view", "method", "status"], registry=registry)
request_seconds = Histogram(
    "empire_request_seconds", "Response times.", ["view", "method"], buckets=BUCKETS, registry=registry
)
turns = Counter("empire_turns", "Turns accepted, by who decided them.", ["ruleset", "by"], registry=registry)
notices = Counter("empire_notices", "Notices by outcome.", ["channel", "fate"], registry=registry)
tasks = Counter("empire_tasks", "Finished tasks.", ["task", "state"], registry=registry)
task_seconds = Histogram("empire_task_seconds", "Task durations.", ["task"], buckets=BUCKETS, registry=registry)


class Reading(NamedTuple):
    """One number of the site's state, with a label name and text if there are several."""

    gauge: str
    value: float
    label: str = ""
    text: str = ""


class State(Collector):
    """The state of the site, read at each scrape. An unavailable database or queue is reported as such."""

    def collect(self) -> Iterator[Metric]:
        found: dict[str, list[Reading]] = defaultdict(list)
        for reading in readings():
            found[reading.gauge].append(reading)
        for name, several in found.items():
            labels = [one.label for one in several[:1] if one.label]
            family = GaugeMetricFamily(name, GAUGES[name], labels=labels)
            for one in several:
                family.add_metric([one.text] if labels else [], one.value)
            yield family


registry.register(State())


def readings() -> Iterator[Reading]:
    for up, source in (("empire_database_up", database), ("empire_queue_up", queues)):
        try:
            found = list(source())
        except (DatabaseError, OperationalError, RedisError, OSError) as error:
            logger.warning("A source of metrics is not available: %s", error)
            found = []
        yield from [*found, Reading(up, bool(found))]


def database() -> Iterator[Reading]:
    for name, at in Heartbeat.objects.values_list("name", "at"):
        yield Reading("empire_heartbeat_timestamp_seconds", at.timestamp(), "name", name)
    troubles = set(Trouble.objects.values_list("name", flat=True))
    for name in [*settings.HEALTH_CHECKS, "database"]:
        yield Reading("empire_trouble", name in troubles, "check", name.rpartition(".")[2])
    for source in settings.METRICS:
        yield from import_string(source)()


def queues() -> Iterator[Reading]:
    with current_app.connection_for_read() as connection:
        for name in settings.QUEUES:
            waiting = connection.default_channel.queue_declare(name).message_count  # type: ignore[attr-defined]  # Kombu
            yield Reading("empire_queue_length", waiting, "queue", name)


Answer = tuple[HTTPStatus, list[tuple[str, str]], bytes]


def answer(authorization: str, *, is_this_machine: bool = False) -> Answer:
    """Answer requests with METRICS_TOKEN. Without a token, answer only this machine itself, with DEBUG."""
    token = settings.METRICS_TOKEN
    if not token and not (settings.DEBUG and is_this_machine):
        return HTTPStatus.NOT_FOUND, [], b""
    if token and not hmac.compare_digest(authorization.encode(), f"Bearer {token}".encode()):
        return HTTPStatus.UNAUTHORIZED, [("WWW-Authenticate", "Bearer")], b""
    headers = [("Content-Type", CONTENT_TYPE_PLAIN_0_0_4), ("Cache-Control", "no-store")]
    return HTTPStatus.OK, headers, bytes(generate_latest(registry))
