"""Epics: they make their moves one after another, in the order they were turned over (K48-K50, K71)."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

from games.rules.kingdoms import actions as a
from games.rules.kingdoms import events as e
from games.rules.kingdoms.course import Course, draw, fill, random_card
from games.rules.kingdoms.deck import card
from games.rules.kingdoms.state import State
from games.rules.kingdoms.victory import after_step
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

VISION_CARDS = 3
MOST_TRIBUTES = 2


def finish_step(course: Course) -> None:
    """Finish a step of the turn: announcements, victories, then the Epics it turned over."""
    while not after_step(course) and course.state.queue and not answers(course.state):
        _by_itself(course)


def power(state: State) -> str:
    """Return the power of the Epic that must move."""
    return card(state.queue[0]).power or ""


def answers(state: State) -> list[a.Epic]:
    """Return the choices for the first Epic in the queue; none if its move is automatic (K71)."""
    return _ANSWERS[power(state)](state)


def others_with(state: State, piles: list[tuple[str, ...]]) -> list[int]:
    """Return the other players whose pile is not empty, in seat order."""
    return [seat for seat, cards in enumerate(piles) if cards and seat != state.active]


def _storms(state: State) -> list[a.Epic]:
    return [a.Storm(seat) for seat in others_with(state, state.towers)]


def _tributes(state: State) -> list[a.Epic]:
    seats = others_with(state, state.hands)
    return [a.Tribute(chosen) for n in range(1, MOST_TRIBUTES + 1) for chosen in combinations(seats, n)]


_ANSWERS: dict[str, Callable[[State], list[a.Epic]]] = {
    "storm": _storms,
    "vision": lambda state: [],
    "tribute": _tributes,
    "market": lambda state: [a.Market(one) for one in state.flop],
}


def _by_itself(course: Course) -> None:
    """Make an automatic move: Vision, or a move without any choice. It draws if it can (K68)."""
    state = course.state
    move, seat = power(state), state.active
    course.add(e.EpicMoved(seat, state.queue[0]))
    if move != "tribute":
        draw(course, seat, VISION_CARDS if move == "vision" else 1)


def answer(course: Course, seat: int, action: Any) -> None:
    """Make the chosen move of the first Epic in the queue."""
    state = course.state
    if power(state) != _POWERS[type(action)]:
        raise IllegalAction(gettext_noop("First make {hero}’s move."), hero=card(state.queue[0]).name)
    _MOVES[type(action)](course, seat, action)
    finish_step(course)


def _storm(course: Course, seat: int, action: a.Storm) -> None:
    state = course.state
    if action.seat not in others_with(state, state.towers):
        raise IllegalAction(gettext_noop("Choose another player who has a Tower."))
    course.add(e.EpicMoved(seat, state.queue[0], (action.seat,), state.towers[action.seat][-1]))


def _tribute(course: Course, seat: int, action: a.Tribute) -> None:
    state, holders = course.state, others_with(course.state, course.state.hands)
    if not set(action.seats) <= set(holders) or not 0 < len(action.seats) <= MOST_TRIBUTES:
        raise IllegalAction(gettext_noop("Choose one or two other players who have cards."))
    course.commit()
    course.add(e.EpicMoved(seat, state.queue[0], action.seats))
    for other in action.seats:
        course.add(e.TributeTaken(seat, other, random_card(course, other)))


def _market(course: Course, seat: int, action: a.Market) -> None:
    state = course.state
    if action.card not in state.flop:
        raise IllegalAction(gettext_noop("That card is not in the Flop. Choose another."))
    course.add(e.EpicMoved(seat, state.queue[0], (), action.card))
    fill(course, seat)


_POWERS: dict[type, str] = {a.Storm: "storm", a.Tribute: "tribute", a.Market: "market"}
_MOVES: dict[type, Callable[[Course, int, Any], None]] = {a.Storm: _storm, a.Tribute: _tribute, a.Market: _market}
