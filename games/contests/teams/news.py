"""Notices to the players, captains and organizers of a team league, each sent once."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.utils import timezone

from accounts.models import User
from empire import dates
from games.contests.interventions import quoted
from games.contests.models import Intervention, Organizer, Team, TeamInvitation, Tournament
from games.contests.organizers import organizers_page
from games.contests.pairing.crosstable import halves
from games.contests.teams.results import TeamMatchResult
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import Words, enumerated, joined, later
from games.notices.outbox.words import gettext_later as _
from games.notices.outbox.words import ngettext_later as ngettext

if TYPE_CHECKING:
    from games.contests.teams.season import Squad


def when(user: User, moment: datetime) -> Words:
    """Format a moment in the user's time zone, as the pages show it."""
    with timezone.override(user.zone):
        return later(dates.localized, timezone.localtime(moment), "l, j F, H:i")


# Captains and invitations


def tell_invited(tournament: Tournament, team: Team, invitation: TeamInvitation, by: User) -> None:
    lead = _("{league} is a team league. Accept or decline on the team’s page; until you accept, nothing changes.")
    outbox.tell_from(
        by=by, kind=Kind.SEASON, user=invitation.user, about=_about_invitation(team, invitation),
        title=_("{captain} invited you to the team {team}").format(captain=by.username, team=team.name),
        lead=lead.format(league=tournament.name), url=team.get_absolute_url(),
    )  # fmt: skip


def withdraw_invitation(team: Team, invitation: TeamInvitation) -> None:
    """Drop the unsent notice of the invitation."""
    outbox.withdraw(kind=Kind.SEASON, about=_about_invitation(team, invitation))


def _about_invitation(team: Team, invitation: TeamInvitation) -> str:
    return f"tournament.{team.tournament_id}.asked.{invitation.pk}"


def tell_joined(tournament: Tournament, team: Team, captain: User | None, newcomer: User) -> None:
    if captain is not None and captain != newcomer:
        title = _("{name} has joined {team}").format(name=newcomer.username, team=team.name)
        about = f"joined.{team.pk}.{newcomer.pk}"
        lead = _("You can see the boards on the team’s page.")
        _tell(tournament, captain, about, title, lead, team.get_absolute_url())


def tell_declined(tournament: Tournament, team: Team, captain: User | None, invitation: TeamInvitation) -> None:
    if captain is not None:
        title = _("{name} declined to join {team}").format(name=invitation.user.username, team=team.name)
        lead = _("You can invite someone else on the team’s page.")
        _tell(tournament, captain, f"declined.{invitation.pk}", title, lead, team.get_absolute_url())


def tell_removed(tournament: Tournament, team: Team, player: User, by: User) -> None:
    """Tell a player before the start that the captain has removed them."""
    title = _("You are no longer in the team {team}").format(team=team.name)
    lead = _("The captain has removed you. Until {league} starts, you can join or create another team.")
    lead = lead.format(league=tournament.name)
    about = f"removed.{team.pk}.{timezone.now().timestamp():.0f}"
    _tell(tournament, player, about, title, lead, tournament.get_absolute_url(), by=by)


def tell_left(tournament: Tournament, team: Team, captain: User | None, leaver: User) -> None:
    """Tell a captain before the start who has left a team that is still complete."""
    if captain is not None:
        title = _("{name} has left {team}").format(name=leaver.username, team=team.name)
        lead = _("You can see the boards on the team’s page.")
        _tell(tournament, captain, f"left.{team.pk}.{leaver.pk}", title, lead, team.get_absolute_url(), by=leaver)


def tell_captain(tournament: Tournament, team: Team, captain: User, occasion: str, by: User | None) -> None:
    """Tell someone that they are the captain now. `occasion` tells the notices about one team apart.

    `by` is the organizer who decided this, if one did.
    """
    title = _("You are the captain of {team}").format(team=team.name)
    lead = _("On the team’s page, you can invite players and mark who is away on a match day.")
    _tell(tournament, captain, f"captain.{team.pk}.{occasion}", title, lead, team.get_absolute_url(), by=by)


def tell_former_captain(tournament: Tournament, team: Team, before: User, captain: User, by: User) -> None:
    """Tell someone that the organizer has made another player the captain."""
    title = _("{name} is now the captain of {team}").format(name=captain.username, team=team.name)
    lead = _("The organizer of {league} decided this. You are still in the team.").format(league=tournament.name)
    about = f"captain.{team.pk}.{captain.pk}.{timezone.now().timestamp():.0f}"
    _tell(tournament, before, about, title, lead, team.get_absolute_url(), Kind.DECISION, by)


