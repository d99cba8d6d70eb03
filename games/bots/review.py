"""The review of a finished game: what was expected before and after each turn, and what luck and play changed.

Before each turn, the game is played on many times from what its player knew (`before`), and again after the turn as it
was played and after the best turn found (`after`, `best`), with the same hidden cards and draws. Two differences make
up the result: play, from `before` to `after`, which is positive for a turn better than the quick player's who plays
on, and luck, from `after` to the `before` of the next turn, which is what draws and hidden things changed. They sum
to the difference between the result and the first expectation. Luck is zero on average, because both of its ends are
played on by the same player; the loss of a turn, from `after` to `best`, is counted apart for that reason.

The quick player makes mistakes, and more of them the longer it plays on. So a game that it wins by little counts as a
win only in part (`softened`), until nothing is left to play.
"""

from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from math import exp, sqrt
from statistics import fmean

import msgspec

from games.bots import search
from games.bots.greedy import KNOWLEDGE
from games.bots.search import ROLLOUTS, doubt
from games.rules import log
from games.rules.fairness import Quick
from games.rules.play import apply
from games.rules.protocol import Action, NeedsChance, Ruleset, State, View

ENGINE = "2026.10"  # stored reviews name theirs; give it a new value with every change that changes reviews
SAMPLES = 100  # games played on from each position
LUCK_SAMPLES = {"eight_minute": 16, "kingdoms": 64}  # for the luck alone, which every game gets
BUDGET = search.MASTER  # simulated turns to find the best turn: the turns of Master are the measure
MOST_COST = 600_000  # simulated turns for a whole review, about two minutes of processor; longer games get less each
MOST_LUCK_COST = 60_000
FEWEST = 4  # samples that every game gets
MOST_ENDINGS = 50_000  # actions tried to find the best last turn
MOST_SUDDEN = {"kingdoms": 1000}  # and, in families in which any turn may win at once, to find such a turn
# The error of the final lead for each simulated turn, in points, measured as docs/opponents.md says
SPREAD = {"legends": 0.9, "prototype": 0.9, "classic": 0.3}
CLEAR = 2.0  # standard errors from which a difference is more than noise
TURNING_POINTS = 3

Outcomes = list[list[tuple[float, float]]]  # by sample and seat: the margin (`in_points`) and the share of the win


class Expectation(msgspec.Struct, frozen=True):
    """The expectation before entry `seq`, by seat: the margin, its standard error, and the winning chance (0 to 1).

    The last one of a review is the result, with the `seq` after the last entry.
    """

    seq: int
    margins: tuple[float, ...]
    doubts: tuple[float, ...]
    chances: tuple[float, ...]


class Change(msgspec.Struct, frozen=True):
    """A change by luck or play in entry `seq`, by seat: of the margin and the winning chance, with standard errors."""

    seq: int
    margins: tuple[float, ...]
    doubts: tuple[float, ...]
    chances: tuple[float, ...]
    chance_doubts: tuple[float, ...]


class Turn(msgspec.Struct, frozen=True):
    """A turn, or the part of one that was submitted at once, against the best one found.

    `loss` and `chance_loss` are how much less it brings its seat, in margin and winning chance (0 to 1), at least 0,
    with standard errors; `better` is what to play instead, empty if nothing better was found. `chance` is the winning
    chance after the turn. `wins` and `best_wins`: the turn, or the best one, ends the game and wins it in any case.
    `is_forced`: there was no other turn.
    """

    seq: int
    seat: int
    by: str
    actions: tuple[str, ...]
    better: tuple[str, ...]
    chance: float
    loss: float
    loss_doubt: float
    chance_loss: float
    chance_doubt: float
    wins: bool
    best_wins: bool
    is_forced: bool = False

    @property
    def is_clear(self) -> bool:
        """Whether the loss is more than noise."""
        return self.misses_win or (self.loss > 0 and self.chance_loss > CLEAR * self.chance_doubt)

    @property
    def misses_win(self) -> bool:
        return self.best_wins and not self.wins

    @property
    def accuracy(self) -> float:
        """The accuracy of the turn in percent, from its loss of winning chances, by the formula of lichess."""
        return max(0.0, min(100.0, 103.1668 * exp(-4.354 * self.chance_loss) - 3.1669))


class Balance(msgspec.Struct, frozen=True):
    """A seat's game in sums: `result - first` equals `luck + play`, all of the margin.

    `play` is what the turns of all players changed. The doubts are standard errors.
    """

    first: float
    result: float
    luck: float
    luck_doubt: float
    play: float
    play_doubt: float


