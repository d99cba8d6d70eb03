"""`decide`: the events that follow from an action, or a refusal. `advance` also applies them."""

from collections.abc import Callable
from typing import Any

from games.rules.kingdoms import actions as a
from games.rules.kingdoms import battle, powers, turn
from games.rules.kingdoms.course import Course
from games.rules.kingdoms.state import (
    CLOSED,
    DEFEND,
    EPIC,
    FLOPDRAW,
    INFILTRATE,
    OVER,
    PROTECT,
    SETUP,
    SHOWDOWN,
    TIE,
    TURN,
    State,
    to_act_in,
)
from games.rules.protocol import Action, Chance, Event, IllegalAction
from games.rules.words import gettext_noop


def decide(state: State, seat: int, action: Action, chance: Chance | None) -> list[Event]:
    """Return the events of an action. Without `chance` it is a draft, which stops when another seat must act.

    A draft contains no step that turns over, draws or shows cards, or that depends on other players' hands (K56).
    """
    return advance(state.copy(), seat, action, chance)


def advance(state: State, seat: int, action: Action, chance: Chance | None) -> list[Event]:
    """Return the events of an action, and apply them to the position. Each decider refuses before its first event."""
    phases, decider = _DECIDERS[type(action)]
    phase = state.phase
    if seat not in to_act_in(phase, state):
        raise IllegalAction(_CLOSED.get(phase, gettext_noop("It’s not your turn.")))
    if phase not in phases:
        raise IllegalAction(_WAITING[phase])
    if phase == TURN and state.flags.battles and type(action) not in _BETWEEN_BATTLES:
        raise IllegalAction(gettext_noop("Between two battles, you can only attack or end your turn."))
    course = Course(state, chance)
    decider(course, seat, action)
    return course.events


_CLOSED = {
    SETUP: gettext_noop("The game hasn’t started yet."),
    CLOSED: gettext_noop("Your turn is complete."),
    OVER: gettext_noop("The game is over."),
}
_WAITING = {
    TURN: gettext_noop("There is nothing for you to answer now."),
    FLOPDRAW: gettext_noop("First take the cards you are owed from the Flop."),
    EPIC: gettext_noop("First make the Epic’s move."),
    INFILTRATE: gettext_noop("First take a card from the hand you are looking at."),
    PROTECT: gettext_noop("First choose whether to protect your sub-kingdom."),
    DEFEND: gettext_noop("First play your defense."),
    TIE: gettext_noop("First choose whether to stop the battle or continue with new troops."),
    SHOWDOWN: gettext_noop("In the Final Showdown you can only attack."),
}
_BETWEEN_BATTLES = (a.Attack, a.End)  # K72

_DECIDERS: dict[type, tuple[tuple[str, ...], Callable[[Course, int, Any], None]]] = {
    a.Draw: ((TURN,), turn.draw_cards),
    a.DrawFromFlop: ((FLOPDRAW,), turn.draw_from_flop),
    a.Burn: ((TURN,), turn.burn),
    a.Buy: ((TURN,), turn.buy),
    a.Build: ((TURN,), turn.build),
    a.PickUp: ((TURN,), turn.pick_up),
    a.BlindPick: ((TURN, DEFEND), turn.blind_pick),
    a.NotSoSecret: ((TURN,), powers.not_so_secret_move),
    a.Boss: ((TURN,), powers.play_boss),
    a.Show: ((TURN,), turn.show),
    a.Gift: ((TURN,), turn.gift),
    a.Attack: ((TURN, SHOWDOWN), battle.attack),
    a.End: ((TURN,), turn.end),
    a.Storm: ((EPIC,), powers.answer),
    a.Tribute: ((EPIC,), powers.answer),
    a.Market: ((EPIC,), powers.answer),
    a.Take: ((INFILTRATE,), powers.take),
    a.Protect: ((PROTECT,), battle.protect),
    a.Defend: ((DEFEND,), battle.defend),
    a.Stop: ((TIE,), battle.stop),
    a.Wave: ((TIE,), battle.wave),
}
