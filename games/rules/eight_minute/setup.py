"""The setup: drawn uniformly at random among legal ones (R1, R65), or chosen by hand, one thing after another.

By hand, one seat chooses the boards, the start, the outpost and the tokens, and the seats place the third color's
armies in turns (R4). The site draws the rest.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from games.rules.eight_minute import actions as a
from games.rules.eight_minute import events as e
from games.rules.eight_minute.boards import (
    ALIKE,
    CENTRE,
    SHAPES,
    UPRIGHT,
    Laid,
    Map,
    free_places,
    layout_text,
    map_of,
    may_lie,
    next_boards,
    sides,
    sides_left,
    starts,
    turns_that_fit,
)
from games.rules.eight_minute.edition import Edition
from games.rules.eight_minute.options import BIDS, BY_HAND, Options, shape
from games.rules.eight_minute.state import LAY, NEUTRAL, OUTPOST, START, TOKENS, State
from games.rules.eight_minute.tokens import MERCHANTS, gifts, leader_ids, to_lay
from games.rules.protocol import Chance, Event, IllegalAction
from games.rules.words import gettext_noop

T = TypeVar("T")
DECK = "deck-0"


def set_up(rules: Edition, options: Options, players: int, setter: int, chance: Chance) -> list[Event]:
    """Return the events before the first decision: of the bidding, or of the setup by hand."""
    kind = shape(rules, options, players)
    if options.setup == BY_HAND:
        leaders = _deal_leaders(options, players, chance)
        events: list[Event] = [e.SetupBegun(setter), *leaders]
        if rules.start_rule == "printed":
            layout = draw_layout(rules, kind, chance)
            start = starts(rules.start_rule, layout.layout)[0]
            events += [e.BoardsLaid(layout.layout, setter), e.StartChosen(start, armies_at_start(rules, players))]
            events += draw_goods(rules, options, layout, chance)
        return events
    layout = draw_layout(rules, kind, chance)
    leaders = _deal_leaders(options, players, chance)
    start = pick(starts(rules.start_rule, layout.layout), chance)
    armies = armies_at_start(rules, players, leaders[0].leaders if leaders else ())
    events = [e.BoardsLaid(layout.layout, setter), *leaders, e.StartChosen(start, armies)]
    if rules.outpost_armies:
        outpost = pick(abroad(layout, layout.index[start]), chance)
        events.append(e.OutpostChosen(outpost, (rules.outpost_armies,) * players))
    # Each token lies on its own region other than the start, and each town on its own board (R33, R34, R53).
    free, boards = [region for region in layout.regions if region != start], list(layout.laid)
    for token in to_lay(rules, options, players):
        if token == MERCHANTS:
            town = pick(sides()[boards.pop(0).side].regions, chance)
            events.append(e.TownLaid(town, rules.town_coins))
        else:
            events.append(e.TokenLaid(token, free.pop(chance.below(len(free)))))
    events += draw_goods(rules, options, layout, chance)
    if players == 2:
        events += [e.NeutralPlaced(pick(layout.regions, chance)) for _ in range(rules.third_colour)]
    return [*events, *deal(rules, options, players, chance)]


def draw_layout(rules: Edition, kind: str, chance: Chance) -> Map:
    """Draw boards until they allow a legal start region (R65)."""
    while True:
        places = pick(SHAPES[kind], chance)
        boards = shuffled(sorted({sides()[side].board for side in rules.sides}), chance)[: len(places)]
        faces = [pick([side for side in rules.sides if sides()[side].board == board], chance) for board in boards]
        if kind in UPRIGHT:
            turns = [0] * len(places)
        elif kind in ALIKE:
            # All stand upright or all lie sideways (R64).
            lying = chance.below(2)
            turns = [lying + 2 * chance.below(2) for _ in places]
        else:
            turns = [chance.below(4) for _ in places]
        layout = layout_text(tuple(map(Laid, places, faces, turns)))
        if starts(rules.start_rule, layout):
            return map_of(layout)


def _deal_leaders(options: Options, players: int, chance: Chance) -> list[e.LeadersDealt]:
    """Deal each seat a random leader (R32), or nothing without leaders."""
    return [e.LeadersDealt(tuple(shuffled(leader_ids(), chance)[:players]))] if options.leaders else []


def armies_at_start(rules: Edition, players: int, leaders: Sequence[str] = ()) -> tuple[int, ...]:
    """Return each seat's armies on the start region: one more for Red Sorceress (R3)."""
    more = [gifts()[leader].total("more-at-start") for leader in leaders] or [0] * players
    return tuple(rules.start_armies + extra for extra in more)


def abroad(layout: Map, start: int) -> list[str]:
    """Return the regions on other boards than the start region, where the outpost may be (R63)."""
    home = layout.side_of[start]
    return [region for region, side in zip(layout.regions, layout.side_of, strict=True) if side != home]


def draw_goods(rules: Edition, options: Options, layout: Map, chance: Chance) -> Iterator[Event]:
    """Yield a random goods token for each triangle (R35)."""
    tokens = list(rules.goods_tokens) if options.goods_tokens else []
    for region in sides()[layout.laid[0].side].triangles if tokens else ():
        yield e.TokenLaid(tokens.pop(chance.below(len(tokens))), region)


def deal(rules: Edition, options: Options, players: int, chance: Chance) -> list[Event]:
    """Deal the first cards of the deck, one for each space of the row. Without bids, draw who goes first too."""
    left, dealt = rules.deck(players), []
    for _ in rules.prices:
        card = chance.draw(DECK, left)
        left.remove(card)
        dealt.append(card)
    row = e.RowDealt(tuple(dealt))
    return [row] if options.opening == BIDS else [row, e.FirstDrawn(chance.below(players))]


