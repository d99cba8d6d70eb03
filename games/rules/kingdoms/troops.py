"""Troop hands, for attack and defense: which are legal, how strong they are, and which can be made (section 7).

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
    deck_index,
    first_of,
    in_order,
    tallied,
    tally,
    tally_mask,
)
from games.rules.kingdoms.values import first, totals, value_of
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

GOAL = 21
ORDINARY, EPIC21, COMMAND = "ordinary", "epic21", "command"
EPIC_BASES = (("attack",) * 3, ("champion",) * 2, ("kingdom",))
NOT_SO_SECRET_KINDS = ("attack", "champion", "support")

# The sums of a hand by suit, all in one number with a field for each suit. Adding `SHORT` sets the highest bit of the
# fields whose sum is 21 or more, and `FULL` masks these bits.
SUM_BITS = 16
SUIT_FIELDS = [(1 << SUM_BITS) - 1 << SUM_BITS * number for number in range(len(SUITS))]
FULL = sum(1 << SUM_BITS * (number + 1) - 1 for number in range(len(SUITS)))
SHORT = FULL - sum(GOAL << SUM_BITS * number for number in range(len(SUITS)))
# The value of each card for a Not-So-Secret Move, in the field of its suit
SUITED = {
    hero.id: hero.value << SUM_BITS * SUITS.index(hero.suit) if hero.suit and hero.kind in NOT_SO_SECRET_KINDS else 0
    for hero in CARDS.values()
}
_suited = SUITED.__getitem__

Cards = tuple[str, ...]
Groups = tuple[Cards, ...]


class Troop(msgspec.Struct, frozen=True):
    """The strength of a troop hand. `kind` is `ordinary`, `epic21` or `command`."""

    kind: str
    total: int


def classify(cards: Sequence[str]) -> Troop:
    """Return the kind and total of a troop hand (K19-K22). Raises `IllegalAction` for others, and for no cards."""
    if not cards:
        raise IllegalAction(gettext_noop("Choose at least one card."))
    total = sum(map(value_of, cards))
    if not COMMANDING.isdisjoint(cards):
        if len(cards) > 2:
            raise IllegalAction(
                gettext_noop("An Epic or a Boss fights alone or with one other Hero. Leave out the rest.")
            )
        return Troop(COMMAND, total)
    if total <= GOAL:
        return Troop(ORDINARY, total)
    heroes = [card(card_id) for card_id in cards]
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
    """Return the best automatic defense: the highest sum, then fewest cards, then first in deck order (K93).

    Uses at most `most` cards if given. Empty if there are only Epics and Bosses.
    """
    cards = in_order(card_id for card_id in hand if not card(card_id).commands)
    values = tuple(card(card_id).value for card_id in cards)
    best = totals(values, GOAL, most).bit_length() - 1
    return tuple(cards[index] for index in first(values, best))


def best_troops(hand: Sequence[str]) -> Cards:
    """Return the strongest troop hand: highest total, then fewest cards, then first in deck order; () if none."""
    cards = in_order(hand)
    tried = [best_ordinary(cards), *_epic21s(_followers(cards)), *_commands(cards)]
    return min(
        (in_order(troops) for troops in tried if troops),
        key=lambda troops: (
            -sum(card(card_id).value for card_id in troops),
            len(troops),
            list(map(deck_index, troops)),
        ),
        default=(),
    )


# All hands


def troop_hands(hand: Sequence[str]) -> tuple[Cards, ...]:
    """Return every legal troop hand, each in deck order, counting equal cards once; always in the same order."""
    return _troop_hands(in_order(hand))


@lru_cache(maxsize=1 << 4)
def _troop_hands(hand: Cards) -> tuple[Cards, ...]:
    heroes = _followers(hand)
    hands = [*(troops for troops, _ in _sums(heroes)), *_epic21s(heroes), *_commands(hand)]
    return tuple(in_order(troops) if len(troops) > 1 else troops for troops in hands)


def twenty_ones(hand: Sequence[str]) -> tuple[Cards, ...]:
    """Return every ordinary hand of exactly 21, counting equal cards once."""
    return tuple(in_order(troops) for troops, total in _sums(_followers(in_order(hand))) if total == GOAL)


def _followers(hand: Sequence[str]) -> Groups:
    """Return the cards other than Epics and Bosses, equal ones grouped."""
    return alike(card_id for card_id in hand if card_id not in COMMANDING)


def _sums(groups: Groups) -> list[tuple[Cards, int]]:
    """Return every choice of at least one card with a sum up to 21, with its sum."""
    choices: list[tuple[Cards, int]] = [((), 0)]
    for group in groups:
        value = card(group[0]).value
        choices += [
            (chosen + group[:n], total + n * value)
            for chosen, total in choices
            for n in range(1, min(len(group), (GOAL - total) // value) + 1)
        ]
    return choices[1:]


def _epic21s(groups: Groups) -> list[Cards]:
    """Return every base of 21 (three Attack Heroes, two Champions or a Kingdom Hero) with each Support."""
    supports = [group[0] for group in groups if card(group[0]).kind == "support"]
    if not supports:
        return []
    bases = [
        base
        for kinds in EPIC_BASES
        for base, total in _sums(tuple(group for group in groups if card(group[0]).kind == kinds[0]))
        if total == GOAL and len(base) == len(kinds)
    ]
    return [(*base, support) for base in bases for support in supports]


def _commands(hand: Cards) -> list[Cards]:
    """Return every Epic or Boss alone, with another one, or with one other Hero of each kind."""
    commanders = alike(card_id for card_id in hand if card_id in COMMANDING)
    if not commanders:
        return []
    singles = [group[0] for group in commanders]
    return [
        *((commander,) for commander in singles),
        *combinations(singles, 2),
        *(group[:2] for group in commanders if len(group) > 1),
        *((group[0], commander) for commander in singles for group in _followers(hand)),
    ]


# All hands, counted


class TroopHands:
    """The troop hands of `troop_hands(hand)`, which are only listed by iterating. The hand must be in deck order.

    `count` is known without listing them, and each index below it gives a different hand, though in another order.
    """

    __slots__ = "commands", "count", "epic21s", "hand", "held", "ordinary"

    def __init__(self, hand: Cards, held: int | None = None) -> None:
        """Count the troop hands; `held` is the tally of the hand, if it is known."""
        self.hand, self.held = hand, tally(hand) if held is None else held
        self.ordinary, self.epic21s, self.commands = _how_many(self.held)
        self.count = self.ordinary + self.epic21s + self.commands

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, number: int) -> Cards:
        if number < self.ordinary:
            return first_of(self.hand, _ordinary(self.held, number + 1))  # number 0 is no cards at all
        number -= self.ordinary
        if number < self.epic21s:
            return first_of(self.hand, _epic21(self.held, number))
        return in_order(_commands(self.hand)[number - self.epic21s])

    def __iter__(self) -> Iterator[Cards]:
        return iter(troop_hands(self.hand))


def _ordinary(cards: int, number: int) -> Cards:
    """Return equal cards for an ordinary hand of cards with this tally, a different one for each number."""
    parts = [part for kinds in PARTS if (part := cards & kinds)]
    befores = [EACH_TOTAL]  # how many choices of the parts before have at most each total
    for part in parts[:-1]:
        befores.append(befores[-1] * _by_total(part) & UP_TO_GOAL)
    # Choose among the last part first: count the hands with each of its choices until the number is reached.
    chosen: Cards = ()
    room = GOAL
    while len(parts) > 1:
        before = befores.pop()
        for total, choices in _choices(parts.pop()):
            fitting = before >> FIELD_BITS * (room - total) & FIELD  # choices of the parts before, with each of these
            if number < (count := len(choices) * fitting):
                break
            number -= count
        index, number = divmod(number, fitting)
        chosen += choices[index]
        room -= total
    return chosen + _in_turn(parts[0])[number]


def _epic21(cards: int, number: int) -> Cards:
    """Return equal cards for an Epic 21 of cards with this tally, a different one for each number."""
    supports = [hero.id for hero, _ in tallied(cards & SUPPORT)]
    number, index = divmod(number, len(supports))
    bases = [base for base in _epic_bases() if (cards | SPARE) - base & SPARE == SPARE]
    return (*(hero.id for hero, count in tallied(bases[number]) for _ in range(count)), supports[index])


def _how_many(cards: int) -> tuple[int, int, int]:
    """Return how many ordinary hands, Epic 21s and hands with an Epic or a Boss cards with this tally make."""
    attackers, _, attack_bases, _ = _fighters(cards & ATTACK)
    _, others, champion_bases, supports = _fighters(cards & FOLLOWERS)
    kings = _different(cards & KINGDOM)
    # A Kingdom Hero is an ordinary hand alone, and no cards are no hand.
    ordinary = (attackers * others >> FIELD_BITS * GOAL & FIELD) + kings - 1
    epic21s = supports * (attack_bases + champion_bases + kings)
    commands = 0
    if commanders := _different(cards & COMMANDS):
        twins = (cards & COMMANDS) + TWO & SPARE
        commands = commanders * (1 + _different(cards & ~COMMANDS)) + comb(commanders, 2) + twins.bit_count()
    return ordinary, epic21s, commands


@lru_cache(maxsize=1 << 13)
def _fighters(cards: int) -> tuple[int, int, int, int]:
    """Return how many choices have each total and at most each total, and how many bases of an Epic 21 and Supports."""
    totals = _by_total(cards)
    return totals, totals * EACH_TOTAL & UP_TO_GOAL, _bases(cards), _different(cards & SUPPORT)


ATTACK, CHAMPIONS, SUPPORT, KINGDOM = (
    tally_mask(hero for hero in DIFFERENT if hero.kind == kind) for kind in ("attack", "champion", "support", "kingdom")
)
WEAK = tally_mask(hero for hero in DIFFERENT if hero.kind == "attack" and hero.dots == 1)
PARTS = WEAK, ATTACK ^ WEAK, CHAMPIONS, SUPPORT, KINGDOM  # small enough to remember each part of a hand
FOLLOWERS = CHAMPIONS | SUPPORT
COMMANDS = tally_mask(hero for hero in DIFFERENT if hero.commands)

# The highest bit of each field of a tally is spare. Adding `ONE` sets it where there is a card, `TWO` where there are
# two.
SPARE = sum(1 << TALLY_BITS * (number + 1) - 1 for number in range(len(DIFFERENT)))
ONE = SPARE - (SPARE >> TALLY_BITS - 1)
TWO = ONE - (SPARE >> TALLY_BITS - 1)

# Choices of cards are counted by total, all in one number: its fields are how many have the totals 0, 1, 2, … It is a
# polynomial in 2 ** FIELD_BITS, so the numbers of two groups of cards multiply to that of both together. Multiplied by
# `EACH_TOTAL`, it counts the choices with at most each total.
FIELD_BITS = 12  # enough: all cards of two decks make 3,242 troop hands
FIELD = (1 << FIELD_BITS) - 1
UP_TO_GOAL = (1 << FIELD_BITS * (GOAL + 1)) - 1  # the fields of the totals 0 to 21
EACH_TOTAL = UP_TO_GOAL // FIELD  # 1 in each of these fields


@lru_cache(maxsize=1 << 12)
def _by_total(cards: int) -> int:
    """Return how many choices of cards with this tally have each total up to 21."""
    product = 1
    for hero, count in tallied(cards):
        product = product * _multiples(hero.value, count) & UP_TO_GOAL
    return product


@lru_cache(maxsize=1 << 12)
def _choices(cards: int) -> list[tuple[int, list[Cards]]]:
    """Return every choice of cards with this tally by total, lowest first. It begins with no cards."""
    choices: dict[int, list[Cards]] = {0: [()]}
    for chosen, total in _sums(tuple([(hero.id,) * count for hero, count in tallied(cards)])):
        choices.setdefault(total, []).append(chosen)
    return sorted(choices.items())


@lru_cache(maxsize=1 << 12)
def _in_turn(cards: int) -> list[Cards]:
    """Return the `_choices` of cards in one list."""
    return [chosen for _total, choices in _choices(cards) for chosen in choices]


@cache
def _multiples(value: int, n: int) -> int:
    """Return how many choices of n equal cards have each total: one for each number of cards."""
    return sum(1 << FIELD_BITS * value * count for count in range(n + 1))


def _different(cards: int) -> int:
    return (cards + ONE & SPARE).bit_count()


def _bases(cards: int) -> int:
    """Return how many bases of an Epic 21 cards with this tally make."""
    # A base lacks a card if its field of the difference is negative, which clears the spare bit.
    return sum([(cards | SPARE) - base & SPARE == SPARE for base in _epic_bases()])


@cache
def _epic_bases() -> tuple[int, ...]:
    """Return the tally of each base of an Epic 21."""
    return tuple(
        tally(hero.id for hero in chosen)
        for kinds in EPIC_BASES
        for chosen in combinations_with_replacement([hero for hero in DIFFERENT if hero.kind == kinds[0]], len(kinds))
        if sum(hero.value for hero in chosen) == GOAL
    )


# The Not-So-Secret Move


def not_so_secret(cards: Sequence[str]) -> bool:
    """Return whether these cards allow a Not-So-Secret Move: two or more of one suit that make 21 (K43)."""
    heroes = [card(card_id) for card_id in cards]
    return (
        len(heroes) > 1
        and all(hero.kind in NOT_SO_SECRET_KINDS for hero in heroes)
        and len({hero.suit for hero in heroes}) == 1
        and sum(hero.value for hero in heroes) == GOAL
    )


def not_so_secret_sets(hand: Sequence[str]) -> tuple[Cards, ...]:
    """Return every set of cards for a Not-So-Secret Move; of two copies in a suit, the first represents both.

    The hand must be in deck order. The sets are always in the same order.
    """
    enough = sum(map(_suited, hand)) + SHORT & FULL
    if not enough:
        return ()
    sets: list[Cards] = []
    for field in SUIT_FIELDS:
        if enough & field:
            sets += _sets_of_suit(tuple([card_id for card_id in hand if SUITED[card_id] & field]))
    return tuple(sets)


@lru_cache(maxsize=1 << 12)
def _sets_of_suit(cards: Cards) -> list[Cards]:
    if not totals(tuple(map(value_of, cards)), GOAL) >> GOAL:
        return []
    return [in_order(chosen) for chosen, total in _sums(alike(cards)) if total == GOAL]
