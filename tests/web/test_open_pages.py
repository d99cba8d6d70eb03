"""Pages that are open while a game goes on: after each answer they show what new pages would."""

import json
import random
from collections import defaultdict

import pytest
import time_machine
from django.utils import timezone

from games.rules.fairness import Quick
from games.rules.kingdoms.state import State
from games.tables.models import Game, Seat
from games.tables.services import play
from tests.cast import again, person, seats_of, table_of
from tests.rules.kingdoms.play import random_options
from tests.rules.kingdoms.positions import ALICE, BOB, CAROL, position
from tests.rules.tables import at_random, seats
from tests.tables import family
from tests.web.kingdoms import ASK, did, kingdoms_of, put
from tests.web.open_page import Control, OpenPage, shown
from tests.web.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.split]

NAMES = ("Alice", "Bob", "Carol", "Dan", "Erin", "Frank", "Grace", "Heidi")
SELDOM = {"ask": 0.0, "undo": 0.4, "start": 0.3, "keep": 0.3, "older": 0.2}  # kinds of controls, by how their ids begin


def some_control(page: OpenPage, chance: random.Random) -> Control:
    """Return a control of a random kind, so that many cards don't crowd out everything else."""
    kinds: dict[str, list[Control]] = defaultdict(list)
    for control in page.controls():
        first, *others = control.name.split("-")
        kinds["-".join([first, *others[: first == "do"]])].append(control)
    names = sorted(kinds)
    (kind,) = chance.choices(names, [SELDOM.get(name, 1.0) for name in names])
    return chance.choice(kinds[kind])


def play_and_compare(monkeypatch, come, slug: str, seed: int, *, steps: int) -> None:
    """Let players use random controls of their open pages, and compare the pages with new ones after each answer."""
    family.seeded(monkeypatch, seed)
    chance = random.Random(seed)
    players = chance.choice([count for ruleset, count in seats() if ruleset == slug])
    is_kingdoms = slug == "kingdoms"
    options = (
        random_options(players, Quick(seed)) if is_kingdoms else json.loads(at_random(slug, players, seed).options)
    )
    people = [person(name) for name in NAMES[:players]]
    game = table_of(*people, ruleset=slug, options=options)
    if is_kingdoms and chance.random() < 0.7:
        Seat.objects.filter(game=game).update(orders=ASK)
    pages = [OpenPage(come(user), game) for user in (*people, person("Eve"))]
    for step in range(steps):
        now = again(game)
        if not now.is_running:
            break
        page = pages[chance.choice([seat.number for seat in seats_of(game) if seat.owes])]
        if chance.random() < 0.05:
            page = chance.choice(pages)
        if page.version != str(now.version) and chance.random() < 0.95:
            page.refresh()
            assert_as_new(page, f"a refresh before step {step}")
        if not page.controls():
            continue
        control = some_control(page, chance)
        answer = page.use(control)
        if 'id="alert"' in text(answer):
            continue  # a new page has no refusal
        assert_as_new(page, f"step {step}: {control.name} with {page.query}")
        if control.name == "further":
            page.refresh()  # steps keep the list of what happened since the reader's last turn, new pages don't
        for other in pages:
            if other is not page and other.version != str(again(game).version) and chance.random() < 0.3:
                other.refresh()
                assert_as_new(other, f"a refresh after step {step}")


def assert_as_new(page: OpenPage, after: str) -> None:
    differences = page.differences()
    assert not differences, "\n".join([after, *differences])


@pytest.fixture(autouse=True)
def still():
    """The time that is left is part of the page."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


@pytest.fixture
def open_at(come, alice, bob, carol):
    """Return the open page of a player at a table of Kingdoms for three, which is at a position."""

    def open_page(state: State, seat: int = ALICE) -> OpenPage:
        people = [alice, bob, carol]
        return OpenPage(come(people[seat]), put(kingdoms_of(*people), state))

    return open_page


def test_a_step_of_kingdoms_changes_the_panel_of_a_player_whose_cards_are_face_up(open_at):
    page = open_at(position(hands={0: "A8 A8 A8 A8 A8 A8 A8 A8 C9 C9 C9 C9 E E E E E"}))
    assert "Face-up cards" in str(shown(page.table))
    page.use(next(control for control in page.controls() if control.name.startswith("do-build")))
    assert page.differences() == []


def test_a_hand_is_sorted_while_a_question_is_asked(open_at):
    page = open_at(position(hands={0: "E A4 A5"}, deck="A5 A6 A7 C9 C9 A8", drawn=False))
    page.use(next(control for control in page.controls() if control.name.startswith("do-build")))
    page.press("do-draw")
    assert page.table.find("sure-words")
    page.press("sort-suit")
    assert page.differences() == []
    assert not any(control.target == "hand" for control in page.controls())  # no card can be picked


def test_a_card_that_is_picked_after_others_have_played_brings_the_whole_table(open_at):
    page = open_at(position(hands={0: "A4 A5", 1: "A6 A7"}, deck="A4 A5 A6 A7 A8 C9 C9 A8"), BOB)  # no Epic is drawn
    (game,) = Game.objects.all()
    did(game, ALICE, "end")
    did(game, BOB, "draw")
    did(game, BOB, "end")
    did(game, CAROL, "draw")
    page.use(next(control for control in page.controls() if control.target == "hand"))
    assert page.differences() == []
    assert [element.is_checked for element in page.table if element["type"] == "checkbox"].count(True) == 1
    did(game, CAROL, "end")
    page.refresh()
    assert page.differences() == []


def test_the_list_of_moves_has_its_place_after_the_last_board_is_laid(come, alice, bob):
    game = table_of(alice, bob, options={"setup": "by-hand", "setter": 0})
    actions = family.choices(game, 0)
    boards = [action for action in actions if action.startswith("lay ")]
    play.lay_out(game=game, who=0, actions=boards[:-1], expected_seq=game.seq)
    page = OpenPage(come(alice), game)
    for name in ("side-", "place-", "turn-", "do-start"):
        page.use(next(control for control in page.controls() if control.name.startswith(name)))
        assert_as_new(page, name)
    assert page.table.find("moves")


@pytest.mark.parametrize(("slug", "seed"), [("kingdoms", 14), ("legends", 1)])
def test_after_each_answer_an_open_page_shows_what_a_new_one_would(monkeypatch, come, slug, seed):
    play_and_compare(monkeypatch, come, slug, seed, steps=15)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 110))
@pytest.mark.parametrize("slug", ["kingdoms", "legends", "classic", "prototype"])
def test_after_each_of_300_answers_in_many_games_open_pages_show_what_new_ones_would(monkeypatch, come, slug, seed):
    play_and_compare(monkeypatch, come, slug, seed, steps=300)
