"""The scoresheet by source, and the words for tie-breakers."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.rules.eight_minute.edition import Edition, edition
from games.rules.eight_minute.scoring import named
from games.rules.protocol import Scoresheet

ALWAYS = ("regions", "islands", "continents", "elixirs")  # rows shown even before anyone scores, where scored at all
TIE_BREAKS = {
    "magic-book": gettext_noop("without the Magic Book"),
    "coins": gettext_noop("fewer coins left"),
    "armies": gettext_noop("fewer armies on the map"),
    "regions": gettext_noop("fewer regions controlled"),
}


@dataclass(frozen=True)
class Source:
    """A row of the scoresheet: points by seat. `kind` is a part of the scoring, card, token, leader or good."""

    kind: str
    name: str
    points: tuple[int | None, ...]


def sources(name: str, sheet: Scoresheet) -> list[Source]:
    """Return the scoresheet of an edition: map, cards, tokens, leaders, goods and elixirs."""
    rules = edition(name)
    given = [line.source for score in sheet.seats for line in score.lines]
    found = dict.fromkeys([*(part for part in rules.scored if part in ALWAYS), *given])
    rows = [_source(rules, sheet, source) for source in found]
    return sorted(rows, key=lambda row: ORDER.index(row.kind))


ORDER = ("regions", "islands", "continents", "citadels", "card", "token", "leader", "good", "elixirs")


def _source(rules: Edition, sheet: Scoresheet, source: str) -> Source:
    by_seat = [[line.points for line in score.lines if line.source == source] for score in sheet.seats]
    kind, name = named(rules, source)
    return Source(kind, _(name), tuple(sum(mine) if mine else None for mine in by_seat))
