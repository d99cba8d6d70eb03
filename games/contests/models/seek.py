"""Searches for a game, for which the site finds the opponents."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class SeekState(models.TextChoices):
    """The state of a search. `found` people, `filled` with bots at the time chosen, `left` by the player."""

    WAITING = "waiting", _("waiting")
    FOUND = "found", _("found people")
    FILLED = "filled", _("filled with bots")
    LEFT = "left", _("canceled")
    EXPIRED = "expired", _("expired")


class Rated(models.TextChoices):
    """Whether the game found counts for ratings. Two who take either play a rated game."""

    YES = "yes", _("Rated")
    NO = "no", _("Unrated: just for fun")
    EITHER = "either", _("Either")


class Seek(models.Model):
    """A person's search for a game: any of the `rulesets`, with any of the `sizes` and `clocks` (of `games.clocks`).

    `distance` is how many points the ratings of the others may be from the person's own, 0 for any. `reliability` is
    the percentage of turns on time that the others need. At `bots_at`, if set, bots take the empty seats. A search
    ends at `expires_at`. `game` is the game it led to. Ended searches are kept for a while, to estimate waiting
    times.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    rulesets = models.JSONField(_("games"))
    sizes = models.JSONField(_("numbers of players"))
    clocks = models.JSONField(_("clocks"))
    distance = models.PositiveSmallIntegerField(_("maximum rating difference"), default=0)
    reliability = models.PositiveSmallIntegerField(_("minimum turns on time, in percent"), default=0)
    rated = models.CharField(_("rated"), max_length=10, choices=Rated, default=Rated.YES)
    since = models.DateTimeField(_("since"))
    bots_at = models.DateTimeField(_("filled with bots at"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"))
    state = models.CharField(_("state"), max_length=10, choices=SeekState, default=SeekState.WAITING)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    game = models.ForeignKey(
        "tables.Game", on_delete=models.SET_NULL, null=True, blank=True, related_name="seeks", verbose_name=_("game")
    )

    class Meta:
        verbose_name = _("search for a game")
        verbose_name_plural = _("searches for games")
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=models.Q(state="waiting"), name="one_seek_at_a_time"),
            models.CheckConstraint(
                condition=models.Q(state="waiting", ended_at=None)
                | ~models.Q(state="waiting") & ~models.Q(ended_at=None),
                name="a_seek_waits_or_ended",
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(state="waiting"), name="seeks_waiting"),
            models.Index(fields=["-ended_at"], condition=~models.Q(state="waiting"), name="seeks_ended"),
            models.Index(fields=["user", "-id"], name="seeks_of_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.state}"

    @property
    def waited(self) -> timedelta:
        """How long an ended search took."""
        assert self.ended_at is not None
        return self.ended_at - self.since
