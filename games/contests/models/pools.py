"""Pools, entrants, matches and badges, shared by seasons of leagues and tournaments.

A pool is a division of a season, or a group or the whole field of a tournament. An appearance is an entrant's seat in a
match. Points are counted in halves, see `crosstable.py`.
"""

from typing import Any, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.rules.record import FORMER_PLAYER

OF_ONE = models.Q(season__isnull=True, tournament__isnull=False) | models.Q(
    season__isnull=False, tournament__isnull=True
)
AT_A_TABLE = models.Q(season__isnull=True, tournament__isnull=True, game__isnull=False)


class Pool(models.Model):
    """A pool. `tier` counts from 1, the top, and `number` within it. `stage` is that of a tournament, from 1.

    `look_at` is when the pool is due next, null if only the end of a contest makes it due. Changing its matches or
    entrants requires the lock on its row.
    """

    season = models.ForeignKey(
        "contests.Season", on_delete=models.PROTECT, null=True, blank=True, related_name="pools", db_index=False
    )
    tournament = models.ForeignKey(
        "contests.Tournament", on_delete=models.PROTECT, null=True, blank=True, related_name="pools"
    )
    tier = models.PositiveSmallIntegerField(_("tier"), default=1)
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    stage = models.PositiveSmallIntegerField(_("stage"), default=1)
    look_at = models.DateTimeField(_("next check"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("pool")
        verbose_name_plural = _("pools")
        constraints = [
            models.UniqueConstraint(fields=["season", "tier", "number"], name="one_division_of_each_number"),
            models.UniqueConstraint(fields=["tournament", "stage", "number"], name="one_group_of_each_number"),
            models.CheckConstraint(condition=OF_ONE, name="a_pool_of_one"),
        ]
        indexes = [models.Index(fields=["look_at"], condition=models.Q(look_at__isnull=False), name="pools_to_look_at")]

    def __str__(self) -> str:
        return f"{self.season_id or self.tournament_id}/{self.tier}.{self.number}"


class SeasonOutcome(models.TextChoices):
    """The consequence of the end of a season for an entrant."""

    UP = "up", _("promoted")
    STAYS = "stays", _("stays")
    DOWN = "down", _("relegated")
    OUT = "out", _("dropped out")


def leave_the_place(collector: Any, field: Any, entrants: Any, using: str) -> None:
    """Keep the results of a deleted account for its opponents, without the name."""
    models.SET_NULL(collector, field, entrants, using)
    collector.add_field_update(Entrant._meta.get_field("name"), FORMER_PLAYER, entrants)


class Entrant(models.Model):
    """A player or bot in a season or tournament. `pool` is null until they are placed.

    `seed`: the order of placement, from 1. `rating`: the shown rating at that time. `left_at`: when they dropped out.
    `points`, `possible` and `played` cover matches that count so far; `place` is set at the end of the pool.
    `waits_since`: when they asked for a match of an arena that has not begun.
    """

    season = models.ForeignKey(
        "contests.Season", on_delete=models.PROTECT, null=True, blank=True, related_name="entrants"
    )
    tournament = models.ForeignKey(
        "contests.Tournament", on_delete=models.PROTECT, null=True, blank=True, related_name="entrants"
    )
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, null=True, blank=True, related_name="entrants")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=leave_the_place, null=True, blank=True, related_name="entrants",
        verbose_name=_("player"),
    )  # fmt: skip
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    name = models.CharField(_("name"), max_length=40)
    seed = models.PositiveIntegerField(_("seed"), default=0)
    rating = models.SmallIntegerField(_("rating"), default=0)
    at_once = models.PositiveSmallIntegerField(_("matches at a time"), default=2)
    joined_at = models.DateTimeField(_("joined"))
    left_at = models.DateTimeField(_("dropped out"), null=True, blank=True)
    points = models.IntegerField(_("points, in halves"), default=0)
    possible = models.IntegerField(_("possible points, in halves"), default=0)
    played = models.PositiveSmallIntegerField(_("matches played"), default=0)
    byes = models.PositiveSmallIntegerField(_("byes"), default=0)
    waits_since = models.DateTimeField(_("waits for a match since"), null=True, blank=True)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=10, choices=SeasonOutcome, blank=True)

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        constraints = [
            models.UniqueConstraint(
                fields=["season", "user"], condition=models.Q(user__isnull=False), name="enters_a_season_once"
            ),
            models.UniqueConstraint(
                fields=["tournament", "user"], condition=models.Q(user__isnull=False), name="enters_a_tournament_once"
            ),
            models.CheckConstraint(condition=OF_ONE, name="an_entrant_of_one"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_playing(self) -> bool:
        """Whether they have neither dropped out nor deleted their account."""
        return self.left_at is None and (self.user_id is not None or bool(self.bot))


class MatchState(models.TextChoices):
    WAITING = "waiting", _("not started")
    PLAYING = "playing", _("playing")
    ENDED = "ended", _("played")
    ANNULLED = "annulled", _("annulled")


UNDECIDED = (MatchState.WAITING, MatchState.PLAYING)


class Match(models.Model):
    """A match of a pool. `start_by`: when it starts at the latest, even if its players are busy.

    `due_at`: when it should have ended; in seasons it is then finished without its players. `game` is the first or only
    game of the match. `version` counts the changes of its state and result, so that a correction made on an old page is
    refused.
    """

    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, related_name="matches", db_index=False)
    round = models.PositiveSmallIntegerField(_("round"))
    number = models.PositiveSmallIntegerField(_("table"))
    state = models.CharField(_("state"), max_length=10, choices=MatchState, default=MatchState.WAITING)
    start_by = models.DateTimeField(_("start by"))
    due_at = models.DateTimeField(_("due"))
    full_game = models.OneToOneField(
        "tables.FullGame", on_delete=models.PROTECT, null=True, blank=True, related_name="match"
    )
    game = models.OneToOneField("tables.Game", on_delete=models.PROTECT, null=True, blank=True, related_name="match")
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    version = models.PositiveIntegerField(_("version"), default=0)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints = [
            models.UniqueConstraint(fields=["pool", "round", "number"], name="one_match_of_each_number"),
        ]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(state="playing"), name="matches_in_play"),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id}/{self.round}.{self.number}"


