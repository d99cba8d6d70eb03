"""The evaluation of rating models: each predicts every contest before it learns the result. PURE.

Only `manage.py ratings --evaluate` uses it. The other models are openskill's Plackett-Luce with its defaults, our own
TrueSkill (Herbrich, Minka and Graepel 2006, the factor graph of a ranking without teams) and Elo over pairs.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import erf, exp, log, pi, sqrt
from statistics import fmean, variance
from typing import NamedTuple, Protocol

from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

from games.contests.ratings import model as ratings
from games.contests.ratings.generators import Contest
from games.contests.ratings.model import Rating


class Contender(Protocol):
    """A rating model with its players."""

    name: str

    def chance(self, contest: Contest, seat: int, other: int) -> float:
        """Return the probability that the first of two seats finishes ahead of the second."""

    def learn(self, contest: Contest) -> None:
        """Update the players of a contest."""


class Ours:
    """The ratings of this site."""

    name = "ours"

    def __init__(self) -> None:
        self.players: dict[int, tuple[Rating, float]] = {}

    def rating(self, player: int, day: float) -> Rating:
        rating, seen = self.players.get(player, (Rating(), day))
        return ratings.faded(rating, day - seen)

    def chance(self, contest: Contest, seat: int, other: int) -> float:
        rating, other_rating = (self.rating(contest.players[n], contest.day) for n in (seat, other))
        return ratings.chance(rating, other_rating, games=len(contest.games))

    def learn(self, contest: Contest) -> None:
        before = [self.rating(player, contest.day) for player in contest.players]
        after = ratings.rate(before, contest.places, games=len(contest.games))
        for player, rating in zip(contest.players, after, strict=True):
            self.players[player] = rating, contest.day


class OpenSkill:
    """openskill's Plackett-Luce with its defaults."""

    name = "openskill"

    def __init__(self) -> None:
        self.model = PlackettLuce()
        self.players: dict[int, PlackettLuceRating] = defaultdict(self.model.rating)

    def chance(self, contest: Contest, seat: int, other: int) -> float:
        sides = [[self.players[contest.players[n]]] for n in (seat, other)]
        return float(self.model.predict_win(sides)[0])

    def learn(self, contest: Contest) -> None:
        sides = [[self.players[player]] for player in contest.players]
        rated = self.model.rate(sides, ranks=[float(place) for place in contest.places])
        for player, [side] in zip(contest.players, rated, strict=True):
            self.players[player] = side


class Elo:
    """Elo with K = 32: each pair of a contest counts as a game, divided by the number of opponents."""

    name, k = "Elo", 32.0

    def __init__(self) -> None:
        self.players: dict[int, float] = defaultdict(lambda: 1500.0)

    def chance(self, contest: Contest, seat: int, other: int) -> float:
        return 1 / (1 + 10 ** ((self.players[contest.players[other]] - self.players[contest.players[seat]]) / 400))

    def learn(self, contest: Contest) -> None:
        gains = [0.0] * len(contest.players)
        for seat, other in combinations(range(len(contest.players)), 2):
            won = (contest.places[seat] < contest.places[other]) + (contest.places[seat] == contest.places[other]) / 2
            gain = self.k * (won - self.chance(contest, seat, other)) / (len(contest.players) - 1)
            gains[seat] += gain
            gains[other] -= gain
        for player, gain in zip(contest.players, gains, strict=True):
            self.players[player] += gain


