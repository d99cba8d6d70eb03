"""The Eight-Minute family behind the protocol: one ruleset for each edition."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.empire import actions, evolve, legal, options, say, scoring, setup, state, story, view
from games.rules.empire import decide as deciding
from games.rules.empire.edition import edition
from games.rules.empire.events import AnyEvent, BidMade, TokenSeen
from games.rules.empire.options import PRESETS, Options, rules_of
from games.rules.empire.say import RegionName
from games.rules.protocol import Chance, Event, OptionField, SeatInfo
from games.rules.words import Translate, untranslated


class Empire:
    """A ruleset of the family; `slug` names its edition. See `games.rules.protocol.Ruleset` for the calls."""

    options_type = Options
    state_type = state.State
    event_type = AnyEvent

    def __init__(self, slug: str, version: int) -> None:
        self.rules = edition(slug)
        self.slug, self.version = slug, version
        self.name = self.rules.name
        self.seat_counts = self.rules.players
        self.presets = PRESETS[slug]
        self.to_act = legal.to_act
        self.legal = legal.legal
        self.decide = deciding.decide
        self.evolve = evolve.evolve
        self.view = view.view
        self.sample = view.sample
        self.score = scoring.score
        self.parse = actions.parse
        self.text = actions.text

    def options(self, data: Mapping[str, Any], players: int) -> Options:
        return options.chosen(self.rules, data, players)

    def option_fields(self, players: int | None = None) -> tuple[OptionField, ...]:
        return options.option_fields(self.rules, players)

    def start(self, options: Options, seats: Sequence[SeatInfo], chance: Chance) -> list[Event]:
        setter = chance.below(len(seats)) if options.setter is None else options.setter
        return setup.set_up(rules_of(self.slug, options), options, len(seats), setter, chance)

    def initial(self, options: Options, seats: Sequence[SeatInfo]) -> state.State:
        return state.empty(rules_of(self.slug, options), tuple(seats), options)

    def sealed(self, position: state.State) -> bool:
        return position.phase == state.BID

    def is_over(self, position: state.State) -> bool:
        return position.phase == state.OVER

    def seen(self, event: Event, seat: int | None) -> Event | None:
        """A single bid is for its seat alone, and what lies under a token; `BidsRevealed` tells all bids."""
        if isinstance(event, BidMade) and event.seat != seat:
            return None
        if isinstance(event, TokenSeen) and event.seat != seat:
            return TokenSeen(event.seat, event.region)
        return event

    def say(
        self,
        event: Event,
        names: Sequence[str],
        translate: Translate = untranslated,
        region_name: RegionName = str,
    ) -> str:
        return say.say(self.rules, event, names, translate, region_name)

    def tell(
        self,
        events: Sequence[Event],
        names: Sequence[str],
        translate: Translate = untranslated,
        region_name: RegionName = str,
    ) -> list[str]:
        return story.tell(self.rules, events, names, translate, region_name)
