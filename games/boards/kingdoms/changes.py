"""What events changed in the kingdoms and the Flop: hands, Towers, rulers, new cards.

Computed from events as their reader may know them: counts are public, cards only if an event names them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from games.boards.kingdoms.describe import called, counted, rank_of
from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import RANK_NAMES
from games.rules.kingdoms.options import HAND
from games.rules.kingdoms.view import View
from games.rules.words import Translate, gettext_noop, listed, untranslated


class Changes(msgspec.Struct, frozen=True):
    """Changes to kingdoms and Flop.

    `cards`: by seat, the change in the number of cards. `built` are new Towers, `fallen` lost ones. `ruled`: the seats
    whose ruler changed. `came` were added to the Flop; `taken` from it, by whom, in order.
    """

    cards: dict[int, int] = {}
    built: frozenset[str] = frozenset()
    fallen: tuple[tuple[int, str], ...] = ()
    ruled: frozenset[int] = frozenset()
    came: frozenset[str] = frozenset()
    taken: tuple[tuple[int, str], ...] = ()

    def __bool__(self) -> bool:
        return self != NOTHING


NOTHING = Changes()


class Tally:
    """A running total of changes."""

    def __init__(self) -> None:
        self.cards: Counter[int] = Counter()
        self.built: set[str] = set()
        self.fallen: list[tuple[int, str]] = []
        self.ruled: set[int] = set()
        self.came: set[str] = set()
        self.taken: list[tuple[int, str]] = []

    def add(self, event: Any) -> None:
        """Add what an event did to hands and Flop."""
        match type(event):
            case e.CardDrawn | e.HeroTurned | e.HeroRecovered:
                self.cards[event.seat] += 1
            case e.CardPicked | e.TributeTaken | e.CardStolen:
                self.cards[event.other] -= 1
                self.cards[event.seat] += 1
            case e.AttackDeclared | e.TroopsLaid:
                self.cards[event.seat] -= event.count
            case e.BossPlayed:
                self.cards[event.seat] -= 1
            case e.BattleEnded:
                self.came -= set(event.spoils)
                if event.winner >= 0:
                    self.cards[event.winner] += len(event.spoils)
            case e.Given:
                self.cards[event.seat] -= event.count
                self.cards[event.other] += event.count
            case e.Bought:
                self.cards[event.seat] -= len(event.give)
                self.came |= set(event.give)
                self._take(event.seat, *event.take)
            case e.FlopDrawn:
                self._take(event.seat, event.card)
            case e.FlopTurned:
                self.came.add(event.card)
            case e.CardBurned:
                self.came.discard(event.card)
            case _:
                self._add_tower(event)

    def _add_tower(self, event: Any) -> None:
        """Add what an event did to Towers and rulers."""
        match type(event):
            case e.TowerBuilt:
                self.cards[event.seat] -= 1
                self.built.add(event.card)
            case e.TowerPickedUp:
                self.cards[event.seat] += 1
                self._fall(event.seat, event.card)
            case e.TowerLost:
                self._fall(event.seat, event.card)
            case e.EpicMoved if event.taken and event.others:
                self._fall(event.others[0], event.taken)
            case e.EpicMoved if event.taken:
                self._take(event.seat, event.taken)
            case e.TowerStolen:
                self.cards[event.seat] += 1 - len(event.cards)
                self._fall(event.other, event.tower, *event.broken)
                if event.broken_to == HAND:
                    self.cards[event.other] += len(event.broken)
            case e.RulerChanged:
                self.ruled.add(event.seat)

    def _take(self, seat: int, *cards: str) -> None:
        self.cards[seat] += len(cards)
        self.taken += [(seat, card_id) for card_id in cards]
        self.came -= set(cards)

    def _fall(self, seat: int, *towers: str) -> None:
        for tower in towers:
            if tower in self.built:
                self.built.remove(tower)
            else:
                self.fallen.append((seat, tower))


def changes(events: Iterable[Any]) -> Changes:
    """Return the total change of these events. A new deal resets everything, so changes before it don't count."""
    tally = Tally()
    for event in events:
        if isinstance(event, e.Dealt):
            tally = Tally()
        else:
            tally.add(event)
    return Changes(
        {seat: n for seat, n in sorted(tally.cards.items()) if n}, frozenset(tally.built), tuple(tally.fallen),
        frozenset(tally.ruled), frozenset(tally.came), tuple(tally.taken),
    )  # fmt: skip


# In words

_MORE = (gettext_noop("1 more card"), gettext_noop("{n} more cards"))
_FEWER = (gettext_noop("1 fewer card"), gettext_noop("{n} fewer cards"))


def kingdom_changes(
    changes: Changes, view: View, seat: int, names: Sequence[str] = (), translate: Translate = untranslated
) -> list[str]:
    """Describe the changes to one kingdom, in a few words each."""
    player, n = view.players[seat], changes.cards.get(seat, 0)
    said = [counted(abs(n), _MORE if n > 0 else _FEWER, translate)] if n else []
    if built := [translate(RANK_NAMES[rank_of(card_id)]) for card_id in player.towers if card_id in changes.built]:
        said.append(translate(gettext_noop("new Tower: {towers}")).format(towers=listed(built, translate)))
    if fallen := [translate(RANK_NAMES[rank_of(card_id)]) for owner, card_id in changes.fallen if owner == seat]:
        said.append(translate(gettext_noop("lost Tower: {towers}")).format(towers=listed(fallen, translate)))
    if seat in changes.ruled:
        if player.ruler is None:
            said.append(translate(gettext_noop("free again")))
        else:
            ruler = called(player.ruler, names, translate)
            said.append(translate(gettext_noop("now ruled by {player}")).format(player=ruler))
    return said
