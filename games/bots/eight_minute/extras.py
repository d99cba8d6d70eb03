"""What variants and the classic game add to the value of a position: tokens, leaders and goods, in points."""

from functools import lru_cache

from games.rules.eight_minute.edition import Ability, Card, edition
from games.rules.eight_minute.scoring import WILD, best_placing, held_by, won
from games.rules.eight_minute.scoring import goods_points as points
from games.rules.eight_minute.state import State
from games.rules.eight_minute.tokens import FACE_DOWN, gifts

WINS_TIES = 0.3
IN_REACH = 0.2  # a token where the seat has an army and might build
HALFWAY = 0.25  # toward a point that needs several of a thing
NEXT_GOOD = 0.45  # probability of getting one more good of a kind


def extras(state: State, seat: int, turns: int, open_: float) -> float:
    """Return the value of tokens gained and in reach, and of the leader; 0 if none are in play."""
    found = 0.0
    if state.won or state.towns:
        found += sum(_token(token) for token in won(state, seat)) + _in_reach(state, seat) * open_
    if state.leaders:
        found += _leader(state, seat, turns)
    return found


@lru_cache(maxsize=1 << 5)
def _token(token: str) -> float:
    """Return a token's points. Its other effects count as armies, movements, elixirs and coins."""
    abilities = gifts()[token].abilities
    return sum(ability.points + (ability.kind == "wins-ties") * WINS_TIES for ability in abilities)


def _in_reach(state: State, seat: int) -> float:
    """Return the value of tokens and towns that the seat's next city might take."""
    if not state.city_supply[seat]:
        return 0.0
    mine = state.armies[seat :: state.colours]
    explore = (FACE_DOWN, *state.rules.explore)
    tokens = sum(1 for token, n in zip(state.tokens, mine, strict=False) if n and token in explore)
    towns = sum(1 for coins, n in zip(state.towns, mine, strict=False) if n and coins)
    return IN_REACH * min(3, tokens + towns)


def _leader(state: State, seat: int, turns: int) -> float:
    return sum(
        ability.points * _part_done(state, seat, turns, ability)
        for ability in gifts()[state.leaders[seat]].abilities
        if ability.points
    )


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
    return idle + sum(_good(name, good, owned.get(good, 0), turns) for good in rules.goods)


@lru_cache(maxsize=1 << 12)
def _good(name: str, good: str, n: int, turns: int) -> float:
    """Return the points for `n` of a good, or the hope for more: each further one is less likely."""
    rules = edition(name)
    now = points(rules, good, n)
    hopes = [
        (points(rules, good, n + more) - now) * NEXT_GOOD**more * (n > 0 or more == 1) for more in range(1, turns + 1)
    ]
    return now + max(hopes, default=0.0)
