"""What people are told, over what, and when: the one list of kinds that rows, wishes, pages and mails share."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    """The labels are halves of sentences: “We write to you when …”."""

    TURN = "turn", _("it is your turn")
    TIME = "time", _("your time is running out")
    STARTED = "started", _("a game of yours begins")
    ENDED = "ended", _("a game of yours ends")
    CLOSED = "closed", _("a table closes that you waited at")
    ASKED = "asked", _("somebody asks you to play for them")
    AWAY = "away", _("a bot keeps your seat until you come back")
    BACK = "back", _("somebody asks to take a turn back")
    FULL = "full", _("a full game of yours ends")
    CHALLENGE = "challenge", _("somebody challenges you on a ladder")
    RUNG = "rung", _("you climb or fall on a ladder")
    SEASON = "season", _("a season or tournament of yours opens, begins or ends")
    DECISION = "decision", _("an organiser or the house decides something about a game, league or tournament of yours")


class Channel(models.TextChoices):
    MAIL = "mail", _("mail")
    PUSH = "push", _("push message")
    HOOK = "hook", _("webhook")


class How(models.TextChoices):
    """`later` is after the user's delay, in which a turn taken cancels the notice; `digest` is once a day, together."""

    NOW = "now", _("at once")
    LATER = "later", _("after a while")
    DIGEST = "digest", _("once a day")
    OFF = "off", _("never")
