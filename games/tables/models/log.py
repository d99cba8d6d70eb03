"""The log, drafts of turns that are not in it yet, and requests to undo its last turn.

Entries are only ever inserted; database triggers refuse changes and deletions (`empire.insert_only`).
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.tables.models.game import Game, Seat


class By(models.TextChoices):
    """The decider for a seat."""

    SEAT = "seat", _("the player")
    ORDERS = "orders", _("a standing order")
    CLOCK = "clock", _("a bot, after a timeout")
    LATE = "late", _("the default action, after a timeout")
    STAND_IN = "stand-in", _("a substitute bot")


ABSENT = (By.CLOCK, By.LATE, By.STAND_IN)  # who decides for players who are late or away


class Entry(models.Model):
    """One commit: what a seat submitted (null for the site) and the resulting events. See `games.rules.log.Entry`."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="entries", db_index=False)
    seq = models.PositiveIntegerField(_("entry"))
    at = models.DateTimeField(_("when"))
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    by = models.CharField(_("decided by"), max_length=10, choices=By, default=By.SEAT)
    actions = models.JSONField(_("actions"))
    events = models.JSONField(_("events"))
    digest = models.CharField(_("digest"), max_length=64)

    class Meta:
        ordering = ["seq"]
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = [models.UniqueConstraint(fields=["game", "seq"], name="one_entry_of_each_number")]

    def __str__(self) -> str:
        return f"{self.game_id}@{self.seq}"


class Snapshot(models.Model):
    """The position after entry `seq`, as JSON of the ruleset's state. It can be rebuilt from the log."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="snapshot")
    seq = models.PositiveIntegerField()
    rules_version = models.PositiveSmallIntegerField()
    state = models.TextField()

    def __str__(self) -> str:
        return f"{self.game_id}@{self.seq}"


class Seed(models.Model):
    """The secret seed of a game, 32 bytes. While the game runs, only `services` read it and no page shows it."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, primary_key=True, related_name="seed")
    secret = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"seed of {self.game_id}"


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


class UndoState(models.TextChoices):
    """The state of the request."""

    ASKED = "asked", _("asked")
    DONE = "done", _("undone")
    REFUSED = "refused", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")


class UndoRequest(models.Model):
    """A request by `seat` to undo its turn, entry `seq`. The seats in `asked` must agree; those in `agreed` have.

    A game keeps only its last request. It is open only while that entry is the last one.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="undo_request")
    seat = models.PositiveSmallIntegerField(_("seat"))
    seq = models.PositiveIntegerField(_("entry"))
    asked_at = models.DateTimeField(_("asked at"))
    asked = models.JSONField(_("seats asked"), default=list)
    agreed = models.JSONField(_("seats that agreed"), default=list)
    state = models.CharField(_("outcome"), max_length=10, choices=UndoState, default=UndoState.ASKED)

    def __str__(self) -> str:
        return f"{self.game_id}@{self.seq}: {self.state}"
