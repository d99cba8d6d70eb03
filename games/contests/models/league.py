"""Leagues: members and seasons. Matches are in `pools.py`."""

from datetime import datetime, timedelta

import msgspec
from django.conf import settings
from django.db import models
from django.db.models import Max, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.contests.models.pools import UNDECIDED
from games.contests.terms.declaration import LeagueTerms
from games.rules.protocol import Ruleset
from games.rules.registry import get
from games.tables.models.game import new_token


class LeagueState(models.TextChoices):
    DRAFT = "draft", _("unpublished")
    OPEN = "open", _("open")
    CLOSED = "closed", _("closed")


class League(models.Model):
    """A league. `terms` are the `LeagueTerms` of future seasons, `forecast` is a `Forecast` based on them."""

    slug = models.SlugField(_("address"), max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=60)
    ruleset = models.CharField(_("game"), max_length=40)
    terms = models.JSONField(_("terms"))
    forecast = models.JSONField(_("forecast"), null=True, blank=True)
    organizer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="leagues",
        verbose_name=_("organizer"),
    )  # fmt: skip
    state = models.CharField(_("state"), max_length=10, choices=LeagueState, default=LeagueState.DRAFT)
    rules_text = models.TextField(_("rules text"), blank=True, default="")
    invite_token = models.CharField(_("invitation"), max_length=32, default=new_token)
    made_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("league")
        verbose_name_plural = _("leagues")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league", args=[self.slug])

    @property
    def rules(self) -> Ruleset:
        return get(self.ruleset)

    @property
    def declared(self) -> LeagueTerms:
        return msgspec.convert(self.terms, LeagueTerms)


class Member(models.Model):
    """A member of a league, who is signed up for each season unless they sit out (`sits_out`).

    `tier` is where they last played, null if they never did. `at_once` is how many matches at a time they choose, null
    for the league's default. A member who `waits` was left over at the start of the last season and is placed first in
    the next.
    """

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="memberships",
        verbose_name=_("player"),
    )  # fmt: skip
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    name = models.CharField(_("name of the bot"), max_length=40, blank=True)
    sits_out = models.BooleanField(_("is sitting out"), default=False)
    waits = models.BooleanField(_("is first in line"), default=False)
    at_once = models.PositiveSmallIntegerField(_("matches at a time"), null=True, blank=True)
    tier = models.PositiveSmallIntegerField(_("last tier"), null=True, blank=True)
    joined_at = models.DateTimeField(_("joined"))

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [
            models.UniqueConstraint(
                fields=["league", "user"], condition=models.Q(user__isnull=False), name="joins_a_league_once"
            ),
            models.CheckConstraint(
                condition=models.Q(user__isnull=False, bot="") | (models.Q(user=None) & ~models.Q(bot="")),
                name="a_member_is_a_person_or_a_bot",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league_id}: {self.user_id or self.bot}"


class SeasonState(models.TextChoices):
    SIGN_UP = "sign_up", _("sign-up is open")
    RUNNING = "running", _("running")
    ENDED = "ended", _("ended")


APPROVAL = timedelta(days=3)  # for the organizer to check the results of a season


class Season(models.Model):
    """A season. `terms` are those of the league when it opened; later changes apply from the next season.

    `starts_at` and `ends_at` are planned, `started_at` and `ended_at` actual times. `put_off`: how often the start was
    postponed because too few players had signed up. `decided_at`: since when all matches are decided while the season
    waits for its organizer's approval; null again if a match is reopened.
    """

    league = models.ForeignKey(League, on_delete=models.PROTECT, related_name="seasons", db_index=False)
    number = models.PositiveSmallIntegerField(_("number"))
    terms = models.JSONField(_("terms"))
    state = models.CharField(_("state"), max_length=10, choices=SeasonState, default=SeasonState.SIGN_UP)
    opened_at = models.DateTimeField(_("opened"))
    starts_at = models.DateTimeField(_("starts"))
    ends_at = models.DateTimeField(_("ends"))
    put_off = models.PositiveSmallIntegerField(_("times postponed"), default=0)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        constraints = [models.UniqueConstraint(fields=["league", "number"], name="one_season_of_each_number")]
        indexes = [
            models.Index(fields=["starts_at"], condition=models.Q(state="sign_up"), name="seasons_to_start"),
            models.Index(fields=["ends_at"], condition=models.Q(state="running"), name="seasons_to_end"),
        ]

    def __str__(self) -> str:
        return gettext("{league}, season {n}").format(league=self.league, n=self.number)

    def get_absolute_url(self) -> str:
        return reverse("season", args=[self.league.slug, self.number])

    @property
    def is_overdue(self) -> bool:
        """Whether matches are still being played after the last day, as bots do in the week that follows."""
        return self.state == SeasonState.RUNNING and self.decided_at is None and self.ends_at <= timezone.now()

    @cached_property
    def cut_off_at(self) -> datetime | None:
        """Return when the last matches of an overdue season are ended (L8); null in other seasons and after that."""
        if not self.is_overdue:
            return None
        undecided = Q(matches__state__in=UNDECIDED)
        due_at: datetime | None = self.pools.aggregate(at=Max("matches__due_at", filter=undecided))["at"]
        return due_at if due_at and due_at > timezone.now() else None

    @property
    def approved_by(self) -> datetime | None:
        """Return when the season ends without the organizer's approval, null while matches are undecided."""
        return self.decided_at + APPROVAL if self.decided_at else None

    @property
    def declared(self) -> LeagueTerms:
        return msgspec.convert(self.terms, LeagueTerms)


class NewsKind(models.TextChoices):
    OPENED = "opened", _("sign-up is open")
    BEGUN = "begun", _("the season has started")
    ENDED = "ended", _("the season has ended")
    EXTENDED = "extended", _("the season was extended")
    CLOSED = "closed", _("the league is closed")
    ANNOUNCED = "announced", _("an organizer announced something")


class News(models.Model):
    """News that is still being sent to the people of a league, in batches. The row is deleted once all are notified.

    `what` is the kind of news. `last_notified` is the id of a member or entrant. News about the league has no season.
    """

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="news")
    season = models.ForeignKey(Season, on_delete=models.CASCADE, null=True, blank=True, related_name="news")
    intervention = models.ForeignKey(
        "contests.Intervention", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    announcement = models.ForeignKey(
        "contests.Announcement", on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    what = models.CharField(_("what"), max_length=10, choices=NewsKind)
    last_notified = models.BigIntegerField(_("last person notified"), default=0)

    class Meta:
        verbose_name = _("news")
        verbose_name_plural = _("news")

    def __str__(self) -> str:
        return f"{self.season or self.league}: {self.what}"
