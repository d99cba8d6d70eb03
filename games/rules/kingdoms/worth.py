"""What a hand is worth: the Kingdom value, what is announced of it, and which cards lie face-up (section 11)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from games.rules.kingdoms.deck import card, in_order
from games.rules.kingdoms.sums import NEVER, fewest, first
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

SHOWN_FROM = 200
SHOW = 100
WINS = 300
HIGHEST = 21


def value(ids: Iterable[str]) -> int:
    """The sum of the printed values. Towers and Castles do not count, only what is in the hand (K53)."""
    return _value(tuple(ids))


@lru_cache(maxsize=1 << 12)
def _value(ids: tuple[str, ...]) -> int:
    return sum(card(card_id).value for card_id in ids)


def band(value: int) -> int:
    """What everybody knows of a Kingdom value: 0, 100 or 200 (K54)."""
    return min(value // SHOW * SHOW, SHOWN_FROM)


def default_shown(hand: Sequence[str]) -> tuple[str, ...]:
    """The cards that turn face-up by themselves at a value of 200: nothing below it.

    The smallest sum of 100 or more, then the fewest cards, then the first in deck order (K55, K79).
    """
    return _default_shown(in_order(hand)) if value(hand) >= SHOWN_FROM else ()


@lru_cache(maxsize=1 << 8)
def _default_shown(cards: tuple[str, ...]) -> tuple[str, ...]:
    values = tuple(card(card_id).value for card_id in cards)
    best = next(total for total, n in enumerate(fewest(values, SHOW + HIGHEST)[0]) if total >= SHOW and n < NEVER)
    return tuple(cards[at] for at in first(values, best))


def check_shown(hand: Sequence[str], shown: Sequence[str]) -> None:
    """That these cards of the hand can be the face-up ones: 100 or more, none superfluous (K55).

    Raises `IllegalAction`.
    """
    if value(hand) < SHOWN_FROM:
        raise IllegalAction(gettext_noop("Cards lie face-up only from a Kingdom value of 200 on."))
    if len(set(shown)) < len(shown) or not set(shown) <= set(hand):
        raise IllegalAction(gettext_noop("Show cards of your hand, each of them once."))
    if (total := value(shown)) < SHOW:
        raise IllegalAction(gettext_noop("These cards are worth {value}; show at least 100."), value=total)
    if total - min(card(card_id).value for card_id in shown) >= SHOW:
        raise IllegalAction(gettext_noop("One card fewer is enough: show none that is superfluous."))
