"""Purchases: cards from the hand for cards from the Flop, with equal dots (section 6, K10, K13)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, product
from math import prod
from operator import itemgetter
from typing import NamedTuple

from games.rules.kingdoms.deck import (
    CARDS,
    DIFFERENT,
    alike,
    card_name,
    different,
    in_order,
    tallied,
    tally,
    tally_mask,
)
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

MOST_DOTS = 6
DOTS = {card_id: one.dots for card_id, one in CARDS.items()}

Cards = tuple[str, ...]
Dots = tuple[int, ...]
Needs = tuple[tuple[int, int], ...]
Purchase = tuple[Cards, Cards]
Exchange = tuple[Dots, Dots]
Ways = tuple[tuple[int, ...], int, int]


def dots(ids: Iterable[str]) -> int:
    """Return the total price of the cards."""
    return sum(map(DOTS.__getitem__, ids))


def check_purchase(give: Sequence[str], take: Sequence[str]) -> None:
    """Raise `IllegalAction` unless the dots are equal and every card has dots. Does not check where the cards are."""
    if not give or not take:
        raise IllegalAction(gettext_noop("Choose at least one card to give and one to take."))
    paid, bought = [DOTS[one] for one in give], [DOTS[one] for one in take]
    if 0 in paid or 0 in bought:
        priceless = next(one for one in (*give, *take) if not DOTS[one])
        raise IllegalAction(
            gettext_noop("{card} has no dots, so it can’t be bought or used to pay."),
            card=partial(card_name, priceless),
        )
    given, taken = sum(paid), sum(bought)
    if given != taken:
        raise IllegalAction(
            gettext_noop("The dots don’t match: you give {given} and take {taken}. Choose cards with equal dots."),
            given=given,
            taken=taken,
        )


def purchases(hand: Sequence[str], flop: Sequence[str]) -> tuple[Purchase, ...]:
    """Return the purchases, as (give, take), that can't be split into two; equal cards count once (K101).

    Every legal purchase is a sequence of these. The order is always the same.
    """
    return _purchases(in_order(hand), in_order(flop))


@lru_cache(maxsize=1 << 6)
def _purchases(hand: Cards, flop: Cards) -> tuple[Purchase, ...]:
    possible = [offer.dots for _, offer in Purchases(hand, flop).offers]
    give = {paid: [*map(_joined, product(*_parts(hand, paid)))] for paid in {paid for paid, _ in possible}}
    take = {bought: [*map(_joined, product(*_parts(flop, bought)))] for bought in {bought for _, bought in possible}}
    return tuple([(given, taken) for paid, bought in possible for given in give[paid] for taken in take[bought]])


def _joined(parts: Iterable[Cards]) -> Cards:
    return in_order(chain.from_iterable(parts))


class Purchases:
    """The sequence `purchases(hand, flop)`. It counts them, and finds one of them, without listing them.

    The hand must be in deck order. `offers` are the possible exchanges, each with the number of its purchases.
    """

    __slots__ = "count", "flop", "hand", "offers"

    def __init__(self, hand: Cards, flop: Cards, held: int | None = None) -> None:
        """Count the purchases; `held` is the tally of the hand, if it is known."""
        self.hand, self.flop = hand, flop
        self.count, self.offers = _offers(_ways(tally(hand) if held is None else held), _ways_of_flop(tally(flop)))

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Purchase]:
        return iter(purchases(self.hand, self.flop))

    def __getitem__(self, index: int) -> Purchase:
        number = 0
        while index >= self.offers[number][0]:
            index -= self.offers[number][0]
            number += 1
        paid, bought = self.offers[number][1].needs
        index, taken = _found(self.flop, bought, index)  # the last part of what is taken changes fastest
        _, given = _found(self.hand, paid, index)
        return given, taken


def _found(cards: Cards, price: Needs, index: int) -> tuple[int, Cards]:
    """Return the cards with that index among those with this price, and the quotient of the index by their number."""
    chosen: Cards = ()
    for dots, n in reversed(price):
        part = tuple([one for one in cards if DOTS[one] == dots])
        if len(part) > n:  # otherwise all of them
            picks = different(in_order(part)) if n == 1 else _picks(in_order(part), n)
            index, place = divmod(index, len(picks))
            part = picks[place]
        chosen += part
    return index, chosen if len(chosen) == 1 else in_order(chosen)


class Offer(NamedTuple):
    """An irreducible exchange: its dots, and how many cards with which dots are given and taken.

    `ways` finds, in the `Ways` of the hand followed by those of the Flop, in how many ways each of these can be chosen.
    """

    dots: Exchange
    needs: tuple[Needs, Needs]
    ways: Callable[[Dots], Dots]


@cache
def _table() -> list[Offer]:
    """Return all irreducible exchanges in order."""
    found = []
    for paid, bought in exchanges():
        needs = tuple(Counter(paid).items()), tuple(Counter(bought).items())
        given, taken = ([_place(dots, n) for dots, n in side] for side in needs)
        found.append(Offer((paid, bought), needs, itemgetter(*given, *(PLACES + place for place in taken))))
    return found


def _place(dots: int, n: int) -> int:
    return (dots - 1) * (MOST_DOTS + 1) + n


PLACES = _place(MOST_DOTS, MOST_DOTS) + 1


def _offers(mine: Ways, theirs: Ways) -> tuple[int, list[tuple[int, Offer]]]:
    """Return the number of all purchases, and the possible exchanges, each with the number of its purchases."""
    (give, possible, _), (take, _, takeable), table = mine, theirs, _table()
    possible, both = possible & takeable, give + take
    count, found = 0, []
    while possible:
        lowest = possible & -possible
        possible ^= lowest
        offer = table[lowest.bit_length() - 1]
        ways = prod(offer.ways(both))
        count += ways
        found.append((ways, offer))
    return count, found


# The cards by their dots, in parts with so few different cards that the ways of choosing from each can be cached
PRICES = tuple(tally_mask(one for one in DIFFERENT if one.dots == dots) for dots in range(MOST_DOTS + 1))
CHEAP, MIDDLE, DEAR = PRICES[1], PRICES[2], sum(PRICES[3:])


def _ways(cards: int) -> Ways:
    """Return what cards with this tally can pay and be bought for.

    The first value has at `_place` in how many ways n cards with so many dots can be chosen. The others are sets of
    exchanges as bits: those for which there are enough cards to give, and those with enough to take.
    """
    ones, give_ones, take_ones = _ways_of((1,), cards & CHEAP)
    twos, give_twos, take_twos = _ways_of((2,), cards & MIDDLE)
    others, give_others, take_others = _ways_of((3, 4, 5, 6), cards & DEAR)
    return ones + twos + others, give_ones & give_twos & give_others, take_ones & take_twos & take_others


_ways_of_flop = lru_cache(maxsize=1 << 11)(_ways)  # a Flop has few cards, so most are cached


@lru_cache(maxsize=1 << 13)
def _ways_of(prices: Dots, cards: int) -> Ways:
    """Return the same as `_ways` for cards that all have these dots."""
    found: Dots = ()
    to_give = to_take = -1
    for dots in prices:
        ways = [1]
        for _, n in tallied(cards & PRICES[dots]):
            longer = len(ways) + n
            ways = [sum(ways[max(0, many - n) : many + 1]) for many in range(longer)]
        give, take = _possible(dots, min(len(ways) - 1, MOST_DOTS))
        to_give &= give
        to_take &= take
        found += tuple([*ways, *[0] * MOST_DOTS][: MOST_DOTS + 1])
    return found, to_give, to_take


@cache
def _possible(dots: int, most: int) -> tuple[int, int]:
    """Return the exchanges that give, and those that take, at most this many cards with these dots, as sets of bits."""
    give, take = (
        sum(1 << number for number, exchange in enumerate(exchanges()) if exchange[side].count(dots) <= most)
        for side in (0, 1)
    )
    return give, take


def _parts(cards: Cards, price: Dots) -> list[list[Cards]]:
    """Return, for each number of dots in the price, every choice of cards for that part, counting equal cards once."""
    return [_picks(tuple([one for one in cards if DOTS[one] == dots]), n) for dots, n in Counter(price).items()]


@lru_cache(maxsize=1 << 12)
def _picks(cards: Cards, n: int) -> list[Cards]:
    """Return every choice of n of these cards, counting equal cards once."""
    picks: list[Cards] = [()]
    for group in alike(cards):
        picks += [some + group[:more] for some in picks for more in range(1, min(len(group), n - len(some)) + 1)]
    return [some for some in picks if len(some) == n]


# Irreducible exchanges of dots


@cache
def exchanges() -> tuple[Exchange, ...]:
    """Return all exchanges of dots, each in ascending order, that don't contain a smaller exchange."""
    return tuple(sorted(_completed((), ()), key=lambda exchange: (sum(map(len, exchange)), exchange)))


def _completed(give: Dots, take: Dots) -> Iterator[Exchange]:
    """Yield the irreducible exchanges with this beginning, extending the side with fewer dots."""
    owed = sum(take) - sum(give)
    if give and not owed:
        yield give, take
        return
    grown = give if owed >= 0 else take
    for dots in range(max(grown, default=1), MOST_DOTS + 1):
        begun = ((*give, dots), take) if owed >= 0 else (give, (*take, dots))
        # It is reducible if parts of both sides, other than the whole, have a sum in common.
        common = (_part_sums(begun[0]) & _part_sums(begun[1])) - {0}
        if common <= {sum(begun[0])}:
            yield from _completed(*begun)


@cache
def _part_sums(dots: Dots) -> frozenset[int]:
    if not dots:
        return frozenset((0,))
    rest = _part_sums(dots[:-1])
    return rest | {one + dots[-1] for one in rest}
