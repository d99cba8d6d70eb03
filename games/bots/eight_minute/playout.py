"""A game that is played out, and what cards are worth in it to each seat.

Sums over cards are kept from turn to turn, so that valuing a card does not look at all the others.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from games.bots.eight_minute import evaluation
from games.bots.eight_minute.board import BITS, island_of, region_values
from games.bots.eight_minute.evaluation import Weights, trained
from games.rules.eight_minute.edition import Ability, Card, edition
from games.rules.eight_minute.legal import open_parts
from games.rules.eight_minute.scoring import WILD
from games.rules.eight_minute.state import State

if TYPE_CHECKING:
    from games.bots.eight_minute.rollout import Answers


class CardFacts(NamedTuple):
    """Facts about a card for the quick player.

    `scores` are the abilities that score points at the end, and `gives` its other effects with their numbers, such as
    `("army", 1)`. `coins`, `flying` and `goods` count what it brings; its goods are those of its family. `orders` are
    the orders in which the parts of its action may be done.
    """

    family: str
    scores: tuple[Ability, ...]
    gives: tuple[tuple[str, int], ...]
    coins: int
    flying: int
    goods: int
    orders: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=1 << 8)
def card_facts(name: str) -> dict[str, CardFacts]:
    """Return the facts about each card of an edition, by its id."""
    scored = ("per-card", "per-coins", "per-flying", "whole-set")
    return {
        card.id: CardFacts(
            card.family,
            tuple(ability for ability in card.abilities if ability.kind in scored),
            tuple((ability.kind, ability.n) for ability in card.abilities if ability.kind not in (*scored, "good")),
            card.total("coins"),
            card.total("flying"),
            card.total("good"),
            part_orders(card, -1),
        )
        for card in edition(name).cards.values()
    }


def part_orders(card: Card, part: int) -> tuple[tuple[int, ...], ...]:
    """Return the orders in which the parts that are still open may be done; `part` is the one in use, or -1."""
    parts = open_parts(card, part)
    if len(parts) == 1:
        return (parts,)
    if card.joined == "or":
        return tuple((number,) for number in parts)
    return (parts,) if card.ordered else (parts, parts[::-1])


class Hand:
    """Sums over the cards of a seat.

    `families` and `goods` count cards and goods by family, `scores` has the abilities that score, and `wants` what one
    more card of a family would score by them, in points.
    """

    __slots__ = ("families", "flying", "goods", "scores", "wants")

    def __init__(self) -> None:
        self.families: dict[str, int] = {}
        self.flying = 0
        self.scores: list[Ability] = []
        self.goods: dict[str, int] = {}
        self.wants: dict[str, int] = {}

    def copy(self) -> "Hand":
        hand = Hand.__new__(Hand)
        hand.families, hand.goods, hand.wants = self.families.copy(), self.goods.copy(), self.wants.copy()
        hand.flying, hand.scores = self.flying, self.scores[:]
        return hand

    def add(self, fact: CardFacts) -> None:
        self.families[fact.family] = self.families.get(fact.family, 0) + 1
        self.flying += fact.flying
        self.scores += fact.scores
        for ability in fact.scores:
            if ability.kind == "per-card" or ability.kind == "whole-set":
                self.wants[ability.of] = self.wants.get(ability.of, 0) + ability.points
        if fact.family in self.goods:
            self.goods[fact.family] += fact.goods


class Playout:
    """A game that is played out, with what is kept from turn to turn: codes of the map, and sums over cards.

    `free` counts the cards in the deck and the row by family, `free_flying` their Flyings and `goods` their goods;
    `left` is about how many of each good will be turned up. `hopes` is what the abilities of these cards would score
    for each card of a family, and `flying_hopes` for each Flying. `answers` are the next seat's answers to the last
    turn, if its player looked ahead.
    """

    def __init__(self, state: State, weights: Sequence[Weights] = ()) -> None:
        self.state, self.facts, rules = state, card_facts(state.edition), state.rules
        self.weights = weights or (trained(rules.slug, state.players),) * state.players
        self.rules, self.prices, self.cards = rules, rules.prices, rules.cards
        self.is_plain = not (state.tokens or state.towns or state.leaders)
        self.islands, self.island_of = state.map.islands, island_of(state.layout)
        self.codes: list[int] = []
        self.island_codes: list[int] = []
        self.hands = [Hand() for _seat in state.seats]
        for hand, cards in zip(self.hands, state.owned, strict=True):
            if rules.goods:
                hand.goods = dict.fromkeys((*rules.goods, WILD), 0)
            for card in cards:
                hand.add(self.facts[card])
        self.free: dict[str, int] = {}
        self.goods: dict[str, int] = {}
        self.left = (0,) * len(rules.goods)
        self.hopes: dict[str, int] = {}
        self.free_flying = self.flying_hopes = 0
        for cards in (state.deck, state.row):
            for card in cards:
                self.count(self.facts[card], 1)
        self.answers: Answers | None = None

    def copy(self) -> "Playout":
        """Return a copy, with a copy of the position, in which the seat to act can try a turn."""
        playout = Playout.__new__(Playout)
        playout.__dict__.update(self.__dict__)
        playout.state, playout.hands = self.state.copy(), self.hands[:]
        playout.hands[self.state.turn] = self.hands[self.state.turn].copy()
        playout.free, playout.goods, playout.hopes = self.free.copy(), self.goods.copy(), self.hopes.copy()
        playout.answers = None
        return playout

    def count(self, fact: CardFacts, by: int) -> None:
        """Add a card to those in the deck and the row, or with `by=-1` remove it."""
        self.free[fact.family] = self.free.get(fact.family, 0) + by
        self.goods[fact.family] = self.goods.get(fact.family, 0) + by * fact.goods
        self.free_flying += by * fact.flying
        for ability in fact.scores:
            if ability.kind == "per-card":
                self.hopes[ability.of] = self.hopes.get(ability.of, 0) + by * ability.points
            elif ability.kind == "per-flying":
                self.flying_hopes += by * ability.points

    def count_goods(self) -> None:
        """Update about how many of each good will be turned up. The card drawn at the end of a turn changes nothing."""
        state, rules = self.state, self.rules
        if rules.goods:
            drawn = (len(rules.prices) - 1 + turns_after(state)) / (len(state.row) + len(state.deck))
            self.left = evaluation.copies(rules, self.goods, drawn)

    def code(self, state: State) -> None:
        """Compute the codes of regions and islands."""
        colours = state.colours
        codes = [0] * len(state.map.regions)
        for colour in range(colours):
            shift = BITS * colour
            codes = [
                code + (armies + cities << shift)
                for code, armies, cities in zip(
                    codes, state.armies[colour::colours], state.cities[colour::colours], strict=True
                )
            ]
        table = region_values(0, state.players, colours, 1.0, self.weights[0])
        self.codes, self.island_codes = codes, [0] * len(state.map.islands)
        for number, code in zip(self.island_of, codes, strict=True):
            self.island_codes[number] += table[code][1]

    def gain(self, seat: int, card: str, price: int, turns: int) -> float:
        """Return what the card would bring the seat for this price, apart from its action, with these turns left."""
        state, hand, fact, weights = self.state, self.hands[seat], self.facts[card], self.weights[seat]
        family, now, worth = fact.family, state.coins[seat], 0.0
        then, sum_up = now - price + fact.coins, weights.coin_turns * turns
        worth = weights.coin * (min(then, sum_up) - min(now, sum_up)) + weights.coin_left * (then - now)
        for kind, n in fact.gives:
            worth += self._given(seat, kind, n, turns)
        # 1. What it scores itself, and what it adds to abilities that the seat has or may still get
        for ability in fact.scores:
            worth += self._own(seat, ability, fact, then, turns)
        for ability in hand.scores:
            kind = ability.kind
            if kind == "per-flying":
                worth += ability.points * fact.flying * (1 - weights.collecting)
            elif kind == "per-coins":
                worth += ability.points * (max(0.0, then - turns / 2) - max(0.0, now - turns / 2)) / ability.n
            elif family and ability.of == family:
                if kind == "per-card":
                    worth += ability.points * (1 - weights.collecting)
                else:
                    have = hand.families.get(family, 0)
                    worth += ability.points * (
                        self._completion(ability, have + 1, turns, weights)
                        - self._completion(ability, have, turns, weights)
                    )
        if turns:
            hopes = self.hopes.get(family, 0) if family else 0
            if fact.flying:
                hopes += self.flying_hopes
            worth += weights.hoped * hopes
            if family:
                for other, other_hand in enumerate(self.hands):
                    if other != seat and family in other_hand.wants:
                        worth += weights.deny * other_hand.wants[family]
        # 2. Goods, and those that others would have instead
        if family in hand.goods:
            for other, other_hand in enumerate(self.hands):
                share = 1.0 if other == seat else weights.deny * bool(weights.take_base)
                if share:
                    worth += share * self._goods(other_hand, fact, turns, weights)
        return worth

    def _goods(self, hand: Hand, fact: CardFacts, turns: int, weights: Weights) -> float:
        """Return what the card's goods would add to those of a hand."""
        name, good, take_base, take_more = self.state.edition, fact.family, weights.take_base, weights.take_more
        counts, hopes = hand.goods.copy(), (weights.next_good, weights.lone_wild, take_base, take_more)
        counts[good] += fact.goods
        if not take_base:
            before = evaluation.value_of_goods(name, tuple(hand.goods.items()), turns + 1, (), *hopes)
            return evaluation.value_of_goods(name, tuple(counts.items()), turns, (), *hopes) - before
        left = dict(zip(self.rules.goods, self.left, strict=True))
        less = {**left, good: max(0, left[good] - fact.goods)} if good in left else left
        if counts[WILD]:
            before = evaluation.value_of_goods(name, tuple(hand.goods.items()), turns, self.left, *hopes)
            return evaluation.value_of_goods(name, tuple(counts.items()), turns, tuple(less.values()), *hopes) - before
        # Without wild goods, the other kinds stay as they are.
        then = evaluation.expected_value(name, good, counts[good], min(turns, less[good]), take_base, take_more)
        return then - evaluation.expected_value(
            name, good, hand.goods[good], min(turns, left[good]), take_base, take_more
        )

    def _given(self, seat: int, kind: str, n: int, turns: int) -> float:
        """Return the value of a lasting gift for the turns that are left."""
        state, weights = self.state, self.weights[seat]
        if kind == "army":
            return weights.more_army * n * turns
        if kind == "movement":
            return weights.more_movement * n * turns
        if kind == "flying":
            now = state.flying[seat]
            return (evaluation.value_of_flying(now + n, weights) - evaluation.value_of_flying(now, weights)) * turns
        if kind == "immune":
            return weights.immune * turns * (not state.immune[seat])
        if kind == "elixir":
            before = tuple(state.elixirs)
            after = (*before[:seat], before[seat] + n, *before[seat + 1 :])
            return evaluation.elixirs(after, seat, turns, weights) - evaluation.elixirs(before, seat, turns, weights)
        return 0.0

    def _own(self, seat: int, ability: Ability, fact: CardFacts, coins: int, turns: int) -> float:
        """Return what an ability of the card itself would score with the seat's other cards."""
        hand, weights, of = self.hands[seat], self.weights[seat], ability.of
        is_one = of == fact.family
        if ability.kind == "per-card":
            more = weights.collecting * min(turns, self.free.get(of, 0) - is_one)
            return ability.points * (hand.families.get(of, 0) + is_one + more)
        if ability.kind == "per-flying":
            return ability.points * (hand.flying + fact.flying + weights.collecting * min(turns, self.free_flying))
        if ability.kind == "per-coins":
            return ability.points * max(0.0, coins - turns / 2) / ability.n
        return ability.points * self._completion(ability, hand.families.get(of, 0) + is_one, turns, weights)

    def _completion(self, ability: Ability, have: int, turns: int, weights: Weights) -> float:
        if have >= ability.n:
            return 1.0
        wanted = ability.n - have
        if wanted > min(turns, self.free.get(ability.of, 0)):
            return 0.0
        return (have / ability.n) ** 2 * weights.unfinished

    def take(self, seat: int, card: str, price: int) -> None:
        """Take a card of the row."""
        state, fact = self.state, self.facts[card]
        self.count(fact, -1)
        self.hands[seat].add(fact)
        state.row.remove(card)
        state.owned[seat].append(card)
        state.taken, state.part, state.used = card, -1, [0, 0]
        state.coins[seat] -= price
        for kind, n in fact.gives:
            if kind == "army":
                state.more_armies[seat] += n
            elif kind == "movement":
                state.more_movement[seat] += n
            elif kind == "flying":
                state.flying[seat] += n
            elif kind == "elixir":
                state.elixirs[seat] += n
            elif kind == "coins":
                state.coins[seat] += n
            elif kind == "immune":
                state.immune[seat] = True


def turns_after(state: State) -> int:
    """Return how many turns all seats have together after this one."""
    return state.cards_owned * state.players - sum(map(len, state.owned)) - (not state.taken)
