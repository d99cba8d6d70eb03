"""Webhooks of leagues and tournaments, and the outbox of posts to them."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.contests.models.gates import OF_ONE, OfCompetition
from games.notices.models import OPEN, NoticeReason, NoticeState, Webhook


class Subject(models.TextChoices):
    """What a webhook of a competition can post."""

    PAIRINGS = "pairings", _("pairings")
    RESULTS = "results", _("results")
    STANDINGS = "standings", _("standings after each round and at the end")


class CompetitionHook(Webhook, OfCompetition):
    """A webhook of a league or tournament. `subjects` are values of `Subject`, `at` is when it was added."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    subjects = models.JSONField(_("what we post"), default=list)

    class Meta:
        verbose_name = _("webhook of a competition")
        verbose_name_plural = _("webhooks of competitions")
        constraints = [
            models.UniqueConstraint(fields=["league", "url"], name="hooked_to_a_league_once"),
            models.UniqueConstraint(fields=["tournament", "url"], name="hooked_to_a_tournament_once"),
            models.CheckConstraint(condition=OF_ONE, name="a_webhook_of_one"),
        ]


class Post(models.Model):
    """A message to a webhook of a competition, which is written when it is sent.

    It is about a match, the matches of a `round`, those of a division (`pool`), or the standings. `round` is null for
    all rounds, and at the end. `due_at`: when it needs attention next, as for notices.
    """

    hook = models.ForeignKey(CompetitionHook, on_delete=models.CASCADE, related_name="posts", db_index=False)
    key = models.CharField(max_length=60)
    subject = models.CharField(_("about"), max_length=10, choices=Subject)
    pool = models.ForeignKey("contests.Pool", on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    match = models.ForeignKey("contests.Match", on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    round = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    title = models.CharField(_("title"), max_length=200, blank=True)
    state = models.CharField(_("status"), max_length=10, choices=NoticeState, default=NoticeState.QUEUED)
    why = models.CharField(_("why"), max_length=300, blank=True)
    written_at = models.DateTimeField(_("written"), default=timezone.now)
    due_at = models.DateTimeField(_("next check"), default=timezone.now)
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)

    class Meta:
        verbose_name = _("post to a webhook")
        verbose_name_plural = _("posts to webhooks")
        constraints = [models.UniqueConstraint(fields=["hook", "key"], name="posts_once")]
        indexes = [
            models.Index(fields=["hook", "-id"], name="posts_of_a_webhook"),
            models.Index(fields=["due_at"], condition=models.Q(state__in=OPEN), name="posts_open"),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.state}"

    @property
    def reason(self) -> str:
        """Return `why` in words: why it was not sent, or why it waits."""
        return str(NoticeReason(self.why).label) if self.why in NoticeReason.values else self.why
