"""The interface every ruleset implements: `decide` turns an action into events, `evolve` applies an event to a state.

Seats count from 0. States, actions, events and views are `msgspec` structs of the ruleset; outside it, actions are
short texts (`take night-hydra`, `move v3 v5`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from games.rules.words import Translate, gettext_noop, untranslated

State = Any
Action = Any
Event = Any
View = Any
Options = Any
Traits = Mapping[str, tuple[str, ...]]


class IllegalAction(Exception):  # noqa: N818 - a refusal, not an error
    """A refusal, with a sentence for the player.

    It keeps the sentence as a template and values, so that the site can translate it. `str()` gives the English text.
    A value that depends on the language, such as the name of a card, is a function of `translate`.
    """

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = values
        super().__init__(self.say())

    def say(self, translate: Translate = untranslated) -> str:
        """Return the sentence, translated by `translate`."""
        values = {name: value(translate) if callable(value) else value for name, value in self.values.items()}
        return translate(self.template).format(**values)


class NeedsChance(Exception):  # noqa: N818
    """A draft step that cannot be undone: it must be submitted, together with the steps before it."""


class Chance(Protocol):
    """A source of random draws: `fairness.Fair` for games, `fairness.Quick` for simulations."""

    def draw(self, deck: str, cards: Sequence[str]) -> str:
        """Return the next card of the shuffled `deck`; `cards` are those still in it."""

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, each equally likely."""


class SeatInfo(msgspec.Struct, frozen=True):
    """What the rules may know about a seat's player: only what the tie-break by age needs (R7, R42).

    `born` and `joined` are ranks among the players of the game, 0 for the oldest; equal ranks are possible. `born` is
    null if the player gave no date of birth.
    """

    bot: bool = False
    born: int | None = None
    joined: int = 0


