"""The Celery application. Tasks are in `games.tasks` and `accounts.tasks`, the schedule is in the settings."""

import logging
import os
import time
from typing import Any

from celery import Celery, Task
from celery.signals import before_task_publish, task_postrun, task_prerun, worker_ready

from empire import memory, queue
from empire.observability import logs

logger = logging.getLogger(__name__)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")

queue.install()
app = Celery("empire")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["empire", "accounts", "games"])


@before_task_publish.connect
def pass_request_number(headers: dict[str, Any], **kwargs: Any) -> None:
    """Send the request number along, so that the task's log names the request that started it."""
    if "request" in logs.facts():
        headers["sent_by"] = logs.facts()["request"]


@task_prerun.connect
def begin_log_context(task: Task, **kwargs: Any) -> None:
    if not task.request.is_eager:
        task.request.update(began=time.perf_counter())
        sent_by = task.request.get("sent_by")
        logs.begin(task=task.name, **({"request": sent_by} if sent_by else {}))


@task_postrun.connect
def count(task: Task, state: str, **kwargs: Any) -> None:
    from empire.observability import metrics  # it needs the apps to be loaded

    if not task.request.is_eager:
        metrics.tasks.labels(task.name, state).inc()
        metrics.task_seconds.labels(task.name).observe(time.perf_counter() - task.request.get("began", 0.0))


@worker_ready.connect
def freeze_loaded_objects(**kwargs: Any) -> None:
    memory.freeze()


@worker_ready.connect
def serve_metrics(**kwargs: Any) -> None:
    from django.conf import settings

    from empire.observability import metrics

    if settings.METRICS_PORT:
        try:
            metrics.serve(settings.METRICS_PORT)
        except OSError as problem:
            logger.error(
                "This worker serves no metrics at METRICS_PORT %s (%s). Each worker of a machine needs its own port.",
                settings.METRICS_PORT,
                problem.strerror,
            )
