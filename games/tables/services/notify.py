"""Notify people and wake bots when a game changes."""

from collections.abc import Collection, Container, Iterable, Mapping
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from empire.on_commit import delay_on_commit
from games.bots.registry import THINKERS
from games.errors import GameError, NotYours
from games.notices.kinds import Kind
from games.notices.models import Notice, NoticeState
from games.notices.outbox import outbox
from games.notices.outbox.words import Words, enumerated, later
from games.notices.outbox.words import gettext_later as _
from games.tables.models import Block, Game, Invitation, Mute, Seat, Status
from games.tables.services import deadlines

RUNNING_OUT = 0.8  # share of the time after which a player is reminded
GIVEN_UP = gettext_noop(
    "You ran out of time. At this table that means you resign, so a bot plays your seat to the end."
)
NOBODY: Mapping[int, Container[str]] = {}
SHORTEST_PAUSE = timedelta(minutes=3)
BOT_PAUSE = timedelta(minutes=10)  # bots move at once, so the player may still be here and needs no email
MOST_THINKING = 10  # games of one person in which bots that think are woken at once. More wait for the sweep


def tell_who_is_asked(*, game: Game, seats: Iterable[Seat], mover: Seat | None, now: datetime) -> None:
    """Notify the people who have to act, except `mover`, who has just acted.

    A player who is looking at the table sees the turn there, so their notice waits for the delay they have set. If
    they play meanwhile, it is dropped; if they have left, it is sent.
    """
    for seat in people(seats):
        if seat is mover:
            continue
        is_program = seat.user is not None and seat.user.is_bot
        pause = BOT_PAUSE if mover and mover.bot and not is_program else timedelta()
        if seat.user and seat.is_looking(now):
            pause = max(pause, SHORTEST_PAUSE, timedelta(minutes=seat.user.delay))
            if seat.deadline:  # on a short clock most of the time must be left
                pause = min(pause, max(timedelta(), seat.deadline - now) / 4)
        outbox.tell(kind=Kind.TURN, seat=seat, seq=game.seq, due_at=now + pause if pause else None)


def mute(*, seat: Seat, user: User, choice: str) -> None:
    """Turn notices about the turns of this game off or on for the seat's player. Raises `GameError`.

    Notices are written anyway and dropped when they are due, so that those still needed are sent after turning it on.
    """
    if choice not in Mute.values:
        raise GameError(gettext("Choose which notifications you want for this game."))
    muted_by = user if choice else None
    if not Seat.objects.filter(pk=seat.pk, user=user).update(mute=choice, muted_by=muted_by):
        raise NotYours(gettext("You no longer play this seat."))
    seat.mute, seat.muted_by = choice, muted_by


def tell_started(*, game: Game, seats: Iterable[Seat], starter: Seat | None, now: datetime) -> None:
    """Notify the people at the table that the game started, except `starter`, and wake the bots. Lessons are silent."""
    if game.lesson:
        return
    for seat in people(seats):
        if seat != starter:
            channels = {notice.channel for notice in outbox.tell(kind=Kind.STARTED, seat=seat, seq=game.seq)}
            if seat.owes:  # over channels without notices of starts, they may want turns
                outbox.tell(kind=Kind.TURN, seat=seat, seq=game.seq, exclude=channels)
    wait_for(game=game, seats=[seat for seat in seats if seat.owes], now=now)