class Side(Balance, frozen=True):
    """A seat's game in sums, with how well it was played.

    `own` is what its own turns changed. `accuracy` is the average over its own turns in percent; `turns` counts them,
    without those that a bot took in its place and those without a choice, `best` those to which nothing better was
    found, and `loss` and `chance_loss` are their losses in margin and winning chances.
    """

    own: float
    accuracy: float | None
    turns: int
    best: int
    loss: float
    chance_loss: float


class Review(msgspec.Struct, frozen=True):
    """A reviewed game. `luck` and `play` have one change for each reviewed entry, in the order of the log.

    `samples` games were played on from each position, and `budget` turns simulated to find each best turn.
    """

    engine: str
    samples: int
    budget: int
    expectations: tuple[Expectation, ...]
    play: tuple[Change, ...]
    luck: tuple[Change, ...]
    turns: tuple[Turn, ...]
    sides: tuple[Side, ...]

    def turning_points(self) -> list[tuple[int, str]]:
        """Return the entries that changed the winning chances most, and whether by a `turn` or by `luck`; no noise."""
        found = [(turn.chance_loss + turn.misses_win, turn.seq, "turn") for turn in self.turns if turn.is_clear]
        for change in self.luck:
            size, error = max(zip(map(abs, change.chances), change.chance_doubts, strict=True))
            if size > CLEAR * error and size > 0:
                found.append((size, change.seq, "luck"))
        return [(seq, why) for _size, seq, why in sorted(found, key=lambda one: (-one[0], one[1]))[:TURNING_POINTS]]


class Luck(msgspec.Struct, frozen=True):
    """The luck of a game without judging its turns. `gains` has the luck after entry `seq`, by seat.

    It is stored once for each game, so a new field of it, or of `Balance`, needs a default.
    """

    engine: str
    samples: int
    gains: tuple[tuple[int, tuple[float, ...]], ...]
    sides: tuple[Balance, ...]


def in_points(ruleset: Ruleset) -> bool:
    """Return whether margins are leads over the best opponent in points. Otherwise they are winning chances in percent.

    Kingdoms has points, but they do not decide who wins.
    """
    return ruleset.slug in SPREAD


def can_review(ruleset: Ruleset) -> bool:
    """Return whether the games of a ruleset can be reviewed."""
    return search.can_search(ruleset)


def review(
    ruleset: Ruleset, empty: State, entries: Sequence[log.Entry], *,
    seed: int = 1, samples: int = SAMPLES, budget: int = BUDGET,
) -> Review:  # fmt: skip
    """Return the review of a finished game from its initial position and its whole log.

    The same arguments give the same review. Bids and setup are not reviewed: they come before the first expectation.
    """
    samples, budget = affordable(ruleset, empty, entries, samples, budget, MOST_COST)
    chance = Quick(seed)
    seeds = [chance.below(1 << 62) for _sample in range(samples)]
    # 1. Each turn: before it, after it, and after the best one
    befores: list[tuple[int, Outcomes]] = []
    afters: list[Outcomes] = []
    turns: list[Turn] = []
    state = empty.copy()
    for entry, view in turns_of(ruleset, state, entries):
        played = tuple(map(ruleset.parse, entry.actions))
        after = outcomes(ruleset, view, played, seeds)
        better, is_forced = best_turn(ruleset, view, entry.actions, budget, chance)
        best = after if better == played else outcomes(ruleset, view, better, seeds)
        befores.append((entry.seq, outcomes(ruleset, view, (), seeds)))
        afters.append(after)
        ends = [ends_game(ruleset, view, actions, 1) for actions in (played, better)]
        turns.append(_turn(ruleset, entry, better, after, best, ends, is_forced=is_forced))
    # 2. The result, and what changed from each expectation to the next
    befores.append((entries[-1].seq + 1, [_results(ruleset, state, 0.0)] * samples))
    play = [_change(seq, before, after) for (seq, before), after in zip(befores, afters, strict=False)]
    luck = [
        _change(seq, after, before)
        for (seq, _before), after, (_seq, before) in zip(befores, afters, befores[1:], strict=False)
    ]
    expectations = [
        Expectation(seq, _means(found, 0), _errors(found, 0), _means(found, 1)) for seq, found in befores
    ]  # fmt: skip
    sides = tuple(_side(seat, befores, afters, turns) for seat in range(len(expectations[0].margins)))
    return Review(ENGINE, samples, budget, tuple(expectations), tuple(play), tuple(luck), tuple(turns), sides)


