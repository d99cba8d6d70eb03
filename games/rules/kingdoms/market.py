"""Purchases: cards from the hand for cards from the Flop, with equal dots (section 6, K10, K13)."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, product

from games.rules.kingdoms.deck import (
    CARDS,
    DIFFERENT,
    alike,
    card_name,
    hand_tally,
    in_order,
    tallied,
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
Ways = tuple[int, int, int]


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
    possible = Purchases(hand, flop).exchanges
    give = {paid: [*map(_joined, product(*_parts(hand, paid)))] for paid in {paid for paid, _ in possible}}
    take = {bought: [*map(_joined, product(*_parts(flop, bought)))] for bought in {bought for _, bought in possible}}
    return tuple([(given, taken) for paid, bought in possible for given in give[paid] for taken in take[bought]])


def _joined(parts: Iterable[Cards]) -> Cards:
    return in_order(chain.from_iterable(parts))


class Purchases:
    """The sequence `purchases(hand, flop)`, which counts them and finds one of them without listing them.

    The hand must be in deck order.
    """

    def __init__(self, hand: Cards, flop: Cards) -> None:
        self.hand, self.flop = hand, flop
        self.ends, self.exchanges = _offers(_ways(hand_tally(hand) & PRICED), _ways(hand_tally(flop) & PRICED))
        self.count = self.ends[-1]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Purchase]:
        return iter(purchases(self.hand, self.flop))

    def __getitem__(self, index: int) -> Purchase:
        number = bisect_right(self.ends, index) - 1
        index -= self.ends[number]
        paid, bought = map(_counted, self.exchanges[number])
        index, taken = _found(in_order(self.flop), bought, index)  # the last part of what is taken changes fastest
        _, given = _found(self.hand, paid, index)
        return given, taken


def _found(cards: Cards, price: Needs, index: int) -> tuple[int, Cards]:
    """Return the cards with that index among those with this price, and how often the index goes around them all."""
    chosen: Cards = ()
    for dots, n in reversed(price):
        part = _picks(tuple([one for one in cards if DOTS[one] == dots]), n)
        index, place = divmod(index, len(part))
        chosen += part[place]
    return index, chosen if len(chosen) == 1 else in_order(chosen)


PRICES = tuple((dots, tally_mask(one for one in DIFFERENT if one.dots == dots)) for dots in range(1, MOST_DOTS + 1))
PRICED = tally_mask(one for one in DIFFERENT if one.dots)
WAYS_BITS = 10  # there are at most 84 ways to choose six cards from four different ones
ONE_WAY = (1 << WAYS_BITS) - 1


@lru_cache(maxsize=1 << 13)
def _ways(cards: int) -> Ways:
    """Return what cards with this tally can pay and be bought for.

    The first number has in `WAYS_BITS` bits each in how many ways n cards with some dots can be chosen, at `_place`;
    the others are the exchanges for which there are enough cards to give and to take, as sets of bits.
    """
    ways, to_give, to_take = 0, -1, -1
    for dots, price in PRICES:
        here, give, take = _ways_of(dots, cards & price)
        ways |= here
        to_give &= give
        to_take &= take
    return ways, to_give, to_take


@lru_cache(maxsize=1 << 12)
def _ways_of(dots: int, cards: int) -> Ways:
    """Return the same for cards that all have these dots."""
    ways = [1]
    for _, n in tallied(cards):
        longer = len(ways) + n
        ways = [sum(ways[max(0, many - n) : many + 1]) for many in range(longer)]
    give, take = _possible(dots, min(len(ways) - 1, MOST_DOTS))
    return sum([many << _place(dots, n) for n, many in enumerate(ways[: MOST_DOTS + 1])]), give, take


@cache
def _possible(dots: int, most: int) -> tuple[int, int]:
    """Return the exchanges that give, and those that take, at most this many cards with these dots, as sets of bits."""
    give, take = (
        sum(1 << number for number, exchange in enumerate(exchanges()) if exchange[side].count(dots) <= most)
        for side in (0, 1)
    )
    return give, take


def _place(dots: int, n: int) -> int:
    return (dots * (MOST_DOTS + 1) + n) * WAYS_BITS


@lru_cache(maxsize=1 << 14)
def _offers(mine: Ways, theirs: Ways) -> tuple[list[int], list[Exchange]]:
    """Return the possible exchanges, and how many purchases come before each of them and after the last."""
    ends, found, end = [0], [], 0
    (to_give, possible, _), (to_take, _, takeable), table = mine, theirs, _places()
    possible &= takeable
    while possible:
        lowest = possible & -possible
        exchange, first, given, taken = table[lowest.bit_length() - 1]
        possible ^= lowest
        ways = to_give >> first & ONE_WAY
        for place in given:
            ways *= to_give >> place & ONE_WAY
        for place in taken:
            ways *= to_take >> place & ONE_WAY
        end += ways
        ends.append(end)
        found.append(exchange)
    return ends, found


@cache
def _places() -> list[tuple[Exchange, int, Dots, Dots]]:
    """Return each exchange, and where the ways to choose what is given (the first apart) and what is taken are."""

    def places(price: Dots) -> Dots:
        return tuple(_place(dots, n) for dots, n in _counted(price))

    return [((paid, bought), places(paid)[0], places(paid)[1:], places(bought)) for paid, bought in exchanges()]


def _parts(cards: Cards, price: Dots) -> list[list[Cards]]:
    """Return, for each number of dots in the price, every choice of cards for that part, counting equal cards once."""
    return [_picks(tuple([one for one in cards if DOTS[one] == dots]), n) for dots, n in _counted(price)]


@lru_cache(maxsize=1 << 12)
def _picks(cards: Cards, n: int) -> list[Cards]:
    """Return every choice of n of these cards, counting equal cards once."""
    picks: list[Cards] = [()]
    for group in alike(cards):
        picks += [some + group[:more] for some in picks for more in range(1, min(len(group), n - len(some)) + 1)]
    return [some for some in picks if len(some) == n]


@cache
def _counted(price: Dots) -> Needs:
    return tuple(Counter(price).items())


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
