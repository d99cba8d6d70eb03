"""The charts of a history: rating, places, and points by source."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.boards.bars import Bar, Part, bars
from games.boards.progress import Step, progress
from games.contests.ratings.history import History, Place
from games.rules.registry import get
from games.tables.selectors.options import short_name
from games.tables.templatetags.lists import written

MOST_SOURCES = 8  # the others are summed up
ORDINALS = tuple(map(gettext_noop, ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")))


@dataclass(frozen=True)
class Picture:
    """A chart with its heading and a sentence that explains it."""

    heading: str
    drawing: SafeString
    said: str = ""


def pictures(history: History) -> list[Picture]:
    """Return the charts that have something to show."""
    made = (_rating(history), _places(history), _sources(history))
    return [picture for picture in made if picture.drawing]


def _rating(history: History) -> Picture:
    heading = _("Rating in {game}").format(game=short_name(history.drawn)) if history.drawn else ""
    words = _("{day}: {rating} ± {doubt}")
    shown = [(written(step.at), step.rating.shown, step.rating.doubt) for step in history.steps]
    steps = [Step(rating, doubt, words.format(day=day, rating=rating, doubt=doubt)) for day, rating, doubt in shown]
    said = _("From {first} to {last}.").format(first=steps[0].label, last=steps[-1].label) if steps else ""
    drawing = mark_safe(progress(steps, title=heading, description=said))
    return Picture(heading, drawing, _("The band shows how uncertain the rating is."))


def _places(history: History) -> Picture:
    by_players: dict[int, list[Place]] = defaultdict(list)
    for place in history.places:
        by_players[place.players].append(place)
    rows = [_place_bar(players, reached) for players, reached in by_players.items()]
    return _bars(_("Places"), "places", rows)


def _place_bar(players: int, reached: Sequence[Place]) -> Bar:
    times: Counter[int] = Counter()
    for one in reached:
        times[one.place] += one.contests
    parts = tuple(Part(n, place - 1, _place_words(place, n)) for place, n in sorted(times.items()))
    label = ngettext("{n} player", "{n} players", players).format(n=players)
    return Bar(label, " · ".join(f"{_ordinal(place)}: {n}" for place, n in sorted(times.items())), parts)


def _ordinal(place: int) -> str:
    return _(ORDINALS[place - 1]) if place <= len(ORDINALS) else str(place)


def _place_words(place: int, times: int) -> str:
    return ngettext("Place {place}: once", "Place {place}: {n} times", times).format(place=place, n=times)


def _sources(history: History) -> Picture:
    heading = _("Points by source in {game}").format(game=short_name(history.drawn)) if history.drawn else ""
    said = ngettext("Average of the latest {n} game.", "Average of the latest {n} games.", history.games)
    return _bars(heading, "sources", list(_source_bars(history)), said.format(n=history.games))


def _source_bars(history: History) -> Iterator[Bar]:
    ranked = sorted(history.sources.items(), key=lambda one: -one[1])
    best, rest = ranked[:MOST_SOURCES], sum(points for _source, points in ranked[MOST_SOURCES:])
    named = [(get(history.drawn).source_name(source), points) for source, points in best]
    for name, points in [(_(name), points) for name, points in named] + [(_("everything else"), rest)]:
        if points > 0:
            shown = number_format(points, 1)
            yield Bar(name, shown, (Part(points, 0, f"{name}: {shown}"),))


def _bars(heading: str, name: str, rows: Sequence[Bar], said: str = "") -> Picture:
    words = "; ".join(f"{row.label}: {', '.join(part.label for part in row.parts)}" for row in rows)
    return Picture(heading, mark_safe(bars(rows, name=name, title=heading, description=words)), said)
