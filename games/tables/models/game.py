"""Full games, duplicates, games and seats, with everything that lists and permissions need without reading a log."""

import secrets
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.db.models.deletion import CASCADE, SET_NULL
from django.urls import get_script_prefix, reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.clocks import clock as clocks
from games.notices.kinds import Kind
from games.rules.log import GENESIS
from games.rules.protocol import Ruleset
from games.rules.record import FORMER_PLAYER
from games.rules.registry import get

LETTERS = "bcdfghjkmnpqrstvwxz"  # no vowels, so that no id is a word
USUAL_CLOCK = "move 2d"
GAMES = 3  # of a full game
AT_THE_TABLE = timedelta(seconds=80)  # a minute since the last look, which is recorded every 20 seconds
STAND_IN = "medium"  # the bot that plays for late, absent or deleted players, unless the rules decide


class Status(models.TextChoices):
    """The status of a game. A closed table never started; a game that was canceled has no result."""

    OPEN = "open", _("waiting for players")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    CLOSED = "closed", _("closed")
    VOID = "void", pgettext_lazy("game", "canceled")


class TimeOut(models.TextChoices):
    """What happens when a player runs out of time. After two time-outs in a row a bot keeps the seat in any case."""

    TURN = "turn", _("a bot plays that turn")
    SEAT = "seat", _("a bot plays until the player comes back")
    OUT = "out", _("the player resigns, and a bot plays to the end")


class Mute(models.TextChoices):
    """The notices about turns that a player has turned off for one game."""

    NONE = "", _("on")
    TURNS = "turns", _("only when my time is running out")
    ALL = "all", _("off")


parsed_clock = cache(clocks.parse)


def new_public_id() -> str:
    return "".join(secrets.choice(LETTERS) for _letter in range(8))


def public_id_of(form: str) -> str:
    """Return the id for what the form with this digest opens. If it is sent twice, the id is taken (`form_digest`)."""
    number, letters = int(form, 16), []
    for _letter in range(8):
        number, index = divmod(number, len(LETTERS))
        letters.append(LETTERS[index])
    return "".join(letters)


def new_token() -> str:
    return secrets.token_urlsafe(16)


def new_game(*, public_id: str = "", **fields: Any) -> "Game":
    """Create a game with these fields. If the id is taken, or none is given, it gets a random one."""
    while True:
        public_id = public_id or new_public_id()
        try:
            with transaction.atomic():
                return Game.objects.create(public_id=public_id, **fields)
        except IntegrityError:
            if not Game.objects.filter(public_id=public_id).exists():
                raise
            public_id = ""