class TrueSkill:
    """TrueSkill with its defaults: performances in a chain of comparisons, solved by expectation propagation."""

    name = "TrueSkill"
    mu, sigma, beta, tau = 25.0, 25 / 3, 25 / 6, 25 / 300
    margin = 0.7405  # of a draw, for the default 10% of draws

    def __init__(self) -> None:
        # Mean and variance of each player
        self.players: dict[int, tuple[float, float]] = defaultdict(lambda: (self.mu, self.sigma**2))

    def chance(self, contest: Contest, seat: int, other: int) -> float:
        (mean, spread), (other_mean, other_spread) = (self.players[contest.players[n]] for n in (seat, other))
        return _below((mean - other_mean) / sqrt(2 * self.beta**2 + spread + other_spread))

    def learn(self, contest: Contest) -> None:
        order = sorted(range(len(contest.players)), key=lambda seat: contest.places[seat])
        priors = [self.players[contest.players[seat]] for seat in order]
        priors = [(mean, spread + self.tau**2) for mean, spread in priors]

        # 1. Messages about each performance, as precision and precision times mean: from the skill, and from the
        # comparisons with the next player above and below. They go down the chain and up again until they settle.
        skill = [(1 / (spread + self.beta**2), mean / (spread + self.beta**2)) for mean, spread in priors]
        above, below = [(0.0, 0.0)] * len(order), [(0.0, 0.0)] * len(order)
        pairs = list(range(len(order) - 1))
        for _round in range(1 if len(pairs) == 1 else 8):
            for upper in [*pairs, *reversed(pairs[:-1])]:
                lower, is_tied = upper + 1, contest.places[order[upper]] == contest.places[order[upper + 1]]
                p1, t1 = skill[upper][0] + above[upper][0], skill[upper][1] + above[upper][1]
                p2, t2 = skill[lower][0] + below[lower][0], skill[lower][1] + below[lower][1]
                spread, mean = 1 / p1 + 1 / p2, t1 / p1 - t2 / p2
                shift, shrink = _truncated(mean / sqrt(spread), self.margin / sqrt(spread), is_tied)
                after, left = mean + sqrt(spread) * shift, spread * (1 - shrink)
                precision = max(1 / left - 1 / spread, 1e-12)
                difference = (after / left - mean / spread) / precision
                for messages, about, centre, width in (
                    (below, upper, difference + t2 / p2, 1 / precision + 1 / p2),
                    (above, lower, t1 / p1 - difference, 1 / precision + 1 / p1),
                ):
                    messages[about] = 1 / width, centre / width

        # 2. What the comparisons say about each performance says as much, with its noise, about the skill.
        for place, seat in enumerate(order):
            mean, spread = priors[place]
            precision, times = above[place][0] + below[place][0], above[place][1] + below[place][1]
            noisy = 1 / precision + self.beta**2
            width = 1 / (1 / spread + 1 / noisy)
            self.players[contest.players[seat]] = width * (mean / spread + times / precision / noisy), width


def _below(value: float) -> float:
    """Return the normal distribution function."""
    return 0.5 * (1 + erf(value / sqrt(2)))


def _density(value: float) -> float:
    return exp(-value * value / 2) / sqrt(2 * pi)


def _truncated(mean: float, margin: float, is_tied: bool) -> tuple[float, float]:
    """Return how far a normal variable of this mean shifts, and the share of variance it loses, once it is known to
    exceed the margin, or to lie within it on both sides."""
    if not is_tied:
        shift = _density(mean - margin) / max(_below(mean - margin), 1e-12)
        return shift, shift * (shift + mean - margin)
    low, high = -margin - mean, margin - mean
    inside = max(_below(high) - _below(low), 1e-12)
    shift = (_density(low) - _density(high)) / inside
    return shift, shift**2 + (high * _density(high) - low * _density(low)) / inside


# What is measured

Prediction = tuple[float, bool]  # the probability that a seat finishes ahead of another, and whether it did


def predictions(model: Contender, contests: Iterable[Contest]) -> list[list[Prediction]]:
    """Return, for each contest, what the model predicted for each untied pair before it learned the result."""
    predicted = []
    for contest in contests:
        places, of_contest = contest.places, []
        for seat, other in combinations(range(len(places)), 2):
            if places[seat] != places[other]:
                of_contest.append((model.chance(contest, seat, other), places[seat] < places[other]))
        model.learn(contest)
        predicted.append(of_contest)
    return predicted


def losses(predicted: Iterable[Sequence[Prediction]]) -> list[float]:
    """Return the log-loss of each contest: the mean over its pairs of minus the log of the chance of the result."""
    by_contest = []
    for pairs in predicted:
        if pairs:
            by_contest.append(fmean(-log(min(max(chance if won else 1 - chance, 1e-9), 1.0)) for chance, won in pairs))
    return by_contest


