"""The value of a position of the Eight-Minute family for a seat: its current points and its prospects.

All values are points. They are guesses; near the end of the game they approach the plain score. Medium's weights were
set by hand. Those of the stronger levels were trained by self-play (`games/bots/eight_minute/training.py`).
"""

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from math import comb, exp
from operator import add
from pathlib import Path
from typing import NamedTuple

from games.rules.eight_minute.edition import Ability, Card, Edition, edition
from games.rules.eight_minute.scoring import WILD, best_placing, held_by, won
from games.rules.eight_minute.scoring import goods_points as points
from games.rules.eight_minute.state import State
from games.rules.eight_minute.tokens import FACE_DOWN, gifts
from games.rules.fairness import Quick

TRAINED = Path(__file__).with_name("weights.toml")
VARIANTS, VARIATION = 6, 0.4  # of the trained weights: how many, and the standard deviation of their logarithms
UNIFORMS = 12  # summed up, numbers from 0 to 1 are nearly normal, with a variance of 1


class Weights(NamedTuple):
    """The value of each thing, in points unless its comment says otherwise. The defaults are Medium's."""

    settling_turns: float = 3  # turns of each player before the end; until then, nothing on the map is certain
    coin: float = 0.5  # a coin, while there are at most `coin_turns` for each turn left
    coin_turns: float = 1.5  # coins
    coin_left: float = 0.02  # any coin
    army: float = 0.05  # on the map
    city: float = 0.4  # on the map, outside the start region
    more_army: float = 0.07  # one more army for each placement, for each turn left, as are the next four
    more_movement: float = 0.06
    immune: float = 0.1
    flying: float = 0.06
    second_flying: float = 0.05
    elixir_last: float = 0.1  # a lead that probably wins the race for elixirs: in elixirs, at the end,
    elixir_turn: float = 0.3  # and how much more for each turn left
    collecting: float = 0.35  # the chance of getting a card that counts
    hoped: float = 0.175  # the chance of getting both a card and the card that makes it count
    unfinished: float = 0.6  # a set that can still be completed: the share of its points
    next_good: float = 0.45  # the chance of getting one more good of a kind, unless `take_base` is set
    lone_wild: float = 0.5  # a wild good without any other
    lost: float = 0.4  # the chance that a region held by one army is lost
    lost_decay: float = 0.7  # each further army divides it by the exponential of this
    won: float = 0.3  # the chance that a tied region is won
    won_decay: float = 0.7  # each missing army divides it by the exponential of this
    island_lost: float = 0.3  # the same for islands, by their regions
    island_won: float = 0.25
    rivals: float = 1.0  # a point of the average opponent
    deny: float = 0.0  # a point that a card would bring to someone else
    take_base: float = 0.0  # a copy of a good that may still be turned up is had by a player with `n` of that good
    take_more: float = 0.0  # with a chance of 1 - exp(-take_base - take_more * n)


MEDIUM = Weights()


@cache
def trained(slug: str, players: int) -> Weights:
    """Return the weights that self-play found for an edition and this number of players, or else for fewer.

    Without any, they are Medium's.
    """
    by_players = tomllib.loads(TRAINED.read_text(encoding="utf-8")).get(slug, {})
    fewer = [int(number) for number in by_players if int(number) <= players]
    return Weights(**by_players[str(max(fewer))]["weights"]) if fewer else MEDIUM


@cache
def variants(slug: str, players: int) -> tuple[Weights, ...]:
    """Return the trained weights changed at random in several ways, for players who do not all misjudge the same."""
    weights, chance = trained(slug, players), Quick(players)

    def varied(weight: float) -> float:
        normal = sum(chance.below(1001) / 1000 for _uniform in range(UNIFORMS)) - UNIFORMS / 2
        return weight * exp(VARIATION * normal)

    return tuple(
        Weights(*map(varied, weights))._replace(settling_turns=weights.settling_turns) for _variant in range(VARIANTS)
    )


THIRD_FLYING = 0.01  # and all after it, for each turn left
TOKENS = {"citadel": 2.0, **dict.fromkeys(("carrot", "crystal", "coal", "anvil", "tree"), 1.6)}
WINS_TIES = 0.3
IN_REACH = 0.2  # a token where the seat has an army and might build
HALFWAY = 0.25  # toward a point that needs several of a thing


