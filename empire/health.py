"""What /healthz asks. A check is a function that returns a sentence when something is wrong, else nothing.

`settings.HEALTH_CHECKS` lists them, so that each app can bring its own.
"""

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from django.utils.module_loading import import_string

from empire.models import Heartbeat

BEAT = "beat"
SILENT_AFTER = timedelta(minutes=5)


def note_heartbeat() -> None:
    Heartbeat.objects.update_or_create(name=BEAT, defaults={"at": timezone.now()})


def troubles() -> Iterator[str]:
    """Sentences about what is wrong. Without a database nothing else can be asked."""
    try:
        yield from (trouble for check in settings.HEALTH_CHECKS if (trouble := import_string(check)()))
    except DatabaseError:
        yield "The database does not answer."


def database_answers() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def beat_is_alive() -> str | None:
    last = Heartbeat.objects.filter(name=BEAT).values_list("at", flat=True).first()
    if last is None:
        return "The schedule has never run: no worker or no beat."
    if timezone.now() - last > SILENT_AFTER:
        return f"The schedule has been silent since {last:%Y-%m-%d %H:%M} UTC."
    return None
