"""The end of a game: who won and by how much, how the points were won from turn to turn, and the decisive turn."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
from django.utils.formats import number_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards import charts
from games.boards.themes import BANNER_SHAPES, BANNERS, SHAPES
from games.bots.review import Balance, can_review, in_points
from games.notices.outbox.words import enumerated
from games.rules.full_game import SeatTotal
from games.rules.protocol import Ruleset, Scoresheet
from games.tables.models import GAMES, Entry, FullGame, FullStatus, Game
from games.tables.selectors import lines, points, reviews
from games.tables.selectors.rematches import Rematch, offered
from games.tables.selectors.table import Table

OUTLINES = [(SHAPES | BANNER_SHAPES)[colour.shape] for colour in BANNERS]


@dataclass(frozen=True)
class Banner:
    """The winners, by seat and name, and in a sentence how they won."""

    winners: tuple[tuple[int, str], ...]
    words: str
    reason: str


@dataclass(frozen=True)
class Layers:
    """The points of a player by source, as a picture."""

    seat: int
    name: str
    drawing: SafeString


@dataclass(frozen=True)
class CourseRow:
    """An entry that changed the points: totals with their change, by seat, and the sources in words."""

    seq: int
    mover: str
    totals: tuple[tuple[int, str], ...]
    gains: tuple[str, ...]
    is_decisive: bool


@dataclass(frozen=True)
class DecisiveWords:
    """The decisive turn: what it did to the points, and what happened in it."""

    seq: int
    words: str
    sentences: Sequence[str]


@dataclass(frozen=True)
class LuckParts:
    """Luck apart from play: each seat's name and result in words, the luck added up as a picture, and its table.

    A line of the table has an entry, the luck after it by seat, and the same added up.
    """

    sides: list[tuple[int, str, str]]
    drawing: SafeString
    caption: str
    rows: list[tuple[int, list[tuple[str, str]]]]
    samples: int


@dataclass(frozen=True)
class CourseParts:
    """How the points were won, as pictures and as a table. `legend` has the number and the name of each layer.

    Without `has_points`, players count something else: in Kingdoms the value of their hands. `milestones` are what a
    scoresheet tells about each seat, as pairs of entry and sentence.
    """

    has_points: bool
    title: str
    race: SafeString
    layers: list[Layers]
    legend: list[tuple[int, str]]
    turns: list[CourseRow]
    decisive: DecisiveWords | None
    milestones: list[list[tuple[int, str]]]
    luck: LuckParts | None


@dataclass(frozen=True)
class Rank:
    """A seat in the result. `tie_break` tells what placed it after another seat with equal points."""

    seat: int
    name: str
    place: int
    total: int
    tie_break: str


@dataclass(frozen=True)
class Result:
    """The result: the ranking, the published seed, and the reader's rematch; of a full game its totals and next game.

    `course` is how the points were won; None while something about the game is hidden. `asks_review`: the game can be
    reviewed and nobody has asked for it yet.
    """

    ranks: list[Rank]
    seed: str
    full_game: str
    next_game: Game | None
    rematch: Rematch | None
    banner: Banner
    course: CourseParts | None
    asks_review: bool


def result_of(table: Table, sheet: Scoresheet, tie_breaks: Mapping[str, str], how: str) -> Result:
    """Return the result of a finished game. `tie_breaks` and `how` as in `frame`."""
    game = table.game
    played = max(game.number, sum(known.is_finished for known in table.known_games))
    ranks = ranking(sheet, table.names, tie_breaks)
    tie_break = next((rank.tie_break for rank in ranks if rank.place > 1), "")
    return Result(
        ranks=ranks, seed=table.seed, rematch=offered(game, table.own),
        full_game=full_game_words(game.full_game, table.names, played),
        next_game=next((known for known in table.known_games if known.number == game.number + 1), None),
        banner=banner(sheet, table.names, tie_break, how), course=course_parts(table, sheet.winners, how),
        asks_review=game.is_open_book and can_review(game.rules) and not reviews.is_reviewed(game),
    )  # fmt: skip


def full_game_words(full: FullGame | None, names: Sequence[str], played: int) -> str:
    """Return the totals of a full game after so many games, and who has won it if it ended with the last of them.

    "" for a single game and for a canceled full game.
    """
    if full is None or not full.ranking or full.status == FullStatus.VOID:
        return ""
    totals = [SeatTotal(**line) for line in full.ranking]
    knows_end = full.status == FullStatus.FINISHED and len(totals[0].games) == played
    if not knows_end:  # the order of tied players must not tell whether a later game has ended
        totals = [total._replace(points=sum(total.games[:played]), place=0) for total in totals]
    totals.sort(key=lambda total: (total.place, -total.points, total.seat))
    points = enumerated([_("{name} {points}").format(name=names[total.seat], points=total.points) for total in totals])
    if not knows_end:
        return _("Full game after {n} of {of} games: {points}.").format(n=played, of=GAMES, points=points)
    winners = [names[total.seat] for total in totals if total.place == 1]
    words = ngettext(
        "{names} wins the full game: {points}.", "{names} share the win in the full game: {points}.", len(winners)
    )
    return words.format(names=enumerated(winners), points=points)


def ranking(sheet: Scoresheet, names: Sequence[str], tie_breaks: Mapping[str, str]) -> list[Rank]:
    """Return the seats in order of place."""
    placed = sorted(sheet.seats, key=lambda score: score.place)
    reasons = [_(tie_breaks[score.tie_break]) if score.tie_break else "" for score in placed]
    return [
        Rank(score.seat, names[score.seat], score.place, score.total, reason)
        for score, reason in zip(placed, reasons, strict=True)
    ]


def banner(sheet: Scoresheet, names: Sequence[str], tie_break: str, how: str) -> Banner:
    """Return who won. `how` is the way of winning in games without points; `tie_break` is that of the second seat."""
    winners = tuple((seat, names[seat]) for seat in sheet.winners)
    words = ngettext("{names} wins", "{names} share the win", len(winners)).format(
        names=enumerated([name for _seat, name in winners])
    )
    others = sorted((score for score in sheet.seats if score.place > 1), key=lambda score: score.place)
    if how or not others or len(winners) > 1:
        return Banner(winners, words, how)
    second, margin = others[0], sheet.seats[sheet.winners[0]].total - others[0].total
    if margin:
        reason = ngettext("{n} point ahead of {player}", "{n} points ahead of {player}", margin)
        return Banner(winners, words, reason.format(n=margin, player=names[second.seat]))
    reason = _("Tied on points with {player}, who has {reason}").format(player=names[second.seat], reason=tie_break)
    return Banner(winners, words, reason)


def course_parts(table: Table, winners: Sequence[int], how: str) -> CourseParts | None:
    """Return how a finished game was won; None while something about it is hidden. `how` as in `frame`."""
    course = points.course(table.game, table.seats, winners)
    if course is None:
        return None
    rules, names = table.game.rules, table.names
    # 1. Everyone's points
    has_points = rules.has_running_points
    heading = _("Points from turn to turn") if has_points else _("Hand values from turn to turn")
    most = max(max(step.totals) for step in course.steps)
    decisive = course.decisive
    grid = charts.Grid(course.last, most, charts.COURSE_HEIGHT)
    totals = [tuple((step.seq, step.totals[seat]) for step in course.steps) for seat in range(len(names))]
    ends = [_("{name} {points}").format(name=name, points=totals[seat][-1][1]) for seat, name in enumerate(names)]
    race = charts.race(
        [charts.Runner(seat, name, totals[seat]) for seat, name in enumerate(names)], grid=grid, shapes=OUTLINES,
        decisive=decisive.seq if decisive else None, title=heading,
        description=_("At the end: {points}. The table below has every turn.").format(points=enumerated(ends)),
    )  # fmt: skip
    # 2. Each player's points by groups of sources
    groups = [[_grouped(rules, sources) for sources in by_seat] for by_seat in course.by_source]
    used = {group for by_seat in groups for points_of_seat in by_seat for group in points_of_seat}
    order = [group for group in rules.source_groups if group in used]
    grid = grid._replace(height=charts.LAYERS_HEIGHT)
    layers = []
    for seat, name in enumerate(names):
        player_layers = [
            charts.Layer(
                number,
                _(rules.source_groups[group]),
                tuple((step.seq, now[seat][group]) for step, now in zip(course.steps, groups, strict=True)),
            )
            for number, group in enumerate(order)
        ]
        words = enumerated([f"{layer.name} {layer.points[-1][1]}" for layer in player_layers if layer.points[-1][1]])
        title = _("How {player} won their points") if has_points else _("What made up {player}’s hand")
        title = title.format(player=name)
        drawn = charts.layers(
            player_layers, grid=grid, name=f"layers-{seat}", title=title, description=words, translate=_
        )
        layers.append(Layers(seat, name, mark_safe(drawn)))
    # 3. Every turn that changed the points
    turns = [
        _course_row(rules, names, step, before, is_decisive=decisive is not None and step.seq == decisive.seq)
        for before, step in zip((None, *course.steps[:-1]), course.steps, strict=True)
    ]
    legend = [(number % charts.LAYER_KINDS, _(rules.source_groups[group])) for number, group in enumerate(order)]
    decided = None
    if decisive is not None:
        mover = next((step.mover for step in course.steps if step.seq == decisive.seq), None)
        other = "" if mover in (None, winners[0]) else names[mover]
        decided = _decisive(table, decisive, names[winners[0]], other, how)
    # 4. What else the scoresheet tells about each seat
    milestones: list[list[tuple[int, str]]] = [[] for _name in names]
    for milestone in course.milestones:
        event = msgspec.convert(milestone.event, rules.event_type)
        milestones[milestone.seat].append((milestone.seq, rules.say(event, names, _)))
    # 5. Luck apart from play, once it has been worked out
    luck_review = reviews.luck_of(table.game)
    luck = None
    if luck_review:
        luck = luck_parts(rules, names, winners, luck_review.sides, luck_review.gains, luck_review.samples)
    return CourseParts(has_points, heading, mark_safe(race), layers, legend, turns, decided, milestones, luck)


def luck_parts(
    rules: Ruleset, names: Sequence[str], winners: Sequence[int], sides: Sequence[Balance],
    gains: Sequence[tuple[int, Sequence[float]]], samples: int,
) -> LuckParts:  # fmt: skip
    """Return the luck of a game in words, and how it added up. `gains` are entries with the luck after them."""
    by_points = in_points(rules)
    sums, rows = [0.0] * len(names), []
    values: list[list[tuple[int, float]]] = [[(gains[0][0] - 1, 0.0)] for _name in names]
    for seq, gained in gains:
        sums = [before + more for before, more in zip(sums, gained, strict=True)]
        rows.append(
            (
                seq,
                [
                    (signed(more, by_points=by_points), signed(total, by_points=by_points))
                    for more, total in zip(gained, sums, strict=True)
                ],
            )
        )
        for seat, total in enumerate(sums):
            values[seat].append((seq, total))
    curves = [
        charts.Expected(seat, name, tuple(values[seat]), signed(sums[seat], by_points=by_points))
        for seat, name in enumerate(names)
    ]
    most = max(5.0, *(abs(value) for curve in curves for _seq, value in curve.values))
    ends = enumerated([_("{name} {points}").format(name=curve.name, points=curve.end) for curve in curves])
    unit = "" if by_points else _("{n}%").format(n="")
    drawn = charts.expectations(
        curves, low=-most, high=most, unit=unit, marks=[], shapes=OUTLINES, name="luck",
        title=_("Luck from turn to turn"),
        description=_("At the end: {points}. The table below has every turn.").format(points=ends),
    )  # fmt: skip
    players = [
        (seat, name, balance_words(rules, name, side, has_won=seat in winners, winners=len(winners)))
        for (seat, name), side in zip(enumerate(names), sides, strict=True)
    ]
    caption = (
        _("Cumulative luck, in points of lead")
        if by_points
        else _("Cumulative luck, in percentage points of winning chance")
    )
    return LuckParts(players, mark_safe(drawn), caption, rows, samples)


def decimal(number: float, digits: int) -> str:
    """Format a number with so many decimals, rounded and in the style of the reader's language."""
    return number_format(round(number, digits), digits)


