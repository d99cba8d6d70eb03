"""The search of Hard, Master and the game review: candidate turns, each judged by playing on from it.

The search knows only what a seat may know: it plays on from positions that `ruleset.sample` fills in, never from the
true one. All candidates are judged with the same samples and the same draws (common random numbers), so that luck
falls on all alike; the worse half is dropped several times, so that most of the budget goes to the best ones
(sequential halving). How a family plays on quickly is in its `rollout` module.
"""

from collections.abc import Callable, Sequence
from math import log2, sqrt
from statistics import fmean, variance
from typing import Any, NamedTuple, Protocol

from games.bots import greedy
from games.bots.eight_minute import rollout as eight_minute
from games.bots.eight_minute import training as eight_minute_training
from games.bots.eight_minute.knowledge import Trained
from games.bots.greedy import Knowledge, Line, by_value
from games.bots.kingdoms import guess as kingdoms_guess
from games.bots.kingdoms import rollout as kingdoms
from games.bots.kingdoms import turns as kingdoms_turns
from games.rules.fairness import Quick
from games.rules.play import apply
from games.rules.protocol import Action, Chance, NeedsChance, Ruleset, State, View

HARD, MASTER = 150, 4000  # what a decision may cost, in simulated turns of plain Legends (about 0.1 ms each)
POSITIONS = 4000  # most that are examined to find candidates
MOST_WITH_SAME_START = 4  # candidates with the same first action
MOST_CANDIDATES = 16
GAMES_EACH = 3  # simulated games of each candidate that the budget must allow; otherwise there are fewer candidates
OTHER_GUESS = -0.1  # first guess of the value of a turn that Medium would not choose, in families that give none
MOST_SAMPLES = 400  # for each candidate; near the end of the game, more tell nothing new


class Rollout(Protocol):
    """How a family plays on. It may change the positions it is given, which are copies."""

    def is_turn(self, state: State) -> bool:
        """Return whether the decision is part of a turn, and not of what comes before the first one."""

    def shuffle(self, state: State, chance: Chance) -> None:
        """Put what is still to be drawn into an order, so that copies of the position draw the same."""

    def drawing(self, state: State, seed: int) -> Chance:
        """Return chance that draws from a shuffled position by its order."""

    def way(self, state: State, budget: float) -> Any:
        """Return how to play on to judge a decision with this budget, for `play_out` and `prior`."""

    def play_out(self, state: State, chance: Chance, way: Any = ...) -> float:
        """Play on, to the end or as far as pays, and return what that cost, in simulated turns.

        Without a `way`, play on in the quickest one.
        """

    def results(self, state: State) -> list[tuple[float, float]]:
        """Return each seat's lead over its best opponent, in points, and its share of the win (0 to 1).

        They are those at the end or, if `play_out` did not reach it, what is expected. The shares sum to 1.
        """

    def useful(self, lead: float, win: float) -> float:
        """Return how useful such a result is to its seat, in a unit of the family's own."""

    def hides(self, state: State) -> bool:
        """Return whether the position has things that `sample` guessed."""

    def cost_left(self, state: State) -> float:
        """Return about what it costs to play on once."""

    def prior(self, state: State, way: Any = ...) -> float:
        """Return for how many samples the first guess of a candidate's value counts: more where a sample tells less."""

    def allowance(self, state: State, budget: float) -> float:
        """Return what the decision may cost, given the budget of a turn, which may have several decisions."""


# To have a family searched, add its rollout here. Its candidates come from the beam of `candidates`, which needs the
# family's `greedy.KNOWLEDGE`, or from a function in `CANDIDATES` that returns them, Medium's choice first. Families
# without a rollout have Hard and Master play like Medium.
ROLLOUTS: dict[str, Rollout] = {"eight_minute": eight_minute, "kingdoms": kingdoms}
CANDIDATES: dict[str, Callable[[Ruleset, View, Chance], list[tuple[Action, ...]]]] = {
    "kingdoms": kingdoms_turns.candidates
}

# What a seat supposes about hidden things, where that is more than `ruleset.sample` knows
SAMPLES: dict[str, Callable[[Ruleset, View, Chance], State]] = {"kingdoms": kingdoms_guess.sample}

# What a seat decides before the first turn, where a bot with this budget knows more than Medium; otherwise None
OPENINGS: dict[str, Callable[[State, int, float], Action | None]] = {"eight_minute": eight_minute.opening}

# What the beam that finds candidates knows, where that is more than Medium does
KNOWLEDGE: dict[str, Knowledge] = {"eight_minute": Trained()}

# What `manage.py train` trains, by family
TRAINING = {"eight_minute": eight_minute_training}


