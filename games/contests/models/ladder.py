"""The ladder of a ruleset: rungs, challenges and history.

A rung without a player is empty because someone left. The sweep lets empty rungs sink to the bottom, see `rungs.py`.
"""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from empire.web.languages import display_name
from games.clocks import clock as clocks
from games.clocks.clock import IllegalClock
from games.contests.ladders.rules import LadderTerms
from games.rules.protocol import Ruleset
from games.rules.record import FORMER_PLAYER
from games.rules.registry import get
from games.tables.models.game import USUAL_CLOCK

USUAL = LadderTerms()


def is_clock(text: str) -> None:
    try:
        clocks.parse(text)
    except IllegalClock as refusal:
        raise ValidationError(refusal.say(gettext)) from None


def number(label: Any, default: int) -> models.PositiveSmallIntegerField:
    """Return a field for one of the numbers of a ladder, at least 1."""
    return models.PositiveSmallIntegerField(label, default=default, validators=[MinValueValidator(1)])


class Ladder(models.Model):
    """A ladder. `length` is the number of the lowest rung.

    The fields from `reach` on are those of `LadderTerms`, in days.
    """

    ruleset = models.CharField(_("game"), max_length=40, unique=True)
    players = models.PositiveSmallIntegerField(_("players"), default=2)
    full = models.BooleanField(_("matches are full games"), default=True)
    clock = models.CharField(_("clock"), max_length=60, default=USUAL_CLOCK, validators=[is_clock])
    length = models.PositiveIntegerField(_("rungs"), default=0)
    reach = number(_("rungs up that a player can challenge"), USUAL.reach)
    top = number(_("lowest rung of the top"), USUAL.top)
    top_reach = number(_("rungs up that a player can challenge at the top"), USUAL.top_reach)
    given = number(_("challenges a player can have open at a time"), USUAL.given)
    taken = number(_("challenges to answer at a time"), USUAL.taken)
    answer = number(_("days to answer"), USUAL.answer)
    again = number(_("days until the same player can be challenged again"), USUAL.again)
    idle = number(_("days without a match before a player drops"), USUAL.idle)
    fall = number(_("rungs a player then drops"), USUAL.fall)

    class Meta:
        verbose_name = _("ladder")
        verbose_name_plural = _("ladders")

    def __str__(self) -> str:
        return f"ladder of {self.ruleset}"

    @property
    def rules(self) -> Ruleset:
        return get(self.ruleset)

    @property
    def terms(self) -> LadderTerms:
        return LadderTerms(**{name: getattr(self, name) for name in LadderTerms.__struct_fields__})


class Rung(models.Model):
    """A player's rung, 1 at the top.

    `last_at`: when they last played for it; `has_fallen`: they have dropped since, because that was too long ago.
    `best` is the highest rung they have reached.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="rungs", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="rungs",
        verbose_name=_("player"),
    )  # fmt: skip
    rung = models.IntegerField(_("rung"))
    best = models.IntegerField(_("best"))
    joined_at = models.DateTimeField(_("joined"))
    last_at = models.DateTimeField(_("last match"))
    has_fallen = models.BooleanField(_("has dropped"), default=False)

    class Meta:
        verbose_name = _("rung")
        verbose_name_plural = _("rungs")
        constraints = [
            models.UniqueConstraint(fields=["ladder", "rung"], name="one_on_each_rung"),
            models.UniqueConstraint(fields=["ladder", "user"], name="one_rung_of_each"),
        ]
        indexes = [
            models.Index(fields=["ladder", "rung"], condition=models.Q(user=None), name="rungs_empty"),
            models.Index(fields=["ladder", "has_fallen", "last_at"], name="rungs_by_last_contest"),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id}/{self.rung}"


class Outcome(models.TextChoices):
    """The state of a challenge, from the challenger's point of view."""

    OPEN = "open", _("waiting for an answer")
    PLAYING = "playing", _("playing")
    WON = "won", _("won")
    LOST = "lost", _("lost")
    DRAWN = "drawn", _("tied")
    DECLINED = "declined", _("declined")
    EXPIRED = "expired", _("expired")
    WITHDRAWN = "withdrawn", _("withdrawn")


UNDECIDED = (Outcome.OPEN, Outcome.PLAYING)
_under_way = models.Q(state__in=["open", "playing"])


class Challenge(models.Model):
    """A challenge to another player's rung. `game` is the first or only game of the match."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="challenges", db_index=False)
    challenger = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="challenges_given",
        verbose_name=_("challenger"), db_index=False,
    )  # fmt: skip
    challenged = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="challenges_taken",
        verbose_name=_("challenged"), db_index=False,
    )  # fmt: skip
    made_at = models.DateTimeField(_("made"))
    answer_by = models.DateTimeField(_("answer by"))
    state = models.CharField(_("state"), max_length=10, choices=Outcome, default=Outcome.OPEN)
    full_game = models.ForeignKey("tables.FullGame", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    game = models.ForeignKey("tables.Game", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        constraints = [
            models.UniqueConstraint(
                fields=["ladder", "challenger", "challenged"], condition=_under_way, name="one_challenge_at_a_time"
            ),
        ]
        indexes = [
            models.Index(fields=["challenger", "ladder", "-decided_at"], name="challenges_given"),
            models.Index(fields=["challenged", "ladder", "state"], name="challenges_taken"),
            models.Index(fields=["ladder", "answer_by"], condition=models.Q(state="open"), name="challenges_to_answer"),
            models.Index(fields=["ladder", "id"], condition=models.Q(state="playing"), name="challenges_in_play"),
        ]

    def __str__(self) -> str:
        return f"{self.challenger_id} against {self.challenged_id}: {self.state}"

    @property
    def is_open(self) -> bool:
        return self.state == Outcome.OPEN

    @property
    def is_playing(self) -> bool:
        return self.state == Outcome.PLAYING

    @property
    def names(self) -> tuple[str, str]:
        return name_of(self.challenger), name_of(self.challenged)


class ClimbReason(models.TextChoices):
    """Why a player's rung changed. `PASSED` and `CAME_UP`: another player moved past them, or dropped."""

    JOINED = "joined", _("joined the ladder")
    WON = "won", _("won")
    LOST = "lost", _("lost")
    PASSED = "passed", _("passed by another player")
    FELL = "fell", _("inactive")
    CAME_UP = "came_up", _("a player above dropped")
    LEFT = "left", _("left the ladder")


class Climb(models.Model):
    """A line of the history; rows are only added. Null means not on the ladder."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="climbs", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="climbs", db_index=False,
        verbose_name=_("player"),
    )  # fmt: skip
    before = models.IntegerField(_("from"), null=True)
    after = models.IntegerField(_("to"), null=True)
    why = models.CharField(_("why"), max_length=10, choices=ClimbReason)
    at = models.DateTimeField(_("when"))
    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, null=True, related_name="climbs")

    class Meta:
        verbose_name = _("climb")
        verbose_name_plural = _("climbs")
        indexes = [
            models.Index(
                fields=["ladder", "-id"], condition=~models.Q(why__in=["passed", "came_up"]), name="climbs_of_a_ladder"
            ),
            models.Index(fields=["user", "ladder", "-id"], name="climbs_of_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.before}–{self.after}: {self.why}"

    @property
    def name(self) -> str:
        return name_of(self.user)


def name_of(user: Any) -> str:
    return user.username if user else display_name(FORMER_PLAYER)
