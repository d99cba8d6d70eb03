"""Tournaments of all formats, and the seasons of team leagues. Matches are in `pools.py`."""

import msgspec
from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.contests.terms.declaration import TournamentTerms
from games.rules.protocol import Ruleset
from games.rules.registry import get
from games.tables.models.game import new_public_id, new_token


class TournamentState(models.TextChoices):
    SIGN_UP = "sign_up", _("sign-up is open")
    RUNNING = "running", _("running")
    ENDED = "ended", _("ended")
    CLOSED = "closed", pgettext_lazy("tournament", "canceled")


ON = (TournamentState.SIGN_UP, TournamentState.RUNNING)


class Tournament(models.Model):
    """A tournament, or one season of a team league."""

    public_id = models.CharField(_("id"), max_length=8, unique=True, default=new_public_id)
    name = models.CharField(_("name"), max_length=80)
    ruleset = models.CharField(_("game"), max_length=40)
    # `TournamentTerms` as plain data
    terms = models.JSONField(_("terms"))
    organizer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="tournaments",
        verbose_name=_("organizer"),
    )  # fmt: skip
    state = models.CharField(_("state"), max_length=10, choices=TournamentState, default=TournamentState.SIGN_UP)
    rules_text = models.TextField(_("rules text"), blank=True, default="")
    invite_token = models.CharField(_("invitation"), max_length=32, default=new_token)
    opened_at = models.DateTimeField(_("opened"))
    # Null if it starts when it is full
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    # The current round, from 1, and how many there are; both are 0 before the start
    round = models.PositiveSmallIntegerField(_("round"), default=0)
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0)
    # When the tournament is due next
    look_at = models.DateTimeField(_("next check"), null=True, blank=True)
    # What pages and the next round need: the standings of each pool (`rounds.stored_standings`), or for a knockout the
    # order of seeds, from 0, by round and table; and how many matches these include
    standings = models.JSONField(_("standings"), default=list, blank=True)
    bracket = models.JSONField(_("rounds of a knockout"), default=list, blank=True)
    counted = models.PositiveIntegerField(_("matches counted"), default=0)
    season = models.PositiveSmallIntegerField(_("season"), default=1)
    # In a team league, the season before, and the terms of the next one; null as long as they are the same
    follows = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="followed_by",
        verbose_name=_("previous season"),
    )  # fmt: skip
    next_terms = models.JSONField(_("terms of the next season"), null=True, blank=True)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        indexes = [
            models.Index(fields=["-opened_at"], name="tournaments_by_age"),
            models.Index(fields=["look_at"], condition=models.Q(look_at__isnull=False), name="tournaments_to_look_at"),
            models.Index(fields=["state", "-opened_at"], condition=models.Q(state__in=ON), name="tournaments_on"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.public_id])

    @property
    def is_open(self) -> bool:
        """Whether people can still sign up if there is room."""
        return self.state == TournamentState.SIGN_UP

    @property
    def is_running(self) -> bool:
        return self.state == TournamentState.RUNNING

    @property
    def has_ended(self) -> bool:
        return self.state == TournamentState.ENDED

    @property
    def is_canceled(self) -> bool:
        return self.state == TournamentState.CLOSED

    @property
    def is_over(self) -> bool:
        """Whether it has ended or was canceled."""
        return self.state not in ON

    @property
    def rules(self) -> Ruleset:
        return get(self.ruleset)

    @property
    def declared(self) -> TournamentTerms:
        return msgspec.convert(self.terms, TournamentTerms)

    @property
    def declared_next(self) -> TournamentTerms:
        """Return the terms of the season that follows in a team league."""
        return msgspec.convert(self.next_terms or self.terms, TournamentTerms)
