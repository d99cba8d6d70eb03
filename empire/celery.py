"""The Celery application. Tasks are in `games.tasks` and `accounts.tasks`, the schedule is in the settings."""

import logging
import os
import sys
import time
from typing import Any

from celery import Celery, Task
from celery.signals import before_task_publish, celeryd_init, task_postrun, task_prerun, worker_ready

from empire import memory, queue
from empire.observability import logs

logger = logging.getLogger(__name__)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")


class TaskInOneChunk(Task):
    """The base of all tasks, as `memory.in_one_chunk` is the outermost middleware of requests."""

    @memory.in_one_chunk
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return super().__call__(*args, **kwargs)


queue.install()
app = Celery("empire", task_cls=TaskInOneChunk)
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


@celeryd_init.connect
def need_known_queues(options: dict[str, Any], **kwargs: Any) -> None:
    """Stop a worker whose -Q names another queue. Celery's sentence advises to create it, and nothing would fill it."""
    from django.conf import settings

    unknown = [name for name in options.get("queues") or () if name not in settings.QUEUES]
    if unknown:
        sys.exit(f"There is no queue {', '.join(unknown)}. -Q takes {', '.join(settings.QUEUES)}.")


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
