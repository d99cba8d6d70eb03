"""Turns: the deal, the steps of a turn before its battle, its end, and the Final Showdown (sections 4, 5, 6 and 12)."""

from collections.abc import Iterable

from games.rules.kingdoms import actions as a
from games.rules.kingdoms import events as e
from games.rules.kingdoms.course import (
    CONQUEST,
    QUICKPLAY,
    SHOWDOWN,
    Course,
    after_step,
    draw,
    end_game,
    fill,
    must_hold,
    random_card,
)
from games.rules.kingdoms.deck import COMMANDING, RANK_NAMES, card
from games.rules.kingdoms.legal import may_build, may_burn, may_give_to, may_pick_up, must_attack, pickable, targets
from games.rules.kingdoms.market import check_purchase
from games.rules.kingdoms.options import QUICK_ROUNDS
from games.rules.kingdoms.powers import finish_step
from games.rules.kingdoms.realm import conqueror
from games.rules.kingdoms.scoring import richest, strongest
from games.rules.kingdoms.state import FLOP, State, all_cards, clockwise, next_rank
from games.rules.kingdoms.values import check_shown
from games.rules.protocol import IllegalAction
from games.rules.words import by_name, gettext_noop

HAND = 5


def deal(course: Course, number: int) -> None:
    """Deal hands and Flop, shuffle in the Epics and Bosses afterwards (K3), and begin the first turn (K2)."""
    state, chance = course.state, course.commit()
    cards = [card_id for card_id in all_cards(state.options, state.players) if card_id not in COMMANDING]
    first, name = chance.below(state.players), f"deal-{number}"

    def dealt(count: int) -> tuple[str, ...]:
        cards_dealt = []
        for _ in range(count):
            cards_dealt.append(chance.draw(name, cards))
            cards.remove(cards_dealt[-1])
        return tuple(cards_dealt)

    course.add(e.Dealt(number, first, tuple(dealt(HAND) for _ in state.seats), dealt(FLOP)))
    _begin_turn(course, first, 1)


def _begin_turn(course: Course, seat: int, number: int, changed: Iterable[int] | None = None) -> None:
    """Begin a turn: end the Truce, check a conquest that held, fill the Flop, then victories and Epics (K67).

    `changed` are the seats whose hands can have changed since the last step, by default all.
    """
    state = course.state
    course.add(e.TurnBegun(seat, number))
    if must_hold(state) and conqueror(state.rulers) == seat:  # K41
        end_game(course, CONQUEST, [seat])
        return
    fill(course, seat)
    finish_step(course, changed)


# The steps of a turn


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
        finish_step(course, (seat,))


def draw_from_flop(course: Course, seat: int, action: a.DrawFromFlop) -> None:
    """Take one of the cards owed from the Flop; Epics drawn before wait until all are taken (K70)."""
    _need_in_flop(course.state, action.card)
    course.add(e.FlopDrawn(seat, action.card))
    if not course.state.owed:
        finish_step(course, (seat,))


def burn(course: Course, seat: int, action: a.Burn) -> None:
    """Burn one card of the Flop and replace it (K8, K69)."""
    state = course.state
    _need_drawn(state)
    _need_in_flop(state, action.card)
    if not may_burn(state):
        if state.flags.burned:
            raise IllegalAction(gettext_noop("You have already burned a card this turn."))
        if state.flags.bought:
            raise IllegalAction(gettext_noop("You can only burn a card before you buy."))
        raise IllegalAction(gettext_noop("There is no card left to replace it."))
    course.commit()
    course.add(e.CardBurned(seat, action.card))
    fill(course, seat, len(state.flop) + 1)
    finish_step(course, (seat,))


def buy(course: Course, seat: int, action: a.Buy) -> None:
    """Exchange cards of the hand for cards of the Flop with the same number of dots (K10)."""
    state = course.state
    _need_drawn(state)
    _need_in_hand(state, seat, action.give)
    for card_id in action.take:
        _need_in_flop(state, card_id)
    check_purchase(action.give, action.take)
    course.add(e.Bought(seat, action.give, action.take))
    finish_step(course, (seat,))


def build(course: Course, seat: int, action: a.Build) -> None:
    """Build the next Tower from the ground up; the suit does not matter (K14, K17, K18)."""
    state, rank = course.state, next_rank(course.state, seat)
    _need_in_hand(state, seat, (action.card,))
    if not may_build(state):
        if state.flags.picked_up:
            raise IllegalAction(gettext_noop("You have picked up a Tower this turn, so you can’t build one."))
        raise IllegalAction(gettext_noop("You can’t build any more Towers this turn."))
    if card(action.card).rank != rank:
        raise IllegalAction(
            gettext_noop("The next Tower to build is the {rank}. Choose that card."),
            rank=by_name(RANK_NAMES[rank or ""]),
        )
    course.add(e.TowerBuilt(seat, action.card))
    finish_step(course, (seat,))


def pick_up(course: Course, seat: int, action: a.PickUp) -> None:
    """Take the top Tower back into the hand (K15, K16, K80)."""
    state = course.state
    if not state.towers[seat]:
        raise IllegalAction(gettext_noop("You have no Tower to pick up."))
    if not may_pick_up(state):
        raise IllegalAction(gettext_noop("You can pick up one Tower per turn, and only if you build none."))
    course.add(e.TowerPickedUp(seat, state.towers[seat][-1]))
    finish_step(course, (seat,))


def blind_pick(course: Course, seat: int, action: a.BlindPick) -> None:
    """Take a random card from a direct sub-kingdom, during the seat's turn or for its defense (K39)."""
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


def _need_in_flop(state: State, card_id: str) -> None:
    if card_id not in state.flop:
        raise IllegalAction(gettext_noop("That card is not in the Flop. Choose another."))


def _need_in_hand(state: State, seat: int, cards: tuple[str, ...]) -> None:
    hand = state.hands[seat]
    for card_id in cards:
        if card_id not in hand:
            raise IllegalAction(gettext_noop("That card is not in your hand. Choose another."))


# After the turn


def end_turn(course: Course) -> None:
    """End the active player's turn, then the game after three rounds, or begin the next turn or the Showdown (K91)."""
    state = course.state
    course.add(e.TurnEnded(state.active))
    if course.chance is None:
        return
    following = (state.active + 1) % state.players
    is_new_round = following == state.first
    if state.options.quick and is_new_round and state.round == QUICK_ROUNDS:
        end_game(course, QUICKPLAY, richest(state))
    elif state.deck or state.burn or state.flop:
        _begin_turn(course, following, state.round + is_new_round, (following,))
    else:
        course.add(e.ShowdownBegun())
        if not after_step(course):
            next_challenge(course)


def next_challenge(course: Course) -> None:
    """Make the next player with a card and a target attack in the Final Showdown (K58).

    If there is none, the most Towers win; if those are tied, deal again (K59, K91).
    """
    state = course.state
    for seat in (*clockwise(state, state.active), state.active):
        if state.hands[seat] and targets(state, seat):
            course.add(e.ShowdownTurn(seat))
            return
    winners = strongest(state)
    if len(winners) == 1:
        end_game(course, SHOWDOWN, winners)
    else:
        deal(course, state.deal + 1)
