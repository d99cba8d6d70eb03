"""The page of a review: who won by luck and who by play, the turning points, what was expected, and every turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from empire.web.languages import display_name
from games.boards import charts
from games.bots.review import Change, Review, Side, Turn, in_points
from games.bots.search import Idea
from games.notices.outbox.words import enumerated
from games.rules import log
from games.rules.fairness import Quick
from games.rules.play import apply
from games.rules.protocol import Event, NeedsChance, Ruleset, Scoresheet, State
from games.tables.families import parts_of
from games.tables.models import Game, Seat
from games.tables.models.log import By
from games.tables.pages.result import OUTLINES, LuckParts, balance_words, decimal, luck_parts, plus_minus, signed
from games.tables.selectors import position


@dataclass(frozen=True)
class SideRow:
    """A player's result in a sentence, and their accuracy, losses and turns in words."""

    seat: int
    name: str
    words: str
    accuracy: str
    lost: str
    turns: str


@dataclass(frozen=True)
class Moment:
    """A turn, or a draw after one, in words. `better` are the sentences of the better turn; `note` who decided.

    `came` tells what was drawn in the entry.
    """

    seq: int
    seat: int
    name: str
    heading: str
    words: str
    played: tuple[str, ...]
    better: tuple[str, ...]
    note: str = ""
    came: tuple[str, ...] = ()
    number: int = 0

    @property
    def before(self) -> int:
        """The entry whose position the turn was played from."""
        return self.seq - 1


@dataclass(frozen=True)
class ReviewRow:
    """A line of the table behind the charts. Numbers are texts; `chances` are those before the turn, by seat.

    `loss` is in points, `chance_loss` in winning chances.
    """

    moment: Moment
    chances: tuple[str, ...]
    loss: str
    chance_loss: str
    luck: str
    is_clear: bool


@dataclass(frozen=True)
class ReviewPage:
    sides: list[SideRow]
    points: list[Moment]
    chances: SafeString
    margins: SafeString | None
    luck: LuckParts
    rows: list[ReviewRow]
    samples: int
    budget: int
    engine: str
    in_points: bool


def page(game: Game, seats: Sequence[Seat], review: Review) -> ReviewPage:
    names, by_points = [display_name(seat.name) for seat in seats], in_points(game.rules)
    moments = dict(_moments(game, seats, review))
    luck = {change.seq: change for change in review.luck}
    # 1. The turning points
    points = []
    for number, (seq, why) in enumerate(review.turning_points(), start=1):
        moment = moments[seq]
        if why == "luck":
            heading = _("Luck after move {n}").format(n=seq)
            seat, words = luck_words(luck[seq], names)
            came = moment.came or (_("Nothing was drawn: hidden cards made the difference."),)
            moment = Moment(seq, seat, names[seat], heading, words, (), (), came=came, number=number)
        else:
            moment = replace(moment, number=number)
        points.append(moment)
    # 2. Every turn
    rows = []
    for turn, before in zip(review.turns, review.expectations, strict=False):
        changed = luck[turn.seq].margins[turn.seat]
        loss = plus_minus(decimal(turn.loss, 1), turn.loss_doubt, 1)
        missed = doubtful_percent(turn.chance_loss, turn.chance_doubt)
        rows.append(
            ReviewRow(
                moments[turn.seq], tuple(map(percent, before.chances)), loss if turn.better else decimal(0, 1),
                missed if turn.better else percent(0), signed(changed, by_points=by_points), turn.is_clear,
            )
        )  # fmt: skip
    winners = msgspec.convert(game.result, Scoresheet).winners
    return ReviewPage(
        sides=[
            _side(game.rules, seat, side, has_won=seat.number in winners, winners=len(winners))
            for seat, side in zip(seats, review.sides, strict=True)
        ],
        points=points, rows=rows, samples=review.samples, budget=review.budget, engine=review.engine,
        luck=luck_parts(
            game.rules, names, winners, review.sides, [(change.seq, change.margins) for change in review.luck],
            review.samples
        ),
        chances=_chart(review, names, points, is_chance=True),
        margins=_chart(review, names, points, is_chance=False) if by_points else None, in_points=by_points,
    )  # fmt: skip


def percent(share: float) -> str:
    return _("{n}%").format(n=decimal(100 * share, 0))


def doubtful_percent(share: float, doubt: float) -> str:
    """Format a share with its standard error: `7 ± 2%`."""
    return _("{n}%").format(n=plus_minus(decimal(100 * share, 0), 100 * doubt, 0))


def _side(rules: Ruleset, seat: Seat, side: Side, *, has_won: bool, winners: int) -> SideRow:
    turns = ngettext(
        "In {best} of {n} turn, the engine found nothing better.",
        "In {best} of {n} turns, the engine found nothing better.",
        side.turns,
    )
    turns = turns.format(best=side.best, n=side.turns) if side.turns else _("No turns to evaluate")
    accuracy = _("{n}% accuracy").format(n=round(side.accuracy)) if side.accuracy is not None else ""
    lost = _("Average cost of a turn: {n} points and {chance} percentage points of winning chance.")
    if not in_points(rules):
        lost = _("Average cost of a turn: {chance} percentage points of winning chance.")
    divisor = max(1, side.turns)
    points, chance = decimal(side.loss / divisor, 1), decimal(100 * side.chance_loss / divisor, 1)
    lost = lost.format(n=points, chance=chance) if side.turns else ""
    words = balance_words(rules, display_name(seat.name), side, has_won=has_won, winners=winners)
    return SideRow(seat.number, display_name(seat.name), words, accuracy, lost, turns)


