"""Notices to players of a ladder: challenges, and changes of their rung by a challenge or by inactivity.

Players who are passed by others are not notified; they can read it in the ladder's history.
"""

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_noop

from empire import dates
from games.contests.models import Challenge, Ladder, Rung
from games.contests.models.ladder import Outcome
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import Words, later
from games.notices.outbox.words import gettext_later as _
from games.tables.selectors.options import short_name

PLAYED = (gettext_noop("You beat {other}."), gettext_noop("{other} beat you."))
WHY: dict[str, tuple[str, str]] = {  # for the winner and for the loser
    Outcome.WON: PLAYED,
    Outcome.LOST: PLAYED,
    Outcome.DECLINED: (
        gettext_noop("{other} declined your challenge."),
        gettext_noop("You declined {other}’s challenge."),
    ),
    Outcome.EXPIRED: (
        gettext_noop("{other} did not answer your challenge in time."),
        gettext_noop("You did not answer {other}’s challenge in time."),
    ),
}


def tell_challenged(challenge: Challenge, from_rung: int, to_rung: int) -> None:
    challenger, challenged = challenge.challenger, challenge.challenged
    assert challenger is not None and challenged is not None
    game = later(short_name, challenge.ladder.ruleset)
    lead = _(
        "{player}, on rung {from_rung}, has challenged you for rung {to_rung} on the {game} ladder. Accept or "
        "decline by {moment}. If you don’t answer, you lose your rung."
    )
    with timezone.override(challenged.zone):
        moment = later(dates.localized, timezone.localtime(challenge.answer_by), "l, j F, H:i")
    outbox.tell_user(
        kind=Kind.CHALLENGE, user=challenged, about=about(challenge),
        title=_("{player} challenged you on the {game} ladder").format(player=challenger.username, game=game),
        lead=lead.format(
            player=challenger.username, from_rung=from_rung, to_rung=to_rung, game=game, moment=moment
        ),
        url=address(challenge.ladder),
    )  # fmt: skip


def withdraw_challenge(challenge: Challenge) -> None:
    outbox.withdraw(kind=Kind.CHALLENGE, about=about(challenge))


def tell_called_off(challenge: Challenge) -> None:
    """Tell the challenger that a player who can't answer now keeps the rung, unless it is the challenger who can't."""
    if challenge.challenger is None or challenge.challenger.is_suspended:
        return
    game = later(short_name, challenge.ladder.ruleset)
    title = _("Your challenge on the {game} ladder was canceled").format(game=game)
    lead = _("{other} can’t play at the moment. Nobody loses a rung, and you can challenge someone else right away.")
    outbox.tell_user(
        kind=Kind.RUNG, user=challenge.challenger, about=about(challenge), title=title,
        lead=lead.format(other=challenge.names[1]), url=address(challenge.ladder),
    )  # fmt: skip


def tell_moved(challenge: Challenge, winner: Rung, loser: Rung) -> None:
    """Notify both players of a challenge that moved them. `winner` and `loser` are their rungs before."""
    up, down = WHY[challenge.state]
    challenger, challenged = challenge.names
    for rung, new_rung, sentence in ((winner, loser.rung, up), (loser, loser.rung + 1, down)):
        other = challenged if rung.user_id == challenge.challenger_id else challenger
        title, lead = _title(challenge.ladder, new_rung), _(sentence).format(other=other)
        _tell(challenge.ladder, rung, title, lead, about(challenge))


def tell_fallen(ladder: Ladder, rung: Rung, new_rung: int) -> None:
    lead = _("You haven’t played on the ladder for {days} days, so you moved down.").format(days=ladder.idle)
    _tell(ladder, rung, _title(ladder, new_rung), lead, f"idle.{rung.pk}.{rung.last_at:%Y%m%d}")


def tell_left(ladder: Ladder, rung: Rung) -> None:
    lead = _("You haven’t played on the ladder for {days} days, so you lost your rung. You can join again at any time.")
    title = _("You were removed from the {game} ladder").format(game=later(short_name, ladder.ruleset))
    _tell(ladder, rung, title, lead.format(days=2 * ladder.idle), f"gone.{rung.pk}.{rung.last_at:%Y%m%d}")


def _title(ladder: Ladder, rung: int) -> Words:
    return _("You are now on rung {rung} of the {game} ladder").format(
        rung=rung, game=later(short_name, ladder.ruleset)
    )


def _tell(ladder: Ladder, rung: Rung, title: Words, lead: Words, event: str) -> None:
    if rung.user is not None:
        outbox.tell_user(kind=Kind.RUNG, user=rung.user, about=event, title=title, lead=lead, url=address(ladder))


def about(challenge: Challenge) -> str:
    return f"ladder.{challenge.pk}"


def address(ladder: Ladder) -> str:
    return reverse("ladder", args=[ladder.ruleset])
