"""The value of cards: sums, the Kingdom value of a hand, its announcements, and the face-up cards (section 11)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from games.rules.kingdoms.deck import CARDS, card, in_order
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

SHOWN_FROM = 200
SHOW = 100
WINS = 300
HIGHEST = 21
VALUES = {card_id: hero.value for card_id, hero in CARDS.items()}
value_of = VALUES.__getitem__


def value(ids: Iterable[str]) -> int:
    """Return the sum of the printed values of cards in a hand. Towers and Castles don't count (K53)."""
    return hand_value(tuple(ids))


@lru_cache(maxsize=1 << 12)
def hand_value(ids: tuple[str, ...]) -> int:
    """Return the `value` of a tuple of cards."""
    return sum(map(value_of, ids))


def band(value: int) -> int:
    """Return the publicly known part of a Kingdom value: 0, 100 or 200 (K54)."""
    return min(value // SHOW * SHOW, SHOWN_FROM)


def default_shown(hand: Sequence[str]) -> tuple[str, ...]:
    """Return the cards shown automatically at a value of 200 or more; below that, none.

    Chooses the smallest sum of 100 or more, then the fewest cards, then the first in deck order (K55, K79).
    """
    return _default_shown(in_order(hand)) if sum(map(value_of, hand)) >= SHOWN_FROM else ()


@lru_cache(maxsize=1 << 8)
def _default_shown(cards: tuple[str, ...]) -> tuple[str, ...]:
    values = tuple(map(value_of, cards))
    possible = totals(values, SHOW + HIGHEST) >> SHOW
    return tuple(cards[index] for index in first(values, SHOW + (possible & -possible).bit_length() - 1))


def check_shown(hand: Sequence[str], shown: Sequence[str]) -> None:
    """Raise `IllegalAction` unless these cards of the hand are worth 100 or more and none is superfluous (K55)."""
    if value(hand) < SHOWN_FROM:
        raise IllegalAction(gettext_noop("You show cards only while your Kingdom value is 200 or more."))
    if len(set(shown)) < len(shown) or not set(shown) <= set(hand):
        raise IllegalAction(gettext_noop("Show cards from your hand, each only once."))
    if (total := value(shown)) < SHOW:
        raise IllegalAction(gettext_noop("These cards are worth {value}. Show at least 100."), value=total)
    if total - min(card(card_id).value for card_id in shown) >= SHOW:
        raise IllegalAction(gettext_noop("You are showing more than you need. Leave out a card."))


# Cards that add up to a sum: the fewest, and of those the first. Used for troop hands and face-up cards. A set of sums
# is one number, whose bit s stands for the sum s.


def totals(values: Sequence[int], most: int, cards: int | None = None) -> int:
    """Return the sums up to `most` of the values, each used at most once, and of at most that many; 0 included."""
    within, sums = (1 << most + 1) - 1, 1
    if cards is None:
        for value in values:
            sums |= sums << value & within
        return sums
    tails = [1] * (len(values) + 1)
    for _ in range(cards):
        tails = _with_one_more(values, tails)
        sums |= tails[0] & within
    return sums


def first(values: Sequence[int], total: int) -> tuple[int, ...]:
    """Return the indexes of the fewest values with this total, the first such set. The total must be possible."""
    # The bit n * width + s of a number stands for n of the values from one on with the sum s.
    width, tails = sum(values) + 1, [1]
    for value in reversed(values):
        tails.append(tails[-1] | tails[-1] << width + value)
    wanted, chosen = total, []
    while not tails[-1] >> wanted & 1:
        wanted += width
    for place, value in enumerate(values):
        tails.pop()
        if wanted >= width + value and tails[-1] >> wanted - width - value & 1:
            chosen.append(place)
            wanted -= width + value
    return tuple(chosen)


def _with_one_more(values: Sequence[int], tails: Sequence[int]) -> list[int]:
    """Return, for each i, the sums of one more of `values[i:]` than in `tails[i]`."""
    longer = [0]
    for value, rest in zip(reversed(values), reversed(tails), strict=False):
        longer.append(longer[-1] | rest << value)
    return longer[::-1]
