"""A game and its seats: what lists and rights need to know without reading a log."""

import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.deletion import SET_NULL
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.rules.log import GENESIS
from games.rules.protocol import Ruleset
from games.rules.registry import get

LETTERS = "bcdfghjkmnpqrstvwxz"  # no vowels, so that no id is a word
FORMER_PLAYER = "Former player"


class Status(models.TextChoices):
    OPEN = "open", _("waiting for players")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    CLOSED = "closed", _("closed")


def new_public_id() -> str:
    return "".join(secrets.choice(LETTERS) for _letter in range(8))


def new_token() -> str:
    return secrets.token_urlsafe(16)


class Game(models.Model):
    """`seq` and `head` are the last entry's; `version` goes up with every change that somebody can see.

    `sealed`: secret decisions are owed, so nobody is told which seats have made theirs. `result` is the scoresheet.
    """

    public_id = models.CharField(_("id"), max_length=8, unique=True, default=new_public_id)
    ruleset = models.CharField(_("game"), max_length=40)
    rules_version = models.PositiveSmallIntegerField(_("version of the rules"))
    options = models.JSONField(_("options"), default=dict, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.OPEN)
    players = models.PositiveSmallIntegerField(_("players"))
    listed = models.BooleanField(_("listed in the lobby"), default=False)
    imported = models.BooleanField(_("played elsewhere"), default=False)
    invite_token = models.CharField(max_length=32, unique=True, default=new_token)
    opener = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="opened_games",
        verbose_name=_("opened by"),
    )  # fmt: skip
    clock_hours = models.PositiveSmallIntegerField(_("hours for each move"), default=48)
    full_game = models.ForeignKey(
        "games.FullGame", on_delete=models.PROTECT, null=True, blank=True, related_name="games",
        db_index=False, verbose_name=_("full game"),
    )  # fmt: skip
    number = models.PositiveSmallIntegerField(_("number in the full game"), default=1)
    seq = models.IntegerField(_("last entry"), default=-1)
    version = models.PositiveIntegerField(_("changes"), default=0)
    sealed = models.BooleanField(_("sealed decisions are owed"), default=False)
    head = models.CharField(_("digest of the last entry"), max_length=64, default=GENESIS)
    seed_hash = models.CharField(_("hash of the seed"), max_length=64, blank=True)
    result = models.JSONField(_("result"), null=True, blank=True)
    opened_at = models.DateTimeField(_("opened"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        constraints = [
            models.UniqueConstraint(fields=["full_game", "number"], name="one_game_of_each_number"),
            models.UniqueConstraint(fields=["head"], condition=models.Q(imported=True), name="imported_once"),
        ]
        indexes = [
            models.Index(fields=["opened_at"], condition=models.Q(status="open"), name="games_open"),
            models.Index(fields=["id"], condition=models.Q(status="running", listed=True), name="games_to_watch"),
        ]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.public_id])

    @property
    def rules(self) -> Ruleset:
        return get(self.ruleset)

    @property
    def clock(self) -> timedelta:
        """The time for each move."""
        return timedelta(hours=self.clock_hours)

    @property
    def is_open(self) -> bool:
        return self.status == Status.OPEN

    @property
    def is_running(self) -> bool:
        return self.status == Status.RUNNING

    @property
    def is_finished(self) -> bool:
        return self.status == Status.FINISHED


def leave_the_seat(collector: Any, field: Any, seats: Any, using: str) -> None:
    """When an account is deleted its seats stay, without the name; bots play on for them."""
    SET_NULL(collector, field, seats, using)
    collector.add_field_update(Seat._meta.get_field("name"), FORMER_PLAYER, seats)


class Seat(models.Model):
    """A place at a table: `name` is shown; `bot` is the bot that sits here, empty for people.

    `owes` and `deadline` belong together. While decisions are sealed they tell who has made theirs: for the seat's
    own player alone. `born` and `joined` are ranks for ties by age, never shown (R7, R42). `coins` are those left at
    the end, for ties of full games (R24).
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=leave_the_seat, null=True, blank=True, related_name="seats",
        verbose_name=_("player"),
    )  # fmt: skip
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    name = models.CharField(_("name"), max_length=40)
    owes = models.BooleanField(_("owes a decision"), default=False)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    seen_seq = models.IntegerField(_("last entry seen"), default=-1)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    total = models.SmallIntegerField(_("points"), null=True, blank=True)
    coins = models.SmallIntegerField(_("coins left"), null=True, blank=True)
    born = models.PositiveSmallIntegerField(null=True, blank=True)
    joined = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["number"]
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_in_each_seat"),
            models.UniqueConstraint(fields=["game", "user"], name="one_seat_each"),
            models.CheckConstraint(condition=models.Q(owes=True) | models.Q(deadline=None), name="no_idle_deadline"),
        ]
        indexes = [
            models.Index(fields=["deadline"], condition=models.Q(owes=True), name="seats_by_deadline"),
            models.Index(fields=["user", "deadline"], condition=models.Q(owes=True), name="seats_that_wait"),
            models.Index(fields=["game"], condition=models.Q(owes=True, user=None), name="seats_without_people"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number} {self.name}"

    @property
    def has_person(self) -> bool:
        return self.user_id is not None
