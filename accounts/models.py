"""People, one row each. Guests have no email address yet; when they sign up, they keep their row."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

import msgspec
from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts.names import LONGEST_FOLDED, LONGEST_NAME, LONGEST_SKELETON, TAKEN, field_validators, folded, skeleton
from accounts.trouble import Trouble
from empire.prepared import Prepared
from empire.web.documents import VERSIONS
from games.clocks.clock import IllegalClock, Reliability, reliability
from games.clocks.nights import Nights
from games.clocks.zones import zone_names
from games.notices.kinds import Channel, How, Kind

LONGEST_DELAY = 24 * 60  # minutes
YOUNGEST, OLDEST = 5, 120  # years of age, counted by calendar years


class Theme(models.TextChoices):
    AUTO = "auto", _("match device")
    LIGHT = "light", _("light")
    DARK = "dark", _("dark")


class Palette(models.TextChoices):
    """Colors of the players. The values are those of `games.boards.themes`, which says what they look like."""

    STANDARD = "", _("standard")
    DEUTERANOPIA = "deuteranopia", _("red-green color blindness (deuteranopia, protanopia)")
    TRITANOPIA = "tritanopia", _("blue-yellow color blindness (tritanopia)")
    CONTRAST = "contrast", _("high contrast, including the rest of the site")


def is_time_zone(name: str) -> None:
    if name not in zone_names():
        raise ValidationError(_("We don’t know this time zone. Choose one from the list."))


def is_plausible_birth_date(born: date) -> None:
    today = timezone.localdate()
    if not today.year - OLDEST <= born.year <= today.year - YOUNGEST:
        sentence = _("That can’t be your date of birth. Players must be %(youngest)d to %(oldest)d years old.")
        raise ValidationError(sentence % {"youngest": YOUNGEST, "oldest": OLDEST})


def newest_terms() -> int:
    return VERSIONS["terms"]


def newest_conduct() -> int:
    return VERSIONS["conduct"]


class SkeletonField(models.CharField):
    """The skeleton of the account's name, set automatically for every new account.

    It is null for old accounts whose name has a twin; such an account keeps its name.
    """

    def pre_save(self, instance: Any, add: bool) -> str | None:
        if add or instance.skeleton is not None:
            instance.skeleton = skeleton(instance.username)
        return instance.skeleton


class FoldedField(models.CharField):
    """The account's name with case folded, for lookups; set automatically.

    It is a column because databases disagree about the case of letters other than those of ASCII.
    """

    def pre_save(self, instance: Any, add: bool) -> str:
        instance.folded = folded(instance.username)
        return str(instance.folded)


class Users(UserManager["User"]):
    """The manager of users. It reads a user by primary key with prepared SQL, because most requests read one."""

    use_in_migrations = False

    def get(self, *args: Any, **kwargs: Any) -> "User":
        key = kwargs.get("pk")
        if type(self) is not Users or not isinstance(key, int) or args or len(kwargs) > 1:
            return super().get(*args, **kwargs)  # also for managers of relations, which are subclasses of this one
        if rows := BY_KEY(key):
            return rows[0]
        raise User.DoesNotExist


class User(AbstractUser):
    """A person, a guest or someone with an account; or the account of an outside bot, which nobody can sign in to."""

    objects: ClassVar[Users] = Users()

    username = models.CharField(
        _("player name"),
        max_length=LONGEST_NAME,
        unique=True,
        validators=field_validators,
        help_text=_("Everyone can see this name."),
        error_messages={"unique": TAKEN},
    )
    folded = FoldedField(max_length=LONGEST_FOLDED, unique=True, editable=False, error_messages={"unique": TAKEN})
    skeleton = SkeletonField(max_length=LONGEST_SKELETON, unique=True, null=True, editable=False)
    email = models.EmailField(_("email address"), blank=True, help_text=_("Only you can see it."))
    first_name = None  # type: ignore[assignment]  # people have only a player name
    last_name = None  # type: ignore[assignment]
    is_guest = models.BooleanField(_("guest"), default=False)
    is_bot = models.BooleanField(_("bot"), default=False, editable=False)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[is_time_zone])
    birth_date = models.DateField(
        _("date of birth"), null=True, blank=True, validators=[is_plausible_birth_date],
        help_text=_(
            "Optional and never shown. It only breaks ties in games where the youngest player wins them, and only in"
            " games opened after you enter it. Such a tie reveals who is younger. You can only enter it once."
        ),
    )  # fmt: skip
    # See `birth_date_at`
    birth_date_given_at = models.DateTimeField(null=True, blank=True, editable=False)
    night = models.JSONField(_("night"), default=dict, blank=True)
    away_until = models.DateTimeField(_("vacation until"), null=True, blank=True)
    punctuality = models.CharField(_("turns on time"), max_length=100, blank=True)
    # Of pages and notices. An account starts with the one that it was created in
    language = models.CharField(_("language"), max_length=10, blank=True)
    theme = models.CharField(_("theme"), max_length=5, choices=Theme, default=Theme.AUTO)
    palette = models.CharField(
        _("colors of the players"), max_length=12, choices=Palette, default=Palette.STANDARD, blank=True,
        help_text=_("Each player has a shape too."),
    )  # fmt: skip
    has_keys = models.BooleanField(
        _("Single-letter keyboard shortcuts at the table"), default=True, help_text=_("U to undo, C to show changes.")
    )
    holds_turns = models.BooleanField(
        _("Wait 5 seconds before sending my turn"), default=True, help_text=_("Until then you can undo it.")
    )
    # `{channel: {kind: how}}`, where that differs from “right away”; see `how`
    notice_settings = models.JSONField(_("notifications"), default=dict, blank=True)
    # Minutes for which notices sent “after a delay” wait, and the hour of the daily digest
    delay = models.PositiveSmallIntegerField(
        _("minutes"), default=30, validators=[MinValueValidator(1), MaxValueValidator(LONGEST_DELAY)]
    )
    digest_hour = models.PositiveSmallIntegerField(_("hour"), default=8, validators=[MaxValueValidator(23)])
    # Between these times, in the person's time zone, notices wait
    quiet_begins = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_ends = models.TimeField(_("quiet until"), null=True, blank=True)
    # While this is set, there are no notices: until `paused_until`, or if that is null until the person resumes them
    is_paused = models.BooleanField(_("notifications are paused"), default=False)
    paused_until = models.DateTimeField(_("paused until"), null=True, blank=True)

    # Counts the URLs of the person's calendar, of which only the last is valid
    calendar = models.PositiveSmallIntegerField(default=0, editable=False)
    # How often the account was signed out everywhere; sessions and keys in emails hold for the current number only
    sign_outs = models.PositiveIntegerField(default=0, editable=False)
    # Whether someone has ever confirmed an address of the account
    has_proven = models.BooleanField(default=False, editable=False)
    email_trouble = models.JSONField(_("email problems"), default=dict, blank=True, editable=False)
    is_under_16 = models.BooleanField(
        _("I am under 16"), default=False, help_text=_("At public tables, chat with quick phrases only.")
    )
    # The latest ends of the steps of moderators that are in force, and whether one closed the account
    muted_until = models.DateTimeField(_("no chat until"), null=True, blank=True, editable=False)
    no_tables_until = models.DateTimeField(_("no new tables until"), null=True, blank=True, editable=False)
    suspended_until = models.DateTimeField(_("suspended until"), null=True, blank=True, editable=False)
    is_closed = models.BooleanField(_("closed by moderators"), default=False, editable=False)
    has_unread_step = models.BooleanField(_("has a message from the moderators"), default=False, editable=False)
    # Accepted versions. Since `asked_to_accept_at`, newer ones wait to be accepted
    accepted_terms = models.PositiveSmallIntegerField(default=newest_terms, editable=False)
    accepted_conduct = models.PositiveSmallIntegerField(default=newest_conduct, editable=False)
    asked_to_accept_at = models.DateTimeField(null=True, blank=True, editable=False)

    REQUIRED_FIELDS = ["email"]

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("email"), condition=~models.Q(email=""), name="email_once_in_any_case",
                violation_error_message=_("An account with this email address already exists."),
            ),
        ]  # fmt: skip

    def clean(self) -> None:
        """Refuse a new name that is taken or looks like another, in all forms that change names."""
        super().clean()
        if User.objects.filter(pk=self.pk, username=self.username).exists():
            return
        if User.is_name_taken(self.username, exclude=self):
            raise ValidationError({"username": TAKEN})
        self.skeleton, self.folded = skeleton(self.username), folded(self.username)

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.username])

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Return a hash that ends sessions and keys in emails when the password or `sign_outs` changes."""
        salt = "accounts.models.User.session"
        return salted_hmac(salt, f"{self.sign_outs} {self.password}", secret=secret, algorithm="sha256").hexdigest()

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    @classmethod
    def with_name(cls, name: str) -> "models.QuerySet[User]":
        """Users with this name, ignoring case."""
        return cls.objects.filter(folded=folded(name))

    @classmethod
    def named(cls, name: str) -> "User | None":
        return cls.with_name(name).first()

    @classmethod
    def is_name_taken(cls, name: str, *, exclude: "User | None" = None) -> bool:
        """Return whether another account has this name or one that looks like it."""
        twins = cls.objects.filter(models.Q(folded=folded(name)) | models.Q(skeleton=skeleton(name)))
        return (twins.exclude(pk=exclude.pk) if exclude else twins).exists()

    @classmethod
    def with_address(cls, email: str) -> "models.QuerySet[User]":
        """Users with this email address, ignoring case. The empty address matches nobody."""
        return cls.objects.exclude(email="").alias(folded_email=Lower("email")).filter(folded_email=email.lower())

    @classmethod
    def is_address_of(cls, email: str, *, exclude: "User | None" = None) -> bool:
        """Return whether someone else has this address. Addresses that a guest has not confirmed do not count."""
        holders = cls.with_address(email)
        return (holders.exclude(pk=exclude.pk) if exclude else holders).exists()

    def birth_date_at(self, opened: datetime) -> date | None:
        """Return the date of birth that counts in a game opened at that time: entered earlier, by an account holder.

        Guests have none, because anyone could become several guests and compare.
        """
        given_at = self.birth_date_given_at
        return self.birth_date if given_at and given_at <= opened and not self.is_guest else None

    def how(self, kind: Kind, channel: Channel) -> How:
        """Return when the person wants notices of this kind on this channel; right away by default."""
        return How(self.notice_settings.get(channel, {}).get(kind, How.NOW))

    @property
    def has_confirmed_address(self) -> bool:
        """Whether the person has confirmed their current address. Notices are sent to no other."""
        return bool(CONFIRMED(self.pk, self.email.lower()))

    @property
    def unconfirmed_address(self) -> str:
        """The address that the person has given and not confirmed; empty if they have confirmed one, or given none.

        It is not yet their `email` if it replaced a mistyped one, or if a guest gave it.
        """
        from allauth.account.models import EmailAddress  # it can only be imported after this model

        if self.email:
            return "" if self.has_confirmed_address else self.email
        return EmailAddress.objects.filter(user=self).order_by("-pk").values_list("email", flat=True).first() or ""

    @property
    def is_proven(self) -> bool:
        """Whether an address of the account was ever confirmed. Until then, anyone may have signed up with it."""
        from allauth.account.models import EmailAddress  # it can only be imported after this model

        return self.has_proven or EmailAddress.objects.filter(user=self, verified=True).exists()

    @property
    def trouble(self) -> Trouble:
        """Return what email servers have reported about the current address."""
        return Trouble.of(self.email_trouble, self.email)

    @property
    def is_email_stopped(self) -> bool:
        """Whether email to this address is stopped, because it bounced or was reported as spam."""
        return self.trouble.stopped_at is not None

    @property
    def nights(self) -> Nights:
        """The nights of the person's clocks: `night` in their time zone."""
        try:
            return msgspec.convert({**self.night, "zone": self.time_zone}, Nights)
        except IllegalClock:  # a time zone that no longer exists
            return Nights("UTC")

    @property
    def reliability(self) -> Reliability | None:
        """Return the share of the last 100 turns taken on time. `punctuality` has a 1 or 0 for each, newest last."""
        return reliability([turn == "1" for turn in self.punctuality])

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def is_suspended(self) -> bool:
        """Whether a moderator has suspended the account for now, or closed it."""
        return self.is_closed or (self.suspended_until is not None and self.suspended_until > timezone.now())

    @property
    def accepted(self) -> dict[str, int]:
        """The versions of the documents that the person has accepted."""
        return {"terms": self.accepted_terms, "conduct": self.accepted_conduct}

    @property
    def must_accept(self) -> bool:
        """Whether the terms or the rules of conduct have changed since the person accepted them."""
        is_person = not (self.is_guest or self.is_bot)
        return is_person and any(self.accepted[name] < newest for name, newest in VERSIONS.items())

    @property
    def language_code(self) -> str:
        """The code of the person's language; the site's if they have none, or if the site no longer has it."""
        return self.language if self.language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE

    @property
    def look(self) -> str:
        """Return the theme with its palette, as in `auto-contrast`."""
        return f"{self.theme}-{self.palette}" if self.palette else self.theme