class Loss(NamedTuple):
    """The mean log-loss of a model with its standard error, and by how much it exceeds ours, with the error."""

    name: str
    mean: float
    error: float
    more: float
    more_error: float


def compare(contests: Sequence[Sequence[Contest]]) -> list[Loss]:
    """Return the losses of all models on some series of contests, ours first."""
    by_model = {
        kind.name: [loss for series in contests for loss in losses(predictions(kind(), series))]
        for kind in (Ours, OpenSkill, TrueSkill, Elo)
    }
    own_losses, compared = by_model[Ours.name], []
    for name, losses_of_model in by_model.items():
        more = [loss - own_loss for own_loss, loss in zip(own_losses, losses_of_model, strict=True)]
        compared.append(Loss(name, fmean(losses_of_model), _error(losses_of_model), fmean(more), _error(more)))
    return compared


def _error(values: Sequence[float]) -> float:
    return sqrt(variance(values) / len(values)) if len(values) > 1 else 0.0


def information_of_full_games(contests: Iterable[Contest]) -> float:
    """Return how many single games a full game of three is worth, from differences of points (docs/fairness.md).

    The difference of two players in a game is strength + shared + luck: `shared` is what only the games of one contest
    have in common. Products of differences within a contest, across contests of the same pair, and of a difference with
    itself give strength² + shared², strength², and all three. A single game knows the strength with the variance
    shared² + luck², the mean of three with shared² + luck²/3. Information is one divided by the variance.
    """
    by_pair: dict[tuple[int, int], list[list[int]]] = defaultdict(list)
    for contest in contests:
        seats = sorted(range(len(contest.players)), key=lambda seat: contest.players[seat])
        for seat, other in combinations(seats, 2):
            pair = contest.players[seat], contest.players[other]
            by_pair[pair].append([points[seat] - points[other] for points in contest.games])
    same = within = across = weight = 0.0
    for contests_of_pair in by_pair.values():
        full = [differences for differences in contests_of_pair if len(differences) == 3]
        if full and len(contests_of_pair) > 1:
            weight += len(full)
            same += sum(fmean(difference * difference for difference in differences) for differences in full)
            within += sum(fmean(first * other for first, other in combinations(differences, 2)) for differences in full)
            means = [fmean(differences) for differences in contests_of_pair]
            pairs = sum(means) ** 2 - sum(mean * mean for mean in means)  # of all products of two different ones
            across += len(full) * pairs / (len(means) * (len(means) - 1))
    shared, luck = max(0.0, within - across) / weight, (same - within) / weight
    return (shared + luck) / (shared + luck / 3)


def recovery(kind: type[Contender], tries: int = 60, settling: int = 40, most: int = 200) -> float:
    """Return after how many contests, on average, a player who improves suddenly is believed to be even with an equal.

    Sixteen players of known strengths play pairs. Then the weakest plays as well as the strongest, and counts as
    recovered when the model gives them at least 40% against the strongest.
    """
    delays = []
    for number in range(tries):
        dice, model = random.Random(f"recovery {number}"), kind()
        strength = [dice.gauss(0, 1) for _player in range(16)]
        low, high = strength.index(min(strength)), strength.index(max(strength))
        played, day = 0, 0.0
        while played < most:
            day += 0.2
            if played == settling:
                strength[low] = strength[high]
            first = low if dice.random() < 0.2 else dice.randrange(16)
            other = dice.choice([player for player in range(16) if player != first])
            performance, other_performance = strength[first] + dice.gauss(0, 1), strength[other] + dice.gauss(0, 1)
            played += low in (first, other)
            contest = Contest(
                number, day, [first, other], [1, 2] if performance > other_performance else [2, 1], [[0, 0]]
            )
            model.learn(contest)
            if played > settling and model.chance(Contest(number, day, [low, high], [1, 1], [[0, 0]]), 0, 1) >= 0.4:
                break
        delays.append(played - settling)
    return fmean(delays)
