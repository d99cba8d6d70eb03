"""What moderators do with a report: take a step, remove the message, replace the name, or nothing.

Each is one transaction with a line in the log, and the reporter is told only whether something was done. A form that is
sent twice has no other effect than once.
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import LONGEST_STEP, Done, ModerationEntry, Step, StepKind, User, in_language_of
from accounts.moderation import roles
from accounts.moderation import services as moderation
from accounts.moderation.services import date_words
from games.contests.models import Challenge, Entrant, Organizer, Team, TeamPlayer, TournamentState
from games.contests.models.ladder import UNDECIDED
from games.contests.models.tournament import ON
from games.contests.teams import services as teams
from games.errors import GameError, NotYours
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import Words, joined, later
from games.notices.outbox.words import gettext_later as _
from games.rules.words import one_line
from games.tables.models import Message, Report, Seat, Status, Subject
from games.tables.selectors.rights import ever_sat
from games.tables.services import interventions, reports

# Steps that keep someone from playing: bots take over their games, or they can't ask for a match in an arena
OF_PLAYING = (StepKind.TABLES, StepKind.SUSPEND, StepKind.CLOSE)
RENAMED = (Done.RENAMED, Done.TEAM)
ROOM = 300  # characters of what the site says about a replaced name
# Steps that keep someone from organizing: each intervention has a reason, which others read
OF_ORGANIZING = (StepKind.MUTE, StepKind.SUSPEND, StepKind.CLOSE)


def need_impartial(report: Report, by: User) -> None:
    """Raise `NotYours` if the moderator has a part in what is reported, or may not see it."""
    roles.need(by, roles.SEE)
    if report.reporter_id == by.pk:
        raise NotYours(gettext("You wrote this report. Another moderator decides."))
    if is_kept_from(report, by):
        sentence = gettext("This report is about you, your team or a game that you play. Another moderator decides.")
        raise NotYours(sentence)


def is_kept_from(report: Report, by: User) -> bool:
    """Return whether the moderator must not read it: it is about them, their team, or a game that they still play.

    The chat of one table of a duplicate tells of the cards at the others, so it counts as theirs until all have ended.
    """
    if report.player_id == by.pk:
        return True
    if report.subject == Subject.TEAM:
        plays = TeamPlayer.objects.filter(team=report.context["team"], entrant__user=by, entrant__left_at=None)
        return plays.exists()
    game = report.game
    return bool(game and (game.is_running or game.is_withheld) and interventions.is_involved(game, by))


def need_no_opponent(user: User, by: User) -> None:
    """Raise `NotYours` if the moderator, or one of their outside bots, plays against this person.

    That is in a running game, in a tournament or a running division, or on a ladder with an open challenge.
    """
    running = Seat.objects.filter(Q(user=user) | Q(owner=user), game__status=Status.RUNNING)
    deals = running.filter(game__duplicate__isnull=False).values("game__duplicate")
    shared = ever_sat(by, Q(game__in=running.values("game")) | Q(game__duplicate__in=deals))
    with_bots = Seat.objects.filter(game__in=running.values("game"), bot_owner=by)
    between = Q(challenger=user, challenged=by) | Q(challenger=by, challenged=user)
    are_playing = Q(pool__isnull=False, pool__ended_at=None) | Q(tournament__state=TournamentState.SIGN_UP)
    entrants = Entrant.objects.filter(are_playing, left_at=None, place=None)
    own = entrants.filter(user=by)
    rivals = entrants.filter(Q(pool__in=own.values("pool")) | Q(tournament__in=own.values("tournament")), user=user)
    challenges = Challenge.objects.filter(between, state__in=UNDECIDED)
    are_opponents = any(rows.exists() for rows in (shared, with_bots, challenges, rivals))
    if by != user and are_opponents:
        sentence = gettext(
            "You and {name} play in the same game, tournament or division, or one of you has challenged the other. "
            "Another moderator decides."
        )
        raise NotYours(sentence.format(name=user.username))


def need_other_organizer(user: User, by: User) -> None:
    """Raise `NotYours` if this person organizes a competition that the moderator plays in."""
    helps = Organizer.objects.filter(user=user, accepted_at__isnull=False)
    organizes = Q(tournament__organizer=user) | Q(tournament__in=helps.values("tournament"))
    organizes |= Q(season__league__organizer=user) | Q(season__league__in=helps.values("league"))
    is_on = Q(pool__isnull=False, pool__ended_at=None) | Q(tournament__state__in=ON)
    if by != user and Entrant.objects.filter(organizes, is_on, user=by, left_at=None).exists():
        sentence = gettext("You play in a competition that {name} organizes. Another moderator decides.")
        raise NotYours(sentence.format(name=user.username))


def need_no_stake(kind: str, user: User, by: User) -> None:
    """Raise `NotYours` if a step of this kind about the person could help the moderator in a game or competition."""
    if kind in OF_PLAYING:
        need_no_opponent(user, by)
    if kind in OF_ORGANIZING:
        need_other_organizer(user, by)


@transaction.atomic
def take_step(
    *, report: Report | None, by: User, user: User, kind: str, days: int | None, reason: str, expected: int,
    settles_all: bool = False, last_report: int | None = None,
) -> Step:  # fmt: skip
    """Take a step, and settle the report that it follows from, or also `other_reports`. Raises `GameError`.

    `last_report` is the latest report that the moderator has seen, if the page said so. Later ones stay open.
    """
    if report is not None:
        need_impartial(report, by)
    need_no_stake(kind, user, by)
    step = moderation.take(
        by=by, user=user, kind=kind, days=days, reason=reason, expected=expected, report=report.pk if report else None
    )
    settled = [report] if report else []
    if settles_all:
        settled += [
            other for other in other_reports(report, user, by) if last_report is None or other.pk <= last_report
        ]
    for settled_report in settled:
        _settle(settled_report, by, step)
    return step


def other_reports(report: Report | None, user: User, by: User) -> list[Report]:
    """Return the other open reports about a player that this moderator can settle with a step.

    Those that another moderator has taken are left to that moderator.
    """
    reports_about = Report.objects.filter(player=user, settled_at=None).exclude(pk=report.pk if report else 0)
    readable = [other for other in reports_about.exclude(reporter=by).order_by("pk") if not is_kept_from(other, by)]
    return [other for other in readable if not other.is_claimed or other.claimed_by_id == by.pk]


@transaction.atomic
def lift_step(*, by: User, step: Step, reason: str) -> Step:
    """Lift a step, as a moderator who may take it now. Raises `GameError`."""
    if step.is_in_force:
        need_no_stake(step.kind, step.user, by)
    return moderation.lift(by=by, step=step, reason=reason)


@transaction.atomic
def keep_step(*, by: User, step: Step) -> Step:
    """Leave a step in force after reading the answer, as a moderator who may take it now. Raises `GameError`."""
    if step.is_in_force:
        need_no_stake(step.kind, step.user, by)
    return moderation.keep(by=by, step=step)


@transaction.atomic
def claim(*, report: Report, by: User, holder: int | None = None) -> Report:
    """Take a report, so that other moderators see who looks at it. Nobody is kept from acting. Raises `GameError`.

    `holder` is who had it according to the page. If someone else has taken it since, the moderator must know first.
    """
    need_impartial(report, by)
    row = _locked_open(report)
    if row.is_claimed and row.claimed_by is not None and row.claimed_by_id not in (by.pk, holder):
        raise GameError(gettext("{name} has just taken this report.").format(name=row.claimed_by.username))
    if not row.is_claimed or row.claimed_by_id != by.pk:
        row.claimed_by, row.claimed_at = by, timezone.now()
        row.save(update_fields=["claimed_by", "claimed_at"])
    return row


@transaction.atomic
def release(*, report: Report, by: User) -> Report:
    """Give back a report. This has no effect if the moderator doesn't have it."""
    row = Report.objects.select_for_update(of=("self",)).get(pk=report.pk)
    if row.claimed_by_id == by.pk:
        row.claimed_by = row.claimed_at = None
        row.save(update_fields=["claimed_by", "claimed_at"])
    return row


