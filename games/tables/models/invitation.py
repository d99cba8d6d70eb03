"""People who like to play together: private lists of friends, and invitations by name to a table."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.tables.models.game import Game


class Friend(models.Model):
    """A name on the private list of `user`. Nobody else sees it, and `friend` is not told."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="friends", db_index=False)
    friend = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("friend")
        verbose_name_plural = _("friends")
        constraints = [models.UniqueConstraint(fields=["user", "friend"], name="friends_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.friend_id}"


class Invitation(models.Model):
    """An invitation of `user`, by name, to a table that has not started. A declined one is kept, to prevent another.

    If the host, `by`, has removed the user from the table, `was_removed` and `is_declined` are true: the user can join
    again only after a new invitation.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="invitations", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name=_("by"))
    at = models.DateTimeField(_("sent at"))
    is_declined = models.BooleanField(_("declined"), default=False)
    was_removed = models.BooleanField(_("removed by the host"), default=False)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="invited_once")]
        indexes = [models.Index(fields=["user"], condition=models.Q(is_declined=False), name="invitations_to_answer")]

    def __str__(self) -> str:
        return f"{self.user_id} to {self.game_id}"
