"""Kinds of notices, channels, and when to send them. Rows, settings, pages and emails share these lists."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    """Kinds of notices. The labels complete the sentence “We notify you when …”."""

    TURN = "turn", _("it’s your turn")
    TIME = "time", _("your time is running out")
    STARTED = "started", _("one of your games starts")
    ENDED = "ended", _("one of your games ends")
    CLOSED = "closed", _("a table you were waiting at closes, its host removes you, or your search for a game ends")
    INVITED = "invited", _("someone invites you to a table")
    ASKED = "asked", _("someone asks you to play for them")
    AWAY = "away", _("a bot plays your seat until you return")
    UNDO = "undo", _("someone asks to undo a turn")
    FULL = "full", _("one of your full games ends")
    REMATCH = "rematch", _("someone asks you for a rematch or answers yours")
    CHALLENGE = "challenge", _("someone challenges you on a ladder")
    RUNG = "rung", _("you move up or down a ladder")
    SEASON = "season", _("one of your seasons or tournaments opens, starts or ends")
    APPROVAL = "approval", _("a season you organize is waiting for you to approve its results")
    DECISION = (
        "decision",
        _("an organizer or the site’s staff decides something about one of your games, leagues or tournaments"),
    )
    ANNOUNCED = "announced", _("an organizer announces something in one of your leagues or tournaments")
    REVIEW = "review", _("a review that you asked for is ready")
    DATA = "data", _("the archive of your data is ready")
    MODERATION = "moderation", _("a moderator writes to you")


# For information only: while notifications are paused, these are dropped
NEWS = {Kind.ENDED, Kind.CLOSED, Kind.FULL, Kind.RUNG, Kind.DECISION, Kind.ANNOUNCED, Kind.REVIEW}
# About a decision that the reader owes: urgent, and hidden from staff while decisions are sealed
OF_DECISIONS = {Kind.TURN, Kind.TIME}
# Someone is waiting for the reader, or a moderator writes to them: the setting “Only what’s urgent” keeps these
PRESSING = {
    Kind.TIME, Kind.AWAY, Kind.INVITED, Kind.ASKED, Kind.UNDO, Kind.REMATCH, Kind.CHALLENGE, Kind.APPROVAL,
    Kind.MODERATION,
}  # fmt: skip


class Channel(models.TextChoices):
    EMAIL = "email", _("email")
    PUSH = "push", _("push notification")
    HOOK = "hook", _("webhook")


class How(models.TextChoices):
    """`later` is after the user's delay, in which a turn taken cancels the notice; `digest` is once a day, together."""

    NOW = "now", _("right away")
    LATER = "later", _("after a delay")
    DIGEST = "digest", _("once a day")
    OFF = "off", _("never")
