"""What every ruleset implements and nothing else does: `decide` finds events, `evolve` makes them so.

Seats count from 0. States, actions, events and views are `msgspec` structs of the ruleset; at every boundary
actions are short texts (`take night-hydra`, `move v3 v5`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from games.rules.words import Translate, untranslated

State = Any
Action = Any
Event = Any
View = Any
Options = Any
Traits = Mapping[str, tuple[str, ...]]


class IllegalAction(Exception):  # noqa: N818 - a refusal, no error
    """A refusal in a sentence for the player.

    The sentence is kept as a template and its values, so that the site can translate it: `str()` gives it in English.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values

    def say(self, translate: Translate = untranslated) -> str:
        """The sentence in the language of `translate`."""
        return translate(self.template).format(**self.values)


class NeedsChance(Exception):  # noqa: N818
    """A step of a draft that cannot be taken back: it has to be submitted, with what was laid out before it."""


class Chance(Protocol):
    """Where luck comes from. Two implementations: `fairness.Fair` for games, `fairness.Quick` for simulations."""

    def draw(self, deck: str, cards: Sequence[str]) -> str:
        """The next of `cards`, what is left of the shuffled `deck`."""

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely."""


class SeatInfo(msgspec.Struct, frozen=True):
    """What the rules may know of who sits in a seat: no more than the tie-break by age needs (R7, R42).

    `born` and `joined` are ranks among the players of the game, 0 the eldest; equal ranks are possible. `born` is
    null where a player gave no date of birth.
    """

    bot: bool = False
    born: int | None = None
    joined: int = 0


class Points(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a scoresheet: `source` is a word of the ruleset (`regions`, a card's id), `items` what earned it."""

    source: str
    points: int
    items: tuple[str, ...] = ()


