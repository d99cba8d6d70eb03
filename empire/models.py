"""Signs of life of the machinery."""

from django.db import models
from django.utils import timezone


class Heartbeat(models.Model):
    """When the schedule last went all the way: beat rang, a worker heard it, the database took it down.

    One row is for all of it, and one for each queue.
    """

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at:%Y-%m-%d %H:%M:%S}"


class Trouble(models.Model):
    """What /healthz finds wrong, as long as it does, so that the log says it once and not each minute."""

    name = models.CharField(max_length=100, primary_key=True)
    words = models.TextField()
    since = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.since:%Y-%m-%d %H:%M:%S} {self.words}"
