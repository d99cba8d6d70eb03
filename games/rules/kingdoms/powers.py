"""Not-So-Secret Moves and the Power Moves of Bosses (sections 9 and 10)."""

from collections.abc import Callable
from typing import Any

from games.rules.kingdoms import actions as a
from games.rules.kingdoms import events as e
from games.rules.kingdoms.course import Course
from games.rules.kingdoms.deck import RANKS, card
from games.rules.kingdoms.epics import finish_step
from games.rules.kingdoms.state import State
from games.rules.kingdoms.troops import not_so_secret
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop


def move_not_so_secretly(course: Course, seat: int, action: a.NotSoSecret) -> None:
    """Take any Tower of another player; those above it break (K43-K47).

    This shows cards, so drafts can't contain it.
    """
    state = course.state
    if state.flags.not_so_secret:
        raise IllegalAction(gettext_noop("You have already made a Not-So-Secret Move this turn."))
    if not set(action.cards) <= set(state.hands[seat]) or not not_so_secret(action.cards):
        raise IllegalAction(
            gettext_noop("Show two or more Attack, Champion or Support Heroes of one suit that make exactly 21.")
        )
    place = RANKS.index(action.rank)
    if action.seat == seat or action.seat >= state.players or len(state.towers[action.seat]) <= place:
        raise IllegalAction(gettext_noop("That player has no such Tower. Choose another."))
    course.commit()
    tower, *broken = state.towers[action.seat][place:]
    to = state.options.broken_towers
    course.add(e.SecretMoved(seat, action.cards, action.seat, tower, tuple(broken), to))
    finish_step(course)


# Bosses


def play_boss(course: Course, seat: int, action: a.Boss) -> None:
    """Burn the card, then make its move (K51, K74)."""
    if action.card not in course.state.hands[seat]:
        raise IllegalAction(gettext_noop("That card is not in your hand. Choose another."))
    _BOSSES[card(action.card).power or ""](course, seat, action)


def _no_choice(course: Course, seat: int, action: a.Boss) -> None:
    course.add(e.BossPlayed(seat, action.card))
    finish_step(course)


def _infiltrate(course: Course, seat: int, action: a.Boss) -> None:
    if action.seat not in spied_on(course.state, seat):
        raise IllegalAction(gettext_noop("Choose another player who has cards."))
    course.commit()
    other = action.seat or 0
    course.add(e.BossPlayed(seat, action.card))
    course.add(e.HandSeen(seat, other, course.state.hands[other]))
    finish_step(course)


def spied_on(state: State, seat: int) -> list[int]:
    """Return the players whose hand a Spymaster can look at (K74), in seat order."""
    return [other for other, hand in enumerate(state.hands) if hand and other != seat]


def _raise_walls(course: Course, seat: int, action: a.Boss) -> None:
    heroes = in_burn_pile(course.state)
    if action.taken not in heroes and (heroes or action.taken):
        raise IllegalAction(
            gettext_noop("Choose a Kingdom Hero from the Burn pile.")
            if heroes
            else gettext_noop("There is no Kingdom Hero in the Burn pile.")
        )
    course.add(e.BossPlayed(seat, action.card))
    if action.taken:
        course.add(e.HeroRecovered(seat, action.taken))
    finish_step(course)


def in_burn_pile(state: State) -> list[str]:
    """Return the Kingdom Heroes in the Burn pile, in its order."""
    return [one for one in state.burn if card(one).kind == "kingdom"]


_BOSSES: dict[str, Callable[[Course, int, a.Boss], None]] = {
    "strike": _no_choice,
    "truce": _no_choice,
    "infiltrate": _infiltrate,
    "walls": _raise_walls,
}


def take(course: Course, seat: int, action: Any) -> None:
    """Take a card from the hand the spy is looking at."""
    other = course.state.look
    if action.card not in course.state.hands[other]:
        raise IllegalAction(gettext_noop("Take a card from the hand you are looking at."))
    course.add(e.CardStolen(seat, other, action.card))
    finish_step(course)
