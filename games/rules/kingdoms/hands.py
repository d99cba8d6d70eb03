"""How cards change places. Only `evolve` calls these."""

from games.rules.kingdoms.deck import in_order
from games.rules.kingdoms.state import State

Cards = tuple[str, ...]


def gain(state: State, seat: int, cards: Cards) -> None:
    """Into the hand, face down."""
    if cards:
        state.hands[seat] = in_order((*state.hands[seat], *cards))


def lose(state: State, seat: int, cards: Cards) -> None:
    """Out of the hand, face-up ones too."""
    state.hands[seat] = tuple(one for one in state.hands[seat] if one not in cards)
    if state.shown[seat]:
        state.shown[seat] = tuple(one for one in state.shown[seat] if one not in cards)


def pass_on(state: State, giver: int, taker: int, cards: Cards) -> None:
    """From hand to hand."""
    lose(state, giver, cards)
    gain(state, taker, cards)


def burn(state: State, cards: Cards) -> None:
    """To the Burn pile."""
    state.burn += cards


def turn_towers(state: State, seat: int, cards: Cards) -> None:
    """These Towers no longer stand."""
    state.towers[seat] = tuple(one for one in state.towers[seat] if one not in cards)