class SeatScore(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's result. Places run 1, 1, 3. `tie_break` names what put it behind the seat above with the same total."""

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
    """One answer to an option. `players`: the numbers of players with whom it is possible, empty for all.

    `short` says it where many options stand in one line, and needs the option's label beside it no more.
    """

    value: bool | str
    label: str
    players: tuple[int, ...] = ()
    short: str = ""


class OptionField(msgspec.Struct, frozen=True):
    """A choice of the table as forms offer it, with one sentence on what it does.

    `default` is what a record without the option means, and `new` what a new table gets where that is something else.
    `needs` names an option without which this one makes no sense. Labels and sentences are to be translated.
    """

    name: str
    label: str
    sentence: str
    choices: tuple[OptionChoice, ...]
    default: bool | str
    needs: str = ""
    new: bool | str | None = None

    @property
    def usual(self) -> bool | str:
        """What a new table has where nobody chooses."""
        return self.default if self.new is None else self.new

    @property
    def kind(self) -> str:
        """`yes-no` or `choice`."""
        return "yes-no" if isinstance(self.default, bool) else "choice"


class Preset(msgspec.Struct, frozen=True):
    """Options that go together, under a name. `is_for_first`: whether they make a good first game."""

    slug: str
    label: str
    sentence: str
    options: dict[str, bool | str]
    is_for_first: bool = False


class Ruleset(Protocol):
    """One game of the site. `decide` finds what follows from an action, `evolve` is the only writer of a state.

    Rulesets of a `family` have their views in common, and with them drawings, bots and pages. `left_name` calls what
    `left_over` counts, as in “coins left”; it is empty where there is nothing to count. `has_running_points`: points
    during play say who is ahead, so a game that is stopped can be decided by them. `trait_names` say what kinds of
    `traits` there are.
    """

    slug: str
    family: str
    name: str
    version: int
    seat_counts: tuple[int, ...]
    event_type: Any
    state_type: Any
    options_type: Any
    presets: tuple[Preset, ...]
    left_name: str
    has_running_points: bool
    trait_names: dict[str, str]

    def option_fields(self, players: int | None = None) -> tuple[OptionField, ...]:
        """The choices of a table, for so many players."""

    def options(self, data: Mapping[str, Any], players: int) -> Options:
        """The options in `data`, checked. Raises `IllegalAction` for a combination that makes no sense."""

    def order_fields(self) -> tuple[OptionField, ...]:
        """The standing orders that a player may give, so that the game need not wait for every answer."""

    def lets_whisper(self, options: Options) -> bool:
        """Whether players may talk in private at a table with these options."""

    def start(self, options: Options, seats: Sequence[SeatInfo], chance: Chance) -> list[Event]:
        """The set-up as far as it needs nobody."""

    def initial(self, options: Options, seats: Sequence[SeatInfo]) -> State:
        """The empty position that the log is folded on."""

    def to_act(self, state: State) -> tuple[int, ...]:
        """The seats that owe a decision now: several while `sealed`, none when the game is over."""

    def sealed(self, state: State) -> bool:
        """Whether the decisions owed now are secret until the last of them is in (R6)."""

    def is_reply(self, state: State) -> bool:
        """Whether what is owed now is owed by somebody whose turn it is not: a defence, a protection."""

    def phase(self, state: State) -> str:
        """What kind of decision is owed. A submission never reaches past the step that changes it."""

    def is_under_way(self, state: State) -> bool:
        """Whether the seat to act has begun what it has now to go on with: a turn, a set-up of several choices."""

    def is_over(self, state: State) -> bool:
        """Whether the game has ended."""

    def legal(self, state: State, seat: int) -> list[Action]:
        """Every legal action of the seat, in a stable order."""

    def end_of_turn(self, state: State, seat: int) -> Action | None:
        """The action that gives up the rest of the seat's turn; null where no turn can be ended now.

        Where there is one, a submission has to end with it, or with a step after which nothing can follow (R40).
        """

    def answer(self, state: State, seat: int, orders: Mapping[str, Any]) -> Action | None:
        """What the seat's standing orders say to the decision that it owes; null where they do not cover it.

        Asked again after each step. What is missing in `orders` is as the fields' defaults say.
        """

    def when_late(self, state: State, seat: int) -> Action | None:
        """The step that is done when the seat's time is up, again until it owes nothing; null: a bot plays on."""

    def decide(self, state: State, seat: int, action: Action, chance: Chance | None) -> list[Event]:
        """The facts that follow from the action, chance included.

        Without `chance` it is a draft: what would be drawn after the seat's turn is left out, and a step that needs
        a draw itself raises `NeedsChance`. Raises `IllegalAction`.
        """

    def evolve(self, state: State, event: Event) -> None:
        """Make it so. Total and deterministic."""

    def can_count(self, state: State) -> bool:
        """Whether enough has been played for the points as they stand to be a result."""

    def stop(self, state: State) -> None:
        """The house has ended the game: nobody owes anything more, and the points as they stand are the result."""

    def view(self, state: State, seat: int | None) -> View:
        """What the seat, or with None a watcher, may know."""

    def seen(self, event: Event, seat: int | None) -> Event | None:
        """The event as the seat may know it, None where it may not know of it at all."""

    def ranks_told(self, event: Event, seats: Sequence[SeatInfo]) -> tuple[SeatInfo, ...]:
        """The ranks by age that the event makes public, for each seat; empty for events that tell nothing of ages."""

    def is_private(self, action: Action) -> bool:
        """Whether the text of the action tells what others may not know, such as cards that stay hidden."""

    def unknown(self, view: View) -> Sequence[str]:
        """The cards and faces that the viewer cannot place: whoever is shown one has one less."""

    def sample(self, view: View, chance: Chance) -> State:
        """One full position that fits the view."""

    def score(self, state: State) -> Scoresheet:
        """The points as they stand, or at the end the result."""

    def source_name(self, source: str) -> str:
        """What players call a source of the scoresheet, still to be translated."""

    def left_over(self, state: State) -> tuple[int, ...]:
        """What each seat has left, by which a tie of a full game can be broken (R24)."""

    def traits(self, events: Sequence[Event], state: State) -> tuple[Traits, ...]:
        """What statistics count about each seat of an ended game, by kind: its bid, the cards that it took."""

    def trait_name(self, kind: str, value: str) -> str:
        """A value of a kind of trait as players call it, still to be translated."""

    def next_options(self, options: Mapping[str, Any], state: State) -> dict[str, Any]:
        """The options of the next game of a full game, after one with `options` that has come to `state`."""

    def say(
        self,
        event: Event,
        names: Sequence[str],
        translate: Translate = untranslated,
        region_name: Callable[[str], str] = str,
    ) -> str:
        """The event in a sentence; empty for events that need none. `names` are those of the seats."""

    def tell(
        self,
        events: Sequence[Event],
        names: Sequence[str],
        translate: Translate = untranslated,
        region_name: Callable[[str], str] = str,
    ) -> list[str]:
        """The events of an entry in sentences; runs of the same kind are told as one."""

    def parse(self, text: str) -> Action:
        """The action that a text means. Raises `IllegalAction` for a text that means none."""

    def text(self, action: Action) -> str:
        """The text of an action; the inverse of `parse`."""
