"""Teams, and their matches in a team league, which is a tournament. The games of the boards are matches of its pool."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.contests.models.pools import Entrant, Match
from games.contests.models.tournament import Tournament
from games.tables.models.game import new_token


class Team(models.Model):
    """A team. `invite_token` is that of the link with which people join it.

    `seed` is its order at the start, from 1, and 0 before. The captain is `captain` while that person is in the team
    and their account is not closed, else the player on the highest board, see `season.Squad.captain`. `is_out`: the
    organizer has taken it out before the start. `place` is set at the end. `has_replaced_name`: moderators have
    replaced the name, and the captain has not chosen another one.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="teams")
    name = models.CharField(_("name"), max_length=40)
    captain = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+",
        verbose_name=_("captain"),
    )  # fmt: skip
    invite_token = models.CharField(_("invitation"), max_length=32, default=new_token)
    made_at = models.DateTimeField(_("made"))
    seed = models.PositiveSmallIntegerField(_("seed"), default=0)
    is_out = models.BooleanField(_("removed"), default=False)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    has_replaced_name = models.BooleanField(_("has a name that moderators chose"), default=False)

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        constraints = [models.UniqueConstraint(fields=["tournament", "name"], name="one_team_of_each_name")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("team", args=[self.tournament.public_id, self.pk])


class TeamPlayer(models.Model):
    """An entrant's place in a team. Boards are by the entrant's rating, then by `order`, which the captain chooses.

    `is_away`: they are left out of match days that begin while it is set.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="players")
    entrant = models.OneToOneField(Entrant, on_delete=models.CASCADE, related_name="in_team")
    order = models.PositiveSmallIntegerField(_("order"))
    is_away = models.BooleanField(_("is away"), default=False)

    class Meta:
        ordering = ["-entrant__rating", "order", "pk"]
        verbose_name = _("player of a team")
        verbose_name_plural = _("players of teams")

    def __str__(self) -> str:
        return f"{self.team_id}: {self.entrant_id}"


class TeamInvitation(models.Model):
    """A captain's question to a person, who is in the team only after accepting it.

    One that was answered or withdrawn, or whose team is gone, is not open. It is kept for a day, because new accounts
    can send so many in a day (`newcomers.need_few_invitations`).
    """

    team = models.ForeignKey(Team, on_delete=models.SET_NULL, null=True, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(_("when"))
    is_open = models.BooleanField(_("waiting for an answer"), default=True)

    class Meta:
        verbose_name = _("invitation to a team")
        verbose_name_plural = _("invitations to teams")
        constraints = [
            models.UniqueConstraint(
                fields=["team", "user"], condition=models.Q(is_open=True), name="one_invitation_to_a_team"
            )
        ]
        indexes = [models.Index(fields=["at"], condition=models.Q(is_open=False), name="team_invitations_over")]

    def __str__(self) -> str:
        return f"{self.team_id}: {self.user_id}"


class TeamMatch(models.Model):
    """Two teams on a match day. Its result follows from its boards; `announced` is the one the players know."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="team_matches", db_index=False)
    round = models.PositiveSmallIntegerField(_("match day"))
    number = models.PositiveSmallIntegerField(_("number"))
    home = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="+")
    away = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="+")
    announced = models.CharField(_("result announced"), max_length=10, blank=True)

    class Meta:
        verbose_name = _("team match")
        verbose_name_plural = _("team matches")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round", "number"], name="one_team_match_of_each_number")
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.round}.{self.number}"

    def get_absolute_url(self) -> str:
        return reverse("team_match", args=[self.tournament.public_id, self.pk])


class Board(models.Model):
    """A board of a team match, 1 the strongest. Without a player, it is lost by default and has no match.

    With both players and no match, it is not played, because the two must not meet.
    """

    team_match = models.ForeignKey(TeamMatch, on_delete=models.CASCADE, related_name="boards", db_index=False)
    number = models.PositiveSmallIntegerField(_("board"))
    home = models.ForeignKey(Entrant, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    away = models.ForeignKey(Entrant, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    match = models.OneToOneField(Match, on_delete=models.PROTECT, null=True, blank=True, related_name="board")

    class Meta:
        verbose_name = _("board")
        verbose_name_plural = _("boards")
        constraints = [models.UniqueConstraint(fields=["team_match", "number"], name="one_board_of_each_number")]

    def __str__(self) -> str:
        return f"{self.team_match_id}/{self.number}"