def evaluate(state: State, seat: int, weights: Weights = MEDIUM) -> float:
    """Return the value of the position for the seat, relative to the other players."""
    turns, open_ = max(0, state.cards_owned - len(state.owned[seat])), openness(state, weights)
    return (
        board(state, seat, open_, weights)
        + holdings(state.edition, seat, turns, tuple(map(tuple, state.owned)), state.coins[seat], weights)
        + pieces(state, seat, turns, weights)
        + extras(state, seat, turns, open_)
    )


def openness(state: State, weights: Weights = MEDIUM) -> float:
    """Return 1 if much can still change, down to 0 at the end of the game."""
    turns = state.cards_owned * state.players - sum(map(len, state.owned))
    return min(1.0, max(0, turns) / (weights.settling_turns * state.players))


# The map


def board(state: State, seat: int, open_: float, weights: Weights) -> float:
    """Return the value of regions and islands; a citadel doubles a region, a good nearly does."""
    colours, players = state.colours, state.players
    strength = list(map(add, state.armies, state.cities))
    held = [
        region(tuple(strength[first : first + colours]), seat, players, open_, weights)
        for first in range(0, len(strength), colours)
    ]
    holders = [holder for _, holder in held]
    islands = sum(
        island(tuple([holders[r] for r in island_regions]), seat, players, open_, weights)
        for island_regions in state.map.islands
    )
    if not state.tokens:
        return sum(value for value, _ in held) + islands
    return sum(value * scale for (value, _), scale in zip(held, scales(state.tokens, len(held)), strict=True)) + islands


@lru_cache(maxsize=1 << 10)
def scales(tokens: tuple[str, ...], regions: int) -> tuple[float, ...]:
    """Return by how much more each region counts because of its token."""
    return tuple(TOKENS.get(token, 1.0) for token in tokens) or (1.0,) * regions


@lru_cache(maxsize=1 << 16)
def region(
    counts: tuple[int, ...], seat: int, players: int, open_: float, weights: Weights
) -> tuple[float, int]:  # fmt: skip
    """Return a region's value, given its armies and cities by color, and its controller (-1 for nobody)."""
    controls = [control(counts, colour, open_, weights) for colour in range(players)]
    most = max(counts)
    holder = counts.index(most) if most and counts.count(most) == 1 else -1
    return _mine_less_theirs(controls, seat, weights.rivals), holder


def control(counts: tuple[int, ...], colour: int, open_: float, weights: Weights) -> float:
    """Return how certainly a color will control the region at the end."""
    mine = counts[colour]
    if not mine:
        return 0.0
    margin = mine - max(counts[:colour] + counts[colour + 1 :])
    if margin > 0:
        return 1 - open_ * weights.lost * exp(-weights.lost_decay * (margin - 1))
    return open_ * weights.won * exp(weights.won_decay * margin)


@lru_cache(maxsize=1 << 16)
def island(holders: tuple[int, ...], seat: int, players: int, open_: float, weights: Weights) -> float:
    """Return an island's value, given the controllers of its regions."""
    controls = []
    for colour in range(players):
        mine = holders.count(colour)
        lead = mine - max((holders.count(other) for other in set(holders) - {colour, -1}), default=0)
        if not mine:
            controls.append(0.0)
        else:
            island_won, island_lost = open_ * weights.island_won, open_ * weights.island_lost
            controls.append(1 - island_lost / lead if lead > 0 else island_won / (1 - lead))
    return _mine_less_theirs(controls, seat, weights.rivals)


def _mine_less_theirs(values: list[float], seat: int, rivals: float) -> float:
    """Return the seat's value minus the rivals' average: with two players, each of their points is a lost one."""
    return values[seat] - rivals * (sum(values) - values[seat]) / (len(values) - 1)


# What a player has in front of them