def luck_of(
    ruleset: Ruleset, empty: State, entries: Sequence[log.Entry], *, seed: int = 1, samples: int = 0
) -> Luck | None:  # fmt: skip
    """Return the luck of a finished game, which takes no search; None for a game without a turn.

    It is what `review` calls luck, from fewer samples, so that it costs some seconds and every game can have it.
    """
    samples = samples or LUCK_SAMPLES[ruleset.family]
    samples, _budget = affordable(ruleset, empty, entries, samples, 0, MOST_LUCK_COST)
    chance = Quick(seed)
    seeds = [chance.below(1 << 62) for _sample in range(samples)]
    befores: list[tuple[int, Outcomes]] = []
    afters: list[Outcomes] = []
    state = empty.copy()
    for entry, view in turns_of(ruleset, state, entries):
        befores.append((entry.seq, outcomes(ruleset, view, (), seeds)))
        afters.append(outcomes(ruleset, view, tuple(map(ruleset.parse, entry.actions)), seeds))
    if not befores:
        return None
    befores.append((entries[-1].seq + 1, [_results(ruleset, state, 0.0)] * samples))
    gains = []
    for (seq, _before), after, (_seq, before) in zip(befores, afters, befores[1:], strict=False):
        gains.append((seq, tuple(round(points, 2) for points in _change(seq, after, before).margins)))
    sides = tuple(_balance(seat, befores, afters) for seat in range(len(befores[0][1][0])))
    return Luck(ENGINE, samples, tuple(gains), sides)


def turns_of(ruleset: Ruleset, state: State, entries: Sequence[log.Entry]) -> Iterator[tuple[log.Entry, View]]:
    """Yield each turn of a game that counts, with what its player knew before it.

    Applies the entries to `state`, which is the position before the turn that was yielded last, and in the end the
    final one.
    """
    for entry in log.turns_that_count(entries):
        if entry.seat is not None and is_turn(ruleset, state, entry.seat):
            yield entry, ruleset.view(state, entry.seat)
        for event in log.facts(ruleset, entry):
            ruleset.evolve(state, event)


def is_turn(ruleset: Ruleset, state: State, seat: int) -> bool:
    """Return whether the seat must decide something in or after the first turn, which can be played on from."""
    return seat in ruleset.to_act(state) and ROLLOUTS[ruleset.family].is_turn(state)


def affordable(
    ruleset: Ruleset, empty: State, entries: Sequence[log.Entry], samples: int, budget: int, most: int
) -> tuple[int, int]:  # fmt: skip
    """Return how many samples and which budget a game gets, so that all of it costs at most `most`.

    Each turn is played on from before it, after it and, with a budget, after the best one.
    """
    cost_left, state = ROLLOUTS[ruleset.family].cost_left, empty.copy()
    left = [cost_left(state) for _turn in turns_of(ruleset, state, entries)]
    cost = (3 if budget else 2) * samples * sum(left) + budget * len(left)
    share = min(1.0, most / cost) if cost else 1.0
    return max(min(samples, FEWEST), round(samples * share)), round(budget * share)


def outcomes(ruleset: Ruleset, view: View, actions: Sequence[Action], seeds: Sequence[int]) -> Outcomes:
    """Return how the game ends after these actions of the view's seat, once for each seed.

    A seed gives the things that the seat can't see, the order of the deck, and all later draws, whatever the actions.
    """
    rollout, results = ROLLOUTS[ruleset.family], []
    for seed in seeds:
        state = search.supposed(ruleset, view, Quick(seed))
        rollout.shuffle(state, Quick(seed))
        if actions:
            try:
                after = state.copy()
                apply(ruleset, after, view.seat, actions, None)
            except NeedsChance:
                after = state.copy()
                apply(ruleset, after, view.seat, actions, rollout.drawing(after, seed))
            state = after
            rollout.shuffle(state, Quick(seed))
        cost = rollout.play_out(state, Quick(seed))
        results.append(_results(ruleset, state, cost))
    return results


def _results(ruleset: Ruleset, state: State, cost: float) -> list[tuple[float, float]]:
    """Return each seat's margin and share of the win, after the quick player simulated turns for this `cost`."""
    results = ROLLOUTS[ruleset.family].results(state)
    if in_points(ruleset):
        return softened(results, SPREAD[ruleset.slug] * sqrt(cost))
    return [(100 * share, share) for _lead, share in results]