def pick(things: Sequence[T], chance: Chance) -> T:
    """Return one of the things, each equally likely."""
    return things[chance.below(len(things))]


def shuffled(things: Sequence[T], chance: Chance) -> list[T]:
    """Return the things in random order."""
    left = list(things)
    return [left.pop(chance.below(len(left))) for _ in things]


# By hand


def choices(state: State) -> list[a.Action]:
    """Return every choice of the seat that sets up; none in other phases."""
    rules, layout = state.rules, state.map
    if state.phase == LAY:
        kind = shape(rules, state.options, state.players)
        boards = next_boards(rules.start_rule, rules.sides, kind, state.layout)
        return [a.Lay(board.side, board.place, board.turns) for board in boards]
    if state.phase == START:
        return [a.Start(region) for region in starts(rules.start_rule, state.layout)]
    if state.phase == OUTPOST:
        return [a.Outpost(region) for region in abroad(layout, state.start)]
    if state.phase == TOKENS:
        kinds = dict.fromkeys(state.unlaid)
        return [a.LayToken(token, region) for token in kinds for region in _spots(state, token)]
    if state.phase == NEUTRAL:
        return [a.Neutral(region) for region in layout.regions]
    return []


def choose(state: State, action: a.Lay | a.Start | a.Outpost | a.LayToken | a.Neutral) -> Event:
    """Return the event of a choice. Raises `IllegalAction`."""
    if isinstance(action, a.Lay):
        return _lay(state, action)
    if isinstance(action, a.LayToken) and action.token not in state.unlaid:
        raise IllegalAction(gettext_noop("There is no token “{token}” left to place."), token=action.token[:20])
    rules, region = state.rules, action.region
    if region not in state.map.index:
        raise IllegalAction(gettext_noop("There is no region “{region}” on this map."), region=region[:20])
    match action:
        case a.Start():
            if region not in starts(rules.start_rule, state.layout):
                raise IllegalAction(_NO_START[rules.start_rule, state.map.laid[0].place == CENTRE])
            return e.StartChosen(region, armies_at_start(rules, state.players, state.leaders))
        case a.Outpost():
            if region not in abroad(state.map, state.start):
                raise IllegalAction(
                    gettext_noop(
                        "The overseas region can’t be on the same board as the start region. Choose another board."
                    )
                )
            return e.OutpostChosen(region, (rules.outpost_armies,) * state.players)
        case a.LayToken(token):
            if region not in _spots(state, token):
                raise IllegalAction(_NO_SPOT[token == MERCHANTS])
            return e.TownLaid(region, rules.town_coins) if token == MERCHANTS else e.TokenLaid(token, region)
        case a.Neutral():
            return e.NeutralPlaced(region)


def _lay(state: State, action: a.Lay) -> Event:
    rules, laid = state.rules, state.map.laid
    kind = shape(rules, state.options, state.players)
    if action.side not in rules.sides:
        raise IllegalAction(gettext_noop("There is no board side “{side}” in this game."), side=action.side[:20])
    if action.side not in sides_left(rules.sides, laid):
        raise IllegalAction(
            gettext_noop("That board has already been placed, with this side or the other face up. Choose another.")
        )
    if action.place not in {place for places in SHAPES[kind] for place in places}:
        raise IllegalAction(gettext_noop("There is no place “{place}” in this layout."), place=action.place[:20])
    if action.place not in free_places(kind, laid):
        raise IllegalAction(
            gettext_noop("No board fits there next to the boards already placed. Choose another place.")
        )
    if action.turns not in range(4):
        raise IllegalAction(gettext_noop("A board can be turned by at most three quarter turns."))
    if action.turns not in turns_that_fit(kind, laid):
        raise IllegalAction(gettext_noop("In this layout, all boards must face the same way."))
    if not may_lie(action.side, kind, action.place):
        raise IllegalAction(gettext_noop("This board must contain the start region, so it goes in the center."))
    board = Laid(action.place, action.side, action.turns)
    if board not in next_boards(rules.start_rule, rules.sides, kind, state.layout):
        raise IllegalAction(
            gettext_noop("With that board there, no region could be the start region. Choose another board or place.")
        )
    return e.BoardLaid(action.side, action.place, action.turns)


def _spots(state: State, token: str) -> list[str]:
    """Return where the token may be placed now (R33, R34, R53)."""
    layout = state.map
    if token == MERCHANTS:
        served = {layout.side_of[r] for r, coins in enumerate(state.towns) if coins}
        return [region for region, side in zip(layout.regions, layout.side_of, strict=True) if side not in served]
    return [region for r, region in enumerate(layout.regions) if r != state.start and not state.tokens[r]]


_NO_START = {
    ("overseas", True): gettext_noop(
        "The start region must be on the central board, with a dotted line to another board; if Sleeping Sands is in "
        "play, it must be on that board."
    ),
    ("overseas", False): gettext_noop(
        "The start region must have a dotted line to another board; if Sleeping Sands is in play, it must be on that "
        "board."
    ),
    **dict.fromkeys(
        (("harbour", True), ("harbour", False)),
        gettext_noop(
            "The start region must have a route over water to another continent, and a second one there or in a "
            "region next to it by land."
        ),
    ),
}
_NO_SPOT = {
    True: gettext_noop("That board already has merchants. Choose another board."),
    False: gettext_noop("A token needs its own region, other than the start region. Choose another region."),
}