def _confirmed(user: int, email: str) -> "models.QuerySet[Any]":
    from allauth.account.models import EmailAddress  # it can only be imported after this model

    addresses = EmailAddress.objects.alias(folded_email=Lower("email"))
    return addresses.filter(user=user, folded_email=email, verified=True).only("pk")[:1]


BY_KEY = Prepared(lambda pk: User.objects.filter(pk=pk))
CONFIRMED = Prepared(_confirmed)  # the address of a user, given in lower case, if it is confirmed


@contextmanager
def in_language_of(reader: User) -> Iterator[None]:
    """Use the person's language within the block."""
    with translation.override(reader.language_code):
        yield


class AddressChange(models.Model):
    """A change of an account's confirmed email address. The `old` address is sent a link that undoes it.

    Undoing a change also undoes all later ones of the account, so that a link sent to a thief's address is worthless
    once the owner has used theirs. Rows are kept for as long as the links work.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="address_changes")
    old = models.EmailField(_("old address"))
    at = models.DateTimeField(_("changed at"), db_index=True)
    is_undone = models.BooleanField(_("undone"), default=False)

    class Meta:
        verbose_name = _("change of address")
        verbose_name_plural = _("changes of address")

    def __str__(self) -> str:
        return f"{self.user}, {self.at:%Y-%m-%d %H:%M}"


class DataExport(models.Model):
    """The archive of a person's data, of which everyone has at most one. `number` counts the times they asked for one.

    `content` is the zip while it can be fetched: from `made_at` until it was fetched, once, or has expired.
    `claimed_at` is when a worker began; it has the work to itself for `accounts.personal.LEASE`.
    """

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="data_export")
    number = models.PositiveIntegerField(_("number"), default=0)
    asked_at = models.DateTimeField(_("asked for"))
    claimed_at = models.DateTimeField(_("begun"), null=True, blank=True)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)
    made_at = models.DateTimeField(_("made"), null=True, blank=True)
    fetched_at = models.DateTimeField(_("fetched"), null=True, blank=True)
    content = models.BinaryField(null=True)

    class Meta:
        verbose_name = _("data export")
        verbose_name_plural = _("data exports")
        indexes = [models.Index(fields=["asked_at"], condition=models.Q(made_at=None), name="exports_to_make")]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.number}"


class Deletion(models.Model):
    """An account that was deleted, by a digest from which nobody can tell whose it was. See `accounts.deletions`."""

    digest = models.CharField(max_length=64, primary_key=True)
    at = models.DateTimeField(_("deleted at"))

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.digest[:8]}"


class BarredAddress(models.Model):
    """The address of an account that was suspended or closed when it was deleted, by a keyed hash of its mailbox.

    Before `until`, nobody can confirm the address for a new account. See `accounts.barred`.
    """

    digest = models.CharField(max_length=64, primary_key=True)
    until = models.DateTimeField(_("until"))

    def __str__(self) -> str:
        return f"{self.until:%Y-%m-%d %H:%M} {self.digest[:8]}"


MOST_GAMES = 50  # of a bot at the same time


class BotAccount(models.Model):
    """An outside bot: an account that its owner's program plays for, with a token instead of a password.

    Only a hash of the token is kept: `digest` is the SHA-256 of its 32 random bytes as text. It is null while the bot
    has none. With `is_public` everyone may seat the bot at their table. `most_games` are open or running at once.
    """

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="bot_account")
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="bot_accounts", verbose_name=_("owner"))
    digest = models.CharField(max_length=64, unique=True, null=True, editable=False)
    token_made_at = models.DateTimeField(_("token made"), null=True, blank=True, editable=False)
    token_used_at = models.DateTimeField(_("token last used"), null=True, blank=True, editable=False)
    is_public = models.BooleanField(
        _("Anyone can add it to a table"), default=False,
        help_text=_("The table must admit outside bots. If you don’t check this, only you can add it."),
    )  # fmt: skip
    most_games = models.PositiveSmallIntegerField(
        _("games at a time"), default=10, validators=[MinValueValidator(1), MaxValueValidator(MOST_GAMES)],
        help_text=_("When it plays this many games, it can’t be added to another table."),
    )  # fmt: skip

    class Meta:
        verbose_name = _("outside bot")
        verbose_name_plural = _("outside bots")

    def __str__(self) -> str:
        return self.user.username


class StepKind(models.TextChoices):
    """What moderators can do. The labels are headings of what the player reads."""

    WARN = "warn", _("Warning")
    MUTE = "mute", _("No chat")
    TABLES = "tables", _("No new tables")
    SUSPEND = "suspend", _("Account suspended")
    CLOSE = "close", _("Account closed")
    NAME = "name", _("Name replaced")


LONGEST_STEP = 1000  # characters, of reasons and answers


class Step(models.Model):
    """What a moderator did about a player, who reads the reason and may answer once. See `accounts.moderation`.

    It is in force from `at` to `until`, or until it is lifted. Warnings and replaced names are never in force, and an
    account is closed without an end.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="steps", verbose_name=_("player"))
    kind = models.CharField(_("moderation action"), max_length=10, choices=StepKind)
    by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("moderator")
    )
    reason = models.CharField(_("reason"), max_length=LONGEST_STEP)
    at = models.DateTimeField(_("taken"))
    until = models.DateTimeField(_("until"), null=True, blank=True)
    read_at = models.DateTimeField(_("read by the player"), null=True, blank=True)
    answer = models.CharField(_("answer"), max_length=LONGEST_STEP, blank=True)
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    heard_at = models.DateTimeField(_("answer read"), null=True, blank=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_why = models.CharField(_("why it was lifted"), max_length=LONGEST_STEP, blank=True)

    class Meta:
        verbose_name = _("moderation action")
        verbose_name_plural = _("moderation actions")
        permissions = [
            ("see_reports", "Can read reports and settle them"),
            ("warn_and_mute", "Can warn, mute and forbid new tables"),
            ("suspend_and_close", "Can suspend and close accounts"),
            ("see_moderation_log", "Can read the log of the moderators"),
        ]
        indexes = [
            models.Index(
                fields=["answered_at"], condition=models.Q(answered_at__isnull=False, heard_at=None),
                name="answers_to_read",
            ),
            models.Index(
                fields=["user"], condition=models.Q(kind__in=["suspend", "close"], lifted_at=None),
                name="suspensions_in_force",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.at:%Y-%m-%d}"

    @property
    def is_in_force(self) -> bool:
        is_over = self.until is not None and self.until <= timezone.now()
        return self.kind not in (StepKind.WARN, StepKind.NAME) and self.lifted_at is None and not is_over


class Done(models.TextChoices):
    """What the log of the moderators records."""

    STEP = "step", _("took action")
    LIFTED = "lifted", _("lifted an action")
    ANSWERED = "answered", _("answered an action")
    KEPT = "kept", _("kept an action after the answer")
    SETTLED = "settled", _("settled a report")
    REMOVED = "removed", _("removed a message")
    RENAMED = "renamed", _("replaced a name")
    TEAM = "team", _("replaced the name of a team")
    RIGHTS = "rights", _("changed rights")


class ModerationEntry(models.Model):
    """A line of the log of the moderators. The database refuses to change or delete it (`empire.insert_only`).

    People are numbers, which lead to nobody once their account is deleted: `by` is who did it, empty for the person
    who runs the site, and `who` the player that it is about.
    """

    at = models.DateTimeField(_("at"), db_index=True)
    what = models.CharField(_("what"), max_length=10, choices=Done)
    by = models.CharField(_("by"), max_length=20, blank=True)
    who = models.CharField(_("about"), max_length=20, blank=True, db_index=True)
    step = models.BigIntegerField(_("moderation action"), null=True, blank=True)
    report = models.BigIntegerField(_("report"), null=True, blank=True)
    words = models.TextField(_("description"), blank=True)

    class Meta:
        verbose_name = _("line of the moderators’ log")
        verbose_name_plural = _("log of the moderators")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.what} {self.who}"


class Acceptance(models.Model):
    """A version of the terms of use or the rules of conduct that a person accepted."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="acceptances", db_index=False)
    document = models.CharField(_("document"), max_length=10)
    version = models.PositiveSmallIntegerField(_("version"))
    at = models.DateTimeField(_("accepted"))

    class Meta:
        verbose_name = _("acceptance")
        verbose_name_plural = _("acceptances")
        constraints = [models.UniqueConstraint(fields=["user", "document", "version"], name="accepted_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.document} {self.version}"
