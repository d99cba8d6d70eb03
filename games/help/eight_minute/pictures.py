"""Pictures for the rules pages, cut out of real positions: what a turn does, tokens in regions, and board layouts.

Each position is drawn once per page and every picture shows a part of it, so ten pictures weigh little more than one.
Playing and drawing the positions takes a second or two, so `python -m games.help.eight_minute.build` does both and
keeps the results in `positions.json`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from games.boards.eight_minute.changes import Changes, Count, Way
from games.boards.eight_minute.faces import face
from games.boards.eight_minute.geometry import Box, in_language, picture
from games.boards.eight_minute.miniature import miniature
from games.boards.eight_minute.pieces import NO_MARKS, Marks, pieces
from games.help.term import CutOut, Position, with_ids
from games.rules.eight_minute.boards import map_of
from games.rules.eight_minute.edition import newest
from games.rules.eight_minute.view import RegionView, View
from games.tables.pages.eight_minute.pictures import land_url
from games.tables.templatetags.eight_minute import whole_card

AROUND = 18  # units of land shown around a region
SHAPE = 1.4  # how much wider than tall a cut-out is
BUILT = Path(__file__).parent / "positions.json"


@dataclass(frozen=True)
class Play:
    """How to reach a position: the ruleset and options, the random seed, and how many turns bots play."""

    ruleset: str
    players: int
    options: tuple[tuple[str, bool | str], ...] = ()
    seed: int = 1
    turns: int = 0


TOKENS = (
    ("explore", True), ("citadels", True), ("dragon", "6"), ("portals", True), ("rogues", True), ("merchants", True),
)  # fmt: skip
PLAYS = {
    "tokens": Play("legends", 3, TOKENS, seed=3, turns=7),
    "face-down": Play("legends", 3, (*TOKENS, ("poison_swamp", True)), seed=3, turns=7),
    "t": Play("legends", 4, seed=2),
    "rectangle": Play("legends", 4, (("layout", "rectangle"),), seed=2),
    "prototype": Play("prototype", 4, (("explore", True), ("citadels", True)), seed=2, turns=6),
    "l": Play("prototype", 3, (("layout", "l"),), seed=2),
    "row": Play("prototype", 3, (("layout", "row"),), seed=2),
    "goods": Play("classic", 5, (("goods_tokens", True),), seed=2, turns=8),
    "side-b": Play("classic", 5, (("side", "side-b"),), seed=2),
    "turn-legends": Play("legends", 3, seed=13, turns=15),
    "turn-prototype": Play("prototype", 3, seed=7, turns=18),
    "turn-classic": Play("classic", 3, seed=1, turns=18),
}

# For each option of a ruleset: the position, what to show (empty for the whole map), and the caption.
SHOWN: Mapping[tuple[str, str], tuple[tuple[str, str, object], ...]] = {
    ("legends", "layout"): (
        ("t", "", gettext_lazy("Four boards in a T")),
        ("rectangle", "", gettext_lazy("Four boards in a rectangle")),
    ),
    ("legends", "explore"): (("tokens", "explore", gettext_lazy("An explore token")),),
    ("legends", "poison_swamp"): (("face-down", "face-down", gettext_lazy("A face-down token")),),
    ("legends", "citadels"): (("tokens", "citadel", gettext_lazy("A citadel")),),
    ("legends", "dragon"): (("tokens", "dragon", gettext_lazy("The dragon")),),
    ("legends", "portals"): (("tokens", "portal", gettext_lazy("One of the two portals")),),
    ("legends", "rogues"): (("tokens", "rogues", gettext_lazy("The rogues")),),
    ("legends", "merchants"): (("tokens", "merchants", gettext_lazy("A merchant town")),),
    ("prototype", "layout"): (
        ("l", "", gettext_lazy("Three boards in an L")),
        ("row", "", gettext_lazy("Three boards in a row")),
    ),
    ("prototype", "explore"): (("prototype", "explore", gettext_lazy("An explore token")),),
    ("prototype", "citadels"): (("prototype", "citadel", gettext_lazy("A citadel")),),
    ("classic", "side"): (("side-b", "", gettext_lazy("The side with five continents")),),
    ("classic", "goods_tokens"): (("goods", "goods", gettext_lazy("A good on a triangle")),),
}


@dataclass(frozen=True)
class Turn:
    """Pictures of what a turn does, cut from `drawing`: three cards with their prices, and parts of a board."""

    row: tuple[SafeString, ...]
    place: CutOut
    move: CutOut
    build: CutOut
    board: CutOut
    drawing: Position


def of_turn(ruleset: str) -> Turn:
    """Show armies placed on the start region, an army that moves, and a new city, each in a part of its own."""
    name = f"turn-{ruleset}"
    view, cards = position(name), newest(ruleset).cards
    changes = changes_of_turn(view)
    (way,), start, town = changes.ways, changes.armies[0].region, changes.cities[0].region
    land, regions = map_of(view.layout), in_language(picture(view.layout), _).regions
    board = [
        regions[region].box for region, side in zip(land.regions, land.side_of, strict=True) if side == land.side_of[0]
    ]
    names = {"origin": regions[way.origin].name, "target": regions[way.target].name}
    return Turn(
        row=tuple(whole_card(face(cards[offer.card], _), offer.price) for offer in view.row[1:4]),
        place=_cut(
            name, _("Two armies are placed in {region}.").format(region=regions[start].name), regions[start].box
        ),
        move=_cut(
            name,
            _("An army moves from {origin} to {target}.").format(**names),
            _around(regions[way.origin].box, regions[way.target].box),
        ),
        build=_cut(name, _("A city in {region}").format(region=regions[town].name), regions[town].box),
        board=_cut(name, _("A region’s border has the color of the player who controls the region."), _around(*board)),
        drawing=_drawn(name, Marks(changes=changes)),
    )


def changes_of_turn(view: View) -> Changes:
    """Return what the pictures of a turn show: two armies on the start region, one that moves, and a new city."""
    land, start = map_of(view.layout), view.start
    near = {region: {land.regions[other] for other in land.land[land.index[region]]} for region in land.regions}
    town, builder = next(
        (region, seat)
        for region, here in view.regions.items()
        for seat, n in enumerate(here.cities)
        if n and region not in near[start] | {start}
    )
    origin, target, mover = next(
        (region, other, seat)
        for region, here in view.regions.items()
        for other in sorted(near[region])
        for seat in range(len(view.players))
        if here.armies[seat] and view.regions[other].armies[seat] and not {region, other} & ({start, town} | near[town])
    )
    placer = max(range(len(view.players)), key=lambda seat: view.regions[start].armies[seat])
    return Changes(
        ways=(Way(origin, target, mover),), armies=(Count(start, placer, 2),), cities=(Count(town, builder, 1),)
    )


@cache
def emblem(ruleset: str) -> SafeString:
    """Draw the position of the rules page in miniature."""
    return mark_safe(miniature(position(f"turn-{ruleset}")))


def _around(*boxes: Box) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def of_option(ruleset: str, option: str) -> tuple[CutOut, ...]:
    """Return the pictures of an option: a whole map without pieces, or the region where a thing lies."""
    cuts = []
    for name, thing, words in SHOWN.get((ruleset, option), ()):
        view, label = position(name), str(words)
        if not thing:
            cuts.append(_cut(name, label, None, is_whole=True))
            continue
        map_ = in_language(picture(view.layout), _)
        region = map_.regions[next(region for region, here in view.regions.items() if _lies_there(here, thing))]
        label = _("{thing} in {region}").format(thing=label, region=region.name)
        cuts.append(_cut(name, label, region.box))
    return tuple(cuts)


def _cut(name: str, label: str, box: Box | None, *, is_whole: bool = False) -> CutOut:
    """Cut out the part around a box, in the standard proportions and inside the map; without a box the whole map."""
    layout = position(name).layout
    map_ = picture(layout)
    left, top, width, height = 0.0, 0.0, map_.width, map_.height
    if box is not None:
        x1, y1, x2, y2 = box
        height = min(max(y2 - y1, (x2 - x1) / SHAPE) + 2 * AROUND, map_.height, map_.width / SHAPE)
        width = height * SHAPE
        left = min(max(0, (x1 + x2 - width) / 2), max(0, map_.width - width))
        top = min(max(0, (y1 + y2 - height) / 2), max(0, map_.height - height))
    land, dark = land_url(layout, "light"), land_url(layout, "dark")
    frame = f"{left:g} {top:g} {width:g} {height:g}"
    return CutOut(name, label, land, dark, map_.width, map_.height, frame, is_whole=is_whole)


def _lies_there(here: RegionView, thing: str) -> bool:
    if thing == "merchants":
        return bool(here.town)
    if thing == "explore":
        return here.token in ("magic-book", "magic-spring", "cottage", "stable", "hidden-treasure")
    return bool(here.token) if thing == "goods" else here.token == thing


def positions(cuts: Iterable[CutOut]) -> tuple[Position, ...]:
    """Draw the pieces of the positions these pictures are cut from, each once, with ids that are unique on the page."""
    return tuple(_drawn(name) for name in dict.fromkeys(cut.position for cut in cuts if not cut.is_whole))


def _drawn(name: str, marks: Marks = NO_MARKS) -> Position:
    """Return the drawing that was built, which is in English, or draw the position in another language."""
    drawn = built()[name].drawing if (get_language() or "en").startswith("en") else draw(position(name), marks)
    return Position(name, with_ids(drawn, name))


def draw(view: View, marks: Marks = NO_MARKS) -> str:
    return pieces(view, marks, translate=_)


class Built(NamedTuple):
    """A position as spectators see it, and its pieces; `drawing` is empty for whole maps without pieces."""

    view: View
    drawing: str


@cache
def built() -> dict[str, Built]:
    return msgspec.json.decode(BUILT.read_bytes(), type=dict[str, Built])


def position(name: str) -> View:
    return built()[name].view