def luck_words(change: Change, names: Sequence[str]) -> tuple[int, str]:
    """Return the seat whose winning chances the draws after a turn changed most, and how much in words."""
    seat = max(range(len(names)), key=lambda number: abs(change.chances[number]))
    words = _("{n} percentage points of winning chance for {player}.")
    return seat, words.format(player=names[seat], n=signed(100 * change.chances[seat], by_points=False))


def _moments(game: Game, seats: Sequence[Seat], review: Review) -> Iterator[tuple[int, Moment]]:
    """Yield each reviewed turn with its number, in words."""
    rules, names = game.rules, [display_name(seat.name) for seat in seats]
    region_name = parts_of(rules).region_name
    turns, state = {turn.seq: turn for turn in review.turns}, position.empty(game, seats)
    for entry in log.turns_that_count(position.entries(game)):
        events = log.facts(rules, entry)
        if turn := turns.get(entry.seq):
            better, begun = drafted(game, state, turn.seat, turn.better)
            own = without_draws(events)
            came = [event for event in events if event not in own]
            if not came:  # a card drawn in Kingdoms has the seat of its player
                came = [event for event in events if isinstance(event, parts_of(rules).reveals)]
            yield (
                turn.seq,
                Moment(
                    seq=turn.seq, seat=turn.seat, name=names[turn.seat],
                    heading=_("{player}, move {n}").format(player=names[turn.seat], n=turn.seq),
                    words=turn_words(rules, turn), note=_bot_note(turn),
                    played=tuple(rules.tell(own, names, _, region_name)),
                    came=tuple(rules.tell(came, names, _, region_name)),
                    better=tuple(rules.tell([*better, *begun], names, _, region_name)),
                ),
            )  # fmt: skip
        for event in events:
            rules.evolve(state, event)


def turn_words(rules: Ruleset, turn: Turn) -> str:
    if turn.misses_win:
        return _("This turn missed a win: another one would have won the game.")
    if turn.wins:
        return _("This turn won the game.")
    if not turn.better:
        return _("The engine found nothing better.")
    lost = _("This turn cost {n} points and {chance} percentage points of winning chance.")
    if not in_points(rules):
        lost = _("This turn cost {chance} percentage points of winning chance.")
    lost = lost.format(
        n=plus_minus(decimal(turn.loss, 1), turn.loss_doubt, 1),
        chance=plus_minus(decimal(100 * turn.chance_loss, 0), 100 * turn.chance_doubt, 0),
    )  # fmt: skip
    return lost if turn.is_clear else _("{lost} That is within the margin of error.").format(lost=lost)


def _bot_note(turn: Turn) -> str:
    if turn.by in (By.SEAT, By.ORDERS):
        return ""
    return _("A bot took this turn.") if turn.by != By.LATE else _("The player ran out of time.")


def drafted(game: Game, before: State, seat: int, texts: Sequence[str]) -> tuple[list[Event], list[Event]]:
    """Return the events of a turn up to the first step that draws something, and how that step begins.

    The second list has at most one event. It is only for descriptions, because it hides what spectators can't see.
    """
    rules, state = game.rules, before.copy()
    events: list[Event] = []
    for text in texts:
        action = rules.parse(text)
        try:
            events += apply(rules, state, seat, [action], None)
        except NeedsChance:
            begun = rules.seen(rules.decide(state, seat, action, Quick(0))[0], None)
            return events, [begun] if begun else []
    return events, []


def without_draws(events: Sequence[Event]) -> list[Any]:
    """Return the events up to the first one that is no longer the player's doing, such as a card drawn."""
    own = [event for event in events if getattr(event, "seat", None) is not None]
    return own or list(events)


def _chart(review: Review, names: Sequence[str], points: Sequence[Moment], *, is_chance: bool) -> SafeString:
    curves, marks = [], [moment.seq for moment in points]
    for seat, name in enumerate(names):
        values = tuple(
            (before.seq, 100 * before.chances[seat] if is_chance else before.margins[seat])
            for before in review.expectations
        )
        end = percent(values[-1][1] / 100) if is_chance else f"{round(values[-1][1]):+d}".replace("-", "−")
        curves.append(charts.Expected(seat, name, values, end))
    most = max(5.0, *(abs(value) for curve in curves for _seq, value in curve.values))
    ends = enumerated([f"{curve.name} {curve.end}" for curve in curves])
    title = _("Winning chances from turn to turn") if is_chance else _("Expected lead in points from turn to turn")
    unit = _("{n}%").format(n="") if is_chance else ""
    drawn = charts.expectations(
        curves, low=0 if is_chance else -most, high=100 if is_chance else most, unit=unit,
        marks=marks, shapes=OUTLINES, name="chances" if is_chance else "margins", title=title,
        description=_("At the end: {ends}. The table below has every turn.").format(ends=ends),
    )  # fmt: skip
    return mark_safe(drawn)


@dataclass(frozen=True)
class Hint:
    """An idea for a turn in sentences, what is expected after it in words, and its actions as a form sends them."""

    sentences: tuple[str, ...]
    words: str
    actions: str


def hints(game: Game, seats: Sequence[Seat], state: State, seat: int, ideas: Sequence[Idea]) -> list[Hint]:
    """Return the ideas of an engine for the turn of a seat, as sentences."""
    rules, names = game.rules, [display_name(player.name) for player in seats]
    view = rules.view(state, seat)
    words = _("Expected lead: {lead} points. Chance of winning: {chance}.")
    if not in_points(rules):
        words = _("Chance of winning: {chance}.")
    hints = []
    for idea in ideas:
        lead = plus_minus(signed(idea.lead), idea.doubt, 1)
        chance = doubtful_percent(idea.chance, idea.chance_doubt)
        sentences = parts_of(rules).advice(view, idea.actions, names)
        hints.append(Hint(tuple(sentences), words.format(lead=lead, chance=chance), ";".join(idea.actions)))
    return hints
