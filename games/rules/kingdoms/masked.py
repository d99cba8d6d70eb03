"""Masking what a viewer may not know of a position, and sampling a possible full position."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from games.rules.kingdoms.deck import card, in_order
from games.rules.kingdoms.state import UNKNOWN, Laid, State, Wave
from games.rules.kingdoms.troops import GOAL, classify
from games.rules.kingdoms.worth import SHOWN_FROM, WINS, value
from games.rules.protocol import Chance, IllegalAction, SeatInfo

Cards = tuple[str, ...]
DRAWN = "sample"
REPAIRS = 100  # exchanges tried per deal
DEALS = 10


def masked(state: State, seat: int | None) -> State:
    """Return a copy in which unknown cards are `?`. The Draw deck lists them among its own."""
    copy = state.copy()
    copy.seats = tuple(SeatInfo(bot=info.bot) for info in state.seats)
    if state.result is not None:
        return copy
    copy.hands = [_known_hand(state, owner, seat) for owner in range(state.players)]
    if state.battle is not None:
        waves = tuple(_known_wave(state, wave, seat) for wave in state.battle.waves)
        copy.battle = replace(state.battle, waves=waves)
    copy.deck = in_order((*state.deck, *_taken_out(state, copy)))
    return copy


def _known_hand(state: State, owner: int, viewer: int | None) -> Cards:
    hand = state.hands[owner]
    spied = state.look == owner and viewer == state.active
    if owner == viewer or spied:
        return hand
    return _with_backs(state.shown[owner], len(hand))


def _with_backs(known: Cards, count: int) -> Cards:
    return known + (UNKNOWN,) * (count - len(known))


def _known_wave(state: State, wave: Wave, viewer: int | None) -> Wave:
    return replace(wave, hands=tuple(_known_laid(state, wave, hand, viewer) for hand in wave.hands))


def _known_laid(state: State, wave: Wave, hand: Laid, viewer: int | None) -> Laid:
    if knows_laid(state, wave, hand, viewer):
        return hand
    return replace(hand, cards=_with_backs(hand.open, len(hand.cards)))


def knows_laid(state: State, wave: Wave, hand: Laid, viewer: int | None) -> bool:
    """Return whether the viewer sees that hand on the table: its own, and all once they are revealed (K82, K103)."""
    return wave.revealed or hand.seat == viewer or state.result is not None


def _taken_out(state: State, copy: State) -> Iterator[str]:
    """Return the cards of hands and troops that the copy does not show."""
    known = set(_held(copy))
    return (one for one in _held(state) if one not in known)


def _held(state: State) -> Iterator[str]:
    for hand in state.hands:
        yield from hand
    if state.battle is not None:
        for wave in state.battle.waves:
            for laid in wave.hands:
                yield from laid.cards


# Sampling


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

    `known` are the cards of each pile that the viewer knows, `piles` the others; `owners` are the seats they belong to.
    `worth` is each seat's value in hand and on the table: announcements don't change during a battle (K77).
    """

    def __init__(self, hidden: State, chance: Chance) -> None:
        waves = () if hidden.battle is None else hidden.battle.waves
        laid = waves[-1].hands if waves else ()
        cards = [*hidden.hands, *(hand.cards for hand in laid)]
        self.hidden, self.owners = hidden, [*range(hidden.players), *(hand.seat for hand in laid)]
        self.known = [tuple(one for one in pile if one != UNKNOWN) for pile in cards]
        backs, deck = [pile.count(UNKNOWN) for pile in cards], list(hidden.deck)
        # Troops come first, because not every card is legal there.
        troops = [
            _drawn_troop(known, count, deck, chance)
            for known, count in list(zip(self.known, backs, strict=True))[hidden.players :]
        ]
        self.piles = [*(_drawn(deck, count, chance) for count in backs[: hidden.players]), *troops, deck]
        self.worth = [0] * hidden.players
        for owner, known, pile in zip(self.owners, self.known, self.piles, strict=False):
            self.worth[owner] += value(known) + value(pile)
        for hand in (hand for wave in waves[:-1] for hand in wave.hands):
            self.worth[hand.seat] += value(hand.cards)

    def missed(self) -> int:
        """Return how far the seats with unknown cards are from their announced bands, in points."""
        seats = {owner for owner, pile in zip(self.owners, self.piles, strict=False) if pile}
        return sum(self._miss(seat, 0) for seat in seats)

    def _miss(self, seat: int, change: int) -> int:
        """Return how far the seat's value would be outside its band after this change."""
        return _miss(self.hidden.bands[seat], self.worth[seat] + change)

    def repair(self, chance: Chance) -> None:
        """Exchange unknown cards until all seats are in their bands: first with the deck, then with others."""
        deck = len(self.piles) - 1
        for _ in range(REPAIRS):
            off = [n for n, seat in enumerate(self.owners) if self.piles[n] and self._miss(seat, 0)]
            if not off:
                return
            pile = off[chance.below(len(off))]
            place = chance.below(len(self.piles[pile]))
            better = self._better(pile, place, [deck]) or self._better(pile, place, range(deck))
            if better:
                other, there = better[chance.below(len(better))]
                self._exchange(pile, place, other, there)

    def _better(self, pile: int, place: int, others: Iterable[int]) -> list[tuple[int, int]]:
        """Return the cards whose exchange for this one improves both seats together, as (pile, index)."""
        seat, mine = self.owners[pile], self.piles[pile][place]
        found = []
        for other in others:
            owner = self.owners[other] if other < len(self.owners) else None
            if owner == seat:
                continue
            before = self._miss(seat, 0) + (0 if owner is None else self._miss(owner, 0))
            for there, theirs in enumerate(self.piles[other]):
                change = card(theirs).value - card(mine).value
                after = self._miss(seat, change) + (0 if owner is None else self._miss(owner, -change))
                if after < before and self._can_lie(pile, mine, theirs) and self._can_lie(other, theirs, mine):
                    found.append((other, there))
        return found

    def _can_lie(self, pile: int, out: str, into: str) -> bool:
        """Return whether the pile may exchange `out` for `into`: troops must remain legal."""
        if not self.hidden.players <= pile < len(self.owners):
            return True
        return _is_troop((*self.known[pile], *(into if one == out else one for one in self.piles[pile])))

    def _exchange(self, pile: int, place: int, other: int, there: int) -> None:
        mine, theirs = self.piles[pile][place], self.piles[other][there]
        self.piles[pile][place], self.piles[other][there] = theirs, mine
        self.worth[self.owners[pile]] += card(theirs).value - card(mine).value
        if other < len(self.owners):
            self.worth[self.owners[other]] += card(mine).value - card(theirs).value

    def position(self) -> State:
        """Return the full position."""
        state, players = self.hidden.copy(), self.hidden.players
        *held, deck = (in_order((*known, *pile)) for known, pile in zip((*self.known, ()), self.piles, strict=True))
        state.hands, state.deck = held[:players], deck
        if state.battle is not None:
            wave = state.battle.wave
            hands = (replace(hand, cards=cards) for hand, cards in zip(wave.hands, held[players:], strict=True))
            state.battle = replace(state.battle, waves=(*state.battle.waves[:-1], replace(wave, hands=tuple(hands))))
        return state


