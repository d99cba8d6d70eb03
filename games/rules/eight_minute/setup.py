"""The setup: drawn uniformly at random among legal ones (R1, R65), or the site's part of a setup by hand."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from games.rules.eight_minute import events as e
from games.rules.eight_minute.boards import Laid, Map, layout_text, map_of, sides
from games.rules.eight_minute.edition import Edition
from games.rules.eight_minute.layouts import ALIKE, SHAPES, UPRIGHT, starts
from games.rules.eight_minute.options import BY_HAND, Options, shape
from games.rules.eight_minute.state import State
from games.rules.eight_minute.tokens import MERCHANTS, gifts, leader_ids, to_lay
from games.rules.protocol import Chance, Event

T = TypeVar("T")
DECK = "deck-0"


def set_up(rules: Edition, options: Options, players: int, setter: int, chance: Chance) -> list[Event]:
    """Return the events before the first decision."""
    begun = by_hand if options.setup == BY_HAND else drawn
    return begun(rules, options, players, setter, chance)


def by_hand(rules: Edition, options: Options, players: int, setter: int, chance: Chance) -> list[Event]:
    """Return the dealt leaders and the board if it is fixed; the seat that sets up chooses the rest."""
    leaders = deal_leaders(options, players, chance)
    events: list[Event] = [e.SetupBegun(setter), *(e.LeadersDealt(dealt) for dealt in leaders)]
    if rules.start_rule != "printed":
        return events
    layout = draw_layout(rules, shape(rules, options, players), chance)
    return [
        *events,
        e.BoardsLaid(layout.layout, setter),
        e.StartChosen(starts(rules.start_rule, layout.layout)[0], mustered(rules, players)),
        *draw_goods(rules, options, layout, chance),
    ]


def drawn(rules: Edition, options: Options, players: int, setter: int, chance: Chance) -> list[Event]:
    """Draw a setup: boards, leaders, start, outpost, tokens, the third colour with two players, and the row."""
    layout = draw_layout(rules, shape(rules, options, players), chance)
    leaders = deal_leaders(options, players, chance)
    start = pick(starts(rules.start_rule, layout.layout), chance)
    events = [
        e.BoardsLaid(layout.layout, setter),
        *(e.LeadersDealt(dealt) for dealt in leaders),
        e.StartChosen(start, mustered(rules, players, *leaders)),
    ]
    if rules.outpost_armies:
        outpost = pick(abroad(layout, layout.index[start]), chance)
        events.append(e.OutpostChosen(outpost, outposted(rules, players)))
    neutral = rules.third_colour if players == 2 else 0
    return [
        *events,
        *draw_tokens(rules, options, players, layout, start, chance),
        *draw_goods(rules, options, layout, chance),
        *(e.NeutralPlaced(pick(layout.regions, chance)) for _ in range(neutral)),
        e.RowDealt(deal(rules, players, chance)),
    ]


def draw_layout(rules: Edition, kind: str, chance: Chance) -> Map:
    """Draw boards until they allow a legal start region (R65)."""
    while True:
        layout = layout_text(_draw_boards(rules, kind, chance))
        if starts(rules.start_rule, layout):
            return map_of(layout)


def _draw_boards(rules: Edition, kind: str, chance: Chance) -> tuple[Laid, ...]:
    places = pick(SHAPES[kind], chance)
    boards = shuffled(sorted({sides()[side].board for side in rules.sides}), chance)[: len(places)]
    faces = [pick([side for side in rules.sides if sides()[side].board == board], chance) for board in boards]
    turns = _draw_turns(kind, chance)
    return tuple(Laid(place, side, next(turns)) for place, side in zip(places, faces, strict=True))


def _draw_turns(kind: str, chance: Chance) -> Iterator[int]:
    """Yield the quarter turns of one board after another (R64)."""
    lying = chance.below(2) if kind in ALIKE else 0
    while True:
        if kind in UPRIGHT:
            yield 0
        else:
            yield lying + 2 * chance.below(2) if kind in ALIKE else chance.below(4)


def deal_leaders(options: Options, players: int, chance: Chance) -> list[tuple[str, ...]]:
    """Return a list with one random leader for each seat (R32), or an empty list without leaders."""
    return [tuple(shuffled(leader_ids(), chance)[:players])] if options.leaders else []


def mustered(rules: Edition, players: int, leaders: Sequence[str] = ()) -> tuple[int, ...]:
    """Return each seat's armies on the start region: one more for Red Sorceress (R3)."""
    more = [gifts()[leader].total("more-at-start") for leader in leaders] or [0] * players
    return tuple(rules.start_armies + extra for extra in more)


def outposted(rules: Edition, players: int) -> tuple[int, ...]:
    return (rules.outpost_armies,) * players


def abroad(layout: Map, start: int) -> list[str]:
    """Return the regions on other boards than the start region, where the outpost may be (R63)."""
    home = layout.side_of[start]
    return [region for region, side in zip(layout.regions, layout.side_of, strict=True) if side != home]


def draw_tokens(
    rules: Edition, options: Options, players: int, layout: Map, start: str, chance: Chance
) -> Iterator[Event]:
    """Yield the tokens, each on its own region other than the start, and the towns, one per board (R33, R34, R53)."""
    free, boards = [region for region in layout.regions if region != start], list(layout.laid)
    for token in to_lay(rules, options, players):
        if token == MERCHANTS:
            yield e.TownLaid(pick(sides()[boards.pop(0).side].regions, chance), rules.town_coins)
        else:
            yield e.TokenLaid(token, free.pop(chance.below(len(free))))


def draw_goods(rules: Edition, options: Options, layout: Map, chance: Chance) -> Iterator[Event]:
    """Yield a random goods token for each triangle (R35)."""
    tokens = list(rules.goods_tokens) if options.goods_tokens else []
    for region in sides()[layout.laid[0].side].triangles if tokens else ():
        yield e.TokenLaid(tokens.pop(chance.below(len(tokens))), region)


def token_spots(state: State, token: str) -> list[str]:
    """Return where the token may be placed now (R33, R34, R53)."""
    layout = state.map
    if token == MERCHANTS:
        served = {layout.side_of[r] for r, coins in enumerate(state.towns) if coins}
        return [region for region, side in zip(layout.regions, layout.side_of, strict=True) if side not in served]
    return [region for r, region in enumerate(layout.regions) if r != state.start and not state.tokens[r]]


def deal(rules: Edition, players: int, chance: Chance) -> tuple[str, ...]:
    """Return the first cards of the deck, one for each space of the row."""
    left, dealt = rules.deck(players), []
    for _ in rules.prices:
        card = chance.draw(DECK, left)
        left.remove(card)
        dealt.append(card)
    return tuple(dealt)


def pick(things: Sequence[T], chance: Chance) -> T:
    """Return one of the things, each equally likely."""
    return things[chance.below(len(things))]


def shuffled(things: Sequence[T], chance: Chance) -> list[T]:
    """Return the things in random order."""
    left = list(things)
    return [left.pop(chance.below(len(left))) for _ in things]
