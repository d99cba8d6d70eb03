"""Automatic effects when armies reach tokens, and cities reach tokens and towns.

Each function reads the position before the step and returns the events that follow from it.
"""

from collections.abc import Iterable

from games.rules.eight_minute import events as e
from games.rules.eight_minute.evolve_setup import without
from games.rules.eight_minute.scoring import controller
from games.rules.eight_minute.state import State
from games.rules.eight_minute.tokens import DRAGON, FACE_DOWN, ROGUES
from games.rules.protocol import Chance, Event, NeedsChance

TOKEN_DECK = "tokens-0"


def dragon(state: State, seat: int, region: int) -> Iterable[Event]:
    """Slay the dragon if one more army there makes six, or the number chosen by the option (R28, R54)."""
    if state.tokens[region] != DRAGON:
        return ()
    armies = sum(state.armies[region * state.colours : (region + 1) * state.colours]) + 1
    return (e.DragonSlain(seat, state.map.regions[region]),) if armies >= int(state.options.dragon) else ()


def rogues(state: State, seat: int, region: int) -> Iterable[Event]:
    """Take a coin from a player who moves an army to the rogues, if they have one (R30, R55)."""
    if state.tokens[region] != ROGUES or not state.coins[seat]:
        return ()
    return (e.TollPaid(seat, state.map.regions[region]),)


def finds(state: State, seat: int, region: int, chance: Chance | None) -> Iterable[Event]:
    """Yield the explore token and then the coins taken by the builder of the region's first city (R25, R33, R47)."""
    place = state.map.regions[region]
    if state.tokens and state.tokens[region] in (FACE_DOWN, *state.rules.explore):
        yield e.TokenGained(seat, place, _face(state, region, chance))
    if state.towns and state.towns[region]:
        yield e.CoinsFound(seat, place, state.towns[region])


def _face(state: State, region: int, chance: Chance | None) -> str:
    """Return a token's face. Turning it up can't be undone, so without `chance` this raises `NeedsChance` (R26)."""
    if state.tokens[region] != FACE_DOWN:
        return state.tokens[region]
    if chance is None:
        raise NeedsChance
    return state.faces[region] or chance.draw(TOKEN_DECK, state.pile)


def looks(state: State, seat: int, chance: Chance) -> Iterable[e.TokenSeen]:
    """Yield the looks at the end of a turn: at every face-down token in a region the seat then controls (R26, R52)."""
    pile = state.pile
    for region in state.unseen[seat]:
        if state.armies[region * state.colours + seat] + state.cities[region * state.colours + seat] and (
            controller(state, region) == seat
        ):
            face = state.faces[region] or chance.draw(TOKEN_DECK, pile)
            pile = pile if state.faces[region] else without(pile, face)
            yield e.TokenSeen(seat, state.map.regions[region], face)
