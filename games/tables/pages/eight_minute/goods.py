"""The goods of a player: how many of each, with wild cards where they score most, and their points."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.eight_minute.edition import Edition, edition
from games.rules.eight_minute.scoring import WILD
from games.rules.eight_minute.tokens import gifts
from games.rules.eight_minute.view import View


@dataclass(frozen=True)
class Good:
    """A good with its count, plus `wild` cards added where they score most; `steps` are pairs of count and points."""

    id: str
    name: str
    own: int
    wild: int
    points: int
    steps: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        return self.own + self.wild

    @property
    def icon(self) -> str:
        return f"family-{self.id}"

    @property
    def worth(self) -> str:
        """Its current points, and the next step."""
        now = ngettext("{n} point", "{n} points", self.points).format(n=self.points)
        more = next(((needed, gain) for needed, gain in self.steps if needed > self.total), None)
        if more is None:
            return _("{now} (maximum)").format(now=now)
        return _("{now}; {gain} with {needed}").format(now=now, gain=more[1], needed=more[0])

    @property
    def spoken(self) -> str:
        if not self.wild:
            return f"{self.name}: {self.own}"
        wild = ngettext("{n} wild card", "{n} wild cards", self.wild).format(n=self.wild)
        return _("{good}: {own} and {wild}").format(good=self.name, own=self.own, wild=wild)


def goods(view: View, seat: int) -> tuple[Good, ...]:
    """Return the goods of a seat in scoresheet order; empty in editions without goods."""
    rules = edition(view.edition)
    lines = {line.source.partition(":")[2]: line for line in view.scoresheet.seats[seat].lines if ":" in line.source}
    return tuple(
        _good(rules, good, own, lines[good].points, _wilds(rules, lines[good].items))
        for good, own in view.players[seat].goods.items()
        if good in rules.goods
    )


def idle_wilds(view: View, seat: int) -> int:
    """Count wild cards that score nothing because there is no good to add them to (R60)."""
    held = view.players[seat].goods
    return held.get(WILD, 0) if set(held) <= {WILD} else 0


def _good(rules: Edition, good: str, own: int, points: int, wild: int) -> Good:
    steps = tuple(zip(rules.goods[good], rules.goods_points, strict=True))
    return Good(good, _(gifts()[good].name), own, wild, points, steps)


def _wilds(rules: Edition, items: Sequence[str]) -> int:
    return sum(item in rules.cards and rules.cards[item].family == WILD for item in items)
