"""The value of a position of the Eight-Minute family for a seat: its current points and its prospects.

All values are points. They are guesses, tuned by self-play; near the end of the game they approach the plain score.
"""

from functools import lru_cache
from math import exp
from operator import add

from games.rules.eight_minute.edition import Ability, Card, edition
from games.rules.eight_minute.scoring import WILD, best_placing, held_by, won
from games.rules.eight_minute.scoring import goods_points as points
from games.rules.eight_minute.state import State
from games.rules.eight_minute.tokens import FACE_DOWN, gifts

CALM = 3  # turns per player before the end; until then, nothing is certain
COIN = 0.5
ARMY = 0.05
CITY = 0.4
GIFTS = {"army": 0.07, "movement": 0.06, "immune": 0.1}  # for each turn left
FLYING = (0.0, 0.06, 0.11, 0.12)  # for each turn left, by number of Flyings
COLLECTING = 0.35
WEIGHTS = {"citadel": 2.0, **dict.fromkeys(("carrot", "crystal", "coal", "anvil", "tree"), 1.6)}
WINS_TIES = 0.3
IN_REACH = 0.2  # a token where the seat has an army and might build
HALFWAY = 0.25  # toward a point that needs several of a thing
NEXT_GOOD = 0.45  # probability of getting one more good of a kind


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
    grips = []
    for colour in range(players):
        mine = holders.count(colour)
        lead = mine - max((holders.count(other) for other in set(holders) - {colour, -1}), default=0)
        if not mine:
            grips.append(0.0)
        else:
            grips.append(1 - open_ * 0.3 / lead if lead > 0 else open_ * 0.25 / (1 - lead))
    return _mine_less_theirs(grips, seat)


def _mine_less_theirs(values: list[float], seat: int) -> float:
    """Return the seat's value minus the rivals' average: with two players, each of their points is a lost one."""
    return values[seat] - (sum(values) - values[seat]) / (len(values) - 1)


# What a player has in front of them


def pieces(state: State, seat: int, turns: int) -> float:
    """Return the value of armies and cities on the map, bonuses for the remaining turns, and the race for elixirs."""
    # Cities outside the start are where the seat can place armies.
    cities = sum(1 for r, n in enumerate(state.cities[seat :: state.colours]) if n and r != state.start)
    on_map = sum(state.armies[seat :: state.colours]) * ARMY + cities * CITY
    bonuses = (
        state.more_armies[seat] * GIFTS["army"]
        + state.more_movement[seat] * GIFTS["movement"]
        + FLYING[min(state.flying[seat], 3)]
        + state.immune[seat] * GIFTS["immune"]
    )
    return on_map * min(1, turns / CALM) + bonuses * turns + elixirs(tuple(state.elixirs), seat, turns)


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
    sure = hoped = 0.0
    for card in mine:
        for ability in card.abilities:
            # What it scores now, plus what more cards of its family would add.
            if ability.kind == "per-coins":
                sure += ability.points * max(0, coins - turns / 2) / ability.n
            elif ability.kind == "per-card":
                more = COLLECTING * min(turns, _family(ability.of, free))
                sure += ability.points * (_family(ability.of, mine) + more)
            elif ability.kind == "per-flying":
                sure += ability.points * (_flyers(mine) + COLLECTING * min(turns, _flyers(free)))
            elif ability.kind == "whole-set":
                sure += ability.points * _completion(ability, mine, free, turns)
    for card in free if turns else ():
        for ability in card.abilities:
            # What the seat's cards may still score through an ability in the deck or the row.
            if ability.kind == "per-card":
                hoped += COLLECTING * ability.points * _family(ability.of, mine)
            elif ability.kind == "per-flying":
                hoped += COLLECTING * ability.points * _flyers(mine)
            elif ability.kind == "whole-set":
                hoped += COLLECTING * ability.points * _completion(ability, mine, free, turns)
    return purse + sure + hoped + larder(slug, tuple(mine), turns)


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


# Variants and the classic game: tokens, leaders and goods


def extras(state: State, seat: int, turns: int, open_: float) -> float:
    """Return the value of tokens gained and in reach, and of the leader; 0 if none are in play."""
    found = 0.0
    if state.won or state.towns:
        tokens = towns = 0
        if state.city_supply[seat]:
            # What the seat's next city might take.
            mine, explore = state.armies[seat :: state.colours], (FACE_DOWN, *state.rules.explore)
            tokens = sum(1 for token, n in zip(state.tokens, mine, strict=False) if n and token in explore)
            towns = sum(1 for coins, n in zip(state.towns, mine, strict=False) if n and coins)
        found += sum(_token(token) for token in won(state, seat)) + IN_REACH * min(3, tokens + towns) * open_
    if state.leaders:
        found += sum(
            ability.points * _part_done(state, seat, turns, ability)
            for ability in gifts()[state.leaders[seat]].abilities
            if ability.points
        )
    return found


@lru_cache(maxsize=1 << 5)
def _token(token: str) -> float:
    """Return a token's points. Its other effects count as armies, movements, elixirs and coins."""
    abilities = gifts()[token].abilities
    return sum(ability.points + (ability.kind == "wins-ties") * WINS_TIES for ability in abilities)


def _part_done(state: State, seat: int, turns: int, ability: Ability) -> float:
    """Return how many times, or how nearly, the seat meets the ability's condition."""
    if ability.kind == "whole-set":
        have = sum(state.rules.cards[card].family == ability.of for card in state.owned[seat])
        return 1.0 if have >= ability.n else HALFWAY * have if ability.n - have <= turns else 0.0
    if ability.kind == "no-supply":
        return max(float(not state.supply[seat]), 0.6 - state.supply[seat] / (1 + 3 * turns))
    if ability.kind == "per-captives":
        whole, rest = divmod(sum(state.captives), ability.n)
        return whole + (HALFWAY * rest if turns else 0.0)
    large = [len(isle) >= ability.n for isle in state.map.islands]
    return sum(holder == seat for holder, is_large in zip(held_by(state).islands, large, strict=True) if is_large)


@lru_cache(maxsize=1 << 12)
def larder(name: str, mine: tuple[Card, ...], turns: int) -> float:
    """Return what the goods score with wild cards placed best, plus what the next of each kind would add."""
    rules = edition(name)
    if not rules.goods:
        return 0.0
    totals = {good: sum(card.total("good") for card in mine if card.family == good) for good in (*rules.goods, WILD)}
    wilds = totals.pop(WILD)
    counts = tuple((good, n) for good, n in totals.items() if n)
    placed = best_placing(rules.slug, counts, wilds) if counts else ()
    owned = {good: n + more for (good, n), more in zip(counts, placed, strict=True)}
    idle = wilds * 0.5 if not counts and turns else 0.0
    return idle + sum(good_value(name, good, owned.get(good, 0), turns) for good in rules.goods)


@lru_cache(maxsize=1 << 12)
def good_value(name: str, good: str, n: int, turns: int) -> float:
    """Return the points for `n` of a good, or the hope for more: each further one is less likely."""
    rules = edition(name)
    now = points(rules, good, n)
    hopes = [
        (points(rules, good, n + more) - now) * NEXT_GOOD**more * (n > 0 or more == 1) for more in range(1, turns + 1)
    ]
    return now + max(hopes, default=0.0)
