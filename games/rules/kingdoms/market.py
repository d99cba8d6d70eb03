"""Purchases: cards from the hand for cards from the Flop, with equal dots (section 6, K10, K13)."""

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, product

from games.rules.kingdoms.deck import (
    CARDS,
    COMMANDING,
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
DOTS = {card_id: hero.dots for card_id, hero in CARDS.items()}
HAS_DOTS = [
    frozenset(card_id for card_id in CARDS if DOTS[card_id] == dots).__contains__ for dots in range(MOST_DOTS + 1)
]

Cards = tuple[str, ...]
Dots = tuple[int, ...]
Needs = tuple[tuple[int, int], ...]
Purchase = tuple[Cards, Cards]
Exchange = tuple[Dots, Dots]
Ways = tuple[int, ...]
Place = tuple[int, int, int]
# Two tuples with an item for each exchange. In the first, how many cards with which dots are given and taken. In the
# second, the place of what is given in the `_ways` of the hand, and the number of ways to take the cards. The number of
# ways to give them, at that place, times this is the number of purchases.
Offers = tuple[tuple[tuple[Needs, Needs], ...], tuple[tuple[int, int, int, int], ...]]


def dots(ids: Iterable[str]) -> int:
    """Return the total price of the cards."""
    return sum(map(DOTS.__getitem__, ids))


def check_purchase(give: Sequence[str], take: Sequence[str]) -> None:
    """Raise `IllegalAction` unless the dots are equal and every card has dots. Does not check where the cards are."""
    if not give or not take:
        raise IllegalAction(gettext_noop("Choose at least one card to give and one to take."))
    if not (COMMANDING.isdisjoint(give) and COMMANDING.isdisjoint(take)):  # only Epics and Bosses have none (K52)
        priceless = next(card_id for card_id in (*give, *take) if not DOTS[card_id])
        raise IllegalAction(
            gettext_noop("{card} has no dots, so it can’t be bought or used to pay."),
            card=partial(card_name, priceless),
        )
    given, taken = dots(give), dots(take)
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
    prices, _ = _offers(tally(flop))
    give = {paid: [*map(_joined, product(*_parts(hand, paid)))] for paid in {paid for paid, _ in prices}}
    take = {bought: [*map(_joined, product(*_parts(flop, bought)))] for bought in {bought for _, bought in prices}}
    return tuple([(given, taken) for paid, bought in prices for given in give[paid] for taken in take[bought]])


def _joined(parts: Iterable[Cards]) -> Cards:
    return in_order(chain.from_iterable(parts))


class Purchases:
    """The sequence `purchases(hand, flop)`. It counts them, and finds one of them, without listing them.

    `prices` are those of the exchanges, and `ends` how many purchases there are up to the last one of each.
    """

    __slots__ = "count", "ends", "flop", "hand", "prices"

    def __init__(self, hand: Cards, flop: Cards, held: int | None = None) -> None:
        """Count the purchases; `held` is the tally of the hand, if it is known."""
        self.hand, self.flop = hand, flop
        self.prices, factors = _offers(tally(flop))
        cheap, middle, dear = _ways(tally(hand) if held is None else held)
        ends, count = list[int](), 0
        for i, j, k, taken in factors:
            if ways := dear[k]:  # often the hand lacks these cards
                count += cheap[i] * middle[j] * ways * taken
            ends.append(count)
        self.ends, self.count = ends, count

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Purchase]:
        return iter(purchases(self.hand, self.flop))

    def __getitem__(self, index: int) -> Purchase:
        number = bisect(self.ends, index)
        paid, bought = self.prices[number]
        index -= self.ends[number - 1] if number else 0
        index, taken = _choice_at(self.flop, bought, index)  # the last part of what is taken changes fastest
        _, given = _choice_at(self.hand, paid, index)
        return given, taken


def _choice_at(cards: Cards, price: Needs, index: int) -> tuple[int, Cards]:
    """Return the cards with that index among those with this price, and the quotient of the index by their number."""
    chosen: Cards = ()
    for dots, n in reversed(price):
        part = tuple(filter(HAS_DOTS[dots], cards))
        if len(part) > n:  # otherwise all of them
            part = in_order(part)
            picks = different(part) if n == 1 else _picks(part, n)
            index, place = divmod(index, len(picks))
            part = picks[place]
        chosen += part
    return index, chosen if len(chosen) == 1 else in_order(chosen)