def _locked_open(report: Report) -> Report:
    """Lock a report that nobody has settled. Raises `GameError`."""
    row = Report.objects.select_for_update(of=("self",)).select_related("claimed_by").get(pk=report.pk)
    if row.settled_at is not None:
        raise GameError(gettext("Another moderator has already settled this report."))
    return row


@transaction.atomic
def dismiss(*, report: Report, by: User) -> Report:
    """Settle a report without a step. Raises `GameError`."""
    need_impartial(report, by)
    return _settle(report, by, None)


def _settle(report: Report, by: User, step: Step | None) -> Report:
    row = Report.objects.select_for_update(of=("self",)).get(pk=report.pk)
    if row.step == step and moderation.has_just_done(Done.SETTLED, by=by, step=step, report=row.pk):
        return row
    row = reports.settle(report=report, by=by, step=step)
    moderation.write(Done.SETTLED, by=by, who=row.player, step=step, report=row.pk)
    if row.reporter is not None:
        _tell_reporter(row, row.reporter)
    return row


def _tell_reporter(report: Report, reporter: User) -> None:
    """Tell the reporter which of their reports was settled, and whether moderators did something."""

    def moment() -> str:
        with timezone.override(reporter.zone):
            return date_words(report.at)

    lead = _("A moderator looked at it and found nothing that breaks the rules of conduct.")
    if report.step or acted_on([report]):
        lead = _("A moderator looked at it and took action. Thank you.")
    elif report.player is None and report.subject not in (Subject.TABLE, Subject.TEAM):
        lead = _("The player has deleted their account in the meantime. Thank you.")
    outbox.tell_user(
        kind=Kind.MODERATION, user=reporter, about=f"report.{report.pk}",
        title=_("Your report of {date}").format(date=later(moment)), lead=lead, url=reverse("conduct"),
    )  # fmt: skip


