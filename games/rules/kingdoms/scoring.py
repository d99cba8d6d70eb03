"""The winner, the ranking and statistics. There are no points: a seat scores one for each seat it finishes ahead of."""

from collections import Counter
from collections.abc import Iterable, Sequence

from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import CLASSES, card
from games.rules.kingdoms.realm import below
from games.rules.kingdoms.state import State
from games.rules.kingdoms.values import value
from games.rules.protocol import Event, Points, Scoresheet, SeatScore, Traits
from games.rules.words import gettext_noop

TRAIT_NAMES = {
    "first": gettext_noop("Turn order"),
    "towers": gettext_noop("Towers built"),
    "battles": gettext_noop("Battles won"),
    "castles": gettext_noop("Castles taken"),
}
MANY = 6  # counts from here on are combined


def score(state: State) -> Scoresheet:
    """Return the result; before the end, the ranking by public knowledge: Towers, then announced values."""
    if state.result is not None:
        return state.result
    return _sheet([(len(towers), band) for towers, band in zip(state.towers, state.bands, strict=True)])


def final(state: State, winners: Iterable[int]) -> Scoresheet:
    """Rank the winners first, the others by their own Towers, then Kingdom value, then shared (K95)."""
    keys = [(0, len(towers), value(hand)) for towers, hand in zip(state.towers, state.hands, strict=True)]
    for seat in winners:
        keys[seat] = (1, 0, 0)
    return _sheet(keys)


def _sheet(keys: Sequence[tuple[int, ...]]) -> Scoresheet:
    """Return the ranking by these keys, one for each seat."""
    seats = []
    for seat, mine in enumerate(keys):
        behind, ahead = sum(key < mine for key in keys), sum(key > mine for key in keys)
        seats.append(SeatScore(seat, behind, 1 + ahead, (Points("ahead", behind),)))
    return Scoresheet(tuple(seats))


def counted(state: State) -> tuple[tuple[Points, ...], ...]:
    """Return the Kingdom value of each hand by class of Heroes, in the order of a hand."""
    points = []
    for hand in state.hands:
        sums = Counter[str]()
        for card_id in hand:
            sums[card(card_id).kind] += card(card_id).value
        points.append(tuple(Points(kind, sums[kind]) for kind in CLASSES if sums[kind]))
    return tuple(points)


def milestone_of(event: Event) -> tuple[int, ...]:
    """Return the seats whose kingdom the event changed: Towers rise or fall, a Castle falls, a player is free again."""
    match event:
        case e.TowerBuilt() | e.TowerPickedUp() | e.TowerLost():
            return (event.seat,)
        case e.CastleFallen() | e.TowerStolen():
            return (event.seat, event.other)
        case e.RulerChanged(ruler=-1):
            return (event.seat,)
        case e.EpicMoved(others=(other,), taken=tower) if tower:
            return (event.seat, other)
    return ()


def decides(state: State, event: Event) -> bool:
    """Return whether the event can have completed the conquest or the four Towers that won the game."""
    if state.won_by == "conquest":
        return isinstance(event, e.RulerChanged)
    return state.won_by == "empire" and isinstance(event, e.TowerBuilt)


def richest(state: State) -> list[int]:
    """Return the winners of a three-round game: highest Kingdom value, then own Towers, then shared (K60, K92)."""
    keys = [(value(hand), len(towers)) for hand, towers in zip(state.hands, state.towers, strict=True)]
    return [seat for seat, key in enumerate(keys) if key == max(keys)]


def strongest(state: State) -> list[int]:
    """Return the free players whose kingdoms have the most Towers (section 12)."""
    free = [seat for seat, ruler in enumerate(state.rulers) if ruler is None]
    towers = {seat: sum(len(state.towers[member]) for member in (seat, *below(state.rulers, seat))) for seat in free}
    return [seat for seat in free if towers[seat] == max(towers.values())]


def traits(events: Iterable[Event], position: State) -> tuple[Traits, ...]:
    """Return each seat's place in the turn order at the first deal, and how much it built and won."""
    first, towers, battles, castles = 0, Counter[int](), Counter[int](), Counter[int]()
    for event in events:
        match event:
            case e.Dealt(deal=0):
                first = event.first
            case e.TowerBuilt():
                towers[event.seat] += 1
            case e.BattleEnded():
                battles[event.winner] += 1
            case e.CastleFallen():
                castles[event.other] += 1
    traits_by_seat = []
    for seat in range(position.players):
        counts = {"towers": towers[seat], "battles": battles[seat], "castles": castles[seat]}
        tallies = {kind: (str(count) if count < MANY else f"{MANY}+",) for kind, count in counts.items()}
        traits_by_seat.append({"first": (str((seat - first) % position.players + 1),), **tallies})
    return tuple(traits_by_seat)
