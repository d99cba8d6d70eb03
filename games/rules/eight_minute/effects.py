"""Automatic effects of a step: of tokens and towns that armies and cities reach (R25-R33), and of leaders (R32).

Each function reads the position before the step and returns the events that follow from it.
"""

from collections.abc import Iterable

from games.rules.eight_minute import events as e
from games.rules.eight_minute.scoring import controller
from games.rules.eight_minute.state import State, without
from games.rules.eight_minute.tokens import DRAGON, FACE_DOWN, ROGUES, gifts
from games.rules.protocol import Chance, Event, NeedsChance

TOKEN_DECK = "tokens-0"


# Tokens and towns


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
    """Yield the explore token and then the coins taken by the builder of the region's first city (R25, R33, R47).

    Turning up a face-down token can't be undone, so without `chance` this raises `NeedsChance` (R26).
    """
    place = state.map.regions[region]
    token = state.tokens[region] if state.tokens else ""
    if token == FACE_DOWN:
        if chance is None:
            raise NeedsChance
        token = state.faces[region] or chance.draw(TOKEN_DECK, state.pile)
        yield e.TokenGained(seat, place, token)
    elif token in state.rules.explore:
        yield e.TokenGained(seat, place, token)
    if state.towns and state.towns[region]:
        yield e.CoinsFound(seat, place, state.towns[region])


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


# Leaders. Without leaders in play, none of these do anything.


def leads(state: State, seat: int, kind: str) -> int:
    """Return the number of this ability on the seat's leader, or 0."""
    return gifts()[state.leaders[seat]].total(kind) if state.leaders else 0


def muster(state: State, seat: int, region: int) -> Iterable[Event]:
    """Add an army from the supply to White Knight's new city (R48)."""
    if state.supply[seat] and leads(state, seat, "musters"):
        return (e.ArmyMustered(seat, state.map.regions[region]),)
    return ()


def spoils(state: State, seat: int, owner: int) -> Iterable[Event]:
    """Red Sorceress keeps a destroyed army of another seat; Bandit King takes a coin from its owner (R49)."""
    if owner == seat or not state.leaders:
        return
    if leads(state, seat, "captures"):
        yield e.ArmyCaptured(seat, owner)
    if owner >= 0 and state.coins[owner] and leads(state, seat, "robs"):
        yield e.CoinRobbed(seat, owner)