PRICES = tuple(tally_mask(hero for hero in DIFFERENT if hero.dots == dots) for dots in range(MOST_DOTS + 1))
CHEAP, MIDDLE, DEAR = PRICES[1], PRICES[2], sum(PRICES[3:])


def _ways(cards: int) -> tuple[Ways, Ways, Ways]:
    """Return in how many ways cards with this tally can be chosen, for each `_place`.

    They are counted in three parts, so that few different ones occur, which are remembered.
    """
    return _choices(cards & CHEAP), _choices(cards & MIDDLE), _dear_choices(cards & DEAR)


def _place(side: Dots) -> Place:
    """Return where `_ways` counts the choices for a side: how many cards of 1 and of 2 dots, and which dearer ones."""
    return side.count(1), side.count(2), _dear_sides().index(_dear(side))


def _dear(side: Dots) -> tuple[int, int, int, int]:
    return side.count(3), side.count(4), side.count(5), side.count(6)


@cache
def _dear_sides() -> tuple[tuple[int, int, int, int], ...]:
    """Return how many cards of 3, 4, 5 and 6 dots the sides of exchanges can have."""
    return tuple(sorted({_dear(side) for exchange in exchanges() for side in exchange}))


@lru_cache(maxsize=1 << 13)
def _dear_choices(cards: int) -> Ways:
    """Return in how many ways cards with this tally can be chosen for each of the `_dear_sides`."""
    threes, fours, fives, sixes = [_choices(cards & price) for price in PRICES[3:]]
    return tuple([threes[i] * fours[j] * fives[k] * sixes[n] for i, j, k, n in _dear_sides()])


@lru_cache(maxsize=1 << 13)
def _choices(cards: int) -> Ways:
    """Return in how many ways 0, 1, 2, … 6 of the cards with this tally can be chosen."""
    ways = [1]
    for _, count in tallied(cards):
        longer = len(ways) + count
        ways = [sum(ways[max(0, total - count) : total + 1]) for total in range(longer)]
    return tuple([*ways, *[0] * MOST_DOTS][: MOST_DOTS + 1])


@cache
def _table() -> list[tuple[Place, Place, tuple[Needs, Needs]]]:
    """Return the places of what is given and taken in each irreducible exchange, and how many cards with which dots."""
    return [(_place(given), _place(taken), (_needs(given), _needs(taken))) for given, taken in exchanges()]


def _needs(side: Dots) -> Needs:
    return tuple(Counter(side).items())


@lru_cache(maxsize=1 << 13)
def _offers(flop: int) -> Offers:
    """Return the exchanges that a Flop with this tally has the cards for."""
    return _offers_of(_ways(flop))


@lru_cache(maxsize=1 << 11)
def _offers_of(flop: tuple[Ways, Ways, Ways]) -> Offers:
    """Return the same for a Flop, given in how many ways its cheap, middle and dear cards can be chosen."""
    cheap, middle, dear = flop
    prices, factors = [], []
    for given, taken, price in _table():
        i, j, k = taken
        if n := cheap[i] * middle[j] * dear[k]:
            prices.append(price)
            factors.append((*given, n))
    return tuple(prices), tuple(factors)


def _parts(cards: Cards, price: Needs) -> list[list[Cards]]:
    """Return, for each number of dots in the price, every choice of cards for that part, counting equal cards once."""
    return [_picks(tuple(filter(HAS_DOTS[dots], cards)), n) for dots, n in price]


@lru_cache(maxsize=1 << 12)
def _picks(cards: Cards, n: int) -> list[Cards]:
    """Return every choice of n of these cards, counting equal cards once."""
    picks: list[Cards] = [()]
    for group in alike(cards):
        picks += [chosen + group[:more] for chosen in picks for more in range(1, min(len(group), n - len(chosen)) + 1)]
    return [chosen for chosen in picks if len(chosen) == n]


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
    return rest | {total + dots[-1] for total in rest}
