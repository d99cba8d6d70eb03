"""Chat messages, private notes and blocks."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.deletion import SET_NULL
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from games.rules.record import FORMER_PLAYER
from games.tables.models.game import Game

LONGEST_MESSAGE = 1000  # characters
PHRASES = {  # what everyone can say at a click and reads in their own language, by the key that is stored
    "hello": gettext_noop("Hello, and have fun!"),
    "luck": gettext_noop("Good luck!"),
    "your-turn": gettext_noop("It’s your turn. 🙂"),
    "moment": gettext_noop("One moment, I’m thinking."),
    "later": gettext_noop("I’ll play later today."),
    "tomorrow": gettext_noop("I’ll play tomorrow."),
    "nice": gettext_noop("Nice move!"),
    "ouch": gettext_noop("Ouch!"),
    "sorry": gettext_noop("Sorry for the wait."),
    "thanks": gettext_noop("Thank you!"),
    "game": gettext_noop("Good game!"),
    "again": gettext_noop("Shall we play again?"),
}
LONGEST_NOTE = 5000


def speak_without_name(collector: Any, field: Any, messages: Any, using: str) -> None:
    """Keep the place of a deleted account's messages in the chat, without its name and what it wrote."""
    SET_NULL(collector, field, messages, using)
    for name, value in (("name", FORMER_PLAYER), ("text", ""), ("phrase", "")):
        collector.add_field_update(Message._meta.get_field(name), value, messages)


class Message(models.Model):
    """A chat message in plain text.

    `seat` is the author's seat, null for a spectator. `to` is the seat that a private message is for, null for the
    room. Only its author and the `recipient`, the person who played that seat then, can read a private message. Players
    and spectators have separate rooms. `phrase` is the key of a message from PHRASES, whose `text` is English.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="messages", db_index=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=speak_without_name, null=True, blank=True, related_name="messages",
        verbose_name=_("author"),
    )  # fmt: skip
    name = models.CharField(_("name"), max_length=40)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    to = models.PositiveSmallIntegerField(_("to seat"), null=True, blank=True)
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+",
    )  # fmt: skip
    text = models.CharField(_("text"), max_length=LONGEST_MESSAGE)
    phrase = models.CharField(_("phrase"), max_length=10, blank=True, editable=False)
    at = models.DateTimeField(_("sent at"))

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        indexes = [models.Index(fields=["game", "id"], name="messages_of_a_game")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.name}"

    @property
    def words(self) -> str:
        """The message, in the reader's language if it is a phrase."""
        return gettext(PHRASES[self.phrase]) if self.phrase in PHRASES else self.text


class Block(models.Model):
    """A block: `user` sees no messages of `blocked`, who cannot contact them. See `games.tables.services.blocking`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks", db_index=False)
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocked_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "blocked"], name="blocked_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.blocked_id}"


class Note(models.Model):
    """A private note about a game."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notes", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notes")
    text = models.CharField(_("note"), max_length=LONGEST_NOTE, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_note_each")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.user_id}"