def _drawn(pool: list[str], count: int, chance: Chance) -> list[str]:
    drawn = []
    for _ in range(count):
        drawn.append(chance.draw(DRAWN, pool))
        pool.remove(drawn[-1])
    return drawn


def _drawn_troop(known: Cards, count: int, pool: list[str], chance: Chance) -> list[str]:
    """Draw `count` cards that make a legal troop hand together with the known ones."""
    drawn: list[str] = []
    for left in range(count - 1, -1, -1):
        fitting = [one for one in pool if _can_become((*known, *drawn), one, left, pool)]
        drawn.append(chance.draw(DRAWN, fitting or pool))
        pool.remove(drawn[-1])
    return drawn


def _can_become(cards: Cards, one: str, left: int, pool: list[str]) -> bool:
    """Return whether these cards and one more are legal troops, or could be with the `left` smallest others."""
    if not left:
        return _is_troop((*cards, one))
    if card(one).commands and len(cards) + left > 1:
        return False
    smallest = sorted(card(other).value for other in pool if other != one)[:left]
    return value((*cards, one)) + sum(smallest) <= GOAL


def _is_troop(cards: Cards) -> bool:
    try:
        classify(cards)
    except IllegalAction:
        return False
    return True


def _miss(band: int, worth: int) -> int:
    """Return how far a value lies outside its band."""
    highest = WINS - 1 if band == SHOWN_FROM else band + 99
    return max(0, band - worth, worth - highest)