class Idea(NamedTuple):
    """A candidate turn of a seat and what is expected after it.

    `actions` are what the seat submits: to the end of its turn, or up to the first step that draws or reveals
    something. `lead` is the expected final lead over the best opponent in points (negative when behind), `chance`
    the expected winning chance (0 to 1, a tie counts as a share), and `doubt` and `chance_doubt` their standard errors
    from sampling. `loss` is how many points less than the best idea it is expected to bring, with its own standard
    error `loss_doubt`: smaller than the doubts of the two, because both were judged with the same draws. A loss can be
    a little below zero, as ideas are ordered by usefulness, where big leads count for less. `samples` counts
    the games played on from it.
    """

    actions: tuple[str, ...]
    lead: float
    chance: float
    doubt: float
    chance_doubt: float
    loss: float
    loss_doubt: float
    samples: int


class Candidate:
    """A turn that is being judged, with the lead and the share of the win that each sample gave."""

    def __init__(self, actions: tuple[Action, ...], guess: float, is_wanted: bool = False) -> None:
        self.actions, self.guess, self.is_wanted = actions, guess, is_wanted
        self.after: State = None  # the position after it, if the same in all samples
        self.leads: list[float] = []
        self.wins: list[float] = []
        self.total = 0.0  # of the usefulness of the results

    def value(self, prior: float) -> float:
        """Return the average usefulness of the results and of the guess, which counts for `prior` samples."""
        return (self.total + prior * self.guess) / (len(self.leads) + prior)


def can_search(ruleset: Ruleset) -> bool:
    """Return whether the ruleset's family can be played on, so that there are ideas."""
    return ruleset.family in ROLLOUTS


def supposed(ruleset: Ruleset, view: View, chance: Chance) -> State:
    """Return a full position that the view's seat may suppose."""
    guess = SAMPLES.get(ruleset.family)
    return guess(ruleset, view, chance) if guess else ruleset.sample(view, chance)


def ideas(
    ruleset: Ruleset, view: View, seat: int, budget: int, chance: Chance, also: Sequence[Sequence[str]] = ()
) -> list[Idea]:
    """Return the best candidate turns of the seat, best first, at least one; none outside a turn of its own.

    The budget is how many turns may be simulated; a small one judges fewer candidates. `also` are turns to judge in
    any case, such as the one that was played; they must be legal, and come back with the same actions. All of `also`
    and the best ideas are judged with the same samples. The same arguments and a chance in the same state give the
    same answer.
    """
    state = ruleset.sample(view, chance)
    if not can_search(ruleset) or seat not in ruleset.to_act(state) or not ROLLOUTS[ruleset.family].is_turn(state):
        return []
    contenders = _contenders(ruleset, view, state, seat, chance)
    wanted = [tuple(map(ruleset.parse, texts)) for texts in also]
    by_actions = {candidate.actions: candidate for candidate in contenders}
    for actions in wanted:
        if actions in by_actions:
            by_actions[actions].is_wanted = True
        else:
            contenders.append(Candidate(actions, 0.0, is_wanted=True))
    judged = judge(ruleset, view, seat, contenders, budget, chance)
    best = judged[0]
    return [_idea(ruleset, candidate, best) for candidate in judged]


def hints(ruleset: Ruleset, view: View, seat: int, most: int, budget: int, chance: Chance) -> list[Idea]:
    """Return up to `most` ideas, best first, that have been judged with the same samples.

    A third of the budget finds them and two more, and the rest compares these. It must be a turn of the seat.
    """
    contenders = _contenders(ruleset, view, ruleset.sample(view, chance), seat, chance)
    contenders = judge(ruleset, view, seat, contenders, budget / 3, chance)[: most + 2]
    finalists = [Candidate(candidate.actions, candidate.guess, is_wanted=True) for candidate in contenders]
    judged = judge(ruleset, view, seat, finalists, budget * 2 / 3, chance)[:most]
    return [_idea(ruleset, candidate, judged[0]) for candidate in judged]


def _idea(ruleset: Ruleset, candidate: Candidate, best: Candidate) -> Idea:
    losses = [theirs - mine for theirs, mine in zip(best.leads, candidate.leads, strict=False)]
    return Idea(
        actions=tuple(map(ruleset.text, candidate.actions)),
        lead=fmean(candidate.leads),
        chance=fmean(candidate.wins),
        doubt=doubt(candidate.leads),
        # With a win and a loss more, because a few wins in a row are not yet certain.
        chance_doubt=doubt([*candidate.wins, 0.0, 1.0]),
        loss=fmean(losses),
        loss_doubt=doubt(losses),
        samples=len(candidate.leads),
    )


def doubt(values: Sequence[float]) -> float:
    """Return the standard error of the mean; that of a single value is unknown, and given as infinite."""
    return sqrt(variance(values) / len(values)) if len(values) > 1 else float("inf")


def _contenders(ruleset: Ruleset, view: View, state: State, seat: int, chance: Chance) -> list[Candidate]:
    """Return the turns worth judging, from the family's own function if it has one, otherwise from the beam."""
    if ruleset.family in CANDIDATES:
        first, *others = CANDIDATES[ruleset.family](ruleset, view, chance)
        return [Candidate(first, 0.0), *(Candidate(actions, OTHER_GUESS) for actions in others)]
    return candidates(ruleset, state, seat)


