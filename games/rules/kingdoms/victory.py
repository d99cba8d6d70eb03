"""What is looked at after every step: announcements, and whether somebody has won (sections 11 and 12, K75, K77)."""

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
    """The announcements that are due and the end, if this step has won. Whether the game is over."""
    if course.state.battle is None:
        _announce(course)
    won = _winner(course.state)
    if won is not None:
        end_game(course, *won)
    return won is not None


def end_game(course: Course, won_by: str, winners: Iterable[int]) -> None:
    """The end shows all hands, so that no draft can have it (K103)."""
    course.commit()
    course.add(e.GameEnded(won_by, final(course.state, winners)))


def _winner(state: State) -> tuple[str, list[int]] | None:
    """In this order: Empire, 300 with the active player first (K94), Conquest."""
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
    """With two players a conquest has to last until the conqueror's next turn (K41), but not in the Final Showdown."""
    return state.players == 2 and state.options.hold_two and not state.showdown


def has_held(state: State) -> bool:
    """Whether the player whose turn begins still rules everybody (K41)."""
    return conqueror(state.rulers) == state.active


def _announce(course: Course) -> None:
    for seat in range(course.state.players):
        _announce_band(course, seat)
        _announce_cards(course, seat)


def _announce_band(course: Course, seat: int) -> None:
    """K54: every upward crossing is announced."""
    before, now = course.state.bands[seat], band(value(course.state.hands[seat]))
    if now != before:
        course.add(e.BandReached(seat, now, announced=now > before))


def _announce_cards(course: Course, seat: int) -> None:
    """K55, K79: face-up cards from 200 on; a set stands as long as it is worth 100."""
    shown = course.state.shown[seat]
    if course.state.bands[seat] < SHOWN_FROM:
        cards: tuple[str, ...] = ()
    elif value(shown) >= SHOW:
        return
    else:
        cards = default_shown(course.state.hands[seat])
    if cards != shown:
        course.add(e.HandShown(seat, cards))
