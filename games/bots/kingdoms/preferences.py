"""The value of cards to a player of Kingdoms, in points of Kingdom value, and which purchases pay.

All numbers are guesses; in self-play, none of them matters much alone.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from games.rules.kingdoms.deck import RANKS, Card, card
from games.rules.kingdoms.market import Purchase, purchases
from games.rules.kingdoms.options import QUICK_ROUNDS
from games.rules.kingdoms.values import WINS
from games.rules.kingdoms.view import PlayerView, View

COMMANDER = 8.0  # the bonus of an Epic or a Boss as a troop
NEXT = (26.0, 16.0, 11.0, 9.0)  # the first card of the next rank to build, the one after it ...
LAST_TOWER = 400.0
DENIED = 60.0  # a Princess that a player with three Towers needs
SUPPORT = 5.0  # the first Support
LEAST_GAIN = 0.9
MOST_PURCHASES = 3  # planned at a time
ALL_TOWERS = len(RANKS)


class Preferences(msgspec.Struct, frozen=True):
    """What the seat wants: points for the first card of each rank or kind, and for each card of a rank."""

    first: dict[str, float]
    each: dict[str, float]

    def base(self, hero: Card) -> float:
        """Return a card's value on its own."""
        return hero.value + (COMMANDER if hero.commands else self.each.get(hero.rank or "", 0.0))


def me(view: View) -> PlayerView:
    """Return the viewing seat's player."""
    assert view.seat is not None
    return view.players[view.seat]


def rivals(view: View) -> list[PlayerView]:
    """Return the other players, clockwise."""
    n, seat = len(view.players), me(view).seat
    return [view.players[(seat + step) % n] for step in range(1, n)]


def rulers(view: View) -> tuple[int | None, ...]:
    return tuple(player.ruler for player in view.players)


def is_last_round(view: View) -> bool:
    """Return whether hands are about to be counted (Quickplay)."""
    return view.options.quick and view.round >= QUICK_ROUNDS


def preferences_of(view: View) -> Preferences:
    """Return what the viewing seat wants, by its Towers and those of its rivals."""
    built = len(me(view).towers)
    first = {"support": SUPPORT}
    if not is_last_round(view):
        first |= dict(zip(RANKS[built:], NEXT, strict=False))
        if built == ALL_TOWERS - 1:
            first[RANKS[built]] = LAST_TOWER
    threatened = any(len(rival.towers) == ALL_TOWERS - 1 for rival in rivals(view))
    return Preferences(first, {RANKS[-1]: DENIED} if threatened else {})


def label(hero: Card) -> str:
    """Return the name under which `Preferences.first` lists a card."""
    return hero.rank or hero.kind


class Ledger:
    """Counts the hand once, so that the effect of many changes can be computed quickly."""

    def __init__(self, hand: Iterable[str], wanted: Preferences) -> None:
        self.wanted = wanted
        self.have = Counter(label(card(card_id)) for card_id in hand)

    def change(self, gone: Sequence[str], come: Sequence[str] = ()) -> float:
        """Return the change in the hand's value, negative if it loses."""
        lost, gained = [card(card_id) for card_id in gone], [card(card_id) for card_id in come]
        sums = sum(map(self.wanted.base, gained)) - sum(map(self.wanted.base, lost))
        return sums + sum(self._first(name, lost, gained) for name in {label(card_id) for card_id in (*lost, *gained)})

    def _first(self, name: str, lost: list[Card], gained: list[Card]) -> float:
        had = self.have[name]
        has = had - sum(label(hero) == name for hero in lost) + sum(label(hero) == name for hero in gained)
        return self.wanted.first.get(name, 0.0) * ((has > 0) - (had > 0))


def best_purchases(view: View) -> list[Purchase]:
    """Return the most profitable purchases, one after another."""
    hand, flop, wanted = list(me(view).hand), list(view.flop), preferences_of(view)
    chosen: list[Purchase] = []
    while len(chosen) < MOST_PURCHASES:
        offers, ledger = purchases(hand, flop), Ledger(hand, wanted)
        gains = [(ledger.change(give, take), -len(give)) for give, take in offers]
        if not gains or max(gains)[0] < LEAST_GAIN:
            break
        give, take = offers[gains.index(max(gains))]
        chosen.append((give, take))
        hand = [*(card_id for card_id in hand if card_id not in give), *take]
        flop = [card_id for card_id in flop if card_id not in take]
        flop += give if view.options.pay_to == "flop" else ()
    return chosen


def wins_by_value(view: View, more: int) -> bool:
    """Return whether this much more in the hand makes the seat win."""
    return (me(view).value or 0) + more >= WINS
