"""A decision in progress: the changing position, the events so far, and the source of chance."""

from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import card
from games.rules.kingdoms.evolve import evolve
from games.rules.kingdoms.state import FLOP, State
from games.rules.protocol import Chance, Event, NeedsChance


class Course:
    """Works on a copy of the position.

    Without chance it is a draft, in which no card is turned over, drawn or shown.
    """

    def __init__(self, state: State, chance: Chance | None) -> None:
        self.state = state.copy()
        self.events: list[Event] = []
        self.chance = chance

    def add(self, event: Event) -> None:
        """Append the event and apply it."""
        evolve(self.state, event)
        self.events.append(event)

    def commit(self) -> Chance:
        """Return the source of chance. Raises `NeedsChance` in a draft; call it in every step that can't be undone."""
        if self.chance is None:
            raise NeedsChance
        return self.chance


def draw(course: Course, seat: int, count: int) -> int:
    """Draw cards from the deck while there are any. Return how many are missing."""
    for missing in range(count, 0, -1):
        one = _next_card(course)
        if one is None:
            return missing
        course.add(e.CardDrawn(seat, one))
    return 0


def fill(course: Course, seat: int) -> None:
    """Turn over cards until the Flop has three; never removes any (K6)."""
    while len(course.state.flop) < FLOP and turn_up(course, seat):
        pass


def turn_up(course: Course, seat: int) -> bool:
    """Turn over cards until one goes to the Flop; Epics and Bosses go to the seat (K48). Return whether one did."""
    while (one := _next_card(course)) is not None:
        if not card(one).commands:
            course.add(e.FlopTurned(one))
            return True
        course.add(e.HeroTurned(seat, one))
    return False


def _next_card(course: Course) -> str | None:
    """Return the next card of the Draw deck, reshuffling the Burn pile if needed; None if both are empty."""
    state = course.state
    if not state.deck and not state.burn:
        return None
    chance = course.commit()
    if not state.deck:
        course.add(e.Reshuffled())
    return chance.draw(f"deck-{state.shuffle}", state.deck)


def random_card(course: Course, seat: int) -> str:
    """Return a random card of the hand: a hidden one if there is any (section 11)."""
    hand, shown = course.state.hands[seat], course.state.shown[seat]
    cards = [one for one in hand if one not in shown] or hand
    return cards[course.commit().below(len(cards))]
