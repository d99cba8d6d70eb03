"""Reports of messages, names, players and tables to moderators, with what was there to see when they were made."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.tables.models.chat import Message
from games.tables.models.game import Game

CLAIM_LASTS = timedelta(hours=12)
LONGEST_WORDS = 500  # characters, of a reporter's own words


class Subject(models.TextChoices):
    """What a report is about."""

    MESSAGE = "message", _("message")
    NAME = "name", _("name")
    PLAYER = "player", _("player")
    TABLE = "table", _("table")
    TEAM = "team", _("name of a team")


class ReportReason(models.TextChoices):
    ABUSE = "abuse", _("Insults, threats or hate")
    SEXUAL = "sexual", _("Sexual or violent content")
    SPAM = "spam", _("Advertising or spam")
    PRIVATE = "private", _("Private information about someone")
    POSING = "posing", _("Pretending to be someone else")
    ENGINE = "engine", _("Help from a bot or another program")
    TOGETHER = "together", _("Helping another player win")
    DELAY = "delay", _("Delaying the game on purpose")
    OTHER = "other", _("Something else")


WORDS = (ReportReason.ABUSE, ReportReason.SEXUAL, ReportReason.SPAM, ReportReason.PRIVATE)
PLAY = (ReportReason.ENGINE, ReportReason.TOGETHER, ReportReason.DELAY)
REASONS = {  # for which each subject can be reported
    Subject.MESSAGE: (*WORDS, ReportReason.ENGINE, ReportReason.OTHER),
    Subject.NAME: (*WORDS, ReportReason.POSING, ReportReason.OTHER),
    Subject.PLAYER: (*PLAY, *WORDS, ReportReason.OTHER),
    Subject.TABLE: (ReportReason.TOGETHER, *WORDS, ReportReason.OTHER),
    Subject.TEAM: (*WORDS, ReportReason.POSING, ReportReason.OTHER),
}


class Report(models.Model):
    """A report to moderators. It is open until one of them has settled it.

    `key` says what is reported, so that a person has one open report about it. `context` is a copy of what the reporter
    could see then: the reported `name`, `lines` of the chat with the reported message (`is_it`), and facts of the
    `table`. For the name of a team it has the id of the `team`, and `player` is its captain. `words` are the reporter's
    own. `step` is what a moderator did about it; null if nothing was needed. `claimed_by` is the moderator who looks at
    it, for `CLAIM_LASTS` after `claimed_at`, so that others look at the rest. They can act all the same.
    """

    subject = models.CharField(_("about"), max_length=10, choices=Subject)
    key = models.CharField(max_length=60, editable=False)
    game = models.ForeignKey(
        Game, on_delete=models.SET_NULL, null=True, blank=True, related_name="reports", verbose_name=_("game")
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="reported",
        verbose_name=_("player"),
    )  # fmt: skip
    message = models.ForeignKey(
        Message, on_delete=models.SET_NULL, null=True, blank=True, related_name="reports", verbose_name=_("message")
    )
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="reports",
        verbose_name=_("reported by"),
    )  # fmt: skip
    reason = models.CharField(_("reason"), max_length=10, choices=ReportReason)
    words = models.CharField(_("in their words"), max_length=LONGEST_WORDS, blank=True)
    context = models.JSONField(_("as it was"), default=dict)
    at = models.DateTimeField(_("reported"))
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+",
        verbose_name=_("settled by"),
    )  # fmt: skip
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+",
        verbose_name=_("taken by"),
    )  # fmt: skip
    claimed_at = models.DateTimeField(_("taken"), null=True, blank=True)
    step = models.ForeignKey(
        "accounts.Step", on_delete=models.SET_NULL, null=True, blank=True, related_name="reports",
        verbose_name=_("moderation action"),
    )  # fmt: skip

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        constraints = [
            models.UniqueConstraint(
                fields=["reporter", "key"], condition=models.Q(settled_at=None), name="reported_once"
            ),
        ]
        indexes = [models.Index(fields=["at"], condition=models.Q(settled_at=None), name="reports_to_settle")]

    def __str__(self) -> str:
        return f"{self.get_reason_display()} ({self.key})"

    @property
    def is_claimed(self) -> bool:
        if self.claimed_by_id is None or self.claimed_at is None or self.settled_at is not None:
            return False
        return self.claimed_at > timezone.now() - CLAIM_LASTS
