"""Moving cards. Only `evolve` calls these functions."""

from games.rules.kingdoms.deck import in_order
from games.rules.kingdoms.state import State

Cards = tuple[str, ...]


def gain(state: State, seat: int, cards: Cards) -> None:
    """Add the cards to the hand, face down."""
    if cards:
        state.hands[seat] = in_order((*state.hands[seat], *cards))


def lose(state: State, seat: int, cards: Cards) -> None:
    """Remove the cards from the hand, including face-up ones."""
    state.hands[seat] = tuple(one for one in state.hands[seat] if one not in cards)
    if state.shown[seat]:
        state.shown[seat] = tuple(one for one in state.shown[seat] if one not in cards)


def pass_on(state: State, giver: int, taker: int, cards: Cards) -> None:
    """Move the cards from one hand to another."""
    lose(state, giver, cards)
    gain(state, taker, cards)


def burn(state: State, cards: Cards) -> None:
    """Put the cards on the Burn pile."""
    state.burn += cards


def turn_towers(state: State, seat: int, cards: Cards) -> None:
    """Remove these Towers."""
    state.towers[seat] = tuple(one for one in state.towers[seat] if one not in cards)
