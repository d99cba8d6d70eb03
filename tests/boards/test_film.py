"""The film of what happened: its steps lead from the old drawing to the one of the current position."""

from collections.abc import Iterator

import pytest

from games.boards.eight_minute.film import film
from games.boards.eight_minute.geometry import picture
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.marking import Drawing
from games.boards.eight_minute.pieces import inside
from games.boards.themes import colours
from games.rules.eight_minute import events as e
from games.rules.words import untranslated
from tests.each import for_each
from tests.rules.positions import LEGENDS, events, taking
from tests.rules.tables import FAMILY, at_random, plain_and_full
from tests.rules.walk import Walk, walk


def moments(game: Walk, seat: int | None, first: int, last: int) -> Iterator[tuple]:
    """The moments between two steps of a game, as `position.moments` yields them."""
    rules, state = game.ruleset, game.steps[first].after.copy()
    for seq, step in enumerate(game.steps[first + 1 : last + 1], first + 1):
        for event in step.events:
            rules.evolve(state, event)
            yield seq, rules.seen(event, seat), lambda: rules.view(state, seat)


def check(game: Walk, seat: int | None, first: int, last: int) -> dict:
    """Check that playing the film ends with the drawings, holders and points of the last position."""
    before, after = (game.ruleset.view(game.steps[n].after, seat) for n in (first, last))
    film_made = film(before, moments(game, seat, first, last))
    if not film_made:
        return {}
    paints, board = colours(len(after.players)), picture(shown(after))
    steps = [film_made["before"], *(step for by_entry in film_made["steps"].values() for step in by_entry)]
    drawn, held, points, counts = {}, {}, [], {}
    for step in steps:
        drawn |= step.get("regions", {})
        held |= step.get("held", {})
        points = step.get("points", points)
        counts |= step.get("counts", {})
    for region, here in after.regions.items():
        old, there = (
            inside(before, board, board.regions[region], paints),
            inside(after, board, board.regions[region], paints),
        )
        assert drawn.get(region, old) == there, region
        changed = here.controller != before.regions[region].controller
        assert region in held or not changed
        if region in held:
            assert held[region] == ("" if here.controller is None else paints[here.controller].key)
    assert points == [score.total for score in after.scoresheet.seats]
    assert counts == {f"coins-{seat}": player.coins for seat, player in enumerate(after.players)}
    return film_made


@for_each("seed", range(4))
def test_playing_a_film_ends_with_the_drawing_of_the_current_position(seed):
    game = walk(LEGENDS, 2 + seed % 3, seed)
    played = check(game, seed % 2, len(game.steps) // 4, len(game.steps) - 1)
    assert {"take", "move", "place"} <= {step["do"] for by_entry in played["steps"].values() for step in by_entry}


@pytest.mark.long
@pytest.mark.parametrize("table", [table for table in plain_and_full() if table.slug in FAMILY], ids=str)
def test_films_of_all_editions_and_options_end_with_the_current_position(table):
    game = walk(table.ruleset, table.players, 3, table.options)
    for seat in (None, 0):
        for first in range(0, len(game.steps) - 12, 9):
            check(game, seat, first, first + 11)


@pytest.mark.long
@for_each("seed", range(30))
def test_films_with_random_options_end_with_the_current_position(seed):
    slug, players = sorted((slug, n) for slug, rules in FAMILY.items() for n in rules.seat_counts)[seed % 10]
    table = at_random(slug, players, seed)
    game = walk(table.ruleset, players, seed, table.options)
    for first in range(0, len(game.steps) - 12, 9):
        check(game, 1, first, first + 11)


def test_a_moved_army_travels_from_where_it_stood_to_where_it_stands():
    game = walk(LEGENDS, 3, 5)
    n, event = next(
        (n, event) for n, step in enumerate(game.steps) for event in step.events if isinstance(event, e.ArmyMoved)
    )
    played = film(game.ruleset.view(game.steps[n - 1].after, None), moments(game, None, n - 1, n))
    moved = next(step for step in played["steps"][n] if step["do"] == "move")
    assert moved["origin"] == event.origin and set(moved["regions"]) == {event.origin, event.target}
    assert moved["piece"] == f"b-seat-{event.seat}"
    for end, region in (("from", played["before"]["regions"][event.origin]), ("to", moved["regions"][event.target])):
        x, y = moved[end]
        assert f"translate({x:g} {y:g})" in region


def test_a_region_emptied_by_a_token_still_finds_the_drawing_of_the_token():
    game = walk(LEGENDS, 3, 2, '{"explore": true}')
    n = next(n for n, step in enumerate(game.steps) for event in step.events if isinstance(event, e.TokenGained))
    played = film(game.ruleset.view(game.steps[n - 1].after, None), moments(game, None, n - 1, n))
    gained = next(step for step in played["steps"][n] if step["do"] == "gain")
    final = game.ruleset.view(game.steps[n].after, None)
    kinds = {here.token for here in final.regions.values()}
    assert gained["from"] and (
        gained["piece"].removeprefix("b-") in kinds or f'id="{gained["piece"]}"' in played["defs"]
    )


def test_merchants_coins_fly_to_their_finder_and_a_citadel_in_the_region_stays():
    state = taking("ancient-woods", armies={"v1": [1]}, tokens={"v1": "citadel"}, towns={"v1": 2})
    before, views, played = LEGENDS.view(state, None), [], []
    built, found = events(state, "build v1")
    for event in (built, found):
        LEGENDS.evolve(state, event)
        views.append(LEGENDS.view(state, None))
        played.append((1, event, lambda view=views[-1]: view))
    gained = film(before, played)["steps"][1][1]
    drawing = Drawing(views[0], picture(shown(before)), colours(3), (), untranslated)
    assert isinstance(found, e.CoinsFound) and gained["piece"] == "b-merchants"
    assert gained["from"] == drawing.where("v1", "town") != drawing.where("v1", "token")


def test_a_robbed_coin_changes_hands_although_nothing_moves():
    leaders = ("bandit-king", "fairy-queen", "red-sorceress")
    state = taking("night-wizard", armies={"v4": [3, 3, 3]}, options={"leaders": True}, leaders=leaders)
    before, views, played = LEGENDS.view(state, None), [], []
    for event in events(state, "destroy v4 1")[:2]:
        LEGENDS.evolve(state, event)
        views.append(LEGENDS.view(state, None))
        played.append((1, event, lambda view=views[-1]: view))
    robbed = film(before, played)["steps"][1][1]
    coins = [player.coins for player in before.players]
    assert robbed["counts"] == {"coins-0": coins[0] + 1, "coins-1": coins[1] - 1, "coins-2": coins[2]}
    assert robbed["do"] == "count" and "regions" not in robbed


def test_nothing_plays_while_boards_are_laid():
    game = walk(LEGENDS, 3, 2, '{"setup": "by-hand"}')
    assert check(game, 0, 0, 6) == {}
