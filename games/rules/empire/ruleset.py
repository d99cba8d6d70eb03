"""The Eight-Minute family behind the protocol: one ruleset for each edition."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games.rules.empire import actions, evolve, legal, say, scoring, setup, state, story, view
from games.rules.empire import decide as deciding
from games.rules.empire.edition import edition
from games.rules.empire.events import AnyEvent, BidMade
from games.rules.empire.say import RegionName
from games.rules.protocol import Chance, Event, IllegalAction, SeatInfo
from games.rules.words import Translate, gettext_noop, untranslated


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices of a table. `setter` is the seat that sets the game up, drawn when null (R5)."""

    setter: int | None = None


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
        if players not in self.seat_counts:
            raise IllegalAction(gettext_noop("This game is not for {players} players."), players=players)
        try:
            chosen = msgspec.convert(data, Options)
        except msgspec.ValidationError as wrong:
            raise IllegalAction(gettext_noop("These options do not fit: {reason}."), reason=wrong) from None
        if chosen.setter is not None and chosen.setter not in range(players):
            raise IllegalAction(gettext_noop("There is no seat {seat} at this table."), seat=chosen.setter)
        return chosen

    def start(self, options: Options, seats: Sequence[SeatInfo], chance: Chance) -> list[Event]:
        setter = chance.below(len(seats)) if options.setter is None else options.setter
        return setup.draw_setup(self.rules, seats, setter, chance)

    def initial(self, options: Options, seats: Sequence[SeatInfo]) -> state.State:
        return state.empty(self.rules, tuple(seats))

    def sealed(self, position: state.State) -> bool:
        return position.phase == state.BID

    def is_over(self, position: state.State) -> bool:
        return position.phase == state.OVER

    def seen(self, event: Event, seat: int | None) -> Event | None:
        """A single bid is for its seat alone; `BidsRevealed` tells them all."""
        return None if isinstance(event, BidMade) and event.seat != seat else event

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
