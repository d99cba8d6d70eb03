"""Purchases: cards from the hand for cards from the Flop, with equal dots (section 6, K10, K13)."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from games.rules.kingdoms.deck import CARDS, DIFFERENT, alike, card, in_order, tallied, tally, tally_mask
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

MOST_DOTS = 6

Cards = tuple[str, ...]
Dots = tuple[int, ...]
Needs = tuple[tuple[int, int], ...]
Purchase = tuple[Cards, Cards]
Exchange = tuple[Dots, Dots]
Ways = tuple[tuple[int, ...], ...]


def dots(ids: Iterable[str]) -> int:
    """Return the total price of the cards."""
    return sum([card(card_id).dots for card_id in ids])


def check_purchase(give: Sequence[str], take: Sequence[str]) -> None:
    """Raise `IllegalAction` unless the dots are equal and every card has dots. Does not check where the cards are."""
    if not give or not take:
        raise IllegalAction(gettext_noop("Choose at least one card to give and one to take."))
    for card_id in (*give, *take):
        if not card(card_id).dots:
            raise IllegalAction(
                gettext_noop("{card} has no dots, so it can’t be bought or used to pay."), card=card(card_id).name
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
    possible = Purchases(hand, flop).exchanges
    give = {paid: _sets(hand, paid) for paid in {paid for paid, _ in possible}}
    take = {bought: _sets(flop, bought) for bought in {bought for _, bought in possible}}
    return tuple((given, taken) for paid, bought in possible for given in give[paid] for taken in take[bought])


class Purchases:
    """The sequence `purchases(hand, flop)`, which counts them and finds one of them without listing them."""

    def __init__(self, hand: Cards, flop: Cards) -> None:
        self.hand, self.flop = hand, flop
        self.ends, self.exchanges = _offers(_ways(tally(hand) & PRICED), _ways(tally(flop) & PRICED))

    def __len__(self) -> int:
        return self.ends[-1]

    def __iter__(self) -> Iterator[Purchase]:
        return iter(purchases(self.hand, self.flop))

    def __getitem__(self, index: int) -> Purchase:
        number = bisect_right(self.ends, index) - 1
        paid, bought = self.exchanges[number]
        give, take = _sets(in_order(self.hand), paid), _sets(in_order(self.flop), bought)
        given, taken = divmod(index - self.ends[number], len(take))
        return give[given], take[taken]


PRICES = tuple(tally_mask(one for one in DIFFERENT if one.dots == dots) for dots in range(1, MOST_DOTS + 1))
PRICED = sum(PRICES)


@lru_cache(maxsize=1 << 12)
def _ways(cards: int) -> Ways:
    """Return, for each number of dots, in how many ways 0, 1, 2, … of these cards can be chosen."""
    return tuple([_choices(cards & price) for price in PRICES])


@lru_cache(maxsize=1 << 10)
def _choices(cards: int) -> tuple[int, ...]:
    """Return in how many ways 0, 1, 2, … cards can be chosen, up to what an exchange can use."""
    ways = [1]
    for _, n in tallied(cards):
        longer = len(ways) + n
        ways = [sum(ways[max(0, many - n) : many + 1]) for many in range(longer)]
    return tuple(ways[: MOST_DOTS + 1])


@lru_cache(maxsize=1 << 14)
def _offers(mine: Ways, theirs: Ways) -> tuple[list[int], list[Exchange]]:
    """Return the possible exchanges, and how many purchases come before each of them and after the last."""
    ends, found = [0], []
    possible = _possible(mine, 0) & _possible(theirs, 1)
    while possible:
        paid, bought = exchange = exchanges()[(possible & -possible).bit_length() - 1]
        possible &= possible - 1  # without its lowest bit
        ways = 1
        for dots, n in _counted(paid):
            ways *= mine[dots - 1][n]
        for dots, n in _counted(bought):
            ways *= theirs[dots - 1][n]
        ends.append(ends[-1] + ways)
        found.append(exchange)
    return ends, found


def _possible(ways: Ways, side: int) -> int:
    """Return for which exchanges there are enough cards on one side, as a set of bits."""
    possible = -1
    for number, choices in enumerate(ways):
        possible &= _limits()[side][number][len(choices) - 1]
    return possible


@cache
def _limits() -> list[list[list[int]]]:
    """Return the exchanges that need at most n cards with d dots on one side, as a set of bits, at [side][d - 1][n]."""
    return [
        [
            [
                sum(1 << number for number, exchange in enumerate(exchanges()) if exchange[side].count(dots) <= n)
                for n in range(MOST_DOTS + 1)
            ]
            for dots in range(1, MOST_DOTS + 1)
        ]
        for side in (0, 1)
    ]


def _sets(cards: Cards, price: Dots) -> list[Cards]:
    """Return every set of these cards with exactly these dots, counting equal cards once."""
    chosen: list[Cards] = [()]
    for dots, n in _counted(price):
        picks = _picks(tuple([one for one in cards if CARDS[one].dots == dots]), n)
        chosen = [(*some, *more) for some in chosen for more in picks]
    return [in_order(some) if len(some) > 1 else some for some in chosen]


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
