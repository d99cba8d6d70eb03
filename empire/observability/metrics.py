"""Metrics at /metrics, in the format of Prometheus. docs/operations.md explains each number.

Each process counts its own work, and Prometheus adds the processes up. The state of the site is read from the database
and the queue at each scrape, so every process reports the same. No label contains user input.
"""

import asyncio
import hmac
import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connections
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
from empire.observability.health import BEAT
from empire.web import peers
from empire.web.peers import Scope, Send

logger = logging.getLogger(__name__)

PATH = "/metrics"
one_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="metrics")  # with one connection
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


class SiteState(Collector):
    """The state of the site, read at each scrape. An unavailable database or queue is reported as such."""

    def collect(self) -> Iterator[Metric]:
        by_gauge: dict[str, list[Reading]] = defaultdict(list)
        for up, source in (("empire_database_up", database), ("empire_queue_up", queues)):
            try:
                readings = list(source())
            except (DatabaseError, OperationalError, RedisError, OSError) as error:
                logger.warning("A source of metrics is not available: %s", error)
                readings = []
            for reading in [*readings, Reading(up, bool(readings))]:
                by_gauge[reading.gauge].append(reading)
        for name, several in by_gauge.items():
            labels = [first.label for first in several[:1] if first.label]
            family = GaugeMetricFamily(name, GAUGES[name], labels=labels)
            for measured in several:
                family.add_metric([measured.text] if labels else [], measured.value)
            yield family


def database() -> Iterator[Reading]:
    known = Heartbeat.objects.filter(name__in=[BEAT, *settings.QUEUES])  # not of a queue that a release has removed
    for name, at in known.values_list("name", "at"):
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


registry.register(SiteState())


# Endpoints: /metrics of web processes, answered before Django, and a separate port for workers

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


def is_scrape(scope: Scope) -> bool:
    """Return whether this is a scrape. It bypasses Django, because it uses hosts not in ALLOWED_HOSTS, without TLS."""
    return bool(scope["type"] == "http" and scope["path"] == PATH)


def answer_in_thread(authorization: str, is_this_machine: bool) -> Answer:
    """Answer in a thread without Django's request cleanup."""
    try:
        return answer(authorization, is_this_machine=is_this_machine)
    finally:
        connections.close_all()  # scrapes are rare


async def respond(scope: Scope, send: Send) -> None:
    sent: Mapping[bytes, bytes] = dict(scope["headers"])
    authorization = sent.get(b"authorization", b"").decode("latin-1")
    address, _port = scope.get("client") or ("", 0)
    is_this_machine = peers.is_this_machine(address, (name.decode("latin-1") for name in sent))
    loop = asyncio.get_running_loop()
    status, headers, body = await loop.run_in_executor(one_thread, answer_in_thread, authorization, is_this_machine)
    raw = [(name.lower().encode(), value.encode()) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        is_this_machine = peers.is_this_machine(str(self.client_address[0]), self.headers)
        status, headers, body = answer_in_thread(self.headers.get("Authorization", ""), is_this_machine)
        self.send_response(status)
        for header in [*headers, ("Content-Length", str(len(body)))]:
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Do not log scrapes."""


def serve(port: int) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("", port), Handler)
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
