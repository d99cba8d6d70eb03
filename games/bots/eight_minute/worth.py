"""The value of a position of the Eight-Minute family for a seat: its current points and its prospects.

All values are points. They are guesses, tuned by self-play; near the end of the game they approach the plain score.
"""

from functools import lru_cache
from math import exp
from operator import add

from games.bots.eight_minute.extras import extras, larder
from games.rules.eight_minute.edition import Ability, Card, edition
from games.rules.eight_minute.state import State

CALM = 3  # turns per player before the end; until then, nothing is certain
COIN = 0.5
ARMY = 0.05
CITY = 0.4
GIFTS = {"army": 0.07, "movement": 0.06, "immune": 0.1}  # for each turn left
FLYING = (0.0, 0.06, 0.11, 0.12)  # for each turn left, by number of Flyings
COLLECTING = 0.35
WEIGHTS = {"citadel": 2.0, **dict.fromkeys(("carrot", "crystal", "coal", "anvil", "tree"), 1.6)}


def worth(state: State, seat: int) -> float:
    """Return the value of the position for the seat, relative to the other players."""
    turns = max(0, state.cards_owned - len(state.owned[seat]))
    return (
        board(state, seat, openness(state))
        + holdings(state.edition, seat, turns, tuple(map(tuple, state.owned)), state.coins[seat])
        + pieces(state, seat, turns)
        + extras(state, seat, turns, openness(state))
    )


def openness(state: State) -> float:
    """Return 1 if much can still change, down to 0 at the end of the game."""
    turns = state.cards_owned * state.players - sum(map(len, state.owned))
    return min(1.0, max(0, turns) / (CALM * state.players))


# The map


def board(state: State, seat: int, open_: float) -> float:
    """Return the value of regions and islands; a citadel doubles a region, a good nearly does."""
    colours, players = state.colours, state.players
    strength = list(map(add, state.armies, state.cities))
    held = [
        region(tuple(strength[first : first + colours]), seat, players, open_)
        for first in range(0, len(strength), colours)
    ]
    holders = [holder for _, holder in held]
    isles = sum(island(tuple([holders[r] for r in isle]), seat, players, open_) for isle in state.map.islands)
    if not state.tokens:
        return sum(value for value, _ in held) + isles
    return (
        sum(value * weight for (value, _), weight in zip(held, weights(state.tokens, len(held)), strict=True)) + isles
    )


@lru_cache(maxsize=1 << 10)
def weights(tokens: tuple[str, ...], regions: int) -> tuple[float, ...]:
    """Return the weight of each region."""
    return tuple(WEIGHTS.get(token, 1.0) for token in tokens) or (1.0,) * regions


@lru_cache(maxsize=1 << 16)
def region(counts: tuple[int, ...], seat: int, players: int, open_: float) -> tuple[float, int]:
    """Return a region's value, given its armies and cities by colour, and its controller (-1 for nobody)."""
    grips = [grip(counts, colour, open_) for colour in range(players)]
    most = max(counts)
    return _mine_less_theirs(grips, seat), counts.index(most) if most and counts.count(most) == 1 else -1


def grip(counts: tuple[int, ...], colour: int, open_: float) -> float:
    """Return how certainly a colour will control the region at the end."""
    mine = counts[colour]
    if not mine:
        return 0.0
    margin = mine - max(counts[:colour] + counts[colour + 1 :])
    if margin > 0:
        return 1 - open_ * 0.4 * exp(-0.7 * (margin - 1))
    return open_ * 0.3 * exp(0.7 * margin)


@lru_cache(maxsize=1 << 16)
def island(holders: tuple[int, ...], seat: int, players: int, open_: float) -> float:
    """Return an island's value, given the controllers of its regions."""
    return _mine_less_theirs([_island_grip(holders, colour, open_) for colour in range(players)], seat)


def _island_grip(holders: tuple[int, ...], colour: int, open_: float) -> float:
    mine = holders.count(colour)
    if not mine:
        return 0.0
    lead = mine - max((holders.count(other) for other in set(holders) - {colour, -1}), default=0)
    return 1 - open_ * 0.3 / lead if lead > 0 else open_ * 0.25 / (1 - lead)