def signed(margin: float, *, by_points: bool = True) -> str:
    """Format points with a sign and one decimal, `+1.8`, `−2.0`, and percent without; almost nothing has no sign."""
    digits = 1 if by_points else 0
    sign = "" if not round(margin, digits) else "+" if margin > 0 else "−"
    return sign + decimal(abs(margin), digits)


def plus_minus(number: str, doubt: float, digits: int) -> str:
    """Return the number with its standard error, as in `7 ± 2`, or alone if the error rounds to zero.

    The spaces are non-breaking.
    """
    return f"{number}\u00a0±\u00a0{decimal(doubt, digits)}" if round(doubt, digits) else number


def balance_words(rules: Ruleset, player: str, side: Balance, *, has_won: bool, winners: int) -> str:
    """Return a player's result, and what luck and play added to what was expected at the start."""
    lead, by_points = round(side.result), in_points(rules)
    if has_won and winners > 1:
        result = _("{player} shared the win")
    elif not by_points:
        result = _("{player} won") if has_won else _("{player} lost")
    elif has_won and lead > 0:
        result = ngettext("{player} won by {n} point", "{player} won by {n} points", lead)
    elif has_won:
        result = _("{player} won the tie-break")
    elif lead < 0:
        result = ngettext("{player} lost by {n} point", "{player} lost by {n} points", -lead)
    else:
        result = _("{player} lost the tie-break")
    words = _("{result}: luck {luck}, play {play}, start {first}.")
    if not by_points:
        words = _("{result}: luck {luck}, play {play}, start {first}, in percentage points of winning chance.")
    digits = 1 if by_points else 0
    return words.format(
        result=result.format(player=player, n=abs(lead)),
        first=signed(side.first) if by_points else decimal(side.first, 0),
        luck=plus_minus(signed(side.luck, by_points=by_points), side.luck_doubt, digits),
        play=plus_minus(signed(side.play, by_points=by_points), side.play_doubt, digits),
    )  # fmt: skip


