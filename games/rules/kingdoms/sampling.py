"""Sampling a full position that a viewer's masked one allows (see `view.masked`)."""

from collections.abc import Iterable
from itertools import chain

from msgspec.structs import replace

from games.rules.kingdoms.deck import card, in_order
from games.rules.kingdoms.state import UNKNOWN, State
from games.rules.kingdoms.troops import GOAL, classify
from games.rules.kingdoms.values import SHOWN_FROM, WINS, value
from games.rules.protocol import Chance, IllegalAction

Cards = tuple[str, ...]
DRAWN = "sample"
REPAIRS = 100  # exchanges tried per deal
DEALS = 10


def sample(hidden: State, chance: Chance) -> State:
    """Return a full position consistent with a masked one: legal troops, and hands in their announced bands.

    If several deals find none, return the one that misses the announced values by the least.
    """
    deals: list[_Deal] = []
    while len(deals) < DEALS:
        deals.append(_Deal(hidden, chance))
        deals[-1].repair(chance)
        if not deals[-1].missed():
            return deals[-1].position()
    return min(deals, key=_Deal.missed).position()


class _Deal:
    """One way to deal the unknown cards to piles: the hands, the troops of the last wave, and finally the deck.

    `known` are the cards of each pile that the viewer knows, including traced ones that were put there, `piles` the
    others; `owners` are the seats they belong to. `values` is each seat's Kingdom value, in hand and on the table:
    announcements don't change during a battle (K77).
    """

    def __init__(self, hidden: State, chance: Chance) -> None:
        waves = () if hidden.battle is None else hidden.battle.waves
        laid = waves[-1].hands if waves else ()
        cards = [*hidden.hands, *(hand.cards for hand in laid)]
        self.hidden, self.owners = hidden, [*range(hidden.players), *(hand.seat for hand in laid)]
        self.known = [tuple(card_id for card_id in pile if card_id != UNKNOWN) for pile in cards]
        backs, deck = [pile.count(UNKNOWN) for pile in cards], list(hidden.deck)
        # Traced cards are in the hand or among the troops of their owner.
        traced = [[card_id for card_id in cards if card_id in deck] for cards in hidden.traced]
        for card_id in chain.from_iterable(traced):
            deck.remove(card_id)
        # Troops come first, because not every card is legal there.
        troops = []
        for pile in range(hidden.players, len(backs)):
            owner, known, count = self.owners[pile], self.known[pile], backs[pile]
            drawn, mine = list[str](), traced[owner]
            untraced = backs[owner] + count - len(mine)
            for left in range(count - 1, -1, -1):
                # The more of the owner's hidden cards are traced, the more often one of these is laid.
                pool = mine if chance.below(len(mine) + untraced) < len(mine) else deck
                fitting = [card_id for card_id in pool if _can_become((*known, *drawn), card_id, left, [*mine, *deck])]
                if not fitting:
                    pool = deck if pool is mine and untraced else mine or deck
                    fitting = [
                        card_id for card_id in pool if _can_become((*known, *drawn), card_id, left, [*mine, *deck])
                    ]
                drawn.append(chance.draw(DRAWN, fitting or pool))
                pool.remove(drawn[-1])
                untraced -= pool is deck
            self.known[pile] = tuple(card_id for card_id in drawn if card_id in hidden.traced[owner]) + known
            troops.append([card_id for card_id in drawn if card_id not in hidden.traced[owner]])
        for owner, mine in enumerate(traced):
            self.known[owner] += tuple(mine)
            backs[owner] -= len(mine)
        hands = []
        for count in backs[: hidden.players]:
            drawn = []
            for _ in range(count):
                drawn.append(chance.draw(DRAWN, deck))
                deck.remove(drawn[-1])
            hands.append(drawn)
        self.piles = [*hands, *troops, deck]
        self.values = [0] * hidden.players
        for owner, certain, others in zip(self.owners, self.known, self.piles, strict=False):
            self.values[owner] += value(certain) + value(others)
        for wave in waves[:-1]:
            for hand in wave.hands:
                self.values[hand.seat] += value(hand.cards)

    def missed(self) -> int:
        """Return how far the seats with unknown cards are from their announced bands, in points."""
        seats = {owner for owner, pile in zip(self.owners, self.piles, strict=False) if pile}
        return sum(self._miss(seat) for seat in seats)

    def _miss(self, seat: int | None, change: int = 0) -> int:
        """Return how far the seat's value would be outside its band after this change; 0 for the deck."""
        if seat is None:
            return 0
        band, worth = self.hidden.bands[seat], self.values[seat] + change
        highest = WINS - 1 if band == SHOWN_FROM else band + 99
        return max(0, band - worth, worth - highest)

    def repair(self, chance: Chance) -> None:
        """Exchange unknown cards until all seats are in their bands: first with the deck, then with others."""
        deck = len(self.piles) - 1
        for _ in range(REPAIRS):
            off = [n for n, seat in enumerate(self.owners) if self.piles[n] and self._miss(seat)]
            if not off:
                return
            pile = off[chance.below(len(off))]
            place = chance.below(len(self.piles[pile]))
            better = self._better(pile, place, [deck]) or self._better(pile, place, range(deck))
            if not better:
                continue
            other, there = better[chance.below(len(better))]
            mine, theirs = self.piles[pile][place], self.piles[other][there]
            self.piles[pile][place], self.piles[other][there] = theirs, mine
            gain = card(theirs).value - card(mine).value
            self.values[self.owners[pile]] += gain
            if other != deck:
                self.values[self.owners[other]] -= gain

    def _better(self, pile: int, place: int, others: Iterable[int]) -> list[tuple[int, int]]:
        """Return the cards whose exchange for this one improves both seats together, as (pile, index)."""
        seat, mine = self.owners[pile], self.piles[pile][place]
        exchanges = []
        for other in others:
            owner = self.owners[other] if other < len(self.owners) else None
            if owner == seat:
                continue
            before = self._miss(seat) + self._miss(owner)
            for there, theirs in enumerate(self.piles[other]):
                gain = card(theirs).value - card(mine).value
                after = self._miss(seat, gain) + self._miss(owner, -gain)
                if after < before and self._can_lie(pile, mine, theirs) and self._can_lie(other, theirs, mine):
                    exchanges.append((other, there))
        return exchanges

    def _can_lie(self, pile: int, out: str, into: str) -> bool:
        """Return whether the pile may exchange `out` for `into`: troops must remain legal."""
        if not self.hidden.players <= pile < len(self.owners):
            return True
        return _is_troop((*self.known[pile], *(into if card_id == out else card_id for card_id in self.piles[pile])))

    def position(self) -> State:
        """Return the full position."""
        state, players = self.hidden.copy(), self.hidden.players
        *held, deck = (in_order((*known, *pile)) for known, pile in zip((*self.known, ()), self.piles, strict=True))
        state.hands, state.deck = held[:players], [*deck]
        if state.battle is not None:
            wave = state.battle.wave
            hands = (replace(hand, cards=cards) for hand, cards in zip(wave.hands, held[players:], strict=True))
            state.battle = replace(state.battle, waves=(*state.battle.waves[:-1], replace(wave, hands=tuple(hands))))
        return state


def _can_become(cards: Cards, card_id: str, left: int, pool: list[str]) -> bool:
    """Return whether these cards and one more are legal troops, or could be with the `left` smallest others."""
    if not left:
        return _is_troop((*cards, card_id))
    if card(card_id).commands and len(cards) + left > 1:
        return False
    smallest = sorted(card(other_id).value for other_id in pool if other_id != card_id)[:left]
    return value((*cards, card_id)) + sum(smallest) <= GOAL


def _is_troop(cards: Cards) -> bool:
    try:
        classify(cards)
    except IllegalAction:
        return False
    return True