def pieces(state: State, seat: int, turns: int, weights: Weights = MEDIUM) -> float:
    """Return the value of armies and cities on the map, bonuses for the remaining turns, and the race for elixirs."""
    # Cities outside the start are where the seat can place armies.
    cities = sum(1 for r, n in enumerate(state.cities[seat :: state.colours]) if n and r != state.start)
    on_map = sum(state.armies[seat :: state.colours]) * weights.army + cities * weights.city
    bonuses = (
        state.more_armies[seat] * weights.more_army
        + state.more_movement[seat] * weights.more_movement
        + value_of_flying(state.flying[seat], weights)
        + state.immune[seat] * weights.immune
    )
    return (
        on_map * min(1, turns / weights.settling_turns)
        + bonuses * turns
        + elixirs(tuple(state.elixirs), seat, turns, weights)
    )


def value_of_flying(flying: int, weights: Weights) -> float:
    """Return the value of this many Flyings for each turn left."""
    return sum((0.0, weights.flying, weights.second_flying, THIRD_FLYING)[: flying + 1])


@lru_cache(maxsize=1 << 12)
def elixirs(counts: tuple[int, ...], seat: int, turns: int, weights: Weights) -> float:
    """Return the expected part of the two points for most elixirs."""
    mine, best = counts[seat], max(counts[:seat] + counts[seat + 1 :])
    return 2 / (1 + exp((best - mine) / (weights.elixir_last + weights.elixir_turn * turns))) if mine else 0.0


@lru_cache(maxsize=1 << 12)
def holdings(
    slug: str, seat: int, turns: int, owned: tuple[tuple[str, ...], ...], coins: int, weights: Weights = MEDIUM
) -> float:
    """Return the value of coins, and of what the seat's cards score or may still score."""
    cards = edition(slug).cards
    own_cards = [cards[card] for card in owned[seat]]
    taken = {card for cards in owned for card in cards}
    free = [card for card in cards.values() if card.id not in taken and card.players <= len(owned)]
    purse = weights.coin * min(coins, weights.coin_turns * turns) + weights.coin_left * coins
    collecting = weights.collecting
    sure = hoped = 0.0
    for card in own_cards:
        for ability in card.abilities:
            # What it scores now, plus what more cards of its family would add.
            if ability.kind == "per-coins":
                sure += ability.points * max(0, coins - turns / 2) / ability.n
            elif ability.kind == "per-card":
                more = collecting * min(turns, _family(ability.of, free))
                sure += ability.points * (_family(ability.of, own_cards) + more)
            elif ability.kind == "per-flying":
                sure += ability.points * (_flyers(own_cards) + collecting * min(turns, _flyers(free)))
            elif ability.kind == "whole-set":
                sure += ability.points * _completion(ability, own_cards, free, turns, weights)
    for card in free if turns else ():
        for ability in card.abilities:
            # What the seat's cards may still score through an ability in the deck or the row.
            if ability.kind == "per-card":
                hoped += collecting * ability.points * _family(ability.of, own_cards)
            elif ability.kind == "per-flying":
                hoped += collecting * ability.points * _flyers(own_cards)
            elif ability.kind == "whole-set":
                hoped += collecting * ability.points * _completion(ability, own_cards, free, turns, weights)
    return purse + sure + hoped + goods(slug, seat, turns, owned, free, weights)


def _completion(ability: Ability, mine: list[Card], free: list[Card], turns: int, weights: Weights) -> float:
    """Return 0 if the set is out of reach, up to 1 if it is complete."""
    have, wanted = _family(ability.of, mine), ability.n - _family(ability.of, mine)
    if not wanted:
        return 1.0
    return (have / ability.n) ** 2 * weights.unfinished if wanted <= min(turns, _family(ability.of, free)) else 0.0


def _family(name: str, cards: list[Card]) -> int:
    return sum(card.family == name for card in cards)


def _flyers(cards: list[Card]) -> int:
    return sum(card.total("flying") for card in cards)


# Variants and the classic game: tokens, leaders and goods


