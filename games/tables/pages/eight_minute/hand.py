"""The decision that the page asks for, with everything that its panel shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.boards.eight_minute.faces import Face
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.state import BID, EXTRA, FIRST
from games.rules.eight_minute.tokens import FACE_DOWN
from games.rules.eight_minute.view import View
from games.tables.pages.eight_minute.by_hand import ByHand, by_hand, handed_on, setup_choice, setup_spots
from games.tables.pages.eight_minute.choices import Choice, Picked, Spot, choice, is_step, spots, turning_up
from games.tables.pages.eight_minute.counters import Counter, Effect, counters, effects, order_words, unused
from games.tables.pages.eight_minute.offers import Offer, card_face, offers
from games.tables.selectors.lines import region_name
from games.tables.selectors.table import Table

NOTHING_PICKED = Picked()


class Chip(NamedTuple):
    """A step of the draft, made `times` in a row."""

    full: str
    brief: str
    times: int


@dataclass(frozen=True)
class Hand:
    """The decision due: bid, first, take, extra, steps, sure, complete, setup; or sealed, wait, watch, over, past.

    `spots` are the regions where steps start, `chosen` is the selected one; `sure` is a step that cannot be undone and
    needs confirmation. `unused` tells what stays unused if the turn ends now, `whole` is what would be submitted,
    `has_draft` whether something can be undone, `kept` how many steps remain after starting over.
    """

    kind: str
    coins: int = 0
    bid: int | None = None
    names_first: bool = True
    ties: str = ""
    seats: tuple[tuple[int, str], ...] = ()
    offers: tuple[Offer, ...] = ()
    card: Face | None = None
    counters: tuple[Counter, ...] = ()
    order: str = ""
    steps: tuple[Choice, ...] = ()
    spots: tuple[Spot, ...] = ()
    chosen: Spot | None = None
    sure: Choice | None = None
    effects: tuple[Effect, ...] = ()
    setup: ByHand | None = None
    unused: str = ""
    whole: str = ""
    has_draft: bool = False
    kept: int = 0

    @property
    def shows_alert(self) -> bool:
        """Whether refusals are shown in the dock."""
        return self.card is not None or self.setup is not None

    @property
    def bids(self) -> range:
        return range(self.coins + 1)

    @property
    def hint(self) -> str:
        """What to do next, for new players."""
        if self.spots:
            return _("Tap a marked region on the map.")
        return _("No moves left. Confirm your turn.")

    @property
    def chips(self) -> list[Chip]:
        """The steps in order, with equal consecutive ones grouped."""
        runs = [list(run) for _key, run in groupby(self.steps)]
        return [Chip(run[0].full, run[0].brief, len(run)) for run in runs]

    @property
    def said(self) -> list[str]:
        """The panel for screen readers: the last step, what is left, the points."""
        counted = [counter.words for counter in self.counters if counter.open]
        points = [f"{effect.name}: {effect.words}" for effect in self.effects if effect.change]
        hints = [self.setup.hint.rstrip(".")] if self.setup else []
        return [*(step.full for step in self.steps[-1:]), *counted, *points, *hints]

    @property
    def is_mine(self) -> bool:
        return self.kind in ("bid", "first", "take", "extra", "steps", "sure", "complete", "setup")


def hand(table: Table, picked: Picked = NOTHING_PICKED) -> Hand:
    """Return the decision that the reader owes now, with their selection."""
    view, before = table.view, table.before
    if view is None or before is None or before.over:
        return Hand("over")
    if table.seat is None:
        return Hand("watch")
    seat = table.seat.number
    if before.phase == BID:
        return _bid(before, seat)
    if seat not in before.to_act:
        return Hand("wait")
    if before.phase == FIRST:
        return Hand("first", seats=tuple(enumerate(table.names)))
    return _setup(table, view, picked) if before.setup else _turn(table, view, before, picked)


def _bid(view: View, seat: int) -> Hand:
    mine, rules = view.players[seat], edition(view.edition)
    kind = "bid" if mine.bid is None else "sealed"
    ties = view.hidden.options.ties
    return Hand(kind, coins=mine.coins, bid=mine.bid, names_first=rules.names_first, ties=ties)


def _setup(table: Table, view: View, picked: Picked) -> Hand:
    assert table.seat is not None
    due = handed_on(view) if table.turn_complete else by_hand(view, picked, table.draft)
    found = setup_spots(view, picked, table.draft) if due.phase else {}
    return Hand(
        "setup",
        setup=due,
        steps=tuple(setup_choice(step) for step in table.draft),
        spots=tuple(found.values()),
        chosen=found.get(picked.region),
        whole="" if due.phase else ";".join(table.draft),
        has_draft=bool(table.draft),
    )


def _turn(table: Table, view: View, before: View, picked: Picked) -> Hand:
    """Return the cards to take, in a turn or after the last one, or the steps of the card taken."""
    if view.taken or table.draft:
        return _steps(table, view, before, picked)
    return Hand("extra" if view.phase == EXTRA else "take", offers=offers(view))


def _steps(table: Table, view: View, before: View, picked: Picked) -> Hand:
    done = table.turn_complete
    sure = None if done else _sure(view, picked.then)
    found = {} if done or sure else spots(view.legal, table.names, region_name, face_down(view))
    left = () if done else counters(view)
    return Hand(
        "complete" if done else "sure" if sure else "steps",
        card=card_face(view, _taken(view, table.draft)),
        counters=left,
        order="" if done else order_words(view),
        steps=tuple(choice(step, table.names, region_name) for step in table.draft if is_step(step)),
        spots=tuple(found.values()),
        chosen=found.get(picked.region),
        sure=sure,
        effects=effects(before, view, table.names),
        unused=unused(left),
        whole=";".join(_whole(table.draft, done, sure)),
        has_draft=bool(table.draft),
        kept=sum(step.startswith("take ") for step in table.draft[:1]),
    )


def _whole(draft: Sequence[str], done: bool, sure: Choice | None) -> tuple[str, ...]:
    """Return the actions to submit: a turn, or its part up to a step that cannot be undone."""
    return (*draft, sure.action) if sure else tuple(draft) if done else (*draft, "done")


def _taken(view: View, draft: Sequence[str]) -> str:
    """Return the card in play, or the last card taken in a finished turn."""
    taken = [step.partition(" ")[2] for step in draft if step.startswith("take ")]
    return view.taken or taken[-1]


def _sure(view: View, action: str) -> Choice | None:
    """Return the step that would reveal a token, if it is legal now."""
    verb, _space, region = action.partition(" ")
    if verb != "build" or action not in view.legal or region not in face_down(view):
        return None
    where = region_name(region)
    return turning_up(choice(action, (), region_name), where)


def face_down(view: View) -> frozenset[str]:
    """Return the regions with a face-down token, which the first city reveals."""
    return frozenset(region for region, here in view.regions.items() if here.token == FACE_DOWN)
