"""Facts about each family of games for the conformance suite: its vocabulary, conserved totals and secrets."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

from msgspec.structs import replace

from games.rules.eight_minute import events as e
from games.rules.eight_minute.boards import PLACES, sides
from games.rules.eight_minute.state import BID, LAY
from games.rules.eight_minute.tokens import FACE_DOWN, MERCHANTS, gifts
from games.rules.kingdoms.deck import in_order
from games.rules.kingdoms.state import Wave, all_cards, to_act
from games.rules.kingdoms.view import masked
from games.rules.protocol import Event, SeatInfo, State
from games.rules.registry import RULESETS


@dataclass(frozen=True)
class Family:
    """`vocabulary`: every text that could make sense in a position. `totals`: amounts that no event may change.

    `flow`: the exceptions, by how much an event changes a total. `scramble`: another position with the same view.
    `every`: check only every nth step, if checking each one takes too long.
    """

    vocabulary: Callable[[State], list[str]]
    totals: Callable[[State], Counter]
    flow: Callable[[State, Event], Counter]
    scramble: Callable[[State, int | None], State]
    every: int = 1


def _words(state: State) -> Iterator[str]:
    regions, owners = state.map.regions, [*map(str, range(5)), "-"]
    yield "done"
    yield from (f"bid {coins}" for coins in range(20))
    yield from (f"first {seat}" for seat in range(5))
    yield from (f"take {card}" for card in state.rules.cards)
    yield from (f"place {region}" for region in regions)
    yield from (f"build {region}" for region in regions)
    yield from (f"move {origin} {target}" for origin, target in permutations(regions, 2))
    yield from (f"move {region} {region}" for region in regions)
    yield from (f"destroy {region} {owner}" for region in regions for owner in owners)
    yield from ("place x1", "build x1", "move x1 v1", "destroy x1 0", "take x")
    yield from _setup_words(state)


def _setup_words(state: State) -> Iterator[str]:
    regions = (*state.map.regions, "x1")
    yield from (f"{verb} {region}" for verb in ("start", "outpost", "neutral") for region in regions)
    yield from (f"token {token} {region}" for token in (*gifts(), FACE_DOWN, MERCHANTS, "x") for region in regions)
    if state.phase == LAY:
        spots = [(place, turns) for place in (*PLACES, "moon") for turns in range(5)]
        yield from (f"lay {side} {place} {turns}" for side in (*sides(), "x") for place, turns in spots)


def _pieces(state: State) -> Counter:
    totals: Counter[str] = Counter()
    for colour in range(state.colours):
        totals[f"armies {colour}"] = state.supply[colour] + sum(state.armies[colour :: state.colours])
        totals[f"armies {colour}"] += state.captives[colour] if state.captives else 0
    for seat in range(state.players):
        totals[f"cities {seat}"] = state.city_supply[seat] + sum(state.cities[seat :: state.colours])
        totals[f"coins {seat}"] = state.coins[seat]
    totals["coins of merchants"] = sum(state.towns)
    totals.update(state.deck + state.row + [card for cards in state.owned for card in cards])
    totals.update(token for token in (*state.tokens, *state.faces, *state.pile, *state.unlaid) if token)
    totals.update(token for tokens in state.won for token in tokens)
    return totals


def _flow(state: State, event: Event) -> Counter:
    """Return what enters or leaves play: coins to and from the supply, revealed tokens, goods tokens laid."""
    match event:
        case e.BidsRevealed():
            return Counter({f"coins {event.winner}": -event.bids[event.winner]})
        case e.CardTaken(seat, card, price):
            return Counter({f"coins {seat}": state.rules.cards[card].total("coins") - price})
        case e.TokenLaid(token, _) if token not in state.unlaid:
            return Counter({token: 1})
        case e.TownLaid(_, coins):
            return Counter({MERCHANTS: -1, "coins of merchants": coins})
        case e.TokenGained(seat, region, token):
            hidden = state.tokens[state.map.index[region]] == FACE_DOWN
            return Counter({f"coins {seat}": gifts()[token].total("coins"), FACE_DOWN: -hidden})
        case e.CoinsFound(seat, _, coins):
            return Counter({f"coins {seat}": coins, "coins of merchants": -coins})
        case e.TollPaid(seat, _):
            return Counter({f"coins {seat}": -1})
        case e.CoinRobbed(seat, owner):
            return Counter({f"coins {seat}": 1, f"coins {owner}": -1})
    return Counter()


def _other_secrets(state: State, seat: int | None) -> State:
    """Change all ages, the sealed bids of other seats, and the faces of tokens that the seat has not seen."""
    other = state.copy()
    other.seats = tuple(SeatInfo(info.bot, 9 - n, 7 * n) for n, info in enumerate(state.seats))
    if state.phase == BID:
        other.bids = [bid if n == seat else (bid + 4) % 6 - 1 for n, bid in enumerate(state.bids)]
    unknown = [r for r, face in enumerate(state.faces) if face and (seat is None or r in state.unseen[seat])]
    faces = [*(state.faces[r] for r in unknown), *state.pile]
    for r, face in zip(unknown, faces[1:] + faces[:1], strict=False):
        other.faces = (*other.faces[:r], face, *other.faces[r + 1 :])
    if unknown:
        other.pile = tuple((faces[1:] + faces[:1])[len(unknown) :])
    return other


# Kingdoms


def _kingdoms_words(state: State) -> Iterator[str]:
    """Yield the offered actions, and texts that are illegal unless offered."""
    seats, cards = range(state.players + 1), (*all_cards(state.options, state.players), *state.flop)
    for seat in to_act(state):
        yield from map(RULESETS["kingdoms"].text, RULESETS["kingdoms"].legal(state, seat))
    yield from ("draw", "end", "pick-up", "stop", "defend nothing", "take x", "attack 1 with x", "boss x", "what")
    yield from (f"{verb} {seat}" for verb in ("blind-pick", "storm", "tribute", "boss spymaster") for seat in seats)
    yield from (f"tribute {first}+{second}" for first, second in combinations(seats, 2))
    yield from (f"protect {mode}" for mode in ("leave", "with", "for", "against"))
    yield from (f"boss {name}" for name in ("warmaster", "builder", "peacekeeper", "spymaster", "fox"))
    yield from (f"{verb} {card_id}" for verb in _CARD_VERBS for card_id in cards)
    yield from (f"gift {seat} {card_id}" for seat in seats for card_id in cards[::7])
    held = {card_id for hand in state.hands for card_id in hand}
    yield from (
        f"{verb} {card_id}"
        for verb in ("wave", "defend", "attack 1 with")
        for card_id in cards[::5]
        if card_id not in held
    )


_CARD_VERBS = ("build", "burn", "draw-from-flop", "market", "take", "boss builder")


def _cards(state: State) -> Counter:
    waves = state.battle.waves if state.battle else ()
    laid = [hand.cards for wave in waves for hand in wave.hands]
    piles = [*state.hands, *state.towers, state.deck, state.flop, state.burn, state.out, *laid]
    return Counter(card_id for pile in piles for card_id in pile)


def _other_hands(state: State, seat: int | None) -> State:
    """Change all ages, and replace each unknown card by the next one."""
    unknown = [] if state.result else masked(state, seat).deck
    turned = dict(zip(unknown, unknown[1:] + unknown[:1], strict=True))
    other = state.copy()
    other.seats = tuple(SeatInfo(info.bot, 9 - n, 7 * n) for n, info in enumerate(state.seats))
    other.deck = [*_turned(state.deck, turned)]
    other.hands = [_turned(hand, turned) for hand in state.hands]
    if state.battle is not None:
        other.battle = replace(state.battle, waves=tuple(_turned_wave(wave, turned) for wave in state.battle.waves))
    return other


def _turned_wave(wave: Wave, turned: dict[str, str]) -> Wave:
    return replace(wave, hands=tuple(replace(hand, cards=_turned(hand.cards, turned)) for hand in wave.hands))


def _turned(cards: Iterable[str], turned: dict[str, str]) -> tuple[str, ...]:
    return in_order(turned.get(card_id, card_id) for card_id in cards)


EMPIRE = Family(lambda state: list(_words(state)), _pieces, _flow, _other_secrets)
KINGDOMS = Family(lambda state: list(_kingdoms_words(state)), _cards, lambda state, event: Counter(), _other_hands, 11)
FAMILIES = {"legends": EMPIRE, "prototype": EMPIRE, "classic": EMPIRE, "kingdoms": KINGDOMS}