def _mine_less_theirs(values: list[float], seat: int) -> float:
    """Return the seat's value minus the rivals' average: with two players, each of their points is a lost one."""
    return values[seat] - (sum(values) - values[seat]) / (len(values) - 1)


# What a player has in front of them


def pieces(state: State, seat: int, turns: int) -> float:
    """Return the value of armies and cities on the map, bonuses for the remaining turns, and the race for elixirs."""
    on_map = sum(state.armies[seat :: state.colours]) * ARMY + _towns(state, seat) * CITY
    gifts = (
        state.more_armies[seat] * GIFTS["army"]
        + state.more_movement[seat] * GIFTS["movement"]
        + FLYING[min(state.flying[seat], 3)]
        + state.immune[seat] * GIFTS["immune"]
    )
    return on_map * min(1, turns / CALM) + gifts * turns + elixirs(tuple(state.elixirs), seat, turns)


def _towns(state: State, seat: int) -> int:
    """Return the number of regions other than the start where the seat can place armies next to a city."""
    return len([r for r, n in enumerate(state.cities[seat :: state.colours]) if n and r != state.start])


@lru_cache(maxsize=1 << 12)
def elixirs(counts: tuple[int, ...], seat: int, turns: int) -> float:
    """Return the expected part of the two points for most elixirs."""
    mine, best = counts[seat], max(counts[:seat] + counts[seat + 1 :])
    return 2 / (1 + exp((best - mine) / (0.1 + 0.3 * turns))) if mine else 0.0


@lru_cache(maxsize=1 << 12)
def holdings(slug: str, seat: int, turns: int, owned: tuple[tuple[str, ...], ...], coins: int) -> float:
    """Return the value of coins, and of what the seat's cards score or may still score."""
    cards = edition(slug).cards
    mine = [cards[card] for card in owned[seat]]
    gone = {card for cards in owned for card in cards}
    free = [card for card in cards.values() if card.id not in gone and card.players <= len(owned)]
    purse = COIN * min(coins, 1.5 * turns) + 0.02 * coins
    sure = sum(_ability(ability, mine, free, turns, coins) for card in mine for ability in card.abilities)
    hoped = sum(_hope(ability, mine, free, turns) for card in free for ability in card.abilities)
    return purse + sure + hoped + larder(slug, tuple(mine), turns)


def _ability(ability: Ability, mine: list[Card], free: list[Card], turns: int, coins: int) -> float:
    """Return what the seat's ability scores now, plus what more cards of its family would add."""
    if ability.kind == "per-coins":
        return ability.points * max(0, coins - turns / 2) / ability.n
    if ability.kind == "per-card":
        return ability.points * (_family(ability.of, mine) + COLLECTING * min(turns, _family(ability.of, free)))
    if ability.kind == "per-flying":
        return ability.points * (_flyers(mine) + COLLECTING * min(turns, _flyers(free)))
    if ability.kind == "whole-set":
        return ability.points * _completion(ability, mine, free, turns)
    return 0.0


def _hope(ability: Ability, mine: list[Card], free: list[Card], turns: int) -> float:
    """Return what the seat's cards may still score through an ability in the deck or the row."""
    if not turns:
        return 0.0
    if ability.kind == "per-card":
        return COLLECTING * ability.points * _family(ability.of, mine)
    if ability.kind == "per-flying":
        return COLLECTING * ability.points * _flyers(mine)
    if ability.kind == "whole-set":
        return COLLECTING * ability.points * _completion(ability, mine, free, turns)
    return 0.0


def _completion(ability: Ability, mine: list[Card], free: list[Card], turns: int) -> float:
    """Return 0 if the set is out of reach, up to 1 if it is complete."""
    have, wanted = _family(ability.of, mine), ability.n - _family(ability.of, mine)
    if not wanted:
        return 1.0
    return (have / ability.n) ** 2 * 0.6 if wanted <= min(turns, _family(ability.of, free)) else 0.0


def _family(name: str, cards: list[Card]) -> int:
    return sum(card.family == name for card in cards)


def _flyers(cards: list[Card]) -> int:
    return sum(card.total("flying") for card in cards)
