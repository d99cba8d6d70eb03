"""Short descriptions of positions, by default of Legends, and small queries on them.

The usual map: Volcano in the center, Fern north, Meadows east, Citadel south, all upright. The start region is v4,
from which the dotted line leads east to m4 on Meadows.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from games.rules.eight_minute.boards import map_of
from games.rules.eight_minute.state import TURN, State, empty
from games.rules.fairness import Quick
from games.rules.protocol import Event, IllegalAction, Points, SeatInfo, SeatScore, View
from games.rules.registry import get

LEGENDS = get("legends")
RULES = LEGENDS.rules
LAYOUT = "centre:volcano:0,north:fern:0,east:meadows:0,south:citadel:0"
ALICE, BOB, CAROL, DAN = range(4)


def position(
    players: int = 3,
    *,
    layout: str = LAYOUT,
    start: str = "v4",
    armies: Mapping[str, Sequence[int]] = {},
    cities: Mapping[str, Sequence[int]] = {},
    owned: Mapping[int, Sequence[str]] = {},
    row: Sequence[str] = (),
    coins: Sequence[int] | None = None,
    phase: str = TURN,
    turn: int = ALICE,
    seats: Sequence[SeatInfo] | None = None,
    ruleset: str = "legends",
    options: Mapping[str, Any] = {},
    tokens: Mapping[str, str] = {},
    towns: Mapping[str, int] = {},
    leaders: Sequence[str] = (),
    version: int | None = None,
) -> State:
    """Return a position with Alice to move. `armies` and `cities` map regions to one number per color.

    Abilities of `owned` cards count. The deck has the cards that are neither owned nor in the row. By default the
    row is dealt from the deck.
    `options` apply, but `tokens`, `towns` and `leaders` are only those given. The rules are those of new games, or of
    this `version`.
    """
    rules = get(ruleset, version)
    chosen = rules.options(options, players)
    state = empty(rules.rules, tuple(seats or [SeatInfo()] * players), chosen)
    state.layout, state.phase, state.turn = layout, phase, turn
    state.start = map_of(layout).index[start]
    _lay_out_variants(state, tokens, towns, leaders)
    state.armies = _laid_out(state, armies)
    state.cities = _laid_out(state, cities)
    state.supply = [have - sum(state.armies[c :: state.colours]) for c, have in enumerate(state.supply)]
    state.city_supply = [state.rules.cities - sum(state.cities[s :: state.colours]) for s in range(players)]
    for seat, cards in owned.items():
        for card in cards:
            _give(state, seat, card)
    state.row = list(row) or state.deck[: len(state.rules.prices)]
    state.deck = [card for card in state.deck if card not in state.row]
    if coins is not None:
        state.coins = list(coins)
    return state


def _lay_out_variants(
    state: State, tokens: Mapping[str, str], towns: Mapping[str, int], leaders: Sequence[str]
) -> None:
    regions = state.map.regions
    state.unlaid = ()
    state.tokens = tuple(tokens.get(region, "") for region in regions) if tokens else ()
    state.towns = tuple(towns.get(region, 0) for region in regions) if towns else ()
    hidden = tuple(r for r, token in enumerate(state.tokens) if token == "face-down")
    if state.unseen:
        state.faces, state.unseen = ("",) * len(regions), (hidden,) * state.players
    portals = tuple(region for region in regions if tokens.get(region) == "portal")
    state.layout = ";".join((state.layout, *portals)) if len(portals) == 2 else state.layout
    state.leaders, state.captives = tuple(leaders), (0,) * state.colours if leaders else ()


def _laid_out(state: State, pieces: Mapping[str, Sequence[int]]) -> list[int]:
    flat = [0] * (len(state.map.regions) * state.colours)
    for region, counts in pieces.items():
        first = state.map.index[region] * state.colours
        flat[first : first + len(counts)] = counts
    return flat


def _give(state: State, seat: int, card: str) -> None:
    """Give the seat a card as if it had taken it for free in an earlier turn."""
    state.deck.remove(card)
    state.owned[seat].append(card)
    totals = state.rules.cards[card].total
    state.more_armies[seat] += totals("army")
    state.more_movement[seat] += totals("movement")
    state.flying[seat] += totals("flying")
    state.elixirs[seat] += totals("elixir")
    state.coins[seat] += totals("coins")
    state.immune[seat] |= bool(totals("immune"))


def taking(card: str, players: int = 3, **laid: object) -> State:
    """Return a position in which Alice has just taken the card for free."""
    if "ruleset" in laid:
        return after(position(players, row=[card], **laid), f"take {card}")  # type: ignore[arg-type]
    state = position(players, row=[card, *_others(card)], **laid)  # type: ignore[arg-type]
    return after(state, f"take {card}")


def _others(card: str) -> list[str]:
    plain = ("ancient-sage", "cursed-tower", "graveyard", "lake", "stronghold", "night-village")
    return [other for other in plain if other != card][: len(RULES.prices) - 1]


def events(state: State, text: str, seat: int | None = None) -> list[Event]:
    """Return the events of an action, including chance. By default the seat to move acts."""
    actor = LEGENDS.to_act(state)[0] if seat is None else seat
    return LEGENDS.decide(state, actor, LEGENDS.parse(text), Quick(1))


def after(state: State, *texts: str) -> State:
    """Return the position after these actions of the seats to move."""
    position = state.copy()
    for text in texts:
        for event in events(position, text):
            LEGENDS.evolve(position, event)
    return position


def refusal(state: State, text: str, seat: int | None = None) -> str:
    """Return the error message that refuses the action."""
    with pytest.raises(IllegalAction) as refused:
        events(state, text, seat)
    return str(refused.value)


def offers(state: State, verb: str = "", seat: int | None = None) -> list[str]:
    """Return the legal texts, optionally only those of one verb."""
    actor = LEGENDS.to_act(state)[0] if seat is None else seat
    return [text for text in map(LEGENDS.text, LEGENDS.legal(state, actor)) if text.startswith(verb)]


def armies(state: State, region: str) -> list[int]:
    return _pieces(state, state.armies, region)


def cities(state: State, region: str) -> list[int]:
    return _pieces(state, state.cities, region)


def _pieces(state: State, flat: list[int], region: str) -> list[int]:
    first = state.map.index[region] * state.colours
    return flat[first : first + state.colours]


def scored(state: State, seat: int = ALICE) -> SeatScore:
    return LEGENDS.score(state).seats[seat]


def line(state: State, source: str, seat: int = ALICE) -> Points:
    """Return the scoresheet line with this source."""
    return next(points for points in scored(state, seat).lines if points.source == source)


def view(state: State, seat: int | None = ALICE) -> View:
    return LEGENDS.view(state, seat)


def points(state: State, source: str, seat: int = ALICE) -> int:
    return line(state, source, seat).points
