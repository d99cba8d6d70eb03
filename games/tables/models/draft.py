"""Drafts of turns and sealed decisions, known only to the seat's player."""

from django.db import models

from games.tables.models.game import Seat
from games.tables.models.log import By


class Draft(models.Model):
    """Action texts after entry `seq`: an undoable draft, or a sealed decision until all decisions are in."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="drafts", db_index=False)
    seq = models.IntegerField()
    actions = models.JSONField(default=list)
    sealed = models.BooleanField(default=False)
    by = models.CharField(max_length=10, choices=By, default=By.SEAT)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "sealed"], name="one_draft_of_each_kind")]

    def __str__(self) -> str:
        return f"{self.seat_id}@{self.seq}"
