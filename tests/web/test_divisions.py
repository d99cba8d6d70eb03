"""A division's page: the standings and what decided them, the cross table of results, and the remaining matches."""

import re
from collections import Counter
from html import unescape

import pytest
import time_machine

from games.contests import interventions as organizing
from games.contests.leagues.divisions import initials, standings
from games.contests.models import Entrant, Match, Pool
from games.contests.pairing.crosstable import halves
from tests.cast import person
from tests.contests.ladders import ends
from tests.contests.leagues import MONDAY, play_all, played, sweep
from tests.web.leagues import started_league

pytestmark = pytest.mark.django_db
DIVISION = "/leagues/harbour/1/1-1/"
ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.S)
CELL = re.compile(r"<t[dh][^>]*>(.*?)</t[dh]>", re.S)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture
def people(alice, bob, carol, dan):
    return [alice, bob, carol, dan]


def page(client, url: str = DIVISION) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def table(html: str, name: str) -> list[list[str]]:
    """The rows of a table on the page, as plain text."""
    body = re.search(rf'<table class="[^"]*{name}[^"]*">.*?<tbody>(.*?)</tbody>', html, re.S)[1]
    return [[plain(cell) for cell in CELL.findall(row)] for row in ROW.findall(body)]


def game_of(first: str, second: str):
    match = Match.objects.filter(appearances__entrant__name=first).get(appearances__entrant__name=second)
    return match.game


def decide(first: str, second: str, *places: int) -> None:
    """End the match of the two with these places."""
    game = game_of(first, second)
    names = [seat.name for seat in game.seats.order_by("number")]
    ends(game, *(places if names[0] == first else places[::-1]))
    sweep()


def test_the_cross_table_shows_results_and_reads_them_to_screen_readers(come, people, clock):
    started_league(clock, *people, at_once=3)
    decide("Alice", "Bob", 1, 2)
    decide("Alice", "Carol", 1, 1)
    rows = {row[0]: row[1:] for row in table(page(come()), "cross")}
    assert list(rows) == ["Alice", "Carol", "Bob", "Dan"]
    assert rows["Alice"] == [
        "the same player",
        "½ tied with Carol",
        "1 finished ahead of Bob",
        "▸ against Dan: playing",
    ]
    assert rows["Bob"][0] == "0 finished behind Alice" and rows["Bob"][2] == "the same player"
    assert rows["Carol"][0] == "½ tied with Alice"


def test_each_cell_links_to_its_match(come, people, clock):
    started_league(clock, *people, at_once=1)
    html, game = page(come()), game_of("Alice", "Bob") or game_of("Alice", "Dan") or game_of("Alice", "Carol")
    assert html.count(f'href="{game.get_absolute_url()}"') == 3  # in both cells, and among the remaining matches
    waiting = Match.objects.filter(state="waiting").count()
    assert waiting and html.count("not started</span>") - 1 == 2 * waiting


def test_a_full_game_is_linked_as_a_whole(come, people, clock):
    started_league(clock, *people, full=True, weeks=30)
    full = Match.objects.filter(state="playing").first().full_game_id
    assert f'href="/full-games/{full}/"' in page(come())


@pytest.mark.long
def test_at_tables_of_three_each_player_is_compared_with_all_others(come, clock):
    people = [person(f"P{n}") for n in range(7)]
    season = started_league(clock, *people, players=3, division=7)
    play_all(season, *[f"P{n}" for n in range(7)])
    rows = table(page(come()), "cross")
    assert [row[0] for row in rows] == [f"P{n}" for n in range(7)]
    for n, row in enumerate(rows):
        assert row[1:] == [
            "the same player"
            if n == other
            else f"1 finished ahead of P{other}"
            if n < other
            else f"0 finished behind P{other}"
            for other in range(7)
        ]
    assert table(page(come()), "division-table")[0][2] == "6 of 6"


def test_the_standings_say_what_broke_a_tie(come, people, clock):
    started_league(clock, *people, at_once=3)
    decide("Alice", "Bob", 2, 1)
    decide("Alice", "Carol", 1, 2)
    decide("Bob", "Dan", 2, 1)
    decide("Alice", "Dan", 1, 2)
    rows = {row[1].split()[0]: row for row in table(page(come()), "division-table")}
    assert rows["Alice"][2] == "2 of 3" and rows["Dan"][2] == "1 of 2"
    assert list(rows) == ["Alice", "Dan", "Bob", "Carol"]
    assert [name for name in rows if "tie-break: " in rows[name][1]] == ["Bob"]
    assert "tie-break: Head-to-head" in rows["Bob"][1]


