"""Purchases: cards from the hand for cards from the Flop, with equal dots (section 6, K10, K13)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from games.rules.kingdoms.deck import alike, card, in_order
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

MOST_DOTS = 6

Cards = tuple[str, ...]
Groups = tuple[Cards, ...]
Dots = tuple[int, ...]
Needs = tuple[tuple[int, int], ...]
Purchase = tuple[Cards, Cards]


def dots(ids: Iterable[str]) -> int:
    """Return the total price of the cards."""
    return sum(card(card_id).dots for card_id in ids)


def check_purchase(give: Sequence[str], take: Sequence[str]) -> None:
    """Raise `IllegalAction` unless the dots are equal and every card has dots. Does not check where the cards are."""
    if not give or not take:
        raise IllegalAction(gettext_noop("Choose at least one card to give and one to take."))
    for card_id in (*give, *take):
        if not card(card_id).dots:
            raise IllegalAction(
                gettext_noop("{card} has no dots, so it can’t be bought or used to pay."), card=card(card_id).name
            )
    if dots(give) != dots(take):
        raise IllegalAction(
            gettext_noop("The dots don’t match: you give {given} and take {taken}. Choose cards with equal dots."),
            given=dots(give),
            taken=dots(take),
        )


def purchases(hand: Sequence[str], flop: Sequence[str]) -> tuple[Purchase, ...]:
    """Return the purchases, as (give, take), that can't be split into two; equal cards count once (K101).

    Every legal purchase is a sequence of these. The order is always the same.
    """
    return _purchases(in_order(hand), in_order(flop))


@lru_cache(maxsize=1 << 6)
def _purchases(hand: Cards, flop: Cards) -> tuple[Purchase, ...]:
    mine, theirs = _by_dots(hand), _by_dots(flop)
    possible = _possible(_how_many(mine), _how_many(theirs))
    give = {paid: _sets(mine, paid) for paid in {paid for paid, _ in possible}}
    take = {bought: _sets(theirs, bought) for bought in {bought for _, bought in possible}}
    return tuple((given, taken) for paid, bought in possible for given in give[paid] for taken in take[bought])


def _by_dots(cards: Cards) -> dict[int, Groups]:
    """Group the cards by dots, equal cards together. Cards without dots can't be bought or used to pay (K13)."""
    groups: dict[int, list[Cards]] = {}
    for equal in alike(cards):
        groups.setdefault(card(equal[0]).dots, []).append(equal)
    return {number: tuple(groups[number]) for number in sorted(groups) if number}


def _how_many(groups: dict[int, Groups]) -> Dots:
    """Return how many cards there are of each number of dots, capped at what an exchange can use."""
    return tuple(min(MOST_DOTS, sum(map(len, groups.get(dots, ())))) for dots in range(1, MOST_DOTS + 1))


@lru_cache(maxsize=1 << 12)
def _possible(mine: Dots, theirs: Dots) -> tuple[tuple[Dots, Dots], ...]:
    """Return the exchanges for which both sides have enough cards of each number of dots."""
    return tuple(exchange for exchange in _on_offer(theirs) if _has(mine, exchange[0]))


@lru_cache(maxsize=1 << 8)
def _on_offer(theirs: Dots) -> tuple[tuple[Dots, Dots], ...]:
    """Return the exchanges for which the Flop has enough cards."""
    return tuple(exchange for exchange in exchanges() if _has(theirs, exchange[1]))


def _has(have: Dots, price: Dots) -> bool:
    return all(have[dots - 1] >= n for dots, n in _counted(price))


def _sets(groups: dict[int, Groups], price: Dots) -> list[Cards]:
    """Return every set of cards with exactly these dots."""
    chosen: list[Cards] = [()]
    for number, n in _counted(price):
        picks: list[Cards] = [()]
        for group in groups.get(number, ()):
            picks += [some + group[:more] for some in picks for more in range(1, min(len(group), n - len(some)) + 1)]
        chosen = [(*some, *more) for some in chosen for more in picks if len(more) == n]
    return [in_order(cards) for cards in chosen]


@cache
def _counted(price: Dots) -> Needs:
    return tuple(Counter(price).items())


# Irreducible exchanges of dots


@cache
def exchanges() -> tuple[tuple[Dots, Dots], ...]:
    """Return all exchanges of dots, each in ascending order, that don't contain a smaller exchange."""
    return tuple(sorted(_completed((), ()), key=lambda exchange: (sum(map(len, exchange)), exchange)))


def _completed(give: Dots, take: Dots) -> Iterator[tuple[Dots, Dots]]:
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
