"""What a seat, or a watcher, may know of a position. Pages, mails, bots and the API get views and nothing else."""

import msgspec

from games.rules.empire import actions as a
from games.rules.empire.cards import Part
from games.rules.empire.legal import amount, crossing, legal, open_parts
from games.rules.empire.scoring import controllers, island_controllers, score
from games.rules.empire.state import BID, TURN, State
from games.rules.protocol import Chance, Scoresheet, SeatInfo


class RegionView(msgspec.Struct, frozen=True):
    """Armies and cities by colour, and the colour that controls the region. The last colour may be the third one."""

    armies: tuple[int, ...]
    cities: tuple[int, ...]
    controller: int | None


class OfferView(msgspec.Struct, frozen=True):
    """A card of the row, its price, and whether the viewing seat (for watchers: the seat to act) can pay it."""

    card: str
    price: int
    affordable: bool


class PlayerView(msgspec.Struct, frozen=True):
    """What lies in front of a player. `bid` is null while it is secret or not made."""

    coins: int
    cards: tuple[str, ...]
    supply: int
    city_supply: int
    more_armies: int
    more_movement: int
    flying: int
    crossing: int
    elixirs: int
    immune: bool
    bid: int | None


class PartView(msgspec.Struct, frozen=True):
    """A part of the card in play: its amount in armies, movements or cities, what is left, whether steps may use it."""

    kind: str
    amount: int
    left: int
    open: bool


class View(msgspec.Struct, frozen=True):
    """A position as one viewer knows it. `seat` is null for a watcher; `to_act` lists every seat while bids are open.

    `regions` go by region id, in the map's order; `legal` are the action texts of the viewing seat. `hidden` is the
    position with everything taken out that the viewer may not know: `sample` fills it.
    """

    ruleset: str
    seat: int | None
    phase: str
    to_act: tuple[int, ...]
    layout: str
    start: str
    regions: dict[str, RegionView]
    islands: tuple[tuple[tuple[str, ...], int | None], ...]
    row: tuple[OfferView, ...]
    deck: int
    players: tuple[PlayerView, ...]
    cards_owned: int
    taken: str
    parts: tuple[PartView, ...]
    legal: tuple[str, ...]
    scoresheet: Scoresheet
    over: bool
    hidden: State


def view(state: State, seat: int | None) -> View:
    """The position as `seat` may know it."""
    holders = controllers(state)
    buyer = state.turn if seat is None else seat
    return View(
        ruleset=state.edition,
        seat=seat,
        phase=state.phase,
        to_act=_public_to_act(state),
        layout=state.layout,
        start=state.map.regions[state.start],
        regions={region: _region(state, r, holders[r]) for r, region in enumerate(state.map.regions)},
        islands=_islands(state, holders),
        row=tuple(
            OfferView(card, price, buyer >= 0 and price <= state.coins[buyer])
            for card, price in zip(state.row, state.rules.prices, strict=False)
        ),
        deck=len(state.deck),
        players=tuple(_player(state, player, seat) for player in range(state.players)),
        cards_owned=state.cards_owned,
        taken=state.taken,
        parts=_parts(state),
        legal=() if seat is None else tuple(a.text(action) for action in legal(state, seat)),
        scoresheet=state.result or score(state),
        over=state.result is not None,
        hidden=masked(state, seat),
    )


def masked(state: State, seat: int | None) -> State:
    """A copy without the bids of others while they are sealed (R6) and without anybody's age (R7)."""
    copy = state.copy()
    copy.seats = tuple(SeatInfo(bot=info.bot) for info in state.seats)
    if state.phase == BID:
        copy.bids = [bid if owner == seat else -1 for owner, bid in enumerate(state.bids)]
    return copy


def sample(seen: View, chance: Chance) -> State:
    """A full position that fits the view: sealed bids of others as not made yet; the deck needs no order."""
    return seen.hidden.copy()


def _public_to_act(state: State) -> tuple[int, ...]:
    if state.phase == BID:
        return tuple(range(state.players))
    return (state.turn,) if state.phase in ("first", TURN) else ()


def _region(state: State, r: int, controller: int | None) -> RegionView:
    span = slice(r * state.colours, (r + 1) * state.colours)
    return RegionView(tuple(state.armies[span]), tuple(state.cities[span]), controller)


def _islands(state: State, holders: list[int | None]) -> tuple[tuple[tuple[str, ...], int | None], ...]:
    names = state.map.regions
    isles = zip(state.map.islands, island_controllers(state, holders), strict=True)
    return tuple((tuple(names[r] for r in island), holder) for island, holder in isles)


def _player(state: State, player: int, viewer: int | None) -> PlayerView:
    shown = player == viewer or state.phase != BID
    return PlayerView(
        coins=state.coins[player],
        cards=tuple(state.owned[player]),
        supply=state.supply[player],
        city_supply=state.city_supply[player],
        more_armies=state.more_armies[player],
        more_movement=state.more_movement[player],
        flying=state.flying[player],
        crossing=crossing(state, player),
        elixirs=state.elixirs[player],
        immune=state.immune[player],
        bid=state.bids[player] if shown and state.bids[player] >= 0 else None,
    )


def _parts(state: State) -> tuple[PartView, ...]:
    if not state.taken:
        return ()
    card = state.rules.cards[state.taken]
    usable = open_parts(card, state.part)
    return tuple(_part(state, number, part, number in usable) for number, part in enumerate(card.parts))


def _part(state: State, number: int, part: Part, usable: bool) -> PartView:
    whole = amount(state, state.turn, part)
    return PartView(part.kind, whole, max(0, whole - state.used[number]), usable)