def candidates(ruleset: Ruleset, state: State, seat: int) -> list[Candidate]:
    """Return turns worth judging: the best lines of the beam, a few for each first action, complete turns only."""
    search = greedy.Search(ruleset, seat, POSITIONS, KNOWLEDGE.get(ruleset.family))
    lines: list[Line] = []
    for start in search.starts(state):
        by_key: dict[object, Line] = {}
        for line in search.extensions(start):
            key = search.knowledge.key(line.state)
            if key not in by_key or line.value > by_key[key].value:
                by_key[key] = line
        lines += sorted(by_key.values(), key=by_value, reverse=True)[:MOST_WITH_SAME_START]
    lines = sorted(lines, key=by_value, reverse=True)[:MOST_CANDIDATES]
    best = lines[0].value
    complete = []
    for line in lines:
        end = ruleset.end_of_turn(line.state, seat) if line.goes_on else None
        complete.append(Candidate((*line.actions, end) if end else line.actions, line.value - best))
    return complete


def judge(
    ruleset: Ruleset, view: View, seat: int, contenders: list[Candidate], budget: float, chance: Chance
) -> list[Candidate]:
    """Play on from the candidates while the budget lasts, dropping the worse half several times; best first.

    Those that are never played on from, because the budget is too small, are left out; the best guess is always kept.
    """
    rollout, spent = ROLLOUTS[ruleset.family], 0.0
    samples: list[tuple[int, State]] = []
    position = ruleset.sample(view, chance)
    price, way = rollout.cost_left(position), rollout.way(position, budget)
    prior = rollout.prior(position, way)
    wanted = [candidate for candidate in contenders if candidate.is_wanted]
    room = max(2, int(budget / price / GAMES_EACH)) - len(wanted)
    alive = [*wanted, *[candidate for candidate in contenders if not candidate.is_wanted][: max(1, room)]]
    judged, played = alive, 0
    for rounds in range(max(1, round(log2(len(alive)))), 0, -1):
        until = spent + (budget - spent) / rounds
        while not samples or spent + len(alive) * price <= until:
            sample = len(alive[0].leads)
            if sample == MOST_SAMPLES:
                break
            if sample == len(samples):
                seed = _seed(chance)
                state = supposed(ruleset, view, Quick(seed))
                rollout.shuffle(state, Quick(seed))
                samples.append((seed, state))
            for candidate in alive:
                spent += _play_on(ruleset, seat, candidate, *samples[sample], rollout, way)
            played += len(alive)
            price = spent / played
        alive = sorted(alive, key=lambda candidate: candidate.value(prior), reverse=True)
        if rounds > 1:
            half = max(2, (len(alive) + 1) // 2)
            alive = alive[:half] + [candidate for candidate in alive[half:] if candidate.is_wanted]
    dropped = [candidate for candidate in judged if candidate not in alive]
    return alive + sorted(dropped, key=lambda candidate: (len(candidate.leads), candidate.value(prior)), reverse=True)


def _play_on(
    ruleset: Ruleset, seat: int, candidate: Candidate, seed: int, sample: State, rollout: Rollout, way: Any
) -> float:
    """Add a sample to the candidate. Return what it cost."""
    if candidate.after is None:
        state = sample.copy()
        try:
            apply(ruleset, state, seat, candidate.actions, None)
        except NeedsChance:
            state = sample.copy()
            drawing = rollout.drawing(state, seed)
            for action in candidate.actions:
                if not ruleset.is_over(state):  # with the hidden cards of a sample, any step may end the game
                    apply(ruleset, state, seat, (action,), drawing)
        else:
            if not rollout.hides(state):
                candidate.after = state.copy()
    else:
        state = candidate.after.copy()
        rollout.shuffle(state, Quick(seed))
    cost = rollout.play_out(state, Quick(seed), way)
    lead, win = rollout.results(state)[seat]
    candidate.leads.append(lead)
    candidate.wins.append(win)
    candidate.total += rollout.useful(lead, win)
    return max(1.0, cost)


def _seed(chance: Chance) -> int:
    return chance.below(1 << 62)


def plan(ruleset: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
    """Return the actions of the best idea, or what Medium does where there is nothing to search."""
    state, seat = ruleset.sample(view, chance), view.seat
    if not can_search(ruleset):
        return greedy.plan(ruleset, view, budget, chance)
    rollout = ROLLOUTS[ruleset.family]
    if not rollout.is_turn(state):
        opening = OPENINGS.get(ruleset.family)
        action = opening(state, seat, budget) if opening else None
        return [ruleset.text(action)] if action else greedy.plan(ruleset, view, budget, chance)
    contenders = _contenders(ruleset, view, state, seat, chance)
    if len(contenders) > 1:
        contenders = judge(ruleset, view, seat, contenders, rollout.allowance(state, budget), chance)
    return list(map(ruleset.text, contenders[0].actions))
