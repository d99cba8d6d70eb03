"""Requests to undo the last turn, and the answers to them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.tables.models.game import Game


class Answer(models.TextChoices):
    """The state of the request."""

    ASKED = "asked", _("asked")
    DONE = "done", _("taken back")
    REFUSED = "refused", _("refused")
    WITHDRAWN = "withdrawn", _("withdrawn")


class TakeBack(models.Model):
    """A request by `seat` to undo its turn, entry `seq`. The seats in `asked` must agree; those in `agreed` have.

    A game keeps only its last request. It is open only while that entry is the last one.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="take_back")
    seat = models.PositiveSmallIntegerField(_("seat"))
    seq = models.PositiveIntegerField(_("entry"))
    asked_at = models.DateTimeField(_("asked at"))
    asked = models.JSONField(_("seats asked"), default=list)
    agreed = models.JSONField(_("seats that agreed"), default=list)
    state = models.CharField(_("what became of it"), max_length=10, choices=Answer, default=Answer.ASKED)

    def __str__(self) -> str:
        return f"{self.game_id}@{self.seq}: {self.state}"
