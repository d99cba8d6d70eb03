"""Kingdoms as a ruleset."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.kingdoms import actions, decide, evolve, legal, options, orders, say, scoring, state, turn, view
from games.rules.kingdoms.course import Course
from games.rules.kingdoms.deck import CLASSES
from games.rules.kingdoms.events import AnyEvent
from games.rules.kingdoms.options import PRESETS, SEAT_COUNTS, Options
from games.rules.kingdoms.sampling import sample
from games.rules.protocol import Action, Chance, Event, OptionField, Preset, SeatInfo
from games.rules.words import Translate, gettext_noop, untranslated


class Kingdoms:
    """The Kingdoms ruleset; see `games.rules.protocol.Ruleset`. Its sentences name no regions."""

    name = gettext_noop("Kingdoms")
    seat_counts: tuple[int, ...] = SEAT_COUNTS
    presets: tuple[Preset, ...] = PRESETS
    family = "kingdoms"
    left_name = ""
    has_running_points = False  # points only count places, at the end
    options_type = Options
    state_type = state.State
    event_type = AnyEvent
    trait_names = scoring.TRAIT_NAMES
    source_groups = CLASSES

    def __init__(self, slug: str, version: int) -> None:
        self.slug, self.version = slug, version
        self.changed: tuple[str, ...] = ()
        self.options = options.chosen
        self.option_fields = options.fields
        self.to_act = state.to_act
        self.legal = legal.legal
        self.random_action = legal.random_action
        self.decide = decide.decide
        self.advance = decide.advance
        self.evolve = evolve.evolve
        self.stop = evolve.stop
        self.view = view.view
        self.seen = view.seen
        self.score = scoring.score
        self.counted = scoring.counted
        self.milestone_of = scoring.milestone_of
        self.decides = scoring.decides
        self.parse = actions.parse
        self.text = actions.text
        self.answer = orders.answer
        self.when_late = orders.when_late
        self.traits = scoring.traits

    def order_fields(self) -> tuple[OptionField, ...]:
        return orders.FIELDS

    def lets_whisper(self, options: Options) -> bool:
        """Return whether collusion is on (K62)."""
        return options.collusion

    def trait_name(self, kind: str, value: str) -> str:
        return value

    def is_unsettled(self, position: state.State) -> bool:
        """Return whether troops are on the table, out of their hands."""
        return position.battle is not None

    def source_name(self, source: str) -> str:
        """Return the name of a class of Heroes, or of the only source of places."""
        return CLASSES.get(source, gettext_noop("Opponents beaten"))

    def source_group(self, source: str) -> str:
        return source

    def is_reply(self, position: state.State) -> bool:
        """Return whether a ruler is asked to protect or a player to defend (section 15)."""
        return position.phase in (state.PROTECT, state.DEFEND)

    def phase(self, position: state.State) -> str:
        return position.phase

    def end_of_turn(self, position: state.State, seat: int) -> Action | None:
        """Return `end` once the seat has drawn, unless it must attack (K60)."""
        is_turn = position.phase == state.TURN and position.active == seat and position.flags.drawn
        return legal.END if is_turn and not legal.must_attack(position) else None

    def is_under_way(self, position: state.State) -> bool:
        """Return whether anything was done this turn, or cards it turned over are still to be dealt with."""
        return position.phase in state.TURNED_UP or position.flags != state.FRESH

    def start(self, options: Options, seats: Sequence[SeatInfo], chance: Chance) -> list[Event]:
        course = Course(self.initial(options, seats), chance)
        turn.deal(course, 0)
        return course.events

    def initial(self, options: Options, seats: Sequence[SeatInfo]) -> state.State:
        return state.empty(options, tuple(seats))

    def sealed(self, position: state.State) -> bool:
        """Return False: if two defend at once, it is public how many cards each has laid (K82)."""
        return False

    def ranks_told(self, event: Event, seats: Sequence[SeatInfo]) -> tuple[SeatInfo, ...]:
        """Return none: nothing depends on age."""
        return ()

    def is_private(self, action: Action) -> bool:
        """Return whether the action names hidden cards of a hand: troops, gifts, a spy's choice (section 14)."""
        return isinstance(action, actions.Attack | actions.Wave | actions.Defend | actions.Gift | actions.Take)

    def is_over(self, position: state.State) -> bool:
        return position.result is not None

    def can_count(self, position: state.State) -> bool:
        """Return whether any Tower is standing (H3)."""
        return any(position.towers)

    def left_over(self, position: state.State) -> tuple[int, ...]:
        return (0,) * position.players

    def next_options(self, options: Mapping[str, Any], position: state.State) -> dict[str, Any]:
        """Return the same options: the first player is drawn again (K2)."""
        return dict(options)

    def unknown(self, seen: view.View) -> Sequence[str]:
        return seen.hidden.deck

    def sample(self, seen: view.View, chance: Chance) -> state.State:
        return sample(seen.hidden, chance)

    def say(
        self, event: Event, names: Sequence[str], translate: Translate = untranslated, region_name: object = str
    ) -> str:
        return say.say(event, names, translate)

    def tell(
        self, events: Sequence[Event], names: Sequence[str], translate: Translate = untranslated,
        region_name: object = str,
    ) -> list[str]:  # fmt: skip
        return say.tell(events, names, translate)
