"""The decision that the page asks for, with everything that its panel shows."""

from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.boards.eight_minute.faces import Face
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.state import BID, EXTRA, FIRST
from games.rules.eight_minute.tokens import FACE_DOWN
from games.rules.eight_minute.view import View
from games.rules.play import walk
from games.rules.words import labelled
from games.tables.pages.eight_minute.by_hand import ByHand, by_hand, setup_choice, setup_spots
from games.tables.pages.eight_minute.choices import (
    Choice,
    Offer,
    Picked,
    Spot,
    card_face,
    choice,
    is_step,
    offers,
    part_words,
    spots,
)
from games.tables.pages.eight_minute.giving_up import Sure, amount_words, gives_up, sure, warned
from games.tables.selectors.table import Table


class Chip(NamedTuple):
    """A step of the draft, made `times` in a row."""

    full: str
    brief: str
    times: int


@dataclass(frozen=True)
class Counter:
    """A part of the card in play: `left` of `amount`, with words. What is left of a part that is not `open` is lost."""

    kind: str
    left: int
    amount: int
    words: str
    open: bool

    @property
    def pips(self) -> list[bool]:
        """One item for each army, move or city; true for those that are left."""
        return [n < self.left for n in range(self.amount)]


@dataclass(frozen=True)
class Effect:
    """How the draft changes a seat's points."""

    seat: int
    name: str
    before: int
    after: int

    @property
    def change(self) -> int:
        return self.after - self.before

    @property
    def words(self) -> str:
        return _("{before} to {after} points").format(before=self.before, after=self.after)


@dataclass(frozen=True)
class Due:
    """The decision due: bid, first, take, extra, steps, sure, complete, setup; or sealed, wait, watch, over, past.

    `spots` are the regions where steps start, `chosen` is the selected one; `sure` is the question before a step that
    cannot be undone or gives something up. `unused` tells what could still be used if the turn ends now, `lost` what
    the last step of a complete turn gave up. `whole` is what would be submitted, `has_draft` whether something can be
    undone, `kept` how many steps remain after starting over.
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
    sure: Sure | None = None
    effects: tuple[Effect, ...] = ()
    setup: ByHand | None = None
    unused: str = ""
    lost: str = ""
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
    def spoken(self) -> list[str]:
        """The panel for screen readers: the last step, what is left, the points."""
        counted = [counter.words for counter in self.counters if counter.open]
        points = [labelled(effect.name, effect.words, _) for effect in self.effects if effect.change]
        hints = [self.setup.hint] if self.setup else []
        if self.sure:
            return [self.sure.words, self.sure.note]
        return [*(step.full for step in self.steps[-1:]), *counted, *points, *hints]

    @property
    def rule(self) -> str:
        """The anchor on the rules page of what is due now, or of the rules in one minute."""
        if self.setup:
            return "setup"
        if self.kind in ("bid", "sealed", "first"):
            return "bids"
        if self.kind in ("take", "extra"):
            return "turn"
        return next((counter.kind for counter in self.counters if counter.open and counter.left), "minute")

    @property
    def is_mine(self) -> bool:
        return self.kind in ("bid", "first", "take", "extra", "steps", "sure", "complete", "setup")


def due(table: Table, picked: Picked) -> Due:
    """Return the decision that the reader owes now, with their selection."""
    view, before = table.view, table.before
    if table.at is not None:
        return Due("past")
    if view is None or before is None or before.over:
        return Due("over")
    if table.seat is None:
        return Due("watch")
    if before.phase == BID:
        player, names_first = before.players[table.seat.number], edition(before.edition).names_first
        kind, ties = "bid" if player.bid is None else "sealed", before.hidden.options.ties
        return Due(kind, coins=player.coins, bid=player.bid, names_first=names_first, ties=ties)
    if table.seat.number not in before.to_act:
        return Due("wait")
    if before.phase == FIRST:
        return Due("first", seats=tuple(enumerate(table.names)))
    if before.setup:
        region_spots = {} if table.turn_complete else setup_spots(view, picked, table.draft)
        return Due(
            "setup",
            setup=by_hand(view, picked, table.draft, is_done=table.turn_complete),
            steps=tuple(setup_choice(step) for step in table.draft),
            spots=tuple(region_spots.values()),
            chosen=region_spots.get(picked.region),
            whole=";".join(table.draft) if table.turn_complete else "",
            has_draft=bool(table.draft),
        )
    if view.taken or table.draft:
        return _steps(table, view, before, picked)
    return Due("extra" if view.phase == EXTRA else "take", offers=offers(view))


def _steps(table: Table, view: View, before: View, picked: Picked) -> Due:
    """Return the steps of the card in play."""
    done, draft = table.turn_complete, table.draft
    face_down = {region for region, contents in view.regions.items() if contents.token == FACE_DOWN}
    question = None if done else sure(view, draft, picked.then, table.names, face_down)
    open_spots = {} if done or question else warned(view, spots(view, table.names, face_down))
    left = () if done else counters(view)
    lost = ""
    if done:  # the rules close the turn with the last step, so ask the position before it
        earlier = walk(table.game.rules, before.hidden, before.seat or 0, draft[:-1]).state
        lost = gives_up(table.game.rules.view(earlier, before.seat), draft[-1])
    # A finished turn has no card in play, so the page shows the last one taken: in the draft, or before it if the first
    # part of the turn is in the log already, because it revealed something.
    cards_taken = [step.partition(" ")[2] for step in draft if step.startswith("take ")]
    card = view.taken or [*before.players[before.seat or 0].cards, *cards_taken][-1]

    totals = zip(before.scoresheet.seats, view.scoresheet.seats, strict=True)
    effects = [Effect(was.seat, table.names[was.seat], was.total, now.total) for was, now in totals]
    # The reader's points are always shown, and first, the others' if they change.
    effects = [effect for effect in effects if effect.change or effect.seat == before.seat]
    return Due(
        "complete" if done else "sure" if question else "steps",
        card=card_face(view, card),
        counters=left,
        order="" if done else order_words(view),
        steps=tuple(choice(step, table.names, me=before.seat) for step in draft if is_step(step)),
        spots=tuple(open_spots.values()),
        chosen=open_spots.get(picked.region),
        sure=question,
        effects=tuple(sorted(effects, key=lambda effect: effect.seat != before.seat)),
        unused="" if done else gives_up(view, "done"),
        lost=lost,
        whole=";".join(draft if done else (*draft, "done")),
        has_draft=bool(draft),
        kept=sum(step.startswith("take ") for step in draft[:1]),
    )


def counters(view: View) -> tuple[Counter, ...]:
    """Return the parts of the card in play, with words such as “2 of 4 armies to place”."""
    rows = []
    for part in view.parts:
        words = part_words(view, part, part.left)
        if part.left and not part.open:
            is_choice = edition(view.edition).cards[view.taken].joined == "or"
            words = _("{unused}: not chosen") if is_choice else _("{unused}: given up")
            words = words.format(unused=amount_words(part, part.left))
        rows.append(Counter(part.kind, part.left, part.amount, words, part.open))
    return tuple(rows)


def order_words(view: View) -> str:
    """Return how the two parts of the card combine, while it matters."""
    if sum(part.open for part in view.parts) < 2 or not view.taken:
        return ""
    card = edition(view.edition).cards[view.taken]
    if card.joined == "and" and not all(part.left for part in view.parts):
        return ""
    if card.joined == "or":
        return _("Choose one: what you do first decides which.")
    if card.ordered:
        return _("Finish the first part first. Once you start the second you can’t go back.")
    return _("Do both, in any order.")
