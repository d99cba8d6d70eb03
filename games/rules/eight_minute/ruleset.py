"""The Eight-Minute family as rulesets: one for each edition."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.eight_minute import actions, decide, evolve, legal, options, say, scoring, setup, state, view
from games.rules.eight_minute import events as e
from games.rules.eight_minute.edition import edition, named
from games.rules.eight_minute.options import PRESETS, Options, rules_of
from games.rules.eight_minute.say import RegionName
from games.rules.eight_minute.tokens import gifts
from games.rules.protocol import Action, Chance, Event, OptionField, Points, SeatInfo, Traits
from games.rules.words import Translate, gettext_noop, untranslated


class EightMinute:
    """A ruleset of the family in one version. `slug` names its edition. See `games.rules.protocol.Ruleset`."""

    family = "eight_minute"
    left_name = gettext_noop("coins left")
    source_groups = scoring.GROUPS
    has_running_points = True
    options_type = Options
    state_type = state.State
    event_type = e.AnyEvent
    trait_names = {
        "first": gettext_noop("Turn order"),
        "bid": gettext_noop("Bid"),
        "opening": gettext_noop("First card"),
        "card": gettext_noop("Card"),
        "leader": gettext_noop("Leader"),
    }

    def __init__(self, slug: str, version: int) -> None:
        self.rules = edition(named(slug, version))
        self.slug, self.version, self.changed = slug, version, self.rules.changed
        self.name = self.rules.name
        self.seat_counts = self.rules.players
        self.presets = tuple(PRESETS[name] for name in self.rules.presets)
        self.to_act = legal.to_act
        self.legal = legal.legal
        self.decide = decide.decide
        self.evolve = evolve.evolve
        self.stop = evolve.stop
        self.view = view.view
        self.sample = view.sample
        self.score = scoring.score
        self.parse = actions.parse
        self.text = actions.text

    def options(self, data: Mapping[str, Any], players: int) -> Options:
        return options.chosen(self.rules, data, players)

    def option_fields(self, players: int | None = None) -> tuple[OptionField, ...]:
        return options.option_fields(self.rules.id, players)

    def order_fields(self) -> tuple[OptionField, ...]:
        """Return none: outside their own turns, players only bid, and only they can decide that."""
        return ()

    def lets_whisper(self, options: Options) -> bool:
        """Return False: players can't write to each other in private."""
        return False

    def answer(self, position: state.State, seat: int, orders: Mapping[str, Any]) -> Action | None:
        return None

    def when_late(self, position: state.State, seat: int) -> Action | None:
        """Return None: a bot plays a late player's turn."""
        return None

    def random_action(self, position: state.State, seat: int, chance: Chance) -> Action:
        actions = legal.legal(position, seat)
        return actions[chance.below(len(actions))]

    def advance(self, position: state.State, seat: int, action: Action, chance: Chance) -> list[Event]:
        events = decide.decide(position, seat, action, chance)
        for event in events:
            evolve.evolve(position, event)
        return events

    def start(self, options: Options, seats: Sequence[SeatInfo], chance: Chance) -> list[Event]:
        setter = chance.below(len(seats)) if options.setter is None else options.setter
        return setup.set_up(rules_of(self.rules.id, options), options, len(seats), setter, chance)

    def initial(self, options: Options, seats: Sequence[SeatInfo]) -> state.State:
        return state.empty(rules_of(self.rules.id, options), tuple(seats), options)

    def sealed(self, position: state.State) -> bool:
        return position.phase == state.BID

    def is_reply(self, position: state.State) -> bool:
        return False

    def phase(self, position: state.State) -> str:
        """Return the phase. All choices of a setup by hand are one phase, so they can be submitted together."""
        return "set-up" if position.phase in state.SETTERS_PHASES or position.phase == state.NEUTRAL else position.phase

    def end_of_turn(self, position: state.State, seat: int) -> Action | None:
        is_turn = bool(position.taken) or position.phase == state.EXTRA
        return legal.DONE if is_turn and position.turn == seat else None

    def is_under_way(self, position: state.State) -> bool:
        """Return whether a card was taken, or a board laid by hand.

        Placing the third color's armies is not one turn: the seats alternate (R4).
        """
        return bool(position.taken) or (position.phase in state.SETTERS_PHASES and bool(position.layout))

    def is_over(self, position: state.State) -> bool:
        return position.phase == state.OVER

    def can_count(self, position: state.State) -> bool:
        """Return whether any card has been taken."""
        return any(position.owned)

    def seen(self, event: Event, seat: int | None) -> Event | None:
        """Hide other seats' bids until `BidsRevealed` shows them all, and the faces of tokens that they look at."""
        if isinstance(event, e.BidMade) and event.seat != seat:
            return None
        if isinstance(event, e.TokenSeen) and event.seat != seat:
            return e.TokenSeen(event.seat, event.region)
        return event

    def unknown(self, seen: view.View) -> Sequence[str]:
        return (*seen.hidden.deck, *seen.hidden.pile)

    def counted(self, position: state.State) -> tuple[tuple[Points, ...], ...]:
        return tuple(score.lines for score in scoring.score(position).seats)

    def is_unsettled(self, position: state.State) -> bool:
        return False

    def milestone_of(self, event: Event) -> tuple[int, ...]:
        """Return none: the points tell everything."""
        return ()

    def decides(self, position: state.State, event: Event) -> bool:
        """Return False: the points decide every game."""
        return False

    def source_name(self, source: str) -> str:
        return scoring.named(self.rules, source)[1]

    def source_group(self, source: str) -> str:
        return scoring.named(self.rules, source)[0]

    def left_over(self, position: state.State) -> tuple[int, ...]:
        return tuple(position.coins)

    def traits(self, events: Sequence[Event], position: state.State) -> tuple[Traits, ...]:
        """Return each seat's place in the turn order, bid, first card, cards taken and leader."""
        traits_by_seat: list[dict[str, tuple[str, ...]]] = [{} for _seat in position.seats]
        for event in events:
            if isinstance(event, e.BidsRevealed):
                for seat, bid in enumerate(event.bids):
                    traits_by_seat[seat]["bid"] = (str(bid),)
            if isinstance(event, (e.BidsRevealed, e.FirstNamed, e.FirstDrawn)):
                first = event.winner if isinstance(event, e.BidsRevealed) else event.first
                for seat, traits_of_seat in enumerate(traits_by_seat):
                    traits_of_seat["first"] = (str((seat - first) % position.players + 1),)
            elif isinstance(event, e.CardTaken):
                traits_by_seat[event.seat].setdefault("opening", (event.card,))
                traits_by_seat[event.seat]["card"] = (*traits_by_seat[event.seat].get("card", ()), event.card)
        for seat, leader in enumerate(position.leaders):
            traits_by_seat[seat]["leader"] = (leader,)
        return tuple(traits_by_seat)

    def trait_name(self, kind: str, value: str) -> str:
        if kind in ("card", "opening"):
            return self.rules.cards[value].name if value in self.rules.cards else value
        return gifts()[value].name if kind == "leader" else value

    def next_options(self, options: Mapping[str, Any], position: state.State) -> dict[str, Any]:
        """Return the options with the next seat setting up, clockwise (R5)."""
        return {**options, "setter": (position.setter + 1) % position.players}

    def ranks_told(self, event: Event, seats: Sequence[SeatInfo]) -> tuple[SeatInfo, ...]:
        """Return the ranks that a tie for the highest bid reveals."""
        return decide.ranks_told(event, seats) if isinstance(event, e.BidsRevealed) else ()

    def is_private(self, action: Action) -> bool:
        return isinstance(action, actions.Bid)

    def say(
        self, event: Event, names: Sequence[str], translate: Translate = untranslated, region_name: RegionName = str
    ) -> str:
        return say.say(self.rules, event, names, translate, region_name)

    def tell(
        self, events: Sequence[Event], names: Sequence[str], translate: Translate = untranslated,
        region_name: RegionName = str,
    ) -> list[str]:  # fmt: skip
        return say.tell(self.rules, events, names, translate, region_name)