def softened(results: Sequence[tuple[float, float]], spread: float) -> list[tuple[float, float]]:
    """Return the results with shares of the win that allow for an error of the leads: the closer, the more even.

    Without a spread, the shares are those of the results.
    """
    if not spread:
        return list(results)
    weights = [exp(min(0.0, lead) / spread) for lead, _share in results]
    total = sum(weights)
    return [(lead, weight / total) for (lead, _share), weight in zip(results, weights, strict=True)]


def best_turn(
    ruleset: Ruleset, view: View, actions: Sequence[str], budget: int, chance: Quick
) -> tuple[tuple[Action, ...], bool]:  # fmt: skip
    """Return the best turn found, which is the played one unless another one is better, and whether it was forced.

    What the last turn of a game leads to is known, so as many of those as possible are tried.
    """
    played = tuple(map(ruleset.parse, actions))
    if not ends_game(ruleset, view, played, 1):
        if ruleset.family in MOST_SUDDEN and (win := winning_turn(ruleset, view)):
            return win, False
        allowed = ROLLOUTS[ruleset.family].allowance(ruleset.sample(view, Quick(1)), budget)  # as bots give to it
        ideas = search.ideas(ruleset, view, view.seat, round(allowed), chance, also=[actions])
        best = tuple(map(ruleset.parse, ideas[0].actions)) if ideas else played
        return best, best == played and len(view.legal) == 1 and len(ideas) <= 1
    rollout, seat, start = ROLLOUTS[ruleset.family], view.seat, ruleset.sample(view, Quick(1))
    results, end = rollout.results, start.copy()
    apply(ruleset, end, seat, played, rollout.drawing(end, 1))
    best, (most, win_share), endings = played, results(end)[seat], 0
    for turn, state in last_turns(ruleset, start, seat, MOST_SUDDEN.get(ruleset.family, MOST_ENDINGS)):
        lead, share = results(state)[seat]
        endings += 1
        if (share, lead) > (win_share, most):
            best, most, win_share = turn, lead, share
    return best, endings == 1


def winning_turn(ruleset: Ruleset, view: View) -> tuple[Action, ...] | None:
    """Return a turn that wins at once whatever the seat can't see, if one is found with `MOST_SUDDEN` actions tried."""
    rollout, seat = ROLLOUTS[ruleset.family], view.seat
    results = rollout.results
    for turn, state in last_turns(ruleset, ruleset.sample(view, Quick(1)), seat, MOST_SUDDEN[ruleset.family]):
        if results(state)[seat][1] == 1:
            others = [ruleset.sample(view, Quick(seed)) for seed in range(2, 6)]
            for seed, other in enumerate(others):
                rollout.shuffle(other, Quick(seed))
                apply(ruleset, other, seat, turn, rollout.drawing(other, seed))
            if all(ruleset.is_over(other) and results(other)[seat][1] == 1 for other in others):
                return turn
    return None


def last_turns(
    ruleset: Ruleset, state: State, seat: int, most: int
) -> Iterator[tuple[tuple[Action, ...], State]]:  # fmt: skip
    """Yield one turn that ends the game for each position that it can have led to, with the position at the end.

    Turns that need chance are left out, except those that may win at once (`MOST_SUDDEN`), which the caller must check
    with other draws. At most `most` actions are tried, short turns first.
    """
    rollout = ROLLOUTS[ruleset.family]
    key = KNOWLEDGE[ruleset.family].key if ruleset.family in KNOWLEDGE else msgspec.json.encode
    waiting: deque[tuple[tuple[Action, ...], State]] = deque([((), state)])
    seen: set[Hashable] = set()
    while waiting:
        actions, before = waiting.popleft()
        for action in ruleset.legal(before, seat):
            if not most:
                return
            most -= 1
            after = before.copy()
            try:
                apply(ruleset, after, seat, [action], None)
            except NeedsChance:
                if ruleset.family not in MOST_SUDDEN:
                    continue
                after = before.copy()
                apply(ruleset, after, seat, [action], rollout.drawing(after, 1))
                if ruleset.is_over(after):
                    yield (*actions, action), after
                continue
            if is_turn(ruleset, after, seat):
                if (mark := key(after)) not in seen:
                    seen.add(mark)
                    waiting.append(((*actions, action), after))
            else:
                after = before.copy()
                apply(ruleset, after, seat, [action], rollout.drawing(after, 1))
                if ruleset.is_over(after):
                    yield (*actions, action), after