class Appearance(models.Model):
    """An entrant's seat in a match.

    `points` are in halves, out of `2 * (players - 1)`; `score` is the sum of points in its games. All are null until
    the match has ended. `late`: how many decisions a bot took for them.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="appearances", db_index=False)
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="appearances")
    seat = models.PositiveSmallIntegerField(_("seat"))
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    points = models.PositiveSmallIntegerField(_("points, in halves"), null=True, blank=True)
    score = models.IntegerField(_("game points"), null=True, blank=True)
    late = models.PositiveSmallIntegerField(_("decided by a bot"), default=0)

    class Meta:
        ordering = ["seat"]
        verbose_name = _("appearance")
        verbose_name_plural = _("appearances")
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="one_entrant_in_each_seat"),
            models.UniqueConstraint(fields=["match", "entrant"], name="each_entrant_sits_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat}"


class InterventionKind(models.TextChoices):
    """Kinds of interventions by organizers and staff, or by the site for someone who left."""

    AWARDED = "awarded", _("decided a match")
    REPLACED = "replaced", _("replaced a player")
    EXTENDED = "extended", _("extended a match")
    ANNULLED = "annulled", _("annulled a match")
    REMOVED = "removed", _("removed a player")
    LEFT = "left", _("dropped out")
    ENDED = "ended", _("ended a game early")
    CANCELLED = "cancelled", _("canceled the tournament")
    OVERDUE = "overdue", _("ended a late match")
    BANNED = "banned", _("banned a player")
    MOVED = "moved", _("moved a player")
    APPROVED = "approved", _("approved the results")
    HANDED = "handed", _("handed it over")
    VOIDED = "voided", _("canceled a game")
    UNDONE = "undone", _("undid an intervention")


class InterventionQuerySet(models.QuerySet["Intervention"]):
    def in_force(self) -> Self:
        """Return those that no later intervention has undone."""
        return self.filter(undone_by=None)


class Intervention(models.Model):
    """An intervention in a season, a tournament or a game of neither, with its public reason. Rows are only added.

    `what` names what it is about, such as the players of a match. `as_staff`: `by` acted as staff of the site. `person`
    is the player it concerns, if it is about one. `undoes` is an earlier intervention. `details` are what undoing needs
    to know, and for a decided match the `places` by seat.
    """

    season = models.ForeignKey(
        "contests.Season", on_delete=models.CASCADE, null=True, blank=True, related_name="interventions", db_index=False
    )
    tournament = models.ForeignKey(
        "contests.Tournament",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="interventions",
        db_index=False,
    )
    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, null=True, blank=True, related_name="interventions")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, blank=True, related_name="interventions")
    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    kind = models.CharField(_("what"), max_length=10, choices=InterventionKind)
    what = models.CharField(_("what exactly"), max_length=200, blank=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    at = models.DateTimeField(_("when"))
    as_staff = models.BooleanField(_("by site staff"), default=False)
    details = models.JSONField(_("details"), default=dict, blank=True)
    undoes = models.OneToOneField("self", on_delete=models.CASCADE, null=True, blank=True, related_name="undone_by")

    objects = InterventionQuerySet.as_manager()

    class Meta:
        verbose_name = _("intervention")
        verbose_name_plural = _("interventions")
        constraints = [models.CheckConstraint(condition=OF_ONE | AT_A_TABLE, name="an_act_in_one")]
        indexes = [
            models.Index(fields=["season", "-id"], name="interventions_of_a_season"),
            models.Index(fields=["tournament", "-id"], name="interventions_of_a_tournament"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"

    @property
    def action(self) -> str:
        """The action in words that follow the name of the person who did it."""
        if self.kind == InterventionKind.EXTENDED and self.match_id is None and self.game_id is None:
            return gettext("extended the season")
        return self.get_kind_display()


class Honor(models.TextChoices):
    """What badges are for."""

    CHAMPION = "champion", _("champion of the league")
    WINNER = "winner", _("winner of the division")
    SECOND = "second", _("second place")
    THIRD = "third", _("third place")
    PROMOTED = "promoted", _("promoted")
    STEADFAST = "steadfast", _("all matches played, none late")
    TOURNAMENT = "tournament", _("winner of the tournament")


class Badge(models.Model):
    """A permanent award. `tier` is that of the division it was earned in."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="badges", db_index=False,
        verbose_name=_("player"),
    )  # fmt: skip
    honor = models.CharField(_("honor"), max_length=12, choices=Honor)
    season = models.ForeignKey(
        "contests.Season", on_delete=models.CASCADE, null=True, blank=True, related_name="badges"
    )
    tournament = models.ForeignKey(
        "contests.Tournament", on_delete=models.CASCADE, null=True, blank=True, related_name="badges"
    )
    tier = models.PositiveSmallIntegerField(_("tier"), default=1)
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("badge")
        verbose_name_plural = _("badges")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "honor", "season"], condition=models.Q(season__isnull=False), name="one_badge_a_season"
            ),
            models.UniqueConstraint(
                fields=["user", "honor", "tournament"],
                condition=models.Q(tournament__isnull=False),
                name="one_badge_a_tournament",
            ),
        ]
        indexes = [models.Index(fields=["user", "-at"], name="badges_of_a_player")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.honor}"