class TableTerms(models.Model):
    """The terms of a table, which a full game hands on to each of its games.

    `clock` is a text of `games.clocks`; replies have `reply_hours`, but never more than the clock gives at first.
    A rating limit of 0 is none. `rated` is the table's setting; whether a game counts for ratings is decided when it
    starts: it never does with an outside bot, which only a table that `admits_bots` can have.
    """

    ruleset = models.CharField(_("game"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    players = models.PositiveSmallIntegerField(_("players"))
    clock = models.CharField(_("clock"), max_length=60, default=USUAL_CLOCK)
    reply_hours = models.PositiveSmallIntegerField(_("hours to respond"), default=12)
    time_out = models.CharField(_("late turns"), max_length=10, choices=TimeOut, default=TimeOut.TURN)
    reliability = models.PositiveSmallIntegerField(_("minimum turns on time, in percent"), default=0)
    rating_from = models.PositiveSmallIntegerField(_("lowest rating"), default=0)
    rating_to = models.PositiveSmallIntegerField(_("highest rating"), default=0)
    listed = models.BooleanField(_("listed in the lobby"), default=False)
    rated = models.BooleanField(_("rated"), default=True)
    admits_bots = models.BooleanField(_("admits outside bots"), default=False)

    class Meta:
        abstract = True

    @property
    def rules(self) -> Ruleset:
        """The rules in their newest version. A game that has begun has its own."""
        return get(self.ruleset)

    @property
    def parsed_clock(self) -> clocks.Clock:
        """The clock as a value, which `clock` has as text."""
        return parsed_clock(self.clock)

    @property
    def terms(self) -> dict[str, Any]:
        """The terms by name, for another game of the same table."""
        return {field.name: getattr(self, field.name) for field in TableTerms._meta.local_fields}


FullStatus = Status  # a full game has the same ones


class FullGame(TableTerms):
    """Three games of the same players in the same seats. `ranking` has a `SeatTotal` for each seat."""

    status = models.CharField(_("status"), max_length=10, choices=FullStatus, default=FullStatus.OPEN)
    ranking = models.JSONField(_("ranking"), null=True, blank=True)
    opened_at = models.DateTimeField(_("opened"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("full game")
        verbose_name_plural = _("full games")
        indexes = [models.Index(fields=["id"], condition=models.Q(status="running"), name="full_games_running")]

    def __str__(self) -> str:
        return f"full game {self.pk}"


class Game(TableTerms):
    """A game, from an open table to its result."""

    public_id = models.CharField(_("id"), max_length=8, unique=True, default=new_public_id)
    # The version that the game began with; see `rules`
    rules_version = models.PositiveSmallIntegerField(_("version of the rules"))
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.OPEN)
    imported = models.BooleanField(_("played elsewhere"), default=False)
    # The digest of the last entry of an imported game, so that it is imported once; `head` changes with each turn
    imported_head = models.CharField(max_length=64, blank=True, editable=False)
    invite_token = models.CharField(max_length=32, unique=True, default=new_token)
    opener = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="opened_games",
        verbose_name=_("opened by"),
    )  # fmt: skip
    # Decided once, at the start: whether the game changes ratings
    counts = models.BooleanField(_("counts for ratings"), default=False, editable=False)
    duplicate = models.ForeignKey(
        "tables.Duplicate", on_delete=models.PROTECT, null=True, blank=True, related_name="games", db_index=False,
        verbose_name=_("duplicate"),
    )  # fmt: skip
    # Numbered draws that an undone turn repeats, as kept by `games.rules.fairness.Fair`
    draws = models.JSONField(_("draws to repeat"), default=dict, blank=True, editable=False)
    is_withheld = models.BooleanField(_("hidden until its duplicate ends"), default=False)
    # Its time, or that of its competition, is up: bots play every seat to the end, and nobody can come back
    is_left_to_bots = models.BooleanField(_("bots finish it"), default=False)
    # A game with a lesson of `games.tables.lessons` counts for nothing
    lesson = models.CharField(_("lesson"), max_length=40, blank=True, editable=False)
    full_game = models.ForeignKey(
        FullGame, on_delete=models.PROTECT, null=True, blank=True, related_name="games",
        db_index=False, verbose_name=_("full game"),
    )  # fmt: skip
    number = models.PositiveSmallIntegerField(_("number in the full game"), default=1)
    # The finished game, or the last one of a full game, whose players play again here
    rematch_of = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="rematches", db_index=False,
        editable=False, verbose_name=_("rematch of"),
    )  # fmt: skip
    # The last log entry: its number, -1 before the start, and below its digest as `head`. `version` grows with every
    # visible change, so that open pages refresh
    seq = models.IntegerField(_("last entry"), default=-1)
    version = models.PositiveIntegerField(_("changes"), default=0)
    # Secret decisions are due, so nobody may know which seats have decided; `sealed_until` is the last of their
    # deadlines, as set when they were asked
    sealed = models.BooleanField(_("waiting for secret decisions"), default=False)
    sealed_until = models.DateTimeField(_("deadline of secret decisions"), null=True, blank=True)
    # The id of the last message in each room of the chat (`selectors.chat.rooms`)
    last_messages = models.JSONField(_("last messages"), default=dict, blank=True, editable=False)
    head = models.CharField(_("digest of the last entry"), max_length=64, default=GENESIS)
    seed_hash = models.CharField(_("hash of the seed"), max_length=64, blank=True)
    # The format number of the log. `origin` is empty for games played here; `signature` signs the last digest
    record_format = models.PositiveSmallIntegerField(_("format of the record"), default=1)
    origin = models.CharField(_("id where it was played"), max_length=40, blank=True)
    signature = models.JSONField(_("signature of the record"), null=True, blank=True)
    # The scoresheet as plain data
    result = models.JSONField(_("result"), null=True, blank=True)
    opened_at = models.DateTimeField(_("opened"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        constraints = [
            models.UniqueConstraint(fields=["full_game", "number"], name="one_game_of_each_number"),
            models.UniqueConstraint(
                fields=["imported_head"], condition=~models.Q(imported_head=""), name="imported_once"
            ),
            models.UniqueConstraint(
                fields=["rematch_of"],
                condition=~models.Q(status__in=["closed", "void"]),
                name="one_rematch_of_a_game",
            ),
            models.UniqueConstraint(
                fields=["opener", "lesson"],
                condition=models.Q(status="running") & ~models.Q(lesson=""),
                name="one_lesson_at_a_time",
            ),
            models.CheckConstraint(condition=models.Q(lesson="") | models.Q(counts=False), name="no_lesson_counts"),
        ]
        indexes = [
            models.Index(fields=["opened_at"], condition=models.Q(status="open"), name="games_open"),
            models.Index(
                fields=["duplicate"], condition=models.Q(duplicate__isnull=False), name="games_of_a_duplicate"
            ),
            models.Index(fields=["id"], condition=models.Q(status="running", listed=True), name="games_to_watch"),
            models.Index(fields=["id"], condition=models.Q(status="running"), name="games_running"),
            models.Index(fields=["rematch_of"], condition=models.Q(rematch_of__isnull=False), name="games_rematches"),
        ]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}games/{self.public_id}/"  # `reverse` takes 30 µs, and a desk has a hundred

    @property
    def rules(self) -> Ruleset:
        """The rules in the version that the game began with. Raises `KeyError` if this release no longer has it."""
        return get(self.ruleset, self.rules_version)

    @property
    def thumbnail(self) -> str:
        """The address of the board in miniature; empty before the start."""
        return f"{self.get_absolute_url()}board/{self.seq}.svg" if self.seq >= 0 else ""

    @property
    def reply_time(self) -> timedelta:
        """The time to respond during another player's turn, never more than a turn has at first."""
        return min(timedelta(hours=self.reply_hours), self.parsed_clock.at_start)

    @property
    def is_open(self) -> bool:
        return self.status == Status.OPEN

    @property
    def is_running(self) -> bool:
        return self.status == Status.RUNNING

    @property
    def is_open_book(self) -> bool:
        """Whether everything may be shown: the game is over, and no other table still plays the same deal."""
        return self.has_ended and not self.is_withheld

    @property
    def changes_ratings(self) -> bool:
        """Whether the game counts for ratings; before the start, whether the table is set to be rated."""
        return self.counts if self.started_at else self.rated

    @property
    def is_finished(self) -> bool:
        """Whether the game ended with a result."""
        return self.status == Status.FINISHED

    @property
    def is_void(self) -> bool:
        """Whether the game was canceled."""
        return self.status == Status.VOID

    @property
    def has_ended(self) -> bool:
        """Whether the game is over, with or without a result."""
        return self.is_finished or self.is_void


def leave_the_seat(collector: Any, field: Any, seats: Any, using: str) -> None:
    """Let a bot continue in seats that a deleted account played for other owners."""
    SET_NULL(collector, field, seats, using)
    played = Seat.objects.using(using).filter(pk__in=[seat.pk for seat in seats], owner__isnull=False)
    stood_in = played.exclude(owner=models.F("user"))
    collector.add_field_update(Seat._meta.get_field("bot"), STAND_IN, list(stood_in))


def leave_the_name(collector: Any, field: Any, seats: Any, using: str) -> None:
    """Keep the own seats of a deleted account without its name, and remove anyone who played them for it.

    Seats at tables that have not started become free. Usually they are free already, but not one taken a moment ago.
    """
    CASCADE(collector, field, seats.filter(game__status=Status.OPEN), using)
    seats = list(seats.exclude(game__status=Status.OPEN))  # read now, because the first update changes the owner
    SET_NULL(collector, field, seats, using)
    for name, value in (("name", FORMER_PLAYER), ("user", None), ("bot", ""), ("back_at", None), ("asked", None)):
        collector.add_field_update(Seat._meta.get_field(name), value, seats)


class Seat(models.Model):
    """A seat in a game.

    While decisions are sealed, the fields of the clock reveal who has decided, so only the seat's own player may see
    them.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField(_("seat"))
    # Who plays the seat now. If null, `bot` does: the bot whose seat it is, or one that stands in for the owner
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=leave_the_seat, null=True, blank=True, related_name="seats",
        db_index=False, verbose_name=_("player"),
    )  # fmt: skip
    # The person for whom the result counts; the seat has their name. Null for a bot's seat or a deleted account
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=leave_the_name, null=True, blank=True, related_name="own_seats",
        db_index=False, verbose_name=_("owner"),
    )  # fmt: skip
    # Who started the game, or full game, in this seat. It is rated for them only, and for nobody who took over
    first_owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+",
        verbose_name=_("player at the start"),
    )  # fmt: skip
    # Whose outside bot started the game in this seat. It outlives the bot, whose owner has seen what the seat could see
    bot_owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False,
        verbose_name=_("owner of the outside bot at the start"), editable=False,
    )  # fmt: skip
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    name = models.CharField(_("name"), max_length=40)
    # Whether the seat must act, and by when
    owes = models.BooleanField(_("must act"), default=False)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    # What the time bank held when the turn began. `services.deadlines` explains this and the next four fields
    bank = models.DurationField(_("time for moves"), default=timedelta)
    time_left = models.DurationField(_("time for the current decision"), null=True, blank=True)
    since = models.DateTimeField(_("since"), null=True, blank=True)
    # The time left after the last decision, as of `kept_at`: if that decision is undone, its clock has never stopped
    kept = models.DurationField(_("time left at the last decision"), null=True, blank=True)
    kept_at = models.DateTimeField(_("time of the last decision"), null=True, blank=True)
    time_outs = models.PositiveSmallIntegerField(_("late turns in a row"), default=0)
    # Who gave the seat away while it owed the current decision
    left_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False,
        verbose_name=_("handed over the current decision"),
    )  # fmt: skip
    # When a substitute or bot returns the seat to its owner, if that is decided
    back_at = models.DateTimeField(_("returns to its owner at"), null=True, blank=True)
    has_changed_hands = models.BooleanField(_("has changed hands"), default=False, editable=False)
    # An owner who has resigned cannot come back
    has_given_up = models.BooleanField(_("has resigned"), default=False)
    # A person who was asked to stand in for the owner
    asked = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="asked_seats",
        verbose_name=_("person asked to substitute"), db_index=False,
    )  # fmt: skip
    asked_until = models.DateTimeField(_("asked until"), null=True, blank=True)
    # How often each person, by id, was asked to stand in; `handover.MOST_ASKED` if they can't be asked again
    asks = models.JSONField(_("requests to substitute"), default=dict, blank=True, editable=False)
    seen_seq = models.IntegerField(_("last entry seen"), default=-1)
    # When the seat's player last looked at the table, to within `services.play.LOOKS_EVERY`
    looked_at = models.DateTimeField(_("last looked"), null=True, blank=True, editable=False)
    # Holds for notices to `muted_by` alone: a substitute is still notified
    mute = models.CharField(_("muted notifications"), max_length=5, choices=Mute, blank=True)
    muted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False,
        verbose_name=_("muted by"),
    )  # fmt: skip
    read_upto = models.BigIntegerField(_("last message seen"), default=0)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    total = models.SmallIntegerField(_("points"), null=True, blank=True)
    # The tie-breaker of a full game (R24), and the score that lists show: points, or in Kingdoms the value of the hand
    left = models.SmallIntegerField(_("tie-break"), null=True, blank=True)
    counted = models.SmallIntegerField(_("score as players count it"), null=True, blank=True, editable=False)
    # Secret
    orders = models.JSONField(_("standing orders"), default=dict, blank=True)
    # Ranks for ties by age, never shown (R7, R42)
    born = models.PositiveSmallIntegerField(null=True, blank=True)
    joined = models.PositiveSmallIntegerField(default=0)
    # Commits to the name at the start (`SeatName`)
    commitment = models.CharField(_("commitment of the name"), max_length=64, blank=True, editable=False)
    # The player for ratings: the account id or the bot that had the seat at the start. It survives hand-overs and
    # deleted accounts
    who = models.CharField(_("player in the rating book"), max_length=20, blank=True, editable=False)

    class Meta:
        ordering = ["number"]
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_in_each_seat"),
            models.UniqueConstraint(fields=["user", "game"], name="one_seat_each"),
            models.UniqueConstraint(fields=["owner", "game"], name="one_seat_of_each"),
            models.CheckConstraint(condition=models.Q(user=None) | models.Q(bot=""), name="a_person_or_a_bot"),
            models.CheckConstraint(condition=models.Q(owes=True) | models.Q(deadline=None), name="no_idle_deadline"),
            models.CheckConstraint(
                condition=models.Q(deadline=None, since=None, time_left=None)
                | models.Q(deadline__isnull=False, since__isnull=False, time_left__isnull=False),
                name="a_clock_is_whole",
            ),
        ]
        indexes = [
            models.Index(fields=["deadline"], condition=models.Q(owes=True), name="seats_by_deadline"),
            models.Index(fields=["user", "deadline"], condition=models.Q(owes=True), name="seats_that_wait"),
            models.Index(fields=["game"], condition=models.Q(owes=True, user=None), name="seats_without_people"),
            models.Index(fields=["left_by"], condition=models.Q(left_by__isnull=False), name="seats_left_by"),
            models.Index(fields=["asked"], condition=models.Q(asked__isnull=False), name="seats_asked"),
            models.Index(fields=["back_at"], condition=models.Q(back_at__isnull=False), name="seats_to_give_back"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number} {self.name}"

    @property
    def has_person(self) -> bool:
        return self.user_id is not None

    @property
    def clock_owner(self) -> Any:
        """The person whose nights and weekends pause the clock: the owner, even when away. None for a bot's seat."""
        return self.user if self.user_id == self.owner_id else self.owner

    @property
    def is_newcomers(self) -> bool:
        """Whether the owner took the seat over permanently, so that the game is unrated for them."""
        return self.owner_id is not None and self.owner_id != self.first_owner_id

    @property
    def own_bot(self) -> str:
        """The bot that owns the seat; empty for a person's seat, even if a bot stands in."""
        return self.bot if self.owner_id is None else ""

    def is_looking(self, now: datetime) -> bool:
        """Return whether the seat's player has looked at the table within `AT_THE_TABLE`."""
        return self.looked_at is not None and timedelta() <= now - self.looked_at < AT_THE_TABLE

    def is_muted_for(self, reader: int, kind: Kind) -> bool:
        """Return whether this user has turned off notices of the kind for this game."""
        if not self.mute or self.muted_by_id != reader:
            return False
        return kind == Kind.TURN or (kind == Kind.TIME and self.mute == Mute.ALL)

    @property
    def is_away(self) -> bool:
        """Whether someone else, or a bot, plays for the owner."""
        return self.owner_id is not None and self.owner_id != self.user_id

    @property
    def is_of_former_player(self) -> bool:
        """Whether the seat belongs to a deleted account, for which a bot or the rules decide."""
        return self.owner_id is None and self.user_id is None and not self.bot


class SeatName(models.Model):
    """The name of a seat at the start, and the salt of its commitment. Deleted together with the player's account.

    `user` is null for bots and imported games. Renaming an account does not change the name here, but records leave it
    out from then on.
    """

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, primary_key=True, related_name="began_as")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )  # fmt: skip
    name = models.CharField(_("name"), max_length=40)
    salt = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.seat_id} {self.name}"


