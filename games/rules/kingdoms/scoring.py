"""The winner and the ranking. Kingdoms has no points, so a seat scores one for each seat it finishes ahead of."""

from collections.abc import Iterable, Sequence

from games.rules.kingdoms.realm import below
from games.rules.kingdoms.state import State
from games.rules.kingdoms.worth import value
from games.rules.protocol import Points, Scoresheet, SeatScore

Key = tuple[int, ...]


def score(state: State) -> Scoresheet:
    """Return the result; before the end, the ranking by public knowledge: Towers, then announced values."""
    if state.result is not None:
        return state.result
    return _sheet([(len(towers), band) for towers, band in zip(state.towers, state.bands, strict=True)])


def final(state: State, winners: Iterable[int]) -> Scoresheet:
    """Rank the winners first, the others by their own Towers, then Kingdom value, then shared (K95)."""
    won = set(winners)
    return _sheet([(seat in won, *_standing(state, seat, seat in won)) for seat in range(state.players)])


def _standing(state: State, seat: int, won: bool) -> Key:
    return (0, 0) if won else (len(state.towers[seat]), value(state.hands[seat]))


def _sheet(keys: Sequence[Key]) -> Scoresheet:
    return Scoresheet(tuple(_ranked(seat, key, keys) for seat, key in enumerate(keys)))


def _ranked(seat: int, mine: Key, keys: Sequence[Key]) -> SeatScore:
    behind = sum(key < mine for key in keys)
    return SeatScore(seat, behind, 1 + sum(key > mine for key in keys), (Points("ahead", behind),))


def richest(state: State) -> list[int]:
    """Return the winners of a three-round game: highest Kingdom value, then own Towers, then shared (K60, K92)."""
    keys = [(value(hand), len(towers)) for hand, towers in zip(state.hands, state.towers, strict=True)]
    return [seat for seat, key in enumerate(keys) if key == max(keys)]


def strongest(state: State) -> list[int]:
    """Return the free players whose kingdoms have the most Towers (section 12)."""
    free = [seat for seat, ruler in enumerate(state.rulers) if ruler is None]
    towers = {seat: sum(len(state.towers[one]) for one in (seat, *below(state.rulers, seat))) for seat in free}
    return [seat for seat in free if towers[seat] == max(towers.values())]