def tell_short(tournament: Tournament, team: Team, captain: User | None, missing: int, occasion: str) -> None:
    """Tell a captain until when the team must be complete. `occasion` tells the notices about one team apart."""
    if captain is None or tournament.starts_at is None:
        return
    title = ngettext("{team} is {n} player short", "{team} is {n} players short", missing)
    lead = ngettext(
        "Invite {n} more player, who has to accept by {moment}. Otherwise {league} starts without the team.",
        "Invite {n} more players, who have to accept by {moment}. Otherwise {league} starts without the team.",
        missing,
    )
    title = title.format(team=team.name, n=missing)
    lead = lead.format(n=missing, moment=when(captain, tournament.starts_at), league=tournament.name)
    _tell(tournament, captain, f"short.{team.pk}.{occasion}", title, lead, team.get_absolute_url())


def tell_gap(tournament: Tournament, team: Team, captain: User | None, boards: int, begins: datetime) -> None:
    """Tell a captain before a match day how many boards have nobody to play on them, and again if that changes."""
    if captain is None:
        return
    title = _("{team}: match day {n} starts soon").format(team=team.name, n=tournament.round + 1)
    lead = ngettext(
        "{n} board has nobody to play on it and would be lost by default. Invite a reserve by {moment}, or ask someone "
        "who is away to play.",
        "{n} boards have nobody to play on them and would be lost by default. Invite reserves by {moment}, or ask those"
        " who are away to play.",
        boards,
    )
    about = f"gap.{team.pk}.{tournament.round + 1}.{boards}"
    lead = lead.format(n=boards, moment=when(captain, begins))
    _tell(tournament, captain, about, title, lead, team.get_absolute_url())


# The start


def why_left_out(missing: int) -> Words:
    return ngettext(
        "At the start, the team was {n} player short.", "At the start, the team was {n} players short.", missing
    ).format(n=missing)


def tell_left_out(tournament: Tournament, team: Team, people: Iterable[User], reason: Words) -> None:
    lead = _("{league} has started without your team. {reason}").format(league=tournament.name, reason=reason)
    title = _("{team} was left out").format(team=team.name)
    for user in people:
        _tell(tournament, user, f"leftout.{team.pk}", title, lead, tournament.get_absolute_url())


def tell_taken_out(tournament: Tournament, team: Team, people: Iterable[User], intervention: Intervention) -> None:
    title = _("{team} was removed from {league}").format(team=team.name, league=tournament.name)
    lead = quoted(intervention.reason)
    for user in people:
        _tell(
            tournament, user, f"out.{intervention.pk}", title, lead, tournament.get_absolute_url(), Kind.DECISION,
            intervention.by,
        )  # fmt: skip


def tell_let_in(tournament: Tournament, team: Team, people: Iterable[User], intervention: Intervention) -> None:
    title = _("{team} is back in {league}").format(team=team.name, league=tournament.name)
    lead = _("The organizer has undone the decision.")
    for user in people:
        _tell(
            tournament, user, f"in.{intervention.pk}", title, lead, team.get_absolute_url(), Kind.DECISION,
            intervention.by,
        )  # fmt: skip


# Match days


def tell_match_day(
    tournament: Tournament, teams: Sequence["Squad"], matches: Sequence[TeamMatchResult], due_at: datetime
) -> None:
    """Tell every player of the teams whether they play on this match day, and who their opponent is."""
    title = _("{league}: match day {n}").format(league=tournament.name, n=tournament.round)
    sides = {team.pk: (match, side) for match in matches for side, team in enumerate(match.teams)}
    with outbox.together():
        for squad in teams:
            if squad.team.pk not in sides:
                for user in squad.people:
                    lead = _("{team} has a bye. It neither gives nor costs points.").format(team=squad.team.name)
                    _tell(tournament, user, f"day.{tournament.round}", title, lead, tournament.get_absolute_url())
                continue
            match, side = sides[squad.team.pk]
            boards = {board.players[side].user_id: board for board in match.boards if board.players[side]}  # type: ignore[union-attr]
            names = {"home": match.team_match.home.name, "away": match.team_match.away.name}
            for user in squad.people:
                board = boards.get(user.pk)
                other = board.players[1 - side] if board else None
                if board is None:
                    lead = _("{home} – {away}: you are not on a board this time.")
                elif board.is_default:
                    lead = _("{home} – {away}: the other team has nobody for board {n}, so your team wins it.")
                elif board.board.match is None:
                    lead = _("{home} – {away}: board {n} is not played, because you and {other} must not meet.")
                else:
                    lead = _("{home} – {away}: you play on board {n} against {other}. Try to finish by {due}.")
                lead = lead.format(
                    **names, n=board.board.number if board else 0, other=other.name if other else "",
                    due=when(user, due_at),
                )  # fmt: skip
                _tell(tournament, user, f"day.{tournament.round}", title, lead, match.team_match.get_absolute_url())


