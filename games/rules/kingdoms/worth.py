"""The value of cards: sums, the Kingdom value of a hand, its announcements, and the face-up cards (section 11)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from games.rules.kingdoms.deck import card, in_order
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

SHOWN_FROM = 200
SHOW = 100
WINS = 300
HIGHEST = 21
NEVER = 1 << 20  # the number of cards for a sum that can't be made


def value(ids: Iterable[str]) -> int:
    """Return the sum of the printed values of cards in a hand. Towers and Castles don't count (K53)."""
    return _value(tuple(ids))


@lru_cache(maxsize=1 << 12)
def _value(ids: tuple[str, ...]) -> int:
    return sum(card(card_id).value for card_id in ids)


def band(value: int) -> int:
    """Return the publicly known part of a Kingdom value: 0, 100 or 200 (K54)."""
    return min(value // SHOW * SHOW, SHOWN_FROM)


def default_shown(hand: Sequence[str]) -> tuple[str, ...]:
    """Return the cards shown automatically at a value of 200 or more; below that, none.

    Chooses the smallest sum of 100 or more, then the fewest cards, then the first in deck order (K55, K79).
    """
    return _default_shown(in_order(hand)) if value(hand) >= SHOWN_FROM else ()


@lru_cache(maxsize=1 << 8)
def _default_shown(cards: tuple[str, ...]) -> tuple[str, ...]:
    values = tuple(card(card_id).value for card_id in cards)
    best = next(total for total, n in enumerate(fewest(values, SHOW + HIGHEST)[0]) if total >= SHOW and n < NEVER)
    return tuple(cards[at] for at in first(values, best))


def check_shown(hand: Sequence[str], shown: Sequence[str]) -> None:
    """Raise `IllegalAction` unless these cards of the hand are worth 100 or more and none is superfluous (K55)."""
    if value(hand) < SHOWN_FROM:
        raise IllegalAction(gettext_noop("Cards are shown only from a Kingdom value of 200 on."))
    if len(set(shown)) < len(shown) or not set(shown) <= set(hand):
        raise IllegalAction(gettext_noop("Show cards from your hand, each only once."))
    if (total := value(shown)) < SHOW:
        raise IllegalAction(gettext_noop("These cards are worth {value}. Show at least 100."), value=total)
    if total - min(card(card_id).value for card_id in shown) >= SHOW:
        raise IllegalAction(gettext_noop("You are showing more than you need. Leave out a card."))


# Cards that add up to a sum: the fewest, and of those the first. Used for troop hands and face-up cards.


@lru_cache(maxsize=1 << 10)
def fewest(values: tuple[int, ...], most: int) -> tuple[tuple[int, ...], ...]:
    """Return a table whose `[i][s]` is the smallest number of `values[i:]` with the sum s, up to `most`, or `NEVER`."""
    rows = [(0, *(NEVER,) * most)]
    for value in reversed(values):
        rest = rows[-1]
        with_it = (*(NEVER,) * value, *(n + 1 for n in rest))
        rows.append(tuple(map(min, rest, with_it)))
    return tuple(reversed(rows))


def first(values: Sequence[int], total: int) -> tuple[int, ...]:
    """Return the indexes of the fewest values with this total, the first such set. The total must be possible."""
    table = fewest(tuple(values), total)
    needed, chosen = table[0][total], []
    for place, value in enumerate(values):
        if value <= total and needed and table[place + 1][total - value] == needed - 1:
            chosen.append(place)
            total, needed = total - value, needed - 1
    return tuple(chosen)
