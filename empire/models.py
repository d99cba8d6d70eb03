"""Signs of life of the machinery."""

from django.db import models


class Heartbeat(models.Model):
    """When the schedule last went all the way: beat rang, a worker heard it, the database took it down."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at:%Y-%m-%d %H:%M:%S}"