class Duplicate(models.Model):
    """A duplicate. Only its players see the games, and nobody sees the seeds, until the last game is over.

    All tables start together at `started_at`: when every seat is taken, or at `starts_at` with the players who have
    joined. Before that nothing is dealt and no seed exists. A duplicate that ended without starting was canceled.
    `result` is written at the end: one entry per player, the best first (`contests.duplicates.services`).
    """

    public_id = models.CharField(_("id"), max_length=8, unique=True, default=new_public_id)
    ruleset = models.CharField(_("game"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    players = models.PositiveSmallIntegerField(_("players"))
    tables = models.PositiveSmallIntegerField(_("tables"))
    clock = models.CharField(_("clock"), max_length=60, default=USUAL_CLOCK)
    full = models.BooleanField(_("full games"), default=False)
    rated = models.BooleanField(_("rated"), default=True)
    opener = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+",
        verbose_name=_("opened by"),
    )  # fmt: skip
    opened_at = models.DateTimeField(_("opened"))
    starts_at = models.DateTimeField(_("starts at the latest"), null=True, blank=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    result = models.JSONField(_("result"), null=True, blank=True)

    class Meta:
        verbose_name = _("duplicate")
        verbose_name_plural = _("duplicates")
        indexes = [models.Index(fields=["-opened_at"], condition=models.Q(ended_at=None), name="duplicates_not_ended")]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("duplicate", args=[self.public_id])

    @property
    def winners(self) -> list[str]:
        """Return the names of those who share the first place.

        Empty until the last game is over, and if fewer than two tables count: then there is nothing to compare.
        """
        lines = self.result or []
        if len({line["table"] for line in lines}) < 2:
            return []
        return [line["name"] for line in lines if line["difference"] == lines[0]["difference"]]


class DuplicateSeed(models.Model):
    """The secret seed of all games of a duplicate, 32 bytes. Only services read it, and no page shows it."""

    duplicate = models.OneToOneField(Duplicate, on_delete=models.PROTECT, primary_key=True, related_name="seed")
    secret = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"seed of {self.duplicate_id}"


class SeenDeal(models.Model):
    """A player who may have seen cards of a duplicate's deal, and the seat where they saw them.

    `who` is text and not a reference, so that the row outlives the account. It is the account's id or, for an account
    deleted while the duplicate runs, a keyed hash of each of its confirmed email addresses. `who` is unique, so that
    the database refuses a second seat.
    """

    duplicate = models.ForeignKey(Duplicate, on_delete=models.CASCADE, related_name="seen", db_index=False)
    who = models.CharField(_("who has seen it"), max_length=80)
    seat = models.ForeignKey("tables.Seat", on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("player who has seen a deal")
        verbose_name_plural = _("players who have seen a deal")
        constraints = [models.UniqueConstraint(fields=["duplicate", "who"], name="one_seat_of_a_duplicate_each")]
        indexes = [models.Index(fields=["who"], name="deals_seen_by_a_player")]

    def __str__(self) -> str:
        return f"{self.duplicate_id} {self.who}"
