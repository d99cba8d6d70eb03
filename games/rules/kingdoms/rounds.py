"""From one turn to the next: the deal, the start and end of turns, and the Final Showdown."""

from games.rules.kingdoms import events as e
from games.rules.kingdoms.allowed import targets
from games.rules.kingdoms.course import Course, fill
from games.rules.kingdoms.deck import card
from games.rules.kingdoms.epics import finish_step
from games.rules.kingdoms.scoring import richest, strongest
from games.rules.kingdoms.state import FLOP, all_cards, clockwise
from games.rules.kingdoms.victory import CONQUEST, QUICKPLAY, SHOWDOWN, after_step, end_game, has_held, must_hold

HAND = 5
QUICK_ROUNDS = 3


def deal(course: Course, number: int) -> None:
    """Deal hands and Flop, shuffle in the Epics and Bosses afterwards (K3), and begin the first turn (K2)."""
    state, chance = course.state, course.commit()
    cards = [one for one in all_cards(state.options, state.players) if not card(one).commands]
    first, name = chance.below(state.players), f"deal-{number}"

    def dealt(count: int) -> tuple[str, ...]:
        taken = []
        for _ in range(count):
            taken.append(chance.draw(name, cards))
            cards.remove(taken[-1])
        return tuple(taken)

    course.add(e.Dealt(number, first, tuple(dealt(HAND) for _ in state.seats), dealt(FLOP)))
    _begin_turn(course, first, 1)


def _begin_turn(course: Course, seat: int, number: int) -> None:
    """Begin a turn: end the Truce, check a conquest that held, fill the Flop, then victories and Epics (K67)."""
    course.add(e.TurnBegun(seat, number))
    if must_hold(course.state) and has_held(course.state):
        end_game(course, CONQUEST, [seat])
        return
    fill(course, seat)
    finish_step(course)


def end_turn(course: Course) -> None:
    """End the active player's turn, then check three rounds, the Final Showdown, the next turn, in this order (K91)."""
    state = course.state
    course.add(e.TurnEnded(state.active))
    if course.chance is None:
        return
    following = clockwise(state, state.active)[0]
    is_new_round = following == state.first
    if state.options.quick and is_new_round and state.round == QUICK_ROUNDS:
        end_game(course, QUICKPLAY, richest(state))
    elif not (state.deck or state.burn or state.flop):
        _begin_showdown(course)
    else:
        _begin_turn(course, following, state.round + is_new_round)


# The Final Showdown


def _begin_showdown(course: Course) -> None:
    course.add(e.ShowdownBegun())
    if not after_step(course):
        next_challenge(course)


def next_challenge(course: Course) -> None:
    """Make the next player with a card and a target attack; if there is none, Towers decide (K58)."""
    state = course.state
    for seat in (*clockwise(state, state.active), state.active):
        if state.hands[seat] and targets(state, seat):
            course.add(e.ShowdownTurn(seat))
            return
    _count_towers(course)


def _count_towers(course: Course) -> None:
    """End the game in favour of the most Towers; if tied, deal again (K59, K91)."""
    state = course.state
    winners = strongest(state)
    if len(winners) == 1:
        end_game(course, SHOWDOWN, winners)
    else:
        deal(course, state.deal + 1)
