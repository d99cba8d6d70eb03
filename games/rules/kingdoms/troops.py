"""Troop hands, for attack and defence: which are legal, how strong they are, and which can be made (section 7).

Suits don't matter here: of equal cards (same kind, value and rank), the first ones represent all.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb

import msgspec

from games.rules.kingdoms.deck import (
    CARDS,
    COMMANDING,
    DIFFERENT,
    SUITS,
    TALLY_BITS,
    alike,
    card,
    in_order,
    place,
    tallied,
    tally,
    tally_mask,
)
from games.rules.kingdoms.worth import first, totals
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

GOAL = 21
ORDINARY, EPIC21, COMMAND = "ordinary", "epic21", "command"
EPIC_BASES = (("attack",) * 3, ("champion",) * 2, ("kingdom",))
SECRET_KINDS = ("attack", "champion", "support")
SUM_BITS = 16
FULL = sum(1 << SUM_BITS * (number + 1) - 1 for number in range(len(SUITS)))  # the highest bit of each field,
SHORT = FULL - sum(GOAL << SUM_BITS * number for number in range(len(SUITS)))  # which a sum of 21 sets in this sum
# The value of each card for a Not-So-Secret Move, in the field of its suit: hands have one sum for all suits.
SUITED = {
    one.id: one.value << SUM_BITS * SUITS.index(one.suit) if one.suit and one.kind in SECRET_KINDS else 0
    for one in CARDS.values()
}

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
    best = totals(values, GOAL, most).bit_length() - 1
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
    return alike(one for one in hand if one not in COMMANDING)


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
    supports = [group[0] for group in groups if card(group[0]).kind == "support"]
    if not supports:
        return []
    bases = [
        one
        for kinds in EPIC_BASES
        for one, total in _sums(tuple(group for group in groups if card(group[0]).kind == kinds[0]))
        if total == GOAL and len(one) == len(kinds)
    ]
    return [(*base, support) for base in bases for support in supports]


def _commands(hand: Cards) -> list[Cards]:
    """Return every Epic or Boss alone, with another one, or with one other Hero of each kind."""
    commanders = alike(one for one in hand if one in COMMANDING)
    if not commanders:
        return []
    singles = [group[0] for group in commanders]
    return [
        *((one,) for one in singles),
        *combinations(singles, 2),
        *(group[:2] for group in commanders if len(group) > 1),
        *((group[0], one) for one in singles for group in _followers(hand)),
    ]


# All hands, counted


class TroopHands:
    """The sequence `troop_hands(hand)`, which counts them without listing them. The hand must be in deck order."""

    def __init__(self, hand: Cards) -> None:
        self.hand = hand
        self.ordinary, self.others = _how_many(tally(hand))

    def __len__(self) -> int:
        return self.ordinary + self.others

    def __getitem__(self, index: int) -> Cards:
        heroes = _followers(self.hand)
        if index < self.ordinary:
            return in_order(_ordinary(heroes, index))
        return in_order([*_epic21s(heroes), *_commands(self.hand)][index - self.ordinary])

    def __iter__(self) -> Iterator[Cards]:
        return iter(troop_hands(self.hand))


def _ordinary(groups: Groups, index: int) -> Cards:
    """Return the cards of `_sums(groups)[index]`, from the last group to the first."""
    shape, chosen, index = tuple((card(group[0]).value, len(group)) for group in groups), [], index + 1
    for last in reversed(range(len(groups))):
        shorter = _totals(shape[:last])
        if index < len(shorter):
            continue
        # It is one of those with cards of this group: find the choice of the other groups that it continues.
        index -= len(shorter)
        value, n = shape[last]
        for before, total in enumerate(shorter):
            longer = min(n, (GOAL - total) // value)
            if index < longer:
                chosen += groups[last][: index + 1]
                index = before
                break
            index -= longer
    return tuple(chosen)


@lru_cache(maxsize=1 << 12)
def _totals(shape: tuple[tuple[int, int], ...]) -> list[int]:
    """Return the totals of `_sums`, after that of no cards, for groups of so many cards of a value."""
    if not shape:
        return [0]
    found, (value, n) = _totals(shape[:-1]), shape[-1]
    if n == 1:  # the same in less time
        return found + [total + value for total in found if total + value <= GOAL]
    return found + [total + more for total in found for more in range(value, min(n * value, GOAL - total) + 1, value)]


@lru_cache(maxsize=1 << 12)
def _how_many(cards: int) -> tuple[int, int]:
    """Return how many ordinary and other troop hands cards with this tally make."""
    by_total = _by_total(cards & ATTACK) * _by_total(cards & CHAMPIONS) & FITTING
    by_total = by_total * _by_total(cards & (SUPPORT | KINGDOM)) & FITTING
    ordinary = by_total % (FIELD - 1) - 1  # the sum of the digits, as in casting out nines, without that of no cards
    others = 0
    if cards & SUPPORT:
        # A base lacks a card if its field of the difference is negative, which clears the spare bit.
        bases = sum([(cards | SPARE) - base & SPARE == SPARE for base in _epic_bases()])
        others += _different(cards & SUPPORT) * bases
    if cards & COMMANDS:
        commanders, twins = _different(cards & COMMANDS), sum(n > 1 for _, n in tallied(cards & COMMANDS))
        others += commanders * (1 + _different(cards & ~COMMANDS)) + comb(commanders, 2) + twins
    return ordinary, others


ATTACK, CHAMPIONS, SUPPORT, KINGDOM = (
    tally_mask(one for one in DIFFERENT if one.kind == kind) for kind in ("attack", "champion", "support", "kingdom")
)
COMMANDS = tally_mask(one for one in DIFFERENT if one.commands)
SPARE = sum(1 << TALLY_BITS * (number + 1) - 1 for number in range(len(DIFFERENT)))  # the bits that are always 0
FIELD_BITS = 32  # for more than there are troop hands of one total
FIELD = 1 << FIELD_BITS
FITTING = (1 << FIELD_BITS * (GOAL + 1)) - 1


@lru_cache(maxsize=1 << 12)
def _by_total(cards: int) -> int:
    """Return how many choices of the cards have each total up to 21, as the digits of one number to the base `FIELD`.

    It is a polynomial in `FIELD`: the product for two groups of cards is the number for both together.
    """
    product = 1
    for one, n in tallied(cards):
        product *= sum(1 << FIELD_BITS * one.value * some for some in range(n + 1))
        product &= FITTING
    return product


@lru_cache(maxsize=1 << 10)
def _different(cards: int) -> int:
    return sum(1 for _ in tallied(cards))


@cache
def _epic_bases() -> tuple[int, ...]:
    """Return the tally of each base of an Epic 21."""
    return tuple(
        tally(one.id for one in chosen)
        for kinds in EPIC_BASES
        for chosen in combinations_with_replacement([one for one in DIFFERENT if one.kind == kinds[0]], len(kinds))
        if sum(one.value for one in chosen) == GOAL
    )


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
    sums = sum(map(SUITED.__getitem__, hand))
    if not sums + SHORT & FULL:
        return ()
    found: list[Cards] = []
    for number, suit in enumerate(SUITS):
        if sums >> SUM_BITS * number & (1 << SUM_BITS) - 1 >= GOAL:
            heroes = [card(one) for one in in_order(hand)]
            usable = alike(hero.id for hero in heroes if hero.suit == suit and hero.kind in SECRET_KINDS)
            found += [in_order(one) for one, total in _sums(usable) if total == GOAL]
    return tuple(found)
