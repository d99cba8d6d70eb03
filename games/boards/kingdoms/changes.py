"""What events changed in the kingdoms and the Flop: hands, Towers, rulers, new cards.

Computed from events as their reader may know them: counts are public, cards only if an event names them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from games.boards.kingdoms.describe import called, counted, listed, rank_of
from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import RANK_NAMES
from games.rules.kingdoms.options import HAND
from games.rules.kingdoms.view import View
from games.rules.words import Translate, gettext_noop, untranslated


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

    def hand(self, seat: int, n: int) -> None:
        self.cards[seat] += n

    def pass_on(self, giver: int, taker: int, n: int = 1) -> None:
        self.cards[giver] -= n
        self.cards[taker] += n

    def fall(self, seat: int, *towers: str) -> None:
        for tower in towers:
            if tower in self.built:
                self.built.remove(tower)
            else:
                self.fallen.append((seat, tower))

    def take(self, seat: int, *cards: str) -> None:
        self.cards[seat] += len(cards)
        self.taken += [(seat, one) for one in cards]
        self.came -= set(cards)


def changes(events: Iterable[Any]) -> Changes:
    """Return the total change of these events, in order.

    A new deal resets everything, so changes before it don't count.
    """
    tally = Tally()
    for event in events:
        if isinstance(event, e.Dealt):
            tally = Tally()
        elif write := _WRITERS.get(type(event)):
            write(tally, event)
    return Changes(
        {seat: n for seat, n in sorted(tally.cards.items()) if n},
        frozenset(tally.built),
        tuple(tally.fallen),
        frozenset(tally.ruled),
        frozenset(tally.came),
        tuple(tally.taken),
    )


# One small function for each visible event


def _gained(tally: Tally, event: Any) -> None:
    tally.hand(event.seat, 1)


def _played(tally: Tally, event: e.BossPlayed) -> None:
    tally.hand(event.seat, -1)


def _laid(tally: Tally, event: e.AttackDeclared | e.TroopsLaid) -> None:
    tally.hand(event.seat, -event.count)


def _won(tally: Tally, event: e.BattleEnded) -> None:
    tally.came -= set(event.spoils)
    if event.winner >= 0:
        tally.hand(event.winner, len(event.spoils))


def _picked(tally: Tally, event: Any) -> None:
    tally.pass_on(event.other, event.seat)


def _given(tally: Tally, event: e.Given) -> None:
    tally.pass_on(event.seat, event.other, event.count)


def _bought(tally: Tally, event: e.Bought) -> None:
    tally.hand(event.seat, -len(event.give))
    tally.came |= set(event.give)
    tally.take(event.seat, *event.take)


def _flop_drawn(tally: Tally, event: e.FlopDrawn) -> None:
    tally.take(event.seat, event.card)


def _flop_turned(tally: Tally, event: e.FlopTurned) -> None:
    tally.came.add(event.card)


def _burned(tally: Tally, event: e.CardBurned) -> None:
    tally.came.discard(event.card)


def _epic(tally: Tally, event: e.EpicMoved) -> None:
    if event.taken and event.others:
        tally.fall(event.others[0], event.taken)
    elif event.taken:
        tally.take(event.seat, event.taken)


def _built(tally: Tally, event: e.TowerBuilt) -> None:
    tally.hand(event.seat, -1)
    tally.built.add(event.card)


def _picked_up(tally: Tally, event: e.TowerPickedUp) -> None:
    tally.hand(event.seat, 1)
    tally.fall(event.seat, event.card)


def _lost(tally: Tally, event: e.TowerLost) -> None:
    tally.fall(event.seat, event.card)


def _secret(tally: Tally, event: e.SecretMoved) -> None:
    tally.hand(event.seat, 1 - len(event.cards))
    tally.fall(event.other, event.tower, *event.broken)
    if event.broken_to == HAND:
        tally.hand(event.other, len(event.broken))


def _ruler(tally: Tally, event: e.RulerChanged) -> None:
    tally.ruled.add(event.seat)


_WRITERS: dict[type, Callable[[Tally, Any], None]] = {
    **dict.fromkeys((e.CardDrawn, e.HeroTurned, e.HeroRecovered), _gained),
    **dict.fromkeys((e.CardPicked, e.TributeTaken, e.CardStolen), _picked),
    **dict.fromkeys((e.AttackDeclared, e.TroopsLaid), _laid),
    e.BossPlayed: _played,
    e.BattleEnded: _won,
    e.Given: _given,
    e.Bought: _bought,
    e.FlopDrawn: _flop_drawn,
    e.FlopTurned: _flop_turned,
    e.CardBurned: _burned,
    e.EpicMoved: _epic,
    e.TowerBuilt: _built,
    e.TowerPickedUp: _picked_up,
    e.TowerLost: _lost,
    e.SecretMoved: _secret,
    e.RulerChanged: _ruler,
}


# In words

_MORE = (gettext_noop("1 more card"), gettext_noop("{n} more cards"))
_FEWER = (gettext_noop("1 card fewer"), gettext_noop("{n} cards fewer"))


def kingdom_changes(
    found: Changes, view: View, seat: int, names: Sequence[str] = (), translate: Translate = untranslated
) -> list[str]:
    """Describe the changes to one kingdom, in a few words each."""
    player, n = view.players[seat], found.cards.get(seat, 0)
    said = [counted(abs(n), _MORE if n > 0 else _FEWER, translate)] if n else []
    if built := [translate(RANK_NAMES[rank_of(one)]) for one in player.towers if one in found.built]:
        said.append(translate(gettext_noop("new Tower: {towers}")).format(towers=listed(built, translate)))
    if fallen := [translate(RANK_NAMES[rank_of(one)]) for owner, one in found.fallen if owner == seat]:
        said.append(translate(gettext_noop("lost Tower: {towers}")).format(towers=listed(fallen, translate)))
    if seat in found.ruled:
        ruled, free = gettext_noop("now ruled by {player}"), gettext_noop("free again")
        ruler = player.ruler
        words = translate(free if ruler is None else ruled)
        said.append(words.format(player="" if ruler is None else called(ruler, names, translate)))
    return said