def extras(state: State, seat: int, turns: int, open_: float) -> float:
    """Return the value of tokens gained and in reach, and of the leader; 0 if none are in play."""
    worth = 0.0
    if state.won or state.towns:
        tokens = towns = 0
        if state.city_supply[seat]:
            # What the seat's next city might take.
            mine, explore = state.armies[seat :: state.colours], (FACE_DOWN, *state.rules.explore)
            tokens = sum(1 for token, n in zip(state.tokens, mine, strict=False) if n and token in explore)
            towns = sum(1 for coins, n in zip(state.towns, mine, strict=False) if n and coins)
        worth += sum(_token(token) for token in won(state, seat)) + IN_REACH * min(3, tokens + towns) * open_
    if state.leaders:
        worth += sum(
            ability.points * _part_done(state, seat, turns, ability)
            for ability in gifts()[state.leaders[seat]].abilities
            if ability.points
        )
    return worth


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
    large = [len(island) >= ability.n for island in state.map.islands]
    return sum(holder == seat for holder, is_large in zip(held_by(state).islands, large, strict=True) if is_large)


def goods(
    slug: str, seat: int, turns: int, owned: tuple[tuple[str, ...], ...], free: list[Card], weights: Weights
) -> float:
    """Return the value of the seat's goods, less a share of that of others (`deny`). `free`: cards nobody owns."""
    rules = edition(slug)
    if not rules.goods:
        return 0.0
    takes = rules.cards_owned[len(owned) - 2] * len(owned) - sum(map(len, owned))
    drawn = (len(rules.prices) - 1 + takes) / max(1, len(free))
    left = copies(rules, {good: sum(c.total("good") for c in free if c.family == good) for good in rules.goods}, drawn)
    worth = 0.0
    for other, cards in enumerate(owned):
        share = 1.0 if other == seat else -weights.deny
        if share:
            own_cards = [rules.cards[card] for card in cards]
            held = [
                (good, sum(c.total("good") for c in own_cards if c.family == good)) for good in (*rules.goods, WILD)
            ]
            hopes = weights.next_good, weights.lone_wild, weights.take_base, weights.take_more
            worth += share * value_of_goods(slug, tuple(held), turns, left, *hopes)
    return worth


def copies(rules: Edition, free: Mapping[str, int], drawn: float) -> tuple[int, ...]:
    """Return about how many of each good will still be turned up, given those that nobody owns and the share drawn."""
    return tuple([int(free.get(good, 0) * min(1.0, drawn) + 0.5) for good in rules.goods])


@lru_cache(maxsize=1 << 16)
def value_of_goods(
    name: str, held: tuple[tuple[str, int], ...], turns: int, left: tuple[int, ...],
    next_good: float, lone_wild: float, take_base: float, take_more: float,
) -> float:  # fmt: skip
    """Return what goods score with wild cards placed best, and may still score, given how many of each are held."""
    rules = edition(name)
    wilds = dict(held)[WILD]
    counts = tuple((good, n) for good, n in held if n and good != WILD)
    placed = best_placing(rules.id, counts, wilds) if counts else ()
    owned = {good: n + more for (good, n), more in zip(counts, placed, strict=True)}
    loose = wilds * lone_wild if not counts and turns else 0.0
    if not take_base:
        return loose + sum(good_value(name, good, owned.get(good, 0), turns, next_good) for good in rules.goods)
    return loose + sum(
        expected_value(name, good, owned.get(good, 0), min(turns, more), take_base, take_more)
        for good, more in zip(rules.goods, left, strict=True)
    )


@lru_cache(maxsize=1 << 14)
def expected_value(name: str, good: str, n: int, left: int, take_base: float, take_more: float) -> float:
    """Return the expected points for a good of which `n` are held, if each of the copies left may be had."""
    rules, chance = edition(name), 1 - exp(-take_base - take_more * n)
    return sum(
        comb(left, more) * chance**more * (1 - chance) ** (left - more) * points(rules, good, n + more)
        for more in range(left + 1)
    )


@lru_cache(maxsize=1 << 12)
def good_value(name: str, good: str, n: int, turns: int, next_good: float) -> float:
    """Return the points for `n` of a good, or the hope for more: each further one is less likely."""
    rules = edition(name)
    now = points(rules, good, n)
    hopes = [
        (points(rules, good, n + more) - now) * next_good**more * (n > 0 or more == 1) for more in range(1, turns + 1)
    ]
    return now + max(hopes, default=0.0)
