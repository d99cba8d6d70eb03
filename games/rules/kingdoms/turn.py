"""The steps of a turn before its battle, and the end of the turn (sections 5 and 6)."""

from typing import Any

from games.rules.kingdoms import actions as a
from games.rules.kingdoms import events as e
from games.rules.kingdoms.allowed import may_build, may_burn, may_give_to, may_pick_up, must_attack, pickable
from games.rules.kingdoms.course import Course, draw, random_card, turn_up
from games.rules.kingdoms.deck import RANK_NAMES, card
from games.rules.kingdoms.epics import finish_step
from games.rules.kingdoms.market import check_purchase
from games.rules.kingdoms.rounds import end_turn
from games.rules.kingdoms.state import State, next_rank
from games.rules.kingdoms.worth import check_shown
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop


def draw_cards(course: Course, seat: int, action: a.Draw) -> None:
    """Draw one card plus one for each Tower; if the deck runs out, the rest comes from the Flop (K7, K9, K68, K70)."""
    state = course.state
    if state.flags.drawn:
        raise IllegalAction(gettext_noop("You have already drawn this turn."))
    count = 1 + len(state.towers[seat])
    course.commit()
    course.add(e.DrawBegun(seat, count))
    owed = min(draw(course, seat, count), len(state.flop))
    if owed:
        course.add(e.FlopOwed(seat, owed))
    else:
        finish_step(course)


def draw_from_flop(course: Course, seat: int, action: a.DrawFromFlop) -> None:
    """Take one of the cards owed from the Flop; Epics drawn before wait until all are taken (K70)."""
    _need_in_flop(course.state, action.card)
    course.add(e.FlopDrawn(seat, action.card))
    if not course.state.owed:
        finish_step(course)


def burn(course: Course, seat: int, action: a.Burn) -> None:
    """Burn one card of the Flop and replace it (K8, K69)."""
    _need_drawn(course.state)
    _need_in_flop(course.state, action.card)
    if not may_burn(course.state):
        raise IllegalAction(_why_not_burn(course.state))
    course.commit()
    course.add(e.CardBurned(seat, action.card))
    turn_up(course, seat)
    finish_step(course)


def _why_not_burn(state: State) -> str:
    if state.flags.burned:
        return gettext_noop("You have already burned a card this turn.")
    if state.flags.bought:
        return gettext_noop("You can only burn a card before you buy.")
    return gettext_noop("There is no card left to replace it.")


def buy(course: Course, seat: int, action: a.Buy) -> None:
    state = course.state
    _need_drawn(state)
    _need_in_hand(state, seat, action.give)
    for one in action.take:
        _need_in_flop(state, one)
    check_purchase(action.give, action.take)
    course.add(e.Bought(seat, action.give, action.take))
    finish_step(course)


def build(course: Course, seat: int, action: a.Build) -> None:
    """Build the next Tower from the ground up; the suit does not matter (K14, K17, K18)."""
    state, rank = course.state, next_rank(course.state, seat)
    _need_in_hand(state, seat, (action.card,))
    if not may_build(state):
        raise IllegalAction(_why_not_build(state))
    if card(action.card).rank != rank:
        raise IllegalAction(
            gettext_noop("The next Tower to build is the {rank}. Choose that card."), rank=RANK_NAMES[rank or ""]
        )
    course.add(e.TowerBuilt(seat, action.card))
    finish_step(course)


def _why_not_build(state: State) -> str:
    if state.flags.picked_up:
        return gettext_noop("You have taken back a Tower this turn, so you can’t build one.")
    return gettext_noop("You can’t build any more Towers this turn.")


def pick_up(course: Course, seat: int, action: a.PickUp) -> None:
    """Take the top Tower back into the hand (K15, K16, K80)."""
    state = course.state
    if not state.towers[seat]:
        raise IllegalAction(gettext_noop("You have no Tower to take back."))
    if not may_pick_up(state):
        raise IllegalAction(gettext_noop("You can take back one Tower per turn, and only if you build none."))
    course.add(e.TowerPickedUp(seat, state.towers[seat][-1]))
    finish_step(course)


def blind_pick(course: Course, seat: int, action: a.BlindPick) -> None:
    """Take a random card from a direct sub-kingdom, during the seat's turn or for its defence (K39)."""
    if action.seat not in pickable(course.state, seat):
        raise IllegalAction(gettext_noop("You can’t take a card from that player now."))
    course.add(e.CardPicked(seat, action.seat, random_card(course, action.seat)))
    finish_step(course)


def show(course: Course, seat: int, action: a.Show) -> None:
    """Show other cards face up (K55, K79)."""
    state = course.state
    check_shown(state.hands[seat], action.cards)
    if action.cards == state.shown[seat]:
        raise IllegalAction(gettext_noop("Those cards are already face up."))
    course.add(e.HandShown(seat, action.cards))
    finish_step(course)


def gift(course: Course, seat: int, action: a.Gift) -> None:
    """Give cards to the ruler or a direct sub-kingdom (K62). No draft may reveal whether this makes them win."""
    state = course.state
    if not state.options.collusion:
        raise IllegalAction(gettext_noop("Players can’t give each other cards in this game."))
    if action.seat not in may_give_to(state, seat):
        raise IllegalAction(gettext_noop("You can give cards only to your ruler or a direct sub-kingdom."))
    _need_in_hand(state, seat, action.cards)
    course.commit()
    course.add(e.Given(seat, action.seat, len(action.cards), action.cards))
    finish_step(course)


def end(course: Course, seat: int, action: a.End) -> None:
    _need_drawn(course.state)
    if must_attack(course.state):
        raise IllegalAction(
            gettext_noop("This is the last round, and you haven’t attacked yet. Attack before you end your turn.")
        )
    end_turn(course)


def _need_drawn(state: State) -> None:
    if not state.flags.drawn:
        raise IllegalAction(gettext_noop("Draw first."))


def _need_in_flop(state: State, one: str) -> None:
    if one not in state.flop:
        raise IllegalAction(gettext_noop("That card is not in the Flop. Choose another."))


def _need_in_hand(state: State, seat: int, cards: Any) -> None:
    if not set(cards) <= set(state.hands[seat]):
        raise IllegalAction(gettext_noop("That card is not in your hand. Choose another."))
