"""Lists that only organizers see: who is let in to a league or tournament by name, and who must not meet there."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

OF_ONE = models.Q(league__isnull=True, tournament__isnull=False) | models.Q(
    league__isnull=False, tournament__isnull=True
)


class OfCompetition(models.Model):
    """A row of a league or of a tournament."""

    league = models.ForeignKey("contests.League", on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    tournament = models.ForeignKey(
        "contests.Tournament", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(_("when"))

    class Meta:
        abstract = True


class Admitted(OfCompetition):
    """A person who may enter an invite-only competition."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("invited player")
        verbose_name_plural = _("invited players")
        constraints = [
            models.UniqueConstraint(fields=["league", "user"], name="admitted_to_a_league_once"),
            models.UniqueConstraint(fields=["tournament", "user"], name="admitted_to_a_tournament_once"),
            models.CheckConstraint(condition=OF_ONE, name="admitted_to_one"),
        ]

    def __str__(self) -> str:
        return f"{self.league_id or self.tournament_id}: {self.user_id}"


class Apart(OfCompetition):
    """Two people who must not meet, such as members of one household. `first` has the lower id."""

    first = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("forbidden pairing")
        verbose_name_plural = _("forbidden pairings")
        constraints = [
            models.UniqueConstraint(fields=["league", "first", "second"], name="apart_in_a_league_once"),
            models.UniqueConstraint(fields=["tournament", "first", "second"], name="apart_in_a_tournament_once"),
            models.CheckConstraint(condition=OF_ONE, name="apart_in_one"),
            models.CheckConstraint(condition=models.Q(first__lt=models.F("second")), name="apart_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.league_id or self.tournament_id}: {self.first_id} – {self.second_id}"


class PairingChange(OfCompetition):
    """A change of forbidden pairings after others had signed up, whose author can't sign up anymore (C16).

    `forbidden` is the pairing that was forbidden, as long as it is.
    """

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    forbidden = models.ForeignKey(Apart, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name = _("change of forbidden pairings")
        verbose_name_plural = _("changes of forbidden pairings")
        constraints = [models.CheckConstraint(condition=OF_ONE, name="a_pairing_change_in_one")]

    def __str__(self) -> str:
        return f"{self.league_id or self.tournament_id}: {self.by_id}"
