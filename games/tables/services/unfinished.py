"""Games whose competition has run out of time: bots finish them, or the current points count, as configured."""

from datetime import datetime

from django.utils.translation import gettext

from games.rules import house
from games.tables.models import Game
from games.tables.models.log import By
from games.tables.selectors import decisions
from games.tables.services import commit, handover
from games.tables.services import full_games as leagues
from games.tables.services import notify as telling


def finish(*, game: Game, by_points: bool, now: datetime) -> bool:
    """Finish a running game without waiting for its players. Call it in a transaction.

    With `by_points` the current points are the result, and no further game of a full game follows, unless too little
    has been played to count. Otherwise bots play to the end. Repeating it changes nothing. Return whether the current
    points are the result.
    """
    row = commit.lock_row(game)
    if not row.is_running or row.is_left_to_bots:
        return False
    locked = commit.load(row)
    reason, last = gettext("The season ended before this game did."), row.seq
    stands = by_points and locked.rules.can_count(locked.state)
    intervention: house.Intervention = house.Ended(reason) if stands else house.LeftToBots(reason)
    commit.append(locked, at=now, seat=None, by=By.SEAT, actions=[house.text(intervention)], events=[intervention])
    telling.tell_decided(game=row, seats=locked.seats, said=decisions.sentence(intervention, locked.seats))
    if stands:
        locked.rules.stop(locked.state)
        commit.settle(locked, at=now)
        leagues.go_on(game=row, now=now, ends_contest=True)
    else:
        commit.go_on(locked, before=last)
        handover.leave_all_to_bots(game=row)
    return stands