class Points(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a scoresheet.

    `source` is a word of the ruleset (`regions`, a card's id); `items` earned the points.
    """

    source: str
    points: int
    items: tuple[str, ...] = ()


class SeatScore(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's result.

    Places count 1, 1, 3. `tie_break` names what placed it after the next seat above with the same total.
    """

    seat: int
    total: int
    place: int
    lines: tuple[Points, ...]
    tie_break: str | None = None


class Scoresheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points by source for each seat, in seat order."""

    seats: tuple[SeatScore, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(score.seat for score in self.seats if score.place == 1)


class OptionChoice(msgspec.Struct, frozen=True):
    """A choice for an option.

    `players` are the player counts that allow it; empty means all. `short` describes the choice in a list of options,
    where it must make sense without the option's label.
    """

    value: bool | str
    label: str
    players: tuple[int, ...] = ()
    short: str = ""


YES_OR_NO = (OptionChoice(True, gettext_noop("Yes")), OptionChoice(False, gettext_noop("No")))


class OptionField(msgspec.Struct, frozen=True):
    """An option of a game as forms show it, with a sentence about what it does.

    `default` is the value of a record without this option; `new` is the initial value in a new game, if different.
    `needs` names another option that this one requires. Labels and sentences are translatable.
    """

    name: str
    label: str
    sentence: str
    default: bool | str
    choices: tuple[OptionChoice, ...] = YES_OR_NO
    needs: str = ""
    new: bool | str | None = None

    @property
    def usual(self) -> bool | str:
        """The value in a new game if nobody chooses one."""
        return self.default if self.new is None else self.new

    @property
    def kind(self) -> str:
        """`yes-no` or `choice`."""
        return "yes-no" if isinstance(self.default, bool) else "choice"


def read_options(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, OptionField]:
    """Return the options of a data file. Without choices, one is yes or no; its default is no, or the first choice."""
    return {
        name: msgspec.convert(
            {"name": name, "default": row.get("choices", [{"value": False}])[0]["value"], **row}, OptionField
        )
        for name, row in rows.items()
    }


class Preset(msgspec.Struct, frozen=True):
    """A named set of options. `is_for_first` marks a good first game."""

    slug: str
    label: str
    sentence: str
    options: dict[str, bool | str]
    is_for_first: bool = False


class Ruleset(Protocol):
    """A game of the site, in one version of its rules. `decide` finds the events of an action; only `evolve` writes.

    `changed` are the rulings that this `version` changed: a game keeps the version that it began with. Rulesets of the
    same `family` share views, and with them drawings, bots and pages. `left_name` names what `left_over` counts, such
    as “coins left”; it is empty if nothing is counted. `has_running_points` means that points during play show who is
    ahead, so a stopped game can be decided by them; without them, points only count places at the end. `trait_names`
    maps each kind of trait to its name, `source_groups` each group of sources, in the order of charts.
    """

    slug: str
    family: str
    name: str
    version: int
    changed: tuple[str, ...]
    seat_counts: tuple[int, ...]
    event_type: Any
    state_type: Any
    options_type: Any
    presets: tuple[Preset, ...]
    left_name: str
    has_running_points: bool
    trait_names: dict[str, str]
    source_groups: dict[str, str]

    def option_fields(self, players: int | None = None) -> tuple[OptionField, ...]:
        """Return the options for a number of players, or for any."""

    def options(self, data: Mapping[str, Any], players: int) -> Options:
        """Return the options in `data`, checked. Raises `IllegalAction` for an invalid combination."""

    def order_fields(self) -> tuple[OptionField, ...]:
        """Return the standing orders a player can give, so that the game need not wait for every answer."""

    def lets_whisper(self, options: Options) -> bool:
        """Return whether these options let players write to each other in private."""

    def start(self, options: Options, seats: Sequence[SeatInfo], chance: Chance) -> list[Event]:
        """Return the events of the setup, up to the first decision of a player."""

    def initial(self, options: Options, seats: Sequence[SeatInfo]) -> State:
        """Return the empty position to which the log is applied."""

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the seats that must decide now: several while `sealed`, none when the game is over."""

    def sealed(self, state: State) -> bool:
        """Return whether pending decisions stay secret until the last one is in (R6)."""

    def is_reply(self, state: State) -> bool:
        """Return whether the pending decision is an answer during another player's turn: a defense, a protection."""

    def phase(self, state: State) -> str:
        """Return the kind of decision that is pending. A submission ends with the step that changes it."""

    def is_under_way(self, state: State) -> bool:
        """Return whether the acting seat is in the middle of something: a turn, or a setup of several choices."""

    def is_over(self, state: State) -> bool:
        """Return whether the game has ended."""

    def legal(self, state: State, seat: int) -> list[Action]:
        """Return every legal action of the seat, in a stable order."""

    def random_action(self, state: State, seat: int, chance: Chance) -> Action:
        """Return one of the legal actions, each equally likely, without listing them if there may be many.

        The seat must have a legal action. One number below `len(legal(state, seat))` is drawn, and each number gives a
        different action, not always in the order of the list.
        """

    def end_of_turn(self, state: State, seat: int) -> Action | None:
        """Return the action that ends the seat's turn early, or None if no turn can be ended now.

        If there is one, a submission must end with it, or with a step after which nothing can follow (R40).
        """

    def answer(self, state: State, seat: int, orders: Mapping[str, Any]) -> Action | None:
        """Return what the seat's standing orders decide, or None if they don't cover the pending decision.

        Called again after each step. Orders missing from `orders` have their fields' default values.
        """

    def when_late(self, state: State, seat: int) -> Action | None:
        """Return the step taken for a seat whose time has run out, or None to let a bot play its turn.

        Called again after each step, until the seat need not act.
        """

    def decide(self, state: State, seat: int, action: Action, chance: Chance | None) -> list[Event]:
        """Return the events that follow from the action, including random draws.

        Without `chance` it is a draft: draws after the seat's turn are left out, and a step that itself needs a draw
        raises `NeedsChance`. Raises `IllegalAction`.
        """

    def advance(self, state: State, seat: int, action: Action, chance: Chance) -> list[Event]:
        """Return what `decide` returns, after applying these events to the state, in less time than one by one.

        Raises `IllegalAction` before it changes anything.
        """

    def evolve(self, state: State, event: Event) -> None:
        """Apply the event to the state. Total and deterministic."""

    def can_count(self, state: State) -> bool:
        """Return whether enough has been played for the current points to count as a result."""

    def stop(self, state: State) -> None:
        """End the game early, at the staff's request: nobody must act, and the current points are the result."""

    def view(self, state: State, seat: int | None) -> View:
        """Return what the seat may know, or, for None, what a spectator may know."""

    def seen(self, event: Event, seat: int | None) -> Event | None:
        """Return the event as the seat may know it, or None if it may not know of it at all."""

    def ranks_told(self, event: Event, seats: Sequence[SeatInfo]) -> tuple[SeatInfo, ...]:
        """Return the age ranks that the event makes public, by seat; empty for events that reveal none."""

    def is_private(self, action: Action) -> bool:
        """Return whether the action's text reveals something secret, such as cards that stay hidden."""

    def unknown(self, view: View) -> Sequence[str]:
        """Return the cards and faces that the viewer cannot locate. Being shown one removes it from the list."""

    def sample(self, view: View, chance: Chance) -> State:
        """Return a full position that is consistent with the view."""

    def score(self, state: State) -> Scoresheet:
        """Return the current points, or the result if the game is over."""

    def counted(self, state: State) -> tuple[tuple[Points, ...], ...]:
        """Return what players count for each seat, by source: its points, or in Kingdoms the value of its hand.

        The sums are shown as the score of a finished game. They do not always decide the places.
        """

    def is_unsettled(self, state: State) -> bool:
        """Return whether what players count is incomplete for now, as while troops are laid in a battle of Kingdoms."""

    def milestone_of(self, event: Event) -> tuple[int, ...]:
        """Return the seats for which the result page mentions the event, such as a Tower built; usually none."""

    def decides(self, state: State, event: Event) -> bool:
        """Return whether the finished game may have been won by the event, not by points; the last one counts."""

    def source_name(self, source: str) -> str:
        """Return players' name for a source of the scoresheet, or of what is counted, not yet translated."""

    def source_group(self, source: str) -> str:
        """Return the group that a source belongs to in charts, a key of `source_groups`."""

    def left_over(self, state: State) -> tuple[int, ...]:
        """Return what each seat has left, used to break ties of a full game (R24)."""

    def traits(self, events: Sequence[Event], state: State) -> tuple[Traits, ...]:
        """Return what statistics count about each seat of a finished game, by kind: its bid, the cards it took."""

    def trait_name(self, kind: str, value: str) -> str:
        """Return players' name for a trait's value, not yet translated."""

    def next_options(self, options: Mapping[str, Any], state: State) -> dict[str, Any]:
        """Return the options of the next game of a full game, after one with `options` that ended in `state`."""

    def say(
        self,
        event: Event,
        names: Sequence[str],
        translate: Translate = untranslated,
        region_name: Callable[[str], str] = str,
    ) -> str:
        """Describe the event in a sentence, or return "" if it needs none. `names` are the players' names by seat."""

    def tell(
        self,
        events: Sequence[Event],
        names: Sequence[str],
        translate: Translate = untranslated,
        region_name: Callable[[str], str] = str,
    ) -> list[str]:
        """Describe the events of an entry in sentences; runs of the same kind become one sentence."""

    def parse(self, text: str) -> Action:
        """Return the action of a text. Raises `IllegalAction` for an invalid text."""

    def text(self, action: Action) -> str:
        """Return the text of an action; the inverse of `parse`."""
