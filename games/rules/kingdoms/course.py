"""A decision in progress: the position as it changes, the cards it draws, and what is checked after each step."""

from collections.abc import Iterable

from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import COMMANDING, RANKS
from games.rules.kingdoms.evolve import WRITERS
from games.rules.kingdoms.realm import conqueror
from games.rules.kingdoms.scoring import final
from games.rules.kingdoms.state import FLOP, State, clockwise
from games.rules.kingdoms.values import SHOW, SHOWN_FROM, VALUES, WINS, band, default_shown, hand_value
from games.rules.protocol import Chance, Event, NeedsChance

EMPIRE, VALUE, CONQUEST, SHOWDOWN, QUICKPLAY = "empire", "value", "conquest", "showdown", "quickplay"


class Course:
    """Changes the position that it is given. A draft has no chance: it turns over, draws and shows no card."""

    __slots__ = "chance", "events", "state"

    def __init__(self, state: State, chance: Chance | None) -> None:
        self.state = state
        self.events: list[Event] = []
        self.chance = chance

    def add(self, event: Event) -> None:
        """Append the event and apply it."""
        WRITERS[type(event)](self.state, event)  # as `evolve` does
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
        if one not in COMMANDING:
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


# Announcements and victories


def after_step(course: Course) -> bool:
    """Add due announcements, and the end if this step has won (K75). Return whether the game is over."""
    state = course.state
    values = [sum(map(VALUES.__getitem__, hand)) for hand in state.hands]
    richest = max(values)
    # Announcements are frozen during a battle (K77).
    if state.battle is None and (richest >= SHOW or any(state.bands) or any(state.shown)):
        bands, shown = state.bands, state.shown
        for seat, worth in enumerate(values):
            before = bands[seat]
            if before <= worth < before + SHOW <= SHOWN_FROM and not shown[seat]:
                continue
            now = band(worth)
            if now != before:
                course.add(e.BandReached(seat, now, announced=now > before))  # K54
            # Cards are face up from 200 on; a set stays while it is worth 100 (K55, K79).
            if now < SHOWN_FROM or hand_value(shown[seat]) < SHOW:
                cards = default_shown(state.hands[seat])
                if cards != shown[seat]:
                    course.add(e.HandShown(seat, cards))

    # Victories in this order: Empire, 300 from the active player on (K94), Conquest.
    if richest >= WINS or len(RANKS) in map(len, state.towers):
        seats = (state.active, *clockwise(state, state.active))
        empires = [seat for seat in seats if len(state.towers[seat]) == len(RANKS)]
        winners = empires or [seat for seat in seats if values[seat] >= WINS]
        end_game(course, EMPIRE if empires else VALUE, winners[:1])
        return True
    ruler = conqueror(state.rulers)
    if ruler is not None and not must_hold(state):
        end_game(course, CONQUEST, [ruler])
        return True
    return False


def must_hold(state: State) -> bool:
    """Return whether a conquest must last until the conqueror's next turn: with 2 players, not in a Showdown (K41)."""
    return state.players == 2 and state.options.hold_two and not state.showdown


def end_game(course: Course, won_by: str, winners: Iterable[int]) -> None:
    """End the game. This shows all hands, so drafts can't contain it (K103)."""
    course.commit()
    course.add(e.GameEnded(won_by, final(course.state, winners)))