def _grouped(rules: Ruleset, sources: Counter[str]) -> Counter[str]:
    """Add up the points by group."""
    grouped = Counter[str]()
    for source, n in sources.items():
        grouped[rules.source_group(source)] += n
    return grouped


def _course_row(
    rules: Ruleset,
    names: Sequence[str],
    step: points.CourseStep,
    before: points.CourseStep | None,
    *,
    is_decisive: bool,
) -> CourseRow:
    was = before.totals if before else (0,) * len(names)
    totals = tuple((now, f"{now - then:+d}" if now != then else "") for now, then in zip(step.totals, was, strict=True))
    gains = []
    for seat, name in enumerate(names):
        gained = [gain for gain in step.gains if gain.seat == seat]
        if gained:
            sources = ", ".join(f"{_(rules.source_name(gain.source))} {gain.points:+d}" for gain in gained)
            gains.append(_("{player}: {sources}").format(player=name, sources=sources))
    mover = names[step.mover] if step.mover is not None else ""
    return CourseRow(step.seq, mover, totals, tuple(gains), is_decisive)


def decisive_sentence(decisive: points.Decisive, winner: str, other: str, how: str, *, has_points: bool) -> str:
    """Say why a turn was decisive. `other` is the name of the player who took it, if that is not the winner."""
    if decisive.why == points.GOAL:
        words = _("{how}: this turn decided the game.")
    elif decisive.why == points.LEAD and not has_points:
        words = (
            _("After this turn by {other}, {player}’s hand was worth {n} more than any other, and stayed ahead.")
            if other
            else _("With this turn, {player}’s hand was worth {n} more than any other, and stayed ahead.")
        )
    elif decisive.why == points.LEAD and other:
        words = ngettext(
            "After this turn by {other}, {player} was {n} point ahead and never lost the lead.",
            "After this turn by {other}, {player} was {n} points ahead and never lost the lead.",
            decisive.points,
        )
    elif decisive.why == points.LEAD:
        words = ngettext(
            "With this turn, {player} went {n} point ahead and never lost the lead.",
            "With this turn, {player} went {n} points ahead and never lost the lead.",
            decisive.points,
        )
    elif not has_points:
        words = _("No other turn helped {player} as much: their hand gained {n} on the best of the others.")
    else:
        words = ngettext(
            "No other turn helped {player} as much: a swing of {n} point.",
            "No other turn helped {player} as much: a swing of {n} points.",
            decisive.points,
        )
    return words.format(player=winner, other=other, n=decisive.points, how=how)


def _decisive(table: Table, decisive: points.Decisive, winner: str, other: str, how: str) -> DecisiveWords:
    """Describe the decisive turn, with what happened in it. The names as in `decisive_sentence`."""
    has_points = table.game.rules.has_running_points
    words = decisive_sentence(decisive, winner, other, how, has_points=has_points)
    sentences = next((line.sentences for line in table.log if line.seq == decisive.seq), None)
    if sentences is None:  # it is older than the entries on the page
        entry = Entry.objects.get(game=table.game, seq=decisive.seq)
        sentences = lines.sentences(game=table.game, seats=table.seats, seat=table.seat, entry=entry)
    return DecisiveWords(decisive.seq, words, sentences)
