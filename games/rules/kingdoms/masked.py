"""What a viewer may not know is taken out of a position, and `sample` puts something possible in its place."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from games.rules.kingdoms.deck import card, in_order
from games.rules.kingdoms.state import UNKNOWN, Laid, State, Wave
from games.rules.kingdoms.troops import GOAL, classify
from games.rules.kingdoms.worth import SHOWN_FROM, WINS, value
from games.rules.protocol import Chance, IllegalAction, SeatInfo

Cards = tuple[str, ...]
DRAWN = "sample"
REPAIRS = 100  # exchanges that are tried in a deal
DEALS = 10


def masked(state: State, seat: int | None) -> State:
    """A copy in which unknown cards are `?`. They lie in the Draw deck instead, among those that are there anyway."""
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
    """Whether the viewer sees that hand on the table: its own, and all once they are revealed (K82, K103)."""
    return wave.revealed or hand.seat == viewer or state.result is not None


def _taken_out(state: State, copy: State) -> Iterator[str]:
    """The cards of hands and troops that the copy does not show."""
    known = set(_held(copy))
    return (one for one in _held(state) if one not in known)


def _held(state: State) -> Iterator[str]:
    for hand in state.hands:
        yield from hand
    if state.battle is not None:
        for wave in state.battle.waves:
            for laid in wave.hands:
                yield from laid.cards


# A full position


def sample(hidden: State, chance: Chance) -> State:
    """Return a full position that fits a masked one: troops that can be laid, hands worth what is announced of them.

    If several deals find none, return the one that misses the announced values by least.
    """
    deals: list[_Deal] = []
    while len(deals) < DEALS:
        deals.append(_Deal(hidden, chance))
        deals[-1].repair(chance)
        if not deals[-1].missed():
            return deals[-1].position()
    return min(deals, key=_Deal.missed).position()


class _Deal:
    """One way to deal the unknown cards to piles: the hands, the troops of the last wave, and the deck at the end.

    `known` are the cards of each pile that the viewer knows, `piles` the others; `owners` are the seats they belong
    to. `worth` is what each seat has in hand and on the table: announcements do not change during a battle (K77).
    """

    def __init__(self, hidden: State, chance: Chance) -> None:
        waves = () if hidden.battle is None else hidden.battle.waves
        laid = waves[-1].hands if waves else ()
        cards = [*hidden.hands, *(hand.cards for hand in laid)]
        self.hidden, self.owners = hidden, [*range(hidden.players), *(hand.seat for hand in laid)]
        self.known = [tuple(one for one in pile if one != UNKNOWN) for pile in cards]
        backs, deck = [pile.count(UNKNOWN) for pile in cards], list(hidden.deck)
        # Troops come first: not every card fits them.
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
        """Return how far the seats with unknown cards are from what is announced of them, in points."""
        seats = {owner for owner, pile in zip(self.owners, self.piles, strict=False) if pile}
        return sum(self._miss(seat, 0) for seat in seats)

    def _miss(self, seat: int, change: int) -> int:
        """How far the seat's value would be outside its band after this change."""
        return _miss(self.hidden.bands[seat], self.worth[seat] + change)

    def repair(self, chance: Chance) -> None:
        """Exchange unknown cards until all seats are worth what is announced: with the deck first, then with others."""
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
        """The places of other piles whose card is better here than the one that is here, for both seats together."""
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
        """Whether the pile may have one card for the other: troops have to stay troops."""
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
    """So many cards that make a troop hand together with the known ones."""
    drawn: list[str] = []
    for left in range(count - 1, -1, -1):
        fitting = [one for one in pool if _can_become((*known, *drawn), one, left, pool)]
        drawn.append(chance.draw(DRAWN, fitting or pool))
        pool.remove(drawn[-1])
    return drawn


def _can_become(cards: Cards, one: str, left: int, pool: list[str]) -> bool:
    """Whether these cards and one more make troops, or can with the `left` smallest others beside them."""
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
    """How far a value lies outside of its band."""
    highest = WINS - 1 if band == SHOWN_FROM else band + 99
    return max(0, band - worth, worth - highest)
