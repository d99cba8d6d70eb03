"""What is checked after every step: announcements and victories (sections 11 and 12, K75, K77)."""

from collections.abc import Iterable

from games.rules.kingdoms import events as e
from games.rules.kingdoms.course import Course
from games.rules.kingdoms.deck import RANKS
from games.rules.kingdoms.realm import conqueror
from games.rules.kingdoms.scoring import final
from games.rules.kingdoms.state import State, clockwise
from games.rules.kingdoms.worth import SHOW, SHOWN_FROM, WINS, band, default_shown, value

EMPIRE, VALUE, CONQUEST, SHOWDOWN, QUICKPLAY = "empire", "value", "conquest", "showdown", "quickplay"


def after_step(course: Course) -> bool:
    """Add due announcements, and the end if this step has won. Return whether the game is over."""
    if course.state.battle is None:
        _announce(course)
    won = _winner(course.state)
    if won is not None:
        end_game(course, *won)
    return won is not None


def end_game(course: Course, won_by: str, winners: Iterable[int]) -> None:
    """End the game. This shows all hands, so drafts can't contain it (K103)."""
    course.commit()
    course.add(e.GameEnded(won_by, final(course.state, winners)))


def _winner(state: State) -> tuple[str, list[int]] | None:
    """Return the victory and winners, checked in this order: Empire, 300 from the active player on (K94), Conquest."""
    seats = [state.active, *clockwise(state, state.active)]
    for seat in seats:
        if len(state.towers[seat]) == len(RANKS):
            return EMPIRE, [seat]
    for seat in seats:
        if value(state.hands[seat]) >= WINS:
            return VALUE, [seat]
    ruler = conqueror(state.rulers) if any(one is not None for one in state.rulers) else None
    return None if ruler is None or must_hold(state) else (CONQUEST, [ruler])


def must_hold(state: State) -> bool:
    """Return whether a conquest must last until the conqueror's next turn: with 2 players, not in a Showdown (K41)."""
    return state.players == 2 and state.options.hold_two and not state.showdown


def has_held(state: State) -> bool:
    """Return whether the player whose turn begins still rules everyone (K41)."""
    return conqueror(state.rulers) == state.active


def _announce(course: Course) -> None:
    for seat in range(course.state.players):
        _announce_band(course, seat)
        _announce_cards(course, seat)


def _announce_band(course: Course, seat: int) -> None:
    """Update the band; reaching a higher one is announced (K54)."""
    before, now = course.state.bands[seat], band(value(course.state.hands[seat]))
    if now != before:
        course.add(e.BandReached(seat, now, announced=now > before))


def _announce_cards(course: Course, seat: int) -> None:
    """Update the face-up cards, needed from 200 on; a set stays while it is worth 100 (K55, K79)."""
    shown = course.state.shown[seat]
    if course.state.bands[seat] < SHOWN_FROM:
        cards: tuple[str, ...] = ()
    elif value(shown) >= SHOW:
        return
    else:
        cards = default_shown(course.state.hands[seat])
    if cards != shown:
        course.add(e.HandShown(seat, cards))
