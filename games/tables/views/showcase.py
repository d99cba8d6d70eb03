"""The picture on the home page: a real position from a game between bots."""

from functools import cache

from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from games.boards.eight_minute.pieces import pieces
from games.bots.bot import play_turn
from games.bots.registry import BOTS
from games.rules.fairness import Quick
from games.rules.play import apply, begin
from games.rules.protocol import SeatInfo, State
from games.rules.registry import get
from games.tables.views.boards import land_url

RULESET, BOT, SEATS, TURNS = "legends", "greedy", 4, 26
SEED = 10  # the best of forty: a compact, well-filled map


def picture() -> dict[str, str]:
    """Return the context of `tables/_showcase.html`: the land for light and dark themes, and the pieces."""
    view = get(RULESET).view(position(), None)
    return {
        "land": land_url(view.layout, "light"),
        "dark": land_url(view.layout, "dark"),
        "pieces": mark_safe(pieces(view, translate=gettext)),
    }


@cache
def position() -> State:
    """Return a fixed position some turns into a game of greedy bots. Computed once, in a quarter of a second."""
    rules, chance, seats = get(RULESET), Quick(SEED), [SeatInfo(bot=True)] * SEATS
    state, _events = begin(rules, rules.options({}, SEATS), seats, chance)
    for _turn in range(SEATS + 1 + TURNS):  # the bids, the choice of the first player, and the turns
        take_turn(state, chance)
    return state


def take_turn(state: State, chance: Quick) -> None:
    rules = get(RULESET)
    seat = rules.to_act(state)[0]
    apply(rules, state, seat, map(rules.parse, play_turn(rules, rules.view(state, seat), BOTS[BOT], chance)), chance)
