"""The moves of Epics, one after another (K48-K50, K71), of Bosses, and Not-So-Secret Moves (sections 9 and 10)."""

from collections.abc import Iterable
from functools import partial
from itertools import combinations

from games.rules.kingdoms import actions as a
from games.rules.kingdoms import events as e
from games.rules.kingdoms.course import Course, after_step, draw, fill, random_card
from games.rules.kingdoms.deck import RANKS, ROYAL, card, card_name
from games.rules.kingdoms.state import State
from games.rules.kingdoms.troops import not_so_secret
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

VISION_CARDS = 3
MOST_TRIBUTES = 2
EPICS: dict[type, str] = {a.Storm: "storm", a.Tribute: "tribute", a.Market: "market"}


def finish_step(course: Course, seats: Iterable[int] | None = None) -> None:
    """Finish a step of the turn: announcements, victories, then the Epics it turned over.

    `seats` are those whose hands can have changed since the last step, by default all.
    """
    state = course.state
    while not after_step(course, seats) and state.queue and not answers(state):
        # An automatic move: Vision, or one without any choice. It draws if it can (K68).
        move, seat = power(state), state.active
        course.add(e.EpicMoved(seat, state.queue[0]))
        if move != "tribute":
            draw(course, seat, VISION_CARDS if move == "vision" else 1)


# Epics


def power(state: State) -> str:
    """Return the power of the Epic that must move."""
    return card(state.queue[0]).power or ""


def others_with(state: State, piles: list[tuple[str, ...]]) -> list[int]:
    """Return the other players whose pile is not empty, in seat order."""
    return [seat for seat, cards in enumerate(piles) if cards and seat != state.active]


def answers(state: State) -> list[a.Epic]:
    """Return the choices for the first Epic in the queue; none if its move is automatic (K71)."""
    move = power(state)
    if move == "storm":
        return [a.Storm(seat) for seat in others_with(state, state.towers)]
    if move == "tribute":
        seats = others_with(state, state.hands)
        return [a.Tribute(chosen) for n in range(1, MOST_TRIBUTES + 1) for chosen in combinations(seats, n)]
    return [a.Market(card_id) for card_id in state.flop] if move == "market" else []


def answer(course: Course, seat: int, action: a.Epic) -> None:
    """Make the chosen move of the first Epic in the queue."""
    state = course.state
    epic = state.queue[0]
    if power(state) != EPICS[type(action)]:
        raise IllegalAction(gettext_noop("First make {hero}’s move."), hero=partial(card_name, epic))
    match action:
        case a.Storm(other):
            if other not in others_with(state, state.towers):
                raise IllegalAction(gettext_noop("Choose another player who has a Tower."))
            course.add(e.EpicMoved(seat, epic, (other,), state.towers[other][-1]))
        case a.Tribute(others):
            if not set(others) <= set(others_with(state, state.hands)) or not 0 < len(others) <= MOST_TRIBUTES:
                raise IllegalAction(gettext_noop("Choose one or two other players who have cards."))
            course.commit()
            course.add(e.EpicMoved(seat, epic, others))
            for other in others:
                course.add(e.TributeTaken(seat, other, random_card(course, other)))
        case a.Market(card_id):
            if card_id not in state.flop:
                raise IllegalAction(gettext_noop("That card is not in the Flop. Choose another."))
            course.add(e.EpicMoved(seat, epic, (), card_id))
            fill(course, seat)
    finish_step(course)


# Bosses


def play_boss(course: Course, seat: int, action: a.Boss) -> None:
    """Burn the card, then make its move (K51, K74)."""
    state, move = course.state, card(action.card).power
    if action.card not in state.hands[seat]:
        raise IllegalAction(gettext_noop("That card is not in your hand. Choose another."))
    if move == "infiltrate":
        if action.seat not in spied_on(state, seat):
            raise IllegalAction(gettext_noop("Choose another player who has cards."))
        course.commit()
    if move == "walls":
        heroes = in_burn_pile(state)
        if heroes and action.taken not in heroes:
            raise IllegalAction(gettext_noop("Choose a Kingdom Hero from the Burn pile."))
        if action.taken and not heroes:
            raise IllegalAction(gettext_noop("There is no Kingdom Hero in the Burn pile."))
    course.add(e.BossPlayed(seat, action.card))
    if move == "infiltrate" and action.seat is not None:
        course.add(e.HandSeen(seat, action.seat, state.hands[action.seat]))
    if move == "walls" and action.taken:
        course.add(e.HeroRecovered(seat, action.taken))
    finish_step(course)


def spied_on(state: State, seat: int) -> list[int]:
    """Return the players whose hand a Spymaster can look at (K74), in seat order."""
    return [other for other, hand in enumerate(state.hands) if hand and other != seat]


def in_burn_pile(state: State) -> list[str]:
    """Return the Kingdom Heroes in the Burn pile, in its order."""
    return [card_id for card_id in state.burn if card_id in ROYAL]


def take(course: Course, seat: int, action: a.Take) -> None:
    """Take a card from the hand the spy is looking at."""
    other = course.state.look
    if action.card not in course.state.hands[other]:
        raise IllegalAction(gettext_noop("Take a card from the hand you are looking at."))
    course.add(e.CardStolen(seat, other, action.card))
    finish_step(course)


# The Not-So-Secret Move


def not_so_secret_move(course: Course, seat: int, action: a.NotSoSecret) -> None:
    """Take another player's Tower; those above it break (K43-K47). This shows cards, so drafts can't contain it."""
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
    course.add(e.TowerStolen(seat, action.cards, action.seat, tower, tuple(broken), to))
    finish_step(course)
