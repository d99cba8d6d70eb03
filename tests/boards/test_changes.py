"""Changes on the board: arrows, plus and minus signs, and rings, each with a description."""

import re

from games.boards.eight_minute import changes as c
from games.boards.eight_minute.changes import MOST_WAYS, NOTHING, Changes, Count, Way, changes, trade, ways
from games.boards.eight_minute.geometry import picture
from games.boards.eight_minute.marking import Drawing, change_marks
from games.boards.eight_minute.pieces import Marks, pieces
from games.boards.themes import colours
from games.rules.eight_minute import events as e
from tests.boards.test_pieces import NAMES, crowded, everything, parsed
from tests.each import for_each
from tests.rules.positions import LAYOUT, LEGENDS, position
from tests.rules.walk import walk

BOTH = 2  # the index of the third color in a game of two


def moved(*legs: str, seat: int = 0) -> list[e.ArmyMoved]:
    return [e.ArmyMoved(seat, *leg.split(), cost=1, part=0) for leg in legs]


def test_equal_moves_share_an_arrow_and_moves_back_cancel_it():
    drawn = changes(moved("v1 v2", "v1 v2", "v2 v3", "v3 v2"), 4)
    assert drawn == Changes((Way("v1", "v2", 0, 2),))


def test_an_army_placed_and_destroyed_again_is_no_change():
    events = [e.ArmyPlaced(1, "v1", 0), e.ArmyPlaced(1, "v1", 0), e.ArmyDestroyed(0, "v1", 1, 0)]
    assert changes(events, 4).armies == (Count("v1", 1, 1),)
    assert changes([*events, events[-1]], 4) == NOTHING


def test_the_third_color_comes_after_the_seats():
    events = [e.NeutralPlaced("v1"), e.ArmyDestroyed(0, "v2", -1, 0)]
    assert changes(events, 2).armies == (Count("v1", BOTH, 1), Count("v2", BOTH, -1))


def test_surplus_arrows_are_replaced_by_counts_oldest_first():
    drawn = ways(Way(f"v{n}", f"h{n}", 0) for n in range(MOST_WAYS + 1))
    assert [way.origin for way in drawn.ways] == [f"v{n}" for n in range(1, MOST_WAYS + 1)]
    assert drawn.armies == (Count("v0", 0, -1), Count("h0", 0, 1))


def test_cities_tokens_and_cards():
    events = [e.CardTaken(1, "dire-ogre", 2), e.CityBuilt(1, "v1", 0), e.TokenGained(1, "v1", "crystal"),
              e.TownLaid("v2", 2), e.CardDrawn("lake")]  # fmt: skip
    assert changes(events, 4) == Changes(cities=(Count("v1", 1, 1),), laid=(("v2", "town"),), gone=(("v1", "token"),))
    assert trade(events).taken == ((1, "dire-ogre"),) and trade(events).drawn == {"lake"}


def test_merchants_who_are_gone_are_not_taken_for_the_citadel_in_their_region():
    """A citadel stays when the first city takes the merchants' coins (R33, R34)."""
    drawn = changes([e.TokenLaid("citadel", "v1"), e.TownLaid("v1", 2)], 3)
    assert drawn.laid == (("v1", "token"), ("v1", "town"))
    view = LEGENDS.view(position(tokens={"v1": "citadel"}), None)
    svg = pieces(view, Marks(changes=changes([e.CityBuilt(0, "v1", 0), e.CoinsFound(0, "v1", 2)], 3)))
    titles = [title.text for title in parsed(svg).iter("{http://www.w3.org/2000/svg}title")]
    assert "Merchants gone from Gullcry." in titles and "Token gone from Gullcry." not in titles
    drawing = Drawing(view, picture(LAYOUT), colours(3), (), str)
    [ring] = [mark.drawings for mark in change_marks(drawing, Changes(gone=(("v1", "town"),)))]
    assert ring[0][0] != drawing.where("v1", "token")


@for_each("seed", range(6))
def test_counts_of_armies_are_the_difference_of_the_positions(seed):
    """The counts are the differences between the armies of each color in each region before and after."""
    steps = walk(LEGENDS, 2 + seed % 3, seed).steps
    first, last = len(steps) // 3, len(steps) - 1
    before, after = (LEGENDS.view(steps[n].after, None) for n in (first, last))
    shown = changes((event for step in steps[first + 1 : last + 1] for event in step.events), len(after.players))
    difference = {(region, colour): n for region, here in after.regions.items() for colour, n in enumerate(here.armies)}
    for region, here in before.regions.items():
        for colour, n in enumerate(here.armies):
            difference[region, colour] -= n
    for way in shown.ways:
        difference[way.origin, way.colour] += way.n
        difference[way.target, way.colour] -= way.n
    for count in shown.armies:
        difference[count.region, count.colour] -= count.n
    assert not any(difference.values())


def test_every_mark_has_a_description():
    view, marks = crowded(), everything(crowded())
    everything_drawn = marks.changes
    words = [c.way_words(way, view, NAMES) for way in everything_drawn.ways]
    words += [c.army_words(count, view, NAMES) for count in everything_drawn.armies]
    words += [c.city_words(count, view, NAMES) for count in everything_drawn.cities]
    words += [c.laid_words(thing, view) for thing in everything_drawn.laid]
    words += [c.gone_words(thing, view) for thing in everything_drawn.gone]
    svg = pieces(view, marks, names=NAMES)
    titles = [title.text for title in parsed(svg).iter("{http://www.w3.org/2000/svg}title")]
    assert len(words) == 7 and set(words) <= set(titles)
    assert "Alice (red circle): 1 army moved from " in words[0]


def test_no_mark_catches_clicks_and_each_has_a_sign_besides_its_color():
    svg = pieces(crowded(), everything(crowded()), names=NAMES)
    layers = re.findall(r'<g class="marks (ways|counts)" pointer-events="none">', svg)
    assert layers == ["ways", "counts"]
    assert svg.count('class="step ') == 2 and svg.count("#b-seat-1-pile") >= 1
    assert "marks" not in pieces(crowded(), names=NAMES)
