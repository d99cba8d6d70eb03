"""Reliability of players: recorded turn by turn, and required by tables."""

from django.db.models import F, Value
from django.db.models.functions import Concat, Right
from django.utils.translation import gettext

from accounts.models import User
from games.clocks.reliability import LAST
from games.errors import TableError
from games.tables.models import Game

FEW_TURNS = 10  # with fewer turns, reliability is unknown


def remember(player: int, *, was_in_time: bool) -> None:
    """Record a turn of the player with this user id, keeping the last hundred, in one atomic update."""
    turns = Right(Concat(F("punctuality"), Value("1" if was_in_time else "0")), LAST)
    User.objects.filter(pk=player).update(punctuality=turns)


def need_reliable(game: Game, user: User) -> None:
    """Refuse a player who is less reliable than the table requires. Players with few turns can always join."""
    shown = user.reliability
    if shown and shown.turns >= FEW_TURNS and shown.percent < game.reliability:
        sentence = gettext("This table requires %(wanted)d%% of turns on time. %(name)s has %(percent)d%%.")
        raise TableError(sentence % {"wanted": game.reliability, "name": user.username, "percent": shown.percent})


def check_percent(percent: int) -> None:
    """Refuse a percentage outside 0 to 100. Raises `TableError`."""
    if not 0 <= percent <= 100:
        raise TableError(gettext("Enter a percentage of turns on time between 0 and 100."))
