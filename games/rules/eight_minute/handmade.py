"""Setup by hand: the choices of the seat that sets up, one by one, and the third colour in turns (R1, R4)."""

from collections.abc import Callable
from typing import Any

from games.rules.eight_minute import actions as a
from games.rules.eight_minute import events as e
from games.rules.eight_minute.boards import CENTRE, Laid
from games.rules.eight_minute.layouts import (
    SHAPES,
    free_places,
    may_lie,
    next_boards,
    sides_left,
    starts,
    turns_that_fit,
)
from games.rules.eight_minute.options import shape
from games.rules.eight_minute.setup import abroad, mustered, outposted, token_spots
from games.rules.eight_minute.state import LAY, NEUTRAL, OUTPOST, START, TOKENS, State
from games.rules.eight_minute.tokens import MERCHANTS
from games.rules.protocol import Event, IllegalAction
from games.rules.words import gettext_noop


def choices(state: State) -> list[a.Action]:
    """Return every choice of the seat that sets up; none in other phases."""
    return _CHOICES[state.phase](state) if state.phase in _CHOICES else []


def _lays(state: State) -> list[a.Action]:
    return [a.Lay(one.side, one.place, one.turns) for one in next_boards(state.rules, _shape(state), state.layout)]


def _starts(state: State) -> list[a.Action]:
    return [a.Start(region) for region in starts(state.rules.start_rule, state.layout)]


def _outposts(state: State) -> list[a.Action]:
    return [a.Outpost(region) for region in abroad(state.map, state.start)]


def _tokens(state: State) -> list[a.Action]:
    return [a.LayToken(token, region) for token in dict.fromkeys(state.unlaid) for region in token_spots(state, token)]


def _neutrals(state: State) -> list[a.Action]:
    return [a.Neutral(region) for region in state.map.regions]


_CHOICES: dict[str, Callable[[State], list[a.Action]]] = {
    LAY: _lays,
    START: _starts,
    OUTPOST: _outposts,
    TOKENS: _tokens,
    NEUTRAL: _neutrals,
}


# Deciding


def lay(state: State, action: a.Lay) -> list[Event]:
    _check_board(state, action)
    one = Laid(action.place, action.side, action.turns)
    if one not in next_boards(state.rules, _shape(state), state.layout):
        raise IllegalAction(
            gettext_noop("With that board there, no region could be the start region. Choose another board or place.")
        )
    return [e.BoardLaid(action.side, action.place, action.turns)]


def _check_board(state: State, action: a.Lay) -> None:
    """Raise `IllegalAction` unless the board is available and can be laid there."""
    kind, laid = _shape(state), state.map.laid
    if action.side not in state.rules.sides:
        raise IllegalAction(gettext_noop("There is no board side “{side}” in this game."), side=action.side[:20])
    if action.side not in sides_left(state.rules.sides, laid):
        raise IllegalAction(
            gettext_noop("That board is already on the table, with this side or the other. Choose another.")
        )
    if action.place not in {place for places in SHAPES[kind] for place in places}:
        raise IllegalAction(gettext_noop("There is no place “{place}” in this layout."), place=action.place[:20])
    if action.place not in free_places(kind, laid):
        raise IllegalAction(gettext_noop("No board fits there next to the boards already laid. Choose another place."))
    if action.turns not in range(4):
        raise IllegalAction(gettext_noop("A board can be turned by at most three quarter turns."))
    if action.turns not in turns_that_fit(kind, laid):
        raise IllegalAction(gettext_noop("In this layout, all boards must face the same way."))
    if not may_lie(action.side, kind, action.place):
        raise IllegalAction(gettext_noop("This board must contain the start region, so it goes in the center."))


def start(state: State, action: a.Start) -> list[Event]:
    _check_region(state, action.region)
    if action.region not in starts(state.rules.start_rule, state.layout):
        raise IllegalAction(_NO_START[state.rules.start_rule, state.map.laid[0].place == CENTRE])
    return [e.StartChosen(action.region, mustered(state.rules, state.players, state.leaders))]


_NO_START = {
    ("overseas", True): gettext_noop(
        "The start region must be on the central board, with a dotted line to another board; if Desert is in play, it "
        "must be on Desert."
    ),
    ("overseas", False): gettext_noop(
        "The start region must have a dotted line to another board; if Desert is in play, it must be on Desert."
    ),
    **dict.fromkeys(
        (("harbour", True), ("harbour", False)),
        gettext_noop(
            "The start region must have a route over water to another continent, and a second one there or in a "
            "region next to it by land."
        ),
    ),
}


def outpost(state: State, action: a.Outpost) -> list[Event]:
    _check_region(state, action.region)
    if action.region not in abroad(state.map, state.start):
        raise IllegalAction(
            gettext_noop("The overseas region can’t be on the same board as the start region. Choose another board.")
        )
    return [e.OutpostChosen(action.region, outposted(state.rules, state.players))]


def token(state: State, action: a.LayToken) -> list[Event]:
    if action.token not in state.unlaid:
        raise IllegalAction(gettext_noop("There is no token “{token}” left to place."), token=action.token[:20])
    _check_region(state, action.region)
    if action.region not in token_spots(state, action.token):
        raise IllegalAction(_NO_SPOT[action.token == MERCHANTS])
    if action.token == MERCHANTS:
        return [e.TownLaid(action.region, state.rules.town_coins)]
    return [e.TokenLaid(action.token, action.region)]


_NO_SPOT = {
    True: gettext_noop("That board already has merchants. Choose another board."),
    False: gettext_noop("A token needs its own region, other than the start region. Choose another region."),
}


def neutral(state: State, action: a.Neutral) -> list[Event]:
    _check_region(state, action.region)
    return [e.NeutralPlaced(action.region)]


def _check_region(state: State, region: str) -> None:
    if region not in state.map.index:
        raise IllegalAction(gettext_noop("There is no region “{region}” on this map."), region=region[:20])


def _shape(state: State) -> str:
    return shape(state.rules, state.options, state.players)


DECIDERS: dict[type, tuple[str, Callable[[State, Any], list[Event]]]] = {
    a.Lay: (LAY, lay),
    a.Start: (START, start),
    a.Outpost: (OUTPOST, outpost),
    a.LayToken: (TOKENS, token),
    a.Neutral: (NEUTRAL, neutral),
}
