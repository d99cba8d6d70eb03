"""Troop hands, the same for attack and defence: what is one, how strong it is, and which can be made (section 7).

Suits do not matter here: of equal cards - same kind, value and rank - those that come first stand for all.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import msgspec

from games.rules.kingdoms.deck import SUITS, Card, alike, card, in_order, place
from games.rules.kingdoms.sums import NEVER, fewest, first
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

GOAL = 21
ORDINARY, EPIC21, COMMAND = "ordinary", "epic21", "command"
EPIC_BASES = (("attack",) * 3, ("champion",) * 2, ("kingdom",))
SECRET_KINDS = ("attack", "champion", "support")

Cards = tuple[str, ...]
Groups = tuple[Cards, ...]


class Troop(msgspec.Struct, frozen=True):
    """What a troop hand is worth. `kind` is `ordinary`, `epic21` or `command`."""

    kind: str
    total: int


def classify(cards: Sequence[str]) -> Troop:
    """What kind of troop hand the cards are, and its total (K19-K22). Raises `IllegalAction`, also for no cards."""
    heroes = [card(card_id) for card_id in cards]
    total = sum(hero.value for hero in heroes)
    if not heroes:
        raise IllegalAction(gettext_noop("Lay at least one card."))
    if any(hero.commands for hero in heroes):
        if len(heroes) > 2:
            raise IllegalAction(gettext_noop("An Epic or a Boss fights alone or with one other Hero."))
        return Troop(COMMAND, total)
    if total <= GOAL:
        return Troop(ORDINARY, total)
    if _is_epic21(heroes):
        return Troop(EPIC21, total)
    raise IllegalAction(
        gettext_noop(
            "{total} is more than 21. Above it only one Support helps, beside three Attack Heroes, two Champions or one"
            " Kingdom Hero that make 21."
        ),
        total=total,
    )


def _is_epic21(heroes: Sequence[Card]) -> bool:
    base = [hero for hero in heroes if hero.kind != "support"]
    return (
        len(base) == len(heroes) - 1
        and sum(hero.value for hero in base) == GOAL
        and tuple(hero.kind for hero in base) in EPIC_BASES
    )


# The best


def best_ordinary(hand: Sequence[str], most: int | None = None) -> Cards:
    """The ordinary hand that defends by itself: highest sum, then fewest cards, then first in deck order (K93).

    At most `most` cards where that is given. Empty where there are but Epics and Bosses.
    """
    cards = in_order(one for one in hand if not card(one).commands)
    values = tuple(card(one).value for one in cards)
    limit = NEVER - 1 if most is None else most
    best = max(total for total, n in enumerate(fewest(values, GOAL)[0]) if n <= limit)
    return tuple(cards[at] for at in first(values, best))


def best_troops(hand: Sequence[str]) -> Cards:
    """The strongest troop hand: highest total, then fewest cards, then first in deck order; empty for no cards."""
    cards = in_order(hand)
    tried = [best_ordinary(cards), *_epic21s(_followers(cards)), *_commands(cards)]
    return min((in_order(one) for one in tried if one), key=_strength, default=())


def _strength(cards: Cards) -> tuple[int, int, list[int]]:
    return -sum(card(one).value for one in cards), len(cards), [place(one) for one in cards]


# All of them


def troop_hands(hand: Sequence[str]) -> tuple[Cards, ...]:
    """Every legal troop hand, equal cards apart, each in deck order; always in the same order."""
    return _troop_hands(in_order(hand))


@lru_cache(maxsize=1 << 4)
def _troop_hands(hand: Cards) -> tuple[Cards, ...]:
    heroes = _followers(hand)
    found = [*(one for one, _ in _sums(heroes)), *_epic21s(heroes), *_commands(hand)]
    return tuple(in_order(one) if len(one) > 1 else one for one in found)


def twenty_ones(hand: Sequence[str]) -> tuple[Cards, ...]:
    """Every ordinary hand of exactly 21, equal cards apart."""
    return tuple(in_order(one) for one, total in _sums(_followers(in_order(hand))) if total == GOAL)


def _followers(hand: Sequence[str]) -> Groups:
    """The cards without Epics and Bosses, equal ones together."""
    return alike(one for one in hand if not card(one).commands)


def _sums(groups: Groups) -> list[tuple[Cards, int]]:
    """Every choice of at least one card with a sum up to 21, and the sum."""
    found: list[tuple[Cards, int]] = [((), 0)]
    for group in groups:
        value = card(group[0]).value
        found += [
            (chosen + group[:n], total + n * value)
            for chosen, total in found
            for n in range(1, min(len(group), (GOAL - total) // value) + 1)
        ]
    return found[1:]


def _epic21s(groups: Groups) -> list[Cards]:
    """A base of 21 by three Attack Heroes, two Champions or a Kingdom Hero, with each Support."""
    bases = [
        one
        for kinds in EPIC_BASES
        for one, total in _sums(tuple(group for group in groups if card(group[0]).kind == kinds[0]))
        if total == GOAL and len(one) == len(kinds)
    ]
    supports = [group[0] for group in groups if card(group[0]).kind == "support"]
    return [(*base, support) for base in bases for support in supports]


def _commands(hand: Cards) -> list[Cards]:
    """An Epic or a Boss alone, with another, or with one of each kind of other Heroes."""
    commanders = alike(one for one in hand if card(one).commands)
    singles = [group[0] for group in commanders]
    return [
        *((one,) for one in singles),
        *combinations(singles, 2),
        *(group[:2] for group in commanders if len(group) > 1),
        *((group[0], one) for one in singles for group in _followers(hand)),
    ]


# The Not-So-Secret Move


def not_so_secret(cards: Sequence[str]) -> bool:
    """Whether these cards can be shown for a Not-So-Secret Move: two or more of one suit that make 21 (K43)."""
    heroes = [card(one) for one in cards]
    return (
        len(heroes) > 1
        and all(hero.kind in SECRET_KINDS for hero in heroes)
        and len({hero.suit for hero in heroes}) == 1
        and sum(hero.value for hero in heroes) == GOAL
    )


def not_so_secret_sets(hand: Sequence[str]) -> tuple[Cards, ...]:
    """Every set of cards for a Not-So-Secret Move; of two copies in the same suit the first stands for both."""
    heroes = [card(one) for one in in_order(hand)]
    usable = [hero for hero in heroes if hero.kind in SECRET_KINDS]
    suits = [alike(hero.id for hero in usable if hero.suit == suit) for suit in SUITS]
    return tuple(in_order(one) for groups in suits for one, total in _sums(groups) if total == GOAL)
