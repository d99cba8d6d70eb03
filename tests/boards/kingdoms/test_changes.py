"""Changes of the kingdoms, from the events that each seat sees."""

from games.boards.kingdoms.changes import NOTHING, Changes, changes, kingdom_changes
from games.boards.kingdoms.realm import realm
from games.rules.kingdoms import events as e
from tests.boards.kingdoms.views import forest
from tests.each import for_each
from tests.rules.kingdoms.play import game
from tests.rules.kingdoms.positions import KINGDOMS

NAMES = ("Alice", "Bob", "Carol", "Dan")
PART = 40  # steps that are shown together


@for_each("players, seed", [(2, 1), (3, 2), (4, 3)])
@for_each("reader", [None, 0])
def test_changes_are_the_difference_of_the_positions(players, seed, reader):
    """Hands, Towers and the Flop before and after; masked events count like complete ones."""
    steps = game(players, seed).steps
    for first in range(0, min(len(steps), 400) - PART, PART):
        part = steps[first + 1 : first + PART + 1]
        events = [KINGDOMS.seen(event, reader) for step in part for event in step.events]
        if any(isinstance(event, e.Dealt) for event in events):
            continue
        changed = changes(events)
        before, after = (KINGDOMS.view(steps[n].after, reader) for n in (first, first + PART))
        for old, new in zip(before.players, after.players, strict=True):
            assert new.cards - old.cards == changed.cards.get(new.seat, 0)
            assert set(new.towers) - set(old.towers) == changed.built & set(new.towers)
        assert set(after.flop) - set(before.flop) <= changed.came <= set(after.flop)


def test_a_new_deal_resets_the_changes():
    assert changes([e.CardDrawn(0), e.Dealt(1, 0, ((), ()), ())]) == NOTHING


def test_a_tower_built_and_lost_again_is_no_change():
    tower = "sun-kingdom-emperor-1"
    assert changes([e.TowerBuilt(0, tower), e.TowerLost(0, tower)]).fallen == ()


def test_kingdoms_are_marked_in_the_picture_and_in_words():
    view = forest((None, 0, None, 0))
    changed = Changes({0: 3, 2: -1}, ruled=frozenset({1, 2}))
    drawn = realm(view, NAMES, changes=changed)
    assert drawn.count('class="count"') == 2 and ">+3<" in drawn and ">−1<" in drawn
    assert drawn.count('class="spark"') == 2
    assert "What changed: 3 more cards." in drawn and "What changed: now ruled by Alice." in drawn
    assert kingdom_changes(changed, view, 2, NAMES) == ["1 fewer card", "free again"]
    assert 'class="count"' not in realm(view, NAMES)
