"""Announcements and rules texts of leagues and tournaments, and their co-organizers."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.contests.models.gates import OF_ONE, OfCompetition


class Announcement(OfCompetition):
    """A text that was sent to everyone who took part at the time, and which everyone can read."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    text = models.CharField(_("text"), max_length=500)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        constraints = [models.CheckConstraint(condition=OF_ONE, name="an_announcement_of_one")]
        indexes = [
            models.Index(fields=["league", "-at"], name="announcements_of_a_league"),
            models.Index(fields=["tournament", "-at"], name="announcements_of_a_cup"),
        ]

    def __str__(self) -> str:
        return self.text[:40]


class Organizer(OfCompetition):
    """A co-organizer with their `rights` (see `Right`), or a person who is asked to become one.

    A successor is asked to become the organizer, with a `reason` if staff ask. Neither counts before the person has
    accepted. `is_notified`: whether a co-organizer gets the organizer's notices.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    rights = models.JSONField(_("rights"), default=list)
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    is_notified = models.BooleanField(_("gets the organizer’s notifications"), default=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    is_successor = models.BooleanField(_("is asked to take over"), default=False)

    class Meta:
        verbose_name = _("co-organizer")
        verbose_name_plural = _("co-organizers")
        constraints = [
            models.UniqueConstraint(fields=["league", "user"], name="organizes_a_league_once"),
            models.UniqueConstraint(fields=["tournament", "user"], name="organizes_a_tournament_once"),
            models.CheckConstraint(condition=OF_ONE, name="an_organizer_of_one"),
        ]

    def __str__(self) -> str:
        return f"{self.league_id or self.tournament_id}: {self.user_id}"
