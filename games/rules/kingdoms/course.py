"""A decision in progress: the position as it changes, the cards it draws, and what is checked after each step."""

from collections.abc import Iterable

import msgspec

from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import COMMANDING, RANKS
from games.rules.kingdoms.evolve import WRITERS
from games.rules.kingdoms.realm import conqueror
from games.rules.kingdoms.scoring import final
from games.rules.kingdoms.state import FLOP, State, clockwise
from games.rules.kingdoms.values import SHOW, SHOWN_FROM, VALUES, WINS, band, default_shown, hand_value, value_of
from games.rules.protocol import Chance, Event, NeedsChance

EMPIRE, VALUE, CONQUEST, SHOWDOWN, QUICKPLAY = "empire", "value", "conquest", "showdown", "quickplay"
EMPIRE_TOWERS = len(RANKS)
BANDS = tuple(map(band, range(sum(VALUES.values()))))  # of each value that a hand can have


class Course(msgspec.Struct):
    """A decision in progress. It changes the position that it is given.

    Without `chance` it is a draft, in which no card is turned over, drawn or shown.
    """

    state: State
    chance: Chance | None
    events: list[Event] = msgspec.field(default_factory=list)

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
        card_id = _next_card(course)
        if card_id is None:
            return missing
        course.add(e.CardDrawn(seat, card_id))
    return 0


def fill(course: Course, seat: int, size: int = FLOP) -> None:
    """Turn over cards until the Flop has `size`; never removes any (K6). Epics and Bosses go to the seat (K48)."""
    state = course.state
    while len(state.flop) < size and (card_id := _next_card(course)) is not None:
        course.add(e.HeroTurned(seat, card_id) if card_id in COMMANDING else e.FlopTurned(card_id))


def _next_card(course: Course) -> str | None:
    """Return the next card of the Draw deck, reshuffling the Burn pile if needed; None if both are empty."""
    state = course.state
    if not state.deck:
        if not state.burn:
            return None
        course.commit()
        course.add(e.Reshuffled())
    return course.commit().draw(f"deck-{state.shuffle}", state.deck)


def random_card(course: Course, seat: int) -> str:
    """Return a random card of the hand: a hidden one if there is any (section 11)."""
    hand, shown = course.state.hands[seat], course.state.shown[seat]
    cards = [card_id for card_id in hand if card_id not in shown] or hand
    return cards[course.commit().below(len(cards))]


# Announcements and victories


def after_step(course: Course, seats: Iterable[int] | None = None) -> bool:
    """Add due announcements, and the end if this step has won (K75). Return whether the game is over.

    `seats` are those whose hands can have changed since the last step, by default all. The
    announcements of other seats stay as they are.
    """
    state, richest = course.state, 0
    hands = state.hands
    for seat in range(len(hands)) if seats is None else seats:
        worth = sum(map(value_of, hands[seat]))
        if worth > richest:
            richest = worth
        # Announcements are frozen during a battle (K77).
        if (BANDS[worth] != state.bands[seat] or worth >= SHOWN_FROM or state.shown[seat]) and state.battle is None:
            _announce(course, seat, BANDS[worth])

    # Victories in this order: Empire, 300 from the active player on (K94), Conquest. Only the active player builds.
    if len(state.towers[state.active]) == EMPIRE_TOWERS:
        end_game(course, EMPIRE, [state.active])
        return True
    if richest >= WINS:
        order = (state.active, *clockwise(state, state.active))
        end_game(course, VALUE, [seat for seat in order if hand_value(hands[seat]) >= WINS][:1])
        return True
    ruler = conqueror(state.rulers)
    if ruler is not None and not must_hold(state):
        end_game(course, CONQUEST, [ruler])
        return True
    return False


def _announce(course: Course, seat: int, band: int) -> None:
    """Announce a change of the band (K54), and show cards from 200 on: a set stays while worth 100 (K55, K79)."""
    state = course.state
    before, shown = state.bands[seat], state.shown[seat]
    if band != before:
        course.add(e.BandReached(seat, band, announced=band > before))
    if band < SHOWN_FROM or hand_value(shown) < SHOW:
        cards = default_shown(state.hands[seat])
        if cards != shown:
            course.add(e.HandShown(seat, cards))


def must_hold(state: State) -> bool:
    """Return whether a conquest must last until the conqueror's next turn: with 2 players, not in a Showdown (K41)."""
    return state.players == 2 and state.options.hold_two and not state.showdown


def end_game(course: Course, won_by: str, winners: Iterable[int]) -> None:
    """End the game. This shows all hands, so drafts can't contain it (K103)."""
    course.commit()
    course.add(e.GameEnded(won_by, final(course.state, winners)))
