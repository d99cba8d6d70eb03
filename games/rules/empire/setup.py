"""The drawn set-up: uniformly random among what is legal (R1, R65)."""

from collections.abc import Sequence
from typing import TypeVar

from games.rules.empire import events as e
from games.rules.empire.boards import CENTRE, DIRECTIONS, Laid, Map, layout_text, map_of, sides, starts
from games.rules.empire.edition import Edition
from games.rules.protocol import Chance, Event, SeatInfo

T = TypeVar("T")
DECK = "deck-0"


def draw_setup(rules: Edition, seats: Sequence[SeatInfo], setter: int, chance: Chance) -> list[Event]:
    """Boards, start region, outpost, the third colour with two players, and the row of cards."""
    n = len(seats)
    layout = draw_layout(chance)
    start = pick([layout.regions[r] for r in layout.starts], chance)
    abroad = [region for region in layout.regions if region not in sides()[layout.laid[0].side].regions]
    outpost = pick(abroad, chance)
    neutral = [pick(layout.regions, chance) for _ in range(rules.third_colour)] if n == 2 else []
    return [
        e.BoardsLaid(layout.layout, setter),
        e.StartChosen(start, (rules.start_armies,) * n),
        e.OutpostChosen(outpost, (rules.outpost_armies,) * n),
        *(e.NeutralPlaced(region) for region in neutral),
        e.RowDealt(deal(rules.deck(n), len(rules.prices), chance)),
    ]


def draw_layout(chance: Chance) -> Map:
    """A T of the four boards with a legal start region; others are drawn again (R65)."""
    laid = _draw_boards(chance)
    while not starts(laid):
        laid = _draw_boards(chance)
    return map_of(layout_text(laid))


def _draw_boards(chance: Chance) -> tuple[Laid, ...]:
    directions = list(DIRECTIONS)
    directions.pop(chance.below(4))
    boards = shuffled(sorted({side.board for side in sides().values()}), chance)
    faces = [pick([name for name, side in sides().items() if side.board == board], chance) for board in boards]
    places = (CENTRE, *directions)
    return tuple(Laid(place, side, chance.below(4)) for place, side in zip(places, faces, strict=True))


def deal(deck: list[str], n: int, chance: Chance) -> tuple[str, ...]:
    """The first `n` cards of the deck."""
    left, dealt = list(deck), []
    for _ in range(n):
        card = chance.draw(DECK, left)
        left.remove(card)
        dealt.append(card)
    return tuple(dealt)


def pick(things: Sequence[T], chance: Chance) -> T:
    """One of the things, each as likely."""
    return things[chance.below(len(things))]


def shuffled(things: Sequence[T], chance: Chance) -> list[T]:
    """The things in an order, each order as likely."""
    left = list(things)
    return [left.pop(chance.below(len(left))) for _ in things]
