"""Learning the weights of `evaluation` from games of the quick player: `python -m games.bots.kingdoms.training`.

The same seed gives the same weights. They are written to data/weights.json, with the record of the training.
"""

from collections.abc import Sequence
from math import log, sqrt
from typing import NamedTuple

import msgspec

from games.bots.kingdoms import rollout
from games.bots.kingdoms.evaluation import DATA, NAMES, features, shares
from games.rules.fairness import Quick, shuffle
from games.rules.kingdoms.state import OVER, TURN, to_act_in
from games.rules.play import begin
from games.rules.protocol import SeatInfo
from games.rules.registry import get

SEED = 1
GAMES = {2: 6000, 3: 3000, 4: 2500}  # for each number of players; more players have the weights of four
LONGEST = 60  # rounds
EPOCHS, STEP, DECAY = 6, 0.2, 1e-5
TESTED = 10  # one game in ten is kept apart to measure the weights


class Example(NamedTuple):
    """The features of the seats at the beginning of a turn, and the seat that won in the end."""

    features: list[list[float]]
    winner: int


def examples(players: int, seed: int) -> list[Example]:
    """Return the turns of one game, or none if it takes too long."""
    ruleset, chance, turns = get("kingdoms"), Quick(seed), list[list[list[float]]]()
    state, _events = begin(ruleset, ruleset.options({}, players), [SeatInfo(bot=True)] * players, chance)
    rollout.shuffle(state, chance)
    drawing, turn = rollout.drawing(state, seed), (0, 0)
    while (phase := state.phase) != OVER:
        if phase == TURN and (state.round, state.active) != turn and not state.flags.drawn:
            turn = state.round, state.active
            turns.append(features(state))
        seat = to_act_in(phase, state)[0]
        ruleset.advance(state, seat, rollout.decision(state, seat, phase), drawing)
        if state.round > LONGEST:
            return []
    [winner] = ruleset.score(state).winners
    return [Example(turn_features, winner) for turn_features in turns]


def fitted(turns: Sequence[Example], chance: Quick, epochs: int = EPOCHS) -> list[float]:
    """Return the weights that make the winners likely, by steps along the gradient of one example each (AdaGrad)."""
    weights, sums = [0.0] * len(NAMES), [1e-3] * len(NAMES)
    order = list(range(len(turns)))
    for _epoch in range(epochs):
        shuffle(order, chance)
        for number in order:
            example = turns[number]
            slope = [0.0] * len(NAMES)
            for seat, (chances, seen) in enumerate(
                zip(shares(example.features, weights), example.features, strict=True)
            ):
                error = chances - (seat == example.winner)
                for place, feature in enumerate(seen):
                    if feature:
                        slope[place] += error * feature
            for place, rise in enumerate(slope):
                if rise:
                    change = rise + DECAY * weights[place]
                    sums[place] += change * change
                    weights[place] -= STEP * change / sqrt(sums[place])
    return weights


def loss(turns: Sequence[Example], weights: Sequence[float]) -> float:
    """Return the average of minus the logarithm of the winner's chance."""
    return -sum(log(shares(turn.features, weights)[turn.winner]) for turn in turns) / len(turns)


def main() -> None:
    weights, record = {}, {}
    for players, games in GAMES.items():
        played = [examples(players, SEED + 1000 * players + 7919 * game) for game in range(games)]
        kept = [example for number, game in enumerate(played) if number % TESTED for example in game]
        tested = [example for game in played[::TESTED] for example in game]
        learned = fitted(kept, Quick(SEED))
        weights[str(players)] = dict(zip(NAMES, [round(weight, 4) for weight in learned], strict=True))
        record[str(players)] = {
            "seed": SEED, "games": games, "turns": len(kept), "loss": round(loss(kept, learned), 4),
            "turns kept apart": len(tested), "loss there": round(loss(tested, learned), 4),
            "loss of equal chances": round(log(players), 4),
        }  # fmt: skip
        print(players, record[str(players)], flush=True)
    text = msgspec.json.format(msgspec.json.encode({"training": record, "weights": weights}), indent=1)
    DATA.write_bytes(text + b"\n")


if __name__ == "__main__":
    main()