def wait_for(*, game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """Wake the bots that have to act, and schedule reminders for the people when most of their time has passed."""
    for seat in seats:
        if not seat.has_person and seat.bot in THINKERS:
            if not _keeps_thinkers_busy(game):
                delay_on_commit("games.tasks.play_thinker", game.pk, seat.number)
            continue
        if not seat.has_person:
            delay_on_commit("games.tasks.play_bot", game.pk, seat.number)
            continue
        due_at = deadlines.runs_out_at(seat, game.parsed_clock, RUNNING_OUT)
        if due_at > now:
            outbox.tell(kind=Kind.TIME, seat=seat, seq=game.seq, due_at=due_at)


def _keeps_thinkers_busy(game: Game) -> bool:
    """Return whether bots that think already have to act in more than `MOST_THINKING` games of each person here.

    Each turn of such a bot takes up to a second of processor, and anyone can have many games with them. Otherwise a
    program that plays hundreds of games at once would make the bots of all other games wait.
    """
    people = Seat.objects.filter(game=game, user__isnull=False).values_list("user", flat=True)
    thinking = Seat.objects.filter(owes=True, user=None, bot__in=THINKERS, game__status=Status.RUNNING)
    counts = [thinking.filter(game__seats__user=person).values("game").distinct().count() for person in people]
    return min(counts, default=0) > MOST_THINKING


def tell_undo_requested(*, game: Game, seats: Iterable[Seat], asker: Seat) -> None:
    """Notify these people that a player asks to undo the last turn."""
    lead = _("{player} asked to undo their last turn. Go to the table to agree or decline.")
    for seat in people(seats):
        title, sentence = _("Undo request"), lead.format(player=asker.name)
        outbox.tell(kind=Kind.UNDO, seat=seat, seq=game.seq, title=title, lead=sentence)


def tell_ended(*, game: Game, seats: Iterable[Seat], exclude: Mapping[int, Container[str]] = NOBODY) -> None:
    """Notify everyone of the end, including owners who are away, unless they have resigned.

    Channels in `exclude`, by user, already carried the news.
    """
    for seat in seats:
        if seat.user is not None:
            outbox.tell(kind=Kind.ENDED, seat=seat, seq=game.seq, exclude=exclude.get(seat.user.pk, ()))
        if seat.is_away and not seat.has_given_up and seat.owner is not None:
            told = exclude.get(seat.owner.pk, ())
            outbox.tell(kind=Kind.ENDED, seat=seat, seq=game.seq, reader=seat.owner, exclude=told)


def tell_decided(*, game: Game, seats: Iterable[Seat], sentence: Words | str) -> dict[int, set[str]]:
    """Notify players and owners of these seats of a staff decision. Return the channels used, by user."""
    channels = {}
    for seat in seats:
        title = _("Staff decision")
        if seat.user is not None:
            notices = outbox.tell(kind=Kind.DECISION, seat=seat, seq=game.seq, title=title, lead=sentence)
            channels[seat.user.pk] = {notice.channel for notice in notices}
        if seat.is_away and seat.owner is not None:
            notices = tell_of_decision(game=game, user=seat.owner, sentence=sentence, url=game.get_absolute_url())
            channels[seat.owner.pk] = {notice.channel for notice in notices}
    return channels


def tell_of_decision(*, game: Game, user: User, sentence: Words | str, url: str) -> list[Notice]:
    """Notify someone who is not playing at the table of a staff decision. Return the notices."""
    return outbox.tell_user(
        kind=Kind.DECISION, user=user, about=f"game.{game.pk}.{game.seq}", lead=sentence, url=url,
        title=_("Staff decision: {game}").format(game=_(game.rules.name)),
    )  # fmt: skip


def tell_closed(seats: Iterable[Seat]) -> None:
    """Notify people that the table at which they waited is closed."""
    for seat in people(seats):
        outbox.tell(kind=Kind.CLOSED, seat=seat, seq=0)


def reschedule_reminder(*, game: Game, seat: Seat, now: datetime) -> None:
    """Reschedule the reminder after the deadline has changed."""
    due_at = max(deadlines.runs_out_at(seat, game.parsed_clock, RUNNING_OUT), now)
    waiting = Notice.objects.filter(kind=Kind.TIME, seat=seat, seq=game.seq, state=NoticeState.QUEUED)
    waiting.update(planned_at=due_at, due_at=due_at)


def tell_taken_over(*, game: Game, seats: Iterable[Seat]) -> None:
    """Notify owners that a bot has taken over because they ran out of time, or because their substitute has stopped."""
    for seat in seats:
        title, lead = (_("You ran out of time"), _(GIVEN_UP)) if seat.has_given_up else ("", "")
        outbox.tell(kind=Kind.AWAY, seat=seat, seq=game.seq, reader=seat.owner, title=title, lead=lead)


def tell_asked_to_stand_in(*, game: Game, seat: Seat, now: datetime) -> None:
    """Notify the person who was asked to stand in, without showing the seat, which is not theirs yet."""
    assert seat.asked is not None and seat.owner is not None
    seats = Seat.objects.filter(game=game).exclude(pk=seat.pk).order_by("number")
    others = list(seats.values_list("name", flat=True))
    outbox.tell_from(
        by=seat.owner, kind=Kind.ASKED, user=seat.asked, about=f"seat.{seat.pk}.{now:%Y%m%d%H%M%S}",
        url=game.get_absolute_url(), title=_("%(name)s asked you to play for them") % {"name": seat.name},
        lead=_("%(name)s asked you to play their seat in a game of %(game)s with %(players)s.")
        % {"name": seat.name, "game": _(game.rules.name), "players": later(enumerated, others)},
    )  # fmt: skip


def tell_invited(*, game: Game, user: User, by: User, now: datetime) -> None:
    """Notify a person who was invited by name to a table that waits for players. Each invitation has its own notice."""
    lead = _("%(name)s invited you to a game of %(game)s. You can join or decline.")
    outbox.tell_user(
        kind=Kind.INVITED, user=user, about=f"invitation.{game.pk}.{now:%Y%m%d%H%M%S}",
        url=reverse("join", args=[game.invite_token]),
        title=_("%(name)s invited you to play") % {"name": by.username},
        lead=lead % {"name": by.username, "game": _(game.rules.name)},
    )  # fmt: skip


def tell_removed(*, game: Game, seat: Seat, by: User) -> None:
    """Notify a player whose seat the host has freed."""
    assert seat.user is not None
    lead = _("%(name)s, who opened this table of %(game)s, has freed your seat. Other tables are waiting for players.")
    outbox.tell_from(
        by=by, kind=Kind.CLOSED, user=seat.user, about=f"removed.{game.pk}.{seat.pk}", url=reverse("lobby"),
        title=_("%(name)s removed you from a table") % {"name": by.username},
        lead=lead % {"name": by.username, "game": _(game.rules.name)},
    )  # fmt: skip


def withdraw_invitations(game: Game, user: User | None = None) -> None:
    """Drop unsent notices of invitations to a table: those of one person, or all when it no longer waits."""
    invited = [user.pk] if user else list(Invitation.objects.filter(game=game).values_list("user", flat=True))
    outbox.withdraw(kind=Kind.INVITED, about=f"invitation.{game.pk}", users=invited)


def withdraw_stand_in_request(seat: Seat) -> None:
    """Drop the unsent notice to the person who was asked to stand in."""
    if seat.asked_id:
        outbox.withdraw(kind=Kind.ASKED, about=f"seat.{seat.pk}", users=[seat.asked_id])


def ask_for_rematch(*, game: Game, by: User, players: Iterable[User]) -> None:
    """Ask these players of the last game to join the rematch at this table, each only once by the same player."""
    for player in players:
        outbox.tell_user(
            kind=Kind.REMATCH, user=player, about=f"{_about_rematch(game)}.{player.pk}",
            title=_("%(name)s asked you for a rematch") % {"name": by.username},
            lead=_("%(name)s wants to play %(game)s again. Your seat is kept for you until you answer.")
            % {"name": by.username, "game": _(game.rules.name)},
            url=reverse("join", args=[game.invite_token]),
        )  # fmt: skip


def withdraw_rematch_requests(game: Game, players: Collection[int]) -> None:
    """Drop the unsent requests to these players, given by their ids, to join the rematch."""
    if players:
        outbox.withdraw(kind=Kind.REMATCH, about=_about_rematch(game), users=players)


def tell_answer(*, game: Game, user: User, has_joined: bool) -> None:
    """Notify the player who asked for a rematch that another one joined or declined, of each answer once."""
    if game.opener is None or Block.objects.filter(user=game.opener, blocked=user).exists():
        return
    title, lead = _("%(name)s accepted the rematch"), _("Your rematch of %(game)s is waiting for more players.")
    if not has_joined:
        title = _("%(name)s declined the rematch")
        lead = _("Invite someone else to play %(game)s, add a bot, or close the table.")
    values = {"name": user.username, "game": _(game.rules.name)}
    outbox.tell_user(
        kind=Kind.REMATCH, user=game.opener, about=f"answer.{game.pk}.{user.pk}.{'yes' if has_joined else 'no'}",
        title=title % values, lead=lead % values, url=game.get_absolute_url(),
    )  # fmt: skip


def _about_rematch(game: Game) -> str:
    return f"rematch.{game.rematch_of_id}.{game.opener_id}"


def people(seats: Iterable[Seat]) -> list[Seat]:
    return [seat for seat in seats if seat.has_person]
