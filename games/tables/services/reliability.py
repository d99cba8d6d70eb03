"""How reliable a player is: remembered turn by turn, and asked for by tables."""

from django.db.models import F, Value
from django.db.models.functions import Concat, Right
from django.utils.translation import gettext

from accounts.models import User
from games.clocks.reliability import LAST
from games.errors import TableError
from games.tables.models import Game

FEW_TURNS = 10  # with fewer nobody's reliability is known


def remember(player: int, *, was_in_time: bool) -> None:
    """One more of the player's last hundred turns, in one update, whatever else is being counted meanwhile.

    `player` is the user's id.
    """
    turns = Right(Concat(F("punctuality"), Value("1" if was_in_time else "0")), LAST)
    User.objects.filter(pk=player).update(punctuality=turns)


def need_reliable(game: Game, user: User) -> None:
    """Refuse a player who is less reliable than the table asks for. Who has had few turns so far may sit anywhere."""
    shown = user.reliability
    if shown and shown.turns >= FEW_TURNS and shown.percent < game.reliability:
        sentence = gettext("This table requires %(wanted)d%% of turns on time. %(name)s has %(percent)d%%.")
        raise TableError(sentence % {"wanted": game.reliability, "name": user.username, "percent": shown.percent})


def check_percent(percent: int) -> None:
    """Refuse what a table cannot ask for."""
    if not 0 <= percent <= 100:
        raise TableError(gettext("Enter a percentage of turns on time between 0 and 100."))