def test_promotion_and_relegation_are_marked_by_symbol_and_word(come, clock):
    people = [person(f"P{n}") for n in range(8)]
    started_league(clock, *people)
    assert "relegated" not in page(come())  # nothing has been played
    decide("P1", "P3", 2, 1)
    decide("P5", "P7", 2, 1)
    top, low = (table(page(come(), f"/leagues/harbour/1/{tier}-1/"), "division-table") for tier in (1, 2))
    assert [row[:2] for row in top] == [["1", "P3"], ["2", "P1"], ["3", "P0"], ["▼ relegated 3", "P2"]]
    assert [row[:2] for row in low] == [["▲ promoted 1", "P7"], ["2", "P5"], ["3", "P4"], ["3", "P6"]]
    assert "if the season ended now" in page(come())


@pytest.mark.long
def test_at_the_end_the_marks_show_the_actual_outcome(come, clock):
    people = [person(f"P{n}") for n in range(8)]
    played(started_league(clock, *people), clock, *[f"P{n}" for n in range(8)])
    top, low = (table(page(come(), f"/leagues/harbour/1/{tier}-1/"), "division-table") for tier in (1, 2))
    assert [row[0] for row in top] == ["1", "2", "3", "▼ relegated 4"]
    assert [row[0] for row in low] == ["▲ promoted 1", "2", "3", "4"]
    assert "if the season ended now" not in page(come()) and "Remaining matches" not in page(come())


def test_a_player_who_dropped_out_ranks_last_and_annulled_matches_are_marked(come, people, clock):
    started_league(clock, *people, drop_outs="annul", at_once=3)
    decide("Alice", "Bob", 1, 2)
    organizing.leave(entrant=Entrant.objects.get(name="Alice"), user=people[0])
    html = page(come())
    assert table(html, "division-table")[-1][1] == "Alice dropped out"
    rows = {row[0]: row[1:] for row in table(html, "cross")}
    assert rows["Bob"][-1] == "0 finished behind Alice" and rows["Carol"][-1] == "– against Alice: annulled"
    assert html.count("does not count") == 2


def test_my_row_and_my_matches_are_marked(come, people, clock):
    started_league(clock, *people)
    html = page(come(people[2]))
    assert len(re.findall(r'<tr class="me ?[^"]*">', html)) == 2
    left = re.search(r'class="plain to-play">(.*?)</ul>', html, re.S)[1]
    assert [("Carol" in row) for row in ROW_OF_LIST.findall(left)] == [True] * 3 + [False] * 3
    assert not re.search(r'class="me[" ]', page(come()))


ROW_OF_LIST = re.compile(r"<li[^>]*>(.*?)</li>", re.S)


def test_only_the_organizer_gets_a_link_to_manage_the_division(come, people, clock):
    olga = person("Olga")
    started_league(clock, *people, organizer=olga)
    assert "organize/?division=1-1" in page(come(olga)) and "Manage division" not in page(come(people[0]))


def test_shortened_names_stay_distinct():
    assert initials(["Alice", "Bob", "Carol"]) == ["Al", "Bo", "Ca"]
    assert initials(["Anna", "Annika"]) == ["Anna", "Anni"]
    assert initials(["Player 1", "Player 2"]) == ["P1", "P2"]


@pytest.mark.parametrize(("points", "words"), [(0, "0"), (1, "½"), (2, "1"), (3, "1½"), (20, "10")])
def test_points_are_shown_in_halves(points, words):
    assert halves(points) == words


def test_the_cells_of_each_row_add_up_to_its_points(people, clock):
    season = started_league(clock, *people, person("Erin"), division=5, at_once=4)
    decide("Alice", "Bob", 1, 1)
    play_all(season, "Dan", "Alice")
    shown = standings(Pool.objects.get(), None, Counter({1: 1}))
    worth = {"1": 2, "½": 1, "0": 0}
    for row, cells in shown.cross:
        assert sum(worth[mark.symbol] for cell in cells for mark in cell or []) == row.line.points
    assert Entrant.objects.get(name="Dan").points == 8
