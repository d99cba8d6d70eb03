"""What a seat, or a spectator, may know of a position. Pages, emails, bots and the API only get views."""

from collections import Counter

import msgspec

from games.rules.eight_minute import actions as a
from games.rules.eight_minute.boards import free_places, sides_left
from games.rules.eight_minute.effects import TOKEN_DECK, leads
from games.rules.eight_minute.legal import IMPASSABLE, amount, crossing, legal, open_parts, to_act
from games.rules.eight_minute.options import shape
from games.rules.eight_minute.scoring import Held, counted, held_by, score, won
from games.rules.eight_minute.state import BID, BY_HAND_PHASES, OVER, State, replaced, without
from games.rules.eight_minute.tokens import FACE_DOWN, hidden_faces
from games.rules.protocol import Chance, Scoresheet, SeatInfo


class RegionView(msgspec.Struct, frozen=True):
    """A region's armies and cities by color, and its controller. The last color may be the third color.

    `token` is an id of tokens.toml or `face-down`, `face` the face-down token's face if the viewer knows it, `looked`
    the seats that know it. `town`: merchants' coins.
    """

    armies: tuple[int, ...]
    cities: tuple[int, ...]
    controller: int | None
    token: str = ""
    face: str = ""
    looked: tuple[int, ...] = ()
    town: int = 0


class OfferView(msgspec.Struct, frozen=True):
    """A card of the row, its price, and whether the viewing seat (for spectators: the seat to act) can afford it."""

    card: str
    price: int
    affordable: bool


class PlayerView(msgspec.Struct, frozen=True):
    """What a player has in front of them. `bid` is null while it is secret or not made.

    `crossing` is 0 if only ships cross water. `captives`: captured armies by color; `goods`: how many of each,
    including tokens of controlled regions, with wild cards counted separately.
    """

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
    tokens: tuple[str, ...] = ()
    leader: str = ""
    captives: tuple[int, ...] = ()
    goods: dict[str, int] = {}


class PartView(msgspec.Struct, frozen=True):
    """A part of the card in play: its amount (armies, movements or cities), what is left, and if steps may use it.

    A move by `ship` crosses water like land.
    """

    kind: str
    amount: int
    left: int
    open: bool
    ship: bool = False


class SetupView(msgspec.Struct, frozen=True):
    """What is still to be chosen in a setup by hand: sides, free places, and tokens (towns: `merchants`).

    The phase is the decision: lay, start, outpost, tokens or neutral. `third_colour` counts its armies still to be
    placed.
    """

    shape: str
    sides: tuple[str, ...]
    places: tuple[str, ...]
    tokens: tuple[str, ...]
    third_colour: int


