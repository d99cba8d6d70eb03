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
REPAIRS = 100


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
    """A full position that fits a masked one: troops that can be laid, hands worth what is announced of them."""
    state = hidden.copy()
    pool = list(state.deck)
    _fill_troops(state, pool, chance)
    for seat, hand in enumerate(state.hands):
        state.hands[seat] = (*(one for one in hand if one != UNKNOWN), *_drawn(pool, hand.count(UNKNOWN), chance))
    for seat, hand in enumerate(hidden.hands):
        if UNKNOWN in hand:
            _repair(state, seat, len(hand) - hand.count(UNKNOWN), pool, chance)
        state.hands[seat] = in_order(state.hands[seat])
    state.deck = in_order(pool)
    return state


def _drawn(pool: list[str], count: int, chance: Chance) -> list[str]:
    drawn = []
    for _ in range(count):
        drawn.append(chance.draw(DRAWN, pool))
        pool.remove(drawn[-1])
    return drawn


def _fill_troops(state: State, pool: list[str], chance: Chance) -> None:
    battle = state.battle
    if battle is None or not any(UNKNOWN in hand.cards for hand in battle.wave.hands):
        return
    hands = tuple(replace(hand, cards=_filled(hand, pool, chance)) for hand in battle.wave.hands)
    state.battle = replace(battle, waves=(*battle.waves[:-1], replace(battle.wave, hands=hands)))


def _filled(hand: Laid, pool: list[str], chance: Chance) -> Cards:
    """The hand with its backs turned into cards that make a troop hand."""
    cards = tuple(one for one in hand.cards if one != UNKNOWN)
    for left in range(hand.cards.count(UNKNOWN) - 1, -1, -1):
        fitting = [one for one in pool if _can_become(cards, one, left, pool)]
        one = chance.draw(DRAWN, fitting or pool)
        pool.remove(one)
        cards = (*cards, one)
    return in_order(cards)


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


def _repair(state: State, seat: int, known: int, pool: list[str], chance: Chance) -> None:
    """Change unknown cards for others of the deck until the hand is worth what everybody knows of it."""
    hand = list(state.hands[seat])
    laid = value(_laid_by(state, seat))
    for _ in range(REPAIRS):
        worth = value(hand) + laid
        if not _miss(state.bands[seat], worth):
            break
        place = known + chance.below(len(hand) - known)
        rest = worth - card(hand[place]).value
        better = [one for one in pool if _is_nearer(state.bands[seat], rest + card(one).value, worth)]
        if better:
            one = chance.draw(DRAWN, better)
            pool[pool.index(one)], hand[place] = hand[place], one
    state.hands[seat] = tuple(hand)


def _is_nearer(band: int, worth: int, than: int) -> bool:
    return abs(_miss(band, worth)) < abs(_miss(band, than))


def _laid_by(state: State, seat: int) -> Iterable[str]:
    """What the seat has on the table; bands stand still until the battle is over (K77)."""
    waves = () if state.battle is None else state.battle.waves
    return [one for wave in waves for hand in wave.hands if hand.seat == seat for one in hand.cards]


def _miss(band: int, worth: int) -> int:
    """How far a value lies outside of its band."""
    highest = WINS - 1 if band == SHOWN_FROM else band + 99
    return min(0, worth - band) + max(0, worth - highest)