def acted_on(settled: Sequence[Report]) -> set[int]:
    """Return the ids of those reports whose message was removed or whose name was replaced after they were made.

    That can have been done with another report of the same message or name.
    """
    keys = dict(Report.objects.filter(key__in={report.key for report in settled}).values_list("pk", "key"))
    done = ModerationEntry.objects.filter(what__in=[Done.REMOVED, *RENAMED], report__in=keys)
    last = {keys[pk]: at for pk, at in done.order_by("at").values_list("report", "at") if pk is not None}
    return {report.pk for report in settled if report.key in last and last[report.key] >= report.at}


@transaction.atomic
def remove_message(*, report: Report, by: User) -> None:
    """Remove the text of the reported message from the chat. The report keeps it. Raises `GameError`."""
    need_impartial(report, by)
    roles.need(by, roles.LIGHT)
    if not Message.objects.filter(pk=report.message_id or 0).exclude(text="").update(text="", phrase=""):
        if moderation.has_just_done(Done.REMOVED, by=by, report=report.pk):
            return
        raise GameError(gettext("This message has already been removed."))
    moderation.write(Done.REMOVED, by=by, who=report.player, report=report.pk)


@transaction.atomic
def replace_name(*, report: Report, by: User, reason: str = "") -> None:
    """Replace the reported name, of a player, a bot or a team. Raises `GameError` if it has changed since.

    The player reads that, with the moderator's reason if there is one, and may answer as they may answer a step.
    """
    need_impartial(report, by)
    reason = moderation.need_short(one_line(reason), most=LONGEST_STEP - ROOM)
    if report.subject == Subject.TEAM:
        _replace_name_of_team(report, by, reason)
        return
    if moderation.has_just_done(Done.RENAMED, by=by, report=report.pk):
        return
    owner = User.named(report.context.get("name", ""))
    is_theirs = owner is not None and (
        owner == report.player or (owner.is_bot and owner.bot_account.owner == report.player)
    )
    if owner is None or report.player is None or not is_theirs:
        raise GameError(gettext("The player’s name has changed in the meantime."))
    named = moderation.rename(by=by, user=owner, report=report.pk)
    if named.is_bot:
        title = _("A moderator has replaced the name of your bot")
        lead = _("Its old name doesn’t follow the rules of conduct. It is now {name}.")
        url = named.get_absolute_url()
    else:
        title = _("A moderator has replaced your name")
        lead = _("Your old name doesn’t follow the rules of conduct. You are now {name}. You can choose another name.")
        url = reverse("preferences")
    _tell_renamed(report, by, report.player, title, lead.format(name=named.username), reason, url)


def _replace_name_of_team(report: Report, by: User, reason: str) -> None:
    roles.need(by, roles.LIGHT)
    if moderation.has_just_done(Done.TEAM, by=by, report=report.pk):
        return
    team = Team.objects.select_related("tournament").filter(pk=report.context["team"]).first()
    if team is None:
        raise GameError(gettext("This team no longer exists."))
    team, captain = teams.replace_name(team=team, name=report.context["name"])
    moderation.write(Done.TEAM, by=by, who=captain, report=report.pk)
    if captain is not None:
        title = _("A moderator has replaced the name of your team")
        lead = _("Its old name doesn’t follow the rules of conduct. It is now {name}. You can choose another name.")
        _tell_renamed(report, by, captain, title, lead.format(name=team.name), reason, team.get_absolute_url())


def _tell_renamed(
    report: Report, by: User, user: User, title: Words, lead: Words, reason: str, url: str
) -> None:  # fmt: skip
    """Notify a player of a new name, and keep what they are told as a step that they may answer."""
    if reason:
        lead = joined(lead, _("Reason: “{reason}”").format(reason=reason))
    with in_language_of(user):
        moderation.note_replaced(by=by, user=user, words=f"{title}. {lead}")
    lead = joined(lead, _("You can answer under “Messages from the moderators” in your account."))
    outbox.tell_user(
        kind=Kind.MODERATION, user=user, about=f"renamed.{report.pk}", title=title, lead=lead, url=url
    )  # fmt: skip