def tell_result(
    tournament: Tournament, match: TeamMatchResult, people: Iterable[User], result: str, *, is_corrected: bool
) -> None:
    """Tell the result. `result` identifies it, so that everyone is notified of the same one only once."""
    home, away = match.teams
    home_points, away_points = match.points
    title = _("{home} {points} – {others} {away}").format(
        home=home.name, points=halves(home_points), others=halves(away_points), away=away.name
    )
    lead = (
        _("Match day {n} of {league}: the organizer’s decision has changed the result of your match.")
        if is_corrected
        else _("Match day {n} of {league}: all boards of your match are decided.")
    ).format(n=match.team_match.round, league=tournament.name)
    with outbox.together():
        for user in people:
            _tell(
                tournament, user, f"result.{match.team_match.pk}.{result}", title, lead,
                match.team_match.get_absolute_url(),
            )  # fmt: skip


# The end


def tell_ended(tournament: Tournament, team: Team, people: Iterable[User], winners: Sequence[str], teams: int) -> None:
    own_place = _("{team} finished in place {place} of {number}.")
    own_place = own_place.format(team=team.name, place=team.place, number=teams)
    title = _("{name} has ended").format(name=tournament.name)
    lead = _won(winners) if team.place == 1 and len(winners) == 1 else joined(_won(winners), own_place)
    with outbox.together():
        for user in people:
            _tell(tournament, user, "ended", title, lead, tournament.get_absolute_url())


def tell_next(tournament: Tournament, team: Team, people: Iterable[User], *, has_changed: bool) -> None:
    """Tell those who are signed up for the next season because they stayed in their team.

    `has_changed`: its settings differ from those of the season before.
    """
    if tournament.starts_at is None:
        return
    title = _("{league} starts on {moment}")
    lead = _("{team} is signed up again, and so are you. If you don’t want to play, leave the team before then.")
    if has_changed:
        lead = joined(lead, _("The organizer has changed the settings. The league’s page shows them."))
    with outbox.together():
        for user in people:
            starts = title.format(league=tournament.name, moment=when(user, tournament.starts_at))
            _tell(tournament, user, "next", starts, lead.format(team=team.name), team.get_absolute_url())


def tell_asked(tournament: Tournament, organizer: Organizer) -> None:
    """Tell someone who was asked to organize a season that the question is now about the next one."""
    title = (
        _("You have been asked to take over {of}")
        if organizer.is_successor
        else _("You have been asked to help organize {of}")
    )
    lead = _(
        "The previous season ended before you answered, so this is now about the next one. Accept or decline on its "
        "page."
    )
    about, url = f"asked.{organizer.pk}", organizers_page(tournament)
    _tell(tournament, organizer.user, about, title.format(of=tournament.name), lead, url, Kind.DECISION)


def tell_winner(tournament: Tournament, organizer: User, winners: Sequence[str]) -> None:
    _tell(
        tournament, organizer, "ended", _("{name} has ended").format(name=tournament.name), _won(winners),
        tournament.get_absolute_url(),
    )  # fmt: skip


def _won(winners: Sequence[str]) -> Words:
    sentence = ngettext("{names} won.", "{names} tied for the win.", len(winners))
    return sentence.format(names=later(enumerated, list(winners)))


def _tell(
    tournament: Tournament, user: User, event: str, title: Words, lead: Words | str, url: str, kind: Kind = Kind.SEASON,
    by: User | None = None,
) -> None:  # fmt: skip
    """Notify a person. `by` is the author of a decision, which they could undo and make again many times."""
    about = f"tournament.{tournament.pk}.{event}"
    outbox.tell_from(by=by, kind=kind, user=user, about=about, title=title, lead=lead, url=url)
