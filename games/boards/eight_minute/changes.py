"""What events have done to the board: armies that went, came and fell, and what else is new there.

It is worked out from events as their reader may know them and from nothing else, so marks tell no secret.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from games.boards.eight_minute.describe import person, region_name
from games.boards.themes import colours
from games.rules.eight_minute import events as e
from games.rules.eight_minute.view import View
from games.rules.words import Translate, gettext_noop, untranslated

MOST_WAYS = 9  # so many arrows can be told apart; what went before them is counted


class Way(msgspec.Struct, frozen=True):
    """`n` armies of a colour that went from one region to another."""

    origin: str
    target: str
    colour: int
    n: int = 1


class Count(msgspec.Struct, frozen=True):
    """So many more of a colour in a region, or fewer."""

    region: str
    colour: int
    n: int


class Changes(msgspec.Struct, frozen=True):
    """`armies` came or fell without going anywhere, `cities` are new. Tokens and merchants: `laid` anew, or `gone`."""

    ways: tuple[Way, ...] = ()
    armies: tuple[Count, ...] = ()
    cities: tuple[Count, ...] = ()
    laid: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.ways or self.armies or self.cities or self.laid or self.gone)


NOTHING = Changes()


class Tally:
    """Changes as they add up. `third` is the index of the third colour, which events call -1."""

    def __init__(self, third: int) -> None:
        self.third = third
        self.ways: Counter[tuple[str, str, int]] = Counter()
        self.armies: Counter[tuple[str, int]] = Counter()
        self.cities: Counter[tuple[str, int]] = Counter()
        self.tokens: dict[str, bool] = {}  # by region: whether something lies there anew, or no more

    def add(self, event: Any) -> None:
        write = _WRITERS.get(type(event))
        if write:
            write(self, event)

    def go(self, way: Way) -> None:
        """What comes back the same way has not gone."""
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
            tuple(region for region, is_there in self.tokens.items() if is_there),
            tuple(region for region, is_there in self.tokens.items() if not is_there),
        )


def _counts(counted: Counter[tuple[str, int]]) -> tuple[Count, ...]:
    return tuple(Count(region, colour, n) for (region, colour), n in counted.items() if n)


def changes(events: Iterable[Any], players: int) -> Changes:
    """What these events, in their order, come to on the board of a game of so many players."""
    tally = Tally(players)
    for event in events:
        tally.add(event)
    return tally.changes()


def ways(steps: Iterable[Way]) -> Changes:
    """Armies on their way alone: those of a turn that is being laid out."""
    tally = Tally(0)
    for step in steps:
        tally.go(step)
    return tally.changes()


# One small function for each event that shows on the board


def _came(tally: Tally, event: e.ArmyPlaced | e.ArmyMustered) -> None:
    tally.armies[event.region, event.seat] += 1


def _came_third(tally: Tally, event: e.NeutralPlaced) -> None:
    tally.armies[event.region, tally.third] += 1


def _fell(tally: Tally, event: e.ArmyDestroyed) -> None:
    tally.armies[event.region, event.owner if event.owner >= 0 else tally.third] -= 1


def _went(tally: Tally, event: e.ArmyMoved) -> None:
    tally.go(Way(event.origin, event.target, event.seat))


def _built(tally: Tally, event: e.CityBuilt) -> None:
    tally.cities[event.region, event.seat] += 1


def _laid(tally: Tally, event: e.TokenLaid | e.TownLaid) -> None:
    tally.tokens[event.region] = True


def _gone(tally: Tally, event: e.TokenGained | e.CoinsFound | e.DragonSlain) -> None:
    tally.tokens[event.region] = False


_WRITERS: dict[type, Callable[[Tally, Any], None]] = {
    e.ArmyPlaced: _came,
    e.ArmyMustered: _came,
    e.NeutralPlaced: _came_third,
    e.ArmyDestroyed: _fell,
    e.ArmyMoved: _went,
    e.CityBuilt: _built,
    e.TokenLaid: _laid,
    e.TownLaid: _laid,
    e.TokenGained: _gone,
    e.CoinsFound: _gone,
    e.DragonSlain: _gone,
}


# The cards


class Trade(msgspec.Struct, frozen=True):
    """What the row has lost, to whom and in which order, and what came into it."""

    taken: tuple[tuple[int, str], ...]
    drawn: frozenset[str]


def trade(events: Iterable[Any]) -> Trade:
    """The cards that these events took and drew."""
    told = list(events)
    return Trade(
        tuple((event.seat, event.card) for event in told if isinstance(event, e.CardTaken)),
        frozenset(event.card for event in told if isinstance(event, e.CardDrawn)),
    )


# In words

_WENT = (
    gettext_noop("{player}: 1 army from {origin} to {target}."),
    gettext_noop("{player}: {n} armies from {origin} to {target}."),
)
_MORE = (gettext_noop("{player}: 1 army more in {region}."), gettext_noop("{player}: {n} armies more in {region}."))
_FEWER = (gettext_noop("{player}: 1 army fewer in {region}."), gettext_noop("{player}: {n} armies fewer in {region}."))
_CITY = (gettext_noop("{player}: a new city in {region}."), gettext_noop("{player}: {n} new cities in {region}."))


def way_words(way: Way, view: View, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    values = {"origin": region_name(view, way.origin), "target": region_name(view, way.target)}
    return _said(_WENT, view, way.colour, way.n, names, translate, values)


def army_words(count: Count, view: View, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    words = _MORE if count.n > 0 else _FEWER
    return _said(words, view, count.colour, abs(count.n), names, translate, {"region": region_name(view, count.region)})


def city_words(count: Count, view: View, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    return _said(_CITY, view, count.colour, count.n, names, translate, {"region": region_name(view, count.region)})


def laid_words(region: str, view: View, translate: Translate = untranslated) -> str:
    return translate(gettext_noop("Laid anew in {region}.")).format(region=region_name(view, region))


def gone_words(region: str, view: View, translate: Translate = untranslated) -> str:
    return translate(gettext_noop("Gone from {region}: what lay there.")).format(region=region_name(view, region))


def change_words(
    found: Changes, view: View, names: Sequence[str] = (), translate: Translate = untranslated
) -> list[str]:
    """Each change in a sentence. `names` are those of the seats."""
    return [
        *(way_words(way, view, names, translate) for way in found.ways),
        *(army_words(count, view, names, translate) for count in found.armies),
        *(city_words(count, view, names, translate) for count in found.cities),
        *(laid_words(region, view, translate) for region in found.laid),
        *(gone_words(region, view, translate) for region in found.gone),
    ]


def _said(
    words: tuple[str, str],
    view: View,
    colour: int,
    n: int,
    names: Sequence[str],
    translate: Translate,
    values: dict[str, str],
) -> str:
    player = person(colours(len(view.players))[colour], colour, names, translate)
    return translate(words[n != 1]).format(player=player, n=n, **values)