def ends_game(ruleset: Ruleset, view: View, actions: Sequence[Action], seed: int) -> bool:
    """Return whether the game is over after these actions of the view's seat."""
    state = ruleset.sample(view, Quick(seed))
    apply(ruleset, state, view.seat, actions, ROLLOUTS[ruleset.family].drawing(state, seed))
    return ruleset.is_over(state)


def _turn(
    ruleset: Ruleset, entry: log.Entry, better: Sequence[Action], after: Outcomes, best: Outcomes,
    ends: Sequence[bool], *, is_forced: bool,
) -> Turn:  # fmt: skip
    seat = entry.seat or 0
    losses = [sample[seat][0] - other[seat][0] for sample, other in zip(best, after, strict=True)]
    missed = [sample[seat][1] - other[seat][1] for sample, other in zip(best, after, strict=True)]
    is_better = after is not best and (fmean(losses) > 0 or fmean(missed) > 0)
    return Turn(
        seq=entry.seq, seat=seat, by=entry.by, actions=entry.actions,
        better=tuple(map(ruleset.text, better)) if is_better else (),
        chance=fmean(sample[seat][1] for sample in after),
        loss=max(0.0, fmean(losses)), loss_doubt=doubt(losses),
        chance_loss=max(0.0, fmean(missed)), chance_doubt=doubt(missed),
        wins=ends[0] and all(sample[seat][1] == 1 for sample in after),
        best_wins=ends[1] and all(sample[seat][1] == 1 for sample in best),
        is_forced=is_forced,
    )  # fmt: skip


def _change(seq: int, before: Outcomes, after: Outcomes) -> Change:
    changed = [
        [(lead - lead0, win - win0) for (lead0, win0), (lead, win) in zip(sample, other, strict=True)]
        for sample, other in zip(before, after, strict=True)
    ]
    return Change(seq, _means(changed, 0), _errors(changed, 0), _means(changed, 1), _errors(changed, 1))


def _means(samples: Outcomes, index: int) -> tuple[float, ...]:
    return tuple(fmean(result[index] for result in seat) for seat in zip(*samples, strict=True))


def _errors(samples: Outcomes, index: int) -> tuple[float, ...]:
    return tuple(doubt([result[index] for result in seat]) for seat in zip(*samples, strict=True))


def _side(
    seat: int, befores: Sequence[tuple[int, Outcomes]], afters: Sequence[Outcomes], turns: Sequence[Turn]
) -> Side:
    balance = _balance(seat, befores, afters)
    changed = [
        fmean(sample[seat][0] for sample in now) - fmean(sample[seat][0] for sample in then)
        for (_seq, then), now in zip(befores, afters, strict=False)
    ]
    own = [turn for turn in turns if turn.seat == seat and turn.by in (log.SEAT, log.ORDERS) and not turn.is_forced]
    return Side(
        **msgspec.structs.asdict(balance),
        own=sum(change for turn, change in zip(turns, changed, strict=True) if turn.seat == seat),
        accuracy=fmean(turn.accuracy for turn in own) if own else None,
        turns=len(own), best=sum(not turn.better for turn in own), loss=sum(turn.loss for turn in own),
        chance_loss=sum(turn.chance_loss for turn in own),
    )  # fmt: skip


def _balance(seat: int, befores: Sequence[tuple[int, Outcomes]], afters: Sequence[Outcomes]) -> Balance:
    # Sums by sample, because samples with the same seed are not independent from turn to turn
    before = [[sample[seat][0] for sample in samples] for _seq, samples in befores]
    after = [[sample[seat][0] for sample in samples] for samples in afters]
    luck = [sum(two - one for one, two in pairs) for pairs in _by_sample(after, before[1:])]
    play = [sum(two - one for one, two in pairs) for pairs in _by_sample(before[:-1], after)]
    return Balance(
        first=fmean(before[0]), result=before[-1][0],
        luck=fmean(luck), luck_doubt=doubt(luck), play=fmean(play), play_doubt=doubt(play),
    )  # fmt: skip


def _by_sample(
    befores: Sequence[Sequence[float]], afters: Sequence[Sequence[float]]
) -> Iterator[list[tuple[float, float]]]:
    for sample in range(len(befores[0])):
        yield [(before[sample], after[sample]) for before, after in zip(befores, afters, strict=True)]
