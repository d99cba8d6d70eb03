"""Troop hands, for attack and defence: which are legal, how strong they are, and which can be made (section 7).

Suits don't matter here: of equal cards (same kind, value and rank), the first ones represent all.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import msgspec

from games.rules.kingdoms.deck import SUITS, alike, card, in_order, place
from games.rules.kingdoms.worth import NEVER, fewest, first
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

GOAL = 21
ORDINARY, EPIC21, COMMAND = "ordinary", "epic21", "command"
EPIC_BASES = (("attack",) * 3, ("champion",) * 2, ("kingdom",))
SECRET_KINDS = ("attack", "champion", "support")

Cards = tuple[str, ...]
Groups = tuple[Cards, ...]


class Troop(msgspec.Struct, frozen=True):
    """The strength of a troop hand. `kind` is `ordinary`, `epic21` or `command`."""

    kind: str
    total: int


def classify(cards: Sequence[str]) -> Troop:
    """Return the kind and total of a troop hand (K19-K22). Raises `IllegalAction` for others, and for no cards."""
    heroes = [card(card_id) for card_id in cards]
    total = sum(hero.value for hero in heroes)
    if not heroes:
        raise IllegalAction(gettext_noop("Choose at least one card."))
    if any(hero.commands for hero in heroes):
        if len(heroes) > 2:
            raise IllegalAction(
                gettext_noop("An Epic or a Boss fights alone or with one other Hero. Leave out the rest.")
            )
        return Troop(COMMAND, total)
    if total <= GOAL:
        return Troop(ORDINARY, total)
    base = [hero for hero in heroes if hero.kind != "support"]
    is_21 = sum(hero.value for hero in base) == GOAL and tuple(hero.kind for hero in base) in EPIC_BASES
    if is_21 and len(base) == len(heroes) - 1:
        return Troop(EPIC21, total)
    raise IllegalAction(
        gettext_noop(
            "{total} is more than 21. You can exceed 21 only with three Attack Heroes, two Champions or one Kingdom "
            "Hero that make exactly 21, plus one Support Hero."
        ),
        total=total,
    )


# Best hands


def best_ordinary(hand: Sequence[str], most: int | None = None) -> Cards:
    """Return the best automatic defence: the highest sum, then fewest cards, then first in deck order (K93).

    Uses at most `most` cards if given. Empty if there are only Epics and Bosses.
    """
    cards = in_order(one for one in hand if not card(one).commands)
    values = tuple(card(one).value for one in cards)
    limit = NEVER - 1 if most is None else most
    best = max(total for total, n in enumerate(fewest(values, GOAL)[0]) if n <= limit)
    return tuple(cards[at] for at in first(values, best))


def best_troops(hand: Sequence[str]) -> Cards:
    """Return the strongest troop hand: highest total, then fewest cards, then first in deck order; () if none."""
    cards = in_order(hand)
    tried = [best_ordinary(cards), *_epic21s(_followers(cards)), *_commands(cards)]
    return min(
        (in_order(one) for one in tried if one),
        key=lambda troops: (-sum(card(one).value for one in troops), len(troops), list(map(place, troops))),
        default=(),
    )


# All hands


def troop_hands(hand: Sequence[str]) -> tuple[Cards, ...]:
    """Return every legal troop hand, each in deck order, counting equal cards once; always in the same order."""
    return _troop_hands(in_order(hand))


@lru_cache(maxsize=1 << 4)
def _troop_hands(hand: Cards) -> tuple[Cards, ...]:
    heroes = _followers(hand)
    found = [*(one for one, _ in _sums(heroes)), *_epic21s(heroes), *_commands(hand)]
    return tuple(in_order(one) if len(one) > 1 else one for one in found)


def twenty_ones(hand: Sequence[str]) -> tuple[Cards, ...]:
    """Return every ordinary hand of exactly 21, counting equal cards once."""
    return tuple(in_order(one) for one, total in _sums(_followers(in_order(hand))) if total == GOAL)


def _followers(hand: Sequence[str]) -> Groups:
    """Return the cards other than Epics and Bosses, equal ones grouped."""
    return alike(one for one in hand if not card(one).commands)


def _sums(groups: Groups) -> list[tuple[Cards, int]]:
    """Return every choice of at least one card with a sum up to 21, with its sum."""
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
    """Return every base of 21 (three Attack Heroes, two Champions or a Kingdom Hero) with each Support."""
    bases = [
        one
        for kinds in EPIC_BASES
        for one, total in _sums(tuple(group for group in groups if card(group[0]).kind == kinds[0]))
        if total == GOAL and len(one) == len(kinds)
    ]
    supports = [group[0] for group in groups if card(group[0]).kind == "support"]
    return [(*base, support) for base in bases for support in supports]


def _commands(hand: Cards) -> list[Cards]:
    """Return every Epic or Boss alone, with another one, or with one other Hero of each kind."""
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
    """Return whether these cards allow a Not-So-Secret Move: two or more of one suit that make 21 (K43)."""
    heroes = [card(one) for one in cards]
    return (
        len(heroes) > 1
        and all(hero.kind in SECRET_KINDS for hero in heroes)
        and len({hero.suit for hero in heroes}) == 1
        and sum(hero.value for hero in heroes) == GOAL
    )


def not_so_secret_sets(hand: Sequence[str]) -> tuple[Cards, ...]:
    """Return every set of cards for a Not-So-Secret Move; of two copies in a suit, the first represents both."""
    heroes = [card(one) for one in in_order(hand)]
    usable = [hero for hero in heroes if hero.kind in SECRET_KINDS]
    suits = [alike(hero.id for hero in usable if hero.suit == suit) for suit in SUITS]
    return tuple(in_order(one) for groups in suits for one, total in _sums(groups) if total == GOAL)
