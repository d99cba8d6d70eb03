"""A player's wish to have the last turn back, and what the others have answered so far."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.tables.models.game import Game


class Answer(models.TextChoices):
    """What became of it."""

    ASKED = "asked", _("asked")
    DONE = "done", _("taken back")
    REFUSED = "refused", _("refused")
    WITHDRAWN = "withdrawn", _("withdrawn")


class TakeBack(models.Model):
    """`seat` asks for its turn of entry `seq`; the seats `asked` have to agree, those in `agreed` have.

    A game keeps the last one alone. It stands only as long as that entry is the last: with the next one it is over.
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
