"""Health checks of /healthz. A check is a function that returns a sentence if something is wrong, else None.

`settings.HEALTH_CHECKS` lists them, so that each app can add its own.
"""

import logging
from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from django.utils.module_loading import import_string

from empire.models import Heartbeat, Trouble

logger = logging.getLogger(__name__)

BEAT = "beat"
RESTORE = "restore"  # marks a restore in progress
QUEUES = list(settings.QUEUES)
SILENT_AFTER = timedelta(minutes=5)


def note_heartbeat() -> None:
    silence = beat_is_alive() if Heartbeat.objects.filter(name=BEAT).exists() else None
    if silence:
        logger.error("%s It is running again.", silence)
        Heartbeat.objects.update(at=timezone.now())  # give the queues time to report again
    Heartbeat.objects.update_or_create(name=BEAT, defaults={"at": timezone.now()})
    Heartbeat.objects.bulk_create([Heartbeat(name=name, at=timezone.now()) for name in QUEUES], ignore_conflicts=True)


def note_worker(queue: str) -> None:
    Heartbeat.objects.update_or_create(name=queue, defaults={"at": timezone.now()})


def watch() -> list[str]:
    """Run all checks and return the problems as sentences. Each is logged once when found and once when resolved."""
    wrong = {}
    try:
        for check in settings.HEALTH_CHECKS:
            if words := import_string(check)():
                wrong[check] = words
    except DatabaseError:  # without a database no other check can run
        wrong["database"] = "The database does not answer."
    with suppress(DatabaseError):  # an unavailable database is already reported
        for name, words in wrong.items():
            if Trouble.objects.get_or_create(name=name, defaults={"words": words})[1]:
                logger.error(words)
        for trouble in Trouble.objects.exclude(name__in=wrong):
            if Trouble.objects.filter(pk=trouble.pk).delete()[0]:
                logger.warning("Resolved: %s", trouble.words)
    return list(wrong.values())


def database_answers() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def beat_is_alive() -> str | None:
    last = Heartbeat.objects.filter(name=BEAT).values_list("at", flat=True).first()
    if last is None:
        return "The schedule has never run: start a worker and beat."
    if timezone.now() - last > SILENT_AFTER:
        return f"The schedule has not run since {last:%Y-%m-%d %H:%M} UTC."
    return None


def queues_are_worked() -> str | None:
    """Check that workers serve every queue. If the schedule is silent, this is unknown and already reported."""
    late = Heartbeat.objects.filter(name__in=QUEUES, at__lt=timezone.now() - SILENT_AFTER).order_by("at").first()
    if late is None or beat_is_alive():
        return None
    return f"No worker has served the queue {late.name} since {late.at:%Y-%m-%d %H:%M} UTC."


def database_is_up_to_date() -> str | None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return "The database is older than this release: run migrate."
    return None


def no_restore_is_under_way() -> str | None:
    if Heartbeat.objects.filter(name=RESTORE).exists():
        return "Restoring a backup was interrupted: run the same restore again."
    return None
