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
LABELS = {hero.id: hero.rank or hero.kind for hero in CARDS.values()}
KINDS = {hero.id: hero.kind for hero in CARDS.values()}
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
    values = tuple([VALUES[card_id] for card_id in hand if card_id not in COMMANDING])
    plain = totals(values, GOAL).bit_length() - 1
    strong = plain
    supports = [VALUES[card_id] for card_id in hand if KINDS[card_id] == "support"]
    if supports:
        others = [VALUES[card_id] for card_id in hand if KINDS[card_id] in ("attack", "champion", "kingdom")]
        has = others.count
        if (
            has(21) or (has(9) and has(12)) or (has(10) and has(11)) or (has(5) and has(8) > 1)
            or (has(6) and has(7) and has(8)) or has(7) > 2
        ):  # fmt: skip
            plain = strong = GOAL + max(supports)
    if len(values) < len(hand):
        commanders = sorted([VALUES[card_id] for card_id in hand if card_id in COMMANDING])
        most = max([*values, *commanders[:-1]], default=0)
        strong = max(strong, commanders[-1] + most)
    return plain, strong


@lru_cache(maxsize=1 << 13)
def _of_hand(hand: tuple[str, ...], built: int) -> tuple[list[float], list[str]]:
    """Return the features that depend on the hand and the number of Towers alone; and the ranks that are missing."""
    row = [0.0] * len(NAMES)
    labels = [LABELS[card_id] for card_id in hand]
    value, n = hand_value(hand), min(len(hand), MOST)
    plain, strong = strengths(hand)
    kings = sum(label in RANKS for label in labels)
    if built:
        row[INDEX[f"towers-{min(built, ALL - 1)}"]] = 1.0
    if built < ALL:
        if RANKS[built] in labels:
            row[INDEX["next"] + built] = 1.0
        if built + 1 < ALL and RANKS[built + 1] in labels:
            row[INDEX["after-next"]] = 1.0
        if "boss-builder" in [card_id.rpartition(":")[2] for card_id in hand]:
            row[INDEX["builder"]] = 1.0
            row[INDEX["builder-3"]] = float(built >= 2)
    row[INDEX["value"]] = value / 100
    row[INDEX["over-100"]] = max(0, value - 100) / 100
    row[INDEX["over-200"]] = max(0, value - 200) / 100
    row[INDEX["over-250"]] = max(0, value - 250) / 50
    row[INDEX["cards"]] = n / 10
    row[INDEX["few-cards"]] = max(0, 5 - n) / 5
    row[INDEX["plain"]] = min(plain, GOAL) / GOAL
    row[INDEX["plain-21"]] = float(plain >= GOAL)
    row[INDEX["strong"]] = strong / GOAL
    row[INDEX["over-21"]] = max(0, plain - GOAL) / 3
    row[INDEX["commanders"]] = sum(card_id in COMMANDING for card_id in hand) / 2
    row[INDEX["bosses"]] = labels.count("boss") / 2
    row[INDEX["support"]] = float("support" in labels)
    row[INDEX["spare"]] = max(0, value - 21 * kings - 42) / 100
    row[INDEX["kings"]] = kings / 4
    row[INDEX["dots"]] = sum([DOTS[card_id] for card_id in hand]) / 20
    if not built:
        row[INDEX["bare"]] = 1.0
        row[INDEX["bare-plain"]] = min(plain, GOAL) / GOAL
    missing = [rank for rank in RANKS[built : built + 1] if rank not in labels]
    return row, missing


def features(state: State) -> list[list[float]]:
    """Return the features of each seat at the beginning of a turn."""
    n, active, flop = state.players, state.active, state.flop
    levels = [strengths(hand) for hand in state.hands]
    in_flop = {LABELS[card_id] for card_id in flop}
    result = []
    for seat, hand in enumerate(state.hands):
        built = len(state.towers[seat])
        known, missing = _of_hand(hand, built)
        row = known[:]
        if missing and missing[0] in in_flop:
            price = min(DOTS[card_id] for card_id in flop if LABELS[card_id] == missing[0])
            if row[INDEX["dots"]] * 20 >= price:
                row[INDEX["can-buy"]] = 1.0 + (built == ALL - 1)
        if state.rulers[seat] is not None:
            row[INDEX["ruled"]] = 1.0
        if seat in state.rulers:
            subjects = len(below(state.rulers, seat))
            row[INDEX["subjects"]] = subjects / (n - 1)
            row[INDEX["rules-all"]] = float(subjects == n - 1)
        row[INDEX["truce"]] = float(state.truces[seat])
        beats = bare = exposed = 0
        for other in range(n):
            if other != seat:
                if levels[seat][1] > levels[other][0] + (0 if state.towers[other] else state.options.wall):
                    beats += 1
                    bare += not state.towers[other]
                exposed += not built and levels[other][1] > levels[seat][0] + state.options.wall
        row[INDEX["beats"]] = beats / (n - 1)
        row[INDEX["exposed"]] = exposed / (n - 1)
        after = (seat - active) % n
        row[INDEX["soon"]] = 1 - after / n
        if not after:
            row[INDEX["now"]] = 1.0
            row[INDEX["now-next"]] = float(any(row[INDEX["next"] : INDEX["next-4"] + 1]))
            row[INDEX["now-next-4"]] = row[INDEX["next-4"]]
            row[INDEX["now-can-buy"]] = row[INDEX["can-buy"]]
            row[INDEX["now-strong"]] = row[INDEX["strong"]]
            row[INDEX["now-value"]] = row[INDEX["over-250"]]
            row[INDEX["now-beats"]] = beats / (n - 1)
            row[INDEX["now-beats-bare"]] = bare / (n - 1)
        result.append(row)
    return result


@cache
def weights(players: int) -> list[float]:
    """Return the weights for a number of players, or of the largest number below it that has been learned."""
    learned = msgspec.json.decode(DATA.read_bytes())["weights"]
    return [learned[max(n for n in learned if int(n) <= players)][name] for name in NAMES]


def shares(features_by_seat: Sequence[Sequence[float]], weighed: Sequence[float]) -> list[float]:
    """Return the winning chances that follow from the features of the seats."""
    strength = [
        sum([x * w for x, w in zip(seat_features, weighed, strict=True) if x]) for seat_features in features_by_seat
    ]
    most = max(strength)
    powers = [exp(seat_strength - most) for seat_strength in strength]
    total = sum(powers)
    return [seat_power / total for seat_power in powers]


def chances(state: State) -> list[float]:
    """Return the winning chance of each seat at the beginning of a turn; they sum to 1."""
    return shares(features(state), weights(state.players))
