"""The charts of a history: rating, places, and points by source."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.boards import charts as drawings
from games.boards.charts import Bar, Mark, Part, Step, bars, progress
from games.bots.review import in_points
from games.contests.ratings.calibration import Decile
from games.contests.ratings.history import History
from games.rules.registry import get
from games.rules.words import SEPARATOR, labelled
from games.tables.pages.result import decimal, plus_minus, signed
from games.tables.selectors.options import short_name
from games.tables.selectors.reviews import LuckTally, PlayedGame
from games.tables.templatetags.lists import written

MOST_SOURCES = 8  # the others are summed up
ORDINALS = (
    gettext_noop("1st"), gettext_noop("2nd"), gettext_noop("3rd"), gettext_noop("4th"),
    gettext_noop("5th"), gettext_noop("6th"), gettext_noop("7th"), gettext_noop("8th"),
)  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """A chart with its heading and a sentence that explains it."""

    heading: str
    drawing: SafeString
    sentence: str = ""


def pictures(history: History) -> list[Picture]:
    """Return the charts that have something to show."""
    game = short_name(history.drawn) if history.drawn else ""

    # 1. The rating
    heading, steps = _("Rating in {game}").format(game=game) if game else "", []
    for step in history.steps:
        day, rating, doubt = written(step.at), step.rating.shown, step.rating.doubt
        label = _("{day}: {n}").format(day=day, n=plus_minus(str(rating), doubt, 0))
        steps.append(Step(rating, doubt, label))
    sentence = _("From {first} to {last}.").format(first=steps[0].label, last=steps[-1].label) if steps else ""
    drawing = mark_safe(progress(steps, title=heading, description=sentence))
    ratings = Picture(heading, drawing, _("The band shows how uncertain the rating is."))

    # 2. The places, a bar for each number of players
    by_players: dict[int, Counter[int]] = defaultdict(Counter)
    for reached in history.places:
        by_players[reached.players][reached.place] += reached.contests
    rows = []
    for players, times in by_players.items():
        parts, shown = [], []
        for place, n in sorted(times.items()):
            words = ngettext("Place {place}: once", "Place {place}: {n} times", n).format(place=place, n=n)
            parts.append(Part(n, place - 1, words))
            ordinal = _(ORDINALS[place - 1]) if place <= len(ORDINALS) else str(place)
            shown.append(labelled(ordinal, str(n), _))
        label = ngettext("{n} player", "{n} players", players).format(n=players)
        rows.append(Bar(label, " · ".join(shown), tuple(parts)))
    places = _bars(_("Places"), "places", rows)

    # 3. The points by source, most first
    ranked = sorted(history.sources.items(), key=lambda pair: -pair[1])
    largest = [(_(get(history.drawn).source_name(source)), points) for source, points in ranked[:MOST_SOURCES]]
    largest.append((_("everything else"), sum(points for _source, points in ranked[MOST_SOURCES:])))
    rows = []
    for name, points in largest:
        if points > 0:
            number = decimal(points, 1)
            rows.append(Bar(name, number, (Part(points, 0, labelled(name, number, _)),)))
    heading = _("Points by source in {game}").format(game=game) if game else ""
    sentence = ngettext("From {n} game.", "Average of the latest {n} games.", history.games)
    sources = _bars(heading, "sources", rows, sentence.format(n=history.games))

    return [picture for picture in (ratings, places, sources) if picture.drawing]


def _bars(heading: str, name: str, rows: Sequence[Bar], sentence: str = "") -> Picture:
    words = _(SEPARATOR).join(labelled(row.label, ", ".join(part.label for part in row.parts), _) for row in rows)
    return Picture(heading, mark_safe(bars(rows, name=name, title=heading, description=words)), sentence)


def reliability(deciles: Sequence[Decile]) -> SafeString:
    """Return the chart of how often favorites win, as predicted and in fact."""
    marks = []
    for decile in deciles:
        label = _("Predicted {said}%, actual {came}%").format(
            said=decimal(decile.predicted, 0), came=plus_minus(decimal(decile.actual, 0), decile.doubt, 0)
        )
        marks.append(Mark(decile.predicted, decile.actual, decile.doubt, label))
    return mark_safe(
        drawings.reliability(
            marks,
            across=_("Predicted for the favorite"),
            up=_("Favorite finished ahead"),
            title=_("Predicted and actual results"),
            description=_(SEPARATOR).join(mark.label for mark in marks),
        )
    )


@dataclass(frozen=True)
class TallyPicture:
    """A player's luck and accuracy with one ruleset: charts over time if there are several games, and a table.

    A line of the table has a game, its luck and its accuracy in words.
    """

    tally: LuckTally
    luck: str
    drawings: list[tuple[str, SafeString]]
    rows: list[tuple[PlayedGame, str, str]]


def of_tallies(tallies: Sequence[LuckTally]) -> list[TallyPicture]:
    pictures = []
    for tally in tallies:
        game, by_points = short_name(tally.ruleset), in_points(get(tally.ruleset))
        # 1. Luck, then accuracy, over time
        luck = [
            Step(
                round(played.luck),
                0,
                _("{day}: {n}").format(
                    day=written(localtime(played.ended_at).date()), n=signed(played.luck, by_points=by_points)
                ),
            )
            for played in tally.games
        ]
        accuracy = [
            Step(
                round(played.accuracy),
                0,
                _("{day}: {n}%").format(day=written(localtime(played.ended_at).date()), n=round(played.accuracy)),
            )
            for played in tally.games
            if played.accuracy is not None
        ]
        luck_title = _("Luck in {game}, in points of lead")
        if not by_points:
            luck_title = _("Luck in {game}, in percent of winning chances")
        drawings = []
        for name, title, steps in (
            ("luck", luck_title, luck),
            ("accuracy", _("Accuracy in {game}, in percent"), accuracy),
        ):
            if len(steps) > 1:
                sentence = _("From {first} to {last}.").format(first=steps[0].label, last=steps[-1].label)
                drawn = progress(
                    steps, title=title.format(game=game), description=sentence, name=f"{name}-{tally.ruleset}", finest=2
                )
                drawings.append((title.format(game=game), mark_safe(drawn)))
        # 2. The averages and the table
        average = signed(tally.luck, by_points=by_points)
        if tally.luck_doubt is not None:
            average = plus_minus(average, tally.luck_doubt, 1 if by_points else 0)
        n = len(tally.games)
        if by_points:
            average_words = ngettext("{n} game: luck {luck} points.", "{n} games: luck {luck} points per game.", n)
        else:
            average_words = ngettext(
                "{n} game: luck {luck}% of winning chances.", "{n} games: luck {luck}% of winning chances per game.", n
            )
        rows = [
            (
                played,
                signed(played.luck, by_points=by_points),
                "" if played.accuracy is None else _("{n}%").format(n=decimal(played.accuracy, 0)),
            )
            for played in reversed(tally.games)
        ]
        pictures.append(TallyPicture(tally, average_words.format(n=n, luck=average), drawings, rows))
    return pictures
