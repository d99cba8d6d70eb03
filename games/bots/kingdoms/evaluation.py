"""The winning chances in a position of Kingdoms, learned from games of the quick player with itself.

Each seat has a strength, a weighted sum of the features below, and the chances follow from the strengths as in a
multinomial logistic regression: `exp` of each, divided by the sum. The weights are in data/weights.json, with the
record of their training; `training` makes them again.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import exp
from pathlib import Path

import msgspec

from games.rules.kingdoms.deck import CARDS, COMMANDING, RANKS
from games.rules.kingdoms.market import DOTS
from games.rules.kingdoms.realm import below
from games.rules.kingdoms.state import State
from games.rules.kingdoms.troops import GOAL
from games.rules.kingdoms.values import VALUES, hand_value, totals

DATA = Path(__file__).parent / "data" / "weights.json"
ALL = len(RANKS)
MOST = 30  # cards in a hand that are counted
LABELS = {one.id: one.rank or one.kind for one in CARDS.values()}
KINDS = {one.id: one.kind for one in CARDS.values()}
NAMES = (
    "towers-1", "towers-2", "towers-3", "next", "next-2", "next-3", "next-4", "after-next", "value", "over-100",
    "over-200", "over-250", "cards", "few-cards", "plain", "plain-21", "strong", "over-21", "commanders", "bosses",
    "support", "spare", "kings", "dots", "can-buy", "ruled", "subjects", "rules-all", "truce", "now", "soon",
    "now-next", "now-next-4", "now-can-buy", "now-strong", "bare", "bare-plain", "exposed", "beats", "now-beats",
    "now-beats-bare", "now-value", "builder", "builder-3",
)  # fmt: skip
INDEX = {name: number for number, name in enumerate(NAMES)}


@lru_cache(maxsize=1 << 13)
def strengths(hand: tuple[str, ...]) -> tuple[int, int]:
    """Return about the highest total of a hand without Epics and Bosses, and with them."""
    values = tuple([VALUES[one] for one in hand if one not in COMMANDING])
    plain = totals(values, GOAL).bit_length() - 1
    strong = plain
    supports = [VALUES[one] for one in hand if KINDS[one] == "support"]
    if supports:
        others = [VALUES[one] for one in hand if KINDS[one] in ("attack", "champion", "kingdom")]
        has = others.count
        if (
            has(21) or (has(9) and has(12)) or (has(10) and has(11)) or (has(5) and has(8) > 1)
            or (has(6) and has(7) and has(8)) or has(7) > 2
        ):  # fmt: skip
            plain = strong = GOAL + max(supports)
    if len(values) < len(hand):
        commanders = sorted([VALUES[one] for one in hand if one in COMMANDING])
        most = max([*values, *commanders[:-1]], default=0)
        strong = max(strong, commanders[-1] + most)
    return plain, strong


@lru_cache(maxsize=1 << 13)
def _of_hand(hand: tuple[str, ...], built: int) -> tuple[list[float], list[str]]:
    """Return the features that depend on the hand and the number of Towers alone; and the ranks that are missing."""
    found = [0.0] * len(NAMES)
    labels = [LABELS[one] for one in hand]
    value, n = hand_value(hand), min(len(hand), MOST)
    plain, strong = strengths(hand)
    kings = sum(label in RANKS for label in labels)
    if built:
        found[INDEX[f"towers-{min(built, ALL - 1)}"]] = 1.0
    if built < ALL:
        if RANKS[built] in labels:
            found[INDEX["next"] + built] = 1.0
        if built + 1 < ALL and RANKS[built + 1] in labels:
            found[INDEX["after-next"]] = 1.0
        if "boss-builder" in [one.rpartition(":")[2] for one in hand]:
            found[INDEX["builder"]] = 1.0
            found[INDEX["builder-3"]] = float(built >= 2)
    found[INDEX["value"]] = value / 100
    found[INDEX["over-100"]] = max(0, value - 100) / 100
    found[INDEX["over-200"]] = max(0, value - 200) / 100
    found[INDEX["over-250"]] = max(0, value - 250) / 50
    found[INDEX["cards"]] = n / 10
    found[INDEX["few-cards"]] = max(0, 5 - n) / 5
    found[INDEX["plain"]] = min(plain, GOAL) / GOAL
    found[INDEX["plain-21"]] = float(plain >= GOAL)
    found[INDEX["strong"]] = strong / GOAL
    found[INDEX["over-21"]] = max(0, plain - GOAL) / 3
    found[INDEX["commanders"]] = sum(one in COMMANDING for one in hand) / 2
    found[INDEX["bosses"]] = labels.count("boss") / 2
    found[INDEX["support"]] = float("support" in labels)
    found[INDEX["spare"]] = max(0, value - 21 * kings - 42) / 100
    found[INDEX["kings"]] = kings / 4
    found[INDEX["dots"]] = sum([DOTS[one] for one in hand]) / 20
    if not built:
        found[INDEX["bare"]] = 1.0
        found[INDEX["bare-plain"]] = min(plain, GOAL) / GOAL
    missing = [rank for rank in RANKS[built : built + 1] if rank not in labels]
    return found, missing


def features(state: State) -> list[list[float]]:
    """Return the features of each seat at the beginning of a turn."""
    n, active, flop = state.players, state.active, state.flop
    levels = [strengths(hand) for hand in state.hands]
    in_flop = {LABELS[one] for one in flop}
    result = []
    for seat, hand in enumerate(state.hands):
        built = len(state.towers[seat])
        known, missing = _of_hand(hand, built)
        found = known[:]
        if missing and missing[0] in in_flop:
            price = min(DOTS[one] for one in flop if LABELS[one] == missing[0])
            if found[INDEX["dots"]] * 20 >= price:
                found[INDEX["can-buy"]] = 1.0 + (built == ALL - 1)
        if state.rulers[seat] is not None:
            found[INDEX["ruled"]] = 1.0
        if seat in state.rulers:
            subjects = len(below(state.rulers, seat))
            found[INDEX["subjects"]] = subjects / (n - 1)
            found[INDEX["rules-all"]] = float(subjects == n - 1)
        found[INDEX["truce"]] = float(state.truces[seat])
        beats = bare = exposed = 0
        for other in range(n):
            if other != seat:
                if levels[seat][1] > levels[other][0] + (0 if state.towers[other] else state.options.wall):
                    beats += 1
                    bare += not state.towers[other]
                exposed += not built and levels[other][1] > levels[seat][0] + state.options.wall
        found[INDEX["beats"]] = beats / (n - 1)
        found[INDEX["exposed"]] = exposed / (n - 1)
        after = (seat - active) % n
        found[INDEX["soon"]] = 1 - after / n
        if not after:
            found[INDEX["now"]] = 1.0
            found[INDEX["now-next"]] = float(any(found[INDEX["next"] : INDEX["next-4"] + 1]))
            found[INDEX["now-next-4"]] = found[INDEX["next-4"]]
            found[INDEX["now-can-buy"]] = found[INDEX["can-buy"]]
            found[INDEX["now-strong"]] = found[INDEX["strong"]]
            found[INDEX["now-value"]] = found[INDEX["over-250"]]
            found[INDEX["now-beats"]] = beats / (n - 1)
            found[INDEX["now-beats-bare"]] = bare / (n - 1)
        result.append(found)
    return result


@cache
def weights(players: int) -> list[float]:
    """Return the weights for a number of players, or of the largest number below it that has been learned."""
    learned = msgspec.json.decode(DATA.read_bytes())["weights"]
    return [learned[max(n for n in learned if int(n) <= players)][name] for name in NAMES]


def shares(found: Sequence[Sequence[float]], weighed: Sequence[float]) -> list[float]:
    """Return the winning chances that follow from the features of the seats."""
    strength = [sum([x * w for x, w in zip(one, weighed, strict=True) if x]) for one in found]
    most = max(strength)
    powers = [exp(one - most) for one in strength]
    total = sum(powers)
    return [one / total for one in powers]


def chances(state: State) -> list[float]:
    """Return the winning chance of each seat at the beginning of a turn; they sum to 1."""
    return shares(features(state), weights(state.players))
