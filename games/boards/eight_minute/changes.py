"""What events changed on the board: armies that moved, appeared or fell, and other new things.

Computed only from events as their reader may know them, so marks reveal no secrets.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from games.boards.eight_minute.describe import person, region_name
from games.boards.themes import colours
from games.rules.eight_minute import events as e
from games.rules.eight_minute.view import View
from games.rules.words import Translate, gettext_noop, untranslated

MOST_WAYS = 9  # more arrows would be confusing; earlier moves become counts


class Way(msgspec.Struct, frozen=True):
    """`n` armies of a color that moved from one region to another."""

    origin: str
    target: str
    colour: int
    n: int = 1


class Count(msgspec.Struct, frozen=True):
    """The change in the number of a color's pieces in a region."""

    region: str
    colour: int
    n: int


Thing = tuple[str, str]  # a region, and a `token` or a `town` of merchants in it


class Changes(msgspec.Struct, frozen=True):
    """Changes on the board.

    `armies` appeared or fell without moving; `cities` are new; tokens and merchants were `laid`, or are `gone`.
    """

    ways: tuple[Way, ...] = ()
    armies: tuple[Count, ...] = ()
    cities: tuple[Count, ...] = ()
    laid: tuple[Thing, ...] = ()
    gone: tuple[Thing, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.ways or self.armies or self.cities or self.laid or self.gone)


NOTHING = Changes()


class Tally:
    """A running total of changes. `third` is the index of the third color, which is -1 in events."""

    def __init__(self, third: int) -> None:
        self.third = third
        self.ways: Counter[tuple[str, str, int]] = Counter()
        self.armies: Counter[tuple[str, int]] = Counter()
        self.cities: Counter[tuple[str, int]] = Counter()
        self.things: dict[Thing, bool] = {}  # whether it was laid or removed

    def add(self, event: Any) -> None:
        match type(event):
            case e.ArmyPlaced | e.ArmyMustered:
                self.armies[event.region, event.seat] += 1
            case e.NeutralPlaced:
                self.armies[event.region, self.third] += 1
            case e.ArmyDestroyed:
                self.armies[event.region, event.owner if event.owner >= 0 else self.third] -= 1
            case e.ArmyMoved:
                self.go(Way(event.origin, event.target, event.seat))
            case e.CityBuilt:
                self.cities[event.region, event.seat] += 1
            case e.TokenLaid:
                self.things[event.region, "token"] = True
            case e.TownLaid:
                self.things[event.region, "town"] = True
            case e.TokenGained | e.DragonSlain:
                self.things[event.region, "token"] = False
            case e.CoinsFound:
                self.things[event.region, "town"] = False

    def go(self, way: Way) -> None:
        """Add a move, canceling earlier moves in the opposite direction."""
        there, back = (way.origin, way.target, way.colour), (way.target, way.origin, way.colour)
        undone = min(way.n, self.ways[back])
        self.ways[back] -= undone
        self.ways[there] += way.n - undone

    def changes(self) -> Changes:
        gone = [(way, n) for way, n in self.ways.items() if n]
        for (origin, target, colour), n in gone[:-MOST_WAYS]:
            self.armies[origin, colour] -= n
            self.armies[target, colour] += n
        return Changes(
            tuple(Way(*way, n) for way, n in gone[-MOST_WAYS:]),
            _counts(self.armies),
            _counts(self.cities),
            tuple(thing for thing, is_there in self.things.items() if is_there),
            tuple(thing for thing, is_there in self.things.items() if not is_there),
        )


def _counts(counted: Counter[tuple[str, int]]) -> tuple[Count, ...]:
    return tuple(Count(region, colour, n) for (region, colour), n in counted.items() if n)


def changes(events: Iterable[Any], players: int) -> Changes:
    """Return the total change of these events, in order, in a game with this number of players."""
    tally = Tally(players)
    for event in events:
        tally.add(event)
    return tally.changes()


def ways(steps: Iterable[Way]) -> Changes:
    """Return only moves of armies: those of a turn in progress."""
    tally = Tally(0)
    for step in steps:
        tally.go(step)
    return tally.changes()


# The cards


class Trade(msgspec.Struct, frozen=True):
    """Cards taken from the row, by whom and in order, and the cards that were added."""

    taken: tuple[tuple[int, str], ...]
    drawn: frozenset[str]


def trade(events: Iterable[Any]) -> Trade:
    """Return the cards taken and drawn in these events."""
    listed = list(events)
    return Trade(
        tuple((event.seat, event.card) for event in listed if isinstance(event, e.CardTaken)),
        frozenset(event.card for event in listed if isinstance(event, e.CardDrawn)),
    )


# In words

_WENT = (
    gettext_noop("{player}: 1 army moved from {origin} to {target}."),
    gettext_noop("{player}: {n} armies moved from {origin} to {target}."),
)
_MORE = (gettext_noop("{player}: 1 more army in {region}."), gettext_noop("{player}: {n} more armies in {region}."))
_FEWER = (gettext_noop("{player}: 1 fewer army in {region}."), gettext_noop("{player}: {n} fewer armies in {region}."))
_CITY = (gettext_noop("{player}: a new city in {region}."), gettext_noop("{player}: {n} new cities in {region}."))

_LAID = {"token": gettext_noop("New token in {region}."), "town": gettext_noop("New merchants in {region}.")}
_GONE = {"token": gettext_noop("Token gone from {region}."), "town": gettext_noop("Merchants gone from {region}.")}


def way_words(way: Way, view: View, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    """Describe the armies that moved from one region to another."""
    values = {"origin": region_name(view, way.origin, translate), "target": region_name(view, way.target, translate)}
    return _said(_WENT, view, way.colour, way.n, names, translate, values)


def army_words(count: Count, view: View, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    """Describe how many armies of a color a region gained or lost otherwise."""
    words = _MORE if count.n > 0 else _FEWER
    return _said(
        words,
        view,
        count.colour,
        abs(count.n),
        names,
        translate,
        {"region": region_name(view, count.region, translate)},
    )


def city_words(count: Count, view: View, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    return _said(
        _CITY, view, count.colour, count.n, names, translate, {"region": region_name(view, count.region, translate)}
    )


def laid_words(thing: Thing, view: View, translate: Translate = untranslated) -> str:
    region, what = thing
    return translate(_LAID[what]).format(region=region_name(view, region, translate))


def gone_words(thing: Thing, view: View, translate: Translate = untranslated) -> str:
    region, what = thing
    return translate(_GONE[what]).format(region=region_name(view, region, translate))


def _said(
    words: tuple[str, str], view: View, colour: int, n: int, names: Sequence[str], translate: Translate,
    values: dict[str, str],
) -> str:  # fmt: skip
    player = person(colours(len(view.players))[colour], colour, names, translate)
    return translate(words[n != 1]).format(player=player, n=n, **values)