class View(msgspec.Struct, frozen=True):
    """A position as one viewer knows it. `seat` is null for a spectator; during bidding, `to_act` lists all seats.

    `regions` are by region id, in the map's order; `legal` are the action texts of the viewing seat. `hidden` is the
    position without anything the viewer may not know; `sample` fills it in.

    `start` is empty until it is chosen; `setup` is null unless the game is being set up by hand. `setter` is the seat
    that sets up, `portals` the regions connected by portals, and `edition` the name under which edition.py has this
    game's cards and prices.
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
    setter: int = -1
    outpost: str = ""
    portals: tuple[str, ...] = ()
    edition: str = ""
    setup: SetupView | None = None


def view(state: State, seat: int | None) -> View:
    """Return the position as `seat` may know it."""
    held, layout = held_by(state), state.map
    buyer = state.turn if seat is None else seat
    parts = []
    if state.taken:
        card = state.rules.cards[state.taken]
        usable = open_parts(card, state.part)
        for number, part in enumerate(card.parts):
            whole = amount(state, state.turn, part)
            left = max(0, whole - state.used[number])
            parts.append(PartView(part.kind, whole, left, number in usable, part.ship))
    setup = None
    # Being set up by hand, or canceled by staff during that
    if state.phase in BY_HAND_PHASES or (state.phase == OVER and not state.row and not any(state.owned)):
        kind = shape(state.rules, state.options, state.players)
        setup = SetupView(
            shape=kind,
            sides=tuple(sides_left(state.rules.sides, layout.laid)),
            places=tuple(free_places(kind, layout.laid)),
            tokens=state.unlaid,
            third_colour=state.supply[-1] if state.colours > state.players else 0,
        )
    return View(
        ruleset=state.rules.slug,
        seat=seat,
        phase=state.phase,
        to_act=tuple(range(state.players)) if state.phase == BID else to_act(state),
        layout=layout.layout,
        start=_name(state, state.start),
        regions={region: _region(state, r, held, seat) for r, region in enumerate(layout.regions)},
        islands=tuple(
            (tuple(layout.regions[r] for r in island), holder)
            for island, holder in zip(layout.islands, held.islands, strict=True)
        ),
        row=tuple(
            OfferView(card, price, buyer >= 0 and price <= state.coins[buyer])
            for card, price in zip(state.row, state.rules.prices, strict=False)
        ),
        deck=len(state.deck),
        players=tuple(_player(state, player, seat, held) for player in range(state.players)),
        cards_owned=state.cards_owned,
        taken=state.taken,
        parts=tuple(parts),
        legal=() if seat is None else tuple(a.text(action) for action in legal(state, seat)),
        scoresheet=state.result or score(state),
        over=state.result is not None,
        hidden=masked(state, seat),
        setter=state.setter,
        outpost=_name(state, state.outpost),
        portals=layout.portals,
        edition=state.edition,
        setup=setup,
    )


def masked(state: State, seat: int | None) -> State:
    """Return a copy without others' sealed bids (R6), anyone's age (R7), and token faces others have seen (R26)."""
    copy = state.copy()
    copy.seats = tuple(SeatInfo(bot=info.bot) for info in state.seats)
    if state.phase == BID:
        copy.bids = [bid if owner == seat else -1 for owner, bid in enumerate(state.bids)]
    if state.faces:
        copy.faces = tuple(_known(state, r, seat) for r in range(len(state.faces)))
        # Faces the seat doesn't know are in the pile, in an order that reveals nothing.
        left = Counter([*state.pile, *state.faces]) - Counter(copy.faces)
        in_order = dict.fromkeys(hidden_faces(state.rules, state.options))
        copy.pile = tuple(face for face in in_order for _ in range(left[face]))
    return copy


def sample(seen: View, chance: Chance) -> State:
    """Return a full position consistent with the view.

    Other seats' sealed bids count as not made yet, and faces only others have seen are random. The deck needs no order.
    """
    state = seen.hidden.copy()
    for region, token in enumerate(state.tokens):
        if token == FACE_DOWN and not state.faces[region] and _lookers(state, region):
            face = chance.draw(TOKEN_DECK, state.pile)
            state.faces = replaced(state.faces, region, face)
            state.pile = without(state.pile, face)
    return state


def _known(state: State, region: int, seat: int | None) -> str:
    """Return the face of the token there, if the seat has looked."""
    return "" if seat is None or region in state.unseen[seat] else state.faces[region]


def _lookers(state: State, region: int) -> tuple[int, ...]:
    """Return the seats that have looked at the token there."""
    return tuple(seat for seat, regions in enumerate(state.unseen) if region not in regions)


def _name(state: State, region: int) -> str:
    return state.map.regions[region] if region >= 0 else ""


def _region(state: State, r: int, held: Held, viewer: int | None) -> RegionView:
    span = slice(r * state.colours, (r + 1) * state.colours)
    return RegionView(
        tuple(state.armies[span]),
        tuple(state.cities[span]),
        held.regions[r],
        token=state.tokens[r] if state.tokens else "",
        face=_known(state, r, viewer) if state.faces else "",
        looked=_lookers(state, r) if state.tokens and state.tokens[r] == FACE_DOWN else (),
        town=state.towns[r] if state.towns else 0,
    )


def _player(state: State, player: int, viewer: int | None, held: Held) -> PlayerView:
    shown = player == viewer or state.phase != BID
    dearest = crossing(state, player)
    return PlayerView(
        coins=state.coins[player],
        cards=tuple(state.owned[player]),
        supply=state.supply[player],
        city_supply=state.city_supply[player],
        more_armies=state.more_armies[player],
        more_movement=state.more_movement[player],
        flying=state.flying[player],
        crossing=0 if dearest == IMPASSABLE else dearest,
        elixirs=state.elixirs[player],
        immune=state.immune[player],
        bid=state.bids[player] if shown and state.bids[player] >= 0 else None,
        tokens=won(state, player),
        leader=state.leaders[player] if state.leaders else "",
        captives=state.captives if leads(state, player, "captures") else (),
        goods=counted(state, player, held.regions) if state.rules.goods else {},
    )
