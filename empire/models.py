"""Heartbeats and troubles of the site's own processes."""

from django.db import models
from django.utils import timezone


class Heartbeat(models.Model):
    """When the schedule last ran completely (beat, worker, database): one row for it, and one for each queue."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at:%Y-%m-%d %H:%M:%S}"


class Trouble(models.Model):
    """A current problem found by /healthz, stored so that it is logged once and not every minute."""

    name = models.CharField(max_length=100, primary_key=True)
    words = models.TextField()
    since = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.since:%Y-%m-%d %H:%M:%S} {self.words}"
