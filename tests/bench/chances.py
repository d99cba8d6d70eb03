"""How true the winning chances of reviews come, in games of Hard against itself, and the widths that fit them best.

Before each turn the quick player plays on some times, as in a review. Half of the games fit the width for a turn
(`SPREAD` of `games.bots.review`); the other half show how likely the winners were by it, and how often chances of 90%
or more came true.
"""

from collections.abc import Iterator
from math import log, sqrt
from statistics import fmean
from typing import Any, NamedTuple

from games.bots.registry import BOTS
from games.bots.review import SPREAD, softened
from games.bots.search import ROLLOUTS
from games.bots.selfplay import Table, seed_of
from games.rules.fairness import Quick
from games.rules.registry import get
from tests.bench import Row

CASES = {"legends": (2, 4), "prototype": (2,), "classic": (2, 4), "kingdoms": (2, 4)}  # and the numbers of players
SAMPLES = 20  # before each turn
LIKELY = 0.9
LEAST = 0.005  # a chance counts as at least this
WIDTHS = tuple(number / 20 for number in range(41))  # points for one turn


class Position(NamedTuple):
    """The results of playing on by sample and seat (lead and share of the win), its cost, and the shares at the end."""

    results: list[list[tuple[float, float]]]
    cost: float
    won: list[float]


def rows(games: int) -> Iterator[Row]:
    for slug, players in ((slug, players) for slug, sizes in CASES.items() for players in sizes):
        games_played = [positions(slug, players, number) for number in range(games)]
        fitted, shown = ([position for game in games_played[first::2] for position in game] for first in (0, 1))
        label = f"chances, {slug} for {players}"
        if slug not in SPREAD:  # they are learned, not softened
            yield Row(label, described(fitted + shown, 0.0, len(games_played)))
            continue
        best = max(WIDTHS, key=lambda width: fmean(likelihood(position, width) for position in fitted))
        yield Row(f"{label}, plain", described(shown, 0.0, len(games_played) // 2))
        yield Row(f"{label}, width {best} fits best", described(shown, best, len(games_played) // 2))
        yield Row(f"{label}, width {SPREAD[slug]} is used", described(shown, SPREAD[slug], len(games_played) // 2))


def positions(slug: str, players: int, number: int) -> list[Position]:
    """Return the positions before the turns of a game, each with the results of playing on from it."""
    ruleset, rollout = get(slug), ROLLOUTS[get(slug).family]
    table = Table(ruleset, {}, [BOTS["hard"]] * players, seed_of("chances", number))
    before: dict[int, tuple[Any, int]] = {}  # position and seat by entry

    def look(entry: int, state: Any, seat: int, _action: str) -> None:
        if entry not in before and rollout.is_turn(state):
            before[entry] = state.copy(), seat

    table.play(listener=look)
    sheet = ruleset.score(table.state).seats
    winners = sum(score.place == 1 for score in sheet)
    won = [(score.place == 1) / winners for score in sheet]
    positions = []
    for state, seat in before.values():
        view, results, cost = ruleset.view(state, seat), [], 0.0
        for seed in range(SAMPLES):
            here = ruleset.sample(view, Quick(seed))
            rollout.shuffle(here, Quick(seed))
            cost = rollout.play_out(here, Quick(seed))
            results.append(rollout.results(here))
        positions.append(Position(results, cost, won))
    return positions


def chances(position: Position, width: float) -> list[float]:
    """Return each seat's winning chance, with leads taken to be this uncertain for each turn."""
    soft = [softened(results, width * sqrt(position.cost)) for results in position.results]
    return [fmean(share for _lead, share in seat) for seat in zip(*soft, strict=True)]


def likelihood(position: Position, width: float) -> float:
    """Return the logarithm of the winner's chance."""
    pairs = zip(chances(position, width), position.won, strict=True)
    return sum(share * log(max(LEAST, chance)) for chance, share in pairs)


def described(positions: list[Position], width: float, games: int) -> str:
    log_likelihood = fmean(likelihood(position, width) for position in positions)
    pairs = [pair for position in positions for pair in zip(chances(position, width), position.won, strict=True)]
    likely = [(chance, won) for chance, won in pairs if chance >= LIKELY]
    predicted, actual = (
        (fmean(numbers) if likely else 0.0 for numbers in zip(*likely, strict=True)) if likely else (0.0, 0.0)
    )
    return (
        f"{len(positions)} positions of {games} games, log-likelihood {log_likelihood:.2f};"
        f" {LIKELY:.0%} or more: said {predicted:.0%}, came {actual:.0%}"
    )
