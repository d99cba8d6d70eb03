"""The picture on the front page: a real position, from a game that bots could have played."""

from functools import cache

from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from games.boards.pieces import pieces
from games.rules.fairness import Quick
from games.rules.protocol import SeatInfo, State
from games.rules.registry import get
from games.views.boards import land_url

RULESET, SEATS, SEED, TURNS = "legends", 4, 8, 20


@cache
def position() -> State:
    """The same at each start: players who take and step at random, some turns in."""
    rules, chance, seats = get(RULESET), Quick(SEED), [SeatInfo(bot=True)] * SEATS
    options = rules.options({}, SEATS)
    state = rules.initial(options, seats)
    for event in rules.start(options, seats, chance):
        rules.evolve(state, event)
    ended = 0
    while ended < TURNS:
        seat = rules.to_act(state)[0]
        legal = rules.legal(state, seat)
        for event in rules.decide(state, seat, legal[chance.below(len(legal))], chance):
            rules.evolve(state, event)
            ended += type(event).__name__ == "TurnEnded"
    return state


def picture() -> dict[str, str]:
    """What `games/_showcase.html` draws: the land by day and by night, and what stands on it."""
    view = get(RULESET).view(position(), None)
    return {
        "land": land_url(view.layout, "light"),
        "dark": land_url(view.layout, "dark"),
        "pieces": mark_safe(pieces(view, translate=gettext)),
    }
