"""Playing actions: the one loop that decides, evolves and collects events, and the check of a submission.

A submission is first walked without chance (`walk`). Nothing may follow a step that needs chance or that changes the
phase or the seats to act. So whether and how a submission is refused never depends on what is drawn or hidden.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.rules.protocol import Action, Chance, Event, IllegalAction, NeedsChance, Options, Ruleset, SeatInfo, State
from games.rules.words import gettext_noop

MOST_STEPS = 200  # of one turn; some turns of Kingdoms could go on forever
LONGEST_TURN = 40_000  # characters: 200 purchases in Kingdoms with two decks have up to 174 each


class NothingCanFollow(IllegalAction):
    """A step after one that ends a submission. The sentence is always the same."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop(
                "Nothing can follow a step that draws or reveals something, or that ends this part of the turn. "
                "Confirm the steps up to that one first."
            )
        )


class Incomplete(IllegalAction):
    """A submission that leaves a turn open. The sentence is always the same."""

    sentence = gettext_noop("Your turn is not complete. Use your remaining moves or end the turn.")

    def __init__(self) -> None:
        super().__init__(self.sentence)


@dataclass(frozen=True)
class Walk:
    """The result of playing actions without chance.

    `state` is the position after them, without a last step that `needs_chance`. `is_closed` means that no further step
    can be submitted with them, because the last one needs chance or has changed the phase or the seats to act.
    """

    state: State
    is_closed: bool = False
    needs_chance: bool = False


def begin(rules: Ruleset, options: Options, seats: Sequence[SeatInfo], chance: Chance) -> tuple[State, list[Event]]:
    """Return the initial position of a game and the events of its setup."""
    state = rules.initial(options, seats)
    events = rules.start(options, seats, chance)
    for event in events:
        rules.evolve(state, event)
    return state, events


def apply(rules: Ruleset, state: State, seat: int, actions: Iterable[Action], chance: Chance | None) -> list[Event]:
    """Play the seat's actions on `state`, changing it, and return their events.

    Raises `IllegalAction` and, without `chance`, `NeedsChance`, after applying the actions before the refused one.
    """
    all_events: list[Event] = []
    for action in actions:
        if chance is not None:
            all_events += rules.advance(state, seat, action, chance)
            continue
        events = rules.decide(state, seat, action, None)
        for event in events:
            rules.evolve(state, event)
        all_events += events
    return all_events


def walk(rules: Ruleset, state: State, seat: int, texts: Iterable[str]) -> Walk:
    """Play the action texts on a copy, without chance. Raises `IllegalAction`."""
    position, is_closed, needs_chance = state.copy(), False, False
    for text in texts:
        if is_closed:
            raise NothingCanFollow
        before = rules.phase(position), rules.to_act(position)
        try:
            apply(rules, position, seat, [rules.parse(text)], None)
        except NeedsChance:
            is_closed = needs_chance = True
        else:
            is_closed = (rules.phase(position), rules.to_act(position)) != before
    return Walk(position, is_closed, needs_chance)


def is_whole(rules: Ruleset, walked: Walk, seat: int) -> bool:
    """Return whether a submission may end after the walk: nothing can follow, or there is no turn to end (R40)."""
    return walked.is_closed or not rules.end_of_turn(walked.state, seat)
